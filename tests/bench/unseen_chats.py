"""Ten more long chats with an assistant, by another hand: `assistant_chats --half unseen`.

`unseen_chats.toml` has the people, what they tell and what is asked, after the descriptions of
BEAM (Tavakoli et al. 2025): a wish stands in words that its question does not have, often beside
a request, and the answers of the assistant repeat the words of the subject and of the question.
They were written before their author had read the rules that find wishes. `assistant_said.toml`
has what the assistant said and is asked about later, written before it was first asked; it stands
in chats of its own (`said_chats`), so that the others stay as they were.
"""

from __future__ import annotations

import random
import re
import tomllib
from datetime import datetime, timedelta
from pathlib import Path

from tests.bench.assistant_talks import Asked, Chat, Message

UNSEEN = "unseen"
SAID = "assistant_said"  # what an assistant said, whose turn is the evidence
_SESSIONS = 8
_REQUESTS = 9  # of a session beside what is told in it
_NO_QUESTION = -1  # a request: nothing is asked of it
_FIRST = datetime(2025, 1, 7, 18, 30)
_PASSING = ("That makes sense.", "Noted.", "All right, I see.", "Good to know.")
_OPENINGS = (
    "That is worth a careful look: {asked}",
    "Let's take it apart. You ask: {asked}",
    "Happy to go through it with you.",
    "There is no single answer to '{asked}', yet some things hold for most people.",
)
_ADVICE = (
    "Begin with the {0}, because the {1} depends on it and the {2} can wait.",
    "If the {0} is in order, most trouble with the {1} goes away by itself.",
    "A common mistake is to change the {0} and the {1} at the same time.",
    "Write down what you see of the {0} for a week and compare it with the {1}.",
    "Some people recommend a different {0}; I would only do so if the {1} forces you to.",
    "With {0} you have two options: a cheap one that costs time, and a dear one that saves it.",
    "Ask yourself how much the {0} matters to you, and choose the {1} accordingly.",
    "As for {0}, keep it simple at first and add the {1} when you need it.",
    "Should the {0} turn out badly, go back one step and look at the {1} again.",
    "The {0} and the {1} belong together, so plan them on one page.",
    "You could also skip the {0} altogether and rely on the {1} and the {2}.",
    "For {3}, it helps to think of the {0} before anything else.",
    "Many questions about {3} are in truth questions about the {0}.",
    "When it comes to {3}, I suggest you look at the {0} and then the {1}.",
)
_CLOSINGS = (
    "Tell me how it goes, and we can refine it.",
    "Shall I write out the {0} in more detail?",
    "Would you like an example with the {1}?",
    "I hope that gives you something to start from.",
)


def unseen_chats(count: int, *, seed: int = 7) -> list[Chat]:
    """The first `count` of the ten; the same for the same seed."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return [_chat(one, random.Random(f"{seed}-{one['name']}")) for one in data["chat"][:count]]


def said_chats(count: int, *, seed: int = 7) -> list[Chat]:
    """The same chats with what the assistant is asked about later, and no other questions."""
    said = tomllib.loads(Path(__file__).with_name("assistant_said.toml").read_text("utf-8"))["said"]
    return [
        _with_said(chat, [one for one in said if f"unseen-{one['chat']}" == chat.name])
        for chat in unseen_chats(count, seed=seed)
    ]


def _with_said(chat: Chat, said: list[dict[str, str]]) -> Chat:
    """The chat with what the assistant is asked about later, in the places of requests and answers.

    Places are those where nothing is told that another question asks for.
    """
    rng = random.Random(f"{chat.name}-{SAID}")
    taken = {id_ for one in chat.questions for id_ in one.evidence}
    free = [
        (n, place)
        for n, session in enumerate(chat.sessions[:-1])
        for place in range(0, len(session), 2)
        if session[place].id not in taken
    ]
    chat.questions.clear()
    for one, (n, place) in zip(said, rng.sample(free, len(said)), strict=True):
        asked, answer = chat.sessions[n][place : place + 2]
        chat.sessions[n][place] = Message(asked.id, asked.speaker, one["request"])
        chat.sessions[n][place + 1] = Message(answer.id, answer.speaker, one["answer"])
        chat.questions.append(Asked(type=SAID, text=one["question"], evidence=(answer.id,)))
    return chat


def _chat(data: dict[str, list[dict[str, object]]], rng: random.Random) -> Chat:
    topics, asked = data["topic"], data["asked"]
    chat = Chat(name=f"unseen-{data['name']}")
    told: list[list[tuple[str, int, int]]] = [[] for _ in range(_SESSIONS)]
    for number, one in enumerate(asked):
        lines = one["told"]
        assert isinstance(lines, list)
        for line, session in zip(
            lines, sorted(rng.sample(range(_SESSIONS - 1), len(lines))), strict=True
        ):
            told[session].append((line, int(str(one["topic"])), number))
    evidence: dict[int, list[str]] = {}
    for session in range(_SESSIONS):
        chat.days.append(_FIRST + timedelta(days=16 * session))
        turns: list[tuple[str, int, int]] = [*told[session]]
        for _ in range(_REQUESTS):
            topic = rng.randrange(len(topics))
            asks = topics[topic]["asks"]
            assert isinstance(asks, list)
            turns.append((rng.choice(asks), topic, _NO_QUESTION))
        rng.shuffle(turns)
        messages: list[Message] = []
        for text, topic, number in turns:
            id_ = f"{session}:{len(messages)}"
            if number != _NO_QUESTION:
                evidence.setdefault(number, []).append(id_)
            # Answers repeat words of what is asked in the end, as a talk about one subject does.
            near = [str(one["question"]) for one in asked if one["topic"] == topic]
            messages.append(Message(id=id_, speaker="User", text=text))
            answer = _answer(text, topics[topic], near, rng)
            messages.append(
                Message(id=f"{session}:{len(messages)}", speaker="Assistant", text=answer)
            )
        chat.sessions.append(messages)
    for number, one in enumerate(asked):
        chat.questions.append(
            Asked(
                type=str(one["type"]),
                text=str(one["question"]),
                evidence=tuple(evidence[number]),
            )
        )
    return chat


def _answer(text: str, topic: dict[str, object], near: list[str], rng: random.Random) -> str:
    terms = topic["terms"]
    assert isinstance(terms, list)
    sentences = [rng.choice((*_PASSING, *_OPENINGS)).format(asked=text)]
    for template in rng.sample(_ADVICE, rng.randint(6, 10)):
        words = sorted(set(re.findall(r"[a-z]{3,}", rng.choice(near).lower())))
        sentences.append(template.format(*rng.sample(terms, 3), " and ".join(rng.sample(words, 2))))
    sentences.append(rng.choice(_CLOSINGS).format(*rng.sample(terms, 2)))
    return " ".join(sentences)
