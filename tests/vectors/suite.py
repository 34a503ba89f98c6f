"""What an adapter is, and the rule by which a result is compared with what was expected."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vaultmem.api.memory import Memory
from vaultmem.base.errors import VaultmemError

Case = Mapping[str, Any]

_HERE = Path(__file__)
_SHARED = _HERE.parents[3] / "shared" / "data" / "vectors.json"
_COPY = _HERE.parents[1] / "data" / "vectors.json"
_MISSING = object()


@dataclasses.dataclass
class SetClock:
    """A clock that stands where a case puts it."""

    at: int = 0

    def now(self) -> int:
        return self.at


@dataclasses.dataclass
class Workshop:
    """Where an adapter may work: a folder of its own for each vault that it makes."""

    folder: Path
    _made: int = 0

    @contextmanager
    def vault(self, *, at: int) -> Iterator[tuple[Memory, SetClock]]:
        """A fresh vault whose clock stands at an instant (UTC ms)."""
        self._made += 1
        clock = SetClock(at)
        root = self.folder / f"vault-{self._made}"
        Memory.init(root, name="vectors", clock=clock)
        with Memory(root, clock=clock) as memory:
            yield memory, clock


Run = Callable[[Any, Workshop], object]


@dataclasses.dataclass(frozen=True)
class Adapter:
    """How a suite's inputs are put to the product.

    run      the input of a case to what the product says of it, shaped as the suite's results
    matches  None: the file's own rule of comparison; else: (result, case, suite) to what differs
    """

    run: Run
    matches: Callable[[object, Case, Case], str] | None = None


def vectors_file() -> Path:
    """The file that VAULTMEM_VECTORS names; else the shared one, or the copy beside the tests."""
    named = os.environ.get("VAULTMEM_VECTORS")
    if named:
        return Path(named)
    return _SHARED if _SHARED.exists() else _COPY


def load_suites() -> Mapping[str, Case]:
    """The suites of the file, by name."""
    loaded = json.loads(vectors_file().read_text(encoding="utf-8"))
    suites: Mapping[str, Case] = loaded["suites"]
    return suites


def is_error(expected: object) -> bool:
    """Whether a result is `{'error': kind}`: the product has to refuse."""
    return isinstance(expected, Mapping) and expected.keys() == {"error"}


def difference(result: object, case: Case, suite: Case) -> str:
    """What differs from the expected result, '' for nothing, by the file's rule.

    Numbers lie within tol.abs + tol.rel * |expected| (the case's tolerance before the suite's);
    an expected None is met by None or by nothing; lists have the same length and order; of a
    mapping only the expected keys are looked at.
    """
    tolerance = {"abs": 0.0, "rel": 0.0, **suite.get("tol", {}), **case.get("tol", {})}
    return _difference(result, case["expected"], tolerance, "result")


def _difference(result: object, expected: object, tol: Mapping[str, float], place: str) -> str:
    if isinstance(expected, Mapping):
        if not isinstance(result, Mapping):
            return f"{place} is {result!r}, not a mapping"
        parts = (
            _difference(result.get(key, _MISSING), wanted, tol, f"{place}.{key}")
            for key, wanted in expected.items()
        )
        return next((part for part in parts if part), "")
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        if not isinstance(result, Sequence) or isinstance(result, str):
            return f"{place} is {result!r}, not a list"
        if len(result) != len(expected):
            return f"{place} is {list(result)!r} instead of {list(expected)!r}"
        parts = (
            _difference(got, wanted, tol, f"{place}[{i}]")
            for i, (got, wanted) in enumerate(zip(result, expected, strict=True))
        )
        return next((part for part in parts if part), "")
    return "" if _is_equal(result, expected, tol) else f"{place} is {result!r}, not {expected!r}"


def _is_equal(result: object, expected: object, tol: Mapping[str, float]) -> bool:
    if expected is None:
        return result is None or result is _MISSING
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return type(result) is type(expected) and result == expected
    if isinstance(result, bool) or not isinstance(result, int | float):
        return False
    room = tol["abs"] + tol["rel"] * abs(expected)
    return not math.isnan(result) and (result == expected or abs(result - expected) <= room)


def refusal(run: Run, given: Any, shop: Workshop) -> str:
    """What is wrong when a case is to be refused: '' when the product raises an error of its own.

    Our functions refuse a wrong argument with ValueError, a wrong request with VaultmemError.
    """
    try:
        result = run(given, shop)
    except (ValueError, VaultmemError):
        return ""
    return f"answered {result!r} instead of an error"
