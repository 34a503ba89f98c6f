"""Bring paths into the person's index that an earlier commit could not put there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vaultmem.base import RepositoryBusyError
from vaultmem.storage.git import staging
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.index_lock import IndexHold
from vaultmem.storage.git.index_lock import hold as hold_index
from vaultmem.storage.git.refs import read_head
from vaultmem.storage.git.repair import restart

SETTLE_WAIT_SECONDS = 2.0
"""How long paths that the index may lack wait for git's lock; the next write tries again."""


def settle_index(engine: Engine, root: Path, *, sleep: Callable[[float], None]) -> bool:
    """Bring the remembered paths into the person's index; whether none is left.

    At the first call after a start of the machine, paths that a power cut took out of the index
    are found and remembered first.
    """
    is_first = restart.is_first(engine)
    if is_first:
        _remember_behind(engine, root)
    is_level = _settle_remembered(engine, sleep)
    if is_first:
        # It is marked last: a process that is killed before this lets the next one look again.
        restart.mark_checked(engine)
    return is_level


def _remember_behind(engine: Engine, root: Path) -> None:
    oid = read_head(engine.repository).oid
    if oid is None:
        return
    with staging.lent_shared_index(engine):
        behind = restart.behind(engine, root, oid)
    if behind:
        staging.write_unsettled(engine, staging.read_unsettled(engine) | behind)


def _settle_remembered(engine: Engine, sleep: Callable[[float], None]) -> bool:
    pending = staging.read_unsettled(engine)
    if not pending:
        return True
    try:
        hold = hold_index(engine, wait_seconds=SETTLE_WAIT_SECONDS, sleep=sleep)
    except RepositoryBusyError:
        return False
    try:
        is_level = _settle_held(engine, pending, hold, sleep)
    finally:
        hold.release()
    if is_level:
        staging.write_unsettled(engine, ())
    return is_level


def _settle_held(
    engine: Engine, pending: frozenset[str], hold: IndexHold, sleep: Callable[[float], None]
) -> bool:
    """HEAD is read under the lock: what it holds of the paths is what belongs into the index."""
    oid = read_head(engine.repository).oid
    if oid is None:
        return False
    entries = staging.tree_entries(engine, oid, pending)
    update = staging.IndexUpdate(engine, entries, hold=hold, sleep=sleep)
    try:
        update.lock(wait_seconds=0)
        update.install()
    except RepositoryBusyError:
        return False
    finally:
        update.discard()
    return hold.is_ours
