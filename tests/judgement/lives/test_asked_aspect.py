"""Who asks where they live, work, or how old they are, meets what tells it in any words."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import tell
from vaultmem import Memory


def answers(memory: Memory, question: str) -> list[str]:
    return [hit.note.statement for hit in memory.recall(question).hits if hit.note.type == "item"]


@pytest.mark.parametrize(
    ("told", "beside", "question"),
    [
        (
            "We've flitted, it's Portree now, the white cottage by the pier.",
            "My aunt lives in Oban above the bakery.",
            "Where do I live?",
        ),
        (
            "Der Umzug nach Pirna ist geschafft, wir wohnen in der Langen Straße.",
            "Meine Tante wohnt in Meißen über der Bäckerei.",
            "Wo wohne ich?",
        ),
        (
            "Nos mudamos a Betanzos, al lado de la muralla.",
            "Mi tía vive en Oza, encima de la panadería.",
            "¿Dónde vivo?",
        ),
        (
            "On a déménagé à Clisson, près du château.",
            "Ma tante habite à Vertou, au-dessus de la boulangerie.",
            "Où est-ce que j'habite ?",
        ),
        (
            "I started at Skye Weavers on Monday, on the looms.",
            "My aunt works at the bakery in Oban.",
            "Who do I work for?",
        ),
    ],
)
def test_the_own_home_and_job_answer_before_those_of_others(
    memory: Memory, clock: FixedClock, told: str, beside: str, question: str
) -> None:
    tell(memory, clock, told, beside)
    assert answers(memory, question)[0] == told


def test_what_was_before_is_answered_by_what_is_over_and_says_so(
    memory: Memory, clock: FixedClock
) -> None:
    old = "I live in Kelso, two doors down from the abbey."
    tell(memory, clock, old, "We moved to Jedburgh on Saturday, the boxes are everywhere.")
    assert old not in answers(memory, "Where do I live?")
    first = memory.recall("Where did I live before Jedburgh?").hits[0].note
    assert first.statement == old
    assert first.status == "superseded"
    assert first.valid_until is not None


def test_nothing_is_made_up_where_nobody_told_it(memory: Memory, clock: FixedClock) -> None:
    tell(memory, clock, "My niece is 12 and plays the tuba in Kelso.")
    assert answers(memory, "Where do I work?") == []


def test_a_new_job_is_kept_however_much_it_sounds_like_small_talk(
    memory: Memory, clock: FixedClock
) -> None:
    told = "Today was my first day at Skye Weavers, on the looms."
    tell(memory, clock, told, "My aunt works at the bakery in Oban.")
    assert answers(memory, "Who do I work for?")[0] == told
