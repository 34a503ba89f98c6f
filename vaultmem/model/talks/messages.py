"""What is said to a language model, and what it says: all of its words are untrusted."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import Any, dataclass

Schema = Mapping[str, Any]
"""A JSON schema of an object, of the words that `models/replies.py` knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation with a model."""

    role: str  # system, user, assistant
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole reply."""

    text: str
    model: str = ""  # as the server names it
    tokens_in: int | None = None  # as the server counts; None: it did not say
    tokens_out: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonReply:
    """A reply that was read as one JSON object and fits the schema that was asked for."""

    value: Mapping[str, Any]
    how: str  # schema, object, prompt: what made the model keep to it
    reply: Reply


def with_day(text: str, day: str) -> str:
    """A statement as it is shown to a model, with the day that is known for it; '': none is."""
    return f"{text} ({day})" if day else text
