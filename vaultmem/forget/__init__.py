"""What is taken out of the memory.

`forget --purge` works out everything before it changes anything: `forget/choice.py` says
which notes and passages, `storage/notes/erasing.py` how a text looks without them (bytes in,
bytes out; one rule for notes of any age, messages, names), `storage/git/erase/rewrite.py` what
becomes of every object, in memory. `storage/git/erase/replace.py` writes one pack with all that
the new references reach. Then a note in the device state, durable and without a word of the text,
makes it certain: `forget/carry_out.py` moves the references, publishes the files, drops
every other object, renews logs and index, and builds the stores of the device anew; the next
holder of the lock finishes it if the process dies. At last it searches every object and
every file. A store of the device that is not under `parts.state` would be missed: put
new ones there.

`devices/admit.py` keeps it from coming back: a history that was rewritten and the one it was made
from part with twin commits (same parents, author, dates, recorded millisecond), and the device
that erased knows ids and passages by keyed hashes (`vault/erased.py`).
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.forget.carry_out import finish
    from vaultmem.forget.erase import purge
    from vaultmem.forget.remove import Wish, clear, forget, take_out_of_lists

attach(
    __name__,
    {
        "carry_out": "finish",
        "erase": "purge",
        "remove": "Wish clear forget take_out_of_lists",
    },
)
