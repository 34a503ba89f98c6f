"""Every file of `.git` damaged in every way: notes stay, reads answer, `check --fix` mends.

Damage drills of reliability.md 3.4 and 6; what is repaired and in which order: 5.4. CI takes a
part of the files, each with one kind of damage in turn; `--long` takes all of both.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from tests.faults.killed import Fuse
from tests.faults.snapshots import Snapshot, notes
from tests.faults.steps import Steps
from tests.faults.test_failing_calls import git, say
from vaultmem.api.memory import Memory
from vaultmem.storage.index.store import seal

KEPT = "I am allergic to hazelnuts."
MOMENT = "2026-03-11T12:00:00Z"
OLD = time.time() - 3_600


def emptied(file: Path, chance: random.Random) -> None:
    file.chmod(0o644)
    file.write_bytes(b"")


def zeroed(file: Path, chance: random.Random) -> None:
    file.chmod(0o644)
    file.write_bytes(bytes(file.stat().st_size))


def truncated(file: Path, chance: random.Random) -> None:
    file.chmod(0o644)
    os.truncate(file, file.stat().st_size // 2)


def flipped(file: Path, chance: random.Random) -> None:
    file.chmod(0o644)
    data = bytearray(file.read_bytes() or b"x")
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)


def removed(file: Path, chance: random.Random) -> None:
    file.unlink()


DAMAGES = (emptied, zeroed, truncated, flipped, removed)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commits of ours and of the person's own git, in packs and loose."""
    root = tmp_path / "vault"
    monkeypatch.setenv("VAULTMEM_NOW", MOMENT)
    Memory.init(root, name="bench")
    monkeypatch.chdir(root)
    assert say("remember", KEPT)[0] == 0
    for word in ("one", "two"):
        (root / "mine.md").write_text(f"# Mine\n\n{word}\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"mine {word}")
    git(root, "tag", "kept")
    assert say("remember", "Ada works at Acme as an engineer.")[0] == 0
    assert say("sync")[0] == 0
    return root


def answers() -> tuple[int, str, str]:
    """What recall says; its score is not compared."""
    code, out, err = say("recall", "hazelnuts", "allergic")
    return code, out, err


def fsck(root: Path) -> list[str]:
    """What the person's git finds wrong in what HEAD reaches."""
    done = subprocess.run(
        ["git", "-C", str(root), "fsck", "--full", "--no-dangling", "--no-progress", "HEAD"],
        capture_output=True,
        text=True,
    )
    said = (done.stdout + done.stderr).splitlines()
    return [line for line in said if not line.startswith(("notice:", "warning", "Checking"))]


def test_any_damaged_file_of_git(
    vault: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    state = Path(os.environ["XDG_STATE_HOME"])
    before = Snapshot(vault, state)
    want = notes(vault)
    expected = answers()[1]
    before.restore()
    files = sorted(file for file in (vault / ".git").rglob("*") if file.is_file())
    cases = [(file, damage) for file in files for damage in DAMAGES]
    chance = random.Random(11)
    chance.shuffle(cases)
    mended = 0
    for file, damage in cases[: times(40)]:
        before.restore()
        damage(file, chance)
        name = f"{damage.__name__} {file.relative_to(vault)}"
        code, out, err = answers()
        assert "Traceback" not in err, (name, err)
        assert (code, out) == (0, expected), (name, out, err)
        assert notes(vault) == want, name
        code, out, err = say("check", "--fix")
        assert "Traceback" not in err, (name, err)
        assert code == 0, (name, out, err)
        mended += "will mend" in out
        assert notes(vault) == want, (name, out)
        lost = "history-lost" in out
        assert lost or fsck(vault) == [], (name, out)
        code, out, err = say("remember", "I prefer tabs over spaces.")
        assert code == 0, (name, out, err)
        assert KEPT in answers()[1], name
        status = git(vault, "status", "--porcelain")
        assert status == "", (name, status)
    tally("damaged files of .git", cases=min(times(40), len(cases)), mended=mended, notes_lost=0)


@pytest.mark.parametrize(
    "lock",
    ["index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock", "config.lock"],
)
def test_stale_locks_are_moved_aside(vault: Path, lock: str) -> None:
    file = vault / ".git" / lock
    file.write_bytes(b"")
    os.utime(file, (OLD, OLD))
    code, out, _ = say("check")
    assert (code, "git-lock-old" in out, file.exists()) == (0, True, True), out
    code, out, _ = say("check", "--fix")
    assert code == 0
    assert not file.exists()
    assert list(Path(os.environ["XDG_STATE_HOME"]).rglob(f"kept/*/.git/{lock}")) != []
    assert say("remember", "I prefer tabs over spaces.")[0] == 0


def test_a_young_lock_stays(vault: Path) -> None:
    file = vault / ".git/index.lock"
    file.write_bytes(b"")
    assert say("check", "--fix")[0] == 0
    assert file.exists()


def test_a_held_lock_stays(vault: Path) -> None:
    file = vault / ".git/index.lock"
    file.write_bytes(b"")
    os.utime(file, (OLD, OLD))
    with file.open("rb") as opened:
        holder = subprocess.Popen(["sleep", "60"], stdin=opened)
    try:
        assert say("check", "--fix")[0] == 0
        assert file.exists()
    finally:
        holder.kill()
        holder.wait()


def test_a_lost_branch_comes_back_where_it_was(vault: Path) -> None:
    head = git(vault, "rev-parse", "HEAD")
    for text in ("", "\0" * 41, "garbage\n", None):
        file = vault / ".git/refs/heads/main"
        file.unlink() if text is None else file.write_text(text)
        code, out, err = say("remember", "I prefer tabs over spaces.")
        assert code == 74, err
        assert "check --fix" in err
        code, out, _ = say("check", "--fix")
        assert code == 0, out
        assert git(vault, "rev-parse", "HEAD") == head


def test_empty_objects_of_the_last_commit_are_made_again(vault: Path) -> None:
    git(vault, "repack", "-adq")
    pack = next((vault / ".git/objects/pack").glob("*.pack"))
    data = pack.read_bytes()
    for file in (vault / ".git/objects/pack").glob("*"):
        file.chmod(0o644)
        file.unlink()
    subprocess.run(["git", "-C", str(vault), "unpack-objects", "-q"], input=data, check=True)
    now = git(vault, "ls-tree", "-r", "-t", "HEAD").splitlines()
    for oid in {line.split()[2] for line in now}:
        file = vault / ".git/objects" / oid[:2] / oid[2:]
        file.chmod(0o644)
        file.write_bytes(b"")
    head = git(vault, "rev-parse", "HEAD")
    code, out, err = say("check", "--fix")
    assert code == 0, out + err
    assert git(vault, "rev-parse", "HEAD") == head
    assert [line for line in fsck(vault) if "missing" in line and " blob" not in line] == []
    assert git(vault, "status", "--porcelain") == ""


def test_looking_writes_nothing(vault: Path) -> None:
    state = Path(os.environ["XDG_STATE_HOME"])
    (vault / "streams/tasks.md").write_text("- [ ] Renew the passport\n")
    (vault / ".git/refs/heads/main").write_text("")
    old = vault / ".git/index.lock"
    old.write_bytes(b"")
    os.utime(old, (OLD, OLD))
    # Not the cache of settings files, which belongs to no vault.
    tops = (vault, *(each for each in (state / "vaultmem").iterdir() if each.name != "settings"))
    before = [(file, file.read_bytes(), file.lstat().st_mtime_ns) for file in everything(*tops)]
    for words in (("check",), ("check", "--deep"), ("check", "--fix", "--dry-run")):
        code, out, err = say(*words)
        assert code == 1, (words, out, err)
        after = [(file, file.read_bytes(), file.lstat().st_mtime_ns) for file in everything(*tops)]
        assert after == before, words


def test_a_sound_history_is_walked_once_and_nothing_else_is_asked(vault: Path) -> None:
    asked: list[str] = []

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_qualname == "Engine.start":
            asked.append(frame.f_locals["arguments"][0])

    sys.setprofile(count)
    try:
        code, out, err = say("check")
    finally:
        sys.setprofile(None)
    assert code == 0, (out, err)
    # The second one is the look for commits that were made anew.
    assert asked == ["rev-list", "log"]


def everything(*tops: Path) -> list[Path]:
    """Every file below the folders."""
    return sorted(file for top in tops for file in top.rglob("*") if file.is_file())


def test_a_dry_run_says_what_the_real_one_does(vault: Path) -> None:
    (vault / ".git/HEAD").write_text("")
    code, out, _ = say("check", "--fix", "--dry-run")
    assert code == 1
    assert "would mend .git/HEAD: let HEAD be at 'refs/heads/main'" in out
    code, out, _ = say("check", "--fix")
    assert code == 0
    assert "will mend .git/HEAD: let HEAD be at 'refs/heads/main'" in out
    assert "to undo: what is there now is kept in" in out


def test_nothing_left_of_git_begins_a_new_history(vault: Path) -> None:
    want = notes(vault)
    shutil.rmtree(vault / ".git/objects")
    assert KEPT in answers()[1]
    code, out, err = say("check", "--fix")
    assert code == 0, out + err
    assert notes(vault) == want
    assert say("sync")[0] == 0
    assert git(vault, "status", "--porcelain", "--", "items", "streams", "resources") == ""
    assert git(vault, "log", "--oneline").count("\n") == 1


def broken(vault: Path) -> None:
    """No HEAD, no branch, a stale lock, an empty object of the last commit, no index."""
    oid = git(vault, "rev-parse", "HEAD:mine.md").strip()
    (vault / ".git/HEAD").write_text("")
    (vault / ".git/refs/heads/main").write_text("")
    (vault / ".git/index").write_bytes(b"DIRC")
    (vault / ".git/packed-refs.lock").write_bytes(b"")
    os.utime(vault / ".git/packed-refs.lock", (OLD, OLD))
    file = vault / ".git/objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.write_bytes(b"")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_mending_may_be_killed_anywhere(
    vault: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """And run again: the same end, every original kept."""
    head = git(vault, "rev-parse", "HEAD")
    broken(vault)
    want = notes(vault)
    before = Snapshot(vault, Path(os.environ["XDG_STATE_HOME"]))
    with Steps() as steps:
        assert say("check", "--fix")[0] == 0
    assert git(vault, "rev-parse", "HEAD") == head
    kills = min(times(20), steps.steps)
    for number in range(kills):
        before.restore()
        killed_at(1 + number * steps.steps // kills)
        assert notes(vault) == want
        code, out, err = say("check", "--fix")
        assert code == 0, out + err
        assert git(vault, "rev-parse", "HEAD") == head
        assert fsck(vault) == []
        assert git(vault, "status", "--porcelain") == ""
        assert notes(vault) == want
    tally("check --fix killed", kills=kills)


def killed_at(step: int) -> None:
    """Run `check --fix` in a copy of this process that dies before its step."""
    child = os.fork()
    if not child:
        with Fuse(step):
            say("check", "--fix")
        os._exit(0)
    os.waitpid(child, 0)


def test_deep_finds_what_times_hide(vault: Path) -> None:
    [item] = (f for f in vault.glob("items/**/*.md") if KEPT in f.read_text())
    state = next(Path(os.environ["XDG_STATE_HOME"]).glob("vaultmem/*/index.sqlite"))
    with sqlite3.connect(state) as connection:
        connection.execute(
            "UPDATE files SET oid = ? WHERE path = ?",
            ("0" * 40, item.relative_to(vault).as_posix()),
        )
    seal.renew(connection, state)
    connection.close()
    until = time.monotonic() + 60
    while "changed-unseen" not in say("check", "--deep")[1]:
        assert time.monotonic() < until


def test_deep_finds_an_index_that_is_not_what_the_files_come_to(vault: Path) -> None:
    state = next(Path(os.environ["XDG_STATE_HOME"]).glob("vaultmem/*/index.sqlite"))
    with sqlite3.connect(state) as connection:
        connection.execute("UPDATE notes SET importance = 9 WHERE type = 'item'")
    seal.renew(connection, state)  # else the next command builds the index anew by itself
    connection.close()
    code, out, _ = say("check", "--deep")
    assert (code, "index-differs" in out) == (1, True)
    assert say("reindex")[0] == 0
    assert say("check", "--deep")[0] == 0


def test_deep_finds_a_flipped_bit_in_an_object(vault: Path) -> None:
    for file in (vault / ".git/objects/pack").glob("*.pack"):
        file.chmod(0o644)
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 4
        file.write_bytes(data)
    code, out, _ = say("check", "--deep")
    assert (code, "git-damaged" in out) == (1, True)
