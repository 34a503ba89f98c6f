"""A question asked in a project: what was told there first, nothing else worse for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.projects.repositories import HERON, STORK
from vaultmem.api import Memory
from vaultmem.model import (
    Answer,
    Document,
    Filters,
    are_apart,
    is_told_in,
    project_keys,
    wanted_keys,
)

ASKED = "Which database do we use?"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Sixty other projects with one sentence each, alike but for its value."""
    root = tmp_path_factory.mktemp("vaults") / "notes"
    Memory.init(root, name="notes")
    with Memory(root) as memory:
        told = [
            Document(
                text=f"We use the database Umbra{number} for the reports.",
                projects=(f"github.com/others/repo{number}",),
            )
            for number in range(60)
        ]
        memory.remember_many(told)
        memory.remember("We use the database Postgres for the reports.", project=HERON)
        memory.remember("We use the database MySQL for the reports of today.", project=STORK)
        memory.remember("We use the database of the office for holidays.")
        yield memory


def first(answer: Answer) -> str:
    return answer.hits[0].note.statement


class TestRecall:
    def test_what_was_told_here_comes_before_sixty_others(self, memory: Memory) -> None:
        assert "Postgres" in first(memory.recall(ASKED, project=HERON))
        assert "MySQL" in first(memory.recall(ASKED, project="stork"))

    def test_what_was_told_nowhere_in_particular_is_not_crowded_out(self, memory: Memory) -> None:
        statements = [hit.note.statement for hit in memory.recall(ASKED, project=HERON).hits]
        assert "We use the database of the office for holidays." in statements[:2]

    def test_a_question_that_names_another_project_asks_about_it(self, memory: Memory) -> None:
        answer = memory.recall("Which database do we use for stork?", project=HERON)
        there = [hit for hit in answer.hits if STORK in hit.note.projects]
        assert all(part.name != "project" for hit in there for part in hit.parts)

    def test_the_parts_of_a_score_say_it(self, memory: Memory) -> None:
        best = memory.recall(ASKED, project=HERON).hits[0]
        told = [part for part in best.parts if part.name == "project"]
        assert [part.note for part in told] == [f"told in {HERON}"]
        assert sum(part.value for part in best.parts) == pytest.approx(best.score, rel=0.05)

    def test_a_filter_lets_through_what_was_told_there_alone(self, memory: Memory) -> None:
        for name in ("heron", "acme/heron", HERON, "ACME/Heron"):
            answer = memory.recall(ASKED, filters=Filters(projects=(name,)))
            assert [hit.note.projects for hit in answer.hits] == [(HERON,)]
        none = memory.recall(ASKED, filters={"project": "none"})
        assert [hit.note.projects for hit in none.hits] == [()]

    def test_search_and_list_take_the_same_filter(self, memory: Memory) -> None:
        here = Filters(projects=("heron",))
        assert {hit.note.projects for hit in memory.search("database", filters=here).hits} == {
            (HERON,)
        }
        assert {row.projects for row in memory.list(here)} == {(HERON,)}

    def test_without_a_project_nothing_of_it_counts(self, memory: Memory) -> None:
        answer = memory.recall(ASKED)
        assert all(part.name != "project" for hit in answer.hits for part in hit.parts)


class TestContext:
    def test_it_gives_what_was_told_here_and_marks_what_was_not(self, memory: Memory) -> None:
        lines = [line.text for line in memory.context(ASKED, project=HERON, budget=600).lines]
        assert "Postgres" in lines[0]
        others = [
            line for line in memory.context(ASKED, project=HERON).lines if "Umbra" in line.text
        ]
        assert others
        assert all("another project" in line.remark for line in others)

    def test_unasked_this_project_comes_first(self, memory: Memory) -> None:
        lines = [line.text for line in memory.context(project=STORK, budget=400).lines]
        assert any("MySQL" in line for line in lines)
        assert not any("Umbra" in line for line in lines)


class TestNames:
    def test_an_address_is_found_by_each_of_its_ends(self) -> None:
        assert project_keys(HERON) == ("heron", "acme/heron", HERON)
        assert set(wanted_keys("heron")) & set(project_keys(HERON))

    def test_a_name_alone_is_every_project_of_that_name(self) -> None:
        assert is_told_in(["heron"], [HERON])
        assert is_told_in(["heron"], ["heron@0123456789ab"])
        assert not is_told_in(["stork"], [HERON])

    def test_of_two_identities_of_one_name_each_is_its_own(self) -> None:
        assert are_apart(["github.com/ada/heron"], [HERON])
        assert are_apart(["heron@0123456789ab"], ["heron@ba9876543210"])
        assert not are_apart(["heron@0123456789ab"], ["bird@0123456789abcdef"])

    def test_what_is_told_nowhere_is_apart_from_nothing(self) -> None:
        assert not are_apart([], [HERON])
        assert not are_apart([HERON], [])
        assert project_keys("") == project_keys(" / ") == wanted_keys("") == ()


def test_without_a_project_an_answer_is_what_it_was(tmp_path: Path) -> None:
    """To the last digit: that others work in repositories costs nobody else anything."""
    told = ("We use the database Postgres for the reports.", "The garden needs water on Fridays.")
    answers = []
    for name, projects in (("plain", ("", "")), ("told", (HERON, STORK))):
        clock = FixedClock()
        Memory.init(tmp_path / name, name="notes", clock=clock)
        with Memory(tmp_path / name, clock=clock) as memory:
            for text, project in zip(told, projects, strict=True):
                memory.remember(text, project=project)
            hits = memory.recall("Which database is it, and when does the garden need water?").hits
            pack = memory.context("Which database is it, and when does the garden need water?")
            lines = sorted((line.text, line.remark, line.score) for line in pack.lines)
            answers.append(([(hit.note.statement, hit.score) for hit in hits], lines))
    assert answers[0] == answers[1]
