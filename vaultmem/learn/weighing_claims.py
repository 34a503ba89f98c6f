"""Which good things are said of the person that nothing that happened bears out; a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.learn.claims import is_claim, weigh
from vaultmem.model.answers import Filters, NoteRow, is_current
from vaultmem.model.jobs import Claim, Claims
from vaultmem.model.slots import part_key
from vaultmem.model.trust import UNTRUSTED
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

_OWN = ("user", "me", "i", "myself")
_KINDS = ("fact", "belief", "preference")
_NEVER_WAS = ("retracted", "candidate")  # statuses of what did not happen, or perhaps
_ORDER = ("contradicted", "unsupported", "supported")


def claims(parts: Parts) -> Claims:
    """Claims about the person with what bears them out, the doubtful ones first."""
    return level.reading(parts, lambda: _found(parts))


def _found(parts: Parts) -> Claims:
    now = parts.clock.now()
    facts = [
        row
        for row in parts.index.list(Filters(types=("item",), kinds=_KINDS))
        if is_current(row, now) and _is_about_the_person(row)
    ]
    happened = [
        (row.id, row.statement)
        for row in reversed(parts.index.list(Filters(types=("item",), kinds=("event",))))
        if row.id and row.trust != UNTRUSTED and row.status not in _NEVER_WAS
    ]
    told = []
    for row in facts:
        if not is_claim(row.statement):
            continue
        weighed = weigh(row.statement, happened)
        told.append(
            Claim(
                id=row.id,
                path=row.path,
                statement=row.statement,
                verdict=weighed.verdict,
                supporting=weighed.supporting,
                opposite=weighed.opposite,
                texts=len(row.source),
                trust=row.trust,
                writer=row.writer,
            )
        )
    told.sort(key=lambda each: (_ORDER.index(each.verdict), each.statement, each.id))
    share = round(len(told) / len(facts), 4) if facts else 0.0
    return Claims(claims=tuple(told), facts=len(facts), share=share)


def _is_about_the_person(row: NoteRow) -> bool:
    return row.stream == "identity" or part_key(row.subject) in _OWN
