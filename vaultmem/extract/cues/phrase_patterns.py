"""A small language for cue phrases, matched word by word: linear, readable, no regex compiled.

i ~ prefer|favour !not      'i', any adverbs, one of two words, and then not 'not'
my <2 preference            at most 2 words between
^ decided to                only where the sentence begins
our? team @verbs            an optional word, one of a named list
Name                        a word with a capital letter or a quoted title; `_` any word
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from vaultmem.base import NamedTuple, late
from vaultmem.extract.cues.lexicon import ADVERBS, words

_WORD = late(r"\w+(?:['./+#&-]\w+)*[+#]*|§+|[^\w\s]")
_CLITICS = {
    "m": ("am",),
    "re": ("are",),
    "ve": ("have",),
    "ll": ("will",),
    "d": ("would",),
    "s": ("'s",),
}


_COMMON = words(
    "i we my our is are was am 's to a the in on of for at with have will that not : , and as it"
)


class Tokens(NamedTuple):
    """A sentence as words and marks; contractions are two words (i'm: i am, name's: name 's).

    The small records of this folder are named tuples and not dataclasses: each dataclass takes
    0.7 ms to define, a named tuple 0.1, and a dozen of them lie on the cold path of `remember`.
    """

    lower: tuple[str, ...]
    raw: tuple[str, ...]
    start: tuple[int, ...]  # characters in the masked sentence
    end: tuple[int, ...]
    present: frozenset[str]  # the words of `lower`, for a first look

    @property
    def size(self) -> int:
        """How many words and marks there are."""
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
        if i == 0:
            return self
        lower = self.lower[i:]
        return Tokens(
            lower=lower,
            raw=self.raw[i:],
            start=self.start[i:],
            end=self.end[i:],
            present=frozenset(lower),
        )

    def with_first_word(self, name: str) -> Tokens:
        """The same with another first word, a name in place of a pronoun."""
        return Tokens(
            present=self.present | {name.lower()},
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
        if parts is not None and word.lower() != "let's":
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
    return Tokens(
        lower=tuple(lower),
        raw=tuple(raw),
        start=tuple(start),
        end=tuple(end),
        present=frozenset(lower),
    )


class Element(NamedTuple):
    """One step of a pattern."""

    kind: str  # word, not, gap, any, name, adverbs
    words: frozenset[str] = frozenset()
    most: int = 1  # gap: how many words at most
    is_optional: bool = False


class Cue(NamedTuple):
    """A phrase that speaks for something: what for, and its pattern."""

    name: str  # 'preference:i-prefer'
    kind: str
    where: str  # letters of the situations in which it counts; '' all
    elements: tuple[Element, ...]
    is_anchored: bool


class CueHit(NamedTuple):
    """A cue found at words `[start, end)`."""

    cue: Cue
    start: int
    end: int


class CueTable:
    """Cues sorted by their rarest word, so that only those are tried that may be there."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.cues = tuple(cues)
        self._by_word: dict[str, list[tuple[int, Cue]]] = {}
        for number, cue in enumerate(cues):
            for word in sorted(_rarest(cue)):
                self._by_word.setdefault(word, []).append((number, cue))

    def find(self, tokens: Tokens, *, where: str = "") -> Iterator[CueHit]:
        """Every cue of a situation (a letter; '' any), in the order of the table, then of place.

        An anchored cue, or one that begins with an optional word, counts at the first word only.
        """
        possible: dict[int, Cue] = {}
        for word in tokens.present & self._by_word.keys():
            possible.update(self._by_word[word])
        for number in sorted(possible):
            cue = possible[number]
            if where and cue.where and where not in cue.where:
                continue
            first = cue.elements[0]
            if cue.is_anchored or first.kind != "word" or first.is_optional:
                places: Iterable[int] = (0,)
            else:
                places = [i for i, word in enumerate(tokens.lower) if word in first.words]
            for i in places:
                end = match(cue.elements, tokens, i)
                if end is not None:
                    yield CueHit(cue=cue, start=i, end=end)


def _rarest(cue: Cue) -> frozenset[str]:
    """The words of one step of which one must be there, of the step with fewest common words."""
    steps = [e.words for e in cue.elements if e.kind == "word" and not e.is_optional]
    return min(steps, key=lambda step: (len(step & _COMMON), len(step)))


def read_cues(table: str, lists: Mapping[str, frozenset[str]]) -> CueTable:
    """Cues from lines of `name [@where] : pattern`; blank lines and lines with # are skipped.

    The kind is what stands before the colon in the name: 'preference/likes' is of the kind
    'preference'. `lists` are the words behind `@names`.
    """
    cues = []
    steps_of: dict[str, Element] = {}  # most words stand in many patterns
    for line in table.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, _, pattern = line.partition(" : ")
        name, _, where = head.strip().partition("@")
        steps = pattern.split()
        anchored = steps[0] == "^"
        cues.append(
            Cue(
                name.strip().replace("/", ":"),
                name.strip().partition("/")[0],
                where,
                tuple(
                    [
                        steps_of.get(word) or steps_of.setdefault(word, _element(word, lists))
                        for word in steps[anchored:]
                    ]
                ),
                anchored,
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
    told = word.strip("!?").split("|")
    choices = frozenset(told)
    if "@" in word:
        lists_of = [lists[choice[1:]] for choice in told if choice[0] == "@"]
        choices = frozenset([each for each in told if each[0] != "@"]).union(*lists_of)
    return Element("not" if negated else "word", choices, 1, optional)


def match(elements: Sequence[Element], tokens: Tokens, i: int, *, k: int = 0) -> int | None:
    """Where a pattern (its steps from `k` on) that begins at word `i` ends, or None.

    Gaps are as short as possible.
    """
    said = tokens.lower
    count = len(said)
    while k < len(elements):
        element = elements[k]
        kind = element.kind
        word = said[i] if i < count else ""
        if kind == "word":
            if word in element.words:
                if element.is_optional:
                    taken = match(elements, tokens, i + 1, k=k + 1)
                    if taken is not None:
                        return taken
                else:
                    i += 1
            elif not element.is_optional:
                return None
        elif kind == "adverbs":
            wanted = elements[k + 1].words if k + 1 < len(elements) else frozenset()
            while i < count and said[i] in ADVERBS and said[i] not in wanted:
                i += 1
        elif kind == "not":
            if word in element.words:
                return None
        elif kind == "gap":
            return _match_gap(elements, tokens, i, k=k)
        elif _fits(kind, tokens, i):
            i += 1
        elif not element.is_optional:
            return None
        k += 1
    return i


def _match_gap(elements: Sequence[Element], tokens: Tokens, i: int, *, k: int) -> int | None:
    for skipped in range(elements[k].most + 1):
        if skipped and not tokens.is_word(i + skipped - 1):
            return None
        end = match(elements, tokens, i + skipped, k=k + 1)
        if end is not None:
            return end
    return None


def _fits(kind: str, tokens: Tokens, i: int) -> bool:
    """Whether a name (or a quoted title: 'I loved "Dune"'), or any word, stands there."""
    if kind == "name":
        return tokens.at(i)[:1] == "§" or (tokens.is_capital(i) and tokens.at(i) != "i")
    return tokens.is_word(i)
