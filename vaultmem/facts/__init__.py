"""What a new statement means for the known ones.

`model/slots.py` makes the key by which slots are compared; the index keeps it as a column with an
index of its own, so a slot is one look-up. `facts/target.py` finds the item that is meant,
`facts/operations.py` does each of the four operations on a shelf, `facts/validity.py` is how an
item ends (note, links, bullet, category lines), `extract/restating.py` the words of what takes its
place. `edit/change.py` plans twice: before the lock, so that an error changes nothing, and under
it.

`facts/supersede.py` decides by rules what a new statement means for a known one, pure
(`facts/slot_candidates.py` finds, by how statements begin, which of a large slot to ask it about);
`facts/contradictions.py` brings in times, trust and files, reading items from the workbench, where
those of the same session are. `remember` (`remember/take_in.py`), adopted bullets
(`edit/follow.py`) and `review approve` ask it. `extract/find_slots.py` reads "I no longer use Vim"
as the slot that it ends. `facts/operations.py` finds for `check` what nobody decided.

`judgement/sentence.py` and `judgement/pairs/is_over.py` say what one sentence or pair is (worth
keeping, critical, its kind; the old is over): logistic models whose weights travel as bytes and
are read by the standard library, pure and the same everywhere (judgement.md).
`judgement/features.py`, `judgement/pairs/is_over.py` are what they see, shared with their
training; `judgement/meanings.py` is a table of word vectors. A change of a feature raises
`features.VERSION` and needs new weights.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.facts.contradictions import Contradictions
    from vaultmem.facts.operations import (
        Wanted,
        plan_fact,
        require_no_date,
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
            "Wanted plan_fact require_no_date undecided_problems want_end want_new what_it_ends"
        ),
        "opinions": "Opinions Pair ask_about_pairs",
        "supersede": "SAME SUPERSEDE Stated UNDECIDED UPDATE decide",
        "target": "load",
        "validity": "EXPIRED SUPERSEDED as_links close keys_of reword ticked_at unlist",
    },
)
