"""The models of the settings, made when needed; recorded replies, prompts, and their check."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from vaultmem import base
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, Any, LLMError, SettingsError, disk_error, replace
from vaultmem.config import (
    CHAT,
    OFF,
    SUMMARISER,
    ModelSettings,
    is_on_this_device,
    model_settings,
    person_file,
    require_network,
)
from vaultmem.model import (
    JsonReply,
    Message,
    ModelCheck,
    ModelsChecked,
    Reply,
    Schema,
    Tried,
    object_schema,
)
from vaultmem.models.client import Client, DoesNotFitError, Stream, read_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.config import Settings
    from vaultmem.model import LLM, ReplyStream
    from vaultmem.vault import Vault

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

    def __init__(self, model: LLM, vault: Vault, about: str) -> None:
        self.name = model.name
        self.where = model.where
        self._model = model
        self._vault = vault
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
            # Two timeouts in a row end the asking: a hundred files before a server that hangs
            # waited for a hundred timeouts (16 s for three files with a timeout of 4).
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
        vaults.note_sending(self._vault, what, self.where, f"{size:,} characters")


def summariser(vault: Vault, *, about: str = "") -> LLM | None:
    """The model that reads what is remembered and writes summaries; None: there is none.

    about   what it is asked about: then each question is listed; '': the caller lists them
    raises SettingsError for one that cannot be used, LocalOnlyError for one elsewhere
    """
    found = _model(vault, SUMMARISER)
    return Listed(found, vault, about) if found is not None and about else found


def chat(vault: Vault) -> LLM:
    """The model that a person talks to; raises SettingsError where there is none, else as above."""
    require_chat(vault.settings)
    found = _model(vault, CHAT)
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


def _model(vault: Vault, role: str) -> LLM | None:
    known = vault.models.get(role)
    if known is not None:
        return known
    asked = model_settings(vault.settings.values, role)
    if asked.provider == OFF:
        return None
    require_network(vault.settings, _DOES[role], target=asked.base_url)
    vault.models[role] = make_model(asked, state=vault.state)
    return vault.models[role]


# --- prompts, by name; a person may write another text for any ---


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


# --- checks: what the models support, asked, not guessed ---

NONE_SET = "choose 'llm.provider' in your settings; see `vaultmem help llm`"
_READY = Message(role="user", text="Reply with the one word: ready")
_CITY = Message(
    role="user",
    text="Which city does this name, and is it a capital? 'Ada moved to Paris in May.'",
)
_SCHEMA = object_schema(city={"type": "string"}, is_capital={"type": "boolean"})


def check_models(settings: Settings) -> ModelsChecked:
    """Each model of the settings, asked three short questions; nothing of the vault is sent.

    Replies are neither recorded nor replayed here. What a model cannot do is in the report;
    raises SettingsError or LocalOnlyError where it cannot be asked at all.
    """
    kept, talks = (model_settings(settings.values, role) for role in (SUMMARISER, CHAT))
    if kept.provider == OFF and talks.provider == OFF:
        raise SettingsError("no language model is set", hint=NONE_SET)
    is_same = replace(talks, role=kept.role, prefix=kept.prefix) == kept
    wanted = [each for each in (kept, *(() if is_same else (talks,))) if each.provider != OFF]
    for each in wanted:
        require_network(settings, "asking a model", target=each.base_url)
    return ModelsChecked(
        models=tuple(_check(each) for each in wanted),
        extractor=settings.extractor,
        record=kept.record,
    )


def _check(asked: ModelSettings) -> ModelCheck:
    model = make_model(asked, state=None)
    names: list[str] = []
    tried = [_try("replies", lambda: _replies(model, names))]
    if tried[0].works:
        tried.append(_try("JSON", lambda: _gives_json(model)))
        tried.append(_try("streams", lambda: _streams(model)))
    return ModelCheck(
        role=asked.role,
        provider=asked.provider,
        model=asked.model,
        where=model.where,
        on_this_device=is_on_this_device(asked.base_url),
        has_key=bool(asked.api_key),
        answers_as=names[0] if names else "",
        tried=tuple(tried),
    )


def _try(what: str, ask: Callable[[], str]) -> Tried:
    began = time.perf_counter()
    try:
        told = ask()
    except LLMError as error:
        seconds = time.perf_counter() - began
        return Tried(
            what=what,
            works=False,
            told=f"{error.message}; {error.hint}" if error.hint else error.message,
            seconds=round(seconds, 3),
            kind=error.kind,
            exit_code=error.exit_code,
        )
    return Tried(what=what, works=True, told=told, seconds=round(time.perf_counter() - began, 3))


def _replies(model: LLM, names: list[str]) -> str:
    reply = model.complete([_READY])
    names.append(reply.model)
    return _token_counts(reply) or "it does not count tokens"


def _gives_json(model: LLM) -> str:
    answer = model.ask([_CITY], schema=_SCHEMA)
    how = {
        "schema": "kept to the schema",
        "object": "as an object; it does not take schemas",
        "prompt": "because the words ask for it; nothing else makes it",
    }[answer.how]
    is_right = answer.value["is_capital"] is True and "paris" in answer.value["city"].casefold()
    return how if is_right else f"{how}; but it answered an easy question wrongly"


def _streams(model: LLM) -> str:
    stream = model.stream([_READY])
    pieces = sum(1 for _ in stream)
    return f"in {pieces} piece{'' if pieces == 1 else 's'}"


def _token_counts(reply: Reply) -> str:
    if reply.tokens_in is None or reply.tokens_out is None:
        return ""
    return f"{reply.tokens_in} tokens in, {reply.tokens_out} out"
