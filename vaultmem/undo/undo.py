"""Take operations back: by one new commit, all of them or none, and never over a later edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem import devices, edit, history
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, UndoRefusedError, UnknownNoteError
from vaultmem.edit import agree
from vaultmem.history import LOOK_BACK, newest_standing, path_of, undone_by
from vaultmem.model import UNDOES, Plan, Undone, pluralise, subject
from vaultmem.storage import merging, notes
from vaultmem.storage.files import CATEGORIES, ITEMS, TOPS
from vaultmem.vault import WorkingCopy

if TYPE_CHECKING:
    from vaultmem.storage.git import LogEntry
    from vaultmem.vault import Vault

MOST = 100  # operations taken back at once; their ids are one line of the commit
_WHOLE_HISTORY = 10_000_000  # commits
_MOST_NAMED = 3  # later changes in a message
_SHORT = 8
_FEW = 20  # files: of so many, each is asked for by its path


def undo(vault: Vault, commit: str | None = None, *, last: int = 1) -> Undone:
    """Take operations back by one new commit: a named one, or the last ones not undone yet.

    last     how many, 1 to 100; a person's own edits are taken back only when named
    raises   UndoRefusedError  something of it was changed since; nothing is touched then
             BadInputError     there is nothing to undo, or not so much
    """
    if not 1 <= last <= MOST:
        raise BadInputError(f"{last} operations cannot be undone", hint=f"1 to {MOST} can")
    with edit.writer(vault):
        targets, since = _targets(vault, commit, last)
        working_copy = WorkingCopy(vault)
        # From the newest back: an earlier operation is compared with what it left only when the
        # later ones are taken out.
        for place, target in enumerate(targets):
            _take_back(vault, target, working_copy, since=since, beside=targets[:place])
        paths = tuple(dict.fromkeys(path for target in targets for path in target.paths))
        # A bullet that lost its block id here is not made an item again at once: that was undone.
        problems = agree(vault, working_copy, paths, adopt=False)
        plan = Plan(
            op="undo",
            actor="person",
            subject=_subject(targets),
            changes=working_copy.step(),
            trailers=((UNDOES, ", ".join(target.commit for target in targets)),),
            details="" if len(targets) == 1 else "\n".join(f"- {one.subject}" for one in targets),
        )
        vault.is_open = vault.is_open or bool(problems)
        done = vaults.apply(vault, [plan])
    if not done:
        raise BadInputError(f"'{targets[0].subject}' left nothing to undo")
    return Undone(
        commit=done[-1].commit,
        subject=plan.subject,
        undid=targets[0].commit,
        paths=done[-1].paths,
        taken_back=tuple(target.commit for target in targets),
    )


def _subject(targets: Sequence[LogEntry]) -> str:
    if len(targets) == 1:
        return subject("undo", targets[0].subject)
    return subject("undo", f"{pluralise(len(targets), 'operation')}, back to {targets[-1].subject}")


def _targets(
    vault: Vault, commit: str | None, last: int
) -> tuple[tuple[LogEntry, ...], tuple[LogEntry, ...]]:
    """What to undo, newest first, and all commits from the newest one down to the oldest of it."""
    if vault.history.head() is None:
        raise BadInputError("there is nothing to undo: the vault has no history yet")
    entries = vault.history.log(limit=LOOK_BACK)
    if commit is not None:
        return _find_operations(vault, commit, entries)
    found = newest_standing(entries, last)
    # As far back as the history goes: a commit beyond the last 500 could not be named.
    if len(found) < last and len(entries) == LOOK_BACK:
        entries = vault.history.log(limit=_WHOLE_HISTORY)
        found = newest_standing(entries, last)
    if not found:
        raise BadInputError(
            "there is nothing to undo", hint="`vaultmem undo COMMIT` undoes a named one"
        )
    if len(found) < last:
        raise BadInputError(
            f"only {pluralise(len(found), 'operation')} can be undone, not {last}",
            hint="`vaultmem log` lists what was done; edits of yours are undone by name",
        )
    for target in found:
        _require_one_operation(vault, target)
    return found, entries


def _find_operations(
    vault: Vault, commit: str, entries: tuple[LogEntry, ...]
) -> tuple[tuple[LogEntry, ...], tuple[LogEntry, ...]]:
    oid = vault.history.resolve(commit)
    if all(entry.commit != oid for entry in entries):
        entries = vault.history.log(limit=_WHOLE_HISTORY)
    named = next((entry for entry in entries if entry.commit == oid), None)
    if named is None:
        raise BadInputError(
            f"'{commit}' is not on the main line of this vault: a merge brought it",
            hint="`vaultmem log` lists what can be undone; `vaultmem restore NOTE --at COMMIT` "
            "takes one note from it",
        )
    _require_one_operation(vault, named)
    undone = undone_by(entries)
    if named.commit in undone:
        raise BadInputError(
            f"'{named.subject}' was undone already, by {undone[named.commit][:_SHORT]}",
            hint=f"`vaultmem undo {undone[named.commit][:_SHORT]}` does it again",
        )
    return (named,), entries


def _require_one_operation(vault: Vault, entry: LogEntry) -> None:
    """Undoing a merge would take back on all devices what the others did since they parted.

    After a gap in the history, and where a clone was cut off, a commit seems to have made all that
    is there: taking that back would empty the vault.
    """
    history = vault.history
    if entry.commit in history.gaps().after or entry.commit in history.lineage().boundaries():
        raise UndoRefusedError(
            f"what '{entry.subject}' changed cannot be told: the commit before it is not to be had",
            paths=entry.paths,
            hint="`vaultmem restore NOTE --at COMMIT` takes one note from an earlier commit; "
            "`vaultmem check` says what the history lacks",
        )
    # Undone by its name the commit that began the vault left a folder without settings.
    if entry.trailers.get("Vaultmem-Op") == "init":
        raise UndoRefusedError(
            f"'{entry.subject}' began the vault: without its settings there is none",
            paths=entry.paths,
            hint="to be rid of the vault, delete its folder",
        )
    if entry.trailers.get("Vaultmem-Op") == "pull":
        raise UndoRefusedError(
            f"'{entry.subject}' joined the work of other devices, which cannot be undone at once",
            paths=entry.paths,
            hint="`vaultmem undo COMMIT` undoes one operation, `vaultmem restore NOTE` one note",
        )


def _take_back(
    vault: Vault,
    target: LogEntry,
    working_copy: WorkingCopy,
    *,
    since: Sequence[LogEntry],
    beside: Sequence[LogEntry],
) -> None:
    """Put each file of the operation back to how it was before, unless it changed since.

    since   commits from the newest one back, among which later changes are looked for
    beside  of these, what is taken back with it
    """
    changed_since: list[PurePosixPath] = []
    texts_before = _texts(vault, f"{target.commit}^", target.paths)
    texts_after = _texts(vault, target.commit, target.paths)
    for path in target.paths:
        before, after = texts_before[path], texts_after[path]
        now = working_copy.text(path)
        if now == after:
            wanted = before
        # Undoing the text that began a category was refused once another item was listed there, and
        # any text over a summary.
        elif path.parts[0] == CATEGORIES and now is not None and after is not None:
            wanted = _without_its_lines(now, after, before)
            if wanted is None:
                changed_since.append(path)
                continue
        elif now is None or after is None or before is None:
            changed_since.append(path)
            continue
        else:
            # Lists (streams, categories) gain lines with every operation: taking our lines
            # out of today's list loses nothing as long as nobody touched those very lines.
            wanted = devices.merge_lines(base=after, ours=now, theirs=before)
            if wanted is None:
                changed_since.append(path)
                continue
        if wanted is None:
            working_copy.remove(path)
        else:
            working_copy.put(path, wanted)
    if changed_since:
        raise _refusal(target, changed_since, since=since, beside=beside)


def _without_its_lines(now: bytes, after: bytes, before: bytes | None) -> bytes | None:
    """A category as it is now without what an operation wrote into its list; None: a person
    changed that since.

    Sentences of a summary stand over lists that change, and go with the lines they are made of:
    those of a later summary stay, else those from before come back. A category that the operation
    began stays, since others are listed in it.
    """
    # Undoing the text that began a category was refused once another item was listed there.
    before = notes.without_lines(after) if before is None else before
    # With the sentences of a summary over them, undoing any of their texts was refused.
    base, ours, theirs = (merging.without(each) or b"" for each in (after, now, before))
    merged = devices.merge_lines(base=base, ours=ours, theirs=theirs)
    told = before if set(notes.read_told(after)).issuperset(notes.read_told(now)) else now
    return None if merged is None else merging.put_back(merged, None, told, told)


def _texts(
    vault: Vault, commit: str, paths: Sequence[PurePosixPath]
) -> dict[PurePosixPath, bytes | None]:
    """The files in a commit; None where it has none. By one process, of many by three."""
    history = vault.history
    # 2,000 notes that were cleared come back in 2.3 s, and took 12.4 with two processes for each.
    if len(paths) <= _FEW or any(path.parts[0] not in TOPS for path in paths):
        texts = history.texts_at(commit, [path.as_posix() for path in paths])
        return {path: texts[path.as_posix()] for path in paths}
    # 2,000 notes that were cleared come back in 2.3 s, by two processes for each file in 12.4 s.
    tree = history.tree(history.resolve(commit))
    oids = {path: tree.get(path.as_posix(), "") for path in paths}
    data = dict(history.blobs({oid for oid in oids.values() if oid}))
    return {path: data.get(oid) for path, oid in oids.items()}


def _refusal(
    target: LogEntry,
    paths: Sequence[PurePosixPath],
    *,
    since: Sequence[LogEntry],
    beside: Sequence[LogEntry],
) -> UndoRefusedError:
    """The error that names the files, and the commits whose changes would be lost."""
    taken = {entry.commit for entry in (target, *beside)}
    place = next(n for n, entry in enumerate(since) if entry.commit == target.commit)
    later = [
        entry
        for entry in since[:place]
        if entry.commit not in taken and not set(entry.paths).isdisjoint(paths)
    ]
    names = ", ".join(f"'{path}'" for path in paths)
    told = ", ".join(f"{e.commit[:_SHORT]} ({e.subject})" for e in later[:_MOST_NAMED])
    more = f" and {len(later) - _MOST_NAMED} more" if len(later) > _MOST_NAMED else ""
    by = f", by {told}{more}" if later else ""
    return UndoRefusedError(
        f"'{target.subject}' cannot be undone: changed since: {names}{by}",
        paths=paths,
        commits=[entry.commit for entry in later],
        hint="undo the later changes first, or use `vaultmem restore NOTE --at COMMIT`",
    )


def restore(vault: Vault, ref: str, *, at: str | None = None) -> Undone:
    """Give a note the text it had at a revision or time (None: the last other text it had)."""
    with edit.writer(vault):
        name = path_of(vault, ref)
        working_copy = WorkingCopy(vault)
        path = PurePosixPath(name)
        now = working_copy.text(path)
        commit, data = _version(vault, name, now, at)
        working_copy.put(path, data)
        problems = agree(vault, working_copy, [path], adopt=True)
        plan = Plan(
            op="restore",
            actor="person",
            subject=subject("restore", f"{path.stem} as of {commit[:10]}"),
            changes=working_copy.step(),
        )
        vault.is_open = vault.is_open or bool(problems)
        done = vaults.apply(vault, [plan])
    if not done:
        raise BadInputError(
            f"'{path}' is as it was at {commit[:10]}: nothing to restore",
            hint=f"`vaultmem history '{path}'` shows its versions, `--at` takes one of them",
        )
    return Undone(commit=done[-1].commit, subject=plan.subject, undid=commit, paths=done[-1].paths)


def _commit_at(vault: Vault, at: str) -> str:
    """The commit that a revision names, or the last one that was known at a time."""
    named = history.revision(vault, at)
    if named:
        return named
    found, _ = history.point(vault, history.versions.level(vault), at)
    if not found.commit:
        raise UnknownNoteError(
            f"there was no vault at {at} yet", hint="`vaultmem log` says when it began"
        )
    return found.commit


def _is_half(entry: LogEntry, newer: LogEntry, path: PurePosixPath) -> bool:
    """Whether a version of an item is an edit of which keys followed in the next commit.

    To go back by what followed would give the words of the edit with the slot of the former ones.
    """
    ops = entry.trailers.get("Vaultmem-Op"), newer.trailers.get("Vaultmem-Op")
    is_open = "Vaultmem-Unsettled" in entry.trailers
    return is_open and ops == ("edit", "sync") and path.parts[0] == ITEMS


def _version(vault: Vault, name: str, now: bytes | None, at: str | None) -> tuple[str, bytes]:
    """Commit and bytes of the wanted version; raises UnknownNoteError when there is none."""
    history = vault.history
    if at is not None:
        commit = _commit_at(vault, at)
        data = history.text_at(commit, name)
        if data is None:
            # At that time it may have had another path.
            for entry in history.versions(name):
                for former in entry.paths:
                    data = data or history.text_at(commit, former.as_posix())
        if data is None:
            raise UnknownNoteError(
                f"'{name}' did not exist at {at}", hint=f"`vaultmem log {name}` lists its versions"
            )
        return commit, data
    halves: list[tuple[str, bytes]] = []
    newer: LogEntry | None = None
    for entry in history.versions(name):
        for former in entry.paths:
            data = history.text_at(entry.commit, former.as_posix())
            if data is None or data == now:
                continue
            # Without the half that has the new words and the former slot, 'I live in Linz' stood
            # with Graz.
            if newer is None or not _is_half(entry, newer, former):
                return entry.commit, data
            halves.append((entry.commit, data))
        newer = entry
    if halves:
        return halves[0]
    raise UnknownNoteError(
        f"the history knows no other version of '{name}'",
        hint=f"`vaultmem log {name}` lists {pluralise(len(history.versions(name)), 'version')}",
    )
