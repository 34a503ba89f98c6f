"""How like a question passages are, whatever it is known by: vectors, or the senses of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem.base import Protocol


class Likely(Protocol):
    """Likeness of the passages of an index to one question."""

    @property
    def gain(self) -> float:
        """What a likeness of 1 gives, as a share of the question's weight."""

    def nearest(self, limit: int, passes: Callable[[int], bool] | None) -> list[int]:
        """The `limit` passages that are the most like it, ascending."""

    def of(self, passages: Sequence[int]) -> dict[int, tuple[float, bool]]:
        """(likeness, it is known) of each passage."""

    def coverage(self, passage: int) -> float:
        """How much of an answer a passage is by likeness alone, 0 to 1."""
