"""Today's daily note: a block of what was learned and what is due, where the settings name it.

The note is the person's: it is never made here, as their template makes it, and outside the block
not one byte changes (storage/notes/today_block.py says whose a line in it is). A note that
`include` names is committed like any note that vaultmem follows; any other is a file that no commit
and no index of vaultmem knows, and stays so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem import base, edit, safety
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    DiskError,
    MissingFileError,
    PatchRefusedError,
    SettingsError,
    StaleFileError,
    UnsafePathError,
    dataclass,
    replace,
)
from vaultmem.config import daily_note_path
from vaultmem.language import (
    DAY_MS,
    civil,
    day_start,
    format_date,
    format_minute,
    local_day,
    visible,
)
from vaultmem.model import (
    UNTRUSTED,
    DailyNote,
    NoteRow,
    Plan,
    Write,
    blob_oid,
    is_current,
    shorten,
    subject,
)
from vaultmem.storage import files, git
from vaultmem.storage.notes import today_block
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.vault import Vault

OP = "daily-note"
WRITTEN = "daily-note.json"
"""In the device state: what was last written into the note of today, to tell it from edits."""
_LONGEST = 200  # characters of a statement
_MOST_OVERDUE_DAYS = 30  # what was due earlier is listed by `report` and `check`


def path_of_today(vault: Vault) -> PurePosixPath | None:
    """The daily note that the settings name; None where they name none.

    raises SettingsError  it lies where vaultmem keeps its own notes
    """
    pattern = vault.settings.obsidian_daily_note
    if not pattern:
        return None
    path = daily_note_path(pattern, vault.clock.now(), vault.settings.timezone)
    top = files.key(path.parts[0])
    if top in map(files.key, (*files.TOPS, files.OWN)):
        raise SettingsError(
            f"'obsidian.daily_note' names '{path}', a place of the vault's own notes",
            hint="keep daily notes in a folder of their own, such as Daily/%Y-%m-%d.md",
        )
    return path


def update(vault: Vault) -> DailyNote | None:
    """Bring the block of today's note up to date; None where the settings name no note.

    What is in the way of it (marks that do not pair, a link) is told in the report, and the note
    is left as it is.
    raises SettingsError
    """
    path = path_of_today(vault)
    if path is None:
        return None
    try:
        return vaults.retry_when_stale(lambda: _update(vault, path))
    except (PatchRefusedError, UnsafePathError, StaleFileError, DiskError) as error:
        return DailyNote(path=path, problem=error.message, hint=error.hint)


def _update(vault: Vault, path: PurePosixPath) -> DailyNote:
    found = level.reading(vault, lambda: _change(vault, path))
    if found.write is None:
        _keep(vault, path, found.written)
        return found.report
    with edit.writer(vault):
        found = _change(vault, path)
        if found.write is None:
            return found.report
        if _waits(vault, path):
            return replace(
                found.report,
                changed=False,
                problem="words of yours in it are in no commit yet: staged, or with a secret",
                hint="commit them; `vaultmem check` names a secret",
            )
        if _is_followed(vault, path):
            what = subject("daily", path.stem)
            vaults.apply(
                vault, [Plan(op=OP, actor="maintenance", subject=what, changes=(found.write,))]
            )
        else:
            vaults.place(vault.root, [found.write])
        # Not before: a line that is told of and not in the note counts as taken out by the person.
        _keep(vault, path, found.written)
    return found.report


def _is_followed(vault: Vault, path: PurePosixPath) -> bool:
    return git.tracked_paths(vault.settings.include)(path.as_posix())


def _waits(vault: Vault, path: PurePosixPath) -> bool:
    """Whether words of the person in it are in no commit yet, so that ours would take them along.

    They have staged it, or it holds a secret.
    """
    name = path.as_posix()
    return any(state.path == name for state in vault.index.pending()) or (
        _is_followed(vault, path) and name in vault.history.staged_paths((name,))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    report: DailyNote
    written: today_block.Written
    write: Write | None = None  # None: nothing changes


def _change(vault: Vault, path: PurePosixPath) -> _Change:
    last = _last(vault, path)
    try:
        data = files.read(vault.root, path)
    except MissingFileError:
        return _Change(report=DailyNote(path=path, is_missing=True), written=last)
    told = _lines_of_day(vault)
    after, written = today_block.update(data, told, last)
    learned = sum(each.heading == today_block.LEARNED for each in told)
    report = DailyNote(path=path, learned=learned, due=len(told) - learned, changed=after != data)
    if after == data:
        return _Change(report=report, written=written)
    expects = blob_oid(data, algorithm=_algorithm(vault, path))
    return _Change(
        report=report, written=written, write=Write(path=path, content=after, expects=expects)
    )


def _algorithm(vault: Vault, path: PurePosixPath) -> str:
    return vault.history.algorithm if _is_followed(vault, path) else "sha1"


def _lines_of_day(vault: Vault) -> list[today_block.Told]:
    """What was learned today, and what is due and open; what is both is due."""
    zone, now = vault.settings.timezone, vault.clock.now()
    today = local_day(now, zone)
    begins, ends = day_start(today, zone), day_start(today + 1, zone)
    overdue = begins - _MOST_OVERDUE_DAYS * DAY_MS
    is_open = [row for row in vault.index.due_between(overdue, ends) if _is_told(row, now)]
    due = [
        today_block.Told(
            today_block.DUE, row.path.stem, f"{_words(row)} ({_when(row, begins, zone)})"
        )
        for row in is_open
    ]
    is_due = {row.path for row in is_open}
    learned = [
        today_block.Told(today_block.LEARNED, row.path.stem, _words(row))
        for row in _recorded_today(vault, now)
        if row.path not in is_due and _is_told(row, now)
    ]
    return [*learned, *due]


def _recorded_today(vault: Vault, now: int) -> Sequence[NoteRow]:
    """Items that were recorded today, by the folder of their day, oldest first."""
    year, month, day = civil(now, vault.settings.timezone)
    folder = PurePosixPath(files.ITEMS, f"{year:04}", f"{month:02}", f"{day:02}")
    try:
        names = sorted(each.name for each in (vault.root / folder).iterdir())
    except OSError:  # nothing was recorded yet
        return ()
    rows = vault.index.notes({folder / name for name in names if files.is_markdown(name)}).values()
    return sorted(rows, key=lambda row: (row.confidence_at or row.date or 0, row.id))


def _is_told(row: NoteRow, now: int) -> bool:
    return row.type == "item" and bool(row.id) and is_current(row, now) and row.trust != UNTRUSTED


def _words(row: NoteRow) -> str:
    """The statement as a line may show it: one line, nothing that acts, no link of its own."""
    text = safety.mark_inert(visible(shorten(" ".join(row.statement.split()), _LONGEST)))
    return text.replace("[[", "[ [").replace("]]", "] ]")


def _when(row: NoteRow, begins: int, zone: str) -> str:
    due = row.due or 0
    if due < begins:
        return f"was due {format_date(due, zone)}"
    return "due today" if due == begins else f"due {format_minute(due, zone)[-5:]}"


# What was written last, on this device; of today's note alone.


def _last(vault: Vault, path: PurePosixPath) -> today_block.Written:
    """What was written into this note last; nothing where that is not known."""
    try:
        told = json.loads((vault.state / WRITTEN).read_text(encoding="utf-8"))
        if told["path"] != path.as_posix():
            raise ValueError(told["path"])
        lines = {str(target): str(line) for target, line in told["lines"].items()}
        deleted = frozenset(map(str, told["deleted"]))
        return today_block.Written(lines=lines, deleted=deleted, is_gone=told["is_gone"] is True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return today_block.Written(lines={})


def _keep(vault: Vault, path: PurePosixPath, written: today_block.Written) -> None:
    if written == _last(vault, path):
        return
    told = {
        "path": path.as_posix(),
        "lines": dict(written.lines),
        "deleted": sorted(written.deleted),
        "is_gone": written.is_gone,
    }
    base.replace_file(vault.state / WRITTEN, json.dumps(told, ensure_ascii=False).encode())
