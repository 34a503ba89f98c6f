"""The words of the index: their ids, their stems, and what white-space chunks are made of."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from vaultmem.analysis import LONGEST_WORD, STOP_WORDS, Stems, content_words, words

# Before words that are not of the text: names of who speaks, and of what an item is about.
# No word of a text begins so, because words are letters and digits.
SAID_BY = "@"
ABOUT = "&"
_REMEMBERED_CHUNKS = 200_000  # about 30 MB
_REMEMBERED_FIELDS = 20_000
_MOST_PARAMETERS = 900  # SQLite before 3.32 takes 999

# What a chunk may come to besides the id of one word (> 0).
_NOTHING = 0  # stop words or no words
_SELF = -1  # a stop word of the first person
_SEVERAL = -2  # this and below: several words

_WORDS_OF_SELF = "i me my mine we us our ours i'm i've i'd i'll we're we've we'd we'll"
_WORDS_OF_TIME = """
    yesterday today tomorrow tonight last next ago week weeks weekend month months year years day
    days monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december recently since morning evening
    summer winter spring autumn fall
"""
_OF_SELF = frozenset(_WORDS_OF_SELF.split())
_TEMPORAL = frozenset(_WORDS_OF_TIME.split())
_EDGES = ".,!?;:\"'()*_-[]"


class Counted(NamedTuple):
    """What a passage's words come to."""

    counts: dict[int, int]  # by word id
    length: int  # content words, repeated ones too
    of_self: bool  # it says I, me or we
    is_temporal: bool  # it names a day, a month, a number


class Chunks(dict[str, int]):
    """What a chunk of text (between white space, in lower case) comes to, worked out once each.

    Most of a text is chunks seen before, so that indexing it is look-ups in a dictionary.
    New words are remembered until `write`; after a rollback everything is to be forgotten.
    """

    def __init__(self, connection: sqlite3.Connection, stems: Stems) -> None:
        super().__init__()
        self._connection = connection
        self._stems = stems
        self._ids: dict[str, int] = {}
        self._temporal: set[int] = set()
        self._several: list[tuple[int, ...]] = []
        self._marked: dict[str, tuple[int, ...]] = {}
        self._fields: dict[str, tuple[int, ...]] = {}
        self._new: list[tuple[str, int]] = []
        self._next = 0
        self._is_complete = False

    def load(self, next_word: int) -> None:
        """Begin with the words of the file as it is now; `next_word` is the first free id."""
        self._forget_chunks()
        self._ids.clear()
        self._temporal.clear()
        self._marked.clear()
        self._fields.clear()
        self._new.clear()
        self._next = next_word
        self._is_complete = next_word == 1  # nothing to look up in an empty vocabulary

    @property
    def next_word(self) -> int:
        """The first id that no word has."""
        return self._next

    def count(self, chunks: Sequence[str]) -> Counted:
        """The words of a passage."""
        if len(self) >= _REMEMBERED_CHUNKS:
            self._forget_chunks()
        counts: dict[int, int] = Counter(map(self.__getitem__, chunks))
        of_self = counts.pop(_SELF, 0)
        length = len(chunks) - of_self - counts.pop(_NOTHING, 0)
        if counts and min(counts) <= _SEVERAL:
            length += self._spread(counts)
        is_temporal = not self._temporal.isdisjoint(counts)
        return Counted(counts, length, of_self > 0, is_temporal)

    def _spread(self, counts: dict[int, int]) -> int:
        """Count chunks of several words by their words; how many words more these are."""
        more = 0
        for chunk in [one for one in counts if one <= _SEVERAL]:
            times = counts.pop(chunk)
            several = self._several[_SEVERAL - chunk]
            more += times * (len(several) - 1)
            for word in several:
                counts[word] = counts.get(word, 0) + times
        return more

    def ids(self, text: str) -> tuple[int, ...]:
        """The distinct words of a short text that is likely to come again."""
        found = self._fields.get(text)
        if found is None:
            if len(self._fields) >= _REMEMBERED_FIELDS:
                self._fields.clear()
            found = self._fields[text] = tuple(self.count(text.lower().split()).counts)
        return found

    def marked(self, mark: str, names: str) -> tuple[int, ...]:
        """The words of names, marked as SAID_BY or ABOUT."""
        key = mark + names
        found = self._marked.get(key)
        if found is None:
            if len(self._marked) >= _REMEMBERED_FIELDS:
                self._marked.clear()
            found = self._marked[key] = tuple(self._id_of(mark + word) for word in words(names))
        return found

    def __missing__(self, chunk: str) -> int:
        bare = chunk.strip(_EDGES)
        if bare in _OF_SELF:
            found = _SELF
        elif bare in STOP_WORDS:
            found = _NOTHING
        elif bare.isascii() and bare.isalnum():
            found = self._id_of(bare[:LONGEST_WORD])
        else:
            found = self._id_of_several(content_words(chunk))
        self[chunk] = found
        return found

    def _id_of_several(self, several: tuple[str, ...]) -> int:
        if len(several) <= 1:
            return self._id_of(several[0]) if several else _NOTHING
        self._several.append(tuple(map(self._id_of, several)))
        return _SEVERAL - (len(self._several) - 1)

    def _id_of(self, word: str) -> int:
        """The id of a word, a new one if need be."""
        known = self._ids.get(word)
        if known is None:
            known = 0 if self._is_complete else self._stored(word)
            if not known:
                known = self._next
                self._next += 1
                self._new.append((word, known))
            self._ids[word] = known
            if word in _TEMPORAL or word[0].isdigit():
                self._temporal.add(known)
        return known

    def _stored(self, word: str) -> int:
        """The id of a word of the file; 0 when it has none."""
        row = self._connection.execute("SELECT id FROM words WHERE word = ?", (word,)).fetchone()
        return int(row[0]) if row is not None else 0

    def _forget_chunks(self) -> None:
        self.clear()
        self._several.clear()

    def write(self) -> None:
        """Write the words that are new."""
        self._new.sort()
        stems = self._stems.many([word for word, _ in self._new])
        self._connection.executemany(
            "INSERT INTO words VALUES(?, ?, ?)",
            [(word, id_, stem) for (word, id_), stem in zip(self._new, stems, strict=True)],
        )
        self._new.clear()


def words_with_stem(connection: sqlite3.Connection, stem: str) -> list[tuple[str, int]]:
    """(word, id) of every word with this stem, dead ones too."""
    return connection.execute(
        "SELECT word, id FROM words WHERE stem = ? ORDER BY word", (stem,)
    ).fetchall()


def word_ids(connection: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
    """Ids of those of the words that the vocabulary holds."""
    found: dict[str, int] = {}
    for start in range(0, len(words), _MOST_PARAMETERS):
        some = words[start : start + _MOST_PARAMETERS]
        rows = connection.execute(
            f"SELECT word, id FROM words WHERE word IN ({', '.join('?' * len(some))})", some
        )
        found.update(rows)
    return found
