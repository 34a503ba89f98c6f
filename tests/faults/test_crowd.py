"""Many processes on one vault: each write succeeds or says busy, and nothing is lost (P15)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.crowd import (
    Called,
    Committer,
    assert_kept,
    remember_each,
    together,
    watching,
)

pytestmark = pytest.mark.slow

Times = Callable[[int], int]
Tally = Callable[..., None]


def test_two_command_lines_a_watcher_and_a_person_who_commits(
    root: Path, git: Git, times: Times, tally: Tally
) -> None:
    """The person's `git commit -am` runs without a pause all the while."""
    called: list[Called] = []
    count = times(12)
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
