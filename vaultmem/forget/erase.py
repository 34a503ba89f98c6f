"""Erase for good: rewrite the history without it, clear every store of this device, prove it.

Under the writer lock. All that needs the words (what is looked for, the new objects, files that
no commit has) is done first and can be done again; then one durable note without a word of them
makes it certain, and what is left to do (forget/carry_out.py) is finished by whoever holds
the lock next. The old repository is whole until that note, the new one after it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from vaultmem import check, config, devices, edit
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BusyError, dataclass, replace
from vaultmem.forget.carry_out import (
    OP,
    Loose,
    changes_of,
    clean_state,
    loose_files,
    search,
    switch_over,
    vault_files,
)
from vaultmem.forget.choice import Target, target_of
from vaultmem.model import Holding, Plan, Purged, pluralise
from vaultmem.storage import files, git, notes
from vaultmem.storage.files import TMP
from vaultmem.storage.git import STASH, Engine, Rewriting, Survey, open_engine, open_repository
from vaultmem.vault import unread

if TYPE_CHECKING:
    from vaultmem.forget.remove import Wish
    from vaultmem.model import Progress
    from vaultmem.vault import Vault

_STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What was worked out; nothing is changed by it."""

    engine: Engine
    target: Target
    rewriting: Rewriting
    loose: tuple[Loose, ...]


def purge(
    vault: Vault, wish: Wish, *, dry_run: bool = False, progress: Progress | None = None
) -> Purged:
    """Erase what the wish means, from this device and this repository; see the module.

    raises  UnknownNoteError, BadInputError, BusyError, HistoryError: nothing is changed then
    """

    def at(step: int) -> None:
        if progress is not None:
            progress("erasing", step, _STEPS)

    wish.require_one()
    _require_no_watcher(vault)
    if dry_run:
        return vaults.level.reading(vault, lambda: _plan_purge(vault, wish, at))
    # The lock of exchanges first: an exchange holds it while it waits for the writer lock, so the
    # other order would let each wait for the other.
    with devices.one_at_a_time(vault), vaults.writer_lock(vault):
        vaults.level.refresh(vault)
        unread.require_none(vault, doing="erase")
        _require_committed(vault)
        edit.settle(vault)
        work = _worked_out(vault, wish, at)
        report = replace(_report(vault, work), dry_run=False)
        at(3)
        if not report.is_something:
            # Perhaps in objects that nothing names any more, in a log, in the index.
            searched, places = search(vault, work.engine, work.target.erasure)
            # An amended message, a dropped stash or a log may be all that still says it.
            if {held.path.as_posix() for held in report.left}.issuperset(places):
                return _with_proof(report, searched, places)
        new = _carry_out(vault, work, at)
        at(5)
        searched, places = search(vault, work.engine, work.target.erasure)
        at(6)
    return _with_proof(replace(report, commit=new), searched, places)


def _plan_purge(vault: Vault, wish: Wish, at: Callable[[int], None]) -> Purged:
    unread.require_none(vault, doing="erase")
    _require_committed(vault)
    work = _worked_out(vault, wish, at)
    report = _report(vault, work)
    if report.is_something:
        return report
    # The dry run told of a passage that stands nowhere; without --yes it was then refused (77).
    searched, places = search(
        vault, work.engine, work.target.erasure
    )  # objects that nothing names any more, logs, the index
    return _with_proof(report, searched, places)


def _with_proof(report: Purged, searched: int, places: tuple[str, ...]) -> Purged:
    return replace(
        report,
        scanned=searched,
        places=places,
        forms=notes.SEARCHED,
        not_searched=notes.NOT_SEARCHED,
    )


def _worked_out(vault: Vault, wish: Wish, at: Callable[[int], None]) -> _Work:
    engine = open_engine(
        open_repository(vault.root, environment=os.environ), vault.state, os.environ
    )
    git.require_erasable(engine)
    survey = Survey(engine)
    at(1)
    target = target_of(vault, survey, wish)
    rewriting = Rewriting(survey, target.erasure)
    rewriting.prepare()
    at(2)
    loose = tuple(loose_files(vault, target.erasure))
    return _Work(engine=engine, target=target, rewriting=rewriting, loose=loose)


def _require_no_watcher(vault: Vault) -> None:
    beat = files.read_heartbeat(vault.state)
    if beat is not None:
        raise BusyError(
            f"a watcher (process {beat.pid}) has the index open, so nothing was erased",
            hint="end it (Ctrl-C where it runs), then run the command again",
        )


def _require_committed(vault: Vault) -> None:
    """Raise UncommittedError for edits of the person's: what they mean is not decided yet.

    Notes that a secret keeps out of the history cannot be committed, and are seen to as they are.
    What is staged is a commit in the making, with objects that no reference names.
    """
    edited = {state.path for state in vault.index.pending()} - vaults.held_paths(vault)
    if found := sorted(edited | vault.history.staged_paths(())):
        raise devices.UncommittedError(
            found,
            hint="`vaultmem sync` commits edits of notes, then run this again; nothing was erased",
        )


def _carry_out(vault: Vault, work: _Work, at: Callable[[int], None]) -> str:
    """From the last moment at which nothing is changed to the new history; its head."""
    now = vault.clock.now()
    plan = Plan(
        op=OP,
        actor="person",
        subject=f"purge: {pluralise(len(work.target.notes), 'note')} erased, history rewritten",
    )
    name, mail = git.read_identity(work.engine, os.environ)
    switch = git.replace.build(
        work.engine,
        work.rewriting,
        message=vaults.message(plan, at=now, settled=not vault.is_open).encode("utf-8"),
        signature=git.signature(name, mail, now // 1000),
    )
    at(4)
    erasure = work.target.erasure
    _clean_loose(vault, work)
    clean_state(vault.state, erasure)
    telling = work.target.telling
    # Before the switch, as nothing after it knows the words; without it a pull would bring them
    # back unnoticed.
    vaults.Erased(vault.settings).add(ids=erasure.ids, texts=erasure.texts, anywhere=telling)
    switch_over(vault, work.engine, switch)
    return switch.new


def _clean_loose(vault: Vault, work: _Work) -> None:
    """Notes with edits that no commit has, and what publications left beside them."""
    changes = [
        change
        for one in work.loose
        if one.is_ours and TMP not in one.path.parents
        for change in changes_of(vault, work.target.erasure, one)
    ]
    vaults.publish_files(vault, changes)
    files.recover(vault.root, now_ns=time.time_ns() + 2 * files.LATE_WRITER_NS)
    # What `recover` leaves there belongs to no note, so a file that says it goes as a whole.
    for path, file in vault_files(vault.root):
        if TMP in path.parents and work.target.erasure.holds(file.read_bytes()):
            file.unlink()


def _report(vault: Vault, work: _Work) -> Purged:
    rewriting, survey = work.rewriting, work.rewriting.survey
    return Purged(
        notes=work.target.notes,
        passages=len(work.target.erasure.texts),
        short=work.target.short,
        files=tuple(sorted({*_changed_files(rewriting), *_changed_loose(work)})),
        commits=rewriting.changed_commits(),
        of_commits=len(rewriting.commits),
        messages=rewriting.messages,
        refs=tuple(name for name, old, new in rewriting.refs() if old != new),
        stores=tuple(_stores(vault, survey)),
        remotes=tuple(_remotes(vault, work.engine)),
        left=tuple(_left(work)),
        dry_run=True,
    )


def _changed_files(rewriting: Rewriting) -> Iterator[PurePosixPath]:
    """Files of the last commit that stay and change."""
    head = rewriting.survey.head.oid
    if head is None:
        return
    old = rewriting.files_of(head)
    new = rewriting.files_of(rewriting.commits[head])
    for path in sorted(new):
        if old.get(path) != new[path]:
            yield PurePosixPath(path)


def _changed_loose(work: _Work) -> Iterator[PurePosixPath]:
    """Uncommitted notes, copies beside notes, and the like."""
    for one in work.loose:
        if one.is_ours and TMP not in one.path.parents:
            yield one.path


def _stores(vault: Vault, survey: Survey) -> Iterator[str]:
    yield "reflogs, objects that nothing names, and what git keeps of commands that are over"
    yield "the index and the past of this device, which are built anew"
    if any(ref.name == STASH for ref in survey.refs):
        yield f"{pluralise(len(survey.stashes) or 1, 'stash', 'stashes')}, rewritten like the rest"
    if (vault.state / check.KEPT).exists():
        yield "what `vaultmem check --fix` kept of damaged files"


def _remotes(vault: Vault, engine: Engine) -> Iterator[str]:
    pinned = config.find_remote(vault.settings.state.name, os.environ)
    urls = [pinned.url] if pinned else []
    named = git.Exchange(engine, os.environ).remotes()  # as its settings are now
    yield from dict.fromkeys(map(config.shown_url, [*urls, *named]))


def _left(work: _Work) -> Iterator[Holding]:
    """Files that are the person's alone, and what to do about each."""
    erasure = work.target.erasure
    for one in work.loose:
        if one.is_ours:
            continue
        stem = one.path.stem if one.path.suffix else one.path.name
        in_name = erasure.is_gone(stem) or erasure.says(stem)
        if in_name and not erasure.holds(one.data):
            why = "its name says it: rename or delete it"
        elif b"\0" in one.data:
            why = "no text: delete it, or save it anew without the words"
        else:
            why = "not a note: take the words out, or delete it"
        yield Holding(path=one.path, why=why)
