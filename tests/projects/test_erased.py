"""What is purged takes the name of its project with it, from the history and from the device."""

from __future__ import annotations

from pathlib import Path

from tests.projects.repositories import git
from vaultmem.api import Memory
from vaultmem.model import Filters
from vaultmem.projects import project_to_keep


def test_a_purge_leaves_no_name_and_no_root_commit(memory: Memory, tmp_path: Path) -> None:
    work = tmp_path / "zebrafinch"
    work.mkdir()
    git(work, "init", "-q")
    git(work, "commit", "-q", "--allow-empty", "-m", "first")
    project = project_to_keep(str(work), memory.settings)
    done = memory.remember("We deploy on Tuesdays.", project=project)
    assert memory.forgetting.purge(source=done.resource).places == ()
    assert memory.list(Filters(projects=("zebrafinch",))) == ()
    root = project.partition("@")[2].encode()
    for file in memory.settings.state.rglob("*"):
        if file.is_file():
            assert b"zebrafinch" not in file.read_bytes(), file
            assert root not in file.read_bytes(), file
    assert "zebrafinch" not in git(memory.root, "log", "--all", "-p")
