"""`Memory`: the one place where the rooms meet.

Words that end here: `from vaultmem import Memory`; commands, tools and pages call it, too.

Promises
* The verbs of every day are methods of `Memory`; the rest is on facets with the names of rooms.
* Each returns a frozen record; an error is a `VaultmemError` with a hint.
* A `Memory` belongs to the thread that opened it; in another one it refuses.
* Former names work for one version more, and say what took their place.

Never: decides anything: a method opens the vault and calls its room.

Where is the rule for ...
    a verb of every day                         memory.py
    which facets there are, and their methods   facets.py, room_verbs.py
    conversations                               conversation_verbs.py
    options of `remember` and `recall`          requests.py
    opening, threads, closing                   opened.py
    former names; arguments of Mem0             former.py, mem0.py
"""

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
