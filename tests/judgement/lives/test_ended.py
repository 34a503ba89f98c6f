"""What a person tells puts an end to what is over in so many words, and to nothing else."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, status_of, tell
from vaultmem import Memory


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "On Thursdays I go curling at the rink in Kelso with my neighbours.",
            "I've packed in the curling, the ice was murder on my wrists.",
        ),
        (
            "Donnerstags gehe ich mit meinen Nachbarn in Pirna zum Töpfern.",
            "Das Töpfern habe ich aufgegeben, die Handgelenke machen nicht mit.",
        ),
        (
            "Los jueves voy a natación con mis vecinas en la piscina de Oza.",
            "Ya no voy a natación, el cloro me irrita los ojos.",
        ),
        (
            "Le jeudi, je joue de l'accordéon avec mes voisins.",
            "J'ai arrêté l'accordéon, mes poignets ne suivent plus.",
        ),
        (
            "I live in Kelso, two doors down from the abbey.",
            "We moved to Jedburgh on Saturday, the boxes are everywhere.",
        ),
        (
            "The optician's check is on 14 April at ten past nine.",
            "The optician's check has been moved to 22 April, same hour.",
        ),
    ],
)
def test_what_is_over_in_so_many_words_ends(
    memory: Memory, clock: FixedClock, old: str, new: str
) -> None:
    tell(memory, clock, old, new)
    assert status_of(memory, old[-18:-1]) in ("superseded", "expired")
    assert status_of(memory, new[-18:-1]) == "active"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Kelso, two doors down from the abbey.", "I moved my pension to Skandia."),
        ("I live in Kelso, two doors down from the abbey.", "My niece moved to Jedburgh."),
        (
            "On Thursdays I go curling at the rink in Kelso with my neighbours.",
            "My uncle has packed in the curling, his wrists were murder.",
        ),
        (
            "The optician's check is on 14 April at ten past nine.",
            "The dentist's check has been moved to 22 April, same time.",
        ),
        (
            "I was born in Kelso, two doors down from the abbey.",
            "I no longer go to Kelso, it has changed so much.",
        ),
        ("I quit my job at Borsig in spring.", "I started a new job at Kelvin Optics."),
        ("I no longer work at Borsig in Tegel.", "I work at Kelvin Optics."),
        ("I work at Kelvin Optics in Kelso.", "I don't work at Borsig anymore."),
        ("In the hall stands the lamp number 7.", "In the hall stands the lamp number 8."),
        # What both say of an end, each says of its own thing.
        ("Gunnar repaired the kayak number 7.", "Gunnar repaired the kayak number 8."),
        ("Gunnar sold his old green kayak.", "Gunnar sold his old yellow kayak."),
        ("We planted pear tree number 7 today.", "We planted pear tree number 8 today."),
        ("J'ai vendu le grand vélo numéro 7.", "J'ai vendu le grand vélo numéro 8."),
        ("Ich arbeite nicht mehr bei Borsig.", "Ich arbeite bei Kelvin Optics."),
    ],
)
def test_what_is_of_others_or_of_other_things_ends_nothing(
    memory: Memory, clock: FixedClock, old: str, new: str
) -> None:
    tell(memory, clock, old, new)
    assert status_of(memory, old[-18:-1]) == "active"


def test_a_statement_that_tells_more_is_not_over_with_a_part_of_it(
    memory: Memory, clock: FixedClock
) -> None:
    old = "I'm Runa, 41 years old, a farrier at Whitmuir stables with a van of my own."
    tell(memory, clock, old, "42 today, and the horses got carrots for it.")
    assert status_of(memory, "I'm Runa, a farrier at Whitmuir stables") == "active"
    assert status_of(memory, "41 years old") == "superseded"


def test_an_appointment_that_is_moved_is_over_at_once(memory: Memory, clock: FixedClock) -> None:
    memory.remember("The optician's check is on 14 April at ten past nine.")
    clock.advance(days=1)
    report = memory.remember("The optician's check has been moved to 22 April, same time.")
    assert status_of(memory, "14 April") == "superseded"
    assert any("it names another day or number" in line for line in report.items[0].effects)


def test_what_a_life_hangs_on_is_marked_and_not_ended(memory: Memory, clock: FixedClock) -> None:
    old = "My son Leif must never swim alone, he has seizures in the water."
    tell(memory, clock, old, "Leif no longer has the seizures, so the swimming is on.")
    assert status_of(memory, "never swim alone") == "active"


def test_what_is_moved_elsewhere_is_no_home(memory: Memory, clock: FixedClock) -> None:
    memory.remember("I moved my savings and the whole pension to Skandia.")
    memory.remember("We moved with our dogs to Jedburgh.")
    slots = {row.statement[:12]: row.predicate for row in memory.list(ALL)}
    assert slots["I moved my s"] != "lives_in"
    assert slots["We moved wit"] == "lives_in"


def test_what_may_have_replaced_another_is_found_before_it(
    memory: Memory, clock: FixedClock
) -> None:
    old = "The curling final is on 26 March and I keep its cash books for the club."
    tell(memory, clock, old, "The curling final has been moved to 2 April, said our chairman.")
    assert status_of(memory, "26 March") == "active"  # it tells more than the day of the final
    found = [hit.note.statement for hit in memory.recall("day of the club's curling final").hits]
    new, older = ([word in said for said in found].index(True) for word in ("2 April", "26 March"))
    assert new < older


@pytest.mark.parametrize(
    ("old", "new", "is_over"),
    [
        (
            "We bank with Halifax for the club.",
            "We've switched from Halifax to Wise for the club.",
            True,
        ),
        ("Lo de Huesca está decidido, vamos a Huesca.", "Lo de Huesca se cancela.", True),
        ("My mum lives in Leeds.", "I've switched from the Leeds office to the York one.", False),
        ("My sister banks with Halifax.", "We've switched from the red paint to the blue.", False),
        ("Mi hermana se casa el 19 de mayo.", "Desde el 1 de abril trabajo desde casa.", False),
    ],
)
def test_what_something_took_the_place_of_is_over(
    memory: Memory, clock: FixedClock, old: str, new: str, is_over: bool
) -> None:
    tell(memory, clock, old, new)
    assert (status_of(memory, old) != "active") == is_over
