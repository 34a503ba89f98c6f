"""Look at the vault without changing it: one note, many notes, the whole at a glance."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

from vaultmem import history, models, recall, sessions
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, HistoryDamagedError, Literal, replace
from vaultmem.devices import open_notices
from vaultmem.model import Filters, Moment, NoteRow, Paths, Ranking, Shown, StatusReport
from vaultmem.storage import files
from vaultmem.storage.files import SCORER
from vaultmem.vault import find_note, held_back, ledger, level
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from vaultmem.history import Snapshot, When
    from vaultmem.model import Problem, Progress
    from vaultmem.vault import Notes, Vault


# What a vault needs to be searched, by how many facts it holds (algorithms.md 5.11).


Scale = Literal["flat", "fts", "hybrid", "linked"]

FLAT_BELOW, WORDS_BELOW, HYBRID_BELOW = 100, 500, 2000


def scale_of(
    facts: int,
    *,
    flat_below: int = FLAT_BELOW,
    words_below: int = WORDS_BELOW,
    hybrid_below: int = HYBRID_BELOW,
) -> Scale:
    """The tier of so many facts; a bound belongs to the tier above it.

    flat    every fact could be read
    fts     words alone are enough
    hybrid  several rankings together
    linked  links and summaries too
    """
    if facts < flat_below:
        return "flat"
    if facts < words_below:
        return "fts"
    return "hybrid" if facts < hybrid_below else "linked"


# To find problems between notes every item is read: about 0.1 s for so many.
MOST_ITEMS = 500


def show(
    vault: Vault,
    ref: str,
    *,
    as_of: When | None = None,
    known_at: When | None = None,
    progress: Progress | None = None,
) -> Shown:
    """One note in full: its text, sources, what links to it, its problems; as of another time."""
    if as_of is None and known_at is None:
        return answering.mark_if_lagging(vault, answering.reading(vault, lambda: _show(vault, ref)))

    found = answering.reading(
        vault,
        lambda: history.seeing(
            vault,
            lambda snapshot: _shown_then(vault, ref, snapshot),
            as_of=as_of,
            known_at=known_at,
            progress=progress,
        ),
    )
    return answering.mark_if_lagging(vault, found)


def _shown_then(vault: Vault, ref: str, snapshot: Snapshot) -> Shown:
    shown = _show(vault, ref, snapshot)
    return replace(
        shown,
        moment=snapshot.moment,
        held=snapshot.holds(shown.note),
        later=history.later(vault, snapshot, shown.note),
    )


def _show(vault: Vault, ref: str, snapshot: Snapshot | None = None) -> Shown:
    notes: Notes = vault.index if snapshot is None else snapshot.notes
    is_past = snapshot is not None and snapshot.is_of_past
    row = find_note(vault, ref, among=notes, is_past=is_past)
    sources = (notes.resolve_link(target) for target in row.source)
    pending = set() if is_past else set(vault.index.pending_paths())
    return Shown(
        note=row,
        text=_bytes(vault, row, is_past=is_past).decode("utf-8", "replace"),
        passages=notes.passages(row.path),
        sources=tuple(source for source in sources if source is not None),
        backlinks=notes.backlinks(row),
        problems=tuple(problem for problem in notes.problems() if problem.path == row.path),
        pending=row.path.as_posix() in pending,
    )


def _bytes(vault: Vault, row: NoteRow, *, is_past: bool) -> bytes:
    """The file as it is, or as the history has it."""
    if not is_past and vault.index.note(row.path) is not None:
        return vaults.text_of(vault, row)
    ((_, data),) = vault.history.blobs([row.oid])
    if data is None:
        raise HistoryDamagedError(f"an earlier text of '{row.path}' is gone from the repository")
    return data


def listing(
    vault: Vault,
    filters: Filters,
    *,
    limit: int | None,
    as_of: When | None = None,
    known_at: When | None = None,
    progress: Progress | None = None,
) -> tuple[NoteRow, ...]:
    """Notes that pass the filters, newest first (None: all of them); of now, or another time.

    raises  BadInputError  a limit below 0, which would list all
    """
    # SQLite takes a limit below 0 for none: `list` gave the whole vault.
    if limit is not None and limit < 0:
        raise BadInputError(f"{limit} notes cannot be listed", hint="leave the limit out for all")
    if as_of is None and known_at is None:
        return answering.reading(vault, lambda: tuple(vault.index.list(filters, limit=limit)))

    return answering.reading(
        vault,
        lambda: history.seeing(
            vault,
            lambda snapshot: snapshot.list(filters, limit=limit),
            as_of=as_of,
            known_at=known_at,
            by_status=bool(filters.statuses),
            words=bool(filters.entities),  # who is named stands beside the words
            progress=progress,
        ),
    )


def moment(vault: Vault, *, as_of: When | None, known_at: When | None, by_status: bool) -> Moment:
    """What times mean in this vault: the instants, and the last commit that was known then."""
    return history.seeing(
        vault,
        lambda snapshot: snapshot.moment,
        as_of=as_of,
        known_at=known_at,
        by_status=by_status,
        words=False,
    )


def status(vault: Vault) -> StatusReport:
    """The vault at a glance. Nothing is proportional to its size but the size of its folders."""
    return level.reading(vault, lambda: _status(vault))


def _sessions(vault: Vault) -> tuple[int, int, int]:
    """Open conversations, turns of theirs without a summary, and rules in them that wait."""
    # Most vaults have none, and need no import.
    has_some = os.path.exists(vault.root / sessions.SESSIONS)
    return sessions.standing(vault) if has_some else (0, 0, 0)


def _status(vault: Vault) -> StatusReport:
    index, history = vault.index, vault.history
    counts = index.counts()
    # A damaged history is no reason to say nothing of the notes.
    head, branch, last, damage = None, None, None, ""
    try:
        head, branch = history.head(), history.branch()
        last = history.log(limit=1)[0] if head is not None else None
    except HistoryDamagedError as error:
        damage = error.message
    found = [
        *index.problems(),
        *held_back(vault),
        *open_notices(vault),
        *_between_notes(vault, counts.notes.get("item", 0)),
    ]
    problems = Counter(problem.severity.value for problem in found)
    vault_bytes, git_bytes = _sizes(vault.root)
    open_sessions, unsummarised, held = _sessions(vault)
    return StatusReport(
        root=vault.root,
        name=vault.settings.name,
        notes=counts.notes,
        items=counts.items,
        streams=counts.streams,
        projects=counts.projects,
        statuses=counts.statuses,
        passages=counts.passages,
        words=counts.words,
        problems=dict(sorted(problems.items())),
        pending=Paths(index.pending_paths()),
        head=head,
        branch=branch,
        last_commit=last.subject if last is not None else "",
        last_commit_at=last.at_ms if last is not None else None,
        waiting=history.in_progress() or "",
        damage=damage,
        index_bytes=_index_bytes(index.file),
        vault_bytes=vault_bytes,
        git_bytes=git_bytes,
        synced_at=answering.synced_at(vault),
        watcher=_watcher(vault),
        review=counts.statuses.get("candidate", 0) + held,
        state_folder=vault.state,
        rewound=ledger.rewound(vault),
        anchored=ledger.is_begun(vault),
        scale=_scale(vault, sum(counts.items.values())),
        embeddings=_embeddings(vault),
        rankings=_rankings(vault),
        open_sessions=open_sessions,
        unsummarised=unsummarised,
        imports=_imports(os.environ.get("PYTHONPATH", "")),
    )


def _imports(path: str) -> str:
    """What is wrong with a PYTHONPATH that means the working folder, whichever that is; ''.

    An empty entry does, and so does '.'. Python obeys before our first line, with `sitecustomize`.
    """
    # What PYTHONPATH names is imported before our first line: a click.py in a vault ran with every
    # command typed as `python -m vaultmem`.
    if not path or sys.flags.ignore_environment:
        return ""
    entries = path.split(os.pathsep)
    if not any(entry == "" or os.path.normpath(entry) == "." for entry in entries):
        return ""
    what = "'.'" if "" not in entries else "an empty entry"
    return f"PYTHONPATH has {what}: Python runs modules of whatever folder you are in"


def _embeddings(vault: Vault) -> str:
    on = models.is_on(vault.settings)
    return recall.standing(vault) if on else f"off{_recommendation(vault)}"


def _recommendation(vault: Vault) -> str:
    """A line about the extra, once for each vault on this device, unless 'none' was chosen."""
    told = vault.state / "embeddings-recommended"
    if vault.settings.embeddings_provider != models.AUTO or told.exists():
        return ""
    with suppress(OSError):
        told.touch()
    return "; the extra 'embeddings' finds notes in other words (`vaultmem help embeddings`)"


def _scale(vault: Vault, facts: int) -> str:
    return scale_of(
        facts,
        flat_below=vault.settings.retrieval_flat_below,
        words_below=vault.settings.retrieval_words_below,
        hybrid_below=vault.settings.retrieval_hybrid_below,
    )


def _rankings(vault: Vault) -> tuple[Ranking, ...]:
    """The presets of which somebody judged an answer, with their weights."""
    if not (vault.root / SCORER).exists():
        return ()

    presets = recall.judged_presets(vault)
    return tuple(
        recall.learn_weights(vault, name, recall.fixed_weights(vault.settings, name))
        for name in presets
    )


def _between_notes(vault: Vault, items: int) -> tuple[Problem, ...]:
    """Problems between notes, where looking for them is not felt; `check` always looks."""
    if items > MOST_ITEMS:
        return ()
    from vaultmem.check.between_notes import between_notes  # saves 40 modules

    return between_notes(vault)


def _index_bytes(file: Path) -> int:
    """Size of the database with its write-ahead log."""
    beside = (file, file.with_name(file.name + "-wal"), file.with_name(file.name + "-shm"))
    return sum(part.stat().st_size for part in beside if part.exists())


def _sizes(root: Path) -> tuple[int, int]:
    """Bytes of the files outside and inside `.git`; links are not followed."""
    total = {False: 0, True: 0}
    top = str(root)
    folders = [(top, False)]
    while folders:
        folder, in_git = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        # In strings: a `Path` for each of 3,500 folders of 20,000 notes was a quarter of `status`.
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append((entry.path, in_git or (folder == top and entry.name == ".git")))
            elif entry.is_file(follow_symlinks=False):
                inside = in_git or (folder == top and entry.name == ".git")
                with suppress(OSError):  # in a folder that may be listed and not entered
                    total[inside] += entry.stat(follow_symlinks=False).st_size
    return total[False], total[True]


def _watcher(vault: Vault) -> str:
    beat = files.read_heartbeat(vault.state)
    if beat is None:
        return "not running"
    pause = f", without events: looks every {vault.settings.watch_poll_seconds:g} s"
    return f"running (process {beat.pid}{pause if beat.polls else ''})"


def file_of(vault: Vault, ref: str) -> Path:
    """The file of a note, for an editor."""
    return vault.root / level.reading(vault, lambda: find_note(vault, ref)).path
