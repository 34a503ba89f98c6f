"""One conversation out of two that went on from the same turn, on two devices.

The turns of both are kept, in the order of their times, and numbered anew; what each turn brought
follows its number. Base truth is merged fact by fact; then each turn is heard beside what the other
device had learned before it, so that the later of two answers to one question holds. Pure, and the
same whoever joins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from vaultmem.base.records import NamedTuple, dataclass, replace
from vaultmem.language.text import canonical
from vaultmem.model.talks.sessions import Exchange
from vaultmem.sessions.log import Entry
from vaultmem.sessions.truth import DONE, Fact
from vaultmem.sessions.truth_page import numbered

Overtaken = Callable[[Exchange, Sequence[Fact]], frozenset[str]]
"""(turn, facts of the other device) -> those that the turn's words end, as they are compared."""

_BOTH = -1
_FACT_ID = re.compile(r"t(\d{1,7})-(\d{1,4})")
_STAND_IN = re.compile(r"\(the document (t\d+-\d+) again, kept as (t\d+-\d+):")
_EDIT = re.compile(r"(?<![^\n])--- (t\d+-\d+)\n\+\+\+ (t\d+-\d+)(?![^\n])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What of a conversation is joined."""

    exchanges: tuple[Exchange, ...] = ()
    log: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()
    held: tuple[Fact, ...] = ()
    pruned: int = 0
    archived: int = 0  # turns that became items, from the first on


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Both as one, and where the turns of each went."""

    talk: Talk
    common: int  # turns that both had
    numbers: tuple[Mapping[int, int], Mapping[int, int]]  # old -> new, of those after them

    def name(self, side: int, name: str) -> str:
        """What an artifact of a side is called now."""
        return _renamed(name, self.numbers[side])


def joined(base: Talk, early: Talk, late: Talk, *, overtaken: Overtaken) -> Joined | None:
    """Both conversations as one; None where a side took turns back or told them otherwise.

    late  the side whose last turn is the later one: of two rewordings of one fact its one stands
    """
    sides = (early, late)
    if any(side.exchanges[: len(base.exchanges)] != base.exchanges for side in sides):
        return None
    if any(side.log[: len(base.log)] != base.log for side in sides):
        return None
    common = _common(early.exchanges, late.exchanges)
    order = list(_in_order(early.exchanges[common:], late.exchanges[common:]))
    numbers: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for number, (side, exchange) in enumerate(order, start=common + 1):
        numbers[side][exchange.turn] = number
    exchanges = (
        *late.exchanges[:common],
        *(_placed(exchange, numbers[side]) for side, exchange in order),
    )
    is_archived = [n <= max(early.archived, late.archived) for n in range(1, common + 1)]
    is_archived += [exchange.turn <= sides[side].archived for side, exchange in order]
    truth = _Truth(base, sides, numbers, common=common)
    facts = truth.facts(exchanges, overtaken)
    talk = Talk(
        exchanges=exchanges,
        log=_log(sides, numbers),
        facts=facts,
        held=_held(base, sides, numbers, facts),
        pruned=max(numbers[n].get(side.pruned, side.pruned) for n, side in enumerate(sides)),
        archived=(*is_archived, False).index(False),
    )
    return Joined(talk=talk, common=common, numbers=numbers)


def renamed_text(text: str, names: Mapping[int, int]) -> str:
    """A turn's text or an edit of a document, with the artifacts in it by their new names."""
    stand_in = _STAND_IN.match(text)
    if stand_in is None and not text.startswith("--- "):
        return text
    if stand_in is not None:
        old, new = (_renamed(name, names) for name in stand_in.groups())
        text = f"(the document {old} again, kept as {new}:{text[stand_in.end() :]}"
    return _EDIT.sub(
        lambda found: f"--- {_renamed(found[1], names)}\n+++ {_renamed(found[2], names)}",
        text,
        count=1,
    )


def _renamed(name: str, numbers: Mapping[int, int]) -> str:
    found = _FACT_ID.fullmatch(name)
    return f"t{numbers.get(int(found[1]), int(found[1]))}-{found[2]}" if found else name


def _common(one: Sequence[Exchange], other: Sequence[Exchange]) -> int:
    """How many turns both have from the first on."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _in_order(
    early: Sequence[Exchange], late: Sequence[Exchange]
) -> Iterator[tuple[int, Exchange]]:
    """(side, turn) by time; each side stays in its own order, at one moment `early` comes first."""
    left, right = list(early), list(late)
    while left or right:
        goes_first = bool(left) and (not right or (left[0].at or 0) <= (right[0].at or 0))
        yield (0, left.pop(0)) if goes_first else (1, right.pop(0))


def _placed(exchange: Exchange, numbers: Mapping[int, int]) -> Exchange:
    return replace(
        exchange,
        turn=numbers[exchange.turn],
        user=renamed_text(exchange.user, numbers),
        assistant=renamed_text(exchange.assistant, numbers),
    )


def _log(sides: tuple[Talk, Talk], numbers: tuple[Mapping[int, int], ...]) -> tuple[Entry, ...]:
    """What both logs have in common, then the other entries by turn; amendments behind it."""
    one, other = (side.log for side in sides)
    pairs = zip(one, other, strict=False)
    kept = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    added: list[tuple[tuple[int, bool, bool, int], Entry]] = []
    for side, talk in enumerate(sides):
        for entry in talk.log[kept:]:
            turn = numbers[side].get(entry.turn, entry.turn)
            amends = entry.amends and numbers[side].get(entry.amends, entry.amends)
            key = (turn, amends is not None, not entry.unsummarised, side)
            added.append((key, replace(entry, turn=turn, amends=amends)))
    # Of two entries about one turn the last one counts: a summary rather than none.
    return (*one[:kept], *(entry for _, entry in sorted(added, key=lambda each: each[0])))


def _held(
    base: Talk,
    sides: tuple[Talk, Talk],
    numbers: tuple[Mapping[int, int], ...],
    facts: Sequence[Fact],
) -> tuple[Fact, ...]:
    """Rules that wait on either side, without those that one of them decided about."""
    before = {canonical(fact.text) for fact in base.held}
    there = [{canonical(fact.text) for fact in side.held} for side in sides]
    decided = {text for text in before if not all(text in each for each in there)}
    decided |= {canonical(fact.text) for fact in facts if fact.hard}
    found: dict[str, Fact] = {}
    for side, talk in enumerate(sides):
        for fact in talk.held:
            key = canonical(fact.text)
            if key not in decided:
                found.setdefault(key, replace(fact, id=_renamed(fact.id, numbers[side])))
    taken = {fact.id for fact in facts}
    kept = [replace(fact, id="") if fact.id in taken else fact for fact in found.values()]
    return numbered(kept, 0, beside=facts)


class _Row(NamedTuple):
    """A fact, and after which turn of which side it holds."""

    turn: int
    side: int  # 0, 1; `_BOTH`
    fact: Fact


class _Truth:
    """Base truth of both."""

    def __init__(
        self,
        base: Talk,
        sides: tuple[Talk, Talk],
        numbers: tuple[Mapping[int, int], Mapping[int, int]],
        *,
        common: int,
    ) -> None:
        self._base, self._sides, self._numbers = base, sides, numbers
        self._common = common
        self._side_of = {new: n for n, each in enumerate(numbers) for new in each.values()}

    def facts(self, exchanges: Sequence[Exchange], overtaken: Overtaken) -> tuple[Fact, ...]:
        rows = [*self._known(), *self._new()]
        for exchange in exchanges[self._common :]:
            side = self._side_of[exchange.turn]

            def is_heard(row: _Row, turn: int = exchange.turn, side: int = side) -> bool:
                return row.side == 1 - side and row.turn < turn and not row.fact.hard

            heard = [row.fact for row in rows if is_heard(row)]
            gone = overtaken(exchange, heard) if heard else frozenset()
            rows = [row for row in rows if not (is_heard(row) and canonical(row.fact.text) in gone)]
        return numbered(_once([row.fact for row in rows]), len(exchanges))

    def _known(self) -> Iterator[_Row]:
        """What both began with, as each left it."""
        early, late = ({_key(fact): fact for fact in side.facts} for side in self._sides)
        for fact in self._base.facts:
            sides = early.get(_key(fact)), late.get(_key(fact))
            kept = _three_way(fact, *sides)
            if kept is not None:
                said = next((n for n, each in enumerate(sides) if each and each != fact), _BOTH)
                last = max(self._numbers[said].values(), default=0) if said != _BOTH else 0
                yield _Row(last, said, kept)

    def _new(self) -> list[_Row]:
        """What each learned, by turn."""
        before = {_key(fact) for fact in self._base.facts}
        found = []
        for side, talk in enumerate(self._sides):
            numbers = self._numbers[side]
            last = max(numbers.values(), default=self._common)
            for fact in talk.facts:
                if _key(fact) in before:
                    continue
                named = _FACT_ID.fullmatch(fact.id)
                turn = numbers.get(int(named[1]), int(named[1])) if named else last
                found.append(_Row(turn, side, replace(fact, id=_renamed(fact.id, numbers))))
        return sorted(found, key=lambda row: (row.turn, row.side))


def _key(fact: Fact) -> str:
    return fact.id or canonical(fact.text)


def _three_way(base: Fact, early: Fact | None, late: Fact | None) -> Fact | None:
    """What is left of a fact: taken out by one it is gone, unless the other changed it."""
    if early is None or late is None:
        left = early or late
        return None if left == base else left
    task = DONE if DONE in (early.task, late.task) else late.task
    return replace(
        late,
        text=late.text if late.text != base.text else early.text,
        hard=late.hard if late.hard != base.hard else early.hard,
        task=task if task != base.task else early.task,
    )


def _once(facts: Sequence[Fact]) -> list[Fact]:
    """Each fact once, at its first place, hard if either was; no id twice."""
    found: dict[str, Fact] = {}
    ids: set[str] = set()
    for fact in facts:
        key = canonical(fact.text)
        if key in found:
            found[key] = replace(found[key], hard=found[key].hard or fact.hard)
            continue
        found[key] = replace(fact, id="") if fact.id in ids else fact
        ids.add(fact.id)
    return list(found.values())
