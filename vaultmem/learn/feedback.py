"""Keep what somebody says of an answer: it was the right one, or not (algorithms.md 3.10).

A judgement goes into the vault, so that all devices learn from it; what was judged is known from
this device's log of answers. It holds components and numbers, and nothing of question or note.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from vaultmem import edit, model, vault
from vaultmem.base import TYPE_CHECKING, BadInputError, StaleFileError
from vaultmem.language import DAY_MS
from vaultmem.model import Judged, Plan, Write
from vaultmem.recall import (
    MOST_BYTES,
    ScorerEvent,
    parse_events,
    read_events,
    render_events,
    served,
)
from vaultmem.storage.files import SCORER

if TYPE_CHECKING:
    from vaultmem.recall import Served
    from vaultmem.vault import Parts

_TRIES = 3
_FORGOTTEN = 20  # half-lives after which a judgement counts for a millionth
_ID_LETTERS = 12


def judge(parts: Parts, ref: str, *, accepted: bool) -> Judged:
    """Keep what somebody says of a hit, in one commit.

    ref     place in the last answer (1 is the best), or the id of a note that was answered
    raises  BadInputError for what this device did not answer, or answered without weights
    """
    answer, note, credit = _find_served(parts, ref)
    if not credit:
        raise BadInputError(
            f"the preset '{answer.preset}' has no weights that could learn from this",
            hint="ask with --preset park, smriti, kautilya or balanced, and judge that answer",
        )
    seed = f"{parts.settings.state.name}\0{answer.at}\0{note}"
    event = ScorerEvent(
        id=f"f-{sha256(seed.encode()).hexdigest()[:_ID_LETTERS]}",
        at=parts.clock.now(),
        preset=answer.preset,
        accepted=accepted,
        credit=credit,
    )
    commit = _keep_event(parts, event)
    judged = sum(one.preset == answer.preset for one in read_events(parts.root))
    return Judged(
        note=note,
        preset=answer.preset,
        accepted=accepted,
        credit=tuple(credit.items()),
        judgements=judged,
        needed=parts.settings.feedback_minimum,
        commit=commit,
    )


def _find_served(parts: Parts, ref: str) -> tuple[Served, str, Mapping[str, float]]:
    """The answer that is judged, the id of the note in it, and what its components gave."""
    answers = served.answers(parts)
    if not answers:
        raise BadInputError(
            "this device has answered nothing yet", hint="ask with `vaultmem recall` first"
        )
    if ref.isdecimal():
        place = int(ref)
        if not 1 <= place <= len(answers[0].hits):
            raise BadInputError(
                f"the last answer has no hit {place}", hint=f"it has {len(answers[0].hits)}"
            )
        return answers[0], *answers[0].hits[place - 1]
    for answer in answers:
        for note, credit in answer.hits:
            if note and note == ref:
                return answer, note, credit
    raise BadInputError(
        f"no recent answer of this device had '{ref}'",
        hint="write the number of a hit of the last answer, or the whole id of a note in one",
    )


def _keep_event(parts: Parts, event: ScorerEvent) -> str:
    """Put an event into the file of the vault; the commit."""

    for attempt in range(1, _TRIES + 1):
        try:
            with edit.writer(parts):
                plan = _plan(parts, event)
                with vault.journal_changes(parts, plan.changes):
                    committed = vault.apply(parts, [plan])
            return committed[-1].commit
        except StaleFileError:
            if attempt == _TRIES:
                raise
    raise AssertionError("the last attempt returns or raises")


def _plan(parts: Parts, event: ScorerEvent) -> Plan:

    try:
        with open(parts.root / SCORER, "rb") as file:
            before = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        before = None
    oldest = event.at - _FORGOTTEN * int(parts.settings.feedback_half_life_days * DAY_MS)
    known = () if before is None else parse_events(before)
    if before is not None and not known and before.strip():
        raise BadInputError(
            f"'{SCORER}' cannot be read", hint="restore it from the history, or take it away"
        )
    content = render_events([*(one for one in known if one.at >= oldest), event])
    word = "accept" if event.accepted else "reject"
    return Plan(
        op="feedback",
        subject=f"{word} an answer of the preset '{event.preset}'",
        actor="person",
        changes=(
            Write(
                path=SCORER,
                content=content,
                expects=None
                if before is None
                else model.blob_oid(before, algorithm=parts.history.algorithm),
            ),
        ),
    )
