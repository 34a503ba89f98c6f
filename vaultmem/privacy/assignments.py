"""Values that words such as `password:` or `api_key =` introduce, in code, settings and sentences.

The pattern runs on the folded text, where it may begin with a plain word; case, which tells
`authToken` from `authority`, is looked up in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from vaultmem.privacy.hints import REACH, STRONG_WORDS, WORDS
from vaultmem.privacy.plausible import is_key, is_password

ASSIGNMENT = "password or key"
BEHIND = 16  # from a stem back to where its word begins
AHEAD = REACH + 260
_WORD = "|".join(sorted(map(re.escape, WORDS), key=len, reverse=True))
_SUFFIXES = """
    file path name id ids url uri count counts length len size type hint policy field expiry expires
    expiration ttl limit min max reset manager hash budget usage per s
"""
_NOT_A_SECRET = frozenset(_SUFFIXES.split())
_PATTERN = (
    rf"({_WORD})([_-]?\w{{1,24}}+)?"
    r"(?:\s(?:for|of|to|von|für|zum|zur|de|del|du|voor)\s[^\n.:=]{1,30}?)?"
    r"""["'`*_\])]{0,4}+\s{0,3}"""
    r"(:=|=>|==|=|:|\s(?:is|was|ist|lautet|est|es|é|to)(?::|(?=\s)))"
    r"""[\s*_]{0,4}+(?:["'`“„«]((?:[^"'`“”»\\\n]|\\.){6,200}+)["'`”“»]|([^\s"'`]\S{5,200}+))"""
)
_TAIL = re.compile(r"&(?=\w{1,40}=)|\\[nrt]|<")
_CLOSING = "\"'`,;.)]}>*|”»"


def assignments(
    text: str, lower: str, around: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """(start, end) of every value that is believable as a secret.

    lower   the text in lower case, character for character
    around  spans of the text to look at: `BEHIND` and `AHEAD` of the words
    """
    pattern = _compiled()
    for begin, stop in around:
        for found in pattern.finditer(lower, begin, stop):
            span = _value(text, found)
            if span is not None:
                yield span


def _value(text: str, found: re.Match[str]) -> tuple[int, int] | None:
    word, suffix = found[1], found[2] or ""
    start = found.start()
    if not _begins_word(text, start, word):
        return None
    if suffix and not (suffix[0] in "_-" or text[found.start(2)].isupper()):
        return None  # secretary, tokens, keyboard
    if re.split(r"[_-]", suffix.lstrip("_-"))[0] in _NOT_A_SECRET:
        return None
    quoted = found[4] is not None
    begin, end = found.span(4 if quoted else 5)
    value = text[begin:end]
    if not quoted:
        value = _TAIL.split(value, maxsplit=1)[0].rstrip(_CLOSING)
    if not value:
        return None
    is_secret = is_password(value, quoted=quoted) if word in STRONG_WORDS else is_key(value)
    return (begin, begin + len(value)) if is_secret else None


def _begins_word(text: str, start: int, word: str) -> bool:
    """Whether it is a word of its own: `compass:` and `bypass =` are none, `dbPass` is."""
    if word not in ("pass", "pwd") or start == 0 or not text[start - 1].isalpha():
        return True
    return text[start].isupper() and text[start - 1].islower()


@lru_cache(maxsize=1)
def _compiled() -> re.Pattern[str]:
    return re.compile(_PATTERN)
