"""Which lines go into a text of so many tokens, and how what has no room is told."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.context.ratios import PRESERVATION
from vaultmem.api.memory import Memory
from vaultmem.context.pack import A_MESSAGE, Packing, by_stream
from vaultmem.context.render import Layout
from vaultmem.context.tokens import estimate_tokens
from vaultmem.model.answers import FACTS, Line


def line(number: int, words: int, stream: str = "") -> Line:
    return Line(
        tier=FACTS,
        text=" ".join([f"memory{number}"] * words),
        citation=f"[i-{number:06}]",
        path=PurePosixPath(f"items/{number}.md"),
        at="",
        id=f"i-{number:010}",
        stream=stream,
    )


def packed(budget: int, *lines: Line) -> Packing:
    """A packing of this budget that knows what the lines cost."""
    packing = Packing(
        Layout(lines=()),
        budget,
        format_="markdown",
        count=lambda texts: [estimate_tokens(each) for each in texts],
    )
    packing.price(lines)
    return packing


def test_each_message_costs_what_a_chat_adds_to_it(memory: Memory) -> None:
    memory.remember("Leni is allergic to hazelnuts. We need to buy a bicycle.")
    pack = memory.context("what may Leni eat", format="messages")
    assert len(pack.messages) > 1
    said = sum(estimate_tokens(each.content) for each in pack.messages)
    assert pack.tokens == said + A_MESSAGE * len(pack.messages)


def test_no_line_is_taken_that_the_budget_does_not_hold_however_much_room_its_part_has() -> None:
    lines = [line(number, 20) for number in range(20)]
    packing = packed(400, *lines)
    used = packing.add_while_fits(lines, room=10_000)
    assert used > 0
    assert packing.free >= 0
    assert packing.spent <= 400


def test_where_most_found_no_room_is_told_first() -> None:
    lines = [line(number, 30, "tasks") for number in range(12)]
    lines += [line(20 + number, 30, "projects") for number in range(4)]
    lines += [line(40 + number, 30) for number in range(8)]
    layout, _ = packed(1000, *lines).finish(lines, fill=False)
    assert layout.left_out == (("tasks", 12), ("other items", 8), ("projects", 4))


@pytest.mark.parametrize("stream", ["", "flow"])
def test_what_is_of_no_stream_shares_the_room_of_the_flow(stream: str) -> None:
    lines = [line(number, 20, "identity") for number in range(4)]
    lines += [line(10 + number, 20, stream) for number in range(4)]
    packing = packed(1000, *lines)
    room = packing.content(lines) // 2
    granted = by_stream(packing, lines, room, PRESERVATION)
    assert sum(granted.values()) == room
    assert 0 < granted["flow"] < granted["identity"] / 3
