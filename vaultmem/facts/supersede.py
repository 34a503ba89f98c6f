"""What a new statement means for a known one: supersede, coexist, update, or undecided.

Rules only (algorithms 5.6): the same slot with one value at a time, the same value said more
fully, opposite tastes; where one has no slot, the rules for words (below). Likeness of words
nominates elsewhere and never decides. Pure: what is known comes as arguments.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from vaultmem import judgement
from vaultmem.base import TYPE_CHECKING, NamedTuple, replace
from vaultmem.extract import MONTHS_AND_DAYS, Frame, frame_of, may_have_verb, plain, words
from vaultmem.language import canonical, is_one_word, slugify
from vaultmem.model import Item, item_id, part_key, slot_key
from vaultmem.storage import files
from vaultmem.vault import NO_OID

if TYPE_CHECKING:
    from vaultmem.vault import Listings

# --- beginnings: which of thousands may say more, or less ---


# `decide` compares two statements; asking it of every pair would take time with the
# square of their number.
class Beginnings:
    """Numbered texts, found by what they begin with or are the beginning of."""

    def __init__(self) -> None:
        self._by_start: dict[str, list[int]] = {}
        self._sorted: list[str] = []  # the keys of `_by_start`
        self._lengths: list[int] = []  # of the keys, each once, in order

    def add(self, text: str, number: int) -> None:
        """Take a text in. The number is given back when it is found."""
        start = _start(text)
        known = self._by_start.get(start)
        if known is not None:
            known.append(number)
            return
        self._by_start[start] = [number]
        insort(self._sorted, start)
        place = bisect_left(self._lengths, len(start))
        if self._lengths[place : place + 1] != [len(start)]:
            self._lengths.insert(place, len(start))

    def around(self, text: str) -> Iterator[int]:
        """Numbers of the texts that begin as this one does, or with which it begins.

        Compared letter by letter after normalisation, marks at the end aside: all of which
        `decide` can say that one goes on where the other ends, and a few more.
        Each number once, for each time that it was added; in no order.
        """
        start = _start(text)
        for length in self._lengths:
            # Starts of the full length are found by the second loop; here they would be given
            # twice.
            if length >= len(start):
                break
            yield from self._by_start.get(start[:length], ())
        for place in range(bisect_left(self._sorted, start), len(self._sorted)):
            if not self._sorted[place].startswith(start):
                break
            yield from self._by_start[self._sorted[place]]


def _start(text: str) -> str:
    return " ".join(canonical(text).rstrip(",;:").split())


# --- comparison by words, where no slot tells ---

# Decided are only statements that are the same but for one thing: a denial, a number, a time, a
# name; and those that say what they put an end to ('switched from A to B', 'B instead of A'). A
# missed contradiction leaves two memories, which recall shows with their dates; a wrong one takes a
# person's time or ends what is true. So words in doubt coexist. Pure.
COEXIST, SUPERSEDE, UNDECIDED = "coexist", "supersede", "undecided"

# What has many values at once: another one says nothing against the first.
_MANY = words(
    "use support like love speak know own play include contain offer need require want read eat "
    "drink prefer teach study drive store keep serve allow accept return send write wear sell "
    "provide depend connect expose hold can must always go"
)
_AMOUNTS = words("be cost weigh last take measure have earn pay")  # 'costs 20 euros': one at a time
_CURRENCIES = words("€ $ £")
_PLACES = {"work": "at", "live": "in"}
# Before a number: it names one of several things.
_LABELS = words(
    "version chapter page line issue bug ticket step phase season part section item number no "
    "nr § # v day week lesson level grade figure table task pr episode"
)
_ARTICLES = words("the our my a an")
_JOINTS = words("of de von van der da di la le & and")
_CLOCK = words("am pm o'clock noon midnight")
_NUMBERS = words("one two three four five six seven eight nine ten eleven twelve")
_MOVES = words(
    "switched moved migrated changed went upgraded converted ported relocated transitioned"
)
_REPLACED = words("replaced swapped")
_BETWEEN = words("i we have has 've just recently now was is been finally completely")
_POINTING = words("it this that these those he she they you there here")
_LITTLE = words("to for in on at of the a our my as with and from is are am")
_INSTEAD = (("instead", "of"), ("rather", "than"), (",", "not"), ("and", "not"))
NUMBER, TIME, NAME = "number", "time", "name"
_LONGEST_VALUE = 5  # words


def compare(new: str, known: str) -> str:
    """What a new statement means for a known one, by their words: rules as in the module's text."""
    one = frame_of(new)
    # Before the known one is taken apart: one text is held against dozens, and of most of them
    # neither its verb nor what it ends is there.
    if not _says_what_ended(new) and (one is None or not may_have_verb(known, one.verb)):
        return COEXIST
    other = frame_of(known)
    if other is None or other.is_denied:
        return _compare_denied(new, other)
    if replaces(new, known):
        return SUPERSEDE
    # Held against all that may meet them, none of 47,861 sentences of real notes and chats is ended
    # or flagged wrongly by these rules.
    if one is None or not _is_about_one(one, other) or one.verb != other.verb:
        return COEXIST
    if _are_same(one.said, other.said):
        return SUPERSEDE if one.is_denied else COEXIST
    return COEXIST if one.is_denied else _compare_values(one, other)


def replaces(new: str, known: str) -> bool:
    """Whether the new statement names what it takes the place of, and that is the known one."""
    if not _says_what_ended(new):
        return False
    other = frame_of(known)
    if other is None or other.is_denied:
        return False
    return _is_instead(new, other) or _is_switch(new, other)


def can_rival(statement: str) -> bool:
    """Whether the statement may contradict another one at all: a quick look before a search."""
    return frame_of(statement) is not None or _says_what_ended(statement)


def _says_what_ended(statement: str) -> bool:
    """Whether a statement names what it takes the place of."""
    return bool(_former(statement) or _split(statement))


def _compare_denied(new: str, known: Frame | None) -> str:
    """'The garage is heated' after 'the garage is not heated'."""
    one = frame_of(new) if known is not None else None
    if one is None or known is None or one.is_denied or one.verb != known.verb:
        return COEXIST
    same = _is_about_one(one, known) and _are_same(one.said, known.said)
    return SUPERSEDE if same else COEXIST


# --- one value differs -------------------------------------------------------------------------


def _compare_values(new: Frame, known: Frame) -> str:
    start, ends = _shared_ends(new.said, known.said)
    first, then = _middle(known, start, ends), _middle(new, start, ends)
    kind = kind_of(*then)
    if not kind or kind != kind_of(*first) or new.verb in _MANY:
        return COEXIST
    before = new.said[:start]
    if kind == NUMBER and before and before[-1] in _LABELS:
        return COEXIST
    shared = (*before, *new.said[len(new.said) - ends :])
    if new.is_new and not known.is_new:
        return SUPERSEDE
    if kind == TIME and any(_is_value(word) for word in shared):
        return COEXIST  # 'opens at 9 on Mondays' goes with 'opens at 9 on Sundays'
    if kind == NUMBER and new.verb in _AMOUNTS and not set(before) - _CURRENCIES:
        return SUPERSEDE
    if kind == NAME:
        return _compare_names(new, before, ends)
    return UNDECIDED


def _compare_names(new: Frame, before: Sequence[str], ends: int) -> str:
    """'The lead is Ann', then 'the lead is Tom': one place has one name, a person has many."""
    if new.verb in _PLACES and tuple(before) == (_PLACES[new.verb],) and not ends:
        return SUPERSEDE
    if new.verb == "have" or (new.verb == "be" and not new.has_article):
        return COEXIST
    return UNDECIDED


def kind_of(value: Sequence[str], raw: Sequence[str]) -> str:
    """What a value is: a number, a time, a name; '' for anything else, and for nothing."""
    if not value or len(value) > _LONGEST_VALUE:
        return ""
    if any(word.endswith("s") and word[:-1] in MONTHS_AND_DAYS for word in value):
        return ""  # 'on Mondays': also on other days
    if all(_is_time(word) or _is_number(word) for word in value):
        return TIME if any(_is_time(word) for word in value) else NUMBER
    named = all(word[:1].isupper() or word in _JOINTS for word in raw)
    return NAME if named and raw[0][:1].isupper() else ""


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in _NUMBERS or word in _CURRENCIES or word == "%"


def _is_time(word: str) -> bool:
    if word in _CLOCK or (word in MONTHS_AND_DAYS):
        return True
    return (word[0].isdigit() and word.endswith(("am", "pm"))) or (
        ":" in word and word[0].isdigit()
    )


def _is_value(word: str) -> bool:
    return _is_number(word) or _is_time(word) or word.rstrip("s") in MONTHS_AND_DAYS


# --- the former value is named -----------------------------------------------------------------


def _is_instead(new: str, known: Frame) -> bool:
    """'We use Bun instead of Node', where 'we use Node' is known."""
    split = _split(new)
    if not split:
        return False
    kept, former = split
    one = frame_of(kept)
    if one is None or one.is_denied or one.verb != known.verb or not _is_about_one(one, known):
        return False
    start, ends = _shared_ends(one.said, known.said)
    middle = known.said[start : len(known.said) - ends]
    return bool(one.said[start : len(one.said) - ends]) and _bare(middle) == _bare(former)


@lru_cache(maxsize=64)  # one new statement is held against dozens
def _split(statement: str) -> tuple[str, tuple[str, ...]] | tuple[()]:
    """('We use Bun', ('node',)) of 'We use Bun instead of Node'; () of another sentence."""
    tokens = plain(statement)
    if tokens is None:
        return ()
    lower = tokens.lower
    for i in range(2, len(lower)):
        if lower[i : i + 2] in _INSTEAD and i + 2 < len(lower):
            text = statement.replace("’", "'").strip()
            return text[: tokens.end[i - 1]], lower[i + 2 :]
    return ()


def _is_switch(new: str, known: Frame) -> bool:
    """'We switched from Redis to Memcached', where 'we use Redis for caching' is known."""
    found = _former(new)
    if not found:
        return False
    subject, former, rest = found
    if _bare(subject) != _bare(known.subject):
        return False
    said = known.said
    for i in range(len(said) - len(former) + 1):
        if said[i : i + len(former)] == former:
            others = [*said[:i], *said[i + len(former) :]]
            return all(word in _LITTLE or word in rest for word in others)
    return False


@lru_cache(maxsize=64)
def _former(statement: str) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]] | tuple[()]:
    """Who switched, from what, and all other words; () of another sentence."""
    tokens = plain(statement)
    if tokens is None or tokens.present & {"if", "would", "should", "could", "not", "never", "?"}:
        return ()
    lower = tokens.lower
    verb = next((i for i, word in enumerate(lower) if i and word in _MOVES | _REPLACED), None)
    if verb is None:
        return ()
    subject = tuple(word for i, word in enumerate(lower[:verb]) if i == 0 or word not in _BETWEEN)
    if lower[verb] in _REPLACED:
        return _between(lower, subject, verb + 1, ("with", "by", "for"))
    start = next((i for i in range(verb + 1, len(lower)) if lower[i] == "from"), None)
    return () if start is None else _between(lower, subject, start + 1, ("to", "into"))


def _between(
    lower: tuple[str, ...], subject: tuple[str, ...], start: int, ends: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]] | tuple[()]:
    end = next((i for i in range(start, len(lower)) if lower[i] in ends), None)
    if end is None:
        return ()
    former = _bare(lower[start:end])
    if not 0 < len(former) <= _LONGEST_VALUE:
        return ()
    return subject, former, frozenset((*lower[:start], *lower[end:]))


# --- words -------------------------------------------------------------------------------------


def _is_about_one(one: Frame, other: Frame) -> bool:
    """Whether both are about the same; 'it', 'this' and 'they' may be anything."""
    if one.subject and one.subject[0] in _POINTING:
        return False
    return _are_same(one.subject, other.subject)


def _are_same(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(map(is_one_word, one, other))


def _shared_ends(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many words both begin with, and how many they end with after that."""
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and is_one_word(one[start], other[start]):
        start += 1
    ends = 0
    while ends < shorter - start and is_one_word(one[-1 - ends], other[-1 - ends]):
        ends += 1
    return start, ends


def _middle(frame: Frame, start: int, ends: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    end = len(frame.said) - ends
    return frame.said[start:end], frame.raw[start:end]


def _bare(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for i, word in enumerate(said) if i or word not in _ARTICLES)


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
    if says_more(known, new) or _canonical(new.statement) == _canonical(known.statement):
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
    return tuple(_canonical(text).split())


_canonical = lru_cache(maxsize=8192)(canonical)


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


_DEEP = 5  # items/2026/05/03/name.md


def remainder_of(known: Item, rest: str) -> Item:
    """An item with these words of a known one, in the folder of the known one, as it held.

    Its id is of the known one and the words: two devices that end the same make the same note.
    A slot, names and a day go with it only where their words are left.
    """
    id_ = item_id(known.id, canonical(rest))
    year, month, day = _day_of(known.path)
    has_slot = bool(known.object) and canonical(known.object) in canonical(rest)
    said = rest.casefold()
    if known.due is not None and not judgement.names_day(rest):
        # 'I keep the books' of 'I keep the books and the final is on 26 March' has no day.
        begins = None if known.valid_from == known.due else known.valid_from
        known = replace(known, due=None, valid_from=begins)
    return replace(
        known,
        path=files.layout.item_path(slugify(rest), id_, year=year, month=month, day=day),
        oid=NO_OID,
        title="",
        body=rest,
        aliases=(),
        id=id_,
        statement=rest,
        subject=known.subject if has_slot else "",
        predicate=known.predicate if has_slot else "",
        object=known.object if has_slot else "",
        status="active",
        supersedes=(known.path.stem,),
        superseded_by=(),
        entities=tuple(name for name in known.entities if name.casefold() in said),
    )


def can_be_taken_apart(known: Item) -> bool:
    """Whether an item lies where items of a day do, and says nothing but its statement."""
    is_plain = canonical(known.body) == canonical(known.statement)
    return is_plain and len(known.path.parts) == _DEEP and known.path.parts[1].isdigit()


def is_remainder(item: Item, whole: Item) -> bool:
    """Whether an item says a part of what another said, and nothing else."""
    return whole.path.stem in item.supersedes and judgement.is_rest_of(
        item.statement, whole.statement
    )


def shelve(listings: Listings, item: Item) -> bool:
    """Put it in its listings and in its lists; False where the same is said already."""
    index = listings.vault.index
    ids = {item.id, *index.items_with_statement(canonical(item.statement))}
    rows = [row for id_ in sorted(ids) for row in index.notes_with_id(id_)]
    is_said = any(row.status == "active" or row.id == item.id for row in rows)
    if is_said or listings.working_copy.text(item.path) is not None:
        return False
    listings.add_note(item)
    listings.list_item(item)
    return True


def _day_of(path: PurePosixPath) -> tuple[int, int, int]:
    year, month, day = path.parts[1:4]
    return int(year), int(month), int(day)
