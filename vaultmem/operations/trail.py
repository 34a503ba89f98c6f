"""The audit trail: list operations, take the last one back, bring a note back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.errors import BadInputError, UndoRefusedError, UnknownNoteError
from vaultmem.model.ids import id_in_name
from vaultmem.model.plans import Plan
from vaultmem.model.reports import Operation, Undone
from vaultmem.operations.agreeing import agree
from vaultmem.operations.wording import counted, subject
from vaultmem.operations.workbench import Workbench

if TYPE_CHECKING:
    from vaultmem.model.records import Problem
    from vaultmem.operations.parts import Parts
    from vaultmem.vault.git_log import LogEntry

UNDOES = "Vaultmem-Undoes"
# Commits looked through for the last operation that can be undone, or for an old version.
LOOK_BACK = 500


def log(parts: Parts, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
    """Operations, newest first; of one note (across renames) when `ref` names it."""
    history = parts.history
    if history.head() is None:
        return ()
    entries = (
        history.log(limit=limit) if ref is None else history.versions(_path_of(parts, ref))[:limit]
    )
    undone = _undone(history.log(limit=max(limit, LOOK_BACK)))
    return tuple(_operation(entry, undone) for entry in entries)


def _path_of(parts: Parts, ref: str) -> str:
    """Vault path of a note that exists, or of one that the history remembers."""
    from vaultmem.operations.names import find_note

    try:
        return find_note(parts, ref).path.as_posix()
    except UnknownNoteError:
        return _former_path(parts, ref)


def _former_path(parts: Parts, ref: str) -> str:
    """Path at which the history last knew a note that is gone; raises UnknownNoteError."""
    wanted = ref.removesuffix(".md")
    for entry in parts.history.log(limit=LOOK_BACK):
        for path in entry.paths:
            if wanted in (path.with_suffix("").as_posix(), path.stem, id_in_name(path.stem)):
                return path.as_posix()
    raise UnknownNoteError(
        f"neither the vault nor its last {LOOK_BACK} commits know '{ref}'",
        hint="`vaultmem log` lists what was done",
    )


def _undone(entries: Sequence[LogEntry]) -> dict[str, str]:
    """Commits that were taken back, each with the commit that did it."""
    return {entry.trailers[UNDOES]: entry.commit for entry in entries if UNDOES in entry.trailers}


def _operation(entry: LogEntry, undone: dict[str, str]) -> Operation:
    return Operation(
        commit=entry.commit,
        at=entry.at_ms,
        op=entry.trailers.get("Vaultmem-Op", "git"),
        actor=entry.trailers.get("Vaultmem-Actor", "person"),
        subject=entry.subject,
        items=tuple(entry.trailers.get("Vaultmem-Items", "").replace(",", " ").split()),
        paths=tuple(entry.paths),
        undone_by=undone.get(entry.commit, ""),
    )


def undo(parts: Parts, commit: str | None = None) -> Undone:
    """Take an operation back by a new commit; the last one that is not undone by default.

    raises UndoRefusedError  a file of it was changed since; nothing is touched then
           BadInputError     there is nothing to undo
    """
    from vaultmem.operations.apply import apply, writer

    with writer(parts):
        target = _target(parts, commit)
        bench = Workbench(parts)
        problems = _take_back(parts, target, bench)
        plan = Plan(
            op="undo",
            actor="person",
            subject=subject("undo", target.subject),
            changes=bench.step(),
            trailers=((UNDOES, target.commit),),
        )
        parts.is_open = parts.is_open or bool(problems)
        done = apply(parts, [plan])
    if not done:
        raise BadInputError(f"'{target.subject}' left nothing to undo")
    return Undone(
        commit=done[-1].commit, subject=plan.subject, undid=target.commit, paths=done[-1].paths
    )


def _target(parts: Parts, commit: str | None) -> LogEntry:
    """The operation to undo. A person's own edits are undone only when named."""
    if parts.history.head() is None:
        raise BadInputError("there is nothing to undo: the vault has no history yet")
    entries = parts.history.log(limit=LOOK_BACK)
    undone = _undone(entries)
    if commit is not None:
        oid = parts.history.resolve(commit)
        named = next((entry for entry in entries if entry.commit == oid), None)
        if named is None:
            raise BadInputError(
                f"'{commit}' is not among the last {LOOK_BACK} commits of this branch",
                hint="`vaultmem log` lists them",
            )
        _require_one_operation(named)
        if named.commit in undone:
            raise BadInputError(
                f"'{named.subject}' was undone already, by {undone[named.commit][:10]}"
            )
        return named
    for entry in entries:
        op = entry.trailers.get("Vaultmem-Op", "")
        if op in ("", "init", "undo", "edit") or entry.commit in undone:
            continue
        _require_one_operation(entry)
        return entry
    raise BadInputError(
        "there is nothing to undo", hint="`vaultmem undo COMMIT` undoes a named one"
    )


def _require_one_operation(entry: LogEntry) -> None:
    """Undoing a merge would take back on all devices what the others did since they parted."""
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


def _take_back(parts: Parts, target: LogEntry, bench: Workbench) -> tuple[Problem, ...]:
    """Put each file of the operation back to how it was before, unless it changed since.

    Lists and items follow; returns what they cannot follow in.
    """
    from vaultmem.operations.merge import merge_lines

    changed_since: list[PurePosixPath] = []
    for path in target.paths:
        name = path.as_posix()
        before = parts.history.text_at(f"{target.commit}^", name)
        after = parts.history.text_at(target.commit, name)
        now = bench.text(path)
        if now == after:
            wanted = before
        elif now is None or after is None or before is None:
            changed_since.append(path)
            continue
        else:
            # Lists (streams, categories) gain lines with every operation: taking our lines
            # out of today's list loses nothing as long as nobody touched those very lines.
            wanted = merge_lines(base=after, ours=now, theirs=before)
            if wanted is None:
                changed_since.append(path)
                continue
        if wanted is None:
            bench.remove(path)
        else:
            bench.put(path, wanted)
    if changed_since:
        names = ", ".join(f"'{path}'" for path in changed_since)
        raise UndoRefusedError(
            f"'{target.subject}' cannot be undone: changed since: {names}",
            paths=changed_since,
            hint="undo the later changes first, or use `vaultmem restore NOTE --at COMMIT`",
        )
    # A bullet that lost its block id here is not made an item again at once: that was undone.
    return agree(parts, bench, target.paths, adopt=False)


def restore(parts: Parts, ref: str, *, at: str | None = None) -> Undone:
    """Give a note the text it had at a revision; without one, the last other text it had."""
    from vaultmem.operations.apply import apply, writer

    with writer(parts):
        name = _path_of(parts, ref)
        bench = Workbench(parts)
        path = PurePosixPath(name)
        now = bench.text(path)
        commit, data = _version(parts, name, now, at)
        bench.put(path, data)
        problems = agree(parts, bench, [path], adopt=True)
        plan = Plan(
            op="restore",
            actor="person",
            subject=subject("restore", f"{path.stem} as of {commit[:10]}"),
            changes=bench.step(),
        )
        parts.is_open = parts.is_open or bool(problems)
        done = apply(parts, [plan])
    if not done:
        raise BadInputError(f"'{path}' is as it was at {commit[:10]}: nothing to restore")
    return Undone(commit=done[-1].commit, subject=plan.subject, undid=commit, paths=done[-1].paths)


def _version(parts: Parts, name: str, now: bytes | None, at: str | None) -> tuple[str, bytes]:
    """Commit and bytes of the wanted version; raises UnknownNoteError when there is none."""
    history = parts.history
    if at is not None:
        commit = history.resolve(at)
        data = history.text_at(commit, name)
        if data is None:
            for entry in history.versions(name):
                for former in entry.paths:
                    data = data or history.text_at(commit, former.as_posix())
        if data is None:
            raise UnknownNoteError(
                f"'{name}' did not exist at {at}", hint=f"`vaultmem log {name}` lists its versions"
            )
        return commit, data
    for entry in history.versions(name):
        for former in entry.paths:
            data = history.text_at(entry.commit, former.as_posix())
            if data is not None and data != now:
                return entry.commit, data
    raise UnknownNoteError(
        f"the history knows no other version of '{name}'",
        hint=f"`vaultmem log {name}` lists {counted(len(history.versions(name)), 'version')}",
    )
