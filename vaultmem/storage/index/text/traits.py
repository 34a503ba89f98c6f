"""What scoring wants to know of a passage beyond its words: length and traits, two bytes each.

Worked out once when a note is put, for each passage with its neighbours, and kept in arrays of
4,096 passages, so that a question reads a page or two instead of a row for every candidate.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from vaultmem.base import NamedTuple
from vaultmem.language import vocabulary
from vaultmem.model import Passage
from vaultmem.storage.index.text.index_words import Counted

# Weights of a neighbour's words at a distance of 1, 2, 3 passages (retrieval.md section 7).
WINDOW = (0.3, 0.2, 0.1)
WINDOW_SCALE = 10  # times which they are whole numbers
NORM_SCALE = 16  # norms are stored in sixteenths of a word

# Bits of `traits`.
FIRST_PERSON = 1
ASKS = 2  # it holds a question
TEMPORAL = 4
ANSWERS = 8  # the passage before it asks something and is another speaker's
TURN = 16  # said by somebody
WORDS_SHIFT = 8  # content words, at most MOST_WORDS: 4 bits
MOST_WORDS = 15
ALONE = 1 << 12  # it is all of its note
WIDTH_SHIFT = 5  # how much of the window counts, in sevenths: 3 bits
WIDEST = 7
NAMES_SHIFT = 13  # words with a capital inside a sentence, at most MOST_NAMES: 2 bits
MOST_NAMES = 3
STATED = 1 << 15  # of an item: what it states, or what explains that
BEGINS = TURN | STATED  # both of one passage: a turn with which another talk of its note begins
# Of these a name says whom, and not what. By the name alone 'Nate: I love Nintendo' was among the
# first five answers to anything asked of Nate; evidence in 300 tokens of a context .651 -> .692,
# with the wishes of questions about others.
OF_SOMEBODY = TURN | STATED

# Kinds of notes, which differ in how long they are and how much of them a question asks for.
# One passage, or an item with what explains it; turns of a conversation; passages of a text.
SINGLE, TALK, TEXT = range(3)
KINDS = (SINGLE, TALK, TEXT)
_OF_ALL = ("notes", "passages", "norm_total")  # counters of an index; norms in NORM_SCALE
_OF_KIND = {
    TALK: ("talk_notes", "talk_passages", "talk_norms"),
    TEXT: ("text_notes", "text_passages", "text_norms"),
}
# A file of years, as an import writes it, is many talks, and the words of all of them say nothing
# of one turn: evidence in 2,000 tokens of a context .910 -> .921 (tests.bench.one_file). A talk is
# over where nobody says anything for so long, and so many times longer than is usual in the file:
# where answers take a day a pause of one is none (mixed vault .810 without that, .814 with it).
SILENCE_MS = 4 * 3_600_000
SILENCE_TIMES = 10
FEWEST_TURNS = 6
# Talks of which half of the mean length is their own. What is usual the first few do not tell: by
# its own length alone one talk stood before the short rule that was made of it ('use of cilantro',
# tests/learn/test_consolidate.py), and 'fix the build' found something to tell.
_FEW = 30
SIZES = (*_OF_ALL, *_OF_KIND[TALK], *_OF_KIND[TEXT])

# A window helps where one thought is spread over short turns, and blurs long prose
# (retrieval.md section 5: on 60-80 word chunks it costs 2-3 points nDCG).
_FULL_WINDOW_WORDS = 35
_NO_WINDOW_WORDS = 85
_NAME = r"(?<=[a-z\u00df-\u00ff,;] )[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]"


@cache
def _name() -> re.Pattern[str]:
    """Compiled when notes are put; a question needs none."""
    return re.compile(_NAME)


class Measured(NamedTuple):
    """Length and traits of the passages of one note, in order."""

    norms: array[int]  # 'H': content words with those of the window, in sixteenths; never 0
    traits: array[int]  # 'H'


def kind_of(bits: int) -> int:
    """The kind of the note that begins with a passage of these traits."""
    if bits & TURN:
        return TALK
    # As a text the rule that was asked for stood behind a long talk, for the lines of reasons below
    # it: 'which bakery rule is there for Leni' in the sample vault.
    return SINGLE if bits & (ALONE | STATED) else TEXT


def sizes_of(traits: Sequence[int], norms: Sequence[int]) -> dict[str, int]:
    """What a note adds to the counters of SIZES, by the traits and norms of its passages.

    Each talk in it counts as a note.
    """
    notes = 1 + sum(bits & BEGINS == BEGINS for bits in traits)
    added = notes, len(norms), sum(norms)
    found = dict(zip(_OF_ALL, added, strict=True))
    names = _OF_KIND.get(kind_of(traits[0])) if traits else None
    if names is not None:
        found.update(zip(names, added, strict=True))
    return found


def means_of(sizes: Mapping[str, int]) -> tuple[tuple[float, float], ...]:
    """Of each of KINDS the words of a passage with its window, and of a note; 0 of nothing.

    Of talks, where there are few, mostly those of the whole vault: see `_FEW`.
    """
    talks, texts = ([sizes[name] for name in _OF_KIND[kind]] for kind in (TALK, TEXT))
    every = [sizes[name] for name in _OF_ALL]
    share = talks[0] / (talks[0] + _FEW)
    pairs = zip(_means(*talks), _means(*every), strict=True)
    passage, note = (share * own + (1 - share) * whole for own, whole in pairs)
    return _means(*every), (passage, note), _means(*texts)


def _means(notes: int, passages: int, total: int) -> tuple[float, float]:
    return total / NORM_SCALE / max(passages, 1), total / NORM_SCALE / max(notes, 1)


def chunks(text: str) -> list[str]:
    """The text in lower case, cut at white space: what words and traits are read from."""
    return text.lower().split()


def measure(
    passages: Sequence[Passage],
    counted: Sequence[Counted],
    sizes: Sequence[int],
    *,
    before: int = 0,
    is_item: bool = False,
) -> Measured:
    """Norms and traits of the passages of one note.

    counted  the words of each passage
    sizes    all words of each passage, stop words too
    before   content words that were said just before the first passage and are searched with it:
             they are part of its length, or they would weigh more than words that say the matter
    is_item  the note states one thing, and whatever else it has explains that
    """
    norms, traits = array("H"), array("H")
    last: Passage | None = None
    begins = _begins(passages) if passages and passages[0].speaker else frozenset()
    around = _around([words.length for words in counted])
    for i, (passage, words) in enumerate(zip(passages, counted, strict=True)):
        width = window_width(sizes[i])
        # What was said before an item finds it, so it counts in its length: without it the dentist
        # of the next sentence was the answer to what is played on Sundays.
        length = words.length + (0 if i else before)
        norm = int((length + around[i] * width / WIDEST) * NORM_SCALE)
        # At least 1, since a norm of 0 says that there is no passage.
        norms.append(min(65_535, max(1, norm)))
        bits = width << WIDTH_SHIFT | min(words.length, MOST_WORDS) << WORDS_SHIFT
        if words.of_self:
            bits |= FIRST_PERSON
        if words.is_temporal:
            bits |= TEMPORAL
        if passage.speaker:
            names = min(len(_name().findall(passage.text)), MOST_NAMES)
            bits |= TURN | names << NAMES_SHIFT
        if "?" in passage.text:
            bits |= ASKS
        if last is not None and last.speaker != passage.speaker and "?" in last.text:
            bits |= ANSWERS
        if len(counted) == 1:
            bits |= ALONE
        if is_item or i in begins:
            bits |= STATED
        traits.append(bits)
        last = passage
    return Measured(norms, traits)


def _begins(passages: Sequence[Passage]) -> frozenset[int]:
    """Places of the passages with which another talk begins: turns after a silence."""
    gaps = [
        0
        if one.date is None or other.date is None or not (one.speaker and other.speaker)
        else abs(other.date - one.date)
        for one, other in pairwise(passages)
    ]
    if max(gaps, default=0) < SILENCE_MS:
        return frozenset()
    silence = max(SILENCE_MS, SILENCE_TIMES * sorted(gaps)[len(gaps) // 2])
    found = [0]
    for place, gap in enumerate(gaps, 1):
        if gap >= silence and place - found[-1] >= FEWEST_TURNS:
            found.append(place)
    return frozenset(found[1:])


def _around(lengths: Sequence[int]) -> list[float]:
    """The content words of the neighbours of each passage, weighted."""
    # Once a note: with the dates of turns an index is built in a tenth less.
    reach, count = len(WINDOW), len(lengths)
    padded = [*[0] * reach, *lengths, *[0] * reach]
    totals = [0.0] * count
    for step, weight in enumerate(WINDOW, 1):
        before, after = padded[reach - step :], padded[reach + step :]
        totals = [
            total + weight * (one + other)
            for total, one, other in zip(totals, before, after, strict=False)
        ]
    return totals


def window_width(words: int) -> int:
    """How much of the window counts for a passage of so many words, 0..WIDEST."""
    if words <= _FULL_WINDOW_WORDS:
        return WIDEST
    if words >= _NO_WINDOW_WORDS:
        return 0
    return WIDEST * (_NO_WINDOW_WORDS - words) // (_NO_WINDOW_WORDS - _FULL_WINDOW_WORDS)


# What a person wants from an assistant from then on: 'I prefer night trains', 'always give grams'.


@cache
def _wishes() -> tuple[str, ...]:
    """Phrases between blanks, read when notes are put."""
    said = vocabulary("standing")
    told = [*said["prefers"].split("|"), *said["instructs"].split("|")]
    begun = [f". {phrase}" for phrase in said["instructs at the beginning"].split("|")]
    return tuple(f" {phrase} " for phrase in (*told, *begun))


@cache
def _wishes_by_word() -> dict[str, tuple[str, ...]]:
    """Of the wishes those that a text may hold, by their first word that is no sign."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in _wishes():
        # By their first word: looking for each of 222 phrases in every text was a sixth of what
        # preparing an item took.
        word = phrase.removeprefix(" .").split(maxsplit=1)[0]
        found[word] = (*found.get(word, ()), phrase)
    return found


_ENDS = str.maketrans(dict.fromkeys(".!;:,—–\n", " . ") | {"\u2019": "'", "?": " ? "})


def states_wish(text: str) -> bool:
    """Whether a turn of the person says how they want things; a question does not."""
    words = text.lower().translate(_ENDS).split()
    # To look for each of 222 phrases in every passage was a sixth of building an index.
    begun = [each for word in _wishes_by_word().keys() & words for each in _wishes_by_word()[word]]
    if not begun:
        return False
    said = f" . {' '.join(words)} "
    if not any(phrase in said for phrase in begun):
        return False
    if "?" not in said:
        return True
    told = re.sub(r"[^.?]*\?", " . ", said)
    return any(phrase in told for phrase in _wishes())
