"""How sure a rule is, from what was seen and when (algorithms 4.6 and 4.7). Pure.

The stored value is that of `confidence_at`; what it is worth now is computed on read, so it does
not matter how often or when anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.base import Protocol, TypeVar
from vaultmem.language import DAY_MS

# Sessions that make a pattern certain, as a share of all sessions.
SHARES = {
    "correction": 0.2,
    "preference": 0.3,
    "decision": 0.3,
    "convention": 0.3,
    "workflow": 0.5,
}
# The numbers of algorithms.md 4.7. The loss is worked out on reading and never written: where it
# was taken off at each run, a rule of 0.8 was gone after 12 daily runs and not after 71 days.
DECAY_PER_DAY = 0.01
# For each new session only. The count of all sessions instead would make the gain quadratic.
PER_SESSION = 0.1
PER_CONTRADICTION = 0.15
LEAST = 0.1
MOST_RULES = 500
_ROUNDING = 1e-9  # 1.0 - 0.9 is a little less than 0.1


class Ranked(Protocol):
    """What the cap has to know of a rule."""

    @property
    def id(self) -> str: ...
    @property
    def last_reinforced(self) -> int: ...
    @property
    def is_exempt(self) -> bool: ...


R = TypeVar("R", bound=Ranked)


def initial(
    category: str,
    *,
    seen: int,
    analysed: int,
    most: float = 1.0,
    shares: Mapping[str, float] = SHARES,
) -> float:
    """Confidence of a new rule, in [0, 1].

    category  a key of `shares`; KeyError for another
    seen      sessions with the pattern
    analysed  sessions that were looked at
    """
    return min(1.0, most, seen / max(shares[category] * analysed, 1))


def effective(
    confidence: float, days: float, *, per_day: float = DECAY_PER_DAY, evergreen: bool = False
) -> float:
    """What a confidence is worth so many days (fractions too) after it was set, in [0, 1].

    Days below zero (clock skew) count as none.
    """
    return confidence if evergreen else max(0.0, confidence - per_day * max(days, 0.0))


def reinforce(now_worth: float, new_sessions: int, *, per_session: float = PER_SESSION) -> float:
    """After sessions that had not counted yet confirm it."""
    return min(1.0, now_worth + per_session * new_sessions)


def weaken(now_worth: float, *, per_event: float = PER_CONTRADICTION) -> float:
    """After a correction that goes against it."""
    return max(0.0, now_worth - per_event)


def is_spent(now_worth: float, *, least: float = LEAST) -> bool:
    """Whether a rule has lost so much that it is put away; exactly `least` stays."""
    return now_worth < least - _ROUNDING


def days_between(since: int, now: int) -> float:
    """Days, with fractions, from one instant (UTC ms) to another."""
    return (now - since) / DAY_MS


def keep_surest(rules: Iterable[tuple[R, float]], most: int = MOST_RULES) -> tuple[R, ...]:
    """The rules that stay under the cap, by id. Exempt ones stay, and count.

    rules  with what each is worth now; the surest stay, then the last reinforced, then by id
    """
    ranked = sorted(rules, key=lambda pair: (-pair[1], -pair[0].last_reinforced, pair[0].id))
    exempt = [rule for rule, _ in ranked if rule.is_exempt]
    others = [rule for rule, _ in ranked if not rule.is_exempt]
    chosen = exempt + others[: max(most - len(exempt), 0)]
    return tuple(sorted(chosen, key=lambda rule: rule.id))
