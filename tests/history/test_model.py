"""History of random operation sequences == the rows of a list model."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from tests.history.notes import DAY, MONDAY, SetClock, item
from vaultmem.api.memory import Memory

IDS = ("i-aaaaaaaaaa", "i-bbbbbbbbbb", "i-cccccccccc")
PREDICATES = ("uses", "led_by")


@dataclass(frozen=True)
class Row:
    """A version as the model has it."""

    id: str
    statement: str
    predicate: str
    valid_from: int | None
    valid_until: int | None
    recorded_at: int
    status: str = "active"
    superseded_at: int | None = None


@dataclass
class Model:
    """What was committed when, in a plain list; what is on disk, in a dict."""

    rows: list[Row] = field(default_factory=list)
    disk: dict[str, Row] = field(default_factory=dict)  # by id, record time still to come
    names: dict[str, str] = field(default_factory=dict)  # file names by id
    retired: set[str] = field(default_factory=set)  # by `compact`: nothing they say has changed
    latest: int = MONDAY - DAY  # record time never runs backwards
    files: dict[str, tuple[str, Row]] = field(default_factory=dict)  # as last committed

    def commit(self, at: int, *, always: bool = False) -> None:
        """What differs from the open rows closes them and opens new ones.

        always  there is a commit even when no file changed
        """
        files = {id_: (self.names.get(id_, ""), row) for id_, row in self.disk.items()}
        if files == self.files and not always:
            return
        self.files, self.latest = files, max(self.latest, at)
        for id_ in IDS:
            now = self.disk.get(id_)
            then = next((r for r in self.rows if r.id == id_ and r.superseded_at is None), None)
            if now is not None:
                self.retired.discard(id_)
            if _said(now) == _said(then) or id_ in self.retired:
                continue
            if then is not None:
                self.rows[self.rows.index(then)] = replace(then, superseded_at=self.latest)
            if now is not None:
                self.rows.append(replace(now, recorded_at=self.latest))

    def compact(self, at: int) -> list[str]:
        """Retire what was retracted by then; the open rows stay open. The ids, first end first."""
        ends = {}
        for id_, row in self.disk.items():
            if row.status == "retracted":
                of_note = [each for each in self.rows if each.id == id_]
                run = takewhile(lambda each: each.status == "retracted", reversed(of_note))
                ends[id_] = min(each.recorded_at for each in run)
        gone = sorted((end, id_) for id_, end in ends.items() if end <= at)
        for _, id_ in gone:
            del self.disk[id_]
            self.retired.add(id_)
        self.files = {id_: (self.names.get(id_, ""), row) for id_, row in self.disk.items()}
        self.latest = max(self.latest, at) if gone else self.latest
        return [id_ for _, id_ in gone]

    def history(self, wanted: Callable[[Row], bool]) -> list[Row]:
        found = [row for row in self.rows if wanted(row)]
        return sorted(
            found,
            key=lambda r: (r.recorded_at, r.valid_from is not None, r.valid_from or 0, r.id),
        )


def _said(row: Row | None) -> Row | None:
    return row and replace(row, recorded_at=0, superseded_at=None)


def test_history_is_the_rows_of_a_list_model(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    sequences, versions = times(6), 0
    for seed in range(sequences):
        versions += run(tmp_path / f"vault-{seed}", random.Random(seed))
    tally("history == list model", sequences=sequences, versions=versions)


def run(root: Path, chance: random.Random) -> int:
    """Random saves, moves, deletions, syncs and commits of plain git; the number of versions."""
    clock, model = SetClock(MONDAY), Model()
    Memory.init(root, name="test", clock=SetClock(MONDAY - DAY))
    (root / "items").mkdir(exist_ok=True)
    with Memory(root, clock=clock) as memory:
        for _ in range(14):
            clock.at += chance.choice((0, 1, 1_000, DAY, -3 * DAY, 5 * DAY))
            step(root, model, chance)
            if chance.random() < 0.6:
                memory.sync()
                model.commit(clock.at)
            elif chance.random() < 0.5:
                by_git(root, clock.at)
                model.commit(clock.at // 1000 * 1000, always=True)
            if chance.random() < 0.2:
                model.commit(clock.at)  # what is not committed yet is, first
                gone = model.compact(clock.at)
                assert [one.id for one in memory.maintain.compact(retention_days=0).items] == gone
            if chance.random() < 0.3:
                compare(memory, model)
        memory.sync()
        model.commit(clock.at)
        compare(memory, model)
        memory.reindex()
        compare(memory, model)
    return len(model.rows)


def step(root: Path, model: Model, chance: random.Random) -> None:
    id_ = chance.choice(IDS)
    file = root / "items" / f"{model.names.get(id_, id_)}.md"
    if id_ in model.disk and chance.random() < 0.25:
        file.unlink()
        del model.disk[id_]
    elif id_ in model.disk and chance.random() < 0.3:
        model.names[id_] = f"{chance.randrange(1_000)}-{id_}"
        file.rename(file.with_name(f"{model.names[id_]}.md"))
    else:
        begins = chance.choice((None, MONDAY, MONDAY + DAY))
        row = Row(
            id=id_,
            statement=f"It is number {chance.randrange(3)}.",
            predicate=chance.choice(PREDICATES),
            valid_from=begins,
            valid_until=chance.choice((None, MONDAY + 9 * DAY)),
            recorded_at=0,
            status=chance.choice(("active", "retracted")),
        )
        model.disk[id_] = row
        text = item(
            *(id_, row.statement),
            predicate=row.predicate,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            keys=f"status: {row.status}\n",
        )
        file.write_text(text, encoding="utf-8")


def by_git(root: Path, at: int) -> None:
    """Commit all with plain git, at a time of its clock."""
    seconds = f"{at // 1000} +0000"
    environment = {**os.environ, "GIT_COMMITTER_DATE": seconds, "GIT_AUTHOR_DATE": seconds}
    for words in (("add", "--all"), ("commit", "--quiet", "--allow-empty", "-m", "by hand")):
        subprocess.run(["git", *words], cwd=root, env=environment, check=True, timeout=60)


def compare(memory: Memory, model: Model) -> None:
    """Every note and every slot."""
    for id_ in IDS:
        of_note = model.history(lambda row, id_=id_: row.id == id_)  # type: ignore[misc]
        assert not of_note or told(memory, id_) == of_note
    for name in PREDICATES:
        of_slot = model.history(lambda row, name=name: row.predicate == name)  # type: ignore[misc]
        assert not of_slot or told(memory, "project-x", name) == of_slot


def told(memory: Memory, about: str, predicate: str = "") -> list[Row]:
    return [
        Row(
            id=version.id,
            statement=version.statement,
            predicate=version.predicate,
            valid_from=version.valid_from,
            valid_until=version.valid_until,
            recorded_at=version.recorded_at,
            superseded_at=version.superseded_at,
            status=version.status,
        )
        for version in memory.history.of(about, predicate).versions
        if version.recorded_at is not None
    ]
