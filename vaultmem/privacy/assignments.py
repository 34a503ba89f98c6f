"""Values that words such as `password:` or `api_key =` introduce, in code, settings and sentences.

The pattern runs on the folded text, where it may begin with a plain word; case, which tells
`authToken` from `authority`, is looked up in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from vaultmem.privacy.hints import REACH, STRONG_WORDS, WORDS
from vaultmem.privacy.secret_kinds import is_key, is_password, is_random

ASSIGNMENT = "password or key"
BEHIND = 24  # from a stem back to where its word begins
AHEAD = REACH + 40
_WORD = "|".join(sorted(map(re.escape, WORDS), key=len, reverse=True))
# What stands behind such a word where it names something about the secret: `token_count`,
# `password_policy`.
_SUFFIXES = """
    file path name id ids url uri count counts length len size type hint policy field expiry expires
    expiration ttl limit min max reset manager hash budget usage per s
"""
_SHORT = ("pass", "pwd", "pw", "mdp", "clave")  # which end other words: `compass:`, `enclave:`
_NOT_A_SECRET = frozenset(_SUFFIXES.split())
_PATTERN = (
    rf"(--(?:[a-z]{{1,16}}+-){{0,3}}?)?({_WORD})([_-]?\w{{1,24}}+)?"
    r"(?:\s(?:for|of|to|on|von|für|zum|zur|de|del|du|voor)\s[^\n.:=]{1,30}?)?"
    r"""["'`*_\])\\]{0,6}+"""
    r"(?:\s{0,3}(:=|=>|==|=|:|：)|\s(is|was|ist|lautet|est|es|é|to)(?::|(?=\s))|\s|(?=[\"'`]))"
    r"[\s*_\\]{0,6}+(?=\S)"
)
_CLOSES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’"}
_RUN = re.compile(r"\S{1,20000}+")
LONGEST = 20_000  # characters of a value: session tokens have thousands
_SIGNLESS = 20  # characters of a value that stands after its word without any sign
# What ends a value without quotes in an address, in JSON, in HTML.
_TAIL = re.compile(r"&(?=\w{1,40}=)|\\[nrt]|<|\\?[\"'](?=[,}\])\s:]|$)")
_CLOSING = "\"'`,;.)]}>*|”»"


def assignments(
    text: str, lower: str, around: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """(start, end) of every value that is believable as a secret.

    lower   the text in lower case, character for character
    around  spans of the text to look at: `BEHIND` and `AHEAD` of the words
    """
    pattern, values = _assignment_pattern(), _Values(text)
    for begin, stop in around:
        at = begin
        while (found := pattern.search(lower, at, stop)) is not None:
            at = found.end()
            if not _is_name_of_secret(text, found):
                continue
            start, end, is_quoted = values.at(found.end())
            if start < end and _is_secret(text, found, text[start:end], quoted=is_quoted):
                yield start, end
                at = end
            elif end - start > BEHIND and not is_quoted:
                at = end  # `key=key=key=`: a run is looked at once


class _Values:
    """Values of one text: what stands in quotes, or up to the next white space.

    Remembers where the last run and the last quotes ended, so that ten thousand words before one
    long run take the time of one.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[str, int] = {}  # closing quote -> where the next one is
        self._line = -1  # where the line ends that was looked at last

    def at(self, begin: int) -> tuple[int, int, bool]:
        """(start, end, whether it is in quotes) of the value that begins here."""
        text = self._text
        close = _CLOSES.get(text[begin])
        if close is not None:
            end = self._closing(close, begin + 1)
            if 0 < end - begin - 1 <= LONGEST:
                value = text[begin + 1 : end].rstrip("\\")
                return begin + 1, begin + 1 + len(value), True
            begin += 1
        run = _RUN.match(text, begin)
        if run is None:
            return begin, begin, False
        value = _TAIL.split(run[0], maxsplit=1)[0].rstrip(_CLOSING)
        return begin, begin + len(value), False

    def _closing(self, close: str, begin: int) -> int:
        """Where the next such quote of this line is; -1 if there is none."""
        text = self._text
        if self._line < begin:
            self._line = text.find("\n", begin)
            self._line = len(text) if self._line < 0 else self._line
        if self._ends.get(close, -1) < begin:
            end = text.find(close, begin)
            while end > 0 and text[end - 1] == "\\" and text[begin - 2 : begin - 1] != "\\":
                end = text.find(close, end + 1)
            self._ends[close] = len(text) if end < 0 else end
        end = self._ends[close]
        return end if end < self._line else -1


def _is_name_of_secret(text: str, found: re.Match[str]) -> bool:
    """Whether the word is one of its own, and names a secret and not something about it."""
    word, suffix = found[2], found[3] or ""
    if not _begins_word(text, found.start(2), word):
        return False
    if suffix and not (suffix[0] in "_-" or text[found.start(3)].isupper()):
        return False  # secretary, tokens, keyboard
    return re.split(r"[_-]", suffix.lstrip("_-"))[0] not in _NOT_A_SECRET


def _is_secret(text: str, found: re.Match[str], value: str, *, quoted: bool) -> bool:
    is_strong = found[2] in STRONG_WORDS
    if not (found[4] or found[5]) and not (found[1] and text[found.end() - 1].isspace()):
        if quoted and is_strong:
            return is_password(value, quoted=False) and " " not in value
        return len(value) >= _SIGNLESS and is_key(value) and is_random(value, least_bits=3.4)
    return is_password(value, quoted=quoted) if is_strong else is_key(value)


def _begins_word(text: str, start: int, word: str) -> bool:
    """Whether it is a word of its own: `compass:` and `bypass =` are none, `dbPass` is."""
    if word not in _SHORT or start == 0 or not text[start - 1].isalpha():
        return True
    return text[start].isupper() and text[start - 1].islower()


@lru_cache(maxsize=1)
def _assignment_pattern() -> re.Pattern[str]:
    return re.compile(_PATTERN)
