"""What repeats becomes a rule, a profile, an overview.

`learn/detect/` is pure: `own_statements` makes sentences of a turn (quotations and code become
opaque words) and says which clauses are evidence; `preferences`, `decisions`, `corrections` and
`conventions` find what they show. Their cues are in `learn/detect/cues/*.toml`, a language a file.
`learn/patterns.py` makes patterns of sightings, `learn/rules.py` is one run over rules and
patterns, `learn/rule_notes.py` writes a rule as a note.

`learn/consolidate.py` looks at all conversations each time and keeps no state: a rule's note names
the conversations that counted for and against it, and its id is a hash of what it says. So any two
runs, on any devices, at any times, give the same rule. What was forgotten is known from the past
(`history/versions.py`). Whose words each part of a turn is, `judgement/whose/` decides, for
learning, sessions and extraction alike.

The same run makes facts of events: `learn/topics.py` clusters them and says what comes back,
`learn/events.py` keeps it by the rules of `remember` and weakens what another note contradicts.
`learn/overviews.py` tells days, weeks and years shorter; `recall/overview_tree.py` gives these to
broad questions. What a model proposes (`learn/proposed.py`, `learn/reflecting.py`) is held against
what it was shown. When each of this runs is decided in `maintain/`.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.learn.consolidate import consolidate
    from vaultmem.learn.overviews import Listed, digest, is_ours, is_stale, tell_periods
    from vaultmem.learn.profile import update_profile
    from vaultmem.learn.proposed import propose
    from vaultmem.learn.reflect import reflect
    from vaultmem.learn.self_praise import claims
    from vaultmem.learn.show_rules import history, judge, rules, rules_with_evidence, trend, why

attach(
    __name__,
    {
        "consolidate": "consolidate",
        "overviews": "Listed digest is_ours is_stale tell_periods",
        "profile": "update_profile",
        "proposed": "propose",
        "reflect": "reflect",
        "self_praise": "claims",
        "show_rules": "history judge rules rules_with_evidence trend why",
    },
)
