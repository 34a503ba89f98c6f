"""The last operation taken back, an earlier text restored.

Words that end here: `undo`, `restore`.

Promises
* Several operations are taken back by one new commit: all of them or none.
* A later edit is never written over: `undo` refuses, and names the commits in between.

Never: rewrites the history.

Where is the rule for ...
    what may be taken back                      undo.py
    what `undo` means without a name            history/every_version.py
    which earlier text `restore` gives          undo.py
"""

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
