"""Words of six languages that are of like sense, by vectors of words: one file a language.

English has `thesaurus.py`. Made once by tests/bench/neighbours.py, so that no model is needed to
read them: for each common word its forms and other words for the same, a bar, then words that are
only near to it. A question's words are looked up in all files, since a note may be of another
language than the last; what is no word of the vault finds nothing.
"""

from __future__ import annotations

import os
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from vaultmem.language import Stems

FOLDER = Path(__file__).parent / "words"
HEADER = """\
# word:words of like sense|words that are near, of one language, the nearest first.
# Made by tests/bench/neighbours.py from universal-sentence-encoder-multilingual v3 (Google, Apache
# License 2.0); which words there are, from wordfreq 3.1.
"""


@cache
def lines_in(file: Path) -> mmap:
    """Sorted lines for `line_of`, read where they are looked into: seven files took 2.5 ms."""
    with open(file, "rb") as opened:
        return mmap(opened.fileno(), 0, access=ACCESS_READ)


@cache
def _files() -> tuple[Path, ...]:
    return tuple(FOLDER / name for name in sorted(os.listdir(FOLDER)) if name.endswith(".words"))


def near_words(word: str) -> tuple[list[str], list[str]]:
    """(words of like sense, words that are near) of a folded word; forms of it are among them."""
    like: dict[str, None] = {}
    near: dict[str, None] = {}
    key = _bare(word).encode("utf-8", "replace")
    for file in _files():
        told = line_of(lines_in(file), key).decode("utf-8")
        if told:
            some, _, others = told.partition("|")
            like.update(dict.fromkeys(some.split()))
            near.update(dict.fromkeys(others.split()))
    return list(like), [each for each in near if each not in like]


_bare = Stems(())  # no stemmer: it only takes accents away


def line_of(lines: mmap, key: bytes) -> bytes:
    """What stands after a key and its colon among sorted lines; b'' where there is no such line.

    Lines that begin with '#', the head of a file, come before all others. To take them off copied
    each file three times: 5 ms of a cold `recall`, which looks into seven files.
    """
    low, high = 0, len(lines)
    while low < high:
        begins = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        ends = lines.find(b"\n", begins)
        found, _, told = lines[begins:ends].partition(b":")
        if found == key:
            return told
        low, high = (ends + 1, high) if found < key else (low, begins)
    return b""
