"""Short answers: 'Mollie.' after 'Which payment provider do you use?'. Pure.

The answer is the person's, the question is not: it says what the answer is about, and is kept
beside it as what was asked, never as a statement. Of the moment are offers ('Shall I go on?'),
small talk, what the assistant is to do now, and what happened just before; their answers are none.
"""

from __future__ import annotations

import re

from vaultmem.base import late
from vaultmem.judgement.sentence import is_waved_off, judge_sentence, judge_worth
from vaultmem.language import fold, sentence_spans, vocabulary, word_list
from vaultmem.safety import suspicion

_SAID = vocabulary("short_answers")

LONGEST_QUESTION = 200  # characters
_MOST_WORDS = 7  # of an answer that leans on its question
_WORD = late(r"[^\W_]+(?:['’-][^\W_]+)*")
_ASIDE = late(rf"^(?:(?:{_SAID['aside']})[,.!:]* +)+", re.IGNORECASE)
_OF_THE_TALK = late(rf"\b(?:{_SAID['of the talk']})\b", re.IGNORECASE)
_OFFER = late(_SAID["offer"], re.IGNORECASE)
_NOW = late(rf"\b(?:{_SAID['now']})\b", re.IGNORECASE)
_OF_THEM = late(_SAID["of them"], re.IGNORECASE)
_ASKS_FOR = late(rf"^(?:{_SAID['asks for']})\b", re.IGNORECASE)
_EITHER = late(rf"\b(?:{_SAID['either']})\b", re.IGNORECASE)
_ASSENT = frozenset(word_list(_SAID["assent"]))
_COUNTS = frozenset(word_list(_SAID["counts"]))
_YES = frozenset(word_list(_SAID["yes"]))
_UNKNOWN = late(rf"\b(?:{_SAID['unknown']})\b", re.IGNORECASE)
# Patterns wait for a talk that has a question: 23 were compiled for each cold `remember`, 5 ms
# under load.
# What a yes makes a statement of, to be judged as one: 'Are you vegetarian?' 'Yes.'
_AS_STATED = (
    (late(r"^are you (?:a |an )?(?=\w)", re.IGNORECASE), "I am "),
    (late(r"^(?:do you have|have you got) (?=\w)", re.IGNORECASE), "I have "),
    (late(r"^do you (?=\w)", re.IGNORECASE), "I "),
    (late(r"^bist du (?=\w)", re.IGNORECASE), "Ich bin "),
    (late(r"^sind sie (?=\w)", re.IGNORECASE), "Ich bin "),
    (late(r"^(?:hast du|haben sie) (?=\w)", re.IGNORECASE), "Ich habe "),
    (late(r"^¿?(?:eres|es usted) (?=\w)", re.IGNORECASE), "Soy "),
    (late(r"^¿?(?:tienes|tiene usted) (?=\w)", re.IGNORECASE), "Tengo "),
    (late(r"^(?:es-tu|êtes-vous|tu es|vous êtes) (?=\w)", re.IGNORECASE), "Je suis "),
    (late(r"^(?:as-tu|avez-vous|tu as|vous avez) (?=\w)", re.IGNORECASE), "J'ai "),
    (late(r"^sei (?=\w)", re.IGNORECASE), "Sono "),
    (late(r"^hai (?=\w)", re.IGNORECASE), "Ho "),
    (late(r"^ben je (?=\w)", re.IGNORECASE), "Ik ben "),
    (late(r"^heb je (?=\w)", re.IGNORECASE), "Ik heb "),
    (late(r"^tens (?=\w)", re.IGNORECASE), "Tenho "),
)


def question_in(text: str) -> str:
    """The question about the person's world that an assistant's turn ends with; '' for none."""
    if not text.rstrip().endswith(("?", "？")):
        return ""
    spans = [(a, b) for a, b in sentence_spans(text) if text[a:b].strip()]
    start, end = spans[-1] if spans else (0, 0)
    asked = _ASIDE.sub("", " ".join(text[start:end].split())).lstrip("-–*> ")
    if not asked or len(asked) > LONGEST_QUESTION or suspicion(asked):
        return ""
    said = fold(asked).replace("’", "'").lstrip("¿ ")
    said = said.rstrip("?？ ")
    if _OF_THE_TALK.search(said) or _OFFER.search(said) or _NOW.search(said):
        return ""
    return asked if _is_of_them(said) else ""


def is_answer(text: str, asked: str) -> bool:
    """Whether a sentence answers what was asked, and says nothing without it.

    asked  of `question_in`
    """
    said = [word.lower() for word in _WORD.findall(text.replace("’", "'"))]
    # Of 20 exchanges in four languages 19 answers are found by their question, 11 without it.
    if not asked or not said or len(said) > _MOST_WORDS or "?" in text:
        return False
    if _UNKNOWN.search(fold(text).replace("’", "'")) or suspicion(text) or is_waved_off(text):
        return False
    if _ASSENT.issuperset(said):
        return not _YES.isdisjoint(said) and bool(stated_by_yes(asked))
    return True


def says_nothing_alone(text: str) -> bool:
    """Whether a sentence is a yes, a no or a 'none': it answers, or it is nothing.

    The model of sentences knows no such words alone: 'None.' had .77 for being critical.
    """
    said = {word.lower() for word in _WORD.findall(text.replace("’", "'"))}
    return bool(said) and said <= _ASSENT | _COUNTS


def stated_by_yes(asked: str) -> str:
    """What a yes says of the person, to be judged as a statement; '' where it lasts not."""
    said = asked.strip().rstrip("?？ ")
    for pattern, own in _AS_STATED:
        if pattern.match(said):
            told = pattern.sub(own, said)
            return told if judge_sentence(f"{told}.").is_worth else ""
    return ""


def is_grave_answer(text: str, asked: str) -> str:
    """Of what the answer is critical, judged with its question: 'Any allergies?' 'Peanuts.'"""
    said = {word.lower() for word in _WORD.findall(text)}
    if not said.isdisjoint(_COUNTS | {"no", "nein", "nee", "nada", "non", "não"}):
        return ""
    together = stated_by_yes(asked) if _ASSENT.issuperset(said) else ""
    return judge_sentence(together or f"{asked.rstrip('?？ ¿')}: {text}").critical


def _is_of_them(said: str) -> bool:
    bare = said.rstrip("?？ ")
    if _ASKS_FOR.search(bare):
        return True
    return _OF_THEM.search(bare) is not None or _EITHER.search(bare) is not None


_LONGEST = 12  # words: what is longer says something, or is a question that tells of its asker
_LEAST = 0.06  # chance of being worth keeping, below which a question has no content
_LEAST_OF_ASSISTANT = 0.15  # 'Good.' has .06, 'Right.' .10, "You're welcome." .145
_LEAST_OF_ANSWERS = 0.003  # of the person: 'Hawaii!' (.004) may be an answer, 'Thanks!' (.0002) not
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_DIGIT = re.compile(r"\d")


def says_nothing(text: str, *, of_assistant: bool) -> bool:
    """Whether a turn of a talk thanks, agrees or asks back, and no more; about 1 ms.

    Only short ones are looked at. What the person says may be a short answer, so of that only
    questions and what is hardly anything else.
    """
    if len(text.split()) > _LONGEST or _DIGIT.search(text):
        return False
    said = [one.strip() for one in _SENTENCE.findall(text) if one.strip()]
    least = _LEAST_OF_ASSISTANT if of_assistant else _LEAST_OF_ANSWERS
    return all(
        judge_worth(one).keep < (max(least, _LEAST) if one.endswith("?") else least) for one in said
    )
