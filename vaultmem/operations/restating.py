"""The words and the value of a fact that takes the place of another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.frozen import dataclass
from vaultmem.model.slots import part_key, slot_key
from vaultmem.operations.exchanging_value import exchanged

if TYPE_CHECKING:
    from vaultmem.model.drafts import Draft
    from vaultmem.model.records import Item

Triple = tuple[str, str, str]
LONGEST_VALUE = 12  # words between the same words as before; more is another sentence
SELF = "user"  # the person of the vault, as a subject
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|we|our)\b", re.IGNORECASE)
_VERBS = {
    "works at": "I work at",
    "lives in": "I live in",
    "comes from": "I come from",
    "name": "My name is",
    "prefers": "I prefer",
    "likes": "I like",
    "dislikes": "I do not like",
    "owns": "I own",
    "speaks": "I speak",
    "plays": "I play",
    "studies": "I study",
    "teaches": "I teach",
    "uses": "I use",
    "allergic to": "I am allergic to",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """A statement with its slot."""

    statement: str
    slot: Triple
    composed: bool = False  # of the triple, because the former words do not surely hold the value
    left_out: str = ""  # what the former words said beside the value


def with_value(item: Item, value: str) -> Restated:
    """The item with another value: its words with the value exchanged, else a plain sentence.

    What the former words said of the former value alone is left out; they stay in its note.
    """
    slot = item.subject, item.predicate, value
    span = _place(item.statement, item.object)
    if span is not None and is_same_value(item.object, value):
        start, end = span  # the same in another spelling: what is said of it still holds
        words = f"{item.statement[:start]}{value}{item.statement[end:]}"
        return Restated(statement=words, slot=slot)
    is_use = item.predicate.casefold().startswith("uses")
    found = None if span is None else exchanged(item.statement, span, value, is_use=is_use)
    if found is not None:
        return Restated(statement=found.statement, slot=slot, left_out=found.left_out)
    return Restated(statement=_in_person(item, value) or sentence(*slot), slot=slot, composed=True)


def _in_person(item: Item, value: str) -> str:
    """A sentence in the words of the person, where theirs was one: 'I work at Rehab Nord.'; ''."""
    if part_key(item.subject) != SELF or not _FIRST_PERSON.search(item.statement):
        return ""
    predicate = " ".join(re.split(r"[\s_]+", item.predicate.strip().casefold()))
    value = value.rstrip(".")
    if predicate in _VERBS:
        return f"{_VERBS[predicate]} {value}."
    if re.search(rf"\b(?:my|our) (?:new |current )?{re.escape(predicate)}\b", item.statement, re.I):
        return f"My {predicate} is {value}."
    return ""


def sentence(subject: str, predicate: str, value: str) -> str:
    """A plain sentence of a triple: `project-x uses database sqlite`."""
    return " ".join([subject, " ".join(re.split(r"[\s_]+", predicate.strip())), value]).strip()


def with_statement(item: Item, statement: str, draft: Draft) -> Restated:
    """The item in other words, with the value that they give its slot.

    The value is what stands where the former one stood, else what the extractor read (`draft`)
    for the same slot, else the former one if the words still hold it, else none.
    """
    if not slot_key(item.subject, item.predicate):
        return Restated(statement=statement, slot=(draft.subject, draft.predicate, draft.object))
    value = _exchanged(item, statement)
    key = slot_key(item.subject, item.predicate)
    if not value and slot_key(draft.subject, draft.predicate) == key:
        value = draft.object
    if not value and _place(statement, item.object) is not None:
        value = item.object
    return Restated(statement=statement, slot=(item.subject, item.predicate, value))


def _exchanged(item: Item, statement: str) -> str:
    """What stands in the new words where the value stood in the old ones; '' when unclear."""
    span = _place(item.statement, item.object)
    if span is None:
        return ""
    before, after = item.statement[: span[0]], item.statement[span[1] :].rstrip(" .!")
    words = statement.rstrip(" .!")
    if len(words) <= len(before) + len(after) or not (before.strip() or after):
        return ""
    if not (words.startswith(before) and words.endswith(after)):
        return ""
    value = words[len(before) : len(words) - len(after)].strip()
    return value if 0 < len(value.split()) <= LONGEST_VALUE else ""


def _place(statement: str, value: str) -> tuple[int, int] | None:
    """Where the value stands in the words, literally and once; None: nowhere, or more often."""
    if not value:
        return None
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", statement)]
    return found[0] if len(found) == 1 else None


def is_same_value(one: str, other: str) -> bool:
    """Whether two values are the same as slots compare them."""
    return part_key(one) == part_key(other)
