"""The repository and the settings of a vault: what gets in the way, what is broken, what is odd."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from vaultmem import config
from vaultmem.base import TYPE_CHECKING, HistoryError, replace
from vaultmem.language import format_minute
from vaultmem.model import Planned, Problem, Severity, pluralise
from vaultmem.storage import files, git
from vaultmem.storage.git import Repair, Step

if TYPE_CHECKING:
    from vaultmem.vault import Vault


# What is said of commits that cannot be read any more, and that commands step over.


def gap_remarks(vault: Vault) -> Iterator[str]:
    """One sentence for each gap in the history, newest first; none where nothing is missing."""
    gaps = vault.history.gaps()
    if not gaps.after:
        return
    zone = vault.settings.timezone
    known = sorted(
        ((_at(vault, commit), commit) for commit in gaps.after), key=lambda pair: -pair[0]
    )
    yield (
        f"the history is damaged: {pluralise(len(gaps.lost), 'commit')} cannot be read "
        f"({', '.join(commit[:8] for commit in gaps.lost[:_SHOWN])}"
        f"{', ...' if len(gaps.lost) > _SHOWN else ''}) and are left out; a clone or backup may "
        "have them"
    )
    for at, commit in known:
        if not gaps.after[commit]:
            yield f"nothing is known from before {commit[:8]} ({format_minute(at, zone)})"
        else:
            before = gaps.after[commit][0][:8]
            yield (
                f"{commit[:8]} ({format_minute(at, zone)}) seems to change all that was changed "
                f"since {before}"
            )


def _at(vault: Vault, commit: str) -> int:
    try:
        return vault.history.exchange().about(commit).at_ms
    except HistoryError:
        return 0


_SHOWN = 5

MOST_LOST = 20  # lines about lost history that are listed; the rest is counted
_GIT = PurePosixPath(".git")
_LOCK = "git-lock-old"


def repository(vault: Vault) -> Iterator[Problem]:
    """Things in `.git` that get in the way or deserve a look."""
    busy = vault.history.in_progress()
    if busy:
        yield Problem(
            path=_GIT,
            code="git-in-progress",
            message=f"a {busy} is in progress, so nothing is committed",
            hint=f"finish or abort the {busy} with git",
            severity=Severity.WARNING,
        )
    for odd in vault.history.odd_settings():
        yield Problem(
            path=_GIT / "config",
            code="git-setting-odd",
            message=f"{odd}; vaultmem does not use it, your own git may run it",
            hint="`git config --local --list --show-origin` shows it; remove it if it is not yours",
            severity=Severity.INFO,
        )


def cuts(vault: Vault) -> Iterator[Problem]:
    """A `.git/shallow` that hides a part of the history which is there."""
    try:
        found = vault.history.lineage().needless_cuts()
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


def damage(vault: Vault) -> Iterator[Problem]:
    """What is broken in the repository: what `check --fix` would do about it, and what is lost."""
    locks: list[PurePosixPath] = []
    try:
        repair = repair_of(vault)
        for step in repair.plan():
            is_lock = step.kind == "lock"
            locks += [step.path] * is_lock
            yield _lock(step) if is_lock else to_mend(step)
        yield from _gaps(vault)
        yield from lost_history_problems(repair.losses())
    except HistoryError as error:
        yield Problem(path=_GIT, code="git-damaged", message=error.message, hint=error.hint)
    for name, age in vault.history.old_locks():
        if _GIT / name not in locks:
            yield Problem(
                path=_GIT / name,
                code=_LOCK,
                message=f"a lock of git is {_told_age(age)} old, and no git program seems to "
                "hold it",
                hint="when no git program is running, delete the file",
                severity=Severity.WARNING,
            )


def _gaps(vault: Vault) -> Iterator[Problem]:
    for remark in gap_remarks(vault):
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


def lost_history_problems(complaints: Sequence[str]) -> Iterator[Problem]:
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


def settings(vault: Vault) -> Iterator[Problem]:
    """Keys of the settings that mean nothing or are not allowed where they stand."""
    for warning in vault.settings.warnings:
        yield Problem(
            path=PurePosixPath(warning.file),
            line=warning.line,
            code="setting",
            message=warning.message,
            hint=warning.hint,
            severity=Severity.WARNING,
        )


def places(vault: Vault) -> Iterator[Problem]:
    """A vault or state on a file system of another machine."""
    for what, folder in (("device state", vault.settings.state), ("vault", vault.root)):
        kind = config.file_system(str(folder))
        if not (config.is_network(kind) or config.is_doubtful(kind)):
            continue
        is_state = folder == vault.settings.state
        risk = "locks may not hold" if is_state else "edits of other machines raise no events"
        yield Problem(
            path=PurePosixPath("."),
            code="state-on-network" if is_state else "vault-on-network",
            message=f"the {what} is on a file system that others may share ({kind}): {risk}",
            hint="set VAULTMEM_STATE to a folder on a local disk"
            if is_state
            else "use `vaultmem watch --poll`, or give each machine a clone of its own",
            severity=Severity.WARNING if config.is_network(kind) else Severity.INFO,
        )


# Mend the repository of a vault: say what will be done, do it, look again, until nothing is left.
#
# Safe to interrupt anywhere: each step is whole or not done, and the next run plans anew.

KEPT = "kept"
# What is missing shows when what is broken is out of the way: five kinds, some of them twice.
MOST_ROUNDS = 12


def repair_of(vault: Vault, *, deep: bool = False) -> Repair:
    """The repository of the vault as something to be mended; `deep` as in `Repair`."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(vault.clock.now() // 1000))
    kept = vault.settings.state / KEPT / stamp
    heads = (vault.index.meta("head"), vault.index.meta("settled"))
    known = tuple(oid for oid in heads if oid)
    return Repair(vault.root, vault.state, kept=kept, known_heads=known, deep=deep)


def planned_steps(steps: Sequence[Step]) -> tuple[Planned, ...]:
    """The steps as they are told."""
    return tuple(Planned(path=step.path, what=step.what, undo=step.undo) for step in steps)


def mend_repository(
    vault: Vault, announce: Callable[[Sequence[Planned]], None]
) -> tuple[tuple[Planned, ...], Path]:
    """Do what can be done, each round announced before it is done; what was done, what is kept."""
    done: list[Planned] = []
    repair = repair_of(vault, deep=True)
    kept = repair.kept
    # The plain lock: `vault.writer_lock` finishes first what a writer left, and for that the
    # repository has to be whole.
    with files.WriterLock(vault.state, deadline_seconds=vault.settings.sync_lock_wait_seconds):
        repair.release_dead()
        before: tuple[Step, ...] = ()
        for _ in range(MOST_ROUNDS):
            steps = repair.plan()
            # A step that mends nothing would be planned for ever.
            if not steps or steps == before:
                break
            announce(planned_steps(steps))
            for step in steps:
                repair.carry_out(step)
            done += planned_steps(steps)
            before = steps
            known = repair.known_heads
            repair = Repair(vault.root, vault.state, kept=kept, known_heads=known, deep=True)
    if done:
        vault.known_history = git.History.open(vault.root, vault.state)
    return tuple(done), kept
