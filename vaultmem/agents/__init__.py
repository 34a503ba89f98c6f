"""What an assistant writes as files: `agents/<assistant>/` of the vault, searched and committed.

Its files are found like any note and marked as its words. They are pages, never items.

Promises
* The answers are, to the byte, those of Anthropic's own tool (tests/agents/test_oracle.py); where
  the vault refuses, the answer begins with `refused:` and says why.
* Each change is one commit, which `undo` takes back.

Never: makes of these files who the person is, a rule or a hard exception; ends nothing of theirs.

Where is the rule for ...
    the six commands, and what they refuse      commands.py
    files that an assistant had elsewhere       commands.py
    which folders are an assistant's            storage/files/layout.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.agents.commands import MEMORIES, Answer, Brought, bring, folder_name, run

attach(
    __name__,
    {
        "commands": "Answer Brought MEMORIES bring folder_name run",
    },
)
