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


def test_who_begins_a_saying_with_a_comma_is_asked_nothing(memory: Memory) -> None:
    report = memory.remember("Wer bei uns schläft, bringt einen Schlafsack mit.")
    assert "question" not in {each.rule for each in report.rejected}
