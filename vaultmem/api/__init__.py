"""`Memory`: the one place where the rooms meet."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.api.memory import Memory
    from vaultmem.api.sessions import Session

attach(
    __name__,
    {
        "memory": "Memory",
        "sessions": "Session",
    },
)
