"""What answers 'where do I work?' in other words, and a change that is only announced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Memory
from vaultmem.judgement.questions.asks_ahead import announces
from vaultmem.judgement.questions.own_life import told_of_own


@pytest.mark.parametrize(
    "told",
    [
        "I start at the county court hospital on Monday.",
        "I run a bakery in Hexham.",
        "I teach chemistry at the girls' school.",
        "I drive buses for Arriva.",
        "My name is Ruth and I work for the Water Board.",
        "Ich heiße Runa und arbeite als Elektrikerin bei Bosse.",
        "Ab Montag bin ich bei den Stadtwerken.",
        "Ich habe eine Bäckerei in Ulm.",
        "Ich bin Lehrerin an der Waldschule.",
        "Me llamo Inés y trabajo de enfermera en el hospital de Avilés.",
        "El lunes empiezo en el centro de salud.",
        "Llevo un taller de bicis.",
        "Lundi je commence à la cantine du lycée.",
        "Je tiens une boulangerie à Metz.",
    ],
)
def test_a_job_is_told_in_other_words(told: str) -> None:
    assert "job" in told_of_own(told)


@pytest.mark.parametrize(
    "told",
    [
        "My sister works for the council.",
        "I'm a coeliac.",
        "I run every morning in the park.",
        "I have an appointment at the bank.",
        "Tengo una cita en León.",
        "J'ai un rendez-vous à la banque.",
        "Ich habe am Montag einen Termin in der Klinik.",
    ],
)
def test_what_is_no_job_is_not(told: str) -> None:
    assert "job" not in told_of_own(told)


@pytest.mark.parametrize(
    "told",
    [
        "My rent is 950 euros now.",
        "The rent is due on the first.",
        "Die Miete beträgt 900 Euro.",
    ],
)
def test_what_a_home_costs_is_no_home(told: str) -> None:
    assert "home" not in told_of_own(told)


def test_where_somebody_lives_is_told_before_what_it_costs(memory: Memory) -> None:
    memory.remember("I live in Graz.")
    memory.remember("My rent is 950 euros now.")
    hits = memory.recall("where do I live").hits
    assert hits[0].note.statement == "I live in Graz."


@pytest.mark.parametrize(
    "told",
    [
        "Change of plan for the hall.",
        "The cellar thing changed completely.",
        "On change tout pour la terrasse.",
        "Cambio de planes con la cocina.",
        "Bei der Terrasse haben wir uns umentschieden.",
    ],
)
def test_a_change_is_only_announced(told: str) -> None:
    assert announces(told)


@given(text=st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    told_of_own(text)
    announces(text)


def test_where_i_work_is_answered_by_the_newest_in_whatever_words(memory: Memory) -> None:
    memory.remember("My name is Petra and I work as a pharmacist at Boots on Briggate.")
    memory.remember("I swim on Tuesdays.")
    memory.remember("I start at the county hospital on Monday.")
    for question in ("Where do I work?", "What do I do for a living?", "Who is my employer?"):
        (hit,) = memory.recall(question, limit=1).hits
        assert "county" in hit.note.statement, question


def test_a_change_that_is_announced_gives_way_to_what_it_is(memory: Memory) -> None:
    memory.remember("The hall is going to be yellow.")
    memory.remember("Change of plan for the hall. It's going to be moss green.")
    hits = memory.recall("What colour is the hall going to be?").hits
    texts = [hit.note.statement for hit in hits]
    green = next(i for i, text in enumerate(texts) if "moss green" in text)
    assert all(i >= green for i, text in enumerate(texts) if text.startswith("Change of plan"))
