"""Which tests are slow: what stands in slow.txt, written by what was measured.

    python -m pytest --note-slow     runs everything and writes slow.txt anew

Do that where nothing else runs. `python -m pytest -m "not slow"` leaves these tests out, and those
that are marked where they stand because they repeat something as often as they are told to: what
is left takes less than a minute. The quickest of each folder stays, so every part is touched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

TESTS = Path(__file__).resolve().parent
LIST = TESTS / "slow.txt"
MOST_SECONDS = 0.06
"""Of a case of a test function, as a mean, setting up and taking down included."""
MOST_IN_ALL_SECONDS = 0.6
"""Of a test function with all of its cases."""


def noted() -> frozenset[str]:
    """Test functions as pytest names them, without the case in square brackets."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def function_of(nodeid: str) -> str:
    """`tests/a/test_b.py::test_c` for `tests/a/test_b.py::test_c[d]`."""
    return nodeid.partition("[")[0]


def mark(items: Iterable[pytest.Item]) -> None:
    """Give what stands in the list its mark."""
    slow = noted()
    for item in items:
        if function_of(item.nodeid) in slow:
            item.add_marker(pytest.mark.slow)


def note(reports: Iterable[pytest.TestReport]) -> None:
    """Write the list: what ran is judged anew, what did not run stays if it is still there."""
    cases: dict[str, float] = defaultdict(float)
    for report in reports:
        cases[report.nodeid] += report.duration
    taken: dict[str, list[float]] = defaultdict(list)
    for nodeid, seconds in cases.items():
        taken[function_of(nodeid)].append(seconds)
    kept = {name for name in noted() - taken.keys() if is_there(name)}
    LIST.write_text("".join(f"{name}\n" for name in sorted(slow_of(taken) | kept)), "utf-8")


def slow_of(taken: Mapping[str, Sequence[float]]) -> set[str]:
    """Of test functions and the seconds of their cases those that are slow."""
    slow = {
        name
        for name, each in taken.items()
        if fmean(each) > MOST_SECONDS or sum(each) > MOST_IN_ALL_SECONDS
    }
    quickest: dict[str, str] = {}
    for name in sorted(taken, key=lambda name: sum(taken[name])):
        quickest.setdefault(name.partition("::")[0].rpartition("/")[0], name)
    return slow - {*quickest.values()}


def is_there(name: str) -> bool:
    """Whether its file has a function, or for a state machine of Hypothesis a name, like that."""
    file, *_, function = name.split("::")
    said = f"{name.split('::')[-2]} = " if function == "runTest" else f"def {function}("
    return said in _text(TESTS.parent / file)


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""
