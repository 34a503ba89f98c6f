"""The passages that may answer a question: asked for, weighed by whose words they are, or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.model.answers import Filters, Found, NoteRow, Plan
from vaultmem.model.trust import LIMITED, UNTRUSTED, USER
from vaultmem.recall.answering import is_answered, least_coverage
from vaultmem.recall.passages import LEAST_PASSAGES, PASSAGES_A_HIT, Passages, passages_for, plan_of

if TYPE_CHECKING:
    from vaultmem.history.moment import Notes as Source
    from vaultmem.history.moment import Sight
    from vaultmem.vault.vault import Parts

TRUSTED = (LIMITED, USER)
Notes = dict[PurePosixPath, NoteRow]


def asked_passages(
    parts: Parts,
    query: str,
    rounds: int,
    *,
    limit: int,
    filters: Filters,
    sight: Sight | None,
    by_sense: bool = True,
) -> Passages:
    """What the index gives, asked once or in rounds; by_sense as in `passages_for`."""
    if rounds <= 1:
        return passages_for(
            parts, query, limit=limit, filters=filters, sight=sight, by_sense=by_sense
        )
    from vaultmem.recall.rounds import in_rounds

    return in_rounds(parts, query, rounds=rounds, limit=limit, filters=filters, sight=sight)


def answering_passages(
    parts: Parts,
    query: str,
    *,
    rounds: int = 1,
    limit: int,
    filters: Filters,
    sight: Sight | None,
    by_sense: bool = True,
) -> tuple[Passages, Sequence[Found], Notes, Plan]:
    """What was asked for, the passages that may answer (none: nothing does), their notes, how.

    filters  with statuses, where only what holds now may answer (`current`)
    """
    source: Source = parts.index if sight is None else sight.notes
    passages = asked_passages(
        parts, query, rounds, limit=limit, filters=filters, sight=sight, by_sense=by_sense
    )
    notes = source.notes({each.path for each in passages.found})
    found: Sequence[Found] = passages.found
    if any(note.trust != USER for note in notes.values()):
        found, notes, again = _believed(
            parts, query, passages.found, notes, limit=limit, filters=filters, sight=sight
        )
        passages = passages._replace(again=again)
    size = parts.index.passage_count()
    plan = plan_of(
        query,
        passages,
        size,
        needed=least_coverage(size, passages.words, passages.strangers),
        weighed=found,
    )
    if not is_answered(
        found, passages=size, words=passages.words, strangers=passages.strangers
    ) or _is_of_other_kind(query, passages, found, notes):
        found = ()
    return passages, found, notes, plan


def _is_of_other_kind(query: str, passages: Passages, found: Sequence[Found], notes: Notes) -> bool:
    """Whether no passage is of the kind that is asked for: a number, a name, a birthday."""
    if not passages.asked or passages.meaning or passages.repairs:
        return False
    from vaultmem.judgement.questions.answer_kind import asked_kind, lacks

    if not asked_kind(query):
        return False
    from vaultmem.storage.index.search.concepts import is_known

    answers = []
    for one in found:
        note = notes.get(one.path)
        before = f"{note.said_after} {note.asked}" if note is not None else ""
        reasons = [part.note for part in one.parts if part.name in _BY_WORDS]
        held = [word for word in passages.asked if any(_is_for(word, why) for why in reasons)]
        answers.append((f"{before} {one.passage.text}".strip(), held))
    return lacks(query, passages.asked, answers, is_word=is_known)


_BY_WORDS = ("word", "related")
_ONLY_NEAR = ("near to", "' is a kind of it")


def _is_for(word: str, why: str) -> bool:
    """Whether a reason of a score says that a word of the question is held, in any words."""
    if why == word:
        return True
    return f"'{word}'" in why and not any(told in why for told in _ONLY_NEAR)


def _believed(
    parts: Parts,
    query: str,
    found: Sequence[Found],
    notes: Notes,
    *,
    limit: int,
    filters: Filters,
    sight: Sight | None,
) -> tuple[list[Found], Notes, tuple[int, int] | None]:
    """What may answer: nothing that talks to an assistant, and what is from outside for less.

    With it, if they were asked for apart: how many of the others there were, and new ones of them.

    A text that repeats the question a hundred times fills the list; then the others are asked
    for on their own.
    """
    from vaultmem.recall.belief.believed import contradictions, weighed
    from vaultmem.recall.belief.suspecting import suspicion_of, unheaded

    again = None
    crowded = len(found) >= max(limit * PASSAGES_A_HIT, LEAST_PASSAGES)
    if crowded and not filters.trusts and any(n.trust == UNTRUSTED for n in notes.values()):
        own = replace(filters, trusts=TRUSTED)
        others = passages_for(parts, query, limit=limit, filters=own, sight=sight)
        known = {(one.path, one.passage.seq) for one in found}
        new = [o for o in others.found if (o.path, o.passage.seq) not in known]
        found, again = [*found, *new], (len(others.found), len(new))
        source: Source = parts.index if sight is None else sight.notes
        notes = source.notes({each.path for each in found})
    places = {(one.path, one.passage.seq) for one in found if suspicion_of(one, notes)}
    places.update(contradictions(found, notes))
    notes = {path: unheaded(note) for path, note in notes.items()}
    weight = parts.settings.recall_untrusted_weight
    return weighed(found, notes, weight=weight, withheld=places), notes, again
