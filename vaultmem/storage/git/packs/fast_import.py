"""New objects by one `git fast-import`, in a folder of their own until they are whole.

Git writes a pack under a passing name beside the others and leaves it when it is killed or the
disk is full; whose such a file is cannot be told, and another git may be packing in that moment.
So ours is made in `.git/vaultmem` and renamed into place: what failed is removed with its folder,
by this process, or by the next one that finds its maker gone.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from vaultmem.base import HistoryError
from vaultmem.storage.files import is_process_gone
from vaultmem.storage.git import ref_locks as locks
from vaultmem.storage.git.engine import PACKS_FILE, Engine, output_of
from vaultmem.storage.git.packs.place import move_packs

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
