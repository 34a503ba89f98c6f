"""Another dose, day or number ends what it is of, and nothing that is told beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, status_of, tell
from vaultmem import Memory
from vaultmem.model.answers import NoteRow


def active(memory: Memory) -> list[str]:
    return [row.statement for row in memory.list(ALL) if row.status == "active"]


def note_of(memory: Memory, said: str) -> NoteRow:
    [row] = [r for r in memory.list(ALL) if r.statement == said and r.status == "active"]
    return row


@pytest.mark.parametrize(
    ("told", "dose", "kept"),
    [
        (
            "I take 30 mg of nifedipine at noon, and never offer me grapefruit with it.",
            "My nifedipine is up to 60 mg now.",
            "never offer me grapefruit",
        ),
        (
            "Dad is on 3 mg of warfarin and has a pacemaker.",
            "Dad's warfarin is down to 2 mg now.",
            "has a pacemaker",
        ),
        (
            "I'm on lithium, 400 mg at night, and no ibuprofen with it.",
            "The lithium is up to 600 mg.",
            "no ibuprofen with it",
        ),
        (
            "Ich nehme morgens 50 mg Sertralin, bitte nie Triptane dazu vorschlagen.",
            "Das Sertralin ist jetzt auf 100 mg erhöht.",
            "nie Triptane",
        ),
        (
            "Mi tía toma 4 mg de Aldocumar, así que cuidado con el hígado.",
            "A mi tía le han subido el Aldocumar a 5 mg.",
            "cuidado con el hígado",
        ),
        (
            "Je prends 20 mg de fluindione le soir, et surtout pas de chou.",
            "La fluindione passe à 15 mg.",
            "surtout pas de chou",
        ),
    ],
)
def test_what_is_told_beside_a_dose_outlives_it(
    memory: Memory, clock: FixedClock, told: str, dose: str, kept: str
) -> None:
    tell(memory, clock, told, dose)
    [row] = [row for row in memory.list(ALL) if row.statement == told]
    assert row.status == "superseded"
    [rest] = [said for said in active(memory) if kept in said]
    assert "mg" not in rest
    assert any("mg" in said for said in active(memory))


@pytest.mark.parametrize(
    ("told", "dose"),
    [
        ("I take levothyroxine 75 in the morning.", "My levothyroxine is up to 100 now."),
        ("Tomo Levotiroxina de 50 al levantarme.", "Me han subido la Levotiroxina a 75."),
        (
            "metoprolol two and a half milligrams with my breakfast",
            "the doctor's put the metoprolol up it's five milligrams now",
        ),
        ("Ich nehme Ramipril fünf Milligramm.", "Das Ramipril ist auf zehn Milligramm erhöht."),
        ("Je prends le Previscan à vingt milligrammes.", "Le Previscan passe à dix milligrammes."),
    ],
)
def test_a_dose_ends_by_another_one_in_words_or_without_a_unit(
    tmp_path: Path, memory: Memory, clock: FixedClock, told: str, dose: str
) -> None:
    tell(memory, clock, told, dose)
    [said] = active(memory)
    assert said.lower() == dose.lower()
    # Without the words of a dose the model might not have seen that it is critical.
    assert "critical" in (tmp_path / "vault" / note_of(memory, said).path).read_text()


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ("I take levothyroxine 75 in the morning.", "I picked up 2 books about levothyroxine now."),
        ("Mum takes 5 mg of ramipril.", "Dad's bisoprolol is up to 10 mg now."),
        ("Emil (7) is allergic to hazelnuts.", "Emil's class has 24 children now."),
        ("Tomo Levotiroxina de 50 al levantarme.", "El autobús 75 ahora pasa a las ocho."),
        ("My insulin is 12 units at night.", "I have 3 pens of insulin left now."),
    ],
)
def test_another_number_is_no_other_dose(
    memory: Memory, clock: FixedClock, told: str, other: str
) -> None:
    tell(memory, clock, told, other)
    assert status_of(memory, told) == "active"


@pytest.mark.parametrize(
    ("told", "other", "kept"),
    [
        (
            "La monitora de mi hija se llama Sol y viene los lunes.",
            "Perdón, me he equivocado: la monitora viene los viernes.",
            "se llama Sol",
        ),
        (
            "The quartet rehearses on Mondays and Ines brings the stands.",
            "The quartet rehearses on Tuesdays now.",
            "Ines brings the stands",
        ),
    ],
)
def test_what_is_told_beside_a_day_outlives_it(
    memory: Memory, clock: FixedClock, told: str, other: str, kept: str
) -> None:
    tell(memory, clock, told, other)
    assert told not in active(memory)
    assert any(kept in said for said in active(memory))


def test_what_leans_on_the_part_that_is_over_keeps_the_whole(
    memory: Memory, clock: FixedClock
) -> None:
    told = "The naming of Ada is on 3 May, and I am her guardian."
    tell(memory, clock, told, "The naming of Ada has been moved to 10 May.")
    assert status_of(memory, told) == "active"


def test_what_is_left_has_no_day_of_what_is_over(
    tmp_path: Path, memory: Memory, clock: FixedClock
) -> None:
    tell(
        memory,
        clock,
        "I look after the choir's robes and the spring concert is on 26 March.",
        "The spring concert has been moved to 2 April.",
    )
    assert "I look after the choir's robes" in active(memory)
    note = note_of(memory, "I look after the choir's robes").path
    assert "2026-03-26" not in (tmp_path / "vault" / note).read_text()
