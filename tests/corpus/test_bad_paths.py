"""Bad inputs 79 to 105: odd encodings, sizes and paths, as scan, read and publish see them.

The numbers are those of the corpus. A: accepted as a note. Q: left as it is, with the reason
shown. E: refused by name. I: ignored by a rule that is counted. In all of them no byte changes.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath

import pytest

from vaultmem.base.errors import DiskError, StaleFileError, UnsafePathError, VaultmemError
from vaultmem.model.notes import Scan, Severity
from vaultmem.model.plan import Write
from vaultmem.storage.files import layout, publish, read
from vaultmem.storage.files.scanning import scan


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "items").mkdir(parents=True)
    return root


def _put(root: Path, path: str, data: bytes = b"x\n") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _codes(found: Scan) -> dict[str, str]:
    return {problem.path.as_posix(): problem.code for problem in found.problems}


def _read(root: Path, path: str) -> bytes:
    return read(root, PurePosixPath(path))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("caf\xe9\n".encode("latin-1"), id="79-latin-1"),
        pytest.param("text\n".encode("utf-16"), id="80-utf-16"),
        pytest.param(b"---\nid: x\n---\n\nbody \xff\xfe\n", id="81-invalid-utf-8-in-the-body"),
        pytest.param(b"x" * 1_000_000, id="83-one-line-of-a-megabyte"),
        pytest.param(bytes(range(256)) * 40, id="84-binary-named-md"),
    ],
)
def test_bytes_of_any_kind_are_found_and_read(root: Path, data: bytes) -> None:
    _put(root, "items/a.md", data)
    found = scan(root, {})
    assert found.changed == ("items/a.md",)
    assert found.problems == ()
    assert _read(root, "items/a.md") == data


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(100_000_000, id="82-a-note-of-100-MB"),
        pytest.param(10 * 2**30, id="85-a-sparse-file-of-10-GB"),
    ],
)
def test_a_huge_file_is_listed_and_never_loaded(root: Path, size: int) -> None:
    with open(root / "items/huge.md", "wb") as file:
        file.truncate(size)
    found = scan(root, {})
    assert found.changed == ()
    assert found.oversize == ("items/huge.md",)
    assert _codes(found) == {"items/huge.md": "too-large"}
    with pytest.raises(DiskError, match="more than"):
        _read(root, "items/huge.md")


@pytest.mark.parametrize("number", [pytest.param(86, id="86-grows-and-shrinks-while-read")])
def test_a_file_that_changes_while_it_is_read(root: Path, number: int) -> None:
    file = root / "items/a.md"
    file.write_bytes(b"0\n")
    stop = threading.Event()

    def writer() -> None:
        step = 0
        while not stop.is_set():
            step += 1
            with open(file, "r+b") as opened:  # in place, one write: what a reader may see
                opened.truncate(0)
                opened.write(b"%d\n" % (step % 10) * (step % 50 + 1) * 1000)

    thread = threading.Thread(target=writer)
    thread.start()
    try:
        for _ in range(100):
            with suppress(StaleFileError):  # it changed during each of five attempts
                read(root, PurePosixPath("items/a.md"), had_content=True)
    finally:
        stop.set()
        thread.join()
    assert _read(root, "items/a.md") == file.read_bytes()


@pytest.mark.parametrize("number", [pytest.param(87, id="87-unreadable")])
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_an_unreadable_file_is_named(root: Path, number: int) -> None:
    _put(root, "items/a.md")
    (root / "items/a.md").chmod(0)
    root.chmod(0o755)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.chdir(root)
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            assert scan(Path(), {}).changed == ("items/a.md",)
            try:
                read(Path(), PurePosixPath("items/a.md"))
            except DiskError as refused:
                status = 0 if "cannot read 'items/a.md'" in refused.message else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _fifo(root: Path) -> None:
    os.mkfifo(root / "items/x.md")


def _socket(root: Path) -> None:
    here = os.getcwd()
    os.chdir(root / "items")  # the name of a socket may have 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind("x.md")
    finally:
        os.chdir(here)


def _device(root: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to make a device")
    os.mknod(root / "items/x.md", 0o20666, os.makedev(1, 5))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(_fifo, id="88-fifo"),
        pytest.param(_socket, id="88-socket"),
        pytest.param(_device, id="88-device"),
    ],
)
def test_what_is_no_file_is_neither_read_nor_waited_for(
    root: Path, make: Callable[[Path], None]
) -> None:
    make(root)
    found = scan(root, {})
    assert found.changed == ()
    assert _codes(found) == {"items/x.md": "not-a-file"}
    with pytest.raises(VaultmemError):
        _read(root, "items/x.md")
    with pytest.raises(VaultmemError):
        publish(root, [Write(path=PurePosixPath("items/x.md"), content=b"y", expects=None)])


def test_89_a_folder_named_like_a_note_is_a_folder(root: Path) -> None:
    _put(root, "items/x.md/a.md")
    found = scan(root, {})
    assert found.changed == ("items/x.md/a.md",)
    assert found.problems == ()


def test_90_a_link_to_a_file_outside(root: Path, tmp_path: Path) -> None:
    _put(tmp_path, "secret.md", b"secret")
    (root / "items/a.md").symlink_to(tmp_path / "secret.md")
    found = scan(root, {})
    assert found.changed == ()
    assert _codes(found) == {"items/a.md": "symbolic-link"}
    assert found.problems[0].severity == Severity.WARNING
    with pytest.raises(UnsafePathError, match="link"):
        _read(root, "items/a.md")
    with pytest.raises(UnsafePathError):
        publish(root, [Write(path=PurePosixPath("items/a.md"), content=b"y", expects=None)])
    assert (tmp_path / "secret.md").read_bytes() == b"secret"


def test_91_a_linked_folder(root: Path, tmp_path: Path) -> None:
    _put(tmp_path, "outside/a.md", b"secret")
    (root / "items/sub").symlink_to(tmp_path / "outside")
    found = scan(root, {})
    assert found.changed == ()
    assert found.ignored == {"link": 1}
    with pytest.raises(UnsafePathError):
        _read(root, "items/sub/a.md")


def test_92_a_link_that_leads_round(root: Path) -> None:
    (root / "items/loop").symlink_to(root / "items")
    (root / "items/self.md").symlink_to("self.md")
    assert scan(root, {}).changed == ()
    with pytest.raises(UnsafePathError):
        _read(root, "items/self.md")


def test_93_a_hard_link_is_read_with_a_warning(root: Path) -> None:
    _put(root, "items/a.md")
    os.link(root / "items/a.md", root / "items/b.md")
    found = scan(root, {})
    assert found.changed == ("items/a.md", "items/b.md")
    assert set(_codes(found).values()) == {"hard-link"}


def test_94_items_replaced_by_a_link(root: Path, tmp_path: Path) -> None:
    _put(root, "items/a.md")
    known = {state.path: state for state in scan(root, {}).folders}
    (root / "items").rename(tmp_path / "moved")
    (root / "items").symlink_to(tmp_path / "moved")
    with pytest.raises(UnsafePathError, match="'items' is a link"):
        scan(root, known)
    with pytest.raises(UnsafePathError):
        _read(root, "items/a.md")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("CON.md", id="95-reserved"),
        pytest.param("aux.txt.md", id="95-reserved-with-ending"),
        pytest.param("a:b.md", id="95-colon"),
        pytest.param("what?.md", id="95-question-mark"),
        pytest.param("folder./a.md", id="95-trailing-dot"),
        pytest.param("folder /a.md", id="95-trailing-space"),
        pytest.param("new\nline.md", id="98-newline"),
        pytest.param("tab\there.md", id="98-tab"),
        pytest.param("esc\x1b[31m.md", id="98-escape"),
    ],
)
def test_a_name_that_does_not_travel_is_read_with_a_warning(root: Path, name: str) -> None:
    _put(root, f"items/{name}")
    found = scan(root, {})
    assert found.changed == (f"items/{name}",)
    assert set(_codes(found).values()) == {"name-not-portable"}
    assert _read(root, f"items/{name}") == b"x\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("README.md", "readme.md", id="96-case"),
        pytest.param("caf\u00e9.md", "cafe\u0301.md", id="97-nfc-and-nfd"),
        pytest.param("STRASSE.md", "straße.md", id="97-folded"),
    ],
)
def test_the_second_of_two_twins_is_named(root: Path, first: str, second: str) -> None:
    _put(root, f"items/{first}")
    _put(root, f"items/{second}")
    if len(os.listdir(root / "items")) < 2:
        pytest.skip("this file system takes them for one file")
    found = scan(root, {})
    twins = [problem for problem in found.problems if problem.code == "name-twin"]
    assert [problem.path.name for problem in twins] == [max(first, second)]
    assert twins[0].severity == Severity.ERROR
    assert len(found.changed) == 2


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("-rf.md", id="99-rf"),
        pytest.param("--help.md", id="99-help"),
        pytest.param("(top).md", id="99-top"),
        pytest.param("[[x]].md", id="99-brackets"),
        pytest.param("'quoted' $HOME `x`.md", id="99-shell"),
        pytest.param("日本語のノート.md", id="99-kana"),
        pytest.param("x" * 252 + ".md", id="101-255-bytes"),
    ],
)
def test_an_odd_name_is_a_name(root: Path, name: str) -> None:
    publish(root, [Write(path=PurePosixPath("items", name), content=b"x\n", expects=None)])
    found = scan(root, {})
    assert found.changed == (f"items/{name}",)
    assert found.problems == ()
    assert _read(root, f"items/{name}") == b"x\n"


def test_100_a_name_that_is_not_utf_8(root: Path) -> None:
    with open(os.fsencode(root) + b"/items/caf\xe9.md", "wb") as file:
        file.write(b"x")
    found = scan(root, {})
    assert found.changed == ()
    assert _codes(found) == {"items/caf\\xe9.md": "name-not-utf-8"}
    assert found.problems[0].severity == Severity.ERROR
    with pytest.raises(UnsafePathError, match="UTF-8"):
        _read(root, os.fsdecode(b"items/caf\xe9.md"))


def test_101_a_long_statement_gives_a_name_that_fits() -> None:
    path = layout.item_path("s" * 400, "i-7f3a2kq9xw", year=2026, month=3, day=11)
    assert path.parent == PurePosixPath("items/2026/03/11")
    assert len(path.name.encode()) == 255
    assert path.stem.endswith("-i-7f3a2kq9xw")
    kept = layout.kept_name("ü" * 126 + ".md", "a" * 40)
    assert len(kept.encode()) <= 255
    assert layout.conflict_of(kept) is not None


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        pytest.param(".obsidian/app.md", "hidden", id="102-obsidian"),
        pytest.param(".trash/a.md", "hidden", id="102-trash"),
        pytest.param(".stversions/a.md", "hidden", id="102-stversions"),
        pytest.param("~$x.md", "office-lock", id="104-office"),
        pytest.param(".x.md.swp", "hidden", id="104-vim-swap"),
        pytest.param("x.md~", "editor-file", id="104-backup"),
        pytest.param("4913", "editor-file", id="104-vim-probe"),
        pytest.param("._x.md", "hidden", id="104-apple-double"),
        pytest.param(".DS_Store", "hidden", id="104-ds-store"),
        pytest.param("x.tmp", "temporary-file", id="104-temporary"),
        pytest.param("Icon\r", "folder-icon", id="104-icon"),
        pytest.param("picture.png", "not-a-note", id="104-attachment"),
    ],
)
def test_what_is_no_note_is_ignored_by_a_rule(root: Path, path: str, rule: str) -> None:
    _put(root, f"items/{path}")
    found = scan(root, {})
    assert found.changed == ()
    assert found.problems == ()
    assert found.ignored == {rule: 1}


def test_102_a_git_folder_at_the_top_is_not_looked_at(root: Path) -> None:
    _put(root, ".git/a.md")
    _put(root, ".trash/b.md")
    assert scan(root, {}, include=("**/*.md",)).changed == ()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("a.sync-conflict-20260311-120000-ABCDEFG.md", id="103-syncthing"),
        pytest.param("a (Ada's conflicted copy 2026-03-11).md", id="103-dropbox"),
        pytest.param("a (Conflicted copy laptop 202603111200).md", id="103-obsidian-sync"),
        pytest.param("a (conflict).md", id="103-conflict"),
    ],
)
def test_a_conflict_copy_is_read_and_named(root: Path, name: str) -> None:
    _put(root, "items/a.md")
    _put(root, f"items/{name}")
    found = scan(root, {})
    assert found.changed == tuple(sorted([f"items/{name}", "items/a.md"]))
    assert _codes(found) == {f"items/{name}": "conflict-copy"}
    assert "'a.md'" in found.problems[0].message
    assert layout.conflict_of("a.md") is None


def _nested(root: Path) -> None:
    _put(root, "items/repo/.git/HEAD")
    _put(root, "items/repo/a.md")


def _submodule(root: Path) -> None:
    _put(root, "items/repo/.git", b"gitdir: ../../.git/modules/repo\n")
    _put(root, "items/repo/a.md")


def _bare(root: Path) -> None:
    for name in ("HEAD", "objects/x", "refs/x", "a.md"):
        _put(root, f"items/repo/{name}")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(_nested, id="105-nested"),
        pytest.param(_submodule, id="105-submodule"),
        pytest.param(_bare, id="105-bare"),
    ],
)
def test_a_repository_inside_is_left_alone(root: Path, make: Callable[[Path], None]) -> None:
    make(root)
    found = scan(root, {})
    assert found.changed == ()
    assert _codes(found) == {"items/repo": "nested-repository"}
    assert scan(root, {state.path: state for state in found.folders}).changed == ()
