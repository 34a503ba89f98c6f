"""What `check` finds between notes, by the files of those items alone that are in question."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.api.memory import Memory
from vaultmem.base.records import replace
from vaultmem.check.between_notes import BETWEEN_NOTES, Survey
from vaultmem.model.notes import Item
from vaultmem.vault.unsettled import read_record

NOTE = """---
id: {id}
kind: fact
valid_from: 2026-01-02
status: {status}
source:
  - https://example.org/
{more}importance: 3
confidence: 0.7
writer: person
trust: user
---

{statement}
"""


def write(
    memory: Memory, id_: str, statement: str, *, status: str = "active", more: str = ""
) -> None:
    file = memory.root / f"items/2026/01/02/note-{id_}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(NOTE.format(id=id_, statement=statement, status=status, more=more))


def test_the_files_in_question_show_all_that_reading_every_item_shows(memory: Memory) -> None:
    write(memory, "i-aaaaaaaaaa", "The shed is green.")
    write(
        memory,
        "i-bbbbbbbbbb",
        "The shed is red.",
        more='supersedes:\n  - "[[note-i-aaaaaaaaaa]]"\n',
    )
    write(memory, "i-cccccccccc", "The roof leaks.")
    write(
        memory,
        "i-dddddddddd",
        "The roof is dry.",
        more='contradicts:\n  - "[[note-i-cccccccccc]]"\n',
    )
    write(memory, "i-eeeeeeeeee", "The gate is open.", more='category:\n  - "[[home]]"\n')
    write(
        memory, "i-ffffffffff", "It was shut.", more='may_replace:\n  - "[[note-i-eeeeeeeeee]]"\n'
    )
    for number, town in enumerate(("Graz", "Linz")):
        slot = f"subject: user\npredicate: lives_in\nobject: {town}\n"
        write(memory, f"i-{number}{'g' * 9}", f"I live in {town}.", more=slot)
    for number in range(20):
        write(memory, f"i-{number:02}hhhhhhhh", f"Plain fact number {number}.")
    listed = memory.remember("I prefer oat milk.", stream="identity").items[0]
    stream = memory.root / "streams/identity.md"
    memory.sync()
    # A checkout of the person's own, after which lists and items say different things.
    stream.write_text(stream.read_text().replace("oat milk", "soy milk"))
    memory.sync(settle=False)
    vault = memory.opened
    with vault.index.writing():
        vault.index.set_meta("settled", vault.history.head() or "")
    survey = Survey.of(vault)
    records = [read_record(vault, row.path) for row in survey.rows]
    whole = replace(survey, items=tuple(each for each in records if isinstance(each, Item)))
    assert len(whole.items) - len(survey.items) >= 20, "plain facts are not read"
    assert PurePosixPath(str(listed.path)) in {each.path for each in survey.items}
    found = [
        [problem for look in BETWEEN_NOTES for problem in look(vault, each)]
        for each in (survey, whole)
    ]
    assert found[0] == found[1]
    assert {"one-way-supersession", "contradiction", "may-be-over"} <= {
        problem.code for problem in found[0]
    }
