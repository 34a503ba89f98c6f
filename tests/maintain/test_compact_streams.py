"""Streams within a budget: what goes is archived in one commit that says why, and comes back."""

from __future__ import annotations

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.model.answers import Filters

ACTIVE = Filters(types=("item",), statuses=("active",))
ARCHIVED = Filters(types=("item",), statuses=("archived",))


@pytest.fixture
def full(memory: Memory) -> Memory:
    memory.remember("I prefer tea over coffee.", stream="identity")
    memory.remember("Never book flights before nine.", stream="flow", hard=True)
    for number in range(6):
        memory.remember(f"The build number {number} is red today.", stream="flow")
        memory.remember(f"Project Heron uses tool number {number}.", stream="projects")
    return memory


def test_a_dry_run_says_what_would_go_and_changes_nothing(full: Memory, git: Git) -> None:
    before = git("rev-parse", "HEAD")
    found = full.maintain.compact_streams(100, dry_run=True)
    assert found.items
    assert found.dry_run
    assert git("rev-parse", "HEAD") == before
    assert not full.list(ARCHIVED)


def test_what_goes_is_archived_and_the_commit_has_the_table(full: Memory, git: Git) -> None:
    before = {row.id for row in full.list(ACTIVE)}
    done = full.maintain.compact_streams(100)
    assert {row.id for row in full.list(ARCHIVED)} == set(done.items)
    assert {row.id for row in full.list(ACTIVE)} == before - set(done.items)
    assert all((full.root / path).exists() for path in done.paths)
    assert sum(share.kept for share in done.streams) <= 100
    message = git("show", "-s", "--format=%B", "HEAD")
    assert "Vaultmem-Op: archive" in message
    for share in done.streams:
        cells = (share.name, share.content, share.granted, share.kept, share.items, share.archived)
        assert [str(cell) for cell in cells] in [line.split() for line in message.splitlines()]
    lists = "".join(file.read_text() for file in (full.root / "streams").glob("*.md"))
    assert not [id_ for id_ in done.items if id_ in lists]
    assert "Never book flights before nine." in lists
    full.sync()
    assert git("rev-parse", "HEAD").strip() == done.commit
    assert full.check().problems == ()


def test_streams_keep_by_their_shares(full: Memory) -> None:
    done = {share.name: share for share in full.maintain.compact_streams(140, dry_run=True).streams}
    assert done["identity"].archived == 0
    assert done["projects"].granted / done["projects"].content > (
        done["flow"].granted / done["flow"].content
    )


def test_undo_brings_it_all_back(full: Memory) -> None:
    before = {(row.id, row.path, row.oid) for row in full.list(ACTIVE)}
    assert full.maintain.compact_streams(60).items
    full.undo()
    assert {(row.id, row.path, row.oid) for row in full.list(ACTIVE)} == before


def test_run_twice_it_has_nothing_to_do(full: Memory) -> None:
    first = full.maintain.compact_streams(100)
    assert first.commit
    again = full.maintain.compact_streams(sum(share.kept for share in first.streams))
    assert again.commit is None
    assert again.items == ()


def test_hard_exceptions_stay_whatever_the_budget_is(full: Memory) -> None:
    done = full.maintain.compact_streams(0)
    assert done.pinned_exceeds_budget
    assert [row.statement for row in full.list(ACTIVE)] == ["Never book flights before nine."]


def test_a_budget_below_zero_is_refused(memory: Memory) -> None:
    with pytest.raises(BadInputError):
        memory.maintain.compact_streams(-1)
