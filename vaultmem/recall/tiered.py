"""How deep a question has to be read: names of categories, their summaries, items, full texts.

Decisions over words alone, without a file or an index (algorithms.md 7.2, read path of
never-forgets). Without a model a summary suffices when it holds enough of what the question asks
for; a model that judges it is answered for by the first word of its reply.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

ENOUGH = 0.8  # share of a question's content words that a summary has to hold
_FIRST_WORD = re.compile(r"\w+")

Word = TypeVar("Word", bound=object)
Key = TypeVar("Key", bound=object)


def selected(names: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Those of the known categories that are named, as they are spelled, in the order known.

    Case is no matter and a name that nobody knows is ignored; where none is left, all are read.
    """
    named = {name.strip().casefold() for name in names}
    return tuple(name for name in known if name.casefold() in named) or tuple(known)


def coverage(asked: Collection[Word], held: Collection[Word]) -> float:
    """The share of what is asked for that is held, 0..1; 0 where nothing is asked for."""
    wanted = set(asked)
    return len(wanted.intersection(held)) / len(wanted) if wanted else 0.0


def suffices(share: float, *, least: float = ENOUGH) -> bool:
    """Whether so much of a question (0..1) is enough for its answer; the boundary is."""
    return share >= least


def says_yes(reply: str) -> bool:
    """Whether a model that was asked if the summaries suffice said so: its first word is yes.

    'YESTERDAY' is another word, and 'No - YES would be wrong' begins with another.
    """
    found = _FIRST_WORD.search(reply)
    return found is not None and found.group().casefold() == "yes"


def summaries_suffice(
    asked: Collection[Word],
    held: Sequence[Collection[Word]],
    *,
    are_named: bool,
    least: float = ENOUGH,
) -> bool:
    """Whether summaries answer a question by the words they hold.

    held       the words of each summary
    are_named  the question names these categories: they are read as one text. Else they are all
               there are, and one of them has to hold enough: words from everywhere are no answer
    """
    if are_named:
        return suffices(coverage(asked, {word for each in held for word in each}), least=least)
    return any(suffices(coverage(asked, each), least=least) for each in held)


def covering(
    asked: Collection[Word], lines: Mapping[Key, Collection[Word]], *, most: int
) -> tuple[Key, ...]:
    """The few lines that hold most of what is asked for, at most `most`.

    First those that together hold all that any holds, each time the one that adds most; then those
    that hold as much as the best one. Ties in the order given.
    """
    wanted = set(asked)
    held = {key: wanted.intersection(words) for key, words in lines.items()}
    left = {key for key, words in held.items() if words}
    chosen: list[Key] = []
    missing = set(wanted)
    place = {key: number for number, key in enumerate(lines)}
    while left and len(chosen) < most:
        best = min(left, key=lambda key: (-len(held[key] & missing), -len(held[key]), place[key]))
        if not held[best] & missing and len(held[best]) < max(map(len, held.values())):
            break
        chosen.append(best)
        left.remove(best)
        missing -= held[best]
    return tuple(chosen)


def answering(*, summaries: bool, items: bool, resources: bool) -> str:
    """The tier that answers, the first that can: summaries suffice, or anything was found.

    '' is 'no memory found'.
    """
    tiers = (("summaries", summaries), ("items", items), ("resources", resources))
    return next((name for name, answers in tiers if answers), "")
