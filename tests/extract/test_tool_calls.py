"""Tool calls of messages stand in the text of a turn, and are read from it again."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.extract.prepare import LONGEST_VALUE, calls_in, parse, render, with_calls

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
)


@given(st.lists(st.tuples(st.from_regex(r"[a-z_]{1,12}", fullmatch=True), TEXTS), max_size=4))
def test_what_is_written_is_read_again(called: list[tuple[str, str]]) -> None:
    calls = [{"name": name, "input": {"text": value}} for name, value in called]
    found = list(calls_in(with_calls("Done.", {"tool_calls": calls})))
    named = [name.strip("_") for name, _ in called]
    assert [name for name, _ in found] == [name for name in named if name]
    values = [json.loads(told)["text"] for _, told in found]
    assert values == [value[:LONGEST_VALUE] for name, value in called if name.strip("_")]


def test_the_usual_formats_are_read_and_survive_the_resource() -> None:
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "read", "input": {}}]},
        {
            "role": "assistant",
            "content": "Done.",
            "tool_calls": [{"function": {"name": "edit", "arguments": '{"path": "```"}'}}],
        },
    ]
    turns = parse(json.dumps(messages))
    again = parse(render(turns))
    assert [list(calls_in(turn.text)) for turn in again] == [
        [],
        [("read", "{}")],
        [("edit", '{"path": "```"}')],
    ]
    assert [turn.text for turn in again] == [turn.text for turn in turns]
