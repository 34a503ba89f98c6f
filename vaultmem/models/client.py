"""A model behind an address: whole, streamed and JSON replies; what its server does not take.

What a server does not take is learned from its refusals, and kept (below): JSON schemas, JSON
objects, a temperature, the name of the bound on tokens.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from vaultmem import base
from vaultmem.base import Any, LLMError, NamedTuple, SettingsError, replace
from vaultmem.model import JsonReply, Message, Reply, Schema
from vaultmem.models.dialects import (
    MODES,
    AnthropicMessages,
    ChatCompletions,
    Dialect,
    Question,
    as_json,
    require_finished,
    unusable,
)
from vaultmem.models.http import (
    DONE,
    Deadline,
    Exchange,
    NoEventsError,
    address_of,
    data_of,
    require_key,
)

# --- habits: what a server was found not to take ---

# Each command is a process: without this, a server that refuses JSON schemas is asked with one, and
# refuses, at every command. No text, address or key is in the file; a week later a server is tried
# anew, as it may have learned.
FILE = "model-servers.json"
_WEEK_SECONDS = 7 * 86_400
_MOST = 32  # servers that are remembered


class Habit(NamedTuple):
    """The strongest way in which JSON may be asked for, '' where all are taken, and parameters that
    are refused."""

    mode: str = ""
    without: tuple[str, ...] = ()


class Habits:
    """Of one server and model. What cannot be read or written is as if never learned."""

    def __init__(self, state: Path, *parts: str) -> None:
        """parts: what names the server and the model."""
        self._file = state / FILE
        self._key = sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]

    def read(self) -> Habit:
        """What is known; nothing, where that is older than a week."""
        found = self._all().get(self._key)
        # Each command is a process, and each began with a question that a server without schemas
        # refuses: what it refused is known for a week.
        if not isinstance(found, dict):
            return Habit()
        at, mode, without = (found.get(name) for name in ("at", "mode", "without"))
        # A time that lies ahead was written by a clock that was wrong.
        if not isinstance(at, int | float) or not 0 <= time.time() - at < _WEEK_SECONDS:
            return Habit()
        names = without if isinstance(without, list) else []
        return Habit(
            mode if isinstance(mode, str) and mode in MODES else "",
            tuple(name for name in names if isinstance(name, str)),
        )

    def write(self, mode: str, without: Collection[str]) -> None:
        """Keep what was learned just now."""
        known = self._all()
        known.pop(self._key, None)
        kept = dict(list(known.items())[-_MOST + 1 :])
        kept[self._key] = {"at": int(time.time()), "mode": mode, "without": sorted(without)}
        with suppress(OSError):
            base.replace_file(self._file, json.dumps(kept).encode())

    def _all(self) -> dict[str, object]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


DIALECTS: dict[str, type[ChatCompletions] | type[AnthropicMessages]] = {
    "openai": ChatCompletions,
    "anthropic": AnthropicMessages,
}
AUTO = "auto"
TRIES = 3
STREAM_FACTOR = 10  # times the timeout: the longest that a reply may take to come, as a stream
_PAUSE_SECONDS = 0.5
_LEARNED = {
    "max_tokens": "max_completion_tokens",  # the name that the refusal asks for
    "temperature": "temperature",
    "stream_options": "stream_options",
}
_NAMES_FORMAT = re.compile(
    r"response_format|json_schema|json_object|schema|grammar|structured|tool_choice|tools?\b",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context|too long|too many tokens|maximum.{0,40}tokens|exceed", re.IGNORECASE
)


class Stream:
    """A reply as it comes: an iterator over its pieces, which raises LLMError where it breaks.

    `reply` is the whole of it once the last piece was taken, None before. `close` hangs up.
    """

    def __init__(self, pieces: Generator[str, None, Reply]) -> None:
        self._pieces = pieces
        self.reply: Reply | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration as done:
            self.reply = self.reply or done.value
            raise

    def close(self) -> None:
        """End it; the server is told by the connection that closes."""
        self._pieces.close()


class Client:
    """A language model (ports.LLM) that is asked over HTTP.

    provider         openai (any server of `/chat/completions`) or anthropic
    url              up to and with `/v1`; https, or http on this machine
    key              '': none is sent
    timeout_seconds  for one question with all its tries, > 0
    max_tokens       of a reply, > 0
    structured       how JSON is asked for: schema, object, prompt, or auto: what works
    setting          prefix of the settings that messages name: 'llm' or 'llm.chat'
    state            where what the server refuses is remembered; None: nowhere
    """

    def __init__(
        self,
        *,
        provider: str,
        url: str,
        model: str,
        key: str,
        timeout_seconds: float,
        max_tokens: int,
        structured: str = AUTO,
        setting: str = "llm.",
        pause_seconds: float = _PAUSE_SECONDS,
        state: Path | None = None,
    ) -> None:
        address = address_of(url, key=f"{setting}base_url")
        require_key(key, key=f"{setting}api_key")
        if not model:
            raise SettingsError(f"'{setting}model' is empty", hint="say which model to use")
        self.name = f"{provider} {model}"
        self.where = address.where
        self._model = model
        self._seconds = timeout_seconds
        self._max_tokens = max_tokens
        self._dialect: Dialect = DIALECTS[provider](address.where, key)
        modes = [mode for mode in MODES if mode in self._dialect.modes]
        if structured != AUTO:
            modes = [mode for mode in modes[:-1] if mode == structured] or modes[-1:]
        self._modes = modes
        self._without: set[str] = set()
        self._habits = Habits(state, provider, url, model, structured) if state else None
        if self._habits is not None:
            known = self._habits.read()
            self._without |= {name for name in known.without if name in _LEARNED}
            self._modes = modes[modes.index(known.mode) :] if known.mode in modes else modes
        path = address.path
        # People write its address with and without it.
        if provider == "anthropic" and not path.endswith("/v1"):
            path += "/v1"
        self._exchange = Exchange(
            address,
            path.removesuffix(self._dialect.path) + self._dialect.path,
            headers=self._dialect.headers(),
            key=key,
            tries=TRIES,
            pause_seconds=pause_seconds,
            is_final=_refuses_format,
        )

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """A whole reply, never empty; raises LLMError."""
        question = Question(messages=messages, max_tokens=max_tokens or self._max_tokens)
        return self._reply(question, Deadline(timeout_seconds or self._seconds))

    def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> JsonReply:
        """A reply as an object of the schema, asked for a second time when the first is none.

        raises LLMError, of kind 'bad_output' with the reply as its `text`
        """
        deadline = Deadline(timeout_seconds or self._seconds)
        question = Question(
            messages=messages, max_tokens=max_tokens or self._max_tokens, schema=schema
        )
        reply, mode = self._reply_in_mode(question, deadline)
        try:
            return JsonReply(value=read_object(reply.text, schema), how=mode, reply=reply)
        except DoesNotFitError:
            reply, mode = self._reply_in_mode(question, deadline)
        try:
            return JsonReply(value=read_object(reply.text, schema), how=mode, reply=reply)
        except DoesNotFitError as wrong:
            raise LLMError(
                "bad_output",
                f"the model at {self.where} answered twice with what was not asked for: {wrong}",
                text=reply.text,
            ) from wrong

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Stream:
        """A reply as it comes; nothing is sent before the first piece is asked for.

        timeout_seconds  until it begins, and for each pause in it; STREAM_FACTOR times that in all
        """
        question = Question(
            messages=messages, max_tokens=max_tokens or self._max_tokens, is_streamed=True
        )
        return Stream(self._stream_reply(question, timeout_seconds or self._seconds))

    # --- one reply ---------------------------------------------------------------------------

    def _reply(self, question: Question, deadline: Deadline) -> Reply:
        while True:
            asked = replace(question, without=frozenset(self._without))
            try:
                body = self._exchange.post(self._dialect.body(self._model, asked), deadline)
                break
            except LLMError as error:
                if not self._learns(error):
                    raise
        reply, reason = self._dialect.reply(as_json(body, where=self.where))
        require_finished(reason, reply.text, where=self.where)
        if not reply.text.strip():
            raise unusable(self.where, "its reply is empty")
        return reply

    def _reply_in_mode(self, question: Question, deadline: Deadline) -> tuple[Reply, str]:
        """A reply in the strongest mode that the server takes, and which that was."""
        for at, mode in enumerate(self._modes):
            try:
                reply = self._reply(replace(question, mode=mode), deadline)
            except LLMError as error:
                if at + 1 == len(self._modes) or not _refuses_format(error):
                    raise
            else:
                self._modes = self._modes[at:]
                if at:
                    self._remember()
                return reply, mode
        raise AssertionError("the last mode returns or raises")

    def _learns(self, error: LLMError) -> bool:
        """Whether a refusal names a parameter that may be left out from now on."""
        if error.status not in (400, 422):
            return False
        for name, sign in _LEARNED.items():
            if name not in self._without and sign in error.said:
                self._without.add(name)
                self._remember()
                return True
        return False

    def _remember(self) -> None:
        if self._habits is not None:
            self._habits.write(self._modes[0], self._without)

    # --- a reply as it comes -----------------------------------------------------------------

    def _stream_reply(self, question: Question, seconds: float) -> Generator[str, None, Reply]:
        while True:
            asked = replace(question, without=frozenset(self._without))
            pieces = self._exchange.stream(
                self._dialect.body(self._model, asked),
                first=Deadline(seconds),
                whole=Deadline(seconds * STREAM_FACTOR),
            )
            try:
                return (yield from self._read(pieces))
            except LLMError as error:
                # What was given out cannot be taken back, so nothing is asked anew behind it.
                if error.text or not self._learns(error):
                    raise
            finally:
                pieces.close()

    def _read(self, pieces: Iterator[bytes]) -> Generator[str, None, Reply]:
        """The texts of a stream's events; all of them in the end."""
        reply = Reply(text="")
        finish = ""
        try:
            for data in data_of(pieces):
                if data.strip() == DONE:
                    break
                piece = self._dialect.piece(as_json(data.encode(), where=self.where))
                reply = Reply(
                    text=reply.text + piece.text,
                    model=piece.model or reply.model,
                    tokens_in=reply.tokens_in if piece.tokens_in is None else piece.tokens_in,
                    tokens_out=reply.tokens_out if piece.tokens_out is None else piece.tokens_out,
                )
                finish = piece.finish or finish
                if piece.text:
                    yield piece.text
        except NoEventsError as error:
            raise self._with_partial_text(unusable(self.where, str(error)), reply.text) from error
        except LLMError as error:
            # What ended the stream is known to be whole: how the connection ended does not count.
            if not finish:
                raise self._with_partial_text(error, reply.text) from error
        if not finish:
            message = f"the model at {self.where} stopped in the middle of its reply"
            raise LLMError("truncated", message, text=reply.text, hint="try again")
        require_finished(finish, reply.text, where=self.where)
        if not reply.text.strip():
            raise unusable(self.where, "its reply is empty")
        return reply

    def _with_partial_text(self, error: LLMError, text: str) -> LLMError:
        """The error, with the reply as far as it came."""
        error.text = error.text or text
        return error


def _refuses_format(error: LLMError) -> bool:
    """Whether a weaker way of asking for JSON may be taken.

    Some servers answer 500 to a schema and name it; others 400 or 422 without naming anything.
    """
    if _TOO_LONG.search(error.said) and not _NAMES_FORMAT.search(error.said):
        return False
    if error.status in (400, 422):
        return True
    return error.status >= 500 and _NAMES_FORMAT.search(error.said) is not None


_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPENED = re.compile(r"\A\s*<(?:think|thinking|reasoning)>", re.IGNORECASE)
_MOST_STARTS = 64  # braces of a reply at which an object is looked for
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


class DoesNotFitError(ValueError):
    """The reply holds no object of the schema; the message says where it differs."""


def read_object(text: str, schema: Schema) -> dict[str, Any]:
    """The object in a reply, with the keys of its schema alone; raises DoesNotFitError.

    A list that is missing is empty, what may be null is null; anything else that is required and
    missing does not fit.
    """
    found = _object_in(without_thought(text))
    fitted = _fit(found, schema, "the reply")
    assert isinstance(fitted, dict)
    return fitted


def without_thought(text: str) -> str:
    """The reply behind what the model thought aloud; raises DoesNotFitError where that is all."""
    rest = _THOUGHT.sub("", text, count=1)
    if _OPENED.match(rest):
        raise DoesNotFitError("the reply is a thought that does not end")
    return rest


def _object_in(text: str) -> dict[str, Any]:
    """The first whole JSON object of a text."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    start = -1
    for _ in range(_MOST_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            break
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise DoesNotFitError("the reply holds no JSON object")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _fit(value: Any, schema: Schema, where: str) -> Any:
    """The value without what its schema does not name."""
    allowed = schema.get("type", "object")
    names = [allowed] if isinstance(allowed, str) else list(allowed)
    if not any(_is_of(value, name) for name in names):
        raise DoesNotFitError(f"{where} is no {' or '.join(names)}")
    if "enum" in schema and value not in schema["enum"]:
        raise DoesNotFitError(f"{where} is none of {', '.join(map(str, schema['enum']))}")
    if isinstance(value, str):
        # Half of a pair has no bytes: no file could hold it.
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        inner = schema.get("items", {"type": list(_TYPES)})
        return [_fit(each, inner, f"{where}[{at}]") for at, each in enumerate(value)]
    if isinstance(value, dict):
        return _fitted_object(value, schema, where)
    return value


def _fitted_object(value: dict[str, Any], schema: Schema, where: str) -> dict[str, Any]:
    fitted = {}
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            fitted[name] = _fit(value[name], inner, f"{where}.{name}")
        elif inner.get("type") == "array":
            fitted[name] = []
        elif "null" in inner.get("type", ()):
            fitted[name] = None
        elif name in schema.get("required", ()):
            raise DoesNotFitError(f"{where} has no '{name}'")
    return fitted


def _is_of(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, float) and name == "integer":
        return value.is_integer() and abs(value) < 1e15
    return isinstance(value, _TYPES[name])
