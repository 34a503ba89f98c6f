"""Carry an erasure out: files of the folder, stores of the device; and prove it byte by byte.

A store of the device that is not below `parts.state` would be missed: put new ones there.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from vaultmem import base, check, history
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, HeadMovedError, NamedTuple, VaultmemError, disk_error
from vaultmem.model import Oid, Remove, Write, blob_oid
from vaultmem.storage import files, git
from vaultmem.storage.files import OWN, TOPS
from vaultmem.storage.git import files_of_git, is_note_of, objects_with
from vaultmem.vault import PURGING, publish_files

if TYPE_CHECKING:
    from vaultmem.storage.git import Engine, Switch
    from vaultmem.storage.notes import Erasure
    from vaultmem.vault import Vault


_GIT = ".git"
TRASH = ".trash"
"""Where Obsidian puts notes that a person deleted."""
_LARGE_BYTES, _OVERLAP_BYTES = 64 << 20, 1 << 20  # of a film beside the notes, say
# Made anew, or without a word of a note.
REMADE = ("index.sqlite", "past.sqlite")


class Loose(NamedTuple):
    """A file of the folder that holds it and that the last commit does not hold so."""

    path: PurePosixPath
    data: bytes
    is_ours: bool  # a note, also a deleted one in the trash, or a file that git follows


def loose_files(vault: Vault, erasure: Erasure) -> Iterator[Loose]:
    """Files of the folder that hold it, but for those that are as the last commit has them."""
    head = vault.history.head()
    tracked = vault.history.exchange().entries(head) if head else {}
    for path, file in vault_files(vault.root):
        if not is_held_in(erasure, path, file):
            continue
        data = file.read_bytes()
        entry = tracked.get(path.as_posix())
        oid = str(blob_oid(data, algorithm=vault.history.algorithm))
        if entry is None or entry.oid != oid:
            # Obsidian's trash holds what a person threw away already: left to them, each purge
            # failed its own proof.
            is_ours = entry is not None or path.parts[0] in (*TOPS, OWN, TRASH)
            yield Loose(path, data, is_ours)


def vault_files(root: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """Regular files of the folder, but for git's, by path."""
    for folder, below, names in os.walk(root):
        if Path(folder) == root and _GIT in below:
            below.remove(_GIT)
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield PurePosixPath(file.relative_to(root).as_posix()), file


def is_held_in(erasure: Erasure, path: PurePosixPath, file: Path) -> bool:
    """Whether a file has it in its name or in its bytes."""
    stem = path.stem if path.suffix else path.name
    if erasure.is_gone(stem) or erasure.says(stem):
        return True
    if file.stat().st_size <= _LARGE_BYTES:
        data = file.read_bytes()
        return is_note_of(data, erasure.ids) or erasure.holds(data)
    return bytes_hold(erasure, file)


def bytes_hold(erasure: Erasure, file: Path, *, at_once: int = _LARGE_BYTES) -> bool:
    """Whether the bytes of a file, of any size, hold it; `at_once`: bytes of a piece."""
    return any(map(erasure.holds, _pieces(file, at_once)))


def _pieces(file: Path, at_once: int) -> Iterator[bytes]:
    """The bytes of a file, the large ones in pieces that overlap: no passage falls between."""
    before = b""
    with open(file, "rb") as stream:
        while piece := stream.read(at_once):
            yield before + piece
            before = piece[-_OVERLAP_BYTES:]


def changes_of(vault: Vault, erasure: Erasure, loose: Loose) -> list[Write | Remove]:
    """How such a file of ours becomes clean."""
    algorithm = vault.history.algorithm
    expects = blob_oid(loose.data, algorithm=algorithm)
    stem = loose.path.stem
    if erasure.is_gone(stem) or is_note_of(loose.data, erasure.ids):
        return [Remove(path=loose.path, expects=expects)]
    if loose.path.parts[0] == TRASH and b"\0" in loose.data:  # a picture: deleted already
        return [Remove(path=loose.path, expects=expects)]
    name = erasure.name(stem)
    if name == stem and erasure.says(stem):  # a name that the history never had
        return [Remove(path=loose.path, expects=expects)]
    data = erasure.clean(loose.data)
    if name == stem:
        return [Write(path=loose.path, content=data, expects=expects)]
    other = loose.path.with_name(f"{name}{loose.path.suffix}")
    return [
        Write(path=other, content=data, expects=None),
        Remove(path=loose.path, expects=expects),
    ]


def state_files(state: Path) -> Iterator[Path]:
    """Files of the device state that are kept as they are, by path."""
    for folder, below, names in os.walk(state):
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink() and not name.startswith(REMADE):
                yield file


def clean_state(state: Path, erasure: Erasure) -> int:
    """Take it out of files of the device state; what is no text goes whole. How many it was in."""
    found = 0
    for file in state_files(state):
        if not bytes_hold(erasure, file) and not erasure.says(file.stem):
            continue
        found += 1
        data = file.read_bytes()
        after = erasure.clean(data)
        if b"\0" in data or erasure.says(file.stem) or erasure.holds(after):
            file.unlink()
            continue
        base.replace_file(file, after, is_durable=True)
    return found


# The second half of an erasure: needs no word of what is erased, and may be done twice.

OP = "purge"
# Of the device state: made anew, or no more than a reminder in words of notes.
_DISPOSABLE = ("notices.json", "staged", "answers.log", "answers.old", "root-commits.json")


def switch_over(vault: Vault, engine: Engine, switch: Switch) -> None:
    """Make it certain, and do it."""
    file = vault.state / PURGING

    def note() -> None:
        _write(file, switch.to_bytes())

    git.replace.carry_out(engine, switch, note=note)
    _end(vault, engine, switch)


def finish(vault: Vault) -> bool:
    """Finish what a process that died had made certain; whether there was something."""
    switch = git.replace.read_switch(vault.state / PURGING)
    if switch is None:
        return False
    repository = git.open_repository(vault.root, environment=os.environ)
    engine = git.open_engine(repository, vault.state, os.environ)
    try:
        git.replace.carry_out(engine, switch)
    except HeadMovedError:
        # Somebody committed on top of the old history meanwhile: both are whole, and the words
        # are still in it. Erasing again erases the rest.
        (vault.state / PURGING).unlink(missing_ok=True)
        raise
    _end(vault, engine, switch)
    return True


def _end(vault: Vault, engine: Engine, switch: Switch) -> None:

    # The old commits are dropped after the files are level; without them a process that died had
    # come further.
    if vault.history.exists(switch.old):
        publish_files(vault, _changes(vault, switch))
    # As if two spans of late writers had passed: a displaced file that waits in .vaultmem/tmp would
    # keep the words.
    files.recover(vault.root, now_ns=time.time_ns() + 2 * files.LATE_WRITER_NS)
    git.replace.drop_the_rest(engine, switch)
    shutil.rmtree(vault.state / check.KEPT, ignore_errors=True)
    for name in _DISPOSABLE:
        (vault.state / name).unlink(missing_ok=True)
    for file in vault.state.glob("vectors-*"):  # what a text meant can be told from its vector
        file.unlink(missing_ok=True)
    history.versions.drop(vault)
    # The index is made from nothing, not cleared: rows that were deleted leave their words in free
    # pages of SQLite.
    vaults.level.rebuild(vault)
    vaults.level.refresh(vault, rehash=True)
    vaults.ledger.accept(vault, why=OP)
    # Last of all: while the note is there, the next holder of the lock does all of this again.
    (vault.state / PURGING).unlink(missing_ok=True)


def _changes(vault: Vault, switch: Switch) -> list[Write | Remove]:
    """Files as the last commit has them now; one that was edited since has been seen to."""
    exchange = vault.history.exchange()
    before, after = exchange.entries(switch.old), exchange.entries(switch.new)
    found: list[Write | Remove] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old == new or (new is None and old is None):
            continue
        place = PurePosixPath(path)
        data = _on_disk(vault, place)
        oid = None if data is None else str(blob_oid(data, algorithm=vault.history.algorithm))
        if old is None and data is None and new is not None:
            found.append(Write(path=place, content=_blob(vault, new.oid), expects=None))
        elif old is not None and oid == old.oid:
            expects = Oid(old.oid)
            if new is None:
                found.append(Remove(path=place, expects=expects))
            else:
                content = _blob(vault, new.oid)
                found.append(Write(path=place, content=content, expects=expects))
    return found


def _blob(vault: Vault, oid: str) -> bytes:
    return dict(vault.history.blobs([oid]))[oid] or b""


def _on_disk(vault: Vault, path: PurePosixPath) -> bytes | None:
    try:
        return files.read(vault.root, path, limit=None)
    except VaultmemError:
        return None


def _write(file: Path, data: bytes) -> None:
    try:
        base.replace_file(file, data, mode=0o666, is_durable=True)
    except OSError as error:
        raise disk_error(error, doing="write", what=file) from error


# The proof of an erasure: every object and every file of every store, searched byte by byte.


def search(vault: Vault, engine: Engine, erasure: Erasure) -> tuple[int, tuple[str, ...]]:
    """How many objects and files were searched, and the places where it still is.

    Objects unpacked, reachable or not; files of `.git`, of the folder and of the device state as
    they are. Names count as well. The places never quote what was found.
    """
    places: list[str] = []
    searched = 0
    for number, place in objects_with(engine, erasure):
        searched += number
        places += [place] if place else []
    for name, file in files_of_git(engine.repository.git_dir):
        searched += 1
        if bytes_hold(erasure, file) or erasure.says(file.name):  # a branch may be named so
            places.append(name)
    for path, file in vault_files(vault.root):
        searched += 1
        if is_held_in(erasure, path, file):
            places.append(path.as_posix())
    for file in sorted(vault.state.rglob("*")):
        if file.is_file() and not file.is_symlink():
            searched += 1
            if bytes_hold(erasure, file) or erasure.says(file.stem):
                places.append(f"device state: {file.relative_to(vault.state).as_posix()}")
    return searched, tuple(places)
