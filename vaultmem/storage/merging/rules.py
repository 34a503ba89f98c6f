"""Keys whose clash a rule can decide, so that no person is asked."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.language.time import read_instant
from vaultmem.storage.notes.frontmatter.edit import TRUE_WORDS
from vaultmem.storage.notes.frontmatter.yaml import Value

STATUS_ORDER = ("candidate", "active", "archived", "expired", "superseded", "retracted")
"""From weakest to strongest: of two changes, the one that says more about the item stands."""
TRUST_ORDER = ("untrusted", "web", "import", "limited", "agent", "user")
"""From lowest to highest: the lowest stands, so that merging never raises trust."""

Said = Mapping[str, Value]


def choose(name: str, base: Said, late: Said, early: Said) -> str | None:
    """'late' or 'early': whose value of this key stands; None when only a person can know."""
    one, other = late.get(name), early.get(name)
    if not isinstance(one, str) or not isinstance(other, str):
        return None
    if name == "status":
        return _higher(one, other, STATUS_ORDER)
    if name == "trust":
        return _higher(one, other, TRUST_ORDER[::-1])
    if name in ("pinned", "hard"):
        words = [word.casefold() in TRUE_WORDS for word in (one, other)]
        return _larger(*words)
    if name == "critical":
        return None  # both are shown: what the one device marked, the other may not take away
    if name == "importance":
        return _larger(_number(one), _number(other))
    if name == "corrected_at":
        return _larger(_instant(one), _instant(other))
    if name in ("confidence", "confidence_at"):
        return _by_date(late.get("confidence_at"), early.get("confidence_at"), one, other)
    if name == "valid_until" and _has_ended(base, late) and _has_ended(base, early):
        dates = [_instant(one), _instant(other)]
        if dates[0] is not None and dates[1] is not None:
            return _larger(-dates[0], -dates[1])
    return None


def _higher(one: str, other: str, order: tuple[str, ...]) -> str | None:
    if one not in order or other not in order:
        return None
    return _larger(order.index(one), order.index(other))


def _larger(one: float | None, other: float | None) -> str | None:
    if one is None or other is None or one == other:
        return None
    return "late" if one > other else "early"


def _by_date(one_at: Value, other_at: Value, one: str, other: str) -> str | None:
    found = _larger(_instant(one_at), _instant(other_at))
    return found or _larger(_number(one), _number(other))


def _has_ended(base: Said, side: Said) -> bool:
    """Whether a side ended the item: its status is another than it was, and not active."""
    status = side.get("status")
    return status != base.get("status") and status in STATUS_ORDER[2:]


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


def _instant(value: Value) -> int | None:
    found = read_instant(value) if isinstance(value, str) and len(value) <= 40 else None
    return None if found is None else found.ms
