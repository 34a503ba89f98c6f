"""As-of answers of a real vault against the replay of a plain list, for every cell of a grid."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.history.by_hand import HandMade
from vaultmem.api.memory import Memory
from vaultmem.history import versions
from vaultmem.language.time import DAY_MS, format_instant, parse_instant
from vaultmem.model.answers import Filters

ITEMS = Filters(types=("item",))
FIRST = parse_instant("2026-02-01T09:00:00Z")
STEPS = 14
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass
class Fact:
    """An item, as a list on paper would have it."""

    text: str
    begins: int | None
    ends: int | None = None
    state: str = "active"
    path: str = ""
    links: str = ""

    def note(self, id_: str) -> str:
        """The file of it."""
        keys = f"id: {id_}\nkind: fact\nstatus: {self.state}\n"
        if self.begins is not None:
            keys += f"valid_from: {format_instant(self.begins)}\n"
        if self.ends is not None:
            keys += f"valid_until: {format_instant(self.ends)}\n"
        return f'---\n{keys}source: "[[letter]]"\n---\n\n{self.text}\n'


@dataclass
class Paper:
    """The plain model: what was written down after every commit, in the order of commits."""

    facts: dict[str, Fact] = field(default_factory=dict)
    pages: list[tuple[int, dict[str, Fact]]] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)

    def turn(self, at_ms: int) -> None:
        """Keep the state as that of a commit of this time; a slow clock does not go back."""
        at_ms = max(at_ms, self.pages[-1][0]) if self.pages else at_ms
        for id_ in self.facts:
            self.first.setdefault(id_, at_ms)
        self.pages.append((at_ms, copy.deepcopy(self.facts)))

    def answer(self, valid_ms: int, known_ms: int | None) -> list[str]:
        """What held, as it was known; None: as it is known now."""
        facts = self.facts
        if known_ms is not None:
            pages = [page for at_ms, page in self.pages if at_ms <= known_ms]
            facts = pages[-1] if pages else {}
        return sorted(fact.text for id_, fact in facts.items() if self._held(id_, fact, valid_ms))

    def _held(self, id_: str, fact: Fact, at_ms: int) -> bool:
        if fact.state in ("retracted", "candidate"):
            return False
        if fact.state in ("superseded", "expired") and fact.ends is None:
            return False
        begins = self.first.get(id_) if fact.begins is None else fact.begins
        return (begins is None or begins <= at_ms) and (fact.ends is None or at_ms < fact.ends)


class World:
    """Acts on a vault and on paper alike."""

    def __init__(self, root: Path, clock: FixedClock, memory: Memory, seed: int) -> None:
        self.vault = HandMade(root)
        self.clock = clock
        self.memory = memory
        self.paper = Paper()
        self.rng = random.Random(seed)
        self.count = 0

    # --- what happens ------------------------------------------------------------------------

    def step(self) -> None:
        """One random thing, some hours or days later; at times by a clock that is behind."""
        self.clock.at += self.rng.randrange(1, 60) * 3_600_000
        if self.rng.random() < 0.2:
            self.clock.at -= self.rng.randrange(1, 40) * 3_600_000
        acts: list[Callable[[], None]] = [self.write, self.write, self.edit, self.move, self.merge]
        if any(fact.state == "active" and fact.ends is None for fact in self.paper.facts.values()):
            acts += [self.change, self.correct, self.expire, self.retract, self.save, self.remove]
        self.rng.choice(acts)()

    def write(self) -> None:
        """A new note, by hand."""
        self._commit({self._new(): None})

    def edit(self) -> None:
        """Another text, another interval or another status, by hand."""
        if self.paper.facts:
            self._commit({self._edited(self._any()): None})

    def move(self) -> None:
        """A note gets another place, perhaps other words with it."""
        if not self.paper.facts:
            return
        id_ = self._any()
        fact = self.paper.facts[id_]
        old = fact.path
        fact.path = f"{self.rng.choice(('items/moved', 'archive', 'items'))}/{self._word()}.md"
        if self.rng.random() < 0.5:
            fact.text = self._text()
        self._commit({id_: None}, gone=(old,))

    def remove(self) -> None:
        """A note is deleted, by hand."""
        fact = self.paper.facts.pop(self._any())
        self._commit({}, gone=(fact.path,))

    def merge(self) -> None:
        """A branch that changes one note, merged after the main line went on."""
        if not self.paper.facts:
            return
        git, main = self.vault.git, self.vault.git("branch", "--show-current")
        before = copy.deepcopy(self.paper.facts)
        git("checkout", "--quiet", "-b", f"side{self._word()}")
        id_ = self._edited(self._any())
        theirs = self.paper.facts[id_]
        self.vault.commit(self._now(), {theirs.path: theirs.note(id_)})
        side = git("branch", "--show-current")
        git("checkout", "--quiet", main)
        self.paper.facts = before
        self.clock.at += 3_600_000
        self.write()
        self.clock.at += 3_600_000
        git("merge", "--quiet", "--no-ff", "-m", "merge", side, at=self._now())
        self.paper.facts[id_] = theirs
        self.paper.turn(self._second())

    def save(self) -> None:
        """An edit that is not committed: it counts now, and is known when it is committed."""
        id_ = self._edited(self._any())
        fact = self.paper.facts[id_]
        (self.vault.root / fact.path).write_text(fact.note(id_))
        assert self.ask(FIRST + 5 * DAY_MS, None) == self.paper.answer(FIRST + 5 * DAY_MS, None)
        self.memory.sync()
        self.paper.turn(self.clock.at)

    def change(self) -> None:
        """The world changed."""
        id_ = self._active()
        old, text, at_ms = self.paper.facts[id_], self._text(), self._later_than(id_)
        done = self.memory.change(id_, text, effective=at_ms)
        assert done.successor is not None
        old.state, old.ends = "superseded", at_ms
        new = Fact(text, at_ms, path=str(done.successor.path))
        self.paper.facts[done.successor.id] = new
        self.paper.turn(self.clock.at)

    def correct(self) -> None:
        """The record was wrong."""
        id_ = self._active()
        self.paper.facts[id_].text = text = self._text()
        self.memory.correct(id_, text)
        self.paper.turn(self.clock.at)

    def expire(self) -> None:
        """It ended."""
        id_ = self._active()
        at_ms = self._later_than(id_)
        self.memory.facts.expire(id_, until=at_ms)
        fact = self.paper.facts[id_]
        fact.state, fact.ends = "expired", at_ms
        self.paper.turn(self.clock.at)

    def retract(self) -> None:
        """It was never true."""
        id_ = self._active()
        self.memory.facts.retract(id_)
        self.paper.facts[id_].state = "retracted"
        self.paper.turn(self.clock.at)

    # --- its means ---------------------------------------------------------------------------

    def _commit(self, ids: dict[str, None], gone: tuple[str, ...] = ()) -> None:
        files: dict[str, str | None] = dict.fromkeys(gone)
        files.update({(f := self.paper.facts[id_]).path: f.note(id_) for id_ in ids})
        self.vault.commit(self._now(), files)
        self.paper.turn(self._second())

    def _new(self) -> str:
        id_ = "i-" + "".join(self.rng.choices(_ALPHABET, k=10))
        begins = None if self.rng.random() < 0.3 else self._day()
        self.paper.facts[id_] = Fact(self._text(), begins, path=f"items/{self._word()}.md")
        return id_

    def _edited(self, id_: str) -> str:
        fact = self.paper.facts[id_]
        what = self.rng.randrange(4)
        if what == 0:
            fact.text = self._text()
        elif what == 1:
            fact.begins, fact.ends = self._day(), None
        elif what == 2:
            fact.ends = (fact.begins or FIRST) + self.rng.randrange(1, 9) * DAY_MS
        else:
            fact.state = self.rng.choice(("active", "archived", "superseded", "candidate"))
        fact.text = f"{fact.text} again" if what else fact.text
        return id_

    def _any(self) -> str:
        return self.rng.choice(sorted(self.paper.facts))

    def _active(self) -> str:
        facts = self.paper.facts.items()
        return self.rng.choice(
            sorted(id_ for id_, fact in facts if fact.state == "active" and fact.ends is None)
        )

    def _later_than(self, id_: str) -> int:
        return (self.paper.facts[id_].begins or self._day()) + self.rng.randrange(1, 6) * DAY_MS

    def _day(self) -> int:
        return FIRST + self.rng.randrange(-2, 12) * DAY_MS

    def _word(self) -> str:
        self.count += 1
        return f"w{self.count}"

    def _text(self) -> str:
        return f"The fact {self._word()} is known."

    def _second(self) -> int:
        return self.clock.at // 1000 * 1000

    def _now(self) -> str:
        return format_instant(self._second())

    # --- questions ---------------------------------------------------------------------------

    def ask(self, valid_ms: int, known_ms: int | None, memory: Memory | None = None) -> list[str]:
        """What the vault says to a cell of the grid."""
        rows = (memory or self.memory).list(ITEMS, as_of=valid_ms, known_at=known_ms)
        return sorted(row.statement for row in rows)

    def cells(self) -> list[tuple[int, int | None]]:
        """Every valid time with every record time, and with now."""
        times = sorted({at_ms for at_ms, _ in self.paper.pages})
        between = [(one + other) // 2 for one, other in itertools.pairwise(times)]
        known = [times[0] - DAY_MS, *between, times[-1] + DAY_MS, None]
        return [(FIRST + day * DAY_MS + 7, tr) for day in range(-3, 16, 2) for tr in known]


def check(world: World, memory: Memory) -> dict[tuple[int, int | None], list[str]]:
    """Every cell as on paper; the answers."""
    found = {cell: world.ask(*cell, memory) for cell in world.cells()}
    expected = {cell: world.paper.answer(*cell) for cell in found}
    assert found == expected
    return found


@pytest.fixture
def clock() -> FixedClock:
    """Starts before everything."""
    return FixedClock(FIRST)


class TestTimeTravel:
    """As-of answers from the real vault == replay of a plain list model, for every cell of a
    (valid x record) grid; the same after `reindex` and in a clone."""

    @pytest.mark.parametrize("seed", range(2))
    def test_every_cell_is_as_on_paper(
        self, root: Path, clock: FixedClock, tmp_path: Path, times: Callable[[int], int], seed: int
    ) -> None:
        for number in range(times(1)):
            self._run(root, clock, tmp_path, 1_000 * seed + number)

    def _run(self, root: Path, clock: FixedClock, folder: Path, seed: int) -> None:
        place = folder / f"world{seed}"
        clock.at = FIRST
        Memory.init(place, name="world", clock=clock)
        with Memory(place, clock=clock) as memory:
            world = World(place, clock, memory, seed)
            world.paper.turn(clock.at)
            for number in range(STEPS):
                world.step()
                if number == STEPS // 2:
                    check(world, memory)  # so that the second half is read on top of the first
            answers = check(world, memory)
            for valid_ms, known_ms in world.cells()[::9]:
                hits = memory.recall(
                    "fact", limit=100, filters=ITEMS, as_of=valid_ms, known_at=known_ms
                ).hits
                said = sorted(hit.note.statement for hit in hits)
                assert said == answers[valid_ms, known_ms]
            assert versions.searchable(memory.opened).dump() == self._fresh(memory)
            memory.reindex()
            assert check(world, memory) == answers
        world.vault.git("clone", "--quiet", str(place), str(folder / f"clone{seed}"))
        with Memory(folder / f"clone{seed}", clock=clock) as clone:
            assert check(world, clone) == answers

    def _fresh(self, memory: Memory) -> dict[str, object]:
        versions.drop(memory.opened)
        return versions.searchable(memory.opened).dump()
