"""Which language models the person's settings name: one that keeps the memory, one to talk to.

Only the person's own file can name them (`PERSON_SECTIONS` of config/setting.py): whoever sets an
address reads every note that is sent there.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import TYPE_CHECKING, Any, dataclass, replace

if TYPE_CHECKING:
    from vaultmem.config.setting import Value

OFF = "none"
SUMMARISER, CHAT = "summariser", "chat"
ROLES = (SUMMARISER, CHAT)
_USUAL = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model, with what it takes from the other's settings filled in."""

    role: str  # of ROLES
    provider: str  # OFF, openai, anthropic
    base_url: str
    model: str
    api_key: str
    timeout_seconds: float
    max_tokens: int
    structured: str  # auto, schema, object, prompt
    record: str  # off, record, replay
    prefix: str  # of its settings: 'llm.' or 'llm.chat_'


def model_settings(values: Mapping[str, Value], role: str) -> ModelSettings:
    """The model of a role. What the one to talk to leaves open is as with the other, but for the
    key: that belongs to an address, and is not sent to another."""
    own: Mapping[str, Any] = values
    provider, url = own["llm.provider"], own["llm.base_url"]
    url = url or _USUAL.get(provider, "")
    prefix, key, model = "llm.", own["llm.api_key"], own["llm.model"]
    timeout, max_tokens = own["llm.timeout"], own["llm.max_tokens"]
    if role == CHAT:
        chosen = own["llm.chat_provider"] or provider
        usual = url if chosen == provider else _USUAL.get(chosen, "")
        place = own["llm.chat_base_url"] or usual
        same = place == url and chosen == provider
        key = own["llm.chat_api_key"] or (key if same else "")
        provider, url = chosen, place
        model = own["llm.chat_model"] or model
        timeout = own["llm.chat_timeout"] or timeout
        max_tokens = own["llm.chat_max_tokens"] or max_tokens
        prefix = "llm.chat_"
    return ModelSettings(
        role=role,
        provider=provider,
        base_url=url,
        model=model,
        api_key=key,
        timeout_seconds=timeout,
        max_tokens=max_tokens,
        structured=own["llm.structured"],
        record=own["llm.record"],
        prefix=prefix,
    )


def upstream_settings(values: Mapping[str, Value], provider: str) -> ModelSettings | None:
    """The server that `vaultmem proxy` asks in one of the two ways; None: there is none.

    provider  openai or anthropic

    The one that `proxy.PROVIDER_base_url` names, else that of the chat model. A server of one's own
    often answers both ways; the two companies' do not, and notes go to no address that the person
    did not write.
    """
    own: Mapping[str, Any] = values
    chat = model_settings(values, CHAT)
    url, key = own[f"proxy.{provider}_base_url"], own[f"proxy.{provider}_api_key"]
    if url:
        key = key or (chat.api_key if url == chat.base_url else "")
        return replace(
            chat, provider=provider, base_url=url, api_key=key, prefix=f"proxy.{provider}_"
        )
    if chat.provider == OFF:
        return None
    if chat.provider != provider and chat.base_url in _USUAL.values():
        return None
    return replace(chat, provider=provider)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionSettings:
    """How the memory reflects on what is new in it."""

    recent: int  # notes that are read
    insights: int  # of one reflection, at most
    trigger: float  # sum of importance of what is new, from which it is worth it
    importance: int  # of an insight, at least
    min_evidence: int  # notes
    depth: int  # insights on insights, at most


def reflection_settings(values: Mapping[str, Value], *, quick: bool = False) -> ReflectionSettings:
    """The numbers of reflection, or of the quick one over the last conversations."""
    own: Mapping[str, Any] = values
    return ReflectionSettings(
        recent=own["reflection.quick_sessions" if quick else "reflection.recent"],
        insights=own["reflection.quick_insights" if quick else "reflection.insights"],
        trigger=own["reflection.trigger"],
        importance=own["reflection.importance"],
        min_evidence=own["reflection.min_evidence"],
        depth=own["reflection.depth"],
    )
