"""The folder of a vault, watched.

Words that end here: `watch`.

Promises
* A save is in the index as soon as it is quiet; reads need no comparison of files meanwhile.
* An event is a hint only: the files are compared, so a lost event loses nothing.

Never: is needed. Every command compares by itself where no watcher is alive.

Where is the rule for ...
    when a save is taken in                     watch.py
    whether a watcher may be believed           storage/files/locking.py
"""

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
