"""Which lines of a person's text are a pasted chat, by headers and common given names.

`Anna: never use cilantro` is Anna's wish, whoever pasted it; `Reminder: never use cilantro` is the
person's. In what looks like a chat (a time before the name, speakers more than once, `Me:`, "our
chat:" above) any name is a speaker's that is no word which people put before a colon; elsewhere
only the name of a person (`GIVEN`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from vaultmem.base import NamedTuple, late
from vaultmem.language.vocabulary import vocabulary, word_list

_SAID = vocabulary("speakers")

# --- common given names ---

# English, German, Spanish and what is usual beside them, also names that are words as well (Mark,
# Rose). Data, and no more complete than a list of names can be: where more is known (a time,
# several speakers) it is not asked.
GIVEN = frozenset(word_list(_SAID["given"]))

_TIME = r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?)"
_WORD = r"[^\W\d_a-z][\w'’.-]{0,24}"
_NAME = rf"(?:@[\w.-]{{2,30}}|\+\d[\d ]{{6,16}}|{_WORD}(?: {_WORD}){{0,2}})"
_LINE = late(
    rf"[ \t]*(?:[-*•] )?\[?(?P<before>(?:{_TIME}[ ,]*){{0,2}})\]?[ \t]*(?:[-–] ?)?"
    rf"\*{{0,2}}(?P<name>{_NAME})\*{{0,2}}"
    rf"(?P<after>[ \t]*[\[(]?(?:{_TIME}[ ,]*){{0,2}}[\])]?)[ \t]*\*{{0,2}}:\*{{0,2}}[ \t]+(?=\S)"
)
_ALONE = late(rf"[ \t]*\*{{0,2}}(?P<name>{_NAME})\*{{0,2}}[ \t]*[,\[(—-]*[ \t]*{_TIME}[\])]?[ \t]*")
_CHAT = late(
    rf"\b(?:{_SAID['chat']})\b[^\n]*:\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_OWN = frozenset(["me", "i", "myself", "ich", "yo", "user"])
_LABELS = frozenset(word_list(_SAID["labels"]))


class _Header(NamedTuple):
    name: str  # folded; '': none stands there
    is_timed: bool = False  # a time stands before it, as no other line begins


def foreign_lines(text: str, owners: Iterable[str] = ()) -> frozenset[int]:
    """The numbers, from 0, of the lines that others say in a chat that stands in the text."""
    if ":" not in text:
        return frozenset()
    return _foreign(text.split("\n"), text, _OWN | {_fold_name(name) for name in owners})


def _foreign(lines: list[str], text: str, own: frozenset[str]) -> frozenset[int]:
    headers = [_header(line) for line in lines]
    named = Counter(header.name for header in headers if header.name)
    speakers = {name for name in named if name not in own and not _is_label(name)}
    # Where half of the names are labels ('Note:', 'Rule:') it is a list of the person's and no
    # chat.
    if not speakers or 2 * sum(_is_label(name) for name in named) >= len(named):
        return frozenset()
    people = {name for name in speakers if _is_person(name)}
    is_chat = (
        any(named[name] > 1 and (len(speakers) > 1 or name in people) for name in speakers)
        or any(header.is_timed for header in headers)
        or any(name in own for name in named)
        or _CHAT.search(text) is not None
    )
    speakers = speakers if is_chat else people
    found: set[int] = set()
    is_theirs = False
    for number, (line, header) in enumerate(zip(lines, headers, strict=True)):
        if header.name:
            is_theirs = header.name in speakers
        elif not line.strip() or not is_chat:
            is_theirs = False  # a chat goes on until an empty line
        if is_theirs:
            found.add(number)
    return frozenset(found)


def _header(line: str) -> _Header:
    found = _LINE.match(line)
    if found is not None:
        is_timed = any(c.isdigit() for c in found["before"])
        return _Header(_fold_name(found["name"]), is_timed)
    alone = _ALONE.fullmatch(line)
    return _Header(_fold_name(alone["name"]), True) if alone is not None else _Header("")


def _is_label(name: str) -> bool:
    """Whether people put this before a colon: a phrase counts by its last word, too."""
    words = name.split()
    return bool({name, words[0], words[-1]} & _LABELS)


def _is_person(name: str) -> bool:
    """Whether it is a person's name, a handle or a number, for all that it says itself."""
    return name[0] in "@+" or name.split()[0] in GIVEN


def _fold_name(name: str) -> str:
    return name.strip("* ").casefold().rstrip(".")
