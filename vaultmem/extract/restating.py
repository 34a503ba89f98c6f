"""The words and the value of a fact that takes the place of another."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.extract.exchange_value import exchanged
from vaultmem.model import part_key, slot_key

if TYPE_CHECKING:
    from vaultmem.model import Draft, Item

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


def with_statement(item: Item, statement: str, draft: Draft, former: Draft) -> Restated:
    """The item in other words, with the slot and the value that these give; without, if none.

    draft, former  what the extractor read from these words, and from the ones before
    Where rules read the slot from the words before, they decide; in a slot that somebody named,
    the value is what stands where the former one stood, else the former one if the words still
    hold it and are of the same subject.
    """
    key = slot_key(item.subject, item.predicate)
    read = _slot_of(draft)
    if not key:
        return Restated(statement=statement, slot=read)
    value = ""
    if slot_key(*read[:2]) == key:
        value = _exchanged(item, statement) or read[2]
    elif slot_key(former.subject, former.predicate) != key:
        value = _exchanged(item, statement)
        if not (value or read[2]) and _is_about(item, statement):
            value = item.object if _place(statement, item.object) is not None else ""
    if value and is_same_value(value, item.object):
        value = item.object  # as the person spelt it
    slot = (item.subject, item.predicate, value) if value else read
    return Restated(statement=statement, slot=slot)


def is_of_words(item: Item, read: Draft) -> bool:
    """Whether the words of an item hold the value of its slot; `read`: what rules read in them."""
    key = slot_key(item.subject, item.predicate)
    if not (key and item.object):
        return False
    return slot_key(read.subject, read.predicate) == key or bool(
        _place(item.statement, item.object)
    )


def _slot_of(draft: Draft) -> Triple:
    """What a draft says of a slot; nothing of a slot without a value."""
    if not (draft.object and slot_key(draft.subject, draft.predicate)):
        return "", "", ""
    return draft.subject, draft.predicate, draft.object


def _is_about(item: Item, statement: str) -> bool:
    """Whether the words name the subject, if the former ones did."""
    subject = part_key(item.subject)
    return subject not in part_key(item.statement) or subject in part_key(statement)


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


def entities_of(item: Item, entities: Iterable[str], value: str, statement: str) -> tuple[str, ...]:
    """The entities of an item with another value: in place of the former one, unless the words
    still name that."""
    if not item.object:
        return tuple(entities)
    still = part_key(item.object) in part_key(statement)
    named = (value if is_same_value(name, item.object) and not still else name for name in entities)
    return tuple(dict.fromkeys(name for name in named if name))


def is_same_value(one: str, other: str) -> bool:
    """Whether two values are the same as slots compare them."""
    return part_key(one) == part_key(other)
