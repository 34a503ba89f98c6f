"""Whether two rules are the same one, and whether a correction goes against a rule.

Likeness of letters only nominates: 'always use tabs' and 'never use tabs' are alike to 0.85, so
polarity and value have to agree too (algorithms 4.8, 4.9).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from vaultmem.language.text import fold, is_one_word
from vaultmem.learn.detect.languages import DEFAULT, Language, load
from vaultmem.learn.detect.values import tokens

LEAST_DICE = 0.8
LEAST_SHARED = 2
SHORTEST_CONTENT = 4  # letters
_SPACES = re.compile(r"\s+")
_LABEL = re.compile(
    r"^\s*(?:(?:user|agent|project|team|code|tool|personal|learned|stated)[ -])?"
    r"(?:preferences?|decisions?|corrections?|conventions?|workflows?|rules?|tool sequences?)"
    r"\s*:\s*",
    re.I,
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_QUOTES = str.maketrans("’‘", "''")


def dice(one: str, other: str) -> float:
    """Share of character pairs that two texts have in common, in [0, 1]; 1 for the same text.

    Over multisets, in lower case with single spaces. Texts of one letter have no pairs.
    """
    first, second = _collapsed(one), _collapsed(other)
    if first == second:
        return 1.0
    left, right = _pairs(first), _pairs(second)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0


def is_same_rule(
    one: str,
    other: str,
    *,
    same_category: bool,
    language: Language | None = None,
    least: float = LEAST_DICE,
) -> bool:
    """Whether two statements are one rule: alike, of one polarity, about the same value.

    least  share of character pairs from which they are alike
    """
    tongue = language or load(DEFAULT)
    left, right = without_label(one), without_label(other)
    if not same_category or dice(left, right) < least:
        return False
    if polarity_of(left, tongue) != polarity_of(right, tongue):
        return False
    return not _differ_in_value(fold(left), fold(right), tongue)


def polarity_of(statement: str, language: Language) -> str:
    """'avoid' of a statement that denies or forbids, else 'prefer'."""
    text = fold(without_label(statement).translate(_QUOTES))
    return "avoid" if language.doubt.has("avoiding", text) else "prefer"


def without_label(statement: str) -> str:
    """'User preference: prefers tabs' without what is before the statement."""
    return _LABEL.sub("", statement)


def goes_against(
    correction: str, rule: str, *, is_own: bool = False, language: Language | None = None
) -> bool:
    """Whether a correction weakens a rule: it denies something, and they share two content words.

    is_own  the rule was made or confirmed by this very correction
    """
    tongue = language or load(DEFAULT)
    if is_own:
        return False
    words = _words(correction)
    if not any(word in tongue.negations or word.endswith("n't") for word in words):
        return False
    shared = _content(correction, tongue.name) & _content(without_label(rule), tongue.name)
    return len(shared) >= LEAST_SHARED


@lru_cache(maxsize=8192)
def _content(text: str, language: str) -> frozenset[str]:
    tongue = load(language)
    return frozenset(
        word
        for word in _words(text)
        if len(word) >= SHORTEST_CONTENT
        and word not in tongue.negations
        and word not in tongue.stop_words
        and not word.endswith("n't")
    )


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text.translate(_QUOTES))))


def _differ_in_value(one: str, other: str, language: Language) -> bool:
    """Whether each side has a word of its own: 'tabs' here, 'spaces' there."""
    left, right = set(tokens(one, language)), set(tokens(other, language))
    only_left = {w for w in left - right if not any(is_one_word(w, o) for o in right)}
    only_right = {w for w in right - left if not any(is_one_word(w, o) for o in left)}
    if only_left and only_right:
        return True
    digits = {w for w in only_left | only_right if any(c.isdigit() for c in w)}
    return bool(digits)


def _collapsed(text: str) -> str:
    return _SPACES.sub(" ", text).strip().lower()


def _pairs(text: str) -> Counter[str]:
    return Counter(text[place : place + 2] for place in range(len(text) - 1))
