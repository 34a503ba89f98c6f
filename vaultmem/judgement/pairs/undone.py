"""What a new statement undoes of a plan: the task is done, who was to leave stays. Pure.

'I still have to renew the passport.', 'Passport's renewed.'; 'Mr Kowalski moves out in May.', 'He
stays after all.' Neither has a word of an end, and both plans stood for good.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from vaultmem.base import Needing, late
from vaultmem.judgement.features import REMEMBERED_TEXTS, alike, is_among
from vaultmem.judgement.introductions import fold_accents
from vaultmem.judgement.linear import word_rarity
from vaultmem.judgement.pairs.persons import Word, is_kin, is_topic, stop_words
from vaultmem.judgement.signs import signs_of
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("undone")
_DUTY = Needing(rf"\b(?:{_SAID['duty']})\b", re.IGNORECASE, _SAID["duty needs"].split("|"))
_NOT_DONE = late(rf"(?<!\w)(?:{_SAID['not done']})(?!\w)|\?", re.IGNORECASE)
_DONE = Needing(rf"\b(?:{_SAID['done']})\b", re.IGNORECASE, _SAID["done needs"].split("|"))
_PAST = late(rf"(?:{_SAID['past']})$")
_INFIX = late(
    r"^((?:ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|vor|weg|zu|zuruck|um|fertig|vorbei|door|op|uit|in|af|mee|terug)?)ge(?=[a-z]{3,}(?:t|en|d)$)"
)
_STAYS = Needing(rf"\b(?:{_SAID['stays']})\b", re.IGNORECASE, _SAID["stays needs"].split("|"))
_AFTER_ALL = late(rf"\b(?:{_SAID['after all']})\b", re.IGNORECASE)
_FOR_A_WHILE = late(rf"\b(?:{_SAID['for a while']})\b|\?", re.IGNORECASE)
_LEAVES = late(rf"\b(?:{_SAID['leaves']})\b", re.IGNORECASE)
_WORD = late(r"[^\W\d_]+")
_MOST_WORDS = 14  # of what tells that a task is done
_SHORT = 9  # words of one that is worth nothing but for what it undoes
_RARE = 0.45  # rarity, 0 to 1, of the thing that both name
_KNOWN = 0.2  # the same, where both name the verb, too
_ENDING = 3  # letters that a short verb gets
_SHORTEST = 3  # letters of a verb or a thing
_LITTLE = frozenset(("weekday", "month", "self", "other", "you"))
DONE, STAYS = "it says that this is done", "it says that they stay"


def why_undone(old: str, new: str) -> str:
    """What shows that a plan is no more: it is done, or who was to leave stays; '' nothing."""
    # The known one first: with few tasks in a vault three patterns less are compiled, 2 ms.
    if _is_duty(old) and _may_be_done(new) and _is_done(old, new):
        return DONE
    if _tells_stay(new) and _is_leaving(old) and _is_of_one(old, new):
        return STAYS
    return ""


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _is_duty(text: str) -> bool:
    return _DUTY.search(text) is not None


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _is_leaving(text: str) -> bool:
    return _LEAVES.search(text) is not None


def undoes_plan(new: str) -> bool:
    """Whether a statement may say in so many words that a plan is no more, of whatever plan."""
    return _tells_stay(new) or (len(_words(new)) <= _SHORT and _may_be_done(new))


@lru_cache(maxsize=64)  # one new statement is held against dozens
def _may_be_done(text: str) -> bool:
    words = _words(text)
    if len(words) > _MOST_WORDS or _NOT_DONE.search(text) or _DUTY.search(text):
        return False
    return bool(_DONE.search(text)) or any(_PAST.search(word.low) for word in words)


@lru_cache(maxsize=64)
def _tells_stay(text: str) -> bool:
    is_stay = _STAYS.search(text) is not None and _AFTER_ALL.search(text) is not None
    return is_stay and not _FOR_A_WHILE.search(text)


def _is_done(old: str, new: str) -> bool:
    """Whether both name one thing, and the new one that it was done, as what was to be done."""
    tasks, told = [_bare(each) for each in _topics(old)], _topics(new)
    verbs = [word for word in told if _is_past_of(word, tasks)]
    others = [word for word in told if word not in verbs and is_among(_bare(word), tuple(tasks))]
    shared = {*verbs, *others}
    things = [word for word in others if word_rarity(word) >= (_KNOWN if verbs else _RARE)]
    if not things:
        return False
    # 'I have to book the plumber', 'The plumber sent a bill': other things are told of him.
    strange = [word for word in told if word not in shared and not _is_way(word, tasks)]
    is_told = bool(verbs) or bool(_DONE.search(new)) or any(_is_way(word, tasks) for word in told)
    return is_told and len(strange) <= 1


def _is_past_of(word: str, tasks: Sequence[str]) -> bool:
    """Whether a word is the past of a verb of the task: `booked` of `book`."""
    bare = _bare(word)
    if _PAST.search(word) is None:
        return False
    return any(
        (alike(bare, each) and (bare != each or word != bare))
        or (bare.startswith(each) and 0 < len(bare) - len(each) <= _ENDING)  # `taxed`, `tax`
        for each in tasks
    )


def _is_way(word: str, tasks: Sequence[str]) -> bool:
    """Whether a word is one way to do what the task says by another: 'send', 'posted'."""
    return any(word in family and not family.isdisjoint(tasks) for family in _ways())


def _is_of_one(old: str, new: str) -> bool:
    """Whether both speak of one person: a relative, a name, or the speaker alone."""
    named = [each.low for each in _words(new) if _is_person(each)]
    known = tuple(each.low for each in _words(old) if _is_person(each))
    if named or known:
        return any(is_among(one, known) for one in named)
    return all(
        any("self" in signs_of(each.raw.lower()) for each in _words(one)) for one in (old, new)
    )


def _is_person(word: Word) -> bool:
    if is_kin(word):
        return True
    is_named = word.raw[:1].isupper() and is_topic(word) and not signs_of(word.raw.lower())
    return is_named and word_rarity(word.raw.lower()) >= _RARE


def _bare(word: str) -> str:
    """A German or Dutch participle without its 'ge': `ausgeraumt` as `ausraumt`."""
    return _INFIX.sub(r"\1", word)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _words(text: str) -> tuple[Word, ...]:
    return tuple(Word(raw, fold_accents(raw)) for raw in _WORD.findall(text.replace("’", "'")))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _topics(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.low for each in _words(text) if _is_content(each)))


def _is_content(word: Word) -> bool:
    """Whether a word may be a verb or a thing: `passport`, which looks like a sign of the past."""
    if len(word.low) < _SHORTEST or word.low in stop_words():
        return False
    return _LITTLE.isdisjoint(signs_of(word.raw.lower()))


@cache
def _ways() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(word_list(line)) for line in _SAID["ways"].split("|"))
