"""When a save is read, when it is committed, and what happens when events fail."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from vaultmem.base.errors import BusyError
from vaultmem.config.settings import Settings, load_settings, make_state_folder
from vaultmem.model.reports import DailyNote, Learned, SyncReport
from vaultmem.storage.files.locking import Heartbeat, read_heartbeat, write_heartbeat
from vaultmem.watch.watch import Watcher, report_lines

NOTE = PurePosixPath("items/tea.md")


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Vault:
    """A vault whose syncs answer what the test laid out; it keeps (time, settled) of each."""

    def __init__(self, root: Path, clock: Time) -> None:
        self.root = root
        self.clock = clock
        self.settings: Settings = load_settings(root)
        make_state_folder(self.settings.state)
        self.syncs: list[tuple[float, bool]] = []
        self.unread: list[SyncReport | BusyError] = []
        self.pending: tuple[PurePosixPath, ...] = ()
        self.during: Callable[[], None] = lambda: None
        self.day: DailyNote | None = None
        self.days = 0  # how often the daily note was brought level

    @property
    def maintain(self) -> Vault:
        return self

    def daily_note(self) -> DailyNote | None:
        self.days += 1
        return self.day

    def save(self) -> None:
        """An edit that the next sync finds."""
        self.pending = (NOTE,)
        learned = (Learned(what="changed", path=NOTE, text="I like tea", id="i-0"),)
        self.unread.append(SyncReport(scanned=1, changed=(NOTE,), learned=learned, pending=(NOTE,)))

    def sync(self, *, settle: bool = True) -> SyncReport:
        self.syncs.append((self.clock.now, settle))
        self.during()
        found = self.unread.pop(0) if self.unread else SyncReport(scanned=1, pending=self.pending)
        if isinstance(found, BusyError):
            raise found
        if settle:
            self.pending = ()
            found = replace(found, pending=(), commits=("0123456789",))
        return found


class Hints:
    """Events that a test raises."""

    def __init__(self, failure: OSError | None = None) -> None:
        self.failure = failure
        self.alive = True
        self.stopped = False

    def start(self, *, touched: Callable[[], None], lost: Callable[[], None]) -> None:
        if self.failure is not None:
            raise self.failure

    def follow(self) -> None: ...

    def is_alive(self) -> bool:
        return self.alive

    def stop(self) -> None:
        self.stopped = True


class Bench:
    """A watcher on a scripted vault, with a clock that stands still until moved."""

    def __init__(self, root: Path, hints: Hints | None) -> None:
        root.mkdir()
        (root / "vaultmem.toml").write_text("format = 1\n")
        self.clock = Time()
        self.vault = Vault(root, self.clock)
        self.told: list[str] = []
        self.hints = hints
        self.watcher = Watcher(
            self.vault, tell=self.told.append, events=hints, monotonic=self.clock
        )

    def begin(self) -> None:
        self.watcher.start()
        self.watcher.step()
        self.told.clear()
        self.vault.syncs.clear()

    def step(self, seconds: float = 0.0) -> float:
        self.clock.now += seconds
        return self.watcher.step()

    def wait(self, seconds: float) -> None:
        """Let the time pass as `run` would: step whenever something is due."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            pause = max(self.watcher.step(), 0.001)
            self.clock.now = min(until, self.clock.now + pause)
        self.watcher.step()

    @property
    def beat(self) -> Heartbeat | None:
        return read_heartbeat(self.vault.settings.state, monotonic=self.clock)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "vault", Hints())


class TestWhen:
    """0.5 s quiet, a scan at the start, after lost events and every ten minutes."""

    def test_it_scans_at_the_start(self, bench: Bench) -> None:
        bench.watcher.start()
        bench.watcher.step()
        assert bench.vault.syncs == [(1000.0, False)]

    def test_a_save_is_read_once_it_is_quiet(self, bench: Bench) -> None:
        bench.begin()
        bench.vault.save()
        bench.watcher.note_touch()
        assert bench.step(0.4) == pytest.approx(0.1)
        assert bench.vault.syncs == []
        bench.watcher.note_touch()
        bench.step(0.4)
        assert bench.vault.syncs == []
        bench.step(0.1)
        assert bench.vault.syncs == [(1000.9, False)]
        assert bench.told == ["edited: I like tea (items/tea.md)"]

    def test_saves_that_never_pause_are_read_all_the_same(self, bench: Bench) -> None:
        bench.begin()
        for _ in range(60):
            bench.watcher.note_touch()
            bench.step(0.1)
        assert len(bench.vault.syncs) == 1

    def test_with_no_event_at_all_it_looks_every_ten_minutes(self, bench: Bench) -> None:
        bench.begin()
        bench.wait(1799)
        assert [at for at, _ in bench.vault.syncs] == [1600.0, 2200.0]

    def test_lost_events_are_answered_by_a_scan_at_once(self, bench: Bench) -> None:
        bench.begin()
        bench.watcher.note_loss()
        bench.step()
        assert len(bench.vault.syncs) == 1
        assert bench.told == ["the system dropped events; looking at every note"]

    def test_an_edit_during_a_scan_is_read_by_the_next_one(self, bench: Bench) -> None:
        bench.begin()
        bench.vault.during = bench.watcher.note_touch
        bench.watcher.note_touch()
        bench.step(0.5)
        bench.vault.during = lambda: None
        assert bench.beat is not None
        assert not bench.beat.is_clean
        bench.step(0.5)
        assert len(bench.vault.syncs) == 2
        assert bench.beat.is_clean or read_heartbeat(bench.vault.settings.state) is None


class TestCommitting:
    """Edits are committed once they rest for a minute."""

    def test_an_edit_is_committed_after_a_minute_of_rest(self, bench: Bench) -> None:
        bench.begin()
        bench.vault.save()
        bench.watcher.note_touch()
        bench.wait(30)
        bench.vault.save()
        bench.watcher.note_touch()
        bench.wait(59)
        assert all(not settled for _, settled in bench.vault.syncs)
        bench.wait(5)
        at, settled = bench.vault.syncs[-1]
        assert settled
        assert at == pytest.approx(1090.5, abs=0.1)
        assert bench.told[-1] == "committed 01234567"
        bench.wait(300)
        assert sum(settled for _, settled in bench.vault.syncs) == 1

    def test_what_was_told_at_the_save_is_not_told_again_at_the_commit(self, bench: Bench) -> None:
        bench.begin()
        bench.vault.save()
        bench.watcher.note_touch()
        bench.step(0.5)
        bench.vault.save()
        bench.wait(70)
        assert bench.told == ["edited: I like tea (items/tea.md)", "committed 01234567"]

    def test_edits_from_before_the_start_are_committed_too(self, bench: Bench) -> None:
        bench.vault.pending = (NOTE,)
        bench.begin()
        bench.wait(61)
        assert bench.vault.syncs[-1][1]

    def test_committing_is_left_to_the_person_where_they_want_that(self, tmp_path: Path) -> None:
        root = tmp_path / "vault"
        bench = Bench(root, Hints())
        (root / "vaultmem.toml").write_text("watch.autocommit = false\n")
        bench.vault.settings = load_settings(root)
        bench.watcher = Watcher(
            bench.vault, tell=bench.told.append, events=bench.hints, monotonic=bench.clock
        )
        bench.watcher.start()
        assert "your edits are left for you to commit (watch.autocommit)" in bench.told
        bench.vault.save()
        bench.watcher.note_touch()
        bench.wait(300)
        assert all(not settled for _, settled in bench.vault.syncs)

    def test_what_is_in_the_way_is_said_once_and_tried_again(self, bench: Bench) -> None:
        bench.begin()
        bench.vault.save()
        bench.watcher.note_touch()
        bench.step(0.5)
        merging = SyncReport(scanned=1, pending=(NOTE,), waiting="a merge is in progress")
        bench.vault.unread = [BusyError("another process writes"), merging]
        bench.wait(70)
        assert bench.told.count("warning: another process writes") == 1
        assert bench.vault.syncs[-1][1]


class TestTrouble:
    """Polling where the system cannot watch; errors are told and tried again."""

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
    def test_without_inotify_it_polls_and_says_so(self, tmp_path: Path, number: int) -> None:
        hints = Hints(OSError(number, "inotify watch limit reached"))
        bench = Bench(tmp_path / "vault", hints)
        bench.watcher.start()
        assert bench.told[0] == (
            "warning: the system cannot watch folders (inotify watch limit reached); "
            "looking every 2 s"
        )
        bench.watcher.step()
        bench.wait(10)
        assert len(bench.vault.syncs) == 6
        assert hints.stopped
        assert bench.beat is not None
        assert not bench.beat.is_clean

    def test_events_that_die_are_replaced_by_polling(self, bench: Bench) -> None:
        bench.begin()
        assert bench.hints is not None
        bench.hints.alive = False
        bench.wait(4)
        assert len(bench.vault.syncs) == 2
        assert bench.told[0] == "warning: the system cannot watch folders; looking every 2 s"

    def test_a_busy_vault_is_read_again_soon(self, bench: Bench) -> None:
        bench.begin()
        bench.vault.unread = [BusyError("another process is writing")]
        bench.watcher.note_touch()
        bench.wait(20)
        assert len(bench.vault.syncs) == 2
        assert bench.told == ["warning: another process is writing"]
        assert bench.beat is not None
        assert bench.beat.is_clean

    def test_changed_settings_are_mentioned(self, bench: Bench) -> None:
        bench.begin()
        (bench.vault.root / "vaultmem.toml").write_text("format = 1\nrecall.k = 3\n")
        bench.watcher.note_touch()
        bench.wait(600)
        assert bench.told == ["vaultmem.toml changed; start the watch again to use it"]

    def test_one_watcher_is_enough(self, bench: Bench) -> None:
        write_heartbeat(
            bench.vault.settings.state,
            Heartbeat(pid=os.getppid(), at=bench.clock.now, every_seconds=2, is_clean=True),
        )
        with pytest.raises(BusyError, match=f"process {os.getppid()} watches"):
            bench.watcher.start()

    def test_it_ends_cleanly(self, bench: Bench) -> None:
        bench.watcher.stop()
        bench.watcher.run()
        assert bench.beat is None
        assert bench.hints is not None
        assert bench.hints.stopped


class TestHeartbeat:
    """A read may skip its scan only when a live watcher says that nothing is pending."""

    def test_it_is_clean_only_while_nothing_was_touched(self, bench: Bench) -> None:
        bench.watcher.start()
        assert bench.beat is None
        bench.watcher.step()
        assert bench.beat is not None
        assert bench.beat.is_clean
        bench.watcher.note_touch()
        assert not bench.beat.is_clean
        bench.step(0.5)
        assert bench.beat.is_clean

    def test_it_is_fresh_for_three_beats(self, bench: Bench) -> None:
        bench.begin()
        bench.wait(100)
        assert bench.beat is not None
        bench.clock.now += 5.9
        assert bench.beat is not None
        bench.clock.now += 0.2
        assert bench.beat is None

    def test_one_of_the_future_is_not_believed(self, bench: Bench) -> None:
        """The monotonic clock starts again when the machine does."""
        bench.begin()
        bench.clock.now -= 500
        assert bench.beat is None


def test_what_was_learned_is_told_in_words() -> None:
    report = SyncReport(
        scanned=3,
        changed=(NOTE,),
        learned=(
            Learned(what="added", path=NOTE, text="I like tea", id="i-0123456789"),
            Learned(what="adopted", path=NOTE, text="Buy milk", id="i-9876543210"),
            Learned(what="retracted", path=NOTE, text="I like coffee", id="i-0000000000"),
        ),
        commits=("0123456789abcdef",),
    )
    assert list(report_lines(report)) == [
        "learned: I like tea (items/tea.md)",
        "adopted ^i-9876543210: Buy milk (items/tea.md)",
        "retracted: I like coffee (items/tea.md)",
        "committed 01234567",
    ]


class TestDailyNote:
    DAY = DailyNote(path=PurePosixPath("Daily/2026-03-11.md"), learned=1, changed=True)

    def note_named(self, bench: Bench) -> None:
        bench.vault.settings = replace(bench.vault.settings, obsidian_daily_note="Daily/%d.md")
        bench.watcher._settings = bench.vault.settings
        bench.vault.day = self.DAY

    def test_it_is_written_at_each_scan_with_nothing_uncommitted(self, bench: Bench) -> None:
        bench.begin()
        self.note_named(bench)
        bench.watcher.note_touch()  # another process kept something
        bench.wait(1)
        assert bench.vault.days == 1
        assert bench.told == ["wrote into Daily/2026-03-11.md: 1 learned today, 0 due"]
        bench.vault.save()
        bench.watcher.note_touch()
        bench.wait(1)
        assert bench.vault.days == 1, "the person's save rests first, and is told when committed"

    def test_what_is_in_its_way_is_told_once(self, bench: Bench) -> None:
        bench.begin()
        self.note_named(bench)
        bench.vault.day = replace(self.DAY, changed=False, problem="a second managed block begins")
        for _ in range(3):
            bench.watcher.note_touch()
            bench.wait(1)
        assert bench.vault.days == 3
        [told] = [line for line in bench.told if "second managed block" in line]
        assert told.startswith("warning: today's note 'Daily/2026-03-11.md' stays as it is")

    def test_without_a_name_nobody_is_asked(self, bench: Bench) -> None:
        bench.begin()
        bench.watcher.note_touch()
        bench.wait(1)
        assert bench.vault.days == 0
