"""What the models see of a sentence and of a pair of sentences: hashed features and plain ones.

Pure and the same on every platform: CRC-32 of UTF-8, no dictionary order, no locale. Training
(tests/bench/judgement/train.py) and the program call these very functions. A change of a feature
raises `VERSION` and needs new weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from math import sqrt
from zlib import crc32

from vaultmem.base import NamedTuple, late
from vaultmem.judgement.meanings import Vector, meaning_of, meanings
from vaultmem.judgement.signs import NAMES, class_table, classes_of, signs_of
from vaultmem.language import nfc, vocabulary

_WRITTEN = class_table(vocabulary("talk"))


@lru_cache(maxsize=4096)
def talk_of(word: str) -> tuple[str, ...]:
    """What a word is of in talk: its classes in `talk.txt`."""
    return classes_of(word, _WRITTEN)


_BEGUN = 3  # letters that two words share at least of which one begins as the other
_ENDED = 6  # and of which one ends as the other
REMEMBERED_TEXTS = 2048
"""Statements of which what a comparison needs is kept: a new one is held against some fifty, most
of which the next ones meet as well. With 512 an import made a third of it anew."""


def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: `bouldering`, `boulder`; or one begins the other."""
    if one == other or is_form(one, other):
        return True
    short, long = sorted((one, other), key=len)
    if (len(short) > 4 and long.startswith(short)) or (
        len(short) >= _ENDED and long.endswith(short)
    ):
        return True
    return len(short) > _BEGUN and len(long) - len(short) < 4 and long.startswith(short[:-1])


def is_among(word: str, words: tuple[str, ...]) -> bool:
    """Whether a word is `alike` one of these."""
    return among((word,), words)[0]


def among(some: Sequence[str], words: tuple[str, ...]) -> list[bool]:
    """Of each of some words, whether it is `alike` one of these."""
    # By first and last letters: beside each other word it took 94,672 looks in 16 turns of a
    # session.
    begun, ended = _by_edges(words)
    found = []
    for word in some:
        near = begun.get(word[:_BEGUN])
        is_in = near is not None and any(alike(word, other) for other in near)
        if not is_in and len(word) >= _ENDED:
            near = ended.get(word[-_ENDED:])
            is_in = near is not None and any(alike(word, other) for other in near)
        found.append(is_in)
    return found


def has_form(word: str, words: tuple[str, ...]) -> bool:
    """Whether one of these is the word, or `is_form` of it."""
    return place_of(word, words) >= 0


def place_of(word: str, words: tuple[str, ...]) -> int:
    """Where a word stands among others; else where a form of it does; -1: nowhere."""
    return twins_of((word,), words)[0]


@lru_cache(maxsize=64)  # a pair of statements asks several times in a row
def twins_of(some: tuple[str, ...], words: tuple[str, ...]) -> tuple[int, ...]:
    """Of each of some words where it stands among others; else where a form does; -1: nowhere."""
    places, begun = _by_stem(words)
    found = []
    for word in some:
        place = places.get(word, -1)
        if place < 0 and len(word) >= STEM:
            for at in begun.get(word[:STEM], ()):
                if is_form(word, words[at]):
                    place = at
                    break
        found.append(place)
    return tuple(found)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _by_edges(words: tuple[str, ...]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Words by the letters that they begin with, and the long ones by those that they end with."""
    begun: dict[str, list[str]] = {}
    ended: dict[str, list[str]] = {}
    for word in words:
        begun.setdefault(word[:_BEGUN], []).append(word)
        if len(word) >= _ENDED:
            ended.setdefault(word[-_ENDED:], []).append(word)
    return begun, ended


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _by_stem(words: tuple[str, ...]) -> tuple[dict[str, int], dict[str, list[int]]]:
    """The first place of each word, and places by the letters that its forms begin with."""
    places: dict[str, int] = {}
    begun: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        places.setdefault(word, at)
        if len(word) >= STEM:
            begun.setdefault(word[:STEM], []).append(at)
    return places, begun


VERSION = 6
"""Raised with every change of a feature: weights of another version are refused."""

LONGEST = 400  # characters that are looked at; what a longer text begins with tells enough
_TOKEN = late(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[?!]")
_LETTERS = (2, 3, 4)
_REMEMBERED = 4096  # words, of which thousands of bullets have the most again and again
STEM = 4  # letters that two words must begin with to be forms of one
_ALIKE = 0.6  # and what share of the longer one that must be
Rarity = Callable[[str], float]
CROSS = "*"  # between the two halves of a plain feature's name that stands for both at once
# What tells 'I'm on warfarin' from 'is warfarin safe?', 'imagine ...' and 'he sold pacemakers'.
_BESIDE = (
    *("self", "kin", "pet", "not", "must", "always", "ask"),
    *("maybe", "say", "past", "thank", "future", "like"),
)
POOLED = 32  # numbers of a word's vector of which the greatest and the least are seen as well


class Tokens(NamedTuple):
    """A sentence as words: as written, in lower case, and the classes of each."""

    raw: tuple[str, ...]
    low: tuple[str, ...]
    signs: tuple[tuple[str, ...], ...]


class Features(NamedTuple):
    """What a linear model multiplies with its weights.

    words, letters  hashes (32 bits) of distinct n-grams, each of value 1 / sqrt(how many)
    plain           (name, value) pairs, values about 0 to 1
    mark, sense     more plain features: values whose names are `sense_names(mark)`; () for none.
                    By names each was looked up in each of nine models, half the time of a sentence
    """

    words: tuple[int, ...]
    letters: tuple[int, ...]
    plain: tuple[tuple[str, float], ...]
    mark: str = ""
    sense: tuple[float, ...] = ()

    def with_names(self) -> tuple[tuple[str, float], ...]:
        """Every plain feature by its name."""
        names = sense_names(self.mark) if self.sense else ()
        return (*self.plain, *zip(names, self.sense, strict=False))


@lru_cache(maxsize=REMEMBERED_TEXTS)  # a statement is held against dozens
def tokens_of(text: str) -> Tokens:
    """The words, numbers, `?` and `!` of a text's first 400 characters."""
    raw = _raw(text)
    low = tuple(map(str.lower, raw))
    return Tokens(raw, low, tuple(map(signs_of, low)))


def words_of(text: str) -> tuple[str, ...]:
    """As `tokens_of`, in lower case alone: a third of the time, of 400 passages of a question."""
    return tuple(map(str.lower, _raw(text)))


# The hash is of bytes: 'é' as one character and as two would be two features.
def _raw(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(nfc(text)[:LONGEST].replace("’", "'")))


@lru_cache(maxsize=1 << 15)  # a new statement has most features with each one that it meets
def hash_of(feature: str) -> int:
    """32 bits of a feature's name."""
    # Half a surrogate, as transcripts hold them, cannot be encoded.
    return crc32(feature.encode("utf-8", "replace"))


def value_of(features: tuple[int, ...]) -> float:
    """What each of these hashed features counts: the length of their vector is 1."""
    return 1 / sqrt(len(features)) if features else 0.0


def is_form(one: str, other: str) -> bool:
    """Whether two words begin alike, as forms of one word do: `allergy` and `allergic`."""
    if len(one) < STEM or len(other) < STEM or one[:STEM] != other[:STEM]:
        return False
    same = STEM
    for a, b in zip(one[STEM:], other[STEM:], strict=False):
        if a != b:
            break
        same += 1
    return same >= _ALIKE * max(len(one), len(other))


def shape_of(raw: str, signs: tuple[str, ...]) -> str:
    """A word by its class: what stays of a sentence when its topic is taken out."""
    if raw[0].isdigit():
        return "#"
    if signs:
        return signs[0]
    return "^" if raw[0].isupper() else "_"


def sentence_features(text: str) -> Features:
    """Features of one sentence; an empty text has plain ones only."""
    tokens = tokens_of(text)
    low = tokens.low
    words: dict[str, None] = {}
    edged = ("<", *low, ">")
    for i, word in enumerate(edged):
        words[word] = None
        if i:
            words[f"{edged[i - 1]} {word}"] = None
    shapes = ("<", *map(shape_of, tokens.raw, tokens.signs), ">")
    for i in range(2, len(shapes)):
        # The tab keeps shapes from being words: both are in one table of hashes.
        words["\t" + " ".join(shapes[i - 2 : i + 1])] = None
        if i > 2:
            words["\t" + " ".join(shapes[i - 3 : i + 1])] = None
    meanings_of = tuple(meaning for word in low if (meaning := meaning_of(word)))
    plain = _plain_of_sentence(text, tokens)
    return Features(tuple(map(hash_of, words)), _letters(low), plain, "s", sense_of(meanings_of))


def _letters(low: tuple[str, ...]) -> tuple[int, ...]:
    """N-grams of letters within words."""
    found: dict[int, None] = {}
    for word in low:
        found.update(grams_of(word))
    return tuple(found)


@lru_cache(maxsize=_REMEMBERED)
def grams_of(word: str) -> dict[int, None]:
    """Hashes of the runs of letters within a word, its ends as spaces."""
    padded = f" {word} "
    grams = [padded[i : i + size] for size in _LETTERS for i in range(len(padded) - size + 1)]
    return dict.fromkeys([crc32(gram.encode("utf-8", "replace")) for gram in grams])


def _plain_of_sentence(text: str, tokens: Tokens) -> tuple[tuple[str, float], ...]:
    count = len(tokens.low)
    plain = {
        "length": min(count, 40) / 20,
        "short": max(0, 5 - count) / 5,
        "asks": float("?" in text),
        "shouts": float("!" in text),
        "digit": float(any(word[0].isdigit() for word in tokens.low)),
        "small_start": float(text[:1].islower()),
        "names": min(sum(word[:1].isupper() for word in tokens.raw[1:]), 6) / 3,
        "colon": float(":" in text),
        "quotes": float(any(mark in text for mark in '"“„«')),
        "commas": min(text.count(","), 3) / 3,
        "dots": float("..." in text or "…" in text),
    }
    seen = {name for signs in tokens.signs for name in signs}
    plain.update({f"has_{name}": 1.0 for name in NAMES if name in seen})
    plain.update(_at_stake(text, tokens, seen))
    plain.update(_of_talk(tokens))
    if tokens.signs:
        plain.update({f"starts_{name}": 1.0 for name in tokens.signs[0]})
    return tuple(plain.items())


def _at_stake(text: str, tokens: Tokens, seen: set[str]) -> Iterator[tuple[str, float]]:
    """Topics of health, safety and limits, each alone, beside who is spoken of, and in twos."""
    # 4,000 phrases, of which a question asks nothing: `recall` reads words by this module, too.
    from vaultmem.judgement.stakes import stakes_of

    found = sorted(stakes_of(text, tokens.low))
    # No corpus of some thousand sentences names every medicine: of a held author's critical
    # sentences .78 are marked with these, with .06 of the others, and .45 were without.
    if found:
        yield "stakes", min(len(found), 4) / 4
    for i, topic in enumerate(found):
        yield f"at_{topic}", 1.0
        for name in _BESIDE:
            if name in seen:
                yield f"at_{topic}{CROSS}{name}", 1.0
        for other in found[i + 1 :]:
            yield f"at_{topic}{CROSS}{other}", 1.0


def _of_talk(tokens: Tokens) -> Iterator[tuple[str, float]]:
    """Of what talk the words are, and those of the first two: an order stands in front."""
    # Where no sentence is judged, as in `recall`, its words are not needed.

    classes = [talk_of(word) for word in tokens.low]
    for name in sorted({name for found in classes for name in found}):
        yield f"talk_{name}", 1.0
    for place, found in zip(("first", "second"), classes, strict=False):
        for name in found:
            yield f"{place}_{name}", 1.0


def sense_of(vectors: Sequence[Vector]) -> tuple[float, ...]:
    """Of each number of some words' vectors the greatest and the least, of the first ones, and the
    mean; () of no words."""
    if not vectors:
        return ()
    many = len(vectors) / 3
    first = [vector[:POOLED] for vector in vectors]
    pooled = (*map(max, *first), *map(min, *first)) if len(first) > 1 else (*first[0], *first[0])
    return (*pooled, *[sum(column) / many for column in zip(*vectors, strict=True)])


@cache
def sense_names(mark: str) -> tuple[str, ...]:
    """The names of what `sense_of` gives, of whole vectors; shorter ones give the first of them."""
    # Written once: for 4,000 bullets the names of 224 features were written 644,000 times.
    pooled = [f"{mark}{what}{i}" for what in ("most", "least") for i in range(POOLED)]
    return (*pooled, *[f"{mark}mean{i}" for i in range(len(meanings().levels))])
