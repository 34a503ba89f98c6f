"""What is typed in haste: without capitals, without question marks."""

from __future__ import annotations

import pytest

from vaultmem import Memory


@pytest.mark.parametrize(
    "asked",
    [
        "who owns the boat shed",
        "wie alt ist Lorenz",
        "wessen Rad steht im Flur",
        "quién tiene la llave del trastero",
        "combien coûte la place de parking",
        "how old is the dog",
        "wann kommt der Schornsteinfeger",
        "wo wohnt Onkel Bodo",
        "cómo se llama la portera",
        "quand arrive le ramoneur",
    ],
)
def test_a_question_without_its_mark_is_no_memory(memory: Memory, asked: str) -> None:
    report = memory.remember(asked)
    assert report.items == ()
    assert [each.rule for each in report.rejected] == ["question"]


@pytest.mark.parametrize(
    ("told", "critical"),
    [
        ("btw my nephew Otis is coeliac. and we always eat at seven", "coeliac"),
        ("ich wohne in Gera. und meine mutter ist diabetikerin", "diabetikerin"),
        ("trabajo en la biblioteca. y mi hijo es alérgico al látex", "látex"),
    ],
)
def test_what_begins_small_is_a_statement_of_its_own(
    memory: Memory, told: str, critical: str
) -> None:
    report = memory.remember(told)
    [one] = [item for item in report.items if critical in item.statement]
    assert one.importance >= 8
    assert len(report.items) == 2, "the other sentence is an item, too"


def test_what_begins_small_on_a_new_line_is_a_statement_of_its_own(memory: Memory) -> None:
    report = memory.remember("I live in Graz.\nand I work at the zoo.")
    told = [item.statement for item in report.items]
    assert told == ["I live in Graz.", "I work at the zoo."]


def test_who_begins_a_saying_with_a_comma_is_asked_nothing(memory: Memory) -> None:
    report = memory.remember("Wer bei uns schläft, bringt einen Schlafsack mit.")
    assert "question" not in {each.rule for each in report.rejected}


@pytest.mark.parametrize(
    "told",
    [
        "How much I pay for the garage: 90 euros a month.",
        "Who I trust most with the keys is my neighbour Lena.",
        "Whose turn it is to cook hangs on the fridge.",
        "Wie oft ich spritze: viermal am Tag Insulin.",
        "Wer mich sucht findet mich im Garten.",
        "Quién tiene mis llaves: la vecina Carmen.",
        "Pourquoi je ne mange pas de noix : je suis allergique.",
        "Who Framed Roger Rabbit is my favourite film.",
    ],
)
def test_a_statement_with_its_marks_asks_nothing(memory: Memory, told: str) -> None:
    report = memory.remember(told)
    assert "question" not in {each.rule for each in report.rejected}
