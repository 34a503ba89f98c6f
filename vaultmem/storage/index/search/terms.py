"""From the words of a question to postings: stems, names, and repair of words nobody wrote.

Repair looks at vocabulary words that one edit leads to (deletion, insertion, substitution,
transposition: optimal string alignment), and for longer words at those that begin alike, so it
reads a few hundred rows instead of the vocabulary. rapidfuzz compares when it is loaded already
or there is much to compare; its import costs more than a whole look-up.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from vaultmem.base import Generic, NamedTuple
from vaultmem.language import words
from vaultmem.model import USER
from vaultmem.storage.index.store.rows import CALLED, MARK
from vaultmem.storage.index.store.sqlite import in_lists, sqlite3
from vaultmem.storage.index.text.index_words import (
    ABOUT,
    CRITICAL,
    SAID_BY,
    STANDING,
    SURE,
    TELLS,
    ids_by_stem,
    word_ids,
)
from vaultmem.storage.index.text.postings import H, Reader, is_alive

SHORTEST_REPAIRED = 4  # letters: shorter words have too many neighbours to guess
# Letters: neighbours grow with the length, and what is longer was hardly typed by hand (a text of
# 2,000 letters that all were one word took seconds: tests/fuzz).
LONGEST_REPAIRED = 40
SHORTEST_STEM = 5  # letters: shorter stems have as many neighbours as short words
LEAST_SIMILARITY = 0.78  # retrieval.md section 7
LEAST_NAME_SIMILARITY = 0.75
MOST_STEMS = 3  # that stand in for one word
_TWO_EDITS_FROM = 8  # letters: below it two edits are never similar enough
_OTHER_LENGTH = 2  # letters by which the lengths of similar words may differ
_MOST_NAMES = 1_000  # that are kept, and gone through; more are looked up
_MOST_KEPT = 20_000  # stems and names that are remembered
# Loading rapidfuzz takes 85 ms beside a cold `remember`, more than a look-up of 8 ms.
_MANY = 2_000  # comparisons from which loading rapidfuzz pays
_NAME_WORDS = 2  # longer names of notes are titles
_LAST = "\U0010ffff"
_FIRST_UNSPACED = "\u0e00"
_LATIN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Similar(NamedTuple):
    """A word of the vocabulary that a question may have meant."""

    similarity: float
    word: str


class Terms(Generic[H]):
    """Looks words up in one vocabulary; `reader` reads which passages hold them.

    Remembers what it found: for one state of the index.
    """

    def __init__(self, connection: sqlite3.Connection, reader: Reader[H]) -> None:
        self._connection = connection
        self.reader = reader
        self._ids: dict[str, list[int]] = {}  # of the words of stems that were expected
        self._said: dict[str, int] = {}  # of the words of names that were
        self._other_names: dict[str, list[str]] = {}
        self._marked: dict[str, list[int]] = {}  # ids of the marks that every question asks for
        self._names: dict[str, int] | None = None  # see `_every_name`
        self._has_read_names = False
        self._any: dict[frozenset[str], tuple[int, ...]] = {}  # ids of groups of stems

    def expect(self, stems: Collection[str], names: Collection[str]) -> None:
        """Read at once, not one by one, what is about to be asked of stems and names."""
        if len(self._ids) + len(self._said) > _MOST_KEPT:
            self._ids.clear()
            self._said.clear()
            self._other_names.clear()
            self._any.clear()
        new = sorted(frozenset(stems).difference(self._ids))
        if new:
            self._ids.update(ids_by_stem(self._connection, new))
        marked = [SAID_BY + name for name in names]
        unknown = [mark for mark in marked if mark not in self._said]
        if unknown:
            known = word_ids(self._connection, unknown)
            self._said.update((mark, known.get(mark, 0)) for mark in unknown)
        # What was expected before the reader mostly has: what it has dropped is read one by one.
        ids = {id_ for stem in new for id_ in self._ids[stem]}
        ids.update(id_ for mark in unknown if (id_ := self._said[mark]))
        if ids:
            self.reader.expect(sorted(ids))

    def _ids_of(self, stem: str) -> list[int]:
        known = self._ids.get(stem)
        if known is None:
            known = ids_by_stem(self._connection, [stem])[stem]
        return known

    def with_stem(self, stem: str) -> H:
        """How often each passage holds a word of this stem; nothing when none does."""
        ids = self._ids_of(stem)
        if not ids and _is_one_unspaced(stem):
            ids = self._around(stem)
        return self.reader.read(ids)

    def with_any(self, stems: Collection[str]) -> H:
        """How often each passage holds a word of one of these stems."""
        group = frozenset(stems)
        ids = self._any.get(group)
        if ids is None:
            ids = tuple(id_ for stem in sorted(group) for id_ in self._ids_of(stem))
            self._any[group] = ids
        return self.reader.read(ids)

    def other_names(self, word: str) -> Sequence[str]:
        """Words that name whoever is called so too: by a note with both names, or by a link.

        Of names of one or two words; of names of their own only where one of them is an alias.
        `[[elise|Kate]]` counts in notes that are the person's own.
        """
        known = self._other_names.get(word)
        if known is None:
            known = self._other_names[word] = self._read_other_names(word)
        return known

    def _read_other_names(self, word: str) -> list[str]:
        rows = self._connection.execute(
            "SELECT DISTINCT o.name FROM names n JOIN names o ON o.note = n.note "
            "WHERE (n.name = ? OR (n.name >= ? AND n.name < ?)) AND o.name <> n.name "
            "AND (n.rank = 1 OR o.rank = 1) ORDER BY o.name",
            # The range ends before '!', the character behind the blank: it holds every name that
            # begins with the word and a blank.
            (word, f"{word} ", f"{word}!"),  # also who begins so: 'kate miller'
        )
        start = f"{MARK}{CALLED}{MARK}{word}"
        links = self._connection.execute(
            "SELECT DISTINCT l.target FROM links l JOIN notes n ON n.first = l.note "
            "WHERE l.target >= ? AND l.target < ? AND n.trust = ? ORDER BY l.target",
            (start, f"{start}!", USER),  # also who begins so
        )
        found = [name for (name,) in rows] + [link.rpartition(MARK)[2] for (link,) in links]
        names = [words(name) for name in found]
        short = [name for name in names if len(name) <= _NAME_WORDS and "".join(name).isalpha()]
        return sorted({part for name in short for part in name} - {word})

    def stems_of(self, words: Sequence[str]) -> frozenset[str]:
        """The stems of those of the words that the vocabulary holds."""
        rows = self._connection.execute(
            f"SELECT stem FROM words WHERE word IN ({', '.join('?' * len(words))})", list(words)
        )
        return frozenset(stem for (stem,) in rows)

    def said_by(self, name: str) -> H:
        """The turns of whoever has this name."""
        known = self._said.get(SAID_BY + name)
        if known is None:
            return self._read_marked(SAID_BY + name)
        return self.reader.read([known] if known else [])

    def about(self, name: str) -> H:
        """The items about whoever, or whatever, has this name."""
        return self._read_marked(ABOUT + name)

    def critical(self) -> H:
        """The items that nobody may overlook."""
        return self._read_mark(CRITICAL)

    def standing(self) -> H:
        """What the person wants from then on."""
        return self._read_mark(STANDING)

    def sure(self) -> H:
        """Of this, what a cue says and not the model alone."""
        return self._read_mark(SURE)

    def telling(self, aspect: str) -> H:
        """The items that tell an aspect of the person: 'home', 'job' or 'age'."""
        return self._read_mark(TELLS + aspect)

    def _read_mark(self, mark: str) -> H:
        """Of one of the few marks, whose ids are kept."""
        ids = self._marked.get(mark)
        if ids is None:
            ids = self._marked[mark] = list(word_ids(self._connection, [mark]).values())
        return self.reader.read(ids)

    def _read_marked(self, word: str) -> H:
        return self.reader.read(list(word_ids(self._connection, [word]).values()))

    def repair(self, word: str) -> dict[str, Similar]:
        """At most MOST_STEMS stems that a misspelt word may have meant, each with its word."""
        # Words over 40 letters are not repaired: 2,000 letters of one unknown word took seconds.
        if not _is_repaired(word):
            return {}
        best: dict[str, Similar] = {}
        for one in self._similar(word, "", LEAST_SIMILARITY):
            stem = self._stem(one.word)
            if stem not in best and len(best) < MOST_STEMS:
                best[stem] = one
        return best

    def repair_stem(self, stem: str) -> dict[str, Similar]:
        """As `repair`, by the stem: 'laetters' meant 'letter' where no note has 'letters'.

        What differs at the end is another form or word: 'entrepreneurial' is no misspelling.
        """
        if not (_is_repaired(stem) and len(stem) >= SHORTEST_STEM):
            return {}
        found: dict[str, Similar] = {}
        inside = [near for near in one_edit(stem) if near[-1] == stem[-1]]
        for some, marks in in_lists(inside):
            for near, word, id_ in self._connection.execute(
                f"SELECT stem, word, id FROM words WHERE stem IN ({marks}) ORDER BY stem, word",
                some,
            ):
                if near not in found and is_alive(self._connection, id_):
                    found[near] = Similar(one_edit_similarity(stem, near), word)
        best = sorted(found, key=lambda near: (-found[near].similarity, near))
        return {near: found[near] for near in best[:MOST_STEMS]}

    def repair_name(self, word: str) -> list[Similar]:
        """Names of people that a misspelt word may have meant, the most similar ones."""
        if not _is_repaired(word) or self._every_name() == {}:
            return []
        found = self._similar(word, SAID_BY, LEAST_NAME_SIMILARITY)
        return [one for one in found if one.similarity == found[0].similarity]

    def _similar(self, word: str, mark: str, least: float) -> list[Similar]:
        """Living words at least so similar, the most similar first, then by the alphabet."""
        ids = self._known_ids(mark, one_edit(word))
        found = self._living(word, mark, least, ids)
        if len(word) < _TWO_EDITS_FROM:
            return found
        heads = [word[: len(word) // 2]]
        if not found:  # an edit in each half: rare enough to be looked for last
            heads += {near[: len(heads[0])] for near in one_edit(heads[0])}
        ids.update(self._beginning(mark, heads, len(word)))
        return self._living(word, mark, least, ids)

    def _known_ids(self, mark: str, words: Collection[str]) -> dict[str, int]:
        """Ids of those of the words, behind the mark, that the vocabulary holds."""
        names = self._every_name() if mark == SAID_BY else None
        if names is None:
            return word_ids(self._connection, [mark + word for word in words])
        return {mark + word: names[word] for word in sorted(names.keys() & words)}

    def _beginning(self, mark: str, heads: Sequence[str], length: int) -> dict[str, int]:
        """Ids of the words, behind the mark, that begin with one of these and are about as long."""
        names = self._every_name() if mark == SAID_BY else None
        if names is not None:
            begins = tuple(heads)
            return {
                mark + name: id_
                for name, id_ in names.items()
                if abs(len(name) - length) <= _OTHER_LENGTH and name.startswith(begins)
            }
        found: dict[str, int] = {}
        lengths = len(mark) + length - _OTHER_LENGTH, len(mark) + length + _OTHER_LENGTH
        # A statement for each of some two hundred beginnings was half of what an unknown word took.
        for some, marks in in_lists([mark + head for head in heads]):
            rows = self._connection.execute(
                f"WITH heads(head) AS (VALUES {marks.replace('?', '(?)')}) "
                "SELECT w.word, w.id FROM heads CROSS JOIN words w "
                "ON w.word >= head AND w.word < head || ? WHERE length(w.word) BETWEEN ? AND ?",
                (*some, _LAST, *lengths),
            )
            found.update(rows)
        return found

    def _every_name(self) -> dict[str, int] | None:
        """Ids by the names of all who ever spoke; None: there are too many to keep."""
        if not self._has_read_names:
            rows = self._connection.execute(
                "SELECT word, id FROM words WHERE word >= ? AND word < ? LIMIT ?",
                (SAID_BY, SAID_BY + _LAST, _MOST_NAMES + 1),
            ).fetchall()
            self._has_read_names = True
            if len(rows) <= _MOST_NAMES:
                self._names = {word.removeprefix(SAID_BY): id_ for word, id_ in rows}
        return self._names

    def _living(self, word: str, mark: str, least: float, ids: dict[str, int]) -> list[Similar]:
        """Of these words those that are similar enough and that some passage holds."""
        letters = set(word)
        # An edit makes two letters differ at most: most words need no comparison, of 20 us.
        names = [
            found
            for found in (marked.removeprefix(mark) for marked in ids)
            if len(letters ^ set(found)) <= 2 * _most_edits(word, found, least)
        ]
        scored = [
            Similar(similarity, found)
            for similarity, found in similarities(word, names)
            if similarity >= least
        ]
        scored.sort(key=lambda one: (-one.similarity, one.word))
        return [one for one in scored if is_alive(self._connection, ids[mark + one.word])]

    def _stem(self, word: str) -> str:
        row = self._connection.execute("SELECT stem FROM words WHERE word = ?", (word,)).fetchone()
        found: str = row[0]
        return found

    def _around(self, character: str) -> list[int]:
        """Ids of the pairs that hold a single character of a script without spaces."""
        rows = self._connection.execute(
            "SELECT id FROM words WHERE word >= ? AND length(word) = 2 AND instr(word, ?)",
            (_FIRST_UNSPACED, character),
        )
        return [id_ for (id_,) in rows]


def _is_repaired(word: str) -> bool:
    return SHORTEST_REPAIRED <= len(word) <= LONGEST_REPAIRED and word.isalpha()


def _is_one_unspaced(stem: str) -> bool:
    return len(stem) == 1 and stem >= _FIRST_UNSPACED


@lru_cache(maxsize=64)  # of one misspelt word four rules ask for them
def one_edit(word: str) -> frozenset[str]:
    """Everything that one deletion, transposition, substitution or insertion leads to."""
    letters = sorted({*_alphabet(word), *word})
    splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    found = {head + tail[1:] for head, tail in splits if tail}
    found.update(head + tail[1] + tail[0] + tail[2:] for head, tail in splits if len(tail) > 1)
    found.update(head + c + tail[1:] for head, tail in splits if tail for c in letters)
    found.update(head + c + tail for head, tail in splits for c in letters)
    return frozenset(found - {word})


def one_edit_similarity(word: str, other: str) -> float:
    """The similarity of two words that one edit parts."""
    return 1 - 1 / max(len(word), len(other))


def _most_edits(word: str, other: str, least: float) -> int:
    """Edits that leave two words so similar."""
    return int((1 - least) * max(len(word), len(other)) + 1e-9)


def _alphabet(word: str) -> Iterable[str]:
    """Letters of the word's script: a-z, or the 64 letters around those that it has."""
    if word.isascii():
        return _LATIN_LETTERS
    blocks = {ord(letter) >> 6 for letter in word if not letter.isascii()}
    letters = [chr(code) for block in blocks for code in range(block << 6, (block + 1) << 6)]
    lower = [letter for letter in letters if letter.isalpha() and letter == letter.lower()]
    return [*lower, *_LATIN_LETTERS] if any(map(str.isascii, word)) else lower


def similarities(word: str, others: Sequence[str]) -> list[tuple[float, str]]:
    """1 - distance / longer length, for each of the others (optimal string alignment)."""
    if len(others) >= _MANY or "rapidfuzz" in sys.modules:
        from rapidfuzz.distance import OSA

        return [(OSA.normalized_similarity(word, other), other) for other in others]
    return [(1 - distance(word, other) / max(len(word), len(other), 1), other) for other in others]


def distance(a: str, b: str) -> int:
    """Optimal string alignment distance: Levenshtein's, with neighbours swapped at a cost of 1.

    Damerau 1964 and Levenshtein 1966 by dynamic programming, three rows at a time.
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
