"""What a person deleted does not answer as current: its source says that it was deleted since."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory

TEXT = "I play the cello on Sundays. My dentist is Dr. Okafor."
QUOTE = "I play the cello on Sundays."


def told(memory: Memory, question: str = "what do I play on Sundays") -> list[str]:
    """What the hits say of their sentences; [] where a hit that has them says nothing."""
    return [each.describe() for hit in memory.recall(question).hits for each in hit.outdated]


def cello(memory: Memory) -> Path:
    done = memory.remember(TEXT)
    [item] = [item for item in done.items if "cello" in item.statement]
    return memory.root / item.path


@pytest.mark.parametrize("is_corrected", [False, True])
@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("is_new", [False, True])
def test_its_source_says_so(
    memory: Memory, is_corrected: bool, is_committed: bool, is_new: bool
) -> None:
    file = cello(memory)
    id_ = file.stem[-12:]
    if is_corrected:
        memory.correct(id_, "I play the viola on Sundays.")
    file.unlink()
    memory.sync(settle=is_committed)
    if is_new:
        memory.reindex()
    assert told(memory) == [f"deleted since: “{QUOTE}” ({id_})"]
    found = memory.search("cello")
    assert [each.what for hit in found.hits for each in hit.outdated] == ["deleted"]
    assert "cello" not in (memory.root / "streams/identity.md").read_text("utf-8") or not (
        is_committed
    )
    pack = memory.context("what do I play on Sundays")
    lines = [line for line in pack.text.splitlines() if "cello" in line]
    assert all("deleted since" in line for line in lines)


def test_a_clone_knows_it_from_the_commits(memory: Memory, tmp_path: Path) -> None:
    file = cello(memory)
    file.unlink()
    memory.sync()
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(memory.root), str(clone)], check=True)
    with Memory(clone, clock=FixedClock()) as other:
        assert [line[:13] for line in told(other)] == ["deleted since"]


def test_what_came_back_is_so(memory: Memory) -> None:
    file = cello(memory)
    text = file.read_bytes()
    file.unlink()
    memory.sync()
    file.write_bytes(text)
    memory.sync()
    assert told(memory) == []


def test_a_note_that_was_moved_is_not_deleted(memory: Memory) -> None:
    file = cello(memory)
    file.rename(memory.root / "items" / "cello.md")
    memory.sync()
    memory.reindex()
    assert told(memory) == []


def test_before_the_deletion_it_held(memory: Memory, clock: FixedClock) -> None:
    file = cello(memory)
    before = memory.history.log(limit=1)[0].commit
    clock.advance(days=2)
    file.unlink()
    memory.sync()
    then = memory.recall("what do I play on Sundays", known_at=before)
    assert then.hits[0].note.statement == QUOTE
    assert [each.what for each in then.hits[0].later] == ["removed"]


def test_what_another_item_says_is_so(memory: Memory) -> None:
    file = cello(memory)
    text = file.read_text("utf-8")
    other = file.with_name("twin.md")
    other.write_text(text.replace(file.stem[-12:], "i-0000000001"), "utf-8")
    file.unlink()
    memory.sync()
    assert told(memory) == []


def test_what_is_erased_is_not_kept_for_it(memory: Memory) -> None:
    file = cello(memory)
    file.unlink()
    memory.sync()
    assert memory.forgetting.purge(match="cello").places == ()
    assert "cello" not in (memory.opened.index.meta("deleted") or "")
