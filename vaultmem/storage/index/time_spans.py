"""Which passages may answer a question about another time: asked of candidates, one by one.

The rows are read once a state of the file, into arrays; what a question adds is two numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from vaultmem.base import NamedTuple
from vaultmem.model import holds_at
from vaultmem.storage.index.store.sqlite import sqlite3

_RECORDED = "SELECT first, first + size, path, id, type, status, valid_from, valid_until FROM notes"
_PAST = (
    "SELECT n.first, n.first + n.size, s.path, s.id, t.type, t.status, t.valid_from, t.valid_until,"
    " t.claims, s.first, s.since, s.until, r.stay IS NOT NULL FROM notes n "
    "JOIN texts t ON t.path = n.path JOIN stays s ON s.text = t.number "
    "LEFT JOIN retired r ON r.stay = s.number AND r.until IS NULL"
)


class Span(NamedTuple):
    """A note, for as long as its text stayed there."""

    path: str
    id: str
    type: str
    status: str
    valid_from: int | None
    valid_until: int | None
    claims: str = ""  # the trust it claims; the past alone needs it
    recorded: int | None = None  # UTC ms of its first version; None: not known here
    since: int = 0  # places of the chain, half open
    until: int | None = None
    is_retired: int = 0  # 1: `compact` took it out of the folder

    def holds_at(self, at_ms: int, recorded: int | None) -> bool:
        """Whether what it says held at an instant; what is no item says nothing of that."""
        return self.type != "item" or holds_at(
            at_ms,
            status=self.status,
            valid_from=self.valid_from,
            valid_until=self.valid_until,
            recorded_at=recorded,
        )

    def is_known_at(self, place: int) -> bool:
        """Whether the commit at a place of the chain holds it."""
        return self.since <= place and (self.until is None or place < self.until)


class Spans:
    """All notes of a file by their passages. A text of the past may have stayed several times."""

    def __init__(self, rows: Iterable[Sequence[object]]) -> None:
        self._firsts: list[int] = []
        self._ends: list[int] = []
        self._spans: list[list[Span]] = []
        for first, end, *values in rows:
            if not self._firsts or first != self._firsts[-1]:
                self._firsts.append(first)  # type: ignore[arg-type]  # columns of integers
                self._ends.append(end)  # type: ignore[arg-type]
                self._spans.append([])
            self._spans[-1].append(Span(*values))  # type: ignore[arg-type]

    def passing(self, wanted: Callable[[Span], bool]) -> Callable[[int], bool]:
        """Whether a passage is of a note that is wanted; each note is asked once."""
        known: dict[int, bool] = {}

        def passes(passage: int) -> bool:
            note = bisect_right(self._firsts, passage) - 1
            if note < 0 or passage >= self._ends[note]:
                return False
            answer = known.get(note)
            if answer is None:
                answer = known[note] = any(wanted(span) for span in self._spans[note])
            return answer

        return passes


def spans_of_index(connection: sqlite3.Connection) -> Spans:
    """The notes as they are now."""
    return Spans(connection.execute(f"{_RECORDED} ORDER BY first"))


def spans_of_past(connection: sqlite3.Connection) -> Spans:
    """The texts of the past, as far as their words have been read."""
    return Spans(connection.execute(f"{_PAST} ORDER BY n.first"))
