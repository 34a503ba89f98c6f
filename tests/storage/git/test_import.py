"""Objects are made aside: a commit that fails, or is killed, takes nobody else's pack away."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.storage.git.repositories import ITEM, Repo, draft

FOREIGN = b"blob\nmark :1\ndata 7\nforeign\nblob\nmark :2\ndata 3\nnew\n"


def half_made(repo: Repo) -> set[Path]:
    """Packs under passing names, and folders in which we make ours."""
    packs = repo.root / ".git/objects/pack"
    return {*packs.glob("tmp_*"), *repo.root.glob(".git/vaultmem/*")}


def test_a_commit_given_up_leaves_the_pack_that_another_git_is_making(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.record({ITEM: b"one"})
    history = repo.history
    recording = history.start_record([draft({ITEM: b"two"})], expects=history.head())
    other = subprocess.Popen(
        ["git", "fast-import", "--quiet", "--done"], cwd=repo.root, stdin=subprocess.PIPE
    )
    assert other.stdin is not None
    other.stdin.write(FOREIGN)
    other.stdin.flush()
    packs = repo.root / ".git/objects/pack"
    give_up = time.monotonic() + 60
    while not (theirs := set(packs.glob("tmp_pack_*"))):
        assert time.monotonic() < give_up
        time.sleep(0.005)
    recording.abandon()
    assert half_made(repo) == theirs
    other.communicate(b"done\n", timeout=60)
    assert other.returncode == 0
    assert repo.fsck() == ""
    assert repo.record({ITEM: b"two"})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_what_a_killed_writer_was_making_is_removed_by_the_next(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    head = repo.record({ITEM: b"one"})
    history = repo.history
    pid = os.fork()
    if pid == 0:
        history.start_record([draft({ITEM: os.urandom(1 << 20)})], expects=head)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert half_made(repo)
    assert repo.history.needs_care()
    repo.record({ITEM: b"two"})
    assert half_made(repo) == set()
    assert repo.fsck() == ""


@pytest.mark.parametrize("name", ["a:b", 'c"d', "e\\f", "g h:é"])
@pytest.mark.skipif(os.name == "nt", reason="no such names on this system")
def test_a_vault_in_a_folder_with_an_odd_name(tmp_path: Path, name: str) -> None:
    """Lists of object folders are divided by colons."""
    repo = Repo(tmp_path / name)
    repo.record({ITEM: b"one"})
    repo.record({ITEM: b"two", "items/b.md": b"three"})
    assert repo.git("show", f"HEAD:{ITEM}") == "two"
    assert repo.git("rev-list", "--count", "HEAD").strip() == "2"
    assert half_made(repo) == set()


def test_objects_borrowed_from_another_repository_are_found(tmp_path: Path) -> None:
    """`git clone --shared` keeps none of its own."""
    lender = Repo(tmp_path / "lender")
    lender.record({ITEM: b"one"})
    borrower = Repo(tmp_path / "borrower")
    info = borrower.root / ".git/objects/info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text(f"{lender.root}/.git/objects\n")
    borrower.git("update-ref", "refs/heads/main", lender.git("rev-parse", "HEAD").strip())
    borrower.record({"items/b.md": b"two"})
    assert borrower.git("show", f"HEAD:{ITEM}") == "one"
    assert borrower.fsck() == ""


def test_a_commit_whose_files_are_all_known_is_a_pack_too(tmp_path: Path) -> None:
    """One new object: git would make it a loose one, in a folder that nobody syncs."""
    repo = Repo(tmp_path)
    repo.record({ITEM: b"one"}, "first")
    repo.record({ITEM: b"two"}, "second")
    repo.record({ITEM: b"one"}, "third")
    assert repo.fsck() == ""
    assert repo.git("count-objects", "-v").splitlines()[0] == "count: 0"
    assert half_made(repo) == set()


def test_a_reference_of_a_dead_writer_spoils_no_look_at_the_repository(tmp_path: Path) -> None:
    """It names objects that went with the folder they were made in."""
    repo = Repo(tmp_path)
    repo.record({ITEM: b"one"})
    ended = subprocess.Popen(["git", "--version"], stdout=subprocess.DEVNULL)
    ended.wait(timeout=60)
    heads = repo.state / "engine.git/refs/heads"
    heads.mkdir(parents=True, exist_ok=True)
    (heads / f"e-{ended.pid}-1").write_text("1" * 40 + "\n")
    assert repo.history.damage() == ()
    assert list(heads.iterdir()) == []
