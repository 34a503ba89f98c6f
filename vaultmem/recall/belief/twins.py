"""An item and a learned rule that are of the same sentence: one of them is enough to be told.

'I prefer metric units' is an item when it is first said, and a rule when it was said in two
conversations. The item answers: it stands in its stream, and the person edits it there. The rule is
how sure that is and why (`vaultmem rules --why`), and answers where no item says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING
from vaultmem.language import canonical

if TYPE_CHECKING:
    from vaultmem.model import Found, NoteRow

LEARNED = "rule"


class Twins:
    """What some notes say, to be asked whether others say the same."""

    def __init__(self, rows: Iterable[NoteRow]) -> None:
        self._by_words: dict[str, list[NoteRow]] = {}
        self._by_source: dict[str, list[NoteRow]] = {}
        for row in rows:
            if row.type == "item" and row.statement:
                self._by_words.setdefault(canonical(row.statement), []).append(row)
                for name in row.source:
                    self._by_source.setdefault(name, []).append(row)

    def has(self, row: NoteRow) -> bool:
        """Whether a rule says what one of the notes says, or a note what one of the rules does.

        By their words; or by a sentence of a text that both are from and that both quote.
        """
        if row.type != "item":
            return False
        same = self._by_words.get(canonical(row.statement), ())
        near = [other for name in row.source for other in self._by_source.get(name, ())]
        return any(_are_twins(row, other) for other in same) or any(
            _are_twins(row, other) and _quote_alike(row, other) for other in near
        )


def without_twins(
    found: Sequence[Found], notes: Mapping[PurePosixPath, NoteRow]
) -> Sequence[Found]:
    """Passages without those of rules of which an item was found, too."""
    rules = [row for row in notes.values() if row.kind == LEARNED]
    if not rules:
        return found
    said = Twins(row for row in notes.values() if row.kind != LEARNED)
    gone = {row.path for row in rules if said.has(row)}
    return [each for each in found if each.path not in gone] if gone else found


def _are_twins(one: NoteRow, other: NoteRow) -> bool:
    return (one.kind == LEARNED) != (other.kind == LEARNED) and one.trust == other.trust


def _quote_alike(one: NoteRow, other: NoteRow) -> bool:
    """Whether one quote is the other, or a part of it: a rule leaves out what is around a wish."""
    left, right = canonical(one.quote), canonical(other.quote)
    return bool(left and right) and (left in right or right in left)
