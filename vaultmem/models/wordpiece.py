"""Texts cut into the pieces that BERT models read (Devlin et al. 2019; Wu et al. 2016, WordPiece).

As `BertTokenizer` of the uncased models does it: controls dropped, Chinese characters apart, lower
case, accents dropped, punctuation apart, then of each word the longest beginnings that the
vocabulary has. The vocabulary is that of bert-base-uncased, which all-MiniLM-L6-v2 uses, too
(Google, Apache-2.0), one piece a line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

VOCABULARY = Path(__file__).with_name("bert_uncased.vocabulary")
_LONGEST_WORD = 100  # characters; longer ones are unknown
_CHINESE = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    *((0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F)),
)


class WordPiece:
    """Numbers of pieces, by their line in the vocabulary."""

    def __init__(self) -> None:
        pieces = VOCABULARY.read_text(encoding="utf-8").split("\n")
        self._numbers = {piece: number for number, piece in enumerate(pieces) if piece}
        self._unknown, self._first, self._last = (
            self._numbers[piece] for piece in ("[UNK]", "[CLS]", "[SEP]")
        )
        self._known: dict[str, tuple[int, ...]] = {}

    def numbers(self, text: str, *, most: int) -> list[int]:
        """The pieces of a text between the marks of its beginning and its end, at most `most`."""
        found: list[int] = []
        for word in _words(text):
            if word not in self._known:
                self._known[word] = self._pieces(word)
            found += self._known[word]
            if len(found) >= most - 2:
                break
        return [self._first, *found[: most - 2], self._last]

    def _pieces(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found, start = [], 0
        while start < len(word):
            lead = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(lead + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def _words(text: str) -> Iterator[str]:
    """Words in lower case without accents; every sign is a word of its own."""
    spaced = "".join(map(_spaced, text))
    for part in spaced.split():
        bare = unicodedata.normalize("NFD", part.lower())
        word = ""
        for one in bare:
            if unicodedata.category(one) == "Mn":
                continue
            if _is_sign(one):
                if word:
                    yield word
                yield one
                word = ""
            else:
                word += one
        if word:
            yield word


def _spaced(one: str) -> str:
    if one in "\t\n\r ":
        return " "
    code = ord(one)
    if code in (0, 0xFFFD) or unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    if unicodedata.category(one) == "Zs":
        return " "
    if code >= _CHINESE[0][0] and any(low <= code <= high for low, high in _CHINESE):
        return f" {one} "
    return one


def _is_sign(one: str) -> bool:
    code = ord(one)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(one)[0] == "P"
