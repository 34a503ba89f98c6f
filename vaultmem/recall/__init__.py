"""A question becomes an answer: found, ranked, believed, and said how sure.

Words that end here: `recall`, `search`, `links`, `feedback`; `context` asks here, too.

Promises
* A memory is answered once: an item stands for the passage that it quotes.
* Nothing is said to be found where nothing fits: `no memory found`.
* Of two memories of which the newer may have ended the older, the newer is given first.
* What was corrected, ended or contradicted since is marked as that.
* Text from outside counts less, and fills at most a share of an answer.

Never: writes into the vault. What was answered is logged in the device state, by id.

Where is the rule for ...
    which time, how deep, how many              verbs.py
    the order of work on a question             answer.py
    whether what was found is an answer         enough.py
    newer before older                          order.py, replaced_by.py
    how age fades a memory                      decay.py, recency.py
    how far a memory is believed                belief/believed.py, belief/sureness.py
    presets, breadth                            ranking/presets.py
    links of a note                             links.py
    tiers; rounds                               tiers.py, rounds.py
    what is due; overviews of a time            agenda.py, overview_tree.py
    vectors                                     by_meaning.py
    another project                             of_project.py
    how often a note was used                   use_counts.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.recall import use_counts as uses
    from vaultmem.recall.answer import masked_question, pending_of, with_overviews
    from vaultmem.recall.ask_index import PASSAGES_A_HIT
    from vaultmem.recall.belief.believed import (
        arrange_by_trust,
        cap_untrusted,
        disagrees,
        suspicion_of,
    )
    from vaultmem.recall.belief.corrected import CORRECTED_AT, with_outdated
    from vaultmem.recall.belief.rivals import LEARNED, Rivals, Twins, without_twins
    from vaultmem.recall.belief.sureness import Sureness
    from vaultmem.recall.by_meaning import after_many, beside, embedder, make, require_on, standing
    from vaultmem.recall.enough import (
        CURRENT,
        QuotedBy,
        answering_passages,
        current,
        hits_by_memory,
        holds,
        least_coverage,
    )
    from vaultmem.recall.freshness import Ages
    from vaultmem.recall.links import alike, link_by_rule, links
    from vaultmem.recall.of_project import Asking
    from vaultmem.recall.order import is_record, order_hits_by_age
    from vaultmem.recall.overview_tree import (
        LEVELS,
        TAG,
        Happened,
        Overview,
        hierarchy,
        overview_id,
    )
    from vaultmem.recall.ranking import served
    from vaultmem.recall.ranking.learned_weights import (
        MOST_BYTES,
        ScorerEvent,
        judged_presets,
        learn_weights,
        merge_event_files,
        parse_events,
        read_events,
        render_events,
    )
    from vaultmem.recall.ranking.presets import fixed_weights
    from vaultmem.recall.ranking.served import Served
    from vaultmem.recall.recency import exponential
    from vaultmem.recall.use_counts import (
        accesses,
        parse_uses,
        priorities,
        priority,
        render_uses,
        today_of,
        uses_now,
    )
    from vaultmem.recall.verbs import recall, search

attach(
    __name__,
    {
        "answer": "masked_question pending_of with_overviews",
        "ask_index": "PASSAGES_A_HIT",
        "belief.believed": "arrange_by_trust cap_untrusted disagrees suspicion_of",
        "belief.corrected": "CORRECTED_AT with_outdated",
        "belief.rivals": "LEARNED Rivals Twins without_twins",
        "belief.sureness": "Sureness",
        "by_meaning": "after_many beside embedder make require_on standing",
        "enough": "CURRENT QuotedBy answering_passages current hits_by_memory holds least_coverage",
        "freshness": "Ages",
        "links": "alike link_by_rule links",
        "of_project": "Asking",
        "order": "is_record order_hits_by_age",
        "overview_tree": "Happened LEVELS Overview TAG hierarchy overview_id",
        "ranking.learned_weights": (
            "MOST_BYTES ScorerEvent judged_presets learn_weights merge_event_files "
            "parse_events read_events render_events"
        ),
        "ranking.presets": "fixed_weights",
        "ranking.served": "Served",
        "recency": "exponential",
        "use_counts": "accesses parse_uses priorities priority render_uses today_of uses_now",
        "verbs": "recall search",
    },
    modules="ranking.served use_counts",
)
