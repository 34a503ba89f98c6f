"""`vaultmem mcp --tools memory`: Anthropic's memory tool for any client of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.assistants.mcp.driver import MODERN, Client
from vaultmem import Memory
from vaultmem.assistants.mcp.desk import Desk
from vaultmem.assistants.mcp.respond import Server
from vaultmem.assistants.mcp.wire import CLIENT_KEY


def test_it_is_the_one_tool_of_its_set(vault: Path) -> None:
    client = Client(vault, tools="memory")
    [tool] = client.result("tools/list")["tools"]
    assert tool["name"] == "memory"
    assert tool["inputSchema"]["properties"]["command"]["enum"] == [
        *("view", "create", "str_replace", "insert", "delete", "rename")
    ]
    assert "/memories" in client.opened["instructions"]
    assert len(client.opened["instructions"]) <= 400


def test_answers_are_plain_text_and_errors_are_marked(vault: Path) -> None:
    client = Client(vault, tools="memory")
    create: dict[str, Any] = {"command": "create", "path": "/memories/a.md", "file_text": "`tea`\n"}
    done = client.result("tools/call", {"name": "memory", "arguments": create})
    said = "File created successfully at: /memories/a.md"
    assert done == {"content": [{"type": "text", "text": said}], "isError": False}
    again = client.result("tools/call", {"name": "memory", "arguments": create})
    said = "File /memories/a.md already exists"
    assert again == {"content": [{"type": "text", "text": said}], "isError": True}
    seen = client.call("memory", command="view", path="/memories/a.md", view_range=[1, -1])
    assert seen == (
        "Here's the content of /memories/a.md with line numbers:\n     1\t`tea`\n     2\t"
    )


@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
def test_the_folder_is_that_of_the_client_that_says_its_name(vault: Path, revision: str) -> None:
    client = Client(vault, tools="memory", revision=revision, name="Claude Code")
    client.call("memory", command="create", path="/memories/a.md", file_text="tea\n")
    assert (vault / "agents/claude-code/memories/a.md").read_text() == "tea\n"


def test_the_folder_can_be_named(vault: Path) -> None:
    sent: list[Any] = []
    server = Server(Desk(lambda: Memory(vault), client="desk"), sent.append, tools="memory")
    server.take(
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory", '
        b'"arguments": {"command": "create", "path": "/memories/a.md", "file_text": ""}, '
        b'"_meta": {"' + CLIENT_KEY.encode() + b'": {"name": "other"}}}}'
    )
    server.close()
    assert sent[0]["result"]["isError"] is False
    assert (vault / "agents/desk/memories/a.md").read_bytes() == b""


def test_over_http_no_client_works_in_the_folder_of_another(vault: Path) -> None:
    """All clients without a session share one server: the last `initialize` is nobody's name."""
    sent: list[Any] = []
    server = Server(Desk(lambda: Memory(vault)), sent.append, tools="memory", can_push=False)
    server.take(
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
        b'"2025-11-25", "capabilities": {}, "clientInfo": {"name": "first"}}}'
    )
    server.take(
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory", '
        b'"arguments": {"command": "create", "path": "/memories/a.md", "file_text": ""}}}'
    )
    server.close()
    assert sent[1]["result"]["isError"] is False
    assert (vault / "agents/assistant/memories/a.md").read_bytes() == b""
    assert not (vault / "agents/first").exists()


def test_arguments_that_it_does_not_take_are_named(vault: Path) -> None:
    client = Client(vault, tools="memory")
    for arguments, said in (
        ({"command": "approve"}, "has to be: view, create"),
        ({"command": "view", "path": "/memories", "view_range": ["1"]}, "'view_range'"),
        ({"command": "insert", "path": "/memories/a", "insert_line": "1"}, "'insert_line'"),
        ({"command": "create", "path": "/memories/a"}, "create needs 'file_text'"),
        ({"command": "view", "path": "/memories", "trust": "user"}, "no argument 'trust'"),
    ):
        result = client.result("tools/call", {"name": "memory", "arguments": arguments})
        assert result["isError"] is True
        assert said in result["content"][0]["text"]


def test_what_it_keeps_is_recalled_as_the_words_of_an_assistant(vault: Path) -> None:
    Client(vault, tools="memory", name="writer").call(
        "memory",
        command="create",
        path="/memories/servers.md",
        file_text="The staging server is called kestrel.\n",
    )
    told = Client(vault).call("recall", query="staging server")
    assert "kestrel" in told
    assert "user's own words" not in told
