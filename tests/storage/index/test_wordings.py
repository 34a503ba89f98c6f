"""A question in other words: everyday concepts, words of like sense, and questions for leave."""

from __future__ import annotations

from mmap import ACCESS_READ
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.language.stems import words
from vaultmem.storage.index.search.concepts import (
    FILE,
    FOLDER,
    Concept,
    SortedLines,
    concept_of,
    line_of,
    near_words,
)
from vaultmem.storage.index.search.question import asks_leave

ENGLISH = FOLDER.with_name("english.thesaurus")


def test_a_concept_has_other_words_kinds_and_what_it_is() -> None:
    assert "boss" in concept_of("manager").same
    assert "ibuprofen" in concept_of("painkiller").kinds
    assert "sellerie" in concept_of("gemüse").kinds
    assert "perro" in concept_of("mascota").kinds
    assert concept_of("zzzz") == Concept()


def test_words_of_like_sense_are_of_the_same_language_and_no_names() -> None:
    like, near = near_words("coche")
    assert "carro" in like
    assert "car" not in {*like, *near}
    assert near_words("anna") == ([], [])


@pytest.mark.parametrize("file", [FILE, *sorted(FOLDER.glob("*.words"))], ids=lambda f: f.name)
def test_the_lines_are_in_order(file: Path) -> None:
    lines = [line for line in file.read_bytes().splitlines() if not line.startswith(b"#")]
    keys = [line.partition(b":")[0] for line in lines]
    assert keys == sorted(set(keys))
    assert len(keys) > 2_000


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Tramadol makes me sick.", "Which painkiller do I not get on with?"),
        ("I loathe coriander.", "What do I dislike?"),
        ("Meine Chefin heißt Frau Odermatt.", "Wie heißt meine Vorgesetzte?"),
        ("Pastinaken vertrage ich nicht.", "Welches Gemüse vertrage ich nicht?"),
        ("Mon gendre est boulanger à Sète.", "Quel métier fait le mari de ma fille ?"),
        ("El gato se llama Pimentón.", "¿Cómo se llama mi mascota?"),
        ("We drive a Skoda.", "What car have we got?"),
        ("I go in on the tram.", "How do I get to work?"),
        ("Meinem Bruder schulde ich noch 600 Franken.", "Wer bekommt von mir noch Geld zurück?"),
        ("Los aviones me dan pánico.", "¿De qué tengo miedo?"),
        ("Je dois 900 euros à ma sœur.", "À qui dois-je rendre de l'argent ?"),
    ],
)
def test_what_was_told_is_found_in_other_words(tmp_path: Path, told: str, asked: str) -> None:
    Memory.init(tmp_path / "v", name="v", clock=FixedClock())
    with Memory(tmp_path / "v", clock=FixedClock()) as memory:
        for text in (
            told,
            "The bins go out on Thursday night.",
            "My bicycle lock has the code 4711.",
        ):
            memory.remember(text)
        assert memory.recall(asked).hits[0].note.statement.rstrip(".") == told.rstrip(".")


@pytest.mark.parametrize(
    "question",
    [
        "Can I take something for my back?",
        "may the twins swim alone",
        "Is a glass of sherry all right with these tablets?",
        "are walnuts ok for the little one",
        "Which foods are dangerous for us?",
        "Darf ich das essen?",
        "Ist das Medikament für Oma erlaubt?",
        "¿Puedo darle nueces?",
        "Est-ce que je peux l'emmener en montagne ?",
        "Posso mangiare i funghi?",
        "Mag ik hier alcohol bij drinken?",
        "Posso dar mel ao bebé?",
        "what should Grandpa drink with it?",
        "Was darf ich gegen Sodbrennen nehmen?",
        "Que puis-je prendre pour dormir ?",
        "¿Qué puede comer mi suegra?",
        "Cosa posso cucinare per Pia?",
        "Wat mag de kleine eten?",
        "O que posso tomar para a tosse?",
    ],
)
def test_a_question_asks_for_leave(question: str) -> None:
    folded = question.casefold()
    assert asks_leave(folded, words(folded))


@pytest.mark.parametrize(
    "question",
    [
        "Where do I live?",
        "Can you find my notes on Kant?",
        "Am I in a band?",
        "Is Levi still at the music school?",
        "are we members of the rowing club",
        "Wie heißt unser Hund?",
        "¿Dónde está la llave?",
        "When is the meeting?",
        "Quel est mon code postal ?",
        "what could we watch tonight",
        "what did I take to the fair",
        "what can you cook",
        "Was soll ich anziehen?",
        "¿Qué puedo leer?",
        "Wat kan je voor me doen?",
    ],
)
def test_a_question_asks_for_something_else(question: str) -> None:
    folded = question.casefold()
    assert not asks_leave(folded, words(folded))


def test_what_matters_most_answers_a_question_for_leave(tmp_path: Path) -> None:
    Memory.init(tmp_path / "v", name="v", clock=FixedClock())
    with Memory(tmp_path / "v", clock=FixedClock()) as memory:
        memory.remember("I'm severely allergic to penicillin.")
        memory.remember("The bins go out on Thursday night.")
        found = memory.recall("Can I have a double espresso?").hits
        assert "penicillin" in found[0].note.statement


@pytest.mark.parametrize("file", [FILE, FOLDER / "de.words", ENGLISH], ids=lambda file: file.name)
def test_a_line_is_found_by_halves_as_by_its_stretch(file: Path) -> None:
    """A process that lasts learns where some lines begin: it finds the same, and no more."""
    with open(file, "rb") as opened:
        by_halves = SortedLines(opened.fileno(), 0, access=ACCESS_READ)
        by_starts = SortedLines(opened.fileno(), 0, access=ACCESS_READ)
    keys = [line.partition(b":")[0] for line in by_halves[:].split(b"\n")][::7]
    keys += [b"", b"#", b"zzzz", b"\xff", b"a", keys[0][:3], b"no:colon", *(k + b"q" for k in keys)]
    by_starts.asked = 10**6
    for key in keys:
        by_halves.asked = 0
        found = line_of(by_starts, key)
        if not key.startswith(b"#"):
            assert found == line_of(by_halves, key), key
    assert sum(bool(line_of(by_starts, key)) for key in keys) > len(keys) // 3
