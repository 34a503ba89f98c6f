"""Appointments that are moved and decisions that are changed end; those beside them stay."""

from __future__ import annotations

import pytest

from vaultmem.judgement.aspects import leans_on
from vaultmem.judgement.pairs.out_of_date import END, Known, outcomes


def is_ended(old: str, new: str, said_after: str = "") -> bool:
    return any(each.what == END for each in outcomes(new, [Known(old)], said_after=said_after))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Dentist booked 24 april 9.30 with dr patel", "dr patels lot rang, it's now 8 may 2.15pm"),
        ("Haircut with Solange on May 4 at ten.", "Solange called, my haircut is now 11 may."),
        (
            "Kontrolle beim Orthopäden Dr. Wilms am 2. Juni um zehn.",
            "Wilms ist krank, die Kontrolle ist jetzt am 9. Juni um elf.",
        ),
        (
            "La cita con el oculista es el 7 de abril a las diez.",
            "Me cambiaron la cita del oculista al 21 de abril.",
        ),
        (
            "Rendez-vous en rhumatologie le 18 mars à dix heures, avec la docteure Petit.",
            "La secrétaire de Petit m'a remise au 25 mars, une heure plus tard.",
        ),
        ("De monteur komt op 3 juni om acht uur.", "De monteur is verzet naar 10 juni."),
    ],
)
def test_an_appointment_that_is_named_on_another_day_ends(old: str, new: str) -> None:
    assert is_ended(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The plumber comes on 12 March.", "The electrician is now coming on 19 March."),
        ("The vet check for Bran is on 3 March.", "The vet check for Moss is moved to 10 March."),
        (
            "Kontrolle beim Orthopäden Dr. Wilms am 2. Juni um zehn.",
            "Die Kontrolle beim Augenarzt ist jetzt am 9. Juni.",
        ),
        (
            "La cita con el oculista es el 7 de abril a las diez.",
            "La cita con el dentista ahora es el 21 de abril.",
        ),
        (
            "Rendez-vous chez l'ostéo, Mme Petit, le 4 mars à dix heures.",
            "Rendez-vous chez le dentiste décalé au 11 mars à dix heures.",
        ),
        (
            "Il controllo della caldaia è il 3 aprile.",
            "Il controllo dell'auto è spostato al 10 aprile.",
        ),
        (
            "De afspraak bij de tandarts is op 4 maart.",
            "De afspraak bij de oogarts is nu 11 maart.",
        ),
    ],
)
def test_the_appointment_with_another_one_stays(old: str, new: str) -> None:
    assert not is_ended(old, new)


def test_what_is_moved_was_named_before_where_and_leads_to_another_matter() -> None:
    new = "Me la movieron al 15 de abril, y tengo que llevar el perfil tiroideo."
    assert leans_on(new)
    other = "Pasaron la boda de Carmen al 15 de abril, y tengo que llevar el pastel de bodas."
    assert not leans_on(other)
    old = "Tengo cita con la endocrinóloga, la Dra. Ayala, el 25 de marzo."
    assert is_ended(old, new, "Me hablaron del consultorio de la doctora Ayala.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "We've settled on slate for the roof.",
            "We've thought better of the roof, it'll be clay tiles.",
        ),
        (
            "We're going with oak for the stairs.",
            "Change of plan for the stairs: ash, it's half the price.",
        ),
        (
            "Wir haben uns für Kies in der Einfahrt entschieden.",
            "Mit der Einfahrt haben wir uns umentschieden, es wird Pflaster.",
        ),
        (
            "Hemos decidido pintar el salón de verde.",
            "Cambio de planes con el salón: lo pintamos de blanco.",
        ),
        (
            "On a choisi le lino pour la cuisine.",
            "On a changé d'avis pour la cuisine, ce sera du carrelage.",
        ),
    ],
)
def test_a_decision_ends_when_the_mind_is_changed(old: str, new: str) -> None:
    assert is_ended(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We've settled on slate for the roof.", "Change of plan for the shed: it gets felt."),
        (
            "We're going with oak for the stairs.",
            "We've thought better of the oak table for the hall.",
        ),
        (
            "We decided on oak floors in the kitchen.",
            "Change of plan for the kitchen tiles: they'll be slate.",
        ),
        (
            "Hemos decidido pintar el salón de verde.",
            "Cambio de planes con el sofá del salón: será gris.",
        ),
        (
            "On a choisi le lino pour la cuisine.",
            "On a changé d'avis pour les chaises de la cuisine.",
        ),
    ],
)
def test_a_decision_on_another_thing_in_the_same_room_stays(old: str, new: str) -> None:
    assert not is_ended(old, new)
