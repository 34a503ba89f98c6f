"""Answer a question as deep as it needs: summaries of categories, then items, then full texts.

Read are the categories that the question names (all of them where it
names none), and of their lines only those that hold a word of it are looked at closely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, TypeVar, replace
from vaultmem.language import Stems, content_words
from vaultmem.model import (
    UNTRUSTED,
    Answer,
    Filters,
    Found,
    Hit,
    NoteRow,
    Part,
    Passage,
    Round,
    Tier,
    Tiered,
)
from vaultmem.recall import answer as recall
from vaultmem.recall.belief.believed import suspicion_of
from vaultmem.recall.enough import holds
from vaultmem.storage import notes

if TYPE_CHECKING:
    from vaultmem.history import Snapshot
    from vaultmem.model import Ordering, Repair, Sufficiency
    from vaultmem.recall.by_model.rerank import Reranker
    from vaultmem.recall.decay import HalfLives
    from vaultmem.vault import Notes as Source

    Judge = Callable[[str, str, Sequence[Hit]], Sufficiency | None]  # tier, question, what it found
    from vaultmem.vault import Vault


# --- how deep a question has to be read ---

# Decisions over words alone, without a file or an index (algorithms.md 7.2, read path of
# never-forgets). Without a model a summary suffices when it holds enough of what the question asks
# for; a model that judges it is answered for by the first word of its reply.
ENOUGH = 0.8  # share of a question's content words that a summary has to hold
_FIRST_WORD = re.compile(r"\w+")

Word = TypeVar("Word", bound=object)
Key = TypeVar("Key", bound=object)


def select_categories(names: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Those of the known categories that are named, as they are spelled, in the order known.

    Case is no matter and a name that nobody knows is ignored; where none is left, all are read.
    """
    named = {name.strip().casefold() for name in names}
    return tuple(name for name in known if name.casefold() in named) or tuple(known)


def coverage(asked: Collection[Word], held: Collection[Word]) -> float:
    """The share of what is asked for that is held, 0..1; 0 where nothing is asked for."""
    wanted = set(asked)
    return len(wanted.intersection(held)) / len(wanted) if wanted else 0.0


def suffices(share: float, *, least: float = ENOUGH) -> bool:
    """Whether so much of a question (0..1) is enough for its answer; the boundary is."""
    return share >= least


def says_yes(reply: str) -> bool:
    """Whether a model that was asked if the summaries suffice said so: its first word is yes.

    'YESTERDAY' is another word, and 'No - YES would be wrong' begins with another.
    """
    return _first_word(reply) == "yes"


def says_no(reply: str) -> bool:
    """Whether its first word is no; what says neither has not answered, and words decide."""
    return _first_word(reply) == "no"


def _first_word(reply: str) -> str:
    found = _FIRST_WORD.search(reply)
    return found.group().casefold() if found is not None else ""


def summaries_suffice(
    asked: Collection[Word],
    held: Sequence[Collection[Word]],
    *,
    are_named: bool,
    least: float = ENOUGH,
) -> bool:
    """Whether summaries answer a question by the words they hold.

    held       the words of each summary
    are_named  the question names these categories: they are read as one text. Else they are all
               there are, and one of them has to hold enough: words from everywhere are no answer
    """
    if are_named:
        return suffices(coverage(asked, {word for each in held for word in each}), least=least)
    return any(suffices(coverage(asked, each), least=least) for each in held)


def covering(
    asked: Collection[Word], lines: Mapping[Key, Collection[Word]], *, most: int
) -> tuple[Key, ...]:
    """The few lines that hold most of what is asked for, at most `most`.

    First those that together hold all that any holds, each time the one that adds most; then those
    that hold as much as the best one. Ties in the order given.
    """
    wanted = set(asked)
    held = {key: wanted.intersection(words) for key, words in lines.items()}
    left = {key for key, words in held.items() if words}
    chosen: list[Key] = []
    missing = set(wanted)
    place = {key: number for number, key in enumerate(lines)}
    while left and len(chosen) < most:
        best = min(left, key=lambda key: (-len(held[key] & missing), -len(held[key]), place[key]))
        if not held[best] & missing and len(held[best]) < max(map(len, held.values())):
            break
        chosen.append(best)
        left.remove(best)
        missing -= held[best]
    return tuple(chosen)


def answering(*, summaries: bool, items: bool, resources: bool) -> str:
    """The tier that answers, the first that can: summaries suffice, or anything was found.

    '' is 'no memory found'.
    """
    tiers = (("summaries", summaries), ("items", items), ("resources", resources))
    return next((name for name, answers in tiers if answers), "")


_MOST_LINES = 5  # shown of one summary; what they hold is what it holds
_TEXTS = ("resource", "page", "stream", "category")


def answer(
    vault: Vault,
    query: str,
    *,
    limit: int,
    filters: Filters,
    half_lives: HalfLives | None = None,
    ordering: Ordering | None = None,
    snapshot: Snapshot | None = None,
    rounds: int = 1,
    project: str = "",
    reranker: Reranker | None = None,
    judge: Judge | None = None,
) -> Answer:
    """The hits of the first tier that answers, and what each one held; see `recall.answer`.

    When summaries answer, the hits are categories with the lines that do. Where a model found items
    too little, the full texts come first, and the items stay behind them.

    judge   asks a model whether what was found is enough; None: words decide
    raises  BadInputError for a filter of types: each tier is one
    """
    if filters.types:
        raise BadInputError(
            "tiers are types of notes: they cannot be filtered by type",
            hint="leave out --type, or leave out --tiered",
        )
    words = _Words(query, vault.settings.languages)
    reader = _Summaries(vault, words, snapshot)
    named, rows = reader.choose(filters)
    summaries = reader.read(rows, limit=limit) if not _by_item(filters) else ()
    held = [words.in_hit(hit) for hit in summaries]
    has_words = summaries_suffice(words.stems, held, are_named=named)
    judged: list[Sufficiency] = []

    def enough(tier: str, hits: Sequence[Hit], otherwise: bool) -> bool:
        said = judge(tier, query, hits) if judge is not None else None
        if said is not None:
            judged.append(said)
        return otherwise if said is None or said.enough is None else said.enough

    has_enough = enough("summaries", summaries, has_words)
    read = [
        words.tier("categories", len(rows), map(words.in_name, rows) if named else ()),
        words.tier("summaries", len(summaries), held),
    ]
    ask = partial(
        recall.answer,
        vault,
        query,
        limit=limit,
        half_lives=half_lives,
        ordering=ordering,
        rounds=rounds,
        project=project,
        reranker=reranker,
    )
    found: dict[str, Answer] = {}
    for tier, types in (("items", ("item",)), ("resources", _TEXTS)):
        if has_enough:
            break
        found[tier] = ask(filters=replace(filters, types=types), snapshot=snapshot)
        hits = found[tier].hits
        words.mend(found[tier].repairs)
        read.append(words.tier(tier, len(hits), map(words.in_hit, hits)))
        if tier == "items" and hits and enough(tier, hits, otherwise=True):
            break
    texts = found["resources"].hits if "resources" in found else ()
    items = found["items"].hits if "items" in found else ()
    # What the model found too little is still more than nothing.
    has_enough = has_enough or (has_words and not items and not texts)
    by = answering(summaries=has_enough, items=bool(items) and not texts, resources=bool(texts))
    depth = Tiered(
        answered_by=by,
        words=tuple(words.spelled),
        needed=ENOUGH,
        tiers=tuple(read),
        categories=tuple(row.title for row in rows),
        are_named=named,
        summaries=summaries,
        judged=tuple(judged),
    )
    if has_enough:
        by_model = bool(judged) and judged[0].enough is True
        best = (hit for hit in summaries if named or by_model or suffices(hit.score))
        source: Source = vault.index if snapshot is None else snapshot.notes
        return Answer(
            query=query,
            hits=tuple(best),
            terms=tuple(words.spelled),
            filters=filters,
            searched=source.note_count(),
            tiered=depth,
        )
    deepest = list(found.values())[-1]
    plan = deepest.plan and replace(deepest.plan, rounds=tuple(_rounds(found)))
    hits = (*texts, *items)[:limit]
    return replace(deepest, hits=hits, filters=filters, tiered=depth, plan=plan)


def _rounds(found: Mapping[str, Answer]) -> Iterator[Round]:
    """Every time that the index was asked, tier by tier."""
    before = 0
    for tier, each in found.items():
        rounds = each.plan.rounds if each.plan is not None else ()
        for one in rounds:
            yield replace(one, why=f"{one.why}, among {tier}", number=before + one.number)
        before += max((one.number for one in rounds), default=0)


def _by_item(filters: Filters) -> bool:
    """Whether the filters ask for more than a line of a summary can tell."""
    return replace(filters, categories=()) != Filters()


class _Words:
    """The content words of a question, by stem, and what was searched for in place of some."""

    def __init__(self, query: str, languages: Sequence[str]) -> None:
        self._stem = Stems(languages)
        spelled: dict[str, str] = {}
        for word in content_words(query[:_READ_CHARACTERS]):
            spelled.setdefault(self._stem(word), word)
        self._by_stem = spelled
        self._instead: dict[str, str] = {}  # stem of a similar word -> stem of the misspelt one

    @property
    def stems(self) -> Collection[str]:
        return self._by_stem.keys()

    @property
    def spelled(self) -> Collection[str]:
        return self._by_stem.values()

    def mend(self, repairs: Iterable[Repair]) -> None:
        """Count the similar words for those that no note has."""
        for repair in repairs:
            for used in repair.used:
                self._instead.setdefault(self._stem(used), self._stem(repair.word))

    def in_text(self, text: str) -> set[str]:
        """Stems of the question that a text holds."""
        stems = set(map(self._stem, content_words(text)))
        stems.update(self._instead[stem] for stem in stems & self._instead.keys())
        return stems & self._by_stem.keys()

    def in_name(self, row: NoteRow) -> set[str]:
        """Stems of the question that the name of a category holds."""
        return self.in_text(" ".join((row.title, row.path.stem, *row.categories)))

    def in_hit(self, hit: Hit) -> set[str]:
        """Stems of the question that a note holds by its headline and its best passages."""
        held = self.in_name(hit.note) | self.in_text(hit.note.statement)
        return held.union(*(self.in_text(passage.text) for passage in hit.passages))

    def tier(self, name: str, notes: int, held: Iterable[set[str]]) -> Tier:
        """How much of the question a tier holds, all its notes together."""
        together = set[str]().union(*held)
        return Tier(
            name=name,
            notes=notes,
            held=tuple(word for stem, word in self._by_stem.items() if stem in together),
            coverage=coverage(self.stems, together),
        )


_READ_CHARACTERS = 20_000


def _line(passage: Passage) -> int:
    return passage.line


class _Summaries:
    """The categories of one moment, with those of their lines that hold then."""

    def __init__(self, vault: Vault, words: _Words, snapshot: Snapshot | None) -> None:
        self._vault = vault
        self._words = words
        self._snapshot = snapshot
        self._source: Source = vault.index if snapshot is None else snapshot.notes
        self._now = vault.clock.now()
        self._texts: dict[PurePosixPath, bytes] = {}

    def choose(self, filters: Filters) -> tuple[bool, tuple[NoteRow, ...]]:
        """Whether the question names categories, and those to be read."""
        wanted = Filters(types=("category",), categories=filters.categories)
        if self._snapshot is None:
            rows = self._vault.index.list(wanted)
        else:
            rows = self._snapshot.list(wanted, limit=None)
        rows = tuple(sorted(rows, key=lambda row: row.path))
        by_alias = {
            row.path
            for word in self._words.spelled
            if (row := self._source.resolve_link(word)) is not None and row.type == "category"
        }
        named = [
            row.path.as_posix() for row in rows if row.path in by_alias or self._words.in_name(row)
        ]
        chosen = select_categories(named, [row.path.as_posix() for row in rows])
        return bool(named), tuple(row for row in rows if row.path.as_posix() in chosen)

    def read(self, rows: Sequence[NoteRow], *, limit: int) -> tuple[Hit, ...]:
        """The categories that hold a word of the question with the lines that hold most of it.

        At most `limit`, what holds most first; ties by path.
        """
        waiting = recall.pending_of(self._vault, self._snapshot)
        self._texts = self._read_texts(rows)
        hits = []
        for row in rows:
            lines = self._best(row)
            if lines:
                hit = Hit(note=row, score=0.0, passages=lines, pending=row.path in waiting)
                hits.append(self._score(hit))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.note.path))[:limit])

    def _best(self, row: NoteRow) -> tuple[Passage, ...]:
        """The lines that hold most of the question; the first ones where it is but the name."""
        lines = dict(enumerate(sorted(self._lines(row), key=_line)))
        held = {key: self._words.in_text(line.text) for key, line in lines.items()}
        best = covering(self._words.stems, held, most=_MOST_LINES)
        if suffices(coverage(self._words.stems, self._words.in_name(row))):
            return tuple(sorted(self._lines(row, every=True), key=_line)[:_MOST_LINES])
        return tuple(lines[key] for key in best)

    def _score(self, hit: Hit) -> Hit:
        found = self._words.tier("summaries", 1, [self._words.in_hit(hit)])
        part = Part(name="words", value=found.coverage, note=f"holds {', '.join(found.held)}")
        return replace(hit, score=found.coverage, parts=(part,))

    def _lines(self, row: NoteRow, *, every: bool = False) -> Iterator[Passage]:
        """What a category says in its own words, then its lines of items that hold.

        every  also lines of items without a word of the question
        """
        own = self._source.passages(row.path)
        yield from own
        for seq, (line, statement, target) in enumerate(self._listed_items(row), start=len(own)):
            if not every and not self._words.in_text(statement):
                continue
            passage = Passage(text=statement, seq=seq, line=line)
            if self._stands(target, passage):
                yield passage

    def _listed_items(self, row: NoteRow) -> Iterator[tuple[int, str, str]]:
        """(line of the file, statement, link target) of the items that a category lists."""
        return iter(notes.read_numbered(self._texts[row.path]))

    def _read_texts(self, rows: Sequence[NoteRow]) -> dict[PurePosixPath, bytes]:
        """The files as they are; of a moment of the past, as the history has them, at one go."""
        if self._snapshot is not None and self._snapshot.is_of_past:
            found = dict(self._vault.history.blobs(dict.fromkeys(row.oid for row in rows)))
            return {row.path: found[row.oid] or b"" for row in rows}

        return {row.path: vaults.text_of(self._vault, row) for row in rows}

    def _stands(self, target: str, passage: Passage) -> bool:
        """Whether a line may be read: its item held, and nothing in it talks to an assistant."""
        item = self._source.resolve_link(target)
        if item is None or item.type != "item" or item.trust == UNTRUSTED:
            return False
        if self._snapshot is not None and not self._snapshot.holds(item):
            return False
        if self._snapshot is None and not holds(item, self._now):
            return False
        found = Found(path=item.path, passage=passage, score=0.0)
        return not suspicion_of(found, {item.path: item})
