"""Whether a new sentence says that an old one is over, and how the two stand to one another.

judge_change("I live in Vienna.", "We moved to Graz in May.")
Change(over=0.93, relation="replaces", relations=(("replaces", 0.9), ...))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from math import sqrt
from operator import mul

from vaultmem.base import NamedTuple
from vaultmem.judgement.aspects import ENDS, SAME_THING, Evidence, evidence
from vaultmem.judgement.features import (
    POOLED,
    Features,
    Rarity,
    Tokens,
    hash_of,
    place_of,
    sense_of,
    shape_of,
    tokens_of,
)
from vaultmem.judgement.linear import chance, rarity, score, weights
from vaultmem.judgement.meanings import Vector, meaning_of
from vaultmem.judgement.signs import NAMES

# What the model of change sees of a pair: what a new sentence shares with an old one, and adds.
#
# Pure and the same on every platform, as `features`.


_FIRST = 48  # numbers of a vector that are compared: the rest is too fine to be worth the time
_NEAR = 0.5
_VALUES = ("weekday", "month", "count")
_RARE = 0.5  # about one sentence in thirty has a word of this rarity
_MOST_WORDS = 12  # words of a side whose senses are compared
_DIFFER = tuple(f"{name}_differs" for name in ("number", "name", "weekday", "month", "count"))
_WHO = ("kin", "pet", "self", "other", "you")


def pair_features(old: str, new: str, rarity: Rarity, *, seen: Evidence | None = None) -> Features:
    """Features of an old sentence and a new one, in this order; texts may be empty.

    rarity  0 (in every sentence) to 1 (seldom seen) of a word in lower case
    seen    what `evidence` of the two is, where the caller has it; None: not asked yet
    """
    known, said = tokens_of(old), tokens_of(new)
    twins = [place_of(word, known.low) for word in said.low]
    kept = {known.low[twin] for twin in twins if twin >= 0}
    words: dict[str, None] = {}
    _add_ngrams(words, "", said.low)
    marked = [w if t >= 0 else f"+{w}" for w, t in zip(said.low, twins, strict=True)]
    _add_ngrams(words, "m", marked)
    for word in known.low:
        if word not in kept:
            words[f"-{word}"] = None
    shapes = [
        "=" if twin >= 0 and not signs and len(raw) > 2 else shape_of(raw, signs)
        for raw, signs, twin in zip(said.raw, said.signs, twins, strict=True)
    ]
    _add_shapes(words, shapes)
    plain = (
        *_plain(known, said, twins, rarity),
        *_evidence_features(evidence(old, new, rarity) if seen is None else seen),
    )
    return Features(tuple(hash_of(word) for word in words), (), plain)


def _add_ngrams(words: dict[str, None], mark: str, low: Sequence[str]) -> None:
    edged = ("<", *low, ">")
    for i, word in enumerate(edged):
        words[f"{mark}{word}"] = None
        if i:
            words[f"{mark}{edged[i - 1]} {word}"] = None


def _add_shapes(words: dict[str, None], shapes: Sequence[str]) -> None:
    edged = ("<", *shapes, ">")
    for i in range(1, len(edged)):
        words["\t" + " ".join(edged[i - 1 : i + 1])] = None
        if i > 1:
            words["\t" + " ".join(edged[i - 2 : i + 1])] = None


def _plain(
    known: Tokens, said: Tokens, twins: Sequence[int], rarity: Rarity
) -> tuple[tuple[str, float], ...]:
    found = {twin for twin in twins if twin >= 0}
    weight_old = sum(map(rarity, dict.fromkeys(known.low)))  # in order: sums of a set differ
    weight_new = sum(map(rarity, dict.fromkeys(said.low)))
    shared = dict.fromkeys(known.low[i] for i in sorted(found))
    weight = sum(rarity(word) for word in shared)
    overlap = weight / max(0.1, min(weight_old, weight_new))
    plain: dict[str, float] = {
        "overlap": overlap,
        "overlap_old": weight / max(0.1, weight_old),
        "overlap_new": weight / max(0.1, weight_new),
        "rarest_shared": max((rarity(word) for word in shared), default=0.0),
        "same_start": float(known.low[:1] == said.low[:1]),
        "same_start_two": float(known.low[:2] == said.low[:2]),
        "short_new": max(0, 6 - len(said.low)) / 6,
        "short_old": max(0, 6 - len(known.low)) / 6,
        "nothing_shared": float(all(rarity(word) < _RARE for word in shared)),
        "shared": min(weight, 3.0) / 3,
    }
    _sense(plain, known, said, found, twins)
    _compare(plain, "number", _numbers(known), _numbers(said))
    _compare(plain, "name", _names(known), _names(said))
    for name in (*_VALUES, *_WHO):
        _compare(plain, name, _of_class(known, name), _of_class(said, name))
    seen_old = {name for signs in known.signs for name in signs}
    seen_new = {name for signs in said.signs for name in signs}
    # What is said of a thing counts only if it is the same thing: 'gave up yoga', 'gave up coffee'.
    thing = max((rarity(known.low[i]) for i in found if not known.signs[i]), default=0.0)
    kindred = max(0.0, plain.get("near_best", 0.0))
    strange = max(0.0, 1 - max(thing, kindred))
    plain["thing"], plain["strange"] = thing, strange
    for name in NAMES:
        if name in seen_new:
            plain[f"new_{name}"] = 1.0
            plain[f"new_{name}_thing"] = thing
            plain[f"new_{name}_strange"] = strange
            if name not in seen_old:
                plain[f"only_new_{name}"] = 1.0
        if name in seen_old:
            plain[f"old_{name}"] = 1.0
    someone = "kin_only_new" in plain or "kin_differs" in plain
    for name in _DIFFER:
        if name in plain:
            plain[f"{name}_thing"] = thing
            plain[f"{name}_strange"] = strange
            if someone:
                plain[f"{name}_someone"] = 1.0
    if someone:
        plain["someone_thing"] = thing
        plain["someone_self"] = float("self" in seen_old)
    return tuple(plain.items())


def _evidence_features(seen: Evidence) -> Iterator[tuple[str, float]]:
    """What a reader looks for, as features."""
    for name in ("strange", "unsure", "loses", "valued"):
        if getattr(seen, name):
            yield f"seen_{name}", 1.0
    if seen.aspect:
        yield f"seen_{seen.aspect}", 1.0
    if seen.valued:
        yield "seen_valued_kept", seen.kept
    if not seen.cue:
        return
    yield f"seen_{seen.cue}", 1.0
    yield f"seen_{seen.cue}_covered", seen.covered
    if seen.covered == 0:
        yield f"seen_{seen.cue}_elsewhere", 1.0
    if not seen.strange and not seen.unsure:
        yield f"seen_{seen.cue}_thing", seen.covered
        if seen.covered >= SAME_THING:
            yield f"seen_{seen.cue}_same", 1.0
            if seen.valued:
                yield f"seen_{seen.cue}_valued", 1.0
    elif seen.cue == ENDS:
        yield "seen_ends_else", seen.covered


def _sense(
    plain: dict[str, float], known: Tokens, said: Tokens, found: set[int], twins: Sequence[int]
) -> None:
    """How near the words that only one side has are in sense, and what both sides are about."""
    added = (w for w, twin in zip(said.low, twins, strict=True) if twin < 0)
    plain.update(sense_of("n", [meaning[:POOLED] for w in added if (meaning := meaning_of(w))]))
    rest_old = _vectors(w for i, w in enumerate(known.low) if i not in found and not known.signs[i])
    rest_new = _vectors(
        w for w, t, s in zip(said.low, twins, said.signs, strict=True) if t < 0 and not s
    )
    if rest_old and rest_new:
        best = [max(sum(map(mul, one, other)) for other in rest_old) for one in rest_new]
        plain["near_best"] = max(best)
        plain["near_mean"] = sum(best) / len(best)
        plain["near_much"] = sum(1 for one in best if one > _NEAR) / 3
    all_old = _vectors(w for w, s in zip(known.low, known.signs, strict=True) if not s)
    all_new = _vectors(w for w, s in zip(said.low, said.signs, strict=True) if not s)
    if all_old and all_new:
        old = [sum(column) / len(all_old) for column in zip(*all_old, strict=True)]
        new = [sum(column) / len(all_new) for column in zip(*all_new, strict=True)]
        length = sqrt(sum(map(mul, old, old)) * sum(map(mul, new, new))) or 1.0
        plain["sense"] = sum(map(mul, old, new)) / length


def _vectors(words: Iterable[str]) -> list[Vector]:
    """The vectors of the first dozen words that have one."""
    found = (meaning[:_FIRST] for word in words if (meaning := meaning_of(word)))
    return list(islice(found, _MOST_WORDS))


def _compare(plain: dict[str, float], name: str, old: set[str], new: set[str]) -> None:
    """How two sets of values stand to one another."""
    if old and new:
        plain[f"{name}_same" if old & new else f"{name}_differs"] = 1.0
        if old & new and new - old:
            plain[f"{name}_more"] = 1.0
    elif old or new:
        plain[f"{name}_only_{'old' if old else 'new'}"] = 1.0


def _numbers(tokens: Tokens) -> set[str]:
    return {word for word in tokens.low if word[0].isdigit()}


def _names(tokens: Tokens) -> set[str]:
    return {word.lower() for word in tokens.raw[1:] if word[0].isupper() and len(word) > 1}


def _of_class(tokens: Tokens, name: str) -> set[str]:
    return {word for word, signs in zip(tokens.low, tokens.signs, strict=True) if name in signs}


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
        # Each model was trained by itself: their chances are made to add up to `over`, and to what
        # `over` leaves.
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
    # Off its corpus the model of change alone is sure of anything: of 6,979 pairs of what eight
    # people say 6 true changes stood among its first 100, with the model of one topic beside it 27.
    over = chance(score(read.models["over"], features)) * chance(
        score(read.models["topic"], features)
    )
    return Change(over, features)
