"""The model that the real clients talk to, and how to run them."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.clients.__main__ import PACKAGES, main
from tests.clients.scripted_model import SAID, request_text, scripted_model, tool_results

_ARGUMENTS = {"query": "cats"}
_RESULT = "- the cat Mina"
# A path, a request that offers the tool, and one with its result, as each dialect says them.
DIALECTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "/v1/messages": (
        {"tools": [{"name": "mcp__m__recall"}]},
        {"messages": [{"content": [{"type": "tool_result", "content": _RESULT}]}]},
    ),
    "/v1/responses": (
        {"tools": [{"type": "namespace", "name": "m", "tools": [{"name": "recall"}]}]},
        {"input": [{"type": "function_call_output", "output": _RESULT}]},
    ),
    "/v1/chat/completions": (
        {"tools": [{"type": "function", "function": {"name": "m_recall"}}]},
        {"messages": [{"role": "tool", "content": _RESULT}]},
    ),
    "/v1beta/models/m:generateContent": (
        {"tools": [{"functionDeclarations": [{"name": "m_recall"}]}]},
        {"contents": [{"parts": [{"functionResponse": {"response": {"output": _RESULT}}}]}]},
    ),
}


@pytest.mark.parametrize("path", DIALECTS)
def test_the_scripted_model_calls_one_tool_once_and_then_says_its_word(path: str) -> None:
    offer, answered = DIALECTS[path]
    with scripted_model() as model:
        model.script(["recall"], _ARGUMENTS)
        first = _post(model.url + path, offer)
        second = _post(model.url + path, {**offer, **answered})
        streamed = "streamGenerateContent" if "Content" in path else ""
        stream = _post(
            model.url + (path.replace("generateContent", streamed) if streamed else path),
            {**offer, "stream": True},
        )
        assert "recall" in first
        assert "cats" in first
        assert SAID in second
        assert "recall" not in second
        assert SAID in stream
        assert stream.startswith(("event: ", "data: "))
        assert [_RESULT in tool_results(each) for each in model.requests] == [False, True, False]
        assert "recall" not in request_text(model.requests[0])


def test_clients_that_are_missing_are_skipped_with_their_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--no-install"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"skipped {name}: {package} is not in {tmp_path}" for name, package in PACKAGES.items()
    ]


def _post(url: str, body: dict[str, Any]) -> str:
    asked = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "text/json"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return str(answer.read().decode())
