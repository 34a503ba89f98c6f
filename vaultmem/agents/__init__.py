"""What an assistant writes as files: `agents/<assistant>/` of the vault, searched and committed.

Its files are found like any note and marked as its words. They are pages, never items: whatever
they say of themselves, nothing of them becomes who the person is, a rule or a hard exception, and
nothing of the person's ends because of them. `commands.py` answers the six commands of
Anthropic's memory tool (`memory_20250818`) over `agents/<assistant>/memories`.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.agents.bring import Brought, bring
    from vaultmem.agents.commands import MEMORIES, Answer, folder_name, run

attach(
    __name__,
    {
        "bring": "Brought bring",
        "commands": "Answer MEMORIES folder_name run",
    },
)
