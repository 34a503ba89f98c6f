"""Publishing: before or after, never in between, and no edit of a person lost."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from vaultmem.base.errors import DiskError, MissingFileError, StaleFileError, UnsafePathError
from vaultmem.model.ids import Oid, blob_oid
from vaultmem.model.plan import Remove, Write
from vaultmem.storage.files import publish, read, recover, take_back, temporaries

TEA = "items/2026/03/11/tea.md"


def later() -> int:
    """A time, in ns, by which a displaced file is old; not one of when the tests were collected."""
    return time.time_ns() + 60_000_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "items").mkdir(parents=True)
    return root


def _put(root: Path, path: str, data: bytes) -> Oid:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return blob_oid(data)


def _write(path: str, content: bytes, expects: Oid | None = None) -> Write:
    return Write(path=PurePosixPath(path), content=content, expects=expects)


def _remove(path: str, expects: Oid) -> Remove:
    return Remove(path=PurePosixPath(path), expects=expects)


def _tmp(root: Path) -> list[str]:
    folder = root / ".vaultmem/tmp"
    return sorted(os.listdir(folder)) if folder.exists() else []


class TestPublish:
    def test_new_replaced_and_removed(self, root: Path) -> None:
        a, b = _put(root, "items/a.md", b"old"), _put(root, "items/b.md", b"gone")
        publish(
            root,
            [
                _write(TEA, b"new\n"),
                _write("items/a.md", b"newer", a),
                _remove("items/b.md", b),
                _write("items/empty.md", b""),
            ],
        )
        assert (root / TEA).read_bytes() == b"new\n"
        assert (root / "items/a.md").read_bytes() == b"newer"
        assert (root / "items/empty.md").read_bytes() == b""
        assert not (root / "items/b.md").exists()

    def test_only_new_files_leave_nothing_behind(self, root: Path) -> None:
        publish(root, [_write(f"items/{n}.md", b"x") for n in range(200)])
        assert _tmp(root) == []
        assert (root / "items/7.md").stat().st_nlink == 1

    def test_permissions_stay(self, root: Path) -> None:
        oid = _put(root, TEA, b"old")
        (root / TEA).chmod(0o640)
        publish(root, [_write(TEA, b"new", oid)])
        assert (root / TEA).stat().st_mode & 0o7777 == 0o640

    def test_sha256_fingerprints(self, root: Path) -> None:
        _put(root, TEA, b"old")
        oid = blob_oid(b"old", algorithm="sha256")
        publish(root, [_write(TEA, b"new", oid)], algorithm="sha256")
        assert (root / TEA).read_bytes() == b"new"
        assert recover(root, now_ns=later()) == ()
        assert _tmp(root) == []

    @pytest.mark.parametrize(
        "changes",
        [
            [_write("items/a.md", b"x", blob_oid(b"other"))],
            [_write("items/a.md", b"x", None)],
            [_write("items/missing.md", b"x", blob_oid(b"other"))],
            [_remove("items/a.md", blob_oid(b"other"))],
            [_remove("items/missing.md", blob_oid(b"other"))],
        ],
    )
    def test_a_stale_file_stops_all_before_anything_is_written(
        self, root: Path, changes: Sequence[Write | Remove]
    ) -> None:
        _put(root, "items/a.md", b"mine")
        with pytest.raises(StaleFileError, match="changed on disk"):
            publish(root, [_write(TEA, b"new"), *changes])
        assert (root / "items/a.md").read_bytes() == b"mine"
        assert not (root / "items/2026").exists()
        assert not (root / ".vaultmem").exists()

    def test_a_second_spelling_of_a_name_is_refused(self, root: Path) -> None:
        _put(root, "items/Readme.md", b"x")
        _put(root, "items/Café/a.md", b"x")
        for path in (
            "items/README.md",
            "Items/new.md",
            "items/Cafe\u0301/b.md",
            "items/readme.md.",
        ):
            with pytest.raises(UnsafePathError, match="many systems"):
                publish(root, [_write(path, b"x")])
        with pytest.raises(UnsafePathError, match="many systems"):
            publish(root, [_write("items/b.md", b"x"), _write("items/B.md", b"x")])
        assert sorted(os.listdir(root / "items")) == ["Café", "Readme.md"]

    def test_a_link_on_the_way_is_refused(self, root: Path, tmp_path: Path) -> None:
        (root / "items/out").symlink_to(tmp_path)
        (root / "items/file.md").symlink_to(tmp_path / "target")
        for path in ("items/out/x.md", "items/file.md"):
            with pytest.raises(UnsafePathError):
                publish(root, [_write(path, b"x")])
        assert sorted(os.listdir(tmp_path)) == ["vault"]

    def test_a_linked_temporary_folder_is_refused(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        (root / ".vaultmem").mkdir()
        (root / ".vaultmem/tmp").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(UnsafePathError):
            publish(root, [_write(TEA, b"x")])
        assert os.listdir(tmp_path / "elsewhere") == []

    def test_a_full_disk_leaves_the_old_bytes(self, root: Path) -> None:
        resource = pytest.importorskip("resource")
        oid = _put(root, TEA, b"old")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
        try:
            with pytest.raises(DiskError, match=f"cannot write '{TEA}'"):
                publish(root, [_write("items/a.md", b"x"), _write(TEA, b"x" * 10_000, oid)])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert (root / TEA).read_bytes() == b"old"
        assert not (root / "items/a.md").exists()
        assert _tmp(root) == []

    def test_a_folder_where_a_file_should_go(self, root: Path) -> None:
        (root / "items/a.md").mkdir()
        with pytest.raises(UnsafePathError):
            publish(root, [_write("items/a.md", b"x")])

    def test_the_same_path_twice_is_a_bug(self, root: Path) -> None:
        with pytest.raises(ValueError, match="same path"):
            publish(root, [_write(TEA, b"x"), _write(TEA, b"y")])

    def test_nothing_to_publish(self, root: Path) -> None:
        publish(root, [])
        assert os.listdir(root) == ["items"]


@pytest.mark.parametrize("saves", ["in place", "by rename"])
def test_no_save_of_an_editor_is_lost(root: Path, saves: str) -> None:
    """The tool rewrites a note all the time while an editor saves it: every save is found."""
    path = PurePosixPath("items/a.md")
    _put(root, str(path), b"tool 0\n")
    stop = threading.Event()
    saved: list[bytes] = []

    def editor() -> None:
        for n in range(150):
            data = b"editor %d\n" % n
            if saves == "in place":
                (root / path).write_bytes(data)
            else:
                (root / "items/.a.swp").write_bytes(data)
                os.replace(root / "items/.a.swp", root / path)
            saved.append(data)
        stop.set()

    seen: set[bytes] = set()
    thread = threading.Thread(target=editor)
    thread.start()
    n = 0
    while not stop.is_set():
        n += 1
        try:
            data = read(root, path, sleep=_no_sleep)  # refuses what changes under each look
            seen.add(data)
            publish(root, [_write(str(path), b"tool %d\n" % n, blob_oid(data))], sleep=_no_sleep)
        except (StaleFileError, MissingFileError):
            continue
    thread.join()
    last = read(root, path)
    kept = [root / problem.path for problem in recover(root, now_ns=later())]
    found = seen | {last} | {file.read_bytes() for file in kept}
    # A save that the editor itself replaced by its next one is the editor's doing.
    assert saved[-1] in found
    assert last.startswith((b"editor 149", b"tool"))


def _saved(file: Path, data: bytes) -> None:
    """As an editor saves by deletion."""
    file.unlink()
    file.write_bytes(data)


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="no exchange in one step here")
@pytest.mark.parametrize("takes_back", [False, True], ids=["publishing", "taking back"])
def test_a_save_of_an_editor_that_never_saw_the_one_before_it(
    root: Path, monkeypatch: pytest.MonkeyPatch, takes_back: bool
) -> None:
    """A save meets the exchange and is put back; the editor goes on from what stood there between.

    Each number is a look of the editor: between two exchanges it loads and saves by deletion.
    """
    path = PurePosixPath(TEA)
    file = root / path
    old = _put(root, TEA, b"old")
    exchange, saves = temporaries.swap, iter(range(1, 9))
    late = publish(root, [_write(TEA, b"new", old)]) if takes_back else ""
    times = 3

    def swap(*names: Any) -> bool:
        if (number := next(saves)) <= times:
            _saved(file, b"save %d" % number)
        return exchange(*names)

    monkeypatch.setattr(temporaries, "swap", swap)
    if takes_back:
        _saved(file, b"save 0")
        take_back(root, [_write(TEA, b"new", old)], late)
    else:
        with pytest.raises(StaleFileError):
            publish(root, [_write(TEA, b"new", old)])
    monkeypatch.undo()
    _saved(file, b"the last save")  # by an editor that loaded before the last exchange
    early, due = recover(root), recover(root, now_ns=later())
    found = {(root / each.path).read_bytes() for each in early + due}
    made = {b"save %d" % number for number in range(1, min(times, next(saves) - 1) + 1)}
    assert len(made) >= 2
    assert made <= found
    assert early == ()  # an editor may still write
    assert file.read_bytes() == b"the last save"
    assert _tmp(root) == []


def test_a_save_that_was_put_back_and_gone_on_from_is_not_kept_twice(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old = root / TEA, _put(root, TEA, b"old\n")
    exchange, saves = temporaries.swap, iter([b"old\nmine\n"])

    def swap(*names: Any) -> bool:
        for data in saves:
            _saved(file, data)
        return exchange(*names)

    monkeypatch.setattr(temporaries, "swap", swap)
    with pytest.raises(StaleFileError):
        publish(root, [_write(TEA, b"new\n", old)])
    assert file.read_bytes() == b"old\nmine\n"
    _saved(file, b"old\nmine, and more\nmine\n")
    assert recover(root, now_ns=later()) == ()
    assert _tmp(root) == []


class TestRecover:
    def test_without_a_temporary_folder(self, root: Path) -> None:
        assert recover(root) == ()

    def test_displaced_files_go_after_a_while(self, root: Path) -> None:
        publish(root, [_write(TEA, b"new", _put(root, TEA, b"old"))])
        assert len(_tmp(root)) == 2
        assert recover(root) == ()
        assert len(_tmp(root)) == 2
        assert recover(root, now_ns=later()) == ()
        assert _tmp(root) == []

    def test_a_late_write_to_the_old_file_is_kept_in_sight(self, root: Path) -> None:
        oid = _put(root, TEA, b"old")
        with open(root / TEA, "r+b") as editor:  # an editor that holds the old file open
            publish(root, [_write(TEA, b"new", oid)])
            editor.write(b"late edit")
        (problem,) = recover(root, now_ns=later())
        assert problem.code == "edit-kept"
        assert (root / problem.path).read_bytes() == b"late edit"
        assert problem.path.parent == PurePosixPath(TEA).parent
        assert (root / TEA).read_bytes() == b"new"
        assert recover(root, now_ns=later()) == ()
        assert _tmp(root) == []

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux can tell who has a file open")
    def test_a_save_that_takes_longer_than_two_seconds_is_kept_in_sight(self, root: Path) -> None:
        oid = _put(root, TEA, b"old")
        with open(root / TEA, "w+b", buffering=0) as editor:  # emptied, and held up there
            (root / TEA).write_bytes(b"old")
            publish(root, [_write(TEA, b"new", oid)])
            editor.truncate(0)
            assert recover(root, now_ns=later()) == ()
            editor.write(b"late edit")
        (problem,) = recover(root, now_ns=later())
        assert problem.code == "edit-kept"
        assert (root / problem.path).read_bytes() == b"late edit"
        assert recover(root, now_ns=later()) == ()
        assert _tmp(root) == []

    def test_a_crash_before_the_first_exchange(self, root: Path) -> None:
        _put(root, ".vaultmem/tmp/w-1-1.0", b"half a fi")
        assert recover(root, now_ns=later()) == ()
        assert _tmp(root) == []

    def test_a_crash_between_two_exchanges(self, root: Path) -> None:
        old = _put(root, TEA, b"new")
        entries = [
            temporaries.Entry(path=PurePosixPath(TEA), before=blob_oid(b"old"), after=old),
            temporaries.Entry(
                path=PurePosixPath("items/x.md"), before=None, after=blob_oid(b"x new")
            ),
            temporaries.Entry(path=PurePosixPath("items/y.md"), before=blob_oid(b"y"), after=None),
        ]
        _put(root, ".vaultmem/tmp/w-1-1.log", temporaries.encode_log(entries))
        _put(root, ".vaultmem/tmp/w-1-1.0", b"old")
        _put(root, ".vaultmem/tmp/w-1-1.1", b"x new")
        _put(root, ".vaultmem/tmp/w-1-1.2", b"y")
        assert recover(root) == ()
        assert _tmp(root) == []
        assert (root / TEA).read_bytes() == b"new"
        assert (root / "items/x.md").read_bytes() == b"x new"
        assert not (root / "items/y.md").exists()

    def test_a_log_that_somebody_forged(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_bytes(b"secret")
        for number, path in enumerate(("../secret.md", "/etc/x", ".git/config")):
            entry = temporaries.Entry(
                path=PurePosixPath(path), before=blob_oid(b"secret"), after=blob_oid(b"evil")
            )
            _put(root, f".vaultmem/tmp/w-1-{number}.log", temporaries.encode_log([entry]))
            _put(root, f".vaultmem/tmp/w-1-{number}.0", b"evil")
        problems = recover(root, now_ns=later())
        assert {problem.code for problem in problems} == {"foreign-leftover"}
        assert (tmp_path / "secret.md").read_bytes() == b"secret"
        assert not (root / ".git").exists()

    def test_files_of_others_stay(self, root: Path) -> None:
        _put(root, ".vaultmem/tmp/theirs.md", b"x")
        assert recover(root, now_ns=later()) == ()
        assert _tmp(root) == ["theirs.md"]


def _no_sleep(seconds: float) -> None:
    """A wait that is over at once."""


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_a_replaced_file_keeps_owner_mode_and_extended_attributes(root: Path) -> None:
    """Backup and tagging programs keep what they know of a note there."""
    file = root / TEA
    oid = _put(root, TEA, b"old")
    try:
        os.setxattr(file, "user.tag", b"green")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 65534, 65534)
    before = file.stat()
    publish(root, [_write(TEA, b"new", oid)])
    after = file.stat()
    assert file.read_bytes() == b"new"
    assert os.getxattr(file, "user.tag") == b"green"
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
