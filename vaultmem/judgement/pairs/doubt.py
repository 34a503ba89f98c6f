"""Whether a known statement is likely out of date, where no words show that it is over. Pure.

The model of change learned from pairs that somebody chose: half of them are changes. In a vault
sixteen strangers are held against each new sentence, and there its odds alone mark as many true
statements as old ones. What else is seen of the pair counts here, too, by weights that were fitted
on pairs as vaults nominated them (`python -m tests.bench.judgement.met`).
"""

from __future__ import annotations

from math import exp, log

from vaultmem.base import NamedTuple

LIKELY = 0.1
"""From here on a statement is marked. Of thirteen everyday lives 85 of 102 statements that are over
end or reach it, and 90 of some 620 that are not; with .17 these were 70 and 52. What is over and
not marked is told as true; a wrong mark costs a reader a glance. Of pairs of one topic, written to
be hard, .33 of the harmless are marked by it (.14: .28)."""
SURER = 0.17
"""From here on the newer statement is given first, whatever its words: of those that reach it three
in five are right, of those between the two bounds three in ten."""
_LEAST = 0.001  # odds are never surer than this
_BIAS = -4.04
_WEIGHTS: dict[str, float] = {
    "odds": 0.52,
    "rare": 1.74,
    "kept": 1.74,
    "covered": 1.26,
    "ends": 0.17,
    "corrects": 0.05,
    "changes": -0.09,
    "told": 5.19,
    "unsure": 0.42,
    "lasting": -1.22,
    "valued": 1.85,
    "critical": 0.97,
    "odds_rare": 0.14,
}


class Met(NamedTuple):
    """What is seen of a new statement and a known one that an index found for it.

    odds      of the model of change, 0 to 1
    rare      rarity of the rarest word that both have in some form, 0 to 1
    kept      share of what the known one is about that the new one names, 0 to 1
    covered   share of what is said with a cue that the known one is about, 0 to 1
    ends, corrects, changes  the cue that the new one has
    told      both tell the home, job or age of one person, otherwise, or seem to
    unsure    asked, imagined, or only for a while
    lasting   the known one tells what nothing ends
    valued    as `kept`, where both name days or numbers, and not the same
    critical  a life may hang on the known one
    """

    odds: float
    rare: float
    kept: float
    covered: float
    ends: bool
    corrects: bool
    changes: bool
    told: bool
    unsure: bool
    lasting: bool
    valued: float
    critical: bool


def chance_of_end(met: Met) -> float:
    """How likely the known statement of such a pair is over, 0 to 1."""
    sum_ = _BIAS
    for name, value in features_of(met).items():
        sum_ += _WEIGHTS[name] * value
    return 1 / (1 + exp(-sum_))


def features_of(met: Met) -> dict[str, float]:
    """What is weighed, by name."""
    odds = min(max(met.odds, _LEAST), 1 - _LEAST)
    told = {name: float(value) for name, value in zip(Met._fields, met, strict=True)}
    told["odds"] = log(odds / (1 - odds))
    told["odds_rare"] = told["odds"] * met.rare
    return told
