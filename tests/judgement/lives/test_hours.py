"""Hours: of what is moved, and those that somebody bars."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, tell
from vaultmem import Memory
from vaultmem.judgement import bounds_hours, judge_sentence, proposes_hour
from vaultmem.language import format_instant


@pytest.mark.parametrize(
    ("told", "moved", "due"),
    [
        (
            "The chimney sweep comes on 9 April at 3pm.",
            "The sweep rang, make it the 16th instead.",
            "2026-03-16T15:00",
        ),
        (
            "Der Schornsteinfeger kommt am 9. April um 15 Uhr.",
            "Beim Schornsteinfeger wird es der 16. April statt der 9.",
            "2026-04-16T15:00",
        ),
        (
            "La visita del fontanero es el 9 de abril a las 15:00.",
            "Han cambiado la visita del fontanero al 16 de abril.",
            "2026-04-16T15:00",
        ),
        (
            "Le ramoneur passe le 9 avril à 15 h.",
            "Le ramoneur a décalé au 16 avril.",
            "2026-04-16T15:00",
        ),
        # Who tells an hour means that one.
        (
            "The fitting is on 9 April at 3pm.",
            "The fitting is moved to 16 April at 11am.",
            "2026-04-16T11:00",
        ),
        # There is none to keep.
        ("The fitting is on 9 April.", "The fitting is moved to 16 April.", "2026-04-16"),
    ],
)
def test_what_is_moved_keeps_its_hour(
    memory: Memory, clock: FixedClock, told: str, moved: str, due: str
) -> None:
    tell(memory, clock, told, moved)
    [row] = [row for row in memory.list(ALL) if row.status == "active"]
    assert row.due is not None
    assert format_instant(row.due).removesuffix(":00+00:00") == due


@pytest.mark.parametrize(
    ("wish", "asked"),
    [
        ("Please never book me anything before half past ten.", "is an 8 am slot ok for me?"),
        ("No phone calls after eight in the evening, please.", "is a call at 9 pm alright?"),
        ("Bitte nie etwas vor elf einplanen.", "passt mir ein Termin um 9 Uhr?"),
        ("No me pongas nunca nada antes de las once.", "¿me viene bien una cita a las nueve?"),
        ("Je ne veux rien avant onze heures.", "une réunion à 9 h, ça me convient ?"),
        ("Non fissarmi mai nulla prima delle undici.", "va bene una riunione alle 9?"),
        ("Nooit iets voor elf uur inplannen.", "past een afspraak om 9 uur?"),
        ("Nunca marques nada antes das onze.", "pode ser uma reunião às nove?"),
    ],
)
def test_who_proposes_an_hour_meets_the_hours_that_are_barred(
    memory: Memory, clock: FixedClock, wish: str, asked: str
) -> None:
    tell(memory, clock, wish, "Grandmother can't have grapefruit.", "I chair the slot car club.")
    assert memory.recall(asked).hits[0].note.statement == wish


@pytest.mark.parametrize(
    "asked",
    [
        "when is my meeting?",
        "what time do I meet Jo on Monday?",
        "can I have 9 eggs?",
        "wann ist mein Termin am 9. Mai?",
        "¿cuántos días libres tengo?",
        "is Jo's birthday on 9 May?",
    ],
)
def test_what_proposes_no_hour(asked: str) -> None:
    assert not proposes_hour(asked)


@pytest.mark.parametrize(
    "told",
    [
        "Never forget the 3 days before 10 May.",
        "Always pack after 2 days.",
        "Ich mag lieber Tee nach 30 Minuten.",
        "Prefiero salir antes de 3 semanas.",
        "I like quiet mornings.",
    ],
)
def test_what_bars_no_hours(told: str) -> None:
    assert not bounds_hours(told)


@pytest.mark.parametrize(
    ("said", "is_kept"),
    [
        ("Bitte nie etwas vor elf einplanen.", True),
        ("Bitte immer mit Belegen antworten.", True),
        ("Immer die Herkunft dazuschreiben.", True),
        ("Ne jamais proposer de recette au fenouil.", True),
        ("Nunca me pongas citas por la tarde.", True),
        ("Altijd bronnen vermelden.", True),
        ("Sempre citare le fonti.", True),
        ("When I ask for a route, give the miles too.", True),
        ("Wenn ich von Schwindel schreibe, erinner mich an die Tropfen.", True),
        ("Si digo que me mareo, dime que me siente.", True),
        ("Si je parle de vertiges, rappelle-moi de m'asseoir.", True),
        ("Bitte sieze mich.", True),
        ("Fasse dich bitte knapp.", True),
        ("Sag ruhig du zu mir.", True),
        ("Hou het kort.", True),
        ("Zeg maar jij tegen mij.", True),
        ("Dammi del lei.", True),
        ("Sii concisa.", True),
        ("Sag du mir, was du denkst.", False),
        ("Fass mal kurz mit an.", False),
        ("Het was maar kort.", False),
        ("If I see Jo, she never waves.", False),
        ("Wenn ich heimkomme, ist es meist dunkel.", False),
        ("Toujours aussi froid ici, brr.", False),
        ("Bitte den Text kürzer machen.", False),
        ("Bitte jetzt die Tabelle schicken.", False),
        ("Always a pleasure, thanks.", False),
        ("Nie ist mal jemand da, oder?", False),
    ],
)
def test_an_order_for_good_is_worth_keeping(said: str, is_kept: bool) -> None:
    assert judge_sentence(said).is_worth == is_kept
