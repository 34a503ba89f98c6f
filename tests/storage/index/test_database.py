"""The surface of the index besides questions: files, folders, notes, links, problems."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path, PurePosixPath

from tests.storage.index.building import (
    IDENTITY,
    category,
    decoded,
    item,
    page,
    put,
    resource,
    stream,
)
from vaultmem.model.answers import Filters
from vaultmem.model.notes import Decoded, FileState, FolderState, Problem, Record, Severity
from vaultmem.storage.index.database import Index


def state(path: str, oid: str, head_oid: str) -> FileState:
    return FileState(path=path, oid=oid, head_oid=head_oid)


class TestFiles:
    """What is on disk and what the last commit holds, file by file."""

    def test_pending_is_what_differs_from_the_last_commit(self, index: Index) -> None:
        states = [state("a.md", "1", "1"), state("b.md", "2", "1"), state("c.md", "3", "")]
        with index.writing():
            index.set_files(states)
        assert index.pending() == (states[1], states[2])
        assert index.files(["a.md", "x.md"]) == {"a.md": states[0]}
        assert list(index.files()) == ["a.md", "b.md", "c.md"]

    def test_a_commit_settles_files(self, index: Index) -> None:
        with index.writing():
            index.set_files([state("a.md", "2", "1")])
            index.set_head({"a.md": "2", "gone.md": "9"})
        assert index.pending() == (state("gone.md", "", "9"),)

    def test_a_file_that_is_nowhere_is_forgotten(self, index: Index) -> None:
        with index.writing():
            index.set_files([state("a.md", "1", "1"), state("b.md", "1", "")])
            index.remove(["a.md", PurePosixPath("b.md")])
        assert index.files() == {"a.md": state("a.md", "", "1")}
        with index.writing():
            index.set_head({"a.md": ""})
        assert index.files() == {}

    def test_any_number_of_paths_may_be_asked_for(self, index: Index) -> None:
        states = {f"{n:04d}.md": state(f"{n:04d}.md", "1", "1") for n in range(2_500)}
        with index.writing():
            index.set_files(states.values())
        assert index.files(states) == states


def test_folders_come_back_as_they_were(index: Index) -> None:
    folder = FolderState(
        path="items/2026",
        mtime_ns=1_773_230_400_123_456_789,
        names=("a b.md", "ü\u0301.md"),
        folders=("03",),
        stats=array("Q", [1, 2, 3, 4, 0, 0, 0, 0]).tobytes(),
    )
    empty = FolderState(path="", mtime_ns=0, names=(), folders=(), stats=b"")
    with index.writing():
        index.set_folders([folder, empty])
    assert index.folders() == {"items/2026": folder, "": empty}
    with index.writing():
        index.set_folders([replace(folder, mtime_ns=5)], [""])
    assert index.folders() == {"items/2026": replace(folder, mtime_ns=5)}


def test_meta_keeps_texts(index: Index, tmp_path: Path) -> None:
    assert index.meta("head") is None
    with index.writing():
        index.set_meta("head", "abc")
        index.set_meta("identity", "no clash with ours")
    index.close()
    with Index.open(tmp_path / "index.sqlite", identity=IDENTITY) as again:
        assert again.meta("head") == "abc"
        assert again.meta("identity") == "no clash with ours"


class TestProblems:
    """Problems of a file come and go with it; others with their origin."""

    wrong = Problem(
        path=PurePosixPath("items/a.md"),
        code="bad-date",
        message="not a date",
        line=3,
        hint="write 2026-03-11",
        severity=Severity.WARNING,
        fixable=True,
    )

    def test_of_files(self, index: Index) -> None:
        unreadable = Decoded(path=self.wrong.path, record=None, problems=(self.wrong,))
        with index.writing():
            index.put([unreadable])
        assert index.problems() == (self.wrong,)
        with index.writing():
            index.put([decoded(item("I like tea.", path="items/a.md"))])
        assert index.problems() == ()
        assert index.note_count() == 1
        with index.writing():
            index.put([unreadable])
        assert index.note_count() == 0
        with index.writing():
            index.remove([self.wrong.path])
        assert index.problems() == ()

    def test_of_other_origins(self, index: Index) -> None:
        with index.writing():
            index.set_problems("scan", [self.wrong])
            index.set_problems("two-way", [replace(self.wrong, line=None)])
            index.remove([self.wrong.path])
        assert index.problems() == (replace(self.wrong, line=None), self.wrong)
        with index.writing():
            index.set_problems("scan", [])
        assert index.problems() == (replace(self.wrong, line=None),)


class TestNotes:
    """A row holds what a record says, and is found by path, id, filter."""

    tea = item(
        "I like tea.",
        kind="preference",
        stream="identity",
        categories=("drinks", "home"),
        tags=("a/b",),
        valid_from=1_700_000_000_000,
        valid_until=1_800_000_000_000,
        importance=7,
        confidence=0.5,
        confidence_at=1_700_000_000_000,
        critical="health",
        due=1_800_000_000_000,
        said_after="What about tea?",
        pinned=True,
        source=("talk-r-0123456789ab",),
        quote="i like tea",
        trust="user",
        writer="person",
    )

    def test_an_item(self, index: Index) -> None:
        put(index, [self.tea])
        row = index.note(self.tea.path)
        assert row is not None
        for name in (
            *("path", "oid", "id", "kind", "title", "statement", "stream", "categories", "tags"),
            *("status", "valid_from", "valid_until", "importance", "confidence", "pinned"),
            *("confidence_at", "hard", "source", "quote", "trust", "writer"),
            *("critical", "due", "said_after"),
        ):
            assert getattr(row, name) == getattr(self.tea, name), name
        assert row.type == "item"
        assert row.date == self.tea.valid_from

    def test_the_others(self, index: Index) -> None:
        put(index, [resource("Some text.", date=5), stream("- x"), category("# T"), page("Hello")])
        rows = {row.type: row for row in index.list(Filters())}
        assert rows["resource"].date == 5
        assert rows["resource"].statement == "Some text."
        assert rows["stream"].stream == "identity"
        assert rows["category"].categories == ("tools",)
        assert rows["page"].title == "Page"

    def test_listing_is_newest_first(self, index: Index) -> None:
        dated = [item(f"Number {n}.", valid_from=n) for n in (1, 3, 2)]
        put(index, [*dated, item("Undated.")])
        titles = [row.title for row in index.list(Filters())]
        assert titles == ["Number 3.", "Number 2.", "Number 1.", "Undated."]
        assert len(index.list(Filters(types=("item",)), limit=2)) == 2

    def test_by_id(self, index: Index) -> None:
        copy = replace(self.tea, path=PurePosixPath("items/copy.md"))
        put(index, [self.tea, copy, item("No id.", id="")])
        assert {row.path for row in index.notes_with_id(self.tea.id)} == {self.tea.path, copy.path}
        assert len(index.notes_with_id_prefix(self.tea.id[:5])) == 2
        assert index.notes_with_id("") == index.notes_with_id_prefix("") == ()

    def test_by_statement(self, index: Index) -> None:
        put(index, [self.tea, item("I like coffee.")])
        assert index.items_with_statement("i LIKE  tea!") == (self.tea.id,)
        assert index.items_with_statement("I like") == ()

    def test_counts(self, index: Index) -> None:
        put(index, [self.tea, item("Old.", status="superseded"), page("Hello there, world")])
        counts = index.counts()
        assert counts.notes == {"item": 2, "page": 1}
        assert counts.items == {"preference": 1}
        assert counts.streams == {"identity": 1}
        assert counts.statuses == {"active": 1, "superseded": 1}
        assert counts.passages == 3
        assert counts.words > 4
        assert index.note_count() == 3

    def test_passages_of_a_note(self, index: Index) -> None:
        put(index, [self.tea, resource("**Ann**: One.\n\n**Bob**: Two.\n")])
        assert [p.text for p in index.passages(self.tea.path)] == ["I like tea."]
        talk = index.list(Filters(types=("resource",)))[0]
        assert [(p.seq, p.speaker) for p in index.passages(talk.path)] == [(0, "Ann"), (1, "Bob")]
        assert index.passages(PurePosixPath("nowhere.md")) == ()


def test_lone_surrogates_are_no_error(index: Index) -> None:
    odd = item(
        "I like \ud800 tea.", id="", aliases=("\udfff",), more="[[\ud800]]", path="items/a.md"
    )
    wrong = Problem(path=odd.path, code="odd", message="'\ud800' is odd", hint="\ud800")
    with index.writing():
        index.put([decoded(odd, wrong), decoded(page("plain"))])
    assert index.search("tea").found[0].passage.text == "I like ? tea."
    assert index.search("plain").found
    assert index.list(Filters(tags=("\ud800",))) == ()
    assert index.list(Filters(entities=("\ud800",))) == ()
    assert index.search("tea", filters=Filters(tags=("\ud800",))).found == ()
    assert index.notes_with_id("\ud800") == ()
    assert len(index.problems()) == 1


class TestLinks:
    """A link means a note by id, path, file name or alias; a note knows what links to it."""

    def test_resolving(self, index: Index) -> None:
        tea = item("I like tea.")
        notes: list[Record] = [
            page("x", path="notes/Green Tea.md", aliases=("Sencha",)),
            page("y", path="deep/er/Green Tea.md"),
            category("# Tools"),
        ]
        put(index, [tea, *notes])

        def target(link: str) -> str | None:
            row = index.resolve_link(link)
            return None if row is None else str(row.path)

        assert target(f"[[{tea.path.stem}]]") == str(tea.path)
        assert target(f"renamed-{tea.id}") == target(tea.id) == str(tea.path)
        assert target("green tea") == target("[[Green Tea#Part|shown]]") == "notes/Green Tea.md"
        assert target("er/green tea") == "deep/er/Green Tea.md"
        assert target("deep/er/Green Tea.md") == "deep/er/Green Tea.md"
        assert target("SENCHA") == "notes/Green Tea.md"
        assert target("tools") == "categories/tools.md"
        assert target("nothing") is target("") is target("\ud800") is None

    def test_backlinks(self, index: Index) -> None:
        talk = resource("A talk.")
        linked: list[Record] = [
            item("From front matter.", source=(talk.path.stem,)),
            item("A relation.", links=(("related", talk.id),)),
            page(f"See [[{talk.path.stem}|the talk]]."),
            item("An unknown key.", fields={"mine": f"[[{talk.id}]]"}),
            item("In a category.", categories=("tools",)),
        ]
        put(index, [talk, category("# Tools"), *linked])
        row = index.resolve_link(talk.id)
        assert row is not None
        assert {found.path for found in index.backlinks(row)} == {one.path for one in linked[:4]}
        tools = index.resolve_link("tools")
        assert tools is not None
        assert [found.path for found in index.backlinks(tools)] == [linked[4].path]

    def test_items_that_quote_a_passage(self, index: Index) -> None:
        talk = resource("**Ann**: I moved to Berlin. I like it.\n\n**Bob**: I like tea.\n")
        quoting = item("Ann moved to Berlin.", source=(talk.id,), quote="I moved to Berlin.")
        other = item("I like it.", source=("r-0000000000zz",), quote="I like it.")
        put(
            index,
            [
                talk,
                quoting,
                other,
                item("I like tea.", source=(talk.path.stem,), quote="I like tea."),
            ],
        )
        found = index.search("moved Berlin tea").found
        quoted = index.quoting(found)
        assert {
            seq: [(one.note.statement, one.passage.line) for one in ones]
            for (path, seq), ones in quoted.items()
            if path == talk.path
        } == {0: [("Ann moved to Berlin.", 11)], 1: [("I like tea.", 11)]}

    def test_who_quotes_is_asked_of_what_was_found_however_many_resources_there_are(
        self, index: Index
    ) -> None:
        talks = [resource(f"**Ann**: I moved to town{n}.\n", title=f"Talk {n}") for n in range(400)]
        put(index, talks)
        found = index.search("moved", limit=30).found
        assert len(found) == 30
        looks = 0

        def look() -> int:
            nonlocal looks
            looks += 1
            return 0

        connection = index._connection
        connection.set_progress_handler(look, 10)  # steps of SQLite's machine
        assert index.quoting(found) == {}
        connection.set_progress_handler(None, 0)
        assert looks < 250  # 137; through all resources 466
