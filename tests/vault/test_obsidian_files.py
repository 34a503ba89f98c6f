"""`init --obsidian`: tables that select the right notes, types of properties, nothing of yours."""

from __future__ import annotations

import json
import subprocess
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from types import MappingProxyType

import pytest
import yaml

from tests.conftest import FixedClock
from tests.vault.bases import Base, UnknownWordError, files_of
from vaultmem.api.memory import Memory
from vaultmem.language.time import parse_instant
from vaultmem.model.documents import Document
from vaultmem.model.ids import Oid
from vaultmem.model.notes import Item, Resource
from vaultmem.storage.notes.schema import ITEM_KEYS, RESOURCE_KEYS, encode_item, encode_resource
from vaultmem.vault.init import TYPES, obsidian_files

TABLES = {
    path.name: Base(data.decode(), frozenset((*ITEM_KEYS, *RESOURCE_KEYS)))
    for path, data in obsidian_files().items()
    if path != TYPES
}
MEMORIES, TASKS = TABLES["memories.base"], TABLES["tasks.base"]
VIEWS = [(name, view) for name, table in TABLES.items() for view in table.views]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Items of every status, notes of a person's own, and notes that are no items."""
    root = tmp_path_factory.mktemp("bases") / "notes"
    Memory.init(root, obsidian=True)
    with Memory(root, clock=FixedClock()) as memory:
        memory.remember("My sister Leni is allergic to hazelnuts. I live in Graz.")
        memory.remember("I have to bring the parcel to the post office by Friday.")
        memory.remember("I have to water the ferns on Sunday.")
        memory.remember("We decided to use PostgreSQL for the Otter project.")
        memory.remember("Tomas plays the oboe.", fact=("Tomas", "plays", "oboe"))
        memory.remember("I work as an architect at Studio Kern.")
        memory.change("user", "works_at", "Atelier Blau")
        memory.remember("The wall in the hall is green.", fact=("wall", "colour", "green"))
        memory.facts.retract("wall", "colour")
        memory.remember_many(
            [
                Document(text="Anna prefers oat milk in her coffee.", writer="web"),
                Document(text="I have to pay 900 euros to the shop today.", writer="web"),
            ]
        )
        ferns = next(row for row in memory.list() if "ferns" in row.statement and row.id)
        memory.facts.expire(ferns.id)
        memory.sync()
        (root / "items" / "Where the key is.md").write_text("The key is below the third pot.\n")
        (root / "items" / "Paint.md").write_text(
            "---\nkind: task\nstatus: candidate\n---\n\nPaint the fence.\n"
        )
        memory.sync()
        statuses = {row.status for row in memory.list() if row.type == "item"}
    assert {"active", "superseded", "expired", "retracted", "candidate"} <= statuses
    return root


def _rows(table: Base, view: str, root: Path) -> set[PurePosixPath]:
    return {file.path for file in table.rows(view, root, now=datetime.now())}


def _items(root: Path, *statuses: str) -> set[PurePosixPath]:
    with Memory(root, clock=FixedClock()) as memory:
        rows = [row for row in memory.list(limit=None) if row.type == "item"]
    return {row.path for row in rows if row.status in statuses}


def _read_all(table: Base, root: Path) -> None:
    table.require_known()
    for view in table.views:
        table.rows(view, root, now=datetime.now())


class TestTables:
    """Each view against what the index says of the same files."""

    def test_current_facts_are_the_active_items(self, vault: Path) -> None:
        found = _rows(MEMORIES, "Current facts", vault)
        assert found == _items(vault, "active")
        assert PurePosixPath("items/Where the key is.md") in found

    def test_waiting_for_review_are_those_that_review_lists(self, vault: Path) -> None:
        with Memory(vault, clock=FixedClock()) as memory:
            waiting = {each.path for each in memory.review.waiting()}
        assert _rows(MEMORIES, "Waiting for review", vault) == waiting != set()

    def test_what_used_to_be_true_ended_or_never_was(self, vault: Path) -> None:
        ended = _items(vault, "superseded", "expired", "retracted")
        assert _rows(MEMORIES, "What used to be true", vault) == ended != set()

    def test_open_tasks_are_the_active_ones(self, vault: Path) -> None:
        with Memory(vault, clock=FixedClock()) as memory:
            tasks = {
                row.path
                for row in memory.list(limit=None)
                if row.status == "active" and "tasks" in (row.stream, f"{row.kind}s")
            }
        assert _rows(TASKS, "Open tasks", vault) == tasks
        assert len(tasks) == 2, "one of four is done, one waits"
        assert len(_rows(TASKS, "Done", vault) & _items(vault, "expired")) == 1

    def test_by_person_has_a_group_for_each(self, vault: Path) -> None:
        now = datetime.now()
        groups: dict[str, list[str]] = {}
        for file in MEMORIES.rows("By person", vault, now=now):
            person = str(MEMORIES.group_of("By person", file, now=now))
            groups.setdefault(person, []).append(file.path.stem)
        assert set(groups) >= {"my sister Leni", "You", "Tomas"}
        assert [stem for stem in groups["You"] if "studio-kern" in stem] == [], "no longer so"
        assert not any("otter" in stem for stems in groups.values() for stem in stems)

    def test_recently_changed_looks_back_for_a_week(self, vault: Path) -> None:
        now = datetime.now()
        everything = {file.path for file in files_of(vault) if file.path.parts[0] == "items"}
        assert _rows(MEMORIES, "Recently changed", vault) == everything
        later = now + timedelta(days=7, hours=1)
        assert list(MEMORIES.rows("Recently changed", vault, now=later)) == []

    @pytest.mark.parametrize(("name", "view"), VIEWS)
    def test_no_view_shows_what_is_no_item(self, vault: Path, name: str, view: str) -> None:
        assert {path.parts[0] for path in _rows(TABLES[name], view, vault)} == {"items"}

    @pytest.mark.parametrize("name", TABLES)
    def test_every_property_is_one_of_the_format(self, name: str) -> None:
        TABLES[name].require_known()

    def test_a_property_that_no_note_has_is_noticed(self, vault: Path) -> None:
        """The reader of these tests itself: a typing error must not read as 'empty'."""
        text = obsidian_files()[PurePosixPath("memories.base")].decode()
        keys = frozenset(ITEM_KEYS)
        for right, wrong in (
            ('status == "candidate"', 'state == "candidate"'),
            ("note.review", "note.reason"),
            ("file.mtime", "file.changed"),
            ("formula.person", "formula.who"),
            ("isEmpty()", "isNothing()"),
        ):
            table = Base(text.replace(right, wrong), keys)
            with pytest.raises(UnknownWordError):
                _read_all(table, vault)


class TestTypes:
    """Obsidian's Properties offer a calendar, a list, a box: what the note really holds."""

    ITEM = Item(
        path=PurePosixPath("items/x.md"),
        oid=Oid(""),
        title="",
        body="It is so.",
        body_line=1,
        tags=("a", "b"),
        aliases=("c",),
        fields=MappingProxyType({}),
        id="i-0000000000",
        kind="task",
        statement="It is so.",
        stream="tasks",
        categories=("work",),
        projects=("otter", "heron"),
        subject="a",
        predicate="b",
        object="c",
        valid_from=1,
        valid_until=2,
        due=3,
        status="active",
        supersedes=("x",),
        superseded_by=("y",),
        source=("z",),
        quote="q",
        said_after="s",
        asked="a",
        importance=3,
        critical="health",
        confidence=0.5,
        confidence_at=4,
        pinned=True,
        hard=True,
        writer="person",
        trust="user",
        review="r",
        observed="claimed",
        entities=("Leni",),
        links=tuple((name, "x") for name in ITEM_KEYS[ITEM_KEYS.index("entities") + 1 :]),
    )

    def test_each_key_of_the_format_has_the_type_of_its_values(self) -> None:
        types = json.loads(obsidian_files()[TYPES])["types"]
        resource = Resource(
            path=PurePosixPath("resources/x.md"),
            oid=Oid(""),
            title="t",
            body="b",
            body_line=1,
            tags=("a",),
            aliases=("b",),
            fields=MappingProxyType({}),
            id="r-000000000000",
            date=1,
            origin="o",
            writer="person",
            projects=("a", "b"),
            trust="user",
            defanged=True,
        )
        found: dict[str, object] = {}
        for data in (encode_item(self.ITEM), encode_resource(resource)):
            found |= yaml.load(data.decode().split("---\n")[1], Loader=yaml.BaseLoader)
        assert found.keys() == {*ITEM_KEYS, *RESOURCE_KEYS}
        for key, value in found.items():
            assert types.get(key) in _types_of(value), key


def _types_of(value: object) -> set[str]:
    if isinstance(value, list):
        return {"multitext", "tags", "aliases"}
    assert isinstance(value, str)
    if value == "true":
        return {"checkbox"}
    if value.replace(".", "").isdecimal():
        return {"number"}
    try:
        parse_instant(value)
    except ValueError:
        return {"text"}
    return {"datetime"}  # a calendar without a time would cut it off


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    ).stdout


class TestAddingThem:
    def test_a_new_vault_has_them_in_its_first_commit_but_obsidians_own_folder(
        self, tmp_path: Path
    ) -> None:
        report = Memory.init(tmp_path / "v", obsidian=True)
        root = tmp_path / "v"
        assert {"memories.base", "tasks.base", str(TYPES)} <= {str(each) for each in report.created}
        assert _git(root, "log", "--format=%s") == "init: v\n"
        tracked = _git(root, "ls-files").split()
        assert {"memories.base", "tasks.base"} <= set(tracked)
        assert [path for path in tracked if path.startswith(".obsidian")] == []
        with Memory(root) as memory:
            assert memory.sync().commits == ()
            assert memory.check(deep=True).problems == ()

    def test_an_existing_vault_gains_what_is_missing_and_keeps_every_byte(
        self, tmp_path: Path
    ) -> None:
        root = tmp_path / "v"
        Memory.init(root)
        with Memory(root) as memory:
            memory.remember("I live in Graz.")
        (root / ".obsidian").mkdir()
        mine = {
            root / ".obsidian" / "types.json": b'{"types": {"mood": "text"}}',
            root / "tasks.base": b"views: []\r\n",
        }
        for file, data in mine.items():
            file.write_bytes(data)
        before = {file: file.read_bytes() for file in root.rglob("*") if _is_of_person(root, file)}
        report = Memory.init(root, obsidian=True)
        assert report.was_vault
        assert [str(path) for path in report.created] == ["memories.base"]
        assert {str(path) for path in report.kept} == {".obsidian/types.json", "tasks.base"}
        assert {file: file.read_bytes() for file in before} == before
        head = _git(root, "rev-parse", "HEAD")
        again = Memory.init(root, obsidian=True)
        assert (again.created, again.commit) == ((), None)
        assert _git(root, "rev-parse", "HEAD") == head

    def test_nothing_is_written_through_a_link(self, tmp_path: Path) -> None:
        """People share one `.obsidian` among vaults by a link."""
        root, shared = tmp_path / "v", tmp_path / "shared"
        Memory.init(root)
        shared.mkdir()
        (root / ".obsidian").symlink_to(shared)
        (root / "memories.base").symlink_to(tmp_path / "nowhere.base")
        report = Memory.init(root, obsidian=True)
        assert {str(path) for path in report.kept} == {".obsidian/types.json", "memories.base"}
        assert list(shared.iterdir()) == []
        assert not (tmp_path / "nowhere.base").exists()

    def test_one_without_its_commit_is_committed_by_the_next_run(self, tmp_path: Path) -> None:
        root = tmp_path / "v"
        Memory.init(root)
        for path, data in obsidian_files().items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_bytes(data)
        report = Memory.init(root, obsidian=True)
        assert report.kept == ()
        assert report.commit is not None
        assert _git(root, "status", "--porcelain", "--", "*.base") == ""
        assert "Vaultmem-Op: init" in _git(root, "log", "-1", "--format=%B")


def _is_of_person(root: Path, file: Path) -> bool:
    return file.is_file() and file.relative_to(root).parts[0] not in (".git", ".vaultmem")
