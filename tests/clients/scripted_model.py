"""A model on loopback in four dialects, which calls one tool if it is told to, then says a word.

Messages of Anthropic, Responses and chats of OpenAI, and generateContent of Gemini, whole or as a
stream: what Claude Code, Codex, opencode, Gemini CLI and the SDKs speak.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from tests.serving import serving

SAID = "It is done."
_Event = tuple[str, dict[str, Any]]  # its name, which chats and Gemini leave out, and its data


class ScriptedModel(ThreadingHTTPServer):
    """Calls the tool of the script once, in the first request that offers it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []  # bodies, since the last script
        self._call: tuple[tuple[str, ...], Mapping[str, Any]] | None = None
        self._lock = Lock()

    @property
    def url(self) -> str:
        """Its address, without a path."""
        return f"http://127.0.0.1:{self.server_port}"

    def script(self, tools: Iterable[str] = (), arguments: Mapping[str, Any] | None = None) -> None:
        """Begin anew: call the first offered tool that ends in one of these; none: no call."""
        with self._lock:
            self.requests = []
            names = tuple(tools)
            self._call = (names, arguments or {}) if names else None

    def take(
        self, body: dict[str, Any], offered: Iterable[tuple[str, str]]
    ) -> tuple[str, str, Mapping[str, Any]] | None:
        """Note a request; the namespace, name and arguments of the tool that is called now."""
        with self._lock:
            self.requests.append(body)
            if self._call is None:
                return None
            names, arguments = self._call
            for namespace, name in offered:
                if name.endswith(names):
                    self._call = None
                    return namespace, name, arguments
        return None


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """A model that runs until the block ends."""
    with serving(ScriptedModel(), poll_seconds=0.05) as server:
        yield server


def tool_results(body: Mapping[str, Any]) -> str:
    """What tools answered in a request, in whichever dialect, as the model reads it."""
    found: list[str] = []
    for part in _walk(body):
        is_result = part.get("type") in ("tool_result", "function_call_output")
        if is_result or part.get("role") == "tool" or "functionResponse" in part:
            found.extend(_texts(part))
    return "\n".join(found)


def request_text(body: Mapping[str, Any]) -> str:
    """All texts of a request but the descriptions of tools, one below the other."""
    return "\n".join(_texts({name: value for name, value in body.items() if name != "tools"}))


def _walk(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _walk(each)
    elif isinstance(value, list):
        for each in value:
            yield from _walk(each)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: ScriptedModel
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_HEAD(self) -> None:
        self._reply(b"")

    def do_GET(self) -> None:
        models = {"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []}
        self._reply(json.dumps(models).encode())

    def do_POST(self) -> None:
        raw = self._body()
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        body = json.loads(raw or b"{}")
        path = self.path.partition("?")[0]
        is_streamed = bool(body.get("stream")) or "streamGenerateContent" in path
        if path.endswith("/count_tokens"):
            self._reply(b'{"input_tokens": 10}')
        elif path.endswith("/messages"):
            self._answer(*_of_messages(self.server, body), is_streamed)
        elif path.endswith("/responses"):
            self._answer(*_of_responses(self.server, body), is_streamed)
        elif path.endswith("/chat/completions"):
            self._answer(*_of_chat(self.server, body), is_streamed, end=b"data: [DONE]\n\n")
        elif path.endswith("enerateContent"):
            self._answer(*_of_gemini(self.server, body), is_streamed)
        else:
            self._reply(b"{}")

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _reply(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _answer(
        self, whole: dict[str, Any], events: list[_Event], is_streamed: bool, *, end: bytes = b""
    ) -> None:
        if not is_streamed:
            self._reply(json.dumps(whole).encode())
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        self.wfile.write(end)


_Answer = tuple[dict[str, Any], list[_Event]]  # whole, and as a stream


def _of_messages(model: ScriptedModel, body: dict[str, Any]) -> _Answer:
    called = model.take(body, [("", each.get("name", "")) for each in body.get("tools") or ()])
    usage = {"input_tokens": 10, "output_tokens": 5}
    block: dict[str, Any]
    if called:
        block = {"type": "tool_use", "id": "toolu_1", "name": called[1], "input": called[2]}
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(called[2])}
    else:
        block = {"type": "text", "text": SAID}
        empty = {**block, "text": ""}
        delta = {"type": "text_delta", "text": SAID}
    whole = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": [block],
        "stop_reason": "tool_use" if called else "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }
    stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": usage},
        {"type": "message_stop"},
    ]
    return whole, [(each["type"], each) for each in events]


def _of_responses(model: ScriptedModel, body: dict[str, Any]) -> _Answer:
    offered = []
    for tool in body.get("tools") or ():
        inner = tool.get("tools", ()) if tool.get("type") == "namespace" else ()
        offered += [(tool.get("name", ""), each.get("name", "")) for each in inner]
        offered += [] if inner else [("", tool.get("name", ""))]
    called = model.take(body, offered)
    item: dict[str, Any]
    if called:
        item = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": called[1],
            "arguments": json.dumps(called[2]),
            "status": "completed",
            **({"namespace": called[0]} if called[0] else {}),
        }
    else:
        text = {"type": "output_text", "text": SAID, "annotations": []}
        item = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [text],
        }
    whole = {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": body.get("model", "scripted"),
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 15,
        },
    }
    begun = {**whole, "status": "in_progress", "output": []}
    delta = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": SAID}
    told: list[dict[str, Any]] = [] if called else [{"type": "response.output_text.delta", **delta}]
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        *told,
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return whole, [
        (each["type"], {**each, "sequence_number": number}) for number, each in enumerate(events)
    ]


def _of_chat(model: ScriptedModel, body: dict[str, Any]) -> _Answer:
    tools = body.get("tools") or ()
    called = model.take(body, [("", each.get("function", {}).get("name", "")) for each in tools])
    message: dict[str, Any] = {"role": "assistant", "content": None if called else SAID}
    if called:
        function = {"name": called[1], "arguments": json.dumps(called[2])}
        message["tool_calls"] = [
            {"index": 0, "id": "call_1", "type": "function", "function": function}
        ]
    finish = "tool_calls" if called else "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    base = {"id": "chat_1", "created": 0, "model": body.get("model", "scripted")}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    whole = {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
    piece = {**base, "object": "chat.completion.chunk"}
    events: list[_Event] = [
        ("", {**piece, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        ("", {**piece, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}),
        ("", {**piece, "choices": [], "usage": usage}),
    ]
    return whole, events


def _of_gemini(model: ScriptedModel, body: dict[str, Any]) -> _Answer:
    offered = [
        ("", each.get("name", ""))
        for tool in body.get("tools") or ()
        for each in tool.get("functionDeclarations", ())
    ]
    called = model.take(body, offered)
    part: dict[str, Any] = {"text": SAID}
    if called:
        part = {"functionCall": {"id": "c1", "name": called[1], "args": called[2]}}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    whole = {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "usageMetadata": usage,
        "modelVersion": "scripted",
        "responseId": "r1",
    }
    return whole, [("", whole)]
