"""`judgement.told`: what a person tells is judged, in any language; nothing critical is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vaultmem import Memory
from vaultmem.extraction.clauses import LONGEST, clauses
from vaultmem.extraction.preprocess import prepare
from vaultmem.extraction.standing import needs_context
from vaultmem.model.recall import Filters


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    Memory.init(tmp_path / "vault")
    settings = tmp_path / "vault" / "vaultmem.toml"
    settings.write_text(settings.read_text() + "\n[judgement]\ntold = true\n")
    with Memory(tmp_path / "vault") as opened:
        yield opened


def statements(memory: Memory) -> list[str]:
    return [row.statement for row in memory.list(Filters(types=("item",), statuses=("active",)))]


class TestWhatIsKept:
    @pytest.mark.parametrize(
        "said",
        [
            "Meine Tante Gerda wohnt seit dem Frühjahr bei uns im Erdgeschoss.",
            "Ma sœur Inès tient une librairie à Nantes, près de la gare.",
            "Mi abuelo Ramón vive en Oviedo y tiene dos perros.",
            "The spare key for the shed hangs behind the boiler.",
        ],
    )
    def test_what_no_cue_knows_is_kept_word_for_word(self, memory: Memory, said: str) -> None:
        memory.remember(said)
        assert statements(memory) == [said]

    @pytest.mark.parametrize(
        "said",
        [
            "Haha, that was a good one.",
            "What a rainy afternoon.",
            "Thanks, never mind, I found it.",
            "Na, das war ja mal wieder ein Tag.",
        ],
    )
    def test_small_talk_is_kept_as_text_alone(self, memory: Memory, said: str) -> None:
        report = memory.remember(said)
        assert statements(memory) == []
        assert report.path.parts[0] == "resources"

    def test_a_document_is_read_by_rules_alone(self, memory: Memory) -> None:
        said = "Mi abuelo Ramón vive en Oviedo. Tiene dos perros. Su casa está junto al río."
        memory.remember(said, source="notes.md", imported=True)
        assert statements(memory) == []


class TestWhatIsCritical:
    def test_it_is_marked_and_stands_first_in_a_context_about_something_else(
        self, memory: Memory
    ) -> None:
        memory.remember("I prefer tea over coffee.")
        memory.remember("Penicillin put my son Karl in hospital, he must never be given it again.")
        assert any(row.critical for row in memory.list())
        text = memory.context("which drink do I like", budget=400).text
        assert text.index("Penicillin") < text.index("tea over coffee")

    def test_nobody_elses_word_is_critical(self, memory: Memory) -> None:
        memory.remember("I'm allergic to penicillin, it nearly killed me.", writer="web")
        assert not any(row.critical for row in memory.list())


class TestWhatMayBeOver:
    def test_both_are_kept_and_check_names_the_older_one(self, memory: Memory) -> None:
        memory.remember("My dentist appointment with Dr. Okafor is on 3 May at 9:30.")
        report = memory.remember("My dentist appointment with Dr. Okafor was moved to 8 May.")
        assert len(statements(memory)) == 2
        assert any("may replace" in effect for item in report.items for effect in item.effects)
        [problem] = [each for each in memory.check().problems if each.code == "may-be-over"]
        assert "dentist-appointment" in problem.path.name
        assert "3 May" in problem.message.partition(" may be out of date")[0]


def test_a_long_breath_is_kept_as_its_clauses() -> None:
    text = (
        "They did the cataract in my left eye in January, the right one is to be done in May, "
        "and until that is behind me I am not to drive after dark, so Anselm takes me to choir "
        "on Thursdays and my sister brings me home again afterwards in her little red car."
    )
    [sentence] = prepare(text)[0]
    parts = clauses(sentence)
    assert len(parts) > 1
    assert all(len(part.text.split()) <= LONGEST for part in parts)
    assert "".join(part.text for part in parts).replace(" ", "") == text.replace(" ", "")
    assert all(text[part.start :].startswith(part.text) for part in parts)


@pytest.mark.parametrize(
    ("said", "leans"),
    [
        ("Moved to the 18th.", True),
        ("It was moved to the afternoon because the surgeon is away that week.", True),
        ("Non, décalé au 18 novembre à 14 h 30, et je dois venir avec mes relevés.", True),
        ("The cardiologist's office has moved my appointment to the 18th of November.", False),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_is_known(said: str, leans: bool) -> None:
    assert needs_context(said) is leans
