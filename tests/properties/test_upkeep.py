"""Maintenance of vaults that people wrote in as they like, and `undo` of all of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.learn.test_consolidate import keep
from vaultmem.api.memory import Memory

SEATS = "I prefer the aisle seat"
SAID = (SEATS, "I prefer rye bread", "I prefer tea without milk", "I prefer the night train")
FOODS = ("plums", "thyme", "barley", "fennel", "lentils", "figs", "quince", "leeks")
SETTINGS = "\n[maintenance]\noverviews_from = 3\nepisode_days = 0\n"
KEYS = (
    "",
    "importance: 8\n",
    "# mine\ncolour:   'blue'   \n",
    "tags: [b,   a]\n",
    "pinned: true\n",
    'source: ["[[elsewhere]]"]  # from an older program\n',
)
ENDS = ("\n", "", "\n\n  \n", "\n\nSince childhood.  \n\n- and [[elsewhere|there]]")


def untidy(memory: Memory, clock: FixedClock, draw: random.Random) -> None:
    """Doubles in many spellings of a note, old events, conversations that teach."""
    for sentence in SAID:
        memory.remember(f"{sentence}.", kind="preference")
    for place in draw.sample(("Ulm", "Graz", "Riga", "Porto"), 3):
        memory.remember(f"We met Jonas in {place}.", kind="event", stream="flow")
    sentences = (SEATS, *draw.choices(SAID, k=4))  # one double at least
    for letter, sentence in zip("abcde", sentences, strict=True):
        begins, mark = draw.choice(("", "Please, ")), draw.choice((".", "!", ""))
        keys = f"id: i-{letter * 10}\nkind: preference\n{draw.choice(KEYS)}"
        text = f"---\n{keys}---\n\n{begins}{sentence}{mark}{draw.choice(ENDS)}"
        text = text.replace("\n", draw.choice(("\n", "\r\n")))
        (memory.root / "items" / f"{letter}.md").write_bytes(text.encode())
    for food in FOODS:
        memory.remember(f"Elise likes {food}.", category="food")
    memory.sync()
    clock.advance(days=100)
    memory.recall("rye bread")
    keep(memory, 1, "Plan dinner. Never use cilantro!", "Sure.", calls="read grep edit")
    keep(memory, 4, "Tacos tonight, and never use cilantro.", "Sure.", calls="read grep edit")


def files(root: Path) -> dict[str, bytes]:
    """Every file outside `.git`, but for those that wait two seconds for an editor's last word."""
    found = {file.relative_to(root): file for file in root.rglob("*") if file.is_file()}
    return {
        path.as_posix(): file.read_bytes()
        for path, file in found.items()
        if path.parts[0] != ".git" and path.parts[:2] != (".vaultmem", "tmp")
    }


@pytest.mark.parametrize("seed", [3, 1])
def test_undo_takes_all_of_maintenance_back_to_the_byte(
    seed: int, tmp_path: Path, clock: FixedClock, times: Callable[[int], int]
) -> None:
    """And undoing that brings all of it again; what a run has done, the next finds done."""
    for number in range(times(1)):
        root = tmp_path / str(number)
        Memory.init(root, clock=clock)
        with (root / "vaultmem.toml").open("a", encoding="utf-8") as file:
            file.write(SETTINGS)
        with Memory(root, clock=clock) as memory:
            untidy(memory, clock, random.Random(seed + 1000 * number))
            before = files(root)
            made = [
                commit
                for job in ("nightly", "weekly")
                for commit in memory.maintain.run(job, confirmed=True).commits
            ]
            after = files(root)
            done = "uses counted, learned, merged, times told, archived, a long list told shorter"
            assert len(made) == len(done.split(",")), done
            assert memory.maintain.run("nightly", confirmed=True).commits == ()

            undone = memory.undo(last=len(made))

            assert undone.taken_back == tuple(reversed(made))
            assert files(root) == before
            memory.undo(undone.commit)
            assert files(root) == after
