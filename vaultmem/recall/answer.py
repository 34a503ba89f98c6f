"""Answer a question from the index, level with the disk."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from pathlib import PurePosixPath

from vaultmem import privacy
from vaultmem.base import TYPE_CHECKING, Literal, replace
from vaultmem.judgement import asks_for_agenda, proposes_hour
from vaultmem.model import USER, Answer, AnswerPlan, Filters, Hit
from vaultmem.recall.ask_index import Passages, plan_of
from vaultmem.recall.belief.corrected import with_outdated
from vaultmem.recall.enough import (
    answering_passages,
    asked_passages,
    current,
    hits_by_note,
    hits_by_passage,
)
from vaultmem.recall.order import (
    asked_first,
    asks_assistant,
    denials_in_place,
    is_of_past,
    memories_first,
    newest_first,
    order_hits_by_age,
    told_first,
)
from vaultmem.recall.replaced_by import OVER, with_successors
from vaultmem.storage.files import ARCHIVE

if TYPE_CHECKING:
    from vaultmem.history import Snapshot
    from vaultmem.model import Ordering, Ranking
    from vaultmem.recall.by_model.rerank import Reranker
    from vaultmem.recall.decay import HalfLives
    from vaultmem.recall.enough import QuotedBy
    from vaultmem.storage.index import Index
    from vaultmem.vault import Notes as Source
    from vaultmem.vault import Vault

MOST_HITS = 1_000
# 'Where do I work' with one hit wanted never met the sentence that tells the job, which ranks
# behind others by its words.
_LOOKED_AT = 10
"""Hits among which what tells the home or job that is asked is sought, however few are given."""


def masked_question(vault: Vault, query: str) -> str:
    """The question with the placeholders that stand in the vault for what it names."""
    if not vault.settings.privacy_anonymize_pii:
        return query

    return privacy.mask_question(vault.settings, query)


def answer(
    vault: Vault,
    query: str,
    *,
    limit: int,
    filters: Filters,
    half_lives: HalfLives | None = None,
    ordering: Ordering | None = None,
    snapshot: Snapshot | None = None,
    # Two rounds find R@10 .835 in place of .832 for 2.5 times the work, and multi-hop questions
    # lose (.556 in place of .567; LoCoMo 0-4).
    rounds: int = 1,
    project: str = "",
    reranker: Reranker | None = None,
) -> Answer:
    """What the index answers now, without looking at the disk first; or another time's notes.

    ordering  None: by words and age
    project   in which it is asked; '': in none
    sight     the time asked about; None: now
    reranker  a language model that puts first what helps to answer; None: nobody is asked
    """
    past = snapshot is None and not filters.statuses and is_of_past(query)
    asked = current(filters) if snapshot is None else filters
    if past:
        asked = replace(asked, statuses=(*asked.statuses, *OVER))
    source: Source = vault.index if snapshot is None else snapshot.notes
    wanted = limit
    if ordering is not None:
        from vaultmem.recall.ranking.presets import pool_of  # saves 23 modules

        limit = pool_of(vault, ordering, wanted)
    if reranker is not None:
        limit = max(limit, reranker.least_hits)
    asking = None
    if project:
        from vaultmem.recall.of_project import Asking  # saves 1 module elsewhere

        asking = Asking(project, query)
    passages, found, notes, plan = answering_passages(
        vault, query, rounds=rounds, limit=limit, filters=asked, snapshot=snapshot, asking=asking
    )
    if reranker is not None:
        found = reranker.order(query, found, notes)
    if any(note.kind == "rule" for note in notes.values()):
        from vaultmem.recall.belief.rivals import without_twins  # saves 3 modules

        found = without_twins(found, notes)
    all_own = all(note.trust == USER for note in notes.values())
    now = vault.clock.now()
    quoted_by: QuotedBy = source.quoting(found)
    if filters.projects:
        from vaultmem.recall.of_project import quoting_within  # saves 1 module elsewhere

        quoted_by = quoting_within(quoted_by, filters.projects)
    of_assistant = asks_assistant(query)
    # All of them where others' words are among them: of what is cut off their share could not be
    # counted.
    hits: Sequence[Hit] = hits_by_note(
        found,
        notes,
        quoted_by=quoted_by,
        now=None if filters.statuses or past else now,
        pending=pending_of(vault, snapshot),
        # Among ten whatever is asked for: with one hit the newest home was never found in other
        # words.
        limit=max(limit, _LOOKED_AT) if all_own else MOST_HITS,
        held=None if snapshot is None else snapshot.holds,
        by_day=ordering is None,
        of_assistant=of_assistant,
    )
    if snapshot is not None:
        now = snapshot.moment.valid_at or snapshot.moment.known_at or now
    ranking = None
    if ordering is not None:
        from vaultmem.recall.ranking.linking import Question  # saves 22 modules
        from vaultmem.recall.ranking.presets import rank_hits  # saves 23 modules

        question = Question(
            text=query,
            ordering=ordering,
            filters=asked,
            limit=wanted,
            now=now,
            snapshot=snapshot,
            found=found,
        )
        hits, ranking = rank_hits(vault, hits, question, source)
    way = vault.settings.recall_untrusted
    if not all_own:
        from vaultmem.recall.belief.believed import (  # saves 5 modules
            arrange_by_trust,
            cap_untrusted,
        )

        room = 0 if way == "hide" else vault.settings.recall_untrusted_share
        hits = cap_untrusted(hits, limit=max(limit, _LOOKED_AT), share=room)
    if ordering is None or ordering.preset == "default":
        hits = memories_first(hits, of_assistant=of_assistant)
        hits = [*order_hits_by_age(vault, hits[:limit], half_lives, now), *hits[limit:]]
    if not all_own:
        hits = arrange_by_trust(hits, way=way)
    if ordering is not None:
        from vaultmem.recall.ranking.presets import finish_ranking  # saves 23 modules

        hits = finish_ranking(vault, hits, question, source)
    # An overview tells of notes of every kind, which the filters of a question may leave out.
    if snapshot is None and asked == current(Filters()):
        hits = with_overviews(vault, query, hits)
    if snapshot is None and not past and not filters.statuses:
        most = max(wanted, _LOOKED_AT)
        hits = with_successors(
            vault, query, hits, filters=filters, limit=most, now=now, asking=asking
        )
    coming = None
    if snapshot is None and not past and not filters.statuses and asks_for_agenda(query):
        from vaultmem.recall.agenda import with_agenda  # saves 6 modules

        words = passages.asked
        coming = with_agenda(
            vault, query, hits, asked=words, filters=filters, limit=wanted, now=now
        )
    if coming is not None:
        hits = coming
    elif snapshot is None:
        if not past:
            hits = [*newest_first(vault, hits[:wanted], now), *hits[wanted:]]
            hits = told_first(hits, wanted)
        hits = asked_first(vault, query, hits, past=past)
        hits = [*denials_in_place(query, passages.asked, hits[:wanted]), *hits[wanted:]]
    if snapshot is None and not past and not filters.statuses and proposes_hour(query):
        from vaultmem.recall.agenda import with_barred_hours  # saves 6 modules

        hits = with_barred_hours(vault, hits, filters=filters, now=now)
    # More were looked at than are given: of these a flood from outside fills no more than its
    # share.
    hits = hits[:wanted] if all_own else cap_untrusted(hits, limit=wanted, share=room)
    if snapshot is None and _may_compete(vault):
        from vaultmem.recall.belief.rivals import with_rivals  # saves 1 module

        hits = with_rivals(vault, hits, now)
    if snapshot is None:
        hits = with_outdated(vault, hits, found, quoted_by, now)
    return _answer(source, query, asked, passages, hits, plan, ranking)


def _may_compete(vault: Vault) -> bool:
    """Whether any two facts are linked as excluding each other: hardly any vault has such."""
    least = vault.settings.facts_competing_from
    return bool(least and vault.index.typed_links("contradicts"))


def with_overviews(vault: Vault, query: str, hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits, after overviews of a time or theme where the question asks for the whole of it."""
    if not os.path.isdir(f"{vault.root}/{ARCHIVE}"):
        return hits  # overviews lie there
    from vaultmem.recall.overview_tree import overviews_for  # saves 32 modules

    best = max((hit.score for hit in hits), default=1.0)
    return [*overviews_for(vault, query, score=best), *hits]


def listing(
    vault: Vault,
    query: str,
    *,
    limit: int,
    filters: Filters,
    by: Literal["note", "passage"] = "note",
    snapshot: Snapshot | None = None,
    rounds: int = 1,
    reranker: Reranker | None = None,
) -> Answer:
    """What the index finds now, of every status and however little of the query it holds."""
    source: Source = vault.index if snapshot is None else snapshot.notes
    most = limit if reranker is None else max(limit, reranker.least_hits)
    passages = (
        asked_passages(  # of the words asked for: a list of all that is alike would be no list
            vault, query, rounds, limit=most, filters=filters, snapshot=snapshot, by_sense=False
        )
    )
    notes = source.notes({each.path for each in passages.found})
    if reranker is not None:
        passages = passages._replace(found=reranker.order(query, passages.found, notes))
    if snapshot is not None:
        notes = {path: note for path, note in notes.items() if snapshot.holds(note)}
    pending = pending_of(vault, snapshot)
    hits: Sequence[Hit]
    if by == "passage":
        hits = hits_by_passage(passages.found, notes, pending=pending, limit=limit)
    else:
        hits = hits_by_note(
            passages.found, notes, quoted_by={}, now=None, pending=pending, limit=limit
        )
    if any(note.trust != USER for note in notes.values()):
        from vaultmem.recall.belief.believed import (  # saves 5 modules
            contradictions,
            mark_suspicious,
        )

        apart = contradictions(passages.found, notes)
        hits = [mark_suspicious(hit, notes, apart) for hit in hits]
    if snapshot is None:
        now = vault.clock.now()
        hits = with_outdated(vault, hits, passages.found, {}, now, of_items=False)
    plan = plan_of(query, passages, vault.index.passage_count())
    return _answer(source, query, filters, passages, hits, plan)


class Pending(Container[PurePosixPath]):
    """Paths whose text is not committed: asked one by one, as a vault may have any number."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __contains__(self, path: object) -> bool:
        return isinstance(path, PurePosixPath) and self._index.is_pending(path)


def pending_of(vault: Vault, snapshot: Snapshot | None) -> Container[PurePosixPath]:
    """Paths whose text is not committed; none where only commits are seen."""
    if (snapshot is not None and snapshot.is_of_past) or not vault.index.has_pending():
        return frozenset()
    return Pending(vault.index)


def _answer(
    source: Source,
    query: str,
    filters: Filters,
    passages: Passages,
    hits: Sequence[Hit],
    plan: AnswerPlan,
    ranking: Ranking | None = None,
) -> Answer:
    return Answer(
        query=query,
        hits=tuple(hits),
        repairs=tuple(passages.repairs),
        terms=passages.terms,
        filters=filters,
        searched=source.note_count(),
        ranking=ranking,
        plan=plan,
    )
