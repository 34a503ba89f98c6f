"""What a person saved takes effect.

Words that end here: `edit`, `sync`, each save in an editor; `reindex`.

Promises
* The person's bytes are committed as they are; what follows from them is a commit of its own.
* A read never writes: until an edit is settled, the index answers as the edit means it.
* Where bullet and note were both edited, differently, the person decides.
* Thousands of new bullets are several commits, so other writers get their turn.

Never: re-spells or re-orders what the person wrote, and loses an edit to a crash: a commit that
leaves something open says so by the trailer `Vaultmem-Unsettled`.

Where is the rule for ...
    what an edit means                          vault/two_way.py
    the person's bytes as a plan                follow.py
    when an edit takes effect                   settle.py
    what follows in other files                 follow.py
    a bullet that becomes an item               adopt.py
    planning twice, before and under the lock   change.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.edit.change import carry_out
    from vaultmem.edit.follow import agree
    from vaultmem.edit.settle import (
        Settled,
        has_leftovers,
        learned_from_refresh,
        plan_effects,
        reindex,
        settle,
        sync,
        take_in_edit,
        write_plan,
        writer,
    )

attach(
    __name__,
    {
        "change": "carry_out",
        "follow": "agree",
        "settle": (
            "Settled has_leftovers learned_from_refresh plan_effects reindex settle sync "
            "take_in_edit write_plan writer"
        ),
    },
)
