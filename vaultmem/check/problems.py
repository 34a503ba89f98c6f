"""Every problem of a vault in one list: plain and deep checks, mending, and looks that never write.

Problems inside one file are found when it is indexed; here come those between files, and the
state of the repository. Looking never writes: it works on a copy of the device state.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from vaultmem import edit
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, HistoryDamagedError
from vaultmem.check import between_notes as notes
from vaultmem.check import repository_problems as repository
from vaultmem.check.repository_problems import (
    lost_history_problems,
    mend_repository,
    planned_steps,
    repair_of,
    to_mend,
)
from vaultmem.devices import open_notices
from vaultmem.history import versions
from vaultmem.model import CheckReport, Planned, Problem, Severity, pluralise
from vaultmem.storage import git
from vaultmem.vault import (
    INDEX_FILE,
    durability,
    held_back,
    in_history,
    ledger,
    level,
    open_with_recoveries,
)

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Clock, Progress
    from vaultmem.vault import Vault


# --- `check --deep` ---

# Files against the index whatever their times say, the index against one built anew, the last
# commit against what the index knows of it, and every object of the repository by its hash.
_INDEX = PurePosixPath("index.sqlite")
# Problems of the whole vault are found anew by each refresh, and some wait for a command.
_NOT_OF_NOTES = "problems"


def deep_problems(vault: Vault, progress: Progress | None) -> Iterator[Problem]:
    """What only reading everything again can find; the parts must be a copy (of `scratch`)."""
    if progress is not None:
        progress("reading objects", 0, 1)
    try:
        yield from _forged_indexes(vault)
        yield from lost_history_problems(vault.history.damage(deep=True))
    except HistoryDamagedError as error:
        yield from lost_history_problems((error.message,))
    if progress is not None:
        progress("reading objects", 1, 1)
    yield from _unseen(vault, progress)
    yield from _head(vault)
    yield from _index(vault, progress)


def _forged_indexes(vault: Vault) -> Iterator[Problem]:
    """Indexes of packs that name other objects than they hold: what a plain check believes."""
    plain = {step.path for step in repair_of(vault).plan()}
    for step in repair_of(vault, deep=True).plan():
        # A forged index of a pack gives another history, which a plain check believes.
        if step.path not in plain and step.kind == "pack-index":
            yield to_mend(step)


def _unseen(vault: Vault, progress: Progress | None) -> Iterator[Problem]:
    """Files that are other than the index believes, though size and times say that they are not."""
    refreshed = level.refresh(vault, rehash=True, progress=progress)
    for path in (*refreshed.changed, *refreshed.removed):
        yield Problem(
            path=path,
            code="changed-unseen",
            message="the file changed, but neither its size nor its times did",
            hint="`vaultmem sync --rehash` takes it in",
            severity=Severity.WARNING,
        )


def _head(vault: Vault) -> Iterator[Problem]:
    """Files of which the index holds another state in the last commit than the commit does."""
    try:
        head = vault.history.head()
        found = vault.history.tree(head, ()) if head is not None else {}
    except HistoryDamagedError:
        return  # told already
    is_tracked = git.tracked_paths(vault.settings.include)
    tree = {path: oid for path, oid in found.items() if is_tracked(path)}
    known = {path: state.head_oid for path, state in vault.index.files(None).items()}
    for path in sorted({*tree, *known}):
        if tree.get(path, "") != known.get(path, ""):
            yield Problem(
                path=PurePosixPath(path),
                code="index-differs",
                message="the index holds another state of the last commit than the commit does",
                hint="`vaultmem reindex` builds it anew",
            )


def _index(vault: Vault, progress: Progress | None) -> Iterator[Problem]:
    """Where the index, level with the files now, is not what one built from them would be."""
    updated = vault.index.dump()
    level.rebuild(vault)
    level.refresh(vault, rehash=True, progress=progress)
    built = vault.index.dump()
    wrong = [name for name in built if name != _NOT_OF_NOTES and built[name] != updated.get(name)]
    if wrong:
        yield Problem(
            path=_INDEX,
            code="index-differs",
            message=f"the index is not what the files come to ({', '.join(wrong)})",
            hint="`vaultmem reindex` builds it anew",
        )


# --- a history that was rewritten ---

REWRITTEN = "history-rewritten"
# A commit of ours is made within the second in which it says that it was recorded.
MOST_APART_MS = 600_000


def rewritten(vault: Vault) -> Iterator[Problem]:
    """One problem for all commits that a rebase, squash or amend made anew, on whatever device.

    Nothing where this device has lost a head that it recorded: that is said already, by
    `history-rewound`, and `vaultmem audit` names what is in the history in another form. Nothing
    of what somebody accepted here since, with `vaultmem audit --acknowledge`.
    """
    try:
        head = vault.history.head()
        if head is None or ledger.rewound(vault):
            return
        found = vault.history.lineage().remade(head, apart_ms=MOST_APART_MS)
        if found:
            found = _not_accepted(vault, found)
    except HistoryDamagedError:
        return  # `check_repository.damage` says more
    if found:
        yield Problem(
            path=PurePosixPath(".git"),
            code=REWRITTEN,
            message=f"{pluralise(len(found), 'commit')} {_was(len(found))} made anew after the "
            f"time that {_says(len(found))} to be recorded at, the last one is {found[-1][:8]}: a "
            "rebase, squash or amend of the history",
            hint="questions with `--known-at` go by what the commits say, and what a squash left "
            "out was never known; leave the branch of a vault to commits and merges; `vaultmem "
            "audit --acknowledge` accepts the history as it is",
            severity=Severity.WARNING,
        )


def _not_accepted(vault: Vault, found: tuple[str, ...]) -> tuple[str, ...]:
    accepted = ledger.looked_at(vault)
    if not accepted or not vault.history.exists(accepted):
        return found
    known = set(vault.history.lineage().remade(accepted, apart_ms=MOST_APART_MS))
    return tuple(commit for commit in found if commit not in known)


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _says(count: int) -> str:
    return "it claims" if count == 1 else "they claim"


Announce = Callable[[Sequence[Planned]], None]

OF_THE_WHOLE: tuple[Callable[[Vault], Iterable[Problem]], ...] = (
    repository.settings,
    repository.repository,
    repository.damage,
    repository.cuts,
    repository.places,
    rewritten,
    held_back,
    in_history,
    open_notices,
)


def look(
    vault: Vault, *, deep: bool = False, plan: bool = False, progress: Progress | None = None
) -> CheckReport:
    """All problems by path and line; changes nothing when the parts are a copy (of `scratch`).

    deep  read every file, object and row again, whatever its times say
    plan  say too what `fix` would do
    """
    found = level.reading(vault, lambda: find_problems(vault))
    if deep:
        found = _sort_problems([*found, *deep_problems(vault, progress)])
    steps = (*planned_steps(repair_of(vault, deep=True).plan()), *_mendable(found)) if plan else ()
    return CheckReport(problems=found, plan=steps, dry_run=plan, deep=deep, notes=_notes(vault))


def inspect(
    settings: Settings,
    clock: Clock,
    *,
    deep: bool = False,
    plan: bool = False,
    progress: Progress | None = None,
) -> CheckReport:
    """`look` at a copy of the device state, which need not even exist; nothing is written."""
    with scratch(settings, clock) as copy:
        return look(copy, deep=deep, plan=plan, progress=progress)


def fix(vault: Vault, *, announce: Announce | None = None) -> CheckReport:
    """Mend the repository step by step, then what is mechanical between notes in one commit.

    announce  told what will be done, before it is done
    """
    say = announce or (lambda steps: None)
    steps, kept = mend_repository(vault, say)
    _level(vault)
    found = level.reading(vault, lambda: find_problems(vault))
    mendable = _mendable(found)
    fixed: tuple[Problem, ...] = ()
    commit: str | None = None
    if mendable:
        say(mendable)
        fixed, commit = notes.mend(vault)
        found = level.reading(vault, lambda: find_problems(vault))
    durability.sync_read(vault)
    return CheckReport(
        problems=found,
        fixed=fixed,
        commit=commit,
        notes=_notes(vault),
        plan=(*steps, *mendable),
        kept=kept if kept.exists() else None,
    )


def _level(vault: Vault) -> None:
    """Finish what a writer left: git's index, say, that did not follow the branch."""
    if edit.has_leftovers(vault) and not vault.history.in_progress():
        with vaults.writer_lock(vault):
            pass  # taking the lock does it


def find_problems(vault: Vault) -> tuple[Problem, ...]:
    """Problems of single files, then between files, then of the repository; sorted by place."""
    found = [*vault.index.problems(), *notes.between_notes(vault)]
    for each in OF_THE_WHOLE:
        found += each(vault)
    return _sort_problems(found)


def _sort_problems(found: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(found, key=lambda p: (p.path, p.line or 0, p.code, p.message)))


def _mendable(found: Sequence[Problem]) -> tuple[Planned, ...]:
    """What is mended between notes; the repository has a plan of its own."""
    return tuple(
        Planned(path=each.path, what=f"mend: {each.message}", undo="`vaultmem undo`")
        for each in found
        if each.fixable and each.path.parts[0] != ".git"
    )


def _notes(vault: Vault) -> int:
    return sum(vault.index.counts().notes.values())


# --- a copy of the device state to look with ---

# Vault and repository are read where they are; the index is brought level in the copy. Copied as
# bytes: opening the database itself would write beside it. A copy that another process changed
# meanwhile is at worst damaged, and then built anew, in the copy.
_ENGINE = "engine.git"
# The engine's own files are made anew, with the folders beside them.
# The past is not looked at, and may be large.
_LEFT_OUT = ("lock", f"{INDEX_FILE}-shm", "config", "HEAD", *versions.NAMES)


@contextmanager
def scratch(settings: Settings, clock: Clock) -> Iterator[Vault]:
    """The parts, good inside `with`; nothing of them is left afterwards."""
    import tempfile

    with tempfile.TemporaryDirectory(
        prefix="vaultmem-check-", ignore_cleanup_errors=True
    ) as folder:
        state = Path(folder, "state")
        state.mkdir(mode=0o700)
        _copy(settings.state, state)
        _copy(settings.state / _ENGINE, state / _ENGINE)
        vault = open_with_recoveries(settings, clock, state=state)
        try:
            yield vault
        finally:
            vault.close()


def _copy(source: Path, target: Path) -> None:
    """The files of one folder, without those below; what cannot be read is as if not there."""
    if not source.is_dir():
        return
    target.mkdir(exist_ok=True)
    for file in sorted(source.iterdir()):
        if file.is_file() and not file.is_symlink() and file.name not in _LEFT_OUT:
            with contextlib.suppress(OSError):
                shutil.copyfile(file, target / file.name)
