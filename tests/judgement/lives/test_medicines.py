"""Another medicine in the place of one: both are kept, the older one marked, and nothing ends."""

from __future__ import annotations

import pytest

from vaultmem.judgement.pairs.out_of_date import END, FLAG, Known, outcomes

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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Apixaban, 5 mg morning and night, it thins the blood.",
            "My blood test was poor, so the furosemide is back to 40 mg since this morning.",
        ),
        (
            "Dad takes apixaban, 2.5 mg twice a day, it thins his blood.",
            "Dad's bisoprolol is up to 5 mg since the blood test.",
        ),
        (
            "I take 5 mg of amlodipine in the morning.",
            "My ramipril was doubled to 10 mg this morning.",
        ),
        ("Ich nehme 5 mg Ramipril am Morgen.", "Ich nehme jetzt 20 mg Torasemid am Morgen."),
        ("Oma bekommt 5 Tropfen Haldol am Abend.", "Oma bekommt jetzt abends 10 Tropfen Tilidin."),
        (
            "Maman prend 5 mg d'Eliquis le matin.",
            "Maman prend maintenant 40 mg de furosémide le matin.",
        ),
    ],
)
def test_the_dose_of_one_medicine_says_nothing_of_another(old: str, new: str) -> None:
    """By 'blood' and 'morning' a water tablet ended the dose of a blood thinner."""
    assert outcomes(new, [Known(old, "", "health")]) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I take 5 mg of ramipril in the morning.", "My ramipril was doubled to 10 mg."),
        ("Ich nehme 5 mg Ramipril am Morgen.", "Mein Ramipril wurde auf 10 mg erhöht."),
        ("Tomo 10 mg de enalapril por la mañana.", "Me han subido el enalapril a 20 mg."),
        ("Ich nehme Novalgin, 20 Tropfen abends.", "Novalgin ist jetzt auf 30 Tropfen erhöht."),
    ],
)
def test_another_dose_of_the_same_medicine_ends_the_one_before(old: str, new: str) -> None:
    [found] = outcomes(new, [Known(old, "", "health")])
    assert found.what == END
