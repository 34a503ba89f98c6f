"""Long chats of a person with an assistant, made up from a seed: short wishes, long answers.

A chat goes through all areas of its half. In each area the person says one thing they prefer, one
standing instruction, facts, values that change and events; the assistant answers at length with
the words of the area, so that the words of a question stand in many of its answers. DEV and HELD
have areas, people and sentences of their own; what is tuned is tuned on DEV.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.bench.talk_words import HALVES, Area, Half

DEV, HELD = "dev", "held"
CHATS = 11  # of each half
_SESSIONS = 8
_ASKED_BETWEEN = 10  # requests of a session beside what is told in it
TYPES = (
    "preference_following",
    "instruction_following",
    "information_extraction",
    "knowledge_update",
    "multi_session",
    "temporal",
)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn; ids are 'SESSION:PLACE'."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the turns that answer it."""

    type: str
    text: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Chat:
    """Sessions of turns, and what is asked afterwards."""

    name: str
    days: list[datetime] = field(default_factory=list)
    sessions: list[list[Message]] = field(default_factory=list)
    questions: list[Asked] = field(default_factory=list)

    def messages(self) -> list[Message]:
        """All turns in order."""
        return [one for session in self.sessions for one in session]

    def body(self, session: int) -> str:
        """A session as the text of a resource."""
        said = f"{self.days[session]:%Y-%m-%d %H:%M}"
        return "\n\n".join(
            f"**{one.speaker}** ({said}): {one.text}" for one in self.sessions[session]
        )


def chats(half: str, count: int = CHATS, *, seed: int = 1) -> list[Chat]:
    """The chats of a half; the same ones for the same seed."""
    return [_Writer(HALVES[half], f"{half}-{n}", f"{half} {seed} {n}").chat() for n in range(count)]


@dataclass(frozen=True, slots=True)
class _Told:
    """What is said in one session, and the question that it is part of the evidence of."""

    session: int
    text: str
    area: Area
    question: int


class _Writer:
    """Writes one chat."""

    def __init__(self, half: Half, name: str, seed: str) -> None:
        self._half = half
        self._random = random.Random(seed)
        self._chat = Chat(name)
        day = datetime(2026, 1, 5, 9, 30) + timedelta(days=self._random.randrange(40))
        for _ in range(_SESSIONS):
            self._chat.days.append(day)
            day += timedelta(days=self._random.randrange(4, 15))

    def chat(self) -> Chat:
        """The whole of it."""
        told: list[_Told] = []
        asked: list[tuple[str, str]] = []

        def ask(type_: str, question: str, area: Area, texts: Sequence[tuple[int, str]]) -> None:
            told.extend(_Told(session, text, area, len(asked)) for session, text in texts)
            asked.append((type_, question))

        for area in self._half.areas:
            for type_, question, texts in self._of_area(area):
                ask(type_, question, area, texts)
        evidence: dict[int, list[str]] = {n: [] for n in range(len(asked))}
        for session in range(_SESSIONS):
            messages: list[Message] = []
            for one in self._plan(session, told):
                said = one.text if isinstance(one, _Told) else self._request(one)
                if isinstance(one, _Told):
                    evidence[one.question].append(f"{session}:{len(messages)}")
                area = one.area if isinstance(one, _Told) else one
                messages.append(Message(f"{session}:{len(messages)}", "User", said))
                answer = self._answer(area, said)
                messages.append(Message(f"{session}:{len(messages)}", "Assistant", answer))
            self._chat.sessions.append(messages)
        self._chat.questions = [
            Asked(type_, text, tuple(evidence[n])) for n, (type_, text) in enumerate(asked)
        ]
        return self._chat

    def _plan(self, session: int, told: Sequence[_Told]) -> list[_Told | Area]:
        plan: list[_Told | Area] = [one for one in told if one.session == session]
        plan += [self._random.choice(self._half.areas) for _ in range(_ASKED_BETWEEN)]
        self._random.shuffle(plan)
        return plan

    def _of_area(self, area: Area) -> Iterator[tuple[str, str, list[tuple[int, str]]]]:
        pick, half = self._random.choice, self._half
        early = [self._random.randrange(_SESSIONS // 2) for _ in range(2)]
        liked, other = pick(area.choices)
        if self._random.random() < 0.5:
            liked, other = other, liked
        said = pick(half.prefers).format(liked=liked, other=other, area=pick(area.names))
        yield TYPES[0], pick(area.requests), [(early[0], self._with_chatter(area, said))]
        said = pick(half.instructs).format(form=pick(area.forms), area=pick(area.names))
        yield TYPES[1], pick(area.requests), [(early[1], self._with_chatter(area, said))]
        told, question = pick(area.facts)
        value = self._value()
        session = self._random.randrange(_SESSIONS)
        yield (
            TYPES[2],
            question,
            [(session, self._with_chatter(area, told.format(value=value)))],
        )
        first, later, question = pick(area.changes)
        sessions = sorted(self._random.sample(range(_SESSIONS), 2))
        texts = [text.format(value=self._value()) for text in (first, later)]
        yield TYPES[3], question, [*zip(sessions, texts, strict=True)]
        texts, question = [*area.several[0]], area.several[1]
        sessions = sorted(self._random.sample(range(_SESSIONS), len(texts)))
        yield TYPES[4], question, [*zip(sessions, texts, strict=True)]
        (begun, done), question = area.events
        sessions = sorted(self._random.sample(range(_SESSIONS), 2))
        texts = [
            text.format(day=f"{self._chat.days[n] - timedelta(days=2):%-d %B}")
            for text, n in zip((begun, done), sessions, strict=True)
        ]
        yield TYPES[5], question, [*zip(sessions, texts, strict=True)]

    def _value(self) -> str:
        return str(self._random.randrange(11, 97) * 10)

    def _request(self, area: Area) -> str:
        said = self._random.choice(area.requests)
        return self._with_chatter(area, said)

    def _with_chatter(self, area: Area, said: str) -> str:
        """Mostly with a sentence beside it, as people write."""
        if self._random.random() < 0.3:
            return said
        beside = self._random.choice(self._half.beside).format(
            thing=self._random.choice(area.things)
        )
        return f"{said} {beside}" if self._random.random() < 0.6 else f"{beside} {said}"

    def _answer(self, area: Area, said: str) -> str:
        """Long, in the words of the area; it begins with those of the person."""
        pick = self._random.choice
        lines = [pick(self._half.echoes).format(said=said.rstrip(".?!").lower())]
        for _ in range(self._random.randrange(9, 17)):
            thing, other = self._random.sample(area.things, 2)
            name, choice = pick(area.names), pick(pick(area.choices))
            lines.append(
                pick(self._half.advice).format(
                    thing=thing, other=other, area=name, choice=choice, act=pick(area.acts)
                )
            )
        return " ".join(lines)
