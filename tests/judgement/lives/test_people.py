"""Told weeks of eight people's lives, a vault holds, ends and answers as much as was measured."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.conftest import FixedClock
from vaultmem import Memory
from vaultmem.language import format_date
from vaultmem.model.answers import Filters, NoteRow

PEOPLE = Path(__file__).parent / "people"
# Checks passed of 106, 104, 111 and 103, as measured; 87, 91, 99 and 85 before the rules that these
# lives led to. The last one was kept back from most of them, and by those alone stayed as it was.
# The last four were written before the rules for plans, roles and denials: of 86, 91, 96 and 93
# checks these passed 63, 63, 72 and 74 before; the last one was kept back, and passed 73 by rules
# that were made for the others, 76 by two of its own.
BOUNDS = {
    "ron-leeds": 97,
    "jelena-wien": 95,
    "nuria-madrid": 108,
    "gwen-cardiff": 92,
    "dara-galway": 72,
    "holger-jena": 77,
    "solene-nantes": 85,
    "priscilla-accra": 76,
}
EVERY = Filters(types=("item",), statuses=("active", "superseded", "expired", "retracted"))
Life = dict[str, Any]
Check = tuple[bool, str]


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold().replace("’", "'"))


def holds(text: str, groups: list[list[str]]) -> bool:
    return any(all(fold(word) in fold(text) for word in group) for group in groups)


def tell(life: Life, root: Path, clock: FixedClock) -> tuple[Memory, dict[str, int]]:
    """The vault after all steps, and the step from which each item came."""
    Memory.init(root, clock=clock)
    settings = root / "vaultmem.toml"
    settings.write_text(f'timezone = "{life["zone"]}"\n{settings.read_text("utf-8")}', "utf-8")
    memory, came = Memory(root, clock=clock), dict[str, int]()
    for step in life["steps"]:
        clock.at = _instant(step["at"], life["zone"])
        if "say" in step:
            memory.remember(step["say"])
        else:
            session = memory.session(f"talk-{step['n']}")
            said = [turn["content"] for turn in step["chat"]]
            for user, assistant in zip(said[::2], [*said[1::2], ""], strict=False):
                session.turn(user, assistant)
            session.end()
        for row in memory.list(EVERY):
            came.setdefault(row.id, step["n"])
    return memory, came


def _instant(at: str, zone: str) -> int:
    return int(datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def of_facts(life: Life, current: list[NoteRow], rows: list[NoteRow]) -> Iterator[Check]:
    for fact in life["facts"]:
        found = [row for row in current if holds(row.statement, fact["words"])]
        yield bool(found), f"kept: {fact['id']}"
        if found:
            yield any(row.kind in fact["kind"] for row in found), f"kind: {fact['id']}"
        for name in ("from", "due"):
            days = [format_date(ms, life["zone"]) for row in found for ms in _dates(row, name)]
            if name in fact:
                yield any(day.startswith(fact[name]) for day in days), f"{name}: {fact['id']}"
    for end in life["ended"]:
        now = end["now"] or []
        stale = [r for r in current if holds(r.statement, end["words"])]
        stale = [r for r in stale if not holds(r.statement, now)]
        known = any(holds(r.statement, end["words"]) for r in rows)
        yield known and not stale, f"ended: {end['id']}"
        if now:
            yield any(holds(r.statement, now) for r in current), f"new: {end['id']}"


def _dates(row: NoteRow, name: str) -> Iterator[int]:
    for ms in (row.due, row.valid_from) if name == "due" else (row.valid_from, row.due):
        if ms is not None:
            yield ms


def of_answers(life: Life, memory: Memory) -> Iterator[Check]:
    for asked in life["questions"]:
        hits = memory.recall(asked["ask"], limit=asked["top"]).hits
        texts = [hit.note.statement or " ".join(p.text for p in hit.passages) for hit in hits]
        wrong = [at for at, text in enumerate(texts) if holds(text, asked.get("not", []))]
        if asked["answer"] is None:
            yield not wrong, f"unknown: {asked['ask']}"
            continue
        if asked.get("all"):
            each = [any(holds(text, [group]) for text in texts) for group in asked["answer"]]
            yield all(each), f"list: {asked['ask']}"
            continue
        right = [at for at, text in enumerate(texts) if holds(text, asked["answer"])]
        is_first = bool(right) and not any(at < right[0] for at in wrong)
        is_changed = asked["type"] == "changed" and any(at not in right for at in wrong)
        yield is_first and not is_changed, f"{asked['type']}: {asked['ask']}"
    for context in life["contexts"]:
        told = memory.context(context["ask"], budget=context["budget"]).text
        lines = [one for one in told.splitlines() if not re.match(r"-? ?\[[^\]]*until", one)]
        sure = "\n".join(one for one in lines if "may be out of date" not in one)
        for group in context["must"]:
            yield holds("\n".join(lines), [group]), f"context: {context['ask']}: {group}"
        for group in context["must_not"]:
            yield not holds(sure, [group]), f"context without: {context['ask']}: {group}"


@pytest.mark.parametrize("name", BOUNDS)
def test_a_life_is_understood_as_well_as_it_was(tmp_path: Path, name: str) -> None:
    life: Life = json.loads((PEOPLE / f"{name}.json").read_text("utf-8"))
    clock = FixedClock(_instant(life["steps"][0]["at"], life["zone"]))
    memory, came = tell(life, tmp_path / "vault", clock)
    with memory:
        now = _instant(life["asked_at"], life["zone"])
        clock.at = now
        rows = [r for r in memory.list(EVERY) if not r.statement.startswith("Conversation ")]
        current = [
            row
            for row in rows
            if row.status == "active" and (row.valid_until is None or row.valid_until > now)
        ]
        checks = [*of_facts(life, current, rows), *of_answers(life, memory)]
        for number in life["nothing"]:
            junk = [r for r in rows if came.get(r.id) == number and r.status == "active"]
            checks.append((not junk, f"nothing: step {number}"))
    missed = [what for passed, what in checks if not passed]
    assert len(checks) - len(missed) >= BOUNDS[name], missed
