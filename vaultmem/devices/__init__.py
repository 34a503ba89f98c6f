"""Several devices, one memory.

Words that end here: `pull`, `push`, `sync --remote`, `remote`, `init --from`.

Promises
* The remote is asked outside the vault's lock, by an explicit address and explicit programs.
* What came is judged before a byte of it is written; one bad path refuses all of it.
* The result does not depend on which device merges. Nothing of either side is lost.
* A process that dies in between leaves a note, and the next writer finishes the job.

Never: pushes over what the remote has, and writes over a file that is in no commit.

Where is the rule for ...
    the order: take in, merge, settle, send     exchange.py
    what may come in; a rewritten history       incoming.py, admit.py
    two trees, path by path                     combine.py
    one note out of three versions              storage/merging/note.py
    files and branch into place                 arrive.py
    a vault on a new device                     receive.py
    a conversation that both went on with       sessions/two_sides.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.devices.arrive import UncommittedError, finish
    from vaultmem.devices.combine import merge_lines
    from vaultmem.devices.exchange import Wanted, exchange, one_at_a_time, open_notices
    from vaultmem.devices.incoming import mass_deletion
    from vaultmem.devices.receive import describe_remote, merge_copy, pin, receive, suggestion

attach(
    __name__,
    {
        "arrive": "UncommittedError finish",
        "combine": "merge_lines",
        "exchange": "Wanted exchange one_at_a_time open_notices",
        "incoming": "mass_deletion",
        "receive": "describe_remote merge_copy pin receive suggestion",
    },
)
