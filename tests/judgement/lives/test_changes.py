"""What a person tells later changes what is known, and is what questions are answered with."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, status_of, tell
from vaultmem import Memory
from vaultmem.judgement.aspects import evidence
from vaultmem.judgement.pairs.numbers import number_at


def marked(memory: Memory) -> set[str]:
    """Statements that `check` names as perhaps over."""
    paths = {problem.path for problem in memory.check().problems if problem.code == "may-be-over"}
    return {row.statement for row in memory.list(ALL) if row.path in paths}


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("nine years", 9),
        ("forty five candles", 45),
        ("zweiundsechzig kerzen", 62),
        ("cincuenta y tres velas", 53),
        ("soixante dix huit ans", 78),
        ("quatre vingt trois ans", 83),
        ("ninth birthday", 9),
        ("one of them", 0),
        ("houses", 0),
    ],
)
def test_an_age_in_words_is_a_number(words: str, number: int) -> None:
    assert number_at(words.split(), 0)[0] == number


@pytest.mark.parametrize(
    ("old", "new", "aspect", "perhaps"),
    [
        ("Mein Neffe Jona ist acht.", "Jona wurde am Sonntag neun Jahre alt.", "age", ""),
        ("Ma filleule Lise a cinq mois.", "Lise gazouille, sept mois déjà.", "age", ""),
        ("I'm 44.", "Forty-five candles, the curtains nearly caught.", "age", ""),
        ("Our Wren is six.", "Wren's cousin turned seven.", "", "age"),
        ("My brother Wim is six.", "My sister Ada turned seven.", "", ""),
        ("My shoe size is 43.", "My shoe size is 44.", "", ""),
        (
            "I drive for Penrose Dairies.",
            "First week with Tamar Freight, and home by six.",
            "",
            "job",
        ),
        (
            "We've been renting a flat on Quarry Lane.",
            "Slept our first night at the new place off Heron Road.",
            "",
            "home",
        ),
    ],
)
def test_ages_homes_and_jobs_are_seen_in_other_words(
    old: str, new: str, aspect: str, perhaps: str
) -> None:
    seen = evidence(old, new, lambda word: 0.7)
    assert (seen.aspect, seen.perhaps if perhaps else "") == (aspect, perhaps)


def test_an_appointment_that_lies_ahead_is_marked_when_it_is_moved(
    memory: Memory, clock: FixedClock
) -> None:
    old = "My hearing check is on April 21 at nine, with Dr. Quennell."
    tell(memory, clock, old, "Quennell's lot want me on April 28 instead, half past two.")
    assert old in marked(memory) or status_of(memory, "April 21") != "active"


def test_a_day_named_anew_in_small_talk_moves_an_appointment(
    memory: Memory, clock: FixedClock
) -> None:
    told = "The farrier comes on April 3 at eight."
    tell(memory, clock, told, "The farrier rang, it's the 10th now, same time.")
    assert told in marked(memory) or status_of(memory, "April 3") != "active"
    assert status_of(memory, "the 10th") == "active"


def test_what_else_a_memory_says_is_not_over_with_its_number(
    memory: Memory, clock: FixedClock
) -> None:
    told = "The boathouse key hangs behind the pump, code 4417."
    tell(memory, clock, told, "The boathouse had its code changed to 9921.")
    assert status_of(memory, "behind the pump") == "active"
    assert told in marked(memory)


def test_a_plan_that_is_off_is_over_although_its_day_lies_ahead(
    memory: Memory, clock: FixedClock
) -> None:
    tell(memory, clock, "We're taking the Orkney cruise on August 8.", "The Orkney cruise is off.")
    assert status_of(memory, "August 8") == "expired"


@pytest.mark.parametrize(
    ("said", "middle"),
    [
        (
            (
                "CI runs on Buildkite.",
                "They've moved CI to GitHub Actions, Buildkite is off.",
                "CI is on Buildkite again as of this morning.",
            ),
            "GitHub Actions",
        ),
        (
            (
                "Brot kaufe ich bei Bäcker Junge.",
                "Brot hole ich jetzt bei Backhus, Junge ist vorbei.",
                "Nee, Brot doch wieder von Junge.",
            ),
            "Backhus",
        ),
    ],
)
def test_what_is_so_again_is_kept_and_puts_in_doubt_what_came_between(
    memory: Memory, clock: FixedClock, said: tuple[str, str, str], middle: str
) -> None:
    tell(memory, clock, *said)
    assert status_of(memory, said[2]) == "active"
    between = next(row for row in memory.list(ALL) if middle in row.statement)
    assert between.status != "active" or between.statement in marked(memory)


def test_what_changes_nothing_known_stays_small_talk(memory: Memory, clock: FixedClock) -> None:
    tell(memory, clock, "Our dog Bess is a beagle.", "The bus is late again.")
    assert not [row for row in memory.list(ALL) if "bus" in row.statement]


def test_what_took_the_place_of_a_memory_answers_in_its_words(
    memory: Memory, clock: FixedClock
) -> None:
    tell(memory, clock, "I live in Kelso by the abbey.", "We've moved to Oban, into number nine.")
    [first, *_] = memory.recall("who of us is in Kelso by the abbey?").hits
    assert "Oban" in first.note.statement


def test_where_only_what_is_over_answers_it_is_given_and_says_so(
    memory: Memory, clock: FixedClock
) -> None:
    tell(
        memory,
        clock,
        "On Thursdays I go curling at the rink.",
        "I've packed in the curling at the rink.",
        "My sister paints.",
    )
    hits = memory.recall("which day do I go curling on Thursdays?").hits
    assert any(hit.note.status == "expired" or "packed in" in hit.note.statement for hit in hits)


@pytest.mark.parametrize(
    ("old", "new", "is_marked"),
    [
        ("We are repainting the hayloft with Ansel.", "The hayloft project is due in May.", False),
        ("We're restoring the tandem with Jo.", "The tandem has to be ready by July.", False),
        ("I'm writing a thesis on lichens.", "The thesis is due on 30 June.", False),
        ("Wir bauen mit Timo den Schuppen um.", "Der Schuppen muss bis Mai fertig sein.", False),
        (
            "Estamos restaurando el retablo con Pilar.",
            "El retablo tiene que estar en mayo.",
            False,
        ),
        ("On retape le voilier avec Yann.", "Le voilier doit être prêt en mai.", False),
        # What says otherwise still does.
        ("I love my job at Google.", "I just switched jobs: I work at OpenAI now.", True),
        ("We are repainting the hayloft with Ansel.", "The hayloft is let to Mo now.", True),
    ],
)
def test_until_when_something_is_to_be_done_doubts_not_that_it_is_done(
    memory: Memory, clock: FixedClock, old: str, new: str, is_marked: bool
) -> None:
    tell(memory, clock, old, new)
    is_doubted = old in marked(memory) or status_of(memory, old) != "active"
    assert is_doubted == is_marked
