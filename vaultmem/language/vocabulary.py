"""Words and phrases of the languages by subject, as the rooms use them (docs/languages.md).

People edit `words/LANGUAGE/SUBJECT.txt`; what is read is `words.packed`, made of all of them. With
a file a language and subject a cold `remember` would open 140.
"""

from __future__ import annotations

from functools import cache
from os.path import dirname, join

from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKED = join(dirname(__file__), "words.packed")
MOST_INDEX = 8192  # bytes; it has 1,000 for 50 subjects
HEADER = "# Made by tests/bench/words.py; edit the files in words/ instead.\n"


@cache
def vocabulary(subject: str, language: str = "") -> Mapping[str, str]:
    """What each section of a subject has, with a `|` between its lines; '' where it has none.

    language  '': what all languages have, one after another; else of one (`languages_of`)
    raises KeyError for a subject that no file has
    """
    return _sections(subject, language, "|")


@cache
def phrases(subject: str, language: str = "") -> Mapping[str, tuple[str, ...]]:
    """As `vocabulary`, line by line."""
    found = _sections(subject, language, "\t")
    return {key: tuple(lines.split("\t")) if lines else () for key, lines in found.items()}


def _sections(subject: str, language: str, between: str) -> dict[str, str]:
    first, text = _text(subject)
    start, size = _places()[subject][language]
    told = text[start - first : start - first + size].decode().replace("\t", between)
    return {key: value for key, _, value in (row.partition("=") for row in told.split("\n"))}


def word_list(words: str) -> list[str]:
    """The words of a section of `vocabulary`, in which any number stands in a line."""
    return words.replace("|", " ").split()


def languages_of(subject: str) -> tuple[str, ...]:
    """The languages that a subject is read by, English first; () where all are read at once."""
    return tuple(filter(None, _places()[subject]))


@cache
def _text(subject: str) -> tuple[int, bytes]:
    """Where a subject begins, and all its languages, which lie side by side."""
    places = _places()[subject].values()
    first = min(start for start, _ in places)
    with open(PACKED, "rb", buffering=0) as file:
        file.seek(first)
        return first, file.read(sum(size + 1 for _, size in places))


@cache
def _places() -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """By subject and language ('': all) where it begins, and how many bytes it has.

    A command wants a tenth of the file: to read all of it took .4 ms of a cold `recall`.
    """
    with open(PACKED, "rb", buffering=0) as file:
        header, index, *_ = file.read(MOST_INDEX).split(b"\n", 2)
    start = len(header) + len(index) + 2
    places: dict[str, dict[str, tuple[int, int]]] = {}
    for told in index.decode().split():
        title, _, size = told.rpartition(":")
        subject, _, language = title.partition("/")
        places.setdefault(subject, {})[language] = start, int(size)
        start += int(size) + 1
    return places
