"""The index asked for passages, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.model import AnswerPlan, Filters, Found, Repair, Round, Stood
from vaultmem.models import is_on
from vaultmem.storage import index

if TYPE_CHECKING:
    from vaultmem.history import Snapshot
    from vaultmem.storage.index import Likely, Search
    from vaultmem.vault import Vault

BUILT_IN = "lexical"
# Passages fetched for every note asked for: several passages of one note count once, and an
# item stands for the passage that it quotes.
PASSAGES_A_HIT = 4
LEAST_PASSAGES = 40
# Where words hold less of a question, the senses of words help to choose (docs/ranking.md): 15 ms
# for 150 passages, which more would not be worth. Of everyday speech asked in other words, 24 -> 28
# of 52 for people nobody tuned on.
SURE = 0.9
MOST_SENSED = 400


class Passages(NamedTuple):
    """What one round gave: as `index.search.Search`."""

    found: Sequence[Found]
    repairs: Sequence[Repair]
    terms: tuple[str, ...] = ()
    stood: tuple[Stood, ...] = ()
    words: int = 0  # of the question, that say what is asked; 0: not counted
    strangers: int = 0  # of them, written as names, that nothing knows
    asked: tuple[str, ...] = ()  # the words that say what is asked
    meaning: str = ""  # the model of the vectors that were asked, too
    without: str = ""  # why none were, though they are switched on
    again: tuple[int, int] | None = None  # passages of a second round, and the new ones of them
    rounds: tuple[Round, ...] = ()  # every time that the index was asked; (): once
    ended: str = ""  # why no further round was asked


def passages_for(
    vault: Vault,
    query: str,
    *,
    limit: int,
    filters: Filters,
    snapshot: Snapshot | None,
    by_sense: bool = True,
) -> Passages:
    """Passages from the retriever that the settings name; of another time from our own.

    by_sense  whether the senses of words help where words leave the question open
    """
    wanted = max(limit * PASSAGES_A_HIT, LEAST_PASSAGES)
    name = vault.settings.retriever
    if snapshot is not None:
        search = snapshot.search(query, limit=wanted, filters=filters)
        return Passages(*search)
    if name != BUILT_IN:
        found, repairs = model.retriever(name, vault.index).find(
            query, limit=wanted, filters=filters
        )
        return Passages(found=found, repairs=repairs)
    like, told = None, ""
    if is_on(vault.settings) and query.strip():
        from vaultmem.recall.by_meaning import likeness  # saves 25 modules

        like, told = likeness(vault, query)
    now = vault.clock.now()

    def search_with(like: Likely | None) -> Search:
        return vault.index.search(
            query,
            limit=wanted,
            filters=filters,
            fuzzy=vault.settings.recall_fuzzy,
            now=now,
            like=like,
        )

    answer = search_with(like)
    if like is not None:
        return Passages(*answer, meaning=told)
    # Where the words leave it open: 149 of 208 everyday questions are answered in place of 146, of
    # two people nobody tuned on 29 of 52 in place of 24, for 15 ms.
    if by_sense and vault.index.passage_count() <= MOST_SENSED and query.strip():
        held = max((one.coverage for one in answer.found), default=0.0)
        if held < SURE:
            answer = search_with(index.Senses(query, vault.index.texts()))
    return Passages(*answer, without=told)


def plan_of(
    query: str,
    passages: Passages,
    size: int,
    *,
    needed: float | None = None,
    weighed: Sequence[Found] | None = None,
) -> AnswerPlan:
    """How it came about; `weighed` is what may answer of all rounds, None: what was found."""
    first = len(passages.found)
    rounds = [*passages.rounds] or [
        Round(query=query, why="the question", passages=first, new=first)
    ]
    found = passages.found if weighed is None else weighed
    again = passages.again
    if again is not None:
        why = "the same among what is believed, since other texts filled the list"
        number = rounds[-1].number + 1
        rounds.append(Round(query=query, why=why, passages=again[0], new=again[1], number=number))
    return AnswerPlan(
        rounds=tuple(rounds),
        stood=passages.stood,
        passages=size,
        coverage=max((one.coverage for one in found), default=0.0),
        needed=needed,
        meaning=passages.meaning,
        without=passages.without,
        ended=passages.ended,
    )
