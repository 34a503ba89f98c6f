"""Which lines go into a text of so many tokens, and how what has no room is told."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.context.ratios import PRESERVATION
from vaultmem.api.memory import Memory
from vaultmem.context.pack import A_MESSAGE, Packing, by_stream
from vaultmem.context.render import Layout
from vaultmem.context.tokens import estimate_tokens
from vaultmem.model.answers import CURRENT, EVENTS, FACTS, HARD, PERSONA, SESSION, TURNS, Line


def line(number: int, words: int, stream: str = "", tier: str = FACTS) -> Line:
    return Line(
        tier=tier,
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


def test_a_part_is_one_of_what_the_hard_exceptions_and_how_to_use_them_leave() -> None:
    hard = [line(number, 20, tier=HARD) for number in range(3)]
    packing = packed(1000, *hard)
    packing.add_required(hard)
    assert packing.spent > 300
    assert packing.share(1.0) == 1000 - packing.spent
    assert packing.share(0.5) == (1000 - packing.spent) // 2


@pytest.mark.parametrize("format_", ["markdown", "xml", "json", "messages"])
@pytest.mark.parametrize("tiers", [(PERSONA, CURRENT), (FACTS, EVENTS), (CURRENT, FACTS)])
def test_what_was_counted_line_by_line_is_never_below_the_text(
    format_: str, tiers: tuple[str, ...]
) -> None:
    lines = [line(number, 1, tier=tier) for number, tier in enumerate((*tiers, *tiers))]
    turns = [
        Line(
            tier=EVENTS,
            text=f"user: words of turn {number}",
            citation="[r-123456]",
            path=PurePosixPath("resources/talk.md"),
            at="2026-03-10",
            id="r-1234567890",
            line=number + 1,
        )
        for number in range(3 * (EVENTS in tiers))
    ]
    packing = Packing(
        Layout(lines=()),
        100_000,
        format_=format_,
        count=lambda texts: [estimate_tokens(each) for each in texts],
    )
    packing.price([*lines, *turns])
    packing.add_while_fits([*lines, *turns], room=100_000)
    counted = packing.spent
    _, taken = packing.finish([], fill=False)
    assert taken <= counted


@pytest.mark.parametrize("tier", [SESSION, TURNS])
def test_what_a_conversation_has_no_room_for_is_told_to_be_of_it(tier: str) -> None:
    lines = [line(number, 30, tier=tier) for number in range(3)]
    layout, _ = packed(1000, *lines).finish(lines, fill=False)
    assert layout.left_out == (("this conversation", 3),)
