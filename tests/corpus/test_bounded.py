"""P17: any single input is handled within bounds, and no input ends the process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.corpus.bounded import Runner
from tests.corpus.inputs import ENTRANCES, TEXTS, cases, vault_with
from vaultmem.api.memory import Memory

MOST_MEGABYTES = 300
SIZES = (990_000, 10_000_000)  # just below the limit of a note, and what nobody should send
WORKERS = 8  # parts of the list, so that the workers of a test run share it

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs wait4 and limits of processes"),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("template") / "vault"
    Memory.init(root)
    with Memory(root) as memory:
        memory.remember("I like tea in the morning.")
    return root


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


@pytest.mark.parametrize("part", range(WORKERS))
def test_no_input_is_too_much(
    runner: Runner,
    template: Path,
    tmp_path: Path,
    part: int,
    times: Callable[[int], int],
    tally: Callable[..., None],
) -> None:
    """In CI each text enters in one place; `--long 10` tries all places and both sizes."""
    everything = [(*case, size) for size in SIZES for case in cases()]
    step = max(1, len(everything) // times(len(TEXTS)))
    chosen = everything[part * step :: step * WORKERS]
    worst = 0.0
    for number, (text, entrance, size) in enumerate(chosen):
        root = tmp_path / str(number)
        data = TEXTS[text](size)
        vault_with(root, template, ENTRANCES[entrance], data)
        given = b"" if ENTRANCES[entrance].path else data
        cost = runner.run(root, ENTRANCES[entrance].words, given)
        what = f"{text}, {size} bytes, as {entrance}: {cost}"
        assert cost.code >= 0, what
        assert cost.code != 70, what
        assert "Traceback" not in cost.said, what
        assert cost.megabytes <= MOST_MEGABYTES, what
        worst = max(worst, cost.megabytes)
    tally("bounded inputs", tried=len(chosen), most_megabytes=round(worst))
