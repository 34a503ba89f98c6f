"""Watch a vault through watchdog until it is stopped."""

from __future__ import annotations

import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, BusyError, Protocol, VaultmemError
from vaultmem.storage.files import (
    TOPS,
    Heartbeat,
    Patterns,
    clear_heartbeat,
    ignored_by,
    read_heartbeat,
    seconds_until_due,
    write_heartbeat,
)

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver, ObservedWatch

    from vaultmem.config import Settings
    from vaultmem.model import DailyNote, SyncReport


# What a watcher does and when: saves are read after a quiet moment, committed once they rest.
#
# An event is only a hint. The system drops events in bursts without a word to the program
# (performance.md F), so what changed is always found by a scan, at the start, after events, when
# events were lost, and every ten minutes whatever happens.

# Editors that never pause must not keep a save from being read: at most ten quiet times.
LONGEST_QUIETS = 10
# More changes than these are told as a number.
TOLD_BY_NAME = 5
# Times of files are coarser than the clock.
_MARGIN_SECONDS = 0.05
# The words of a report, in those of somebody who watches.
_TOLD_AS = {"changed": "edited"}


class Maintains(Protocol):
    """What a watcher needs of `Memory.maintain`."""

    def daily_note(self) -> DailyNote | None:
        """Bring the block of today's daily note up to date."""


class Watched(Protocol):
    """What a watcher needs of a `Memory`."""

    @property
    def root(self) -> Path:
        """The vault's folder."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""

    def sync(self, *, settle: bool = True) -> SyncReport:
        """Take in what changed on disk; `settle` also commits it, and levels the daily note."""

    @property
    def maintain(self) -> Maintains:
        """Care of the vault."""


class Events(Protocol):
    """Where hints come from: it calls `note_touch` and `note_loss` from a thread of its own."""

    def start(self, *, touched: Callable[[], None], lost: Callable[[], None]) -> None:
        """Begin; raises OSError when the system cannot watch."""

    def follow(self) -> None:
        """Watch folders that have appeared since; raises OSError."""

    def is_alive(self) -> bool:
        """False: no event will ever come again."""

    def stop(self) -> None:
        """End; no call is made afterwards."""


class Watcher:
    """Keeps the index of one vault level with its files until it is stopped.

    memory     the vault, opened; used by the thread that calls `run` or `step` only
    tell       called with each line that a person may want to read
    events     None: look every `watch.poll` seconds
    monotonic  seconds that only grow, the same clock for all processes
    """

    def __init__(
        self,
        memory: Watched,
        *,
        tell: Callable[[str], None],
        events: Events | None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._memory = memory
        self._tell = tell
        self._events = events
        self._monotonic = monotonic
        self._settings = memory.settings
        self._guard = threading.Lock()  # over the four below, and the heartbeat file
        self._first_touch: float | None = None  # None: nothing touched since the last scan
        self._last_touch = 0.0
        self._has_lost = False
        self._is_level = False
        self._wake = threading.Event()
        self._is_stopped = False
        self._scanned_at: float | None = None  # None: not yet
        self._edited_at: float | None = None  # None: nothing waits to be committed
        self._beaten_at = 0.0
        self._retry_at = 0.0
        self._complaint = ""
        self._day_problem = ""  # what is in the way of the daily note, as it was told
        self._told: set[str] = set()  # since the last commit
        self._problems = 0
        self._settings_stamp = _stamp(memory.root / "vaultmem.toml")

    def run(self) -> None:
        """Watch until `stop` is called (from a signal handler or another thread)."""
        self.start()
        try:
            while not self._is_stopped:
                self._wake.wait(self.step())
                # Before the next step looks: what is touched from now on wakes the one after it.
                self._wake.clear()
            self.finish()
        finally:
            self.close()

    def stop(self) -> None:
        """Let `run` return after what it is doing."""
        self._is_stopped = True
        self._wake.set()

    def start(self) -> None:
        """Begin to watch; raises BusyError when another watcher lives."""
        other = read_heartbeat(self._settings.state, monotonic=self._monotonic)
        if other is not None and other.pid != os.getpid():
            raise BusyError(
                f"process {other.pid} watches this vault already", hint="one watcher is enough"
            )
        if self._events is not None:
            try:
                self._events.start(touched=self.note_touch, lost=self.note_loss)
            except OSError as error:
                self._fall_back(error)
        if not self._settings.watch_autocommit:
            self._tell("your edits are left for you to commit (watch.autocommit)")
        self._tell(f"watching '{self._memory.root}'")

    def finish(self) -> None:
        """Take in, and commit, what was saved and has not rested yet: nobody watches from now on.

        Once: what another writer or a merge keeps from being committed is said, and stays for
        the next command. The files that were replaced are kept until no editor can write to
        them late (2 s); asked to stop a second time, they are left to the next command, too.
        """
        report = self._sync(settle=self._settings.watch_autocommit)
        left = seconds_until_due(self._memory.root)
        if report is None or left is None or not self._settings.watch_autocommit:
            return
        self._wake.clear()
        if not self._wake.wait(left + _MARGIN_SECONDS):
            self._sync(settle=True)

    def close(self) -> None:
        """Stop the events and take the heartbeat away."""
        if self._events is not None:
            self._events.stop()
        clear_heartbeat(self._settings.state, os.getpid())

    def note_touch(self) -> None:
        """Something may have changed; called by the event thread."""
        with self._guard:
            now = self._monotonic()
            self._last_touch = now
            # Events come by the thousand; the first one is enough until the next scan.
            if self._first_touch is not None:
                return
            self._first_touch = now
            # On disk at once: as long as the heartbeat says that all is level, readers in other
            # processes skip their scan.
            self._is_level = False
            self._beat(now)
        self._wake.set()

    def note_loss(self) -> None:
        """The system dropped events; called by the event thread."""
        with self._guard:
            self._has_lost = True
            self._is_level = False
            self._beat(self._monotonic())
        self._wake.set()

    def step(self) -> float:
        """Do what is due now; seconds until something may be due next."""
        now = self._monotonic()
        # A thread of watchdog that ends leaves a watch that sees nothing: it looks every so often
        # from then on.
        if self._events is not None and not self._events.is_alive():
            self._fall_back(None)
        if now >= self._read_at():
            self._read()
        if self._edited_at is not None and now >= max(self._commit_at(), self._retry_at):
            self._settle()
        now = self._monotonic()
        if now - self._beaten_at >= self._settings.watch_heartbeat_seconds:
            with self._guard:
                self._beat(now)
        return max(0.0, min(self._deadlines()) - now)

    def _deadlines(self) -> Iterator[float]:
        yield self._beaten_at + self._settings.watch_heartbeat_seconds
        yield self._read_at()
        if self._edited_at is not None:
            yield max(self._commit_at(), self._retry_at)

    def _read_at(self) -> float:
        """When the next scan is due."""
        if self._scanned_at is None:
            return self._retry_at
        with self._guard:
            if self._has_lost:
                return self._retry_at
            pause = self._settings.watch_poll_seconds
            if self._events is not None:
                pause = self._settings.watch_rescan_seconds
            due = self._scanned_at + pause
            if self._first_touch is not None:
                quiet = self._settings.watch_quiet_seconds
                latest = self._first_touch + LONGEST_QUIETS * quiet
                due = min(due, self._last_touch + quiet, latest)
            return max(due, self._retry_at)

    def _commit_at(self) -> float:
        return (self._edited_at or 0.0) + self._settings.watch_commit_after_seconds

    def _read(self) -> None:
        """Bring the index level and tell what was learned."""
        # Taken before the scan: what is touched while it runs asks for another one.
        with self._guard:
            has_lost, self._has_lost = self._has_lost, False
            self._first_touch = None
        if has_lost:
            self._tell("the system dropped events; looking at every note")
        # Before the scan, which finds what changed in a new folder until it was watched.
        if self._events is not None:
            try:
                self._events.follow()
            except OSError as error:
                self._fall_back(error)
        report = self._sync(settle=False)
        if report is None:
            return
        now = self._monotonic()
        self._scanned_at = now
        with self._guard:
            self._is_level = self._first_touch is None and not self._has_lost
            self._beat(now)
        if report.pending and self._settings.watch_autocommit:
            if report.changed or report.removed or self._edited_at is None:
                self._edited_at = now
        else:
            self._edited_at = None
        # What rests is committed first, and then told in the note by the same `sync`.
        if self._settings.obsidian_daily_note and self._edited_at is None:
            self._write_day()
        self._tell_settings()

    def _write_day(self) -> None:
        """Bring today's daily note level with what others kept, or begin that of a new day."""
        try:
            self._tell_day(self._memory.maintain.daily_note())
        except VaultmemError as error:
            self._complain(error.message)

    def _tell_day(self, note: DailyNote | None) -> None:
        """Tell what became of the daily note; what is in its way, once."""
        problem = "" if note is None else note.problem
        if note is not None and problem and problem != self._day_problem:
            self._tell(f"warning: today's note '{note.path}' stays as it is: {problem}")
        elif note is not None and note.changed:
            self._tell(f"wrote into {note.path}: {note.learned} learned today, {note.due} due")
        self._day_problem = problem

    def _settle(self) -> None:
        """Commit what rests, and what follows from it."""
        report = self._sync(settle=True)
        if report is None:
            return
        self._edited_at = self._monotonic() if report.pending else None

    def _sync(self, *, settle: bool) -> SyncReport | None:
        """What a sync said; None when it failed, which is told, and tried again soon."""
        try:
            report = self._memory.sync(settle=settle)
        except VaultmemError as error:
            self._complain(error.message)
            self._retry_at = self._monotonic() + LONGEST_QUIETS * self._settings.watch_quiet_seconds
            with self._guard:
                self._first_touch = self._monotonic()
                self._last_touch = self._first_touch
            return None
        self._retry_at = 0.0
        self._complain(report.waiting and f"nothing committed: {report.waiting}")
        if settle:
            self._tell_day(report.daily_note)
        for line in report_lines(report):
            if line not in self._told:  # a save that was told is told again when it is settled
                self._tell(line)
        self._told = set() if settle else self._told | set(report_lines(report))
        if report.problems > self._problems:
            self._tell(f"problems in the vault: {report.problems}; `vaultmem check` lists them")
        self._problems = report.problems
        return report

    def _complain(self, message: str) -> None:
        """Tell what is in the way, once."""
        if message and message != self._complaint:
            self._tell(f"warning: {message}")
        self._complaint = message

    def _tell_settings(self) -> None:
        stamp = _stamp(self._memory.root / "vaultmem.toml")
        if stamp != self._settings_stamp:
            self._settings_stamp = stamp
            self._tell("vaultmem.toml changed; start the watch again to use it")

    def _fall_back(self, error: OSError | None) -> None:
        """Look every few seconds instead of waiting for events."""
        reason = f" ({error.strerror})" if error is not None and error.strerror else ""
        pause = self._settings.watch_poll_seconds
        self._tell(f"warning: the system cannot watch folders{reason}; looking every {pause:g} s")
        self._tell("hint: on Linux, raise fs.inotify.max_user_watches and max_user_instances")
        if self._events is not None:
            self._events.stop()
            self._events = None

    def _beat(self, now: float) -> None:
        """Say whether a read may skip its scan; the guard is held."""
        self._beaten_at = now
        try:
            write_heartbeat(
                self._settings.state,
                Heartbeat(
                    pid=os.getpid(),
                    at=now,
                    every_seconds=self._settings.watch_heartbeat_seconds,
                    is_clean=self._is_level and self._events is not None,
                    polls=self._events is None,
                ),
            )
        except OSError:
            clear_heartbeat(self._settings.state, os.getpid())


def report_lines(report: SyncReport) -> Iterator[str]:
    """What one sync learned, did and found in the way, a line each."""
    if report.rebuilt:
        yield f"the index was built anew: {report.rebuilt}"
    for one in report.learned:
        # What a list or page says anew is learned; an item, which has an id, is edited.
        is_new = one.what == "added" or (one.what == "changed" and not one.id)
        what = "learned" if is_new else _TOLD_AS.get(one.what, one.what)
        anchor = f" ^{one.id}" if one.what == "adopted" else ""
        yield f"{what}{anchor}: {one.text} ({one.path})"
    told = {path for one in report.learned for path in (one.path, one.former)}
    quiet = [path for path in (*report.changed, *report.removed) if path not in told]
    if len(quiet) > TOLD_BY_NAME:
        yield f"read {len(quiet)} changed notes"
    else:
        yield from (f"read {path}" for path in quiet)
    for commit in report.commits:
        yield f"committed {commit[:8]}"
    for path in report.unreadable:
        yield f"warning: '{path}' cannot be read now, and is kept as it was last known"


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


# Reading a file raises these; reacting to them would make every scan cause the next one.
_READS = frozenset(("opened", "closed_no_write"))


def watcher_of(memory: Watched, *, tell: Callable[[str], None], polls: bool = False) -> Watcher:
    """A watcher of an opened vault, not started yet; `polls`: without the system's events."""
    include = memory.settings.include
    events: Events | None = None if polls else FolderEvents(memory.root, include)
    return Watcher(memory, tell=tell, events=events)


class FolderEvents:
    """Events of the content folders (and those that `include` names), never of `.git`."""

    def __init__(self, root: Path, include: Sequence[str] = ()) -> None:
        self._root = root
        self._include = Patterns(include)
        self._observer: BaseObserver | None = None  # None: not started
        self._followed: dict[str, ObservedWatch] = {}
        self._log = _WatchdogLog()

    def start(self, *, touched: Callable[[], None], lost: Callable[[], None]) -> None:
        """Begin to watch; raises OSError when the system cannot."""
        from watchdog.observers import Observer

        # A folder made while its parent is being followed is registered twice: watchdog says so on
        # the person's terminal, although the second registration equals the first.
        warnings.filterwarnings(
            "ignore", r"Callback with id \S+ already exists", RuntimeWarning, r"watchdog\."
        )
        self._handler = _handler(self._root, touched)
        self._log.lost = lost
        logging.getLogger("watchdog").addHandler(self._log)
        self._observer = Observer()
        self._observer.start()
        # Without what lies below it, as `.git` does.
        self._schedule(self._root, recursive=False)
        self.follow()

    def follow(self) -> None:
        """Watch content folders that have appeared since, and no longer those that went.

        raises OSError
        """
        if self._observer is None:
            return
        ended = {emitter.watch for emitter in self._observer.emitters if not emitter.is_alive()}
        wanted = self._folders()
        for folder, watch in sorted(self._followed.items()):
            # The thread of a folder ends with it: another of its name needs a new one.
            if folder not in wanted or watch in ended:
                self._observer.unschedule(watch)
                del self._followed[folder]
        for folder in wanted:
            if folder not in self._followed:
                self._followed[folder] = self._schedule(self._root / folder, recursive=True)

    def is_alive(self) -> bool:
        """False once a thread of watchdog ended by itself, and not because its folder went."""
        observer = self._observer
        # A folder that was removed ends the thread of watchdog for it; taken for a failing system
        # the watch fell back to polling for good.
        if observer is None or not observer.is_alive():
            return False
        ended = {emitter.watch for emitter in observer.emitters if not emitter.is_alive()}
        # A folder that was removed was taken for a failing system: the watch fell back to polling,
        # and a folder of that name was never followed again.
        gone = {
            watch
            for folder, watch in self._followed.items()
            if watch in ended and not os.path.isdir(self._root / folder)
        }
        return ended <= gone

    def stop(self) -> None:
        """End all threads."""
        self._log.lost = lambda: None
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=5)
            self._observer = None
        # Not before: without a handler, Python prints what watchdog says of being stopped.
        logging.getLogger("watchdog").removeHandler(self._log)

    def _schedule(self, folder: Path, *, recursive: bool) -> ObservedWatch:
        assert self._observer is not None
        return self._observer.schedule(self._handler, str(folder), recursive=recursive)

    def _folders(self) -> list[str]:
        """Folders to watch, relative to the vault, none inside another, none hidden or a link."""
        wanted = set(TOPS)
        for start in self._include.starts():
            if start:
                wanted.add(start)
            else:  # a glob that begins with a wildcard may mean any folder
                wanted.update(entry.name for entry in os.scandir(self._root))
        return sorted(
            folder
            for folder in wanted
            if not any(ignored_by(part) for part in folder.split("/"))
            and not any(folder.startswith(f"{other}/") for other in wanted)
            and (self._root / folder).is_dir()
            and not (self._root / folder).is_symlink()
        )


def _handler(root: Path, touched: Callable[[], None]) -> FileSystemEventHandler:
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        """Sets a flag; anything slower would let the queue of the system overflow."""

        def on_any_event(self, event: FileSystemEvent) -> None:
            """Called for every event, in a thread of watchdog."""
            if matters(event, root):
                touched()

    return Handler()


def matters(event: FileSystemEvent, root: Path) -> bool:
    """Whether a note may have changed: not a read, not a temporary or hidden file."""
    if event.event_type in _READS or (event.is_directory and event.event_type == "modified"):
        return False
    prefix = len(str(root)) + 1
    paths = [os.fsdecode(path)[prefix:] for path in (event.src_path, event.dest_path) if path]
    return any(
        path and not any(ignored_by(part) for part in path.replace(os.sep, "/").split("/"))
        for path in paths
    )


class _WatchdogLog(logging.Handler):
    """Hears what watchdog only logs: that events were lost."""

    def __init__(self) -> None:
        super().__init__(level=logging.WARNING)
        self.lost: Callable[[], None] = lambda: None

    def emit(self, record: logging.LogRecord) -> None:
        """Any warning of watchdog means that its events cannot be relied on."""
        self.lost()
