"""How far a found passage is believed changes what it is worth, and how much room it gets.

Pure functions over what the index found. Whoever writes a web page can repeat the words of every
question in it; so text from outside counts for a little less, and for a share of an answer only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil
from pathlib import PurePosixPath

from vaultmem import safety
from vaultmem.base import replace
from vaultmem.model import LIMITED, UNTRUSTED, USER, Found, Hit, LateParts, NoteRow, Part
from vaultmem.safety import Claims, claims, disagreement

Place = tuple[PurePosixPath, int]  # a passage: the path of its note, and its order there


def weigh_by_trust(
    found: Sequence[Found],
    notes: Mapping[PurePosixPath, NoteRow],
    *,
    weight: float,
    withheld: Collection[Place] = (),
) -> list[Found]:
    """Passages that may answer, best first; those of untrusted notes with `weight` of their score.

    weight    in (0, 1]; below 1 an untrusted passage never equals a trusted one as good as it
    withheld  passages that are left out
    """
    kept = []
    for one in found:
        if (one.path, one.passage.seq) in withheld:
            continue
        note = notes.get(one.path)
        if note is not None and note.trust == UNTRUSTED and weight < 1:
            lost = Part(name="trust", value=one.score * (weight - 1), note="it is from outside")
            one = _with_part(one, lost, score=one.score * weight)
        kept.append(one)
    kept.sort(key=lambda one: -one.score)  # stable: ties stay in the order found
    return kept


def _with_part(one: Found, part: Part, *, score: float) -> Found:
    """A passage with another score, and what made it so; the parts before are worked out later."""
    return replace(one, score=score, parts=LateParts(lambda: (*one.parts, part)))


def cap_untrusted(hits: Sequence[Hit], *, limit: int, share: float) -> tuple[Hit, ...]:
    """At most `limit` hits in their order, at most `share` of the limit (rounded up) untrusted."""
    room = ceil(limit * share)
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) == limit:
            break
        if hit.note.trust == UNTRUSTED:
            if room == 0:
                continue
            room -= 1
        kept.append(hit)
    return tuple(kept)


def arrange_by_trust(hits: Sequence[Hit], *, way: str) -> tuple[Hit, ...]:
    """Hits with those from outside among them (`label`), after them (`separate`) or not (`hide`).

    `separate` keeps the order on both sides, so what the person saved on purpose is still found.
    """
    if way == "label":
        return tuple(hits)
    own = tuple(hit for hit in hits if hit.note.trust != UNTRUSTED)
    if way == "hide":
        return own
    return (*own, *(hit for hit in hits if hit.note.trust == UNTRUSTED))


def disagrees(theirs: Claims, own_texts: Iterable[str]) -> str:
    """Why claims from outside wait: what one of the person's texts says instead; '' if none."""
    for text in own_texts:
        value = disagreement(theirs, claims(text))
        if value:
            return f"disagrees with what you said: '{value}'"
    return ""


def contradictions(
    found: Sequence[Found], notes: Mapping[PurePosixPath, NoteRow]
) -> dict[Place, str]:
    """Passages from outside that give something another value than one of the person's does."""
    levels = {path: note.trust for path, note in notes.items()}
    theirs = {
        (one.path, one.passage.seq): said
        for one in found
        if levels.get(one.path) == UNTRUSTED and (said := claims(one.passage.text))
    }
    if not theirs:
        return {}
    own = [one.passage.text for one in found if levels.get(one.path) == USER]
    reasons = ((place, disagrees(said, own)) for place, said in theirs.items())
    return {place: reason for place, reason in reasons if reason}


# What speaks against a passage or a headline: text that talks to an assistant.

Notes = Mapping[PurePosixPath, NoteRow]


def without_suspect_title(note: NoteRow) -> NoteRow:
    """The note without a title or first words that talk to an assistant: they are shown too."""
    if note.trust == USER or note.type == "item":
        return note

    if safety.suspicion(note.title):
        note = replace(note, title=note.id or "text from outside")
    return replace(note, statement="") if safety.suspicion(note.statement) else note


def suspicion_of(one: Found, notes: Notes) -> str:
    """Why a passage is not answered with; '' when it may be. Never of the person's own words."""
    note = notes.get(one.path)
    if note is None or note.trust not in (UNTRUSTED, LIMITED):
        return ""
    is_own_turn = note.trust == LIMITED and note.writer in ("person", "import")
    if is_own_turn and one.passage.speaker == "user":
        return ""

    return safety.suspicion(one.passage.text)


def mark_suspicious(hit: Hit, notes: Notes, apart: Mapping[tuple[PurePosixPath, int], str]) -> Hit:
    """The hit, with what speaks against the first of its passages that is not above suspicion."""
    found = (Found(path=hit.note.path, passage=each, score=0.0) for each in hit.passages)
    reasons = (
        suspicion_of(one, notes) or apart.get((one.path, one.passage.seq), "") for one in found
    )
    return replace(hit, suspicion=next((reason for reason in reasons if reason), ""))
