"""'Plus une goutte' is no drop any more: no French negation is taken off as an English filler."""

from __future__ import annotations

import pytest

from vaultmem import Memory


@pytest.mark.parametrize(
    "said",
    [
        "Plus une goutte de vin depuis Noël.",
        "Plus d'alcool pour moi depuis le 1er mai.",
        "Plus jamais de viande chez nous.",
        "Plus de cigarettes depuis mars, j'ai tenu bon.",
    ],
)
def test_a_french_no_more_stays_in_the_statement(memory: Memory, said: str) -> None:
    report = memory.remember(said)
    assert [item.statement for item in report.items] == [said]


def test_an_english_plus_is_taken_off(memory: Memory) -> None:
    report = memory.remember("Plus I have a dog called Rex.")
    assert [item.statement for item in report.items] == ["I have a dog called Rex."]
