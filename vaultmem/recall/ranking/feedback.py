"""The weights of a preset that judged answers teach (algorithms.md 3.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Ranking
from vaultmem.recall.ranking.learned import Judgement, in_all_one, posterior
from vaultmem.recall.ranking.scorer import read_events

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

WEIGHTED = ("park", "smriti", "kautilya", "balanced")  # presets that are a weighted sum


def learned(
    parts: Parts, preset: str, fixed: Mapping[str, float], *, seed: int | None = None
) -> Ranking:
    """The weights of a preset: the fixed ones, until there are enough judgements of it.

    fixed  component -> share of 1
    seed   sample them; None: the means of what the judgements make of the fixed ones
    """
    settings, now = parts.settings, parts.clock.now()
    events = [one for one in read_events(parts.root) if one.preset == preset]
    ranking = Ranking(preset=preset, weights=tuple(fixed.items()), judgements=len(events))
    free = {name: share for name, share in fixed.items() if 0 < share < 1}
    if len(events) < settings.feedback_minimum or not free:
        return ranking
    judgements = [
        Judgement(age_days=(now - one.at) / DAY_MS, accepted=one.accepted, credit=one.credit)
        for one in events
    ]
    found = posterior(
        judgements,
        free,
        prior=settings.feedback_prior,
        half_life_days=settings.feedback_half_life_days,
    )
    told = in_all_one(found.means() if seed is None else found.drawn(seed))
    weights = tuple((name, told.get(name, 0.0)) for name in fixed)
    return replace(ranking, weights=weights, learned=True, seed=seed)


def judged_presets(parts: Parts) -> list[str]:
    """The presets with weights of which some answer was judged; sorted."""
    return sorted({one.preset for one in read_events(parts.root)} & {*WEIGHTED})
