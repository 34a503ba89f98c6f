"""How far saying something again raises the confidence in it. Pure."""

from __future__ import annotations

REINFORCEMENT = 0.3  # share of the missing confidence that saying it again adds


def reinforce(confidence: float, *, share: float = REINFORCEMENT) -> float:
    """Confidence 0..1 after a repetition: c + 0.3 (1 - c), so that it never passes 1.

    share  of the missing confidence that it adds
    """
    return confidence + share * (1.0 - confidence)
