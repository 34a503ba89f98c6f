"""From passages to answers: one hit a memory, nothing when nothing fits.

Pure functions over what the index found. A memory is answered once: an item stands for the
passage of its source that it quotes, which is then shown beneath it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import config, judgement, language, model
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import (
    LIMITED,
    UNTRUSTED,
    USER,
    AnswerPlan,
    Filters,
    Found,
    Hit,
    LateParts,
    NoteRow,
    Part,
    Passage,
    rank_of,
)
from vaultmem.recall.ask_index import (
    LEAST_PASSAGES,
    PASSAGES_A_HIT,
    Passages,
    passages_for,
    plan_of,
)
from vaultmem.storage import index

if TYPE_CHECKING:
    from vaultmem.history import Snapshot
    from vaultmem.recall.of_project import Asking
    from vaultmem.vault import Notes as Source
    from vaultmem.vault import Vault
# What holds now: other items answer only when somebody asks for their status. '' is no item.
CURRENT = ("", "active")
_PLANNED = ("event", "task")  # kinds that are asked about before they begin
# Least share of a question's weight that the best passage must hold for there to be an answer. On
# LoCoMo 2 in 100 questions with an answer lie below .25, and .43 of the questions that were asked
# of the wrong conversation (docs/measurements.md); people ask in other words than they told, so a
# part of a question that no table of words knows is mostly held in other words.
LEAST_COVERAGE = 0.25
# Among few passages every word they hold is common, and one that none holds outweighs several: of
# everyday speech (40 memories a person) 13 of 64 questions in other words were refused at .25.
FEW_PASSAGES = 400
LEAST_COVERAGE_OF_FEW = 0.1
VERY_FEW_PASSAGES = 100  # and a question of two words may be answered by one of them
FEW_WORDS = 2
LEAST_COVERAGE_BY_WORD = 0.3
MOST_PASSAGES = 3  # shown of one note
ASSISTANTS = frozenset(("assistant", "ai", "bot", "model", "system", "tool"))
"""Who speaks beside a person, in lower case."""
# Of the score of a talk's best passage what a turn of an assistant needs to be shown beside it. Its
# answers repeat the words of a question, and took the places of what the person said: of several
# sessions .697, .485 and .808 of the evidence was among ten turns, with this .733, .545 and .892.
# The share is that of records in a context (`context/gather.py`).
_ASSISTANTS_SHARE = 0.8
# A passage that is for the most part the quote of an item that no longer holds says nothing new.
_MOSTLY = 0.5

Place = tuple[PurePosixPath, int]  # a passage: the path of its note, and its order there
QuotedBy = Mapping[Place, Sequence[tuple[NoteRow, Passage]]]


def current(filters: Filters) -> Filters:
    """The filters of a question that asks what holds now, unless they name statuses."""
    return filters if filters.statuses else replace(filters, statuses=CURRENT)


def enough(
    found: Iterable[Found], *, passages: int = FEW_PASSAGES, words: int = 0, strangers: int = 0
) -> list[Found]:
    """What holds enough of the question to answer it; none of what was found may.

    passages  how many there are: words are weighed by how many of them hold one
    words, strangers  as in `least_coverage`
    """
    least = least_coverage(passages, words, strangers)
    return [one for one in found if one.coverage >= least]


def least_coverage(passages: int, words: int = 0, strangers: int = 0) -> float:
    """The share of a question's weight that something has to hold, among so many passages.

    words      of the question, that say what is asked; 0: not counted. Of two, both have to be
               held: whoever asks for somebody's surname is not answered by all that is known of
               them. A longer question says the same thing more than once.
    strangers  of them, written as names, that nothing knows: the question is about somebody else
    """
    # An unknown name outweighed every word of a vault of ten notes.
    if passages < VERY_FEW_PASSAGES:
        return LEAST_COVERAGE_OF_FEW
    if 0 < words <= FEW_WORDS:
        return LEAST_COVERAGE_BY_WORD
    return LEAST_COVERAGE if passages >= FEW_PASSAGES or strangers else LEAST_COVERAGE_OF_FEW


def holds(note: NoteRow, now: int) -> bool:
    """Whether what a note says holds at an instant: its status is current, its time not over.

    A fact with a slot has to have begun, too: until then its predecessor answers. Events, tasks
    and what is in no slot answer before, since they are asked about beforehand; so does what has
    many values at a time, as a friend has no predecessor ('Shona is vegan and comes on 10 July').
    """
    ended = note.valid_until is not None and note.valid_until <= now
    is_ahead = note.valid_from is not None and note.valid_from > now
    waits = is_ahead and bool(note.subject and note.predicate) and note.kind not in _PLANNED
    if waits:
        waits = model.holds_one(note.predicate, single=(), multiple=config.MULTIPLE) is not False
    return note.status in CURRENT and not ended and not waits


def hits_by_note(
    found: Sequence[Found],
    notes: Mapping[PurePosixPath, NoteRow],
    *,
    quoted_by: QuotedBy,
    now: int | None,
    pending: Container[PurePosixPath] = frozenset(),
    limit: int,
    held: Callable[[NoteRow], bool] | None = None,
    by_day: bool = False,
    of_assistant: bool = False,
) -> tuple[Hit, ...]:
    """One hit a note, best first; of equals the more trusted, then the newer, by id and path.

    notes      of the paths found; passages of others are passed over
    quoted_by  the items that quote a passage
    now        UTC ms: leave out what does not hold; None: answer with every status
    pending    paths whose text is not committed yet
    held       in place of `now`: whether a note held at the time that was asked about
    by_day     one hit for each day of a talk: a file of some years is many talks
    of_assistant  what an assistant said is asked for
    """
    gathered: dict[tuple[PurePosixPath, int], _Gathered] = {}
    for one, note, statement in _speaking(found, notes, quoted_by, now, held):
        # A conversation of a year in one file gave three turns, whatever was asked: any evidence
        # among five was .788, and is .812 with a hit for each day.
        date = one.passage.date if by_day and _is_of(one, note) else None
        place = note.path, (date or 0) // language.DAY_MS
        known = gathered.get(place)
        if known is None:
            known = gathered[place] = _Gathered(note, first=statement, of_assistant=of_assistant)
        known.add(one)
    best = sorted(gathered.items(), key=lambda one: order(one[1]))[:limit]
    return tuple(each.hit(is_pending=path in pending) for (path, _), each in best)


def hits_by_memory(
    found: Sequence[Found],
    notes: Mapping[PurePosixPath, NoteRow],
    *,
    quoted_by: QuotedBy,
    now: int | None,
    pending: Container[PurePosixPath] = frozenset(),
    held: Callable[[NoteRow], bool] | None = None,
) -> tuple[Hit, ...]:
    """One hit an item, and one a passage of any other note, in the order found.

    The arguments are those of `hits_by_note`. The hits say nothing of their scores' parts, which
    cost a fifth of a context.
    """
    hits: dict[object, Hit] = {}
    for one, note, statement in _speaking(found, notes, quoted_by, now, held):
        place: object = note.path if note.type == "item" else (note.path, one.passage.seq)
        if place not in hits:
            hits[place] = Hit(
                note=note,
                score=one.score,
                passages=(one.passage if statement is None else statement,),
                pending=note.path in pending,
            )
    return tuple(hits.values())


def _speaking(
    found: Sequence[Found],
    notes: Mapping[PurePosixPath, NoteRow],
    quoted_by: QuotedBy,
    now: int | None,
    held: Callable[[NoteRow], bool] | None,
) -> Iterator[tuple[Found, NoteRow, Passage | None]]:
    """What was found, with the note that speaks for it: an item that quotes it, or its own."""

    def answers(note: NoteRow) -> bool:
        return held(note) if held is not None else now is None or holds(note, now)

    is_question = held is not None or now is not None
    known: dict[int, bool] = {}  # of a talk many passages are found
    for one in found:
        note = notes.get(one.path)
        if note is None:
            continue
        so = known.get(id(note))
        if so is None:
            so = known[id(note)] = answers(note)
        if not so:
            continue
        if is_question and note.type == "category" and _is_heading(one.passage):
            continue  # the page called Work answers nothing about work; `search` lists it
        quoting = quoted_by.get((one.path, one.passage.seq), ()) if quoted_by else ()
        if not quoting:
            yield one, note, None
            continue
        standing = [each for each in quoting if answers(each[0])]
        if standing:
            yield one, *_spokesman(standing, found)
        # 'Support ticket 4471: ...' becomes an item that waits for review, and its text was taken
        # for spent: 'no memory found' for what was told in so many words.
        elif not _is_spent(one.passage, note, quoting):
            yield one, note, None


def _is_heading(passage: Passage) -> bool:
    return all(not line or line.startswith("#") for line in passage.text.split("\n"))


def hits_by_passage(
    found: Sequence[Found],
    notes: Mapping[PurePosixPath, NoteRow],
    *,
    pending: Container[PurePosixPath] = frozenset(),
    limit: int,
) -> tuple[Hit, ...]:
    """One hit a passage, in the order found."""
    return tuple(
        Hit(
            note=notes[one.path],
            score=one.score,
            passages=(one.passage,),
            parts=one.parts,
            pending=one.path in pending,
        )
        for one in found[:limit]
        if one.path in notes
    )


class _Gathered:
    """The passages found for one note, while they come in from the best to the worst."""

    def __init__(
        self, note: NoteRow, *, first: Passage | None = None, of_assistant: bool = False
    ) -> None:
        self.note = note
        self._of_assistant = of_assistant
        self.score = -math.inf  # of the best one
        self._statement = first
        self._found: list[Found] = []

    def add(self, one: Found) -> None:
        self._found.append(one)
        self.score = max(self.score, one.score)

    def hit(self, *, is_pending: bool) -> Hit:
        best = max(self._found, key=lambda one: one.score)
        passages = [one.passage for one in self._found if self._is_shown(one, best)]
        if self.note.type == "item":  # the statement first, what it quotes beneath
            own = [one.passage for one in self._found if _is_of(one, self.note)]
            statement = own or ([self._statement] if self._statement is not None else [])
            passages = statement + [p for p in passages if not any(p is each for each in own)]
        return Hit(
            note=self.note,
            score=best.score,
            passages=tuple(passages[:MOST_PASSAGES]),
            parts=LateParts(lambda: (*best.parts, *_source_part(best, self.note))),
            pending=is_pending,
        )

    def _is_shown(self, one: Found, best: Found) -> bool:
        """Whether a passage is worth a place beside the best one of its note."""
        if one is best or self._of_assistant or self.note.type == "item":
            return True
        by_assistant = one.passage.speaker.casefold() in ASSISTANTS
        return not by_assistant or one.score >= _ASSISTANTS_SHARE * best.score


def _is_of(one: Found, note: NoteRow) -> bool:
    """Whether a passage is of a note: mostly both have one path, and comparing two takes 2 us."""
    return one.path is note.path or one.path == note.path


def _source_part(best: Found, note: NoteRow) -> tuple[Part, ...]:
    if best.path == note.path:
        return ()
    return (Part(name="source", value=0.0, note=f"found by the words it quotes in {best.path}"),)


def _spokesman(
    quoting: Sequence[tuple[NoteRow, Passage]], found: Sequence[Found]
) -> tuple[NoteRow, Passage]:
    """Of the items that quote a passage, the one that was itself found first; else the first."""
    if len(quoting) == 1:
        return quoting[0]
    paths = {note.path for note, _ in quoting}
    first = next((one.path for one in found if one.path in paths), None)
    return next((each for each in quoting if each[0].path == first), quoting[0])


def _is_spent(passage: Passage, note: NoteRow, quoting: Sequence[tuple[NoteRow, Passage]]) -> bool:
    """Whether a passage is little more than the words of items that no longer hold.

    What waits for the person to say whose words it is has not ended: the text that they told, which
    is kept whole, answers meanwhile. A text from outside does not.
    """
    # 'Support ticket 4471: the export button fails ...' became an item that waits for review, and
    # the text that the person told was taken for spent: 'no memory found' for what was said in so
    # many words.
    ended = (each for each, _ in quoting if note.trust != USER or each.status != "candidate")
    quoted = sum(len(each.quote) for each in ended)
    return quoted > _MOSTLY * len(passage.text)


def order(hit: Hit | _Gathered) -> tuple[float, int, bool, int, str, str]:
    """Sort key of hits: higher score, then more trusted, then newer, then id and path."""
    date = hit.note.date
    return (
        -hit.score,
        -rank_of(hit.note.trust),
        date is None,
        -(date or 0),
        hit.note.id,
        str(hit.note.path),
    )


# The passages that may answer a question: asked for, weighed by whose words they are, or none.

TRUSTED = (LIMITED, USER)
Notes = dict[PurePosixPath, NoteRow]


def asked_passages(
    vault: Vault,
    query: str,
    rounds: int,
    *,
    limit: int,
    filters: Filters,
    snapshot: Snapshot | None,
    by_sense: bool = True,
) -> Passages:
    """What the index gives, asked once or in rounds; by_sense as in `passages_for`."""
    if rounds <= 1:
        return passages_for(
            vault, query, limit=limit, filters=filters, snapshot=snapshot, by_sense=by_sense
        )
    from vaultmem.recall.rounds import in_rounds  # saves 24 modules

    return in_rounds(vault, query, rounds=rounds, limit=limit, filters=filters, snapshot=snapshot)


def answering_passages(
    vault: Vault,
    query: str,
    *,
    rounds: int = 1,
    limit: int,
    filters: Filters,
    snapshot: Snapshot | None,
    by_sense: bool = True,
    asking: Asking | None = None,
) -> tuple[Passages, Sequence[Found], Notes, AnswerPlan]:
    """What was asked for, the passages that may answer (none: nothing does), their notes, how.

    filters  with statuses, where only what holds now may answer (`current`)
    asking   the project that it is asked in; None: none
    """
    source: Source = vault.index if snapshot is None else snapshot.notes
    passages = asked_passages(
        vault, query, rounds, limit=limit, filters=filters, snapshot=snapshot, by_sense=by_sense
    )
    if asking is not None:
        passages = asking.with_own_passages(
            vault, query, passages, limit=limit, filters=filters, snapshot=snapshot
        )
    notes = source.notes({each.path for each in passages.found})
    found: Sequence[Found] = passages.found
    if any(note.trust != USER for note in notes.values()):
        found, notes, again = _select_believable(
            vault, query, passages.found, notes, limit=limit, filters=filters, snapshot=snapshot
        )
        passages = passages._replace(again=again)
    if asking is not None:
        found = asking.weigh(found, notes)
    size = vault.index.passage_count()
    needed = least_coverage(size, passages.words, passages.strangers)
    plan = plan_of(query, passages, size, needed=needed, weighed=found)
    # The kind is asked of what holds enough, with vectors and without: looked for in all that was
    # found, 'no memory found' was said for 1 of 24 questions about unknown things, and is for 19.
    able = enough(found, passages=size, words=passages.words, strangers=passages.strangers)
    if not able or _is_of_other_kind(query, passages, able, notes):
        found = ()
    return passages, found, notes, plan


def _is_of_other_kind(query: str, passages: Passages, found: Sequence[Found], notes: Notes) -> bool:
    """Whether no passage is of the kind that is asked for: a number, a name, a birthday.

    found  those that hold enough: by vectors every passage is a little like every question, and
           one of forty has a number or a name
    """
    # With vectors 'no memory found' was said for 1 of 24 questions about unknown things, as one of
    # forty passages always has a number, and is for 19.
    if not passages.asked or passages.repairs:
        return False

    # 'Which car does Callum drive?' was answered by his town, 'Wie hieß meine Mutter?' by the
    # father. Of 50 questions of this kind that nothing told answers, 24 got 'no memory found'; 48
    # do.
    if not judgement.asked_kind(query):
        return False

    answers = []
    for one in found:
        note = notes.get(one.path)
        before = f"{note.said_after} {note.asked}" if note is not None else ""
        reasons = [part.note for part in one.parts if part.name in _BY_WORDS]
        # Of turns and items the name of who speaks is no reason; it is held all the same. 'When is
        # Noor's birthday?' had no answer in what Noor said.
        said = {*language.words(language.fold(f"{one.passage.speaker} {one.passage.text}"))}
        held = [
            word
            for word in passages.asked
            if word.removesuffix("'s") in said or any(_is_for(word, why) for why in reasons)
        ]
        answers.append((f"{before} {one.passage.text}".strip(), held))
    return judgement.lacks(query, passages.asked, answers, is_word=index.is_known)


def holds_word(parts: Iterable[Part], word: str) -> bool:
    """Whether reasons of a score say that a word of the question is held, in any words."""
    return any(part.name in _BY_WORDS and _is_for(word, part.note) for part in parts)


_BY_WORDS = ("word", "related")
_ONLY_NEAR = ("near to", "' is a kind of it")


def _is_for(word: str, why: str) -> bool:
    """Whether a reason of a score says that a word of the question is held, in any words."""
    if why == word:
        return True
    return f"'{word}'" in why and not any(told in why for told in _ONLY_NEAR)


def _select_believable(
    vault: Vault,
    query: str,
    found: Sequence[Found],
    notes: Notes,
    *,
    limit: int,
    filters: Filters,
    snapshot: Snapshot | None,
) -> tuple[list[Found], Notes, tuple[int, int] | None]:
    """What may answer: nothing that talks to an assistant, and what is from outside for less.

    With it, if they were asked for apart: how many of the others there were, and new ones of them.

    A text that repeats the question a hundred times fills the list; then the others are asked
    for on their own.
    """
    from vaultmem.recall.belief.believed import (  # saves 7 modules
        contradictions,
        suspicion_of,
        weigh_by_trust,
        without_suspect_title,
    )

    again = None
    crowded = len(found) >= max(limit * PASSAGES_A_HIT, LEAST_PASSAGES)
    if crowded and not filters.trusts and any(n.trust == UNTRUSTED for n in notes.values()):
        own = replace(filters, trusts=TRUSTED)
        others = passages_for(vault, query, limit=limit, filters=own, snapshot=snapshot)
        known = {(one.path, one.passage.seq) for one in found}
        new = [o for o in others.found if (o.path, o.passage.seq) not in known]
        found, again = [*found, *new], (len(others.found), len(new))
        source: Source = vault.index if snapshot is None else snapshot.notes
        notes = source.notes({each.path for each in found})
    places = {(one.path, one.passage.seq) for one in found if suspicion_of(one, notes)}
    places.update(contradictions(found, notes))
    notes = {path: without_suspect_title(note) for path, note in notes.items()}
    weight = vault.settings.recall_untrusted_weight
    return weigh_by_trust(found, notes, weight=weight, withheld=places), notes, again
