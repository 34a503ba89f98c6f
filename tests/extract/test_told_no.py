"""'No ...' is a limit or an answer: judgement tells them apart, not the first word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory


@pytest.mark.parametrize(
    ("said", "critical"),
    [
        ("No ibuprofen for Mum.", "health"),
        ("No visitors before ten.", "limit"),
        ("No peanuts for Theo.", "health"),
        ("No ladders for Grandad until his hip has healed.", "safety"),
    ],
)
def test_what_is_not_to_be_is_kept(
    tmp_path: Path, clock: FixedClock, said: str, critical: str
) -> None:
    Memory.init(tmp_path / "v", name="v", clock=clock)
    with Memory(tmp_path / "v", clock=clock) as memory:
        (item,) = memory.remember(said).items
        (line,) = memory.context("what should I know").lines
    assert item.statement == said
    assert (line.tier, line.text) == ("critical", said)


@pytest.mark.parametrize("said", ["No worries.", "No, not really.", "No rush.", "No thanks."])
def test_an_answer_is_none(tmp_path: Path, clock: FixedClock, said: str) -> None:
    Memory.init(tmp_path / "v", name="v", clock=clock)
    with Memory(tmp_path / "v", clock=clock) as memory:
        assert memory.remember(said).items == ()
