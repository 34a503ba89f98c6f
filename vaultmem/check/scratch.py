"""Parts of a vault over a copy of its device state, so that a look at it writes nothing.

Vault and repository are read where they are; the index is brought level in the copy. Copied as
bytes: opening the database itself would write beside it. A copy that another process changed
meanwhile is at worst damaged, and then built anew, in the copy.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.history import versions
from vaultmem.vault.vault import INDEX_FILE, open_parts

if TYPE_CHECKING:
    from vaultmem.config.settings import Settings
    from vaultmem.model.ports import Clock
    from vaultmem.vault.vault import Parts

_ENGINE = "engine.git"
# The engine's own files are made anew, with the folders beside them.
# The past is not looked at, and may be large.
_LEFT_OUT = ("lock", f"{INDEX_FILE}-shm", "config", "HEAD", *versions.NAMES)


@contextmanager
def scratch(settings: Settings, clock: Clock) -> Iterator[Parts]:
    """The parts, good inside `with`; nothing of them is left afterwards."""
    import tempfile

    with tempfile.TemporaryDirectory(
        prefix="vaultmem-check-", ignore_cleanup_errors=True
    ) as folder:
        state = Path(folder, "state")
        state.mkdir(mode=0o700)
        _copy(settings.state, state)
        _copy(settings.state / _ENGINE, state / _ENGINE)
        parts = open_parts(settings, clock, state=state)
        try:
            yield parts
        finally:
            parts.close()


def _copy(source: Path, target: Path) -> None:
    """The files of one folder, without those below; what cannot be read is as if not there."""
    if not source.is_dir():
        return
    target.mkdir(exist_ok=True)
    for file in sorted(source.iterdir()):
        if file.is_file() and not file.is_symlink() and file.name not in _LEFT_OUT:
            with contextlib.suppress(OSError):
                shutil.copyfile(file, target / file.name)
