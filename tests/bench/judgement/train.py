"""Make the weights of `vaultmem/judgement`: `python -m tests.bench.judgement.train`.

Reads the corpus beside it, never the authors that are held, and writes `sentences.weights` and
`pairs.weights`. No randomness: the same corpus gives the same weights on one machine, and on
another the same up to the rounding of numpy. Thresholds and calibration come from scores of every
author by models that were trained without that author.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from tests.bench.judgement.corpus import (
    CRITICAL_KINDS,
    KINDS,
    OVER,
    RELATIONS,
    Pair,
    Sentence,
    checksum,
    is_held,
    pairs,
    sentences,
)
from tests.bench.judgement.fitting import Array, Design, Ints, area, fit, least_score, minimise
from vaultmem.judgement import linear
from vaultmem.judgement.features import (
    CROSS,
    VERSION,
    Features,
    hash_of,
    sentence_features,
    tokens_of,
)
from vaultmem.judgement.pairs.is_over import pair_features

HERE = Path(linear.__file__).parent
WORD_BITS, LETTER_BITS, KIND_BITS, RARITY_BITS = 16, 14, 14, 14
STAKE_BITS = 13  # of the three models that tell health from safety and limits
STRENGTH = 8.0
STRENGTH_PAIRS = 8.0
PLAIN = 0.3  # share of plain features: 1.0 finds .72 of the critical ones, 0.3 .73
GRAVE = 2.0  # what a critical sentence weighs: one in six of the corpus is
_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]{2,}")  # not at the start of a sentence
# Of what is worth keeping. At .95 six facts in 353 of thirteen people were lost that .97 keeps,
# for one trifle in 127: a wrong drop is worse than a kept trifle.
KEPT = 0.97
MARKED = 0.05
ENDED, FLAGGED = 0.02, 0.25
FOLDS = 2
STRANGERS = 5  # pairs of sentences that have nothing to do with one another, for each pair
STRANGER, LONGER = 0.1, 0.5  # what such a pair and a lengthened one weigh
TOPIC_SHIFT = 1.0  # log-odds that two sentences compared at all have one topic, beyond training
LEAST_KNOWN = 150  # examples of a language by others: enough to be tested on an author of it


@dataclass
class Writing:
    """A file of weights as it grows."""

    corpus: str
    lines: list[str] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)

    def table(self, name: str, bits: int, values: Array) -> None:
        """Adds weights as signed bytes, the largest as 127."""
        scale = float(np.abs(values).max()) / 127 or 1.0
        self.lines.append(f"table {name} {bits} {scale:.8g}")
        self.body += np.rint(values / scale).astype(np.int8).tobytes()

    def model(
        self, name: str, design: Design, weights: Array, *, slope: float, shift: float
    ) -> None:
        """Adds one model: its log-odds are `slope` times those of the weights, plus `shift`."""
        words = weights[: design.word_size] * slope
        letters = weights[design.word_size : design.word_size + design.letter_size] * slope
        plain = weights[design.word_size + design.letter_size : -1] * (slope * design.plain_share)
        self.table(f"{name}_words", design.word_size.bit_length() - 1, words)
        if len(letters):
            self.table(f"{name}_letters", design.letter_size.bit_length() - 1, letters)
        bias = weights[-1] * slope + shift
        with_letters = f"{name}_letters" if len(letters) else "-"
        self.lines.append(f"model {name} {bias:.6g} {name}_words {with_letters}")
        self.lines += [
            f"plain {name} {feature} {weight:.5g}"
            for feature, weight in zip(design.names, plain, strict=True)
            if abs(weight) > 5e-4
        ]

    def write(self, file: Path) -> None:
        """Puts the file in its place."""
        head = ["vaultmem weights 1", f"features {VERSION}", f"corpus {self.corpus}", *self.lines]
        file.write_bytes("\n".join(head).encode() + b"\n\n" + bytes(self.body))


def design_of(
    rows: Sequence[Features],
    *,
    words: int,
    letters: int,
    plain_share: float = 1.0,
    crossed: bool = True,
) -> Design:
    """The matrix of features, with every plain name that occurs three times.

    crossed  with names that stand for two things at once
    """
    seen = Counter(
        name for row in rows for name, _ in row.with_names() if crossed or CROSS not in name
    )
    names = sorted(name for name, count in seen.items() if count > 2)
    return Design(rows, word_bits=words, letter_bits=letters, names=names, plain_share=plain_share)


def folds(authors: Sequence[str], languages: Sequence[str]) -> list[tuple[Ints, Ints]]:
    """(training, testing): without one author each, where others wrote enough in their languages.

    An author whose language nobody else knows is tested by sixths: without their lines it would be
    a test of a language never seen.
    """
    every = np.arange(len(authors))
    of = np.array(authors)
    found = []
    for name in sorted(set(authors)):
        test = every[of == name]
        known = Counter(languages[i] for i in np.setdiff1d(every, test))
        if all(known[languages[i]] >= LEAST_KNOWN for i in test):
            found.append(test)
        else:
            found += [test[k::FOLDS] for k in range(FOLDS)]
    return [(np.setdiff1d(every, test), test) for test in found]


def unseen_scores(
    design: Design,
    parts: Sequence[tuple[Ints, Ints]],
    labels: Array,
    strength: float,
    counts: Array,
) -> Array:
    """The log-odds of every example by a model that did not see it (see `folds`)."""
    scores = np.zeros(design.count)
    for train, test in parts:
        weights = fit(design, train, labels[train], strength=strength, counts=counts[train])
        scores[test] = design.scores(test, weights)
    return scores


def calibrate(scores: Array, labels: Array) -> tuple[float, float]:
    """(slope, shift) that make log-odds honest (Platt 1999)."""

    def loss(point: Array) -> tuple[float, Array]:
        odds = point[0] * scores + point[1]
        error = 1 / (1 + np.exp(-np.clip(odds, -50, 50))) - labels
        value = float(np.logaddexp(0, np.where(labels > 0, -odds, odds)).sum())
        return value, np.array([float((error * scores).sum()), float(error.sum())])

    slope, shift = (float(value) for value in minimise(loss, np.array([1.0, 0.0])))
    return slope, shift


def _chance(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))


def _labels(examples: Sequence[Sentence], wanted: Callable[[Sentence], bool]) -> Array:
    return np.array([wanted(one) for one in examples], dtype=np.float64)


def train_sentences(examples: Sequence[Sentence], corpus: str) -> Writing:
    """Models of worth, of what is critical, and of kinds."""
    writing = Writing(corpus)
    rows = [sentence_features(one.text) for one in examples]
    parts = folds([one.author for one in examples], [one.language for one in examples])
    every = np.arange(len(examples))
    design = design_of(rows, words=WORD_BITS, letters=LETTER_BITS, plain_share=PLAIN)
    small = design_of(rows, words=KIND_BITS, letters=0, crossed=False)
    tiny = design_of(rows, words=STAKE_BITS, letters=0, crossed=False)
    for name, wanted in (
        ("keep", lambda one: one.keep),
        ("critical", lambda one: one.critical),
    ):
        labels = _labels(examples, wanted)
        counts = np.where(labels > 0, GRAVE if name == "critical" else 1.0, 1.0)
        unseen = unseen_scores(design, parts, labels, STRENGTH, counts)
        slope, shift = calibrate(unseen, labels)
        weights = fit(design, every, labels, strength=STRENGTH, counts=counts)
        writing.model(name, design, weights, slope=slope, shift=shift)
        honest = slope * unseen + shift
        if name == "keep":
            least = -least_score(-honest[labels > 0], 1 - KEPT)
        else:
            least = least_score(honest[labels == 0], MARKED)
        writing.lines.append(f"number threshold_{name} {_chance(least):.4g}")
        print(f"{name}: area {area(labels, unseen):.3f} on unseen authors")
    kept = np.array([i for i, one in enumerate(examples) if one.keep])
    for kind in KINDS:
        labels = np.array([examples[i].kind == kind for i in kept], dtype=np.float64)
        weights = fit(small, kept, labels, strength=STRENGTH)
        writing.model(f"kind_{kind}", small, weights, slope=1.0, shift=0.0)
    critical = np.array([i for i, one in enumerate(examples) if one.critical_kind])
    for kind in CRITICAL_KINDS:
        labels = np.array([examples[i].critical_kind == kind for i in critical], dtype=np.float64)
        weights = fit(tiny, critical, labels, strength=STRENGTH)
        writing.model(f"critical_{kind}", tiny, weights, slope=1.0, shift=0.0)
    return writing


def rarity_of(texts: Sequence[str]) -> Array:
    """How seldom each word is, 0 to 1, by the lowest bits of its hash."""
    seen = np.zeros(1 << RARITY_BITS)
    for text in texts:
        for one in {hash_of(word) % len(seen) for word in tokens_of(text).low}:
            seen[one] += 1
    return np.asarray(np.clip(np.log(len(texts) / 3 / (1 + seen)) / 7, 0, 1))


def train_pairs(
    examples: Sequence[Pair], said: Sequence[Sentence], corpus: str, texts: Sequence[str]
) -> Writing:
    """Models of change: of pairs on one topic, and of whether there is one topic at all.

    Beside the pairs as they were written it learns from the same pairs inside longer talk, and
    from sentences that have nothing to do with one another: in a memory nearly all are such.
    """
    writing = Writing(corpus)
    writing.table("rarity", RARITY_BITS, rarity_of(texts))
    scale = float(writing.lines[-1].split()[-1])
    table = np.frombuffer(bytes(writing.body), dtype=np.int8)

    def rarity(word: str) -> float:
        return float(table[hash_of(word) % len(table)]) * scale

    count = len(examples)
    longer, strangers = lengthened(examples, said), unrelated(examples, said)
    every = [*examples, *longer, *strangers]
    rows = [pair_features(one.old, one.new, rarity) for one in every]
    design = design_of(rows, words=WORD_BITS, letters=0, plain_share=0.25)
    small = design_of(rows[:count], words=KIND_BITS, letters=0, plain_share=0.25)
    bare = design_of([Features((), (), row.with_names()) for row in rows], words=0, letters=0)
    labels = np.array([one.over for one in every], dtype=np.float64)
    alien = np.array([i >= 2 * count for i in range(len(every))])
    counts = np.where(alien, STRANGER, np.where(np.arange(len(every)) < count, 1.0, LONGER))
    related = np.array([one.what != "beside" for one in every])
    unseen, topics = np.zeros(len(every)), np.zeros(len(every))
    for _, test in folds([o.author for o in examples], [o.language for o in examples]):
        hidden = np.concatenate([test, count + test])
        hidden = np.concatenate([hidden, 2 * count + hidden_strangers(test, len(strangers), count)])
        seen = np.setdiff1d(np.arange(len(every)), hidden)
        weights = fit(design, seen, labels[seen], strength=STRENGTH_PAIRS, counts=counts[seen])
        unseen[hidden] = design.scores(hidden, weights)
        told = seen[alien[seen] | related[seen]]
        weights = fit(bare, told, 1.0 - alien[told], strength=1.0)
        topics[hidden] = bare.scores(hidden, weights) + TOPIC_SHIFT
    true = np.arange(count)
    slope, shift = calibrate(unseen[true], labels[true])
    weights = fit(design, np.arange(len(every)), labels, strength=STRENGTH_PAIRS, counts=counts)
    writing.model("over", design, weights, slope=slope, shift=shift)
    told = np.arange(len(every))[alien | related]
    weights = fit(bare, told, 1.0 - alien[told], strength=1.0)
    writing.model("topic", bare, weights, slope=1.0, shift=TOPIC_SHIFT)
    honest = 1 / (1 + np.exp(-(slope * unseen + shift))) / (1 + np.exp(-topics))
    for name, share in (("end", ENDED), ("flag", FLAGGED)):
        least = least_score(honest[true][labels[true] == 0], share)
        found = float((honest[true][labels[true] > 0] >= least).mean())
        strange = float((honest[alien] >= least).mean())
        writing.lines.append(f"number threshold_{name} {least:.4g}")
        print(
            f"{name}: {found:.2f} of changes at {share:.0%} of harmless, {strange:.2%} of strangers"
        )
    print(f"over: area {area(labels[true], honest[true]):.3f} on unseen pairs", flush=True)
    for what in RELATIONS:
        among = np.array([i for i, one in enumerate(examples) if (what in OVER) == one.over])
        labelled = np.array([examples[i].what == what for i in among], dtype=np.float64)
        weights = fit(small, among, labelled, strength=STRENGTH_PAIRS)
        writing.model(what, small, weights, slope=1.0, shift=0.0)
    return writing


def lengthened(examples: Sequence[Pair], said: Sequence[Sentence]) -> list[Pair]:
    """Each pair once more, inside longer talk or typed in haste; the label stays."""
    draw = Random(11)
    found = []
    for one in examples:
        known = [other.text for other in said if other.language == one.language]
        old, new = one.old, one.new
        how = draw.randrange(4)
        if how in (0, 2):
            old = " ".join(draw.sample((_closed(old), draw.choice(known)), 2))
        if how in (1, 2):
            new = " ".join(draw.sample((_closed(new), draw.choice(known)), 2))
        if how == 3:
            old, new = old.lower().rstrip("."), new.lower().rstrip(".")
        found.append(one._replace(old=old, new=new))
    return found


def _closed(text: str) -> str:
    return text if text[-1:] in ".!?" else f"{text}."


def unrelated(examples: Sequence[Pair], said: Sequence[Sentence]) -> list[Pair]:
    """For each pair, STRANGERS of its language that do not belong together, in its place."""
    draw = Random(13)
    by_language: dict[str, list[str]] = {}
    for sentence in said:
        if sentence.keep:
            by_language.setdefault(sentence.language, []).append(sentence.text)
    olds = {name: list(texts) for name, texts in by_language.items()}
    for each in examples:
        by_language.setdefault(each.language, []).append(each.new)
        olds.setdefault(each.language, []).append(each.old)
    found = []
    for one in examples:
        for turn in range(STRANGERS):
            old = one.old if turn % 3 == 0 else draw.choice(olds[one.language])
            new = one.new if turn % 3 == 1 else draw.choice(by_language[one.language])
            if turn == STRANGERS - 1:
                old, new = (
                    f"{_closed(old)} {draw.choice(olds[one.language])}",
                    f"{_closed(draw.choice(by_language[one.language]))} {new}",
                )
            if old == one.old and new == one.new:
                new = one.old
            if turn == 1:  # one in five: with two, a common name spoke against a common topic
                new = _renamed(new, old)
            found.append(Pair(one.author, one.language, old, new, "beside"))
    return found


def _renamed(text: str, other: str) -> str:
    """The text about somebody or something of the other text, where both have a name.

    A name that comes again is no topic yet: nearly all that is said at home is about the same few.
    """
    mine, theirs = _NAME.findall(text), _NAME.findall(other)
    return text.replace(mine[0], theirs[0]) if mine and theirs else text


def hidden_strangers(test: Ints, strangers: int, count: int) -> Ints:
    """Which strangers stand in the place of the tested pairs."""
    each = strangers // count
    return np.asarray((test[:, None] * each + np.arange(each)).ravel())


def main() -> None:
    """Trains on every author that is not held."""
    corpus = checksum()
    said = [one for one in sentences() if not is_held(one.author)]
    compared = [one for one in pairs() if not is_held(one.author)]
    # Authors of sentences alone would only be the longer talk around the pairs of others.
    both = {one.author for one in compared}
    beside = [one for one in said if one.author in both]
    texts = [one.text for one in beside] + [text for one in compared for text in (one.old, one.new)]
    train_sentences(said, corpus).write(HERE / "sentences.weights")
    train_pairs(compared, beside, corpus, texts).write(HERE / "pairs.weights")


if __name__ == "__main__":
    main()
