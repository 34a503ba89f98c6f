"""What a sentence wishes for good, in seven languages, where no cue list has its words. Pure.

'No smileys in your answers, please', 'Tutoie-moi toujours', 'Ich mag knappe Antworten'. A wish that
is told so becomes a rule only where two conversations say it (consolidation), so this looks at the
form alone: somebody says what they like or want, or tells the assistant what always, never or
with a 'please' is to be done. What is wanted once is none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("wished")

_LEAD = rf"(?:(?:{_SAID['lead']})[,:!]? +)*"
_ADVERBS = rf"(?:(?:{_SAID['adverbs']}) )*"
_OWN = re.compile(
    rf"^{_LEAD}(?:{_SAID['own'].replace('{adverbs}', _ADVERBS)})\b[,:]? +(?P<value>.{{3,}})",
)
_STANDING = re.compile(rf"\b(?:{_SAID['standing']})\b")
_TO_ASSISTANT = re.compile(rf"\b(?:{_SAID['to assistant']})\b")
_POLITE = re.compile(rf"\b(?:{_SAID['polite']})\b")
# What an order begins with: 'never', 'no', 'please', or a verb that people use to an assistant.
_ORDERS = frozenset(word_list(_SAID["orders"]))
_NOT_FOR_GOOD = re.compile(rf"\b(?:{_SAID['not for good']})\b")
_HERE = re.compile(_SAID["here"])
_AGAINST = re.compile(_SAID["against"])
_NO_SUCH = re.compile(rf"(?:{_SAID['no such']})\b")
_FROM_NOW = re.compile(rf"(?:{_SAID['from now']})\b")
_SAYING = re.compile(rf"(?:{_SAID['saying']})")
_BARE_USE = re.compile(
    rf"^{_LEAD}(?:{_SAID['use']}) (?!{_SAID['this thing']})(?P<value>[^,;:]{{3,60}})$"
)
_OF_TWO = re.compile(_SAID["of two"])
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MOST_WORDS = 18  # of a wish; what is longer tells a story


class Wish(NamedTuple):
    """What is wished, as it was said in folded text, and whether it is wanted or not."""

    value: str
    polarity: str  # prefer or avoid


def wish_in(text: str) -> Wish | None:
    """The lasting wish of a sentence in folded text, without its closing mark; None for none."""
    words = _WORD.findall(text)
    # What is wanted of one letter would hold for all of them.
    if not 2 <= len(words) <= _MOST_WORDS or _NOT_FOR_GOOD.search(text):
        return None
    if _OF_TWO.search(text):
        return None  # which of two is wanted, a form knows and a set of words does not
    own = _OWN.match(text)
    if own is not None:
        is_against = any(own.groupdict()[name] for name in ("no", "no_es", "no_fr"))
        is_against = is_against or _AGAINST.search(text) is not None
        return _of(own["value"], is_against=is_against) if _is_of_manner(text) else None
    bare = _BARE_USE.match(text)
    if bare is not None:
        return _of(bare["value"], is_against=False)
    is_standing = _STANDING.search(text) is not None
    is_polite = _POLITE.search(text) is not None
    is_asked = is_polite and _TO_ASSISTANT.search(text) is not None
    first = re.sub(rf"^{_LEAD}", "", text)
    is_no = is_polite and _NO_SUCH.match(first) is not None
    if not (is_standing or is_asked or is_no):
        return None
    if _SAYING.match(first):
        return None
    opening = first.split(" ", 1)[0].strip(",.!:;")
    if opening not in _ORDERS and not _FROM_NOW.match(first):
        return None
    return _of(first, is_against=_AGAINST.search(first) is not None)


def is_of_a_thing_here(text: str) -> bool:
    """Whether a sentence points at something in this very talk: a file, what follows."""
    return _HERE.search(text) is not None


def _of(value: str, *, is_against: bool) -> Wish:
    return Wish(value=value.strip(" ,:-!"), polarity="avoid" if is_against else "prefer")


def _is_of_manner(text: str) -> bool:
    """Whether what somebody likes is asked of the assistant or holds for good: 'brief answers',
    'always a window seat'; a taste ('I like tea') is a memory and no rule."""
    return (
        _STANDING.search(text) is not None
        or _TO_ASSISTANT.search(text) is not None
        or (
            re.search(
                r"\b(?:prefer|prefier|préf|bevorzug|prefer[ii]|prefir|tutoie|vouvoie|geduzt)", text
            )
            is not None
        )
    )
