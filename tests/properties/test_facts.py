"""A vault against a plain list of rows, for random sequences of operations on facts (2.1-2.4)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.model.answers import Filters

DAY = 86_400_000
SLOTS = (("project-x", "uses_database"), ("Ann", "works_at"))
VALUES = ("Red", "Green", "Blue")
FIRST, LAST = -40, -1  # days before now on which things happen
OPEN = 1_000_000
STEPS = 14
COUNTS = ("active", "superseded", "expired")


@dataclass(frozen=True)
class Row:
    """A fact of a slot, from a day until another, both counted from now."""

    value: str
    since: int
    until: int = OPEN
    is_active: bool = True


class Model:
    """What the algorithms say, on plain lists: none of the product's code."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], list[Row]] = {slot: [] for slot in SLOTS}

    def at(self, slot: tuple[str, str], day: float) -> list[str]:
        """The values that hold on a day."""
        return sorted(row.value for row in self.rows[slot] if row.since <= day < row.until)

    def current(self, slot: tuple[str, str]) -> Row | None:
        """The one active row; None when there is none, or several."""
        active = [row for row in self.rows[slot] if row.is_active]
        return active[0] if len(active) == 1 else None

    def state(self, slot: tuple[str, str], value: str, since: int) -> None:
        rows = self.rows[slot]
        if any(row.is_active and row.value == value for row in rows):
            return  # known already
        new = Row(value, since)
        for i, row in enumerate(rows):
            overlap = row.since < new.until and new.since < row.until
            if row.value == value or not overlap:
                continue
            if row.since < since:
                rows[i] = replace(row, until=since, is_active=False)
            elif row.since > since:
                new = replace(new, until=row.since, is_active=False)
        rows.append(new)

    def change(self, slot: tuple[str, str], value: str, day: int) -> bool:
        old = self.current(slot)
        if old is None or (old.value != value and day <= old.since):
            return False
        if old.value == value:
            return day >= old.since
        self._put(slot, old, replace(old, until=day, is_active=False))
        self.rows[slot].append(Row(value, day))
        return True

    def correct(self, slot: tuple[str, str], value: str) -> bool:
        old = self.current(slot)
        return old is not None and self._put(slot, old, replace(old, value=value))

    def expire(self, slot: tuple[str, str], day: int) -> bool:
        old = self.current(slot)
        if old is None or day <= old.since:
            return False
        return self._put(slot, old, replace(old, until=day, is_active=False))

    def retract(self, slot: tuple[str, str]) -> bool:
        old = self.current(slot)
        if old is None:
            return False
        self.rows[slot].remove(old)
        return True

    def _put(self, slot: tuple[str, str], old: Row, new: Row) -> bool:
        rows = self.rows[slot]
        rows[rows.index(old)] = new
        return True


def held(memory: Memory, slot: tuple[str, str], at: int) -> list[str]:
    """The values that the notes of the vault say held at an instant."""
    rows = memory.list(Filters(types=("item",), statuses=COUNTS))
    return sorted(
        row.object
        for row in rows
        if (row.subject, row.predicate) == slot
        and (row.valid_from is None or row.valid_from <= at)
        and (row.valid_until is None or at < row.valid_until)
        and (row.status == "active" or row.valid_until is not None)
    )


def act(memory: Memory, model: Model, chance: random.Random) -> str:
    """One random operation on both; what it was."""
    slot, value, day = chance.choice(SLOTS), chance.choice(VALUES), chance.randint(FIRST, LAST)
    at = NOON + day * DAY
    kind = chance.choice(("state", "state", "change", "change", "correct", "expire", "retract"))
    if kind == "state":
        model.state(slot, value, day)
        memory.remember("", fact=(*slot, value), valid_from=at)
        return f"state {slot} {value} {day}"
    repeats = kind == "expire" and model.current(slot) is None
    done = {
        "change": lambda: model.change(slot, value, day),
        "correct": lambda: model.correct(slot, value),
        "expire": lambda: model.expire(slot, day),
        "retract": lambda: model.retract(slot),
    }[kind]()
    try:
        if kind == "change":
            memory.change(*slot, value, effective=at)
        elif kind == "correct":
            memory.correct(*slot, value)
        elif kind == "expire":
            memory.facts.expire(*slot, until=at)
        else:
            memory.facts.retract(*slot)
        was_done = True
    except BadInputError:
        was_done = False
    # To end again what ended on that very day is no error.
    assert was_done == done or repeats, f"{kind} {slot} {value} {day}"
    return f"{kind} {slot} {value} {day} {done}"


@pytest.mark.parametrize("seed", range(3))
def test_the_notes_say_what_a_plain_list_says(
    tmp_path: Path, seed: int, times: Callable[[int], int]
) -> None:
    for number in range(times(1)):
        chance = random.Random(seed * 1_000_003 + number)
        clock = FixedClock()
        root = tmp_path / f"{number}"
        Memory.init(root, name="test", clock=clock)
        model, trail = Model(), []
        with Memory(root, clock=clock) as memory:
            for _ in range(STEPS):
                trail.append(act(memory, model, chance))
                for slot in SLOTS:
                    for day in range(FIRST - 2, 2):
                        wanted = model.at(slot, day)
                        found = held(memory, slot, NOON + day * DAY)
                        assert found == wanted, "\n".join([*trail, f"{slot} on day {day}"])
            before = memory.opened.index.dump()["notes"]
            memory.reindex()
            assert memory.opened.index.dump()["notes"] == before
            codes = {problem.code for problem in memory.check().problems}
            assert codes <= {"contradiction"}, "\n".join(trail)
