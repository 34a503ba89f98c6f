"""What is stated in a talk without any cue holds from its turn on, and ends what it replaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock
from vaultmem.api.memory import Memory
from vaultmem.extract.rule_extractor import HeuristicExtractor
from vaultmem.model.drafts import Extraction, Source


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


def test_a_turn_does_not_read_what_holds_already_once_more(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is settled by a key is held against facts by its words: their slots are not asked."""
    Memory.init(tmp_path / "v", name="v", clock=clock)
    read: list[str] = []
    extract = HeuristicExtractor.extract

    def counted(self: HeuristicExtractor, source: Source, *, now: int) -> Extraction:
        read.append(source.turns[0].text)
        return extract(self, source, now=now)

    with Memory(tmp_path / "v", clock=clock) as memory:
        session = memory.session("kiln")
        for number, part in enumerate(("door", "vent", "timer", "shelf", "cone", "fuse")):
            session.turn(f"The {part} should be {number}.", "Noted.")
        monkeypatch.setattr(HeuristicExtractor, "extract", counted)
        session.turn("The rack should be 9.", "Noted.")
        assert len(session.show().truth) == 7
    assert read == ["The rack should be 9."]


@pytest.mark.parametrize("second", [0, 25])
def test_two_talks_in_one_second_have_an_order(tmp_path: Path, second: int) -> None:
    """In a talk a statement begins at its minute: in the first second of one both begin alike."""
    later = "We no longer use npm for the packages here, we use pnpm."
    clock = FixedClock(NOON + second * 1000)
    Memory.init(tmp_path / "v", name="v", clock=clock)
    with Memory(tmp_path / "v", clock=clock) as memory:
        for name, text in (("a", "We use npm for the packages here."), ("b", later)):
            session = memory.session(name)
            session.turn(text, "OK.")
            session.end()
        items = [row for row in memory.list() if row.type == "item" and row.status == "active"]
    told = [row.statement for row in items if not row.statement.startswith("Conversation")]
    assert told == [later]
