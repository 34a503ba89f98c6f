"""Carry out a plan: the only place that changes files of a vault.

Under the writer lock: files (compare and swap, durable), one commit, rows. Killed after any of
these, the next `sync` finds files without a commit or rows and brings them level; it needs to
know nothing of what was going on.

1. `writer_lock`: a lock of the operating system in the device state, free the moment a process
   dies; after a deadline the call says busy (exit code 75). What a killed writer left is finished
   or cleared, and a merge or rebase is waited for.
2. `edit.writer`: in addition, what the person edited is committed as theirs and settled. `sync`
   compares all files before the lock; that counts under it while nobody has written since.
3. `publish`: new bytes go to durable temporary files, then each changes places with its file, and
   what comes out is compared: an edit saved in that moment is put back.
4. `record`: objects by one `git fast-import`; the ledger announces their ids; the branch moves by a
   compare-and-swap; the person's git index learns of our paths only; the ledger acknowledges. When
   a person commits in between, the second attempt holds git's lock on the index; at the deadline
   the files get their former bytes back.
5. `took` (level.py): rows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import (
    TYPE_CHECKING,
    HeadMovedError,
    RepositoryBusyError,
    StaleFileError,
    TypeVar,
    VaultmemError,
    disk_error,
)
from vaultmem.model import Committed, Plan, Remove, Write
from vaultmem.storage import files, git
from vaultmem.storage.files import OWN, is_companion, is_note_name
from vaultmem.vault import durability, ledger, level
from vaultmem.vault.working_copy import fold

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.model import TrustEvent
    from vaultmem.storage.git import CommitDraft
    from vaultmem.vault.vault import Vault

Done = TypeVar("Done")

UNSETTLED = "Vaultmem-Unsettled"
# A person who saves in the very moment of a write is rarely there again in the next one.
_TRIES = 5
_PAUSE_SECONDS = 0.1
# A writer that waited long for the others still gets so much for git programs in its way.
_LEAST_SECONDS = 1.0
_LATEST = 50  # commits, among which one of ours is looked for that was ended in its last moment
_FRESH_SECONDS = 0.05  # a lock that took longer was another writer's


def retry_when_stale(carry_out: Callable[[], Done]) -> Done:
    """Plan and write; when a person saved a file of the plan meanwhile, again with their words.

    raises  StaleFileError when that happened in each of five attempts
    """
    for _ in range(_TRIES - 1):
        with suppress(StaleFileError):
            return carry_out()
    return carry_out()


@contextmanager
def writer_lock(vault: Vault) -> Iterator[None]:
    """The one writer of this vault; leftovers of a killed writer are cleared away first.

    raises BusyError            another process wrote until the deadline
           RepositoryBusyError  a merge, rebase or the like is in progress
           DiskError            also for what the system refused in the body
    """
    try:
        with _hold_writer_lock(vault):
            yield
    except OSError as error:
        raise disk_error(error) from error


@contextmanager
def _hold_writer_lock(vault: Vault) -> Iterator[None]:
    vault.history.require_own()
    asked_at = time.monotonic()
    with files.WriterLock(vault.state, deadline_seconds=vault.settings.sync_lock_wait_seconds):
        if time.monotonic() - asked_at > _FRESH_SECONDS:
            vault.drop_ahead()  # somebody wrote meanwhile
        deadline = asked_at + vault.settings.sync_lock_wait_seconds
        vault.give_up_at = max(deadline, time.monotonic() + _LEAST_SECONDS)
        if vault.look is not None and _changes_files(vault):
            vault.look = None
        # Before all else: what is half published would look like a person's edit to each step
        # below.
        kept_aside = files.recover(vault.root)
        if kept_aside:
            vault.look = None
        # Not before the files are finished: these a dead writer left half done, whatever the
        # person's git is in the middle of.
        require_quiet(vault)
        if kept_aside:
            level.keep_problems(vault, "recovery", kept_aside)
        vault.history.settle_index()  # frees locks of processes that died, too
        for each in vault.recoveries:  # in this order
            if os.path.exists(vault.state / each.file):
                each.finish(vault)
        ledger.notice(vault)
        yield
        vault.history.tidy()


def _changes_files(vault: Vault) -> bool:
    """Whether what a dead writer left is about to be finished or taken back."""
    left = (each.file for each in vault.recoveries)
    return files.is_cut_off(vault.root) or any(os.path.exists(vault.state / name) for name in left)


def require_quiet(vault: Vault) -> None:
    """Refuse to commit into the middle of somebody's merge or rebase; wait a while for its end."""
    while vault.history.in_progress() and time.monotonic() < vault.give_up_at:
        time.sleep(_PAUSE_SECONDS)
    vault.history.require_quiet()


def apply(vault: Vault, plans: Sequence[Plan], *, settled: bool = True) -> tuple[Committed, ...]:
    """Carry out plans in order, one commit each; must run inside `writer_lock`.

    Git makes its objects while the files are published; the branch moves when both are done.
    A list in which a person saved a secret grows on disk, and waits for its commit with theirs.
    settled  streams and items agree after these plans; False leaves a mark in the commits
    returns  for each plan the commit that holds it: for one that changes nothing in the last
             commit (it takes back what a person saved and nobody committed), that one
    raises   StaleFileError before anything is written, when a file is not as planned against
             HeldBackError for plans that change nothing but such files
    """
    from vaultmem.vault.reading_in import ComingRows  # saves 1 module

    changes = fold(tuple(change for plan in plans for change in plan.changes))
    if not changes:
        return ()
    held = _withheld_paths(vault, changes)
    # In a commit without such a list the list and its items do not agree.
    vault.is_open = vault.is_open or bool(held)
    settled = settled and not vault.is_open
    drafts = _drafts(vault, plans, settled=settled, without=held)
    making = _making(plans, drafts)
    parent = vault.history.head()
    notes = [change for change in changes if _is_followed(vault, change.path)]
    rows = ComingRows(vault, notes)
    recording = vault.history.start_record(drafts, expects=parent)
    announced: set[str] = set()
    placed: list[str] = []  # the tag of the files, once they are in their places

    def announce(oids: Sequence[str]) -> None:
        announced.update(filter(None, oids))
        _announce(vault, making, oids)

    def without_commit() -> None:
        """What is not committed must not look like a person's edit."""
        with suppress(VaultmemError):
            # A signal right behind the commit must take no file back, and one in the second attempt
            # must: the next command would take the notes for the person's own edits.
            if placed and not _has_come(vault, announced):
                files.take_back(vault.root, changes, placed[0], algorithm=vault.history.algorithm)

    # An end may come at any moment (a full disk, a signal), also right behind a step.
    try:
        try:
            files.publish(vault.root, changes, algorithm=vault.history.algorithm, placed=placed)
            seen = durability.durable_numbers(vault.root, changes)
        except BaseException:
            recording.abandon()
            without_commit()
            raise
        try:
            try:
                oids = recording.finish(announce)
            except RepositoryBusyError:
                # Beside a person who commits in a tight loop 240 of 280 calls said busy before the
                # second attempt held git's own lock; 0 since.
                oids, parent = _record_on_top(vault, drafts, announce)
        except BaseException:
            without_commit()
            raise
    except BaseException:
        rows.cancel()
        raise
    _acknowledge(vault, making, oids, parent=parent)
    pairs = zip(plans, oids, strict=True)
    events = [event for plan, oid in pairs if oid for event in _trust(plan, oid)]
    held_by = list(accumulate(oids, lambda below, oid: oid or below, initial=parent or ""))[1:]
    level.took(
        vault,
        notes,
        rows=rows,
        seen=seen,
        commit=held_by[-1],
        parent=parent,
        settled=settled,
        held=held,
        events=events,
    )
    return _commit_reports(plans, held_by, without=held)


def _has_come(vault: Vault, announced: Collection[str]) -> bool:
    """Whether one of these commits is on the branch, others of the same moment on top or not."""
    if not announced:
        return False
    return any(entry.commit in announced for entry in vault.history.log(limit=_LATEST))


def _withheld_paths(vault: Vault, changes: Sequence[Write | Remove]) -> frozenset[PurePosixPath]:
    """Files that grow on disk only, because of a secret that a person saved in them.

    What the last commit holds was looked at, or allowed, when it was committed.
    """
    # A new file holds nothing but what was looked through when it was taken in.
    there = [change for change in changes if change.expects is not None]
    states = vault.index.files([change.path.as_posix() for change in there])
    in_head = {PurePosixPath(path): state.head_oid for path, state in states.items()}
    # A secret in a list made every later write exit with 77, since remembering needs a bullet
    # there. Now such a file grows on disk only, and waits for its commit with the person.
    edited = [change for change in there if change.expects != in_head.get(change.path, "")]
    if not edited:
        return frozenset()
    from vaultmem.vault.held_back import withheld  # saves 2 modules

    return withheld(vault, edited, is_all=len(edited) == len(changes))


def _is_followed(vault: Vault, path: PurePosixPath) -> bool:
    """Whether the index knows a file: of our own folder and of attachments it has nothing."""
    folder = "" if len(path.parts) == 1 else path.parent.as_posix()
    if is_note_name(folder, path.name):
        return path.parts[0] != OWN
    return is_companion(folder, path.name) and git.tracked_paths(vault.settings.include)(str(path))


def _trust(plan: Plan, commit: str) -> tuple[TrustEvent, ...]:
    return model.events_of(commit, dict(plan.trailers))


def place(root: Path, changes: Sequence[Write | Remove]) -> None:
    """Write files without a commit and without rows.

    For `init`, which has no vault to commit to yet, and for a note of the person's that no commit
    and no row of ours knows (maintain/daily_note.py).
    """
    files.publish(root, changes)


def publish_files(vault: Vault, changes: Sequence[Write | Remove]) -> None:
    """Files of a commit that is made already (devices/arrive.py); under the writer lock."""
    files.publish(vault.root, changes, algorithm=vault.history.algorithm)
    seen = durability.durable_numbers(vault.root, changes)
    with vault.index.writing():
        durability.expect(vault, seen, seen)


def record(
    vault: Vault, plans: Sequence[Plan], *, settled: bool
) -> tuple[tuple[Committed, ...], str | None]:
    """Commit files that are on disk as the plans describe them, on top of whatever HEAD is now.

    returns  the commits, none for a plan that changes nothing in the last one, and the commit
             below them (None: there was none)
    """
    drafts = _drafts(vault, plans, settled=settled)
    making = _making(plans, drafts)
    oids, parent = _record_on_top(vault, drafts, lambda oids: _announce(vault, making, oids))
    _acknowledge(vault, making, oids, parent=parent)
    return _commit_reports(plans, oids), parent


def _announce(vault: Vault, making: Sequence[ledger.Making], oids: Sequence[str]) -> None:
    """Tell the ledger of the commits that are about to be; a draft may have come to none."""
    making, oids = _without_empty(making, oids)
    ledger.announce(vault, making, oids)


def _acknowledge(
    vault: Vault, making: Sequence[ledger.Making], oids: Sequence[str], *, parent: str | None
) -> None:
    making, oids = _without_empty(making, oids)
    if oids:
        ledger.acknowledge(vault, making, oids, parent=parent)


def _without_empty(
    making: Sequence[ledger.Making], oids: Sequence[str]
) -> tuple[list[ledger.Making], list[str]]:
    pairs = zip(making, oids, strict=True)
    return [each for each, oid in pairs if oid], [oid for oid in oids if oid]


def _drafts(
    vault: Vault,
    plans: Sequence[Plan],
    *,
    settled: bool,
    without: frozenset[PurePosixPath] = frozenset(),
) -> list[git.CommitDraft]:
    drafts = []
    for plan in plans:
        at = _at(vault, plan)
        # A list with a secret grows on disk only: it made every later write exit with 77, as
        # remembering needs a bullet there.
        changes = {
            change.path.as_posix(): change.content if isinstance(change, Write) else None
            for change in plan.changes
            if change.path not in without
        }
        text = message(plan, at=at, settled=settled)
        drafts.append(git.CommitDraft(message=text, at_ms=at, changes=changes))
    return drafts


def _making(plans: Sequence[Plan], drafts: Sequence[CommitDraft]) -> list[ledger.Making]:
    pairs = zip(plans, drafts, strict=True)
    return [ledger.Making(plan.op, draft.at_ms) for plan, draft in pairs]


def _record_on_top(
    vault: Vault, drafts: Sequence[CommitDraft], announce: Callable[[Sequence[str]], None]
) -> tuple[list[str], str | None]:
    """Commit on top of whatever HEAD is; raises RepositoryBusyError at the deadline.

    A foreign commit may land between reading HEAD and moving it. Git programs are kept out while
    this is tried; what moves the branch all the same does not do so for long.
    """
    pause = _PAUSE_SECONDS / 8
    while True:
        left = max(0.0, vault.give_up_at - time.monotonic())
        try:
            return vault.history.record_on_top(drafts, wait_seconds=left, announce=announce)
        except HeadMovedError:
            if time.monotonic() >= vault.give_up_at:
                raise
        time.sleep(pause)
        pause = min(2 * pause, _PAUSE_SECONDS)


def _commit_reports(
    plans: Sequence[Plan],
    oids: Sequence[str],
    *,
    without: frozenset[PurePosixPath] = frozenset(),
) -> tuple[Committed, ...]:
    return tuple(
        Committed(
            commit=oid,
            subject=plan.subject,
            paths=tuple(sorted({change.path for change in plan.changes} - without)),
        )
        for oid, plan in zip(oids, plans, strict=True)
        if oid
    )


def _at(vault: Vault, plan: Plan) -> int:
    return vault.clock.now() if plan.recorded_at is None else plan.recorded_at


def message(plan: Plan, *, at: int, settled: bool = True) -> str:
    """The commit message: subject, details, and the trailers of design section 4."""
    trailers = [
        ("Vaultmem-Op", plan.op),
        *plan.trailers,
        ("Vaultmem-Actor", plan.actor),
        ("Vaultmem-Recorded-At", iso_ms(at)),
    ]
    if not settled:
        trailers.append((UNSETTLED, "true"))
    blocks = [_line(plan.subject)]
    if plan.details:
        blocks.append(plan.details.strip())
    blocks.append("\n".join(f"{key}: {_line(value)}" for key, value in trailers))
    return "\n\n".join(blocks) + "\n"


def iso_ms(at: int) -> str:
    """UTC with milliseconds: git keeps whole seconds only."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // 1000)) + f".{at % 1000:03}Z"


def _line(text: str) -> str:
    """One line: text of a person must not be able to add a trailer of its own."""
    return " ".join(text.split())
