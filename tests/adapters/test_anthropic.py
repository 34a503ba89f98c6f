"""The memory tool of the SDK `anthropic` over a vault, driven by its own tool runner."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from vaultmem import Memory
from vaultmem.base import TYPE_CHECKING, NoVaultError

if TYPE_CHECKING:
    from vaultmem.adapters.anthropic import VaultMemoryTool


@pytest.fixture
def anthropic() -> Any:
    """The SDK. At the top of this file it cost each worker of each run 1.5 s of processor."""
    return pytest.importorskip(
        "anthropic",
        minversion="2.12",
        reason="the package anthropic, 2.12 or later, is not installed",
    )


@pytest.fixture
def memory_tool(anthropic: Any) -> type[VaultMemoryTool]:
    """The class of the tool, which is derived from one of the SDK."""
    from vaultmem.adapters.anthropic import VaultMemoryTool

    return VaultMemoryTool


@contextmanager
def model(*calls: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """The address of a model that makes these calls of `memory`, one a turn, then says 'done'.

    Beside it what the model got: the body of each request.
    """
    got: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            turn = len(got) - 1
            is_over = turn >= len(calls)
            content: dict[str, Any] = {"type": "text", "text": "done"}
            if not is_over:
                content = {
                    "type": "tool_use",
                    "id": f"toolu_{turn}",
                    "name": "memory",
                    "input": calls[turn],
                }
            body = json.dumps(
                {
                    "id": f"msg_{turn}",
                    "type": "message",
                    "role": "assistant",
                    "model": "scripted",
                    "content": [content],
                    "stop_reason": "end_turn" if is_over else "tool_use",
                    "stop_sequence": None,
                    "usage": {"input_tokens": 1, "output_tokens": 1},
                }
            ).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", got
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def results(got: list[Any]) -> list[tuple[str, bool]]:
    """What the model was told of each call: the text, and whether it is an error."""
    found = []
    for request in got[1:]:
        [block] = request["messages"][-1]["content"]
        content = block["content"]
        text = content if isinstance(content, str) else content[0]["text"]
        found.append((text, block.get("is_error", False)))
    return found


def test_the_runner_of_the_sdk_keeps_files_in_the_vault(
    vault: Path, anthropic: Any, memory_tool: type[VaultMemoryTool]
) -> None:
    calls: tuple[dict[str, Any], ...] = (
        {"command": "view", "path": "/memories"},
        {"command": "create", "path": "/memories/user.md", "file_text": "Works in Graz.\n"},
        {"command": "create", "path": "/memories/user.md", "file_text": "again"},
        {"command": "view", "path": "/memories/../../x"},
        {"command": "view", "path": "/memories/user.md", "view_range": [1, 1]},
    )
    with model(*calls) as (url, got), memory_tool(vault, client="My Agent") as tool:
        client = anthropic.Anthropic(base_url=url, api_key="dummy", max_retries=0)
        runner = client.beta.messages.tool_runner(
            model="scripted",
            max_tokens=100,
            tools=[tool],
            messages=[{"role": "user", "content": "I work in Graz."}],
        )
        assert runner.until_done().content[0].text == "done"
    assert got[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    told = results(got)
    assert told[0][0].startswith("Here're the files and directories up to 2 levels deep in")
    assert told[1:] == [
        ("File created successfully at: /memories/user.md", False),
        ("File /memories/user.md already exists", True),
        ("Path /memories/../../x would escape /memories directory", True),
        (
            "Here's the content of /memories/user.md with line numbers:\n     1\tWorks in Graz.",
            False,
        ),
    ]
    assert (vault / "agents/my-agent/memories/user.md").read_text() == "Works in Graz.\n"
    with Memory(vault) as memory:
        assert memory.recall("works in Graz").hits[0].note.writer == "agent"


def test_a_memory_that_is_open_is_used_and_stays_open(
    vault: Path, memory_tool: type[VaultMemoryTool]
) -> None:
    with Memory(vault) as memory:
        with memory_tool(memory) as tool:
            tool.call({"command": "create", "path": "/memories/a.md", "file_text": "tea"})
        assert memory.history.log(limit=1)[0].actor == "agent"


def test_clearing_takes_all_of_its_own_and_can_be_undone(
    vault: Path, memory_tool: type[VaultMemoryTool]
) -> None:
    with Memory(vault) as memory:
        mine, other = memory_tool(memory, client="a"), memory_tool(memory, client="b")
        for tool in (mine, other):
            tool.call({"command": "create", "path": "/memories/x/a.md", "file_text": "tea"})
        assert mine.clear_all_memory() == "All memory cleared"
        assert not (vault / "agents/a/memories/x").exists()
        assert (vault / "agents/b/memories/x/a.md").exists()
        memory.undo()
        assert (vault / "agents/a/memories/x/a.md").read_text() == "tea"


def test_what_a_call_lacks_is_told_to_the_model(
    vault: Path, anthropic: Any, memory_tool: type[VaultMemoryTool]
) -> None:
    tool = memory_tool(vault)
    with pytest.raises(anthropic.lib.tools.ToolError, match="create needs 'file_text'"):
        tool.call({"command": "create", "path": "/memories/a.md"})
    tool.close()


def test_no_vault_is_told_too(
    tmp_path: Path, anthropic: Any, memory_tool: type[VaultMemoryTool]
) -> None:
    with pytest.raises(anthropic.lib.tools.ToolError) as told:
        memory_tool(tmp_path).call({"command": "view", "path": "/memories"})
    assert isinstance(told.value.__cause__, NoVaultError)
