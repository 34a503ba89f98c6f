"""Base truth as a page that a person reads and edits: hard exceptions, facts, tasks.

Rules that somebody else set stand below them and hold nothing until the person takes them.

Each line ends in a block id that says in which turn it was first heard: `^t12-1`. What a person
adds has none until the next turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.base.records import replace
from vaultmem.sessions.truth import DONE, OPEN, Fact

_SECTIONS = ("Hard exceptions", "Facts", "Tasks")
_HELD = "Waits for you"
_BULLET = re.compile(r"[-*+][ \t]+(.*\S)[ \t]*")
_BOX = re.compile(r"\[([ xX])\][ \t]+(.*)")
_BLOCK_ID = re.compile(r"(.*\S)[ \t]+\^([A-Za-z0-9-]{1,40})")
_HEADING = re.compile(r"#{1,6}[ \t]+(.*\S)[ \t]*")


def rendered(facts: Sequence[Fact], held: Sequence[Fact] = ()) -> str:
    """The page's body. `parsed` of it gives the same facts, sorted by section; `held` the others.

    held  rules of somebody else's
    """
    parts = []
    sections = zip((*_SECTIONS, _HELD), (*_by_section(facts), list(held)), strict=True)
    for section, chosen in sections:
        if chosen:
            lines = "\n".join(_line(fact) for fact in chosen)
            parts.append(f"## {section}\n\n{lines}\n")
    return "\n".join(parts)


def parsed(body: str) -> tuple[Fact, ...]:
    """The facts of a page in their order; text that is no bullet is the person's own."""
    return tuple(fact for fact, section in _read(body) if section != _HELD)


def held(body: str) -> tuple[Fact, ...]:
    """The rules of a page that wait for the person."""
    return tuple(fact for fact, section in _read(body) if section == _HELD)


def _read(body: str) -> list[tuple[Fact, str]]:
    """Facts, each with the section that it stands in."""
    found: list[tuple[Fact, str]] = []
    section = ""
    for line in body.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            section = heading[1]
            continue
        bullet = _BULLET.fullmatch(line)
        if bullet is not None:
            found.append((_fact(bullet[1], section), section))
    return found


def numbered(facts: Sequence[Fact], turn: int, *, beside: Sequence[Fact] = ()) -> tuple[Fact, ...]:
    """The facts, each with an id of its own; those without get it from the turn that brought them.

    beside  whose ids are taken, too
    """
    known = {fact.id for fact in (*facts, *beside)}
    taken = {fact.id for fact in beside}
    result, count = list[Fact](), 0
    for fact in facts:
        if not fact.id or fact.id in taken:
            count += 1
            while f"t{turn}-{count}" in known:
                count += 1
            fact = replace(fact, id=f"t{turn}-{count}")
        taken.add(fact.id)
        result.append(fact)
    return tuple(result)


def _by_section(facts: Sequence[Fact]) -> tuple[list[Fact], list[Fact], list[Fact]]:
    hard = [fact for fact in facts if fact.hard]
    tasks = [fact for fact in facts if fact.task and not fact.hard]
    return hard, [fact for fact in facts if not (fact.hard or fact.task)], tasks


def _line(fact: Fact) -> str:
    box = "" if fact.hard or not fact.task else "[x] " if fact.task == DONE else "[ ] "
    mark = f" ^{fact.id}" if fact.id else ""
    return f"- {box}{fact.text}{mark}"


def _fact(text: str, section: str) -> Fact:
    task = ""
    if section == "Tasks":
        box = _BOX.fullmatch(text)
        task = OPEN
        if box is not None:
            task, text = (OPEN if box[1] == " " else DONE), box[2]
    marked = _BLOCK_ID.fullmatch(text)
    text, id_ = (marked[1], marked[2]) if marked else (text, "")
    return Fact(text=text, id=id_, hard=section == "Hard exceptions", task=task)
