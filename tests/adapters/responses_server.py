"""A Responses server of OpenAI that says what a test wrote down, on this machine alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def said(text: str) -> dict[str, Any]:
    """The output of a model that answers."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The output of a model that calls a tool."""
    return {
        "type": "function_call",
        "id": "f",
        "call_id": "c",
        "name": name,
        "arguments": json.dumps(arguments),
        "status": "completed",
    }


@contextmanager
def responses_server(
    outputs: Sequence[dict[str, Any]],
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its address, and the requests that came; each is answered by the next output."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            requests.append(json.loads(body))
            reply = _reply(outputs[len(requests) - 1])
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _reply(output: dict[str, Any]) -> bytes:
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    return json.dumps(
        {
            "id": "r",
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": "scripted",
            "output": [output],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage,
        }
    ).encode()
