"""Lists of streams that are too long are cut by `maintain weekly`, and by nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import FixedClock, Git
from vaultmem import Memory
from vaultmem.base.errors import UnconfirmedError
from vaultmem.model.answers import Filters, NoteRow

ACTIVE = Filters(types=("item",), statuses=("active",))
LIMIT = 240


@pytest.fixture
def long(memory: Memory, clock: FixedClock) -> Iterator[Memory]:
    """More than the limit of projects, and a little of the other streams."""
    file = memory.root / "vaultmem.toml"
    file.write_text(file.read_text("utf-8") + f"\n[limits]\nstream_tokens = {LIMIT}\n", "utf-8")
    with Memory(memory.root, clock=clock) as limited:
        for number in range(24):
            limited.remember(f"Project Heron uses tool number {number}.", stream="projects")
        limited.remember("I prefer tea over coffee.", stream="identity")
        limited.remember("Project Heron never ships on Fridays.", stream="projects", hard=True)
        clock.advance(days=1)
        yield limited


def of_projects(memory: Memory) -> list[NoteRow]:
    return [row for row in memory.list(ACTIVE) if row.stream == "projects"]


def test_the_list_keeps_its_share_and_the_commit_has_the_table(long: Memory, git: Git) -> None:
    before = {row.id for row in of_projects(long)}
    identity = (long.root / "streams" / "identity.md").read_bytes()
    done = long.maintain.run("weekly").compacted
    assert done is not None
    share = next(each for each in done.streams if each.name == "projects")
    assert share.content > LIMIT
    assert 0.7 * share.content < share.kept <= min(0.8 * share.content + 1, LIMIT)
    assert {row.id for row in of_projects(long)} == before - set(done.items)
    assert any(row.hard for row in of_projects(long))
    message = git("show", "-s", "--format=%B", "HEAD")
    assert "Vaultmem-Op: archive" in message
    assert "Vaultmem-Actor: maintenance" in message
    cells = (share.name, share.content, share.granted, share.kept, share.items, share.archived)
    assert [str(cell) for cell in cells] in [line.split() for line in message.splitlines()]
    assert (long.root / "streams" / "identity.md").read_bytes() == identity
    assert long.check().problems == ()


def test_undo_brings_it_back_and_a_second_run_has_nothing_to_do(long: Memory) -> None:
    before = {(row.id, row.path, row.oid) for row in long.list(ACTIVE)}
    assert long.maintain.run("weekly").commits
    again = long.maintain.run("weekly")
    assert again.commits == ()
    assert again.compacted is None
    long.undo()
    assert {(row.id, row.path, row.oid) for row in long.list(ACTIVE)} == before


def test_no_command_that_reads_or_writes_shortens_a_list(long: Memory) -> None:
    count = len(of_projects(long))
    long.remember("Project Heron uses tool number 99.", stream="projects")
    long.sync()
    long.context("Heron")
    long.maintain.run("nightly")
    assert len(of_projects(long)) == count + 1


def test_who_has_just_edited_the_list_is_not_disturbed(
    long: Memory, clock: FixedClock, git: Git
) -> None:
    file = long.root / "streams" / "projects.md"
    file.write_text(f"{file.read_text('utf-8')}\nA line of mine.\n", "utf-8")
    dry = long.maintain.run("weekly", dry_run=True).compacted
    assert dry is not None
    assert dry.waiting == ("projects",)
    edited = file.read_bytes()
    report = long.maintain.run("weekly")
    assert report.compacted is not None
    assert report.compacted.waiting == ("projects",)
    assert report.compacted.items == ()
    assert file.read_bytes() == edited
    assert "Vaultmem-Op: edit" in git("show", "-s", "--format=%B", "HEAD")
    assert "weekly" in {state.job for state in long.maintain.due() if state.is_due}
    clock.advance(seconds=601)
    later = long.maintain.run("weekly").compacted
    assert later is not None
    assert later.items
    assert "weekly" not in {state.job for state in long.maintain.due() if state.is_due}
    assert "A line of mine.\n" in file.read_text("utf-8")


def test_a_run_that_would_archive_too_much_asks_first(long: Memory) -> None:
    file = long.root / "vaultmem.toml"
    file.write_text(file.read_text("utf-8") + "\n[preservation]\nprojects = 0.5\n", "utf-8")
    with Memory(long.root, clock=FixedClock(long.opened.clock.now() + 10_000)) as harsh:
        count = len(of_projects(harsh))
        with pytest.raises(UnconfirmedError):
            harsh.maintain.run("weekly")
        assert len(of_projects(harsh)) == count
        assert harsh.maintain.run("weekly", confirmed=True).commits
        assert len(of_projects(harsh)) < 0.6 * count


def test_without_a_limit_no_list_is_too_long(long: Memory) -> None:
    file = long.root / "vaultmem.toml"
    text = file.read_text("utf-8").replace(f"stream_tokens = {LIMIT}", "stream_tokens = 0")
    file.write_text(text, "utf-8")
    with Memory(long.root, clock=FixedClock(long.opened.clock.now() + 10_000)) as free:
        assert free.maintain.run("weekly").compacted is None
