"""Answers ranked by more than words: presets, breadth, and what is linked (docs/ranking.md).

Only a question that asks for it comes here. Candidates are what the words found; the graph and the
log of answers are read for those presets that need them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, inf

from vaultmem.base import TYPE_CHECKING, BadInputError, dataclass, replace
from vaultmem.model import PRESETS, USER, Hit, NoteRow, Ordering, Part, Ranking
from vaultmem.recall import recency
from vaultmem.recall.enough import order
from vaultmem.recall.freshness import NEVER_FADES, Ages, memory_type
from vaultmem.recall.ranking.linking import (
    Question,
    diverse,
    expand_hits,
    graph_of,
    hit_of,
    may_be_shown,
    standing_notes,
)
from vaultmem.recall.recency import hyperbolic

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.vault import Notes as Source
    from vaultmem.vault import Vault


# One score from several components: the formulas of the presets, and reciprocal rank fusion.
#
# Pure functions over numbers. What they come to for the notes of a vault is in `presets.py`.

_UNDECIDED = 0.5  # a component that is the same everywhere tells nothing apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a candidate is judged by."""

    importance: float  # 1..10
    relevance: float  # any scale: it is normalised over the candidates


def weighted_sum(components: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum of components in 0..1, which below 0 count as 0 (a negative cosine)."""
    return fsum(weight * min(1.0, max(0.0, components[name])) for name, weight in weights.items())


def normalise(column: Sequence[float]) -> list[float]:
    """Values moved and stretched to 0..1 (min-max); a constant column is one half everywhere."""
    if not column:
        return []
    low, high = min(column), max(column)
    if high == low:
        return [_UNDECIDED] * len(column)
    return [(value - low) / (high - low) for value in column]


def park_components(
    candidates: Sequence[Traits], recencies: Sequence[float]
) -> list[dict[str, float]]:
    """Recency, importance and relevance of each candidate, each 0..1 over the candidates.

    recencies  one a candidate, in 0..1
    Park et al. 2023, section 4.1. Scores of different questions are not comparable: the least and
    the greatest of a component depend on what else was found.
    """
    columns = {
        "recency": normalise(recencies),
        "importance": normalise([each.importance / 10 for each in candidates]),
        "relevance": normalise([each.relevance for each in candidates]),
    }
    return [{name: column[i] for name, column in columns.items()} for i in range(len(candidates))]


def never_forgets(relevance: float, age_days: float, half_days: float = 30) -> float:
    """Relevance times what age leaves of it: `relevance / (1 + age / 30)` (algorithms.md 7.3)."""
    return relevance * hyperbolic(age_days, half_days)


def shares_of(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights as shares of 1; raises BadInputError where one is below 0, or all are 0."""
    total = fsum(weights.values())
    if total <= 0 or min(weights.values()) < 0:
        raise BadInputError("weights are not below 0, and not all of them 0")
    return {name: weight / total for name, weight in weights.items()}


def reciprocal_ranks(
    lists: Sequence[Sequence[str]],
    *,
    k: float = 60,
    weights: Sequence[float] | None = None,
) -> list[tuple[str, float]]:
    """(id, score), best first, of `sum weight / (k + rank)` over ranked lists; ranks begin at 1.

    weights  one a list; None: 1 each. What comes to 0 is left out
    raises   BadInputError where k is not more than -1, or there are more lists than weights

    Cormack, Clarke and Buettcher 2009. An id that a list holds twice counts at its better rank;
    ties by id. The order of the lists makes no difference.
    """
    given = [1.0] * len(lists) if weights is None else weights
    if k <= -1 or len(given) != len(lists):
        raise BadInputError("rank fusion takes a k above -1 and one weight a list")
    gains: dict[str, list[float]] = {}
    for ranked, weight in zip(lists, given, strict=True):
        for rank, id_ in enumerate(dict.fromkeys(ranked), start=1):
            gains.setdefault(id_, []).append(weight / (k + rank))
    scores = {id_: fsum(each) for id_, each in gains.items()}
    return sorted(
        ((id_, score) for id_, score in scores.items() if score),
        key=lambda scored: (-scored[1], scored[0]),
    )


ADDED = ("park", "balanced")  # recent and important notes are candidates without a word in common


def check_ordering(ordering: Ordering | None, preset: str) -> Ordering | None:
    """How an answer is to be ranked; None: as usual. Raises BadInputError for no preset of ours.

    preset  of the settings, for an ordering that names none
    """
    wanted = Ordering() if ordering is None else ordering
    if not wanted.preset:
        wanted = replace(wanted, preset=preset)
    if wanted.preset not in PRESETS:
        raise BadInputError(
            f"no preset is called '{wanted.preset}'", hint=f"presets: {', '.join(PRESETS)}"
        )
    is_usual = wanted.preset == "default" and not (wanted.diverse or wanted.expand)
    return None if is_usual else wanted


def fixed_weights(settings: Settings, preset: str) -> dict[str, float]:
    """The weights of a preset that is a weighted sum, as shares of 1."""
    if preset == "smriti":
        weights = {
            "similarity": settings.score_similarity,
            "pagerank": settings.score_pagerank,
            "words": settings.score_words,
        }
    elif preset == "kautilya":
        weights = {
            "relevance": settings.score_relevance,
            "recency": settings.score_recency,
            "importance": settings.score_importance,
        }
    else:
        weights = {
            "recency": settings.score_park_recency,
            "importance": settings.score_park_importance,
            "relevance": settings.score_park_relevance,
        }
    return shares_of(weights)


def pool_of(vault: Vault, ordering: Ordering, limit: int) -> int:
    """How many notes the words have to find."""
    settings = vault.settings
    most = limit
    if ordering.preset != "default":
        most = max(limit, settings.retrieval_candidates)
    if ordering.preset == "kautilya" or ordering.diverse:
        most = max(most, settings.retrieval_candidate_factor * limit)
    return most


def rank_hits(
    vault: Vault, hits: Sequence[Hit], asked: Question, source: Source
) -> tuple[tuple[Hit, ...], Ranking]:
    """The hits in the order of the preset, all of them, with what the preset adds."""
    ranking = Ranking(preset=asked.ordering.preset, diverse=asked.ordering.diverse)
    if not hits or asked.ordering.preset == "default":
        return tuple(hits), ranking
    return _Ranker(vault, asked, source).rank(hits, ranking)


def finish_ranking(
    vault: Vault, hits: Sequence[Hit], asked: Question, source: Source
) -> tuple[Hit, ...]:
    """As many of the ranked hits as were wanted: the different ones first, with neighbours."""
    settings = vault.settings
    if asked.ordering.diverse:
        hits = diverse(hits, balance=settings.retrieval_mmr_lambda, limit=asked.limit)
    hits = tuple(hits[: asked.limit])
    return expand_hits(vault, hits, asked, source) if asked.ordering.expand else hits


class _Ranker:
    """One answer while it is ranked: what several presets need is read once."""

    def __init__(self, vault: Vault, asked: Question, source: Source) -> None:
        self._vault = vault
        self._asked = asked
        self._source = source
        self._settings = vault.settings
        self._ages = Ages(vault, now=asked.now)

    def rank(self, hits: Sequence[Hit], ranking: Ranking) -> tuple[tuple[Hit, ...], Ranking]:
        preset = ranking.preset
        if preset == "never_forgets":
            return _in_order(self._never_forgets(hits)), ranking
        if preset == "linked":
            return self._rank_linked(hits, ranking)
        if preset in ADDED:
            hits = [*hits, *self._important(hits)]
        components = self._components(preset, hits)
        weights, ranking = self._weights(fixed_weights(self._settings, preset), ranking)
        scored = (
            _blend_score(hit, each, notes, weights)
            for hit, (each, notes) in zip(hits, components, strict=True)
        )
        best = _in_order(scored)
        return (self._within_kinds(best) if preset == "kautilya" else best), ranking

    # --- components ----------------------------------------------------------------------------

    def _components(
        self, preset: str, hits: Sequence[Hit]
    ) -> list[tuple[dict[str, float], dict[str, str]]]:
        """(component -> 0..1, component -> why) of each hit."""
        relevance = _relevance(hits)
        if preset == "smriti":
            return self._smriti(hits, relevance)
        is_kautilya, ages = preset == "kautilya", self._ages
        weighed = [ages.importance(hit.note) for hit in hits]
        importance = [worth for worth, _ in weighed]
        hours = [
            ages.hours(
                hit.note,
                by_access=not (is_kautilya and memory_type(hit.note) == "episodic"),
            )
            for hit in hits
        ]
        if is_kautilya:
            rate = self._settings.score_recency_per_hour
            rows = [
                {
                    "relevance": relevance[i],
                    "recency": recency.exponential(hours[i], rate),
                    "importance": importance[i] / 10,
                }
                for i in range(len(hits))
            ]
        else:
            traits = [
                Traits(importance=importance[i], relevance=relevance[i]) for i in range(len(hits))
            ]
            by_type = preset == "balanced"
            fresh = [
                ages.freshness(hit.note, hours[i], by_type=by_type) for i, hit in enumerate(hits)
            ]
            rows = park_components(traits, fresh)
        reasons = [
            {
                "relevance": _words_reason(hit, relevance[i]),
                "recency": _age_reason(hours[i]),
                "importance": weighed[i][1],
            }
            for i, hit in enumerate(hits)
        ]
        return list(zip(rows, reasons, strict=True))

    def _smriti(
        self, hits: Sequence[Hit], relevance: Sequence[float]
    ) -> list[tuple[dict[str, float], dict[str, str]]]:
        settings = self._settings
        standing = graph_of(self._vault, self._asked).standing(
            damping=settings.pagerank_damping, tolerance=settings.pagerank_tolerance
        )
        most = max(standing.values(), default=0.0)
        coverage: dict[str, float] = {}
        for one in self._asked.found:
            known = coverage.get(one.passage.text, 0.0)
            coverage[one.passage.text] = max(known, min(1.0, one.coverage))
        rows = []
        for i, hit in enumerate(hits):
            alike = max((coverage.get(p.text, 0.0) for p in hit.passages), default=0.0)
            rank = standing.get(str(hit.note.path), 0.0) / most if most else 0.0
            rows.append(
                (
                    {"similarity": alike, "pagerank": rank, "words": relevance[i]},
                    {
                        "similarity": f"holds {alike:.0%} of the question",
                        "pagerank": f"{rank:.0%} of the standing of the best linked note",
                        "words": _words_reason(hit, relevance[i]),
                    },
                )
            )
        return rows

    # --- presets that are no weighted sum ------------------------------------------------------

    def _never_forgets(self, hits: Sequence[Hit]) -> list[Hit]:
        settings = self._settings
        kept = []
        for hit, relevance in zip(hits, _relevance(hits), strict=True):
            if relevance <= settings.retrieval_relevance_threshold:
                continue
            note = hit.note
            # Any fresh memory above .7 stands before a perfect match of 13 days (algorithms.md
            # 7.3): by age alone who the person is would be lost to what was said this week.
            is_lasting = note.stream == "identity" or note.pinned or note.hard
            is_lasting = is_lasting or memory_type(note) in NEVER_FADES
            hours = self._ages.hours(note, by_access=False)
            days = 0.0 if is_lasting or hours == inf else hours / 24
            score = never_forgets(relevance, days, settings.retrieval_age_days)
            why = "does not age" if days == 0 else _age_reason(hours)
            parts = (
                Part(name="relevance", value=relevance, note=_words_reason(hit, relevance)),
                Part(name="age", value=score - relevance, note=why),
            )
            kept.append(replace(hit, score=score, parts=parts))
        return kept

    def _rank_linked(
        self, hits: Sequence[Hit], ranking: Ranking
    ) -> tuple[tuple[Hit, ...], Ranking]:
        """Ranked by words, and by what the question names in the graph, then by both ranks."""
        settings, graph = self._settings, graph_of(self._vault, self._asked)
        entities = graph.named_in(self._asked.text)
        near = graph.near(
            entities,
            damping=settings.pagerank_entity_damping,
            tolerance=settings.pagerank_tolerance,
        )
        known = {str(hit.note.path): hit for hit in hits}
        allowed = {str(row.path) for row in standing_notes(self._vault, self._asked)}
        close = [
            path
            for path in sorted(near, key=lambda path: (-near[path], path))
            if path in known or (path in allowed and may_be_shown(graph.notes[path], self._source))
        ][: settings.retrieval_candidates]
        by_words = [str(hit.note.path) for hit in hits]
        found = []
        for path, score in reciprocal_ranks([by_words, close], k=settings.retrieval_rrf_k):
            hit = known.get(path) or hit_of(graph.notes[path], self._source)
            places = [
                Part(
                    name=name,
                    value=1 / (settings.retrieval_rrf_k + ranked.index(path) + 1),
                    note=f"number {ranked.index(path) + 1} by {name}",
                )
                for name, ranked in (("words", by_words), ("graph", close))
                if path in ranked
            ]
            found.append(replace(hit, score=score, parts=tuple(places)))
        return _in_order(found), replace(ranking, entities=tuple(entities))

    # --- what else may answer ------------------------------------------------------------------

    def _important(self, hits: Sequence[Hit]) -> list[Hit]:
        """The best by recency * importance that the words did not find (algorithms.md 5.9 e).

        Only the person's own items: whoever sends something important is not asked for.
        """
        found = {hit.note.path for hit in hits}
        rate = self._settings.retrieval_recency_per_hour

        def worth(row: NoteRow) -> float:
            return recency.exponential(self._ages.hours(row, by_access=True), rate) * row.importance

        rows = sorted(
            (
                row
                for row in standing_notes(self._vault, self._asked)
                if row.path not in found and row.trust == USER and row.type == "item"
            ),
            key=lambda row: (-worth(row), row.id, row.path),
        )
        return [hit_of(row, self._source) for row in rows[: self._settings.retrieval_candidates]]

    def _within_kinds(self, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """At most so many events and so many facts, as `kautilya` has it."""
        room = {
            "episodic": self._settings.retrieval_episodes,
            "semantic": self._settings.retrieval_facts,
        }
        kept = []
        for hit in hits:
            kind = memory_type(hit.note)
            if room.get(kind, 1) > 0:
                kept.append(hit)
                if kind in room:
                    room[kind] -= 1
        return tuple(kept)

    def _weights(
        self, fixed: Mapping[str, float], ranking: Ranking
    ) -> tuple[Mapping[str, float], Ranking]:
        """Those that judgements taught, where there are enough of them; else the fixed ones."""
        from vaultmem.recall.ranking.learned_weights import learn_weights  # saves 6 modules

        told = learn_weights(self._vault, ranking.preset, fixed, seed=self._asked.ordering.seed)
        return dict(told.weights), replace(told, diverse=ranking.diverse)


def _relevance(hits: Sequence[Hit]) -> list[float]:
    """The word score of each hit as a share of the best one's, 0..1."""
    best = max((hit.score for hit in hits), default=0.0)
    return [max(0.0, hit.score) / best if best > 0 else 0.0 for hit in hits]


def _blend_score(
    hit: Hit,
    components: Mapping[str, float],
    reasons: Mapping[str, str],
    weights: Mapping[str, float],
) -> Hit:
    parts = tuple(
        Part(name=name, value=weight * components[name], note=reasons[name])
        for name, weight in weights.items()
    )
    return replace(hit, score=weighted_sum(components, weights), parts=parts)


def _in_order(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=order))


def _words_reason(hit: Hit, relevance: float) -> str:
    if not hit.parts:
        return "has no word of the question"
    words = [part.note for part in hit.parts if part.name == "word" and part.note]
    said = f": {', '.join(words)}" if words else ""
    return f"{relevance:.0%} of the best by words{said}"


def _age_reason(hours: float) -> str:
    if hours == inf:
        return "nothing says when"
    age = f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"
    return f"{age} since it was said, confirmed or answered"
