"""Who asks what is coming is answered by what has a day in that time, the soonest first."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from vaultmem import Memory
from vaultmem.language.time import parse_instant

TOLD = (
    "My tandem is red.",
    "I have to hand in the allotment form by 30 October.",
    "The chimney sweep comes on 8 October at 9:00.",
    "The choir weekend is on 15 May 2027.",
    "I must send the census form off by 11 December.",
    "The flea market was on 3 September.",
    "The ferry is booked for 14 October.",
)


@pytest.fixture
def told(memory: Memory, clock: FixedClock) -> Memory:
    clock.at = parse_instant("2026-10-05T10:00", "UTC")  # a Monday
    for text in TOLD:
        memory.remember(text)
    return memory


def asked(memory: Memory, question: str, limit: int = 5) -> list[str]:
    return [hit.note.statement for hit in memory.recall(question, limit=limit).hits]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What's on this week?", ["sweep"]),
        ("what have I got coming up in May", ["choir"]),
        ("any appointments this month?", ["sweep", "ferry", "allotment"]),
        ("What deadlines do I have before the end of the year?", ["allotment", "census"]),
        ("Was steht nächste Woche an?", ["ferry"]),
        ("¿Qué plazos tengo hasta fin de año?", ["allotment", "census"]),
        ("Qu'est-ce qu'il y a de prévu cette semaine ?", ["sweep"]),
    ],
)
def test_what_is_coming_answers_in_order_of_its_day(
    told: Memory, question: str, words: list[str]
) -> None:
    found = asked(told, question, limit=len(words))
    assert len(found) == len(words)
    for word, statement in zip(words, found, strict=True):
        assert word in statement


def test_what_is_over_or_done_is_not_given_for_it(told: Memory, clock: FixedClock) -> None:
    clock.advance(days=4)
    assert "ferry" in asked(told, "What's on this month?")[0]
    ferry = told.recall("When is the ferry?", limit=1).hits[0].note
    told.forget(ferry.id)
    assert "allotment" in asked(told, "What's on this month?")[0]


def test_a_moved_appointment_stands_behind_the_new_day(told: Memory) -> None:
    told.remember("The chimney sweep is moved to 9 October at 14:00.")
    found = [one for one in asked(told, "What's on this week?") if "sweep" in one]
    assert "moved" in found[0]


def test_what_a_question_names_beside_the_time_goes_first(told: Memory) -> None:
    assert "census" in asked(told, "What do I still have to do for the census?")[0]
    assert "red" in asked(told, "What colour is my tandem?")[0]


def test_one_appointment_asked_for_is_answered_by_that_one(told: Memory) -> None:
    assert "ferry" in asked(told, "When is my appointment with the ferry?")[0]
