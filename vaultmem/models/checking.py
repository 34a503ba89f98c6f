"""Whether the language models of the settings work, and what they support: asked, not guessed."""

from __future__ import annotations

import time
from collections.abc import Callable

from vaultmem.base import TYPE_CHECKING, LLMError, SettingsError, replace
from vaultmem.config import (
    CHAT,
    OFF,
    SUMMARISER,
    ModelSettings,
    is_on_this_device,
    model_settings,
    require_network,
)
from vaultmem.model import Message, ModelCheck, ModelsChecked, Reply, Tried
from vaultmem.models.roles import make_model

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import LLM

NONE_SET = "choose 'llm.provider' in your settings; see `vaultmem help llm`"
_READY = Message(role="user", text="Reply with the one word: ready")
_CITY = Message(
    role="user",
    text="Which city does this name, and is it a capital? 'Ada moved to Paris in May.'",
)
_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "is_capital": {"type": "boolean"}},
    "required": ["city", "is_capital"],
    "additionalProperties": False,
}


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
