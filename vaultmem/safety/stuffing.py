"""Whether a text is written to be found: one word again and again where prose has sentences.

Looked at in runs: words that no end of a sentence, bracket, heading or list mark divides. In the
real notes and conversations that this was measured on (`python -m tests.bench.suspicion`) a run
of prose never gives one word a fifth of its room and five places; what is written against a
search does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from vaultmem.base import late

LEAST_RUN = 12  # words: a shorter one says a name twice
MOST_RUN = 48  # words looked at together; a longer run in halves that overlap
LEAST_TIMES = 5
LEAST_SHARE = 0.2
_SHORT = 4  # words: 'vpn access. vpn login. vpn help.' is one run
_STEM = 6  # letters: 'claim' and 'claims', 'flights' and 'flight'
_LEAST_UNSPACED = 24  # characters

_WORD = late(r"(?<![\w.-])[^\W_]+(?![\w-]|\.\w)")  # not the parts of a name in code
_HARD = late(
    r"[\[\](){}<>|#`\"“”«»=/\\]|\n(?=[^\w\n])|\n\s{0,20}\n|\n(?=\d)|"
    r"^[^\n:]{1,60}:[^\n]{0,20}$",
    re.MULTILINE,
)
_SOFT = late(r"[.!?;:](?!\w)|[。！？；\n]")
_FIRST_UNSPACED = "\u3040"
_UNSPACED = late(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,}")
# Words that every sentence has, and may have often.
_COMMON_WORDS = (
    "the and you for are was not with that this his her she they but all can has had from its our "
    "who your will have been one what there their more when were would into than then them "
    "der die das und den dem des ein eine einen einem einer ist nicht mit sich auf für von sie ich "
    "wir ihr auch als wie bei aus nach oder aber zum zur que los las una por con para del como más "
    "pero sus les est pas une dans qui sur avec vous nous ils elle aux son ses par plus pour che "
    "non per della dei gli sono con come não com uma dos das mais het een van dat niet zijn voor "
    "met aan что это как его для very really gonna"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def repeated_word(text: str) -> str:
    """The word (its beginning) that the text repeats to be found; '' for prose."""
    if not _may_repeat(text):
        return ""
    for words in _runs(text):
        for start in range(0, max(1, len(words) - MOST_RUN // 2), MOST_RUN // 2):
            part = words[start : start + MOST_RUN]
            if len(part) < LEAST_RUN:
                continue
            found = _often(part)
            if found:
                return found
    return _often_unspaced(text)


def _may_repeat(text: str) -> bool:
    """Whether a text may have words enough: one sentence has not, and needs no pattern."""
    if any(mark >= _FIRST_UNSPACED for mark in text):
        return True
    return len(text) - sum(map(str.isalnum, text)) + 1 >= LEAST_RUN


def _often(words: Sequence[str]) -> str:
    count = Counter(
        word[:_STEM]
        for word in words
        if len(word) > 2 and word not in _COMMON and not word.isnumeric()
    )
    for stem, times in count.most_common(1):
        if times >= LEAST_TIMES and times >= LEAST_SHARE * len(words) and len(count) > 1:
            return stem
    return ""


def _often_unspaced(text: str) -> str:
    """The pair of characters that a text without spaces repeats, in 200 characters at a time."""
    if text.isascii():
        return ""
    for run in _UNSPACED.finditer(text.replace(" ", "").replace("，", "").replace("、", "")):
        chars = run.group()
        for start in range(0, len(chars), 200):
            part = chars[start : start + 200]
            if len(part) < _LEAST_UNSPACED:
                continue
            pairs = Counter(part[i : i + 2] for i in range(len(part) - 1))
            [(pair, times)] = pairs.most_common(1)
            if times >= LEAST_TIMES and 2 * times >= LEAST_SHARE * len(part) and len(pairs) > 2:
                return pair
    return ""


def _runs(text: str) -> Iterator[list[str]]:
    """Words in order; sentences of a few words belong to the run before and after them."""
    for block in _HARD.split(text):
        run: list[str] = []
        for sentence in _SOFT.split(block):
            words = _WORD.findall(sentence)
            if len(words) > _SHORT:
                yield from _long_enough(run)
                run = words
                yield from _long_enough(run)
                run = []
            else:
                run += words
        yield from _long_enough(run)


def _long_enough(run: list[str]) -> Iterator[list[str]]:
    if len(run) >= LEAST_RUN:
        yield run
