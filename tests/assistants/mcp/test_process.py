"""`vaultmem mcp` as a process: what is on its standard output, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.clocks import cpu_seconds_of_children
from vaultmem import Memory

COMMAND = [sys.executable, "-P", "-m", "vaultmem", "mcp"]
OPEN = {"protocolVersion": "2025-11-25", "capabilities": {}}
MOST_CPU = 0.3  # seconds until the first list of tools has come


class Process:
    """A server that was started, and the lines to and from it."""

    def __init__(self, vault: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "--vault", str(vault), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._last = 0

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        self._last += 1
        asked = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self.write(json.dumps(asked).encode() + b"\n")
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self._last
        return answer["result"]

    def call(self, name: str, **arguments: Any) -> str:
        result = self.ask("tools/call", name=name, arguments=arguments)
        text: str = result["content"][0]["text"]
        return text

    def end(self) -> tuple[list[Any], bytes]:
        """(messages that still came, standard error) after the client has closed its end."""
        out, errors = self.process.communicate(timeout=60)
        return [json.loads(line) for line in out.splitlines()], errors


@pytest.fixture
def server(vault: Path) -> Iterator[Process]:
    server = Process(vault)
    yield server
    if server.process.poll() is None:
        server.process.kill()
        server.process.communicate()


def test_what_is_told_is_committed_and_found(server: Process, vault: Path) -> None:
    server.ask("initialize", **OPEN)
    assert "kept i-" in server.call("remember", memories=["The user's loom is a Louet."])
    assert "Louet" in server.call("recall", query="which loom does the user own")
    assert server.end() == ([], b"")
    assert server.process.returncode == 0
    with Memory(vault) as memory:
        assert memory.history.log(limit=1)[0].actor == "agent"


def test_two_servers_at_once_lose_nothing(server: Process, vault: Path) -> None:
    other = Process(vault)
    for number in range(4):
        for each in (server, other):
            said = f"The user's loom number {number} stands in room {each.process.pid}."
            each.call("remember", memories=[said])
    server.end()
    other.end()
    with Memory(vault) as memory:
        assert len(memory.list({"types": ("item",)})) == 8


def test_a_thousand_random_lines_bring_messages_alone(server: Process) -> None:
    rng = random.Random(5)
    whole = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    for _ in range(1_000):
        line = bytearray(whole)
        for _ in range(rng.randrange(12)):
            line[rng.randrange(len(line))] = rng.randrange(256)
        server.write(bytes(line) + b"\n")
        if rng.random() < 0.9:
            assert server.process.stdout is not None
            server.write(b'{"jsonrpc":"2.0","id":"end","method":"ping"}\n')
            while json.loads(server.process.stdout.readline()).get("id") != "end":
                pass
    answers, errors = server.end()
    assert errors == b""
    assert server.process.returncode == 0
    assert all(each["jsonrpc"] == "2.0" for each in answers)


def test_a_line_of_ten_megabytes_is_answered_and_the_session_goes_on(server: Process) -> None:
    server.write(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 10_000_000 + b'"}\n')
    assert server.process.stdout is not None
    assert json.loads(server.process.stdout.readline())["error"]["code"] == -32600
    assert server.ask("ping") == {}


def test_the_last_line_is_answered_without_its_end(server: Process) -> None:
    server.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    answers, _ = server.end()
    assert answers == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_signal_ends_it_tidily(server: Process) -> None:
    server.ask("initialize", **OPEN)
    server.call("recall", query="anything")
    server.process.send_signal(signal.SIGTERM)
    _, errors = server.end()
    assert b"Traceback" not in errors
    assert server.process.returncode == 128 + signal.SIGTERM


def test_a_client_that_no_longer_reads_ends_it_quietly(server: Process) -> None:
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.process.stdout = None
    for _ in range(3):
        try:
            server.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        except BrokenPipeError:
            break
    _, errors = server.process.communicate(timeout=60)
    assert b"Traceback" not in errors


def test_a_vault_in_the_folder_of_the_work_is_not_the_one(tmp_path: Path) -> None:
    """Whoever can put one into a repository would hear, and be heard by, every assistant."""
    with Memory(Memory.init(tmp_path / "work", name="planted").root) as memory:
        memory.remember("I live in Rome.")
    environ = {key: value for key, value in os.environ.items() if key != "VAULTMEM_VAULT"}
    environ |= {"VAULTMEM_STATE": str(tmp_path / "state"), "HOME": str(tmp_path)}
    environ["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    call = {"name": "recall", "arguments": {"query": "Where do I live?"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    for named in ([], ["--vault", "work"], ["--vault", "."]):
        done = subprocess.run(
            [*COMMAND, *named],
            input=json.dumps(asked).encode() + b"\n",
            cwd=tmp_path if named == ["--vault", "work"] else tmp_path / "work",
            capture_output=True,
            env=environ,
            check=True,
        )
        result = json.loads(done.stdout)["result"]
        assert result["isError"], named
        assert "Rome" not in done.stdout.decode()
        assert "whole path" in result["content"][0]["text"]


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_who_types_the_command_is_told_what_it_is_for(vault: Path) -> None:
    terminal, end = os.openpty()
    made = subprocess.Popen(
        [*COMMAND, "--vault", str(vault)], stdin=end, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.close(end)
    assert made.stderr is not None
    assert b"`vaultmem help assistants`" in made.stderr.readline()
    os.write(terminal, b"\x04")  # Ctrl-D: the end of what is typed
    out, _ = made.communicate(timeout=60)
    os.close(terminal)
    assert (made.returncode, out) == (0, b"")


def test_options_are_read_by_click_as_well(vault: Path) -> None:
    server = Process(vault, "--tools", "read")
    names = [each["name"] for each in server.ask("tools/list")["tools"]]
    assert names == ["history", "recall", "show"]
    server.end()


def test_the_first_list_of_tools_takes_little_time(vault: Path) -> None:
    """CPU of the whole process: .08 s here. Machines differ, and a slow one is not the server."""
    taken = []
    for _ in range(3):
        before = cpu_seconds_of_children()
        server = Process(vault)
        server.ask("initialize", **OPEN)
        server.ask("tools/list")
        server.end()
        taken.append(cpu_seconds_of_children() - before)
    assert min(taken) < MOST_CPU


def test_no_tool_loads_the_vault_before_it_is_called() -> None:
    code = (
        "import sys; from vaultmem.cli.mcp import serve_tools; "
        "from vaultmem.assistants import serve; "
        "print(*sorted(each for each in sys.modules if each.startswith('vaultmem.')))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    loaded = made.stdout.split()
    for room in ("api.memory", "storage.git", "storage.index", "recall", "extract"):
        assert f"vaultmem.{room}" not in loaded


class TestOfficialClient:
    """The client of the protocol's own Python package: 1.x opens a session, 2.x does not."""

    def test_it_lists_and_calls(self, vault: Path) -> None:
        mcp = pytest.importorskip("mcp", reason="the package mcp (44 MB) is not installed")
        stdio = pytest.importorskip("mcp.client.stdio")
        started = mcp.StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], "--vault", str(vault)]
        )
        given = {"memories": ["The user's loom is a Louet."]}

        async def talk(client: Any) -> tuple[list[str], str]:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            done = await client.call_tool("remember", given)
            return listed, done.content[0].text

        async def newer() -> tuple[list[str], str]:
            async with mcp.Client(stdio.stdio_client(started)) as client:
                return await talk(client)

        async def older() -> tuple[list[str], str]:
            async with (
                stdio.stdio_client(started) as (reading, writing),
                mcp.ClientSession(reading, writing) as client,
            ):
                await client.initialize()
                return await talk(client)

        names, told = asyncio.run(newer() if hasattr(mcp, "Client") else older())
        assert names == ["change", "forget", "history", "recall", "remember", "show"]
        assert "kept i-" in told
