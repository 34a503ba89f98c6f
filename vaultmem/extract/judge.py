"""Why a sentence is no evidence: question, hypothesis, hearsay, the past, a request, a secret.

Each rule is a function from the words of a sentence to a reason or ''; the first reason counts.
The rules are those of the project's algorithm 4 (preprocessing) and 7.7 (what may be stored).
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.extract.cues.lexicon import OPINIONS, PASSING_STATES, REQUEST_VERBS, words
from vaultmem.extract.cues.patterns import CueTable, Tokens, read_cues

MAX_WORDS = 80  # longer 'sentences' are lists, logs or text without full stops
MIN_WORDS = 3
_SHORT = 5  # words of a remark

_WH = words("what why how when where who which whose whom")
_AUXILIARY = words(
    "do does did is are was were am can could would will should shall have has had may might must "
    "isn't aren't wasn't weren't don't doesn't didn't can't couldn't wouldn't won't shouldn't "
    "haven't hasn't hadn't"
)
_SUBJECTS = words("i you we he she it they the this that there anyone anybody someone a an my your")
_SUPPOSING = words(
    "if would suppose supposing imagine assuming wonder wondering whether hypothetically"
)
_HEDGES = words("maybe perhaps might probably possibly presumably supposedly apparently unless")
_SAYING = words(
    "says said told claims claimed mentioned reckons reportedly allegedly argues argued suggested "
    "insists insisted announced recommends rumour rumor tells"
)
_GREETINGS = words(
    "hi hello hey thanks thank cheers bye goodbye welcome congrats congratulations sorry yes no "
    "yeah yep yup nope sure ok okay great nice cool awesome wow perfect fine good morning evening "
    "night day hmm um uh ah oh well right please you so much very that's it is all for now that "
    "'s sounds looks amazing lovely sweet totally absolutely exactly indeed agreed done got see "
    "later soon talk take care cheers glad happy to hear fantastic wonderful beautiful brilliant "
    "excellent haha lol true makes sense of course no problem worries a lot my pleasure anytime "
    "good luck let me think about this hear can't wait go ahead"
)
# 'My manager micromanages everything.' and 'Night shifts wear me out.' only begin like these.
_OPENING = _GREETINGS - words("my day night evening morning care hear problem pleasure all a of")
_POLITE = words(
    "worries problem problems rush hurry idea clue way need thanks thank luck matter chance wonder"
    " doubt kidding bother probs stress sweat pasa hay importa problema de ahnung sorge eile"
    " ursache"
)
_MOST_POLITE = 5  # tokens, marks among them
_OF_NOW = OPINIONS | PASSING_STATES
_POINTERS = words("it this that these those they he she there here that's him her them")
_NEGATED_CUES = words("prefer decided always decide agreed chosen planning plan intend")
_NOT = words("not don't doesn't didn't haven't hasn't isn't never aren't won't wasn't no")

_SECRET_WORD = (
    r"(?i)\b(?:pass(?:word|phrase|wd|code)|api[ _-]?key|secret[ _-]?key|access[ _-]?token|token|"
    r"private[ _-]?key|bearer|cvv|client[ _-]?secret|seed phrase|ssn)\b"
    r"(?:\s+(?:for|of)\s[^.\n]{1,40}?)?[\"'`]?\s{0,3}(?:is|was|:|=)(?!\s+(?:stored|kept|saved|in|"
    r"not|required|needed|managed|rotated|optional|a|an|the|on|at|never|no|longer|be)\b)"
    r"|\b(?:changed?|set|reset)\s[^.\n]{0,30}pass(?:word|phrase|code)\s+to\b|\bpin\b[^.\n\d]{0,12}\d{4}"
)
# Looked for first: most texts have none of these, and plain search is ten times as fast.
_SECRET_HINTS = ("pass", "key", "token", "secret", "bearer", "cvv", "seed phrase", "ssn", "pin")
_SHAPE_HINTS = ("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "_", "AKIA", "xox", "BEGIN", "eyJ")
_EIGHT_DIGITS = r"\d{4}[ -]?\d{4}"
_SECRET_SHAPE = (
    r"\b(?:sk|pk|rk)[-_](?:live|test|ant|proj)?[-_]?[A-Za-z0-9_-]{16}|\bgh[pousr]_[A-Za-z0-9]{20}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{10}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY"
    r"|\beyJ[A-Za-z0-9_-]{15,300}\.[A-Za-z0-9_-]{15}"
    r"|(?<![\d.-])(?:\d{4}[ -]){3}\d{4}(?![\d.-])|(?<![\d.-])\d{16}(?![\d.-])"
)
_PLACES = words("job school company office place house town flat apartment team")
_YOUNG = words("kid child young little small teen teenager boy girl baby student")
_PHRASES = """
irony/tone : what could possibly? go wrong
irony/tone : yeah ,? right
hypothetical/what-if : what if
hypothetical/if-only : if only
hedged/guess : i guess|think|suppose
hedged/not-sure : not sure
past/back-then : back then
past/back-then : back in the|my day|days
past/old-place : at|in my old|former|previous|last <2 @place
past/old-days : in the|those old|olden? days
past/child : when i was a|an|still|very|really|so? <1 @young
reported/source : according to
reported/source : i heard|read that
reported/source : i was told that
reported/source : people say|think
negated/not-that : not that i|we
negated/no-opinion : no <1 opinion|preference
"""


@lru_cache(maxsize=1)
def _phrases() -> CueTable:
    return read_cues(_PHRASES, {"place": _PLACES, "young": _YOUNG})


def is_secret(text: str) -> bool:
    """Whether a text shows a password, key, token or card number; such are never stored."""
    lower = text.lower()
    if any(hint in lower for hint in _SECRET_HINTS) and re.search(_SECRET_WORD, text):
        return True
    shaped = any(hint in text for hint in _SHAPE_HINTS) or re.search(_EIGHT_DIGITS, text)
    return bool(shaped and re.search(_SECRET_SHAPE, text))


def not_a_statement(tokens: Tokens) -> str:
    """The reason why a sentence (its words after fillers) states nothing that holds, or ''."""
    count = sum(word[0].isalnum() or word[0] in "§_" for word in tokens.lower)
    if count > MAX_WORDS:
        return "too-long"
    if is_question(tokens):
        return "question"
    is_denial = tokens.at(0) in ("no", "pas", "kein", "keine")
    if is_denial and tokens.at(1) in _POLITE and tokens.size <= _MOST_POLITE:
        return "filler"  # 'No worries.'; of 'No nuts for Ida.' judgement decides
    if all(word in _GREETINGS for word in tokens.lower if word[0].isalnum()):
        return "filler"
    if count < MIN_WORDS:
        return "too-short"
    return _unsettled(tokens)


def _is_passing(tokens: Tokens) -> bool:
    """Whether it is said of something only how it is just now: 'my code is broken'."""
    if tokens.present <= _GREETINGS | {".", "!"}:
        return True
    said = [word for word in tokens.lower if word[0].isalnum()]
    return len(said) <= _SHORT and said[-2:-1] in (["is"], ["are"]) and said[-1] in _OF_NOW


def is_question(tokens: Tokens) -> bool:
    """A question mark at the end, or the order of words of a question."""
    if "?" in tokens.lower[-3:]:
        return True
    first, second = tokens.at(0), tokens.at(1)
    if first in ("do", "have") and second in ("your", "the", "my", "a", "an", "this", "that"):
        return False  # an order: 'do your research'
    if first in _AUXILIARY and second in _SUBJECTS and first not in ("may", "don't"):
        return True
    return first in _WH and second in _AUXILIARY | {"'s", "about", "if", "would"}


def _unsettled(tokens: Tokens) -> str:
    """Irony, hypothesis, hearsay, past habit or a denied cue."""
    present = tokens.present
    phrase = next(_phrases().find(tokens), None)
    if phrase is not None:
        return phrase.cue.kind
    if tokens.lower[:3] == ("i", "would", "like"):
        return "request"
    if present & _SUPPOSING:
        return "hypothetical"
    if present & _HEDGES:
        return "hedged"
    if "used" in present and _used_to(tokens):
        return "past"
    if present & _SAYING and not _own_saying(tokens):
        return "reported"
    if present & _NEGATED_CUES and present & _NOT:
        for i, word in enumerate(tokens.lower):
            if word in _NEGATED_CUES and {tokens.at(i - 1), tokens.at(i - 2)} & _NOT:
                return "negated"
    return ""


def _used_to(tokens: Tokens) -> bool:
    """'I used to smoke', but not 'is used to store' or 'got used to'."""
    for i, word in enumerate(tokens.lower):
        if word == "used" and tokens.at(i + 1) == "to":
            before = tokens.at(i - 1)
            return before not in ("is", "are", "was", "were", "be", "get", "got", "getting", "'s")
    return False


def _own_saying(tokens: Tokens) -> bool:
    """Whether the speaker reports their own words ('I said', 'we announced')."""
    for i, word in enumerate(tokens.lower):
        if word in _SAYING and not {tokens.at(i - 1), tokens.at(i - 2)} & {"i", "we"}:
            return False
    return True


def not_for_memory(tokens: Tokens, *, to_assistant: bool) -> str:
    """The reason why a statement is a passing request or remark, or ''; asked when no rule fits.

    to_assistant  the speaker talks to an assistant, so that bare verbs are orders
    """
    first, second = tokens.at(0), tokens.at(1)
    if first == "please" or (to_assistant and first in REQUEST_VERBS):
        return "request"
    if first == "i" and second in ("want", "need", "would") and "you" in tokens.lower[2:4]:
        return "request"
    if first in ("i", "we") and second == "would":
        return "request"
    if first in ("you", "your") and second != "":
        return "addressed"
    if first in _POINTERS:
        return "pronoun"
    if first in _OPENING and tokens.size <= 8:
        return "opening"  # known by its first word alone: judgement may know better
    if first == "my" and _is_passing(tokens):
        return "filler"  # 'My day is good.'
    return "no-cue"
