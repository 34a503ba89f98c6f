"""The second half of an erasure: needs no word of what is erased, and may be done twice."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import HeadMovedError, VaultmemError, disk_error
from vaultmem.model.ids import Oid, blob_oid
from vaultmem.model.plan import Remove, Write
from vaultmem.vault.apply import publish_files
from vaultmem.vault.vault import PURGING

if TYPE_CHECKING:
    from vaultmem.storage.git.engine import Engine
    from vaultmem.storage.git.erase.replace import Switch
    from vaultmem.vault.vault import Parts

OP = "purge"
# Of the device state: made anew, or no more than a reminder in words of notes.
_DISPOSABLE = ("notices.json", "staged", "answers.log", "answers.old")


def switch_over(parts: Parts, engine: Engine, switch: Switch) -> None:
    """Make it certain, and do it."""
    from vaultmem.storage.git.erase import replace

    file = parts.state / PURGING

    def note() -> None:
        _write(file, switch.written())

    replace.carry_out(engine, switch, note=note)
    _end(parts, engine, switch)


def finish(parts: Parts) -> bool:
    """Finish what a process that died had made certain; whether there was something."""
    from vaultmem.storage.git.engine import open_engine
    from vaultmem.storage.git.erase import replace
    from vaultmem.storage.git.repository import open_repository

    switch = replace.read_switch(parts.state / PURGING)
    if switch is None:
        return False
    repository = open_repository(parts.root, environment=os.environ)
    engine = open_engine(repository, parts.state, os.environ)
    try:
        replace.carry_out(engine, switch)
    except HeadMovedError:
        # Somebody committed on top of the old history meanwhile: both are whole, and the words
        # are still in it. Erasing again erases the rest.
        (parts.state / PURGING).unlink(missing_ok=True)
        raise
    _end(parts, engine, switch)
    return True


def _end(parts: Parts, engine: Engine, switch: Switch) -> None:
    from vaultmem.check.repository import KEPT
    from vaultmem.history import versions
    from vaultmem.storage.files import recover
    from vaultmem.storage.files.recovery import LATE_WRITER_NS
    from vaultmem.storage.git.erase import replace
    from vaultmem.vault import ledger, level

    if parts.history.exists(switch.old):
        publish_files(parts, _changes(parts, switch))
    recover(parts.root, now_ns=time.time_ns() + 2 * LATE_WRITER_NS)
    replace.drop_the_rest(engine, switch)
    shutil.rmtree(parts.state / KEPT, ignore_errors=True)
    for name in _DISPOSABLE:
        (parts.state / name).unlink(missing_ok=True)
    for file in parts.state.glob("vectors-*"):  # what a text meant can be told from its vector
        file.unlink(missing_ok=True)
    versions.drop(parts)
    level.rebuild(parts)
    level.refresh(parts, rehash=True)
    ledger.accept(parts, why=OP)
    (parts.state / PURGING).unlink(missing_ok=True)


def _changes(parts: Parts, switch: Switch) -> list[Write | Remove]:
    """Files as the last commit has them now; one that was edited since has been seen to."""
    exchange = parts.history.exchange()
    before, after = exchange.entries(switch.old), exchange.entries(switch.new)
    found: list[Write | Remove] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old == new or (new is None and old is None):
            continue
        place = PurePosixPath(path)
        data = _on_disk(parts, place)
        oid = None if data is None else str(blob_oid(data, algorithm=parts.history.algorithm))
        if old is None and data is None and new is not None:
            found.append(Write(path=place, content=_blob(parts, new.oid), expects=None))
        elif old is not None and oid == old.oid:
            expects = Oid(old.oid)
            if new is None:
                found.append(Remove(path=place, expects=expects))
            else:
                content = _blob(parts, new.oid)
                found.append(Write(path=place, content=content, expects=expects))
    return found


def _blob(parts: Parts, oid: str) -> bytes:
    return dict(parts.history.blobs([oid]))[oid] or b""


def _on_disk(parts: Parts, path: PurePosixPath) -> bytes | None:
    from vaultmem.storage.files import read

    try:
        return read(parts.root, path, limit=None)
    except VaultmemError:
        return None


def _write(file: Path, data: bytes) -> None:
    from vaultmem.storage.git.locks import sync_folder, write_durably

    new = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        new.unlink(missing_ok=True)
        write_durably(new, data)
        os.replace(new, file)
        sync_folder(file.parent)
    except OSError as error:
        raise disk_error(error, doing="write", what=file) from error
