"""How deeply a turn is worked on, by its length and by what it says."""

from __future__ import annotations

import re

from vaultmem.base.records import dataclass
from vaultmem.language.text import fold

SHORT_WORDS = 40
LONG_WORDS = 200
CODE_SHARE = 0.3

# A constraint or a correction counts in few words too: "Never use tabs here" has four.
_CUE = re.compile(
    r"\b(?:never|always|must|cannot|can'?t|don'?t|do not|no longer|not any ?more)\b"
    r"|\bno,? (?:not|it'?s|that'?s|use|make)\b"
    r"|\b(?:scrap|forget|strike) (?:that|it|the|what)\b"
    r"|\b(?:correction|instead of|changed my mind|i meant|i said)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What becomes of a turn."""

    size: str  # short, medium, long
    extract_diff: bool  # whether facts are read from it
    preserve_raw: bool  # whether it stays verbatim for longer
    code_heavy: bool
    summary: bool = True  # every turn has one


def route(
    user_words: int,
    assistant_words: int,
    *,
    code_heavy: bool = False,
    has_cue: bool = False,
    short_words: int = SHORT_WORDS,
    long_words: int = LONG_WORDS,
) -> Route:
    """The treatment of a turn with so many words on either side.

    Short: both sides below `short_words`; long: one side from `long_words` on. What is short has
    its facts read only for a cue or for being code.
    """
    longest = max(user_words, assistant_words)
    is_long = longest >= long_words
    size = "long" if is_long else "short" if longest < short_words else "medium"
    return Route(
        size=size,
        extract_diff=size != "short" or code_heavy or has_cue,
        preserve_raw=is_long,
        code_heavy=code_heavy,
    )


def has_cue(text: str) -> bool:
    """Whether a text sets a hard constraint or corrects something (English)."""
    return _CUE.search(fold(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")) is not None
