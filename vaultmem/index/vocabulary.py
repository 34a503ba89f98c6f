"""The words of the index: their ids, their stems, and what white-space chunks are made of."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from vaultmem.analysis import LONGEST_WORD, Stems, content_words

# A word of postings that is no word of the text: a passage's speaker, or whom an item is about.
# Text never holds it, because words are letters and digits.
ABOUT = "@"
_MOST_PARAMETERS = 900  # SQLite before 3.32 takes 999
_REMEMBERED_CHUNKS = 100_000  # about 30 MB


class Chunks(dict[str, tuple[int, ...]]):
    """Word ids of chunks of text (what stands between white space), worked out once each.

    Most of a text is chunks seen before, so that indexing it is look-ups in a dictionary.
    New words are remembered until `write`; after a rollback everything is to be forgotten.
    """

    def __init__(self, connection: sqlite3.Connection, stems: Stems) -> None:
        super().__init__()
        self._connection = connection
        self._stems = stems
        self._ids: dict[str, int] = {}
        self._new: list[tuple[str, int, str]] = []
        self._next = 0
        self._is_complete = False

    def load(self, next_word: int) -> None:
        """Begin with the words of the file as it is now; `next_word` is the first free id."""
        self.clear()
        self._ids.clear()
        self._new.clear()
        self._next = next_word
        self._is_complete = next_word == 1  # nothing to look up in an empty vocabulary

    @property
    def next_word(self) -> int:
        return self._next

    def __missing__(self, chunk: str) -> tuple[int, ...]:
        if len(self) >= _REMEMBERED_CHUNKS:
            self.clear()
        found = tuple(self.id_of(word) for word in content_words(chunk))
        if len(chunk) <= LONGEST_WORD:
            self[chunk] = found
        return found

    def id_of(self, word: str) -> int:
        """The id of a word, a new one if need be."""
        known = self._ids.get(word)
        if known is not None:
            return known
        row = None
        if not self._is_complete:
            row = self._connection.execute(
                "SELECT id FROM words WHERE word = ?", (word,)
            ).fetchone()
        if row is not None:
            found: int = row[0]
        else:
            found = self._next
            self._next += 1
            stem = word if word[0] == ABOUT else self._stems(word)
            self._new.append((word, found, stem))
        self._ids[word] = found
        return found

    def write(self) -> None:
        """Write the words that are new."""
        self._connection.executemany("INSERT INTO words VALUES(?, ?, ?)", sorted(self._new))
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
