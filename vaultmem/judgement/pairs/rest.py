"""What still holds of a statement when one part of it is over, in the person's own words. Pure.

"I'm Ananya, 31, an engineer at Kirana" tells a name, an age and a job. On her birthday the age is
over and the rest is not: "I'm Ananya, an engineer at Kirana". Words are left out, none is added;
where what is left would not say of whom it speaks, or would lose something else that the
statement tells, there is no rest, and the caller decides what becomes of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from vaultmem.base import NamedTuple, late
from vaultmem.judgement.aspects import (
    AGE,
    HOME,
    JOB,
    MONTHS,
    Aspect,
    aspects,
    overtaken,
    topics,
    values,
)
from vaultmem.judgement.features import is_among
from vaultmem.judgement.introductions import fold_accents
from vaultmem.judgement.pairs.numbers import DOSED, has_dose, number_at
from vaultmem.judgement.signs import signs_of
from vaultmem.language import nfc, vocabulary, word_list

_SAID = vocabulary("rest")

_LONGEST = 600  # characters of a statement that is taken apart
_MOST_LOST = 16  # words of a home or a job that go with it
_LEAST = 2  # words of a rest
_NAME = 2  # words of a name
_TOKEN = late(
    r"\d+|'(?:s|ve|m|re|ll|d)\b|[^\W\d_]{1,2}'(?=[^\W\d_])|[^\W\d_]+n't\b|[^\W\d_]+",
)
# Between two things that a statement tells: 'on Monday, and bring the form', 'y atiende'.
_BETWEEN = late(
    r"\s*[,;:]\s+(?:(?:and|but|und|aber|y|e|et|mais|en)\s+)?|\s+[–—-]\s+"
    r"|\s+(?:and|but|und|aber|y|e|et|mais|en)\s+(?!a half\b|medi[oa]\b|demie?\b)"
)
_AMOUNT = late(rf"\d+(?:[.,]\d+)?\s*(?:{DOSED})\b(?:\s+(?:of|de|von|di|van)\b)?\s*", re.I)
_EARLY = 3  # words of a part among which a ban stands
_PLAIN_GAP = late(r"[ \t]*-?[ \t]*")
_SPACES = late(r"[ \t]{2,}")
_BEFORE_MARK = late(r"\s+([,.;:!?)])|,(?=\s*[,.;:!?])")
_HANGING = late(r"[\s,;:(–—-]+$")
_MARKS = ",;:()–—"
_INDEFINITE = frozenset(("a", "an", "ein", "eine", "een", "un", "une", "una", "um", "uma"))

"""Words of seven languages, folded, by what they do in a sentence."""


class _Word(NamedTuple):
    """A word as it stands in a text."""

    low: str
    start: int
    end: int


def rest_of(known: str, statement: str) -> str:
    """What holds of a known statement after a new one told another age, home or job; '': nothing
    that could be said by itself.
    """
    # Of 37 introductions in seven languages with a change 34 end so, and of 35 harmless ones none;
    # without a rest 6 ended, of which 5 lost what still held.
    over = overtaken(known, statement)
    text = known.replace("’", "'")
    # In decomposed text a word would end at its accent.
    if over is None or len(text) > _LONGEST or nfc(text) != text:
        return ""
    others = [each for each in aspects(known) if (each.name, each.value) != (over.name, over.value)]
    for cut in _cuts(text, over):
        rest = _tidy(known, cut)
        if _stands_alone(rest, known) and _keeps(rest, others, over):
            return rest
    return ""


def rest_beside(known: str, statement: str) -> str:
    """What is told beside a dose, day or number that a new statement tells otherwise; '': nothing
    that could be said by itself.

    'I take 20 mg of escitalopram at night, and never suggest St John's wort with it' ended with
    another dose, and the ban with it.
    """
    text = known.replace("’", "'")
    if len(text) > _LONGEST or nfc(text) != text:
        return ""
    ends = [found.span() for found in _BETWEEN.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    parts = list(zip(starts, [*(start for start, _ in ends), len(text)], strict=True))
    if len(parts) == 1:
        return ""
    plain = [span for span in parts if not _has_value(text[slice(*span)])]
    telling = [span for span in plain if _tells_alone(text[slice(*span)])]
    valued = [_words(text[slice(*span)]) for span in parts if span not in plain]
    # 'She doubled my water tablets, it's 80 mg now' says one thing in two parts.
    if not telling or any(words and _leans(words[0]) for words in valued):
        return ""
    found = _AMOUNT.search(text)
    if found is not None and has_dose(statement) and _names_medicine(text, found.end()):
        return _tidy(known, [(0, found.start()), (found.end(), len(text))])
    first = telling[0]
    if first == parts[0]:  # 'The tutor is called Paz and is in on Thursdays'
        after = [span for span in plain[1:] if span in telling]
        return _tidy(known, [first, *((_behind(ends, span), span[1]) for span in after)])
    # What follows needs a subject of its own: 'and she brings the dog'; an order has none.
    part = text[slice(*first)]
    words = _words(part)
    is_own = _has_subject(words, 0) or part[words[0].start].isupper() or _bans(part)
    # 'The christening of Bela is on 14 June, and I am his godmother': whose, nobody would know.
    if not is_own or any(_leans(word) or "other" in signs_of(word.low) for word in words):
        return ""
    return _tidy(known, [(first[0], len(text))])


def rest_after_end(known: str, statement: str) -> str | None:
    """What is told beside a thing that a new statement says is over; '': nothing, all of it is
    over; None: something, which could not be said by itself.

    'Finn has a stammer and sees Ms Daly on Mondays' ended with Ms Daly, and the stammer with it.
    """
    text = known.replace("’", "'")
    if len(text) > _LONGEST or nfc(text) != text:
        return ""
    ends = [found.span() for found in _BETWEEN.finditer(text)]
    # Where a clause begins: 'en' is 'and' in Dutch, and in Spanish 'in' ('en una gestoría').
    ends = [(start, end) for start, end in ends if _begins_clause(_words(text[end:]))]
    starts = [0, *(end for _, end in ends)]
    parts = list(zip(starts, [*(start for start, _ in ends), len(text)], strict=True))
    words = _words(text[slice(*parts[0])])
    verb = next((at for at in range(1, len(words)) if _is_told_verb(words, at)), 0)
    others = None if _tells_of_others(text, statement) else ""
    if len(parts) == 1 or not verb or not _is_of_somebody(text, words[:verb]):
        return others  # of a thing all is said: 'The shed comes down in May and we build a new one'
    whose = topics(text[: words[verb - 1].end])
    named = [each for each in topics(statement) if not is_among(each, whose)]
    over = [span for span in parts if _names_one(text[slice(*span)], named)]
    telling = [span for span in parts if span not in over and _tells_verb(text, span, parts[0])]
    firsts = {span: _words(text[slice(*span)])[0] for span in telling}
    # 'I walk along the canal, it takes me an hour'
    telling = [each for each in telling if firsts[each].low not in _set("things")]
    if not over:  # 'My aunt Bea is diabetic and lives with us', and 'Aunt Bea has moved out'
        return None if len(telling) > 1 else ""
    is_own = any("self" in signs_of(each.low) for each in words[:verb])
    if any(not _is_of_first(text, parts, span, is_own=is_own) for span in telling):
        return None
    if is_own:  # 'We have a lodger, he's from Lviv': he goes with the lodger
        telling = [each for each in telling if not _leans(firsts[each])]
    if not telling:
        return others
    if parts[0] in telling:
        after = [span for span in parts[1:] if span in telling]
        kept = [parts[0], *((_behind(ends, span), span[1]) for span in after)]
    else:
        first = telling[0]
        own = _words(text[slice(*first)])
        if not _has_subject(own, 0):
            kept = [(0, words[verb - 1].end), *telling]
        elif _leans(own[0]):  # 'Paul fait du judo et il est asthmatique': he is Paul
            kept = [(0, words[verb - 1].end), (first[0] + own[0].end, first[1])]
        else:
            kept = [(first[0], len(text))]
    rest = _tidy(known, kept)
    return rest if _stands_alone(rest, known) else None


def _is_of_first(
    text: str, parts: Sequence[tuple[int, int]], span: tuple[int, int], *, is_own: bool
) -> bool:
    """Whether what a part tells is told of the subject of the first part, or names its own.

    'My sister Jo runs a café and her husband Ed drives a van and hates dogs' left 'My sister Jo
    hates dogs'.
    """
    own = _words(text[slice(*span)])
    has_own = _has_subject(own, 0) or _leans(own[0]) or own[0].low in _set("relative")
    if span == parts[0] or has_own:
        return True
    verbs = _set("be") | _set("have")
    if is_own and not (own[0].low in verbs or _is_verb(own, 0)):  # 'I [...] hates'
        return False
    between = [text[slice(*each)] for each in parts[: parts.index(span)]]
    heads = [at > 0 and _has_subject(_words(part), 0) for at, part in enumerate(between)]
    return not any(heads) and not any(map(_other_subjects, between))


def _tells_of_others(text: str, statement: str) -> bool:
    """Whether somebody with a name that the statement does not have does something, too.

    'Dot died' ended 'We have hens, Dot lays every day and Hen pecks the others'.
    """
    said = {word.low for word in _words(statement.replace("’", "'"))}
    words = _words(text)
    first = next((at for at in range(1, len(words)) if _is_told_verb(words, at)), len(words))
    begin = 1
    if first < len(words) and words[first].low in _set("be"):
        begin = _next_mark(text, words, first)  # 'My midwife is Ms Lund, who was my sister's'
    for at in range(begin, len(words)):
        behind = at + 1 + (at + 1 < len(words) and words[at + 1].low in _set("relative"))
        if (
            text[words[at].start].isupper()
            and (_mark(text, words, at) or words[at - 1].low in _set("joins") or behind > at + 1)
            and words[at].low not in said
            and "self" not in signs_of(words[at].low)
            and behind < len(words)
            and _is_told_verb(words, behind)
        ):
            return True
    return False


def _articles() -> frozenset[str]:
    return _set("determiners") | _set("own")


def _other_subjects(text: str) -> list[_Word]:
    """Who does something behind the first verb: 'Ruben [who's]', 'her husband Ed [drives]'."""
    words = _words(text)
    first = next((at for at in range(1, len(words)) if _is_told_verb(words, at)), len(words))
    found = []
    for at in range(first + 1, len(words)):
        subject = at - 1
        if words[subject].low in _set("relative"):
            subject -= 1
        before = words[subject]
        if before.low in _articles() or not _is_told_verb(words, at):
            continue
        is_name = text[before.start].isupper() and "self" not in signs_of(before.low)
        if is_name or subject < at - 1 or words[subject - 1].low in _articles():
            found.append(before)
    return found


def _is_of_somebody(text: str, subject: Sequence[_Word]) -> bool:
    """Whether words before a verb name a person or an animal: 'I', 'my aunt Bea', 'Rex'."""
    if any({"kin", "pet"} & {*signs_of(each.low)} for each in subject):
        return True
    if subject[0].low in _set("subjects") and "self" in signs_of(subject[0].low):
        return True
    is_name = text[subject[0].start].isupper() and subject[0].low not in _set("determiners")
    return is_name and len(subject) <= _NAME


def _is_told_verb(words: Sequence[_Word], at: int) -> bool:
    low = words[at].low
    if low == "a":  # 'has' in French, an article in English and Portuguese
        return False
    return low in _set("be") | _set("have") or _is_verb(words, at, is_third=True)


def _names_one(part: str, named: Sequence[str]) -> bool:
    return any(is_among(each, topics(part)) for each in named)


def _tells_verb(text: str, span: tuple[int, int], first: tuple[int, int]) -> bool:
    """Whether a part has a verb of its own and something to tell: 'and sees Ms Daly'."""
    part = text[slice(*span)]
    words = _words(part)
    if not words or not topics(part):
        return False
    return span != first or any(_is_told_verb(words, at) for at in range(1, len(words)))


def _begins_clause(words: Sequence[_Word]) -> bool:
    """Whether words begin with a verb, or a subject and a verb, and go on: 'sees Ms Daly'."""
    begins = 1 if words and _has_subject(words, 0) else 0
    return len(words) > begins + 1 and _is_told_verb(words, begins)


def _behind(ends: Sequence[tuple[int, int]], span: tuple[int, int]) -> int:
    """Where what joins a part to the one before begins."""
    return next(start for start, end in ends if end == span[0])


def _has_value(part: str) -> bool:
    return any(values(part)) or has_dose(part)


def _bans(part: str) -> bool:
    low = [word.low for word in _words(part)[:_EARLY]]
    return not _set("bans").isdisjoint(low)


def _tells_alone(part: str) -> bool:
    """Whether a part says something that can hold by itself: a ban, or with a verb a topic."""
    if not topics(part):
        return False
    words = _words(part)
    verbs = _set("introduces") | _set("verbs") | _set("be") | _set("have")
    is_third = len(words) > 2 and part[words[0].start].isupper() and words[0].low not in verbs
    return (
        _bans(part)
        or (len(words) > 2 and any(word.low in verbs for word in words))
        or (is_third and _is_verb(words, 1, is_third=True))
    )


def _names_medicine(text: str, at: int) -> bool:
    """Whether the medicine follows its amount: '20 mg [escitalopram]'; not so 'at night'."""
    words = _words(text[at : at + 40])
    return bool(words) and bool(topics(words[0].low))


def is_rest_of(text: str, whole: str) -> bool:
    """Whether a text is a part of another: its words are all there, in the same order."""
    words = iter(each.low for each in _words(whole.replace("’", "'")))
    said = [each.low for each in _words(text.replace("’", "'"))]
    return bool(said) and len(text) < len(whole) and all(word in words for word in said)


def _cuts(text: str, over: Aspect) -> Iterator[list[tuple[int, int]]]:
    """Spans that hold what is left, the best way to take it apart first."""
    words = _words(text)
    if over.name in (AGE, MONTHS):
        for start, end in _ages(words, text, int(over.value[0])):
            yield from _without_age(text, words, (start, end), over)
    elif over.name in (HOME, JOB):
        yield from _without_clause(text, words, over)


# --- an age ------------------------------------------------------------------------------------


def _ages(words: Sequence[_Word], text: str, value: int) -> Iterator[tuple[int, int]]:
    """(first word, behind the last) of each place that names an age of so many years."""
    low = [word.low for word in words]
    for at in range(len(words)):
        number, behind = number_at(low, at)
        if number != value:
            continue
        # The half stands on either side of the unit: 'two and a half years', 'two years and a
        # half'.
        for phrases in (_half(), _units(), _half()):
            behind = next(
                (
                    behind + len(phrase)
                    for phrase in phrases
                    if tuple(low[behind : behind + len(phrase)]) == phrase
                    and all(
                        _PLAIN_GAP.fullmatch(text, words[i - 1].end, words[i].start)
                        for i in range(behind, behind + len(phrase))
                    )
                ),
                behind,
            )
        yield at, behind


def _without_age(
    text: str, words: Sequence[_Word], span: tuple[int, int], over: Aspect
) -> Iterator[list[tuple[int, int]]]:
    start, end = span
    has_unit = any(
        tuple(word.low for word in words[end - len(unit) : end]) == unit and end - start > len(unit)
        for unit in _units()
    )
    last = end
    while last < len(words) and words[last].low in _set("skipped") and not _mark(text, words, last):
        last += 1
    verb = start - 1
    while verb >= 0 and words[verb].low in _set("skipped") and not _mark(text, words, verb + 1):
        verb -= 1
    said = words[verb].low if verb >= 0 and not _mark(text, words, verb + 1) else ""
    # French 'a' is 'has', and English 'a' an article: 'a 40 year old house' tells nobody's age.
    has_years = has_unit and (said != "a" or words[end - 1].low in ("ans", "mois"))
    if said in _set("be") or (said in _set("have") and has_years):
        yield from _without_told(text, words, verb, (start, last), over)
        return
    mark = _mark(text, words, start)
    if start and words[start - 1].low in _set("leads"):
        start -= 1
        mark = _mark(text, words, start)
    if has_unit and not mark and start:
        yield from _without_bare(text, words, start, last)
    elif mark and mark in ",(" and start:
        yield from _without_apposition(text, words, start, last)


def _without_apposition(
    text: str, words: Sequence[_Word], start: int, end: int
) -> Iterator[list[tuple[int, int]]]:
    """', 31 years old,', ', 31.', '(31)', ', 58 years old and not ashamed of it'."""
    left = words[start - 1].end
    if end >= len(words):
        yield [(0, left), (words[-1].end, len(text))]
        return
    mark = _mark(text, words, end)
    joined = words[end].low in _set("joins")
    if mark and not joined:
        right = words[end - 1].end
        if ")" in text[right : words[end].start]:
            right = text.index(")", right) + 1
        elif _is_subject(text, words[:start]) and _is_verb(words, end):
            right = words[end].start - 1  # 'My sister, 34, lives in Leeds'
        yield [(0, left), (right, len(text))]
    elif joined and end + 1 < len(words):
        if words[end + 1].low in _set("proud"):
            after = _next_mark(text, words, end + 1)
            yield [(0, left), (words[after - 1].end, len(text))]
        elif mark or _is_verb(words, end + 1) or _has_subject(words, end + 1):
            yield [(0, left), (words[end - 1].end, len(text))]
        else:
            yield [(0, words[start].start), (words[end + 1].start, len(text))]


def _without_bare(
    text: str, words: Sequence[_Word], start: int, end: int
) -> Iterator[list[tuple[int, int]]]:
    """'tama 22 years old second year apprentice', 'my 9-year-old Emil', 'gemelos de 11 años'."""
    before = words[start - 1].low
    following = words[end].low if end < len(words) else ""
    if before in ("de", "von", "van", "di", "of"):
        start -= 1
        before = ""
    if not start or following in _set("be") or following in ("war", "was"):
        return
    is_of_noun = before in _set("determiners") or before in _set("own")
    if is_of_noun and (
        not following
        or _mark(text, words, end)
        or following in _set("joins")
        or _is_verb(words, end)
        or following in _set("relative")
    ):
        return  # 'My 9-year-old plays the cello.'
    if end >= len(words):
        yield [(0, words[start - 1].end), (words[-1].end, len(text))]
    else:
        yield [(0, words[start - 1].end), (words[end - 1].end, len(text))]


def _without_told(
    text: str, words: Sequence[_Word], verb: int, span: tuple[int, int], over: Aspect
) -> Iterator[list[tuple[int, int]]]:
    """'I'm 61 and I drove', 'bin 43 und arbeite', 'Ines is 9 and plays the cello'."""
    start, end = span
    if verb > 1 and words[verb - 1].low in _set("relative"):
        # 'Theo, who's 7 years old, and June': it left 'Theo, who's June'.
        following = words[end + 1] if end + 1 < len(words) else words[-1]
        is_more = end + 1 < len(words) and words[end].low in _set("joins")
        is_more = is_more and text[following.start].islower()
        if is_more and _is_verb(words, end + 1, is_third=True):
            yield [(0, words[verb - 1].end), (following.start, len(text))]
        elif is_more and following.low not in _articles() - _INDEFINITE:
            yield [(0, words[verb].end), (following.start, len(text))]
        else:
            yield [(0, words[verb - 2].end), (words[end - 1].end, len(text))]
        return
    first = _clause_start(text, words, verb)
    if first == verb and verb and _mark(text, words, verb) == "," and over.owner:
        first = 0  # 'Our youngest, Milo, is 3 and has started at nursery.'
    has_subject = first < verb
    before = first  # behind the last word of what was said before
    if before and words[before - 1].low in _set("joins"):
        before -= 1
    head = (0, words[before - 1].end) if before else (0, 0)
    if end >= len(words):
        yield [head, (words[-1].end, len(text))]
        return
    joined = words[end].low in _set("joins")
    if not joined and not _mark(text, words, end):
        return  # 'I'm 61 from Leeds'
    said = end + joined
    if said >= len(words) or words[said].low in _set("relative") | _set("dependent"):
        return
    tail = (words[said].start, len(text))
    if words[said].low in _set("proud"):
        after = _next_mark(text, words, said)
        yield [head, (words[after - 1].end, len(text))]
    # 'My wife Amara is 36, she's a midwife' left 'She's a midwife', which says of nobody.
    elif _has_subject(words, said) and (before or not _leans(words[said])):
        yield [(0, words[first].start), tail]
    elif words[said].low in _set("pronouns") and has_subject and over.owner:
        # 'My wife Amara is 36, she's a midwife': she is carried over.
        yield [(0, words[verb - 1].end), (words[said].end, len(text))]
    elif _has_subject(words, said):
        return
    elif _is_verb(words, said, is_third=bool(over.owner) and words[end].low == "and"):
        if has_subject:
            yield [(0, words[verb].start), tail]
        elif before:
            yield [head, (words[end - 1].end, len(text))]
        else:
            yield [tail]
    elif _goes_on(text, words, verb, said, is_joined=joined):
        yield [(0, words[start].start), tail]


# --- a home, a job -----------------------------------------------------------------------------


def _without_clause(
    text: str, words: Sequence[_Word], over: Aspect
) -> Iterator[list[tuple[int, int]]]:
    """What stands before the clause of a home or a job, and what follows with its own verb."""
    at = next((i for i, word in enumerate(words) if word.low in over.value), -1)
    if at < 0:
        return
    first = _clause_start(text, words, at)
    before = first - 1 if first and words[first - 1].low in _set("joins") else first
    head = (0, words[before - 1].end) if before and _introduces(words[:before]) else (0, 0)
    behind = _behind_clause(text, words, at)
    if behind < len(words) and words[behind].low in _set("own") and not head[1]:
        yield [(words[behind].start, len(text))]  # 'my brother Tom, who's a chef'
        return
    if behind < len(words) and _has_subject(words, behind):
        if head[1]:
            yield [(0, words[first].start), (words[behind].start, len(text))]
        else:
            yield [(words[behind].start, len(text))]
        return
    if behind < len(words) and _is_verb(words, behind):
        own = [i for i in range(first, at) if words[i].low in _set("speaks")]
        if own:  # 'I live in Leeds and work at the Grand'
            yield [(0, words[own[0]].end), (words[behind].start, len(text))]
        return
    lost = words[first:behind]
    is_more = any("kin" in signs_of(word.low) for word in lost) or len(lost) > _MOST_LOST
    if head[1] and not is_more:
        yield [head, (words[-1].end, len(text))]


def _behind_clause(text: str, words: Sequence[_Word], at: int) -> int:
    """The first word behind a clause, or behind 'with' where who is with them is told of."""
    for i in range(at + 1, len(words)):
        following = words[i + 1].low if i + 1 < len(words) else ""
        is_company = words[i].low in _set("company") and following in _set("own")
        if is_company and any(_tells(text, words, j) for j in range(i + 2, min(i + 8, len(words)))):
            return i + 1
        if words[i].low in _set("joins") and i + 1 < len(words):
            if _has_subject(words, i + 1) or _is_verb(words, i + 1):
                return i + 1
        elif (
            _mark(text, words, i)
            and _has_subject(words, i)
            and words[i].low not in _set("dependent")
        ):
            return i
    return len(words)


def _tells(text: str, words: Sequence[_Word], at: int) -> bool:
    """Whether a relative clause with something to tell begins at a word: ', who's a chef'."""
    return (
        words[at].low in _set("relative") and _mark(text, words, at) == "," and at + 2 < len(words)
    )


# --- words -------------------------------------------------------------------------------------


def _words(text: str) -> tuple[_Word, ...]:
    return tuple(
        _Word(fold_accents(found[0]).rstrip("'"), found.start(), found.end())
        for found in _TOKEN.finditer(text)
    )


def _mark(text: str, words: Sequence[_Word], at: int) -> str:
    """The first mark between a word and the one before it; '': only spaces."""
    if not 0 < at < len(words):
        return ""
    gap = text[words[at - 1].end : words[at].start]
    return next((sign for sign in gap if sign in _MARKS or sign in ".!?"), "")


def _next_mark(text: str, words: Sequence[_Word], at: int) -> int:
    return next((i for i in range(at + 1, len(words)) if _mark(text, words, i)), len(words))


def _clause_start(text: str, words: Sequence[_Word], verb: int) -> int:
    """The first word of the clause of a verb: behind a mark, 'and', or at 'who'."""
    for i in range(verb, 0, -1):
        if _mark(text, words, i):
            return i + 1 if words[i].low in _set("joins") and i < verb else i
        if words[i - 1].low in _set("joins") and (i > 1):
            return i
    return 0


def _has_subject(words: Sequence[_Word], at: int) -> bool:
    """Whether a clause with a subject of its own begins at a word."""
    return words[at].low in _set("subjects") and at + 1 < len(words)


def _leans(word: _Word) -> bool:
    """Whether a word points to somebody who was named before: 'she', 'her'."""
    return word.low in _set("pronouns") or word.low in _set("leaning")


def _is_verb(words: Sequence[_Word], at: int, *, is_third: bool = False) -> bool:
    """Whether a word is a verb that tells something of a subject before it.

    is_third  the subject is somebody else, in English: 'and coaches the juniors'
    """
    low = words[at].low
    # No list has all English verbs, but their third person ends so.
    if is_third and len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return True
    if low in _set("skipped") | _set("also"):
        return at + 1 < len(words) and _is_verb(words, at + 1)
    return low in _set("verbs")


def _goes_on(text: str, words: Sequence[_Word], verb: int, said: int, *, is_joined: bool) -> bool:
    """Whether a verb goes on behind the age: 'I'm [61 and] retired', 'J'ai [40 ans et] un chien'.

    Not so of 'Florence a cinq mois, une vraie boule'.
    """
    is_thing = words[said].low in _set("determiners")
    if words[verb].low in _set("have"):
        return is_thing and is_joined
    return is_thing or _is_quality(text, words[said])


def _is_quality(text: str, word: _Word) -> bool:
    """Whether a word tells what somebody is, and surely no verb: 'retired', 'Lehrer', 'in'."""
    return (
        text[word.start].isupper()
        or word.low in _set("qualities")
        or word.low.endswith(("ed", "ing", "ic", "iet", "eden", "wet"))
    )


def _introduces(words: Sequence[_Word]) -> bool:
    """Whether words say something by themselves: 'I'm Priya', 'Ich heiße Jonas'."""
    if len(words) < _LEAST:
        return False
    return any(word.low in _set("introduces") for word in words)


def _is_subject(text: str, words: Sequence[_Word]) -> bool:
    """Whether words are one name or relative, and say nothing by themselves: 'My sister'."""
    is_one = not any(_mark(text, words, at) for at in range(len(words)))
    return is_one and not _introduces(words)


def _tidy(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The spans as one statement: no mark twice, a capital in front."""
    joined = " ".join(text[start:end].strip() for start, end in spans if text[start:end].strip())
    joined = joined.replace(" 's ", "'s ")
    joined = _SPACES.sub(" ", _BEFORE_MARK.sub(lambda found: found[1] or "", joined)).strip()
    stop = joined[-1:] if joined[-1:] in ".!?" else ""
    joined = _HANGING.sub("", joined[: len(joined) - len(stop)]) + stop
    return joined[:1].upper() + joined[1:] if text[:1].isupper() else joined


def _stands_alone(rest: str, known: str) -> bool:
    words = _words(rest.replace("’", "'"))
    if len(words) < _LEAST or not topics(rest):
        return False
    first = words[0].low
    is_anew = first != _words(known[: len(rest)].replace("’", "'"))[0].low
    if is_anew and first in _set("joins") | _set("relative") | _set("dependent") | _set("company"):
        return False
    return first in _set("own") or any(
        word.low in _set("introduces") | _set("verbs") | _set("be") | _set("have")
        or "self" in signs_of(word.low)
        for word in words
    )


def _keeps(rest: str, others: Sequence[Aspect], over: Aspect) -> bool:
    """Whether what else was told is told still, of the same people, and what is over is not."""
    told = [(each.name, each.value) for each in aspects(rest)]
    gone = (over.name, over.value) not in told
    return gone and all((each.name, each.value) in told for each in others)


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(word_list(_SAID[name]))


@cache
def _units() -> tuple[tuple[str, ...], ...]:
    return _phrases(_SAID["units"])


@cache
def _half() -> tuple[tuple[str, ...], ...]:
    return _phrases(_SAID["half"])


def _phrases(told: str) -> tuple[tuple[str, ...], ...]:
    """Phrases of words, the longest first."""
    # The first one that fits is taken: 'years old' has to come before 'years'.
    found = {tuple(each.split()) for each in told.split("|")}
    return tuple(sorted(filter(None, found), key=lambda each: (-len(each), each)))
