"""Forgetting takes notes out of the vault and of recall, in one commit that can be taken back."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UnknownNoteError

CODE = "The door code is 4711."
TULIPS = "Anna's birthday is on 3 March. She likes red tulips. I work at Siemens in Munich."


def texts(memory: Memory) -> dict[str, bytes]:
    """Every file of the vault but git's and the program's own."""
    return {
        file.relative_to(memory.root).as_posix(): file.read_bytes()
        for file in sorted(memory.root.rglob("*"))
        if file.is_file() and file.relative_to(memory.root).parts[0] not in (".git", ".vaultmem")
    }


def test_a_forgotten_item_leaves_no_trace_in_the_folder_but_stays_in_the_history(
    memory: Memory, git: Git
) -> None:
    [item] = memory.remember(CODE).items
    done = memory.forget(item.id)
    assert {note.type for note in done.notes} == {"item", "resource"}
    assert not [path for path, data in texts(memory).items() if b"4711" in data]
    assert memory.recall("door code").hits == ()
    assert "4711" in git("log", "-p")
    assert git("log", "-1", "--format=%(trailers:key=Vaultmem-Op,valueonly)").strip() == "forget"
    assert "door" not in git("log", "-1", "--format=%B")
    assert git("status", "--porcelain") == ""
    assert memory.check().problems == ()


def test_undo_brings_everything_back_byte_by_byte(memory: Memory) -> None:
    memory.remember(CODE)
    memory.remember(TULIPS)
    before = texts(memory)
    memory.forget(match="door code")
    assert texts(memory) != before
    memory.undo()
    assert texts(memory) == before
    assert memory.recall("door code").hits


def test_a_source_that_says_more_stays_and_is_named(memory: Memory) -> None:
    kept = memory.remember(TULIPS)
    birthday = next(each for each in kept.items if "birthday" in each.statement)
    done = memory.forget(birthday.id)
    assert [note.id for note in done.notes] == [birthday.id]
    [tulips] = [each for each in kept.items if "tulips" in each.statement]  # it was said after it
    assert {held.path for held in done.holding} == {kept.path, tulips.path}
    assert (memory.root / kept.path).exists()


def test_with_its_source_goes_every_item_that_came_from_it(memory: Memory) -> None:
    kept = memory.remember(TULIPS)
    other = memory.remember(CODE)
    done = memory.forget(source=kept.resource)
    assert {note.id for note in done.notes} == {kept.resource, *(each.id for each in kept.items)}
    assert {row.id for row in memory.list() if row.id} == {
        other.resource,
        *(e.id for e in other.items),
    }
    assert memory.check().problems == ()


def test_lists_lose_their_lines_and_nothing_else(memory: Memory) -> None:
    memory.remember(TULIPS)
    [item] = memory.remember(CODE, stream="identity").items
    file = memory.root / "streams" / "identity.md"
    file.write_bytes(file.read_bytes() + b"\nMy own words  \n- a bullet of mine ^mine\n")
    memory.sync()
    before = file.read_bytes()
    memory.forget(item.id)
    line = next(one for one in before.splitlines(keepends=True) if item.id.encode() in one)
    assert file.read_bytes() == before.replace(line, b"")


def test_a_text_is_found_whatever_its_spacing_case_and_accents(memory: Memory) -> None:
    memory.remember("I often meet Zoe\u0308 at the Cafe\u0301 Lumie\u0300re.")
    done = memory.forget(match="ZO\u00cb  at the caf\u00e9", dry_run=True)
    assert {note.type for note in done.notes} == {"item", "resource"}


def test_prose_of_the_person_is_named_and_not_touched(memory: Memory) -> None:
    memory.remember(CODE)
    prose = memory.root / "categories" / "mine.md"
    prose.write_text("# Mine\n\nThe door code is 4711, do not tell.\n")
    memory.sync()
    before = prose.read_bytes()
    done = memory.forget(match="door code is 4711")
    assert [held.path for held in done.holding] == [PurePosixPath("categories/mine.md")]
    assert prose.read_bytes() == before


def test_a_dry_run_and_a_refusal_change_nothing(memory: Memory, git: Git) -> None:
    [item] = memory.remember(CODE).items
    head, before = git("rev-parse", "HEAD"), texts(memory)
    assert memory.forget(item.id, dry_run=True).notes
    for wrong in ("i-0000000000", "no-such-note"):
        with pytest.raises(UnknownNoteError):
            memory.forget(item.id, wrong)
    with pytest.raises(BadInputError):
        memory.forget("streams/tasks.md")
    with pytest.raises(BadInputError):
        memory.forget(item.id, match="door")
    with pytest.raises(UnknownNoteError):
        memory.forget(match="nobody wrote this")
    assert (git("rev-parse", "HEAD"), texts(memory)) == (head, before)


def test_a_forgotten_item_can_be_restored_on_its_own(memory: Memory) -> None:
    kept = memory.remember(TULIPS)
    item = kept.items[0]
    before = texts(memory)
    memory.forget(item.id)
    assert "birthday" not in [hit.note.statement for hit in memory.recall("birthday").hits]
    done = memory.history.restore(item.id)
    assert all(texts(memory)[str(path)] == before[str(path)] for path in done.paths)
    assert memory.recall("birthday").hits[0].note.id == item.id


@pytest.mark.parametrize("form", ["**zanzibar** *heliotrope*", "zanzibar-heliotrope"])
def test_a_match_is_found_in_other_markup(memory: Memory, form: str) -> None:
    memory.remember("The front door is blue.")
    [item] = memory.remember(f"I keep the {form} in the cellar.").items
    gone = memory.forget(match="Zanzibar heliotrope")
    assert item.id in {note.id for note in gone.notes}
    assert memory.search("cellar").hits == ()
    assert memory.search("door").hits


def test_where_much_would_go_a_person_is_asked_before_anything_goes(memory: Memory) -> None:
    ids = [memory.remember(f"I prefer plant {n} to stone {n}.").items[0].id for n in range(6)]
    before = texts(memory)
    report = memory.forgetting.forget_few(*ids)
    assert report.asked
    assert report.dry_run
    assert report.commit is None
    assert {note.id for note in report.notes} >= {*ids}
    assert texts(memory) == before
    few = memory.forgetting.forget_few(ids[0])
    assert (few.asked, few.dry_run) == ("", False)
    assert few.commit
    assert memory.forget(*ids[1:]).commit
    assert not [path for path in texts(memory) if path.startswith("items/")]
