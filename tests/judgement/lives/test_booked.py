"""What was booked is ahead, a visit may be moved, and a plan ends with all that was told of it."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, status_of, tell
from vaultmem import Memory
from vaultmem.language import format_date

OVER = ("superseded", "expired")


def _day(memory: Memory, words: str) -> str:
    [row] = [row for row in memory.list(ALL) if words in row.statement]
    told = row.due or row.valid_from
    return "" if told is None else format_date(told, "UTC")


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I've reserved the pitch, we camp there on 12 June.", "2026-06-12"),
        ("They offered me the stall, I'm setting up on 12 June.", "2026-06-12"),
        ("Ich habe den Saal gemietet, wir feiern am 12. Juni.", "2026-06-12"),
        ("J'ai loué une barque, on descend la Loire le 12 juin.", "2026-06-12"),
        ("He reservado la ermita, nos casamos el 12 de junio.", "2026-06-12"),
        ("Abbiamo preso il furgone, partiamo il 12 giugno.", "2026-06-12"),
        ("Ik heb de zaal gehuurd, we vieren het op 12 juni.", "2026-06-12"),
        ("Comprei os ingressos, assistimos ao jogo a 12 de junho.", "2026-06-12"),
        # what was, was
        ("She had been ill for years, we buried her on 12 June.", "2025-06-12"),
        ("I was in Oslo, we flew home on 12 June.", "2025-06-12"),
        ("Er war lange krank, wir haben ihn am 12. Juni beerdigt.", "2025-06-12"),
        ("Estuvimos en Roma, volvimos el 12 de junio.", "2025-06-12"),
        ("On a eu de la chance, on a signé le 12 juin.", "2025-06-12"),
    ],
)
def test_a_clause_with_its_own_subject_tells_its_own_time(
    memory: Memory, said: str, day: str
) -> None:
    memory.remember(said)
    assert _day(memory, said.split(",")[0]) == day


def test_a_visit_moved_in_the_perfect_is_ahead_and_ends_the_old_day(
    memory: Memory, clock: FixedClock
) -> None:
    tell(
        memory,
        clock,
        "Zahnarzt am 18. März um 8:20 Uhr, Kontrolle.",
        "Der Zahnarzt hat umgelegt, auf den 27., gleiche Zeit.",
    )
    assert status_of(memory, "18. März") in OVER
    assert _day(memory, "umgelegt") == "2026-03-27"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Eye clinic on 18 March about the cataract.", "The eye clinic has moved me to the 25th."),
        ("Cita con la cardióloga el 18 de marzo.", "La cardióloga lo ha cambiado al 25 de marzo."),
        (
            "Optician Wednesday the 18th of March.",
            "The optician's away. They've given me the 25th instead.",
        ),
    ],
)
def test_a_visit_to_who_treats_may_be_moved(
    memory: Memory, clock: FixedClock, old: str, new: str
) -> None:
    tell(memory, clock, old, new)
    assert status_of(memory, old.rstrip(".")) in OVER


def test_a_dose_is_no_visit(memory: Memory, clock: FixedClock) -> None:
    tell(
        memory,
        clock,
        "The clinic has me on 5 mg of warfarin.",
        "The clinic has moved to Mill Road.",
    )
    assert status_of(memory, "warfarin") == "active"


def test_what_leans_on_a_plan_ends_with_it(memory: Memory, clock: FixedClock) -> None:
    tell(
        memory,
        clock,
        "Got us tickets for the Puccini after all. Starts Saturday 28 March in Verona, row F.",
        "The Puccini's off. The tenor has flu.",
    )
    assert status_of(memory, "Starts Saturday") in OVER
