"""Operations by name, as the tests run them: in this process, or in one that is to be killed."""

from __future__ import annotations

from collections.abc import Callable

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory

SAID_NEW = "I prefer spaces over tabs."

OPERATIONS: dict[str, Callable[[Memory, str], object]] = {
    "remember": lambda memory, text: memory.remember(text),
    "sync": lambda memory, _: memory.sync(),
    "undo": lambda memory, _: memory.undo(),
    "undo two": lambda memory, _: memory.undo(last=2),
    "restore": lambda memory, name: memory.restore(name),
    "init again": lambda memory, _: Memory.init(memory.settings.root),
    "check --fix": lambda memory, _: memory.check(fix=True),
    "approve": lambda memory, _: memory.approve(everything=True),
    "acknowledge": lambda memory, _: memory.audit(acknowledge=True),
    "pull": lambda memory, _: memory.pull(),
    "push": lambda memory, _: memory.push(),
    "change": lambda memory, name: memory.change(name, SAID_NEW),
    "correct": lambda memory, name: memory.correct(name, SAID_NEW),
    "expire": lambda memory, name: memory.expire(name),
    "retract": lambda memory, name: memory.retract(name),
    "forget": lambda memory, name: memory.forget(name),
    "import": lambda memory, file: memory.import_from(file, writer="person"),
    "clear": lambda memory, _: memory.clear(),
    "compact": lambda memory, _: memory.compact(retention_days=0),
    "purge": lambda memory, name: memory.purge(name),
    "consolidate": lambda memory, _: memory.consolidate(),
    "nightly": lambda memory, _: memory.maintain("nightly", confirmed=True),
    "weekly": lambda memory, _: _weekly(memory),
    "judge": lambda memory, question: _judge(memory, question),
    "used and told": lambda memory, question: _used_and_told(memory, question),
}


def _weekly(memory: Memory) -> None:
    """The job of a week, when everything has been idle for a season."""
    clock = FixedClock(memory.parts.clock.now())
    clock.advance(days=100)
    with Memory(memory.root, clock=clock) as then:
        then.maintain("weekly", confirmed=True)


def _used_and_told(memory: Memory, question: str) -> None:
    """A use, and the job of the night that counts it and tells times that are over."""
    memory.recall(question)
    memory.maintain("nightly", confirmed=True)


def _judge(memory: Memory, question: str) -> None:
    """An answer, and what somebody says of its first hit."""
    memory.recall(question, preset="smriti")
    memory.feedback("1", accepted=True)
