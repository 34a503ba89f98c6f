"""Whether a sentence is worth keeping, whether a life may hang on it, and what kind it is.

judge_worth("I'm allergic to penicillin.")
Worth(keep=0.99, critical=0.98, critical_kind="health", kind="fact", kinds=(...))
"""

from __future__ import annotations

from vaultmem.base import NamedTuple
from vaultmem.judgement.features import Features, sentence_features
from vaultmem.judgement.linear import chance, score, weights

KINDS = ("fact", "preference", "decision", "task", "event", "procedure", "belief")
CRITICAL_KINDS = ("health", "safety", "limit")


class Worth(NamedTuple):
    """What the models think of one sentence. Probabilities are 0 to 1.

    keep           it states something durable about the person or their world
    critical       health, safety or a hard limit: what must never be left out
    critical_kind  the likeliest of CRITICAL_KINDS, to be used when `critical` is high
    kind           the likeliest of KINDS, to be used when `keep` is high
    kinds          every kind with its probability, the likeliest first; they add up to 1
    features       what of the sentence the models saw
    """

    keep: float
    critical: float
    kinds: tuple[tuple[str, float], ...]
    features: Features

    @property
    def kind(self) -> str:
        """The likeliest of KINDS."""
        return self.kinds[0][0]

    @property
    def critical_kind(self) -> str:
        """The likeliest of CRITICAL_KINDS: three models more, which one sentence in ten needs."""
        models = weights("sentences").models
        where = {n: score(models[f"critical_{n}"], self.features) for n in CRITICAL_KINDS}
        return max(CRITICAL_KINDS, key=lambda name: where[name])

    @property
    def is_worth_keeping(self) -> bool:
        """Whether `keep` reaches the threshold at which .97 of what matters is kept."""
        return self.keep >= threshold("keep")

    @property
    def is_critical(self) -> bool:
        """Whether `critical` reaches the threshold that marks 5 % of the rest."""
        return self.critical >= threshold("critical")


def threshold(name: str) -> float:
    """Of 'keep' or 'critical': the probability from which a sentence counts as it."""
    return weights("sentences").numbers[f"threshold_{name}"]


def judge_worth(text: str, language: str | None = None) -> Worth:
    """What one sentence is worth; about 1 ms. The first call reads the weights (a few ms).

    language  ISO 639-1, of no use today: one model serves all languages
    Deterministic on every platform. A question, thanks or an empty text has a low `keep`.
    """
    models = weights("sentences").models
    features = sentence_features(text)
    chances = {name: chance(score(models[f"kind_{name}"], features)) for name in KINDS}
    whole = sum(chances.values())
    kinds = tuple(
        (name, chances[name] / whole) for name in sorted(KINDS, key=lambda name: -chances[name])
    )
    return Worth(
        keep=chance(score(models["keep"], features)),
        critical=chance(score(models["critical"], features)),
        kinds=kinds,
        features=features,
    )
