"""What waits for the person.

Words that end here: `review`, and what `vaultmem view` decides.

Promises
* What waits is shown with where it is from and why it waits.
* Approved, it counts as the person's own words; rejected, it is retracted. `undo` takes both back.

Never: decides by itself, and lets an assistant approve.

Where is the rule for ...
    items and rules that wait                   waiting.py
    what assistants asked to change             waiting.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.review.waiting import (
        Request,
        approve,
        ask,
        carry_out,
        reject,
        waiting,
        wanted_of,
        withdraw,
    )

attach(
    __name__,
    {
        "waiting": "Request approve ask carry_out reject waiting wanted_of withdraw",
    },
)
