"""Watchdog on a real vault."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from watchdog.events import (
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileClosedNoWriteEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileOpenedEvent,
    FileSystemEvent,
)

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.config.settings import load_settings
from vaultmem.storage.files.locking import read_heartbeat
from vaultmem.watch.watch import FolderEvents, Watcher, matters, watcher_of


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for a condition; the deadline is for a machine that is very busy."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail("the condition did not come true in time")
        threading.Event().wait(0.01)


class TestFolderEvents:
    """Watchdog on the content folders."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        for folder in ("items/2026", "streams", ".git", ".obsidian", "Journal"):
            (tmp_path / folder).mkdir(parents=True)
        return tmp_path

    def watch(self, root: Path, include: tuple[str, ...] = ()) -> tuple[FolderEvents, Hits]:
        events, hits = FolderEvents(root, include), Hits()
        events.start(touched=hits.touched, lost=hits.lost)
        return events, hits

    @pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
    def test_a_folder_registered_twice_prints_nothing(self, root: Path) -> None:
        """What watchdog does when a folder appears while its parent is being registered."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            events, _ = self.watch(root)
            for emitter in list(events._observer.emitters):  # type: ignore[union-attr]
                until(lambda e=emitter: e._inotify)  # type: ignore[misc]
                for _ in range(2):
                    emitter._inotify._add_callback(os.fsencode(root / "items"))
            events.stop()
        assert [str(warning.message) for warning in said] == []

    def test_a_save_in_a_content_folder_is_a_hint(self, root: Path) -> None:
        events, hits = self.watch(root)
        try:
            (root / "items" / "2026" / "tea.md").write_text("I like tea.\n")
            until(lambda: hits.count > 0)
        finally:
            events.stop()

    def test_a_folder_that_appears_later_is_followed(self, root: Path) -> None:
        events, hits = self.watch(root)
        try:
            (root / "categories").mkdir()
            until(lambda: hits.count > 0)
            events.follow()
            before = hits.count
            (root / "categories" / "tools.md").write_text("# Tools\n")
            until(lambda: hits.count > before)
        finally:
            events.stop()

    @pytest.mark.parametrize(
        ("event", "counts"),
        [
            (FileModifiedEvent("/v/items/tea.md"), True),
            (FileClosedEvent("/v/items/tea.md"), True),
            (FileDeletedEvent("/v/items/tea.md"), True),
            (FileMovedEvent("/v/items/.tea.md.tmp", "/v/items/tea.md"), True),
            (FileMovedEvent("/v/items/tea.md", "/elsewhere/tea.md"), True),
            (DirMovedEvent("/v/items/a", "/v/items/b"), True),
            (DirDeletedEvent("/v/items"), True),
            (FileModifiedEvent("/v/vaultmem.toml"), True),
            (FileOpenedEvent("/v/items/tea.md"), False),
            (FileClosedNoWriteEvent("/v/items/tea.md"), False),
            (DirModifiedEvent("/v/items"), False),
            (FileModifiedEvent("/v/.git/index"), False),
            (FileModifiedEvent("/v/items/.obsidian/workspace.json"), False),
            (FileModifiedEvent("/v/items/.tea.md.swp"), False),
            (FileCreatedEvent("/v/items/tea.md~"), False),
            (FileMovedEvent("/v/items/4913", "/v/items/tea.md~"), False),
        ],
    )
    def test_only_what_may_change_a_note_is_a_hint(
        self, event: FileSystemEvent, counts: bool
    ) -> None:
        assert matters(event, Path("/v")) is counts

    def test_a_folder_that_an_include_names_is_followed(self, root: Path) -> None:
        events, hits = self.watch(root, ("Journal/**/*.md",))
        try:
            (root / "Journal" / "today.md").write_text("x")
            until(lambda: hits.count > 0)
        finally:
            events.stop()

    @pytest.mark.parametrize("gone", ["Journal", "items"])
    def test_a_folder_that_went_is_no_failure_and_is_followed_when_it_is_back(
        self, root: Path, gone: str
    ) -> None:
        events, hits = self.watch(root, ("Journal/**/*.md",))
        try:
            emitters = len(events._observer.emitters)  # type: ignore[union-attr]
            shutil.rmtree(root / gone)
            until(lambda: any(not e.is_alive() for e in events._observer.emitters))  # type: ignore[union-attr]
            assert events.is_alive()
            events.follow()
            assert len(events._observer.emitters) == emitters - 1  # type: ignore[union-attr]
            (root / gone).mkdir()
            assert events.is_alive()
            events.follow()
            before = hits.count
            (root / gone / "today.md").write_text("x")
            until(lambda: hits.count > before)
            assert events.is_alive()
        finally:
            events.stop()

    def test_a_folder_that_is_back_before_a_look_is_followed(self, root: Path) -> None:
        events, hits = self.watch(root, ("Journal/**/*.md",))
        try:
            shutil.rmtree(root / "Journal")
            until(lambda: any(not e.is_alive() for e in events._observer.emitters))  # type: ignore[union-attr]
            (root / "Journal").mkdir()
            events.follow()
            before = hits.count
            (root / "Journal" / "today.md").write_text("x")
            until(lambda: hits.count > before)
        finally:
            events.stop()

    def test_a_warning_of_watchdog_means_lost_events(self, root: Path) -> None:
        events, hits = self.watch(root)
        try:
            logging.getLogger("watchdog.observers").warning("Inotify queue overflowed")
            assert hits.lost_count == 1
        finally:
            events.stop()
        logging.getLogger("watchdog.observers").warning("after the end")
        assert hits.lost_count == 1

    def test_after_the_end_it_is_not_alive(self, root: Path) -> None:
        events, _ = self.watch(root)
        assert events.is_alive()
        events.stop()
        assert not events.is_alive()


class Hits:
    """Counts hints."""

    def __init__(self) -> None:
        self.count = 0
        self.lost_count = 0

    def touched(self) -> None:
        self.count += 1

    def lost(self) -> None:
        self.lost_count += 1


def test_a_save_in_an_editor_is_learned_adopted_and_committed(root: Path, git: Git) -> None:
    """The real thing: watchdog, a real vault, real git, in a thread of its own."""
    settings = root / "vaultmem.toml"
    settings.write_text("watch.commit_after = 1\nwatch.quiet = 0.1\n" + settings.read_text())
    told: list[str] = []
    running: list[Watcher] = []

    def watch() -> None:
        with Memory(root) as memory:
            watcher = watcher_of(memory, tell=told.append)
            running.append(watcher)
            watcher.run()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        until(lambda: any(line.startswith("watching") for line in told))
        state = load_settings(root).state
        until(lambda: (beat := read_heartbeat(state)) is not None and beat.is_clean)
        with open(root / "streams" / "identity.md", "a", encoding="utf-8") as stream:
            stream.write("- I sing in a choir.\n")
        until(lambda: any("streams/identity.md" in line for line in told))
        until(lambda: any(line.startswith("adopted ^i-") for line in told))
        until(lambda: git("status", "--porcelain", "--", "streams", "items") == "")
    finally:
        running[0].stop()
        thread.join(timeout=60)
    assert not thread.is_alive()
    assert read_heartbeat(state) is None
    assert list((root / ".vaultmem" / "tmp").iterdir()) == []
    assert "Vaultmem-Actor: editor" in git("log", "-2", "--format=%b")
    assert "I sing in a choir. ^i-" in (root / "streams" / "identity.md").read_text()
