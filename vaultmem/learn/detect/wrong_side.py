"""What the assistant had wrong: 'I named it `uid`' before 'that's wrong, it should be user_id'.

The person names what is right only; what stands in its place is in the turn before. It is told by
its shape: a number for a number, a time for a time, a name in code for one, a proper name for one.
Where more than one word has the shape, or none, nothing is said to be wrong.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"`([^`\n]{1,60})`")
_WORD = re.compile(r"[^\W\d_][\w-]*")
# Each with the value as a whole; what a number counts has to agree ('4 pm', '30 minutes').
_AMOUNT = re.compile(
    r"(?<![\w.,:])\d+(?:[.,:]\d+)*(?: ?(?:am|pm|%|[a-zäöü]+))?(?![\w])", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_IDENTIFIER = re.compile(r"[A-Za-z]+(?:_\w+)+|[a-z]+[A-Z]\w*|[A-Za-z_]\w*\(\)")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-ZÄÖÜÀ-Þ][\w-]+(?: [A-ZÄÖÜÀ-Þ][\w-]+)*")
_NAME_IN_FRONT = re.compile(r"[A-ZÄÖÜÀ-Þ][\w-]+(?: [A-ZÄÖÜÀ-Þ][\w-]+)*")
_NUMBERED = re.compile(r"(?P<name>[A-ZÄÖÜÀ-Þ][\w-]+) \d+")
# 'it's', 'es a las', 'c'est': what is right comes behind it.
_SAYS = re.compile(
    r"^(?:(?:it(?:['’]s| is)|it should be|is|es ist|es sind|es muss|ist|es|son|c['’]est|ce sont|è"
    r"|sono|het is|são|at|um|a las?|à|alle|om|às)\s+)+",
    re.IGNORECASE,
)
_SHORTEST = 3  # letters of a word that stands for a name in code


def wrong_in(previous: str, right: str) -> str:
    """The words of the assistant's turn that `right` stands in place of; '' where unclear.

    previous  the turn, as it was written
    right     what the person says is right, as it was written
    """
    value = _SAYS.sub("", right.strip(" `'\".!,;:"))
    if not value:
        return ""
    found = {each for each in _of_shape(previous, value) if each.casefold() != value.casefold()}
    return found.pop() if len(found) == 1 else ""


def _of_shape(previous: str, value: str) -> list[str]:
    if _AMOUNT.fullmatch(value):
        unit = _NUMBER.sub("", value).strip().casefold()
        amounts = [found[0] for found in _AMOUNT.finditer(previous)]
        if not unit:
            return [found[0] for found in _NUMBER.finditer(previous)]
        return [each for each in amounts if _NUMBER.sub("", each).strip().casefold() == unit]
    numbered = _NUMBERED.fullmatch(value)
    if numbered is not None:
        alike = rf"(?<!\w){re.escape(numbered['name'])} \d+"
        return [found[0] for found in re.finditer(alike, previous)]
    if _IDENTIFIER.fullmatch(value):
        in_code = [found[1] for found in _CODE.finditer(previous)]
        named = in_code or [found[0] for found in _IDENTIFIER.finditer(previous)]
        return named or _shortened(previous, value)
    if _NAME_IN_FRONT.fullmatch(value):
        return [found[0] for found in _NAME.finditer(previous)]
    return []


def _shortened(previous: str, value: str) -> list[str]:
    """Words whose letters come in this order in the name: 'uid' in 'user_id'."""
    letters = value.casefold()
    return [
        word[0]
        for word in _WORD.finditer(previous)
        if _SHORTEST <= len(word[0]) < len(letters) and _is_within(word[0].casefold(), letters)
    ]


def _is_within(short: str, long: str) -> bool:
    rest = iter(long)
    return short[0] == long[0] and all(letter in rest for letter in short)
