"""What answers a question, as lines of a context: an item once, other notes by the passage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from vaultmem import extract, judgement, recall
from vaultmem.base import TYPE_CHECKING, NamedTuple, replace
from vaultmem.context.lines import ALWAYS, LISTED, by_weight
from vaultmem.language import DAY_MS, canonical, parse_instant, sentences
from vaultmem.model import UNTRUSTED, USER, Filters, Found, Hit, is_episode, only_asks
from vaultmem.recall import (
    CURRENT,
    PASSAGES_A_HIT,
    answering_passages,
    current,
    hits_by_memory,
    holds,
    least_coverage,
    masked_question,
    order_hits_by_age,
    pending_of,
    with_outdated,
    with_overviews,
    without_twins,
)

if TYPE_CHECKING:
    from pathlib import PurePosixPath as Path

    from vaultmem.context.budget import Offer
    from vaultmem.context.lines import LineMaker
    from vaultmem.context.pack import Packing
    from vaultmem.history import Snapshot
    from vaultmem.model import Line, NoteRow, Passage
    from vaultmem.recall import Asking, QuotedBy
    from vaultmem.vault import Notes as Source
    from vaultmem.vault import Vault

_TOKENS_A_PASSAGE = 12  # of the shortest ones: more would not fit
_FEWEST, _MOST = 40, 400  # passages that are asked for
_BY_ITS_TEXT = 0.7  # of a passage's score, for items that quote it: it may match elsewhere
_A_RECORDS_SHARE = 0.8  # of the best score, from which a record of a talk answers itself
# Hours. Of what has no date nothing says that it has faded.
_UNKNOWN_AGE = 0.0
_UNWEIGHED = 5  # of 1..10: the importance of passages, which nobody says


class Answered(NamedTuple):
    """What a question found: lines that answer, best first, and what is near it all the same.

    near  items with a word or sense of the question, answer or not: path -> 0..1 of the best one
    """

    lines: Sequence[Line] = ()
    near: Mapping[Path, float] = {}


def found_lines(
    vault: Vault,
    question: str,
    *,
    budget: int,
    snapshot: Snapshot | None,
    maker: LineMaker,
    brief: bool = False,
    asking: Asking | None = None,
) -> Answered:
    """Lines of what answers, best first, as many as could fit; none where nothing answers.

    brief  without what was said around them: a fifth of the time at 5,000 items
    asking  the project that it is asked in; None: none
    An item that nobody confirmed for long is given with that mark (`LineMaker`).
    """
    filters = Filters() if snapshot is not None else current(Filters())
    wanted = min(max(budget // _TOKENS_A_PASSAGE, _FEWEST), _MOST)
    asked, found, notes, _ = answering_passages(
        vault,
        masked_question(vault, question),
        rounds=vault.settings.recall_rounds,
        limit=wanted // PASSAGES_A_HIT,
        filters=filters,
        snapshot=snapshot,
        asking=asking,
        by_sense=False,  # what is alike would fill it up: turns of an assistant above all
    )
    if any(note.trust != USER for note in notes.values()):
        maker.withhold(_ordering(vault, asked.found, found, notes))
    source: Source = vault.index if snapshot is None else snapshot.notes
    now = vault.clock.now()

    quoted_by = source.quoting(found)
    hits: Sequence[Hit] = hits_by_memory(
        without_twins(found, notes),
        notes,
        quoted_by=quoted_by,
        now=now,
        pending=pending_of(vault, snapshot),
        held=None if snapshot is None else snapshot.holds,
    )
    if snapshot is not None:
        now = snapshot.moment.valid_at or snapshot.moment.known_at or now
    if any(hit.note.trust == UNTRUSTED for hit in hits):
        way = vault.settings.recall_untrusted
        share = 0 if way == "hide" else vault.settings.recall_untrusted_share
        hits = recall.arrange_by_trust(
            recall.cap_untrusted(hits, limit=len(hits), share=share), way=way
        )
    hits = order_hits_by_age(vault, hits, None, now)
    if snapshot is None:
        hits = with_outdated(vault, hits, found, quoted_by, now, of_items=False)
        # A passage that says what is over by now: the item that took its place says what holds.
        # Where nothing else answers, it is given with that remark: its other words may be true.
        hits = [hit for hit in hits if not hit.outdated] or hits
        hits = with_overviews(vault, question, hits)
    # What held in a conversation has memories of its own: its record answers after them, above all
    # where it began with this very question.
    hits = sorted(hits, key=lambda hit: hit.note.type == "item" and is_episode(hit.note.statement))
    # 'assistant: Noted.' and records of talks filled a fifth of the contexts of people nobody had
    # tuned on.
    made = (maker.line_of_hit(hit) for hit in hits if not _says_nothing(hit))
    lines = [line for line in made if line is not None]
    near = _near(source, asked.found)
    # Without what was said around an answer 'Cody rides along' was given and two turns on 'keep him
    # clear of tree nuts' was not. Of what five lives must hold .857 is given without it and .929
    # with it.
    if snapshot is None and asked.found and not brief:
        # Where nothing answers, what is around the nearest is near all the same.
        best = found or asked.found
        around = lines_around(vault, best, maker)
        lines = _with_around(lines, around) if found else lines
        for line in around:
            share = line.score / (best[0].score or 1.0)
            near[line.path] = max(near.get(line.path, 0.0), share)
    return Answered(lines, near)


def _with_around(lines: Sequence[Line], around: Sequence[Line]) -> list[Line]:
    """The lines, best first, with those of what was said around the best where they are not."""
    held = {line.path for line in lines if line.line is None}
    said: dict[object, str] = {}  # a passage may be there already, with more of its words
    for line in lines:
        if line.line is not None:
            said[line.path, line.line] = f"{said.get((line.path, line.line), '')}\n{line.text}"
    texts = {line.text for line in lines if line.line is not None}
    more = [
        line
        for line in around
        if (
            line.path not in held
            if line.line is None
            else line.text not in texts and line.text not in said.get((line.path, line.line), "")
        )
    ]
    risen = {line.path: line.score for line in around if line.line is None}
    kept = [
        replace(line, score=max(line.score, risen.get(line.path, 0.0)))
        if line.line is None
        else line
        for line in lines
    ]
    return sorted([*kept, *more], key=lambda line: -line.score) if more or risen else [*lines]


def memories_and_records(lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Line]]:
    """The lines without weak records, and these: they come after all that is known beside.

    What tells that there was a conversation, and an assistant's turn ("Noted, I keep the date."),
    repeat the words of a question and hold nothing. Only one that answers better than what the
    person said is a memory.
    """
    best = max((line.score for line in lines), default=0.0)
    memory = max((line.score for line in lines if not line.record), default=0.0)
    weak = {
        place
        for place, line in enumerate(lines)
        if line.record and (line.score < _A_RECORDS_SHARE * best or line.score <= memory)
    }
    if not weak:
        return lines, ()
    return (
        [line for place, line in enumerate(lines) if place not in weak],
        [lines[place] for place in sorted(weak)],
    )


def _says_nothing(hit: Hit) -> bool:
    """Whether a hit is a turn of a talk with an assistant in which nothing is said: 'Noted.'.

    Or the record of a talk of which nothing but a question is told.
    """
    if hit.note.type == "item":
        return is_episode(hit.note.statement) and only_asks(hit.note.statement)
    if not hit.passages[0].speaker:
        return False

    role = extract.ROLE_NAMES.get(hit.passages[0].speaker.casefold())
    if role not in ("user", "assistant"):
        return False

    return judgement.says_nothing(hit.passages[0].text, of_assistant=role == "assistant")


def _near(source: Source, asked: Sequence[Found]) -> dict[Path, float]:
    """How near the question each item is by its best passage, its own or one that it quotes."""
    best = max((one.score for one in asked), default=0.0)
    if best <= 0:
        return {}
    near: dict[Path, float] = {}
    quoted_by = source.quoting(asked)
    for one in asked:
        share = one.score / best
        near[one.path] = max(near.get(one.path, 0.0), share)
        for each in quoted_by.get((one.path, one.passage.seq), ()):
            path = each.note.path
            near[path] = max(near.get(path, 0.0), _BY_ITS_TEXT * share)
    return near


def _ordering(
    vault: Vault, asked: Sequence[Found], kept: Sequence[Found], notes: Mapping[Path, NoteRow]
) -> set[Path]:
    """The texts that would have answered, if they did not give orders to whoever reads them."""
    least = least_coverage(vault.index.passage_count())
    there = {(one.path, one.passage.seq) for one in kept}
    return {
        one.path
        for one in asked
        if (one.path, one.passage.seq) not in there
        and one.coverage >= least
        and recall.suspicion_of(one, notes)
    }


def by_transport(
    vault: Vault,
    packing: Packing,
    lines: Sequence[Line],
    room: int,
    ratios: Mapping[str, float],
) -> tuple[dict[str, int], list[Line]]:
    """Tokens that each stream keeps of the room, and the lines, what is kept most of first.

    Relevance is the share of the best score; passages of one note stand beside one another.
    """
    from vaultmem.context.budget import (  # saves 4 modules  # saves 1 module
        Claim,
        Offer,
        plan_budget,
        worths,
    )

    if not lines:
        return {}, []
    best = max(line.score for line in lines) or 1.0
    now, settings = vault.clock.now(), vault.settings
    offers = [
        Offer(
            text=line.text,
            note=str(line.path),
            line=line.line,
            date=line.date,
            relevance=max(0.0, min(1.0, line.score / best)),
            recency=recall.exponential(_hours(line, now), settings.retrieval_recency_per_hour),
            importance=(line.importance or _UNWEIGHED) / 10,
        )
        for line in lines
    ]
    streams = [line.stream or "flow" for line in lines]
    tokens = [packing.content([line]) for line in lines]
    scores = _diffuse_scores(vault, offers, streams, tokens, worths(offers))
    # Lines that were chosen before are claims as well, so that their tokens are part of the budget.
    done = plan_budget(
        [
            Claim(tokens=n, stream=stream, worth=settings.chunks_bias * score)
            for n, stream, score in zip(tokens, streams, scores, strict=True)
        ],
        max(0, room) + packing.content(line for line in lines if packing.is_chosen(line)),
        preservation=ratios,
        firmness=settings.sinkhorn_firmness,
        epsilon=settings.sinkhorn_epsilon,
        most_rounds=settings.sinkhorn_iterations,
    )
    order = sorted(
        range(len(lines)), key=lambda place: (-done.shares[place], -scores[place], place)
    )
    granted = {stream: round(tokens) for stream, tokens in done.rooms.items()}
    return granted, [lines[place] for place in order]


def _diffuse_scores(
    vault: Vault,
    offers: Sequence[Offer],
    streams: Sequence[str],
    tokens: Sequence[int],
    scores: Sequence[float],
) -> Sequence[float]:
    """The scores after related memories lent each other some, where the settings say so."""
    settings = vault.settings
    if not settings.chunks_diffusion:
        return scores
    from vaultmem.context.spread import Affinity, Chunk, diffuse  # saves 122 modules

    chunks = [
        Chunk(
            id=str(place),
            stream=streams[place],
            tokens=tokens[place],
            recency=offer.recency,
            relevance=offer.relevance,
            importance=offer.importance,
            topic=offer.note,
        )
        for place, offer in enumerate(offers)
    ]
    affinity = Affinity(
        weights={
            "recency": settings.chunks_recency,
            "relevance": settings.chunks_relevance,
            "importance": settings.chunks_importance,
            "topic": settings.chunks_topic,
        },
        temperature=settings.chunks_temperature,
        epsilon=settings.sinkhorn_epsilon,
        most_rounds=settings.sinkhorn_iterations,
    )
    return diffuse(chunks, diffusion=settings.chunks_diffusion, affinity=affinity, own=scores)


def _hours(line: Line, now: int) -> float:
    if not line.date:
        return _UNKNOWN_AGE
    return max(0, now - parse_instant(line.date)) * 24 / DAY_MS


# The items that a context may give whatever is asked, as they stood at its moment.


class Rows:
    """Lists of the items that hold now, or held at the moment that is asked about."""

    def __init__(
        self, vault: Vault, snapshot: Snapshot | None, *, asking: Asking | None = None
    ) -> None:
        """`asking`: the project that is asked in; what belongs to others is left out."""
        self._vault = vault
        self._snapshot = snapshot
        self._asking = asking
        self._risen: Mapping[str, int] | None = {} if snapshot else None  # None: not read yet
        self._others: list[NoteRow] | None = None  # likewise

    def always(self) -> list[NoteRow]:
        """Items that are given whatever is asked, each once, by weight."""
        asked = (
            Filters(types=("item",), statuses=CURRENT, hard=True),
            Filters(types=("item",), statuses=CURRENT, critical=True),
            Filters(types=("item",), statuses=CURRENT, kinds=ALWAYS),
            Filters(types=("item",), statuses=CURRENT, streams=("identity",)),
        )
        rows = {
            row.path: row
            for filters in asked
            # Hard exceptions are all given: to leave one out would break the promise that they are.
            for row in self._list(filters, limit=None if filters.hard else LISTED)
        }
        return self._by_weight(rows.values())

    def events(self) -> Sequence[NoteRow]:
        """What happened, newest first."""
        filters = Filters(types=("item",), statuses=CURRENT, kinds=("event",))
        return self._here(self._list(filters, limit=LISTED))

    def others(self) -> list[NoteRow]:
        """All that holds, by weight: what is given where room is left."""
        if self._others is None:
            filters = Filters(types=("item",), statuses=CURRENT)
            self._others = self._by_weight(self._list(filters, limit=LISTED))
        return self._others

    def coming(self) -> list[NoteRow]:
        """What is due or begins from today on, the soonest first; then tasks without a day."""
        moment = None if self._snapshot is None else self._snapshot.moment
        seen = None if moment is None else moment.valid_at or moment.known_at
        # A day is kept as its first moment, so that what is due today would be over from midnight
        # on.
        since = (self._vault.clock.now() if seen is None else seen) - DAY_MS
        dated, undated = [], []
        for row in self._list(Filters(types=("item",), statuses=CURRENT), limit=LISTED):
            begins = row.valid_from if row.kind == "event" else None
            when = row.due if row.due is not None else begins
            if when is not None and when > since:
                dated.append((when, row))
            elif row.kind == "task" and row.due is None:
                undated.append(row)
        return [row for _, row in sorted(dated, key=lambda each: (each[0], each[1].id))] + undated

    def of_stream(self, stream: str) -> list[NoteRow]:
        """What is current in a stream, by weight."""
        filters = Filters(types=("item",), statuses=CURRENT, streams=(stream,))
        return self._by_weight(self._list(filters, limit=LISTED))

    def _by_weight(self, rows: Iterable[NoteRow]) -> list[NoteRow]:
        """Of what holds now, what is used often has gained importance by it."""
        if self._risen is None:
            self._risen = recall.priorities(self._vault)
        found = by_weight(self._here(rows), self._risen)
        asking = self._asking
        if asking is None:
            return found
        return sorted(found, key=lambda row: (not row.pinned, -asking.gain(row)))

    def _here(self, rows: Iterable[NoteRow]) -> Sequence[NoteRow]:
        """The items without those of another project: a rule of one repository is none of another,
        so it is given there to whoever asks for it, and not unasked.
        """
        asking = self._asking
        return [row for row in rows if asking is None or asking.gain(row) >= 0]

    def _list(self, filters: Filters, *, limit: int | None) -> Sequence[NoteRow]:
        if self._snapshot is not None:
            # A status is that of today. Whether a note held then is decided by `Snapshot.holds`.
            rows = self._snapshot.list(replace(filters, statuses=()), limit=limit)
            return [row for row in rows if self._snapshot.holds(row)]
        now = self._vault.clock.now()
        rows = self._vault.index.list_cached(filters, limit=limit)
        if self._asking is not None and len(rows) == limit:
            # The newest of all: those of this project may be older than so many of others.
            here = replace(filters, projects=(self._asking.project,))
            more = self._vault.index.list_cached(here, limit=limit)
            there = {row.path for row in rows}
            rows = (*rows, *(row for row in more if row.path not in there))
        return [row for row in rows if holds(row, now)]


_CLOSE = 0.5  # of the best score: passages that are looked around in
_MOST_LOOKED = 8
_BESIDE = 2  # passages to either side: a turn of the person, one of an assistant between
# With what was said around it, .929 of what contexts of five strangers must hold is given in place
# of .857; 'Cody rides along' came without 'keep him clear of tree nuts', two turns on.
_SAME_TURN, _NEXT_TURN = 0.7, 0.5  # of the score of the passage that answers
_TEXTS = 120  # the newest ones: a day holds a few
_MOST_SAID = 60  # lines of what became no item
_MOSTLY = 0.5  # of a sentence, from which quotes inside it tell it
# Chance of being worth keeping, below which a sentence is not given where room is left.
# Of 76 sentences of nine people that became no item .02 leaves out 19 of 35 that say nothing, and 6
# of 41 others, all of them like 'Iron overload, see.'.
_LEAST_WORTH = 0.02
_LEAST_WORTH_BESIDE = 0.1  # beside what answers, before what is known
_MOST_WEIGHT = 5  # points of importance of what is surely worth keeping: about an item's


def lines_around(vault: Vault, found: Sequence[Found], maker: LineMaker) -> list[Line]:
    """Lines of what was said in the same turn as the best passages, or in one beside it.

    found  what a question found, best first; each line scores below what it stands beside
    """
    best = max((one.score for one in found), default=0.0)
    close = [one for one in found if best > 0 and one.score >= _CLOSE * best][:_MOST_LOOKED]
    made: dict[object, Line] = {}
    for place in _texts_of(vault, close):
        for line in _of_place(vault, place, maker):
            key = line.path, line.text
            if key not in made or line.score > made[key].score:
                made[key] = line
    return sorted(made.values(), key=lambda line: -line.score)


def lines_said(vault: Vault, maker: LineMaker) -> list[Line]:
    """What the person said and no item holds, the newest text first."""
    listed = vault.index.list_cached(Filters(types=("resource",)), limit=_TEXTS)
    rows = sorted(listed, key=lambda row: (-(row.date or 0), str(row.path)))
    own = [row for row in rows if _is_own(row) and not maker.is_of_another(row)]
    texts = [(row, vault.index.passages(row.path)) for row in own]
    # Who quotes them is asked once: 80 texts one by one were 6 % of a cold context.
    quoting = vault.index.quoting(
        Found(path=row.path, passage=each, score=0.0)
        for row, passages in texts
        for each in _spoken_by_them(passages)
    )
    lines = (
        line for row, passages in texts for line in _untold(vault, row, passages, maker, quoting)
    )
    return list(islice(lines, _MOST_SAID))


def _is_own(row: NoteRow) -> bool:
    return row.type == "resource" and row.status in ("", "active") and row.writer == "person"


def _texts_of(
    vault: Vault, close: Sequence[Found]
) -> list[tuple[NoteRow, Passage, float, tuple[Passage, ...]]]:
    """Texts of the person with the passage that answers, its score, and all passages.

    An item answers for the passage that it quotes.
    """
    rows = vault.index.notes({one.path for one in close})
    places = []
    for one in close:
        row = rows.get(one.path)
        if row is None:
            continue
        if row.type == "item":
            text = next((vault.index.resolve_link(name) for name in row.source), None)
            if text is None or not _is_own(text):
                continue
            passages = vault.index.passages(text.path)
            quote = canonical(row.quote)
            own = next((each for each in passages if quote in canonical(each.text)), None)
            if own is not None and quote:
                places.append((text, own, one.score, passages))
        elif _is_own(row):
            places.append((row, one.passage, one.score, vault.index.passages(row.path)))
    return places


def _of_place(
    vault: Vault, place: tuple[NoteRow, Passage, float, tuple[Passage, ...]], maker: LineMaker
) -> list[Line]:

    row, own, score, passages = place
    near = [each for each in passages if abs(each.seq - own.seq) <= _BESIDE]
    found = [Found(path=row.path, passage=each, score=score) for each in near]
    quoting = vault.index.quoting(found)
    lines: list[Line | None] = []
    for one in found:
        share = _SAME_TURN if one.passage.seq == own.seq else _NEXT_TURN
        for each in quoting.get((row.path, one.passage.seq), ()):
            if each.note.trust == USER and recall.holds(each.note, vault.clock.now()):
                lines.append(maker.due(each.note, share * score))
        lines += _untold(
            vault,
            row,
            (one.passage,),
            maker,
            quoting,
            score=share * score,
            least=_LEAST_WORTH_BESIDE,
        )
    return [line for line in lines if line is not None]


def _spoken_by_them(passages: Iterable[Passage]) -> list[Passage]:
    return [each for each in passages if each.speaker.casefold() in ("", "user")]


def _untold(
    vault: Vault,
    row: NoteRow,
    passages: Sequence[Passage],
    maker: LineMaker,
    quoting: QuotedBy,
    *,
    score: float = 0.0,
    least: float = _LEAST_WORTH,
) -> list[Line]:
    """Lines of the sentences of the person's own passages that no item holds.

    quoting  the items that quote these passages, and perhaps others
    """
    lines = []
    for one in _spoken_by_them(passages):
        held = [note for note, _ in quoting.get((row.path, one.seq), ())]
        told = {canonical(text) for note in held for text in (note.quote, note.said_after) if text}
        over = [canonical(note.quote) for note in held if note.quote and maker.is_doubted(note)]
        worth = {
            said: _worth(said)
            for said in sentences(one.text)
            if not said.endswith("?")
            and not said.startswith("#")
            and not _is_told(canonical(said), told)
            and not any(one in canonical(said) for one in over)
        }
        left = [said for said, keep in worth.items() if keep >= least]
        if left and not _is_over(vault, row, one, quoting):
            line = maker.verbatim(
                row,
                replace(one, text=" ".join(left)),
                score,
                beside=[note for note in held if note.trust == USER],
                place=one.text.find(left[0]),
            )
            # They compete with what is also known by their worth. Given only where all else had
            # fitted they came in no budget below 2,000 tokens.
            weight = 1 + int(_MOST_WEIGHT * max(worth[said] for said in left))
            lines += [replace(line, importance=weight)] if line is not None else []
    return lines


def _is_over(vault: Vault, row: NoteRow, passage: Passage, quoting: QuotedBy) -> bool:
    """Whether a text says what was deleted, corrected or ended since."""
    # 'I play the cello.', which the person had deleted, stood before 'My dentist is Dr. Okafor.' as
    # the words before it.
    found = [Found(path=row.path, passage=passage, score=1.0)]
    hits = [Hit(note=row, score=1.0, passages=(passage,))]
    now = vault.clock.now()
    return bool(recall.with_outdated(vault, hits, found, quoting, now, of_items=False)[0].outdated)


@lru_cache(maxsize=1 << 12)
def _worth(said: str) -> float:
    """The chance that a sentence is worth keeping: 2 ms, and asked again at each context."""
    return judgement.judge_worth(said).keep


def _is_told(said: str, told: Iterable[str]) -> bool:
    inside = [one for one in told if one in said]
    return sum(map(len, inside)) >= _MOSTLY * len(said) or any(said in one for one in told)
