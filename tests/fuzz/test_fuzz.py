"""A short round of fuzzing with a fixed seed, and every input that broke something once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fuzz.list_edits import EditedStreams
from tests.fuzz.mutation import mutated, seeds
from tests.fuzz.targets import Target, all_targets, open_sample
from vaultmem.api.memory import Memory

PROJECT = Path(__file__).parents[2]
QUESTION_IN = 4
FOUND = sorted((Path(__file__).parent / "found").glob("*.bin"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with pytest.MonkeyPatch.context() as patch:
        base = tmp_path_factory.mktemp("fuzz")
        patch.setenv("XDG_STATE_HOME", str(base / "state"))
        patch.setenv("XDG_CONFIG_HOME", str(base / "config"))
        with open_sample(base / "vault", PROJECT / "sample-vault") as memory:
            yield memory


def test_random_inputs_break_no_promise(
    sample: Memory, tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    random_ = random.Random(2026)
    known = seeds(PROJECT / "sample-vault")
    targets = all_targets(sample)
    # A question takes 150 ms, as long as a hundred inputs of the others: one in four of its turns.
    turns = [name for name in sorted(targets) * QUESTION_IN if name != "query"] + ["query"]
    count = times(1500)
    for number in range(count):
        name = turns[number % len(turns)]
        data = mutated(random_, known)
        (tmp_path / "last").write_bytes(name.encode() + b"\n" + data)  # to see what broke
        targets[name](data)
    tally("fuzzed inputs", tried=count, broken=0)


def test_list_edits_and_pastes_settle_at_once_and_lose_no_word(
    sample: Memory, tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    random_ = random.Random(2026)
    known = seeds(PROJECT / "sample-vault")
    streams = EditedStreams(tmp_path / "streams", PROJECT / "sample-vault")
    count = times(25)
    for _ in range(count):
        data = mutated(random_, known)
        (tmp_path / "last").write_bytes(b"edited streams\n" + data)
        streams(data)
    streams.close()
    tally("edited streams", tried=count, broken=0)


@pytest.mark.parametrize("file", FOUND, ids=lambda file: str(file.stem))
def test_what_broke_once_holds(sample: Memory, file: Path, tmp_path: Path) -> None:
    target = file.stem.rpartition("-")[0].replace("-", " ")
    streams = EditedStreams(tmp_path / "streams", PROJECT / "sample-vault")
    targets: dict[str, Target] = {**all_targets(sample), "edited streams": streams}
    targets[target](file.read_bytes())
    streams.close()
