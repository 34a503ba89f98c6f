"""Where phrases that tell an end, a home, a job or an age stand among words. Pure.

The phrases are those of `aspects.toml`; thousands of texts are read by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from vaultmem.base import late
from vaultmem.judgement.features import REMEMBERED_TEXTS
from vaultmem.judgement.introductions import read_packed
from vaultmem.judgement.pairs.numbers import is_number, number_at
from vaultmem.judgement.pairs.persons import Word

_GAP = 5  # words that ` .. ` may stand for
KEY = 3  # letters by which phrases are found
_MARK = late(r"[,;:.!?–—()\n](?=.)|\s-\s")
_RUN = late(r"\S+")
_LONG_RUN = 8  # words without a mark that nobody types
_LEAST_RUN = 2  # words before a break


@lru_cache(maxsize=REMEMBERED_TEXTS)
def spans_in(words: tuple[Word, ...]) -> tuple[tuple[str, int, int], ...]:
    """(kind, first word, behind the last word) of every phrase among words."""
    found = []
    low = [word.low for word in words]
    for start, (word, following) in enumerate(zip(low, [*low[1:], ""], strict=False)):
        if is_number(word):
            for kind, phrase, behind in _phrases_of_number(words, start):
                end = _end(phrase, words, behind)
                if end:
                    found.append((kind, start, end))
        for kind, phrase in _phrases_from_two(word, following):
            end = _end(phrase, words, start)
            if end:
                found.append((kind, start, end))
    return tuple(found)


def _phrases_of_number(
    words: tuple[Word, ...], start: int
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """(kind, words behind it, where these begin) of the phrases that begin with a number here."""
    number, behind = number_at([word.low for word in words[start : start + 3]], 0)
    following = words[start + behind].low if start + behind < len(words) else ""
    for kind, (_, *rest) in _phrases("#") if number else ():
        if not rest or rest[0] in ("..", "#") or _fits(rest[0], following):
            yield kind, tuple(rest), start + behind


@lru_cache(maxsize=1 << 13)
def _phrases_from(word: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(kind, words) of the phrases that may begin with a word; most words begin none.

    Of those with the same three letters in front one in eight does.
    """
    known = read_packed("aspects")["phrases"]
    return tuple(
        (kind, phrase)
        for kind, phrase in (_phrases(word[:KEY]) if word[:KEY] in known else ())
        if _fits(phrase[0], word)
    )


@lru_cache(maxsize=1 << 15)
def _phrases_from_two(word: str, following: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """As `_phrases_from`, of which the second word may be the following one, too; '': none is.

    Of the phrases that begin with 'I' one in ten is left, and each took a call.
    """
    return tuple(
        (kind, phrase)
        for kind, phrase in _phrases_from(word)
        if len(phrase) == 1 or phrase[1] in ("..", "#") or _fits(phrase[1], following)
    )


def _fits(told: str, word: str) -> bool:
    """Whether a word is one of a phrase: the same, or begun as one that ends in a star."""
    return word.startswith(told[:-1]) if told[-1] == "*" else word == told


def _end(phrase: tuple[str, ...], words: tuple[Word, ...], start: int) -> int:
    """Behind the last word of a phrase that begins at `start`; 0: it is another."""
    at = start
    for place, told in enumerate(phrase):
        if told == "..":
            rest = phrase[place + 1 :]
            ends = (_end(rest, words, at + gap) for gap in range(_GAP + 1))
            return next((end for end in ends if end), 0)
        if at >= len(words):
            return 0
        if told == "#":
            number, behind = number_at([word.low for word in words[at : at + 3]], 0)
            if not number:
                return 0
            at += behind
            continue
        if not _fits(told, words[at].low):
            return 0
        at += 1
    return at


@cache
def _phrases(key: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(kind, words) of the phrases whose first word begins so."""
    told = read_packed("aspects")["phrases"][key].split("|")
    return tuple((kind, tuple(phrase)) for kind, *phrase in map(str.split, told))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def with_marks(text: str) -> str:
    """A text with commas where its clauses begin, if it is long and has no mark: dictated speech.

    'They rang they've shifted the scan to the 26th' tells two things, of which one is a change.
    """
    # Of 21 ends that one person dictated 4 were seen without it, and 9 with it.
    runs = list(_RUN.finditer(text))
    if len(runs) < _LONG_RUN or _MARK.search(text.rstrip(" .!?")):
        return text
    low = [run[0].lower() for run in runs]
    breaks, joined = _breaks()
    cuts, last = [], 0
    for at in range(_LEAST_RUN, len(low) - 1):
        begins = low[at] in breaks or f"{low[at]} {low[at + 1]}" in breaks
        if not begins or at - last < _LEAST_RUN or low[at - 1] in joined:
            continue
        cuts.append(runs[at - 1].end())
        last = at
    for cut in reversed(cuts):
        text = f"{text[:cut]},{text[cut:]}"
    return text


@cache
def _breaks() -> tuple[frozenset[str], frozenset[str]]:
    words = read_packed("aspects")["words"]
    return frozenset(words["breaks"].split("|")), frozenset(words["joined"].split())
