"""What the page about contexts shows in Python reaches a model, in both dialects."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.models.scripted_server import KEY, MODEL, ScriptedServer, says, server
from vaultmem import Memory

__all__ = ["server"]

PAGE = Path(__file__).parents[2] / "vaultmem" / "docs" / "context.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUESTION = "Where does Lena live?"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault that the examples open, in the current folder."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    Memory.init("notes")
    with Memory("notes") as memory:
        memory.remember("My sister Lena lives in Bergen.", stream="projects")
        memory.remember("Never offer Lena nuts.", hard=True)
    return tmp_path / "notes"


def run(title: str) -> None:
    """Run the one example that begins with this title, as the page has it."""
    (code,) = [
        code for code in BLOCK.findall(PAGE.read_text("utf-8")) if code.startswith(f"# {title}")
    ]
    exec(compile(code, f"{PAGE.name}: {title}", "exec"), {"__name__": "__main__"})


def test_the_example_for_openai_asks_with_the_memory_and_prints_the_reply(
    notes: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_MODEL", MODEL)
    server.steps = [says("In Bergen.")]
    run("OpenAI")
    assert capsys.readouterr().out == "In Bergen.\n"
    assert server.last.path == "/v1/chat/completions"
    assert server.last.headers["authorization"] == f"Bearer {KEY}"
    assert [each["role"] for each in server.last.body["messages"]] == ["system", "user"]
    assert "Never offer Lena nuts." in server.last.system
    assert "My sister Lena lives in Bergen." in server.last.user
    assert server.last.user.endswith(QUESTION)


def test_the_example_for_anthropic_keeps_what_does_not_change_apart(
    notes: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_MODEL", MODEL)
    server.steps = [says("In Bergen.")]
    run("Anthropic")
    assert capsys.readouterr().out == "In Bergen.\n"
    assert server.last.path == "/v1/messages"
    assert server.last.headers["x-api-key"] == KEY
    (standing,) = server.last.body["system"]
    assert standing["cache_control"] == {"type": "ephemeral"}
    assert "Never offer Lena nuts." in standing["text"]
    assert [each["role"] for each in server.last.body["messages"]] == ["user"]
    assert "My sister Lena lives in Bergen." in server.last.user
    assert server.last.user.endswith(QUESTION)
