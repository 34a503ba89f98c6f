"""The words of a fact that takes another's place, or of a statement with another value."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.language import sentence_spans, vocabulary, word_list
from vaultmem.model import part_key, slot_key

if TYPE_CHECKING:
    from vaultmem.model import Draft, Item


# --- another value in the same sentence ---

# What a sentence says beside the value was said of the old one: 'I work at Siemens in Munich since
# 2019' does not become true by another name. So a value changes places only in a plain sentence
# that ends with it; else the sentence ends after the value, or the caller makes one of the triple.
# Of 71 statements, of seven languages, 52 said what nobody had said (or were no sentence) with the
# value merely exchanged (tests/facts/test_restating.py has most of them).
_MOST_WORDS = 10  # before the value: more is no plain beginning
_SAID = vocabulary("restating")
_CLOSING = r"[\"'”’»)\]*_`]*[.!…]*[\"'”’»)\]*_`]*"
_STILL_TRUE = re.compile(rf"(?:\s+(?:{_SAID['now']}))?{_CLOSING}\s*", re.IGNORECASE)
# What follows belongs to the old value, and the sentence is whole without it.
_MORE = re.compile(rf"\s*[,;(–—]|\s+-|[./+#&@-]|\s+[A-Z\d]|\s+(?:{_SAID['goes on']})\b")
# A purpose is what a thing is used for, whatever it is: 'uses Redis for the queue'.
_PURPOSE = re.compile(rf"\s+(?:{_SAID['purpose']})\s+(?:[^\W\d_]+[ -]?){{1,5}}[.!]*")
_NO_PURPOSE = re.compile(rf"\b(?:{_SAID['no purpose']})\b", re.IGNORECASE)

# What does not begin a plain sentence, or makes the words those of another time.
_LEADS = frozenset(word_list(_SAID["leads"]))
_EARLIER = frozenset(word_list(_SAID["of another time"]))
_FROM = frozenset(("from", "von", "vom", "aus"))  # 'moved from Berlin to'
# An article in front has the gender of the old value.
_GENDERED = frozenset(word_list(_SAID["of a gender"]))
_ARTICLES = frozenset(("a", "an", "the"))
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# 'I have been working at': for how long was said of the former place.
_PERFECT = re.compile(
    r"\bbeen\b|(?:\b(?:have|has|had)|['’](?:ve|d))\s+(?:[^\W\d_]+\s+)?[^\W\d_]+ed\b", re.IGNORECASE
)
_SILENT = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_LIKE_YOU = re.compile(r"(?:uni|use|usu|eu|one\b|once\b|u[^a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """A sentence with the new value."""

    statement: str
    left_out: str = ""  # what the former words said beside it


def replace_value(
    statement: str, span: tuple[int, int], value: str, *, is_use: bool = False
) -> Exchanged | None:
    """The sentence in which the value at `span` stands, with another one; None when unsure.

    is_use  the value is what something is used for: a short purpose behind it is kept
    """
    own = _sentence_of(statement, span)
    head, tail = statement[own[0] : span[0]], statement[span[1] : own[1]]
    others = " ".join([statement[: own[0]].strip(), statement[own[1] :].strip()]).strip()
    if not head.strip():
        return _at_the_front(statement, span, value) if not others else None
    begun = _fitting(head, value, former=statement[span[0] : span[1]])
    if begun is None:
        return None
    if tail.startswith(".") and tail.strip(".!? "):  # of the value: 'in the U.S. since'
        tail = tail[1:]
    if value.endswith("."):  # 'at 10 a.m.', which closes the sentence as well
        tail = tail.removeprefix(".")
    # What stood behind the former value was said of the new one then: of 71 statements in seven
    # languages 52 said what nobody had said, or were no sentence.
    is_kept = _STILL_TRUE.fullmatch(tail) is not None or (is_use and _is_purpose(tail))
    if is_kept:
        return Exchanged(statement=f"{begun}{value}{tail}".strip(), left_out=others)
    if not _MORE.match(tail):
        return None
    opened = head.rstrip()[-1:] in '"“„«([*_`'
    if opened:
        return None
    left = f"{tail} {others}".strip(" ,;.")
    return Exchanged(statement=f"{begun}{value}".strip().rstrip(".") + ".", left_out=left)


def _sentence_of(statement: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where the sentence with the value begins and ends."""
    for start, end in sentence_spans(statement):
        if start <= span[0] and span[1] <= end:
            return start, end
    return 0, len(statement)


def _at_the_front(statement: str, span: tuple[int, int], value: str) -> Exchanged | None:
    """'SQLite is our database': the words behind hold if they name nothing and no time."""
    tail = statement[span[1] :]
    words = re.findall(r"[^\W_]+", tail)
    is_plain = re.fullmatch(r"\s[^,;:()\d–—]*[.!]?", tail) is not None and len(words) <= _MOST_WORDS
    names = [word for word in words if word[0].isupper() and word != "I"]
    if not is_plain or names or not _EARLIER.isdisjoint(word.casefold() for word in words):
        return None
    return Exchanged(statement=f"{value}{tail}".strip())


def _is_purpose(tail: str) -> bool:
    return _PURPOSE.fullmatch(tail) is not None and not _NO_PURPOSE.search(tail)


def _fitting(head: str, value: str, *, former: str) -> str | None:
    """The words before the value, their article fitted to the new one; None: no plain beginning."""
    words = head.split()
    folded = [word.casefold().strip("\"'“„«([*_`:") for word in words]
    is_glued = not head[-1].isspace() and head[-1] not in '"“„«([*_`'
    if is_glued or len(words) > _MOST_WORDS or re.search(r"[,;()–—]|:\s*\S", head):
        return None
    if _YEAR.search(head) or _PERFECT.search(head):
        return None
    if folded[0] in _LEADS or not _EARLIER.isdisjoint(folded):
        return None
    if not _FROM.isdisjoint(folded[:-1]):
        return None
    last = folded[-1]
    is_name = words[-1][0].isupper() and len(words) > 1 and words[-1] != "I"
    if is_name and not words[-1].endswith(":"):
        return None  # 'New' of 'New York'
    if last in _GENDERED or last.isdecimal():
        return None
    return _with_article(head, value, former=former) if last in _ARTICLES else head


def _with_article(head: str, value: str, *, former: str) -> str:
    """`head` with 'a' or 'an' as the value wants it, without an article that the value brings.

    'the' goes before a name: 'the Netherlands' becomes 'Portugal', 'the sea' 'the mountains'.
    """
    before, article = head.rstrip().rsplit(None, 1) if " " in head.strip() else ("", head.strip())
    gap = f"{before} " if before else ""
    if value.split()[0].casefold() in _ARTICLES:
        return gap
    if article.casefold() == "the":
        return gap if value[:1].isupper() and former[:1].isupper() else head
    if value[:1].isupper():
        return head
    vowel = value[:1].casefold() in "aeiou" and not _LIKE_YOU.match(value)
    fitted = "an" if vowel or _SILENT.match(value) else "a"
    return f"{gap}{fitted if article.islower() else fitted.capitalize()} "


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
    found = None if span is None else replace_value(item.statement, span, value, is_use=is_use)
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
        value = _new_value(item, statement) or read[2]
    elif slot_key(former.subject, former.predicate) != key:
        value = _new_value(item, statement)
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


def _new_value(item: Item, statement: str) -> str:
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
