"""Of what kind a sentence is, where its form says it: an opinion, a wish, a taste, no task.

The model of kinds reads a date as a task and a change as a decision, since most tasks have dates
and most decisions change something. A task needs somebody who has to do it, an opinion says whose
it is, and an illness is a fact however it is told.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("kinds")

_OPINION = Needing(rf"\b(?:{_SAID['opinion']})", re.IGNORECASE, _SAID["opinion needs"].split("|"))
_TASTE = Needing(_SAID["taste"], re.IGNORECASE, _SAID["taste needs"].split("|"))
# How the assistant is to speak and answer.
_MANNER = Needing(rf"\b(?:{_SAID['manner']})", re.IGNORECASE, _SAID["manner needs"].split("|"))
_DUTY = late(rf"\b(?:{_SAID['duty']})\b", re.IGNORECASE)
_STATE = late(rf"\b(?:{_SAID['state']})\b", re.IGNORECASE)
_STEPS = late(rf"[,;:]|{_SAID['steps']}", re.IGNORECASE)
_PLACED = late(rf"\b(?:{_SAID['placed']})\b", re.IGNORECASE)
_NO_PROCEDURE = ("fact", "preference", "event", "belief")
_NO_TASK = ("fact", "event", "decision", "preference")
_OF_BODIES = ("fact", "task", "procedure", "event")

# What a body may not have or do is so, however it is worded: nobody ticks it off.
_BARRED = Needing(rf"\b(?:{_SAID['barred']})\b", re.IGNORECASE, _SAID["barred needs"].split("|"))
# What somebody came to be, and what is left of something.
_CAME_TO_BE = Needing(_SAID["came to be"], re.IGNORECASE, _SAID["came to be needs"].split("|"))
_GOOD_UNTIL = late(_SAID["good until"], re.IGNORECASE)
# A habit of the speaker's: what they always do, or what it always is for them.
_HABIT = Needing(_SAID["habit"], re.IGNORECASE, _SAID["habit needs"].split("|"))
_NEW_TASTE = late(_SAID["new taste"], re.IGNORECASE)
_DECIDED = late(rf"\b(?:{_SAID['decided']})\b", re.IGNORECASE)
_LIKES = late(rf"\b(?:{_SAID['likes']})\b", re.IGNORECASE)
_ORDERED = late(_SAID["ordered"], re.IGNORECASE)
_CHAIN = late(rf"\b(?:{_SAID['first']})\b.{{3,80}}\b(?:{_SAID['then']})\b", re.IGNORECASE)
_NUMBERED = late(
    r"(?:^|[.!?:;]\s)1[.)]\s.{2,200}[.!?;]\s2[.)]\s|[.!?;]\s2[.)]\s.{2,200}[.!?;]\s3[.)]\s",
    re.DOTALL,
)
_KEPT_BY = late(rf"^\W*(?:\w+ )?\w+ (?:always |still )?(?:{_SAID['kept by']})\b", re.IGNORECASE)
_OTHER_MIND = late(rf"\b(?:{_SAID['other mind']})\b", re.IGNORECASE)
# 'From January I'm restoring maps': what begins then is so; 'bowling is on Wednesdays now'.
_BEGINS = Needing(_SAID["begins"], re.IGNORECASE, _SAID["begins needs"].split("|"))
_WEEKLY = late(rf"\b(?:{_SAID['weekly']})\b", re.IGNORECASE)
_AT_AN_HOUR = late(_SAID["at an hour"], re.IGNORECASE)
_ON_A_DAY = late(_SAID["on a day"], re.IGNORECASE)
_WENT_BY = late(_SAID["went by"], re.IGNORECASE)
# (form that a kind has, odds below which it counts, odds of a fact from which it is one). Without
# its form a doubtful one is told as a fact: of 25 sentences of thirteen people that were not what
# the model took them for, 24 were facts.
_FORMS = {
    "decision": (_DECIDED, 0.65, 0.3),
    "preference": (_LIKES, 0.5, 0.3),
    "procedure": (_ORDERED, 0.57, 0.2),
    "event": (_WENT_BY, 0.65, 0.22),
}


def kind_of(text: str, kinds: tuple[tuple[str, float], ...], critical: str) -> str:
    """The kind of a sentence out of `kinds`, the likeliest first, as its form allows.

    critical  what it was marked as: health, safety, limit or ''
    """
    # By the model alone the kind is right of .902 of what eight people tell, with these forms of
    # .972; of the labels of the corpus 3,455 and 3,404 of 3,555.
    first, odds = kinds[0]
    if _NUMBERED.search(text) or (first != "event" and "," in text and _CHAIN.search(text)):
        return "procedure"
    if critical == "health":
        return "fact" if _BARRED.search(text) else _of_body(text, kinds)
    if _OPINION.search(text):
        return "belief"
    if _BARRED.search(text) or (first != "task" and _CAME_TO_BE.search(text)):
        return "fact"
    if first in ("procedure", "belief", "fact", "preference") and _OTHER_MIND.search(text):
        return "decision"
    if first not in ("task", "event") and _MANNER.search(text):
        return first if first == "procedure" else "preference"
    if _TASTE.search(text):
        return "preference"
    if first in ("task", "event") and _is_term(text):
        return _likeliest(kinds, ("fact", "event")) if _ON_A_DAY.search(text) else "fact"
    if first in ("preference", "decision", "belief") and not critical:
        if first == "decision" and _DUTY.search(text) and not _DECIDED.search(text):
            return _likeliest(kinds, ("task", "event", "fact"))
        if _BEGINS.search(text) and not (_DECIDED if first == "decision" else _LIKES).search(text):
            return _likeliest(kinds, ("fact", "event"))
        is_bare = first == "decision" and not _DECIDED.search(text)
        if is_bare and _WEEKLY.search(text):
            return "fact"
        if is_bare and _STATE.search(text) and "," not in text:
            return _likeliest(kinds, ("event", "fact"))
    if first == "task" and _STATE.search(text) and not _DUTY.search(text):
        return _likeliest(kinds, _NO_TASK)
    # Of 206 procedures of the corpus 204 have a step, a condition or an order; 'the key hangs
    # behind the boiler' has none.
    if first == "procedure" and _PLACED.search(text) and not _STEPS.search(text):
        return _likeliest(kinds, _NO_PROCEDURE)
    if (
        first in ("fact", "decision")
        and not critical
        and (_HABIT.search(text) or _NEW_TASTE.search(text))
    ):
        return "preference"
    if first in _FORMS and not critical:
        form, unsure, perhaps = _FORMS[first]
        if odds < unsure and dict(kinds)["fact"] >= perhaps and not form.search(text):
            if first == "event" and _ON_A_DAY.search(text):
                return "event"
            return "event" if first == "procedure" and _AT_AN_HOUR.search(text) else "fact"
    return first


def _is_term(text: str) -> bool:
    """Whether a text says first of all until when something is good, and no duty before that."""
    clause = re.split(r"[,;:]", text)[0]
    return bool(_GOOD_UNTIL.search(clause)) and not _DUTY.search(clause)


def _of_body(text: str, kinds: tuple[tuple[str, float], ...]) -> str:
    """The kind of what concerns a body: 'He keeps his spray in his pocket' orders nothing."""
    found = _likeliest(kinds, _OF_BODIES)
    if found == "procedure" and (_KEPT_BY.search(text) or not _ORDERED.search(text)):
        return "fact"
    return "fact" if found == "task" and _is_term(text) else found


def _likeliest(kinds: tuple[tuple[str, float], ...], among: tuple[str, ...]) -> str:
    return next(kind for kind, _ in kinds if kind in among)


# Whose opinion a sentence gives: 'Bob thinks we should move' is Bob's, and no task of ours.

_OWNERS = _SAID["owners"]
_PRONOUNS = _SAID["pronouns"]
_THINKING = _SAID["thinking"]
# A name is a capital word that is none of the speaker's own; two make a full name.
SOMEBODY = (
    rf"(?:(?i:{_OWNERS})\s+[\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)?"
    rf"|(?i:{_PRONOUNS})"
    r"|[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)?)"
)
# Parts of the words above, one of each: most sentences have none, and compile nothing (2 ms).
_OPINION_OPINIONS = Needing(
    rf"\s*({SOMEBODY})\s+(?:(?:still|also|really|auch|también|aussi)\s+)?(?i:{_THINKING})(?!\w)",
    0,
    _SAID["thinking needs"].split("|"),
)
# 'Jens hält E-Autos für Unsinn', 'according to Nina the school is too strict'.
_HELD = (
    Needing(
        rf"\s*(?i:{_SAID['according to']})\s+({SOMEBODY}),?\s",
        0,
        _SAID["according to needs"].split("|"),
    ),
    Needing(rf"\s*({SOMEBODY})\s+(?i:hält|halten)\s.{{2,60}}\s(?i:für)\s", 0, ("hält", "halten")),
    Needing(
        rf"\s*(?i:para|pour)\s+({SOMEBODY}),?\s(?=.{{0,60}}\b(?i:es|son|c'est|est|é)\b)",
        0,
        ("para", "pour"),
    ),
    Needing(
        rf"\s*({SOMEBODY})(?:['’]s)?\s+(?i:(?:is |are )?(?:convinced|adamant|swears)\s"
        r"(?:that|by)?)",
        0,
        ("convinced", "adamant", "swears"),
    ),
)
_SOURCES = frozenset(word_list(_SAID["sources"]))
_NOBODY = frozenset(word_list(_SAID["nobody"]))


def holder_of(text: str) -> str:
    """Who holds the opinion that a sentence gives, as it names them; '': nobody else's is given.

    'Bob thinks ...', 'meine Chefin findet ...', 'she believes ...'.
    """
    if text.lstrip()[:2] == "I ":  # no word of anybody else's begins so: 4 ms of 'I prefer tea.'
        return ""
    found = _OPINION_OPINIONS.match(text)
    if found is None:
        return _held_by(text)
    if re.split(r"['’]", found[1].lower())[0] in _NOBODY:  # 'We've thought'
        return ""
    return found[1]


def _held_by(text: str) -> str:
    found = next((match for each in _HELD if (match := each.match(text))), None)
    name = found[1] if found is not None else ""
    said = re.split(r"[\s'’]", name.lower())
    own = not set(said) - {"mí", "mi", "moi", "me", "nous", "nosotros", "him", "that"}
    return "" if own or not _SOURCES.isdisjoint(said) or said[0] in _NOBODY else name
