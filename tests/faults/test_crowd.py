"""Many processes on one vault: each write succeeds or says busy, and nothing is lost (P15)."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.crowd import (
    ROOT,
    Called,
    Committer,
    assert_kept,
    cpu_seconds,
    remember_each,
    together,
    watching,
)
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters

pytestmark = pytest.mark.slow

Times = Callable[[int], int]
Tally = Callable[..., None]


def test_two_command_lines_a_watcher_and_a_person_who_commits(
    root: Path, git: Git, times: Times, tally: Tally
) -> None:
    """The person's `git commit -am` runs without a pause all the while."""
    called: list[Called] = []
    count = times(10)
    with watching(root), Committer(root) as person:
        together(
            lambda: called.append(remember_each(root, "alpha", count)),
            lambda: called.append(remember_each(root, "beta", count)),
        )
    failures = [each for one in called for each in one.failures]
    kept = [text for one in called for text in one.kept]
    tally(
        "two CLIs, watcher, git commit -am",
        kept=len(kept),
        busy=sum(one.busy for one in called),
        commits_of_the_person=len(person.commits),
        refused_by_git=person.refused,
        failures=len(failures),
        slowest_seconds=f"{max(one.slowest_seconds for one in called):.1f}",
    )
    assert failures == []
    assert len(kept) == 2 * count
    git("commit", "-qam", "the last word", "--allow-empty")
    assert_kept(root, kept)
    reachable = git("rev-list", "HEAD").split()
    assert [oid for oid in person.commits if not any(o.startswith(oid) for o in reachable)] == []
    assert person.commits
    assert (root / person.note).read_text() == git("show", f"HEAD:{person.note}")
    assert git("diff", "--cached", "--name-only") == ""
    assert subprocess.run(["git", "diff", "--quiet"], cwd=root, check=False).returncode == 0


def test_eight_writers_with_two_hundred_memories_each(
    root: Path, git: Git, times: Times, tally: Tally
) -> None:
    """Eight processes, each with one `Memory`: all acknowledged, all present, no error."""
    count = times(30)
    cpu, begun = cpu_seconds(), time.monotonic()
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.writing", str(root), f"w{number}", str(count)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    kept: list[str] = []
    busy, errors = 0, []
    with ThreadPoolExecutor(len(writers)) as pool:
        outputs = list(pool.map(lambda writer: writer.communicate(timeout=1800), writers))
    for writer, (said, complaint) in zip(writers, outputs, strict=True):
        lines = said.splitlines()
        busy += lines.count("busy")
        kept += [line for line in lines if line != "busy"]
        errors += [complaint] if writer.returncode or complaint else []
    tally(
        "8 writers",
        acknowledged=len(kept),
        busy=busy,
        errors=len(errors),
        cpu_seconds=round(cpu_seconds() - cpu),
        wall_seconds=round(time.monotonic() - begun),
    )
    assert errors == []
    assert len(set(kept)) == 8 * count
    assert_kept(root, kept)
    assert git("status", "--porcelain") == ""
    assert git("rev-list", "--count", "HEAD") == f"{8 * count + 1}\n"
    with Memory(root) as memory:
        assert memory.sync().pending == ()
        assert len(memory.list(Filters(types=("item",)))) == 8 * count
