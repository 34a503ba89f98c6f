"""A list that a person's own Git brought back is settled, or `check` says what is wrong with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from vaultmem.api.memory import Memory
from vaultmem.vault.level import show_as_edited

RED, GREEN = "The boat is red.", "The boat is green."


def run(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def codes(memory: Memory) -> list[str]:
    return sorted(problem.code for problem in memory.check().problems)


def settled_as_it_is(memory: Memory) -> None:
    """What a new device sees that receives such a history: nobody knows what was edited."""
    with memory.opened.index.writing():
        memory.opened.index.set_meta("settled", run(memory.root, "rev-parse", "HEAD").strip())
        # Edits that this device did know of are shown no more: a `check` that came later than two
        # seconds after the edit read no file again, and believed them (one run of sixty).
        show_as_edited(memory.opened)


def old_list(memory: Memory, what: str) -> str:
    """A list of before the last operation, committed by the person."""
    id_ = memory.remember(RED, stream="identity").items[0].id
    if what == "retract":
        memory.facts.retract(id_)
    elif what == "correct":
        memory.correct(id_, GREEN)
    elif what == "forget":
        memory.forget(id_)
    elif what == "change":
        memory.change(id_, GREEN)
    run(memory.root, "checkout", "-q", "HEAD~1", "--", "streams")
    run(memory.root, "commit", "-qm", "the old list")
    return id_


class TestAnOldList:
    def test_of_a_corrected_item_differs(self, memory: Memory) -> None:
        old_list(memory, "correct")
        memory.sync(settle=False)
        settled_as_it_is(memory)
        [problem] = memory.check().problems
        assert (problem.code, problem.path.name, problem.line) == (
            "bullet-differs",
            "identity.md",
            4,
        )
        assert RED in problem.message
        assert GREEN in problem.message

    def test_of_a_retracted_one(self, memory: Memory) -> None:
        old_list(memory, "retract")
        memory.sync(settle=False)
        settled_as_it_is(memory)
        [problem] = memory.check().problems
        assert problem.code == "bullet-of-ended"
        assert "retracted" in problem.message

    def test_of_a_superseded_one(self, memory: Memory) -> None:
        old_list(memory, "change")
        memory.sync(settle=False)
        settled_as_it_is(memory)
        assert codes(memory) == ["bullet-missing", "bullet-of-ended"]

    def test_of_one_that_was_forgotten(self, memory: Memory) -> None:
        old_list(memory, "forget")
        memory.sync(settle=False)
        settled_as_it_is(memory)
        assert codes(memory) == ["bullet-of-deleted"]

    def test_is_level_again_when_the_line_is_made_right(self, memory: Memory) -> None:
        old_list(memory, "retract")
        memory.sync(settle=False)
        settled_as_it_is(memory)
        file = memory.root / "streams/identity.md"
        file.write_text("# Identity\n")
        memory.sync()
        assert codes(memory) == []

    def test_that_can_still_be_settled_is_no_problem(self, memory: Memory) -> None:
        id_ = old_list(memory, "retract")
        assert codes(memory) == []
        memory.sync()
        assert id_ not in (memory.root / "streams/identity.md").read_text()
        assert codes(memory) == []
