"""Events and texts are proposed for erasing by age; what the person keeps is exempt."""

from __future__ import annotations

import json
import os

from tests.cli.commands import command
from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.model.leaving import Aged

OLD, PINNED = "I saw the comet on 2026-03-01.", "I met the mayor on 2026-03-02."


def filled(memory: Memory) -> None:
    memory.remember(OLD, kind="event")
    memory.remember(PINNED, kind="event", pinned=True)
    memory.remember("My sister Anna lives in Porto.")


def told(found: Aged) -> list[tuple[str, str]]:
    return sorted((note.type, note.text) for note in found.notes)


def test_what_is_older_than_the_retention_is_listed_and_nothing_is_done(
    memory: Memory, clock: FixedClock
) -> None:
    filled(memory)
    head = memory.vault.status().head
    clock.advance(days=90)
    assert memory.maintain.aged(days=91).notes == ()
    clock.advance(days=1)
    found = memory.maintain.aged()
    assert [kind for kind, _ in told(found)] == ["item", "resource", "resource"]
    assert (found.days, found.exempt) == (90, 2)  # the pinned one, and the text that it is from
    assert all("mayor" not in text for _, text in told(found))
    assert OLD in [text for _, text in told(found)]
    assert memory.vault.status().head == head
    assert memory.maintain.aged(days=0) == Aged(days=0)


def test_the_age_is_a_setting_and_counts_from_when_the_vault_has_it(
    memory: Memory, clock: FixedClock
) -> None:
    file = memory.root / "vaultmem.toml"
    file.write_text(file.read_text("utf-8") + "\n[privacy]\nretention_days = 10\n", "utf-8")
    with Memory(memory.root, clock=clock) as own:
        own.remember("I saw Halley's comet on 1986-02-09.", kind="event")
        assert own.maintain.aged().notes == ()
        clock.advance(days=11)
        assert len(own.maintain.aged().notes) == 2


def test_the_text_of_a_pinned_item_stays_by_whatever_name(
    memory: Memory, clock: FixedClock
) -> None:
    pinned = 'id: i-aaaaaaaaaa\npinned: true\nsource: "[[A letter]]"'
    for folder, name, text in (
        ("resources", "A letter", "---\nid: r-aaaaaaaaaaaa\n---\n\nThe roof was mended.\n"),
        ("items", "Roof", f"---\n{pinned}\n---\n\nThe roof was mended.\n"),
    ):
        (memory.root / folder).mkdir(exist_ok=True)
        (memory.root / folder / f"{name}.md").write_text(text, "utf-8")
    memory.sync()
    clock.advance(days=200)
    found = memory.maintain.aged()
    assert (found.notes, found.exempt) == ((), 1)


def test_on_paper_it_lists_unless_told_to(memory: Memory, clock: FixedClock) -> None:
    filled(memory)
    clock.advance(days=200)

    def run(*options: str) -> str:
        now = {"VAULTMEM_NOW": "2026-10-01T00:00:00Z"}
        words = ["--vault", str(memory.root), "forget", *options]
        done = command(words, environ={**os.environ, **now})
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    listed = run("--aged")
    assert "in the vault for more than 90 days: 3 notes; 2 more stay" in listed
    assert "nothing was done" in listed
    assert len(json.loads(run("--aged", "--json"))["notes"]) == 3
    assert run("--aged", "--purge", "--yes").startswith("erased 3 notes")
    with Memory(memory.root) as again:
        assert PINNED in [row.statement for row in again.list()]
