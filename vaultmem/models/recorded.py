"""Replies of a model, kept in the device state by what was asked, and given again without it.

One JSON file for each question: the messages and the reply, and never an address or a key. They
hold what notes say, so `purge` cleans them as it does all files of the device state.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from vaultmem import base
from vaultmem.base import Any, LLMError, disk_error
from vaultmem.model import JsonReply, Message, Reply, Schema
from vaultmem.models.client import Client, DoesNotFitError, Stream, read_object

FOLDER = "replies"
RECORD, REPLAY = "record", "replay"


class Recorded:
    """A language model (ports.LLM) that remembers what it was asked.

    folder  of the recordings; made when the first one is kept
    replay  whether only they answer, and the model is never asked: what was not recorded is an
            LLMError of kind 'unrecorded'
    """

    def __init__(self, model: Client, folder: Path, *, replay: bool) -> None:
        self.name = model.name
        self.where = model.where
        self._model = model
        self._folder = folder
        self._replay = replay

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """As the model's own; raises LLMError."""
        file = self._file("text", messages, {})
        if self._replay:
            return _reply(self._read(file))
        reply = self._model.complete(
            messages, max_tokens=max_tokens, timeout_seconds=timeout_seconds
        )
        self._write(file, messages, reply)
        return reply

    def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> JsonReply:
        """As the model's own; raises LLMError."""
        file = self._file("object", messages, schema)
        if self._replay:
            found = self._read(file)
            reply = _reply(found)
            try:
                value = read_object(reply.text, schema)
            except DoesNotFitError as wrong:
                raise self._missing(file) from wrong
            return JsonReply(value=value, how=str(found.get("how", "")), reply=reply)
        answer = self._model.ask(
            messages, schema=schema, max_tokens=max_tokens, timeout_seconds=timeout_seconds
        )
        self._write(file, messages, answer.reply, how=answer.how)
        return answer

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Stream:
        """As the model's own; a recorded reply comes in one piece."""
        return Stream(self._stream_recorded(messages, max_tokens, timeout_seconds))

    def _stream_recorded(
        self, messages: Sequence[Message], max_tokens: int | None, timeout_seconds: float | None
    ) -> Generator[str, None, Reply]:
        file = self._file("text", messages, {})
        if self._replay:
            reply = _reply(self._read(file))
            yield reply.text
            return reply
        stream = self._model.stream(
            messages, max_tokens=max_tokens, timeout_seconds=timeout_seconds
        )
        try:
            yield from stream
        finally:
            stream.close()
        assert stream.reply is not None
        self._write(file, messages, stream.reply)
        return stream.reply

    def _file(self, what: str, messages: Sequence[Message], schema: Schema) -> Path:
        """Where the reply to a question lies: by the hash of all that it depends on."""
        asked = [self.name, what, [[each.role, each.text] for each in messages], dict(schema)]
        digest = sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        return self._folder / f"{digest[:32]}.json"

    def _read(self, file: Path) -> Mapping[str, Any]:
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise self._missing(file) from error
        if not isinstance(found, dict) or not isinstance(found.get("text"), str):
            raise self._missing(file)
        return found

    def _missing(self, file: Path) -> LLMError:
        return LLMError(
            "unrecorded", f"no reply of '{self.name}' to this was recorded ({file.stem})"
        )

    def _write(
        self, file: Path, messages: Sequence[Message], reply: Reply, *, how: str = ""
    ) -> None:
        kept = {
            "asked": [{"role": each.role, "text": each.text} for each in messages],
            "by": self.name,
            "how": how,
            "model": reply.model,
            "text": reply.text,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
        }
        text = json.dumps(kept, ensure_ascii=False, indent=1)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            base.replace_file(file, text.encode("utf-8", "replace"))
        except OSError as error:
            raise disk_error(error, doing="write", what=file) from error


def _reply(found: Mapping[str, Any]) -> Reply:
    counts = {name: found.get(name) for name in ("tokens_in", "tokens_out")}
    known = {name: count for name, count in counts.items() if isinstance(count, int)}
    return Reply(
        text=found["text"],
        model=str(found.get("model", "")),
        tokens_in=known.get("tokens_in"),
        tokens_out=known.get("tokens_out"),
    )
