"""Of two memories of which the newer may have put an end to the older, the newer is given first.

Both are kept, linked by `may_replace` (`facts/contradictions.py`); who asks is to meet what was
said last before what may be over. A vault without such a link pays one look into an index.

Whoever asks where they live is to meet first what tells that, the newest of it first; whoever asks
where they lived before, what is over, which says until when it held.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import judgement, language
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import USER, Hit, NoteRow, Passage, is_episode
from vaultmem.recall.enough import ASSISTANTS, holds, holds_word
from vaultmem.storage import index

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.recall.decay import HalfLives
    from vaultmem.vault import Vault


_LONGEST = 2_000  # characters of a question that are looked at
_NEAR = 2  # hits for which what may have replaced them is given, whatever its words
# With a share of .5 questions for a day ('when') go from .75 to .94 on everyday speech, and no row
# falls; without, an older statement with more words in common stood before its correction.
_AS_GOOD = 0.4
"""Share of the older one's score from which the newer goes first: what hardly answers is no better
for being new."""
_AS_GOOD_IF_DOUBTFUL = 0.8
"""The same where the link is one of the many that are only likely."""


def newest_first(vault: Vault, hits: Sequence[Hit], now: int) -> Sequence[Hit]:
    """The hits, each that may be over behind what may have replaced it.

    Of the first ones that also where the newer was not found: it may have none of their words.
    """
    links = vault.index.typed_links("may_replace") if hits else ()
    if not links:
        return hits
    from vaultmem.recall.replaced_by import instead  # saves 1 module

    by_key = {key: hit for hit in hits for key in (hit.note.id, index.link_key(hit.note.path.stem))}
    by_path = {hit.note.path: hit for hit in hits}
    found = list(hits)
    for path, key in links:
        newer, older = by_path.get(path), by_key.get(key)
        # 'Which firm do I drive for?' has no word of 'First week with Tamar Freight.'.
        if newer is None and older in found[:_NEAR]:
            note = vault.index.note(path)
            is_good = note is not None and note.trust == USER and holds(note, now)
            if note is not None and is_good and _is_likely(note, older.note):
                by_path[path] = instead(vault, note, older.score)
                found.insert(found.index(older), by_path[path])
            continue
        if newer is None or older is None or newer is older:
            continue
        at, before = found.index(newer), found.index(older)
        if at <= before:
            continue
        is_likely = _is_likely(newer.note, older.note)
        least = _AS_GOOD if is_likely else _AS_GOOD_IF_DOUBTFUL
        if newer.score >= least * older.score or (is_likely and older in found[:_NEAR]):
            found.insert(before, found.pop(at))
    return found


def told_first(hits: Sequence[Hit], most: int) -> Sequence[Hit]:
    """The hits, each of the first `most` that only announces a change behind what was said next.

    'Change of plan for the hall.' has the words of the question, 'It'll be painted green.' the
    answer: told in one breath, after it.
    """
    found = list(hits)
    for hit in hits[:most]:
        note = hit.note
        if note.type != "item" or not judgement.announces(note.statement):
            continue
        said = [
            other
            for other in found[found.index(hit) + 1 :]
            if other.note.type == "item"
            and not set(note.source).isdisjoint(other.note.source)
            and not is_episode(other.note.statement)
            and not judgement.announces(other.note.statement)
            and (other.note.date or 0) >= (note.date or 0)
        ]
        if said:
            best = next((one for one in said if note.statement in one.note.said_after), said[0])
            found.remove(best)
            found.insert(found.index(hit), best)
    return found


def denials_in_place(query: str, asked: Sequence[str], hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits, each that only denies what is asked behind the next that answers as well.

    Where it is asked whether something is so, what denies all of it goes before what says less.

    asked  the words of the question that say what is asked
    """
    found = list(hits)
    # 'What am I allergic to?' was answered by 'I can't stomach coriander, it's not an allergy.'
    # before what brings the person out in a rash.
    is_open = index.asks_what_is(language.words(language.fold(query[:_LONGEST])))
    for hit in hits:
        if hit.note.type != "item" or not index.denies(hit.note.statement, asked):
            continue
        at = found.index(hit)
        if not is_open:
            # 'Am I allergic to cats?' was answered by penicillin, which is critical.
            if _holds_all(hit, asked):
                before = enumerate(found[:at])
                place = next((n for n, other in before if not _holds_all(other, asked)), at)
                found.insert(place, found.pop(at))
            continue
        for place, other in enumerate(found[at + 1 :], at + 1):
            is_answer = other.note.critical or any(holds_word(other.parts, one) for one in asked)
            is_answer = is_answer and other.score >= _AS_GOOD * hit.score
            if is_answer and not index.denies(other.note.statement, asked):
                found.insert(place, found.pop(at))
                break
    return found


def _holds_all(hit: Hit, asked: Sequence[str]) -> bool:
    return all(holds_word(hit.parts, word) for word in asked)


def _is_likely(newer: NoteRow, older: NoteRow) -> bool:
    """Whether the newer one not only may, but is likely to have put an end to the older."""
    known = judgement.Known(older.statement, older.said_after, older.critical, bool(older.hard))
    return judgement.is_likely_over(known, newer.statement, said_after=newer.said_after)


def with_doubts(vault: Vault, hits: Sequence[Hit], now: int) -> Sequence[Hit]:
    """The hits, those marked that a newer memory may have put an end to: 'since: I work at ...'."""
    # 'I love my job at Google.' was given without a word after 'I work at OpenAI now.'.
    links = vault.index.typed_links("may_replace") if hits else ()
    if not links:
        return hits
    newer_of = {key: path for path, key in links}
    marked = []
    for hit in hits:
        keys = (hit.note.id, index.link_key(hit.note.path.stem))
        path = next((newer_of[key] for key in keys if key in newer_of), None)
        newer = vault.index.note(path) if path is not None and holds(hit.note, now) else None
        # 'I love my job at Google.' was given without a word after 'I just switched jobs: I work at
        # OpenAI now.'
        if newer is not None and newer.trust == USER and holds(newer, now):
            told = f"may be out of date since: “{newer.statement}” ({newer.id})"
            hit = replace(hit, doubt=told)
        marked.append(hit)
    return marked


def asks_assistant(query: str) -> bool:
    """Whether a question asks for what an assistant said: 'Which book did you recommend?'"""
    return index.asks_assistant(language.words(language.fold(query[:_LONGEST])))


def is_of_past(query: str) -> bool:
    """Whether a question asks for what was so before, which memories that are over answer, too."""
    return index.asks_past(language.words(language.fold(query[:_LONGEST])))


def asked_first(vault: Vault, query: str, hits: Sequence[Hit], *, past: bool) -> Sequence[Hit]:
    """What tells the home, job or age that is asked, the newest first, before the other hits.

    past  it asks for what was so before: what is over, or may be, goes first, where it answers
          as well
    """
    from vaultmem.recall.replaced_by import OVER  # saves 1 module

    aspect = index.asked_aspect(language.words(language.fold(query[:_LONGEST])))
    if not hits or not (aspect or past):
        return hits
    # Of everyday questions 'changed' has .33 in place of .17, and 'was' .81 in place of .50.
    least = _AS_GOOD * hits[0].score
    may_be_over = _paths_in_doubt(vault, [hit.note for hit in hits]) if past else frozenset()

    def is_over(note: NoteRow) -> bool:
        return note.status in OVER or note.path in may_be_over

    place = {id(hit): number for number, hit in enumerate(hits)}

    def rank(hit: Hit) -> tuple[bool, bool, int, int]:
        told = bool(aspect) and _tells(hit, aspect)
        over = past and is_over(hit.note) and (told or hit.score >= least)
        newest = hit.note.valid_from or hit.note.date or 0
        return not over, not told, -newest if told else 0, place[id(hit)]

    return sorted(hits, key=rank)


def likely_replacements(vault: Vault, notes: Sequence[NoteRow]) -> list[tuple[NoteRow, NoteRow]]:
    """(newer, older) of the notes of which the newer is likely to have put an end to the older."""
    links = vault.index.typed_links("may_replace") if notes else ()
    if not links:
        return []

    by_path = {note.path: note for note in notes}
    by_key = {key: note for note in notes for key in (note.id, index.link_key(note.path.stem))}
    pairs = ((by_path.get(path), by_key.get(key)) for path, key in links)
    return [
        (newer, older)
        for newer, older in pairs
        if newer and older and newer is not older and _is_likely(newer, older)
    ]


def _paths_in_doubt(vault: Vault, notes: Sequence[NoteRow]) -> frozenset[PurePosixPath]:
    """Where those of the notes are that something may have replaced."""
    links = vault.index.typed_links("may_replace")
    if not links:
        return frozenset()

    keys = {key for _, key in links}
    return frozenset(
        note.path
        for note in notes
        if not keys.isdisjoint((note.id, index.link_key(note.path.stem)))
    )


def _tells(hit: Hit, aspect: str) -> bool:
    """Whether a hit is an item of the person that tells an aspect of them."""
    note = hit.note
    if note.type != "item" or note.trust != USER:
        return False
    return aspect in judgement.told_of_own(note.statement, note.said_after)


# What tells of a memory comes after the memory itself: records of talks, an assistant's turns.

# Of its score. What a talk was about has words of all that was said in it, and an assistant
# repeats the words of a question without knowing anything.
_EPISODE = 0.5
_ASSISTANT = 0.5


def memories_first(hits: Sequence[Hit], *, of_assistant: bool) -> Sequence[Hit]:
    """The hits by their scores, after records of talks and turns of assistants lost some.

    of_assistant  what an assistant said is asked for: its turns lose nothing
    """
    # Of 232 everyday questions 102 are answered by this, 99 without it.
    shares = [_share(hit, of_assistant=of_assistant) for hit in hits]
    if all(share == 1.0 for share in shares):
        return hits
    lowered = [
        hit if share == 1.0 else replace(hit, score=hit.score * share)
        for hit, share in zip(hits, shares, strict=True)
    ]
    return sorted(lowered, key=lambda hit: -hit.score)


def is_record(note: NoteRow, passage: Passage | None) -> bool:
    """Whether it only tells of a memory: the record of a talk, a turn of an assistant."""
    if note.type == "item":
        return is_episode(note.statement)
    return passage is not None and passage.speaker.casefold() in ASSISTANTS


def _share(hit: Hit, *, of_assistant: bool) -> float:
    if not is_record(hit.note, hit.passages[0] if hit.passages else None):
        return 1.0
    if hit.note.type == "item":
        return _EPISODE
    return 1.0 if of_assistant else _ASSISTANT


# Hits of an answer in the order in which age puts them.


def half_lives_of(vault: Vault, asked: HalfLives | None = None) -> HalfLives:
    """Days by stream, from the settings and what a call asks instead."""
    from vaultmem.recall.decay import half_lives  # saves 27 modules

    days = {
        "identity": vault.settings.half_life_identity_days,
        "projects": vault.settings.half_life_projects_days,
        "tasks": vault.settings.half_life_tasks_days,
        "flow": vault.settings.half_life_flow_days,
    }
    return half_lives(days, asked)


def order_hits_by_age(
    vault: Vault, hits: Sequence[Hit], half_lives: HalfLives | None, now: int
) -> Sequence[Hit]:
    """The same hits in the order in which age puts them; none comes or goes by it."""
    if not any(hit.note.stream for hit in hits):
        return hits
    from vaultmem.recall.decay import fade_hits as by_age  # saves 27 modules

    days = half_lives_of(vault) if half_lives is None else half_lives
    return by_age(hits, days, now=now, share=vault.settings.recall_decay)
