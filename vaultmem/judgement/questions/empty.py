"""Words of a talk that carry nothing to anybody who was not there: 'Noted.', 'And against?'."""

from __future__ import annotations

import re

from vaultmem.judgement.sentence import judge_worth

_LONGEST = 12  # words: what is longer says something, or is a question that tells of its asker
_LEAST = 0.06  # chance of being worth keeping, below which a question has no content
_LEAST_OF_ASSISTANT = 0.15  # 'Good.' has .06, 'Right.' .10, "You're welcome." .145
_LEAST_OF_ANSWERS = 0.003  # of the person: 'Hawaii!' (.004) may be an answer, 'Thanks!' (.0002) not
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_DIGIT = re.compile(r"\d")


def says_nothing(text: str, *, of_assistant: bool) -> bool:
    """Whether a turn of a talk thanks, agrees or asks back, and no more; about 1 ms.

    Only short ones are looked at. What the person says may be a short answer, so of that only
    questions and what is hardly anything else.
    """
    if len(text.split()) > _LONGEST or _DIGIT.search(text):
        return False
    said = [one.strip() for one in _SENTENCE.findall(text) if one.strip()]
    least = _LEAST_OF_ASSISTANT if of_assistant else _LEAST_OF_ANSWERS
    return all(
        judge_worth(one).keep < (max(least, _LEAST) if one.endswith("?") else least) for one in said
    )
