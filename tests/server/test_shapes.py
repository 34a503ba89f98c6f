"""Nothing that a client or a server sends is believed to be of the shape that it should have."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import BadInputError
from vaultmem.models.http import NoEventsError, frames_of
from vaultmem.server.conversation import (
    Seen,
    SideRequests,
    fields_wanted,
    fold,
    marks_of,
    marks_sent,
    most_tokens,
    typed_words,
)
from vaultmem.server.proxy import read_object
from vaultmem.server.shapes import CHAT, MESSAGES, SHAPES, Shape

NAMES = [
    "messages",
    "input",
    "role",
    "content",
    "type",
    "text",
    "system",
    "instructions",
    "tools",
    "tool_calls",
    "function",
    "arguments",
    "cache_control",
    "metadata",
    "user_id",
    "user",
    "conversation",
    "id",
    "previous_response_id",
    "store",
    "prompt",
    "output",
    "item",
    "output_index",
    "delta",
    "index",
    "content_block",
    "stop_reason",
    "usage",
    "input_tokens",
    "prompt_tokens",
    "choices",
    "message",
    "finish_reason",
    "response",
    "object",
    "status",
    "error",
    "max_tokens",
    "response_format",
    "schema",
    "json_schema",
    "properties",
    "title",
    "partial_json",
]
WORDS = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "developer",
        "message",
        "text",
        "tool_use",
        "tool_result",
        "function_call",
        "end_turn",
        "response.completed",
        "response.output_item.done",
        "message_start",
        "content_block_delta",
        "Hello",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers(-2, 5) | st.floats(-1, 1) | st.text(max_size=3)
JSON = st.recursive(
    LEAVES | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=25,
)
TALK = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"])},
        optional={"content": JSON, "type": JSON, "tool_calls": JSON},
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.path[1:])
@given(rest=st.dictionaries(st.sampled_from(NAMES), JSON, max_size=6), talk=TALK)
@settings(max_examples=60, deadline=None)
def test_any_request_is_read_or_refused(
    shape: Shape, rest: dict[str, Any], talk: list[Any]
) -> None:
    request = {**rest, "messages": talk, "input": talk}
    for asked in (request, rest):
        with suppress(BadInputError):
            shape.require(asked)
            found = fold(shape.words(asked), who=shape.who(asked), key=shape.key(asked))
            marks_of(found, "Yes.", key="r1")
            seen = Seen(
                asked=found,
                said=("Hello",),
                system=shape.system(asked),
                agent="",
                has_tools=False,
                fields=fields_wanted(asked),
                most_tokens=most_tokens(asked),
            )
            SideRequests().is_beside(seen)
            shape.texts(asked)
            given_ = read_object(json.dumps(asked).encode())
            changes = shape.with_memory(asked, "MEMORY")
            sent = json.loads(given_.with_values(changes))
            assert "MEMORY" in json.dumps(sent)
            kept = {name: value for name, value in asked.items() if name not in changes}
            assert {name: sent[name] for name in kept} == json.loads(json.dumps(kept))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.path[1:])
@given(events=st.lists(JSON, max_size=6))
@settings(max_examples=60, deadline=None)
def test_any_reply_is_heard_as_far_as_it_makes_sense(shape: Shape, events: list[Any]) -> None:
    heard = shape.new_reply()
    for event in events:
        heard.take(json.dumps(event))
    heard.take(b"\xff{")
    assert isinstance(heard.text, str)
    assert all(isinstance(each, str) for each in heard.tool_texts)


@given(data=st.lists(st.sampled_from(["data: é\n", ": x\n", "\r\n", "\n", "\r", "event: a\n"])))
@settings(max_examples=100, deadline=None)
def test_the_bytes_of_the_events_are_those_that_came_wherever_they_are_cut(
    data: list[str],
) -> None:
    whole = "".join(data).encode()
    for size in (1, 2, 3, 7, len(whole) + 1):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        with suppress(NoEventsError):  # a cut lets a line begin that is none of a stream
            assert b"".join(frame.raw for frame in frames_of(pieces)) == whole


def test_an_event_goes_on_as_soon_as_it_is_whole() -> None:
    taken: list[bytes] = []

    def pieces() -> Any:
        for piece in (b"data: 1\n", b"\ndata", b": 2\r\n\r", b"\ndata: 3"):
            taken.append(piece)
            yield piece

    seen = [(frame.data, len(taken)) for frame in frames_of(pieces())]
    assert seen == [("1", 2), ("2", 4), ("3", 4)]


@pytest.mark.parametrize(
    ("texts", "own"),
    [
        (["<system-reminder>\nI live in Rome.\n</system-reminder>", "Hello"], "Hello"),
        (["# AGENTS.md instructions for /x\n\nI use tabs."], ""),
        (["I live in Graz. <private>My PIN is 1.</private>"], "I live in Graz."),
        (["Why is <system-reminder> in my prompt?"], "Why is <system-reminder> in my prompt?"),
        (["[Request interrupted by user]", "Go on."], "Go on."),
    ],
)
def test_the_persons_words_are_what_they_typed(texts: list[str], own: str) -> None:
    assert typed_words(texts) == own


def test_a_mark_of_what_is_to_be_kept_is_never_moved_or_added() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    blocks = [{"type": "text", "text": str(number), **mark} for number in range(3)]
    talk = [{"role": "user", "content": [blocks[2]]}]
    for request in (
        {"system": blocks[:2], "messages": talk},
        {"system": blocks[:2], "messages": [{"role": "user", "content": "Hello"}]},
        {"messages": [*talk, {"role": "assistant", "content": "Well,"}]},
    ):
        changes = MESSAGES.with_memory(request, "MEMORY")
        sent = {**request, **changes}
        before, after = (json.dumps(each).count("cache_control") for each in (request, sent))
        assert before == after


def test_words_that_are_too_long_are_the_same_when_they_come_back() -> None:
    long = "I keep bees. " * 20_000
    first = fold(MESSAGES.words({"messages": [{"role": "user", "content": long}]}))
    talk = [
        {"role": "user", "content": long},
        {"role": "assistant", "content": "Nice."},
        {"role": "user", "content": "Thanks!"},
    ]
    second = fold(MESSAGES.words({"messages": talk}))
    assert marks_sent(second).so_far == marks_of(first, "Nice.").so_far


def test_half_a_character_loses_no_turn() -> None:
    """JavaScript cuts between its halves: where it shortens a text, and where it streams one."""
    heard = CHAT.new_reply()
    for half in ("\\ud83e", "\\udd89", "\\ud83e"):
        heard.take('{"choices": [{"delta": {"content": "' + half + '"}}]}')
    assert heard.text == "\U0001f989\ufffd"
    request = {"messages": [{"role": "user", "content": "an owl \ud83e"}]}
    asked = fold(CHAT.words(request))
    assert asked.user == "an owl \ufffd"
    back = [("user", asked.user), ("assistant", "\U0001f989\ud83e"), ("user", "more")]
    assert marks_sent(fold(back)).so_far == marks_of(asked, heard.text).so_far
