"""A list of more new bullets than one commit takes is settled in portions, and nothing is lost."""

from __future__ import annotations

from pathlib import PurePosixPath

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.edit.settle import adopted_now, settle, settle_all
from vaultmem.model.answers import Filters
from vaultmem.model.notes import Bullet
from vaultmem.vault import level
from vaultmem.vault.apply import writer_lock
from vaultmem.vault.two_way import Adopt, Retract


def test_portions_are_cut_from_new_bullets_alone() -> None:
    path = PurePosixPath("streams/identity.md")
    new = [
        Adopt(path=path, stream="identity", bullet=Bullet(text=text, block_id=None, line=line))
        for line, text in enumerate(("one", "two", "three"), 1)
    ]
    gone = Retract(id="i-aaaaaaaaaa")
    assert adopted_now([*new, gone], 3) == ((*new, gone), ())
    assert adopted_now([*new, gone], 2) == ((*new[:2], gone), (new[2],))


def test_a_long_list_is_adopted_in_portions_and_only_the_last_commit_is_level(
    memory: Memory, git: Git
) -> None:
    identity = memory.root / "streams/identity.md"
    # What can never be a note comes first, and must not keep the others waiting.
    lines = [f"- I like {'x' * 99_000}"] * 3 + [f"- I like tea number {n}" for n in range(8)]
    identity.write_text("# Identity\n\n" + "\n".join(lines) + "\n", "utf-8")
    first = memory.sync(settle=False)
    assert first.commits == ()
    done = settle_all(
        memory._vault, confirm_deletions=False, allow_secrets=False, progress=None, most_adopted=3
    )
    assert done.left == 0
    assert len([each for each in done.learned if each.what == "adopted"]) == 8
    assert identity.read_text("utf-8").count(" ^i-") == 8
    assert len(memory.list(Filters(types=("item",)))) == 8
    subjects = git("log", "--format=%s", "-4").splitlines()
    assert [each.startswith("sync: 3 adopted") for each in subjects].count(True) == 2
    assert memory.sync().commits == ()


def test_what_is_left_of_a_stopped_adoption_is_taken_in_by_the_next_sync(memory: Memory) -> None:
    identity = memory.root / "streams/identity.md"
    lines = "".join(f"- I like tea number {number}\n" for number in range(7))
    identity.write_text("# Identity\n\n" + lines, "utf-8")
    memory.sync(settle=False)
    with writer_lock(memory._vault):
        assert settle(memory._vault, most_adopted=3).left == 4
    assert identity.read_text("utf-8").count(" ^i-") == 3
    assert identity.read_text("utf-8").count("- I like tea") == 7
    report = memory.sync()
    assert len([each for each in report.learned if each.what == "adopted"]) == 4
    assert identity.read_text("utf-8").count(" ^i-") == 7


def test_a_bullet_that_is_deleted_between_two_portions_is_retracted(memory: Memory) -> None:
    identity = memory.root / "streams/identity.md"
    lines = "".join(f"- Shelf {number} holds box {number * 7}\n" for number in range(6))
    identity.write_text("# Identity\n\n" + lines, "utf-8")
    memory.sync(settle=False)
    vault = memory._vault
    with writer_lock(vault):
        first = settle(vault, most_adopted=3)
    assert first.level is not None
    rows = [row for row in identity.read_text("utf-8").splitlines(True) if "Shelf 1" not in row]
    identity.write_text("".join(rows).replace("Shelf 2 holds", "Shelf 2 had"), "utf-8")
    vault.level = first.level
    with writer_lock(vault):
        level.refresh(vault)
        second = settle(vault, most_adopted=3)
    vault.level = None
    whats = {each.what: each.text for each in second.learned if each.what != "adopted"}
    assert whats == {"retracted": "Shelf 1 holds box 7", "changed": "Shelf 2 had box 14"}
    assert sum(each.what == "adopted" for each in second.learned) == 3
    assert memory.sync().commits == ()
    assert memory.check().problems == ()
