"""Requests that a client makes beside a conversation: its title, its summary, its helpers.

Nobody said their words to anybody: they are passed on, and not remembered. They are known by how
they look, never by one product's sentence. No state outlives the process: what a title is of was
said seconds ago.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping

from vaultmem.base import Any, dataclass, late
from vaultmem.server.conversation import PERSON, Asked

_SECONDS = 120.0  # between a request and that for its title; opencode sends both at once
_HELPER_SECONDS = 600.0  # between what a helper is told and what it asks, and between its requests
_MOST_SEEN, _MOST_GIVEN = 256, 1_000
_LONGEST_ORDER = 20_000  # characters of what a client says in the person's place; one has 7,000
_HEAD = 800  # characters of instructions in which their purpose is told
_SENTENCE = late(r"[.!?]\s|\n\s*\n|\n[-*#]")
_MAKES = late(
    r"\b(?:generat|creat|writ|produc|provid|giv|suggest|extract|summari[sz]|return|output"
    r"|com(?:e|ing) up with)",
    re.IGNORECASE,
)
_NAME = late(r"\b(?:title|name|topic|headline)\b", re.IGNORECASE)
_TALK = late(r"\b(?:conversation|chat|thread|session|dialog(?:ue)?|discussion)\b", re.IGNORECASE)
_TALK_OR_MESSAGE = late(
    r"\b(?:conversation|chat|thread|session|dialog(?:ue)?|discussion|message)s?\b", re.IGNORECASE
)
_COUNT = r"\d+(?:\s*(?:-|–|to)\s*\d+)?[- ]?(?:words?|char(?:acter)?s?)\b"
_BRIEF = rf"\b(?:concise|short|brief|only|{_COUNT})"
_SHORT = late(_BRIEF, re.IGNORECASE)
# "a concise, sentence-case title"; not "a short post about bees with a title".
_SHORT_TITLE = late(
    rf"{_BRIEF}(?:[\s,/-]+[\w-]+){{0,3}}[\s,-]+(?:title|headline)\b"
    rf"|\b(?:title|headline)\b[^.\n]{{0,40}}{_COUNT}",
    re.IGNORECASE,
)
_MAKER = late(r"\btitle[- ](?:generator|writer|maker)\b", re.IGNORECASE)
# A client that runs out of room asks, in the person's place, for a summary of what was said. It
# calls the person "the user", or speaks of the model that goes on: no person does.
_SUMMARY = late(
    r"\b(?:creat|writ|produc|provid|generat|giv|mak|prepar)\w*\b[^.\n]{0,60}\bsummar(?:y|ies)\b"
    r"[^.\n]{0,80}\b(?:conversation|session|chat|thread|history|llm|model|agent)\b"
    r"|\bsummari[sz](?:e|ing)\b[^.\n]{0,40}\b(?:conversation|session|chat|thread|history)\b",
    re.IGNORECASE,
)
_OF_THE_USER = late(
    r"\b(?:the user(?:'s)?|users?(?:'s|')? (?:preferences|messages|requests|intents?))\b"
    r"|\b(?:another|next) (?:coding )?(?:llm|agent|model|assistant)\b",
    re.IGNORECASE,
)
_FIELDS_OF_TITLES = 3  # at most, of an answer that is a title and what goes with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request, as far as it takes to know what it is for."""

    asked: Asked
    said: tuple[str, ...]  # each text of the person by itself
    system: str
    agent: str  # the program that asks, as it calls itself
    has_tools: bool
    fields: frozenset[str] = frozenset()  # of the JSON that the answer has to be; none: any text
    most_tokens: int | None = None  # of the answer


class SideRequests:
    """What was asked and answered a moment ago."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seen: deque[tuple[float, Seen]] = deque(maxlen=_MOST_SEEN)
        self._given: OrderedDict[str, float] = OrderedDict()  # words -> when they were last met

    def note(self, seen: Seen) -> None:
        """A request that goes on."""
        self._seen.append((self._now(), seen))

    def note_given(self, texts: Iterable[str]) -> None:
        """What an assistant gave to its tools: one of them may be another assistant."""
        for text in texts:
            if words := _plain(text):
                self._meet(words)
        while len(self._given) > _MOST_GIVEN:
            self._given.popitem(last=False)

    def is_for_helper(self, asked: Asked) -> bool:
        """Whether a conversation begins with what an assistant gave to a tool."""
        first = next((text for role, text in asked.history if role == PERSON), asked.user)
        words = _plain(first)
        met = self._given.get(words)
        if met is None or self._now() - met > _HELPER_SECONDS:
            return False
        self._meet(words)
        return True

    def is_beside(self, seen: Seen) -> bool:
        """Whether a request is for the title or the summary of a conversation."""
        return self.is_for_title(seen) or bool(seen.said and asks_for_summary(seen.said[-1]))

    def is_for_title(self, seen: Seen) -> bool:
        """Whether a request asks for the title of a conversation, or only whether one may ask.

        It brings no tools and no reply. What it is for stands in its instructions or in the fields
        of its answer; or the same words were said a moment ago under other instructions, and of
        two such requests without tools the first is the conversation.
        """
        if seen.has_tools or any(role != PERSON for role, _ in seen.asked.history):
            return False
        if seen.most_tokens is not None and seen.most_tokens <= 1:
            return True
        if "title" in seen.fields and len(seen.fields) <= _FIELDS_OF_TITLES:
            return True
        return (
            names_a_talk(seen.system)
            or (len(seen.said) == 1 and names_a_talk(seen.said[0], is_said=True))
            or any(True for _ in self._same_words(seen))
        )

    def was_for_title(self, seen: Seen) -> bool:
        """The same when its reply is there: the conversation itself may have been asked second."""
        if seen.has_tools or seen.asked.history:
            return False
        return any(other.has_tools for other in self._same_words(seen))

    def _meet(self, words: str) -> None:
        self._given[words] = self._now()
        self._given.move_to_end(words)

    def _same_words(self, seen: Seen) -> Iterable[Seen]:
        """Other requests with one of its texts, a moment ago and under other instructions."""
        said = {_plain(text) for text in seen.said}
        until = self._now() - _SECONDS
        for at, other in reversed(self._seen):
            if at < until:
                return
            is_other = other.agent == seen.agent and other.system != seen.system
            if is_other and other.said and _plain(other.said[-1]) in said:
                yield other


def asks_for_summary(words: str) -> bool:
    """Whether what stands in the person's place is a client's order to sum up what was said."""
    head = words[:_LONGEST_ORDER]
    return _SUMMARY.search(head) is not None and _OF_THE_USER.search(head) is not None


def names_a_talk(instructions: str, *, is_said: bool = False) -> bool:
    """Whether instructions are to find a short title for a conversation.

    is_said  they stand where the person's words do: a person may ask how to name a chat, too, so
             only what asks for a title in so many words counts
    """
    head = instructions[:_HEAD]
    if _MAKER.search(head):
        return True
    if _SHORT_TITLE.search(head) and _TALK_OR_MESSAGE.search(head):
        return True
    if is_said or not _SHORT.search(head):
        return False
    return any(
        all(pattern.search(sentence) for pattern in (_MAKES, _NAME, _TALK))
        for sentence in _SENTENCE.split(head)
    )


def fields_wanted(request: Mapping[str, Any]) -> frozenset[str]:
    """The names at the top of the JSON that an answer has to be, in each of the shapes."""
    for path in (
        ("response_format", "json_schema", "schema"),
        ("text", "format", "schema"),
        ("output_config", "format", "schema"),
        ("output_format", "schema"),
    ):
        found: Any = request
        for name in (*path, "properties"):
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return frozenset(str(name) for name in found)
    return frozenset()


def most_tokens(request: Mapping[str, Any]) -> int | None:
    """How long an answer may be, in each of the shapes; None: the request does not say."""
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
    found = [value for name in names if type(value := request.get(name)) is int]
    return min(found, default=None)


def _plain(text: str) -> str:
    return " ".join(text.split()).strip("\"'“”")
