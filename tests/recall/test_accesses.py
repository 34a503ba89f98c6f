"""What was used on one device counts on all of them, once a day, and no more than is bounded."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import FixedClock, Git
from tests.devices.devices import Device
from tests.forget.test_purge import everywhere
from vaultmem.api.memory import Memory
from vaultmem.model.uses import Use, Uses, unite_uses
from vaultmem.recall.use_counts import (
    MOST_BYTES,
    accesses,
    add_days,
    parse_uses,
    priority,
    read_uses,
    render_uses,
)
from vaultmem.storage.files.layout import ACCESS

TEA = "Elise loves green tea."
DAYS = st.integers(0, 20_000)
USE = st.builds(Use, days=st.integers(1, 500), last=DAYS, level=st.integers(0, 3))
USES = st.dictionaries(
    st.sampled_from(["i-a", "i-b", "r-c"]),
    st.dictionaries(st.sampled_from(["desk", "lap"]), USE, min_size=1),
)


class TestADayCountsOnce:
    @given(st.lists(DAYS, min_size=1), st.lists(DAYS))
    def test_nights_missed_or_done_twice_change_nothing(
        self, early: list[int], more: list[int]
    ) -> None:
        """Effective use is independent of the maintenance schedule."""

        def night(known: Uses, days: list[int]) -> dict[str, dict[str, Use]]:
            return add_days(known, {"i-a": days}, device="desk", today=20_000, cap=3)

        late = [day for day in more if day > max(early)]
        by_night = night(night(night({}, early), early), late)
        assert by_night == night({}, [*early, *late])
        assert by_night["i-a"]["desk"].days == len({*early, *late})

    def test_a_note_rises_by_one_a_day_up_to_the_cap_and_sinks_by_one_in_thirty(self) -> None:
        used = add_days({}, {"i-a": [1, 2]}, device="desk", today=9, cap=3)["i-a"]["desk"]
        assert (used.days, used.level) == (2, 2)
        used = add_days({}, {"i-a": range(1, 9)}, device="desk", today=9, cap=3)["i-a"]["desk"]
        assert (used.days, used.level) == (8, 3)
        risen = [priority([used], today=8 + days, cap=3) for days in (0, 29, 30, 60, 89, 90, 900)]
        assert risen == [3, 3, 2, 1, 1, 0, 0]
        assert priority([used, used], today=8, cap=3) == 3

    def test_a_clock_that_was_ahead_stops_no_count(self) -> None:
        ahead = {"i-a": {"desk": Use(days=1, last=900, level=1)}}
        used = add_days(ahead, {"i-a": [11]}, device="desk", today=10, cap=3)
        assert used == ahead
        used = add_days(ahead, {"i-a": [11]}, device="desk", today=11, cap=3)
        assert used["i-a"]["desk"].days == 1
        assert (
            add_days(ahead, {"i-a": [950]}, device="desk", today=950, cap=3)["i-a"]["desk"].days
            == 2
        )


class TestTheFile:
    @given(USES, USES, USES)
    def test_devices_may_unite_in_any_order_any_number_of_times(
        self, one: Uses, other: Uses, third: Uses
    ) -> None:
        assert unite_uses(one, other) == unite_uses(other, one)
        assert unite_uses(unite_uses(one, other), third) == unite_uses(
            one, unite_uses(other, third)
        )
        assert unite_uses(unite_uses(one, other), other) == unite_uses(one, other)

    @given(USES)
    def test_what_is_written_is_read_and_is_json(self, uses: Uses) -> None:
        data = render_uses(uses)
        assert parse_uses(data) == uses
        assert json.loads(data)["format"] == 1

    def test_the_marks_of_a_merge_by_hand_lose_nothing(self) -> None:
        ours = render_uses({"i-a": {"desk": Use(days=4, last=30, level=3)}}).decode()
        theirs = render_uses({"i-a": {"lap": Use(days=2, last=40, level=2)}}).decode()
        text = f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"
        assert parse_uses(text.encode()) == unite_uses(
            parse_uses(ours.encode()), parse_uses(theirs.encode())
        )

    @pytest.mark.parametrize(
        "row",
        [
            '[1, "2026-01-01"]',
            '[0, "2026-01-01", 1]',
            '[true, "2026-01-01", 1]',
            '[1, "tomorrow", 1]',
            '[1, "1960-01-01", 1]',
            "[1, 7, 1]",
            '[1e9, "2026-01-01", 1]',
            f'[{10**9}, "2026-01-01", 1]',
            "7",
        ],
    )
    def test_what_is_no_row_is_passed_over(self, row: str) -> None:
        text = f'{{"access": {{"i-a": {{"x": {row}, "desk": [1, "2026-01-01", 1]}}}}}}'
        assert list(parse_uses(text.encode())["i-a"]) == ["desk"]
        assert parse_uses(b"[" * 100_000) == {}


def test_a_file_that_many_devices_write_can_still_be_read() -> None:
    """One that were longer than what is read would be no uses at all, on any device."""
    names = [f"{number:060}" for number in range(60)]
    uses = {
        f"i-{n:010}": dict.fromkeys(names, Use(days=3, last=20_000 + n, level=1))
        for n in range(800)
    }
    data = render_uses(uses)
    assert len(data) <= MOST_BYTES
    kept = parse_uses(data)
    assert 500 < len(kept) < 800
    assert max(uses) in kept, "those used last"
    assert min(uses) not in kept
    assert render_uses(kept) == data


def use_daily(memory: Memory, clock: FixedClock, *, days: int) -> None:
    for _ in range(days):
        clock.advance(days=1)
        assert memory.recall("green tea of Elise").hits


def test_a_night_writes_the_uses_once_and_undo_takes_them_back(
    memory: Memory, clock: FixedClock, git: Git
) -> None:
    [tea] = memory.remember(TEA).items
    tree = git("rev-parse", "HEAD^{tree}")
    use_daily(memory, clock, days=2)
    assert not (memory.root / ACCESS).exists(), "a recall writes nothing into the vault"
    told = memory.maintain.run("nightly", dry_run=True)
    assert git("rev-parse", "HEAD^{tree}") == tree
    done = memory.maintain.run("nightly")
    assert done.promoted == told.promoted
    assert [(each.id, each.before, each.after) for each in done.promoted if each.id == tea.id] == [
        (tea.id, 0, 2)
    ]
    assert git("status", "--porcelain") == ""
    before = accesses(memory.opened)[tea.id]
    assert memory.maintain.run("nightly").commits == ()
    assert accesses(memory.opened)[tea.id] == before
    memory.undo()
    assert git("rev-parse", "HEAD^{tree}") == tree
    after = accesses(memory.opened)[tea.id]
    assert (after.days, after.last) == (before.days, before.last), "the log still has them"
    assert (after.priority, before.priority) == (0, 2)


def test_what_is_hot_weighs_more_by_at_most_the_cap(memory: Memory, clock: FixedClock) -> None:
    memory.remember(TEA)
    use_daily(memory, clock, days=9)
    memory.maintain.run("nightly")
    [hit] = [h for h in memory.recall("Elise tea", preset="park").hits if h.note.type == "item"]
    [why] = [part.note for part in hit.parts if part.name == "importance"]
    assert why.endswith(", 3 more for being used")
    clock.advance(days=100)
    [hit] = [h for h in memory.recall("Elise tea", preset="park").hits if h.note.type == "item"]
    assert "more for being used" not in str(hit.parts)


def test_a_context_gives_what_is_used_often_first(memory: Memory, clock: FixedClock) -> None:
    memory.remember("Elise drinks green tea.", stream="projects")
    clock.advance(days=1)
    memory.remember("Tom likes brown boots.", stream="projects")
    use_daily(memory, clock, days=3)

    def first() -> str:
        return next(line.text for line in memory.context().lines if line.stream == "projects")

    assert first() == "Tom likes brown boots."
    memory.maintain.run("nightly")
    assert first() == "Elise drinks green tea."


def test_use_on_one_device_counts_on_all_and_nothing_is_lost(tmp_path: Path) -> None:
    clock, bare = FixedClock(), tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    desk, lap = Device(tmp_path, "desk", clock=clock), Device(tmp_path, "lap", clock=clock)
    with desk.here():
        Memory.init(desk.root, clock=clock)
    with desk.memory() as memory:
        [tea] = memory.remember(TEA).items
    desk.pin(bare)
    desk.push()
    lap.receive(bare)
    for device, days in ((desk, 2), (lap, 3)):
        with device.memory() as memory:
            use_daily(memory, clock, days=days)
            memory.maintain.run("nightly")
    lap.push()
    merged = desk.pull()
    assert not merged.problems
    desk.push()
    lap.pull()
    with desk.memory() as one, lap.memory() as other:
        assert read_uses(one.root) == read_uses(other.root)
        assert sorted(read_uses(one.root)[tea.id]) == ["desk", "lap"]
        for memory in (one, other):
            assert accesses(memory.opened)[tea.id].days == 5
            assert memory.maintain.run("nightly").commits == ()


def test_a_purge_takes_the_row_of_the_note_out_of_all_history(
    memory: Memory, clock: FixedClock, git: Git
) -> None:
    ids = [memory.remember(said).items[0].id for said in (TEA, "Elise loves the blue kettle.")]
    use_daily(memory, clock, days=1)
    memory.maintain.run("nightly")
    assert all(id_ in (memory.root / ACCESS).read_text() for id_ in ids)
    gone, stays = sorted(ids, reverse=True)  # the last row: the one before it had the comma
    assert not memory.forgetting.purge(gone).places
    text = (memory.root / ACCESS).read_text()
    assert json.loads(text)["access"].keys() >= {stays}
    assert everywhere(memory, gone) == []
    assert git("show", f"HEAD:{ACCESS}") == text
