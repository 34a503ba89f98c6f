"""Questions that share no word with what was told, and what denies the thing that is asked."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory

_TOLD = (
    "My optician is Ms Lindqvist on Harbour Street.",
    "You can park behind the library after six.",
    "I take a heart tablet every evening with water.",
    "The bins go out on Thursday night.",
    "Our car is a grey Skoda.",
    "My boss is called Priya.",
    "My physio is Anneke.",
    "The spare key hangs behind the boiler.",
    "Hugo the cat needs his pill twice a day.",
    "We pay 1240 euros a month for the flat.",
)


def _first(memory: Memory, question: str) -> str:
    hits = memory.recall(question, limit=3).hits
    return hits[0].note.statement if hits else ""


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("who looks after my eyes?", "optician"),
        ("where do I go when my glasses break?", "optician"),
        ("where can I leave the car in the evening?", "park"),
        ("when is the rubbish collected?", "bins"),
        ("who do I report to?", "boss"),
        ("who treats my back?", "physio"),
        ("how do I get in if I lock myself out?", "key"),
    ],
)
def test_a_part_of_a_life_finds_who_or_what_is_for_it(
    memory: Memory, question: str, word: str
) -> None:
    for told in _TOLD:
        memory.remember(told)
    assert word in _first(memory, question).casefold()


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            "Anja ist Optikerin und kennt meine Werte.|Wir zahlen 900 Euro Miete.",
            "Wer sieht meine Augen nach?",
        ),
        (
            "Aparcamos detrás de la biblioteca.|Pagamos 900 euros de alquiler.",
            "¿Dónde puedo dejar el coche?",
        ),
        (
            "Mon opticien est rue du Port.|On paie 900 euros de loyer.",
            "Qui s'occupe de mes yeux ?",
        ),
    ],
)
def test_the_same_in_other_languages(memory: Memory, told: str, question: str) -> None:
    first, other = told.split("|")
    for one in (other, first):
        memory.remember(one)
    assert _first(memory, question) == first


class TestDenials:
    """What only denies the thing that is asked stands behind what tells it."""

    @pytest.mark.parametrize(
        ("denial", "answer", "question"),
        [
            ("I'm not allergic to cats.", "I am allergic to penicillin.", "what am I allergic to?"),
            (
                "I can't stomach coriander, it's not an allergy.",
                "Wasp stings make my throat swell up, that's an allergy.",
                "which allergies do I have?",
            ),
            (
                "Ich bin nicht allergisch gegen Katzen.",
                "Ich bin allergisch gegen Penicillin.",
                "Wogegen bin ich allergisch?",
            ),
            ("My sister isn't vegetarian.", "My brother Tom is vegetarian.", "who is vegetarian?"),
        ],
    )
    @pytest.mark.parametrize("is_denied_last", [True, False])
    def test_they_go_behind(
        self, memory: Memory, denial: str, answer: str, question: str, *, is_denied_last: bool
    ) -> None:
        for told in (answer, denial) if is_denied_last else (denial, answer):
            memory.remember(told)
        assert _first(memory, question) == answer

    def test_who_asks_for_it_gets_the_denial(self, memory: Memory) -> None:
        memory.remember("I am allergic to penicillin.")
        memory.remember("I'm not allergic to cats.")
        assert _first(memory, "am I allergic to cats?") == "I'm not allergic to cats."

    def test_a_denial_of_something_else_in_the_sentence_is_none(self, memory: Memory) -> None:
        memory.remember("I'm not a vegetarian, I'm just allergic to eggs.")
        memory.remember("Dr Osei asked whether I am allergic to latex and I forgot to ask.")
        assert "eggs" in _first(memory, "what am I allergic to?")
