"""What the tests of told lives do and look at."""

from __future__ import annotations

from tests.conftest import FixedClock
from vaultmem import Memory
from vaultmem.model.answers import Filters

ALL = Filters(types=("item",))


def tell(memory: Memory, clock: FixedClock, *said: str) -> None:
    """Remember sentences, three days apart."""
    for words in said:
        memory.remember(words)
        clock.advance(days=3)


def status_of(memory: Memory, words: str) -> str:
    """The status of the one item that has these words."""
    [row] = [row for row in memory.list(ALL) if words in row.statement]
    return row.status
