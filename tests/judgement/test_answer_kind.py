"""What an answer has to have, by what is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.judgement.questions import answer_kind
from vaultmem.judgement.questions.answer_kind import asked_kind, is_of_kind


@pytest.mark.parametrize("kind", answer_kind._ASKED)
@given(data=st.data())
def test_what_is_sought_first_misses_no_question(kind: str, data: st.DataObject) -> None:
    """Of every text in which the pattern of a kind is found, one of the words is a part."""
    pattern = re.compile(answer_kind._ASKED[kind])
    text = data.draw(st.from_regex(pattern))
    needs = answer_kind._NEEDS[kind]
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
        ("Combien de moutons avons-nous ?", "amount"),
        ("Combien coûte la cantine ?", "price"),
        ("What's Dad's phone?", "phone"),
        ("How much does Bruno earn?", "earned"),
        ("Wie viel Pacht zahle ich im Monat?", "price"),
        ("¿Qué coche tiene Berta?", "car"),
        ("Quelle équipe soutient Loïc ?", "team"),
        ("Which school does Kit go to?", "school"),
        ("Wo wohnt Frauke?", "place"),
        ("What is Berta's job?", "work"),
        ("Wie hieß unser erster Hund?", "name"),
        ("Quand est notre anniversaire de mariage ?", ""),
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
        ("Maria's second puppy is called Biscuit.", "name", True),
        ("She has two puppies, the first one is Rusty.", "name", True),
        ("Unser Hund heißt Keks.", "name", True),
        ("Die Zahnärztin heißt Frau Kolb.", "name", True),
        ("He works 24 hours on and 72 off.", "age", False),
        ("Rosalind is 41 now.", "age", True),
        ("We've turned the kitchen on its head.", "birthday", False),
        ("Il ne vient plus le mardi.", "birthday", False),
        ("Es wird Herbst.", "birthday", False),
        ("Kim wird am Freitag acht.", "birthday", True),
        ("Bruno zieht im Mai nach Jena.", "place", True),
        ("Berta wants new curtains.", "work", False),
        ("Berta is a welder.", "work", True),
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


# Told of four people; then what nobody told of them, and what somebody did in other words.
_TOLD = (
    "My husband Bruno mends clocks.",
    "I've a new Triton, white.",
    "Bruno's sister Berta wants new curtains.",
    "Our lodger Kit pays 410 a month.",
    "My brother Loïc got himself a second-hand Fabia.",
    "Loïc's lodging in Truro while he looks about.",
    "My father, rest him, was christened Amos.",
    "Kit has followed Plymouth Argyle to every match since he was six.",
)


@pytest.mark.parametrize(
    ("question", "is_known"),
    [
        ("Which car does Bruno drive?", False),
        ("Which car does Loïc drive?", True),
        ("Where does Kit live?", False),
        ("Where does Loïc live?", True),
        ("What is Berta's job?", False),
        ("How much does Bruno earn?", False),
        ("Which football team does Bruno support?", False),
        ("Which football team does Kit support?", True),
        ("Which school does Kit go to?", False),
        ("What was my mother's name?", False),
        ("What was my father's name?", True),
        ("What's the name of Berta's husband?", False),
        ("How much rent does Kit pay?", True),
        ("What car do I drive?", True),
        ("Where did Loïc and I live?", True),
    ],
)
def test_what_is_asked_of_somebody_is_answered_by_what_is_told_of_them(
    lives: Memory, question: str, is_known: bool
) -> None:
    assert bool(lives.recall(question).hits) is is_known


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    root = tmp_path_factory.mktemp("lives") / "v"
    Memory.init(root, name="v", clock=FixedClock())
    with Memory(root, clock=FixedClock()) as memory:
        for text in _TOLD:
            memory.remember(text)
        yield memory


@pytest.mark.parametrize(
    "question",
    [
        "Where are we having Tom's birthday party?",
        "Who is coming to Anna's birthday?",
        "What did I get Anna for her birthday?",
        "Wo feiern wir Hennings Geburtstag?",
        "Où fête-t-on l'anniversaire de Malo ?",
        "¿Dónde celebramos el cumpleaños de Vega?",
    ],
)
def test_of_a_birthday_more_is_asked_than_its_day(question: str) -> None:
    """A feast at the boathouse tells no day of birth, and nothing was found."""
    assert asked_kind(question) != "birthday"


@pytest.mark.parametrize(
    "question", ["When is Anna's birthday?", "Wann hat Henning Geburtstag?", "Anna's birthday?"]
)
def test_the_day_of_a_birthday_is_asked(question: str) -> None:
    assert asked_kind(question) == "birthday"
