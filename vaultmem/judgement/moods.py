"""How somebody speaks in a conversation: glad, angry, both or neither, by words of seven languages.

A rough reading that is kept with the record of a conversation and decides nothing. Pure.
"""

from __future__ import annotations

import re

from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("moods")

_NOT = frozenset(word_list(_SAID["not"]))
_GLAD, _ANGRY = frozenset(word_list(_SAID["glad"])), frozenset(word_list(_SAID["angry"]))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEAR = 2  # words before in which a 'not' turns a word round


def mood_of(text: str) -> str:
    """positive, negative, mixed or neutral."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
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
