"""The folder of a vault, watched."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.watch.watch import FolderEvents, watcher_of

attach(
    __name__,
    {
        "watch": "FolderEvents watcher_of",
    },
)
