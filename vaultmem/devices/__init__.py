"""Several devices, one memory.

`devices/exchange.py` speaks to the remote outside the vault's lock
(`storage/git/remote/remote.py`: explicit address, explicit programs, engine references).
`devices/admit.py` judges what came before a byte is written, `devices/combine.py` brings two
trees together path by path (notes by `storage/merging/`, followed through renames by their id).
The commit is made first, with both parents; then `devices/arrive.py` publishes the files and
moves the branch, with a note in the device state that lets the next writer finish what a killed
process began. The files of a conversation are one thing: `sessions/two_sides.py` takes them out of
that and keeps both sides, each whole, and `sessions/held_rules.py` holds rules of others in the
tree before its commit is made. In the end bullets follow their items
(`devices/exchange.py`): both sides had been settled, so whatever differs is a clash between
devices, and the item is the memory.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.devices.arrive import UncommittedError, finish
    from vaultmem.devices.combine import merge_lines
    from vaultmem.devices.exchange import Wanted, exchange, one_at_a_time, open_notices
    from vaultmem.devices.receive import describe_remote, merge_copy, pin, receive, suggestion

attach(
    __name__,
    {
        "arrive": "UncommittedError finish",
        "combine": "merge_lines",
        "exchange": "Wanted exchange one_at_a_time open_notices",
        "receive": "describe_remote merge_copy pin receive suggestion",
    },
)
