"""LoCoMo (Maharana et al. 2024): conversations with questions and the turns that answer them.

The data are CC BY-NC 4.0 and not part of this project; a folder of `conv-*.json` is given.
"""

from __future__ import annotations

import json
import random
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_MONTHS = """
    january february march april may june july august september october november december
"""
_WHEN = re.compile(r"(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance."""

    id: str  # D1:3
    speaker: str
    text: str  # with the caption of a shared image


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation on one day."""

    name: str  # session_1
    date: str  # ISO, to the minute
    turns: tuple[Turn, ...]

    def body(self) -> str:
        """The session as the body of a resource (design.md, section 2)."""
        return "\n\n".join(map(self.line, self.turns))

    def line(self, turn: Turn) -> str:
        """A turn as it stands in the body."""
        return f"**{turn.speaker}** ({self.date}): {turn.text}"

    def turn_at(self, line: int) -> str:
        """Id of the turn that line `line` (from 1) of `body` belongs to."""
        starts, at = [], 1
        for turn in self.turns:
            starts.append(at)
            at += turn.text.count("\n") + 2
        return self.turns[bisect_right(starts, line) - 1].id


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the turns that hold its answer."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """All sessions of two people, and what is asked of them."""

    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    def turns(self) -> list[Turn]:
        return [turn for session in self.sessions for turn in session.turns]

    def lines(self) -> dict[str, str]:
        """Every turn as a person reads it, by id."""
        return {turn.id: one.line(turn) for one in self.sessions for turn in one.turns}


def together(conversations: Sequence[Conversation]) -> Conversation:
    """All conversations as one; the ids of turns say which one each is from."""
    sessions = tuple(
        replace(
            session,
            name=f"{one.name} {session.name}",
            turns=tuple(replace(turn, id=f"{one.name} {turn.id}") for turn in session.turns),
        )
        for one in conversations
        for session in one.sessions
    )
    questions = tuple(
        replace(asked, evidence=frozenset(f"{one.name} {id_}" for id_ in asked.evidence))
        for one in conversations
        for asked in one.questions
    )
    return Conversation(name="together", sessions=sessions, questions=questions)


def load(folder: Path) -> list[Conversation]:
    """Every conversation in a folder, by name."""
    return [
        _conversation(file.stem, json.loads(file.read_text("utf-8")))
        for file in sorted(folder.glob("conv-*.json"))
    ]


def _conversation(name: str, raw: dict[str, Any]) -> Conversation:
    said = raw["conversation"]
    keys = [key for key in said if re.fullmatch(r"session_\d+", key)]
    sessions = tuple(
        Session(
            name=key,
            date=_iso(said[f"{key}_date_time"]),
            turns=tuple(_turn(turn) for turn in said[key]),
        )
        for key in sorted(keys, key=lambda key: int(key.split("_")[1]))
    )
    known = {turn.id for session in sessions for turn in session.turns}
    questions = (
        Question(
            text=question["question"],
            category=question["category"],
            evidence=frozenset(evidence_ids(question.get("evidence", ()))) & known,
        )
        for question in raw["qa"]
    )
    return Conversation(
        name=name, sessions=sessions, questions=tuple(q for q in questions if q.evidence)
    )


def _turn(raw: dict[str, Any]) -> Turn:
    caption = raw.get("blip_caption")
    text = raw["text"].strip() + (f" [image: {caption}]" if caption else "")
    return Turn(id=raw["dia_id"], speaker=raw["speaker"], text=re.sub(r"\n\s*\n", "\n", text))


def _iso(text: str) -> str:
    found = _WHEN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a date of LoCoMo: {text!r}")
    hour, minute, half, day, month, year = found.groups()
    hours = int(hour) % 12 + (12 if half == "pm" else 0)
    return (
        f"{year}-{_MONTHS.split().index(month.lower()) + 1:02d}-{int(day):02d} {hours:02d}:{minute}"
    )


def evidence_ids(raw: Iterable[str]) -> list[str]:
    """Turn ids of evidence as published, cleaned: `D8:6; D9:17`, `D:11:26`, `D30:05`."""
    found = []
    for text in raw:
        for part in re.split(r"[;,\s]+", text):
            numbers = re.fullmatch(r"D:?(\d+):(\d+)", part)
            if numbers:
                found.append(f"D{int(numbers.group(1))}:{int(numbers.group(2))}")
    return found


def with_typos(questions: Sequence[str], *, seed: int = 13, share: float = 0.3) -> list[str]:
    """The questions with one random edit in a share of their words of five letters or more."""
    chance = random.Random(seed)
    return [
        re.sub(
            r"[^\W\d_]{5,}",
            lambda found: (
                misspelt(found.group(), chance) if chance.random() < share else found.group()
            ),
            question,
        )
        for question in questions
    ]


def misspelt(word: str, chance: random.Random) -> str:
    """The word after one random deletion, insertion, substitution or transposition."""
    i = chance.randrange(len(word))
    letter = chance.choice(_LETTERS)
    edit = chance.randrange(4)
    if edit == 0:
        return word[:i] + word[i + 1 :]
    if edit == 1:
        return word[:i] + letter + word[i:]
    if edit == 2:
        return word[:i] + letter + word[i + 1 :]
    i = min(i, len(word) - 2)
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
