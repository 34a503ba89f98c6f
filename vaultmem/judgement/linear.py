"""Linear models from a file of small numbers: read at once, scored in plain Python.

A file of weights is text up to an empty line, then the tables as signed bytes, one behind the
other. Its lines:

    vaultmem weights 1              what this is
    features 1                      the version of the features that it was trained on
    corpus 1f0c...                  SHA-256 of what it was trained on
    table NAME BITS SCALE           2^BITS weights by the lowest bits of a hash, each times SCALE
    model NAME BIAS WORDS LETTERS   names of its tables; - for none
    plain MODEL FEATURE WEIGHT      weight of a plain feature
    number NAME VALUE               anything else that training found out: thresholds
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from math import exp
from pathlib import Path

from vaultmem.errors import VaultmemError
from vaultmem.frozen import dataclass
from vaultmem.judgement.features import VERSION, Features, hash_of, value_of

_MAGIC = "vaultmem weights 1"
_PLAIN = "plain "
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Weights of hashed features; `2 ** bits` signed bytes."""

    weights: array[int]
    mask: int
    scale: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One logistic model."""

    bias: float
    words: Table | None
    letters: Table | None
    plain: dict[str, float]


class _Models(dict[str, Model]):
    """Models, made when one is asked for: a question needs only how rare its words are, and most
    lines of a file are plain features (2 ms of a cold start).
    """

    def __init__(self, lines: Sequence[str]) -> None:
        """lines: plain features of all models, as in the file."""
        super().__init__()
        self.told: dict[str, tuple[float, Table | None, Table | None]] = {}
        self._lines = lines

    def __missing__(self, name: str) -> Model:
        plain: dict[str, dict[str, float]] = {each: {} for each in self.told}
        for line in self._lines:
            _, of, feature, weight = line.split(" ")
            plain[of][feature] = float(weight)
        for each, (bias, words, letters) in self.told.items():
            self[each] = Model(bias=bias, words=words, letters=letters, plain=plain[each])
        if name not in self.told:
            raise KeyError(name)
        return self[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What one file holds."""

    corpus: str
    models: dict[str, Model]
    tables: dict[str, Table]
    numbers: dict[str, float]


@cache
def weights(name: str) -> Weights:
    """The weights `NAME.weights` beside this module, read once; under 1 ms.

    Raises VaultmemError when the file does not fit this program.
    """
    return read(_FOLDER / f"{name}.weights")


def read(file: Path) -> Weights:
    """The weights of a file; raises VaultmemError when they do not fit this program."""
    head, _, body = file.read_bytes().partition(b"\n\n")
    lines = head.decode("utf-8").split("\n")
    tables: dict[str, Table] = {}
    plain: list[str] = []
    models = _Models(plain)
    numbers: dict[str, float] = {}
    corpus = ""
    if lines[:2] != [_MAGIC, f"features {VERSION}"]:
        raise _unfit(file)
    start = 0
    for line in lines[2:]:
        if line.startswith(_PLAIN):
            plain.append(line)
            continue
        what, name, *rest = line.split(" ")
        if what == "corpus":
            corpus = name
        elif what == "table":
            size = 1 << int(rest[0])
            tables[name] = Table(
                weights=array("b", body[start : start + size]), mask=size - 1, scale=float(rest[1])
            )
            start += size
        elif what == "model":
            bias, words, letters = rest
            models.told[name] = float(bias), tables.get(words), tables.get(letters)
        else:
            numbers[name] = float(rest[0])
    if start != len(body):
        raise _unfit(file)
    return Weights(corpus=corpus, models=models, tables=tables, numbers=numbers)


def _unfit(file: Path) -> VaultmemError:
    return VaultmemError(
        f"the weights '{file.name}' do not fit this program", hint="install vaultmem again"
    )


def score(model: Model, features: Features) -> float:
    """The log-odds that the model gives; any finite number."""
    total = model.bias
    for table, hashed in ((model.words, features.words), (model.letters, features.letters)):
        if table is not None and hashed:
            known, mask = table.weights, table.mask
            whole = sum([known[one & mask] for one in hashed])
            total += whole * table.scale * value_of(hashed)
    plain = model.plain
    for name, value in features.plain:
        if name in plain:
            total += plain[name] * value
    return total


def rarity(read: Weights, word: str) -> float:
    """How seldom a word in lower case is, 0 to 1: of weights that hold a table of it, `pairs`."""
    table = read.tables["rarity"]
    return table.weights[hash_of(word) & table.mask] * table.scale


def chance(odds: float) -> float:
    """Log-odds as a probability, 0 to 1."""
    if odds < 0:
        grown = exp(max(odds, -700.0))
        return grown / (1 + grown)
    return 1 / (1 + exp(-odds))
