"""Jobs of maintenance: doubles become one, old events go into the archive, nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import NOON, FixedClock, Git
from tests.learn.test_consolidate import teach
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UnconfirmedError
from vaultmem.language.time import DAY_MS, read_instant
from vaultmem.maintain import timers
from vaultmem.maintain.compact import Stated, doubles
from vaultmem.model.answers import Filters

ACTIVE = Filters(types=("item",), statuses=("active",))


def note(
    memory: Memory, id_: str, statement: str, keys: str = "", kind: str = "preference"
) -> None:
    """An item that came some other way, for example from another program."""
    keys += "valid_from: 2026-03-11\n" if kind == "event" else ""
    text = f'---\nid: {id_}\nkind: {kind}\nsource: "[[elsewhere]]"\n{keys}---\n\n{statement}\n'
    (memory.root / "items").mkdir(exist_ok=True)
    (memory.root / "items" / f"{id_}.md").write_text(text, "utf-8")


def active(memory: Memory) -> set[str]:
    return {row.statement for row in memory.list(filters=ACTIVE)}


def test_doubles_become_one_with_the_sources_of_all(memory: Memory, git: Git) -> None:
    memory.remember("I prefer the aisle seat.", kind="preference")
    note(memory, "i-aaaaaaaaaa", "I prefer the aisle seat!", "importance: 8\n")
    note(memory, "i-bbbbbbbbbb", "I never prefer the aisle seat.")
    memory.sync()
    told = memory.maintain.run("nightly", dry_run=True)
    done = memory.maintain.run("nightly")
    assert done.merged == told.merged
    ((merged,), (retired,)) = done.merged, done.merged[0].retired
    kept = memory.show(merged.id).note
    assert retired == "i-aaaaaaaaaa"
    assert kept.importance == 8
    assert "elsewhere" in kept.source
    assert len(kept.source) == 2
    assert memory.show(retired).note.status == "superseded"
    assert active(memory) == {"I prefer the aisle seat.", "I never prefer the aisle seat."}
    head = git("rev-parse", "HEAD")
    assert memory.maintain.run("nightly").commits == ()
    assert git("rev-parse", "HEAD") == head
    memory.undo()
    assert memory.show(retired).note.status == "active"


def test_of_doubles_from_before_1970_the_older_one_stays(memory: Memory) -> None:
    for id_, day in (("i-aaaaaaaaaa", "1962-05-01"), ("i-bbbbbbbbbb", "1951-05-01")):
        note(memory, id_, "Grandpa lives in Graz.", f"valid_from: {day}\n", kind="fact")
    memory.sync()
    [merged] = memory.maintain.run("nightly", dry_run=True).merged
    assert merged.id == "i-bbbbbbbbbb"


def test_a_hard_double_is_never_retired(memory: Memory) -> None:
    for letter, keys in (("a", "hard: true\n"), ("b", "hard: true\n"), ("c", "")):
        note(memory, f"i-{letter * 10}", "Never book a window seat.", keys)
    memory.sync()
    (merged,) = memory.maintain.run("nightly").merged
    assert merged.retired == ("i-cccccccccc",)


def test_nightly_learns(memory: Memory) -> None:
    teach(memory)
    memory.undo()
    done = memory.maintain.run("nightly", dry_run=True)
    assert done.learned is not None
    assert done.learned.conversations == 2


def test_an_idle_event_goes_into_the_archive_and_is_still_found(
    memory: Memory, clock: FixedClock, git: Git
) -> None:
    memory.remember("We met Jonas in Ulm.", kind="event", stream="flow")
    memory.remember("Leni was born in the night.", kind="event", pinned=True)
    memory.remember("I live in Munich.")
    clock.advance(days=89)
    assert memory.maintain.run("weekly").archived == ()
    clock.advance(days=2)
    tree = git("rev-parse", "HEAD^{tree}")
    (gone,) = memory.maintain.run("weekly").archived
    assert gone.statement == "We met Jonas in Ulm."
    assert gone.path.parts[0] == "archive"
    assert active(memory) == {"Leni was born in the night.", "I live in Munich."}
    assert [hit.note.id for hit in memory.search("Jonas Ulm").hits][:1] == [gone.id]
    assert memory.maintain.run("weekly").commits == ()
    memory.undo()
    assert git("rev-parse", "HEAD^{tree}") == tree


def test_what_maintenance_writes_into_an_event_keeps_it_from_nothing(
    memory: Memory, clock: FixedClock
) -> None:
    for number in range(6):  # so many that the night looks through them
        memory.remember(f"We met guest {number} in Ulm.", kind="event", stream="flow")
    clock.advance(days=80)
    assert memory.maintain.run("nightly").commits, "it marks what it looked through"
    clock.advance(days=11)
    assert len(memory.maintain.run("weekly", confirmed=True).archived) == 6


def test_what_a_person_writes_into_an_event_keeps_it_awake(
    memory: Memory, clock: FixedClock
) -> None:
    [event] = memory.remember("We met Jonas in Ulm.", kind="event", stream="flow").items
    clock.advance(days=80)
    file = memory.root / memory.show(event.id).note.path
    file.write_text(file.read_text() + "\nHe brought plums.\n")
    memory.sync()
    clock.advance(days=11)
    assert memory.maintain.run("weekly").archived == ()


def test_an_answer_keeps_an_event_awake(memory: Memory, clock: FixedClock) -> None:
    memory.remember("We met Jonas in Ulm.", kind="event", stream="flow")
    clock.advance(days=60)
    assert memory.recall("Jonas Ulm").hits
    clock.advance(days=60)
    assert memory.maintain.run("weekly", dry_run=True).archived == ()


def test_a_run_that_would_retire_much_asks_first(
    memory: Memory, clock: FixedClock, git: Git
) -> None:
    for number in range(6):
        memory.remember(f"We met guest {number} in Ulm.", kind="event", stream="flow")
    clock.advance(days=100)
    head = git("rev-parse", "HEAD")
    assert (
        memory.maintain.run("weekly", dry_run=True).asks == "this would retire 6 of 6 active items"
    )
    assert memory.maintain.run("weekly", dry_run=True, confirmed=True).asks == ""
    with pytest.raises(UnconfirmedError, match="6 of 6"):
        memory.maintain.run("weekly")
    assert git("rev-parse", "HEAD") == head
    assert [state.is_due for state in memory.maintain.due() if state.job == "weekly"] == [True]
    assert len(memory.maintain.run("weekly", confirmed=True).archived) == 6


def test_monthly_builds_the_same_index_anew(memory: Memory) -> None:
    memory.remember("I live in Munich.")
    before = memory.opened.index.dump()
    assert memory.maintain.run("monthly").reindexed
    assert memory.opened.index.dump() == before


def test_monthly_builds_the_past_anew_where_somebody_had_asked_for_it(memory: Memory) -> None:
    item = memory.remember("I live in Munich.").items[0]
    past = memory.opened.state / "past.sqlite"
    memory.maintain.run("monthly")
    assert not past.exists(), "nobody asked"
    before = memory.history.of(item.id)
    was = past.stat().st_ino, past.stat().st_ctime_ns
    memory.maintain.run("monthly")
    assert (past.stat().st_ino, past.stat().st_ctime_ns) != was
    assert memory.opened.past is not None, "it is level already"
    assert memory.opened.past.head()[0] == memory.opened.history.head()
    assert memory.history.of(item.id) == before


def test_what_nobody_used_for_long_leaves_the_graph_and_is_still_found(
    memory: Memory, clock: FixedClock
) -> None:
    """Boundary strict; facts, wishes, pinned and hard ones stay, and so does what is used."""
    memory.remember("Ada lives in Ulm. I prefer tea.")
    note(memory, "i-aaaaaaaaaa", "Ada met Tom in Graz.", "importance: 3\n", "event")
    note(memory, "i-bbbbbbbbbb", "Ada met Leni in Graz.", "pinned: true\n", "event")
    note(memory, "i-cccccccccc", "Ada met Gus in Graz.", "importance: 9\n", "event")
    memory.sync()
    begins = read_instant("2026-03-11")
    assert begins is not None
    clock.at = begins.ms + 180 * DAY_MS - 10
    assert memory.maintain.run("monthly", dry_run=True).left_graph == 0
    clock.advance(days=1)
    assert memory.maintain.run("monthly", dry_run=True).left_graph == 1
    assert [hit.note.id for hit in memory.recall("Tom Graz").hits][:1] == ["i-aaaaaaaaaa"]
    assert memory.maintain.run("monthly", dry_run=True).left_graph == 0, "used just now"
    assert memory.recall("Ada", preset="linked").hits


def test_what_was_missed_is_due_until_it_ran(memory: Memory, clock: FixedClock) -> None:
    assert all(state.is_due for state in memory.maintain.due())
    for job in timers.JOBS:
        memory.maintain.run(job)
    assert not any(state.is_due for state in memory.maintain.due())
    clock.advance(days=3)
    assert [state.job for state in memory.maintain.due() if state.is_due] == ["nightly"]
    clock.advance(days=40)
    assert all(state.is_due for state in memory.maintain.due())
    with pytest.raises(BadInputError, match="no job"):
        memory.maintain.run("yearly")


def test_a_run_that_a_wrong_clock_noted_does_not_stop_the_jobs(
    memory: Memory, clock: FixedClock
) -> None:
    clock.advance(days=3000)
    for job in timers.JOBS:
        memory.maintain.run(job)
    clock.advance(days=-2999)
    assert [state.job for state in memory.maintain.due() if state.is_due] == list(timers.JOBS)
    for job in timers.JOBS:
        memory.maintain.run(job)
    assert not any(state.is_due for state in memory.maintain.due())
    assert timers.is_learning_due("weekly", NOON + 9999 * DAY_MS, NOON, "UTC")


@given(st.integers(0, 4 * 366), st.integers(0, DAY_MS - 1))
def test_the_newest_time_of_a_job_is_past_and_the_next_is_not(day: int, of_day: int) -> None:
    began = read_instant("2026-01-01")
    assert began is not None
    now = began.ms + day * DAY_MS + of_day
    spans = {"nightly": 1, "weekly": 7, "monthly": 31}
    for job, days in spans.items():
        slot = timers.last_slot(job, now, "UTC")
        assert 0 <= now - slot < days * DAY_MS
        assert slot % DAY_MS == timers.HOUR * DAY_MS // 24
        assert timers.due({job: slot}, now, "UTC") == tuple(j for j in spans if j != job)


@pytest.mark.parametrize(
    ("one", "other", "are_doubles"),
    [
        ("Please never use cilantro.", "never use cilantro", True),
        ("The train leaves at 8", "Train leaves at 8.", True),
        ("Always use tabs", "Never use tabs", False),
        ("The train leaves at 8", "The train leaves at 9", False),
        ("Anna called Tom", "Tom called Anna", False),
        ("Use a.py", "Use b.py", False),
    ],
)
def test_only_the_same_words_are_doubles(one: str, other: str, are_doubles: bool) -> None:
    found = doubles([Stated(id="a", statement=one), Stated(id="b", statement=other)])
    assert bool(found) == are_doubles
