"""What a client says at a hook, and how it is answered, client by client. Pure.

The names were recorded from Claude Code 2.1.330, Codex 0.169 and Gemini CLI 0.61; those of Cursor
are of its reference. The plugin for opencode (`templates/clients/opencode`) is ours, and says what
Claude Code says.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping

from vaultmem.base import Any, dataclass

START, PROMPT, REPLY, SUBAGENT, COMPACTED, END = (
    "start",
    "prompt",
    "reply",
    "subagent",
    "compacted",
    "end",
)
# Event -> (what it is here, the key of its words).
_OF_CLAUDE = {
    "SessionStart": (START, ""),
    "UserPromptSubmit": (PROMPT, "prompt"),
    "Stop": (REPLY, "last_assistant_message"),
    "SubagentStart": (SUBAGENT, ""),
    "PostCompact": (COMPACTED, "compact_summary"),
    "SessionEnd": (END, ""),
}
_OF_GEMINI = {
    "SessionStart": (START, ""),
    "BeforeAgent": (PROMPT, "prompt"),
    "AfterAgent": (REPLY, "prompt_response"),
    "SessionEnd": (END, ""),
}
_OF_CURSOR = {
    "sessionStart": (START, ""),
    "beforeSubmitPrompt": (PROMPT, "prompt"),
    "afterAgentResponse": (REPLY, "text"),
    "sessionEnd": (END, ""),
}
_EVENTS = {
    "claude": _OF_CLAUDE,
    "codex": _OF_CLAUDE,
    "gemini": _OF_GEMINI,
    "opencode": _OF_CLAUDE,
    "cursor": _OF_CURSOR,
}
_SESSION_KEYS = ("session_id", "conversation_id")
_ID_LENGTH = 16  # of a UUID without hyphens: its first half, time and random of version 7
_LEAST_ID = 8
_NO_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One call of a hook."""

    client: str  # of `vaultmem hook`
    name: str  # as the client calls it
    kind: str  # START, PROMPT, ...
    session: str  # id of the session in the vault: claude-4f1c09...
    folders: tuple[str, ...] = ()  # where the assistant works; empty: not said
    words: str = ""  # as they came: the prompt, the reply or the summary
    is_subagent: bool = False  # then a prompt is a model's, and no person's


def read_event(client: str, data: bytes) -> Event | None:
    """The event of this JSON; None for one that is nothing to us, or no JSON."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    name = _text(found, "hook_event_name")
    kind, key = _EVENTS[client].get(name, ("", ""))
    if not kind:
        return None
    return Event(
        client=client,
        name=name,
        kind=kind,
        session=f"{client}-{_session(found)}",
        folders=_folders(found),
        words=_unquote(_text(found, key)) if client == "opencode" else _text(found, key),
        is_subagent=bool(_text(found, "agent_id") or _text(found, "agent_type")),
    )


def render_answer(event: Event, memory: str) -> str:
    """The answer with this memory in it, as the client reads it; '' for none."""
    if not memory:
        return ""
    answer: dict[str, Any]
    if event.client == "cursor":
        answer = {"additional_context": memory}
    elif event.client == "opencode":
        answer = {"context": memory}
    else:
        answer = {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": memory}}
    return json.dumps(answer)


def _unquote(words: str) -> str:
    """What was typed: `opencode run` hands an argument with blanks on in quotes of its own.

    Words in quotes are somebody else's, so nothing of it became an item.
    """
    is_quoted = len(words) > 1 and words.startswith('"') and words.endswith('"')
    return words[1:-1].replace('\\"', '"') if is_quoted else words


def _session(found: Mapping[str, Any]) -> str:
    """A name that a session of the vault can have, the same for each event of the client's."""
    told = next((text for key in _SESSION_KEYS if (text := _text(found, key))), "")
    plain = _NO_ID.sub("", told.lower())
    if len(plain) < _LEAST_ID:
        plain = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()
    return plain[:_ID_LENGTH]


def _folders(found: Mapping[str, Any]) -> tuple[str, ...]:
    roots = found.get("workspace_roots")
    others = roots if isinstance(roots, list) else []
    told = (_text(found, "cwd"), *(each for each in others if isinstance(each, str)))
    return tuple(each for each in told if each)


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key) if key else ""
    if not isinstance(value, str):
        return ""
    # Half of a character that a client cut in two: no file can hold it, and its turn would be
    # refused for ever (test_half_a_character_does_not_hold_up_what_is_said).
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
