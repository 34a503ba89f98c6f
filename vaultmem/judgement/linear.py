"""Linear models from a file of small numbers: read at once, scored in plain Python.

A file of weights is text up to an empty line, then the tables as signed bytes, one behind the
other. Its lines:

    vaultmem weights 1              what this is
    features 1                      the version of the features that it was trained on
    corpus 1f0c...                  SHA-256 of what it was trained on
    table NAME BITS SCALE           2^BITS weights by the lowest bits of a hash, each times SCALE
    model NAME BIAS WORDS LETTERS   names of its tables; - for none
    plain MODEL FEATURE WEIGHT      weight of a plain feature; behind the line of its model
    number NAME VALUE               anything else that training found out: thresholds
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import exp
from mmap import ACCESS_READ, mmap
from operator import mul
from pathlib import Path

from vaultmem.base import VaultmemError, dataclass, field
from vaultmem.judgement.features import VERSION, Features, hash_of, sense_names, value_of

_MAGIC = "vaultmem weights 1"
_PLAIN = "plain "
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Weights of hashed features; `2 ** bits` signed bytes."""

    weights: memoryview
    mask: int
    scale: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One logistic model."""

    bias: float
    words: Table | None
    letters: Table | None
    plain: dict[str, float]
    senses: dict[str, tuple[float, ...]] = field(default_factory=dict)  # by mark, on first use

    def sense_weights(self, mark: str) -> tuple[float, ...]:
        """The weights of `sense_names(mark)`, in that order."""
        # Multiplied as one row, not name by name: of 928 recorded calls 5.1 s of processor were
        # needed and 2.0 are, with all else that is made once.
        if mark not in self.senses:
            self.senses[mark] = tuple([self.plain.get(name, 0.0) for name in sense_names(mark)])
        return self.senses[mark]


class _Models(dict[str, Model]):
    """Models, each made when it is asked for: a question needs only how rare its words are, most
    pairs only whether the old one is over, and most lines of a file are plain features.
    """

    def __init__(self) -> None:
        super().__init__()
        # Bias, tables and lines of plain features, by model.
        self.told: dict[str, tuple[float, Table | None, Table | None, str]] = {}

    def __missing__(self, name: str) -> Model:
        if name not in self.told:
            raise KeyError(name)
        bias, words, letters, lines = self.told[name]
        # 6,000 lines of a file one by one took 2 ms of a cold `remember`.
        told = lines.replace(f"{_PLAIN}{name} ", "").split()
        plain = dict(zip(told[::2], map(float, told[1::2]), strict=True))
        self[name] = Model(bias=bias, words=words, letters=letters, plain=plain)
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
    with open(file, "rb") as opened:  # read where it is looked into: 0.4 MB took 1.5 ms
        mapped = mmap(opened.fileno(), 0, access=ACCESS_READ)
    end = mapped.find(b"\n\n")
    head, body = mapped[: end if end >= 0 else len(mapped)], memoryview(mapped)[end + 2 :]
    tables: dict[str, Table] = {}
    models = _Models()
    numbers: dict[str, float] = {}
    corpus = ""
    if not head.startswith(f"{_MAGIC}\nfeatures {VERSION}\n".encode()):
        raise _unfit(file)
    start = 0
    for line, plain in _lines(head.decode("utf-8")):
        what, name, *rest = line.split(" ")
        if what == "corpus":
            corpus = name
        elif what == "table":
            size = 1 << int(rest[0])
            tables[name] = Table(
                weights=body[start : start + size].cast("b"), mask=size - 1, scale=float(rest[1])
            )
            start += size
        elif what == "model":
            bias, words, letters = rest
            models.told[name] = float(bias), tables.get(words), tables.get(letters), plain
        elif what == "number":
            numbers[name] = float(rest[0])
    # A file that was cut short, or whose tables have other sizes than its head says.
    if start != len(body):
        raise _unfit(file)
    return Weights(corpus=corpus, models=models, tables=tables, numbers=numbers)


def _lines(head: str) -> Iterator[tuple[str, str]]:
    """Each line that is no plain feature; a model with the lines of its plain features."""
    first, *models = head.split("\nmodel ")
    yield from ((line, "") for line in first.split("\n"))
    for each in models:
        told, _, rest = each.partition("\n")
        # Whole, not line by line: 6,000 lines were split for seven models of pairs, of which a cold
        # `remember` asks two (2 ms).
        last = f"\n{rest}".rfind(f"\n{_PLAIN}")
        end = rest.find("\n", last) if last >= 0 else 0
        end = end if end >= 0 else len(rest)
        yield f"model {told}", rest[:end]
        yield from ((line, "") for line in rest[end:].split("\n") if line)


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
            whole = sum([known[one & mask] for one in hashed]) if mask else known[0] * len(hashed)
            total += whole * table.scale * value_of(hashed)
    weight_of = model.plain.get
    for name, value in features.plain:
        weight = weight_of(name)
        if weight is not None:
            total += weight * value
    if features.sense:
        total += sum(map(mul, model.sense_weights(features.mark), features.sense))
    return total


_LANE = 24  # bits: room for the sum of 65,000 weights that were made positive
_POSITIVE = 128
_MOST_LANES = 1 << 16  # hashes of which the weights are kept


class _Lanes(dict[int, int]):
    """By hash, its weights in several tables as one number, a lane each: added up at once."""

    def __init__(self, tables: Sequence[Table | None]) -> None:
        super().__init__()
        self._tables = [
            (place * _LANE, table) for place, table in enumerate(tables) if table is not None
        ]

    def __missing__(self, hashed: int) -> int:
        if len(self) >= _MOST_LANES:
            self.clear()
        packed = 0
        for shift, table in self._tables:
            packed |= table.weights[hashed & table.mask] + _POSITIVE << shift
        self[hashed] = packed
        return packed

    def sums(self, hashes: tuple[int, ...]) -> Iterator[tuple[int, float]]:
        """(place of a table, what these hashes weigh in it)."""
        packed, each = sum(map(self.__getitem__, hashes)), value_of(hashes)
        for shift, table in self._tables:
            whole = (packed >> shift & (1 << _LANE) - 1) - _POSITIVE * len(hashes)
            yield shift // _LANE, whole * table.scale * each


class Panel:
    """Several models that look at the same features: one look at each feature serves all."""

    def __init__(self, models: Sequence[Model]) -> None:
        self._models = models
        self._words = _Lanes([each.words for each in models])
        self._letters = _Lanes([each.letters for each in models])
        self._plain: dict[str, tuple[float, ...]] = {}  # by name, in each model

    def scores(self, features: Features) -> list[float]:
        """As `score`, of each model."""
        totals = [each.bias for each in self._models]
        for lanes, hashes in ((self._words, features.words), (self._letters, features.letters)):
            for place, weight in lanes.sums(hashes) if hashes else ():
                totals[place] += weight
        values = [value for _, value in features.plain]
        rows = [self._plain.get(name) or self._row_of(name) for name, _ in features.plain]
        for place, column in enumerate(zip(*rows, strict=True)):
            totals[place] += sum(map(mul, column, values))
        if features.sense:
            for place, model in enumerate(self._models):
                totals[place] += sum(map(mul, model.sense_weights(features.mark), features.sense))
        return totals

    def _row_of(self, name: str) -> tuple[float, ...]:
        self._plain[name] = row = tuple([each.plain.get(name, 0.0) for each in self._models])
        return row


@cache
def panel(name: str, models: tuple[str, ...]) -> Panel:
    """Models of the weights `NAME.weights`."""
    read = weights(name)
    return Panel([read.models[each] for each in models])


@lru_cache(maxsize=1 << 14)
def word_rarity(word: str) -> float:
    """As `rarity`, of the weights of pairs."""
    return rarity(weights("pairs"), word)


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
