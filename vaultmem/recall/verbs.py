"""The verbs `recall` and `search`: which time is asked about, how deep, and how many notes."""

from __future__ import annotations

from functools import partial

from vaultmem import history
from vaultmem.base import TYPE_CHECKING, BadInputError, Literal, replace
from vaultmem.recall.answer import MOST_HITS, answer, listing, masked_question
from vaultmem.recall.order import half_lives_of, with_doubts
from vaultmem.recall.ranking import served
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.history import Snapshot
    from vaultmem.model import Answer, Progress, RecallRequest
    from vaultmem.recall.by_model.rerank import Reranker
    from vaultmem.recall.tiers import Judge
    from vaultmem.vault import Vault

_BY = ("note", "passage")


def recall(vault: Vault, request: RecallRequest, *, progress: Progress | None = None) -> Answer:
    """The notes that answer a question now, best first; no hits means 'no memory found'.

    progress  of reading the history, for a question about another time (history/moment.py)
    """
    wanted = _limit(request.limit, vault.settings.recall_k)
    asked = masked_question(vault, request.query)
    days = half_lives_of(vault, request.half_lives) if request.half_lives else None
    ordering = request.ordering
    if ordering is not None or vault.settings.recall_preset != "default":
        from vaultmem.recall.ranking.presets import check_ordering  # saves 20 modules

        ordering = check_ordering(ordering, vault.settings.recall_preset)

    times = vault.settings.recall_rounds
    if request.rounds is not None or times > 1:
        from vaultmem.recall.rounds import check_rounds as checked_rounds  # saves 19 modules

        times = checked_rounds(request.rounds, vault)
    most = max(1, vault.settings.retrieval_results) if times > 1 else MOST_HITS
    is_cut, wanted = wanted > most, min(wanted, most)
    reading: Callable[..., Answer] = answer
    if request.tiered:
        from vaultmem.recall.tiers import answer as by_tiers  # saves 11 modules

        reading = partial(by_tiers, judge=_judge(vault))
    is_wanted = vault.settings.recall_rerank if request.rerank is None else request.rerank
    reranker = _reranker(vault) if is_wanted else None

    def ask(snapshot: Snapshot | None = None) -> Answer:
        found = reading(
            vault,
            asked,
            limit=wanted,
            filters=request.filters,
            half_lives=days,
            ordering=ordering,
            snapshot=snapshot,
            rounds=times,
            project=request.project,
            reranker=reranker,
        )
        if reranker is not None:
            found = replace(found, reranked=reranker.said)
        if snapshot is None:
            found = replace(found, hits=tuple(with_doubts(vault, found.hits, vault.clock.now())))
        return _cut(found, most) if is_cut else found

    if request.as_of is None and request.known_at is None:
        found = answering.mark_if_lagging(vault, answering.reading(vault, ask))
        served.keep(vault, found)
        return found

    return _of_then(vault, ask, request, progress)


def search(
    vault: Vault,
    request: RecallRequest,
    *,
    by: Literal["note", "passage"] = "note",
    progress: Progress | None = None,
) -> Answer:
    """Notes of every kind and status with the query's words, best first.

    Of the request what ranks an answer is left aside. About another time: only items that held
    then, unless statuses are named.
    raises  BadInputError  `by` is another word
    """
    if by not in _BY:
        raise BadInputError(f"'{by}' is no way to list hits", hint="one of: " + ", ".join(_BY))
    wanted = _limit(request.limit, vault.settings.search_limit)
    asked = masked_question(vault, request.query)
    reranker = _reranker(vault) if request.rerank else None

    def ask(snapshot: Snapshot | None = None) -> Answer:
        found = listing(
            vault,
            asked,
            limit=wanted,
            filters=request.filters,
            by=by,
            snapshot=snapshot,
            reranker=reranker,
        )
        return found if reranker is None else replace(found, reranked=reranker.said)

    if request.as_of is None and request.known_at is None:
        return answering.mark_if_lagging(vault, answering.reading(vault, ask))
    return _of_then(vault, ask, request, progress)


def _of_then(
    vault: Vault,
    ask: Callable[[Snapshot | None], Answer],
    request: RecallRequest,
    progress: Progress | None,
) -> Answer:
    return history.answer_with_later(
        vault,
        ask,
        request.filters,
        as_of=request.as_of,
        known_at=request.known_at,
        progress=progress,
    )


def _judge(vault: Vault) -> Judge | None:
    """Who says whether what a tier holds is enough, beside the words; None: nobody."""
    if not vault.settings.recall_by_model:
        return None
    from vaultmem.recall.by_model.tier_judge import Sufficient  # saves 15 modules

    return Sufficient(vault).on


def _reranker(vault: Vault) -> Reranker:
    """Who puts first what helps to answer."""
    from vaultmem.recall.by_model.rerank import Reranker  # saves 17 modules

    return Reranker(vault)


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
