"""Open the parts of a vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.base.errors import DiskError, IndexDamagedError, MemoryDisabledError
from vaultmem.vault.vault import Parts

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.config.settings import Settings
    from vaultmem.model.notes import FolderState
    from vaultmem.model.ports import Clock
    from vaultmem.storage.files.scanning import ScanAhead
    from vaultmem.storage.git.history import History
    from vaultmem.vault.vault import Recovery

INDEX_FILE = "index.sqlite"
AHEAD_BYTES = 1_500_000  # of an index file: about a thousand notes


def open_parts(
    settings: Settings,
    clock: Clock,
    *,
    short_lived: bool = False,
    compares: bool = True,
    state: Path | None = None,
    recoveries: tuple[Recovery, ...] = (),
) -> Parts:
    """History and index of the vault that the settings are of; the index may be empty still.

    compares  False: answers come from the index as it is (answering.py)
    state  None: the device state of the vault; else a copy of it
    recoveries  what a writer finishes first; none where nothing can have been begun
    """
    from vaultmem.config.state import make_state_folder

    if not settings.enabled:
        raise MemoryDisabledError(settings.disabled_by)
    state = make_state_folder(settings.state) if state is None else state
    ahead = _look_ahead(settings, state) if short_lived and compares else None
    from vaultmem.storage.index.database import Index

    file = state / INDEX_FILE
    identity = f"{settings.id} {settings.root}"
    damage = ""
    languages, zone = settings.languages, settings.timezone
    try:
        index = Index.open(file, identity=identity, languages=languages, zone=zone)
    except IndexDamagedError as error:
        damage = error.reason
        index = Index.create(file, identity=identity, languages=languages, zone=zone)
    except DiskError:
        # Questions can still be answered; a write is refused at the lock beside the index.
        index = Index.copy(file, identity=identity, languages=languages, zone=zone)
    index.lasts = not short_lived

    def open_history() -> History:
        from vaultmem.storage.git.history import History

        return History.open(settings.root, state)

    parts = Parts(
        root=settings.root,
        state=state,
        settings=settings,
        open_history=open_history,
        index=index,
        clock=clock,
        index_damage=damage,
        short_lived=short_lived,
        compares=compares,
        ahead=ahead,
        recoveries=recoveries,
    )
    try:
        if compares:  # what is wrong with the repository is said before anything is begun
            parts.history  # noqa: B018
    except BaseException:
        parts.close()
        raise
    return parts


def _look_ahead(settings: Settings, state: Path) -> ScanAhead | None:
    """Let a child compare files while this process still imports what the command needs.

    Half of a cold command is importing, and two cores are common: it hides 40 ms at 10,000
    notes. Small vaults are compared in less time than a process takes to start.
    """
    from vaultmem.storage.files.heartbeat import read_heartbeat

    file = state / INDEX_FILE
    if not file.exists() or file.stat().st_size < AHEAD_BYTES or read_heartbeat(state) is not None:
        return None
    from vaultmem.storage.files.scanning import scan_ahead

    def known() -> dict[str, FolderState]:
        from vaultmem.storage.index.store.rows import folders_in

        return folders_in(file)

    return scan_ahead(settings.root, known, include=settings.include)
