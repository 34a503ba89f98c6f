"""Words and phrases of the languages by subject, as the rooms use them (docs/languages.md). Pure.

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
    rows = _subjects()[f"{subject}/{language}" if language else subject].decode()
    told = rows.replace("\t", between).split("\n")
    return {key: value for key, _, value in (row.partition("=") for row in told)}


def word_list(words: str) -> list[str]:
    """The words of a section of `vocabulary`, in which any number stands in a line."""
    return words.replace("|", " ").split()


def languages_of(subject: str) -> tuple[str, ...]:
    """The languages that a subject is read by, English first; () where all are read at once."""
    found = (title.partition("/") for title in _subjects())
    return tuple(language for name, _, language in found if name == subject and language)


@cache
def _subjects() -> Mapping[str, bytes]:
    """As they lie: a command wants few of them, and decoding all takes three times as long."""
    with open(PACKED, "rb", buffering=0) as file:
        text = file.read()
    parts = (part.partition(b"]\n") for part in text.split(b"\n[")[1:])
    return {title.decode(): rows.rstrip(b"\n") for title, _, rows in parts}
