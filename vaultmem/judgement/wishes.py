"""Whether a sentence is a wish for good, and whether two wishes are one in other words.

A wrong yes would make a rule of two different wishes, so every word of one must have its
like in the other: the same word, a word of the same set, or one that means the same by the table
of meanings. What is near without being the same ('window' and 'aisle', 'French' and 'German') is
below the threshold: of 50 pairs of opposites, siblings and neighbours none reaches it, the nearest
('two' and 'three', 'Monday' and 'Tuesday') with .86. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from vaultmem.judgement.meanings import meaning_of
from vaultmem.language import phrases, vocabulary, word_list

_SAID = vocabulary("wishes")


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_SAME_SENSE = 0.88  # cosine: 'purchase' and 'buy' have .88, 'begin' and 'start' .94
_SHORTEST = 4  # letters: what shorter words mean is less sure
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LIGHT = frozenset(word_list(_SAID["light"]))
_IN_FEW_WORDS = re.compile(_SAID["in few words"])
_HORS_TAXES = re.compile(r"\bhors[- ]taxes?\b")
_NUMBERS = {
    word: str(number)
    for line in phrases("wishes")["numbers"]
    for number, word in enumerate(line.split(), 1)
    # 'Un' and 'uno' are articles as well, and 'once' an English word.
    if word not in ("un", "once", "uno")
}
_IN_ORDER = re.compile(rf"\b(?:{_SAID['in order']})\b(?! \d)")
_ANSWERS = frozenset(("answer",))
"""What an assistant does anyway: 'be brief' asks for brief answers."""
# In the table of meanings they lie near each other ('Monday' and 'Tuesday' .86), and they are never
# one wish.
_ORDERED = frozenset(word_list(_SAID["ordered"]))


def are_one(one: str, other: str) -> bool:
    """Whether two wishes ask for the same, by the words that name it; the order does not matter."""
    left, right = core_of(one), core_of(other)
    if not left or not right:
        return False
    if not (_covers(left, right) and _covers(right, left)):
        return False
    # 'Code before explanation' names the same things in either order, and is two wishes.
    said = _WORD.sub(lambda word: _NUMBERS.get(word[0], word[0]), f"{one} {other}".casefold())
    if _IN_ORDER.search(said) is None:
        return True
    return _places(one, other) == sorted(_places(one, other))


@lru_cache(maxsize=8192)
def core_of(text: str) -> frozenset[str]:
    """The words of a wish that say what is wanted, each by the name of its set where it has one."""
    core = frozenset(_said_in(text))
    return core - _ANSWERS or core


def _said_in(text: str) -> list[str]:
    said = _HORS_TAXES.sub("ht", _IN_FEW_WORDS.sub("short", text.casefold()))
    words = (found[0].replace("’", "'") for found in _WORD.finditer(said))
    return [_canonical_name(_NUMBERS.get(word, word)) for word in words if word not in _LIGHT]


def _places(one: str, other: str) -> list[int]:
    """Where the words of one wish stand in the other."""
    words, told = _said_in(one), _said_in(other)
    found = (next((n for n, each in enumerate(told) if _same(word, each)), None) for word in words)
    return [place for place in found if place is not None]


def _same(one: str, other: str) -> bool:
    return one == other or _alike(one, other)


def is_of_answers(scope: str) -> bool:
    """Whether the words for where a wish holds mean all that an assistant says: 'in replies'."""
    return bool(scope) and frozenset(_said_in(scope)) <= _ANSWERS


def _covers(left: Iterable[str], right: frozenset[str]) -> bool:
    return all(word in right or any(_alike(word, each) for each in right) for word in left)


@lru_cache(maxsize=8192)
def _alike(one: str, other: str) -> bool:
    """Whether two words name one thing: forms of a word, or of one sense."""
    if any(word[0].isdigit() or word in _ORDERED for word in (one, other)):
        return False
    if one.rstrip("s") == other.rstrip("s"):
        return True
    if min(len(one), len(other)) < _SHORTEST:
        return False
    first, second = meaning_of(one), meaning_of(other)
    if first is None or second is None:
        return False
    length = sqrt(sum(x * x for x in first) * sum(y * y for y in second))
    return length > 0 and sum(x * y for x, y in zip(first, second, strict=True)) >= (
        _SAME_SENSE * length
    )


def _canonical_name(word: str) -> str:
    return _names().get(word, word)


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """The title of its set, by each word of it."""
    named: dict[str, str] = {}
    for title, same in _SAID.items():
        if title.startswith("set "):
            named.update(dict.fromkeys(word_list(same), title.removeprefix("set ")))
    return named


_SAID_MOOD = vocabulary("moods")

_NOT = frozenset(word_list(_SAID_MOOD["not"]))
_GLAD, _ANGRY = frozenset(word_list(_SAID_MOOD["glad"])), frozenset(word_list(_SAID_MOOD["angry"]))
_MOOD_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEAR = 2  # words before in which a 'not' turns a word round


def mood_of(text: str) -> str:
    """positive, negative, mixed or neutral."""
    words = [word.lower().replace("’", "'") for word in _MOOD_WORD.findall(text)]
    glad = angry = 0
    for place, word in enumerate(words):
        if word not in _GLAD and word not in _ANGRY:
            continue
        is_turned = not _NOT.isdisjoint(words[max(0, place - _NEAR) : place])
        if (word in _GLAD) != is_turned:
            glad += 1
        else:
            angry += 1
    if glad and angry:
        return "mixed"
    return "positive" if glad else "negative" if angry else "neutral"


# --- wishes for good, where no cue list has their words ---

# 'No smileys in your answers, please', 'Tutoie-moi toujours', 'Ich mag knappe Antworten'. A wish
# that is told so becomes a rule only where two conversations say it (consolidation), so this looks
# at the form alone: somebody says what they like or want, or tells the assistant what always, never
# or with a 'please' is to be done. What is wanted once is none.
_WISH_SAID = vocabulary("wished")

_LEAD = rf"(?:(?:{_WISH_SAID['lead']})[,:!]? +)*"
_ADVERBS = rf"(?:(?:{_WISH_SAID['adverbs']}) )*"
_OWN = re.compile(
    rf"^{_LEAD}(?:{_WISH_SAID['own'].replace('{adverbs}', _ADVERBS)})\b[,:]? +(?P<value>.{{3,}})",
)
_STANDING = re.compile(rf"\b(?:{_WISH_SAID['standing']})\b")
_TO_ASSISTANT = re.compile(rf"\b(?:{_WISH_SAID['to assistant']})\b")
_POLITE = re.compile(rf"\b(?:{_WISH_SAID['polite']})\b")
# What an order begins with: 'never', 'no', 'please', or a verb that people use to an assistant.
_ORDERS = frozenset(word_list(_WISH_SAID["orders"]))
_NOT_FOR_GOOD = re.compile(rf"\b(?:{_WISH_SAID['not for good']})\b")
_HERE = re.compile(_WISH_SAID["here"])
_AGAINST = re.compile(_WISH_SAID["against"])
_NO_SUCH = re.compile(rf"(?:{_WISH_SAID['no such']})\b")
_FROM_NOW = re.compile(rf"(?:{_WISH_SAID['from now']})\b")
_SAYING = re.compile(rf"(?:{_WISH_SAID['saying']})")
_BARE_USE = re.compile(
    rf"^{_LEAD}(?:{_WISH_SAID['use']}) (?!{_WISH_SAID['this thing']})(?P<value>[^,;:]{{3,60}})$"
)
_OF_TWO = re.compile(_WISH_SAID["of two"])
_WISH_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MOST_WORDS = 18  # of a wish; what is longer tells a story


class Wish(NamedTuple):
    """What is wished, as it was said in folded text, and whether it is wanted or not."""

    value: str
    polarity: str  # prefer or avoid


def wish_in(text: str) -> Wish | None:
    """The lasting wish of a sentence in folded text, without its closing mark; None for none."""
    words = _WISH_WORD.findall(text)
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
    # 'Never mind', 'Always a pleasure' and 'Never better, thanks' were preferences.
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
