"""Whether a vault is sound, and what can be mended.

`check` works on a copy of the device state (`check/problems.py`), so it writes nothing. `check
--fix` mends the repository in rounds (`storage/git/survey.py` finds,
`storage/git/mend.py` plans and acts, `check/repository_problems.py` says each round before
it is done), then the notes in one commit. What the system refuses to read is never taken for gone:
`vault/unread.py` keeps its rows (those of the last commit where the index is new), holds it back
from committing and settling, and has it read again by the next command. `storage/files/reading.py`
says whether something lies at a path; ask it, and not `os.path.lexists`, which says of a folder
that may not be entered that nothing is in it.
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
