"""Open the parts of a vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import IndexDamagedError, MemoryDisabledError
from vaultmem.operations.parts import Parts

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.ports import Clock

INDEX_FILE = "index.sqlite"


def open_parts(settings: Settings, clock: Clock, *, short_lived: bool = False) -> Parts:
    """History and index of the vault that the settings are of; the index may be empty still."""
    from vaultmem.config_state import make_state_folder
    from vaultmem.index.database import Index
    from vaultmem.vault.history import History

    if not settings.enabled:
        raise MemoryDisabledError(settings.disabled_by)
    state = make_state_folder(settings.state)
    file = state / INDEX_FILE
    identity = f"{settings.id} {settings.root}"
    damage = ""
    languages, zone = settings.languages, settings.timezone
    try:
        index = Index.open(file, identity=identity, languages=languages, zone=zone)
    except IndexDamagedError as error:
        damage = error.reason
        index = Index.create(file, identity=identity, languages=languages, zone=zone)
    parts = Parts(
        root=settings.root,
        state=state,
        settings=settings,
        history=History.open(settings.root, state),
        index=index,
        clock=clock,
        index_damage=damage,
        short_lived=short_lived,
    )
    if short_lived:
        _look_ahead(parts)
    return parts


def _look_ahead(parts: Parts) -> None:
    """Let a child compare files while this process still imports what the command needs.

    Half of a cold command is importing, and two cores are common: 30 ms at 10,000 notes.
    """
    from vaultmem.vault.heartbeat import read_heartbeat

    if read_heartbeat(parts.state) is None:
        from vaultmem.vault.scanning import start_scan

        parts.ahead = start_scan(parts.root, parts.index.folders(), include=parts.settings.include)
