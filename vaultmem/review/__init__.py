"""What waits for the person.

Words that end here: `review`, and what `vaultmem view` decides.

Promises
* What waits is shown with where it is from and why it waits.
* Approved, it counts as the person's own words; rejected, it is retracted. `undo` takes both back.

Never: decides by itself, and lets an assistant approve.

Where is the rule for ...
    items and rules that wait                   waiting.py
    what assistants asked to change             asked_changes.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.review.asked_changes import Request, ask, carry_out, wanted_of, withdraw
    from vaultmem.review.waiting import approve, reject, waiting

attach(
    __name__,
    {
        "asked_changes": "Request ask carry_out wanted_of withdraw",
        "waiting": "approve reject waiting",
    },
)
