"""A plain statement taken apart: who or what, the verb, what is said; whether it denies.

Only the present tense and only sentences of one clause: what happened once contradicts nothing,
and in a condition or a doubt nobody states anything. Frames are compared by `rivals.py`.
"""

from __future__ import annotations

from functools import lru_cache

from vaultmem.base.records import NamedTuple
from vaultmem.extract.cues.lexicon import words
from vaultmem.extract.cues.patterns import Tokens, tokens_of

MOST_WORDS = 24  # a longer sentence says several things
_FURTHEST_VERB = 9  # words before it

# Verbs of states and habits by their forms: third person, plain. A plain form counts only after
# those who take it ('I work'), because most of these words are nouns too ('the build job').
_VERBS = """
    runs:run works:work lives:live costs:cost takes:take starts:start begins:begin ends:end
    opens:open closes:close meets:meet expires:expire weighs:weigh measures:measure lasts:last
    listens:listen sits:sit stands:stand reports:report belongs:belong happens:happen earns:earn
    pays:pay renews:renew arrives:arrive leaves:leave departs:depart has:have uses:use
    supports:support likes:like loves:love speaks:speak knows:know owns:own plays:play
    includes:include contains:contain offers:offer needs:need requires:require wants:want
    reads:read eats:eat drinks:drink prefers:prefer hosts:host leads:lead manages:manage
    maintains:maintain teaches:teach studies:study drives:drive stores:store keeps:keep
    deploys:deploy serves:serve allows:allow accepts:accept returns:return sends:send
    writes:write wears:wear sleeps:sleep smokes:smoke sells:sell provides:provide holds:hold
    depends:depend connects:connect exposes:expose caches:cache rents:rent comes:come goes:go
"""
_THIRD = dict(pair.split(":") for pair in _VERBS.split())
_PLAIN = frozenset(_THIRD.values())
_BE = words("is are am 's")
_MODAL = words("can must")
_NOT_BE = words("isn't aren't")
_NOT_DO = words("doesn't don't")
_NOT_MODAL = {"cannot": "can", "can't": "can", "mustn't": "must"}
_DO = words("do does")
_TAKE_PLAIN = words("i we they you people and")
_ORDERS = {"always": False, "never": True, "don't": True}

# Words in which nothing is stated, or more than one thing.
_NO_STATEMENT = words(
    "if would could should might maybe perhaps probably think thought guess hope wish unless "
    "whether when while until because was were did had been being will shall used "
    "than or but although though ? ; : … who which whose"
)
_CUES = words("now nowadays currently")
_CUE_PAIRS = (("these", "days"), ("at", "present"), ("right", "now"))
_FROM_NOW = (("as", "of", "now"), ("from", "now", "on"), ("as", "of", "today"))
_PARTICIPLES = words("made gone become left got gotten taken come found grown begun written to")
_FADED = words("still already also just really very quite only actually usually")
_ABOUT = words("about around roughly approximately nearly")  # before a number
_ONE_PREPOSITION = {("work", "for"): "at"}
_NO_LONGER = (("no", "longer"),)
_TAILS = (("anymore",), ("any", "more"), ("any", "longer"))
_ARTICLES = words("the our")
_DIGITS = "0123456789€$£"
_MARKS = '.!"“”'


class Frame(NamedTuple):
    """The parts of a statement. Words in lower case; `raw` are those of `said` as written."""

    subject: tuple[str, ...]  # without 'the' and 'our'; () of an order
    verb: str  # its plain form; 'be', or 'always' of an order
    said: tuple[str, ...]
    raw: tuple[str, ...]
    is_denied: bool
    is_new: bool  # it says that this is so now
    has_article: bool  # the subject begins with 'the', 'our' or 'my'


@lru_cache(maxsize=16_384)  # of thousands of new bullets, each is held against dozens
def frame_of(statement: str) -> Frame | None:
    """The parts of a statement in the present tense; None for any other text."""
    tokens = plain(statement)
    if tokens is None or tokens.present & _NO_STATEMENT or "may" in tokens.raw:
        return None
    lower, raw = list(tokens.lower), list(tokens.raw)
    is_denied = _take_out(lower, raw, _NO_LONGER)
    _take_out(lower, raw, _TAILS)
    is_new = _take_out(lower, raw, (*_FROM_NOW, *_CUE_PAIRS)) or bool(_CUES & {*lower})
    kept = [
        i
        for i, word in enumerate(lower)
        if word not in _CUES
        and word not in _FADED
        and not (word in _ABOUT and lower[i + 1 : i + 2] and lower[i + 1][0] in _DIGITS)
    ]
    if not kept:
        return None
    return _framed(
        [lower[i] for i in kept], [raw[i] for i in kept], is_denied=is_denied, is_new=is_new
    )


@lru_cache(maxsize=512)
def plain(statement: str) -> Tokens | None:
    """The words of a sentence without its closing mark; None when it is no single short one."""
    tokens = tokens_of(statement.replace("’", "'").strip().rstrip(_MARKS))
    if not 2 < tokens.size <= MOST_WORDS or tokens.present & {".", "!", "(", "|", "/", "`", "["}:
        return None
    return tokens


def _framed(lower: list[str], raw: list[str], *, is_denied: bool, is_new: bool) -> Frame | None:
    if lower[0] in _ORDERS:
        if lower[0] == "don't" and len(lower) > 1 and lower[1] not in _PLAIN:
            return None
        return Frame(
            subject=(),
            verb="always",
            said=tuple(lower[1:]),
            raw=tuple(raw[1:]),
            is_denied=_ORDERS[lower[0]],
            is_new=is_new,
            has_article=False,
        )
    for i in range(1, min(len(lower), _FURTHEST_VERB)):
        verb, end, denies = _verb_at(lower, i)
        if not verb:
            continue
        subject = tuple(lower[:i])
        if subject[0] in _ARTICLES:
            subject = subject[1:]
        if not subject or end >= len(lower) or (verb == "have" and _is_done(lower[end])):
            return None
        said = tuple(lower[end:])
        said = (_ONE_PREPOSITION.get((verb, said[0]), said[0]), *said[1:])
        return Frame(
            subject=subject,
            verb=verb,
            said=said,
            raw=tuple(raw[end:]),
            is_denied=is_denied or denies,
            is_new=is_new,
            has_article=lower[0] in _ARTICLES or lower[0] == "my",
        )
    return None


def _verb_at(lower: list[str], i: int) -> tuple[str, int, bool]:
    """Verb, the place after it, and whether it is denied; '' when no verb stands there."""
    word, following = lower[i], lower[i + 1] if i + 1 < len(lower) else ""
    denies = following in ("not", "never")
    if word == "'s" and not _is_short_for_is(lower, i):
        return "", 0, False
    if word in _BE:
        return "be", i + 1 + denies, denies
    if word in _NOT_BE:
        return "be", i + 1, True
    if word in _MODAL and following:
        return word, i + 1 + denies, denies
    if word in _NOT_MODAL:
        return _NOT_MODAL[word], i + 1, True
    if word in _NOT_DO and following in _PLAIN:
        return following, i + 2, True
    if word in _DO and following == "not" and i + 2 < len(lower) and lower[i + 2] in _PLAIN:
        return lower[i + 2], i + 3, True
    if word == "never" and following:  # 'I never drink coffee'
        verb, end, _ = _verb_at(lower, i + 1)
        return verb, end, True
    if word in _THIRD and lower[i - 1] not in _TAKE_PLAIN:
        return _THIRD[word], i + 1, False
    takes_plain = lower[i - 1] in _TAKE_PLAIN or (lower[i - 1].endswith("s") and i > 0)
    return (word, i + 1, False) if word in _PLAIN and takes_plain else ("", 0, False)


def _is_done(word: str) -> bool:
    """'has moved': what happened, and no state."""
    return word.endswith("ed") or word in _PARTICIPLES


def _is_short_for_is(lower: list[str], i: int) -> bool:
    """'it's', 'she's'; after another word it is a possessive, or may be."""
    return i == 1 and lower[0] in ("it", "she", "he", "that")


def _take_out(lower: list[str], raw: list[str], phrases: tuple[tuple[str, ...], ...]) -> bool:
    """Take the phrases out of the words; whether there was one."""
    found = False
    for phrase in phrases:
        for i in range(len(lower) - len(phrase), -1, -1):
            if tuple(lower[i : i + len(phrase)]) == phrase:
                del lower[i : i + len(phrase)], raw[i : i + len(phrase)]
                found = True
    return found
