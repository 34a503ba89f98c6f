"""Documents of 200 to 2,000 words with questions and graded answers, made up from one seed.

A document is about one subject. It treats one or two problems at length, two more in a sentence or
two, and speaks of many in passing, among paragraphs of other matters. A document mostly keeps to
one of several ways to call a thing; a question may choose another, so words alone find about half.
There are four sets, which share no subject, problem or sentence: `made_prose.toml`.
"""

from __future__ import annotations

import math
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HALVES = ("development", "unseen", "third", "fourth")
DOCUMENTS = 200
QUESTIONS = 160
FULLY, BRIEFLY = 2, 1  # grades: what a document treats at length, and what in a sentence or two
_SEED = 20_261_127
_SHORTEST, _LONGEST = 200, 2_000  # words
_MAIN, _OTHER = 0.7, 0.12  # how often a document calls a thing as it mostly does, or otherwise
_PASSING = 0.2  # sentences that speak of a problem which the document is not about
_SENTENCES = {FULLY: (4, 8), BRIEFLY: (1, 2)}  # on a problem, at least and at most
_BACK = {
    "damage": ("trouble", "harm", "change"),
    "cause": ("such conditions", "that"),
    "remedy": ("that method", "the same", "that"),
    "thing": ("pieces", "others", "worst ones"),
}
_LINES = ("titles", "about", "beside", "filler", "sections", "questions")
_KINDS = ("thing", "damage", "cause", "remedy")
_WORDS = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One document."""

    title: str
    body: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and the grades of the documents that answer it, by their place; others have 0."""

    text: str
    grades: Mapping[int, int]


@dataclass(slots=True)
class _Plan:
    """What a document is about."""

    subject: int
    grades: dict[int, int]  # of problems
    part: str = ""
    names: dict[tuple[str, int], str] = field(default_factory=dict)


class MadeProse:
    """One of the four sets: its documents and its questions."""

    def __init__(self, half: str, *, seed: int = _SEED) -> None:
        said = tomllib.loads(_WORDS.read_text("utf-8"))[half]
        self._folder: str = said["folder"]
        self._lines: dict[str, list[str]] = {key: said[key] for key in _LINES}
        self._chance = random.Random(f"{seed} {half}")
        self._subjects = [
            (names.split("/"), parts.split(", "))
            for names, parts in (one.split(": ") for one in said["subjects"])
        ]
        self._problems = [
            [part.strip().split("/") for part in one.split(" | ")] for one in said["problems"]
        ]
        self._people: list[str] = said["people"].split(", ")
        self._places: list[str] = said["places"].split(", ")
        plans = [self._plan() for _ in range(DOCUMENTS)]
        self.documents = [self._write(plan) for plan in plans]
        self.questions = [self._ask(plans) for _ in range(QUESTIONS)]

    # --- documents ---------------------------------------------------------------------------

    def _plan(self) -> _Plan:
        chance = self._chance
        several = chance.sample(range(len(self._problems)), 4)
        fully = chance.choice((1, 1, 2))
        grades = {
            one: FULLY if i < fully else BRIEFLY for i, one in enumerate(several[: fully + 2])
        }
        plan = _Plan(chance.randrange(len(self._subjects)), grades)
        plan.part = chance.choice(self._subjects[plan.subject][1])
        return plan

    def _write(self, plan: _Plan) -> Text:
        chance = self._chance
        wanted = math.exp(chance.uniform(math.log(_SHORTEST), math.log(_LONGEST)))
        told = [
            self._say(line, plan, problem)
            for problem, grade in plan.grades.items()
            for line in chance.sample(
                self._lines["about"],
                chance.randint(4, 8) if grade == FULLY else chance.randint(1, 2),
            )
        ]
        # What is told of one problem stays together, as a writer has it.
        paragraphs = [told[at : at + 3] for at in range(0, len(told), 3)]
        size = sum(len(line.split()) for line in told)
        while size < wanted:
            some = [self._aside(plan) for _ in range(chance.randint(2, 5))]
            size += sum(len(line.split()) for line in some)
            paragraphs.insert(chance.randint(0, len(paragraphs)), some)
        lines = []
        for number, paragraph in enumerate(paragraphs):
            if number and number % 3 == 0:
                lines.append(f"## {self._say(chance.choice(self._lines['sections']), plan)}")
            lines.append(" ".join(paragraph))
        title = self._say(chance.choice(self._lines["titles"]), plan)
        return Text(title=title, body="\n\n".join(lines), folder=self._folder)

    def _aside(self, plan: _Plan) -> str:
        chance = self._chance
        if chance.random() >= _PASSING:
            return self._say(chance.choice(self._lines["filler"]), plan)
        problem = chance.randrange(len(self._problems))
        return self._say(chance.choice(self._lines["beside"]), plan, problem)

    def _say(self, line: str, plan: _Plan, problem: int = 0) -> str:
        """A line with its places filled in."""

        def fill(found: re.Match[str]) -> str:
            kind = found.group(1)
            told = self._told(kind.casefold(), plan, problem)
            return told[:1].upper() + told[1:] if kind[0].isupper() else told

        text = re.sub(r"\{(\w+)\}", fill, line)
        return text[:1].upper() + text[1:]

    def _told(self, kind: str, plan: _Plan, problem: int) -> str:
        chance = self._chance
        if kind == "subject":
            return self._called(plan, ("subject", plan.subject), self._subjects[plan.subject][0])
        if kind == "part":
            own = self._subjects[plan.subject][1]
            return plan.part if chance.random() < 0.5 else chance.choice(own)
        if kind in _KINDS:
            names = self._problems[problem][_KINDS.index(kind)]
            if chance.random() > _MAIN + _OTHER:
                return chance.choice(_BACK[kind])
            return self._called(plan, (kind, problem), names)
        return {
            "who": chance.choice(self._people),
            "place": chance.choice(self._places),
            "year": str(chance.randint(1961, 2019)),
            "n": str(chance.randint(2, 40)),
        }[kind]

    def _called(self, plan: _Plan, key: tuple[str, int], names: Sequence[str]) -> str:
        main = plan.names.setdefault(key, self._chance.choice(names))
        return (
            main if self._chance.random() < _MAIN / (_MAIN + _OTHER) else self._chance.choice(names)
        )

    # --- questions ---------------------------------------------------------------------------

    def _ask(self, plans: Sequence[_Plan]) -> Asked:
        chance = self._chance
        plan = chance.choice(plans)
        problem = next(one for one, grade in plan.grades.items() if grade == FULLY)
        line = chance.choice(self._lines["questions"])
        fresh = _Plan(plan.subject, {}, part=plan.part)
        for kind, names in zip(_KINDS, self._problems[problem], strict=True):
            line = line.replace(f"{{{kind}}}", chance.choice(names))
        text = self._say(line, fresh)
        is_of_one = "{subject}" in line or "{part}" in line
        grades = {}
        for place, other in enumerate(plans):
            grade = other.grades.get(problem, 0)
            if grade and is_of_one and other.subject != plan.subject:
                grade = BRIEFLY if grade == FULLY else 0
            if grade:
                grades[place] = grade
        return Asked(text=text[:1].lower() + text[1:] + "?", grades=grades)
