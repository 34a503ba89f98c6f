"""Full, read-only and forbidden disks in each place that is written: before or after, told once."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.commands import command
from tests.faults.autopsy import left_behind
from tests.faults.ledger import look
from vaultmem.api.memory import Memory

pytestmark = pytest.mark.slow
SIZE = "3m"
# linux/prctl.h; CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER of linux/capability.h
_CAPBSET_DROP, _OVERRIDES = 24, (1, 2, 3)
SAID = "I prefer tabs over spaces. I live in Graz. I have to renew the passport."


@contextlib.contextmanager
def mounted(folder: Path) -> Iterator[Callable[..., None]]:
    """A file system of 3 MB in the folder; called with options it is mounted anew."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a small file system needs Linux and root")
    folder.mkdir(parents=True, exist_ok=True)

    def mount(*options: str) -> None:
        words = ["mount", "-t", "tmpfs", "-o", ",".join((f"size={SIZE}", *options)), "tmpfs"]
        done = subprocess.run([*words, str(folder)], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"cannot mount: {done.stderr.strip()}")

    mount()
    try:
        yield lambda *options: mount("remount", *options)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder: Path, *, left: int = 0) -> Path:
    """A file that takes all space of the file system but `left` bytes."""
    file = folder / "filler"
    with contextlib.suppress(OSError), open(file, "wb", buffering=0) as opened:
        while True:
            opened.write(bytes(4096))
    os.truncate(file, max(file.stat().st_size - left, 0))
    return file


def vaultmem(
    root: Path,
    *words: str,
    before: Callable[[], None] | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """A command as a person runs it; a cold process where `before` is to limit it.

    Rights that are taken away go with the start of a program, and a limit on the size of files
    would be one on its output, which a child of this process writes into a file.
    """
    environ = {**os.environ, **(env or {})}
    words = ("--vault", str(root), *words)
    if before is None:
        done = command(words, environ=environ)
        out, err = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)
    return subprocess.run(
        [sys.executable, "-m", "vaultmem", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=before,
        env=environ,
    )


def assert_told(done: subprocess.CompletedProcess[str], cause: str, place: Path | str) -> None:
    """One error with path and cause, one hint, exit code 74."""
    assert done.returncode == 74, done.stderr
    error, hint = done.stderr.splitlines()
    assert error.startswith("error: cannot ")
    assert cause in error
    assert str(place) in error or "cannot write '" in error
    assert hint.startswith("hint: ")
    assert "fast-import" not in error
    assert ".vaultmem/tmp" not in error


def assert_sound(root: Path) -> None:
    """Disk and HEAD agree, git is whole, nothing of ours is left."""
    status = subprocess.run(
        ["git", "--no-optional-locks", "status", "--porcelain"],
        cwd=root,
        capture_output=True,
        check=False,
    )
    assert (status.returncode, status.stdout) == (0, b"")
    fsck = subprocess.run(
        ["git", "fsck", "--full", "--strict"], cwd=root, capture_output=True, check=False
    )
    assert fsck.returncode == 0
    assert b"error" not in fsck.stderr
    assert left_behind(root) == []
    assert list((root / ".git/objects/pack").glob("tmp_*")) == []


def test_a_full_vault_keeps_every_note_and_takes_the_memory_once_there_is_space(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """P16, with so little space left that it ends now here, now there."""
    refused = done_at = 0
    with mounted(tmp_path / "disk"):
        root = tmp_path / "disk/vault"
        Memory.init(root)
        assert vaultmem(root, "remember", "I like tea.").returncode == 0
        for step in range(times(12)):
            before = look(root)
            filler = fill(root.parent, left=step * 8192)
            done = vaultmem(root, "remember", f"{SAID} {step}")
            reading = vaultmem(root, "recall", "tea")
            assert reading.returncode == 0, reading.stderr
            if done.returncode == 0:
                done_at = done_at or step
            else:
                refused += 1
                assert_told(done, "No space left on device", root)
                assert look(root) == before
                assert_sound(root)
            filler.unlink()
            again = vaultmem(root, "remember", f"{SAID} {step}")
            assert again.returncode == 0, again.stderr
            assert_sound(root)
    tally("full vault", refused=refused, enough_space_at_kb=done_at * 8)
    assert refused


def test_an_edit_in_a_full_vault_waits_for_space(tmp_path: Path) -> None:
    """The person's bytes stay as saved; `sync` says why it cannot commit them."""
    with mounted(tmp_path / "disk"):
        root = tmp_path / "disk/vault"
        Memory.init(root)
        tasks = root / "streams/tasks.md"
        tasks.write_text(tasks.read_text() + "\n- [ ] Renew the passport\n")
        saved = tasks.read_text()
        filler = fill(root.parent)
        assert_told(vaultmem(root, "sync"), "No space left on device", root)
        assert tasks.read_text() == saved
        filler.unlink()
        assert vaultmem(root, "sync").returncode == 0
        assert "Renew the passport ^i-" in tasks.read_text()
        assert_sound(root)


def test_with_a_full_state_folder_questions_are_answered_and_writes_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is disposable: a copy in memory serves, also for what was edited since."""
    with mounted(tmp_path / "state") as remount:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        root = tmp_path / "vault"
        Memory.init(root)
        vaultmem(root, "remember", "I like tea.")
        before = look(root)
        filler = fill(tmp_path / "state")
        assert_told(vaultmem(root, "remember", SAID), "No space left", tmp_path / "state")
        assert look(root) == before
        (root / "streams/projects.md").write_text("# Projects\n\nRepaint the sauna\n")
        for word in ("tea", "sauna"):
            found = vaultmem(root, "search", word)
            assert word in found.stdout, found.stderr
        filler.unlink()
        assert vaultmem(root, "remember", SAID).returncode == 0
        assert_sound(root)
        remount("ro")
        found = vaultmem(root, "recall", "tea")
        assert "I like tea." in found.stdout, found.stderr
        assert_told(vaultmem(root, "remember", "I like rye."), "Read-only", tmp_path / "state")
        remount("rw")
        assert vaultmem(root, "remember", "I like rye.").returncode == 0
        assert_sound(root)


def test_a_full_temporary_folder_is_not_needed(tmp_path: Path, root: Path) -> None:
    """Nothing is written outside of the vault and the state."""
    with mounted(tmp_path / "tmp"):
        fill(tmp_path / "tmp")
        where = {name: str(tmp_path / "tmp") for name in ("TMPDIR", "SQLITE_TMPDIR", "TMP")}
        assert vaultmem(root, "remember", SAID, env=where).returncode == 0
        assert vaultmem(root, "reindex", env=where).returncode == 0
        assert_sound(root)


def test_a_read_only_vault_answers_and_says_why_it_cannot_remember(tmp_path: Path) -> None:
    """On a mounted backup, say."""
    with mounted(tmp_path / "disk") as remount:
        root = tmp_path / "disk/vault"
        Memory.init(root)
        vaultmem(root, "remember", "I like tea.")
        before = look(root)
        remount("ro")
        assert_told(vaultmem(root, "remember", SAID), "Read-only file system", root)
        for words in (("recall", "tea"), ("search", "tea"), ("list",), ("status",), ("check",)):
            done = vaultmem(root, *words)
            assert done.returncode == 0, (words, done.stderr)
        assert look(root) == before
        remount("rw")
        assert vaultmem(root, "remember", SAID).returncode == 0
        assert_sound(root)


def bound_by_permissions() -> Callable[[], None]:
    """What a child does before it starts so that permissions hold for it, root's included.

    Root without these capabilities is its files' owner and nothing more. (Another user could
    not be sure to reach Python and the vault.)
    """
    if os.name == "nt":
        pytest.skip("POSIX permissions")
    if os.geteuid():
        return lambda: None
    if sys.platform != "linux":
        pytest.skip("root cannot be bound here")
    drop = ctypes.CDLL(None, use_errno=True).prctl

    def bind() -> None:
        for capability in _OVERRIDES:
            if drop(_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")

    return bind


@pytest.mark.parametrize("place", ["items", "streams", ".git/objects/pack", ".git/refs/heads"])
def test_a_folder_that_may_not_be_written_is_named(root: Path, place: str) -> None:
    """Old state, one error; then the right is given back."""
    bind = bound_by_permissions()
    vaultmem(root, "remember", "I like tea.")
    before = look(root)
    folders = [root / place, *root.glob(f"{place}/**/")]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert_told(vaultmem(root, "remember", SAID, before=bind), "Permission denied", root)
        assert vaultmem(root, "recall", "tea", before=bind).returncode == 0
        assert look(root) == before
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert_sound(root)
    assert vaultmem(root, "remember", SAID, before=bind).returncode == 0
    assert_sound(root)


@pytest.mark.parametrize("kilobytes", [1, 8, 64])
def test_a_limit_on_file_sizes_ends_in_an_error_not_in_a_torn_note(
    root: Path, kilobytes: int
) -> None:
    """`ulimit -f`: git is killed by SIGXFSZ, the index cannot grow; old state or new."""
    vaultmem(root, "remember", "I like tea.")
    before = look(root)
    text = "\n\n".join(f"Paragraph {n} of a long letter." * 9 for n in range(400))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))

    done = vaultmem(root, "remember", text, before=limit)
    assert done.returncode == 74, done.stderr
    assert "ulimit" in done.stderr
    assert look(root) == before
    assert vaultmem(root, "remember", text).returncode == 0
    assert_sound(root)
