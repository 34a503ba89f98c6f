"""Ends that were set for later: the lists follow when the day has come."""

from __future__ import annotations

import pytest

from tests.conftest import NOON, FixedClock, Git
from tests.facts.test_contradictions import DAY, rows, said
from vaultmem.api.memory import Memory
from vaultmem.edit.settle import end_due
from vaultmem.vault.apply import writer_lock


def listed(memory: Memory, words: str) -> list[str]:
    """Stream and category files that hold these words."""
    files = [*memory.root.glob("streams/*.md"), *memory.root.glob("categories/*.md")]
    return sorted(file.name for file in files if words in file.read_text("utf-8"))


@pytest.fixture
def lease(memory: Memory) -> str:
    """Id of a fact with an end a month ahead; a bullet and a category line hold it."""
    done = memory.remember(
        "The lab uses hall 4.", stream="projects", category="lab", date=NOON - 9 * DAY
    )
    memory.facts.expire(done.items[0].id, until=NOON + 30 * DAY)
    assert listed(memory, "hall 4") == ["lab.md", "projects.md"]
    return done.items[0].id


@pytest.mark.parametrize("by", ["sync", "remember"])
def test_when_the_day_has_come_it_leaves_its_lists(
    memory: Memory, clock: FixedClock, git: Git, lease: str, by: str
) -> None:
    clock.advance(days=29)
    assert memory.sync().commits == ()
    clock.advance(days=2)
    if by == "sync":
        assert [(one.what, one.id) for one in memory.sync().learned] == [("ended", lease)]
    else:
        memory.remember("I like figs.")
    assert said(memory, "expired") == ["The lab uses hall 4."]
    assert listed(memory, "hall 4") == []
    assert "Vaultmem-Actor: maintenance" in git("log", "--format=%B", f"--grep={lease}", "-1")
    assert memory.sync().commits == ()
    assert memory.check().problems == ()
    assert git("status", "--porcelain") == ""


def test_what_took_its_place_stays(memory: Memory, clock: FixedClock, lease: str) -> None:
    del lease
    memory.remember("I work at Acme.", date=NOON - 90 * DAY)
    (old,) = [row for row in rows(memory) if row.object == "Acme"]
    memory.change(old.id, "Globex", effective=NOON + 5 * DAY)
    clock.advance(days=6)
    memory.sync()
    assert said(memory, "superseded") == ["I work at Acme."]
    assert listed(memory, "Acme") == []
    assert "identity.md" in listed(memory, "Globex")


def test_events_tasks_and_what_was_over_when_it_was_told_stay(
    memory: Memory, clock: FixedClock
) -> None:
    memory.remember("The fair is on 20 March 2026.", stream="projects")
    memory.remember("Pack the tent.", kind="task", stream="tasks", valid_until=NOON + 5 * DAY)
    memory.remember(
        "The lab used hall 3.",
        stream="projects",
        kind="fact",
        valid_from=NOON - 90 * DAY,
        valid_until=NOON - 60 * DAY,
    )
    clock.advance(days=40)
    assert memory.sync().commits == ()
    assert len(rows(memory)) == 3


def test_an_end_that_was_put_off_does_not_come(
    memory: Memory, clock: FixedClock, lease: str
) -> None:
    clock.advance(days=29)
    (row,) = rows(memory)
    assert row.id == lease
    file = memory.root / row.path
    text = file.read_text("utf-8")
    end = next(line for line in text.splitlines() if line.startswith("valid_until:"))
    file.write_text(text.replace(end, "valid_until: 2027-01-01"), "utf-8")
    clock.advance(days=3)
    memory.sync()
    assert said(memory) == ["The lab uses hall 4."]


def test_a_sync_looks_only_at_ends_that_came(memory: Memory, lease: str) -> None:
    """By date, through an index of the file, whatever the size of the vault."""
    del lease
    connection = memory.opened.index._connection
    plan = connection.execute(
        "EXPLAIN QUERY PLAN SELECT path FROM notes WHERE valid_until IS NOT NULL "
        "AND status = 'active' AND kind NOT IN ('event', 'task', '') "
        "AND valid_until > 0 AND valid_until <= 9 ORDER BY valid_until, id, path"
    ).fetchall()
    assert "notes_ends" in str(plan)


def test_an_end_that_was_put_off_in_the_file_a_moment_ago_does_not_come(
    memory: Memory, clock: FixedClock, lease: str
) -> None:
    note = next(memory.root.glob(f"items/**/*{lease}.md"))
    row = memory.opened.index.notes_with_id(lease)[0]
    assert row.valid_until is not None
    text = note.read_text("utf-8")
    clock.advance(days=31)
    note.write_text(text.replace("valid_until: 2026-04", "valid_until: 2027-04"), "utf-8")
    assert note.read_text("utf-8") != text
    with writer_lock(memory.opened):  # between reading the folder and this somebody saved the note
        assert end_due(memory.opened).commits == ()
    assert said(memory, "expired") == []
