"""The person's own words change with their yes alone: by a form of their client, or in review."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.assistants.mcp.driver import FORM, MODERN, Client, text_of
from vaultmem import Memory

YES = {"action": "accept", "content": {"agree": True}}
NOT_YES: list[dict[str, Any]] = [
    {"action": "decline"},
    {"action": "cancel"},
    {"action": "accept"},
    {"action": "accept", "content": {"agree": False}},
    {"action": "accept", "content": {"agree": "true"}},
    {"action": "accept", "content": {"agree": 1}},
    {"action": "accept", "content": {"Agree": True}},
    {"action": "ACCEPT", "content": {"agree": True}},
    {"content": {"agree": True}},
    {},
]


@pytest.fixture
def home(memory: Memory) -> str:
    """Id of what the person said of their home."""
    [item] = memory.remember("I live in Ghent.", date="2024-01-01").items
    return item.id


def current(memory: Memory) -> list[tuple[str, str]]:
    found = memory.list({"types": ("item",), "statuses": ("active",)})
    return sorted((row.statement, row.trust) for row in found)


UNCHANGED = [("I live in Ghent.", "user")]
MOVED = {"to": "The user lives in Bruges.", "why": "They said that they moved."}


class TestForm:
    """In a session the server asks, and answers the call when the person has."""

    def test_one_that_is_named_in_two_spellings_is_asked_about_and_forgotten_once(
        self, memory: Memory, home: str
    ) -> None:
        client, question = self.ask(memory, "forget", ids=[home, home.upper()])
        assert question["params"]["message"].count("I live in Ghent.") == 1
        assert "forgotten" in text_of(client.answer(question, YES))
        assert current(memory) == []

    def ask(self, memory: Memory, name: str, **arguments: Any) -> tuple[Client, dict[str, Any]]:
        client = Client(memory.root, capabilities=FORM)
        [question] = client.ask("tools/call", {"name": name, "arguments": arguments})
        assert question["method"] == "elicitation/create"
        return client, question

    def test_the_person_reads_what_would_change_and_why(self, memory: Memory, home: str) -> None:
        _, question = self.ask(memory, "change", id=home, **MOVED)
        asked = question["params"]
        assert asked["mode"] == "form"
        for words in ("I live in Ghent.", "The user lives in Bruges.", "They said that they moved"):
            assert words in asked["message"]
        [field] = asked["requestedSchema"]["properties"].values()
        assert (field["type"], field["default"]) == ("boolean", False)

    def test_agreed_it_is_the_persons(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "change", id=home, **MOVED)
        told = text_of(client.answer(question, YES))
        assert "The user agreed." in told
        assert current(memory) == [("The user lives in Bruges.", "user")]
        assert memory.show(home).note.status == "superseded"
        assert memory.review.waiting() == ()

    def test_agreed_what_is_forgotten_comes_back_by_undo(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "forget", ids=[home])
        assert "forgotten" in text_of(client.answer(question, YES))
        assert current(memory) == []
        assert memory.review.waiting() == ()
        memory.undo()
        assert current(memory) == UNCHANGED

    def test_agreed_what_is_over_ends_on_its_day(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "change", id=home, ended="2026-01-01")
        client.answer(question, YES)
        assert memory.recall("where do I live", as_of="2025-06-01").hits
        assert memory.show(home).note.status == "expired"

    @pytest.mark.parametrize("reply", NOT_YES)
    def test_without_a_clear_yes_it_waits_for_review(
        self, memory: Memory, home: str, reply: dict[str, Any]
    ) -> None:
        client, question = self.ask(memory, "change", id=home, **MOVED)
        told = text_of(client.answer(question, reply))
        assert "Nothing is changed yet" in told
        assert current(memory) == UNCHANGED
        [waiting] = memory.review.waiting()
        assert waiting.statement == "I live in Ghent. -> The user lives in Bruges."

    def test_an_answer_counts_once(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "change", id=home, **MOVED)
        client.answer(question, {"action": "decline"})
        again = json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": YES})
        assert client.line(again) == []
        assert current(memory) == UNCHANGED

    def test_an_error_is_no_yes(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "forget", ids=[home])
        failed = {"jsonrpc": "2.0", "id": question["id"], "error": {"code": -1, "message": "no"}}
        [answer] = client.line(json.dumps(failed))
        assert "Nothing is changed yet" in text_of(answer["result"])
        assert current(memory) == UNCHANGED

    def test_other_calls_are_answered_meanwhile(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "forget", ids=[home])
        assert "Ghent" in client.call("recall", query="where do I live")
        assert "forgotten" in text_of(client.answer(question, YES))

    def test_a_call_that_is_cancelled_waits_for_review(self, memory: Memory, home: str) -> None:
        client, question = self.ask(memory, "forget", ids=[home])
        client.notify("notifications/cancelled", requestId=2)
        assert [each.statement for each in memory.review.waiting()] == ["I live in Ghent."]
        assert (
            client.line(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": YES})) == []
        )
        assert current(memory) == UNCHANGED

    def test_it_waits_for_review_while_nobody_answers(self, memory: Memory, home: str) -> None:
        self.ask(memory, "forget", ids=[home])
        assert len(memory.review.waiting()) == 1, "a server that is killed now loses nothing"

    def test_what_changed_while_they_thought_is_not_what_they_agreed_to(
        self, memory: Memory, home: str
    ) -> None:
        client, question = self.ask(memory, "forget", ids=[home])
        memory.correct(home, "I live in Gent.")
        result = client.answer(question, YES)
        assert result["isError"]
        assert [words for words, _ in current(memory)] == ["I live in Gent."]

    def test_of_very_many_questions_the_oldest_is_given_up(self, memory: Memory) -> None:
        client = Client(memory.root, capabilities=FORM)
        [item] = memory.remember("I live in Ghent.").items
        asked = {"name": "forget", "arguments": {"ids": [item.id]}}
        for _ in range(50):
            [question] = client.ask("tools/call", asked)
            assert question["method"] == "elicitation/create"
        answered, question = client.ask("tools/call", asked)
        assert "Nothing is changed yet" in text_of(answered["result"])
        assert question["method"] == "elicitation/create"

    def test_hidden_characters_are_not_put_to_the_person(self, memory: Memory, home: str) -> None:
        client = Client(memory.root, capabilities=FORM)
        told = client.fails("change", id=home, to="The user lives in \u202eBruges\u202c.")
        assert "no screen shows" in told


class TestWithoutSessions:
    """Since 2026-07-28 the question is an answer, and the client calls again with the reply."""

    def ask(self, client: Client, name: str, **arguments: Any) -> dict[str, Any]:
        result = client.result("tools/call", {"name": name, "arguments": arguments})
        assert result["resultType"] == "input_required"
        found: dict[str, Any] = result
        return found

    def again(
        self, client: Client, asked: dict[str, Any], reply: object, name: str, **arguments: Any
    ) -> Any:
        [key] = asked["inputRequests"]
        given = {"requestState": asked["requestState"], "inputResponses": {key: reply}}
        return client.result("tools/call", {"name": name, "arguments": arguments, **given})

    def test_agreed_it_is_done(self, memory: Memory, home: str) -> None:
        client = Client(memory.root, revision=MODERN, capabilities=FORM)
        asked = self.ask(client, "change", id=home, to=MOVED["to"])
        result = self.again(client, asked, YES, "change", id=home, to=MOVED["to"])
        assert result["resultType"] == "complete"
        assert current(memory) == [("The user lives in Bruges.", "user")]

    @pytest.mark.parametrize("reply", [*NOT_YES, None, "accept", [YES]])
    def test_without_a_clear_yes_it_waits(self, memory: Memory, home: str, reply: object) -> None:
        client = Client(memory.root, revision=MODERN, capabilities=FORM)
        asked = self.ask(client, "forget", ids=[home])
        self.again(client, asked, reply, "forget", ids=[home])
        assert current(memory) == UNCHANGED
        assert len(memory.review.waiting()) == 1

    def test_a_yes_for_one_call_is_none_for_another(self, memory: Memory, home: str) -> None:
        client = Client(memory.root, revision=MODERN, capabilities=FORM)
        asked = self.ask(client, "change", id=home, to=MOVED["to"])
        result = self.again(client, asked, YES, "change", id=home, to="The user lives in Ypres.")
        assert result["resultType"] == "input_required", "it is asked anew"
        assert current(memory) == UNCHANGED

    def test_a_made_up_state_is_none(self, memory: Memory, home: str) -> None:
        client = Client(memory.root, revision=MODERN, capabilities=FORM)
        for state in ("", "s1", None, 5):
            asked: dict[str, Any] = {"requestState": state, "inputRequests": {"person": {}}}
            result = self.again(client, asked, YES, "forget", ids=[home])
            assert result["resultType"] == "input_required"
        assert current(memory) == UNCHANGED

    def test_capabilities_are_those_of_the_request(self, memory: Memory, home: str) -> None:
        client = Client(memory.root, revision=MODERN)
        assert "Nothing is changed yet" in client.call("forget", ids=[home])


class TestNobodyToAsk:
    @pytest.mark.parametrize("revision", ["2025-11-25", "2025-03-26", MODERN])
    def test_it_waits_for_review(self, memory: Memory, home: str, revision: str) -> None:
        client = Client(memory.root, revision=revision)
        assert "`vaultmem review`" in client.call("forget", ids=[home])
        assert current(memory) == UNCHANGED

    def test_a_revision_without_forms_is_not_asked(self, memory: Memory, home: str) -> None:
        client = Client(memory.root, revision="2025-03-26", capabilities=FORM)
        assert "Nothing is changed yet" in client.call("forget", ids=[home])

    def test_the_same_request_waits_once(self, memory: Memory, home: str) -> None:
        client = Client(memory.root)
        for _ in range(3):
            client.call("forget", ids=[home])
        assert len(memory.review.waiting()) == 1

    def test_approved_in_review_it_is_done_as_the_persons(self, memory: Memory, home: str) -> None:
        Client(memory.root).call("change", id=home, **MOVED)
        [waiting] = memory.review.waiting()
        done = memory.review.approve(waiting.id)
        assert done.commit is not None
        assert current(memory) == [("The user lives in Bruges.", "user")]
        assert memory.review.waiting() == ()
        memory.undo()
        assert current(memory) == UNCHANGED

    def test_rejected_it_is_gone(self, memory: Memory, home: str) -> None:
        Client(memory.root).call("forget", ids=[home])
        memory.review.reject(everything=True)
        assert memory.review.waiting() == ()
        assert current(memory) == UNCHANGED

    def test_a_request_about_what_is_gone_waits_no_more(self, memory: Memory, home: str) -> None:
        Client(memory.root).call("forget", ids=[home])
        memory.facts.retract(home)
        assert memory.review.waiting() == ()

    def test_a_purge_takes_its_words_along(self, memory: Memory, home: str) -> None:
        Client(memory.root).call("change", id=home, **MOVED)
        memory.forgetting.purge(home)
        files = [file for file in memory.opened.state.rglob("*") if file.is_file()]
        assert not any(b"I live in Ghent" in file.read_bytes() for file in files)


class TestOwnWordsOfTheAgent:
    def test_they_change_at_once(self, memory: Memory) -> None:
        client = Client(memory.root, capabilities=FORM)
        client.call("remember", memories=["The user's loom is a Louet."])
        [row] = memory.list({"types": ("item",)})
        assert "changed: " in client.call("change", id=row.id, to="The user's loom is a Glimakra.")
        assert current(memory) == [("The user's loom is a Glimakra.", "limited")]

    def test_of_both_only_the_persons_wait(self, memory: Memory, home: str) -> None:
        client = Client(memory.root)
        client.call("remember", memories=["The user's loom is a Louet."])
        [loom] = [row.id for row in memory.list({"types": ("item",)}) if "loom" in row.statement]
        told = client.call("forget", ids=[loom, home])
        assert "forgotten" in told
        assert "waits for the user" in told
        assert current(memory) == UNCHANGED

    def test_one_id_that_is_wrong_changes_nothing(self, memory: Memory) -> None:
        client = Client(memory.root)
        client.call("remember", memories=["The user's loom is a Louet."])
        [row] = memory.list({"types": ("item",)})
        client.fails("forget", ids=[row.id, "i-nosuch0000"])
        assert current(memory) == [("The user's loom is a Louet.", "limited")]
