"""What the model of change sees of a pair: what a new sentence shares with an old one, and adds.

Pure and the same on every platform, as `features`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem.judgement.features import Features, Tokens, hash_of, shape_of, tokens_of
from vaultmem.judgement.signs import NAMES

_STEM = 4  # letters that two words must begin with to be forms of one
_ALIKE = 0.6  # and what share of the longer one that must be
_VALUES = ("weekday", "month", "count")
_WHO = ("kin", "pet", "self", "other", "you")
Rarity = Callable[[str], float]


def pair_features(old: str, new: str, rarity: Rarity) -> Features:
    """Features of an old sentence and a new one, in this order; texts may be empty.

    rarity  0 (in every sentence) to 1 (seldom seen) of a word in lower case
    """
    known, said = tokens_of(old), tokens_of(new)
    twins = [_twin(word, known.low) for word in said.low]
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
    plain = _plain(known, said, twins, rarity)
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


def _twin(word: str, low: Sequence[str]) -> int:
    """Where a form of the word stands among others; -1: nowhere."""
    near = -1
    for i, other in enumerate(low):
        if word == other:
            return i
        if near < 0 and is_form(word, other):
            near = i
    return near


def is_form(one: str, other: str) -> bool:
    """Whether two words begin alike, as forms of one word do: `allergy` and `allergic`."""
    if len(one) < _STEM or len(other) < _STEM or one[:_STEM] != other[:_STEM]:
        return False
    same = _STEM
    for a, b in zip(one[_STEM:], other[_STEM:], strict=False):
        if a != b:
            break
        same += 1
    return same >= _ALIKE * max(len(one), len(other))


def _plain(
    known: Tokens, said: Tokens, twins: Sequence[int], rarity: Rarity
) -> tuple[tuple[str, float], ...]:
    found = {twin for twin in twins if twin >= 0}
    weight_old = sum(rarity(word) for word in set(known.low))
    weight_new = sum(rarity(word) for word in set(said.low))
    shared = {known.low[i] for i in found}
    weight = sum(rarity(word) for word in shared)
    overlap = weight / max(0.1, min(weight_old, weight_new))
    plain: dict[str, float] = {
        "overlap": overlap,
        "overlap_old": weight / max(0.1, weight_old),
        "overlap_new": weight / max(0.1, weight_new),
        "rarest_shared": max((rarity(word) for word in shared), default=0.0),
        "same_start": float(known.low[:1] == said.low[:1]),
        "same_start_two": float(known.low[:2] == said.low[:2]),
        "length_old": min(len(known.low), 40) / 20,
        "length_new": min(len(said.low), 40) / 20,
        "longer": max(-1.0, min(1.0, (len(said.low) - len(known.low)) / 10)),
    }
    _compare(plain, "number", _numbers(known), _numbers(said))
    _compare(plain, "name", _names(known), _names(said))
    for name in (*_VALUES, *_WHO):
        _compare(plain, name, _of_class(known, name), _of_class(said, name))
    seen_old = {name for signs in known.signs for name in signs}
    seen_new = {name for signs in said.signs for name in signs}
    near = min(1.0, 2 * overlap)
    for name in NAMES:
        if name in seen_new:
            plain[f"new_{name}"] = 1.0
            plain[f"new_{name}_near"] = near
            if name not in seen_old:
                plain[f"only_new_{name}"] = 1.0
        if name in seen_old:
            plain[f"old_{name}"] = 1.0
    return tuple(plain.items())


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
