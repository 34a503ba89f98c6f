"""Who asks what is coming is given what is due, with its day and time; nothing is said twice."""

from __future__ import annotations

import re

import pytest

from vaultmem import Memory
from vaultmem.judgement.questions.asks_ahead import asks_for_agenda
from vaultmem.model.notes import only_asks


@pytest.mark.parametrize(
    "asked",
    [
        "What's on my calendar this month?",
        "what deadlines do I have before Easter",
        "What do I still have to do this week?",
        "Welche Termine habe ich bis Ende Mai?",
        "Was steht nächste Woche an?",
        "Was muss ich noch erledigen?",
        "¿Qué citas tengo en marzo?",
        "¿Qué tengo que hacer esta semana?",
        "Donne-moi mes échéances du mois.",
        "Qu'est-ce que je dois faire avant l'été ?",
        "Quali scadenze ho a giugno?",
        "Welke afspraken heb ik in mei?",
        "Que compromissos tenho em maio?",
    ],
)
def test_a_request_for_what_is_due_is_known_in_seven_languages(asked: str) -> None:
    assert asks_for_agenda(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "Where does Elise live?",
        "suggest a snack for the night shift",
        "Wie heißt meine Nachbarin?",
        "¿Dónde trabajo?",
        "Que manger ce soir ?",
        "Write a thank-you note to my aunt.",
    ],
)
def test_other_requests_are_not(asked: str) -> None:
    assert not asks_for_agenda(asked)


def test_what_is_due_is_given_the_soonest_first_with_day_and_time(memory: Memory) -> None:
    memory.remember("The boiler man comes on 3 December at 14:30.")
    memory.remember("I have to return the sewing machine by 27 November.")
    memory.remember("The choir sang on 3 October in Hall 2.")
    for number in range(12):
        memory.remember(f"Cousin number {number} keeps {number + 2} bees on a calendar farm.")
    pack = memory.context("What's on my calendar in the next weeks?", budget=600)
    shown = [line for line in pack.lines if line.due]
    assert [re.sub(r" .*", "", line.due) for line in shown] == ["2026-11-27", "2026-12-03"]
    assert "2026-12-03 14:30" in pack.text


def test_a_request_about_one_thing_is_answered_before_the_rest_of_the_agenda(
    memory: Memory,
) -> None:
    memory.remember("I must take the tandem to the workshop by 30 November.")
    for number in range(2, 28):
        memory.remember(f"I have to write report {number} by {number} December.")
    lines = memory.context("What do I have to do about the tandem?", budget=300).lines
    assert any("tandem" in line.text for line in lines)


def test_of_a_talk_of_many_days_the_day_that_answers_is_given_with_the_agenda(
    memory: Memory,
) -> None:
    turns = [
        {"role": "user", "content": f"I went to class and made bowl number {month}.", "time": at}
        for month in range(1, 9)
        if (at := f"2025-{month:02}-03T10:00:00Z")
    ]
    memory.remember(turns, extract=False)
    memory.remember("I have to glaze bowl number 5 by Friday.")
    hits = memory.recall("what is due for the bowl with number 5").hits
    [talk] = [hit for hit in hits if hit.note.type == "resource" and hit.passages[0].speaker]
    assert "number 5" in talk.passages[0].text


def test_no_memory_stands_twice_in_a_context(memory: Memory) -> None:
    for name in ("Anna", "Bruno", "Carla", "Dario", "Emma", "Fritz", "Greta", "Hugo"):
        memory.remember(f"My cousin {name} takes warfarin every evening and must not eat kale.")
    for budget in (300, 450, 600, 900):
        lines = memory.context("what may cousin Hugo eat with warfarin", budget=budget).lines
        paths = [line.path for line in lines if line.line is None]
        assert len(set(paths)) == len(paths), budget


def test_a_record_that_tells_only_the_question_it_began_with_answers_nothing(
    memory: Memory,
) -> None:
    assert only_asks("Conversation 'a', 2 turns; it began with: How do I get there? Or not?")
    assert not only_asks("Conversation 'a', 2 turns; it began with: I moved. Where is the key?")
    assert not only_asks("Conversation 'a', 1 turn; it began with: Where?; in the end held: Here.")
    with memory.session("route") as talk:
        talk.turn("How do I get to the ferry?", "Take the tram.")
        talk.end()
    found = memory.context("how do I get to the ferry").lines
    assert not [line for line in found if line.tier == "events" and "began with" in line.text]
