"""Whatever a person does to the files, the index equals a rebuilt one and nothing is lost."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UndoRefusedError, UnknownNoteError
from vaultmem.model.answers import Filters
from vaultmem.vault.two_way import bullets_by_id, same
from vaultmem.vault.unsettled import load_items, streams_on_disk

WORDS = ("tea", "coffee", "hedgehog", "choir", "passport", "Bergen", "violin", "allotment")
STREAMS = ("identity", "projects", "tasks")

Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *("remember", "add", "edit", "drop", "tick", "item", "state", "delete", "break"),
                *("move", "sync", "undo", "undo one", "restore", "restore list", "mend"),
            ]
        ),
        st.integers(0, 7),
        st.integers(0, 7),
    ),
    min_size=1,
    max_size=12,
)


def lines_of(root: Path, which: int) -> tuple[Path, list[str]]:
    file = root / "streams" / f"{STREAMS[which % 3]}.md"
    return file, file.read_text().splitlines(keepends=True)


def items_of(root: Path) -> list[Path]:
    return sorted((root / "items").glob("**/*.md")) if (root / "items").is_dir() else []


def add(root: Path, which: int, word: int) -> None:
    file, lines = lines_of(root, which)
    box = "[ ] " if file.stem == "tasks" else ""
    file.write_text("".join(lines) + f"\n- {box}About {WORDS[word]} and {which}\n")


def change_bullet(root: Path, which: int, word: int, change: Callable[[str], str]) -> None:
    file, lines = lines_of(root, which)
    places = [place for place, line in enumerate(lines) if line.startswith("- ")]
    if places:
        place = places[word % len(places)]
        lines[place] = change(lines[place])
        file.write_text("".join(lines))


def change_item(root: Path, which: int, change: Callable[[Path], object]) -> None:
    files = items_of(root)
    if files:
        change(files[which % len(files)])


def act(memory: Memory, step: Step) -> None:
    """One thing that a person or an assistant does."""
    what, which, word = step
    root = memory.root
    if what == "remember":
        stream = STREAMS[which % 3]
        memory.remember(f"I prefer {WORDS[word]} number {which}.", stream=stream)
    elif what == "add":
        add(root, which, word)
    elif what == "edit":
        change_bullet(root, which, word, lambda line: line.replace("prefer", "adore", 1))
    elif what == "drop":
        change_bullet(root, which, word, lambda line: "")
    elif what == "tick":
        change_bullet(root, which, word, lambda line: line.replace("[ ]", "[x]"))
    elif what == "item":
        change_item(
            root, which, lambda f: f.write_text(f.read_text() + f"\n{WORDS[word]}.\n") and None
        )
    elif what == "delete":
        change_item(root, which, Path.unlink)
    elif what == "break":
        change_item(root, which, lambda f: f.write_text("---\n- x: [\n---\nbroken\n"))
    elif what == "move":
        change_item(root, which, lambda f: f.rename(root / "items" / f"moved-{f.name}"))
    elif what == "state":
        words = f"I adore {WORDS[word]} in truth"
        change_item(
            root, which, lambda f: f.write_text(re.sub("I prefer .*", words, f.read_text()))
        )
    elif what in BACK:
        with suppress(BadInputError, UndoRefusedError, UnknownNoteError):
            BACK[what](memory, step)
    else:
        memory.sync()


def undo_one(memory: Memory, step: Step) -> None:
    done = memory.history.log(limit=8)
    memory.undo(done[step[2] % len(done)].commit)


def restore(memory: Memory, step: Step) -> None:
    change_item(
        memory.root, step[1], lambda f: memory.history.restore(str(f.relative_to(memory.root)))
    )


BACK: dict[str, Callable[[Memory, Step], object]] = {
    "undo": lambda memory, step: memory.undo(),
    "undo one": undo_one,
    "restore": restore,
    "restore list": lambda memory, step: memory.history.restore(
        f"streams/{STREAMS[step[1] % 3]}.md"
    ),
    "mend": lambda memory, step: memory.check(fix=True),
}


@settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(STEPS)
def test_after_any_edits_the_index_equals_a_rebuilt_one(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "vault"
        clock = FixedClock()
        Memory.init(root, name="edits", clock=clock)
        with Memory(root, clock=clock) as memory:
            for step in steps:
                act(memory, step)
                memory.sync(settle=False)
            updated = memory._vault.index.dump()
            memory.reindex()
            assert memory._vault.index.dump() == updated
            memory.sync()
            settled = memory._vault.index.dump()
            memory.reindex()
            assert memory._vault.index.dump() == settled
            assert memory.sync().pending == ()
            assert memory.sync().commits == ()
            every_active_item_is_listed_once(memory)
            lists_and_items_agree(memory)
        done = subprocess.run(
            ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
        )
        assert done.stdout == ""


def lists_and_items_agree(memory: Memory) -> None:
    """What a commit without the mark of an open question promises to a merge."""
    if any(problem.severity == "error" for problem in memory.check().problems):
        return
    listed = bullets_by_id(streams_on_disk(memory.opened))
    items = load_items(memory.opened, listed)
    for id_, here in listed.items():
        item = items[id_]
        assert same(here.bullet.text, item.statement), (here, item)
        assert here.stream == item.stream, (here, item)
        assert item.status == ("expired" if here.bullet.checked else "active"), (here, item)


def every_active_item_is_listed_once(memory: Memory) -> None:
    """A bullet a memory, as far as nothing is left for the person to decide."""
    if any(problem.severity == "error" for problem in memory.check().problems):
        return
    text = "".join(file.read_text() for file in sorted(memory.root.glob("streams/*.md")))
    for row in memory.list(Filters(types=("item",), statuses=("active",))):
        if row.id and row.stream:
            assert text.count(f"^{row.id}") == 1, row
