"""What an answer has to have, by what is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import FixedClock
from vaultmem.judgement import answer_kind
from vaultmem.judgement.answer_kind import asked_kind, is_of_kind
from vaultmem.memory import Memory


@pytest.mark.parametrize("kind", answer_kind._ASKED)
@given(data=st.data())
def test_what_is_sought_first_misses_no_question(kind: str, data: st.DataObject) -> None:
    """Of every text in which the pattern of a kind is found, one of the words is a part."""
    pattern = re.compile(answer_kind._ASKED[kind])
    text = data.draw(st.from_regex(pattern))
    needs = answer_kind._NEEDS[kind].split()
    assert any(word in text.lower() for word in needs)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What's my sister's phone number?", "phone"),
        ("Wie lautet die Telefonnummer der Praxis?", "phone"),
        ("¿Cuál es mi número de cuenta?", "code"),
        ("Quand est l'anniversaire de Gaël ?", "birthday"),
        ("Welche Schuhgröße hat Mia?", "size"),
        ("¿Qué grupo sanguíneo tengo?", "blood"),
        ("Wie alt ist unser Kater?", "age"),
        ("Combien coûte la cantine ?", "amount"),
        ("Wie heißt meine Zahnärztin?", "name"),
        ("Where do I keep the ladder?", ""),
        ("What did I say about the roof?", ""),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question: str, kind: str) -> None:
    assert asked_kind(question) == kind


@pytest.mark.parametrize(
    ("text", "kind", "is_so"),
    [
        ("Her number is 0161 496 0000.", "phone", True),
        ("My sister works at a bank.", "phone", False),
        ("We have forty ewes.", "amount", True),
        ("Our lodger pays on the first.", "amount", False),
        ("Mia turns six in May.", "birthday", True),
        ("I'm A rh negative.", "blood", True),
        ("Die Zahnärztin heißt Frau Kolb.", "name", True),
    ],
)
def test_a_text_is_of_the_kind_or_not(text: str, kind: str, is_so: bool) -> None:
    assert is_of_kind(text, kind) is is_so


def test_what_has_nothing_of_what_is_asked_is_no_answer(tmp_path: Path) -> None:
    Memory.init(tmp_path / "v", name="v", clock=FixedClock())
    with Memory(tmp_path / "v", clock=FixedClock()) as memory:
        memory.remember("My sister Ines works at a bank in Porto.")
        memory.remember("The plumber's phone number is 0161 496 0000.")
        assert not memory.recall("What is my sister's phone number?").hits
        assert memory.recall("What is the plumber's phone number?").hits
        assert memory.recall("Where does my sister work?").hits
