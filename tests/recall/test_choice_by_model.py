"""Which memories a model's reply puts first: what is believed of a reply, and what is not."""

from __future__ import annotations

import json
import random

import pytest

from vaultmem.recall.by_model.choice import (
    BONUS,
    BONUS_UNCHECKED,
    CHECKS,
    MOST_CHOSEN,
    NAMED,
    Laid,
    OddReplyError,
    bonus,
    choice_of,
    lay_out,
)

MEMORIES = [f"Memory {n} about the boat." for n in range(50)]
LAID = lay_out(MEMORIES, frozenset(), seed="a")


def shown(place: int, laid: Laid = LAID) -> int:
    """The number under which a memory is shown."""
    return laid.places.index(place) + 1


def general(laid: Laid = LAID) -> list[int]:
    return [at for at, place in enumerate(laid.places, start=1) if place is None][:NAMED]


def reply(*places: int, named: list[int] | None = None) -> str:
    told = general() if named is None else named
    return json.dumps({"best": [shown(place) for place in places], "general": told})


class TestLayOut:
    def test_memories_keep_their_order_and_are_all_there(self) -> None:
        own = [place for place in LAID.places if place is not None]
        assert own == list(range(50))
        assert [LAID.lines[shown(place) - 1] for place in own] == MEMORIES

    def test_there_are_nearly_as_many_checks_as_memories(self) -> None:
        assert LAID.places.count(None) == len(CHECKS)
        assert lay_out(["one"], frozenset(), seed="a").places.count(None) == NAMED

    def test_a_check_has_no_word_of_the_question(self) -> None:
        words = frozenset({"amber", "quartz"})
        lines = lay_out(MEMORIES, words, seed="a").lines
        assert not any(word in line.casefold() for line in lines for word in words)
        assert len(lines) == len(MEMORIES) + len(CHECKS) - 2

    def test_where_checks_stand_differs_by_the_seed_alone(self) -> None:
        assert lay_out(MEMORIES, frozenset(), seed="a") == LAID
        assert lay_out(MEMORIES, frozenset(), seed="b").places != LAID.places


class TestReplies:
    def test_the_order_of_the_model_is_kept(self) -> None:
        choice = choice_of(reply(30, 2), LAID.places)
        assert (choice.places, choice.is_checked) == ((30, 2), True)

    def test_one_named_twice_counts_once(self) -> None:
        assert choice_of(reply(4, 4, 9), LAID.places).places == (4, 9)

    @pytest.mark.parametrize(
        "form", ["{}", "The best are {}.", "```json\n{}\n```", '{{"best": {}}}', "{{best: {}}}"]
    )
    def test_a_list_without_the_check_counts_half(self, form: str) -> None:
        choice = choice_of(form.format([shown(7), shown(1)]), LAID.places)
        assert (choice.places, choice.is_checked) == ((7, 1), False)
        assert BONUS_UNCHECKED * 2 == BONUS

    def test_bare_numbers_are_a_list(self) -> None:
        assert choice_of(f"{shown(3)}, {shown(0)}", LAID.places).places == (3, 0)

    def test_none_helps(self) -> None:
        assert choice_of(reply(), LAID.places).places == ()

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "  \n",
            "I do not know.",
            "[one, two]",
            "[1.5]",
            "[-1]",
            "[0]",
            "[91]",
            "[99999999999999999999]",
            '{"best": [{"id": 3}]}',
            '{"best": "3"}',
            '{"general": [1, 2, 3]}',
            "[³]",
            "[1",
        ],
    )
    def test_what_is_no_list_of_shown_numbers_counts_for_nothing(self, text: str) -> None:
        with pytest.raises(OddReplyError):
            choice_of(text, LAID.places)

    def test_who_chooses_a_check_did_not_read(self) -> None:
        told = json.dumps({"best": [shown(0), general()[0]], "general": general()})
        with pytest.raises(OddReplyError, match="answers nothing"):
            choice_of(told, LAID.places)

    def test_who_takes_a_memory_for_general_knowledge_did_not_read(self) -> None:
        for named in ([*general()[1:], shown(40)], general()[1:], []):
            with pytest.raises(OddReplyError, match="general knowledge"):
                choice_of(reply(3, named=named), LAID.places)


class TestLongReplies:
    """More than was asked for is an order of everything: believed if it agrees with the words."""

    def test_what_stands_first_counts_where_the_rest_follows_ours(self) -> None:
        order = [shown(44), *(at for at in range(1, 91) if at != shown(44))]
        assert choice_of(str(order), LAID.places).places == (44, *range(MOST_CHOSEN - 1))

    def test_an_order_that_puts_checks_last_counts(self) -> None:
        chance = random.Random(1)
        own = [shown(place) for place in chance.sample(range(50), 50)]
        checks = [at for at, place in enumerate(LAID.places, start=1) if place is None]
        found = choice_of(str(own + checks), LAID.places).places
        assert [shown(place) for place in found] == own[:MOST_CHOSEN]

    def test_the_other_way_round_does_not(self) -> None:
        with pytest.raises(OddReplyError):
            choice_of(str([*range(90, 0, -1)]), LAID.places)


@pytest.mark.parametrize(("count", "most"), [(1, 0.03), (3, 0.02), (10, 0.005), (90, 0.06)])
def test_a_random_reply_is_seldom_believed(count: int, most: float) -> None:
    chance = random.Random(5)

    def is_believed() -> bool:
        best = chance.sample(range(1, 91), count)
        told = json.dumps({"best": best, "general": chance.sample(range(1, 91), NAMED)})
        try:
            choice_of(told, LAID.places)
        except OddReplyError:
            return False
        return True

    assert sum(is_believed() for _ in range(2_000)) <= most * 2_000


def test_a_bonus_lifts_the_first_over_all_and_falls_with_the_rank() -> None:
    gains = [bonus(rank, 4.0, is_checked=True) for rank in range(MOST_CHOSEN)]
    assert gains[0] == pytest.approx(BONUS * 4.0)
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0
