"""Questions taken apart, and the lists of several questions put together."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.recall.fusing import BOOST, MOST_BOOSTS, Round, fuse, goes_on
from vaultmem.recall.rounds import MOST_QUERIES, Weights, decompose, is_complex, subquery_weight


class TestDecomposing:
    @pytest.mark.parametrize(
        ("question", "parts"),
        [
            ("tea", ()),
            ("difference between rye and oats", ("rye", "oats")),
            ("Why did we drop Postgres?", ("did we drop Postgres",)),
            ("why did we move and what does she do?", ("did we move", "what does she do")),
            ("why do cats and dogs fight", ("do cats and dogs fight",)),
            (
                'what did "Johnson and Johnson" and Ann sell',
                ('what did "Johnson and Johnson"', "Ann sell"),
            ),
            ("the band named sand", ()),
            ("bread, butter and jam", ("bread", "butter", "jam")),
            ("What did Ann sell on 3 June, 2023?", ()),
            ("Who invited Bob?", ()),
            ("rye vs. rye", ("rye",)),
            ("Could you compare Lisbon to Porto?", ("Lisbon", "Porto")),
            ("compare the oak with the ash", ("the oak", "the ash")),
            ("vergleiche Zug und Auto", ("Zug", "Auto")),
            ("compare notes", ()),
            ("and or but", ()),
        ],
    )
    def test_the_parts(self, question: str, parts: tuple[str, ...]) -> None:
        assert decompose(question) == (question, *parts)

    def test_nothing_is_no_question(self) -> None:
        assert decompose(" \n") == ()
        assert not is_complex("")

    @given(st.text())
    def test_any_text_comes_first_with_few_parts_none_twice(self, text: str) -> None:
        found = decompose(text)
        assert found[:1] == ((text.strip(),) if text.strip() else ())
        assert len(found) <= MOST_QUERIES
        assert len({part.casefold() for part in found}) == len(found)
        assert all(0.4 <= subquery_weight(i, part) <= 1 for i, part in enumerate(found))

    def test_what_parts_weigh_can_be_set(self) -> None:
        weights = Weights(step=0.3, floor=0.2, many=0.15, some=0.07)
        assert subquery_weight(0, "tea", weights) == 1
        assert subquery_weight(1, "tea", weights) == pytest.approx(0.7)
        assert subquery_weight(3, "red and green tea", weights) == pytest.approx(0.27)
        assert subquery_weight(2, "where we drank red tea", weights) == pytest.approx(0.55)


class TestFusing:
    ROUNDS = (
        Round("a", 1.0, {"x": 0.5, "y": 1.0}),
        Round("b", 0.8, {"x": 1.0, "z": 0.2}),
        Round("c", 0.6, {"y": 0.3, "x": 0.1}),
    )

    def test_the_order_of_rounds_changes_nothing(self) -> None:
        rounds = list(self.ROUNDS)
        random.Random(3).shuffle(rounds)
        assert list(fuse(rounds).items()) == list(fuse(self.ROUNDS).items())

    def test_asking_the_same_again_boosts_nothing(self) -> None:
        again = [Round("a", 1.0, {"x": 1.0}), Round("a", 1.0, {"x": 1.0})]
        assert fuse(again) == {"x": 2.0}

    def test_what_is_found_everywhere_does_not_rise_without_end(self) -> None:
        rounds = [Round(str(n), 1.0, {"x": 1.0}) for n in range(20)]
        assert fuse(rounds)["x"] == pytest.approx(20 * BOOST**MOST_BOOSTS)

    def test_how_often_it_may_rise_can_be_set(self) -> None:
        rounds = [Round(str(n), 1.0, {"x": 1.0}) for n in range(4)]
        assert fuse(rounds, most_boosts=1)["x"] == pytest.approx(4 * BOOST)
        assert fuse(rounds, most_boosts=0)["x"] == pytest.approx(4)

    def test_ends_by_the_relative_improvement(self) -> None:
        assert not goes_on(100.0, 104.0, has_new=False, rounds=1)
        assert goes_on(0.016, 0.018, has_new=False, rounds=1)
        assert not goes_on(0.0, 9.0, has_new=True, rounds=3)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Unterschied zwischen Tram und Bus", ("Tram", "Bus")),
        ("Diferencias entre el tren y el coche", ("el tren", "el coche")),
        ("Le train par rapport au car", ("Le train", "car")),
        ("Wir zogen um, weil Ines krank war", ("Wir zogen um", "Ines krank war")),
        ("¿Por qué cambiamos de banco?", ("cambiamos de banco",)),
        ("Pourquoi avons-nous déménagé ?", ("avons-nous déménagé",)),
    ],
)
def test_questions_of_other_languages_are_taken_apart_too(
    question: str, parts: tuple[str, ...]
) -> None:
    assert decompose(question) == (question, *parts)


def test_in_other_languages_two_that_do_one_thing_are_not_split_after_why() -> None:
    asked = "Warum fressen Hunde und Katzen Gras?"
    assert decompose(asked) == (asked, "fressen Hunde und Katzen Gras")
