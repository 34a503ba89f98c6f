"""Conversations in an export: the person's to the byte, anybody else's inert."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory

CODE = "```html\n<script>a</script>\r\n\n  <%= b %>\n```"
FOLDER = "resources/sessions/2026-03-11-heron"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Memory]]:
    known: dict[str, Memory] = {}

    def open_(name: str) -> Memory:
        if name not in known:
            clock = FixedClock()
            Memory.init(tmp_path / name, name=name, clock=clock)
            known[name] = Memory(tmp_path / name, clock=clock)
        return known[name]

    yield open_
    for each in known.values():
        each.close()


def document(memory: Memory) -> dict[str, Any]:
    out = BytesIO()
    memory.export(out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def told(memory: Memory) -> None:
    session = memory.session("heron", title="Building Heron")
    session.turn("We use Postgres. Never use tabs.", "Noted <script>x</script>.")
    session.turn(f"Keep this:\n{CODE}", "Kept.", state='{"step": 2, "who": "ä"}')
    text = "".join(
        f"Line {number} of a report about herons and their nests.\n" for number in range(250)
    )
    session.turn(text, "Read.")
    session.turn(text.replace("Line 7 ", "Row 7 "), "Read again.")


def files(memory: Memory) -> dict[str, bytes]:
    root = memory.root / "resources"
    return {f.relative_to(root).as_posix(): f.read_bytes() for f in root.rglob("*") if f.is_file()}


def test_a_conversation_of_ones_own_comes_back_to_the_byte(opened: Callable[[str], Memory]) -> None:
    a, b = opened("a"), opened("b")
    told(a)
    found = json.dumps(document(a)).encode()
    done = b.import_from(found, writer="person")
    assert files(a) == files(b)
    assert len(done.attached) == 4
    session = b.session("heron", start=False)
    assert [line.text for line in session.show().truth if line.hard] == ["Never use tabs."]
    assert session.show().state == {"step": 2, "who": "ä"}
    assert session.artifacts(turn=4) == a.session("heron").artifacts(turn=4)
    assert b.import_from(found, writer="person").commit is None  # a second time changes nothing
    assert document(b)["attached"] == document(a)["attached"]
    b.undo()
    assert files(b) == {}


@pytest.mark.parametrize("writer", ["person", "import"])
def test_what_came_since_follows(opened: Callable[[str], Memory], writer: str) -> None:
    a, b = opened("a"), opened("b")
    told(a)
    b.import_from(json.dumps(document(a)).encode(), writer=writer)
    for each in (a, b):
        assert isinstance(each.opened.clock, FixedClock)
        each.opened.clock.advance(seconds=60)
    a.session("heron").turn("The port is 80.", f"Like so:\n{CODE}", state='{"step": 5}')
    done = b.import_from(json.dumps(document(a)).encode(), writer=writer)
    assert (done.conflicts, done.skipped) == ((), ())
    views = [each.session("heron", start=False).show() for each in (a, b)]
    assert views[0].log == views[1].log
    assert views[0].state == views[1].state
    assert views[0].artifacts == views[1].artifacts


def test_somebody_elses_is_inert_and_its_rules_wait(opened: Callable[[str], Memory]) -> None:
    a, b = opened("a"), opened("b")
    told(a)
    done = b.import_from(json.dumps(document(a)).encode())
    session = b.session("heron", start=False)
    view = session.show()
    assert [(line.text, line.hard) for line in view.truth] == [("We use Postgres.", False)]
    assert [line.text for line in view.held] == ["Never use tabs."]
    assert "Never use tabs" not in session.prompt("What now?").system
    assert [waits.id for waits in b.review.waiting()] == ["heron:t1-2"]
    for name in ("artifacts/t2-1.html", "state.json"):
        assert (b.root / FOLDER / name).read_bytes() == (a.root / FOLDER / name).read_bytes()
    assert len(done.attached) == 4
    assert session.show().log == a.session("heron").show().log
    assert session.artifacts(turn=4) == a.session("heron").artifacts(turn=4)
    assert b.check().problems == ()


ODD: tuple[tuple[str, str | None, str], ...] = (
    (f"{FOLDER}/artifacts/t1-1.html", "other", "another file of that name is here"),
    (f"{FOLDER}/artifacts/../../../../x.py", "x", "neither an artifact"),
    (f"{FOLDER}/artifacts/t1-1.md", "# A note", "neither an artifact"),
    (f"{FOLDER}/artifacts/t2-1.py", "x", "has no such turn"),
    (f"{FOLDER}/notes.txt", "x", "neither an artifact"),
    (f"{FOLDER}_state.json", "x", "neither an artifact"),
    ("resources/sessions/2026-03-11-egret/state.json", "{}", "conversation is not in"),
    (f"{FOLDER}/artifacts/t1-2.py", "AKIA" + "IOSFODNN7EXAMPLQ", "looks like a secret"),
    (f"{FOLDER}/state.json", "{", "it is no JSON"),
    (f"{FOLDER}/artifacts/t1-2.py", None, "needs either"),
)


def test_what_does_not_belong_stays_in_the_file(opened: Callable[[str], Memory]) -> None:
    a, b = opened("a"), opened("b")
    a.session("heron").turn(f"Keep this:\n{CODE}", "Kept.")
    found = document(a)
    b.import_from(json.dumps(found).encode(), writer="person")
    before = files(b)
    found["attached"] = [
        {"path": path} | ({} if text is None else {"text": text}) for path, text, _ in ODD
    ]
    done = b.import_from(json.dumps(found).encode(), writer="person")
    assert [each.place for each in done.skipped] == [f"attached[{n}]" for n in range(len(ODD))]
    for skipped, (_, _, why) in zip(done.skipped, ODD, strict=True):
        assert why in skipped.why
    assert files(b) == before


def test_files_of_another_conversation_of_that_name_do_not_mix(
    opened: Callable[[str], Memory],
) -> None:
    a, b = opened("a"), opened("b")
    told(a)
    b.session("heron").turn("We talk about something else.", "Yes.")
    done = b.import_from(json.dumps(document(a)).encode())
    assert {each.why for each in done.skipped} == {"its conversation is not the one that is here"}
    assert b.session("heron").show().artifacts == ()
