"""Sentences about something with a name ('Maria is vegan'), and plain statements taken apart.

A subject of a few words at the beginning, a verb from a list, and something said about it. In a
document nearly every such sentence is a fact; in a chat only what is lasting by its verb.
"""

from __future__ import annotations

from functools import cache, lru_cache

from vaultmem.base import NamedTuple
from vaultmem.extract.cue_patterns import (
    ADVERBS,
    CLITICS,
    NO_SUBJECT,
    OPINIONS,
    PASSING_STATES,
    RELATIONS,
    REQUEST_VERBS,
    Tokens,
    tokens_of,
    words,
)
from vaultmem.language import vocabulary, word_list

LONGEST_SUBJECT = 7  # words
_SAID = vocabulary("named_things")


def _list(section: str) -> frozenset[str]:
    return frozenset(word_list(_SAID[section]))


_BE = words("is are")
_WAS = words("was were")
_HAVE = words("has have")
_MUST = words("must shall should mustn't shouldn't")
_STATIVE = _list("stative")
_PLURAL = _list("plural verbs")
_PLURAL_NOUNS = _list("plural nouns")
_PAST_PARTICIPLES = _list("past participles")
_DECIDED = _list("decided")
_HAPPENED = _list("happened")
_ACTED = _HAPPENED | _list("acted")
_VERBS = _BE | _WAS | _HAVE | _MUST | _STATIVE | _ACTED | _DECIDED
_META = _list("of a text")
_ELSEWHERE = words("following below above")
_ARTICLES = words("the a an")
_INSIDE = words("of for in on at and 's & / from the a an to behind our my with")
# Said in a chat, only these say something lasting about a thing.
_LASTING = _list("lasting")
_LASTING_STATES = _list("lasting states")


class Declarative(NamedTuple):
    """Where the parts of such a sentence are, and what it is."""

    kind: str
    name: str  # 'fact:named-subject'
    subject: tuple[int, int]  # words [from, to)
    verb: int


def declarative(tokens: Tokens, *, in_document: bool, is_dated: bool) -> Declarative | None:
    """What a sentence says of a named subject, or None.

    in_document  nearly every verb counts; otherwise only lasting ones
    is_dated     a date in the sentence makes what happened an event worth keeping
    """
    first = tokens.at(0)
    general = first in ("all", "every", "each", "no") and in_document
    if (first in NO_SUBJECT and first not in ("my", "our") and not general) or (
        first in ("a", "an") or (first in REQUEST_VERBS and not tokens.is_capital(1))
    ):
        return None
    verb = _verb(tokens)
    if verb is None or not tokens.is_word(verb + 1):
        return None
    subject = (1 if first in ("the", "our") else 0, verb)
    named = tokens.lower[subject[0] : verb]
    if (
        set(named) & _META
        or tokens.present & _ELSEWHERE
        or (first.endswith("ing") and len(first) > 5 and verb < 3)
    ):
        return None
    kind, name = _judge_named(tokens, verb, in_document=in_document, is_dated=is_dated)
    if not kind or (general and kind != "rule"):
        return None
    return Declarative(kind=kind, name=f"{kind}:{name}", subject=subject, verb=verb)


def _verb(tokens: Tokens) -> int | None:
    """The first word that is a verb here, after a subject of words only."""
    least = 2 if tokens.at(0) in ("the", "our", "my", "all", "every", "each", "no") else 1
    for i in range(min(tokens.size, LONGEST_SUBJECT + 2)):
        word = tokens.lower[i]
        if i >= least and word in _VERBS:
            if tokens.at(i + 1) in _BE | _WAS | _MUST and word not in _HAVE:
                continue  # 'API reports are cached'
            if i > 0 and tokens.is_capital(i):
                continue  # part of a name or title: 'Date Created Key'
            if word in _PLURAL and not _is_plural(tokens, i):
                continue  # 'simple use of'
            return i if i <= LONGEST_SUBJECT else None
        if i >= least and word == "can" and tokens.is_word(i + 1):
            return i
        if not tokens.is_word(i) and word not in _INSIDE:
            return None
        if word in _ARTICLES and i > 0 and tokens.at(i - 1) not in _INSIDE:
            return None  # an order or a description of one: 'Makes sure the style is'
        if i >= least and word in NO_SUBJECT and word not in _INSIDE | ADVERBS:
            return None
    return None


def _is_plural(tokens: Tokens, verb: int) -> bool:
    """Whether several are spoken of: the word before ends in s, or two are joined by 'and'."""
    i = verb - 1
    while tokens.at(i) in ADVERBS:
        i -= 1
    last = tokens.at(i)
    return last.endswith("s") or last in _PLURAL_NOUNS or "and" in tokens.lower[:verb]


def _judge_named(
    tokens: Tokens, verb: int, *, in_document: bool, is_dated: bool
) -> tuple[str, str]:
    """Kind and name of the rule, ('', '') when it is not worth keeping."""
    word = tokens.lower[verb]
    said = _complement(tokens, verb)
    if word in _MUST:
        return ("rule", "must") if in_document else ("", "")
    if word in _DECIDED:
        return "decision", "named-subject"
    if word in _BE:
        return _judged_be(tokens, said, in_document=in_document, is_dated=is_dated)
    if word in _WAS:
        lasting = tokens.at(said) in _PAST_PARTICIPLES
        return ("event", "was") if lasting or (is_dated and in_document) else ("", "")
    if word in _ACTED and word not in _STATIVE:
        kept = is_dated or (word in _HAPPENED and in_document)
        return ("event", "happened") if kept else ("", "")
    if word in _HAVE:
        passing = tokens.at(said) in OPINIONS or tokens.at(said).endswith("ed")
        return ("fact", "has") if in_document and not passing else ("", "")
    if in_document or (word in _LASTING and _is_named(tokens, verb)):
        return "fact", "named-subject"
    return "", ""


def _judged_be(tokens: Tokens, said: int, *, in_document: bool, is_dated: bool) -> tuple[str, str]:
    word = tokens.at(said)
    if word in OPINIONS or word in PASSING_STATES:
        return "", ""
    if is_dated and (word in _PAST_PARTICIPLES or word in ("on", "at", "in", "due", "from")):
        return "event", "is-scheduled"
    if in_document:
        return "fact", "is"
    named = _is_named(tokens, said) and (word in _LASTING_STATES or tokens.is_capital(said))
    return ("fact", "is") if named else ("", "")


def _complement(tokens: Tokens, verb: int) -> int:
    """The first word of what is said, past adverbs, articles of opinions and 'not'."""
    i = verb + 1
    while tokens.at(i) in ADVERBS or tokens.at(i) == "been":
        i += 1
    if tokens.at(i) in ("a", "an", "the") and tokens.at(i + 1) in OPINIONS:
        return i + 1
    return i


def _is_named(tokens: Tokens, verb: int) -> bool:
    """Whether the subject is a name, or a thing or person of the speaker's."""
    if tokens.at(0) in ("our", "my"):
        return True
    if any(tokens.is_capital(i) for i in range(1, verb)):
        return True
    return tokens.is_capital(0) and verb == 1 and tokens.at(0) not in RELATIONS


# --- frames: plain statements taken apart ---

# Only the present tense and only sentences of one clause: what happened once contradicts nothing,
# and in a condition or a doubt nobody states anything. Frames are compared by
# `facts/supersede.py`.
MOST_WORDS = 24  # a longer sentence says several things
_FURTHEST_VERB = 9  # words before it

# Verbs of states and habits by their forms: third person, plain. A plain form counts only after
# those who take it ('I work'), because most of these words are nouns too ('the build job').
_THIRD = dict(pair.split(":") for pair in word_list(_SAID["verb frames"]))
_PLAIN = frozenset(_THIRD.values())
_BE_FRAMES = words("is are am 's")
_MODAL = words("can must")
_NOT_BE = words("isn't aren't")
_NOT_DO = words("doesn't don't")
_NOT_MODAL = {"cannot": "can", "can't": "can", "mustn't": "must"}
_DO = words("do does")
_TAKE_PLAIN = words("i we they you people and")
_ORDERS = {"always": False, "never": True, "don't": True}

# Words in which nothing is stated, or more than one thing.
_NO_STATEMENT = _list("no statement")
_CUES = words("now nowadays currently")
_CUE_PAIRS = (("these", "days"), ("at", "present"), ("right", "now"))
_FROM_NOW = (("as", "of", "now"), ("from", "now", "on"), ("as", "of", "today"))
_PARTICIPLES = words("made gone become left got gotten taken come found grown begun written to")
_FADED = words("still already also just really very quite only actually usually")
# Denied, they say how much or how often, and all else holds: 'I don't only use Vim.'
_MEASURED = words("just really very quite only usually")
_ABOUT = words("about around roughly approximately nearly")  # before a number
_ONE_PREPOSITION = {("work", "for"): "at"}
_NO_LONGER = (("no", "longer"),)
_TAILS = (("anymore",), ("any", "more"), ("any", "longer"))
_BEGIN_PHRASES = frozenset(
    phrase[0] for phrases in (_NO_LONGER, _TAILS, _FROM_NOW, _CUE_PAIRS) for phrase in phrases
)
_ARTICLES_FRAMES = words("the our")
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
    is_denied = is_new = False
    if not tokens.present.isdisjoint(_BEGIN_PHRASES):  # a third of the time, for few statements
        is_denied = _take_out(lower, raw, _NO_LONGER)
        _take_out(lower, raw, _TAILS)
        is_new = _take_out(lower, raw, (*_FROM_NOW, *_CUE_PAIRS))
    is_new = is_new or bool(_CUES & {*lower})
    kept = [
        i
        for i, word in enumerate(lower)
        if word not in _CUES
        and word not in _FADED
        and not (word in _ABOUT and lower[i + 1 : i + 2] and lower[i + 1][0] in _DIGITS)
    ]
    if not kept:
        return None
    found = _build_frame(
        [lower[i] for i in kept], [raw[i] for i in kept], is_denied=is_denied, is_new=is_new
    )
    # 'I don't only use Vim.' ended 'I use Vim.': how much or how often is no denial.
    is_measured = found is not None and found.is_denied and not tokens.present.isdisjoint(_MEASURED)
    return None if is_measured else found


def may_have_verb(statement: str, verb: str) -> bool:
    """Whether the frame of a statement may have a verb: a look at its letters, before its words."""
    low = statement.replace("’", "'").lower()
    return any(form in low for form in _forms_of(verb))


@cache
def _forms_of(verb: str) -> tuple[str, ...]:
    """What a text holds of which the frame has this verb; `'ve` where it is `have`."""
    if verb == "always":
        return tuple(_ORDERS)
    plain = {form for form, of in (*_THIRD.items(), *_NOT_MODAL.items()) if of == verb} | {verb}
    if verb == "be":
        plain |= _BE_FRAMES | _NOT_BE
    short = {f"'{clitic}" for clitic, said in CLITICS.items() if not plain.isdisjoint(said)}
    return tuple(sorted(plain | short))


@lru_cache(maxsize=512)
def plain(statement: str) -> Tokens | None:
    """The words of a sentence without its closing mark; None when it is no single short one."""
    tokens = tokens_of(statement.replace("’", "'").strip().rstrip(_MARKS))
    if not 2 < tokens.size <= MOST_WORDS or tokens.present & {".", "!", "(", "|", "/", "`", "["}:
        return None
    return tokens


def _build_frame(
    lower: list[str], raw: list[str], *, is_denied: bool, is_new: bool
) -> Frame | None:
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
        if subject[0] in _ARTICLES_FRAMES:
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
            has_article=lower[0] in _ARTICLES_FRAMES or lower[0] == "my",
        )
    return None


def _verb_at(lower: list[str], i: int) -> tuple[str, int, bool]:
    """Verb, the place after it, and whether it is denied; '' when no verb stands there."""
    word, following = lower[i], lower[i + 1] if i + 1 < len(lower) else ""
    denies = following in ("not", "never")
    if word == "'s" and not _is_short_for_is(lower, i):
        return "", 0, False
    if word in _BE_FRAMES:
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
        # From behind, so that what is taken out moves no word that is still to be compared.
        for i in range(len(lower) - len(phrase), -1, -1):
            if tuple(lower[i : i + len(phrase)]) == phrase:
                del lower[i : i + len(phrase)], raw[i : i + len(phrase)]
                found = True
    return found
