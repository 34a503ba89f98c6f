"""A small language for cue phrases, matched word by word: linear, readable, no regex compiled.

i ~ prefer|favour !not      'i', any adverbs, one of two words, and then not 'not'
my <2 preference            at most 2 words between
^ decided to                only where the sentence begins
our? team @verbs            an optional word, one of a named list
Name                        a word with a capital letter or a quoted title; `_` any word
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.extraction.lexicon import ADVERBS

_WORD = re.compile(r"\w+(?:['./+#&-]\w+)*[+#]*|§+|[^\w\s]")
_CLITICS = {
    "m": ("am",),
    "re": ("are",),
    "ve": ("have",),
    "ll": ("will",),
    "d": ("would",),
    "s": ("'s",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """A sentence as words and marks; contractions are two words (i'm: i am, name's: name 's)."""

    lower: tuple[str, ...]
    raw: tuple[str, ...]
    start: tuple[int, ...]  # characters in the masked sentence
    end: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.lower)

    def at(self, i: int) -> str:
        """The word there in lower case, '' outside."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def is_word(self, i: int) -> bool:
        """Whether a word or something masked stands there, not a mark."""
        word = self.at(i)
        return bool(word) and (word[0].isalnum() or word[0] in "§_")

    def tail(self, i: int) -> Tokens:
        """The words from `i` on; their places stay those in the sentence."""
        return Tokens(
            lower=self.lower[i:], raw=self.raw[i:], start=self.start[i:], end=self.end[i:]
        )

    def renamed(self, name: str) -> Tokens:
        """The same with another first word, a name in place of a pronoun."""
        return Tokens(
            lower=(name.lower(), *self.lower[1:]),
            raw=(name, *self.raw[1:]),
            start=self.start,
            end=self.end,
        )

    def is_capital(self, i: int) -> bool:
        """Whether the word there begins with a capital letter."""
        return 0 <= i < len(self.raw) and self.raw[i][0].isupper()


def tokens_of(masked: str) -> Tokens:
    """The words and marks of a masked sentence."""
    lower: list[str] = []
    raw: list[str] = []
    start: list[int] = []
    end: list[int] = []
    for found in _WORD.finditer(masked):
        word, first, last = found[0], found.start(), found.end()
        base, quote, clitic = word.rpartition("'")
        parts = _CLITICS.get(clitic.lower()) if quote else None
        if parts is not None:
            middle = first + len(base)
            lower += (base.lower(), parts[0])
            raw += (base, parts[0])
            start += (first, middle)
            end += (middle, last)
        else:
            lower.append(word.lower())
            raw.append(word)
            start.append(first)
            end.append(last)
    return Tokens(lower=tuple(lower), raw=tuple(raw), start=tuple(start), end=tuple(end))


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One step of a pattern."""

    kind: str  # word, not, gap, any, name, adverbs
    words: frozenset[str] = frozenset()
    most: int = 1  # gap: how many words at most
    is_optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A phrase that speaks for something: what for, and its pattern."""

    name: str  # 'preference:i-prefer'
    kind: str
    where: str  # letters of the situations in which it counts; '' all
    elements: tuple[Element, ...]
    is_anchored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CueHit:
    """A cue found at words `[start, end)`."""

    cue: Cue
    start: int
    end: int


class CueTable:
    """Cues sorted by their first word, so that one look a word finds those that may begin there."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self._by_first: dict[str, list[Cue]] = {}
        self._anywhere: list[Cue] = []
        for cue in cues:
            first = cue.elements[0]
            if first.kind == "word" and not first.is_optional:
                for word in sorted(first.words):
                    self._by_first.setdefault(word, []).append(cue)
            else:
                self._anywhere.append(cue)

    def find(self, tokens: Tokens, *, where: str = "", begin: int = 0) -> Iterator[CueHit]:
        """Every cue of a situation (a letter) from word `begin` on, in order of place."""
        for i in range(begin, len(tokens)):
            cues = self._by_first.get(tokens.lower[i], ())
            for cue in (*cues, *self._anywhere) if i == begin else cues:
                if cue.is_anchored and i != begin:
                    continue
                if where and cue.where and where not in cue.where:
                    continue
                end = match(cue.elements, tokens, i)
                if end is not None:
                    yield CueHit(cue=cue, start=i, end=end)


def read_cues(table: str, lists: Mapping[str, frozenset[str]]) -> CueTable:
    """Cues from lines of `name [@where] : pattern`; blank lines and lines with # are skipped.

    The kind is what stands before the colon in the name: 'preference/likes' is of the kind
    'preference'. `lists` are the words behind `@names`.
    """
    cues = []
    for line in table.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, _, pattern = line.partition(" : ")
        name, _, where = head.strip().partition("@")
        words = pattern.split()
        anchored = words[0] == "^"
        cues.append(
            Cue(
                name=name.strip().replace("/", ":"),
                kind=name.strip().partition("/")[0],
                where=where,
                elements=tuple(_element(word, lists) for word in words[anchored:]),
                is_anchored=anchored,
            )
        )
    return CueTable(cues)


def _element(word: str, lists: Mapping[str, frozenset[str]]) -> Element:
    if word == "~":
        return Element(kind="adverbs")
    if word == "_":
        return Element(kind="any")
    if word in ("Name", "Name?"):
        return Element(kind="name", is_optional=word.endswith("?"))
    if word[0] == "<":
        return Element(kind="gap", most=int(word[1:]))
    optional = word.endswith("?")
    negated = word[0] == "!"
    choices: set[str] = set()
    for choice in word.strip("!?").split("|"):
        choices |= lists[choice[1:]] if choice.startswith("@") else {choice}
    kind = "not" if negated else "word"
    return Element(kind=kind, words=frozenset(choices), is_optional=optional)


def match(elements: Sequence[Element], tokens: Tokens, i: int, k: int = 0) -> int | None:
    """Where a pattern that begins at word `i` ends, or None. Gaps are as short as possible."""
    while k < len(elements):
        element = elements[k]
        if element.kind == "adverbs":
            wanted = elements[k + 1].words if k + 1 < len(elements) else frozenset()
            while tokens.at(i) in ADVERBS and tokens.at(i) not in wanted:
                i += 1
        elif element.kind == "gap":
            return _match_gap(elements, tokens, i, k)
        elif element.kind == "not":
            if tokens.at(i) in element.words:
                return None
        elif _fits(element, tokens, i):
            if element.is_optional:
                taken = match(elements, tokens, i + 1, k + 1)
                if taken is not None:
                    return taken
            else:
                i += 1
        elif not element.is_optional:
            return None
        k += 1
    return i


def _match_gap(elements: Sequence[Element], tokens: Tokens, i: int, k: int) -> int | None:
    for skipped in range(elements[k].most + 1):
        if skipped and not tokens.is_word(i + skipped - 1):
            return None
        end = match(elements, tokens, i + skipped, k + 1)
        if end is not None:
            return end
    return None


def _fits(element: Element, tokens: Tokens, i: int) -> bool:
    if element.kind == "word":
        return tokens.at(i) in element.words
    if element.kind == "name":
        quoted = tokens.at(i)[:1] == "§"  # a title: 'I loved "Dune"'
        return quoted or (tokens.is_capital(i) and tokens.at(i) != "i")
    return tokens.is_word(i)
