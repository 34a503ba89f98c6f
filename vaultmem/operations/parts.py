"""The opened parts of one vault, as operations receive them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.frozen import dataclass

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.index.database import Index
    from vaultmem.ports import Clock
    from vaultmem.vault.history import History


@dataclass(slots=True, kw_only=True)
class Parts:
    """Vault root, device state, settings, git history, index and clock.

    Mutable where the index is concerned: a damaged one is replaced (`sync.rebuild`).
    """

    root: Path
    state: Path
    settings: Settings
    history: History
    index: Index
    clock: Clock
    index_damage: str = ""  # why the index was started anew when it was opened
    trust_watcher: bool = False  # reads may skip their scan while a watcher says all is level
