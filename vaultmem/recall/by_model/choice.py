"""Which memories a model's reply puts first, and for how much. Pure.

A reply is believed when it passes a check that a reply without reading does not: among the memories
stand lines of general knowledge (CHECKS), which answer nobody's question. None of them may be
chosen, and five of them have to be named. A random reply passes in 1 of 100 cases. One that names
none is believed half as much: a random choice of one memory passes in 5 of 9 cases, of three in 1
of 6, of ten in 1 of 400. What is believed adds to the score of the words and does not replace it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256

from vaultmem import privacy
from vaultmem.base import NamedTuple

MOST_CHOSEN = 10  # that a reply is asked for; more is an order of everything
# Shares of the best score that the first one chosen gains. A model that knows the evidence gets
# with .9 all that its order can give, with .45 all of R@10 and .83 of MRR; with .3 .64 of MRR. A
# random choice of one memory loses .027 of MRR with .45 (LoCoMo 0, tests/bench/rerank.py).
BONUS = 0.9
BONUS_UNCHECKED = 0.45  # where the reply named no line of general knowledge
NAMED = 5  # lines of general knowledge that a reply has to name
# Share of it that each further one gains. A model that adds two wrong ones behind the evidence has
# R@1 .67 with .75, .53 with .98: the score of the words turned its order round.
_FALL = 0.75
# One time in a hundred a random order of everything follows ours so well.
_SURE = 2.33

CHECKS = (
    "Basalt forms where thin lava cools fast.",
    "The last diet of the Hanse met in 1669.",
    "A sundial in the southern half runs the other way.",
    "Gallium melts in a warm palm.",
    "Lichens are a fungus and an alga living as one.",
    "The Peace of Nystad ended a war in 1721.",
    "Neptune was found by calculation first.",
    "Papyrus was made from the pith of a sedge.",
    "A hectopascal equals one millibar.",
    "Trilobites vanished at the end of the Permian.",
    "Ogham was carved along the edges of stones.",
    "The krater was a vessel for mixing wine.",
    "Tycho observed a supernova in 1572.",
    "Isobars join points of equal air pressure.",
    "The lathe of antiquity was driven by a bow.",
    "Feldspar weathers into kaolin.",
    "Linear B was deciphered in 1952.",
    "A quoin strengthens the corner of a wall.",
    "Halley saw the transit of Mercury on Saint Helena.",
    "The Volga drains into an inland sea.",
    "Cuneiform signs were pressed with a reed.",
    "Argon was isolated in 1894.",
    "A caryatid is a column in human shape.",
    "Moraines show how far a glacier reached.",
    "The Almagest lists a thousand stars.",
    "Quartz scratches window panes.",
    "Byzantine coins were often cup-shaped.",
    "A barometer falls ahead of a storm front.",
    "Diatoms build their shells of silica.",
    "The Antikythera wreck held a geared device.",
    "Loess is dust that the wind laid down.",
    "Ptolemy placed the prime meridian at Ferro.",
    "Amber is the resin of extinct conifers.",
    "The abacus of Rome had grooves and pebbles.",
    "Cinnabar is an ore of mercury.",
    "Horseshoe crabs have blue blood.",
    "Ionic capitals carry a pair of volutes.",
    "Meteors of August come from Perseus.",
    "Vellum was prepared from calfskin.",
    "Gneiss shows bands of light and dark.",
)
"""Lines that no question of a person is about."""


class OddReplyError(ValueError):
    """The reply is none that can be followed; the message says why."""


class Laid(NamedTuple):
    """What is shown, in order: the place of a memory in our own order, or None for a check."""

    lines: tuple[str, ...]
    places: tuple[int | None, ...]


def lay_out(candidates: Sequence[str], words: AbstractSet[str], *, seed: str) -> Laid:
    """The candidates in their order, and among them checks without a word of the question.

    words  of the question, in small letters
    seed   decides where checks stand; the same for the same seed
    """
    chance = random.Random(seed)
    distant = [line for line in CHECKS if words.isdisjoint(_words(line))]
    count = min(len(distant), len(candidates) * 4 // 5 + NAMED)
    checks = chance.sample(distant, count)
    at = set(chance.sample(range(len(candidates) + count), count))
    own, other = iter(enumerate(candidates)), iter(checks)
    lines, places = [], []
    for place in range(len(candidates) + count):
        number, line = (None, next(other)) if place in at else next(own)
        lines.append(line)
        places.append(number)
    return Laid(tuple(lines), tuple(places))


def _words(line: str) -> set[str]:
    return set(re.findall(r"\w+", line.casefold()))


class Choice(NamedTuple):
    """What a reply puts first, by places in our own order, best first."""

    places: tuple[int, ...]
    is_checked: bool  # it told general knowledge from memories


def choice_of(reply: str, places: Sequence[int | None]) -> Choice:
    """What a reply chooses.

    places  of the shown lines, in our own order; None: a check
    raises  OddReplyError where it is no list of their numbers, or was given without reading
    """
    lists = dict(_LIST.findall(reply))
    general = lists.pop("general", None)
    best = lists.get("best", lists.get(""))
    if best is None:
        best = reply if general is None and "[" not in reply else ""
        if not best.strip():
            raise OddReplyError("its reply has no list of memories")
    chosen = _numbers(best, len(places))
    named = [places[number - 1] for number in chosen]
    if general is not None:
        told = [places[number - 1] for number in _numbers(general, len(places))]
        checks = places.count(None)
        # Without this check a random single choice made .806 of R@10 and .601 of MRR, where no
        # choice at all has .814 and .628 (LoCoMo 0).
        if len(told) < min(NAMED, checks) or any(place is not None for place in told):
            raise OddReplyError("it took a memory for general knowledge")
    return Choice(_first(named), is_checked=general is not None)


_LIST = re.compile(r"""(?:["']?(best|general)["']?\s*:\s*)?\[([^\[\]]*)\]""")


def _numbers(inner: str, count: int) -> tuple[int, ...]:
    """The numbers of a list, from 1 to `count`, each once and in its order."""
    if not inner.strip():
        return ()
    pieces = [piece.strip(" \t\n\"'#.") for piece in inner.split(",")]
    if not all(piece.isascii() and piece.isdigit() and len(piece) <= 4 for piece in pieces):
        raise OddReplyError("its reply is no list of numbers")
    numbers = tuple(dict.fromkeys(map(int, pieces)))
    if any(not 1 <= number <= count for number in numbers):
        raise OddReplyError("it named a memory that it was not shown")
    return numbers


def _first(named: Sequence[int | None]) -> tuple[int, ...]:
    """The memories that a list puts first; raises OddReplyError where it was made blindly."""
    own = [place for place in named if place is not None]
    if len(named) <= MOST_CHOSEN:
        if len(own) < len(named):
            raise OddReplyError("it chose a line that answers nothing")
        return tuple(own)
    if not (_follows(own) or _has_checks_last(named)):
        raise OddReplyError("its order has nothing to do with the memories")
    return tuple(own[:MOST_CHOSEN])


def _follows(own: Sequence[int]) -> bool:
    """Whether an order of many agrees with ours (rank correlation, Spearman 1904)."""
    count = len(own)
    if count < 3:
        return False
    rank = {place: at for at, place in enumerate(sorted(own))}
    apart = sum((at - rank[place]) ** 2 for at, place in enumerate(own))
    correlation = 1 - 6 * apart / (count * (count**2 - 1))
    return bool(correlation * (count - 1) ** 0.5 >= _SURE)


def _has_checks_last(named: Sequence[int | None]) -> bool:
    """Whether the checks of an order of many stand behind the memories (Mann and Whitney 1947)."""
    memories = sum(place is not None for place in named)
    checks = len(named) - memories
    if not memories or not checks:
        return False
    before = 0  # pairs of a memory and a check in which the memory is first
    seen = 0
    for place in named:
        if place is None:
            before += seen
        else:
            seen += 1
    pairs = memories * checks
    spread: float = (pairs * (len(named) + 1) / 12) ** 0.5
    return (before - pairs / 2) / spread >= _SURE


def bonus(rank: int, best: float, *, is_checked: bool) -> float:
    """What the one chosen at `rank` (from 0) gains, where `best` is the best score."""
    return (BONUS if is_checked else BONUS_UNCHECKED) * _FALL**rank * best


# Memories as a language model is shown them: lines without secrets, between marks.


def line_of(text: str, most: int) -> str:
    """A text as one line of so many characters at most, without secrets."""
    # Secrets go before it is cut: the first half of a key is not known for one.
    return " ".join(privacy.redact(text, privacy.find_secrets(text)).split())[:most]


def between_marks(text: str) -> str:
    """The text between two marks that it cannot hold itself."""
    # No memory can hold a hash of the text that it is part of, and so none can write the end mark.
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return f"<<<FOUND {mark}\n{text}\nFOUND {mark}>>>"
