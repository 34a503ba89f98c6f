"""The verbs `recall` and `search`: which time is asked about, how deep, and how many notes."""

from __future__ import annotations

from functools import partial

from vaultmem import history
from vaultmem.base import TYPE_CHECKING, BadInputError, Literal, replace
from vaultmem.model import Answer, Filters
from vaultmem.recall.answer import MOST_HITS, answer, listing, masked_question
from vaultmem.recall.order import half_lives_of, with_doubts
from vaultmem.recall.ranking import served
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.history import Sight, When
    from vaultmem.model import Ordering, Progress
    from vaultmem.recall.decay import HalfLives
    from vaultmem.recall.tiers import Judge
    from vaultmem.vault import Parts


def recall(
    parts: Parts,
    query: str,
    *,
    limit: int | None,
    filters: Filters,
    half_lives: HalfLives | None = None,
    ordering: Ordering | None = None,
    as_of: When | None = None,
    known_at: When | None = None,
    tiered: bool = False,
    rounds: int | None = None,
    progress: Progress | None = None,
) -> Answer:
    """At most `limit` notes that hold now, best first; no hits means 'no memory found'.

    half_lives  stream -> days (None: never), instead of those of the settings
    ordering    how they are ranked; None: as the settings say
    as_of       what held then, in place of now; known_at: as it was known then (history/moment.py)
    tiered      summaries of categories before items, items before texts (tiers.py)
    rounds      1: ask once; more: in parts, and after what is missing (rounds.py); None: as the
                settings say
    """
    wanted = _limit(limit, parts.settings.recall_k)
    asked = masked_question(parts, query)
    days = half_lives_of(parts, half_lives) if half_lives else None
    if ordering is not None or parts.settings.recall_preset != "default":
        from vaultmem.recall.ranking.presets import checked  # saves 20 modules

        ordering = checked(ordering, parts.settings.recall_preset)

    times = parts.settings.recall_rounds
    if rounds is not None or times > 1:
        from vaultmem.recall.rounds import checked as checked_rounds  # saves 19 modules

        times = checked_rounds(rounds, parts)
    most = max(1, parts.settings.retrieval_results) if times > 1 else MOST_HITS
    is_cut, wanted = wanted > most, min(wanted, most)
    reading: Callable[..., Answer] = answer
    if tiered:
        from vaultmem.recall.tiers import answer as by_tiers  # saves 11 modules

        reading = partial(by_tiers, judge=_judge(parts))

    def ask(sight: Sight | None = None) -> Answer:
        found = reading(
            parts,
            asked,
            limit=wanted,
            filters=filters,
            half_lives=days,
            ordering=ordering,
            sight=sight,
            rounds=times,
        )
        if sight is None:
            found = replace(found, hits=tuple(with_doubts(parts, found.hits, parts.clock.now())))
        return _cut(found, most) if is_cut else found

    if as_of is None and known_at is None:
        found = answering.told(parts, answering.reading(parts, ask))
        served.keep(parts, found)
        return found

    return history.answered(parts, ask, filters, as_of=as_of, known_at=known_at, progress=progress)


def search(
    parts: Parts,
    query: str,
    *,
    limit: int | None,
    filters: Filters,
    by: Literal["note", "passage"] = "note",
    as_of: When | None = None,
    known_at: When | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Notes of every kind and status with the query's words, best first.

    as_of, known_at  as in `recall`: only items that held then, unless statuses are named
    """
    wanted = _limit(limit, parts.settings.search_limit)
    asked = masked_question(parts, query)

    def ask(sight: Sight | None = None) -> Answer:
        return listing(parts, asked, limit=wanted, filters=filters, by=by, sight=sight)

    if as_of is None and known_at is None:
        return answering.told(parts, answering.reading(parts, ask))

    return history.answered(parts, ask, filters, as_of=as_of, known_at=known_at, progress=progress)


def _judge(parts: Parts) -> Judge | None:
    """Who says whether what a tier holds is enough, beside the words; None: nobody."""
    if not parts.settings.recall_by_model:
        return None
    from vaultmem.recall.tier_judge import Sufficient  # saves 15 modules

    return Sufficient(parts).on


def _limit(limit: int | None, default: int) -> int:
    wanted = default if limit is None else limit
    if not 1 <= wanted <= MOST_HITS:
        raise BadInputError(
            f"{wanted} hits cannot be given", hint=f"ask for 1 to {MOST_HITS} of them"
        )
    return wanted


def _cut(found: Answer, most: int) -> Answer:
    """The answer, which says that it was asked for more than all rounds together may give."""
    if found.plan is None:
        return found
    told = f"at most {most} notes are given ('retrieval.results')"
    ended = f"{found.plan.ended}; {told}" if found.plan.ended else told
    return replace(found, plan=replace(found.plan, ended=ended))
