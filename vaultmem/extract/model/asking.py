"""What a model is asked about a text: the turns, fenced as material, a bounded piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from vaultmem.base.records import dataclass
from vaultmem.language.time import format_date, format_instant
from vaultmem.model.drafts import Source
from vaultmem.model.notes import KINDS
from vaultmem.model.talks.messages import Message

MOST_CHARACTERS = 96_000
"""Longer texts are not sent: at some 24,000 tokens they cost minutes and, elsewhere, money."""
_PIECE = 8_000  # characters of one question: small models lose what stands in the middle of more
_ASKED = "List the statements worth keeping from the text above."
_MOST_ITEMS = 60  # of one reply; more is a model that repeats itself
MODEL_KINDS = tuple(kind for kind in KINDS if kind != "reflection")  # these have other rules

_TEXT = {"type": "string"}
CRITICAL = ("health", "safety", "limit")
NOT_CRITICAL = "none"
_ITEM = {
    "turn": {"type": "integer"},
    "quote": _TEXT,
    "statement": _TEXT,
    "kind": {"type": "string", "enum": list(MODEL_KINDS)},
    "subject": _TEXT,
    "predicate": _TEXT,
    "object": _TEXT,
    "when": _TEXT,
    "valid_from": _TEXT,
    "valid_until": _TEXT,
    "importance": {"type": "integer"},
    "critical": {"type": ["string", "null"], "enum": [*CRITICAL, NOT_CRITICAL, None]},
    "entities": {"type": "array", "items": _TEXT},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _ITEM,
                "required": list(_ITEM),
                "additionalProperties": False,
            },
        }
    },
    "required": ["items"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """One statement as a model offers it: untrusted, of the right types and nothing more."""

    turn: int
    quote: str
    statement: str
    kind: str
    subject: str
    predicate: str
    object: str
    when: str
    valid_from: str
    valid_until: str
    importance: int
    critical: str | None  # of CRITICAL or NOT_CRITICAL; None: the model says nothing about it
    entities: tuple[str, ...]


def offered_in(value: object) -> tuple[Offered, ...]:
    """The statements of a reply that fits SCHEMA; those beyond the bound are left."""
    items = value.get("items", ()) if isinstance(value, dict) else ()
    return tuple(
        Offered(**{**item, "entities": tuple(item["entities"])}) for item in items[:_MOST_ITEMS]
    )


def questions(
    source: Source, instructions: str, *, mask: Callable[[str], str], zone: str, now: int
) -> Iterator[tuple[Message, ...]]:
    """The messages of each question about a text, in the order of the text.

    instructions  of the system
    mask          takes out of a text what nobody elsewhere may read
    now           UTC ms; what the person tells without a date is told on this day
    """
    for piece in _pieces(source, zone, now):
        text = mask("\n".join(piece))
        # The text cannot hold its own hash, so it cannot close the fence; and the same text has
        # the same marks, so that a recorded reply is found again.
        mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
        asked = f"<<<TEXT {mark}\n{text}\nTEXT {mark}>>>\n{_ASKED}"
        yield Message(role="system", text=instructions), Message(role="user", text=asked)


def size_of(source: Source) -> int:
    """Characters of all that is said."""
    return sum(len(turn.text) for turn in source.turns)


def _pieces(source: Source, zone: str, now: int) -> Iterator[Sequence[str]]:
    """The text in pieces of at most about `_PIECE` characters, each line under its turn's head."""
    piece: list[str] = []
    size = 0
    for number, turn in enumerate(source.turns):
        said_at = turn.said_at if turn.said_at is not None else source.date
        date = f" ({format_instant(said_at, zone)})" if said_at is not None else ""
        if said_at is None and source.is_told:
            date = f" ({format_date(now, zone)})"
        head = f"[{number}] {turn.speaker or turn.role or 'text'}{date}:"
        for part in _parts(turn.text):
            if piece and size + len(part) > _PIECE:
                yield piece
                piece, size = [], 0
            piece += [head, part]
            size += len(part)
    if piece:
        yield piece


def _parts(text: str) -> Iterator[str]:
    """A turn's text; where it is too long, cut behind a paragraph, a line or a word."""
    while len(text) > _PIECE:
        cut = max(text.rfind("\n\n", 0, _PIECE), _PIECE // 2)
        if cut == _PIECE // 2:
            cut = max(text.rfind("\n", cut, _PIECE), text.rfind(" ", cut, _PIECE), cut)
        yield text[:cut]
        text = text[cut:]
    yield text
