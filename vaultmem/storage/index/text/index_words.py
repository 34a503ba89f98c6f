"""The words of the index: what chunks of text are made of, their ids and stems in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from vaultmem.base import NamedTuple
from vaultmem.language import (
    LONGEST_WORD,
    STOP_WORDS,
    Stems,
    capital_names,
    content_words,
    words,
)
from vaultmem.storage.index.store.sqlite import in_lists, sqlite3

# Before words that are not of the text: names of who speaks, and of what an item is about.
# No word of a text begins so, because words are letters and digits.
SAID_BY = "@"
ABOUT = "&"
CRITICAL = "!critical"  # an item that nobody may overlook
STANDING = "!standing"  # the person says how they want things, from then on
SURE = "!sure"  # beside it: a cue says so, and not the model alone
TELLS = "!tells-"  # before 'home', 'job' or 'age': an item that tells it of the person
SELF = "user"  # who says I in a log of a person and an assistant, and in the slots of facts
_REMEMBERED_CHUNKS = 200_000  # about 30 MB
_REMEMBERED_FIELDS = 20_000

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

    Most of a text is chunks seen before, so that counting its words is look-ups in a
    dictionary. Words are numbered from 1 in the order in which they are met.
    """

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}
        self._words: list[str] = [""]  # by number
        self._temporal: set[int] = set()
        self._several: list[tuple[int, ...]] = []
        self._marked: dict[str, tuple[int, ...]] = {}
        self._fields: dict[str, tuple[int, ...]] = {}

    def word(self, number: int) -> str:
        """The word of a number."""
        return self._words[number]

    def count(self, chunks: Sequence[str]) -> Counted:
        """The words of a passage."""
        # Both are cleared together: a chunk of several words is a place in the other list.
        if len(self) >= _REMEMBERED_CHUNKS:
            self.clear()
            self._several.clear()
        counts: dict[int, int] = Counter(map(self.__getitem__, chunks))
        of_self = counts.pop(_SELF, 0)
        length = len(chunks) - of_self - counts.pop(_NOTHING, 0)
        if counts and min(counts) <= _SEVERAL:
            length += self._spread(counts)
        is_temporal = not self._temporal.isdisjoint(counts)
        return Counted(counts, length, of_self > 0, is_temporal)

    def with_capitals(self, counted: Counted, text: str) -> Counted:
        """The words of a passage with names in it that are stop words in small letters.

        `WHO` has the place of the word `who`, which no text has: stop words are not counted.
        """
        names = capital_names(text)
        if not names:
            return counted
        for name in names:
            number = self._number(name)
            counted.counts[number] = counted.counts.get(number, 0) + 1
        return counted._replace(length=counted.length + len(names))

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

    def mark_words(self, mark: str, names: str) -> tuple[int, ...]:
        """The words of names, marked as SAID_BY or ABOUT."""
        key = mark + names
        found = self._marked.get(key)
        if found is None:
            if len(self._marked) >= _REMEMBERED_FIELDS:
                self._marked.clear()
            found = self._marked[key] = tuple(self._number(mark + word) for word in words(names))
        return found

    def __missing__(self, chunk: str) -> int:
        bare = chunk.strip(_EDGES)
        if bare in _OF_SELF:
            found = _SELF
        elif bare in STOP_WORDS:
            found = _NOTHING
        elif bare.isascii() and bare.isalnum():
            found = self._number(bare[:LONGEST_WORD])
        else:
            found = self._number_of_several(content_words(chunk))
        self[chunk] = found
        return found

    def _number_of_several(self, several: tuple[str, ...]) -> int:
        if len(several) <= 1:
            return self._number(several[0]) if several else _NOTHING
        self._several.append(tuple(map(self._number, several)))
        return _SEVERAL - (len(self._several) - 1)

    def critical(self) -> int:
        """The word of what is critical."""
        return self._number(CRITICAL)

    def standing(self) -> int:
        """The word of what the person wants from then on."""
        return self._number(STANDING)

    def sure(self) -> int:
        """The word of what surely is so."""
        return self._number(SURE)

    def telling(self, aspect: str) -> int:
        """The word of what tells an aspect of the person."""
        return self._number(TELLS + aspect)

    def _number(self, word: str) -> int:
        """The number of a word, a new one if need be."""
        known = self._numbers.get(word)
        if known is None:
            known = self._numbers[word] = len(self._words)
            self._words.append(word)
            if word in _TEMPORAL or word[0].isdigit():
                self._temporal.add(known)
        return known


class Vocabulary:
    """The ids of words in the file; new words are kept until `write`.

    After a rollback, or when another process has written, everything is to be loaded again.
    """

    def __init__(self, connection: sqlite3.Connection, stems: Stems) -> None:
        self._connection = connection
        self._stems = stems
        self._ids: dict[str, int] = {}
        self._new: list[tuple[str, int]] = []
        self._next = 1
        self._is_complete = False

    @property
    def next_word(self) -> int:
        """The first id that no word has."""
        return self._next

    def load(self, next_word: int) -> None:
        """Begin with the words of the file as it is now; `next_word` is the first free id."""
        self._ids.clear()
        self._new.clear()
        self._next = next_word
        self._is_complete = next_word == 1  # nothing to look up in an empty vocabulary

    def ids_of(self, words: Iterable[tuple[str, int]]) -> dict[int, int]:
        """Ids in the file by the numbers of words elsewhere; new ones for new words."""
        numbered = list(words)
        ids = self._ids
        unknown = [word for word, _ in numbered if word not in ids]
        if unknown:
            if not self._is_complete:
                ids.update(word_ids(self._connection, unknown))
            for word in unknown:
                if word not in ids:
                    ids[word] = self._next
                    self._new.append((word, self._next))
                    self._next += 1
        return {number: ids[word] for word, number in numbered}

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
    for some, marks in in_lists(words):
        rows = connection.execute(f"SELECT word, id FROM words WHERE word IN ({marks})", some)
        found.update(rows)
    return found


def ids_by_stem(connection: sqlite3.Connection, stems: Sequence[str]) -> dict[str, list[int]]:
    """For each of the stems the ids of the words that have it, by word, dead ones too."""
    found: dict[str, list[int]] = {stem: [] for stem in stems}
    for some, marks in in_lists(stems):
        for stem, id_ in connection.execute(
            f"SELECT stem, id FROM words WHERE stem IN ({marks}) ORDER BY stem, word", some
        ):
            found[stem].append(id_)
    return found
