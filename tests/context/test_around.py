"""What was said around what answers is given with it, and what no item holds is not lost."""

from __future__ import annotations

import pytest

from vaultmem import Memory


@pytest.mark.parametrize(
    ("first", "asked", "second", "errand", "wanted"),
    [
        (
            "My nephew Jonte is staying over at half-term.",
            "Anything to plan for?",
            "Keep him off sesame, tahini most of all. His lips swell.",
            "Plan snacks for Jonte.",
            "sesame",
        ),
        (
            "Unser Neffe Jonte kommt in den Ferien.",
            "Worauf muss ich achten?",
            "Bloß kein Sesam für ihn, Tahini am wenigsten. Dem schwellen die Lippen an.",
            "Plane einen Imbiss für Jonte.",
            "Sesam",
        ),
        (
            "Mi sobrino Iker viene en vacaciones.",
            "¿Algo que planear?",
            "Nada de sésamo para él, ni tahini. Se le hinchan los labios.",
            "Prepara una merienda para Iker.",
            "sésamo",
        ),
        (
            "Mon neveu Iban vient aux vacances.",
            "Il y a quelque chose à prévoir ?",
            "Surtout pas de sésame pour lui. Ses lèvres gonflent.",
            "Prépare un goûter pour Iban.",
            "sésame",
        ),
    ],
)
def test_what_the_next_turn_says_of_somebody_is_given_with_the_turn_that_names_them(
    memory: Memory, first: str, asked: str, second: str, errand: str, wanted: str
) -> None:
    with memory.session("visit") as talk:
        talk.turn(first, asked)
        talk.turn(second, "")
        talk.end()
    for number in range(24):
        memory.remember(f"Box {number} in the attic holds {number + 3} jars of screws and nails.")
    assert wanted in memory.context(errand, budget=400).text


def test_a_fragment_is_given_with_the_words_before_it(memory: Memory) -> None:
    with memory.session("shed") as talk:
        talk.turn("Mind the old generator in the shed.", "Why?")
        talk.turn("Ain't nobody to start it with the door shut. It killed our cat.", "")
        talk.end()
    text = memory.context("our cat", budget=600).text
    assert "with the door shut" in text


def test_what_was_said_in_one_breath_stands_on_one_line(memory: Memory) -> None:
    memory.remember("Mina is my daughter. Mina is seven years old. Mina plays the oboe.")
    lines = memory.context("what do you know of Mina?", budget=500).text.splitlines()
    held = [line for line in lines if "Mina" in line]
    assert len(held) == 1
    assert held[0].index("daughter") < held[0].index("seven") < held[0].index("oboe")
    assert held[0].count("[i-") == 3


def test_what_they_told_and_no_item_holds_fills_the_room_that_is_left(memory: Memory) -> None:
    memory.remember("Sungold. Had a few off a fella with a hothouse, no contest.")
    memory.remember("I live in Tavistock.")
    text = memory.context("where do I live?", budget=700).text
    assert "hothouse" in text
    assert "not their own words" not in text


def test_a_turn_of_their_own_talk_is_not_called_somebody_elses_words(memory: Memory) -> None:
    with memory.session("bins") as talk:
        talk.turn("Righto. Biscuit tin's out by the gate again, folk pay in that.", "Good.")
        talk.end()
    text = memory.context("biscuit tin by the gate", budget=600).text
    assert "iscuit tin" in text
    assert "not their own words" not in text
