"""What to ask after the first answer: the words it lacks, and the names that it brought.

Pure functions over words and texts (algorithms.md 3.1 and 3.2; Anveshana).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

LOOKED_AT = 5  # of the first passages
MOST_NAMES = 2
# By themselves and at half the weight: joined by words of the question, or at the weight of those
# that are lacking, they bring more of what is beside the point (docs/experiments.md).
NAME_SHARE = 0.5

_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december christmas easter halloween
"""
_DAYS_AND_MONTHS = frozenset(_CALENDAR.split())
_PEOPLE = frozenset(["april", "may", "june", "august", "easter"])  # are called so
# What a question does with its things; no text lacks it.
_COMPARING = """
    vs versus compared compare comparison difference differences unterschied unterschiede vergleich
    verglichen diferencia diferencias comparación comparado comparada différence différences rapport
    comparé differenza differenze rispetto verschil vergeleken diferença diferenças comparação
"""
_OF_THE_QUESTION = frozenset(_COMPARING.split())
_OF_TIME = re.compile(
    r"\b(?:in|on|of|since|until|till|by|from|at|for|last|next|this|every)\s+$", re.I
)
_WORD = re.compile(r"[^\W\d_][\w'&-]*")

Words = Callable[[str], Collection[str]]
"""The stems of a text."""


def lacking(
    asked: Iterable[tuple[str, Collection[str]]], texts: Sequence[str], stems: Words
) -> str:
    """The words of a question that no text holds, in their order; '' when all are held.

    asked  (word, its stem and those that stand for it)
    """
    held = {stem for text in texts for stem in stems(text)}
    return " ".join(
        word for word, own in asked if held.isdisjoint(own) and word.lower() not in _OF_THE_QUESTION
    )


def names_in(
    found: Iterable[tuple[str, float]], *, known: Collection[str], stems: Words
) -> tuple[str, ...]:
    """The names that texts bring, at most MOST_NAMES: those of the most and best texts first.

    found  (text, what it weighs)
    known  stems of the question and of who speaks: a name with one of them is not new
    """
    weights: defaultdict[str, float] = defaultdict(float)
    for text, weight in found:
        for name in _capitals(text):
            weights[name] += weight
    new = [
        name for name in weights if (own := stems(name)) and not any(stem in known for stem in own)
    ]
    return tuple(sorted(new, key=lambda name: (-weights[name], name))[:MOST_NAMES])


def _capitals(text: str) -> set[str]:
    """Words with a capital inside a sentence, each with the capitals that follow it at once."""
    names: set[str] = set()
    begins = ends = 0  # of the name that is being read; begins == ends: none is
    for word in _WORD.finditer(text):
        is_capital = word.group()[0].isupper()
        if begins < ends and is_capital and text[ends : word.start()].isspace():
            ends = word.end()
            continue
        names.add(text[begins:ends])
        begins = ends = word.end()
        before = text[max(0, word.start() - 2) : word.start()]
        inside = before[1:] == " " and (before[0].islower() or before[0] in ",;")
        if is_capital and inside and not _is_of_time(text, word):
            begins = word.start()
    names.add(text[begins:ends])
    return {" ".join(name.split()) for name in names if len(name) > 1}


def _is_of_time(text: str, word: re.Match[str]) -> bool:
    """Whether a capital is that of a day or month: 'in May', and no 'with May'."""
    name = word.group().lower()
    if name not in _DAYS_AND_MONTHS:
        return False
    before = text[max(0, word.start() - 8) : word.start()]
    return name not in _PEOPLE or _OF_TIME.search(before) is not None
