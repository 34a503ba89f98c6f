"""What repeats becomes a rule, a profile, an overview.

Words that end here: `consolidate`, `rules`, `profile`, `reflect`; `maintain` runs them when due.

Promises
* A rule needs two conversations, or an express order; each is shown with the words for it.
* Any two runs, on any devices, at any times, give the same rule: no state is kept.
* What was forgotten, or taken back, is not learned again.
* What a model proposes is held against what it was shown.

Never: learns from words that are not the person's own. Cues are data: `cues/`, a file a language.

Where is the rule for ...
    one run over all conversations              consolidate.py
    when a rule is learned                      patterns.py, rules.py
    how sure a rule is                          confidence.py
    what a conversation shows                   preferences.py, corrections.py, conventions.py
    which clauses are the speaker's own         own_statements.py
    a rule as a note                            rule_notes.py
    what comes back among events                topics.py, events.py
    overviews of days, weeks, years             overviews.py
    who the person is                           profile.py
    what a model proposes; insights             proposed.py, reflect.py
    praise of oneself                           proposed.py
    why a rule is held                          show_rules.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.learn.consolidate import consolidate
    from vaultmem.learn.overviews import Listed, digest, is_ours, is_stale, tell_periods
    from vaultmem.learn.profile import update_profile
    from vaultmem.learn.proposed import claims, propose
    from vaultmem.learn.reflect import reflect
    from vaultmem.learn.show_rules import history, judge, rules, rules_with_evidence, trend, why

attach(
    __name__,
    {
        "consolidate": "consolidate",
        "overviews": "Listed digest is_ours is_stale tell_periods",
        "profile": "update_profile",
        "proposed": "claims propose",
        "reflect": "reflect",
        "show_rules": "history judge rules rules_with_evidence trend why",
    },
)
