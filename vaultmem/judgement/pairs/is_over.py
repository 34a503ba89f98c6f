"""Whether a new sentence says that an old one is over, and how the two stand to one another.

judge_change("I live in Vienna.", "We moved to Graz in May.")
Change(over=0.93, relation="replaces", relations=(("replaces", 0.9), ...))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from operator import mul

from vaultmem.base import NamedTuple
from vaultmem.judgement.aspects import ENDS, SAME_THING, Evidence, evidence
from vaultmem.judgement.features import (
    POOLED,
    REMEMBERED_TEXTS,
    Features,
    Rarity,
    Tokens,
    hash_of,
    sense_of,
    shape_of,
    tokens_of,
    twins_of,
)
from vaultmem.judgement.linear import chance, panel, score, weights, word_rarity
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
_NONE: frozenset[str] = frozenset()
# What is seen of a class of words in a new sentence, and last in an old one.
_NAMED = {
    name: (
        f"new_{name}",
        f"new_{name}_thing",
        f"new_{name}_strange",
        f"only_new_{name}",
        f"old_{name}",
    )
    for name in NAMES
}


class _Side(NamedTuple):
    """What a text gives to each pair that it is a side of.

    lost      each word with the hash of it as one that a new sentence has not
    values    numbers, names and the words of some classes, by what they are; none that is empty
    seen      the classes of its words, in the order of NAMES
    content   (place, word) of words without a class that have a meaning
    mean      of the vectors of the first of these; () for none
    length    of the mean, squared
    """

    tokens: Tokens
    lost: dict[str, int]
    values: dict[str, frozenset[str]]
    seen: tuple[str, ...]
    content: tuple[tuple[int, str], ...]
    mean: tuple[float, ...]
    length: float


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _side_of(text: str) -> _Side:
    tokens = tokens_of(text)
    raw, low, signs = tokens
    values = {
        "number": frozenset(word for word in low if word[0].isdigit()),
        "name": frozenset(w.lower() for w in raw[1:] if w[0].isupper() and len(w) > 1),
    }
    for name in (*_VALUES, *_WHO):
        values[name] = frozenset(w for w, told in zip(low, signs, strict=True) if name in told)
    seen = {name for told in signs for name in told}
    content = tuple([(i, w) for i, w in enumerate(low) if not signs[i] and _first_of(w)])
    vectors = [_first_of(word) for _, word in content[:_MOST_WORDS]]
    mean = tuple([sum(column) / len(vectors) for column in zip(*vectors, strict=True)])
    return _Side(
        tokens,
        {word: hash_of(f"-{word}") for word in low},
        {name: words for name, words in values.items() if words},
        tuple([name for name in NAMES if name in seen]),
        content,
        mean,
        sum(map(mul, mean, mean)),
    )


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _new_side_of(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, bool], ...]]:
    """What a text gives as the new one alone: most texts are only old ones to those after them.

    Words and pairs of them; of each word its shape, and whether it may be what the text is about.
    """
    raw, low, signs = tokens_of(text)
    shapes = [
        (shape_of(word, told), len(word) > 2 and not told)
        for word, told in zip(raw, signs, strict=True)
    ]
    return tuple(_ngrams("", low)), tuple(shapes)


@lru_cache(maxsize=4096)
def _first_of(word: str) -> Vector:
    """The numbers of a word's vector that are compared; () where it has none."""
    return (meaning_of(word) or ())[:_FIRST]


@lru_cache(maxsize=1 << 15)  # of two statements on a topic, most words have met before
def _nearness(one: str, other: str) -> float:
    near: float = sum(map(mul, _first_of(one), _first_of(other)))
    return near


def pair_features(old: str, new: str, rarity: Rarity, *, seen: Evidence | None = None) -> Features:
    """Features of an old sentence and a new one, in this order; texts may be empty.

    rarity  0 (in every sentence) to 1 (seldom seen) of a word in lower case
    seen    what `evidence` of the two is, where the caller has it; None: not asked yet
    """
    was, now = _side_of(old), _side_of(new)
    known, said = was.tokens, now.tokens
    twins = twins_of(said.low, known.low)
    kept = {known.low[twin] for twin in twins if twin >= 0}
    # What a new statement gives beside an old one depends on which of its words the old one has,
    # mostly the same few: made once for these a pair takes 105 us in place of 154.
    hashes, sense = _beside(new, tuple([twin >= 0 for twin in twins]))
    lost = [hashed for word, hashed in was.lost.items() if word not in kept]
    plain = (
        *_plain(was, now, twins, rarity),
        *_evidence_features(evidence(old, new, rarity) if seen is None else seen),
    )
    return Features((*hashes, *lost), (), plain, "n", sense)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _beside(new: str, is_kept: tuple[bool, ...]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """(hashes, sense) of a new sentence beside an old one that has these of its words: most old
    ones have the same few little words of it.
    """
    low = tokens_of(new).low
    ngrams, shapes_of = _new_side_of(new)
    marked = [word if kept else f"+{word}" for word, kept in zip(low, is_kept, strict=True)]
    shapes = [
        "=" if is_topic and kept else shape
        for (shape, is_topic), kept in zip(shapes_of, is_kept, strict=True)
    ]
    words = dict.fromkeys((*ngrams, *_ngrams("m", marked), *_shapes(shapes)))
    added = [word for word, kept in zip(low, is_kept, strict=True) if not kept]
    meanings = [meaning[:POOLED] for word in added if (meaning := meaning_of(word))]
    return tuple(map(hash_of, words)), sense_of(meanings)


def _ngrams(mark: str, low: Sequence[str]) -> list[str]:
    edged = ("<", *low, ">")
    found = [f"{mark}<"]
    for before, word in pairwise(edged):
        found += (f"{mark}{word}", f"{mark}{before} {word}")
    return found


def _shapes(shapes: Sequence[str]) -> list[str]:
    edged = ("<", *shapes, ">")
    twos = [f"\t{one} {other}" for one, other in pairwise(edged)]
    return twos + [f"{two} {third}" for two, third in zip(twos, edged[2:], strict=False)]


def _plain(
    was: _Side, now: _Side, twins: Sequence[int], rarity: Rarity
) -> tuple[tuple[str, float], ...]:
    known, said = was.tokens, now.tokens
    found = {twin for twin in twins if twin >= 0}
    weight_old = sum(map(rarity, dict.fromkeys(known.low)))  # in order: sums of a set differ
    weight_new = sum(map(rarity, dict.fromkeys(said.low)))
    shared = [rarity(word) for word in dict.fromkeys([known.low[i] for i in sorted(found)])]
    weight = sum(shared)
    rarest = max(shared, default=0.0)
    plain: dict[str, float] = {
        "overlap": weight / max(0.1, min(weight_old, weight_new)),
        "overlap_old": weight / max(0.1, weight_old),
        "overlap_new": weight / max(0.1, weight_new),
        "rarest_shared": rarest,
        "same_start": float(known.low[:1] == said.low[:1]),
        "same_start_two": float(known.low[:2] == said.low[:2]),
        "short_new": max(0, 6 - len(said.low)) / 6,
        "short_old": max(0, 6 - len(known.low)) / 6,
        "nothing_shared": float(rarest < _RARE),
        "shared": min(weight, 3.0) / 3,
    }
    _sense(plain, was, now, found, twins)
    for name in dict.fromkeys((*was.values, *now.values)):
        _compare(plain, name, was.values.get(name, _NONE), now.values.get(name, _NONE))
    # What is said of a thing counts only if it is the same thing: 'gave up yoga', 'gave up coffee'.
    thing = max([rarity(known.low[i]) for i in found if not known.signs[i]], default=0.0)
    kindred = max(0.0, plain.get("near_best", 0.0))
    strange = max(0.0, 1 - max(thing, kindred))
    plain["thing"], plain["strange"] = thing, strange
    for name in now.seen:
        of_new, of_thing, of_strange, of_new_only, _ = _NAMED[name]
        plain[of_new], plain[of_thing], plain[of_strange] = 1.0, thing, strange
        if name not in was.seen:
            plain[of_new_only] = 1.0
    for name in was.seen:
        plain[_NAMED[name][-1]] = 1.0
    someone = "kin_only_new" in plain or "kin_differs" in plain
    for name in _DIFFER:
        if name in plain:
            plain[f"{name}_thing"] = thing
            plain[f"{name}_strange"] = strange
            if someone:
                plain[f"{name}_someone"] = 1.0
    if someone:
        plain["someone_thing"] = thing
        plain["someone_self"] = float("self" in was.seen)
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
    plain: dict[str, float], was: _Side, now: _Side, found: set[int], twins: Sequence[int]
) -> None:
    """How near the words that only one side has are in sense, and what both sides are about."""
    rest_old = [word for i, word in was.content if i not in found][:_MOST_WORDS]
    rest_new = [word for i, word in now.content if twins[i] < 0][:_MOST_WORDS]
    if rest_old and rest_new:
        best = [max([_nearness(one, other) for other in rest_old]) for one in rest_new]
        plain["near_best"] = max(best)
        plain["near_mean"] = sum(best) / len(best)
        plain["near_much"] = sum([1 for one in best if one > _NEAR]) / 3
    if was.mean and now.mean:
        length = sqrt(was.length * now.length) or 1.0
        plain["sense"] = sum(map(mul, was.mean, now.mean)) / length


def _compare(plain: dict[str, float], name: str, old: frozenset[str], new: frozenset[str]) -> None:
    """How two sets of values, of which one holds something, stand to one another."""
    if old and new:
        plain[f"{name}_same" if old & new else f"{name}_differs"] = 1.0
        if old & new and new - old:
            plain[f"{name}_more"] = 1.0
    else:
        plain[f"{name}_only_{'old' if old else 'new'}"] = 1.0


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
        over = self.over
        scores = panel("pairs", RELATIONS).scores(self.features)
        chances = dict(zip(RELATIONS, map(chance, scores), strict=True))
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
    return evidence(old, new, word_rarity)


def judge_change(old: str, new: str, *, language: str | None = None, least: float = 0.0) -> Change:
    """What a new sentence means for an old one; about 0.2 ms.

    old       what is known, as it was said or stored
    new       what was said later
    language  ISO 639-1, of no use today: one model serves all languages
    least     odds from which on the caller needs them: less is some number below it
    Not symmetric. Deterministic on every platform.
    """
    models = weights("pairs").models
    features = pair_features(old, new, word_rarity, seen=seen_of(old, new))
    # Off its corpus the model of change alone is sure of anything: of 6,979 pairs of what eight
    # people say 6 true changes stood among its first 100, with the model of one topic beside it 27.
    over = chance(score(models["over"], features))
    if over >= least:
        over *= chance(score(models["topic"], features))
    return Change(over, features)
