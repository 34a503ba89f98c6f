"""What is stated in a talk without any cue holds from its turn on, and ends what it replaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (["We keep the seed list in the tin."], ["We keep the seed list in the tin."]),
        (["My nephew mustn't have dairy."], ["My nephew mustn't have dairy."]),
        (
            ["Our plumber comes on Tuesdays.", "The plumber comes on Fridays now."],
            ["The plumber comes on Fridays now."],
        ),
        (["I live in Leer.", "We moved to Emden last week."], ["We moved to Emden last week."]),
        (
            ["Our cat is called Fig.", "Our other cat is called Plum."],
            ["Our cat is called Fig.", "Our other cat is called Plum."],
        ),
        (["I'm a bit tired today.", "What a lovely morning!"], []),
    ],
)
def test_what_holds(tmp_path: Path, clock: FixedClock, said: list[str], held: list[str]) -> None:
    Memory.init(tmp_path / "v", name="v", clock=clock)
    with Memory(tmp_path / "v", clock=clock) as memory:
        session = memory.session("talk")
        for text in said:
            session.turn(text, "OK.")
        assert [line.text for line in session.show().truth] == held
