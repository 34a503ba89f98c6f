"""What a new statement means for one that is known: supersede, coexist, update, or undecided.

Rules only (algorithms 5.6): the same slot with one value at a time, the same value said more
fully, opposite tastes; where one has no slot, the rules for words (`rivals.py`). Likeness of words
nominates elsewhere and never decides. Pure: what is known comes as arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from vaultmem.base.records import NamedTuple
from vaultmem.facts.rivals import COEXIST, SUPERSEDE, UNDECIDED, compare, replaces
from vaultmem.language.text import canonical
from vaultmem.model.slots import part_key, slot_key

UPDATE, SAME = "update", "same"
# Tastes that exclude each other for the same thing.
OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
# Words that go on to say more of a value; any other word makes another value of it:
# 'tea towels' is not a kind of liking tea, 'tea without milk' is.
_GOES_ON_WORDS = (
    "with without and or but in on at for from to of as by since until because when while if only "
    "especially mostly usually"
)
_MARKS = ",;:"
_GOES_ON = frozenset(_GOES_ON_WORDS.split())


class Stated(NamedTuple):
    """A statement as it is compared. Times are UTC ms, `[valid_from, valid_until)`."""

    statement: str
    subject: str
    predicate: str
    object: str
    valid_from: int | None = None  # None: since ever
    valid_until: int | None = None  # None: still holds


def decide(new: Stated, known: Stated, *, holds_one: Callable[[str], bool | None]) -> str:
    """What the new statement means for the known one, whatever their times.

    holds_one  whether slots of a predicate have one value at a time; None: nobody says
    """
    if is_opposite(new, known) or replaces(new.statement, known.statement):
        return SUPERSEDE
    slot, other = slot_key(new.subject, new.predicate), slot_key(known.subject, known.predicate)
    if not (slot and other):
        return compare(new.statement, known.statement)
    if slot != other:
        return COEXIST
    if says_more(new, known):
        return UPDATE
    if says_more(known, new) or canonical(new.statement) == canonical(known.statement):
        return SAME
    if not new.object or not known.object or part_key(new.object) == part_key(known.object):
        return COEXIST
    single = holds_one(new.predicate)
    if single is None:
        return UNDECIDED
    return SUPERSEDE if single else COEXIST


def is_opposite(new: Stated, known: Stated) -> bool:
    """Whether one likes what the other dislikes."""
    opposite = OPPOSITE.get(part_key(new.predicate))
    return (
        opposite is not None
        and part_key(known.predicate) == opposite
        and part_key(new.subject) == part_key(known.subject)
        and bool(new.object)
        and _is_one_thing(new.object, known.object)
    )


def _is_one_thing(one: str, other: str) -> bool:
    """Whether two values are the same, or one goes on where the other ends."""
    return part_key(one) == part_key(other) or _extends(one, other) or _extends(other, one)


def says_more(new: Stated, known: Stated) -> bool:
    """Whether the new statement is the known one and goes on, and its value too."""
    return _extends(new.statement, known.statement) and (
        part_key(new.object) == part_key(known.object) or _extends(new.object, known.object)
    )


@lru_cache(maxsize=8192)  # one text is held against dozens, and each of them against others
def _words(text: str) -> tuple[str, ...]:
    return tuple(canonical(text).split())


def _extends(longer: str, shorter: str) -> bool:
    """Whether a text begins with all of another, and goes on with a word that says more of it."""
    start, all_ = _words(shorter), _words(longer)
    if start and start[-1][-1] in _MARKS:
        start = tuple(canonical(shorter).rstrip(_MARKS).split())
    if not start or len(all_) <= len(start) or all_[0][:1] != start[0][:1]:
        return False
    # A mark may follow where the shorter text ended: 'short answers' and 'short answers, please'.
    same = all_[: len(start)]
    marked = same[-1] != start[-1] and same[-1].rstrip(_MARKS) == start[-1]
    if same[:-1] != start[:-1] or not (same[-1] == start[-1] or marked):
        return False
    following = all_[len(start)]
    return marked or following in _GOES_ON or following[0] in "(–—" or following[0].isdigit()
