"""Bring a note back: the text that it had at a revision or time."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem import edit, history, vault
from vaultmem.base import TYPE_CHECKING, BadInputError, UnknownNoteError
from vaultmem.edit import agree
from vaultmem.history import path_of
from vaultmem.model import Plan, Undone, pluralise, subject
from vaultmem.storage.files import ITEMS
from vaultmem.vault import Workbench

if TYPE_CHECKING:
    from vaultmem.storage.git import LogEntry
    from vaultmem.vault import Parts


def restore(parts: Parts, ref: str, *, at: str | None = None) -> Undone:
    """Give a note the text it had at a revision or time (None: the last other text it had)."""

    with edit.writer(parts):
        name = path_of(parts, ref)
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
        done = vault.apply(parts, [plan])
    if not done:
        raise BadInputError(
            f"'{path}' is as it was at {commit[:10]}: nothing to restore",
            hint=f"`vaultmem history '{path}'` shows its versions, `--at` takes one of them",
        )
    return Undone(commit=done[-1].commit, subject=plan.subject, undid=commit, paths=done[-1].paths)


def _commit_at(parts: Parts, at: str) -> str:
    """The commit that a revision names, or the last one that was known at a time."""

    named = history.revision(parts, at)
    if named:
        return named
    found, _ = history.point(parts, history.versions.level(parts), at)
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


def _version(parts: Parts, name: str, now: bytes | None, at: str | None) -> tuple[str, bytes]:
    """Commit and bytes of the wanted version; raises UnknownNoteError when there is none."""
    history = parts.history
    if at is not None:
        commit = _commit_at(parts, at)
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
