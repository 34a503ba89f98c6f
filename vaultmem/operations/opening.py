"""Open the parts of a vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import IndexDamagedError, MemoryDisabledError
from vaultmem.operations.parts import Parts

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.ports import Clock

INDEX_FILE = "index.sqlite"


def open_parts(settings: Settings, clock: Clock, *, trust_watcher: bool = False) -> Parts:
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
    return Parts(
        root=settings.root,
        state=state,
        settings=settings,
        history=History.open(settings.root, state),
        index=index,
        clock=clock,
        index_damage=damage,
        trust_watcher=trust_watcher,
    )
