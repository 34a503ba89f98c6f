"""What is taken out of the memory.

Words that end here: `forget`, `forget --purge`, `forget --aged`, `clear`.

Promises
* `forget` and `clear` are one commit, which `undo` takes back; the history keeps the text.
* `--purge` erases a text from every version, every store and log of this device, and proves it by
  a search through all objects and files.
* Everything is worked out first. One durable note without a word of the text makes it certain; the
  next holder of the lock finishes what a killed process began.
* What was erased does not return: ids and passages are known by keyed hashes.

Never: takes out words of the person that only quote the text: they are named and left.

Where is the rule for ...
    what `forget` and `clear` take out          remove.py
    what is erased for good                     choice.py
    an erasure: its order, stores of the device,
    the proof                                   erase.py
    how a text looks without a passage          storage/notes/erasing.py
    the history without it                      storage/git/rewrite.py
    erased texts that would come back           vault/erased.py, devices/admit.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.forget.erase import finish, purge
    from vaultmem.forget.remove import Wish, clear, forget, take_out_of_lists

attach(
    __name__,
    {
        "erase": "finish purge",
        "remove": "Wish clear forget take_out_of_lists",
    },
)
