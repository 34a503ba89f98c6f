"""What two statements say of one person need not be about one thing."""

from __future__ import annotations

import pytest

from vaultmem.judgement.pairs.out_of_date import Known, outcomes


@pytest.mark.parametrize(
    ("known", "statement"),
    [
        (
            "My brother Ruben drives the school bus.",
            "Ruben's on 20 mg of statins now instead of 10.",
        ),
        ("Nell's birthday is the 4th of June.", "Actually the forms went off, Nell posted them."),
        ("Ines sings in the cathedral choir.", "Ines doesn't eat fish any more."),
        ("Meine Tante Hilde strickt gern.", "Hilde fährt nicht mehr nachts."),
        ("Mon voisin Régis élève des oies.", "Régis ne fume plus."),
    ],
)
def test_a_name_alone_marks_nothing(known: str, statement: str) -> None:
    assert outcomes(statement, [Known(known)]) == []


@pytest.mark.parametrize(
    ("known", "statement"),
    [
        ("Clover is the one who opens gates.", "Clover's been sold to a farm in Trim."),
        ("Nell's check-up is on the 4th.", "Nell's is on the 11th now."),
        ("Tom has karate on Mondays.", "Tom can't make Mondays any more."),
    ],
)
def test_who_is_gone_and_what_is_on_another_day_are_seen(known: str, statement: str) -> None:
    assert outcomes(statement, [Known(known)]) != []
