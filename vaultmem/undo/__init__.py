"""The last operation taken back, an earlier text restored."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.undo.restore import restore
    from vaultmem.undo.undo import undo

attach(
    __name__,
    {
        "restore": "restore",
        "undo": "undo",
    },
)
