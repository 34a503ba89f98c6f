"""SIGKILL at the steps of operations on facts: before or after, and again ends as it should."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.operations import OPERATIONS, SAID_NEW
from tests.faults.test_kill_steps import KEPT, NEW, logged, walk
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
]

States = Mapping[str, str]
"""What each item says -> its status."""
ABOUT_NEW = "items/**/*tabs*"
BEFORE: States = {KEPT: "active", NEW: "active"}
NOTHING: States = {}


class Case(NamedTuple):
    """An operation of one commit."""

    operation: str
    word: str  # what it is told, or a pattern of the note that it is about
    before: States
    after: States
    subject: str  # how the subject of its commit begins


CASES = (
    Case("change", ABOUT_NEW, BEFORE, {**BEFORE, NEW: "superseded", SAID_NEW: "active"}, "change"),
    Case("correct", ABOUT_NEW, BEFORE, {KEPT: "active", SAID_NEW: "active"}, "correct"),
    Case("expire", ABOUT_NEW, BEFORE, {**BEFORE, NEW: "expired"}, "expire"),
    Case("retract", ABOUT_NEW, BEFORE, {**BEFORE, NEW: "retracted"}, "retract"),
    Case("forget", ABOUT_NEW, BEFORE, {KEPT: "active"}, "forget"),
    Case("import", "EXPORTED", {KEPT: "active"}, BEFORE, "import"),
    Case("clear", "", BEFORE, NOTHING, "clear"),
    Case("undo two", "", {**BEFORE, SAID_NEW: "active"}, {KEPT: "active"}, "undo"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.operation))
def test_an_operation_killed_at_its_steps(
    case: Case, tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    exported = tmp_path / "notes.json"
    word = str(exported) if case.word == "EXPORTED" else case.word

    def prepare(root: Path) -> None:
        with Memory(root) as memory:
            memory.remember(NEW)
            if SAID_NEW in case.before:
                memory.remember(SAID_NEW)
            if case.operation == "import":
                memory.export(exported)
                memory.undo()
        assert states(root) == case.before

    def expect(root: Path) -> None:
        found = states(root)
        assert found in (case.before, case.after)
        done = [each for each in logged(root) if each.startswith(case.subject)]
        # Published and not yet committed: the next command commits it as edits that it found.
        assert len(done) <= (found == case.after), logged(root)
        if found == case.before:
            told = next(iter(sorted(root.glob(word)))) if "*" in word else word
            with Memory(root) as memory:
                OPERATIONS[case.operation](memory, str(told))
        assert states(root) == case.after
        assert sum(each.startswith(case.subject) for each in logged(root)) <= 1
        lines = "".join(file.read_text() for file in root.glob("streams/*.md"))
        for said in (KEPT, NEW, SAID_NEW):
            assert lines.count(f"{said} ^i-") == (case.after.get(said) == "active"), said

    kept = "" if case.after is NOTHING else KEPT
    kills = walk(tmp_path, prepare, expect, case.operation, word, spread=times(6), kept=kept)
    tally(f"SIGKILL in {case.operation}", kills=kills)
    assert kills >= 5


def states(root: Path) -> dict[str, str]:
    """What each item says -> its status."""
    statuses = ("active", "superseded", "expired", "retracted", "candidate")
    with Memory(root) as memory:
        rows = memory.list(Filters(types=("item",), statuses=statuses))
    return {row.statement: row.status for row in rows}
