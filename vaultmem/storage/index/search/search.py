"""Passages for a question: words like its own, candidates, scores, rows, and who quotes them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import TYPE_CHECKING, Any, NamedTuple
from vaultmem.language import DAY_MS, Stems
from vaultmem.model import Filters, Found, LateParts, NoteRow, Part, Passage, Repair, Stood
from vaultmem.storage.index.search.bm25 import Mean, Scoring
from vaultmem.storage.index.search.concepts import (
    asked_by,
    concept_of,
    is_known,
    line_of,
    lines_in,
    near_words,
)
from vaultmem.storage.index.search.question import Question, analyse
from vaultmem.storage.index.search.related import Group, Relations, Tables
from vaultmem.storage.index.search.score import Engine, Named, PlainEngine, Size, Wanted
from vaultmem.storage.index.search.terms import one_edit
from vaultmem.storage.index.store.file import storable
from vaultmem.storage.index.store.rows import ANSWERING, NOTE_COLUMNS, condition, note_row, path_of
from vaultmem.storage.index.store.sqlite import in_lists, sqlite3
from vaultmem.storage.index.text.postings import Lengths
from vaultmem.storage.index.text.traits import SIZES, means_of

if TYPE_CHECKING:
    from vaultmem.storage.index.search.bm25 import Likely
    from vaultmem.storage.index.search.dates import Dating


# --- other words for those of a question ---


class _Strength(NamedTuple):
    share: float  # what another word gives of the weight of the word that was asked
    holds: float  # how much of holding that word holding it is: whether there is an answer
    in_talks: float | None = None  # `share` where talks are searched; None: the same


# Chosen on everyday speech, where .4 finds 5 more of 60 questions of people nobody tuned on than
# .25, and .6 no more; on LoCoMo, whose talks repeat what is asked, .6 puts R@10 from .833 to .828.
_SAME = _Strength(0.4, 1.0, 0.25)
_KINDS = _Strength(0.4, 1.0, 0.25)
_LIKE = _Strength(0.4, 1.0)
_WIDER = _Strength(0.05, 0.15)
_NEAR = _Strength(0.15, 0.25)
_ASKED = _Strength(1.0, 1.0)
_MOST_KEPT = 5_000  # words whose groups are remembered


class Wordings:
    """Other words in seven languages, beside those that other relations give."""

    def __init__(self, others: Relations, stems: Stems) -> None:
        """`others` come first: what they give is not given again."""
        self._others = others
        self._stems = stems
        self._known: dict[tuple[str, str], Sequence[Group]] = {}

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """The groups of the others, then one for each strength."""
        known = self._known.get((stem, word))
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[stem, word] = self._groups(stem, word or stem)
        return known

    def knows(self, stem: str) -> bool:
        """Whether a table has it, so that nobody misspelt another word."""
        return self._others.knows(stem) or is_known(stem)

    def near_spellings(self, stem: str) -> Sequence[str]:
        """Those that the others know."""
        return self._others.near_spellings(stem)

    def answer_groups(self, said: Sequence[str]) -> Sequence[Group]:
        """What answers phrases of a question, one group a phrase; `said` without accents."""
        share, holds, in_talks = _ASKED
        return [
            Group(
                frozenset(self._stems.many(list(words))),
                share,
                f"asked by '{phrase}'",
                covers=holds,
                in_talks=in_talks,
                stems_in_talks=frozenset(),
            )
            for phrase, words in asked_by(said).items()
        ]

    def _groups(self, stem: str, word: str) -> Sequence[Group]:
        groups = [*self._others.groups(stem, word)]
        taken = {stem}.union(*(group.stems for group in groups))
        taken_in_talks = set(taken)
        concept = concept_of(word)
        like, near = near_words(word)

        def add(words: Sequence[str], usual: Sequence[str], strength: _Strength, note: str) -> None:
            if not (words or usual):
                return
            stems = frozenset(self._stems.many(list(words))) - taken
            fewer = frozenset(self._stems.many(list(usual))) - taken_in_talks
            taken.update(stems)
            taken_in_talks.update(fewer)
            if stems or fewer:
                share, holds, in_talks = strength
                groups.append(
                    Group(
                        stems,
                        share,
                        note,
                        is_instead=True,
                        holds=holds,
                        in_talks=in_talks,
                        stems_in_talks=fewer,
                    )
                )

        same, kinds, wider = concept.usual
        add(concept.same, same, _SAME, "another word for '{}'")
        add(concept.kinds, kinds, _KINDS, "a kind of '{}'")
        add(like, like, _LIKE, "of like sense as '{}'")
        add(concept.wider, wider, _WIDER, "'{}' is a kind of it")
        add(near, near, _NEAR, "near to '{}'")
        return groups


# --- the thesaurus that comes with the program ---

# Distilled once from word vectors (tests/bench/thesaurus.py), so that no model is needed to read
# it: 243 kB of text, a line a stem. It is read with the first question that has a word of Latin
# letters.
# Chosen with the least cosine of the file, .5. More finds more, and puts less of it first: on
# LoCoMo .3 gives R@10 .832 and MRR .659, .5 gives .835 and .655, none .826 and .660. Where passages
# that hold the word itself gained by its neighbours, too, .3 gave .831 and .655.
SHARE = 0.3
# Coffee is near to tea, and no answer to who likes it: neighbours alone leave a question open.
COVERS = 0.5
_FILE = Path(__file__).with_name("english.thesaurus")


class Thesaurus:
    """Neighbours by meaning, beside the words that other relations give."""

    def __init__(self, others: Relations, file: Path = _FILE) -> None:
        """`others` come first: what they give is not given again."""
        self._others = others
        self._file = file
        self._known: dict[str, Sequence[Group]] = {}

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """The groups of the others, then one of all neighbours."""
        known = self._known.get(stem)
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[stem] = self._groups(stem)
        return known

    def _groups(self, stem: str) -> Sequence[Group]:
        groups = [*self._others.groups(stem)]
        known = frozenset().union(*(group.stems for group in groups))
        near = frozenset(self.near(stem)) - known - {stem}
        if near:
            note = "near to '{}'"
            groups.append(Group(near, SHARE, note, covers=COVERS, is_instead=True))
        return groups

    def answer_groups(self, said: Sequence[str]) -> Sequence[Group]:
        """As the others do: it knows no phrases."""
        return self._others.answer_groups(said)

    def knows(self, stem: str) -> bool:
        """Whether a line is this stem's, or the others know it."""
        return bool(self.near(stem)) or self._others.knows(stem)

    def near_spellings(self, stem: str) -> Sequence[str]:
        """Those that have a line."""
        # Each of four hundred looked up by itself took a millisecond or two.
        known = one_edit(stem) & lines_in(self._file).every_key()
        return [near for near in sorted(known) if self.near(near)]

    def near(self, stem: str) -> list[str]:
        """Stems that mean about the same, the nearest first; [] where it knows none."""
        if not stem.isascii():
            return []
        return line_of(lines_in(self._file), stem.encode()).decode().split()


def relations(stems: Stems) -> Relations:
    """Which words stand for others in an index with these stems."""
    tables = Tables(stems)
    return Wordings(Thesaurus(tables) if stems.is_english else tables, stems)


FoundAndRepaired = tuple[list[Found], list[Repair]]


class Search(NamedTuple):
    """What was found for a question, and what was searched for."""

    found: tuple[Found, ...]
    repairs: tuple[Repair, ...]
    terms: tuple[str, ...]  # words that were searched for, the heaviest first
    stood: tuple[Stood, ...] = ()  # words for which others stood in, the heaviest first
    words: int = 0  # of the question, that say what is asked; 0: not counted, or leave is asked
    strangers: int = 0  # of them, written as names, that nothing knows
    asked: tuple[str, ...] = ()  # the words that say what is asked


class _Row(NamedTuple):
    path: str
    passage: Passage


def _reasons(parts: Callable[[int], list[Named]], passage: int, lowered: float) -> Sequence[Part]:
    """The parts of a score; `lowered`: taken from it as the same talk answers before; <= 0."""

    def work_out() -> list[Part]:
        named = parts(passage)
        if lowered:
            named.append(Named("breadth", lowered, "the same talk answers before it"))
        return [Part(name=part.name, value=part.value, note=part.note) for part in named]

    return LateParts(work_out)


# Where several things are asked for, each further turn of a talk counts for less: on LoCoMo R@10 of
# questions over several talks is .606 in place of .568, and of all .839 in place of .834; of every
# question, whatever it asks, it would be .608 and .817.
_FURTHER = 0.85
_MOST_FURTHER = 3  # times that it counts for less: a talk may hold all that is asked
_LOOKED_AT = 60  # passages among which others of other talks are sought


class _Ordered(NamedTuple):
    score: float
    passage: int
    lowered: float = 0.0  # what is taken from the score, as the same talk answers before; <= 0


def _spread(ordered: Sequence[_Ordered], rows: Mapping[int, _Row]) -> list[_Ordered]:
    """The passages, best first, of a day of a talk each further one for less."""
    met: dict[tuple[str, int], int] = {}
    found = []
    for one in ordered:
        path, passage = rows[one.passage]
        if not passage.speaker:
            found.append(one)
            continue
        # Further turns of one day of a talk count less: 'What books has Melanie read?' is answered
        # in several talks, and the list was filled by the first.
        place = path, (passage.date or 0) // DAY_MS
        before = met[place] = met.get(place, -1) + 1
        score = one.score * _FURTHER ** min(before, _MOST_FURTHER)
        found.append(_Ordered(score, one.passage, score - one.score))
    return found


_COLUMNS = NOTE_COLUMNS.split(", ")
_PATH, _STATEMENT = _COLUMNS.index("path"), _COLUMNS.index("statement")
_MOST_NOTES = 4_096  # whose rows are kept, about 4 MB
_MOST_QUOTES = 20_000  # that are, of texts; as much again


class KnownNotes:
    """Rows of the notes that questions meet, each read once for one state of the index.

    A question needs of a note its path, and then whoever answers with it everything else: two
    look-ups of the same rows were a seventh of a warm recall of 10,000 passages.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._by_first: dict[int, tuple[Any, ...]] = {}  # NOTE_COLUMNS, by the first passage
        self._by_path: dict[str, tuple[Any, ...] | NoteRow] = {}
        self._quotes: dict[str, Sequence[tuple[int, str]]] = {}  # by path, as `_quotes_from`
        self._quoting = 0  # of these

    def with_first(self, firsts: Collection[int]) -> Mapping[int, tuple[Any, ...]]:
        """The rows of the notes that begin with these passages, and maybe of others."""
        known = self._by_first
        if len(known) > _MOST_NOTES:
            known.clear()
            self._by_path.clear()
        for some, marks in in_lists(sorted(first for first in firsts if first not in known)):
            for first, *values in self._connection.execute(
                f"SELECT first, {NOTE_COLUMNS} FROM notes WHERE first IN ({marks})", some
            ):
                known[first] = self._by_path[values[_PATH]] = tuple(values)
        return known

    def at(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes at those of these paths that are known, by path."""
        found = {}
        for path in sorted(set(map(str, paths))):
            row = self._by_path.get(path)
            if row is not None:
                if not isinstance(row, NoteRow):
                    row = self._by_path[path] = note_row(row)
                found[row.path] = row
        return found

    def quoting(self, found: Sequence[Found]) -> Quoted:
        """As the function `quoting`; whom nobody quotes is asked for once."""
        known = self._quotes
        if len(known) > _MOST_NOTES or self._quoting > _MOST_QUOTES:
            known.clear()
            self._quoting = 0
        new = {str(one.path) for one in found}.difference(known)
        if new:
            quotes = _quotes_from(self._connection, new)
            known.update((path, quotes.get(path, ())) for path in new)
            self._quoting += sum(map(len, quotes.values()))
        return _quoting_of(self._connection, found, known)


class Searcher:
    """Answers questions on one state of the index."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        stems: Stems,
        *,
        zone: str,
        by_arrays: bool = False,
        words: Relations | None = None,
    ) -> None:
        """`words` that stand for others, as far as they are known from another state.

        by_arrays  with numpy, which pays from the second question to a large index on
        """
        self._connection = connection
        self._stems = stems
        self._zone = zone
        sizes = dict(
            connection.execute(
                "SELECT key, value FROM meta WHERE key = 'next_passage' "
                f"OR key IN ({', '.join('?' * len(SIZES))})",
                SIZES,
            )
        )
        counted = {name: int(sizes.get(name, 0)) for name in SIZES}
        self._size = Size(
            passages=counted["passages"],
            notes=counted["notes"],
            means=tuple(Mean(*mean) for mean in means_of(counted)),
        )
        self._notes = KnownNotes(connection)
        # Groups of words outlive a state of the index: with what else is remembered a question to
        # 100,000 passages takes 2.2 ms in place of 2.6 (median).
        self.words = relations(stems) if words is None else words
        self._silent: tuple[list[int], list[int]] | None = None
        self._asked: tuple[str, int | None, Question] | None = None  # the last one
        self.by_arrays = by_arrays
        self._engine: Engine = PlainEngine(connection, Lengths(connection))
        if by_arrays:
            from vaultmem.storage.index.search.arrays_ranking import (
                ArrayEngine,  # saves 117 modules
            )

            self._engine = ArrayEngine(connection, int(sizes.get("next_passage", 0)))

    def search(
        self,
        text: str,
        *,
        limit: int,
        filters: Filters,
        fuzzy: bool,
        scoring: Scoring,
        passes: Callable[[int], bool] | None = None,
        now: int | None = None,
        like: Likely | None = None,
    ) -> Search:
        """At most `limit` passages, best first; ties by path, then order in the note.

        passes  whether a passage may answer, beside the filters
        now     UTC ms when it is asked; None: times in the question are words like others
        like    how like the question passages are, by vectors; None: words alone
        """
        # Asked twice where words leave it open: by the senses of words the second time.
        if self._asked is None or self._asked[:2] != (text, now):
            self._asked = text, now, analyse(text, self._stems, now=now, zone=self._zone)
        question = self._asked[2]
        wanted = Wanted(
            limit=max(limit, _LOOKED_AT) if question.asks_several else limit,
            size=self._size,
            scoring=scoring,
            fuzzy=fuzzy,
            allowed=_both(self._passing(filters), passes),
            relations=self.words if scoring.related else None,
            dating=self._dating(question) if question.windows and scoring.time else None,
            like=like,
        )
        ranked = self._engine.rank(question, wanted)
        rows = self._rows({passage: ranked.first_of(passage) for _, passage in ranked.best})
        within = [
            _Ordered(score, passage)
            for score, passage in ranked.best
            if _is_within(rows[passage].passage.date, filters)
        ]

        def place(one: _Ordered) -> tuple[float, str, int]:
            return -one.score, rows[one.passage].path, rows[one.passage].passage.seq

        within.sort(key=place)
        if question.asks_several:
            within = sorted(_spread(within, rows), key=place)
        found = []
        for score, passage, lowered in within[:limit]:
            coverage = ranked.coverage(passage)
            if like is not None:
                coverage = max(coverage, like.coverage(passage))
            reasons = _reasons(ranked.parts, passage, lowered)
            found.append(_to_found(rows[passage], score, reasons, coverage))
        terms, repairs = ranked.looked_up.terms, ranked.looked_up.repairs
        heaviest = sorted(terms, key=lambda term: (-term.gain, term.word))
        return Search(
            found=tuple(found),
            repairs=repairs,
            terms=tuple(dict.fromkeys(term.word for term in heaviest if term.word)),
            words=0 if question.asks_leave or question.aspect else question.telling,
            strangers=ranked.looked_up.strangers,
            asked=question.telling_words,
            stood=tuple(
                Stood(word=term.word, how=term.stands_for, passages=len(term.times))
                for term in heaviest
                if term.stands_for
            ),
        )

    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """Those of the notes at these paths that questions have met already."""
        return self._notes.at(paths)

    def quoting(self, found: Sequence[Found]) -> Quoted:
        """As the function `quoting`."""
        return self._notes.quoting(found)

    def _dating(self, question: Question) -> Dating:
        from vaultmem.storage.index.search.dates import Dating  # saves 8 modules

        return Dating(self._connection, question.windows)

    def _passing(self, filters: Filters) -> Callable[[int], bool] | None:
        """Whether a passage's note passes the filters; None when every note does."""
        only_answering = Filters(statuses=filters.statuses) == filters and set(
            filters.statuses
        ) == set(ANSWERING)
        if filters == Filters():
            return None
        if only_answering:  # nearly all notes: look up the few others, once
            if self._silent is None:
                self._silent = self._bounds("silent", ())
            firsts, ends = self._silent
            if not firsts:
                return None
        else:
            firsts, ends = self._bounds(*condition(filters))

        # The bounds are those of the notes that pass, or, where the filter leaves out a few alone,
        # of these few.
        def passes(passage: int) -> bool:
            i = bisect_right(firsts, passage) - 1
            return (i >= 0 and passage < ends[i]) is not only_answering

        return passes

    def _bounds(self, where: str, values: Sequence[object]) -> tuple[list[int], list[int]]:
        """The first passage of each note of a kind, and the one after its last; ascending."""
        rows = self._connection.execute(
            f"SELECT first, first + size FROM notes WHERE {where} ORDER BY first",
            [storable(value) if isinstance(value, str) else value for value in values],
        ).fetchall()
        return [first for first, _ in rows], [end for _, end in rows]

    def _rows(self, notes: Mapping[int, int]) -> dict[int, _Row]:
        """Passages as they are read, by id; `notes` has the first passage of each one's note."""
        of_note = self._notes.with_first(set(notes.values()))
        rows = {}
        for passages, marks in in_lists(sorted(notes)):
            for id_, line, speaker, date, text in self._connection.execute(
                f"SELECT id, line, speaker, date, text FROM passages WHERE id IN ({marks})",
                passages,
            ):
                note = of_note[notes[id_]]
                passage = Passage(
                    text=note[_STATEMENT] if text is None else text,
                    seq=id_ - notes[id_],
                    line=line,
                    speaker=speaker,
                    date=date,
                )
                rows[id_] = _Row(note[_PATH], passage)
        return rows


def _both(
    one: Callable[[int], bool] | None, other: Callable[[int], bool] | None
) -> Callable[[int], bool] | None:
    """Whether a passage passes both; None: every passage does."""
    if one is None or other is None:
        return one or other
    return lambda passage: one(passage) and other(passage)


def _to_found(row: _Row, score: float, parts: Sequence[Part], coverage: float) -> Found:
    return Found(
        path=path_of(row.path),
        passage=row.passage,
        score=score,
        parts=parts,
        coverage=coverage,
    )


def _is_within(date: int | None, filters: Filters) -> bool:
    """Whether a passage with a date of its own lies in the filters' interval."""
    if date is None:
        return True
    since, until = filters.since, filters.until
    return (since is None or date >= since) and (until is None or date < until)


# --- items that quote a passage ---


class Quoting(NamedTuple):
    """An item, and the passage that is its statement."""

    note: NoteRow
    passage: Passage


Quoted = dict[tuple[PurePosixPath, int], tuple[Quoting, ...]]


def quoting(connection: sqlite3.Connection, found: Iterable[Found]) -> Quoted:
    """By (path, seq): the items that quote a passage of their source, by id; others are absent."""
    some = list(found)
    return _quoting_of(connection, some, _quotes_from(connection, {str(one.path) for one in some}))


def _quoting_of(
    connection: sqlite3.Connection,
    found: Sequence[Found],
    quotes: Mapping[str, Sequence[tuple[int, str]]],
) -> Quoted:
    by_place = {}
    for one in found:
        from_here = quotes.get(str(one.path))
        if from_here:
            text = one.passage.text
            firsts = [first for first, quote in from_here if quote in text or text in quote]
            if firsts:
                by_place[one.path, one.passage.seq] = firsts
    rows = _quoting_rows(connection, {first for firsts in by_place.values() for first in firsts})
    return {place: tuple(rows[first] for first in firsts) for place, firsts in by_place.items()}


def _quotes_from(
    connection: sqlite3.Connection, paths: Iterable[str]
) -> dict[str, list[tuple[int, str]]]:
    """(first passage, quote) of the items whose source is a resource at one of these paths, by id.

    Asked of all at once: a statement for each of 40 passages was a tenth of a warm recall, and a
    context of 10,000 items asks for 155 passages.
    """
    quotes: dict[str, list[tuple[int, str]]] = {}
    for some, marks in in_lists(sorted(paths)):
        for path, first, quote in connection.execute(
            # `CROSS JOIN` and `+` keep SQLite from going through all resources or items instead.
            "SELECT r.path, n.first, coalesce(n.quote, n.statement) FROM notes r "
            "CROSS JOIN links l ON l.target = r.id CROSS JOIN notes n ON n.first = l.note "
            f"WHERE r.path IN ({marks}) AND +r.type = 'resource' AND +r.id <> '' "
            "AND +n.type = 'item' AND coalesce(n.quote, n.statement) <> '' ORDER BY n.id, n.path",
            some,
        ):
            quotes.setdefault(path, []).append((first, quote))
    return quotes


def _quoting_rows(connection: sqlite3.Connection, firsts: Iterable[int]) -> dict[int, Quoting]:
    """The items with these first passages."""
    rows: dict[int, Quoting] = {}
    for some, marks in in_lists(sorted(firsts)):
        for first, *row in connection.execute(
            f"SELECT n.first, p.line, p.text, {_QUOTING_COLUMNS} FROM notes n "
            f"JOIN passages p ON p.id = n.first WHERE n.first IN ({marks})",
            some,
        ):
            rows[first] = _quoting(row)
    return rows


_QUOTING_COLUMNS = ", ".join(f"n.{column}" for column in _COLUMNS)


def _quoting(row: Sequence[Any]) -> Quoting:
    note_of_item = note_row(tuple(row[2:]))
    text = note_of_item.statement if row[1] is None else row[1]
    return Quoting(note_of_item, Passage(text=text, seq=0, line=row[0]))
