"""Finding what changed: every change, no link followed, the same result in one process or two."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from vaultmem.base.errors import SettingsError, UnsafePathError
from vaultmem.model.notes import FolderState, Scan
from vaultmem.storage.files import listing
from vaultmem.storage.files.scanning import pack_scan, scan, touched_since, unpack_scan

OLD = time.time() - 3600
Known = dict[str, FolderState]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three notes in two folders, last changed an hour ago."""
    for path in ("items/a.md", "items/2026/b.md", "streams/flow.md"):
        _put(tmp_path, path)
    _age(tmp_path)
    return tmp_path


def _put(root: Path, path: str, text: str = "x") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def _age(root: Path) -> None:
    """Set all times an hour back. The ctime cannot be: wait for it to be no longer recent."""
    for folder, _, files in os.walk(root, topdown=False):
        for name in files:
            os.utime(Path(folder, name), (OLD, OLD), follow_symlinks=False)
        os.utime(folder, (OLD, OLD))
    _let_clock_tick()


def _let_clock_tick() -> None:
    """Until a change made before now is not recent any more."""
    until = time.time_ns() + 60_000_000
    while time.time_ns() < until:
        pass


def _after(known: Mapping[str, FolderState], found: Scan) -> Known:
    """What a caller remembers after a scan."""
    kept = {path: state for path, state in known.items() if path not in found.gone_folders}
    return kept | {state.path: state for state in found.folders}


def _known(root: Path, **options: tuple[str, ...]) -> Known:
    return _after({}, scan(root, {}, **options))  # type: ignore[arg-type]  # only include


class TestChanges:
    def test_everything_is_new_at_first(self, root: Path) -> None:
        found = scan(root, {})
        assert found.changed == ("items/2026/b.md", "items/a.md", "streams/flow.md")
        assert [state.path for state in found.folders] == ["", "items", "items/2026", "streams"]
        assert found.files == 3
        assert not found.is_clean

    def test_nothing_changed(self, root: Path) -> None:
        found = scan(root, _known(root))
        assert found.is_clean
        assert found.files == 3
        assert found.listed == ()

    def test_an_edit_in_place(self, root: Path) -> None:
        known = _known(root)
        _put(root, "items/2026/b.md", "y")
        found = scan(root, known)
        assert found.changed == ("items/2026/b.md",)
        assert found.removed == ()
        assert found.listed == ()

    def test_an_edit_with_the_same_size_and_time(self, root: Path) -> None:
        known = _known(root)
        _put(root, "items/a.md", "y")
        os.utime(root / "items/a.md", (OLD, OLD))
        assert scan(root, known).changed == ("items/a.md",)

    def test_a_save_by_rename(self, root: Path) -> None:
        known = _known(root)
        _put(root, "items/.new", "y")
        os.replace(root / "items/.new", root / "items/a.md")
        assert scan(root, known).changed == ("items/a.md",)

    def test_added_removed_and_moved(self, root: Path) -> None:
        known = _known(root)
        (root / "items/2026/b.md").rename(root / "items/moved.md")
        _put(root, "categories/new.md")
        found = scan(root, known)
        assert found.changed == ("categories/new.md", "items/moved.md")
        assert found.removed == ("items/2026/b.md",)
        assert scan(root, _after(known, found)).removed == ()

    def test_a_folder_that_goes(self, root: Path) -> None:
        known = _known(root)
        (root / "items/2026/b.md").unlink()
        (root / "items/2026").rmdir()
        found = scan(root, known)
        assert found.removed == ("items/2026/b.md",)
        assert found.gone_folders == ("items/2026",)
        assert found.files == 2

    def test_a_top_folder_that_goes(self, root: Path) -> None:
        known = _known(root)
        (root / "items").rename(root / "elsewhere")
        found = scan(root, known)
        assert found.removed == ("items/2026/b.md", "items/a.md")
        assert found.gone_folders == ("items", "items/2026")

    def test_a_folder_put_in_place_of_another(self, root: Path) -> None:
        known = _known(root)
        (root / "items/2026").rename(root / "kept")
        _put(root, "items/2026/b.md", "other")
        _put(root, "items/2026/c.md")
        assert scan(root, known).changed == ("items/2026/b.md", "items/2026/c.md")

    def test_a_file_that_just_changed_is_looked_at_again(self, root: Path) -> None:
        _put(root, "items/a.md", "now")
        first = scan(root, {})
        state = next(state for state in first.folders if state.path == "items")
        assert listing.is_racy(state.stats)
        known = _after({}, first)
        _put(root, "items/a.md", "nov")
        assert scan(root, known).changed == ("items/a.md",)
        _let_clock_tick()
        known = _after(known, scan(root, known))
        assert scan(root, known).is_clean

    def test_a_file_that_is_only_read_again_is_not_touched(self, root: Path) -> None:
        _put(root, "items/a.md", "now")
        known = _after({}, scan(root, {}))
        again = scan(root, known)
        assert (again.changed, again.touched) == (("items/a.md",), ())

    def test_the_same_bytes_saved_again_are_touched(self, root: Path) -> None:
        _put(root, "items/a.md", "now")
        known = _after({}, scan(root, {}))
        _let_clock_tick()
        _put(root, "items/a.md", "now")
        assert scan(root, known).touched == ("items/a.md",)
        _put(root, "items/2026/b.md", "new")
        assert touched_since(known, scan(root, {})) == ["items/a.md", "items/2026/b.md"]

    def test_a_time_in_the_future_settles(self, root: Path) -> None:
        future = time.time() + 86_400
        os.utime(root / "items/a.md", (future, future))
        _let_clock_tick()
        known = _known(root)
        assert scan(root, known).is_clean
        _put(root, "items/a.md", "y")
        assert scan(root, known).changed == ("items/a.md",)

    def test_a_time_before_1970(self, root: Path) -> None:
        os.utime(root / "items/a.md", (-1000, -1000))
        _let_clock_tick()
        known = _known(root)
        found = scan(root, known)
        assert found.changed == found.removed == ()
        assert found.files == 3

    def test_a_file_that_grows_beyond_the_limit(self, root: Path) -> None:
        known = _known(root)
        _put(root, "items/a.md", "x" * 100)
        found = scan(root, known, limit=50)
        assert found.oversize == ("items/a.md",)
        assert found.changed == found.removed == ()
        assert [problem.code for problem in found.problems] == ["too-large"]


class TestTwoProcesses:
    CODE = """
import sys
from pathlib import Path
from vaultmem.storage.files.scanning import can_fork
from vaultmem.storage.files.scanning import pack_scan, scan
root = Path(sys.argv[1])
first = scan(root, {})
known = {state.path: state for state in first.folders}
for n in range(0, 300, 7):
    (root / f"items/{n % 30}/n{n}.md").write_text("changed")
(root / "items/3/n33.md").unlink()
(root / "items/4/new.md").write_text("new")
assert can_fork()
one = scan(root, known, split_files=10**9)
two = scan(root, known, split_files=1)
for name in ("changed", "removed", "gone_folders", "files", "listed", "problems"):
    assert getattr(one, name) == getattr(two, name), name
assert len(one.changed) == 44 and one.removed == ("items/3/n33.md",)
import os
try:
    os.waitpid(-1, os.WNOHANG)
    raise SystemExit("a child is left")
except ChildProcessError:
    print("same")
"""

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
    def test_the_result_is_the_same(self, tmp_path: Path) -> None:
        for n in range(300):
            _put(tmp_path, f"items/{n % 30}/n{n}.md")
        _age(tmp_path)
        done = subprocess.run(
            [sys.executable, "-c", self.CODE, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.stdout, done.stderr) == ("same\n", "")

    def test_a_child_that_fails_is_done_again(self, root: Path) -> None:
        known = _known(root)
        (root / "streams/flow.md").unlink()
        (root / "streams").rmdir()
        (root / "streams").symlink_to(root / "items")
        with pytest.raises(UnsafePathError):
            scan(root, known, split_files=1)

    def test_a_scan_goes_through_the_pipe_unchanged(self, root: Path) -> None:
        (root / "items/link.md").symlink_to(root)
        found = scan(root, {})
        assert found.problems
        assert unpack_scan(pack_scan(found)) == found


class TestInclude:
    def test_globs_name_further_files(self, root: Path) -> None:
        for path in ("notes/a.md", "notes/deep/er/b.md", "notes/c.txt", "Daily/d.md", "e.md"):
            _put(root, path)
        _put(root, "notes/.hidden/x.md")
        _age(root)
        for globs, expected in (
            (("notes/**/*.md",), {"notes/a.md", "notes/deep/er/b.md"}),
            (("notes/*.md", "notes/*.txt"), {"notes/a.md", "notes/c.txt"}),
            (("*/*.md",), {"notes/a.md", "Daily/d.md"}),
            (("*.md",), {"e.md"}),
            (("**/*.md",), {"notes/a.md", "notes/deep/er/b.md", "Daily/d.md", "e.md"}),
            (("notes/c.txt", "Daily/?.md"), {"notes/c.txt", "Daily/d.md"}),
            (("none/**",), set()),
        ):
            found = scan(root, {}, include=globs)
            outside = {path for path in found.changed if path[:5] not in ("items", "strea")}
            assert outside == expected, globs
            assert scan(root, _after({}, found), include=globs).is_clean

    def test_they_no_longer_name_what_they_named(self, root: Path) -> None:
        _put(root, "notes/a.md")
        known = _known(root, include=("notes/*.md",))
        assert scan(root, known).removed == ("notes/a.md",)

    @pytest.mark.parametrize("glob", ["../x/*.md", "/etc/*", "a/../../b", "", "a\\b", "."])
    def test_a_glob_out_of_the_vault_is_refused(self, root: Path, glob: str) -> None:
        with pytest.raises(SettingsError, match="inside the vault"):
            scan(root, {}, include=(glob,))


class TestUnreadable:
    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
    def test_notes_of_a_folder_that_cannot_be_read_are_not_gone(self, root: Path) -> None:
        known = _known(root)
        _put(root, "items/2026/new.md")
        os.chmod(root / "items/2026", 0o000)
        os.chmod(root, 0o755)

        def check() -> None:
            found = scan(Path(), known)  # the folders above are closed to nobody
            assert found.removed == found.gone_folders == ()
            assert [problem.code for problem in found.problems] == ["folder-unreadable"]
            assert found.files == 3

        try:
            _as_nobody(check, root)
        finally:
            os.chmod(root / "items/2026", 0o755)


def _as_nobody(check: object, root: Path) -> None:
    """Run a check in a child without root's rights."""
    assert callable(check)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.chdir(root)
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            check()
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_a_second_name_that_we_gave_for_a_moment_is_no_problem(root: Path) -> None:
    """A save of an editor that was put back has one in `.vaultmem/tmp` until it is settled."""
    known = _known(root)
    (root / ".vaultmem/tmp").mkdir(parents=True, exist_ok=True)
    os.link(root / "items/a.md", root / ".vaultmem/tmp/w-1-1.0.saved0")
    _let_clock_tick()
    assert scan(root, known).problems == ()
    os.link(root / "items/a.md", root / "theirs")
    _let_clock_tick()
    assert [problem.code for problem in scan(root, known).problems] == ["hard-link"]


def test_a_second_name_is_met_and_forgotten_again(root: Path) -> None:
    """It changes neither the folder nor what the file holds."""
    known = _known(root)
    os.link(root / "items/a.md", root.parent / "elsewhere")
    _let_clock_tick()
    found = scan(root, known)
    assert [problem.code for problem in found.problems] == ["hard-link"]
    assert found.listed == ("items",)
    known = _after(known, found)
    assert scan(root, known).is_clean
    (root.parent / "elsewhere").unlink()
    _let_clock_tick()
    found = scan(root, known)
    assert (found.listed, found.problems) == (("items",), ())
