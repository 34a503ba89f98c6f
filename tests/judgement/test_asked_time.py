"""Which time to come a question names, and whether it asks for what is coming at all."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.judgement.questions import asks_ahead as agenda
from vaultmem.judgement.questions.asks_ahead import (
    MEETINGS,
    TASKS,
    agenda_of,
    asked_time,
    asks_for_agenda,
)
from vaultmem.language.time import format_date, parse_instant

ZONE = "Europe/Berlin"
NOW = parse_instant("2026-10-05T10:00", ZONE)  # a Monday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what's on this week?", "2026-10-05", "2026-10-11"),
        ("what's on next week", "2026-10-12", "2026-10-18"),
        ("any appointments this month", "2026-10-05", "2026-10-31"),
        ("what have I got coming up in May", "2027-05-01", "2027-05-31"),
        ("deadlines before the end of the year", "2026-10-05", "2026-12-31"),
        ("what do I have to do before Christmas?", "2026-10-05", "2026-12-25"),
        ("what's planned for the next two weeks", "2026-10-05", "2026-10-19"),
        ("what do I have to attend in June and July", "2027-06-01", "2027-07-31"),
        ("Was steht am Wochenende an?", "2026-10-10", "2026-10-11"),
        ("Welche Fristen habe ich bis Jahresende?", "2026-10-05", "2026-12-31"),
        ("Was ist morgen los?", "2026-10-06", "2026-10-06"),
        ("Welche Termine habe ich in den nächsten drei Wochen?", "2026-10-05", "2026-10-26"),
        ("¿Qué plazos tengo antes de fin de año?", "2026-10-05", "2026-12-31"),
        ("¿Qué tengo en mayo?", "2027-05-01", "2027-05-31"),
        ("¿Qué citas tengo hasta finales de noviembre?", "2026-10-05", "2026-11-30"),
        ("Quelles échéances d'ici la fin de l'année ?", "2026-10-05", "2026-12-31"),
        ("Quels rendez-vous ce mois-ci ?", "2026-10-05", "2026-10-31"),
        ("Qu'est-ce qui s'en vient au mois d'août ?", "2027-08-01", "2027-08-31"),
        ("Quali impegni ho la settimana prossima?", "2026-10-12", "2026-10-18"),
        ("Welke afspraken heb ik volgende week?", "2026-10-12", "2026-10-18"),
        ("Que compromissos tenho este mês?", "2026-10-05", "2026-10-31"),
    ],
)
def test_a_time_to_come_is_read_from_now_on(question: str, first: str, last: str) -> None:
    asked = agenda_of(question, NOW, ZONE)
    assert asked is not None
    assert asked.until_ms is not None
    assert format_date(asked.from_ms, ZONE) == first
    assert format_date(asked.until_ms - 1, ZONE) == last


@pytest.mark.parametrize(
    "question", ["What's coming up?", "Was steht an?", "¿Qué pendientes tengo?", "Mes échéances ?"]
)
def test_without_a_time_it_is_all_that_comes(question: str) -> None:
    asked = agenda_of(question, NOW, ZONE)
    assert asked is not None
    assert asked.until_ms is None
    assert format_date(asked.from_ms, ZONE) == "2026-10-05"


@pytest.mark.parametrize(
    "question",
    [
        "When is my appointment with the vet?",
        "What time is the appointment?",
        "Wann ist mein Termin beim Augenarzt?",
        "¿Cuándo tengo la cita con el notario?",
        "C'est quand mon rendez-vous en hématologie ?",
        "What did I have on my calendar last week?",
        "What is Dad on for his heart?",
        "What's my opinion on trams?",
        "Where do I live?",
        "Wo steht mein Rad?",
    ],
)
def test_one_thing_or_what_is_over_is_no_agenda(question: str) -> None:
    assert agenda_of(question, NOW, ZONE) is None


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("What deadlines do I have?", TASKS),
        ("Was muss ich diese Woche erledigen?", TASKS),
        ("¿Qué citas tengo?", MEETINGS),
        ("Quels rendez-vous ai-je ?", MEETINGS),
        ("What's on next week?", ""),
        ("What do I need to get done or attend in June?", ""),
    ],
)
def test_deadlines_and_appointments_are_told_apart(question: str, wants: str) -> None:
    asked = agenda_of(question, NOW, ZONE)
    assert asked is not None
    assert asked.wants == wants


@given(text=st.text(max_size=200))
def test_any_text_names_a_time_or_none(text: str) -> None:
    asked = asked_time(text, NOW, ZONE)
    assert asked.until_ms is None or asked.from_ms <= asked.until_ms
    asks_for_agenda(text)


@given(data=st.data())
def test_what_is_sought_first_misses_no_question(data: st.DataObject) -> None:
    text = data.draw(st.from_regex(re.compile(agenda._NAMED.source, re.IGNORECASE)))
    assert any(part in text.lower() for part in agenda._NAMED.needs)
