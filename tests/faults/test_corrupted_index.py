"""The index damaged in every way: never a wrong answer, built anew by itself, equal afterwards.

"Index deleted, truncated, byte flips, -wal lost, old schema, newer schema, wrong vault: rebuild,
equal dump; 1,000 random flips" (reliability.md 6, F12). CI flips fewer, `--long` all.
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Answer
from vaultmem.storage.index.store import seal
from vaultmem.storage.index.store.file import SCHEMA_VERSION

WORDS = ("tea", "bread", "rain", "river", "clock", "paper", "stone", "garden", "music", "train")
QUERIES = ("tea garden", "paper train music", "what is the clock", "rivre stone")
NOTES = 60
PAGE = seal.PAGE_BYTES
MAIN, LOG, SEAL = "index.sqlite", "index.sqlite-wal", f"index.sqlite{seal.ENDING}"

Files = dict[str, bytes]


class Case(NamedTuple):
    """A vault, what its index looks like, and what it answers while nothing is damaged."""

    root: Path
    state: Path
    closed: Files  # of the index after its last user left
    killed: Files  # as a killed process leaves them: the last writes only in the log
    older: Files  # before the last writes
    expected: object
    dump: object

    def lay(self, files: Files, *, keep_times: bool = False) -> None:
        """Make the index these files; `keep_times`: dated as what was there."""
        before = {each.name: each.stat() for each in self.state.glob(f"{MAIN}*")}
        for each in self.state.glob(f"{MAIN}*"):
            if each.name not in files:
                each.unlink()
        for name, content in files.items():
            file = self.state / name
            file.write_bytes(content)
            if keep_times and name in before:
                times = before[name]
                os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def is_answered(self) -> bool:
        """A command answers as ever, and leaves an index that equals one that was built anew."""
        with Memory(self.root) as memory:
            answered = answers(memory) == self.expected
            return answered and memory._vault.index.dump() == self.dump

    def is_rebuilt(self) -> bool:
        """Whether a command would not believe the index."""
        with Memory(self.root) as memory:
            return memory._vault.index_damage != ""


@pytest.fixture
def case(built: Case, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The case, with its device state where the program looks for it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(built.state.parent.parent))
    with Memory(built.root) as memory:
        assert memory.settings.state == built.state
    return built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A vault of some notes that share words."""
    folder = tmp_path_factory.mktemp("corrupted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        root = vault_of(folder / "vault", seed=3)
        with Memory(root) as memory:
            state = memory.settings.state
        older = files_in(state)
        with Memory(root) as memory:
            memory.remember("I like tea in the garden, and a last word.")
            memory.sync()
            killed = files_in(state)
        closed = files_in(state)
        with Memory(root) as memory:
            expected = answers(memory)
            memory.reindex()
            assert answers(memory) == expected
            dump = memory._vault.index.dump()
        assert LOG in killed
        assert LOG not in closed
        yield Case(root, state, closed, killed, older, expected, dump)


def vault_of(root: Path, *, seed: int) -> Path:
    """A vault of notes that share words."""
    Memory.init(root)
    chance = random.Random(seed)
    texts = (f"I like {' and '.join(chance.sample(WORDS, 4))}, number {n}." for n in range(NOTES))
    with Memory(root) as memory:
        memory.remember_many(Document(text=text) for text in texts)
        memory.sync()
    return root


def files_in(state: Path) -> Files:
    """The files of the index, by name; `-shm` is made anew by whoever opens it."""
    files = (each for each in state.glob(f"{MAIN}*") if not each.name.endswith("-shm"))
    return {each.name: each.read_bytes() for each in files}


def answers(memory: Memory) -> list[object]:
    """All that questions, `list`, `show` and `status` bring up, in order, with texts."""
    status = memory.vault.status()
    rows = memory.list()
    return [
        *(shown(memory.recall(query)) for query in QUERIES),
        rows,
        [memory.show(row.path.as_posix()) for row in rows[::20]],
        (status.notes, status.items, status.statuses, status.passages, status.words),
        (status.streams, status.problems, status.pending, status.head, status.review),
    ]


def shown(answer: Answer) -> object:
    """What a person sees of an answer."""
    return [
        (hit.note.path, hit.note.statement, [passage.text for passage in hit.passages])
        for hit in answer.hits
    ]


def flipped(content: bytes, chance: random.Random) -> bytes:
    """The bytes with one bit turned over."""
    damaged = bytearray(content)
    damaged[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


@pytest.mark.parametrize("keep_times", [False, True])
@pytest.mark.parametrize(
    ("state", "name", "number"), [("closed", MAIN, 40), ("killed", MAIN, 10), ("killed", LOG, 10)]
)
def test_flipped_bytes_never_change_an_answer(
    case: Case,
    state: str,
    name: str,
    number: int,
    keep_times: bool,
    times: Callable[[int], int],
    tally: Callable[..., None],
) -> None:
    whole: Files = getattr(case, state)
    chance = random.Random(f"{state} {name} {keep_times}")
    wrong = 0
    for _ in range(times(number)):
        case.lay({**whole, name: flipped(whole[name], chance)}, keep_times=keep_times)
        wrong += not case.is_answered()
    tally(f"flipped bytes of {name}", flips=times(number), wrong_answers=wrong)
    assert wrong == 0


DAMAGES: dict[str, Callable[[Case], Files]] = {
    "no file": lambda case: {},
    "no log": lambda case: without(case.killed, LOG),
    "no seal": lambda case: without(case.closed, SEAL),
    "no seal, but a log": lambda case: without(case.killed, SEAL),
    "an empty file": lambda case: {**case.closed, MAIN: b""},
    "half a file": lambda case: {**case.closed, MAIN: case.closed[MAIN][: 13 * PAGE]},
    "half a page": lambda case: {**case.closed, MAIN: case.closed[MAIN][:-100]},
    "a page too much": lambda case: {**case.closed, MAIN: case.closed[MAIN] + bytes(PAGE)},
    "half a log": lambda case: {**case.killed, LOG: case.killed[LOG][: len(case.killed[LOG]) // 2]},
    "half a seal": lambda case: {**case.closed, SEAL: case.closed[SEAL][:150]},
    "an empty seal": lambda case: {**case.closed, SEAL: b""},
    "an older copy": lambda case: case.older,
    "an older file": lambda case: {**case.closed, MAIN: case.older[MAIN]},
    "an older seal": lambda case: {**case.closed, SEAL: case.older[SEAL]},
    "an older file with a log": lambda case: {**case.older, LOG: case.killed[LOG]},
    "a log that is in the file already": lambda case: {**case.closed, LOG: case.killed[LOG]},
    "no index": lambda case: {**case.closed, MAIN: b"something else altogether. " * 5_000},
    "a version to come": lambda case: changed(case, f"PRAGMA user_version={SCHEMA_VERSION + 1}"),
    "an older version": lambda case: changed(case, f"PRAGMA user_version={SCHEMA_VERSION - 1}"),
    "a number of another program": lambda case: changed(case, "UPDATE notes SET importance = 9"),
    "a row that is gone": lambda case: changed(case, "DELETE FROM words WHERE word LIKE '%ea%'"),
    "a file that is said to be read": lambda case: changed(case, "UPDATE files SET oid = path"),
}


@pytest.mark.parametrize("keep_times", [False, True])
@pytest.mark.parametrize("damage", DAMAGES)
def test_no_damage_changes_an_answer(case: Case, damage: str, keep_times: bool) -> None:
    case.lay(case.closed)
    case.lay(DAMAGES[damage](case), keep_times=keep_times)
    assert case.is_answered()
    assert not case.is_rebuilt()


@pytest.mark.parametrize("keep_times", [False, True])
def test_no_page_of_zeros_changes_an_answer(case: Case, keep_times: bool) -> None:
    whole = case.closed[MAIN]
    for start in range(0, len(whole), PAGE):
        damaged = whole[:start] + bytes(PAGE) + whole[start + PAGE :]
        case.lay({**case.closed, MAIN: damaged}, keep_times=keep_times)
        assert case.is_answered(), f"page {start // PAGE}"


@pytest.mark.parametrize("keep_times", [False, True])
def test_the_index_of_another_vault_is_not_believed(
    case: Case, tmp_path: Path, keep_times: bool
) -> None:
    with Memory(vault_of(tmp_path / "other", seed=4)) as memory:
        other = memory.settings.state
    assert other != case.state
    case.lay(case.closed)
    case.lay(files_in(other), keep_times=keep_times)
    assert case.is_answered()


@pytest.mark.parametrize("state", ["closed", "killed", "older"])
def test_a_copied_or_killed_index_is_believed(case: Case, state: str) -> None:
    """Only content counts: a restored state folder, or a killed owner, costs no rebuild."""
    case.lay(getattr(case, state))
    assert not case.is_rebuilt()
    assert case.is_answered()


def without(files: Files, name: str) -> Files:
    """The files but one."""
    return {other: content for other, content in files.items() if other != name}


def changed(case: Case, statement: str) -> Files:
    """The closed index after another program wrote to it."""
    case.lay(case.closed)
    with closing(sqlite3.connect(case.state / MAIN)) as connection, connection:
        connection.execute(statement)
    return files_in(case.state)
