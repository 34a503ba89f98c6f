"""What a new sentence says in so many words about an old one: it is over, or otherwise now. Pure.

The learned model of change (`change.py`) weighs words; on short pairs it is as sure where it is
wrong ("I work at Siemens.", "I don't work at Bosch anymore."). Here is what a reader looks for
before anything ends: a cue, the same thing, the same person. Cues by language: `aspects.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from vaultmem.base import NamedTuple, late
from vaultmem.judgement.features import REMEMBERED_TEXTS, Rarity, alike, among, is_among
from vaultmem.judgement.introductions import fold_accents, read_packed
from vaultmem.judgement.pairs.clauses import (
    LONGEST,
    PART,
    TO,
    clauses_of,
    cut_short,
    names_among,
    names_in,
    topics_of,
    without_reason,
    words_in,
)
from vaultmem.judgement.pairs.cue_phrases import spans_in
from vaultmem.judgement.pairs.numbers import amounts, has_dose, is_number, number_at
from vaultmem.judgement.pairs.persons import (
    DEATHS,
    INTRODUCES,
    OF,
    RELATIVE,
    Word,
    called_of,
    is_counted,
    is_kin,
    is_somebody,
    kin_words,
    owner_of,
    person_before,
    stop_words,
)
from vaultmem.judgement.signs import signs_of

ENDS, CORRECTS, CHANGES, LOSES, UNSURE = "ends", "corrects", "changes", "loses", "unsure"
HOME, JOB, AGE, MONTHS = "home", "job", "age", "months"  # the last: the age of a child
PERHAPS = {"home_perhaps": HOME, "job_perhaps": JOB}
"""Phrases that mostly tell of a home or a job, and what: enough for a mark, not for an end."""
AGAIN, LASTING = "again", "lasting"
_TOLD = (HOME, JOB, AGE, MONTHS, *PERHAPS)
_CUES = (ENDS, CORRECTS, CHANGES)
# A Dutch 'en', not that of 'rendez-vous en cardiologie': a subject or an article follows.
_AND = late(
    r",?\s+(?:and|und|y|et|e|en(?=\s+(?:ik|we|wij|mijn|ons|onze|het|de|een|hij|zij|ze|er|haar)\b))"
    r"\s+(?!a half\b|medi[oa]\b|demie?\b)"
)
_RUN = late(r"\w+")
_DIGITS = _BEGUN = 2  # of an age; letters that every word of an aspect has
_DATED = frozenset(("weekday", "month", "count"))
# 'May' and 'mon père' are days beside a number alone: 'now 8 may', 'mon 9 March'.
_ALSO_DAYS = frozenset(("may", "mon", "sat", "mar", "sept", "tue"))
_LEAST_TOPIC = 0.1  # rarity that a word counts at least: what is common says little, not nothing
_LEAST_LOST = 0.35
_LITTLE_KEPT = 0.35  # of what a text is about: with .5 a quarter of the true ends are marked alone
_LEAST_NAMED = 0.6  # rarity of a word of the sentence before that names what 'it' is
_NOW = frozenset(("now", "jetzt"))
_FIRST_PERSON = frozenset(("i", "i'", "ich", "bin", "tengo", "tenho", "cumpli", "fiz"))
_JOINS = frozenset(("and", "und", "y", "et", "e", "en"))
_OLDEST = 120
_INTRODUCED = 6  # words of 'My name is Ada' and the like
_IS = frozenset(("is", "'s", "ist", "wird", "wurde"))  # a size is 44 as well as a son is 12
_BARE = 8  # words of a statement that tells an age and nothing else
_LITTLE_MORE = 2  # topics besides: 'Florence a cinq mois, une vraie boule'
_LEANING = 3  # words with a topic of a sentence that names a day and little else
_PLAIN = 24  # words of a statement that tells of one aspect and little else
SAME_THING = 0.65
"""Share of what is said with a cue that an old sentence is about, from which both are about one
thing: 1 in 600 harmless pairs of the corpus reaches it with a cue of an end, 1 in 8 changes."""


class Cue(NamedTuple):
    """A part of a new sentence with a cue: what it is about, and of whom it speaks."""

    kind: str
    about: tuple[str, ...]
    owners: tuple[str, ...]
    unsure: bool
    leans: bool  # what it is about was named in the sentence before


class Aspect(NamedTuple):
    """What a sentence tells of somebody: where they live, whom they work for, how old they are."""

    name: str
    owner: str  # '': the speaker
    value: tuple[str, ...]
    called: str = ""  # the name of the owner: `emil` of 'my son Emil'
    is_sure: bool = True  # False: the phrase may tell something else


class Evidence(NamedTuple):
    """What is seen of a pair.

    cue      ENDS, CORRECTS, CHANGES or ''
    covered  share of what is said with the cue that the old sentence is about, too, 0 to 1
    rarest   how rare the rarest word is that both are about, 0 to 1
    strange  it speaks of somebody who is not in the old sentence
    unsure   it is asked, imagined, or only for a while
    loses    what the old sentence names is what the new one took something else instead of
    valued   both name a day, a time or a number, and not the same
    kept     share of what the old sentence is about that the new one names, 0 to 1
    aspect   HOME, JOB or AGE, which both tell of the same person, otherwise
    perhaps  HOME, JOB or AGE, which both seem to tell of the same person, otherwise
    """

    cue: str = ""
    covered: float = 0.0
    rarest: float = 0.0
    strange: bool = False
    unsure: bool = False
    loses: bool = False
    valued: bool = False
    kept: float = 0.0
    aspect: str = ""
    perhaps: str = ""


def evidence(old: str, new: str, rarity: Rarity) -> Evidence:
    """What is seen of an old sentence and a new one; each may begin with the words before it."""
    known = topics(old)
    # By author left out .23 of the changes are found at 2 % of the harmless pairs, and .15 were
    # without what is seen here.
    best, worth = Evidence(), (False, 0.0)
    for cue in cues(new):
        covered, rarest = _overlap(cue.about, known, rarity)
        if cue.leans and rarest >= _LEAST_NAMED:
            covered = max(covered, SAME_THING)
        strange = not all(is_among(owner, known) for owner in cue.owners)
        this = (
            not strange and not cue.unsure and covered > 0,
            covered + (0.3 if cue.kind == ENDS else 0.15 if cue.kind == CORRECTS else 0.0),
        )
        if not best.cue or this > worth:
            best = Evidence(cue.kind, covered, rarest, strange, cue.unsure)
            worth = this
    loses = any(rarity(word) > _LEAST_LOST and is_among(word, known) for word in lost_topics(new))
    aspect, is_sure = _aspect(old, new)
    return best._replace(
        loses=loses,
        valued=_differ(values(old), values(new)),
        kept=_overlap(known, topics(new), rarity)[0],
        aspect=aspect if is_sure else "",
        perhaps="" if is_sure else aspect,
    )


# --- what a sentence says ----------------------------------------------------------------------


@lru_cache(maxsize=REMEMBERED_TEXTS)
def topics(text: str) -> tuple[str, ...]:
    """The words that say what a text is about, folded."""
    return topics_of(words_in(text))


@lru_cache(maxsize=64)
def cues(text: str) -> tuple[Cue, ...]:
    """The parts of a text that have a cue."""
    return tuple(_cues(text))


def _cues(text: str) -> Iterator[Cue]:
    before: tuple[Word, ...] = ()
    clauses = clauses_of(text)
    for place, clause in enumerate(clauses):
        parts = [words for part in PART.split(clause) if (words := words_in(part))]
        for words in parts:
            spans = spans_in(words)
            said = {kind for kind, _, _ in spans}
            unsure = UNSURE in said or "?" in clause
            for kind in _CUES:
                if kind not in said:
                    continue
                within = {
                    i for name, start, end in spans if name in _CUES for i in (start, end - 1)
                }
                about = topics_of([word for i, word in enumerate(words) if i not in within])
                if kind == ENDS and not DEATHS.isdisjoint(word.low for word in words):
                    about = names_among(words) or about  # 'Gran passed away in the night.'
                until = min(start for name, start, _ in spans if name == kind)
                owners = names_among(words[:until])
                if kind == ENDS and not _has_speaker(words):
                    owners += topics_of(words[:until])
                if about:
                    yield Cue(kind, about, owners, unsure, leans=False)
                    if kind != CORRECTS:
                        continue
                # 'L'aviron, c'est fini, mon épaule ne suit pas.': what is over stands before it.
                at = next(i for i, part in enumerate(parts) if part is words)
                near = topics_of(parts[at - 1]) if at and not about else ()
                if near:
                    yield Cue(kind, near, owners, unsure, leans=False)
                rest = topics_of([word for part in parts if part is not words for word in part])
                if rest and rest != near:
                    yield Cue(kind, rest, owners, unsure, leans=False)
                # 'Sorry, my mistake: the tutor is in on Tuesdays.'
                if kind == CORRECTS and not about and place + 1 < len(clauses):
                    yield Cue(
                        kind, topics_of(words_in(clauses[place + 1])), (), unsure, leans=False
                    )
                if before and not about:
                    named = owners or names_among(before)
                    yield Cue(kind, topics_of(before), named, unsure, leans=True)
        before += tuple(word for words in parts for word in words)


@lru_cache(maxsize=64)
def lost_topics(text: str) -> tuple[str, ...]:
    """What something else was taken instead of."""
    found: list[str] = []
    for clause in clauses_of(text):
        words = words_in(clause)
        for kind, _, end in spans_in(words):
            if kind == LOSES:
                found += topics_of(words[end : end + 4])[:2]
    return tuple(found)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def values(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """(days, numbers) that a text names."""
    words = words_in(text)
    days = []
    for at, word in enumerate(words):
        is_day = bool(_DATED.intersection(signs_of(word.raw.lower())) - {"count"})
        if word.low in _ALSO_DAYS:
            is_day = any(each.low[0].isdigit() for each in words[max(at - 1, 0) : at + 2])
        days += [word.low] if is_day else []
    numbers = [w.low for w in words if w.low[0].isdigit()]
    numbers += map(str, amounts([w.low for w in words]))  # 'five milligrams'
    return frozenset(day[:5] for day in days), frozenset(numbers)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def aspects(text: str) -> tuple[Aspect, ...]:
    """What a text tells of whom, part by part."""
    # By words, before anything is cut: the same for 22,943 of 22,947 lines of the corpora, and the
    # other four are PINs that counted as ages.
    if not _may_tell(fold_accents(cut_short(text))):
        return ()
    found = []
    is_hasty = text[1:].islower()  # a store may have written the first letter large
    parts = [words_in(part) for clause in clauses_of(text) for part in PART.split(clause)]
    for place, words in enumerate(parts):
        following = [word for part in parts[place + 1 : place + 3] for word in part]
        numbers: set[int] = set()  # places of numbers that told an age: `tengo #`, `# anos`
        for kind, start, end in spans_in(words):
            if kind not in _TOLD:
                continue
            if kind in (AGE, MONTHS):
                said = {at for at in range(start, end) if is_number(words[at].low)}
                each = (
                    None
                    if said & numbers
                    else _age_of(kind, parts, place, (start, end), is_hasty=is_hasty)
                )
                numbers |= said if each is not None else set()
            else:
                before = words[:start]
                if any("self" in signs_of(word.raw.lower()) for word in words[start:end]):
                    before = tuple(filter(is_kin, before))  # 'Ab Montag bin ich bei'
                each = _told_of(kind, before, words[end:], following, is_hasty=is_hasty)
            if each is not None:
                found.append(each)
        found += _bare_age(parts, place)
    return tuple(found)


_ALSO_WORDS = frozenset(("due", "once", "sei"))  # numbers elsewhere
_ENGLISH_SELF = frozenset(["i'", "i", "am", "is", "'s", "'re", "are", "was"])
_AS_IF = frozenset(("like", "though", "als", "ob", "comme", "alsof"))


def _age_of(
    kind: str,
    parts: Sequence[Sequence[Word]],
    place: int,
    span: tuple[int, int],
    *,
    is_hasty: bool,
) -> Aspect | None:
    """An age, or that of a child in months; None: 'My shoe size is 44.', 'I'm 40 weeks along.'"""
    words, (start, end) = parts[place], span
    before, said, behind = words[:start], words[start:end], words[end:]
    low = [word.low for word in said]
    number = next((n for at in range(len(low)) if (n := number_at(low, at)[0])), 0)
    if not number or (is_number(low[-1]) and behind and is_counted(behind[0])):
        return None
    # 'I'm due on 2 February' was an age of two, by the Italian number, and a later 'Explain it like
    # I'm five' ended it. Alone such a word is none of English.
    if low[-1] in _ALSO_WORDS and not _ENGLISH_SELF.isdisjoint(low):
        return None
    if any(word.low in _AS_IF for word in before[-3:]):
        return None
    if before and before[-1].low in _labels() and is_number(low[0]):
        return None  # 'We planted tree number 5 today.'
    if before and low[-1] in _NOW:
        return None  # 'The bus is 32 now.'
    if any(word.low in _FIRST_PERSON and word.raw != "Bin" for word in said):
        return Aspect(kind, "", (str(number),))  # 'Ab heute bin ich 30', 'My name's Olu, I'm 61'
    is_relative = bool(before) and before[0].low in RELATIVE
    if before and all(word.low in OF for word in before):
        before = ()  # 'Mi abuelo Paco, de 88 años, ...'
    led = person_before(parts, place) if is_relative or not before else None
    if led is not None and (led[0] or not behind or not names_in(behind[:1], is_hasty=False)):
        return Aspect(kind, led[0], (str(number),), led[1])
    if is_relative:
        return None
    if not before and kind == MONTHS and place:
        before = parts[place - 1][:1]  # 'Ida crawls, seven months and no brakes.'
    owner = owner_of(before)
    if not before and not owner and not is_hasty:
        owner = next(iter(names_in(behind[:4], is_hasty=False)), "")
    if said[0].low in _IS and not is_somebody(before, owner):
        return None
    if said[0].low == "are" and not is_kin(Word(owner, owner)):
        return None  # 'We are 4 at home.'
    if kind == MONTHS and not owner:
        return None  # 'Five months at the mill.'
    return Aspect(kind, owner, (str(number),), called_of(before, owner))


def _bare_age(parts: Sequence[Sequence[Word]], place: int) -> Iterator[Aspect]:
    """'My sister, 34, ...', 'Emil (7)', 'I am Karl, 58, ...': a number behind a person."""
    words = parts[place]
    is_bare = len(words) == 1 or (len(words) > 1 and words[1].low in _JOINS)
    if not place or not is_bare or not words[0].low.isdigit():
        return
    led, before = person_before(parts, place), [word.low for word in parts[place - 1]]
    if led is None or not 0 < int(words[0].low) <= _OLDEST:
        return
    is_introduced = len(before) <= _INTRODUCED and not INTRODUCES.isdisjoint(before)
    if is_introduced if not led[0] else is_kin(Word(led[0], led[0])):
        yield Aspect(AGE, led[0], (str(int(words[0].low)),), led[1])


def _told_of(
    kind: str,
    before: Sequence[Word],
    behind: Sequence[Word],
    following: Sequence[Word],
    *,
    is_hasty: bool,
) -> Aspect | None:
    """A home or a job: names that follow, here or in the parts behind; else what is no name."""
    name = PERHAPS.get(kind, kind)
    to = max((at for at, word in enumerate(before) if word.low in TO), default=-1)
    if not behind and to >= 0:  # 'Wir sind nach Lübeck umgezogen.'
        value = names_in(before[to + 1 :], is_hasty=is_hasty)
        if value:
            return Aspect(name, owner_of(before[:to]), value, is_sure=kind == name)
    owner = owner_of(before)
    for words in (behind, following):  # 'We moved house on Saturday! It's Portree now.'
        value = names_in(words, is_hasty=is_hasty)
        if value:
            return Aspect(name, owner, value, is_sure=kind == name)
    value = topics_of(behind[:5])  # 'I started at the garden centre.'
    return Aspect(name, owner, value, is_sure=False) if value else None


def names_other_day(old: str, new: str) -> bool:
    """Whether both name a weekday or a month, and not the same, or another day of it."""
    (days, numbers), (new_days, new_numbers) = values(old), values(new)
    return bool(days and new_days) and (_other(days, new_days) or _other(numbers, new_numbers))


def names_day(text: str) -> bool:
    """Whether a text may name a day: a weekday, a month, or a number."""
    return any(values(text))


def told_of_speaker(text: str, said_after: str = "") -> tuple[str, ...]:
    """Which of HOME, JOB and AGE a text tells of its speaker; the words before may begin it.

    'It's Portree now.' tells a home after 'We moved house on Saturday!'
    """
    if not _may_tell(fold_accents(f"{said_after} {text}"[: 2 * LONGEST])):
        return ()
    told = [each.name for each in aspects(text) if not each.owner and _is_told(each)]
    if said_after and not told:
        own = {word.low for word in words_in(text[:LONGEST])}
        told = [
            each.name
            for each in aspects(f"{said_after} {text}")
            if not each.owner and _is_told(each) and each.value[0] in own
        ]
        before = aspects(said_after)
        told = [name for name in told if not any(each.name == name for each in before)]
    return tuple(dict.fromkeys(told))


def _is_told(aspect: Aspect) -> bool:
    return aspect.is_sure and aspect.name in (HOME, JOB, AGE)


def leans_on(text: str) -> bool:
    """Whether a text says that something is over or on another day, and leaves out what it is.

    'They moved it to 15 April.', 'Sold it last week.', 'I'm to come on the 23rd at eleven.'
    """
    told = [cue for cue in cues(text) if cue.kind != CHANGES]
    words = words_in(text)
    is_bare = any(kind in (ENDS, CORRECTS) for kind, _, _ in spans_in(words)) and not told
    is_bare = is_bare or (len(topics(text)) <= _LEANING and any(values(text)))
    return is_bare or _begins_bare(text)


def _begins_bare(text: str) -> bool:
    """Whether a change begins a text without its thing, and 'and' leads to another matter:
    'They moved it to 15 April, and I am to bring the form.'
    """
    first, *others = [words for part in PART.split(text) if (words := words_in(part))] or [()]
    spans = [span for span in spans_in(first) if span[0] in (ENDS, CORRECTS)]
    if not spans or not others or others[0][0].low not in _JOINS or not any(values(text)):
        return False
    within = {at for _, start, end in spans for at in (start, end - 1)}
    return not topics_of([word for at, word in enumerate(first) if at not in within])


def says_change(text: str) -> bool:
    """Whether a text says that something is over, otherwise, or so again, and is sure of it.

    'Now' alone is small talk; with a day it tells of a change: 'Dr. Ott rang, it's the 10th now.'
    So is an age, but for whom knows the one before: 'Oskar turned seven today.'
    """
    kinds = {kind for kind, _, _ in spans_in(words_in(text[:LONGEST]))}
    is_told = kinds & {ENDS, CORRECTS, AGAIN} or (CHANGES in kinds and any(values(text)))
    is_told = is_told or any(each.name in (AGE, MONTHS) for each in aspects(text))
    return bool(is_told) and UNSURE not in kinds


def says_again(text: str) -> bool:
    """Whether a text says that something is so again, as it once was."""
    kinds = {kind for kind, _, _ in spans_in(words_in(without_reason(text[:LONGEST])))}
    return AGAIN in kinds and UNSURE not in kinds


def are_of_two(one: str, other: str) -> bool:
    """Whether two texts are alike but for the name or the number of what they speak of.

    'Lamp 3 stands in the hall.' and 'Lamp 4 stands in the hall.'; not so what is asked of a value:
    'The fair is on 4 May.' and 'The fair is on 9 May.' Nor where the other says that something
    changed; what both say of an end, each says of its own: 'Tomas repaired bicycle 6.' ended
    'Tomas repaired bicycle 5.', so that of forty bicycles the last one was left, and 'Jonas sold
    his blue kayak.' the red one.
    """
    first, second = words_in(one), words_in(other)
    if len(first) != len(second):
        return False
    ended = {each.kind for each in cues(other)}
    if ended and not (ended == {ENDS} == {each.kind for each in cues(one)}):
        return False
    differ = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a.low != b.low]
    if not differ or 2 * len(differ) > len(first):
        return False
    return bool(ended) or any(_is_label(first, i) and _is_label(second, i) for i in differ)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def is_lasting(text: str) -> bool:
    """Whether it says what nothing can change: where somebody was born, what was once."""
    return any(kind == LASTING for kind, _, _ in spans_in(words_in(text)))


def asked_by(text: str) -> tuple[str, ...]:
    """Words by which statements of the same aspects are looked up, for all that a text tells.

    'I live in Oban' and 'we've flitted, it's Portree now' have no word in common; nor have
    'I'm 33 and I teach chemistry' and '34 as of this morning', but for the years before.
    """
    told = aspects(text)
    names = dict.fromkeys(each.name for each in told)
    looks = [words for name in names for words in read_packed("aspects")["look"][name].split("|")]
    ages = [int(each.value[0]) for each in told if each.name == AGE]
    years = (" ".join(str(age - ago) for ago in (1, 2, 3) if age > ago) for age in ages)
    # 'Mam passed away' and 'My mother's in St Brendan's' have no word in common either.
    kin = (kin_words(fold_accents(word.raw)) for word in words_in(text[:LONGEST]))
    called = [" ".join(dict.fromkeys(each)) for each in kin if each] if told or cues(text) else ()
    return (*looks, *dict.fromkeys(filter(None, years)), *dict.fromkeys(called))


def tells_more(text: str, statement: str, seen: Evidence) -> bool:
    """Whether a text tells more than what is over by a statement: a home, and an age.

    'I'm Ada, 31, an engineer at Ferranti' is no more over on her birthday than her name is; nor is
    where the key hangs in 'The key hangs behind the pump, code 4417' when the code is changed.
    """
    told = {(each.name, each.owner) for each in aspects(text)}
    if len(told) > 1:
        return True
    # 'My son Leo turned 8' ended 'My son Emil is 7': both are sons, and the names were not
    # compared.
    if seen.aspect == AGE:
        over = overtaken(text, statement)
        whose = () if over is None else (over.owner, over.called)
        return len(words_in(text)) > _BARE and len({*topics(text)} - {*whose}) > _LITTLE_MORE
    if seen.aspect:
        return len(words_in(text)) > _PLAIN
    if not seen.valued:
        return False
    named = topics(statement)
    # A day or a dose is of all that is said with it; a code is of the lock alone.
    is_code = seen.kept < _LITTLE_KEPT and not values(text)[0] and not has_dose(text)
    for part in _AND.split(text):
        words = words_in(part)
        is_plain = part != text and not any(values(part))
        if is_plain and _has_speaker(words) and topics_of(words):
            return True
    for part in PART.split(text) if is_code else ():
        about = () if part == text or any(values(part)) else topics_of(words_in(part))
        if sum(not is_among(one, named) for one in about) > 1:
            return True
    return False


# --- how it is seen ----------------------------------------------------------------------------


def overtaken(old: str, new: str) -> Aspect | None:
    """What an old sentence tells that a new one tells otherwise, of the same person and surely."""
    return next((other for _, other, whose in _pairs(old, new) if whose and other.is_sure), None)


def _aspect(old: str, new: str) -> tuple[str, bool]:
    """Which aspect both tell of one person, otherwise, and whether that is sure; '': none."""
    perhaps = ""
    for one, other, whose in _pairs(old, new):
        if whose and one.is_sure and other.is_sure:
            return (AGE if one.name == MONTHS else one.name), True
        if whose or (one.name == AGE and whose is None):
            perhaps = AGE if one.name == MONTHS else one.name
    return perhaps, False


def _pairs(old: str, new: str) -> Iterator[tuple[Aspect, Aspect, bool | None]]:
    """(new, old, whether they are of one person) of all that both tell, otherwise."""
    told = _held_aspects(new)
    known = _held_aspects(old) if told else ()
    for one in told if known else ():
        for other in known:
            if one.name == other.name and _is_otherwise(one, other):
                yield one, other, _of_one(one, other)


def tell_alike(old: str, new: str) -> bool:
    """Whether both tell an aspect of one name, of anybody: a look before `evidence` is sought."""
    told = _told_names(new)  # of the one that is held against dozens: most tell nothing
    return bool(told) and not told.isdisjoint(_told_names(old))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _told_names(text: str) -> frozenset[str]:
    return frozenset(each.name for each in aspects(text))


def _is_otherwise(one: Aspect, other: Aspect) -> bool:
    """Whether a new aspect is another value than a known one: an age grows by a few years."""
    if one.name in (AGE, MONTHS):
        return 0 < int(one.value[0]) - int(other.value[0]) < (4 if one.name == AGE else 9)
    return not any(alike(a, b) for a in one.value for b in other.value)


def _of_one(new: Aspect, known: Aspect) -> bool | None:
    """Whether two aspects are of one person; None: a name and a relative may be."""
    if new.called and known.called and new.called != known.called:
        return False  # 'My son Emil is 7', 'My son Leo turned 8'
    if new.owner == known.owner or (known.called and known.called == new.owner):
        return True
    if new.called and new.called == known.owner:
        return True
    if not new.owner or not known.owner:
        return False
    kin = [is_kin(Word(each.owner, each.owner)) for each in (new, known)]
    return None if kin[0] != kin[1] and not (new.called and known.called) else False


def _held_aspects(text: str) -> tuple[Aspect, ...]:
    """What a text tells of whom, but for what it says is over: who quit a job tells of none."""
    over = [word for cue in cues(text) if cue.kind == ENDS for word in cue.about]
    # 'I quit my job at Bosch.' tells of no job that is held, and was superseded by 'I started a new
    # job at Zeiss.'
    return tuple(
        each
        for each in aspects(text)
        if not any(alike(word, value) for word in over for value in each.value)
    )


def _differ(
    old: tuple[frozenset[str], frozenset[str]], new: tuple[frozenset[str], frozenset[str]]
) -> bool:
    return any(_other(a, b) for a, b in zip(old, new, strict=True))


def _other(old: frozenset[str], new: frozenset[str]) -> bool:
    return bool(old and new and new - old)


def _overlap(about: Sequence[str], known: tuple[str, ...], rarity: Rarity) -> tuple[float, float]:
    total = shared = rarest = 0.0
    for word, is_in in zip(about, among(about, known), strict=True):
        rare = max(_LEAST_TOPIC, rarity(word))
        total += rare
        if is_in:
            shared += rare
            rarest = max(rarest, rare)
    return (shared / total if total else 0.0), rarest


def _has_speaker(words: Sequence[Word]) -> bool:
    return any("self" in signs_of(word.raw.lower()) for word in words)


def _is_label(words: Sequence[Word], place: int) -> bool:
    """Whether a word tells one of several things: a number behind 'lamp', a name in front."""
    word, before = words[place], words[place - 1].low if place else ""
    if before in _labels():
        return True
    if (
        2 * place > len(words)
        or before in stop_words()
        or _DATED.intersection(signs_of(word.raw.lower()))
    ):
        return False
    if word.low[0].isdigit():
        return bool(before)
    return word.raw[0].isupper() and word.low not in stop_words()


def _may_tell(text: str) -> bool:
    """Whether a folded text has a word that begins as one of an aspect's, or a number of an age.

    Most texts have none, and are left. A pattern of its 130 words took 1.2 ms to compile.
    """
    if any(map(_tells, _RUN.findall(text))):
        return True
    parted = _telling()[""]  # of more than one run of letters: `i'm`, `self-employed`
    return any(each in text and re.search(rf"(?<!\w){each}", text) for each in parted)


@lru_cache(maxsize=8_192)
def _tells(word: str) -> bool:
    """Whether a word alone is such a one; remembered, for a vault says the same words again."""
    is_begun = word.startswith(_telling().get(word[:_BEGUN], ()))
    return is_begun or (len(word) <= _DIGITS and word.isdecimal()) or is_number(word)


@cache
def _telling() -> dict[str, tuple[str, ...]]:
    """The longest word of each phrase of an aspect, by its first letters; by '' the parted ones."""
    found: dict[str, tuple[str, ...]] = {"": ()}
    for word in read_packed("aspects")["words"]["telling"].split():
        for key in (word[:_BEGUN],) if word.isalnum() else (word[:_BEGUN], ""):
            found[key] = (*found.get(key, ()), word)
    return found


@cache
def _labels() -> frozenset[str]:
    return frozenset(read_packed("aspects")["words"]["labels"].split())
