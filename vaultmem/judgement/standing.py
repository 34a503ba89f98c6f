"""Whether a turn says how somebody wants things from then on, where no cue has its words. Pure.

'Give me old oak and dents', 'Never offer me a single name': the learned kinds know a taste and an
order for good by all words of a sentence. An order for once ('Draft a mail') is none: it begins
with a verb of work, and only a sentence that is surely a taste is believed in spite of it.
"""

from __future__ import annotations

import re

from vaultmem.base import late
from vaultmem.judgement.sentence import judge_worth
from vaultmem.language import vocabulary, word_list

_KINDS = frozenset(("preference", "procedure"))
# Of 218 wishes of made-up chats .62 are told by these, of 552 facts, changes and events .03, of
# 1,155 requests .19; with .4 of `keep` .57, .02 and .12 (tests/bench/assistant_talks.py).
_KEEP = 0.2
_LIKELY = 0.3  # of both kinds together
_SURE = 0.7  # the same for a sentence that begins as a request does
_SENTENCE = late(r"[^.!?;\n]+[.!?;]?")
_FEWEST, _MOST = 3, 40  # words of a sentence
_MOST_SENTENCES = 6  # of a turn; a longer one is a text
_WORK = frozenset(word_list(vocabulary("question")["help begun"]))
_POLITE = frozenset(("please", "and", "so", "ok", "okay", "bitte"))


def likely_wish(text: str) -> bool:
    """Whether a sentence of a turn, that is no question, is likely a wish for good."""
    sentences = [one.strip() for one in _SENTENCE.findall(text)]
    told = [one for one in sentences if not one.endswith("?")]
    return len(sentences) <= _MOST_SENTENCES and any(map(_is_wish, told))


def _is_wish(sentence: str) -> bool:
    words = sentence.lower().split()
    if not _FEWEST <= len(words) <= _MOST:
        return False
    worth = judge_worth(sentence)
    if worth.keep < _KEEP or worth.kind not in _KINDS:
        return False
    likely = sum(chance for kind, chance in worth.kinds if kind in _KINDS)
    opening = next((word.strip(",:") for word in words if word.strip(",:") not in _POLITE), "")
    return likely >= (_SURE if opening in _WORK else _LIKELY)


# --- asked of the assistant for good, in the form of a request ---

# 'Could you speak to me in Welsh?', 'Write things big for me.': the form is that of 'Could you
# translate this?', so it is the thing asked for that tells: a name, a language, a length, a pace.
# Of 42 such requests in seven languages three were kept; of 63 for something once none is.
_SAID = vocabulary("requests")
_ASKS = late(rf"\W*(?:{_SAID['begins']})\b,?", re.IGNORECASE)
_ORDERS = late(rf"\W*(?:{_SAID['begins an order']})\b,?", re.IGNORECASE)
_FOR_GOOD = late(rf"(?:^|\b)(?:{_SAID['for good']})", re.IGNORECASE)
# 'Can you find out if he is always late?' asks for nothing for good: near the beginning or last.
_ALWAYS = late(
    rf"^\W*(?:[\w'’-]+ ){{0,4}}?(?:{_SAID['always']})\b|\b(?:{_SAID['always']})\W*$",
    re.IGNORECASE,
)
# Of what begins otherwise no pattern is compiled: most sentences of a cold `remember` do.
_FIRST = frozenset(word_list(_SAID["first"]))
_WORD = late(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ONCE = late(rf"\b(?:{_SAID['once']})", re.IGNORECASE)
_MOST_ASKED = 30  # words


def asks_politely(text: str) -> bool:
    """Whether it begins as 'could you' does, with a question mark or without."""
    return _begins_so(text) and _ASKS.match(text) is not None


def _begins_so(text: str) -> bool:
    first = _WORD.search(text)
    return first is not None and first[0].lower().replace("’", "'") in _FIRST


def asks_for_good(text: str, *, is_order: bool = False) -> bool:
    """Whether a request tells an assistant how to be from then on.

    is_order  what has no 'could you' before it may be one, too: 'Explain things slowly to me.'
    """
    found = (_ASKS.match(text) or _ORDERS.match(text)) if _begins_so(text) else None
    if found is None and not is_order:
        return False
    asked = text[found.end() if found is not None else 0 :].strip()
    if not asked or len(asked.split()) > _MOST_ASKED:
        return False
    if found is not None and _ALWAYS.search(asked) is not None:
        return True
    return _FOR_GOOD.search(asked) is not None and _ONCE.search(asked) is None
