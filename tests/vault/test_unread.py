"""What cannot be read is not gone: notes are kept as last known, and every command says so."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import DiskError
from vaultmem.model.answers import Filters
from vaultmem.watch.watch import watcher_of

LINE, OTHER = "I prefer tabs over spaces.", "I moved to Bergen in May."
_READS_ALL = 0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
_CAPABILITIES_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inherited"))


@pytest.fixture
def _as_anybody() -> Iterator[None]:
    """Permissions count, as they do for a person; root may read what nobody may."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root reads everything")
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(_CAPABILITIES_3, 0), (_Sets * 2)()
    assert libc.capget(ctypes.byref(header), ctypes.byref(sets)) == 0
    before = sets[0].effective
    sets[0].effective &= ~_READS_ALL
    assert libc.capset(ctypes.byref(header), ctypes.byref(sets)) == 0
    yield
    sets[0].effective = before
    assert libc.capset(ctypes.byref(header), ctypes.byref(sets)) == 0


pytestmark = pytest.mark.usefixtures("_as_anybody")
Back = Callable[[], None]


def forbid(path: Path) -> Back:
    mode = path.stat().st_mode
    path.chmod(0)
    return lambda: path.chmod(mode)


def folder_in_its_place(path: Path) -> Back:
    aside = path.with_name(f".{path.name}.aside")
    path.rename(aside)
    path.mkdir()

    def back() -> None:
        path.rmdir()
        aside.rename(path)

    return back


def link_in_its_place(path: Path) -> Back:
    aside = path.with_name(f".{path.name}.aside")
    path.rename(aside)
    path.symlink_to("/etc/hostname")

    def back() -> None:
        path.unlink()
        aside.rename(path)

    return back


def placeholder_in_its_place(path: Path) -> Back:
    placeholder = path.with_name(f".{path.name}.icloud")
    aside = path.with_name(f".{path.name}.aside")
    path.rename(aside)
    placeholder.write_bytes(b"bplist00")

    def back() -> None:
        placeholder.unlink()
        aside.rename(path)

    return back


def outgrown(path: Path) -> Back:
    data = path.read_bytes()
    with path.open("ab") as stream:
        stream.truncate(64 << 20)

    def back() -> None:
        path.write_bytes(data)

    return back


WAYS = (forbid, folder_in_its_place, link_in_its_place, placeholder_in_its_place, outgrown)


def statuses(memory: Memory) -> dict[str, str]:
    everything = Filters(types=("item",), statuses=("active", "retracted", "expired"))
    return {row.statement: row.status for row in memory.list(everything)}


def commits(git: Git) -> int:
    return int(git("rev-list", "--count", "HEAD"))


@pytest.fixture
def stocked(memory: Memory) -> Memory:
    memory.remember(LINE, stream="identity", category="me")
    memory.remember(OTHER, stream="projects")
    return memory


class TestOneNote:
    """A list or an item that cannot be read keeps what it says until it can."""

    @pytest.mark.parametrize("way", WAYS)
    def test_the_memories_of_a_list_stay(
        self, stocked: Memory, git: Git, way: Callable[[Path], Back]
    ) -> None:
        before, dump = commits(git), stocked.opened.index.dump()
        back = way(stocked.root / "streams/identity.md")
        for _ in range(2):
            stocked.sync()
            assert statuses(stocked) == {LINE: "active", OTHER: "active"}
            assert [str(each.path) for each in stocked.unreadable] == ["streams/identity.md"]
        assert stocked.recall("tabs or spaces").hits[0].note.statement == LINE
        codes = [each.code for each in stocked.check().problems]
        assert "unreadable" in codes
        back()
        stocked.sync()
        assert stocked.unreadable == ()
        assert commits(git) == before
        assert stocked.opened.index.dump() == dump
        assert stocked.check().problems == ()

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("kind", ["items", "resources", "categories"])
    def test_any_note_stays(
        self, stocked: Memory, git: Git, way: Callable[[Path], Back], kind: str
    ) -> None:
        before, dump = commits(git), stocked.opened.index.dump()
        [file, *_] = sorted((stocked.root / kind).glob("**/*.md"))
        back = way(file)
        for _ in range(2):
            stocked.sync()
            assert statuses(stocked) == {LINE: "active", OTHER: "active"}
            assert [stocked.root / each.path for each in stocked.unreadable] == [file]
        assert stocked.recall("tabs or spaces").hits[0].note.statement == LINE
        back()
        stocked.sync()
        assert (commits(git), stocked.opened.index.dump()) == (before, dump)

    @pytest.mark.parametrize("way", WAYS)
    def test_a_new_index_knows_it_from_the_last_commit(
        self, stocked: Memory, git: Git, way: Callable[[Path], Back]
    ) -> None:
        before, dump = commits(git), stocked.opened.index.dump()
        files = [stocked.root / "streams/identity.md", *stocked.root.glob("items/**/*.md")]
        back = [way(file) for file in files]
        stocked.reindex()
        stocked.sync()
        assert statuses(stocked) == {LINE: "active", OTHER: "active"}
        assert len(stocked.unreadable) == len(files)
        for each in back:
            each()
        stocked.sync()
        assert (commits(git), stocked.opened.index.dump()) == (before, dump)

    @pytest.mark.parametrize("way", WAYS)
    def test_a_writer_leaves_it_alone(self, stocked: Memory, way: Callable[[Path], Back]) -> None:
        back = way(stocked.root / "streams/identity.md")
        stocked.remember("I sing in a choir.", stream="projects")
        with pytest.raises((DiskError, OSError), match=r"identity\.md"):
            stocked.remember("I like hedgehogs.", stream="identity")
        assert statuses(stocked)[LINE] == "active"
        back()
        stocked.remember("I like hedgehogs.", stream="identity")
        assert set(statuses(stocked).values()) == {"active"}
        text = (stocked.root / "streams/identity.md").read_text("utf-8")
        assert LINE in text
        assert "hedgehogs" in text
        assert stocked.check().problems == ()

    def test_an_edit_made_before_waits_for_it(self, stocked: Memory) -> None:
        file = stocked.root / "streams/identity.md"
        file.write_text(file.read_text("utf-8").replace("tabs over spaces", "spaces"), "utf-8")
        stocked.sync(settle=False)
        back = forbid(file)
        stocked.sync()
        stocked.remember("I sing in a choir.", stream="projects")
        back()
        stocked.sync()
        assert statuses(stocked)["I prefer spaces."] == "active"
        assert stocked.check().problems == ()

    def test_deleted_while_it_could_not_be_read_it_is_gone(self, stocked: Memory) -> None:
        file = stocked.root / "streams/identity.md"
        forbid(file)
        stocked.sync()
        file.unlink()
        stocked.sync()
        assert statuses(stocked)[LINE] == "retracted"
        assert stocked.unreadable == ()


class TestFolders:
    """A folder that cannot be listed, or entered, keeps its notes."""

    @pytest.mark.parametrize("name", ["streams", "items", "items/2026", "resources", "categories"])
    @pytest.mark.parametrize("mode", [0o000, 0o600])
    @pytest.mark.parametrize("again", [Memory.sync, Memory.reindex])
    def test_its_notes_stay(
        self, stocked: Memory, git: Git, name: str, mode: int, again: Callable[[Memory], object]
    ) -> None:
        before, dump = commits(git), stocked.opened.index.dump()
        folder = stocked.root / name
        folder.chmod(mode)
        for _ in range(2):
            again(stocked)
            stocked.sync()
            assert statuses(stocked) == {LINE: "active", OTHER: "active"}
            # A folder that may be listed and not entered tells of those in it.
            paths = [stocked.root / each.path for each in stocked.unreadable]
            assert paths
            assert all(path.is_relative_to(folder) for path in paths)
        stocked.recall("tabs or spaces")
        stocked.vault.status()
        assert "folder-unreadable" in {each.code for each in stocked.check().problems}
        folder.chmod(0o755)
        stocked.sync()
        assert stocked.unreadable == ()
        assert (commits(git), stocked.opened.index.dump()) == (before, dump)


def test_a_list_that_is_not_understood_takes_no_memory_along(stocked: Memory) -> None:
    file = stocked.root / "streams/identity.md"
    sound = file.read_bytes()
    file.write_bytes(b"---\nx: [\n- y\n---\n" + sound)
    stocked.sync()
    assert statuses(stocked)[LINE] == "active"
    assert "list-unreadable" in {each.code for each in stocked.check().problems}
    file.write_bytes(sound)
    stocked.sync()
    assert statuses(stocked)[LINE] == "active"
    assert stocked.check().problems == ()


class TestSessions:
    """A conversation that cannot be read is not begun a second time."""

    def test_a_turn_says_so(self, stocked: Memory) -> None:
        session = stocked.session("heron")
        session.turn("I keep bees.", "Nice.")
        [folder] = (stocked.root / "resources/sessions").iterdir()
        mode = folder.stat().st_mode
        folder.chmod(0)
        with pytest.raises(DiskError):
            session.turn("I keep ducks, too.", "Nice.")
        stocked.sync()
        assert [row.session for row in stocked.sessions.list()] == ["heron"]
        stocked.vault.status()
        stocked.session("grebe")
        folder.chmod(mode)
        session.turn("I keep ducks, too.", "Nice.")
        assert len(list((stocked.root / "resources/sessions").iterdir())) == 2
        assert stocked.check().problems == ()


class TestErasing:
    """Who asks that a text is gone everywhere is not told so while a note cannot be read."""

    def test_nothing_is_erased(self, stocked: Memory, git: Git) -> None:
        [file, *_] = sorted((stocked.root / "resources").glob("**/*.md"))
        back, before = forbid(file), git("rev-parse", "HEAD")
        with pytest.raises(DiskError, match="may hold it"):
            stocked.forgetting.purge(match="Bergen")
        with pytest.raises(DiskError, match="may hold it"):
            stocked.forget(match="Bergen")
        assert git("rev-parse", "HEAD") == before
        back()
        stocked.forgetting.purge(match="moved to Bergen")


def test_a_watcher_goes_on_and_says_so_once(stocked: Memory) -> None:
    told: list[str] = []
    watcher = watcher_of(stocked, tell=told.append, polls=True)
    back = forbid(stocked.root / "streams/identity.md")
    for _ in range(3):
        watcher._read()
        watcher._settle()
    assert sum("cannot be read now" in line for line in told) <= 4
    assert any("'streams/identity.md' cannot be read now" in line for line in told)
    assert statuses(stocked)[LINE] == "active"
    back()
    watcher._read()
    assert stocked.unreadable == ()


@pytest.mark.parametrize("rest", [b"", b"\0" * 200])
def test_a_save_that_was_cut_off_takes_no_memory_along(stocked: Memory, rest: bytes) -> None:
    file = stocked.root / "streams/identity.md"
    whole = file.read_bytes()
    file.write_bytes(rest)
    for _ in range(2):
        stocked.sync()
        assert statuses(stocked)[LINE] == "active"
        assert stocked.check().problems
    file.write_bytes(whole)
    stocked.sync()
    assert statuses(stocked)[LINE] == "active"
    assert stocked.check().problems == ()


def test_a_list_that_was_emptied_on_purpose_is_believed(stocked: Memory) -> None:
    (stocked.root / "streams/identity.md").write_bytes(b"")
    stocked.sync()
    stocked.sync(confirm_deletions=True)
    assert statuses(stocked)[LINE] == "retracted"
    assert stocked.check().problems == ()
