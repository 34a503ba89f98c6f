"""What is over ends by kind: a job, a home, an appointment, a relation, a pet; lookalikes stay."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import status_of, tell
from vaultmem import Memory

OVER = ("superseded", "expired")


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("I drive for Rowe Haulage in Penryn.", "First week with Bolitho's is done.", "Rowe"),
        (
            "We rent a cottage on Polventon Lane.",
            "Slept our first night in the new place up at Helston.",
            "Polventon",
        ),
        (
            "The chimney sweep comes to the cottage on 3 March.",
            "The chimney sweep rang, he's putting us on 19 March instead.",
            "3 March",
        ),
        (
            "Mon rendez-vous en cardiologie est le 4 juin, avec le docteur Maes.",
            "La secrétaire de Maes m'a remise au 18 juin en cardiologie.",
            "4 juin",
        ),
        (
            "Das Gespräch mit Dr. Maes über die Hüfte ist am 4. Mai.",
            "Aus der Klinik rief eine an, Maes fehlt, das Gespräch ist jetzt am 11. Mai.",
            "4. Mai",
        ),
        ("I'm seeing a welder called Tariq.", "Tariq and I have called it a day.", "welder"),
        ("Estoy saliendo con Gonzalo.", "Lo mío con Gonzalo es historia.", "saliendo"),
        ("Unser Hund Bruno ist ein Labrador.", "Bruno wurde gestern eingeschläfert.", "Labrador"),
    ],
    ids=["job", "home", "moved", "moved-fr", "moved-de", "relation", "relation-es", "pet"],
)
def test_what_is_over_ends_in_everyday_words(
    memory: Memory, clock: FixedClock, old: str, new: str, word: str
) -> None:
    tell(memory, clock, old, "The pears are early this year.", new)
    assert status_of(memory, word) in OVER


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("Theo turned 8 on Sunday.", "When Theo is cross, count to 60 with him.", "turned 8"),
        (
            "I work Mondays in the Leeds office.",
            "There's a new lad who works Fridays in the Leeds office.",
            "Mondays",
        ),
        (
            "Mets toujours les prix hors taxes dans un devis.",
            "Un devis, pas plus de cinq lignes.",
            "hors taxes",
        ),
        (
            "The christening of Bela is on 14 June, and I am his godmother.",
            "The christening of Bela has been moved to 21 June.",
            "godmother",
        ),
        ("Ya estamos en confianza, mejor tutéame.", "Nos cambiamos de casa el sábado.", "tutéame"),
        ("Unsere Bude steht in Wanne.", "So ne Bude is wat für die Seele.", "Wanne"),
    ],
    ids=["age", "another", "no-more-than", "tells-more", "no-home", "in-general"],
)
def test_what_only_looks_like_an_end_stays(
    memory: Memory, clock: FixedClock, old: str, new: str, word: str
) -> None:
    tell(memory, clock, old, "The pears are early this year.", new)
    assert status_of(memory, word) == "active"


def test_a_home_that_is_marked_is_told_behind_the_newer_one(
    memory: Memory, clock: FixedClock
) -> None:
    tell(
        memory,
        clock,
        "I live in Tregony with my sister Wenna, who paints little boats and sells them here.",
        "The pears are early this year.",
        "Moved on Saturday, got a bedsit in Lostwithiel now, just me and 310 a week.",
    )
    first = memory.recall("Where do I live?", limit=1).hits[0].note.statement
    assert "Lostwithiel" in first
