"""SIGKILL at the steps of learning and of the night: run again, each ends as if never killed."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.operations import OPERATIONS
from tests.faults.test_kill_steps import KEPT, logged, statements, walk
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
]

SEAT = "I prefer the aisle seat."
SEAT_AGAIN = "Please, I prefer the aisle seat!"
SAID = ("Plan dinner. Never use cilantro!", "Tacos tonight, and never use cilantro.")


def talk(memory: Memory, said: str) -> str:
    """A conversation in which three tools were used, kept as text only; the name of its note."""
    calls = [{"name": name, "input": {"path": "a.ts"}} for name in ("read", "grep", "edit")]
    turns = [
        {"role": "user", "content": said},
        {"role": "assistant", "content": "Done.", "tool_calls": calls},
    ]
    done = memory.remember(json.dumps(turns), writer="person", extract=False)
    return done.path.stem


@pytest.mark.parametrize("operation", ["consolidate", "nightly"])
def test_a_job_killed_at_its_steps(
    operation: str, tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """Nothing is learned twice, no double is lost with its sources, no commit is made twice."""
    has_doubles = operation == "nightly"
    learned: list[str] = []  # what is to be learned, as a dry run says

    def prepare(root: Path) -> None:
        with Memory(root) as memory:
            names = [talk(memory, said) for said in SAID]
            if has_doubles:
                memory.remember(SEAT, kind="preference")
                keys = f'id: i-aaaaaaaaaa\nkind: preference\nsource: "[[{names[0]}]]"\n'
                again = root / "items" / "seat.md"
                again.write_text(f"---\n{keys}---\n\n{SEAT_AGAIN}\n", encoding="utf-8")
                memory.sync()
            told = memory.learn.consolidate(dry_run=True).changes
            learned.extend(change.statement for change in told)
        assert len(learned) > 1, "several notes, so that a kill may come between them"

    def expect(root: Path) -> None:
        with Memory(root) as memory:
            OPERATIONS[operation](memory, "")
            done = logged(root)
            OPERATIONS[operation](memory, "")
            if has_doubles:
                rows = memory.list(Filters(types=("item",)))
                [kept] = [row for row in rows if row.statement == SEAT]
                assert len(kept.source) == 2
        assert logged(root) == done, "a second run makes no commit"
        assert statements(root) == sorted([KEPT, *learned, *([SEAT] if has_doubles else [])])
        for began in ("consolidate", "merge"):
            assert sum(each.startswith(began) for each in done) <= 1, done

    kills = walk(tmp_path, prepare, expect, operation, spread=times(4))
    tally(f"SIGKILL in {operation}", kills=kills)
    assert kills >= 4


def test_putting_away_killed_at_its_steps(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """An event is where it was or in the archive, once; never a deletion of the person's."""
    events = ["We met Jonas in Ulm.", "We met Leni in Graz."]

    def prepare(root: Path) -> None:
        with Memory(root) as memory:
            for event in events:
                memory.remember(event, kind="event", stream="flow")

    def expect(root: Path) -> None:
        with Memory(root) as memory:
            OPERATIONS["weekly"](memory, "")
            rows = memory.list(Filters(types=("item",), kinds=("event",)))
        assert sorted((row.statement, row.status) for row in rows) == [
            (event, "archived") for event in events
        ]
        assert {row.path.parts[0] for row in rows} == {"archive"}
        lines = "".join(file.read_text() for file in root.glob("streams/*.md"))
        assert not any(event in lines for event in events)
        assert sum(subject.startswith("archive") for subject in logged(root)) <= 1

    kills = walk(tmp_path, prepare, expect, "weekly", spread=times(3))
    tally("SIGKILL in weekly", kills=kills)
    assert kills >= 3


def test_counting_and_overviews_killed_at_their_steps(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """A use counts for one day, and each time that is over is told once."""
    days = ("2026-03-03", "2026-03-04", "2026-03-10")

    def prepare(root: Path) -> None:
        with (root / "vaultmem.toml").open("a", encoding="utf-8") as settings:
            settings.write("\n[maintenance]\noverviews_from = 3\n")
        subprocess.run(["git", "commit", "-qam", "tell early"], cwd=root, check=True)
        with Memory(root) as memory:
            for number, day in enumerate(days):
                memory.remember(
                    f"We met guest {number} in Ulm.", kind="event", stream="flow", valid_from=day
                )

    def expect(root: Path) -> None:
        with Memory(root) as memory:
            OPERATIONS["used and told"](memory, KEPT)
            done = logged(root)
            OPERATIONS["used and told"](memory, KEPT)
            rows = memory.list(Filters(types=("item",)))
            [kept] = [row for row in rows if row.statement == KEPT]
            told = [row.statement for row in rows if row.statement.startswith("Overview of ")]
        assert logged(root) == done, "a second night makes no commit"
        assert sum(each.startswith("count") for each in done) <= 1, done
        uses = json.loads((root / ".vaultmem" / "state" / "access.json").read_text("utf-8"))
        [(used, _, risen)] = uses["access"][kept.id].values()
        assert (used, risen) == (1, 1)
        assert told
        assert len(told) == len(set(told))

    kills = walk(tmp_path, prepare, expect, "used and told", KEPT, spread=times(3))
    tally("SIGKILL in counting and telling", kills=kills)
    assert kills >= 3


def test_a_judgement_killed_at_its_steps(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """It is in the history or nowhere, and the next one is kept."""

    def expect(root: Path) -> None:
        before = logged(root)
        with Memory(root) as memory:
            OPERATIONS["judge"](memory, KEPT)
        assert len(logged(root)) == len(before) + 1

    kills = walk(tmp_path, lambda _: None, expect, "judge", KEPT, spread=times(3))
    tally("SIGKILL in feedback", kills=kills)
    assert kills >= 3
