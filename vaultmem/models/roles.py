"""The language models that the person's settings name, made when they are first needed."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from vaultmem import base, vault
from vaultmem.base import TYPE_CHECKING, Any, LLMError, SettingsError, disk_error
from vaultmem.config import (
    CHAT,
    OFF,
    SUMMARISER,
    ModelSettings,
    model_settings,
    person_file,
    require_network,
)
from vaultmem.model import JsonReply, Message, Reply, Schema
from vaultmem.models.client import Client, DoesNotFitError, Stream, read_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.base import LLMError
    from vaultmem.config import Settings
    from vaultmem.model import LLM, JsonReply, Message, Reply, ReplyStream, Schema
    from vaultmem.vault import Parts

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


_DOES = {SUMMARISER: "asking the model that keeps the memory", CHAT: "talking to a model"}
_LEAST_SECONDS = 0.05


class Listed:
    """A language model (ports.LLM) whose questions `vaultmem audit` lists (promise P10).

    For one operation: where the model does not answer at all, later questions of it get the same
    error at once, so that a hundred texts do not wait for a hundred timeouts. One question may be
    too much for it; two in a row that take too long are not.
    """

    def __init__(self, model: LLM, parts: Parts, about: str) -> None:
        self.name = model.name
        self.where = model.where
        self._model = model
        self._parts = parts
        self._about = about
        self._slow = 0  # questions in a row that it did not answer in time
        self._silent: LLMError | None = None

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """As the model's own."""
        self._note(messages)
        with self._watch_errors():
            return self._model.complete(
                messages, max_tokens=max_tokens, timeout_seconds=timeout_seconds
            )

    def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> JsonReply:
        """As the model's own."""
        self._note(messages)
        with self._watch_errors():
            return self._model.ask(
                messages, schema=schema, max_tokens=max_tokens, timeout_seconds=timeout_seconds
            )

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ReplyStream:
        """As the model's own."""
        self._note(messages)
        return self._model.stream(messages, max_tokens=max_tokens, timeout_seconds=timeout_seconds)

    @contextmanager
    def _watch_errors(self) -> Iterator[None]:

        try:
            yield
        except base.LLMError as error:
            self._slow = self._slow + 1 if error.kind == "timeout" else 0
            if error.kind in base.LASTING or self._slow > 1:
                self._silent = error
            raise
        self._slow = 0

    def _note(self, messages: Sequence[Message]) -> None:

        if self._silent is not None:
            raise self._silent
        size = sum(len(each.text) for each in messages)
        what = f"ask the model about {self._about}"
        vault.note_sending(self._parts, what, self.where, f"{size:,} characters")


def summariser(parts: Parts, *, about: str = "") -> LLM | None:
    """The model that reads what is remembered and writes summaries; None: there is none.

    about   what it is asked about: then each question is listed; '': the caller lists them
    raises SettingsError for one that cannot be used, LocalOnlyError for one elsewhere
    """
    found = _model(parts, SUMMARISER)
    return Listed(found, parts, about) if found is not None and about else found


def chat(parts: Parts) -> LLM:
    """The model that a person talks to; raises SettingsError where there is none, else as above."""
    require_chat(parts.settings)
    found = _model(parts, CHAT)
    assert found is not None
    return found


def require_chat(settings: Settings) -> ModelSettings:
    """What the settings say of the model that a person talks to, if it may be asked.

    raises SettingsError where there is none, LocalOnlyError for one elsewhere
    """
    asked = model_settings(settings.values, CHAT)
    if asked.provider == OFF:
        raise SettingsError(
            "no language model is set",
            hint="choose 'llm.provider' in your settings; see `vaultmem help llm`",
        )
    require_network(settings, _DOES[CHAT], target=asked.base_url)
    return asked


def make_model(asked: ModelSettings, *, state: Path | None) -> LLM:
    """The model of these settings; `state`: where replies are recorded, None: nowhere.

    raises SettingsError
    """
    from vaultmem.models.client import Client  # saves 25 modules

    if asked.timeout_seconds < _LEAST_SECONDS:
        raise SettingsError(f"'{asked.prefix}timeout' is too short for an answer")
    client = Client(
        provider=asked.provider,
        url=asked.base_url,
        model=asked.model,
        key=asked.api_key,
        timeout_seconds=asked.timeout_seconds,
        max_tokens=asked.max_tokens,
        structured=asked.structured,
        setting=asked.prefix,
        state=state,
    )
    if state is None or asked.record == "off":
        return client

    return Recorded(client, state / FOLDER, replay=asked.record == REPLAY)


def _model(parts: Parts, role: str) -> LLM | None:
    known = parts.models.get(role)
    if known is not None:
        return known
    asked = model_settings(parts.settings.values, role)
    if asked.provider == OFF:
        return None
    require_network(parts.settings, _DOES[role], target=asked.base_url)
    parts.models[role] = make_model(asked, state=parts.state)
    return parts.models[role]


# What language models are told, by name; a person may write another text for any of it.


def instructions(name: str) -> str:
    """What the model is told: the person's own file beside their settings, or that of the program.

    A file of theirs is `prompts/NAME.md`; its first line is its name and version, as in ours.
    raises SettingsError for one that cannot be read
    """

    own = Path(person_file(os.environ)).parent / "prompts" / f"{name}.md"
    try:
        _, _, text = own.read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        _, text = base.prompt(name)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read '{own}': {error}") from error
    return text.strip()
