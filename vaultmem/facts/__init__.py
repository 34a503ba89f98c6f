"""What a new statement means for the known ones.

Words that end here: `change`, `correct`, `expire`, `retract`; `remember`, `edit` and `review` ask.

Promises
* Nothing is deleted: what is over has an end, and leads to what took its place.
* Rules decide; likeness of words only nominates. In doubt both facts stay, and `check` says so.
* A fact ends at the time at which the new one begins, by the dates that were said.
* Only the person, or what is believed as much, ends what the person said.

Never: writes. It plans in the listings; `vault/apply.py` carries the plan out.

Where is the rule for ...
    which item is meant; who may change it      target.py
    what a new statement ends, by its words     supersede.py
    the same with times, trust and files        contradictions.py
    ends that only the sense tells              judgement/pairs/out_of_date.py
    each of the four operations                 operations.py
    what nobody decided                         operations.py
    how an item ends: note, links, bullet       validity.py
    what a new statement is compared with       slot_candidates.py
    how many values a slot has                  slot_candidates.py, model/slots.py
    what a model says of two facts              opinions.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.facts.contradictions import Contradictions
    from vaultmem.facts.operations import (
        Wanted,
        plan_fact,
        require_no_date,
        rivals,
        undecided_problems,
        want_end,
        want_new,
        what_it_ends,
    )
    from vaultmem.facts.opinions import Opinions, Pair, ask_about_pairs
    from vaultmem.facts.supersede import SAME, SUPERSEDE, UNDECIDED, UPDATE, Stated, decide
    from vaultmem.facts.target import load
    from vaultmem.facts.validity import (
        EXPIRED,
        SUPERSEDED,
        as_links,
        close,
        keys_of,
        reword,
        ticked_at,
        unlist,
    )

attach(
    __name__,
    {
        "contradictions": "Contradictions",
        "operations": (
            "Wanted plan_fact require_no_date rivals undecided_problems want_end want_new "
            "what_it_ends"
        ),
        "opinions": "Opinions Pair ask_about_pairs",
        "supersede": "SAME SUPERSEDE Stated UNDECIDED UPDATE decide",
        "target": "load",
        "validity": "EXPIRED SUPERSEDED as_links close keys_of reword ticked_at unlist",
    },
)
