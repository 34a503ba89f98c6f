"""What settings make of a context: the last conversations, and the division among memories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem import Memory
from vaultmem.model.answers import Pack
from vaultmem.recall.use_counts import accesses

FIRST, SECOND, THIRD = "heron", "egret", "crane"


def told(pack: Pack, tier: str) -> list[str]:
    return [line.text for line in pack.lines if line.tier == tier]


def with_settings(memory: Memory, text: str) -> Memory:
    file = memory.root / "vaultmem.toml"
    file.write_text(file.read_text("utf-8") + text, encoding="utf-8")
    return Memory(memory.root, clock=FixedClock())


class TestTheLastConversations:
    @pytest.fixture
    def talked(self, memory: Memory, clock: FixedClock) -> Memory:
        for name in (FIRST, SECOND, THIRD):
            clock.advance(days=1)
            with memory.session(name) as session:
                session.turn(f"We use Postgres for the {name} project.", "Noted.")
                session.end()
        memory.remember("Conversation 'about tea' with Ann, 2 cups each.", kind="event")
        return memory

    def test_those_that_ended_are_given_whatever_is_asked_the_newest_first(
        self, talked: Memory
    ) -> None:
        packs = [talked.context(question) for question in ("tea", "which Conversation began", "")]
        for pack in packs:
            names = [text.split("'")[1] for text in told(pack, "sessions")]
            assert names == [THIRD, SECOND, FIRST]
            paths = [line.path for line in pack.lines if line.line is None]
            assert len(set(paths)) == len(paths)
        assert len({pack.standing for pack in packs[:2]}) == 1
        assert "## Last conversations" in packs[0].standing

    def test_so_many_and_so_long_as_the_settings_say(self, talked: Memory) -> None:
        with with_settings(talked, "\n[context]\nsessions = 2\n") as two:
            found = told(two.context("tea"), "sessions")
            assert [text.split("'")[1] for text in found] == [THIRD, SECOND]
            tokens = max(
                line.tokens for line in two.context("tea").lines if line.tier == "sessions"
            )
        with with_settings(talked, f"session_tokens = {tokens + 25}\n") as short:
            assert len(told(short.context("tea"), "sessions")) == 1


class TestQuotations:
    """'past conversations (3, snippets 100 characters, ellipsis only if cut)' (algorithms 6.12)."""

    STRICT = "\n[context]\nfill = false\nepisodes = 7\n"
    LONG = "Did you hear how the canteen echoes, and what the children shout nobody can understand"

    @pytest.fixture
    def talked(self, memory: Memory) -> Memory:
        for number in range(5):
            said = f"{self.LONG}, says the cook of school number {number}, as it was before."
            talk = (
                f"**Ann** (2026-03-01 10:0{number}): {said}\n\n"
                f"**Bob** (2026-03-01 11:0{number}): Is the canteen {number} years old?\n"
            )
            memory.remember(talk, title=f"call {number}")
        return memory

    def test_so_many_conversations_in_so_many_characters(self, talked: Memory) -> None:
        with with_settings(talked, self.STRICT) as strict:
            pack = strict.context("why does the canteen echo")
        quoted = [line for line in pack.lines if line.tier == "events"]
        assert len({line.path for line in quoted}) == 3
        assert all(len(line.text) <= 100 for line in quoted)
        cut = [line.text for line in quoted if line.text.startswith("Ann")]
        assert cut
        assert all(
            text.endswith("…") and f"Ann: {self.LONG}, says".startswith(text[:-1]) for text in cut
        )
        whole = [line.text for line in quoted if line.text.startswith("Bob")]
        assert not [text for text in whole if "…" in text]

    def test_both_are_settings_and_filling_cuts_nothing(self, talked: Memory) -> None:
        wanted = f"{self.STRICT}conversations = 1\nsnippet_characters = 0\n"
        with with_settings(talked, wanted) as strict:
            quoted = told(strict.context("why does the canteen echo"), "events")
            lines = [line for line in strict.context("canteen echo").lines if line.tier == "events"]
        assert len({line.path for line in lines}) == 1
        assert any(text.endswith("as it was before.") for text in quoted)
        assert not [text for text in quoted if "…" in text]
        file = talked.root / "vaultmem.toml"
        file.write_text(file.read_text("utf-8").replace(self.STRICT, "\n[context]\n"), "utf-8")
        with Memory(talked.root, clock=FixedClock()) as filling:
            assert len(told(filling.context("canteen echo"), "events")) > 3


class TestTheDivision:
    NAMES = ("barn", "boat", "door", "gate", "lamp", "sofa")

    def write(self, root: Path, important: str) -> None:
        for name in self.NAMES:
            (root / "items").mkdir(exist_ok=True)
            weight = 10 if name == important else 1
            text = f"The {name} that we painted in the spring is red."
            (root / "items" / f"{name}.md").write_text(
                f"---\ntype: item\nkind: fact\nimportance: {weight}\n---\n\n{text}\n",
                encoding="utf-8",
            )

    def test_by_transport_the_important_memory_stays(self, memory: Memory) -> None:
        with with_settings(memory, '\n[context]\nallocation = "sinkhorn"\n') as dividing:
            for name in self.NAMES:
                self.write(memory.root, name)
                pack = dividing.context("what did we paint red in the spring", budget=190)
                assert 0 < len(told(pack, "facts")) < len(self.NAMES)
                assert [line for line in pack.lines if line.importance == 10], name

    def test_the_bias_says_how_much_score_counts_against_the_share_of_a_stream(
        self, memory: Memory
    ) -> None:
        self.write(memory.root, "")
        for name in self.NAMES[:3]:
            file = memory.root / "items" / f"{name}.md"
            front = "importance: 10\nstream: flow"
            file.write_text(file.read_text().replace("importance: 1", front))
        for name in self.NAMES[3:]:
            file = memory.root / "items" / f"{name}.md"
            file.write_text(
                file.read_text().replace("importance: 1", "importance: 1\nstream: tasks")
            )
        granted = []
        for text in ('\n[context]\nallocation = "sinkhorn"\n\n[chunks]\nbias = 0\n', None):
            if text is None:
                file = memory.root / "vaultmem.toml"
                file.write_text(file.read_text().replace("bias = 0", "bias = 100"))
            with with_settings(memory, text or "") as dividing:
                pack = dividing.context("what did we paint red in the spring", budget=150)
            granted.append({each.name: each.granted for each in pack.portions})
        assert granted[0]["flow"] < granted[0]["tasks"]
        assert granted[1]["flow"] > granted[1]["tasks"]


class TestAccess:
    def test_what_was_found_counts_as_used_and_what_is_always_given_does_not(
        self, memory: Memory
    ) -> None:
        memory.remember("Elise loves green tea. I prefer short answers.")
        pack = memory.context("which tea does Elise love")
        found = {line.id for line in pack.lines if line.tier == "facts"}
        always = {line.id for line in pack.lines if line.tier == "persona"}
        assert found
        assert always
        used = accesses(memory.opened)
        assert found <= used.keys()
        assert not always & used.keys()

    def test_no_question_and_the_past_leave_no_trace(self, memory: Memory) -> None:
        memory.remember("Elise loves green tea.")
        memory.context()
        memory.context("green tea", as_of="2030-01-01")
        assert not accesses(memory.opened)

    def test_a_judgement_is_about_the_last_answer_not_the_last_context(
        self, memory: Memory
    ) -> None:
        memory.remember("The kettle is red. The boat is red. Elise loves green tea.")
        first = memory.recall("red kettle", preset="kautilya").hits[0]
        memory.context("green tea")
        assert memory.ranking.feedback("1", accepted=True).note == first.note.id
