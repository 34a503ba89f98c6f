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
    "restore": lambda memory, name: memory.history.restore(name),
    "init again": lambda memory, _: Memory.init(memory.settings.root),
    "check --fix": lambda memory, _: memory.check(fix=True),
    "approve": lambda memory, _: memory.review.approve(everything=True),
    "acknowledge": lambda memory, _: memory.vault.audit(acknowledge=True),
    "pull": lambda memory, _: memory.devices.pull(),
    "push": lambda memory, _: memory.devices.push(),
    "change": lambda memory, name: memory.change(name, SAID_NEW),
    "correct": lambda memory, name: memory.correct(name, SAID_NEW),
    "expire": lambda memory, name: memory.facts.expire(name),
    "retract": lambda memory, name: memory.facts.retract(name),
    "forget": lambda memory, name: memory.forget(name),
    "import": lambda memory, file: memory.import_from(file, writer="person"),
    "clear": lambda memory, _: memory.forgetting.clear(),
    "compact": lambda memory, _: memory.maintain.compact(retention_days=0),
    "purge": lambda memory, name: memory.forgetting.purge(name),
    "consolidate": lambda memory, _: memory.learn.consolidate(),
    "nightly": lambda memory, _: memory.maintain.run("nightly", confirmed=True),
    "weekly": lambda memory, _: _weekly(memory),
    "judge": lambda memory, question: _judge(memory, question),
    "used and told": lambda memory, question: _used_and_told(memory, question),
}


def _weekly(memory: Memory) -> None:
    """The job of a week, when everything has been idle for a season."""
    clock = FixedClock(memory.opened.clock.now())
    clock.advance(days=100)
    with Memory(memory.root, clock=clock) as then:
        then.maintain.run("weekly", confirmed=True)


def _used_and_told(memory: Memory, question: str) -> None:
    """A use, and the job of the night that counts it and tells times that are over."""
    memory.recall(question)
    memory.maintain.run("nightly", confirmed=True)


def _judge(memory: Memory, question: str) -> None:
    """An answer, and what somebody says of its first hit."""
    memory.recall(question, preset="smriti")
    memory.ranking.feedback("1", accepted=True)
