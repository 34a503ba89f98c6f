"""The Model Context Protocol, in both eras, and whatever else arrives on a line."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

from tests.assistants.mcp.driver import FORM, MODERN, Client
from vaultmem import Memory, __version__
from vaultmem.assistants.mcp import wire
from vaultmem.assistants.mcp.tool_table import INSTRUCTIONS, MOST_INSTRUCTIONS, SETS, TOOLS
from vaultmem.assistants.mcp.wire import REVISIONS, SERVER_KEY, VERSION_KEY, has_form

WITH_SESSION = [each.name for each in REVISIONS if not each.is_stateless]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """Nobody opens it: no test here calls a tool that works."""
    return tmp_path / "vault"


class TestSessions:
    @pytest.mark.parametrize("revision", WITH_SESSION)
    def test_a_revision_that_is_spoken_is_agreed_to(self, vault: Path, revision: str) -> None:
        opened = Client(vault, revision=revision).opened
        assert opened["protocolVersion"] == revision
        assert opened["serverInfo"]["name"] == "vaultmem"
        assert opened["serverInfo"]["version"] == __version__
        assert opened["instructions"] == INSTRUCTIONS
        assert "tools" in opened["capabilities"]

    @pytest.mark.parametrize("revision", ["2020-01-01", "", "2099-12-31"])
    def test_another_one_is_answered_with_the_newest_that_has_sessions(
        self, vault: Path, revision: str
    ) -> None:
        assert Client(vault, revision=revision).opened["protocolVersion"] == "2025-11-25"

    def test_no_answer_of_a_session_has_the_keys_of_the_other_era(self, vault: Path) -> None:
        listed = Client(vault).result("tools/list")
        assert set(listed) == {"tools"}

    def test_a_ping_is_answered_at_any_time(self, vault: Path) -> None:
        assert Client(vault).result("ping") == {}


class TestWithoutSessions:
    def test_discover_names_every_revision(self, vault: Path) -> None:
        found = Client(vault, revision=MODERN).result("server/discover")
        assert found["supportedVersions"] == [each.name for each in REVISIONS]
        assert found["instructions"] == INSTRUCTIONS
        assert found["resultType"] == "complete"
        assert found["_meta"][SERVER_KEY]["name"] == "vaultmem"

    def test_a_list_says_how_long_it_may_be_kept(self, vault: Path) -> None:
        listed = Client(vault, revision=MODERN).result("tools/list")
        assert listed["ttlMs"] > 0
        assert listed["cacheScope"] == "private"

    def test_a_revision_that_is_not_spoken_is_refused_with_those_that_are(
        self, vault: Path
    ) -> None:
        client = Client(vault, revision=MODERN)
        meta = {"_meta": {VERSION_KEY: "2031-01-01"}}
        asked = {"jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": meta}
        [answer] = client.line(json.dumps(asked))
        assert answer["error"]["code"] == wire.NO_REVISION
        assert answer["error"]["data"] == {"supported": [MODERN], "requested": "2031-01-01"}


class TestToolList:
    @pytest.mark.parametrize("tools", SETS)
    def test_it_is_sorted_and_always_the_same(self, vault: Path, tools: str) -> None:
        first = Client(vault, tools=tools).result("tools/list")["tools"]
        names = [each["name"] for each in first]
        assert names == sorted(names) == list(SETS[tools])
        assert Client(vault, tools=tools).result("tools/list")["tools"] == first

    def test_no_tool_has_an_output_schema_which_would_hide_its_text(self) -> None:
        assert not any("outputSchema" in tool for tool in TOOLS.values())

    def test_every_tool_is_always_loaded(self) -> None:
        assert all(tool["_meta"] == {"anthropic/alwaysLoad": True} for tool in TOOLS.values())

    def test_what_reads_says_so_and_nothing_else_does(self) -> None:
        reading = {name for name, tool in TOOLS.items() if tool["annotations"]["readOnlyHint"]}
        assert reading == {"recall", "history", "show", "search", "fetch"}
        taking = {name for name, tool in TOOLS.items() if tool["annotations"]["destructiveHint"]}
        assert taking == {"change", "forget", "memory"}

    def test_the_reading_set_holds_tools_that_read(self) -> None:
        for name in (*SETS["read"], *SETS["connector"]):
            assert TOOLS[name]["annotations"]["readOnlyHint"]

    def test_no_tool_takes_an_argument_that_is_not_named(self) -> None:
        assert all(tool["inputSchema"]["additionalProperties"] is False for tool in TOOLS.values())

    def test_the_instructions_are_short(self) -> None:
        assert len(INSTRUCTIONS) <= MOST_INSTRUCTIONS


class TestWhatIsNoMessage:
    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("{", wire.PARSE_ERROR),
            ("hello", wire.PARSE_ERROR),
            (b"\xff\xfe{}", wire.PARSE_ERROR),
            ("NaN", wire.PARSE_ERROR),
            ('{"jsonrpc":"2.0","id":1,"method":"ping","x":Infinity}', wire.PARSE_ERROR),
            ("[" * 100_000, wire.PARSE_ERROR),
            ("3", wire.INVALID_REQUEST),
            ("null", wire.INVALID_REQUEST),
            ('"ping"', wire.INVALID_REQUEST),
            ("{}", wire.INVALID_REQUEST),
            ('{"jsonrpc":"1.0","id":1,"method":"ping"}', wire.INVALID_REQUEST),
            ('{"jsonrpc":"2.0","id":1}', wire.INVALID_REQUEST),
            ('{"jsonrpc":"2.0","id":null,"method":"ping"}', wire.INVALID_REQUEST),
            ('{"jsonrpc":"2.0","id":[1],"method":"ping"}', wire.INVALID_REQUEST),
            ('{"jsonrpc":"2.0","id":true,"method":"ping"}', wire.INVALID_REQUEST),
            ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', wire.INVALID_PARAMS),
            ('{"jsonrpc":"2.0","id":1,"method":"resources/eat"}', wire.NO_METHOD),
            ("[]", wire.INVALID_REQUEST),
            ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', wire.INVALID_REQUEST),
        ],
    )
    def test_it_is_refused_with_the_code_of_the_protocol(
        self, vault: Path, line: str | bytes, code: int
    ) -> None:
        client = Client(vault)
        [answer] = client.line(line)
        assert answer["error"]["code"] == code
        assert client.result("ping") == {}, "the session goes on"

    def test_an_empty_line_is_nothing(self, vault: Path) -> None:
        assert Client(vault).line("  ") == []

    def test_an_answer_that_nobody_asked_for_is_nothing(self, vault: Path) -> None:
        assert Client(vault).line('{"jsonrpc":"2.0","id":"x","result":{"action":"accept"}}') == []

    def test_a_notification_is_never_answered(self, vault: Path) -> None:
        for method in ("notifications/initialized", "tools/call", "nobody/knows"):
            Client(vault).notify(method, requestId=4)

    def test_a_line_without_end_is_passed_over_and_the_next_one_read(self) -> None:
        stream = io.BytesIO(b"x" * 5_000 + b"\nnext\n" + b"y" * 3_000)
        assert [*wire.lines(stream, most=1_000)] == [None, b"next", None]

    def test_a_line_that_was_too_long_is_answered(self, vault: Path) -> None:
        client = Client(vault)
        client.server.take(None)
        assert client.sent[-1]["error"]["code"] == wire.INVALID_REQUEST

    def test_lone_surrogates_come_back_as_json(self) -> None:
        assert json.loads(wire.encode({"text": "\ud800 ü"})) == {"text": "\ud800 ü"}


def test_batches_are_answered_together_where_the_revision_has_them(vault: Path) -> None:
    client = Client(vault, revision="2025-03-26")
    ping = {"jsonrpc": "2.0", "method": "ping"}
    [answers] = client.line(json.dumps([{**ping, "id": 1}, ping, {**ping, "id": 2}, 7]))
    assert [each.get("id") for each in answers] == [1, 2, None]
    assert client.line(json.dumps([ping])) == []


def test_a_thousand_random_messages_end_no_session(vault: Path) -> None:
    rng = random.Random(17)
    words = ["tools/call", "tools/list", "initialize", "ping", "server/discover", "", "\u202e", 5]
    values = [None, True, 0, -1, 1e99, "", "recall", [], {}, {"query": 3}, [[1]], "x" * 50]
    client = Client(vault)
    for _ in range(1_000):
        params = {
            str(
                rng.choice(["name", "arguments", "_meta", "protocolVersion", "capabilities"])
            ): rng.choice(values)
            for _ in range(rng.randrange(4))
        }
        message = {
            "jsonrpc": rng.choice(["2.0", "2.0", "2.0", 2]),
            "id": rng.choice([1, "a", None, 2.5, [], 10**30]),
            "method": rng.choice(words),
            "params": rng.choice([params, params, params, None, 4]),
        }
        line = json.dumps(message)
        cut = rng.randrange(len(line)) if rng.random() < 0.2 else len(line)
        for answer in client.line(line[:cut]):
            assert answer["jsonrpc"] == "2.0"
            assert ("result" in answer) != ("error" in answer)
            assert answer.get("error", {}).get("code") != wire.INTERNAL_ERROR
    assert client.result("ping") == {}


def test_a_form_is_asked_only_of_clients_that_have_one() -> None:
    assert has_form(FORM)
    assert has_form({"elicitation": {}})
    assert not has_form({"elicitation": {"url": {}}})
    assert not has_form({"elicitation": None})
    assert not has_form({})
    assert not has_form(None)


def test_a_vault_that_is_not_there_is_told_with_what_to_do(vault: Path) -> None:
    told = Client(vault).fails("recall", query="where do I live")
    assert str(vault) in told
    assert "hint: " in told


def test_a_bug_ends_the_call_and_not_the_session(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Memory.init(vault)
    client = Client(vault)

    def broken(name: str, arguments: object, *, client: str = "") -> str:
        raise ZeroDivisionError

    client.server._desk.call = broken  # type: ignore[method-assign]  # no input reaches a bug
    assert client.error("tools/call", {"name": "recall", "arguments": {"query": "a"}}) == -32603
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert client.result("ping") == {}


def test_a_bug_ends_one_call_and_answers_no_notification(
    vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    client = Client(vault)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(client.server, "_result", fail)
    monkeypatch.setattr(client.server, "_note", fail)
    assert client.error("tools/list") == wire.INTERNAL_ERROR
    client.notify("notifications/cancelled", requestId=1)
    assert "ZeroDivisionError" in capsys.readouterr().err
    monkeypatch.undo()
    assert client.result("tools/list")["tools"]
