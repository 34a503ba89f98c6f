"""The last operation taken back, an earlier text restored."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.undo.undo import restore, undo

attach(
    __name__,
    {
        "undo": "restore undo",
    },
)
