"""A client in this process: it sends lines to a server and keeps what comes back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vaultmem import Memory
from vaultmem.assistants.mcp.desk import Desk
from vaultmem.assistants.mcp.respond import Server
from vaultmem.assistants.mcp.wire import CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY, encode

FORM: dict[str, Any] = {"elicitation": {"form": {}}}
MODERN = "2026-07-28"


class Client:
    """Speaks one revision; `session`: as clients with a handshake do, else as those without."""

    def __init__(
        self,
        vault: Path,
        *,
        revision: str = "2025-11-25",
        capabilities: Mapping[str, Any] | None = None,
        tools: str = "default",
        name: str = "",
    ) -> None:
        self.sent: list[Any] = []
        self.server = Server(Desk(lambda: Memory(vault)), self._keep, tools=tools)
        self._capabilities = dict(capabilities or {})
        self._is_modern = revision == MODERN
        self._name = {"name": name} if name else {}
        self._last = 0
        if not self._is_modern:
            asked = {"protocolVersion": revision, "capabilities": self._capabilities}
            asked |= {"clientInfo": self._name} if name else {}
            self.opened = self.result("initialize", asked)
            self.notify("notifications/initialized")

    def _keep(self, message: object) -> None:
        self.sent.append(json.loads(encode(message)))

    def line(self, text: str | bytes) -> list[Any]:
        """What comes back to one line."""
        before = len(self.sent)
        self.server.take(text.encode() if isinstance(text, str) else text)
        return self.sent[before:]

    def notify(self, method: str, **params: Any) -> None:
        assert self.line(json.dumps({"jsonrpc": "2.0", "method": method, "params": params})) == []

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> list[Any]:
        """All that comes back to a request."""
        self._last += 1
        given = dict(params or {})
        if self._is_modern:
            meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: self._capabilities}
            meta |= {CLIENT_KEY: self._name} if self._name else {}
            given["_meta"] = meta
        asked = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": given}
        return self.line(json.dumps(asked))

    def result(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        [answer] = self.ask(method, params)
        assert answer["id"] == self._last
        return answer["result"]

    def error(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        [answer] = self.ask(method, params)
        code: int = answer["error"]["code"]
        return code

    def call(self, name: str, **arguments: Any) -> str:
        """The text of a tool that worked."""
        result = self.result("tools/call", {"name": name, "arguments": arguments})
        assert not result["isError"], result
        return text_of(result)

    def fails(self, name: str, **arguments: Any) -> str:
        """The text of a tool that did not."""
        result = self.result("tools/call", {"name": name, "arguments": arguments})
        assert result["isError"], result
        return text_of(result)

    def answer(self, question: Mapping[str, Any], reply: Mapping[str, Any]) -> Any:
        """The result of a call once the person has answered, in a session."""
        told = json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": reply})
        [answer] = self.line(told)
        return answer["result"]


def text_of(result: Mapping[str, Any]) -> str:
    [content] = result["content"]
    assert content["type"] == "text"
    assert "structuredContent" not in result
    text: str = content["text"]
    return text


def outside_of_fences(text: str) -> str:
    """What a model reads beside the fences: words of ours alone."""
    kept, fence = [], ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.removesuffix("memory")
        else:
            kept.append(line)
    assert not fence, "a fence is open"
    return "\n".join(kept)
