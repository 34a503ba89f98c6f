"""A language model as the summariser of turns: what it is told, and how it has to answer."""

from __future__ import annotations

import json
from collections.abc import Sequence

from vaultmem import models
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, VaultmemError
from vaultmem.config import session_settings
from vaultmem.language import format_date
from vaultmem.model import Exchange, Message
from vaultmem.models import instructions
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.summarise import DIFF_KEYS
from vaultmem.sessions.truth import Fact
from vaultmem.sessions.turn_size import clip_words

if TYPE_CHECKING:
    from vaultmem.model import LLM, Schema
    from vaultmem.sessions.steps import Summariser
    from vaultmem.vault import Vault

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
            "additionalProperties": False,
        },
    },
    "required": ["user_summary", "assistant_summary", "diff"],
    "additionalProperties": False,
}

KEEP: Schema = {
    "type": "object",
    "properties": {"keep": _TEXTS},
    "required": ["keep"],
    "additionalProperties": False,
}


class AskedModel:
    """A model as the summariser of turns; what it is told is read once.

    Called with a session before a turn, and the turn; `facts_to_keep` looks through base truth.
    """

    def __init__(self, vault: Vault, model: LLM) -> None:
        self._vault = vault
        self._model = model
        self._limits = session_settings(vault.settings.values)
        told = instructions("session_turn")
        for name in ("user_words", "assistant_words"):
            told = told.replace("{" + name + "}", str(getattr(self._limits, name)))
        self._turn = told

    def __call__(self, before: Conversation, exchange: Exchange) -> str:
        """The summary of a turn as JSON; raises LLMError."""
        what = f"turn {exchange.turn}"
        said_at = self._vault.clock.now() if exchange.at is None else exchange.at
        day = format_date(said_at, self._vault.settings.timezone)
        return self._ask(self._turn, question(before, exchange, day=day), SCHEMA, what)

    def facts_to_keep(self, facts: Sequence[Fact]) -> tuple[str, ...]:
        """The facts that it would keep, as texts: untrusted; raises LLMError."""
        day = format_date(self._vault.clock.now(), self._vault.settings.timezone)
        told = {"day": day, "facts": [fact.text for fact in facts]}
        listed = json.dumps(told, ensure_ascii=False)
        reply = self._ask(instructions("session_prune"), listed, KEEP, "base truth")
        found = json.loads(reply)["keep"]
        return tuple(found)

    def _ask(self, told: str, text: str, schema: Schema, what: str) -> str:

        vaults.note_sending(self._vault, "ask the model about a session", self._model.where, what)
        answer = self._model.ask(
            (Message(role="system", text=told), Message(role="user", text=text)),
            schema=schema,
            timeout_seconds=self._limits.summary_timeout_seconds,
        )
        return json.dumps(dict(answer.value))


def summariser_of(vault: Vault) -> Summariser | None:
    """What asks the model of the settings about a turn; None: there is no model.

    A model that cannot be used fails with each question: turns are kept all the same, and are
    made up for once the settings are right.
    """
    try:
        found = models.summariser(vault)
        return None if found is None else AskedModel(vault, found)
    except VaultmemError as error:
        # With a model that is not named, or whose package is missing, `session turn` kept nothing.
        return _refusing(error)


def _refusing(error: VaultmemError) -> Summariser:
    def ask(before: Conversation, exchange: Exchange) -> str:
        raise error

    return ask


def question(before: Conversation, exchange: Exchange, *, day: str) -> str:
    """The facts, the last entries of the log, and the turn, as JSON: nothing can end a string.

    day  YYYY-MM-DD, on which the turn was said
    """
    told = log.latest_entries(before.log)
    last = [told[turn] for turn in list(told)[-_LAST_ENTRIES:]]
    return json.dumps(
        {
            "facts": [fact.text for fact in before.facts if not fact.hard],
            "rules, not to be touched": [fact.text for fact in before.facts if fact.hard],
            "open tasks": [fact.text for fact in before.facts if fact.task == "open"],
            "before": [{"person": each.user, "assistant": each.assistant} for each in last],
            "day": day,
            "turn": {
                "person": _clip_middle(exchange.user),
                "assistant": _clip_middle(exchange.assistant),
            },
        },
        ensure_ascii=False,
        indent=1,
    )


def _clip_middle(text: str) -> str:
    """A message as it is, but for the middle of a very long one."""
    if len(text) <= 8 * _MOST_WORDS:
        return text
    words = text.split()
    if len(words) <= _MOST_WORDS:
        return text
    head, _ = clip_words(" ".join(words[: _MOST_WORDS * 3 // 4]), _MOST_WORDS)
    return f"{head}\n[...]\n{' '.join(words[-_MOST_WORDS // 4 :])}"
