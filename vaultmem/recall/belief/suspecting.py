"""What speaks against a passage or a headline: text that talks to an assistant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem.base.records import replace
from vaultmem.model.answers import Found, Hit, NoteRow
from vaultmem.model.trust import LIMITED, UNTRUSTED, USER

Notes = Mapping[PurePosixPath, NoteRow]


def unheaded(note: NoteRow) -> NoteRow:
    """The note without a title or first words that talk to an assistant: they are shown too."""
    if note.trust == USER or note.type == "item":
        return note
    from vaultmem.safety.instructions import suspicion

    if suspicion(note.title):
        note = replace(note, title=note.id or "text from outside")
    return replace(note, statement="") if suspicion(note.statement) else note


def suspicion_of(one: Found, notes: Notes) -> str:
    """Why a passage is not answered with; '' when it may be. Never of the person's own words."""
    note = notes.get(one.path)
    if note is None or note.trust not in (UNTRUSTED, LIMITED):
        return ""
    is_own_turn = note.trust == LIMITED and note.writer in ("person", "import")
    if is_own_turn and one.passage.speaker == "user":
        return ""
    from vaultmem.safety.instructions import suspicion

    return suspicion(one.passage.text)


def marked(hit: Hit, notes: Notes, apart: Mapping[tuple[PurePosixPath, int], str]) -> Hit:
    """The hit, with what speaks against the first of its passages that is not above suspicion."""
    found = (Found(path=hit.note.path, passage=each, score=0.0) for each in hit.passages)
    reasons = (
        suspicion_of(one, notes) or apart.get((one.path, one.passage.seq), "") for one in found
    )
    return replace(hit, suspicion=next((reason for reason in reasons if reason), ""))
