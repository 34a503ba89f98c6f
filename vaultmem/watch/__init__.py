"""The folder of a vault, watched."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.watch.watch import watcher_of

attach(
    __name__,
    {
        "watch": "watcher_of",
    },
)
