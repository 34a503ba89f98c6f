"""What scoring wants to know of a passage beyond its words: length and traits, two bytes each.

Worked out once when a note is put, for each passage with its neighbours, and kept in arrays of
4,096 passages, so that a question reads a page or two instead of a row for every candidate.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from vaultmem.model.recall import Passage

# Weights of a neighbour's words at a distance of 1, 2, 3 passages (retrieval.md section 7).
WINDOW = (0.3, 0.2, 0.1)
NORM_SCALE = 16  # norms are stored in sixteenths of a word

# Bits of `traits`.
FIRST_PERSON = 1
SHORT_QUESTION = 2
TEMPORAL = 4
ANSWERS = 8  # the passage before it asks something and is another speaker's
TURN = 16  # said by somebody
WORDS_SHIFT = 8  # content words, at most MOST_WORDS, in the upper byte
MOST_WORDS = 255
WIDTH_SHIFT = 5  # how much of the window counts, in sevenths: 3 bits
WIDEST = 7

# A window helps where one thought is spread over short turns, and blurs long prose
# (retrieval.md section 5: on 60-80 word chunks it costs 2-3 points nDCG).
_FULL_WINDOW_WORDS = 30
_NO_WINDOW_WORDS = 70
_SHORT_QUESTION_WORDS = 15

_WORDS_OF_SELF = "i me my mine we us our ours i'm i've i'd i'll we're we've we'd we'll"
_WORDS_OF_TIME = """
    yesterday today tomorrow tonight last next ago week weeks weekend month months year years day
    days monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december recently since morning evening
    summer winter spring autumn fall
"""
_FIRST_PERSON = frozenset(_WORDS_OF_SELF.split())
_TEMPORAL = frozenset(_WORDS_OF_TIME.split())
_EDGES = ".,!?;:\"'()*_"


class Measured(NamedTuple):
    """Length and traits of the passages of one note, in order."""

    norms: array[int]  # 'H': content words with those of the window, in sixteenths; never 0
    traits: array[int]  # 'H'


def chunks(text: str) -> list[str]:
    """The text in lower case, cut at white space: what words and traits are read from."""
    return text.lower().split()


def measure(
    passages: Sequence[Passage], chunked: Sequence[list[str]], lengths: Sequence[int]
) -> Measured:
    """Norms and traits of the passages of one note.

    chunked  `chunks` of each passage
    lengths  content words of each passage
    """
    norms, traits = array("H"), array("H")
    before: Passage | None = None
    for i, (passage, parts) in enumerate(zip(passages, chunked, strict=True)):
        width = window_width(len(parts))
        around = sum(
            weight * (lengths[i - d] if i >= d else 0)
            + weight * (lengths[i + d] if i + d < len(lengths) else 0)
            for d, weight in enumerate(WINDOW, 1)
        )
        norm = (lengths[i] + around * width / WIDEST) * NORM_SCALE
        norms.append(min(65_535, max(1, round(norm))))
        bits = _bits(passage, parts) | width << WIDTH_SHIFT
        bits |= min(lengths[i], MOST_WORDS) << WORDS_SHIFT
        if before is not None and "?" in before.text and before.speaker != passage.speaker:
            bits |= ANSWERS
        traits.append(bits)
        before = passage
    return Measured(norms, traits)


def window_width(words: int) -> int:
    """How much of the window counts for a passage of so many words, 0..WIDEST."""
    if words <= _FULL_WINDOW_WORDS:
        return WIDEST
    if words >= _NO_WINDOW_WORDS:
        return 0
    return WIDEST * (_NO_WINDOW_WORDS - words) // (_NO_WINDOW_WORDS - _FULL_WINDOW_WORDS)


def _bits(passage: Passage, parts: list[str]) -> int:
    bits = TURN if passage.speaker else 0
    if not _FIRST_PERSON.isdisjoint(parts):
        bits |= FIRST_PERSON
    if len(parts) <= _SHORT_QUESTION_WORDS and passage.text.endswith("?"):
        bits |= SHORT_QUESTION
    if any(part.strip(_EDGES) in _TEMPORAL or part[0].isdigit() for part in parts):
        bits |= TEMPORAL
    return bits
