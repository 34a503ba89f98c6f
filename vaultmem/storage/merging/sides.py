"""Two lines of commits beside what both last had, and what becomes of their conversations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vaultmem.base import TYPE_CHECKING, dataclass, field
from vaultmem.model import Problem

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry

Told = dict[str, "Entry | bytes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The three trees, and when the two later ones were committed (UTC ms)."""

    base: Mapping[str, Entry]
    ours: Mapping[str, Entry]
    theirs: Mapping[str, Entry]
    ours_at: int
    theirs_at: int


@dataclass(slots=True, kw_only=True)
class TwoSided:
    """What becomes of the conversations that both sides changed."""

    paths: set[str] = field(default_factory=set)  # that are settled here, and nowhere else
    content: Told = field(default_factory=dict)
    notices: list[Problem] = field(default_factory=list)


Decide = Callable[["Sides"], TwoSided]
