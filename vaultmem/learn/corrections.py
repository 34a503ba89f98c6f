"""Detector of corrections: what the assistant had wrong, and what is right (algorithms 4.4).

A correction rejects the turn of the assistant right before it, insists on what had been said, or
puts right the speaker's own words. A cue alone ('actually', 'instead', 'should be') is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import dataclass, replace
from vaultmem.learn.conversations import Session, Sighting
from vaultmem.learn.own_statements import (
    Language,
    Statement,
    is_reported,
    spoken_in,
    statements,
)
from vaultmem.learn.preferences import tokens, trim_value

# --- what the assistant had wrong ---

# The person names what is right only; what stands in its place is in the turn before. It is told by
# its shape: a number for a number, a time for a time, a name in code for one, a proper name for
# one. Where more than one word has the shape, or none, nothing is said to be wrong.
_CODE = re.compile(r"`([^`\n]{1,60})`")
_WORD = re.compile(r"[^\W\d_][\w-]*")
# Each with the value as a whole; what a number counts has to agree ('4 pm', '30 minutes').
_AMOUNT = re.compile(
    r"(?<![\w.,:])\d+(?:[.,:]\d+)*(?: ?(?:am|pm|%|[a-zäöü]+))?(?![\w])", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_IDENTIFIER = re.compile(r"[A-Za-z]+(?:_\w+)+|[a-z]+[A-Z]\w*|[A-Za-z_]\w*\(\)")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-ZÄÖÜÀ-Þ][\w-]+(?: [A-ZÄÖÜÀ-Þ][\w-]+)*")
_NAME_IN_FRONT = re.compile(r"[A-ZÄÖÜÀ-Þ][\w-]+(?: [A-ZÄÖÜÀ-Þ][\w-]+)*")
_NUMBERED = re.compile(r"(?P<name>[A-ZÄÖÜÀ-Þ][\w-]+) \d+")
# 'it's', 'es a las', 'c'est': what is right comes behind it.
_SAYS = re.compile(
    r"^(?:(?:it(?:['’]s| is)|it should be|is|es ist|es sind|es muss|ist|es|son|c['’]est|ce sont|è"
    r"|sono|het is|são|at|um|a las?|à|alle|om|às)\s+)+",
    re.IGNORECASE,
)
_SHORTEST = 3  # letters of a word that stands for a name in code


def wrong_in(previous: str, right: str) -> str:
    """The words of the assistant's turn that `right` stands in place of; '' where unclear.

    previous  the turn, as it was written
    right     what the person says is right, as it was written
    """
    value = _SAYS.sub("", right.strip(" `'\".!,;:"))
    if not value:
        return ""
    found = {each for each in _of_shape(previous, value) if each.casefold() != value.casefold()}
    return found.pop() if len(found) == 1 else ""


def _of_shape(previous: str, value: str) -> list[str]:
    # 'That's wrong, it should be user_id' had no wrong side: it is the one word of the turn before
    # that has its shape.
    if _AMOUNT.fullmatch(value):
        unit = _NUMBER.sub("", value).strip().casefold()
        amounts = [found[0] for found in _AMOUNT.finditer(previous)]
        if not unit:
            return [found[0] for found in _NUMBER.finditer(previous)]
        return [each for each in amounts if _NUMBER.sub("", each).strip().casefold() == unit]
    numbered = _NUMBERED.fullmatch(value)
    if numbered is not None:
        alike = rf"(?<!\w){re.escape(numbered['name'])} \d+"
        return [found[0] for found in re.finditer(alike, previous)]
    if _IDENTIFIER.fullmatch(value):
        in_code = [found[1] for found in _CODE.finditer(previous)]
        named = in_code or [found[0] for found in _IDENTIFIER.finditer(previous)]
        return named or _abbreviations_of(previous, value)
    if _NAME_IN_FRONT.fullmatch(value):
        return [found[0] for found in _NAME.finditer(previous)]
    return []


def _abbreviations_of(previous: str, value: str) -> list[str]:
    """Words whose letters come in this order in the name: 'uid' in 'user_id'."""
    letters = value.casefold()
    return [
        word[0]
        for word in _WORD.finditer(previous)
        if _SHORTEST <= len(word[0]) < len(letters) and _is_within(word[0].casefold(), letters)
    ]


def _is_within(short: str, long: str) -> bool:
    # The iterator is used up letter by letter, so that they have to come in this order.
    rest = iter(long)
    return short[0] == long[0] and all(letter in rest for letter in short)


_MOST_PARTS = 4
_MOST_WORDS = 25  # of a sentence that is right as a whole
_MOST_CONTRAST_WORDS = 12  # of 'spaces, not tabs'
_LOOKED_AHEAD = 2  # sentences after a rejection that may say what is right
_MARKS = " \t,.!:;-"
_MOST_OF_TURN = 2000  # characters in which somebody says that it was wrong
_CLAUSE = re.compile(r"[,;:] | - ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Right:
    """What is right, in folded text, and what is not."""

    value: str
    wrong: str = ""
    about: str = ""
    whole: str = ""  # the words that say so, where they name what it is about
    parts: tuple[str, ...] = ()  # other clauses of the same correction
    is_formed: bool = True  # False: a sentence that is right as a whole
    is_own: bool = False


def corrections(
    session: Session, said: Sequence[Statement], previous: str | None, language: Language
) -> Iterator[Sighting]:
    """The corrections of one turn of the person, in order.

    previous  the turn of the assistant right before it; None: there is none
    """
    number = 0
    while number < len(said):
        found, used = _begun_at(said[number:], previous, language)
        if found is not None:
            sighting = _sighting(session, said[number : number + used], found, language)
            if not (sighting.rejects or found.is_own or previous is None):
                sighting = _against(sighting, previous, language)
            if sighting.value:
                yield sighting
        number += used


def _against(sighting: Sighting, previous: str, language: Language) -> Sighting:
    """The correction with what the assistant had in its place, where that is clear."""
    wrong = wrong_in(previous, sighting.value)
    if not wrong:
        return sighting
    return replace(
        sighting, rejects=wrong, statement=f"{sighting.statement}, {language.denial} {wrong}"
    )


def rejected_turns(session: Session) -> frozenset[int]:
    """The turns in which the person is against what was just done, whether or not they say what
    is right instead: 'No, so nicht.', 'That broke everything, undo it.'"""
    language = spoken_in("\n".join(turn.text for turn in session.turns if turn.role == "user"))
    return frozenset(
        number
        for number, turn in enumerate(session.turns)
        if number and turn.role == "user" and session.turns[number - 1].role == "assistant"
        if _is_against(turn.text[:_MOST_OF_TURN], session, language)
    )


def _is_against(text: str, session: Session, language: Language) -> bool:
    for sentence in statements(text, language, owners=session.owners)[:_LOOKED_AHEAD]:
        if sentence.is_foreign or sentence.mark == "?":
            continue
        # 'Undo that' and 'Nein, so nicht' reject what was done, also where nobody says what is
        # right instead.
        if language.correction.has("undone", sentence.text):
            return True
        lead = language.correction.lists["lead"].match(sentence.text)
        rest = _after_rejection(sentence.text[lead.end() if lead else 0 :], language)
        if rest is not None:
            return not language.correction.has("benign", rest)
    return False


def _sighting(
    session: Session, said: Sequence[Statement], found: _Right, language: Language
) -> Sighting:
    value, wrong = _show_piece(said, found.value), _show_piece(said, found.wrong)
    contrast = f"{value}, {language.denial} {wrong}" if wrong else value
    return Sighting(
        category="correction",
        session=session.id,
        at=session.at,
        quote=" ".join(sentence.quote for sentence in said),
        statement=_show_piece(said, found.whole) or contrast,
        value=value,
        rejects=wrong,
        purpose=_show_piece(said, found.about),
        parts=tuple(_show_piece(said, part) for part in found.parts),
        is_own=found.is_own,
        language=language.name,
    )


def _show_piece(said: Sequence[Statement], piece: str) -> str:
    holder = next((sentence for sentence in said if piece in sentence.text), said[0])
    return holder.as_written(piece) if piece else ""


def _begun_at(
    said: Sequence[Statement], previous: str | None, language: Language
) -> tuple[_Right | None, int]:
    """(the correction that begins with these sentences, how many of them it takes, at least 1)."""
    sentence = said[0]
    if sentence.is_foreign or sentence.mark == "?":
        return None, 1
    # Without a word of a cue nothing further is looked at: 1,500 conversations of 27,000 sentences
    # take 2.5 s of processor, 7.3 without this look.
    if not any(language.correction.may_hold(each.text) for each in said[:2]):
        return None, 1
    lead = language.correction.lists["lead"].match(sentence.text)
    text = sentence.text[lead.end() if lead else 0 :]
    if language.doubt.has("hypothetical", text) or language.doubt.has("irony", text):
        return None, 1
    own = _first("own", sentence.text, language) or _first("own", text, language)
    if own is not None:
        return replace(own, is_own=True), 1
    if previous is None:
        return None, 1
    insisted = _first("insist", sentence.text, language) or _first("insist", text, language)
    if insisted is not None:
        return _match_forms(insisted.value, language) or insisted, 1
    rest = _after_rejection(text, language)
    if rest is None:
        return _read_contrast(text, said, previous, language)
    return _rejection(rest, said, previous, language)


def _rejection(
    rest: str, said: Sequence[Statement], previous: str, language: Language
) -> tuple[_Right | None, int]:
    """What is right after a rejection: in the rest of its sentence, else in the next ones."""
    if rest and not _is_evidence(rest, language):
        return None, 1
    texts = [rest] if rest else []
    for later in said[1 : 1 + _LOOKED_AHEAD]:
        if later.mark == "?" or later.is_foreign or not _is_evidence(later.text, language):
            break
        texts.append(later.text)
    found, used = _read_right(texts, language)
    if found is None or (not found.is_formed and previous.rstrip().endswith("?")):
        return None, 1  # 'Do you have children?' 'No, I live alone.' puts nothing right
    return found, used + (0 if rest else 1)


def _read_right(texts: Sequence[str], language: Language) -> tuple[_Right | None, int]:
    """(what these sentences say is right, how many of them were needed)."""
    for number, text in enumerate(texts):
        found = _first("insist", text, language) or _match_forms(text, language)
        if found is not None:
            return found, number + 1
        if _is_denial(text, language):  # 'Not tabs. Use spaces.'
            if number + 1 < len(texts):
                joined = _match_forms(f"{text}, {texts[number + 1]}", language)
                if joined is not None:
                    return joined, number + 2
            continue
        whole = _whole(text, language)
        if whole is not None:
            return whole, number + 1
    return None, 1


def _is_evidence(text: str, language: Language) -> bool:
    doubt = language.doubt
    return not (
        language.correction.has("benign", text)
        or doubt.has("question", text)
        or doubt.has("hypothetical", text)
        or is_reported(text, language)
    )


def _after_rejection(text: str, language: Language) -> str | None:
    """What follows words that reject the last turn, '' for nothing; None: they do not."""
    for pattern in _numbered_patterns("reject", language):
        found = pattern.match(text)
        # 'no' in 'no-one' or 'nobody' rejects nothing.
        if found is None or re.match(r"[\w'-]", text[found.end() :]):
            continue
        affirmed = language.correction.lists.get("affirmed")
        if affirmed is not None and affirmed.fullmatch(found[0]):
            continue
        rest = text[found.end() :].lstrip(_MARKS)
        further = _after_rejection(rest, language) if rest else None
        return rest if further is None else further
    return None


def _read_contrast(
    text: str, said: Sequence[Statement], previous: str, language: Language
) -> tuple[_Right | None, int]:
    """'Spaces, not tabs', also as two sentences."""
    following = said[1] if len(said) > 1 else None
    if following is not None and not following.is_foreign and _is_denial(following.text, language):
        found = _contrast(f"{text}, {following.text}", previous, language)
        if found is not None:
            return found, 2
    return _contrast(text, previous, language), 1


def _contrast(text: str, previous: str, language: Language) -> _Right | None:
    """'Spaces, not tabs', where the assistant has just said or used tabs."""
    if len(text.split()) > _MOST_CONTRAST_WORDS or not _is_evidence(text, language):
        return None
    found = _match_forms(text, language)
    if found is None or not found.wrong:
        return None
    wrong = set(tokens(found.wrong, language))
    return found if wrong and wrong <= set(tokens(previous.casefold(), language)) else None


def _match_forms(text: str, language: Language) -> _Right | None:
    """What a text says is right by a form of its own: 'not X, use Y', 'it should be Y'."""
    found = _first("forms", text.strip(_MARKS), language)
    if found is None:
        return None
    parts = (trim_value(piece, language) for piece in _CLAUSE.split(text))
    others = tuple(
        part
        for part in parts
        if " " in part and part not in (found.value, found.wrong)
        if not _is_denial(part, language)
    )
    return replace(found, parts=others[:_MOST_PARTS])


def _whole(text: str, language: Language) -> _Right | None:
    """A sentence that is right as a whole: 'imports need the extension'."""
    pieces = [piece for part in _CLAUSE.split(text) if (piece := _value(part, language))]
    if not pieces or len(text.split()) > _MOST_WORDS:
        return None
    if language.correction.has("small_talk", text):
        return None
    others = tuple(piece for piece in pieces[1:] if " " in piece)
    return _Right(value=pieces[0], parts=others[:_MOST_PARTS], is_formed=False)


def _is_denial(text: str, language: Language) -> bool:
    return text.split(" ", 1)[0] in language.negations


def _first(name: str, text: str, language: Language) -> _Right | None:
    """What the first expression of a list reads, of those that the whole text is."""
    for pattern in _numbered_patterns(name, language):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        groups = {key: words for key, words in found.groupdict().items() if words}
        value = _value(groups.get("value", ""), language)
        if value is not None:
            about = groups.get("about", "").strip(_MARKS)
            return _Right(
                value=value,
                wrong=trim_value(groups.get("wrong", ""), language),
                about=about,
                whole=found[0].strip(_MARKS) if about else "",
            )
    return None


def _numbered_patterns(name: str, language: Language) -> Iterator[re.Pattern[str]]:
    lists = language.correction.lists
    number = 0
    while f"{name}.{number}" in lists:
        yield lists[f"{name}.{number}"]
        number += 1


def _value(text: str, language: Language) -> str | None:
    bare = trim_value(text.strip(_MARKS), language)
    if not tokens(bare, language) or language.doubt.has("deictic", bare):
        return None
    return None if language.correction.has("benign", bare) else bare
