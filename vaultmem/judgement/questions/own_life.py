"""Whether a memory tells where its speaker lives or works, in whatever words. Pure.

`judgement/aspects.py` knows what is sure enough to end an older memory ('I work at Boots'). Here is
more, for an answer to 'where do I work?': 'I start at the county hospital on Monday.', 'I run a
bakery.', 'Soy profesora en el instituto Quevedo.' In English, German, Spanish and French.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.aspects import HOME, JOB, aspects, told_of_speaker
from vaultmem.language import vocabulary

_SAID = vocabulary("own_life")

_WORKPLACE = rf"(?:{_SAID['workplace']})s?"
# A text in which the pattern below is found has one of these; the pattern takes 5 ms to compile.
_HAS_TRADE = Needing(_SAID["trade"], re.IGNORECASE, _SAID["trade needs"].split("|"))
_HAS_BUSINESS = Needing(
    _SAID["business"].replace("{workplace}", _WORKPLACE),
    re.IGNORECASE,
    _SAID["business needs"].split("|"),
)
# 'I'm a coeliac' and 'I'm a member of the choir' tell no job; 'I'm a nurse at St. Jude's' does.
_I_AM = late(r"\bi'?(?:m| am) an?\b", re.IGNORECASE)
_AT = late(r"\b(?:at|for|with)\s+(?:the\s+)?[A-Z]")
_NOT_MINE = late(rf"\b(?:{_SAID['not mine']})\b", re.IGNORECASE)
_PRICE = late(rf"(?:{_SAID['price']})", re.IGNORECASE)
_NAME = late(r"(?<=[^.!?] )[A-ZÀ-Þ]\w+")


def told_of_own(text: str, said_after: str = "") -> tuple[str, ...]:
    """Which of HOME, JOB and AGE of `judgement/aspects.py` a memory tells of its speaker."""
    told = told_of_speaker(text, said_after)
    found = [*told]
    plain = text.replace("’", "'")
    # By 'for' or 'post' one sentence of five compiled the pattern of work places, 5 ms and 15 under
    # load.
    if _HAS_TRADE.search(plain) or _HAS_BUSINESS.search(plain):
        found.append(JOB)
    if _NAME.search(text) or text[1:].islower():  # who writes in haste writes no capitals
        is_anything = _I_AM.search(plain) is not None and _AT.search(plain) is None
        for one in aspects(text):
            # 'My rent is 950 euros now.' went before 'I live in Graz.' where the home was asked.
            if not one.is_sure and one.name == HOME and _PRICE.search(plain):
                continue
            if not one.owner and (one.name == HOME or (one.name == JOB and not is_anything)):
                found.append(one.name)
    if len(found) > len(told) and _NOT_MINE.search(text):
        return told
    return tuple(dict.fromkeys(found))
