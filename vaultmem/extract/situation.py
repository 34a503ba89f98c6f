"""Who speaks to whom and when: what the words 'I' and 'yesterday' of a turn mean."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.base.records import NamedTuple
from vaultmem.extract.cues.patterns import Tokens
from vaultmem.extract.sentences import Sentence
from vaultmem.language.dates import DateMention
from vaultmem.model.drafts import Source, Turn

_MOST_WORDS = 300
"""Words of a text that somebody says at once, in two minutes of talk; all persona texts of the
everyday score have under 120."""
CHAT, PEOPLE, DOCUMENT, ASSISTANT = "u", "p", "d", "a"
"""A person to an assistant, people with each other, a text, the assistant itself."""


class Situation(NamedTuple):
    """The surroundings of a sentence."""

    letter: str  # CHAT, PEOPLE, DOCUMENT or ASSISTANT: which cues count
    speaker: str = ""  # named before the statement; '' when the person of the vault speaks
    reference: int = 0  # UTC ms that 'yesterday' counts from
    said_at: int | None = None  # UTC ms, None: unknown
    zone: str = "UTC"
    names: frozenset[str] = frozenset()  # words of the speakers' names, case folded
    after_assistant: bool = False  # the turn before was the assistant's
    is_spoken: bool = False  # by word of mouth: a day without a year is the next one
    is_told: bool = False  # told by the person, by word of mouth: what has no cue is judged
    is_note: bool = False  # what an assistant notes of 'the user', whom 'I' in it does not mean
    is_theirs: bool = False  # a document of others: what it orders is nothing to do for the person
    asked: str = (
        ""  # what the assistant asked the person just before; judgement/questions/answers.py
    )
    is_asked: bool = False  # it asked something, whatever; the first words are to that
    is_long: bool = False  # of more words than somebody says at once: much of it may be pasted

    @property
    def is_own(self) -> bool:
        """Whether 'I' is the person whose vault it is."""
        return not self.speaker

    @property
    def subject(self) -> str:
        """Who 'I' is, as the subject of a slot."""
        return self.speaker or "user"


class Reading(NamedTuple):
    """One sentence under the eyes of the rules."""

    sentence: Sentence
    tokens: Tokens  # the words that count, after fillers; their places are in the sentence
    situation: Situation
    dates: tuple[DateMention, ...] = ()  # places in the sentence too
    lower: str = ""  # the masked sentence in lower case
    antecedent: str = ""  # the name that the first word, a pronoun, stands for


def situations(
    source: Source, *, owners: Collection[str], now: int, zone: str
) -> tuple[Situation | None, ...]:
    """One situation a turn; None for turns that are never evidence (system, tool).

    owners   names under which the vault's person speaks in conversations
    """
    names = frozenset(
        word for turn in source.turns for word in turn.speaker.casefold().split() if len(word) > 1
    )
    own = {name.casefold() for name in owners}
    found: list[Situation | None] = []
    before = ""
    for turn in source.turns:
        said_at = turn.said_at if turn.said_at is not None else source.date
        letter = _letter(turn)
        if letter:
            found.append(
                Situation(
                    letter=letter,
                    speaker=_prefix(turn, own, letter),
                    reference=said_at if said_at is not None else now,
                    said_at=said_at,
                    zone=zone,
                    names=names,
                    after_assistant=before == "assistant",
                    is_spoken=letter == CHAT or (source.is_spoken and letter == DOCUMENT),
                    is_told=source.is_told and letter in (CHAT, DOCUMENT),
                    is_note=source.is_note and letter == DOCUMENT,
                    is_theirs=letter == DOCUMENT and not (source.by_person or source.is_note),
                    is_long=len(turn.text.split(None, _MOST_WORDS)) > _MOST_WORDS,
                )
            )
        else:
            found.append(None)
        before = turn.role
    return tuple(found)


def _letter(turn: Turn) -> str:
    if turn.role in ("system", "tool"):
        return ""
    if turn.role == "assistant":
        return ASSISTANT
    if turn.role == "user":
        return CHAT
    return PEOPLE if turn.speaker else DOCUMENT


def _prefix(turn: Turn, own: Collection[str], letter: str) -> str:
    """The name before the statements of somebody who is not the vault's person."""
    if letter != PEOPLE or turn.speaker.casefold() in own:
        return ""
    return " ".join(turn.speaker.split())
