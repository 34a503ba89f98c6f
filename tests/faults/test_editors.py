"""Editors that save while vaultmem writes to the same files: no saved text is ever lost (P4).

A saved text is in the file, in the history, or in a version kept beside it that `status` counts
and `check` names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path, PurePosixPath

import pytest

from tests.conftest import FixedClock, Git
from tests.faults.crowd import ROOT, cpu_seconds, until
from tests.faults.editing import SAVES, mark
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BusyError, MissingFileError, RepositoryBusyError, StaleFileError
from vaultmem.config.settings import load_settings
from vaultmem.model.answers import Filters
from vaultmem.model.ids import blob_oid
from vaultmem.model.plan import Write
from vaultmem.storage.files import publish, read, recover
from vaultmem.storage.files.locking import WriterLock
from vaultmem.storage.files.recovery import seconds_until_due

pytestmark = pytest.mark.slow

REMEMBER_EVERY = 40
_OURS = re.compile(rb"\nours \d+\n")
LIKED = "I like tea very much."


@pytest.mark.parametrize("kind", sorted(SAVES))
def test_no_save_is_lost(
    root: Path,
    git: Git,
    kind: str,
    times: Callable[[int], int],
    tally: Callable[..., None],
) -> None:
    """A list and an item note are saved in bursts while vaultmem adds to one, patches the other."""
    saves, cpu = times(1200), cpu_seconds()
    with Memory(root) as memory:
        memory.remember(LIKED)
        [item] = root.glob("items/**/*tea*.md")
        files = [root / "streams/identity.md", item]
        editor = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.editing", kind, str(saves), "7", *map(str, files)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        missed: list[str] = []
        assert editor.stdout is not None
        lines = editor.stdout
        reader = threading.Thread(target=lambda: missed.extend(lines))
        reader.start()
        written, published, refused, kept = 0, 0, 0, []
        turns = 0
        while editor.poll() is None:
            turns += 1
            if turns % REMEMBER_EVERY:
                done = _publish(root, files[turns % 2], turns)
                published, refused = published + done, refused + (not done)
                continue
            # The same statement from another source patches its note; a new one adds a bullet.
            text = f"{LIKED} Day {written}." if written % 2 else f"I prefer mug number {written}."
            try:
                memory.remember(text)
            except (StaleFileError, BusyError, RepositoryBusyError):
                refused += 1
                continue
            kept.append(text)
            written += 1
        reader.join()
        lines.close()
        assert editor.returncode == 0
        # A displaced file is kept beside the note once no editor can still be writing to it.
        time.sleep(seconds_until_due(root) or 0)
        memory.sync()
        problems = memory.check().problems
        counted = memory.vault.status().problems
    beside = [root / each.path for each in problems if each.code == "edit-kept"]
    assert counted.get("warning", 0) >= len(beside)
    unseen = [Path(line.rsplit(" ", 1)[0]) for line in missed]
    numbers = [int(line.rsplit(" ", 1)[1]) for line in missed]
    lost = [
        mark(file, number)
        for file, number in zip(unseen, numbers, strict=True)
        if not _is_somewhere(git, [*files, *beside], mark(file, number))
    ]
    tally(
        f"saves {kind}",
        saves=saves,
        memories=written,
        published=published,
        refused=refused,
        displaced=len(missed),
        kept_beside=len(beside),
        lost=len(lost),
        cpu_seconds=round(cpu_seconds() - cpu),
    )
    assert lost == []
    assert written >= saves // 6000
    assert published > saves // 100
    assert [each.code for each in problems if each.code not in ("edit-kept", "conflict-copy")] == []
    everything = "".join(file.read_text() for file in root.glob("items/**/*.md"))
    assert [text for text in kept if "mug" in text and text.rstrip(".") not in everything] == []
    assert "error" not in git("fsck", "--full", "--strict", "--no-dangling")
    assert git("status", "--porcelain") == ""


def _publish(root: Path, file: Path, number: int) -> bool:
    """Write a line of ours into the file as every operation does, without the commit.

    A hundred times as many chances to meet a save as by remembering, which waits for git.
    """
    path = PurePosixPath(file.relative_to(root).as_posix())
    try:
        before = read(root, path, had_content=True)
        after = _OURS.sub(b"", before).rstrip() + b"\n\nours %d\n" % number
        with WriterLock(load_settings(root).state, deadline_seconds=5):
            recover(root)
            publish(root, [Write(path=path, content=after, expects=blob_oid(before))])
    except (MissingFileError, StaleFileError):
        return False
    return True


def _is_somewhere(git: Git, files: list[Path], line: str) -> bool:
    if any(line in file.read_text().splitlines() for file in files):
        return True
    return git("log", "--all", "--format=%h", "-G", f"^{line}$") != ""


def test_no_empty_version_of_a_note_that_is_being_saved(root: Path, git: Git) -> None:
    """A slow disk leaves the file empty for a while: it is not read as empty, nor committed."""
    with Memory(root) as memory:
        memory.remember(LIKED)
    stream = root / "streams/identity.md"
    [item] = root.glob("items/**/*tea*.md")
    before = {file: file.read_text() for file in (stream, item)}
    for file in before:
        os.truncate(file, 0)
    reading = threading.Event()

    def finish() -> None:
        assert reading.wait(timeout=60)
        time.sleep(0.5)  # the slow editor that is tested
        for file, text in before.items():
            file.write_text(text + "\nMine.\n")

    editor = threading.Thread(target=finish)
    editor.start()
    with Memory(root) as memory:
        reading.set()
        memory.sync()
        [row] = memory.list(Filters(types=("item",)))
        assert (row.statement, row.status) == (LIKED, "active")
    editor.join()
    for file, text in before.items():
        path = file.relative_to(root).as_posix()
        assert git("show", f"HEAD:{path}") == text + "\nMine.\n"
        for commit in git("log", "--format=%h", "--", path).split():
            assert git("show", f"{commit}:{path}") != ""


@pytest.mark.parametrize("name", ["streams/identity.md", "item"])
def test_a_note_that_is_away_for_a_moment_is_not_taken_for_deleted(
    root: Path, git: Git, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the two halves of a save by deletion nothing is retracted.

    With more patience than the product has: on a busy machine the thread that ends the moment may
    be late by more than a quarter of a second.
    """
    settling = import_module("vaultmem.edit.settle")  # its name in the room is a function's
    monkeypatch.setattr(settling, "GONE_PATIENCE_SECONDS", 60.0)
    with Memory(root) as memory:
        memory.remember(LIKED)
        [item] = root.glob("items/**/*tea*.md")
        file = item if name == "item" else root / name
        text = file.read_text()
        back = threading.Timer(0.05, lambda: file.write_text(text))
        file.unlink()
        back.start()
        memory.sync()
        back.join()
        memory.sync()
        [row] = memory.list(Filters(types=("item",)))
        assert (row.statement, row.status) == (LIKED, "active")
    assert git("log", "--diff-filter=D", "--format=%h") == ""
    assert file.read_text() == text


def test_a_note_that_was_emptied_is_believed_once_it_rests(
    root: Path, git: Git, clock: FixedClock
) -> None:
    note = root / "items/note.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("A thing.\n")
    with Memory(root, clock=clock) as memory:
        memory.sync()
        os.truncate(note, 0)
        until(lambda: time.time() - note.stat().st_ctime > 2)
        begun = time.process_time()
        memory.sync()
        assert time.process_time() - begun < 2  # it does not wait by turning in a circle
    assert git("show", "HEAD:items/note.md") == ""
