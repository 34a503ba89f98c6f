"""A note that only its owner can change keeps none of the others waiting."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import FixedClock
from tests.maintain.test_condensing import KILN, others, outcomes, potter
from vaultmem.api.memory import Memory

FAIR = "Ada went to the fair."


def by_hand(memory: Memory, name: str, keys: str, statement: str) -> Path:
    """A note with its keys in braces, which YAML allows and nobody can patch key by key."""
    file = memory.root / "items" / f"{name}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"---\n{{id: i-{name * 10}, {keys}}}\n---\n\n{statement}\n")
    memory.sync()
    return file


def test_events_are_learned_from_beside_one_that_cannot_be_marked(memory: Memory) -> None:
    potter(memory, 1, 2)
    others(memory, 3, 4, 5)
    file = by_hand(memory, "a", "kind: event, valid_from: 2026-03-01", FAIR)
    text = file.read_text()
    done = memory.learn.consolidate()
    assert outcomes(done) == [("created", KILN)]
    assert done.events == 5
    assert [memory.root / each.path for each in done.problems] == [file]
    again = memory.learn.consolidate()
    assert (again.commit, again.facts) == (None, ())
    assert file.read_text() == text


def test_what_is_known_and_cannot_be_confirmed_is_told(memory: Memory) -> None:
    potter(memory, 1, 2)
    others(memory, 3, 4, 5)
    file = by_hand(memory, "a", "kind: fact", KILN)
    done = memory.learn.consolidate()
    assert (done.events, outcomes(done)) == (5, [])
    assert [memory.root / each.path for each in done.problems] == [file]


def test_doubles_and_the_archive_go_on_without_it(memory: Memory, clock: FixedClock) -> None:
    file = by_hand(memory, "a", "kind: event, valid_from: 2026-03-01", FAIR)
    for name in ("b", "c"):
        other = memory.root / "items" / f"{name}.md"
        keys = f"id: i-{name * 10}\nkind: event\nvalid_from: 2026-03-01"
        other.write_text(f"---\n{keys}\n---\n\n{FAIR}\n")
    memory.sync()
    night = memory.maintain.run("nightly")
    assert [memory.root / each.path for each in night.problems] == [file]
    clock.advance(days=400)
    week = memory.maintain.run("weekly")
    assert [memory.root / each.path for each in week.problems] == [file]
    assert week.archived
    assert file.exists()
