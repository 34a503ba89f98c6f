"""Power cuts on real file systems: what was acknowledged is there, and git is whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from tests.conftest import Git
from tests.faults.figures import figures_of
from tests.faults.powercuts import SETUPS
from tests.storage.git.repositories import Repo
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.storage.files import recover, temporaries

CUTS = 75  # for each of four set-ups
TOOLS = ("mkfs.ext4", "mkfs.xfs", "mount", "umount", "losetup")
REPOSITORY = Path(__file__).parents[2]


def missing() -> str:
    """What this machine lacks for cutting the power of a disk; '' when it lacks nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "power cuts need Linux and root"
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        return f"power cuts need {', '.join(lacking)}"
    tried = subprocess.run(
        ["unshare", "-mpf", "losetup", "-f"], capture_output=True, text=True, check=False
    )
    return "" if tried.returncode == 0 else f"no loop device: {tried.stderr.strip()}"


@pytest.mark.slow
@pytest.mark.parametrize("setup", sorted(SETUPS))
def test_a_power_cut_at_any_moment_loses_nothing_acknowledged(
    disk_path: Path, setup: str, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """P1, P2 on ext4 in three kinds of mount, and on xfs."""
    lacking = missing()
    if lacking:
        pytest.skip(lacking)
    figures = figures_of(
        *("tests.faults.powercuts", disk_path, "--cuts", times(CUTS), "--setup", setup),
        *("--seed", sorted(SETUPS).index(setup)),
    )
    damage, under_way = figures.pop("damage"), figures.pop("under way")
    tally(f"power cuts, {setup}", **figures, lost=len(damage))
    tally(f"cut during, {setup}", **under_way)
    assert damage == [], "\n".join(damage)
    assert figures["cuts"] == times(CUTS)


@pytest.mark.parametrize("log", [b"", bytes(80), b"\0" * 8 + b"\1", None])
def test_a_log_that_a_power_cut_left_without_its_bytes_is_dropped(
    tmp_path: Path, log: bytes | None
) -> None:
    """It was made durable before the first file was published: none was, and all is ours."""
    root = tmp_path / "vault"
    Memory.init(root)
    if log is None:  # its first page is there, the next one is not
        entry = temporaries.Entry(path=PurePosixPath("a.md"), before=None, after=None)
        log = temporaries.encode_log([entry] * 9)[:-20] + bytes(20)
    (root / ".vaultmem/tmp/w-1-1.0").write_bytes(b"")
    (root / ".vaultmem/tmp/w-1-1.log").write_bytes(log)
    assert recover(root) == ()
    assert list((root / ".vaultmem/tmp").iterdir()) == []


def test_a_damaged_log_of_a_finished_publication_is_shown_not_dropped(tmp_path: Path) -> None:
    """The files beside it may hold an edit that was saved while a note was replaced."""
    root = tmp_path / "vault"
    Memory.init(root)
    displaced = root / ".vaultmem/tmp/w-1-1.0"
    displaced.write_text("perhaps an edit")
    (root / ".vaultmem/tmp/w-1-1.done").write_bytes(bytes(80))
    [problem] = recover(root, now_ns=1 << 62)
    assert problem.code == "damaged-leftover"
    assert displaced.read_text() == "perhaps an edit"


def test_after_a_start_of_the_machine_an_old_git_index_is_brought_level(tmp_path: Path) -> None:
    """Else the person's next `git commit` would take our file out of HEAD again."""
    repo = Repo(tmp_path)
    repo.record({"items/a.md": b"one\n"})
    assert repo.history.settle_index()
    old = (repo.root / ".git/index").read_bytes()
    repo.record({"items/a.md": b"two\n", "items/b.md": b"new\n"})
    repo.write("items/c.md", "staged by the person\n")
    (repo.root / ".git/index").write_bytes(old)  # what a power cut brings back
    repo.git("add", "items/c.md")
    assert repo.history.settle_index()
    assert "items/b.md" in repo.git("status", "--porcelain")  # the machine was not started since
    (repo.state / "engine.git/start").write_text("another start")
    assert repo.history.needs_care()
    assert repo.history.settle_index()
    assert not repo.history.needs_care()
    assert repo.git("status", "--porcelain") == "A  items/c.md\n"


def test_files_that_an_old_git_index_took_out_of_head_come_back(root: Path) -> None:
    """A power cut, then `git commit -am` before any command of ours: the next `sync` mends it."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=True
        ).stdout

    with Memory(root) as memory:
        memory.remember("I like tea.")
    index = root / ".git/index"
    old = index.read_bytes()
    with Memory(root) as memory:
        memory.remember("I prefer tabs over spaces.")
    ours = git("ls-tree", "-r", "HEAD")
    (root / "items/mine.md").write_text("typed by the person\n")
    index.write_bytes(old)
    git("commit", "-q", "-a", "-m", "by hand")
    [lost] = {line for line in ours.splitlines() if "items/" in line} - {
        *git("ls-tree", "-r", "HEAD").splitlines()
    }
    path = lost.partition("\t")[2]
    said = (root / path).read_bytes()
    with Memory(root) as memory:
        memory.sync()
    assert lost in git("ls-tree", "-r", "HEAD").splitlines()
    assert (root / path).read_bytes() == said
    assert git("status", "--porcelain") == ""
    with Memory(root) as memory:
        found = memory.recall("tabs spaces")
    assert "I prefer tabs over spaces." in [hit.note.statement for hit in found.hits]


def test_init_that_died_half_way_leaves_no_repository_and_can_be_repeated(tmp_path: Path) -> None:
    """`.git` appears in one step; before, an empty HEAD made `init` fail for good."""
    root = tmp_path / "vault"
    half = root / ".vaultmem/tmp/init-999999999"
    half.mkdir(parents=True)
    (half / "HEAD").write_bytes(b"")
    report = Memory.init(root)
    assert report.new_repository
    assert list((root / ".vaultmem/tmp").iterdir()) == []


def test_an_index_that_lost_its_last_rows_does_not_ask_about_a_plain_edit(
    root: Path, git: Git
) -> None:
    """What a power cut may do to the index; the commits are durable."""
    with Memory(root) as memory:
        memory.remember("I prefer tea.")
        state = memory._vault.state
    before = {file: file.read_bytes() for file in state.glob("index.sqlite*")}
    tasks = root / "streams/tasks.md"
    tasks.write_text(tasks.read_text() + "\n- [ ] Renew passport\n")
    with Memory(root) as memory:
        assert len(memory.sync().commits) == 2
    for file in state.glob("index.sqlite*"):
        file.unlink()
    for file, content in before.items():
        file.write_bytes(content)
    tasks.write_text(tasks.read_text().replace("Renew passport", "Renew passport indeed"))
    with Memory(root) as memory:
        report = memory.sync()
        assert report.problems == 0
        [item] = memory.list(Filters(types=("item",), streams=("tasks",)))
        assert item.statement == "Renew passport indeed"
    assert "Renew passport indeed" in git("grep", "indeed", "HEAD", "--", "items")
