"""The settings of conversations, as one record: `settings.sessions`."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import Any, dataclass
from vaultmem.config.settings import attributes

PREFIX = "sessions."


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """`sessions.*`, each under the name of its attribute without that prefix."""

    short_words: int
    long_words: int
    raw_turns: int
    long_turn_extra: int
    prune_every: int  # turns; 0: never
    code_share: float
    user_words: int
    assistant_words: int
    artifact_lines: int
    document_words: int
    summary_timeout_seconds: float
    recent_turns: int
    messages: int
    idle_seconds: int
    focus_terms: int
    focus_turns: int
    grounding: float
    truth_tokens: int  # 0: base truth of any size
    prompt_tokens: int


def session_settings(values: Mapping[str, Any]) -> SessionSettings:
    """The record from the values of all settings by key."""
    return SessionSettings(**attributes(values, SessionSettings.__annotations__, prefix=PREFIX))
