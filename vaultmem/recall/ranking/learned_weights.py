"""Weights of a preset, learned from judged answers, and the file that keeps the judgements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import exp2, fsum, isfinite
from pathlib import Path
from random import Random

from vaultmem.base import TYPE_CHECKING, Any, BadInputError, TypeGuard, dataclass, replace
from vaultmem.language import DAY_MS
from vaultmem.model import Ranking
from vaultmem.storage.files import SCORER

if TYPE_CHECKING:
    from vaultmem.vault import Vault


# --- Thompson sampling of Beta posteriors ---

# Algorithms.md 3.10; Thompson 1933, Chapelle and Li 2011. A judgement belongs to the whole score,
# so each component gets the share of the credit that it had in it; the prior is worth a few
# judgements and has the fixed weights as its mean, so nothing jumps when the first judgement comes.
PRIOR = 10.0  # judgements that the fixed weights are worth
# Read anew each time: with this half-life all evidence together stays bounded (algorithms.md 3.10).
HALF_LIFE_DAYS = 7.0

Shares = Mapping[str, float]  # component -> number


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What somebody said of one answer."""

    age_days: float  # below 0 (another device's clock) counts as 0
    accepted: bool
    credit: Shares  # component -> 0..1, together 1, or 0 where nothing is to be credited


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """A Beta distribution for the weight of each component."""

    alpha: Shares  # > 0
    beta: Shares  # > 0

    def means(self) -> dict[str, float]:
        """The mean of each component, 0..1."""
        return {name: a / (a + self.beta[name]) for name, a in self.alpha.items()}

    def sample(self, seed: int) -> dict[str, float]:
        """One sample of each component, 0..1: the same for the same seed."""
        generator = Random(seed)
        return {
            name: generator.betavariate(self.alpha[name], self.beta[name])
            for name in sorted(self.alpha)
        }


def responsibility(components: Shares, weights: Shares) -> dict[str, float]:
    """The share of each component in `sum weight * component`; all 0 where the sum is 0.

    components  of the judged note, >= 0
    weights     with which it was served, >= 0
    """
    parts = {name: weight * max(0.0, components.get(name, 0.0)) for name, weight in weights.items()}
    total = fsum(parts.values())
    return {name: part / total if total > 0 else 0.0 for name, part in parts.items()}


def recency_weight(age_days: float, half_life_days: float) -> float:
    """What a judgement still counts for, in (0, 1]: one half at the half-life."""
    return exp2(-max(0.0, age_days) / half_life_days)


def posterior(
    judgements: Sequence[Judgement],
    fixed: Shares,
    *,
    prior: float = PRIOR,
    half_life_days: float = HALF_LIFE_DAYS,
) -> Posterior:
    """Accepts add their credit to alpha, rejects to beta, each faded by its age.

    fixed   component -> weight in 0..1 (not 0 or 1 themselves): the means of the prior
    prior   > 0: judgements that it is worth
    raises  BadInputError for anything else
    """
    if not (prior > 0 and half_life_days > 0 and all(0 < each < 1 for each in fixed.values())):
        raise BadInputError("a prior is worth more than 0, its weights lie between 0 and 1")
    told = {
        is_accepted: {
            name: fsum(
                each.credit.get(name, 0.0) * recency_weight(each.age_days, half_life_days)
                for each in judgements
                if each.accepted is is_accepted
            )
            for name in fixed
        }
        for is_accepted in (True, False)
    }
    return Posterior(
        alpha={name: prior * mean + told[True][name] for name, mean in fixed.items()},
        beta={name: prior * (1 - mean) + told[False][name] for name, mean in fixed.items()},
    )


def in_all_one(weights: Shares) -> dict[str, float]:
    """The same weights as shares of 1; alike where all of them are 0."""
    total = fsum(weights.values())
    if total <= 0:
        return {name: 1 / len(weights) for name in weights}
    return {name: weight / total for name, weight in weights.items()}


# --- `.vaultmem/state/scorer.json` ---

# One event a line, so that Git shows what a judgement added; sorted, so that the same events are
# the same bytes on every device. Devices that judged apart are united: an event has an id. The file
# may come from anybody who can push: what is no event is passed over, and there is a bound to them.
MOST_BYTES = 2_000_000
MOST_EVENTS = 5_000
_MOST_COMPONENTS = 16
_MOST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerEvent:
    """One judgement of one note in one answer."""

    id: str  # the same for the same answer and note: who judges again changes their mind
    at: int  # UTC ms
    preset: str
    accepted: bool
    credit: Mapping[str, float]  # component -> share, 0..1


def read_events(root: Path) -> tuple[ScorerEvent, ...]:
    """The events of a vault; none where there is no such file, or none that can be read."""
    try:
        with open(root / SCORER, "rb") as file:
            return parse_events(file.read(MOST_BYTES + 1))
    except OSError:
        return ()


def parse_events(data: bytes) -> tuple[ScorerEvent, ...]:
    """The events of a file, oldest first; what is no event of ours is passed over."""
    if len(data) > MOST_BYTES:
        return ()
    try:
        loaded = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return ()
    found = loaded.get("events") if isinstance(loaded, dict) else None
    events = [_event(one) for one in found] if isinstance(found, list) else []
    return unite_events([event for event in events if event is not None])


def unite_events(events: Iterable[ScorerEvent]) -> tuple[ScorerEvent, ...]:
    """Each event once (of two with an id the later one), oldest first, the newest few thousand."""
    by_id: dict[str, ScorerEvent] = {}
    # Of one instant the order is that of what they say, so that all devices keep the same one.
    for event in sorted(events, key=lambda one: (one.at, one.accepted, sorted(one.credit.items()))):
        by_id[event.id] = event
    return tuple(sorted(by_id.values(), key=lambda one: (one.at, one.id))[-MOST_EVENTS:])


def render_events(events: Iterable[ScorerEvent]) -> bytes:
    """The file of these events; `parsed` reads them back."""
    lines = ",\n".join(
        json.dumps(
            {
                "accepted": one.accepted,
                "at": one.at,
                "credit": {
                    name: round(float(share), 6) for name, share in sorted(one.credit.items())
                },
                "id": one.id,
                "preset": one.preset,
            },
            ensure_ascii=True,
        )
        for one in unite_events(events)
    )
    return f'{{"events": [\n{lines}\n], "format": 1}}\n'.encode("ascii")


def merge_event_files(ours: bytes, theirs: bytes) -> bytes:
    """The events of both files in one."""
    return render_events([*parse_events(ours), *parse_events(theirs)])


def _event(found: Any) -> ScorerEvent | None:
    if not isinstance(found, dict):
        return None
    id_, at, preset = found.get("id"), found.get("at"), found.get("preset")
    credit, accepted = found.get("credit"), found.get("accepted")
    if not (_is_name(id_) and _is_name(preset) and isinstance(accepted, bool)):
        return None
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < 2**53:
        return None
    if not isinstance(credit, dict) or len(credit) > _MOST_COMPONENTS:
        return None
    if not all(_is_name(name) and _is_share(share) for name, share in credit.items()):
        return None
    shares = {name: float(share) for name, share in credit.items()}
    return ScorerEvent(id=id_, at=at, preset=preset, accepted=accepted, credit=shares)


def _is_name(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text) <= _MOST_NAME and text.isascii()


def _is_share(share: object) -> bool:
    is_number = isinstance(share, int | float) and not isinstance(share, bool)
    return is_number and isfinite(share) and 0 <= share <= 1  # type: ignore[arg-type, operator]


WEIGHTED = ("park", "smriti", "kautilya", "balanced")  # presets that are a weighted sum


def learn_weights(
    vault: Vault, preset: str, fixed: Mapping[str, float], *, seed: int | None = None
) -> Ranking:
    """The weights of a preset: the fixed ones, until there are enough judgements of it.

    fixed  component -> share of 1
    seed   sample them; None: the means of what the judgements make of the fixed ones
    """
    settings, now = vault.settings, vault.clock.now()
    events = [one for one in read_events(vault.root) if one.preset == preset]
    ranking = Ranking(preset=preset, weights=tuple(fixed.items()), judgements=len(events))
    # A share of 0 or 1 has no Beta distribution: 0 stays 0, and beside 1 there is nothing to learn.
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
    told = in_all_one(found.means() if seed is None else found.sample(seed))
    weights = tuple((name, told.get(name, 0.0)) for name in fixed)
    return replace(ranking, weights=weights, learned=True, seed=seed)


def judged_presets(vault: Vault) -> list[str]:
    """The presets with weights of which some answer was judged; sorted."""
    return sorted({one.preset for one in read_events(vault.root)} & {*WEIGHTED})
