"""Recall by tiers on real vaults: as deep as a question needs, and what each tier held."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Answer, Filters, Tiered

FOOD = "categories/food.md"


def depth(answer: Answer) -> Tiered:
    assert answer.tiered is not None
    return answer.tiered


def read(answer: Answer) -> list[str]:
    return [tier.name for tier in depth(answer).tiers]


def lines(answer: Answer) -> list[str]:
    return [passage.text for hit in depth(answer).summaries for passage in hit.passages]


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.remember("Elise loves green tea. My passport is in the blue drawer.", category="food")
    memory.remember("The kettle whistles. Nobody minds the owl.", extract=False)
    return memory


def test_a_summary_that_holds_the_question_answers_and_nothing_deeper_is_read(told: Memory) -> None:
    answer = told.recall("which tea does Elise love?", tiered=True)
    assert depth(answer).answered_by == "summaries"
    assert read(answer) == ["categories", "summaries"]
    assert [str(hit.note.path) for hit in answer.hits] == [FOOD]
    (passage,) = answer.hits[0].passages
    assert passage.text == "Elise loves green tea."
    file = (told.root / FOOD).read_text(encoding="utf-8").splitlines()
    assert file[passage.line - 1].startswith(f"- {passage.text} [[")


def test_items_answer_what_summaries_hold_too_little_of_and_these_are_not_dropped(
    told: Memory,
) -> None:
    answer = told.recall("does Elise drink tea in the winter garden?", tiered=True)
    assert depth(answer).answered_by == "items"
    assert {hit.note.type for hit in answer.hits} == {"item"}
    assert lines(answer) == ["Elise loves green tea."]
    assert depth(answer).tiers[1].coverage < depth(answer).needed


def test_texts_answer_what_no_item_says(told: Memory) -> None:
    answer = told.recall("who minds the owl", tiered=True)
    assert depth(answer).answered_by == "resources"
    assert read(answer) == ["categories", "summaries", "items", "resources"]
    assert answer.hits[0].note.type == "resource"
    assert depth(answer).tiers[-1].held == ("minds", "owl")


def test_nothing_found_is_said_after_every_tier(told: Memory) -> None:
    answer = told.recall("quantum zebra", tiered=True)
    assert answer.hits == ()
    assert depth(answer).answered_by == ""
    assert len(depth(answer).tiers) == 4


def test_categories_that_the_question_names_are_read_alone(told: Memory) -> None:
    told.remember("The saw is in the shed.", category="tools")
    answer = told.recall("food: which tea does Elise love?", tiered=True)
    assert depth(answer).are_named
    assert len(depth(answer).categories) == 1
    answer = told.recall("where is the saw", tiered=True)
    assert not depth(answer).are_named
    assert len(depth(answer).categories) == 2


def test_a_category_is_named_by_its_alias(told: Memory) -> None:
    file = told.root / FOOD
    text = file.read_text(encoding="utf-8")
    file.write_text(f"---\naliases: [Kulinarik]\n---\n{text}", encoding="utf-8")
    answer = told.recall("Kulinarik", tiered=True)
    assert depth(answer).are_named


def test_a_line_whose_item_ended_is_not_read(told: Memory) -> None:
    [item] = [row for row in told.list(Filters(types=("item",))) if "Elise" in row.statement]
    file = told.root / item.path
    text = file.read_text(encoding="utf-8")
    ended = text.replace("---\n", "---\nvalid_until: 2026-02-01\n", 1)
    assert ended != text
    file.write_text(ended, encoding="utf-8")
    answer = told.recall("which tea does Elise love?", tiered=True)
    assert depth(answer).answered_by != "summaries"
    assert lines(answer) == []


def test_summaries_of_another_time_are_those_of_then(root: Path, memory: Memory) -> None:
    memory.remember("Elise loves green tea.", category="food")
    with Memory(root, clock=FixedClock(NOON + 9 * DAY_MS)) as later:
        [item] = later.list(Filters(types=("item",)))
        later.facts.retract(item.id)
        now = later.recall("which tea does Elise love?", tiered=True)
        then = later.recall("which tea does Elise love?", tiered=True, known_at=NOON + 4 * DAY_MS)
    assert now.hits == ()
    assert depth(then).answered_by == "summaries"
    assert lines(then) == ["Elise loves green tea."]
    assert [each.what for each in then.hits[0].later] in ([], ["changed"])


def test_a_line_of_an_item_from_outside_is_no_summary(told: Memory) -> None:
    told.remember("The owl eats purple cheese.", writer="web", source="https://example.com/owl")
    [item] = told.list(Filters(types=("item",), trusts=("untrusted",)))
    file = told.root / FOOD
    text = file.read_text(encoding="utf-8")
    line = f"- {item.statement} [[{item.path.stem}]]\n<!-- vaultmem:end"
    file.write_text(text.replace("<!-- vaultmem:end", line, 1), encoding="utf-8")
    answer = told.recall("purple cheese", tiered=True)
    assert lines(answer) == []
    assert depth(answer).answered_by != "summaries"


def test_a_misspelt_word_counts_as_held_by_the_items_it_finds(told: Memory) -> None:
    answer = told.recall("passprt", tiered=True)
    assert depth(answer).answered_by == "items"
    assert depth(answer).tiers[-1].held == ("passprt",)


def test_filters_that_a_line_cannot_tell_begin_with_items(told: Memory) -> None:
    answer = told.recall("tea Elise", tiered=True, filters=Filters(kinds=("fact",)))
    assert depth(answer).answered_by in ("items", "")
    assert depth(answer).summaries == ()
    with pytest.raises(BadInputError):
        told.recall("tea", tiered=True, filters=Filters(types=("item",)))


def test_without_categories_the_items_answer(memory: Memory) -> None:
    memory.remember("I prefer tabs over spaces.")
    for file in (memory.root / "categories").glob("*.md"):
        file.unlink()
    assert depth(memory.recall("tabs or spaces", tiered=True)).answered_by == "items"
    assert memory.recall("tabs or spaces").tiered is None


class TestPlan:
    def test_it_says_what_the_best_passage_holds_and_what_an_answer_takes(
        self, told: Memory
    ) -> None:
        plan = told.recall("green tea").plan
        assert plan is not None
        assert plan.coverage == pytest.approx(1)
        assert plan.needed is not None
        assert 0 < plan.needed < 1
        refused = told.recall("green giraffes juggle seventeen invisible umbrellas tomorrow").plan
        assert refused is not None
        assert refused.coverage < plan.coverage

    def test_there_is_an_answer_exactly_if_the_best_passage_holds_enough(
        self, told: Memory
    ) -> None:
        for question in ("green tea", "zebra", "owl with purple xylophones and quartz", "drawer"):
            answer = told.recall(question)
            assert answer.plan is not None
            assert answer.plan.needed is not None
            is_enough = answer.plan.coverage >= answer.plan.needed
            assert bool(answer.hits) is is_enough

    def test_a_word_for_which_others_stood_is_named(self, told: Memory) -> None:
        told.remember("We got a puppy from the shelter.")
        plan = told.recall("what pets do we have").plan
        assert plan is not None
        assert [(one.word, one.passages) for one in plan.stood] == [("pets", 2)]

    def test_listing_needs_no_share(self, told: Memory) -> None:
        plan = told.search("tea").plan
        assert plan is not None
        assert plan.needed is None
        assert [one.why for one in plan.rounds] == ["the question"]

    def test_each_tier_that_was_asked_is_a_round(self, told: Memory) -> None:
        plan = told.recall("who minds the owl", tiered=True).plan
        assert plan is not None
        assert [one.why.rpartition(" ")[2] for one in plan.rounds] == ["items", "resources"]
