"""The Python API on real files and real git: what a person is promised, end to end."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import (
    BadInputError,
    MemoryDisabledError,
    NoVaultError,
    SecretFoundError,
    UndoRefusedError,
)
from vaultmem.extract.prepare import Document
from vaultmem.language.time import format_date
from vaultmem.model.answers import Filters


def only_item(memory: Memory) -> Path:
    """The file of the vault's single item."""
    [row] = memory.list(Filters(types=("item",)))
    return memory.root / row.path


def commits(git: Git) -> list[str]:
    """Subjects, newest first."""
    return git("log", "--format=%s").splitlines()


def test_what_was_remembered_is_recalled_with_date_and_source(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.")
    answer = memory.recall("tabs or spaces?")
    assert answer.hits[0].note.statement == "I prefer tabs over spaces."
    assert answer.hits[0].note.source == (done.path.stem,)
    assert answer.hits[0].note.date is not None


def test_a_misspelt_word_finds_its_note_and_the_repair_is_shown(memory: Memory) -> None:
    memory.remember("I am allergic to hazelnuts.")
    answer = memory.recall("hazlenuts")
    assert [hit.note.statement for hit in answer.hits] == ["I am allergic to hazelnuts."]
    assert [(repair.word, repair.used) for repair in answer.repairs] == [
        ("hazlenuts", ("hazelnuts",))
    ]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what should I not eat", "I'm allergic to hazelnuts."),
        ("how many children do I have", "I have two kids, Tom and Anna."),
        ("who is my employer", "I work at Siemens."),
    ],
)
def test_questions_in_other_everyday_words_are_answered(
    memory: Memory, question: str, said: str
) -> None:
    memory.remember("I'm allergic to hazelnuts. I have two kids, Tom and Anna. I work at Siemens.")
    memory.remember("I live in Graz.")
    assert memory.recall(question).hits[0].note.statement == said


def test_what_the_readme_asks_from_python_is_answered(memory: Memory) -> None:
    memory.remember("I'm allergic to hazelnuts.")
    hits = memory.recall("what should I not eat").hits
    assert [hit.note.statement for hit in hits] == ["I'm allergic to hazelnuts."]


def test_a_category_of_that_name_is_no_answer(memory: Memory) -> None:
    memory.remember("I hate my job.")
    assert [hit.note.type for hit in memory.recall("where do I work").hits] == ["item"]
    assert "categories/work.md" in [str(hit.note.path) for hit in memory.search("work").hits]


def test_what_no_note_says_is_no_memory_found(memory: Memory) -> None:
    memory.remember("I prefer tabs over spaces.")
    assert memory.recall("quantum chromodynamics").hits == ()


@pytest.mark.parametrize(
    ("text", "since", "until", "question"),
    [
        ("Ich lerne seit zwei Wochen Cello.", "2026-02-23", None, "vor zwei Wochen"),
        ("Oskar traf ich letzten Freitag.", "2026-03-06", None, "was war letzten Freitag"),
        ("El lunes pasado compré una bicicleta.", "2026-03-09", None, "¿qué hice el lunes pasado?"),
        ("Last Friday I met Oskar at the library.", "2026-03-06", None, "what was last Friday"),
        ("I am in Rome until next Friday.", "2026-03-11", "2026-03-21", "in Rome"),
    ],
)
def test_a_time_counted_from_today_is_kept_as_a_date_and_asked_for(
    memory: Memory, text: str, since: str, until: str | None, question: str
) -> None:
    memory.remember(text)
    memory.remember("Der Schrank ist seit Mai 2019 kaputt.")
    [row] = [row for row in memory.list(Filters(types=("item",))) if row.statement[0] != "D"]
    assert row.valid_from is not None
    assert format_date(row.valid_from) == since
    assert (row.valid_until and format_date(row.valid_until)) == until
    hit = memory.recall(question).hits[0]
    assert hit.note.statement == row.statement
    if "Rome" not in question:
        assert "time" in {part.name for part in hit.parts}


def test_remembering_is_one_commit_with_readable_subject_and_trailers(
    memory: Memory, git: Git
) -> None:
    before = len(commits(git))
    done = memory.remember("I prefer tabs over spaces.")
    assert commits(git)[0] == "remember: I prefer tabs over spaces"
    assert len(commits(git)) == before + 1
    trailers = git("log", "-1", "--format=%(trailers:only,unfold)").splitlines()
    assert "Vaultmem-Op: remember" in trailers
    assert f"Vaultmem-Items: {done.items[0].id}" in trailers
    assert f"Vaultmem-Source: {done.resource}" in trailers
    assert "Vaultmem-Actor: person" in trailers
    assert any(line.startswith("Vaultmem-Recorded-At: 2026-03-11T12:00:0") for line in trailers)
    assert git("status", "--porcelain") == ""


def test_the_same_text_twice_is_one_resource_and_changes_nothing(memory: Memory, git: Git) -> None:
    memory.remember("I prefer tabs over spaces.")
    head = git("rev-parse", "HEAD")
    again = memory.remember("I prefer tabs over spaces.\n")
    assert again.no_op
    assert again.commit is None
    assert git("rev-parse", "HEAD") == head


def test_the_same_statement_in_another_text_reinforces_its_item(memory: Memory) -> None:
    first = memory.remember("I prefer tabs over spaces.")
    second = memory.remember("I moved to Bergen. I prefer  tabs over spaces!")
    outcomes = {item.statement: item.outcome for item in second.items}
    assert outcomes["I prefer tabs over spaces."] == "reinforce"
    [row] = [r for r in memory.list(Filters(types=("item",))) if "tabs" in r.statement]
    assert set(row.source) == {first.path.stem, second.path.stem}
    assert row.confidence == pytest.approx(0.79)


def test_a_dry_run_writes_nothing(memory: Memory, git: Git) -> None:
    head = git("rev-parse", "HEAD")
    planned = memory.remember("I prefer tabs over spaces.", dry_run=True)
    assert planned.dry_run
    assert planned.items[0].outcome == "add"
    assert planned.files
    assert not any((memory.root / path).exists() for path in planned.files if "items" in str(path))
    assert git("rev-parse", "HEAD") == head
    assert git("status", "--porcelain") == ""


def test_a_conversation_in_json_becomes_a_readable_transcript(memory: Memory) -> None:
    talk = [
        {"role": "user", "content": "I'm vegetarian.", "time": "2026-02-01T10:00:00Z"},
        {"role": "assistant", "content": "Noted! Anything else?"},
    ]
    done = memory.remember(json.dumps(talk))
    text = (memory.root / done.path).read_text()
    assert "**user** (2026-02-01 10:00): I'm vegetarian." in text
    assert "**assistant**" in text
    assert [item.statement for item in done.items] == ["I'm vegetarian."]


def test_questions_and_fillers_give_no_items_but_say_why(memory: Memory) -> None:
    done = memory.remember("Hello! How are you? What is the weather like?")
    assert done.items == ()
    assert {rejected.rule for rejected in done.rejected} >= {"question"}
    assert memory.show(done.resource).note.type == "resource"


def test_a_plain_order_to_remember_a_sentence_makes_an_item(memory: Memory) -> None:
    done = memory.remember("The spare key hangs behind the blue door")
    assert [item.statement for item in done.items] == ["The spare key hangs behind the blue door"]


def test_the_callers_wishes_override_extraction(memory: Memory) -> None:
    done = memory.remember(
        "Water the ferns on Sunday",
        kind="rule",
        stream="tasks",
        category="Home & Garden",
        hard=True,
    )
    [item] = done.items
    assert (item.kind, item.stream, item.categories) == ("rule", "tasks", ("home-garden",))
    assert "hard: true" in (memory.root / item.path).read_text()
    assert f"^{item.id}" in (memory.root / "streams/tasks.md").read_text()
    assert item.path.stem in (memory.root / "categories/home-garden.md").read_text()


def test_raw_keeps_the_text_without_items(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.", extract=False)
    assert done.items == ()
    assert [hit.note.type for hit in memory.recall("tabs").hits] == ["resource"]


def test_a_text_that_is_one_endless_sentence_is_kept_without_items(memory: Memory) -> None:
    done = memory.remember("I like " + "tea and milk and " * 6000)
    assert (memory.root / done.path).stat().st_size > 100_000
    assert done.items == ()
    assert [each.rule for each in done.rejected] == ["endless"]
    assert memory.remember("*" * 100_000).items == ()


@pytest.mark.parametrize("text", ["", "  \n\t ", "[]"])
def test_nothing_to_remember_is_an_error(memory: Memory, text: str) -> None:
    with pytest.raises(BadInputError, match="nothing to remember"):
        memory.remember(text)


def test_a_lone_surrogate_is_an_error_that_says_where(memory: Memory, git: Git) -> None:
    with pytest.raises(BadInputError, match="character 3"):
        memory.remember("ab\ud800")
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize(("texts", "more"), [(5, 0), (25, 1)])
def test_many_texts_are_one_commit_each_and_lists_of_very_many_one_more(
    memory: Memory, git: Git, texts: int, more: int
) -> None:
    before = len(commits(git))
    done = memory.remember_many(
        [Document(text=f"I prefer tea number {number} in the morning.") for number in range(texts)]
    )
    assert len({each.commit for each in done}) == texts
    assert len(commits(git)) == before + texts + more
    assert git("status", "--porcelain") == ""
    assert len(memory.list(Filters(types=("item",)))) == texts
    assert memory.check().problems == ()


def test_the_last_of_a_few_texts_is_undone_as_a_whole(memory: Memory) -> None:
    memory.remember_many([Document(text="I prefer tea."), Document(text="I love jazz.")])
    memory.undo()
    assert [row.statement for row in memory.list(Filters(types=("item",)))] == ["I prefer tea."]
    assert memory.check().problems == ()


def test_an_edit_by_hand_is_searchable_at_once_and_committed_as_the_persons(
    memory: Memory, git: Git
) -> None:
    memory.remember("I prefer tabs over spaces.")
    file = only_item(memory)
    file.write_text(file.read_text().replace("I prefer tabs", "I adore hedgehogs"))
    answer = memory.recall("hedgehogs")
    assert [hit.pending for hit in answer.hits] == [True]
    assert commits(git)[0].startswith("remember")
    memory.sync()
    assert git("log", "-2", "--format=%(trailers:key=Vaultmem-Actor,valueonly)").split() == [
        "editor",
        "editor",
    ]
    assert commits(git)[1].startswith("edit: ")
    assert memory.recall("hedgehogs").hits[0].pending is False


def test_a_new_bullet_is_adopted_and_only_its_line_changes(memory: Memory, git: Git) -> None:
    tasks = memory.root / "streams/tasks.md"
    before = tasks.read_bytes() + b"\n- [ ] Renew the passport before June\n\nKeep  this.\r\n"
    tasks.write_bytes(before)
    assert memory.recall("passport").hits[0].note.type == "stream"
    report = memory.sync()
    assert [learned.what for learned in report.learned][:1] == ["adopted"]
    [row] = memory.list(Filters(types=("item",)))
    expected = before.replace(b"before June\n", f"before June ^{row.id}\n".encode())
    assert tasks.read_bytes() == expected
    assert (row.kind, row.stream) == ("task", "tasks")
    hits = memory.recall("passport").hits
    assert [hit.note.id for hit in hits] == [row.id]


def test_a_bullet_that_can_get_no_id_makes_no_note(memory: Memory) -> None:
    identity = memory.root / "streams/identity.md"
    identity.write_bytes(b"# Identity\n- I like caf\xe9s\n- I like tea\n")
    for _ in range(2):
        memory.sync()
        identity.write_bytes(identity.read_bytes() + b"\n")
    assert memory.list(Filters(types=("item",))) == ()
    assert [each.code for each in memory.check().problems if each.path.stem == "identity"]


def test_a_bullet_too_long_for_a_note_is_told_and_the_others_are_adopted(memory: Memory) -> None:
    identity = memory.root / "streams/identity.md"
    identity.write_text(f"# Identity\n- I like tea\n- I like {'x' * 99_000}\n- I like milk\n")
    report = memory.sync()
    assert [each.text for each in report.learned if each.what == "adopted"] == [
        "I like tea",
        "I like milk",
    ]
    assert report.problems == 1
    assert identity.read_text().count(" ^i-") == 2


def test_rewording_a_bullet_rewords_its_item_and_its_category_line(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.", stream="identity", category="tools")
    identity = memory.root / "streams/identity.md"
    identity.write_text(identity.read_text().replace("tabs over spaces", "spaces over tabs"))
    assert memory.recall("tabs").hits[0].note.statement == "I prefer spaces over tabs."
    memory.sync()
    assert "I prefer spaces over tabs." in (memory.root / done.items[0].path).read_text()
    assert "I prefer spaces over tabs." in (memory.root / "categories/tools.md").read_text()


def test_editing_an_item_patches_its_bullet(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.", stream="identity")
    file = memory.root / done.items[0].path
    head, _, body = file.read_text().rpartition("---\n")
    file.write_text(head + "---\n" + body.replace("tabs over spaces", "spaces over tabs"))
    memory.sync()
    assert "- I prefer spaces over tabs." in (memory.root / "streams/identity.md").read_text()


def test_deleting_a_bullet_retracts_its_item_and_undo_brings_it_back(
    memory: Memory, git: Git
) -> None:
    done = memory.remember("I prefer tabs over spaces.", stream="identity")
    identity = memory.root / "streams/identity.md"
    lines = identity.read_text().splitlines(keepends=True)
    identity.write_text("".join(line for line in lines if "tabs" not in line))
    assert [hit.note.type for hit in memory.recall("tabs").hits if hit.note.type == "item"] == []
    memory.sync()
    assert memory.show(done.items[0].id).note.status == "retracted"
    memory.undo()
    assert memory.show(done.items[0].id).note.status == "active"


def test_ticking_a_task_ends_it(memory: Memory) -> None:
    done = memory.remember("Renew the passport", stream="tasks", kind="task")
    tasks = memory.root / "streams/tasks.md"
    tasks.write_text(tasks.read_text().replace("- [ ] Renew", "- [x] Renew"))
    memory.sync()
    row = memory.show(done.items[0].id).note
    assert row.status == "expired"
    assert row.valid_until is not None
    assert "- [x] Renew the passport" in tasks.read_text()


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
@pytest.mark.parametrize("hours_later", [0, 1, 30])
@pytest.mark.parametrize("since", [None, "2026-03-11", "2026-03-11T12:00:00Z", "2026-03-20"])
def test_a_task_that_was_ticked_held_at_some_time(
    root: Path, clock: FixedClock, zone: str, hours_later: int, since: str | None
) -> None:
    settings = root / "vaultmem.toml"
    settings.write_text(settings.read_text().replace('# timezone = "UTC"', f'timezone = "{zone}"'))
    with Memory(root, clock=clock) as memory:
        text = "Renew the passport"
        done = memory.remember(text, stream="tasks", kind="task", valid_from=since)
        clock.advance(seconds=hours_later * 3600)
        tasks = memory.root / "streams/tasks.md"
        tasks.write_text(tasks.read_text().replace("- [ ] Renew", "- [x] Renew"))
        memory.sync()
        row = memory.show(done.items[0].id).note
        assert row.status == "expired"
        assert row.valid_until is not None
        assert row.valid_from is None or row.valid_from < row.valid_until
        assert [each.code for each in memory.check().problems] == []


def test_a_task_that_is_written_down_as_done_held_at_some_time(memory: Memory) -> None:
    tasks = memory.root / "streams/tasks.md"
    tasks.write_text(tasks.read_text() + "- [x] Water the plants\n")
    [task] = [each for each in memory.sync().learned if each.what == "adopted"]
    row = memory.show(task.id).note
    assert row.valid_from is not None
    assert row.valid_until is not None
    assert row.valid_from < row.valid_until


class TestMoves:
    """A note that was renamed or put into another folder is the same note."""

    def test_a_moved_item_is_told_as_moved(self, memory: Memory) -> None:
        item = memory.remember("I drink green tea.").items[0]
        (memory.root / "items" / "tea").mkdir()
        path = PurePosixPath("items", "tea", item.path.name)
        (memory.root / item.path).rename(memory.root / path)
        report = memory.sync()
        told = [(each.what, each.path, each.id, each.former) for each in report.learned]
        assert told == [("moved", path, item.id, item.path)]

    def test_a_moved_and_reworded_item_is_told_as_both(self, memory: Memory) -> None:
        item = memory.remember("I drink green tea.").items[0]
        note = memory.root / item.path
        note.write_text(note.read_text().replace("green tea.\n", "black tea.\n"))
        path = PurePosixPath("items", item.path.name)
        note.rename(memory.root / path)
        told = [(each.what, each.path) for each in memory.sync(settle=False).learned]
        assert told == [("moved", path), ("changed", path)]

    def test_a_page_without_an_id_is_known_by_its_bytes(self, memory: Memory) -> None:
        old, new = PurePosixPath("categories/tools.md"), PurePosixPath("categories/kit.md")
        (memory.root / "categories").mkdir(exist_ok=True)
        (memory.root / old).write_text("# Tools\n\nA hammer.\n")
        memory.sync()
        (memory.root / old).rename(memory.root / new)
        told = [(each.what, each.path, each.former) for each in memory.sync().learned]
        assert told == [("moved", new, old)]

    def test_a_copy_is_not_a_move(self, memory: Memory) -> None:
        for name in ("a", "b"):
            (memory.root / "items").mkdir(exist_ok=True)
            (memory.root / f"items/{name}.md").write_text("The same.\n")
        memory.sync()
        for name in ("a", "b"):
            (memory.root / f"items/{name}.md").rename(memory.root / f"items/{name}{name}.md")
        assert sorted(each.what for each in memory.sync().learned) == [
            *("added", "added", "removed", "removed"),
        ]

    def test_a_moved_item_with_broken_front_matter_keeps_its_line(self, memory: Memory) -> None:
        item = memory.remember("I am allergic to nuts.").items[0]
        [category] = memory.root.glob("categories/*.md")
        before = category.read_text()
        assert item.path.stem in before
        path = memory.root / "items" / item.path.name
        (memory.root / item.path).rename(path)
        sound = path.read_text()
        path.write_text(sound.replace("kind:", "kind: ["))
        report = memory.sync()
        assert (report.learned[0].what, report.learned[0].id) == ("moved", item.id)
        assert {each.what for each in report.learned} <= {"moved", "changed"}
        assert category.read_text() == before
        path.write_text(sound)
        memory.sync()
        assert category.read_text() == before
        path.unlink()
        memory.sync()
        assert item.path.stem not in category.read_text()


def test_what_a_person_staged_stays_staged_and_uncommitted(memory: Memory, git: Git) -> None:
    (memory.root / "draft.txt").write_text("mine")
    (memory.root / "items").mkdir(exist_ok=True)
    (memory.root / "items/mine.md").write_text("A note of my own.\n")
    git("add", "draft.txt", "items/mine.md")
    staged = git("diff", "--cached")
    memory.remember("I prefer tabs over spaces.")
    assert git("diff", "--cached") == staged
    assert "mine" not in git("log", "--format=%s", "--name-only")


def test_undo_takes_the_last_operation_back_by_a_new_commit(memory: Memory, git: Git) -> None:
    tree = git("rev-parse", "HEAD^{tree}")
    memory.remember("I prefer tabs over spaces.")
    undone = memory.undo()
    assert commits(git)[0] == "undo: remember: I prefer tabs over spaces"
    assert git("rev-parse", "HEAD^{tree}") == tree
    assert memory.recall("tabs").hits == ()
    assert memory.history.log()[1].undone_by == undone.commit
    with pytest.raises(BadInputError, match="nothing to undo"):
        memory.undo()


def test_undo_goes_further_back_each_time(memory: Memory) -> None:
    memory.remember("I prefer tabs over spaces.")
    memory.remember("I moved to Bergen in May.")
    memory.undo()
    memory.undo()
    assert memory.list(Filters(types=("item",))) == ()


def test_an_earlier_operation_is_undone_without_losing_what_came_after(memory: Memory) -> None:
    first = memory.remember("I prefer tabs over spaces.", stream="identity")
    memory.remember("I prefer tea over coffee.", stream="identity")
    assert first.commit is not None
    memory.undo(first.commit)
    identity = (memory.root / "streams/identity.md").read_text()
    assert "tea over coffee" in identity
    assert "tabs" not in identity


def test_undo_refuses_to_lose_a_later_edit_and_names_the_file(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.")
    file = memory.root / done.items[0].path
    file.write_text(file.read_text() + "\nA thought of mine.\n")
    with pytest.raises(UndoRefusedError, match=file.name):
        memory.undo()
    assert "A thought of mine." in file.read_text()


def test_restore_brings_a_deleted_note_back(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.")
    file = memory.root / done.items[0].path
    text = file.read_text()
    file.unlink()
    memory.sync()
    assert memory.recall("tabs", filters=Filters(types=("item",))).hits == ()
    memory.history.restore(done.items[0].id)
    assert file.read_text() == text


def test_renaming_a_note_keeps_its_identity_and_its_log(memory: Memory, git: Git) -> None:
    done = memory.remember("I prefer tabs over spaces.")
    file = memory.root / done.items[0].path
    (memory.root / "items/tabs.md").write_bytes(file.read_bytes())
    file.unlink()
    memory.sync()
    assert memory.show(done.items[0].id).note.path.as_posix() == "items/tabs.md"
    subjects = [operation.subject for operation in memory.history.log(done.items[0].id)]
    assert subjects[-1] == "remember: I prefer tabs over spaces"
    assert len(subjects) == 2


def test_the_index_can_be_deleted_at_any_time(memory: Memory, clock: FixedClock) -> None:
    memory.remember("I prefer tabs over spaces.")
    memory.close()
    for file in memory.settings.state.glob("index.sqlite*"):
        file.unlink()
    with Memory(memory.root, clock=clock) as again:
        assert again.recall("tabs").hits[0].note.statement == "I prefer tabs over spaces."


@pytest.mark.parametrize("ends", ["the object", "the program"])
def test_an_index_that_nobody_closed_is_no_damaged_one(
    root: Path, clock: FixedClock, ends: str
) -> None:
    """A script without `with`, as people write them."""
    if ends == "the object":
        forgotten = Memory(root, clock=clock)
        forgotten.remember("I prefer tea over coffee.")
        del forgotten
    else:
        script = (
            "import sys; from vaultmem import Memory; memory = Memory(sys.argv[1]); "
            "memory.remember('I prefer tea over coffee.')"
        )
        subprocess.run([sys.executable, "-c", script, str(root)], check=True, timeout=60)
    with Memory(root, clock=clock) as memory:
        assert memory.sync().rebuilt == ""
        assert "I prefer tea over coffee." in [row.statement for row in memory.list()]


def test_a_damaged_index_is_rebuilt_and_said(memory: Memory, clock: FixedClock) -> None:
    memory.remember("I prefer tabs over spaces.")
    memory.close()
    file = memory.settings.state / "index.sqlite"
    file.write_bytes(b"not a database at all" * 100)
    with Memory(memory.root, clock=clock) as again:
        assert again.sync().rebuilt
        assert len(again.recall("tabs").hits) == 1


def test_init_in_a_folder_with_notes_changes_no_file_of_it(tmp_path: Path) -> None:
    root = tmp_path / "mine"
    (root / "items").mkdir(parents=True)
    (root / "items/tea.md").write_bytes(b"\xef\xbb\xbf---\r\ntags: tea\r\n---\r\nGreen tea.")
    (root / "Daily.md").write_bytes(b"no newline at the end")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    report = Memory.init(root)
    assert report.found_notes == 1
    with Memory(root) as memory:
        memory.sync()
        assert memory.recall("green tea").hits
    assert {path: path.read_bytes() for path in before} == before


def test_init_reads_nothing_of_the_history_that_it_begins_and_knows_it_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, asked, program = tmp_path / "mine", tmp_path / "asked", tmp_path / "bin/git"
    (root / "items").mkdir(parents=True)
    (root / "items/tea.md").write_text("Green tea.\n")
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho " $* " >> {asked}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    Memory.init(root)
    assert " fast-import " in asked.read_text()
    assert not re.search(r" (log|ls-tree|cat-file|rev-list) ", asked.read_text())
    with Memory(root) as memory:
        assert [row.path.name for row in memory.list() if row.type == "item"] == ["tea.md"]
        assert {problem.code for problem in memory.check(deep=True).problems} <= {"no-source"}
        report = memory.sync(settle=False)
        assert (report.changed, report.removed) == ((), ())


def test_init_twice_makes_no_second_commit(root: Path, git: Git) -> None:
    head = git("rev-parse", "HEAD")
    assert Memory.init(root).commit is None
    assert git("rev-parse", "HEAD") == head


def test_a_vault_that_does_not_exist_is_an_error_and_never_made(tmp_path: Path) -> None:
    with pytest.raises(NoVaultError) as caught:
        Memory(tmp_path / "nowhere")
    assert "vaultmem init" in caught.value.hint
    assert not (tmp_path / "nowhere").exists()


def test_memory_switched_off_reads_and_writes_nothing(root: Path) -> None:
    toml = root / "vaultmem.toml"
    toml.write_text(toml.read_text().replace("# enabled = true", "enabled = false"))
    with pytest.raises(MemoryDisabledError, match="switched off"):
        Memory(root)


def test_one_bad_file_is_reported_and_everything_else_works(memory: Memory) -> None:
    memory.remember("I prefer tabs over spaces.")
    (memory.root / "items/bad.md").write_text("---\na: [1, 2\nb: }\n---\nhedgehogs\n")
    (memory.root / "items/binary.md").write_bytes(bytes(range(256)))
    report = memory.check()
    assert {"items/bad.md", "items/binary.md"} <= {str(p.path) for p in report.problems}
    assert all(p.message and p.code for p in report.problems)
    assert memory.recall("tabs").hits
    assert memory.recall("hedgehogs").hits


def test_the_updated_index_equals_a_rebuilt_one(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces. I moved to Bergen in May.")
    memory.remember("Renew the passport", stream="tasks")
    file = memory.root / done.items[0].path
    file.write_text(file.read_text() + "\nMore.\n")
    tasks = memory.root / "streams/tasks.md"
    tasks.write_text(tasks.read_text().replace("passport", "visa") + "- water the ferns\n")
    memory.sync(settle=False)
    updated = memory._vault.index.dump()
    memory.reindex()
    assert memory._vault.index.dump() == updated
    memory.sync()
    updated = memory._vault.index.dump()
    memory.reindex()
    assert memory._vault.index.dump() == updated


def test_instants_may_be_texts_as_on_the_command_line(memory: Memory) -> None:
    slot = ("project-x", "uses_database")
    memory.remember("", fact=(*slot, "PostgreSQL"), valid_from="2026-02-02", date="yesterday")
    memory.change(*slot, "SQLite", effective="2026-02-04")
    [ended] = memory.recall("which database", as_of="2026-02-03").hits[:1]
    assert (ended.note.object, ended.note.valid_until) == ("PostgreSQL", 1_770_163_200_000)
    assert memory.facts.expire(*slot, until="2026-03-01").no_op == ""
    with pytest.raises(BadInputError, match="cannot read the date 'soonish'"):
        memory.facts.expire(*slot, until="soonish")


def test_names_that_mem0_users_expect(memory: Memory) -> None:
    memory.add("I prefer tabs over spaces.")
    assert memory.search("tabs").hits
    assert memory.get_all(Filters(types=("item",)))


def test_messages_filters_and_metadata_as_mem0_users_hand_them_in(memory: Memory) -> None:
    talk = [
        {"role": "user", "content": "I prefer rye bread. I live in Trondheim."},
        {"role": "assistant", "content": "Noted!"},
    ]
    done = memory.add(talk, metadata={"app": "kitchen", "labels": ["food", "home"], "level": 3})
    assert {item.statement for item in done.items} == {
        "I prefer rye bread.",
        "I live in Trondheim.",
    }
    for path in (done.path, *(item.path for item in done.items)):
        front = (memory.root / path).read_text()
        assert "app: kitchen" in front
        assert "level: " in front
        assert "labels:\n  - food\n  - home" in front
    memory.add({"role": "user", "content": "My bike is green."})
    kinds = {hit.note.kind for hit in memory.search("rye", filters={"kind": "preference"}).hits}
    assert kinds == {"preference"}
    assert memory.recall("rye", filters={"kinds": ["event"], "type": "item"}).hits == ()
    assert memory.get_all({"type": "item"})
    assert memory.check().problems == ()


def test_errors_say_what_a_mem0_user_is_to_call(memory: Memory) -> None:
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: memory.add("I like tea.", user_id="ada"), "Memory('notes/ada')"),
        (lambda: memory.add("I like tea.", agent_id="bot"), 'writer="agent"'),
        (lambda: memory.add("I like tea.", run_id="7"), "memory.session"),
        (lambda: memory.search("tea", filters={"user_id": "ada"}), "Memory('notes/ada')"),
        (lambda: memory.search("tea", filters={"colour": "red"}), "kind, stream"),
        (lambda: memory.search("tea", filters={"kind": 3}), "a list of texts"),
        (lambda: memory.add([{"text": "I like tea."}]), '"role": "user"'),
        (lambda: memory.add("I like tea.", metadata={"kind": "x"}), "another name"),
        (lambda: memory.add("I like tea.", metadata={"a b": "x"}), "a letter first"),
        (lambda: memory.add("I like tea.", metadata={"a": {"b": 1}}), "lists of them"),
    ]
    for call, hint in wrong:
        with pytest.raises(BadInputError) as caught:
            call()
        assert hint in caught.value.hint
    assert memory.get_all({"type": "item"}) == ()


def test_secrets_in_metadata_are_kept_out_like_those_in_the_text(memory: Memory) -> None:
    with pytest.raises(SecretFoundError):
        memory.add("I like tea.", metadata={"note": "password: xK9#mQ2$vL7pRt"})


def test_an_item_that_cannot_be_read_keeps_its_bullet_and_an_edit_of_it(memory: Memory) -> None:
    done = memory.remember("I prefer tabs over spaces.", stream="identity")
    file = memory.root / done.items[0].path
    sound = file.read_text()
    file.write_text(sound.replace("status: active", "status: active\n- x"))
    memory.sync()
    identity = memory.root / "streams/identity.md"
    assert "tabs over spaces" in identity.read_text()
    identity.write_text(identity.read_text().replace("tabs over spaces", "spaces over tabs"))
    memory.sync()
    assert "item-unreadable" in {problem.code for problem in memory.check().problems}
    file.write_text(sound)
    memory.sync()
    assert "spaces over tabs" in identity.read_text()
    assert "spaces over tabs" in file.read_text()
    assert memory.check().problems == ()


def test_in_a_small_vault_one_known_word_is_enough(memory: Memory) -> None:
    memory.remember("I prefer green tea in the morning.")
    memory.remember("My sister Anna drinks black tea.")
    found = memory.recall("what tea is there for Xanthippe")
    assert {"tea" in hit.note.statement for hit in found.hits} == {True}


def test_one_known_word_is_not_enough_in_few_notes_of_many_passages(memory: Memory) -> None:
    diary = [
        f"On day {day} we walked to the harbour and looked at boat {day}." for day in range(150)
    ]
    diary[70] = "Grandma drinks tea."
    memory.remember("\n\n".join(diary), extract=False)
    assert memory.recall("who drinks tea").hits
    assert not memory.recall("where does Xanthippe buy her tea in Timbuktu").hits


def test_a_misspelt_word_of_four_letters_is_repaired(memory: Memory) -> None:
    memory.remember("I prefer green tea in the morning.")
    assert memory.recall("gren").repairs[0].used == ("green",)


def test_a_conflict_survives_a_rebuilt_index_and_ends_when_it_is_resolved(memory: Memory) -> None:
    done = memory.remember("I love jazz.", stream="identity")
    file, identity = memory.root / done.items[0].path, memory.root / "streams/identity.md"
    identity.write_text(identity.read_text().replace("I love jazz", "I love bebop"))
    head, _, _ = file.read_text().rpartition("I love jazz.")
    file.write_text(head + "I love swing.\n")
    memory.sync()
    memory.remember("I love opera.", stream="identity")
    memory.reindex()
    assert {problem.code for problem in memory.check().problems} == {"edited-twice"}
    identity.write_text(identity.read_text().replace("I love bebop", "I love swing"))
    memory.sync()
    assert memory.check().problems == ()
    memory.reindex()
    assert memory.check().problems == ()


def test_a_mass_deletion_ends_when_the_bullets_are_back_or_it_is_confirmed(
    memory: Memory,
) -> None:
    memory.remember_many(
        [Document(text=f"I prefer gadget {n}.", stream="identity") for n in range(12)]
    )
    identity = memory.root / "streams/identity.md"
    kept = [line for line in identity.read_text().splitlines(True) if "gadget" not in line]
    identity.write_text("".join(kept))
    memory.sync()
    assert "mass-deletion" in {problem.code for problem in memory.check().problems}
    memory.history.restore("streams/identity.md")
    assert memory.check().problems == ()
    identity.write_text("".join(kept))
    memory.remember("I like tea.")
    memory.reindex()
    assert "mass-deletion" in {problem.code for problem in memory.check().problems}
    memory.sync(confirm_deletions=True)
    assert memory.check().problems == ()
    assert len(memory.list(Filters(types=("item",), statuses=("retracted",)))) == 12


def test_a_deleted_item_takes_its_bullet_along(memory: Memory) -> None:
    memory.remember("I like tea.", stream="identity")
    [note] = memory.root.glob("items/**/*.md")
    note.unlink()
    memory.sync()
    assert "tea" not in (memory.root / "streams/identity.md").read_text()
    assert memory.sync().commits == ()


def test_what_stands_in_the_text_is_not_said_to_be_withheld(memory: Memory) -> None:
    from vaultmem.cli.report_lines import remembered_lines

    done = memory.remember("My AWS key is AKIAIOSFODNN7EXAMPLE and it works.")
    told = "\n".join(remembered_lines(done, "UTC"))
    assert done.items == ()
    assert "AKIAIOSFODNN7EXAMPLE" in (memory.root / done.path).read_text(encoding="utf-8")
    assert "the text keeps it as it is (secret)" in told
    assert "withheld" not in told


def test_what_a_caller_names_is_imported_from_the_package_and_only_then() -> None:
    script = (
        "import sys, vaultmem\n"
        "assert not [name for name in sys.modules if name.startswith('vaultmem.')]\n"
        "from vaultmem import Filters, Memory\n"
        "assert Filters.__module__ == 'vaultmem.model.answers'\n"
        "assert Memory.__module__ == 'vaultmem.api.memory'\n"
    )
    subprocess.run([sys.executable, "-P", "-c", script], check=True, timeout=60)
