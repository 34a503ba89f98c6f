"""How much memory may take of a window, of its tiers, and which memories are then chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import dataclass

WINDOW_SHARE = 0.15
TIERS = {"persona": 200, "user": 200, "sessions": 300, "events": 300, "facts": 200}
NOTHING_FOUND = "no memory found"
_NOISE = 1e-9  # of a product of floats: 0.15 of 200,000 is 30,000


def window_tokens(window: int, share: float = WINDOW_SHARE) -> int:
    """Whole tokens of a model's window that memory may take (algorithms.md 5.12).

    raises BadInputError for a window below 0 or a share outside 0..1
    """
    if window < 0:
        raise BadInputError(f"a window is not below 0, as {window} is")
    if not 0 <= share <= 1:
        raise BadInputError(f"a share of the window lies between 0 and 1, not at {share:g}")
    return math.floor(window * share + _NOISE)


def tier_tokens(
    demand: Mapping[str, int],
    caps: Mapping[str, int] = TIERS,
    *,
    total: int | None = None,
) -> dict[str, int]:
    """What each tier may take at most: what it has, up to its cap; no tier borrows (5.8).

    demand  tier -> tokens of its items; tiers without a cap take nothing
    total   most of all together, granted in the order of the caps; None: the sum of the caps
    """
    left = sum(caps.values()) if total is None else total
    grants: dict[str, int] = {}
    for tier, cap in caps.items():
        grants[tier] = min(max(0, demand.get(tier, 0)), cap, left)
        left -= grants[tier]
    return grants


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that could be chosen."""

    id: str
    tokens: int
    score: float  # what it is ordered by
    relevance: float = 1.0  # what the threshold is about
    age_days: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was chosen, in the order of the candidates' scores."""

    order: tuple[str, ...]  # ids above the threshold, best first
    selected: tuple[str, ...]
    tokens: int

    @property
    def message(self) -> str:
        """'no memory found' where there is nothing above the threshold, else ''."""
        return "" if self.order else NOTHING_FOUND


def choose(
    candidates: Sequence[Candidate],
    max_tokens: int,
    *,
    max_items: int | None = None,
    above: float = -math.inf,
) -> Chosen:
    """Whole memories, best first, as many as fit; one that does not is skipped, not an end (7.3).

    max_items  at most so many; None: no bound
    above      only of a relevance strictly greater
    Ties: newer, then by id.
    """
    held = [each for each in candidates if each.relevance > above]
    held.sort(key=lambda each: (-each.score, each.age_days, each.id))
    selected: list[str] = []
    left = max_tokens
    for each in held:
        if max_items is not None and len(selected) >= max_items:
            break
        if each.tokens <= left:
            selected.append(each.id)
            left -= each.tokens
    return Chosen(
        order=tuple(each.id for each in held), selected=tuple(selected), tokens=max_tokens - left
    )
