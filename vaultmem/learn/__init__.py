"""What repeats becomes a rule, a profile, an overview.

`learn/detect/` is pure. `learn/detect/own_statements.py` makes sentences of a turn (quotations and
code become opaque words), `learn/detect/own_statements.py` says which clauses are evidence,
`learn/detect/preferences.py`, `learn/detect/decisions.py` and `learn/detect/corrections.py` find
cues in them and `learn/detect/preferences.py` what these are about; `learn/patterns.py` makes
patterns of sightings; `learn/rules.py` is one run over rules and patterns. All cues are in
`cues/*.toml`: a language is a file.

`learn/consolidate.py` looks at all conversations each time and keeps no state: a rule's note
names the conversations that counted for and against it, and its id is a hash of what it says. So
any two runs, on any devices, at any times, give the same rule. What was forgotten is known from
the past (`history/versions.py`).

The same run makes facts of events: `learn/events.py` picks those without a mark, `learn/topics.py`
clusters them and says what comes back, `learn/events.py` puts that on the shelf by the rules of
`remember`; `learn/events.py` weakens what another note contradicts. `recall/belief/sureness.py` is
what a confidence is worth on read. `rivals.py` finds what competes with a note that is told,
`recall/belief/twins.py` the rule and the item that are of one sentence. Whose words each part of a
turn is, `judgement/whose/whose_words.py` decides, for learning, sessions and extraction alike
(judgement.md); the lines of a pasted chat it asks `language/speakers.py` about. `leads.py` reads
what stands before a text, `blocks.py` its form, `whose/*.toml` are the words of each language. What
is read of them and of `aspects.toml` is folded and keyed beforehand (`*.packed`): `python -m
tests.bench.judgement.packing` after each edit of a list. What a model proposes
(`learn/proposed.py`) is held against the turns it was shown and kept nowhere.

`maintain/nightly.py` does the jobs; what they look at is decided in `maintain/`, which is pure:
`maintain/schedule.py` when, `maintain/windows.py` how old, `maintain/windows.py` which items say
the same, `learn/overviews.py` what of a long list is told, `recall/overview_tree.py` what of a
time. Each change has a module of its own (`maintain/nightly.py`, `maintain/archive.py`,
`maintain/old_lists.py`, `learn/overviews.py`, whose notes `recall/overview_tree.py` gives to broad
questions). When a job ran is in the device state: lost, it costs a run that finds nothing to do; in
the vault it would be a commit for each run, and devices would fight over it.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.learn.consolidate import consolidate
    from vaultmem.learn.feedback import judge
    from vaultmem.learn.overviews import Listed, digest, is_ours, is_stale, tell_periods
    from vaultmem.learn.profile import update_profile
    from vaultmem.learn.proposed import propose
    from vaultmem.learn.reflect import reflect
    from vaultmem.learn.self_praise import claims
    from vaultmem.learn.show_rules import history, rules, trend, why

attach(
    __name__,
    {
        "self_praise": "claims",
        "consolidate": "consolidate",
        "feedback": "judge",
        "overviews": "Listed digest is_ours is_stale tell_periods",
        "profile": "update_profile",
        "proposed": "propose",
        "reflect": "reflect",
        "show_rules": "history rules trend why",
    },
)
