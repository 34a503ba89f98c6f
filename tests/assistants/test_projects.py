"""What is told in a repository belongs to it, and is met first there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.assistants.mcp.driver import text_of
from tests.assistants.talk import Assistant
from tests.projects.repositories import HERON, STORK, with_remote
from vaultmem.api import Memory
from vaultmem.assistants.mcp.desk import Desk
from vaultmem.assistants.mcp.respond import Server
from vaultmem.assistants.mcp.wire import encode
from vaultmem.model import Filters


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    return root


@pytest.fixture
def heron(tmp_path: Path) -> Path:
    return with_remote(tmp_path / "heron", f"git@{HERON.replace('/', ':', 1)}.git")


@pytest.fixture
def stork(tmp_path: Path) -> Path:
    return with_remote(tmp_path / "stork", f"https://ada:secret@{STORK}.git")


def statements(vault: Path, project: str) -> list[str]:
    with Memory(vault) as memory:
        rows = memory.list(Filters(types=("item",), projects=(project,)))
    return sorted(row.statement for row in rows)


def talk(vault: Path, folder: Path, session: str, *words: str) -> Assistant:
    made = Assistant(vault, folder, session=session * 16, HOME=str(vault.parent))
    if words:
        made.say(*words)
    return made


def given(answer: str) -> list[str]:
    """The lines of memory in an answer."""
    if not answer:
        return []
    told = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    return [line for line in told.splitlines() if line.startswith("- ")]


class TestHooks:
    def test_what_is_said_of_the_work_is_kept_as_of_its_repository(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        own = "I'm allergic to hazelnuts. I live in Graz. We have two kids."
        talk(vault, heron, "a", f"We use pnpm for the packages here. {own}")
        talk(vault, stork, "b", "We use npm for the packages here.")
        assert statements(vault, HERON) == ["We use pnpm for the packages here."]
        assert statements(vault, "stork") == ["We use npm for the packages here."]
        # Who they are and what must hold belongs to no repository.
        assert "I'm allergic to hazelnuts." in statements(vault, "none")
        assert "I live in Graz." in statements(vault, "none")
        assert len(statements(vault, HERON)) == 1

    def test_neither_ends_the_other_and_each_is_first_at_home(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        talk(vault, heron, "a", "We use pnpm for the packages here.")
        talk(vault, stork, "b", "We use npm for the packages here.")
        asked = "What do we use for the packages?"
        at_heron = given(talk(vault, heron, "c").prompt(asked))
        at_stork = given(talk(vault, stork, "d").prompt(asked))
        assert "pnpm" in at_heron[0]
        assert "npm" in at_stork[0]
        assert "pnpm" not in at_stork[0]
        assert all("another project" not in each[0] for each in (at_heron, at_stork))
        assert f"of another project, {STORK}" in at_heron[1]

    def test_in_one_repository_the_later_word_still_counts(self, vault: Path, heron: Path) -> None:
        talk(vault, heron, "a", "We use npm for the packages here.")
        talk(vault, heron, "b", "We no longer use npm for the packages here, we use pnpm.")
        with Memory(vault) as memory:
            told = memory.recall("What do we use for the packages?", project=HERON).hits[0]
        assert "pnpm" in told.note.statement

    def test_what_is_critical_comes_in_every_repository(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        talk(vault, heron, "a", "I'm allergic to hazelnuts.", "We always squash our merges.")
        told = "\n".join(given(talk(vault, stork, "b").start()))
        assert "hazelnuts" in told
        assert "squash" not in told

    def test_what_was_said_in_passing_elsewhere_is_not_given_as_said_here(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        talk(vault, heron, "a", "The staging database is called blue.")
        talk(vault, stork, "b", "The staging database is called green.")
        with Memory(vault) as memory:
            lines = memory.context("What is the weather?", project=HERON).lines
            asked = memory.context("What is the staging database called?", project=HERON).lines
        assert not any("green" in line.text for line in lines)
        assert "blue" in asked[0].text
        assert all("another project" in line.remark for line in asked if "green" in line.text)

    def test_a_conversation_belongs_to_the_repository_it_began_in(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        session = talk(vault, heron, "a")
        session.prompt("The staging database is called blue.")
        session.reply()
        session.folder = stork
        session.end()
        session.keep()
        with Memory(vault) as memory:
            rows = memory.list(Filters(types=("resource",)))
        assert {row.projects for row in rows if row.id} == {(HERON,)}

    def test_outside_of_repositories_nothing_is_noted(self, vault: Path, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        talk(vault, tmp_path / "folder", "a", "We use pnpm for the packages.")
        assert "\nproject:" not in talk(vault, tmp_path / "folder", "b").everything()


class Tools:
    """The tools of one server, which an assistant started in a folder."""

    def __init__(self, vault: Path, folder: Path, *, project: str = "auto") -> None:
        self._sent: list[dict[str, object]] = []
        desk = Desk(lambda: Memory(vault), project=project, folder=str(folder))
        self._server = Server(desk, lambda each: self._sent.append(json.loads(encode(each))))
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
        self._ask("initialize", hello)

    def _ask(self, method: str, params: object) -> dict[str, object]:
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self._server.take(line.encode())
        return self._sent[-1]

    def call(self, tool: str, /, **arguments: object) -> str:
        answer = self._ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert isinstance(answer, dict)
        return text_of(answer)


class TestTools:
    def test_two_repositories_keep_two_facts_of_one_sentence(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        at_heron, at_stork = Tools(vault, heron), Tools(vault, stork)
        for tools in (at_heron, at_stork):
            assert "kept" in tools.call("remember", memories=["The tests run with pytest -n 4."])
        assert "known" in at_heron.call("remember", memories=["The tests run with pytest -n 4."])
        for name in (HERON, STORK):
            assert statements(vault, name) == ["The tests run with pytest -n 4."]

    def test_recall_asks_this_repository_first_or_alone(
        self, vault: Path, heron: Path, stork: Path
    ) -> None:
        at_heron = Tools(vault, heron)
        at_heron.call("remember", memories=["The release is built with make dist."])
        Tools(vault, stork).call("remember", memories=["The release is built with tox."])
        everything = at_heron.call("recall", query="How is the release built?")
        assert everything.index("make dist") < everything.index("tox")
        assert f"project {STORK}" in everything
        alone = at_heron.call("recall", query="How is the release built?", scope="project")
        assert "make dist" in alone
        assert "tox" not in alone

    def test_a_server_may_be_told_its_project_or_to_have_none(
        self, vault: Path, heron: Path
    ) -> None:
        named = Tools(vault, heron, project="stork")
        named.call("remember", memories=["The tests run with tox."])
        none = Tools(vault, heron, project="none")
        none.call("remember", memories=["The office closes at noon on Fridays."])
        assert statements(vault, "stork") == ["The tests run with tox."]
        assert statements(vault, "none") == ["The office closes at noon on Fridays."]
