"""Everyday words asked about in other words: concepts by hand, near words from vectors.

`painkiller` is answered by ibuprofen, `manager` by a boss, `reside` by where somebody lives.
Written by hand in seven languages (tests.bench.everyday_words), read from one file of sorted lines.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from vaultmem.base import NamedTuple
from vaultmem.language import Stems

FILE = Path(__file__).parent / "words" / "everyday.concepts"
MARK = "="  # before the number and language of a concept
ASKED = "?"  # before a phrase of a question
LIFE = "+"  # before a word that is looked up among single statements alone
HEADER = """\
# =concept.language:words that name it|kinds of it|narrower concepts|wider ones
# word:concepts that it names, <those that it is a kind of
# + before a word or a concept: for single statements alone
# ?phrase of a question:concepts of which what names them or is a kind of them answers it
# Made by tests.bench.everyday_words from words that were written for this program by hand.
"""
_DEPTH = 3  # steps down from a concept to kinds of its kinds
_MOST = 400  # kinds: of what has more, only its own

_LONGEST_PHRASE = 4  # words
_GERMAN = "de"
# An ending stands before those that it ends in, so that the longest one is taken off.
_ENDINGS = ["innen", "in", "en", "er", "es", "em", "te", "et", "st", "n", "e", "s", "t"]


class Concept(NamedTuple):
    """What goes with a word."""

    same: tuple[str, ...] = ()  # other words for it
    kinds: tuple[str, ...] = ()  # of it, in its language, and names that all languages share
    wider: tuple[str, ...] = ()  # what it is a kind of
    usual: tuple[tuple[str, ...], ...] = ((), (), ())  # the same without those of `life`


_bare = Stems(())  # no stemmer: it only takes accents away


def is_known(word: str) -> bool:
    """Whether a folded word is in the table as it stands."""
    return bool(line_of(lines_in(FILE), _bare(word).encode("utf-8", "replace")))


def concept_of(word: str) -> Concept:
    """What goes with a folded word; nothing where the table does not know it."""
    same: dict[str, None] = {}
    kinds: dict[str, None] = {}
    wider: dict[str, None] = {}
    # Looked up in the mapped file, line by line: seven files of words read into memory took 2.5 ms
    # of a cold recall, most of it fresh memory for their bytes.
    told = line_of(lines_in(FILE), _bare(word).encode("utf-8", "replace")).decode("utf-8").split()
    if all(each.startswith(LIFE) for each in told):
        told += _of_form(_bare(word)).decode("utf-8").split()
    if not told:
        told = [_life(each) for each in _of_german(_bare(word)).decode("utf-8").split()]
    for marked in dict.fromkeys(told):
        mark = LIFE if marked.startswith(LIFE) else ""
        name = marked.removeprefix(mark)
        number, _, language = name.lstrip("<").partition(".")
        names, _, _, parents = _concept(number, language)
        if name.startswith("<"):
            wider.update(dict.fromkeys(_with_mark(names, mark)))
            continue
        same.update(dict.fromkeys(_with_mark(names, mark)))
        found = _kinds(number, language, _DEPTH)
        if sum(not each.startswith(LIFE) for each in found) > _MOST:
            found = _concept(number, language)[1]
        kinds.update(dict.fromkeys(_with_mark(found, mark)))
        for parent in parents:
            wider.update(dict.fromkeys(_with_mark(_concept(parent, language)[0], mark)))
    usual = [[each for each in some if not each.startswith(LIFE)] for some in (same, kinds, wider)]
    same_ones, kind_ones, wider_ones = _strip_marks(word, same, kinds, wider)
    return Concept(same_ones, kind_ones, wider_ones, _strip_marks(word, *usual))


def _life(marked: str) -> str:
    return LIFE + marked.removeprefix(LIFE)


def _of_german(word: str) -> bytes:
    """What stands after another form of a German word, which English stems tell apart."""
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if not word.endswith(ending) or len(stem) < _SHORTEST:
            continue
        for other in ("", "e", "en", "n"):
            told = line_of(lines_in(FILE), f"{stem}{other}".encode("utf-8", "replace"))
            if told and f".{_GERMAN}".encode() in told:
                return told
    return b""


def _with_mark(words: Sequence[str], mark: str) -> list[str]:
    return [each if each.startswith(LIFE) else mark + each for each in words]


def _strip_marks(word: str, *lists: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Words without their marks, each in the first list that has it."""
    taken = {word}
    found: list[tuple[str, ...]] = []
    for some in lists:
        bare = dict.fromkeys(each.removeprefix(LIFE) for each in some)
        found.append(tuple(each for each in bare if each not in taken))
        taken.update(bare)
    return tuple(found)


def asked_by(said: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Words that answer a question by its phrases: `get to work` is answered by a bus.

    said  the words of the question in their order, folded, without accents
    """
    found: dict[str, tuple[str, ...]] = {}
    known: set[bytes] = set()
    for size in range(_LONGEST_PHRASE, 1, -1):
        for start in range(len(said) - size + 1):
            phrase = " ".join(said[start : start + size])
            told = line_of(lines_in(FILE), f"{ASKED}{phrase}".encode("utf-8", "replace"))
            if not told or told in known:
                continue
            known.add(told)
            words: dict[str, None] = {}
            for name in told.decode("utf-8").split():
                number, _, language = name.partition(".")
                some = [*_concept(number, language)[0], *_kinds(number, language, _DEPTH)]
                words.update(dict.fromkeys(each.removeprefix(LIFE) for each in some))
            found[phrase] = tuple(words)
    return found


_STEMS = Stems(("en",))  # plurals and endings of most languages fall off by it
_SHORTEST = 4
_LONGER = 3  # letters that a form may have more or fewer


def _of_form(word: str) -> bytes:
    """What stands after another form of a word that is not in the table: `painkillers`."""
    stem = _STEMS(word)
    if len(stem) < _SHORTEST:
        return b""
    lines, head = lines_in(FILE), stem.encode()
    low, high = 0, len(lines)
    while low < high:  # the first line from the stem on
        begins = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        ends = lines.find(b"\n", begins)
        low, high = (ends + 1, high) if lines[begins:ends] < head else (low, begins)
    best = b""
    while lines[low : low + len(head)] == head:
        ends = lines.find(b"\n", low)
        found, _, told = lines[low:ends].partition(b":")
        near = found.decode("utf-8")
        if abs(len(near) - len(word)) <= _LONGER and _STEMS(near) == stem:
            if any(not each.startswith(LIFE.encode()) for each in told.split()):
                return told
            best = best or told
        low = ends + 1
    return best


def _kinds(number: str, language: str, depth: int) -> list[str]:
    _, kinds, narrower, _ = _concept(number, language)
    found = list(kinds)
    for each in narrower if depth else ():
        found += [*_concept(each, language)[0], *_kinds(each, language, depth - 1)]
    return found


def _concept(number: str, language: str) -> list[list[str]]:
    """[names, kinds, numbers of narrower concepts, of wider ones] in a language."""
    told = line_of(lines_in(FILE), f"{MARK}{number}.{language}".encode()).decode("utf-8")
    return [some.split() for some in told.split("|")] if told else [[], [], [], []]


# --- near words of six languages, by vectors ---

# English has `thesaurus.py`. Made once by tests/bench/neighbours.py, so that no model is needed to
# read them: for each common word its forms and other words for the same, a bar, then words that are
# only near to it. A question's words are looked up in all files, since a note may be of another
# language than the last; what is no word of the vault finds nothing.
FOLDER = Path(__file__).parent / "words"
NEAR_HEADER = """\
# word:words of like sense|words that are near, of one language, the nearest first.
# Made by tests/bench/neighbours.py from universal-sentence-encoder-multilingual v3 (Google, Apache
# License 2.0); which words there are, from wordfreq 3.1.
"""


class SortedLines(mmap):
    """A file of sorted lines for `line_of`, read where it is looked into: seven took 2.5 ms.

    asked          how often a key was looked for
    keys, starts   of some lines, ascending; read once many keys were looked for
    """

    asked = 0
    keys: Sequence[bytes] = ()
    starts: Sequence[int] = ()
    _every: frozenset[str] | None = None

    def every_key(self) -> frozenset[str]:
        """The keys of all lines, for who asks for hundreds: 2 ms, once, for 6,700 lines."""
        if self._every is None:
            lines = self[:].decode().split("\n")
            self._every = frozenset(
                key for key, told, _ in (x.partition(":") for x in lines) if told
            )
        return self._every

    def learn_starts(self) -> None:
        """Read the key of a line every `_STRETCH` bytes."""
        places = [0]
        for near in range(_STRETCH, len(self), _STRETCH):
            begins = self.find(b"\n", near) + 1
            if places[-1] < begins < len(self):
                places.append(begins)
        self.keys = [self[at : self.find(b"\n", at)].partition(b":")[0] for at in places]
        self.starts = places


@cache
def lines_in(file: Path) -> SortedLines:
    """The lines of a file, opened once."""
    with open(file, "rb") as opened:
        return SortedLines(opened.fileno(), 0, access=ACCESS_READ)


@cache
def _files() -> tuple[Path, ...]:
    return tuple(FOLDER / name for name in sorted(os.listdir(FOLDER)) if name.endswith(".words"))


def near_words(word: str) -> tuple[list[str], list[str]]:
    """(words of like sense, words that are near) of a folded word; forms of it are among them."""
    like: dict[str, None] = {}
    near: dict[str, None] = {}
    key = _bare_near(word).encode("utf-8", "replace")
    for file in _files():
        told = line_of(lines_in(file), key).decode("utf-8")
        if told:
            some, _, others = told.partition("|")
            like.update(dict.fromkeys(some.split()))
            near.update(dict.fromkeys(others.split()))
    return list(like), [each for each in near if each not in like]


_bare_near = Stems(())  # no stemmer: it only takes accents away


_STRETCH = 512  # bytes; some ten lines
# A new word of a question is looked for in seven files, some forty times with its forms: 15 us each
# by halves, 2 with the starts, which take 1 ms a file to learn.
_MANY = 150


def line_of(lines: SortedLines, key: bytes) -> bytes:
    """What stands after a key and its colon among sorted lines; b'' where there is no such line.

    Lines that begin with '#', the head of a file, come before all others. To take them off copied
    each file three times: 5 ms of a cold `recall`, which looks into seven files.
    """
    lines.asked += 1
    if lines.asked > _MANY:
        return _line_by_starts(lines, key)
    low, high = 0, len(lines)
    while low < high:
        begins = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        ends = lines.find(b"\n", begins)
        found, _, told = lines[begins:ends].partition(b":")
        if found == key:
            return told
        low, high = (ends + 1, high) if found < key else (low, begins)
    return b""


def _line_by_starts(lines: SortedLines, key: bytes) -> bytes:
    if not lines.keys:
        lines.learn_starts()
    place = bisect_right(lines.keys, key)
    if not place or b":" in key:
        return b""
    start = lines.starts[place - 1]
    end = lines.starts[place] if place < len(lines.starts) else len(lines)
    if lines.keys[place - 1] != key:
        start = lines.find(b"\n%b:" % key, start, end) + 1
        if not start:
            return b""
    return lines[start + len(key) + 1 : lines.find(b"\n", start)]
