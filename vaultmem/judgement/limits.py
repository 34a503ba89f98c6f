"""Forms of hard limits, by which a sentence is critical whatever its words weigh.

The models know illnesses, medicines and allergies by their words (`stakes`); a limit is known by
its form: nobody goes in alone, it must work without a network, no calls before nine, call my
sister if anything happens, the doctor has forbidden it. Seven languages. Of the 3,555 sentences of
the corpus that are not critical, these mark 2 more (35, was 33). Pure.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.features import Tokens
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("limits")

_NOT_STATED = frozenset(("maybe", "say", "thank"))  # but "please" stands before calls, too
_LONGEST = 40  # words: beyond it the parts of a form need not belong together
_QUOTED = Needing(r"[\"“”„«»]", 0, '"“”„«»')

_NOBODY = rf"\b(?:{_SAID['nobody']})\b"
_UNSAFE = rf"\b(?:{_SAID['unsafe']})\b"
_ALONE = rf"\b(?:{_SAID['alone']})\b"
_DANGER = rf"(?:{_SAID['danger']})"
_WORK = Needing(
    rf"{_NOBODY}.{{0,60}}{_UNSAFE}|{_UNSAFE}.{{0,40}}{_NOBODY}"
    rf"|(?=.*{_DANGER})(?:{_NOBODY}.{{0,50}}{_ALONE}|{_ALONE}.{{0,50}}{_NOBODY})",
    re.IGNORECASE,
    _SAID["work needs"].split("|"),
    # 'cousin ' has a 'sin '; the pattern takes 5 ms to compile.
    _SAID["work beside needs"].split("|"),
)
_EMERGENCY = Needing(
    rf"\b(?:{_SAID['emergency']})\b(?=.*(?:{_SAID['whom to call']}))",
    re.IGNORECASE,
    _SAID["emergency needs"].split("|"),
)
_HOUR = rf"(?:the )?(?:{_SAID['hour']})"
_HOURS = Needing(
    rf"\b(?:{_SAID['hours'].replace('{hour}', _HOUR)})",
    re.IGNORECASE,
    _SAID["hours needs"].split("|"),
    _SAID["hours beside needs"].split("|"),
)
_OFFLINE = Needing(
    rf"(?=.*\b(?:{_SAID['has to']})\b).*(?:{_SAID['offline']})",
    re.IGNORECASE,
    _SAID["has to needs"].split("|"),
)
_DATA = Needing(
    rf"(?=.*\b(?:{_SAID['data']})\b)\b(?:{_SAID['must not']})\b.{{0,50}}\b(?:{_SAID['leaves']})\b",
    re.IGNORECASE,
    _SAID["data needs"].split("|"),
)
_DOCTOR = rf"\b(?:{_SAID['doctor']})\b"
_FORBIDS = rf"\b(?:{_SAID['forbids']})\b"
_ORDERS = Needing(
    rf"{_DOCTOR}.{{0,60}}{_FORBIDS}|{_FORBIDS}.{{0,60}}{_DOCTOR}|\b(?:{_SAID['orders']})\b",
    re.IGNORECASE,
    _SAID["orders needs"].split("|"),
)
_NOT_MORE = Needing(
    rf"\b(?:{_SAID['not more']}) (?:\w+ (?:and )?){{0,3}}(?:{_SAID['amounts']})\b",
    re.IGNORECASE,
    _SAID["not more needs"].split("|"),
    _SAID["not more beside needs"].split("|"),
)
_BODY_FAILS = Needing(_SAID["body fails"], re.IGNORECASE, _SAID["body fails needs"].split("|"))
_REACTS = Needing(
    _SAID["reacts"],
    re.IGNORECASE,
    _SAID["reacts needs"].split("|"),
    _SAID["reacts beside needs"].split("|"),
)
_ALMOST = late(rf"\b(?:{_SAID['almost']})\b", re.IGNORECASE)
_WOULD = late(rf"\b(?:{_SAID['would']})\b", re.IGNORECASE)
_WITH_CHILD = Needing(_SAID["with child"], re.IGNORECASE, _SAID["with child needs"].split("|"))
_FEED = late(rf"\b(?:{_SAID['not fed']})\b.{{0,30}}\b(?:{_SAID['fed']})\b", re.IGNORECASE)
_FAITH = Needing(rf"\b(?:{_SAID['faith']})\b", re.IGNORECASE, _SAID["faith needs"].split("|"))
_FOOD = late(rf"\b(?:{_SAID['food']})\b", re.IGNORECASE)

_JOKE = Needing(_SAID["jokes"], re.IGNORECASE, _SAID["jokes needs"].split("|"))


def is_figure_of_speech(text: str) -> bool:
    """Whether an illness in a sentence is none: 'a pure heart attack', 'gives me hives'."""
    return _JOKE.search(text.replace("’", "'")) is not None


# Of twelve limits that begin with a denial, as 'No aspirin for Dad.', eleven are critical and none
# was; of ten answers ('No rush.') none is.
_DENIED_TO = Needing(
    rf"^(?:(?:{_SAID['denied after']}) )?(?:{_SAID['denied']}) ?[^,.;:!]{{2,40}}?"
    rf"(?: {_SAID['for'].replace('|', ' | ')} )(?:(?:{_SAID['denied articles']}) )?[^\W\d_]",
    re.IGNORECASE,
    _SAID["denied needs"].split("|"),
)
_PASSING_WISH = late(
    rf"\b(?:{_SAID['for me']})\b.{{0,6}}\b(?:{_SAID['thanks']})\b|\b(?:{_SAID['moment']})\W*$",
    re.IGNORECASE,
)
_HARMS = frozenset(["allergen", "medicine"])


def limit_of(text: str, tokens: Tokens) -> str:
    """Which kind of a hard limit a sentence says by its form: health, safety, limit; '' none."""
    # Of 50 critical sentences and 50 that only sound so 49 and 1 are marked, and were 40 and 8
    # without these forms; of 60 new ones, read once, 27 and 4 of 30 each.
    if len(tokens.low) > _LONGEST or "?" in text or _QUOTED.search(text):
        return ""
    plain = text.replace("’", "'")
    if _EMERGENCY.search(plain):
        return "safety"
    if _HOURS.search(plain):
        return "limit"
    if _REACTS.search(plain) and not _WOULD.search(plain):
        return "health"
    seen = {name for signs in tokens.signs for name in signs}
    if seen & _NOT_STATED:
        return ""
    if _WORK.search(plain):
        return "safety"
    if _OFFLINE.search(plain) or _DATA.search(plain):
        return "limit"
    of_whom = seen & {"self", "kin", "pet"}
    if of_whom and (_ORDERS.search(plain) or _WITH_CHILD.search(plain) or _NOT_MORE.search(plain)):
        return "health"
    if _BODY_FAILS.search(plain) and not _ALMOST.search(plain):
        return "health"
    if "pet" in seen and _FEED.search(plain):
        return "health"
    if _DENIED_TO.search(plain) and not _PASSING_WISH.search(plain):
        from vaultmem.judgement.stakes import stakes_of  # saves 1 module

        if not _HARMS.isdisjoint(stakes_of(text, tokens.low)):
            return "health"
    is_own = "self" in seen or "kin" in seen
    return "limit" if is_own and _FAITH.search(plain) and _FOOD.search(plain) else ""


_BARS = frozenset(word_list(_SAID["bars"]))
_BARS_BEGUN = tuple(word_list(_SAID["bars begun"]))
_AROUND = ".,;:!?()\"'"


def bars(text: str) -> bool:
    """Whether it says by a plain word that something must not be or hurts: 'never', 'allergic'.

    To order what is critical by, no more: 'He doesn't live alone' has such a word, too.
    """
    words = [word.strip(_AROUND) for word in text.lower().replace("’", "'").split()]
    return any(
        word in _BARS or word.endswith("n't") or word.startswith(_BARS_BEGUN) for word in words
    )
