"""New objects by one `git fast-import`, in a folder of their own until they are whole.

Git writes a pack under a passing name beside the others and leaves it when it is killed or the
disk is full; whose such a file is cannot be told, and another git may be packing in that moment.
So ours is made in `.git/vaultmem` and renamed into place: what failed is removed with its folder,
by this process, or by the next one that finds its maker gone.

Each commit leaves a small pack, and git looks through them all, so small ones are merged: only
those that our own fast-import wrote (it lists them), and only after the new pack with all their
objects is durable. Geometric: a pack is taken in only while it is at most as large as those before
it together, so the work for n commits is n log n and about 50 packs stay at most.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from vaultmem import base
from vaultmem.base import HistoryError, late
from vaultmem.storage.files import is_process_gone
from vaultmem.storage.git import refs as locks
from vaultmem.storage.git.engine import PACKS_FILE, Engine, output_of
from vaultmem.storage.git.refs import move_packs

KIND = "objects"
# A thousand commits a second would be slow: the limit is for a disk that does not answer.
_SECONDS = 600.0


class Import:
    """A fast-import under way. Ends with `finish` or `abandon`."""

    def __init__(self, engine: Engine, stream: bytes) -> None:
        """Let git begin. Raises OSError or HistoryError."""
        self._engine = engine
        self._packs = engine.repository.objects / "pack"
        self._aside = _aside(engine)
        borrowed = {}
        if self._aside is not None:
            borrowed = {
                "GIT_OBJECT_DIRECTORY": str(self._aside),
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": quote_path(engine.repository.objects),
            }
        try:
            self._git = engine.start(
                # `--done`: without it a stream that was cut off would count as a whole one.
                *("fast-import", "--quiet", "--force", "--done", "--date-format=raw"),
                f"--export-pack-edges={engine.folder / PACKS_FILE}",
                stdin=stream,
                environment=borrowed,
                seconds=_SECONDS,
            )
        except BaseException:
            self._clear()
            raise

    def finish(self) -> list[str]:
        """Lines that the stream asked for; the objects are in the repository, and durable.

        raises  HistoryError, DiskError or OSError; `abandon` takes away what was made
        """
        out = output_of(("fast-import",), self._git.wait(), self._engine.repository.git_dir.parent)
        self._move_in()
        locks.sync_folder(self._packs)
        return [line.strip() for line in out.decode("ascii").splitlines()]

    def abandon(self) -> None:
        """End git and remove what it was making; harmless after `finish`."""
        self._git.kill()
        self._clear()

    def _move_in(self) -> None:
        if self._aside is None:
            return
        move_packs(os.listdir(self._aside / "pack"), self._aside / "pack", self._packs)
        left = os.listdir(self._aside / "pack") + os.listdir(self._aside)
        # A commit of one object, as an undo makes, was unpacked by git into a folder that nobody
        # synced.
        if left != ["pack"]:
            raise HistoryError(f"git left more than a pack of new objects: {', '.join(left)}")
        self._clear()

    def _clear(self) -> None:
        if self._aside is None:
            return
        try:
            os.rmdir(self._aside / "pack")
            os.rmdir(self._aside)
        except FileNotFoundError:
            return
        except OSError:
            import shutil  # not at the top: it would cost a cold `remember` 3 ms

            shutil.rmtree(self._aside, ignore_errors=True)


def drop_dead_branches(engine: Engine) -> None:
    """Remove references of the engine whose maker died: what they name may be gone with it.

    Git looks at every reference there is when it fetches, sends or checks.
    """
    heads = engine.folder / "refs" / "heads"
    with contextlib.suppress(OSError):
        for name in os.listdir(heads):
            parts = name.split("-")
            if parts[0] != "e" or len(parts) != 3 or not parts[1].isdecimal():
                continue
            # A reference of a killed push named objects that were removed with their maker: git
            # then refused to fetch, send or check.
            made_at_ns = os.lstat(heads / name).st_ctime_ns
            if is_process_gone(int(parts[1]), seen_at_ns=made_at_ns):
                os.unlink(heads / name)


def _aside(engine: Engine) -> Path | None:
    """A new object folder; None where renaming from it would cross to another file system."""
    repository = engine.repository
    packs = repository.objects / "pack"
    with contextlib.suppress(FileExistsError):
        packs.mkdir()
        locks.sync_folder(repository.objects)
    # Before, what failed was removed from the folder of packs, and a pack that another git began in
    # that moment went with ours.
    folder = locks.new_file(repository.git_dir, KIND)
    if os.stat(folder.parent).st_dev != os.stat(packs).st_dev:
        return None
    folder.mkdir()
    try:
        (folder / "pack").mkdir()
    except BaseException:
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise
    return folder


def new_folder(engine: Engine) -> Path:
    """A new folder for objects in `.git/vaultmem`; whoever finds its maker dead removes it.

    raises  HistoryError where packs could not be renamed from there
    """
    folder = _aside(engine)
    if folder is None:
        raise HistoryError(
            "'.git/objects/pack' lies on another file system than '.git'",
            hint="put the whole repository on one",
        )
    return folder


def move_in(engine: Engine, folder: Path) -> None:
    """Put the packs of such a folder beside the vault's; durable."""
    packs = engine.repository.objects / "pack"
    move_packs(os.listdir(folder / "pack"), folder / "pack", packs)
    locks.sync_folder(packs)


def quote_path(folder: Path) -> str:
    """A path for a list of object folders: quoted as in C where it would be taken for two."""
    path = str(folder)
    if os.pathsep not in path and '"' not in path and "\\" not in path:
        return path
    if os.name == "nt":
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


MOST_PACKS = 40
# Beyond this a pack is left to `git gc`: repacking it would be felt (0.5 s).
LARGEST_BYTES = 8_000_000
# No git writes one pack for as long as this.
_ABANDONED_SECONDS = 86_400.0
_PACK = late(r"pack-([0-9a-f]{40}|[0-9a-f]{64})\.pack")
# Files beside a pack by which git or a person says that it is not to be removed.
_KEPT_BY = (".keep", ".promisor", ".mtimes", ".bitmap")
IDX_MAGIC = b"\xfftOc\0\0\0\2"
# By gitformat-pack: behind the magic and version stand 256 counts of four bytes, of which the last
# is that of all objects, then their ids.
IDX_FANOUT = 8 + 256 * 4


def consolidate(engine: Engine, *, most: int = MOST_PACKS) -> int:
    """Merge our packs when there are more than `most`; how many were replaced by one.

    A multi-pack-index that a person's `git maintenance` wrote names packs that must stay: then
    nothing is done, since that maintenance consolidates them anyway.
    """
    folder = engine.repository.objects / "pack"
    names = _list_own(engine)
    # Before any pack is looked at, six calls each: 20 packs took 3.5 of the 45 ms of a `remember`.
    if len(names) <= most:
        return 0
    packs = _ours(folder, names)
    if len(packs) <= most or (folder / "multi-pack-index").exists():
        return 0
    _remove_abandoned(folder)
    chosen = _geometric([(size, name) for size, name in packs if size <= LARGEST_BYTES])
    objects = {name: _object_ids(folder / f"{name}.idx", engine) for name in chosen}
    chosen = [name for name in chosen if objects[name]]
    if len(chosen) < 2:
        return 0
    made = engine.run(
        "pack-objects",
        "-q",
        "--delta-base-offset",
        str(folder / "pack"),
        stdin=b"".join(objects[name] for name in chosen),
    )
    new = f"pack-{made.decode('ascii').strip()}"
    locks.sync_folder(folder)
    gone = [name for name in chosen if name != new]
    # The list is written before they go: killed in between, the old packs stay until `git gc`, as
    # packs of nobody, and no object is lost.
    _note(engine, [*(name for _, name in packs if name not in gone), new])
    for name in gone:
        _remove(folder, name)
    return len(gone)


def _list_own(engine: Engine) -> set[str]:
    """Names of the packs that we wrote, whether they are still there or not."""
    try:
        listed = (engine.folder / PACKS_FILE).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return set()
    return {f"pack-{oid}" for oid in _PACK.findall(listed)}


def _ours(folder: Path, names: Iterable[str]) -> list[tuple[int, str]]:
    """Size and name of those of our packs that are there and nobody keeps, smallest first."""
    found = []
    for name in names:
        try:
            pack = os.lstat(folder / f"{name}.pack")
            index = os.lstat(folder / f"{name}.idx")
        except FileNotFoundError:
            continue
        is_kept = any((folder / (name + ending)).exists() for ending in _KEPT_BY)
        if stat.S_ISREG(pack.st_mode) and stat.S_ISREG(index.st_mode) and not is_kept:
            found.append((pack.st_size, name))
    return sorted(found)


def _remove_abandoned(folder: Path) -> None:
    """What a git that was killed left: half of a pack, or the mark that one is being made."""
    for entry in os.scandir(folder):
        is_half = entry.name.startswith(("tmp_pack_", "tmp_idx_"))
        if not is_half and not entry.name.endswith(".keep"):
            continue
        with contextlib.suppress(OSError):
            is_old = time.time() - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED_SECONDS
            if is_old and (is_half or Path(entry.path).read_bytes().strip() == b"fast-import"):
                os.unlink(entry.path)


def _geometric(packs: Sequence[tuple[int, str]]) -> list[str]:
    """The smallest packs, up to the first that is larger than all before it together."""
    chosen: list[str] = []
    total = 0
    for size, name in packs:
        if len(chosen) > 1 and size > total:
            break
        chosen.append(name)
        total += size
    return chosen


def _object_ids(file: Path, engine: Engine) -> bytes:
    """Ids of a pack's objects, one a line, from its index; none when its format is not 2."""
    data = file.read_bytes()
    if not data.startswith(IDX_MAGIC):
        return b""
    count = int.from_bytes(data[IDX_FANOUT - 4 : IDX_FANOUT], "big")
    width = len(engine.repository.zero) // 2
    ids = data[IDX_FANOUT : IDX_FANOUT + count * width]
    return b"".join(ids[at : at + width].hex().encode() + b"\n" for at in range(0, len(ids), width))


def _note(engine: Engine, names: Iterable[str]) -> None:
    """Write the list of our packs anew, without those that are gone."""
    file = engine.folder / PACKS_FILE
    # Under a drawn name: of two processes with forty commits each the slower found nothing to
    # rename, as both had written one name.
    base.replace_file(file, "".join(f"{name}.pack:\n" for name in sorted(set(names))).encode())


def _remove(folder: Path, name: str) -> None:
    """As git does: the index first, so that nobody opens a pack that is going."""
    for ending in (".idx", ".rev", ".pack"):
        # Windows refuses while another git reads it; then it is in the list no more, and stays.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            os.unlink(folder / (name + ending))
