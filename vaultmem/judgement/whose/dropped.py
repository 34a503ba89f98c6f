"""Whether words said in haste speak of the speaker, whom they leave out. Pure.

'work for Brightline, boss is Graham, binned the vape': dictated and typed speech drops 'I' and
'my'. A statement that puts them back is right where nobody else stands before its first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.judgement.features import is_form
from vaultmem.language import fold

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_I_WORDS = """
    i im ive id ill my mine me myself am was were have had been do did would will shall could can
    should may might must got gotta gonna be a an the
"""
# What a statement begins with before it says something: left out of what is compared.
_I = frozenset(_I_WORDS.split())
_ASIDE_WORDS = """
    and but so or then plus also now just still only really actually btw anyway well ok okay yeah
    yep nah no not never dont didnt wont cant couldnt havent hasnt isnt arent wasnt wouldnt
    definitely definately probably maybe today yesterday tomorrow finally already recently lately
    currently honestly lol haha oh hey mate um uh ugh sorry
"""
_ASIDE = frozenset(_ASIDE_WORDS.split())  # says neither who nor what
_THIRD_WORDS = "is isn't has hasn't does doesn't isnt hasnt doesnt 's"
_THIRD = frozenset(_THIRD_WORDS.split())


def leaves_out_speaker(statement: str, said: str, before: str = "") -> bool:
    """Whether `said` is what `statement` says of 'I' or 'my', with these left out.

    before  the words of its sentence before it, of which it is not known that they are the
            speaker's own clause
    """
    wanted = next(_telling(_words(statement)), "")
    words = [*_words(before), *_words(said)]
    opening = next((word for word in words if word not in _ASIDE), "")
    if not wanted or opening in _THIRD:
        return False
    first = next(_telling(words), "")
    return first == wanted or is_form(first, wanted)


def _telling(words: Sequence[str]) -> Iterator[str]:
    """The words that say who or what, in their order."""
    return (word for word in words if word not in _I and word not in _ASIDE)


def _words(text: str) -> list[str]:
    return [
        word if word in _THIRD else word.replace("'", "")
        for word in _WORD.findall(fold(text).replace("’", "'"))
    ]
