"""The language models that the person's settings name, made when they are first needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.config_llm import CHAT, OFF, SUMMARISER, ModelSettings, model_settings
from vaultmem.config_network import require_network
from vaultmem.errors import BadInputError, SettingsError

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.ports import LLM

_DOES = {SUMMARISER: "asking the model that keeps the memory", CHAT: "talking to a model"}
_LEAST_SECONDS = 0.05


def summariser(parts: Parts) -> LLM | None:
    """The model that reads what is remembered and writes summaries; None: there is none.

    raises SettingsError for one that cannot be used, LocalOnlyError for one elsewhere
    """
    return _model(parts, SUMMARISER)


def chat(parts: Parts) -> LLM:
    """The model that a person talks to; raises BadInputError where there is none, else as above."""
    found = _model(parts, CHAT)
    if found is None:
        raise BadInputError(
            "no language model is set",
            hint="choose 'llm.provider' in your settings; see `vaultmem help llm`",
        )
    return found


def made(asked: ModelSettings, *, state: Path | None) -> LLM:
    """The model of these settings; `state`: where replies are recorded, None: nowhere.

    raises SettingsError
    """
    from vaultmem.llm.client import Client

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
    )
    if state is None or asked.record == "off":
        return client
    from vaultmem.llm.recorded import FOLDER, REPLAY, Recorded

    return Recorded(client, state / FOLDER, replay=asked.record == REPLAY)


def _model(parts: Parts, role: str) -> LLM | None:
    known = parts.models.get(role)
    if known is not None:
        return known
    asked = model_settings(parts.settings.values, role)
    if asked.provider == OFF:
        return None
    require_network(parts.settings, _DOES[role], target=asked.base_url)
    parts.models[role] = made(asked, state=parts.state)
    return parts.models[role]
