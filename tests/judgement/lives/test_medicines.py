"""Another medicine in the place of one: both are kept, the older one marked, and nothing ends."""

from __future__ import annotations

import pytest

from vaultmem.judgement.pairs.out_of_date import FLAG, Known, outcomes

CHANGED = (
    (
        "Maman prend du Xarelto, donc pas d'anti-inflammatoires pour elle.",
        "Maman est passée à l'Eliquis, le Xarelto lui donnait des saignements.",
    ),
    (
        "Mum takes Xarelto, so no anti-inflammatories for her.",
        "Mum's been switched to Eliquis, the Xarelto made her bleed.",
    ),
    (
        "Dad's on ramipril for his blood pressure.",
        "They've taken Dad off ramipril and put him on amlodipine.",
    ),
    (
        "I take sertraline every morning.",
        "The doctor moved me from sertraline to mirtazapine.",
    ),
    ("Oma nimmt Marcumar.", "Oma ist auf Eliquis umgestellt worden, Marcumar ist weg."),
    ("Mi madre toma Sintrom.", "A mi madre le han cambiado el Sintrom por Eliquis."),
    ("Mio padre prende il Coumadin.", "Mio padre è passato dal Coumadin all'Eliquis."),
)
HARMLESS = (
    (
        "Mum takes Xarelto, so no anti-inflammatories for her.",
        "Mum has changed her hairdresser.",
    ),
    ("Mum takes Xarelto, so no anti-inflammatories for her.", "Boots delivers Mum's Xarelto now."),
    ("I take sertraline every morning.", "I moved my run from the morning to the evening."),
    ("Ich nehme Ramipril gegen den Blutdruck.", "Statt Butter nehme ich jetzt Margarine."),
    ("Mi madre toma Sintrom.", "A mi madre le han cambiado la cita por el viernes."),
    ("My sister wears an insulin pump.", "The pump in the cellar was replaced."),
    ("Leo uses the blue inhaler before football.", "Leo's football moved to Thursdays."),
)


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_another_medicine_marks_the_one_before(old: str, new: str) -> None:
    """Of the first seven five were given side by side, without a word."""
    [found] = outcomes(new, [Known(old, "", "health")])
    assert found.what == FLAG


@pytest.mark.parametrize(("old", "new"), HARMLESS)
def test_what_is_told_of_something_else_marks_no_medicine(old: str, new: str) -> None:
    assert outcomes(new, [Known(old, "", "health")]) == []


def test_the_same_hour_of_a_moved_visit_ends_nothing() -> None:
    """By 'heure' it ended the nights of a nurse, and left only where she works."""
    nurse = "Je suis infirmière de nuit, trois nuits par semaine, et je dors jusqu'à 14 heures."
    assert outcomes("La dermato a décalé au 10 mai, même heure.", [Known(nurse)]) == []
