"""The repository and the settings of a vault: what gets in the way, what is broken, what is odd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import HistoryError
from vaultmem.base.records import replace
from vaultmem.model.notes import Problem, Severity

if TYPE_CHECKING:
    from vaultmem.storage.git.repair.mend import Step
    from vaultmem.vault.vault import Parts

MOST_LOST = 20  # lines about lost history that are listed; the rest is counted
_GIT = PurePosixPath(".git")
_LOCK = "git-lock-old"


def repository(parts: Parts) -> Iterator[Problem]:
    """Things in `.git` that get in the way or deserve a look."""
    busy = parts.history.in_progress()
    if busy:
        yield Problem(
            path=_GIT,
            code="git-in-progress",
            message=f"a {busy} is in progress, so nothing is committed",
            hint=f"finish or abort the {busy} with git",
            severity=Severity.WARNING,
        )
    for odd in parts.history.odd_settings():
        yield Problem(
            path=_GIT / "config",
            code="git-setting-odd",
            message=f"{odd}; vaultmem does not use it, your own git may run it",
            hint="`git config --local --list --show-origin` shows it; remove it if it is not yours",
            severity=Severity.INFO,
        )


def cuts(parts: Parts) -> Iterator[Problem]:
    """A `.git/shallow` that hides a part of the history which is there."""
    try:
        found = parts.history.lineage().needless_cuts()
    except HistoryError:
        return  # told by `damage`
    if found:
        yield Problem(
            path=_GIT / "shallow",
            code="history-cut",
            message=f"the history is cut off at {found[0][:8]}, although what is behind it is here",
            hint="if you did not cut it off yourself, delete the file; `vaultmem audit` compares",
            severity=Severity.WARNING,
        )


def _told_age(seconds: float) -> str:
    return f"{int(seconds // 60)} minutes" if seconds >= 120 else f"{int(seconds)} seconds"


def damage(parts: Parts) -> Iterator[Problem]:
    """What is broken in the repository: what `check --fix` would do about it, and what is lost."""
    from vaultmem.check.repair import repair_of

    locks: list[PurePosixPath] = []
    try:
        repair = repair_of(parts)
        for step in repair.plan():
            is_lock = step.kind == "lock"
            locks += [step.path] * is_lock
            yield _lock(step) if is_lock else to_mend(step)
        yield from _gaps(parts)
        yield from lost(repair.lost())
    except HistoryError as error:
        yield Problem(path=_GIT, code="git-damaged", message=error.message, hint=error.hint)
    for name, age in parts.history.old_locks():
        if _GIT / name not in locks:
            yield Problem(
                path=_GIT / name,
                code=_LOCK,
                message=f"a lock of git is {_told_age(age)} old, and no git program seems to "
                "hold it",
                hint="when no git program is running, delete the file",
                severity=Severity.WARNING,
            )


def _gaps(parts: Parts) -> Iterator[Problem]:
    from vaultmem.check.gaps import gap_remarks

    for remark in gap_remarks(parts):
        yield Problem(
            path=_GIT,
            code="history-gap",
            message=remark,
            hint="all that looks back steps over it; bring the objects back from a clone (copy its "
            "`.git/objects`), then `vaultmem check --fix`",
            severity=Severity.WARNING,
        )


def _lock(step: Step) -> Problem:
    return replace(to_mend(step), code=_LOCK, message=step.what, severity=Severity.WARNING)


def to_mend(step: Step) -> Problem:
    """What is broken and can be mended."""
    return Problem(
        path=step.path,
        code="git-damaged",
        message=f"damaged; to mend it: {step.what}",
        hint="`vaultmem check --fix` does it; your notes are not concerned",
        severity=Severity.ERROR,
        fixable=True,
    )


def lost(complaints: Sequence[str]) -> Iterator[Problem]:
    """History that is gone: earlier versions, never the notes as they are now."""
    told = list(complaints[:MOST_LOST])
    if len(complaints) > MOST_LOST:
        told.append(f"and {len(complaints) - MOST_LOST} more")
    for line in told:
        yield Problem(
            path=_GIT,
            code="history-lost",
            message=f"a part of the history cannot be read any more: {' '.join(line.split())}",
            hint="the notes as they are now are not concerned; a clone or backup may have it",
            severity=Severity.WARNING,
        )


def settings(parts: Parts) -> Iterator[Problem]:
    """Keys of the settings that mean nothing or are not allowed where they stand."""
    for warning in parts.settings.warnings:
        yield Problem(
            path=PurePosixPath(warning.file),
            line=warning.line,
            code="setting",
            message=warning.message,
            hint=warning.hint,
            severity=Severity.WARNING,
        )


def places(parts: Parts) -> Iterator[Problem]:
    """A vault or state on a file system of another machine."""
    from vaultmem.config.places import file_system, is_doubtful, is_network

    for what, folder in (("device state", parts.settings.state), ("vault", parts.root)):
        kind = file_system(str(folder))
        if not (is_network(kind) or is_doubtful(kind)):
            continue
        is_state = folder == parts.settings.state
        risk = "locks may not hold" if is_state else "edits of other machines raise no events"
        yield Problem(
            path=PurePosixPath("."),
            code="state-on-network" if is_state else "vault-on-network",
            message=f"the {what} is on a file system that others may share ({kind}): {risk}",
            hint="set VAULTMEM_STATE to a folder on a local disk"
            if is_state
            else "use `vaultmem watch --poll`, or give each machine a clone of its own",
            severity=Severity.WARNING if is_network(kind) else Severity.INFO,
        )
