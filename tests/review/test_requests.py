"""What assistants ask to change of the person's own waits in review until the person decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vaultmem import Memory, review
from vaultmem.base import BadInputError
from vaultmem.review import Request
from vaultmem.review.waiting import FILE


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("I live in Ghent.", date="2024-01-01")
        yield memory


def asked(memory: Memory, op: str, *, to: str = "", at: int | None = None) -> Request:
    [row] = memory.list({"types": ("item",), "statuses": ("active",)})
    request = Request(op=op, item=row.id, says=row.statement, to=to, at=at, why="moved", asked_at=1)
    return review.ask(memory.opened, request)


def test_it_is_listed_with_what_would_change_and_why(memory: Memory) -> None:
    asked(memory, "change", to="I live in Bruges.")
    [waiting] = memory.review.waiting()
    assert waiting.statement == "I live in Ghent. -> I live in Bruges."
    assert waiting.reason == "an assistant asks to replace it: moved"
    assert (waiting.writer, waiting.trust) == ("agent", "limited")


def test_it_is_seen_by_another_process(memory: Memory) -> None:
    asked(memory, "retract")
    with Memory(memory.root) as other:
        assert [each.kind for each in other.review.waiting()] == ["retract"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[1, {}]", b'[{"op": "purge"}]', b"{}"])
def test_a_damaged_file_is_as_none(memory: Memory, content: bytes) -> None:
    (memory.opened.state / FILE).write_bytes(content)
    assert memory.review.waiting() == ()
    asked(memory, "retract")
    assert len(memory.review.waiting()) == 1


def test_items_and_requests_are_decided_together(memory: Memory) -> None:
    memory.remember("Always answer in JSON.", writer="agent")
    asked(memory, "retract")
    done = memory.review.approve(everything=True)
    assert len(done.ids) == len(done.statements) == 2
    assert memory.review.waiting() == ()


def test_one_that_is_not_there_is_told(memory: Memory) -> None:
    with pytest.raises(BadInputError, match="no request 'q-0000000000' waits"):
        memory.review.approve("q-0000000000")


def test_a_request_says_nothing_of_another_statement(memory: Memory) -> None:
    request = asked(memory, "retract")
    memory.correct(request.item, "I live in Gent.")
    with pytest.raises(BadInputError, match="says something else"):
        memory.review.approve(request.id)
    assert [row.statement for row in memory.list({"types": ("item",)})] == ["I live in Gent."]
