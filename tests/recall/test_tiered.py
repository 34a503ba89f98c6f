"""Which tier answers: decisions over words alone."""

from __future__ import annotations

from itertools import product

import pytest

from vaultmem.recall.tiers import (
    ENOUGH,
    answering,
    coverage,
    covering,
    says_yes,
    select_categories,
    suffices,
    summaries_suffice,
)


class TestNames:
    def test_an_unknown_name_is_ignored(self) -> None:
        assert select_categories(["zebra", " FOOD "], ["family", "food"]) == ("food",)

    @pytest.mark.parametrize("names", [[], ["zebra"]])
    def test_an_empty_selection_falls_back_to_all(self, names: list[str]) -> None:
        assert select_categories(names, ["family", "food"]) == ("family", "food")


class TestSufficiency:
    def test_four_of_five_words_suffice_and_three_do_not(self) -> None:
        asked = "abcde"
        assert suffices(coverage(asked, "abcdx"))
        assert not suffices(coverage(asked, "abcxy"))

    def test_nothing_asked_is_never_held(self) -> None:
        assert not summaries_suffice("", ["abc"], are_named=True)

    def test_named_summaries_count_together_and_others_each_alone(self) -> None:
        assert summaries_suffice("abcd", ["ab", "cd"], are_named=True)
        assert not summaries_suffice("abcd", ["ab", "cd"], are_named=False)
        assert summaries_suffice("abcd", ["a", "abcd"], are_named=False)

    @pytest.mark.parametrize(
        ("reply", "means"),
        [
            ("YES", True),
            (" yes, they do", True),
            ("**Yes**", True),
            ("YESTERDAY it was", False),
            ("No - YES would be wrong", False),
            ("", False),
        ],
    )
    def test_a_model_says_yes_by_its_first_word(self, reply: str, means: bool) -> None:
        assert says_yes(reply) is means


class TestLines:
    def test_lines_that_add_words_come_first_then_those_as_good_as_the_best(self) -> None:
        lines = {1: "a", 2: "ab", 3: "c", 4: "ba", 5: "xyz"}
        assert covering("abc", lines, most=9) == (2, 3, 4)
        assert covering("abc", lines, most=1) == (2,)

    def test_what_they_hold_together_is_all_that_any_line_holds(self) -> None:
        letters = ["".join(p) for p in product("abx", "cdx")]
        chosen = covering("abcd", dict(enumerate(letters)), most=4)
        assert set().union(*(letters[key] for key in chosen)) >= set("abcd")

    def test_a_line_without_a_word_of_it_is_left_out(self) -> None:
        assert covering("a", {1: "x", 2: ""}, most=5) == ()


def test_the_first_tier_that_can_answers() -> None:
    for summaries, items, resources in product((True, False), repeat=3):
        found = answering(summaries=summaries, items=items, resources=resources)
        wanted = [summaries, items, resources, True].index(True)
        assert found == ("summaries", "items", "resources", "")[wanted]
    assert ENOUGH == 0.8
