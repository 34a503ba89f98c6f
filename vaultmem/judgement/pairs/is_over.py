"""Whether a new sentence says that an old one is over, and how the two stand to one another.

judge_change("I live in Vienna.", "We moved to Graz in May.")
Change(over=0.93, relation="replaces", relations=(("replaces", 0.9), ...))
"""

from __future__ import annotations

from functools import lru_cache

from vaultmem.base import NamedTuple
from vaultmem.judgement.aspects import Evidence, evidence
from vaultmem.judgement.features import Features
from vaultmem.judgement.linear import chance, rarity, score, weights
from vaultmem.judgement.pairs.features_pair import pair_features

RELATIONS = ("replaces", "ends", "refines", "beside", "same")
OVER = ("replaces", "ends")


class Change(NamedTuple):
    """What the model thinks of a pair. Probabilities are 0 to 1.

    over       the old sentence does not hold any more, since the new one was said; calibrated
               on pairs that were worth comparing (half of them changes). Candidates found by
               likeness of words alone are mostly harmless: ask with a threshold, not with 0.5.
    relation   the likeliest of RELATIONS
    relations  every relation with its probability, the likeliest first; they add up to 1
    features   what of the pair the models saw
    """

    over: float
    features: Features

    @property
    def relation(self) -> str:
        """The likeliest of RELATIONS."""
        return self.relations[0][0]

    @property
    def relations(self) -> tuple[tuple[str, float], ...]:
        """Worked out when it is asked for: most pairs are held against each other for `over`
        alone, and this takes five models of seven.
        """
        read, over = weights("pairs"), self.over
        chances = {name: chance(score(read.models[name], self.features)) for name in RELATIONS}
        sums = {
            True: sum(chances[name] for name in RELATIONS if name in OVER),
            False: sum(chances[name] for name in RELATIONS if name not in OVER),
        }
        shares = {
            name: chances[name] / sums[name in OVER] * (over if name in OVER else 1 - over)
            for name in RELATIONS
        }
        return tuple((name, shares[name]) for name in sorted(RELATIONS, key=lambda n: -shares[n]))

    @property
    def ends(self) -> bool:
        """Whether the old may be ended: 2 % of harmless pairs of one topic are this sure (5 % of an
        author held back, whose pairs are hard: let a rule agree).
        """
        return self.over >= threshold("end")

    @property
    def flags(self) -> bool:
        """Whether the old is doubtful: 25 % of harmless pairs of one topic are; `ends` is too."""
        return self.over >= threshold("flag")


def threshold(name: str) -> float:
    """Of 'end' (2 % of harmless pairs reach it) or 'flag' (25 % do): a probability."""
    return weights("pairs").numbers[f"threshold_{name}"]


@lru_cache(maxsize=64)  # asked by the rules and by the model of one pair
def seen_of(old: str, new: str) -> Evidence:
    """What is seen of an old sentence and a new one (`aspects.evidence`)."""
    read = weights("pairs")
    return evidence(old, new, lambda word: rarity(read, word))


def judge_change(old: str, new: str, *, language: str | None = None) -> Change:
    """What a new sentence means for an old one; about 1 ms.

    old       what is known, as it was said or stored
    new       what was said later
    language  ISO 639-1, of no use today: one model serves all languages
    Not symmetric. Deterministic on every platform.
    """
    read = weights("pairs")
    features = pair_features(old, new, lambda word: rarity(read, word), seen=seen_of(old, new))
    over = chance(score(read.models["over"], features)) * chance(
        score(read.models["topic"], features)
    )
    return Change(over, features)
