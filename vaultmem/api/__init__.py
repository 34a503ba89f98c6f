"""`Memory`: the one place where the rooms meet."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.api.conversation_verbs import Session
    from vaultmem.api.memory import Memory
    from vaultmem.api.requests import RECALL, REMEMBER, Way

attach(
    __name__,
    {
        "memory": "Memory",
        "conversation_verbs": "Session",
        "requests": "RECALL REMEMBER Way",
    },
)
