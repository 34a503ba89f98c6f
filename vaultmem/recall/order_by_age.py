"""Hits of an answer in the order in which age puts them."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Hit
    from vaultmem.recall.decay import HalfLives
    from vaultmem.vault import Parts


def half_lives_of(parts: Parts, asked: HalfLives | None = None) -> HalfLives:
    """Days by stream, from the settings and what a call asks instead."""
    from vaultmem.recall.decay import half_lives  # saves 27 modules

    days = {
        "identity": parts.settings.half_life_identity_days,
        "projects": parts.settings.half_life_projects_days,
        "tasks": parts.settings.half_life_tasks_days,
        "flow": parts.settings.half_life_flow_days,
    }
    return half_lives(days, asked)


def faded(
    parts: Parts, hits: Sequence[Hit], half_lives: HalfLives | None, now: int
) -> Sequence[Hit]:
    """The same hits in the order in which age puts them; none comes or goes by it."""
    if not any(hit.note.stream for hit in hits):
        return hits
    from vaultmem.recall.decay import faded as by_age  # saves 27 modules

    days = half_lives_of(parts) if half_lives is None else half_lives
    return by_age(hits, days, now=now, share=parts.settings.recall_decay)
