"""Several devices, one memory.

`devices/exchange.py` speaks to the remote outside the vault's lock
(`storage/git/remote/remote.py`: explicit address, explicit programs, engine references).
`devices/admit.py` judges what came before a byte is written, `devices/combine.py` brings two
trees together path by path (notes by `storage/merging/`, followed through renames by their id).
The commit is made first, with both parents; then `devices/arrive.py` publishes the files and
moves the branch, with a note in the device state that lets the next writer finish what a killed
process began. The files of a conversation are one thing: `sessions/joining.py` takes them out of
that and joins them whole (`sessions/joining.py`, pure), and `sessions/held_rules.py` holds rules
of others in the tree before its commit is made. In the end bullets follow their items
(`devices/follow.py`): both sides had been settled, so whatever differs is a clash between
devices, and the item is the memory.
"""
