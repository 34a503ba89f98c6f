"""Write a whole memory, or what is new in it, into one JSON document (docs/carrying.md).

A note is what lies on disk, also where it is not committed yet; one that a secret keeps out of the
history is as last committed. Nothing of the device state goes along, and the vault is not
changed; the ledger of this device says that an export was made.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem import __version__, history, model, privacy
from vaultmem import vault as vaults
from vaultmem.base import (
    IO,
    TYPE_CHECKING,
    Any,
    BadInputError,
    CannotCreateError,
    HistoryDamagedError,
    HistoryIncompleteError,
    StaleFileError,
    dataclass,
    disk_error,
)
from vaultmem.model import (
    SCHEMA,
    SCHEMA_VERSION,
    SECTIONS,
    Exported,
    Oid,
    blob_oid,
    pluralise,
)
from vaultmem.storage import files, notes
from vaultmem.transfer.session_notes import (
    Entry,
    attached_entries,
    describe_note,
    encode_bytes,
    texts_over_time,
    time,
)

if TYPE_CHECKING:
    from vaultmem.model import FileState, NoteRow, Progress, Version
    from vaultmem.storage.index import Past
    from vaultmem.vault import Vault


# One JSON document with a whole memory: written piece by piece, one note a line.

Json = Any
"""A value as the json module takes it."""


class Writer:
    """Writes a JSON object to a binary file, its lists one entry a line; holds one at a time."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self.bytes = 0
        self._put("{")
        self._is_first = True

    def value(self, key: str, value: Json) -> None:
        """A key with a value that fits into memory."""
        self._key(key)
        self._put(_json(value))

    def entries(self, key: str, values: Iterable[Mapping[str, Json]]) -> int:
        """A key with a list, entry by entry; how many there were."""
        self._key(key)
        number = 0
        for number, value in enumerate(values, start=1):
            self._put(f"{'[' if number == 1 else ','}\n{_json(value)}")
        self._put("\n]" if number else "[]")
        return number

    def close(self) -> None:
        """End the object; the file stays open."""
        self._put("\n}\n")

    def _key(self, key: str) -> None:
        self._put(f"{'' if self._is_first else ','}\n{_json(key)}: ")
        self._is_first = False

    def _put(self, text: str) -> None:
        data = text.encode()
        self._out.write(data)
        self.bytes += len(data)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


_FORMAT = 1  # of the vault itself (docs/format.md)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The files that go along."""

    by_section: Mapping[str, Sequence[FileState]]
    rows: Mapping[PurePosixPath, NoteRow]
    held: frozenset[str]
    recorded: Mapping[str, tuple[str, int, int | None]]  # by path, as `Past.record_times`


def export(
    vault: Vault,
    target: Path | IO[bytes],
    *,
    since: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Write the document to a file (whole or not at all), or to a binary stream.

    since   only what was recorded from this instant (UTC ms) on, or is not committed yet
    force   write over a file that is there
    raises  CannotCreateError       the file is there, or cannot be made
            BadInputError           the file would be one of the vault's own
            StaleFileError          a note changed while it was read; nothing is left behind
            HistoryIncompleteError  `since` asks what this clone does not know
            DiskError, BusyError    the ledger cannot list it; nothing is left behind
    """

    def read() -> Exported:
        vaults.level.refresh(vault, progress=progress)
        # One state of the index for all that is read of it: a sync in between would mix rows and
        # texts of two.
        with vault.index.snapshot():
            return _export(vault, target, since=since, force=force, progress=progress)

    # Somebody writes: nothing was given out, so from the beginning.
    return vaults.retry_when_stale(read)


def _export(
    vault: Vault,
    target: Path | IO[bytes],
    *,
    since: int | None,
    force: bool,
    progress: Progress | None,
) -> Exported:
    job = _Job(vault, since=since, progress=progress)
    if not isinstance(target, Path):
        with tempfile.TemporaryFile() as spool:  # nothing is printed of what fails in the middle
            report = _write(job, spool, None)
            _note(vault, report)
            spool.seek(0)
            shutil.copyfileobj(spool, target)
        return report
    require_place(vault, target, force=force)
    with atomic_file(target, force=force) as out:
        report = _write(job, out, target)
        _note(vault, report)
        return report


def _note(vault: Vault, report: Exported) -> None:
    """Say in the ledger that memory is given out, before the file has its name.

    Without the name of the file: it may be a person's, and an erasure changes no line there.
    """
    where = "the standard output" if report.file is None else "a file"
    how_much = pluralise(sum(report.notes.values()), "note")
    vaults.note_sending(vault, "export", where, how_much)


def require_place(vault: Vault, target: Path, *, force: bool) -> None:
    """Raise where a file may not be written: in the vault's own folders, or over another one."""
    with contextlib.suppress(ValueError):
        # The real folder: a link outside the vault may lead into it.
        inside = Path(os.path.realpath(target.parent), target.name).relative_to(vault.root)
        if inside.parts[:1] and inside.parts[0].casefold() in (
            *files.TOPS,
            files.OWN,
            files.SETTINGS,
            ".git",
        ):
            raise BadInputError(
                f"'{target}' is a place of the vault's own files",
                hint="name a file beside the folders of notes, or outside the vault",
            )
    if not force and os.path.lexists(target):
        raise CannotCreateError(f"'{target}' exists", hint="--force writes over it")


@contextlib.contextmanager
def atomic_file(target: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """A new file that takes its name when all is written and on disk."""
    try:
        # Beside the target, as a rename does not cross file systems.
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise CannotCreateError(
            f"cannot write into '{target.parent}': {error.strerror}", hint="choose another place"
        ) from error
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _take_name(name, target, force=force)
    except OSError as error:
        raise disk_error(error, doing="write", what=target) from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _take_name(name: str, target: Path, *, force: bool) -> None:
    if force:
        os.replace(name, target)
        return
    try:
        os.link(name, target)  # fails where somebody made the file meanwhile
    except FileExistsError:
        raise CannotCreateError(f"'{target}' exists", hint="--force writes over it") from None
    except OSError:  # a file system without links
        if os.path.lexists(target):
            raise CannotCreateError(f"'{target}' exists", hint="--force writes over it") from None
        os.rename(name, target)


class _Job:
    """What one export is about; the history is read when it is made."""

    def __init__(self, vault: Vault, *, since: int | None, progress: Progress | None) -> None:
        self.vault = vault
        self.since = since
        self.progress = progress
        self.head = vault.index.meta("head") or None
        self.past = _past(vault, progress, is_needed=since is not None)

    @property
    def zone(self) -> str:
        return self.vault.settings.timezone

    def head_recorded_at(self) -> int | None:
        """Record time of the last commit; None: there is none, or the history is not known."""
        return None if self.past is None else self.past.head()[1]

    def is_complete(self) -> bool:
        """Whether the history that goes along begins where the vault did."""
        history = self.vault.history
        return self.past is not None and not history.is_shallow() and not history.gaps().after


def _past(vault: Vault, progress: Progress | None, *, is_needed: bool) -> Past | None:
    """The versions of all notes; None where a clone was cut so that they cannot be read."""
    if is_needed and vault.history.is_shallow():
        raise history.versions.incomplete(
            "it is a shallow clone, so what is new in it is not known"
        )
    try:
        return history.versions.level(vault, progress=progress)
    except (HistoryIncompleteError, HistoryDamagedError):
        if is_needed:
            raise
        return None


def _write(job: _Job, out: IO[bytes], target: Path | None) -> Exported:
    settings = job.vault.settings
    chosen = _choose(job)
    writer = Writer(out)
    writer.value("schema", SCHEMA)
    writer.value("schema_version", SCHEMA_VERSION)
    writer.value("program", f"vaultmem {__version__}")
    writer.value(
        "vault",
        {
            "id": settings.id,
            "name": settings.name,
            "timezone": settings.timezone,
            "format": _FORMAT,
        },
    )
    state = {
        "commit": job.head,
        "recorded_at": time(job.head_recorded_at(), job.zone),
        "history": "complete" if job.is_complete() else "incomplete",
    }
    writer.value("state", state)
    writer.value("since", time(job.since, job.zone))
    notes = {}
    for section, states in chosen.by_section.items():
        found = _entries(job, states, chosen)
        notes[section] = writer.entries(section, _report_progress(job, found, section, len(states)))
    paths = {state.path for states in chosen.by_section.values() for state in states}
    beside = writer.entries("attached", attached_entries(job.vault, paths))
    blobs: dict[str, None] = {}
    found = texts_over_time(_versions(job, blobs), job.zone)
    kept = writer.entries("history", _report_progress(job, found, "history", 0))
    earlier = _earlier_texts(job.vault, _not_said(blobs, chosen))
    former = writer.entries("texts", _report_progress(job, earlier, "texts", 0))
    writer.close()
    return Exported(
        file=target,
        notes=notes,
        attached=beside,
        versions=kept,
        texts=former,
        bytes=writer.bytes,
        commit=job.head,
        since=job.since,
        is_complete=job.is_complete(),
        held_back=tuple(PurePosixPath(path) for path in sorted(chosen.held)),
    )


def _versions(job: _Job, blobs: dict[str, None]) -> Iterator[Version]:
    """The versions that go along; the names of their bytes are left in `blobs`, in order."""
    for version in () if job.past is None else job.past.items_since(job.since):
        blobs[version.oid] = None
        yield version


def _earlier_texts(vault: Vault, blobs: Sequence[str]) -> Iterator[Entry]:
    """What items said before, each text that may travel and is here once, in the order asked for.

    A text is known by Git's name of its bytes, which the versions of the history name, too. One
    that holds a secret stays at home: nobody reads what was said before, so nobody would see it
    go. So does one that was erased on this device.
    """
    erased = vaults.Erased(vault.settings)
    for blob, data in vault.history.blobs([Oid(each) for each in blobs]):
        if data is None:  # a clone that was filtered
            continue
        text = data.decode("utf-8", "replace")
        if not privacy.find_secrets(text) and not erased.holds(text):
            yield {"blob": blob} | encode_bytes(data)


def _not_said(blobs: Iterable[str], chosen: _Chosen) -> list[str]:
    """Names of bytes that no note of the document has as its text."""
    said = {
        str(state.head_oid if state.path in chosen.held else state.oid)
        for states in chosen.by_section.values()
        for state in states
    }
    return [blob for blob in blobs if blob not in said]


def _report_progress(
    job: _Job, entries: Iterator[Entry], section: str, total: int
) -> Iterator[Entry]:
    for number, entry in enumerate(entries, start=1):
        yield entry
        if job.progress is not None and number % 100 == 0:
            job.progress(f"exporting {section}", number, total)


def _choose(job: _Job) -> _Chosen:
    """Notes in the folders of the vault, by section and path; what `include` names stays here."""
    vault = job.vault
    rows = {row.path: row for row in vault.index.list(model.Filters())}
    recorded = {} if job.past is None else job.past.record_times()
    of_type = {kind: section for section, kind in SECTIONS.items()}
    by_section: dict[str, list[FileState]] = {section: [] for section in SECTIONS}
    held = vaults.held_paths(vault)
    for state in vault.index.files(None).values():
        path = PurePosixPath(state.path)
        is_there = state.head_oid if state.path in held else state.oid
        if not is_there or len(path.parts) < 2 or path.parts[0] not in files.TOPS:
            continue
        if job.since is not None and not _is_new(state, recorded, job.since):
            continue
        row = rows.get(path)
        by_section[of_type[row.type if row is not None else "page"]].append(state)
    return _Chosen(by_section=by_section, rows=rows, held=held, recorded=recorded)


def _is_new(
    state: FileState, recorded: Mapping[str, tuple[str, int, int | None]], since: int
) -> bool:
    """Whether what a file says was recorded from an instant on, or is in no commit yet."""
    _, at, _ = recorded.get(state.path, ("", since, None))
    return at >= since or state.oid != state.head_oid


def _entries(job: _Job, states: Sequence[FileState], chosen: _Chosen) -> Iterator[Entry]:

    for state, data in _read(job.vault, states, chosen.held):
        path = PurePosixPath(state.path)
        record = notes.decode(path, data, Oid(""), zone=job.zone).record
        entry: Entry = {"path": state.path}
        entry |= describe_note(record, chosen.rows.get(path), zone=job.zone)
        _, at, first = chosen.recorded.get(state.path, ("", None, None))
        if state.oid != state.head_oid and state.path not in chosen.held:
            entry["pending"] = True
        elif at is not None:
            entry["recorded_at"] = time(at, job.zone)
        if first is not None:
            entry["first_recorded_at"] = time(first, job.zone)
        yield entry | encode_bytes(data)


def _read(
    vault: Vault, states: Sequence[FileState], held: frozenset[str]
) -> Iterator[tuple[FileState, bytes]]:
    """Each file with the bytes that the index knows of it; a held one as last committed."""
    committed = [state.head_oid for state in states if state.path in held]
    kept = dict(vault.history.blobs(committed)) if committed else {}
    asked = [state for state in states if state.path not in held]
    on_disk = files.read_each(
        vault.root, [PurePosixPath(state.path) for state in asked], limit=None
    )
    for state in states:
        if state.path in held:
            data = kept.get(state.head_oid)
            if data is not None:
                yield state, data
            continue
        path, found = next(on_disk)
        if isinstance(found, Exception):
            raise found
        if blob_oid(found, algorithm=vault.history.algorithm) != state.oid:
            raise StaleFileError(path, expected=state.oid, found=None)
        yield state, found
