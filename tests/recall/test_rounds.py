"""A question asked in rounds, on real vaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.model.answers import Answer, AnswerPlan, Filters

LETTERS = """**Kim** (2026-02-01): We sold the old boat to a Mr Hollister, he paid at once.

**Ada** (2026-02-01): Good. What did you do then?

**Kim** (2026-02-01): We bought bread and went home.
"""
LATER = """**Kim** (2026-02-20): Nothing new from the harbour.

**Ada** (2026-02-20): I read that Hollister sank off Malmö in the storm.
"""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    root = tmp_path / "vault"
    Memory.init(root, clock=FixedClock())
    return Memory(root, clock=FixedClock())


def texts(answer: Answer) -> list[str]:
    return [passage.text for hit in answer.hits for passage in hit.passages]


def plan_of(answer: Answer) -> AnswerPlan:
    assert answer.plan is not None
    return answer.plan


class TestRounds:
    def test_a_name_that_the_first_answer_brings_is_asked_for(self, memory: Memory) -> None:
        memory.remember(LETTERS, extract=False)
        memory.remember(LATER, extract=False)
        memory.remember("Bread is in the listings.", extract=False)
        question = "To whom did we sell the boat"
        once = memory.recall(question, rounds=1)
        twice = memory.recall(question, rounds=2)
        assert not any("Malmö" in text for text in texts(once))
        assert any("Malmö" in text for text in texts(twice))
        asked = plan_of(twice).rounds
        assert [one.query for one in asked if one.number == 2] == ["Mr Hollister"]
        assert asked[-1].new > 0

    def test_parts_are_asked_in_the_first_round(self, memory: Memory) -> None:
        memory.remember("The kettle is red.", extract=False)
        memory.remember("The boat is blue.", extract=False)
        asked = plan_of(memory.recall("difference between kettle and boat", rounds=2)).rounds
        first = [one.query for one in asked if one.number == 1]
        assert first == ["difference between kettle and boat", "kettle", "boat"]
        assert asked[0].weight == 1 > asked[1].weight > asked[2].weight > 0

    def test_the_parts_of_a_score_add_up_to_it(self, memory: Memory) -> None:
        memory.remember(LETTERS, extract=False)
        memory.remember(LATER, extract=False)
        found = memory.recall("who bought the boat and the bread from Kim?", rounds=3)
        assert found.hits
        for hit in found.hits:
            assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
        assert any(part.name.startswith("round ") for hit in found.hits for part in hit.parts)

    def test_one_round_is_the_default_and_asks_once(self, memory: Memory) -> None:
        memory.remember(LETTERS, extract=False)
        usual, once = memory.recall("the boat"), memory.recall("the boat", rounds=1)
        assert usual == once
        assert len(plan_of(usual).rounds) == 1
        assert plan_of(usual).ended == ""

    def test_it_ends_when_nothing_is_left_to_ask(self, memory: Memory) -> None:
        memory.remember("the kettle is red.", extract=False)
        plan = plan_of(memory.recall("red kettle", rounds=3))
        assert len(plan.rounds) == 1
        assert plan.ended == "nothing further to ask"

    def test_the_settings_say_how_many(self, memory: Memory) -> None:
        memory.remember(LETTERS, extract=False)
        memory.remember(LATER, extract=False)
        toml = memory.root / "vaultmem.toml"
        toml.write_text(f"{toml.read_text('utf-8')}\n[recall]\nrounds = 2\n", "utf-8")
        memory.close()
        with Memory(memory.root, clock=FixedClock()) as again:
            assert len(plan_of(again.recall("who bought the boat")).rounds) > 1
            assert len(plan_of(again.recall("who bought the boat", rounds=1)).rounds) == 1

    def test_the_settings_say_what_parts_weigh(self, memory: Memory) -> None:
        memory.remember("The kettle is red.", extract=False)
        memory.remember("The boat is blue.", extract=False)
        toml = memory.root / "vaultmem.toml"
        table = (
            "position_step = 0.5\nposition_floor = 0.1\nlong_query_bonus = 0.3\nround_share = 1.0"
        )
        toml.write_text(f"{toml.read_text('utf-8')}\n[retrieval]\n{table}\n", "utf-8")
        memory.close()
        with Memory(memory.root, clock=FixedClock()) as again:
            question = "difference between the kettle in our kitchen and boat"
            asked = plan_of(again.recall(question, rounds=2)).rounds
            assert [one.weight for one in asked[:3]] == pytest.approx([1, 0.8, 0.1])

    @pytest.mark.parametrize(("cap", "share"), [(0, 0.0), (1, 0.3), (3, 0.3 + 0.39)])
    def test_the_settings_say_how_often_a_note_may_rise(
        self, memory: Memory, cap: int, share: float
    ) -> None:
        memory.remember("the kettle and the boat are red.", extract=False)
        toml = memory.root / "vaultmem.toml"
        table = f"repeat_cap = {cap}\nround_share = 1.0"
        toml.write_text(f"{toml.read_text('utf-8')}\n[retrieval]\n{table}\n", "utf-8")
        memory.close()
        with Memory(memory.root, clock=FixedClock()) as again:
            (hit,) = again.recall("difference between kettle and boat", rounds=2).hits
            repeated = sum(part.value for part in hit.parts if part.name == "repeated")
            assert repeated == pytest.approx(share * (hit.score - repeated))

    def test_all_rounds_together_give_so_many_notes(self, memory: Memory) -> None:
        for color in ("red", "blue", "green", "black"):
            memory.remember(f"The kettle of {color} iron.", extract=False)
        toml = memory.root / "vaultmem.toml"
        toml.write_text(f"{toml.read_text('utf-8')}\n[retrieval]\nresults = 2\n", "utf-8")
        memory.close()
        with Memory(memory.root, clock=FixedClock()) as again:
            cut = again.recall("kettle", limit=4, rounds=2)
            assert len(cut.hits) == 2
            assert plan_of(cut).ended.endswith("at most 2 notes are given ('retrieval.results')")
            assert len(again.recall("kettle", limit=4, rounds=1).hits) == 4
            assert "results" not in plan_of(again.recall("kettle", limit=2, rounds=2)).ended

    @pytest.mark.parametrize("rounds", [0, -1, 4])
    def test_only_so_many_can_be_asked(self, memory: Memory, rounds: int) -> None:
        with pytest.raises(BadInputError, match=f"{rounds} rounds cannot be asked"):
            memory.recall("boat", rounds=rounds)

    def test_a_part_alone_is_no_answer(self, memory: Memory) -> None:
        """What the question as a whole does not find enough of stays unanswered."""
        shelves = "\n\n".join(f"Shelf {number} holds jar {number}." for number in range(420))
        memory.remember(shelves, extract=False)
        memory.remember("The kettle is red.", extract=False)
        question = "grandfather's accordion, zeppelin museum tickets and quartz kettle"
        assert memory.recall(question, rounds=1).hits == ()
        assert memory.recall(question, rounds=3).hits == ()

    def test_text_from_outside_steers_no_question(self, memory: Memory) -> None:
        memory.remember("We sold the boat, says Zanzibar Quux.", extract=False, writer="web")
        memory.remember("the boat is sold.", extract=False)
        asked = plan_of(memory.recall("who sold the boat", rounds=3)).rounds
        assert not any("Zanzibar" in one.query for one in asked)

    def test_filters_hold_in_every_round(self, memory: Memory) -> None:
        memory.remember(LETTERS, extract=False)
        memory.remember(LATER, extract=False)
        found = memory.recall("who bought the boat", rounds=3, filters=Filters(types=("item",)))
        assert found.hits == ()

    def test_another_time_is_asked_in_rounds_too(self, memory: Memory) -> None:
        memory.remember(LETTERS, extract=False)
        memory.remember(LATER, extract=False)
        found = memory.recall("to whom did we sell the boat", rounds=2, known_at="HEAD~1")
        assert len(plan_of(found).rounds) > 1
        assert not any("Malmö" in text for text in texts(found))
