"""Why a sentence is judged as it is: numbers, thresholds, and the words that tell. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.base import dataclass
from vaultmem.judgement.features import (
    CROSS,
    grams_of,
    hash_of,
    sentence_features,
    tokens_of,
    value_of,
)
from vaultmem.judgement.linear import Model, Table, weights
from vaultmem.judgement.sentence import judge_sentence, judge_worth, threshold, without_opening
from vaultmem.language import sentences

_SHOWN = 4  # words on either side
_LEAST = 0.05  # log-odds that are worth a word
_SENSE = re.compile(r"s(?:mean|most|least)\d+")
_MARKS = ("has_", "starts_", "at_", "talk_", "first_", "second_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One sentence of a text. Chances are 0 to 1, what words give are log-odds.

    keep, keep_from          how likely it is worth keeping, and from when on it counts as that
    critical, critical_from  likewise: health, safety or a hard limit
    critical_kind            which of these it is in the end; '': none
    kind                     as what it would be kept
    decision                 what is decided of it, in words
    words_for, words_against the words that spoke most for keeping it, and against
    """

    sentence: str
    keep: float
    keep_from: float
    critical: float
    critical_from: float
    critical_kind: str
    kind: str
    decision: str
    words_for: tuple[tuple[str, float], ...]
    words_against: tuple[tuple[str, float], ...]


def explain(text: str) -> tuple[Explained, ...]:
    """Each sentence of a text, by itself; what rules and known memories do is not in it."""
    return tuple(_explain_sentence(line.strip()) for line in sentences(text) if line.strip())


def _explain_sentence(line: str) -> Explained:
    said = without_opening(line)  # which is what is judged
    judged, worth = judge_sentence(line), judge_worth(said)
    told = sorted(_word_weights(said), key=lambda each: -each[1])
    return Explained(
        sentence=line,
        keep=judged.keep,
        keep_from=threshold("keep"),
        critical=worth.critical,
        critical_from=threshold("critical"),
        critical_kind=judged.critical,
        kind=judged.kind,
        decision=_decision(judged.keep, is_worth=judged.is_worth, critical=judged.critical),
        words_for=tuple(each for each in told if each[1] >= _LEAST)[:_SHOWN],
        words_against=tuple(each for each in reversed(told) if each[1] <= -_LEAST)[:_SHOWN],
    )


def _decision(keep: float, *, is_worth: bool, critical: str) -> str:
    likely = keep >= threshold("keep")
    if is_worth and likely:
        return "worth keeping"
    if is_worth:
        return f"worth keeping: it is about {critical}" if critical else "worth keeping by a rule"
    return "of the moment, by a rule" if likely else "not worth keeping"


def _word_weights(line: str) -> Iterator[tuple[str, float]]:
    """What each word gives to keeping the sentence: by itself, its letters, and with the next.

    In brackets what the sentence is beside its words: of whom it speaks, its topics, its sense.
    """
    model, features = weights("sentences").models["keep"], sentence_features(line)
    low = tokens_of(line).low
    each_word, each_gram = value_of(features.words), value_of(features.letters)
    seen: set[str] = set()
    for word, follower in zip(low, (*low[1:], ">"), strict=True):
        if word in seen:
            continue
        seen.add(word)
        of_words = [word] if follower == ">" else [word, f"{word} {follower}"]
        given = each_word * sum(_weight(model.words, hash_of(one)) for one in of_words)
        given += each_gram * _of_letters(model, word)
        yield word, given
    traits: dict[str, float] = {}
    for name, value in features.with_names():
        trait = _trait(name)
        traits[trait] = traits.get(trait, 0.0) + model.plain.get(name, 0.0) * value
    yield from ((f"[{trait}]", given) for trait, given in traits.items())


def _trait(name: str) -> str:
    if _SENSE.fullmatch(name):
        return "the sense of its words"
    return name.partition("_")[2].split(CROSS)[0] if name.startswith(_MARKS) else name


def _of_letters(model: Model, word: str) -> float:
    return sum(_weight(model.letters, gram) for gram in grams_of(word))


def _weight(table: Table | None, hashed: int) -> float:
    return 0.0 if table is None else table.weights[hashed & table.mask] * table.scale
