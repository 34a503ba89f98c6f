"""Whether a vault is sound, and what can be mended.

Words that end here: `check`, `audit`, `status`, `show`, `list`.

Promises
* Looking writes nothing: it works on a copy of the device state.
* Each problem has a place, a code and what to do; `--fix` says each step before it is done.
* What the system refuses to read is never taken for gone (`vault/unread.py`).
* `audit` believes the ledger of this device alone, whatever a commit claims.

Never: deletes a damaged file: it is moved into the device state.

Where is the rule for ...
    the list of problems; deep checks           problems.py
    between notes, and mended there             between_notes.py
    the repository, settings and places         repository_problems.py
    how a repository is mended                  storage/git/mend.py
    what others changed, what was sent          audit.py
    the vault and a note at a glance            status.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.check import problems as check
    from vaultmem.check.audit import audit, sendings
    from vaultmem.check.problems import Announce, inspect
    from vaultmem.check.repository_problems import KEPT, gap_remarks
    from vaultmem.check.status import file_of, listing, moment, show, status

attach(
    __name__,
    {
        "audit": "audit sendings",
        "problems": "Announce inspect",
        "repository_problems": "gap_remarks KEPT",
        "status": "file_of listing moment show status",
    },
    modules="problems",
)
