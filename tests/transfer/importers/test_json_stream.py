"""JSON of any length, one element at a time."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.transfer.importers import json_stream
from vaultmem.transfer.importers.json_stream import BrokenElementError, elements, lines, outline

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


class Slow(BytesIO):
    """A stream that gives few bytes at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 7, 7) if size != -1 else 7)


@given(st.lists(VALUES, max_size=6), st.booleans(), st.sampled_from([None, 1]))
def test_the_elements_are_those_of_the_whole(
    values: list[Any], is_ascii: bool, indent: int | None
) -> None:
    text = json.dumps(values, ensure_ascii=is_ascii, indent=indent)
    data = text.encode("utf-8", "surrogatepass")
    found = list(elements(Slow(data)))
    assert found == json.loads(data.decode("utf-8", "replace"))


@given(st.lists(VALUES, max_size=3), VALUES, VALUES)
def test_a_list_within_objects_is_found_with_what_stands_beside(
    values: list[Any], before: Any, after: Any
) -> None:
    whole = {"a": before, "chats": {"x": 1, "list": values, "y": after}}
    beside: dict[str, Any] = {}
    data = json.dumps(whole).encode()
    assert list(elements(Slow(data), ("chats", "list"), beside=beside)) == values
    assert beside == {"a": before, "x": 1, "y": after}


def broken(text: str) -> list[Any]:
    """The elements, 'broken' for those that cannot be read."""
    found = elements(Slow(text.encode()))
    return ["broken" if isinstance(each, BrokenElementError) else each for each in found]


def test_an_element_that_is_no_json_is_stepped_over() -> None:
    assert broken('[{"a": 1}, {"b": oops, "c": ["]", {}]}, {"d": 2}]') == [
        {"a": 1},
        "broken",
        {"d": 2},
    ]
    assert broken('[{"a": 1}, {"b": "cut of') == [{"a": 1}, "broken"]
    assert broken('[{"a": 1},') == [{"a": 1}, "broken"]
    assert broken("[" + "[" * 100_000) == ["broken"]
    assert broken("") == []
    assert broken("[]") == []


def test_an_element_beyond_the_bound_is_stepped_over(monkeypatch: Any) -> None:
    monkeypatch.setattr(json_stream, "LARGEST_ELEMENT", 1000)
    monkeypatch.setattr(json_stream, "CHUNK", 64)
    long = json.dumps({"x": ["]" * 50] * 200})
    assert broken(f'[{{"a": 1}}, {long}, {{"b": 2}}]') == [{"a": 1}, "broken", {"b": 2}]
    data = b'{"a": 1}\n' + long.encode() + b'\n{"b": 2}\n'
    told = ["broken" if isinstance(e, BrokenElementError) else e for e in lines(BytesIO(data))]
    assert told == [{"a": 1}, "broken", {"b": 2}]


def test_the_outline_of_a_beginning_names_keys_by_their_place() -> None:
    text = '[{"title": "a \\"mapping\\": [", "mapping": {"x": {"id": 1}}, "list": [{"k": nul'
    assert outline(text) == {
        "[].title",
        "[].mapping",
        "[].mapping.x",
        "[].mapping.x.id",
        "[].list",
        "[].list[].k",
    }
