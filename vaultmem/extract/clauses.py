"""A long sentence as clauses that are each a memory: what one breath says need not be one thing.

Cut only where a clause ends and another begins, so that each part is the person's own words.
"""

from __future__ import annotations

import re

from vaultmem.base.patterns import late
from vaultmem.extract.cues.lexicon import words
from vaultmem.extract.sentences import Sentence

LONGEST = 30  # words of one memory: a statement that is longer is a text and no fact
_LEAST = 5  # words of a clause: fewer are part of the one beside them
_WORD = late(r"\S*\w\S*")
# A mark, or a comma, which ends a clause where a word of _JOINING follows.
_JOINT = late(r"[;:][ \t]+|[ \t]+[-–—]+[ \t]+|,[ \t]+")
_BEGINNING = late(r"\w+")
_JOINING = words(
    """
    and but so or because cause since which who where while though although then if when as with
    und aber denn weil deshalb damit sodass wenn obwohl dann also et mais donc car parce puis alors
    sinon si qui y pero porque así entonces luego que e ma perché quindi poi en maar want dus omdat
    mas então
    """
)


def clauses(sentence: Sentence) -> list[Sentence]:
    """The sentence, or its clauses of at most LONGEST words where it can be cut into such."""
    spans = _cut(sentence.masked, 0, len(sentence.masked))
    if len(spans) == 1:
        return [sentence]
    found: list[Sentence] = []
    for start, end in spans:
        text = sentence.text[start:end]
        lead = len(text) - len(text.lstrip())
        first, last = start + lead, start + len(text.rstrip())
        found.append(
            sentence._replace(
                text=sentence.text[first:last],
                masked=sentence.masked[first:last],
                start=sentence.start + first,
                lead=sentence.lead if not found else "",
            )
        )
    return found


def _cut(masked: str, start: int, end: int) -> list[tuple[int, int]]:
    """Halves, as often as needed, at the strongest joint near the middle."""
    stops = [found.end() for found in _WORD.finditer(masked, start, end)]
    if len(stops) <= LONGEST:
        return [(start, end)]
    best: tuple[float, int] | None = None
    for joint in _JOINT.finditer(masked, start, end):
        before = sum(stop <= joint.end() for stop in stops)
        after = len(stops) - before
        if min(before, after) < _LEAST:
            continue
        # A bare comma is the weakest: it also stands in lists ('gloves, balloons, the lot').
        weight = abs(before - after) + (len(stops) / 2 if _is_bare(masked, joint) else 0)
        if best is None or weight < best[0]:
            best = weight, joint.end()
    if best is None:
        return [(start, end)]
    return [*_cut(masked, start, best[1]), *_cut(masked, best[1], end)]


def _is_bare(masked: str, joint: re.Match[str]) -> bool:
    following = _BEGINNING.match(masked, joint.end())
    """Whether a comma stands alone: it may as well be one of a list."""
    return joint[0][:1] == "," and (following is None or following[0].lower() not in _JOINING)
