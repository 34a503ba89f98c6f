"""Adapters for ranking: recency, presets, fusion, diversity, graphs, learned weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.vectors.suite import Adapter, Workshop
from vaultmem.check.status import scale_of
from vaultmem.config.settings import Settings
from vaultmem.recall import recency
from vaultmem.recall.ranking import presets
from vaultmem.recall.ranking.diversity import diverse
from vaultmem.recall.ranking.graph import expand_breadth_first, pagerank
from vaultmem.recall.ranking.learned_weights import (
    Judgement,
    Posterior,
    Shares,
    in_all_one,
    posterior,
    responsibility,
)

_SEEDS = 20
_HALVINGS = 100  # an interval of floats cannot get narrower
_SETTLED = 60  # half-lives after which nothing of a judgement is left


_KNOWN: list[Settings] = []


def _settings(shop: Workshop) -> Settings:
    """Those of a vault in which nobody set anything."""
    if not _KNOWN:
        with shop.vault(at=0) as (memory, _):
            _KNOWN.append(memory.settings)
    return _KNOWN[0]


def _exponential(given: Any, _: Workshop) -> object:
    return recency.exponential(given["hours"], given["lambda_per_hour"])


def _power_law(given: Any, _: Workshop) -> object:
    return recency.power_law(given["hours"])


def age_until(holds: Callable[[float], bool]) -> float:
    """The age in hours up to which something holds of the curves, found by halving."""
    low, high = 0.0, 1.0
    while holds(high):
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _comparison(given: Any, shop: Workshop) -> object:
    per_hour = _settings(shop).retrieval_recency_per_hour
    if "find" in given:
        return age_until(
            lambda hours: recency.power_law(hours) < recency.exponential(hours, per_hour)
        )
    power = recency.power_law(given["hours"])
    exponential = recency.exponential(given["hours"], per_hour)
    if power == exponential:
        return {"larger": "equal"}
    return {"larger": "power_law" if power > exponential else "exponential"}


def _half_life(given: Any, _: Workshop) -> object:
    rate = given["lambda_per_hour"]
    return age_until(lambda hours: recency.exponential(hours, rate) > 0.5)


def _hyperbolic(given: Any, _: Workshop) -> object:
    return recency.hyperbolic(given["age_days"])


def _final_score(given: Any, _: Workshop) -> object:
    return presets.never_forgets(given["relevance"], given["age_days"])


def _memorybank(given: Any, _: Workshop) -> object:
    stability = recency.stability_hours(
        given["access_count"], base_hours=given["base_stability_hours"]
    )
    retention = recency.retention(given["hours_since_access"], stability)
    return {"stability_hours": stability, "retention": retention}


def _memorybank_ratio(given: Any, _: Workshop) -> object:
    used = recency.stability_hours(given["access_count"], base_hours=1.0)
    return used / recency.stability_hours(0, base_hours=1.0)


def _ranked(scores: dict[str, float], hours: dict[str, float]) -> list[str]:
    """Ids by score, then the newer, then id: the rule for ties of the whole program."""
    return sorted(scores, key=lambda id_: (-scores[id_], hours[id_], id_))


def _kautilya(given: Any, shop: Workshop) -> object:
    settings = _settings(shop)
    weights = presets.fixed_weights(settings, "kautilya")

    def score(one: Any) -> float:
        fresh = recency.exponential(one["hours"], settings.score_recency_per_hour)
        components = {"relevance": one["relevance"], "importance": one["importance"]}
        return presets.weighted_sum(components | {"recency": fresh}, weights)

    if "items" not in given:
        return score(given)
    scores = {one["id"]: score(one) for one in given["items"]}
    hours = {one["id"]: one["hours"] for one in given["items"]}
    return {"scores": scores, "order": _ranked(scores, hours)}


def _park(given: Any, shop: Workshop) -> object:
    settings, candidates = _settings(shop), given["candidates"]
    weights = presets.fixed_weights(settings, "park")
    rate = settings.retrieval_recency_per_hour
    fresh = [recency.exponential(one["hours"], rate) for one in candidates]
    traits = [
        presets.Traits(importance=one["importance"], relevance=one["relevance"])
        for one in candidates
    ]
    found = [presets.weighted_sum(one, weights) for one in presets.park_components(traits, fresh)]
    scores = {one["id"]: score for one, score in zip(candidates, found, strict=True)}
    hours = {one["id"]: one["hours"] for one in candidates}
    return {"scores": scores, "order": _ranked(scores, hours)}


def _hybrid(given: Any, shop: Workshop) -> object:
    most = given["max_pagerank"]
    components = {
        "similarity": given["cosine"],
        "pagerank": given["pagerank"] / most if most else 0.0,
        "words": given["bm25_norm"],
    }
    return presets.weighted_sum(components, presets.fixed_weights(_settings(shop), "smriti"))


def _rrf(given: Any, _: Workshop) -> object:
    ranked = presets.reciprocal_ranks(given["lists"], k=given["k"], weights=given.get("weights"))
    return {"scores": dict(ranked), "order": [id_ for id_, _ in ranked]}


def _mmr(given: Any, _: Workshop) -> object:
    similarity = given["similarity"]
    return diverse(
        given["scores"],
        lambda one, other: float(similarity[one][other]),
        balance=given["lambda"],
        limit=given["top_k"],
    )


def _pagerank(given: Any, _: Workshop) -> object:
    edges = [(source, target, weight) for source, target, weight in given["edges"]]
    return pagerank(given["nodes"], edges, damping=given["damping"], teleport=given.get("teleport"))


def _link_expansion(given: Any, _: Workshop) -> object:
    over = set(given["expired"])
    found = expand_breadth_first(
        dict.fromkeys(given["hits"], 1.0),
        lambda id_: given["links"].get(id_, ()),
        hops=given["hops"],
        limit=given["limit"],
        is_over=lambda id_: id_ in over,
    )
    return [one.id for one in found]


def _posterior(given: Any, _: Workshop) -> object:
    weights = given["weights_at_serving"]
    judgements = [
        Judgement(
            age_days=given["now_days"] - one["t"],
            accepted=one["accepted"],
            credit=responsibility(one["components"], weights),
        )
        for one in given["feedback"]
    ]
    found = posterior(
        judgements,
        given["prior_mean"],
        prior=given["kappa"],
        half_life_days=given["half_life_days"],
    )
    mean = found.means()
    return {
        "alpha": found.alpha,
        "beta": found.beta,
        "mean": mean,
        "normalised_mean": in_all_one(mean),
    }


def _sampling(given: Any, shop: Workshop) -> object:
    if "property" in given:
        fixed = presets.fixed_weights(_settings(shop), "smriti")
        told = given["property"]
        return next(holds(fixed) for word, holds in _PROPERTIES.items() if word in told)
    one = Posterior(alpha={"it": given["alpha"]}, beta={"it": given["beta"]})
    drawn = [one.sample(seed)["it"] for seed in range(given["samples"])]
    mean = sum(drawn) / len(drawn)
    spread = sum((each - mean) ** 2 for each in drawn) / len(drawn)
    return {"beta_mean": mean, "beta_var": spread}


def _weights(fixed: Shares, seed: int) -> dict[str, float]:
    return in_all_one(posterior([], fixed).sample(seed))


def _is_repeatable(fixed: Shares) -> bool:
    return all(_weights(fixed, seed) == _weights(fixed, seed) for seed in range(_SEEDS))


def _is_a_share(fixed: Shares) -> bool:
    drawn = [_weights(fixed, seed) for seed in range(_SEEDS)]
    return all(min(one.values()) >= 0 and abs(sum(one.values()) - 1) < 1e-12 for one in drawn)


def _begins_fixed(fixed: Shares) -> bool:
    means = in_all_one(posterior([], fixed).means())
    return all(abs(means[name] - weight) < 1e-12 for name, weight in fixed.items())


# What the suite's own formula names, by a word of the property.
_PROPERTIES = {"seed": _is_repeatable, "sum": _is_a_share, "mean": _begins_fixed}


def _bounded(given: Any, _: Workshop) -> object:
    """Judgements one interval apart, until the oldest count for nothing."""
    interval, life = given["interval_days"], given["half_life_days"]
    judgements = [
        Judgement(age_days=i * interval, accepted=True, credit={"it": 1.0})
        for i in range(int(_SETTLED * life / interval))
    ]
    found = posterior(judgements, {"it": 0.5}, prior=1, half_life_days=life)
    return found.alpha["it"] - 0.5


def _scale(given: Any, _: Workshop) -> object:
    return scale_of(given["facts"])


ADAPTERS = {
    "recency_exponential": Adapter(_exponential),
    "recency_power_law": Adapter(_power_law),
    "recency_comparison": Adapter(_comparison),
    "half_life_conversion": Adapter(_half_life),
    "time_decay_hyperbolic": Adapter(_hyperbolic),
    "time_decay_final_score": Adapter(_final_score),
    "memorybank": Adapter(_memorybank),
    "memorybank_ratio": Adapter(_memorybank_ratio),
    "score_kautilya": Adapter(_kautilya),
    "score_park": Adapter(_park),
    "score_hybrid_fixed": Adapter(_hybrid),
    "rrf": Adapter(_rrf),
    "mmr": Adapter(_mmr),
    "pagerank": Adapter(_pagerank),
    "personalised_pagerank": Adapter(_pagerank),
    "link_expansion": Adapter(_link_expansion),
    "thompson_posterior": Adapter(_posterior),
    "thompson_sampling_statistics": Adapter(_sampling),
    "thompson_bounded_memory": Adapter(_bounded),
    "scale_strategy": Adapter(_scale),
}
