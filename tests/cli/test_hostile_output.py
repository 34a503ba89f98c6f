"""T22, P22: whatever a vault holds, no command prints what a terminal or a renderer acts on."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.commands import command
from tests.conftest import FixedClock
from tests.faults.snapshots import Snapshot
from tests.safety.test_inert import acts
from vaultmem.api.memory import Memory

ACTIVE = (
    "\x1b[31mred\x1b]0;title\x07 \x9b2J bell\x07 back\x08 null-free "
    "\u202eesrever\u2066x\u2069 zero\u200b\u200bwidth \U000e0049\U000e0067 \u3164 "
    "\u200c\u200d\u200c ![x](http://127.0.0.1:9/?d=1) <img src=http://127.0.0.1:9/i> "
    "[run](obsidian://x) ![[embed]] `= this.file.name`"
)
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u3164"
    "\U000e0000-\U000e0fff]|\u200c\u200d"
)
COMMANDS = (
    "recall hazelnuts",
    "search hazelnuts --explain",
    "search hazelnuts",
    "list",
    "list --type resource",
    "show ITEM",
    "show RESOURCE",
    "log",
    "log ITEM",
    "history ITEM",
    "history RESOURCE",
    "diff 2020-01-01",
    "timeline",
    "compact --retention 0",
    "review",
    "status",
    "check",
    "sync",
    "reindex",
    "audit",
    "config",
    "vaults",
    "remember WORDS --dry-run",
    "undo",
    "review approve WAITS",
    "nonsense WORDS",
    "show WORDS",
    "help WORDS",
)


class Hostile(NamedTuple):
    """A vault full of active text, as it is before each command."""

    root: Path
    meant: dict[str, str]  # what the words of the commands stand for
    before: Snapshot


@pytest.fixture(scope="module")
def made() -> list[Hostile]:
    """The one vault, once the first test has made it in its own home."""
    return []


@pytest.fixture
def hostile(
    made: list[Hostile], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Hostile:
    """The vault and its device state, with nothing left of what an earlier command did."""
    folder = made[0].root.parent if made else tmp_path_factory.mktemp("hostile")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    if not made:
        root, clock = folder / "vault", FixedClock()
        Memory.init(root, name="test", clock=clock)
        with Memory(root, clock=clock) as memory:
            meant = fill(memory)
        made.append(Hostile(root, meant, Snapshot(root, folder / "state")))
    [vault] = made
    vault.before.restore()
    return vault


def fill(memory: Memory) -> dict[str, str]:
    """What the words of the commands stand for, once the vault is full of active text."""
    mine = memory.remember(f"I am allergic to hazelnuts. {ACTIVE}", title=f"Mine {ACTIVE}")
    other = memory.remember(
        f"# {ACTIVE}\n\nLena is allergic to hazelnuts. {ACTIVE}", source="https://example.org"
    )
    note = memory.root / "items" / "bad\x1b[31m\u202e.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text(f"---\nkind: {ACTIVE!r}\n---\nHazelnuts again. {ACTIVE}\n", encoding="utf-8")
    bad = memory.root / "items" / "broken.md"
    bad.write_text("---\na: 1\na: \x1b[31m\n---\nHazelnuts.\n", encoding="utf-8")
    words = ["git", "commit", "-q", "--allow-empty", "-m", f"by hand {ACTIVE}"]
    subprocess.run(words, cwd=memory.root, check=True, timeout=60)
    memory.sync()
    waits = memory.review.waiting()
    return {
        "ITEM": mine.items[0].id,
        "RESOURCE": other.resource,
        "WAITS": waits[0].id,
        "WORDS": ACTIVE,
    }


@pytest.mark.parametrize("typed", COMMANDS)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_command_prints_what_acts(hostile: Hostile, typed: str, as_json: bool) -> None:
    words = [hostile.meant.get(word, word) for word in typed.split()]
    json_words = ["--json"] if as_json else []
    done = command(["--vault", str(hostile.root), *words, *json_words])
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    for text in (out, err):
        assert FORBIDDEN.findall(text) == []
        assert "Traceback" not in text
    assert not re.findall(r"!\[|(?i:<img|obsidian://)", out + err)
    if not as_json:
        assert [one for one in acts(out, on_disk=False) if one.startswith("image")] == []
        return
    if out and done.returncode == 0 and words[0] not in ("help", "vaults"):
        assert_inert(json.loads(out))


def assert_inert(value: object) -> None:
    """No text in the JSON value is active; control characters come as JSON escapes."""
    if isinstance(value, dict):
        for inner in value.values():
            assert_inert(inner)
    elif isinstance(value, list):
        for inner in value:
            assert_inert(inner)
    elif isinstance(value, str):
        assert not re.findall(r"!\[|(?i:<img|obsidian://)", value)
