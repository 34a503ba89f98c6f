"""A language model as the summariser of turns: what it is told, and how it has to answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.config_sessions import session_settings
from vaultmem.model.messages import Message
from vaultmem.model.sessions import Exchange
from vaultmem.operations.session_files import Conversation
from vaultmem.sessions import turnlog
from vaultmem.sessions.reply import DIFF_KEYS
from vaultmem.sessions.words import clip_words

if TYPE_CHECKING:
    from vaultmem.model.messages import Schema
    from vaultmem.operations.parts import Parts
    from vaultmem.operations.session_steps import Summariser
    from vaultmem.ports import LLM

TEMPLATE = "session_turn.md"
_LAST_ENTRIES = 6  # of the log, so that 'it' and 'that' can be understood
_MOST_WORDS = 1500  # of each side: what is beyond was rarely meant for the list
_TEXTS = {"type": "array", "items": {"type": "string"}}
SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "user_summary": {"type": "string"},
        "assistant_summary": {"type": "string"},
        "diff": {
            "type": "object",
            "properties": dict.fromkeys(DIFF_KEYS, _TEXTS),
            "required": list(DIFF_KEYS),
        },
    },
    "required": ["user_summary", "assistant_summary", "diff"],
}


def summariser_of(parts: Parts) -> Summariser | None:
    """What asks the model of the settings about a turn; None: there is no model."""
    from vaultmem.operations.models import summariser

    found = summariser(parts)
    return None if found is None else asking(parts, found)


def asking(parts: Parts, model: LLM) -> Summariser:
    """What asks this model about a turn; the template is read once."""
    limits = session_settings(parts.settings.values)
    rules = template()
    for name, value in (
        ("user_words", limits.user_words),
        ("assistant_words", limits.assistant_words),
    ):
        rules = rules.replace("{" + name + "}", str(value))

    def ask(before: Conversation, exchange: Exchange) -> str:
        from vaultmem.operations.anchoring import note_sending

        told = Message(role="user", text=question(before, exchange))
        note_sending(parts, "summarise a turn", model.where, f"turn {exchange.turn}")
        answer = model.ask(
            (Message(role="system", text=rules), told),
            schema=SCHEMA,
            timeout_seconds=limits.summary_timeout_seconds,
        )
        return json.dumps(dict(answer.value))

    return ask


def question(before: Conversation, exchange: Exchange) -> str:
    """The facts, the last entries of the log, and the turn, as JSON: nothing can end a string."""
    told = turnlog.told(before.log)
    last = [told[turn] for turn in list(told)[-_LAST_ENTRIES:]]
    return json.dumps(
        {
            "facts": [fact.text for fact in before.facts if not fact.hard],
            "rules, not to be touched": [fact.text for fact in before.facts if fact.hard],
            "open tasks": [fact.text for fact in before.facts if fact.task == "open"],
            "before": [{"person": each.user, "assistant": each.assistant} for each in last],
            "turn": {
                "person": _clipped(exchange.user),
                "assistant": _clipped(exchange.assistant),
            },
        },
        ensure_ascii=False,
        indent=1,
    )


def template() -> str:
    """The instructions as they come with the program, without the line that has their version."""
    from vaultmem.assets import templates

    file: Path = templates() / "prompts" / TEMPLATE
    _, _, text = file.read_text(encoding="utf-8").partition("\n")
    return text.strip()


def _clipped(text: str) -> str:
    """A message as it is, but for the middle of a very long one."""
    if len(text) <= 8 * _MOST_WORDS:
        return text
    words = text.split()
    if len(words) <= _MOST_WORDS:
        return text
    head, _ = clip_words(" ".join(words[: _MOST_WORDS * 3 // 4]), _MOST_WORDS)
    return f"{head}\n[...]\n{' '.join(words[-_MOST_WORDS // 4 :])}"
