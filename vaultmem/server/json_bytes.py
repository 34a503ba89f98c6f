"""A JSON object whose values can be changed while all its other bytes stay. Pure.

What a client sends beside what we change (its tools, its messages) goes on as it wrote it: no
number, escape or order of keys is ours, and what its provider keeps of a prompt stays the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from vaultmem.base import Any, BadInputError, dataclass, late

_SPACE = late(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """An object and where in its text the values lie."""

    values: Mapping[str, Any]
    text: str
    spans: Mapping[str, tuple[int, int]]  # of the last value of each name: that one counts

    def with_values(self, values: Mapping[str, Any]) -> bytes:
        """The bytes with these values in the place of theirs, or in front where there is none."""
        pieces, at = [], 0
        for name in sorted(self.spans.keys() & values.keys(), key=lambda name: self.spans[name]):
            start, end = self.spans[name]
            pieces += [self.text[at:start], json.dumps(values[name])]
            at = end
        pieces.append(self.text[at:])
        new = [
            f"{json.dumps(name)}: {json.dumps(value)}"
            for name, value in values.items()
            if name not in self.spans
        ]
        text = "".join(pieces)
        if new:
            begin = text.index("{") + 1
            text = f"{text[:begin]}{', '.join(new)}{', ' if self.spans else ''}{text[begin:]}"
        return text.encode()


def read_object(body: bytes) -> JsonObject:
    """The object that a body holds; raises BadInputError."""
    try:
        return _read(body.decode())
    except (ValueError, RecursionError) as error:
        raise BadInputError("the request is not a JSON object in UTF-8") from error


def _read(text: str) -> JsonObject:
    values: dict[str, Any] = {}
    spans: dict[str, tuple[int, int]] = {}
    at = _behind_space(text, 0)
    is_first = True
    at = _behind(text, at, "{")
    while text[at : at + 1] != "}" or not is_first:
        name, at = _DECODER.raw_decode(text, at)
        if not isinstance(name, str):
            raise ValueError("a name is no string")
        at = _behind(text, _behind_space(text, at), ":")
        values[name], end = _DECODER.raw_decode(text, at)
        spans[name] = (at, end)
        at = _behind_space(text, end)
        is_first = False
        if text[at : at + 1] == "}":
            break
        at = _behind(text, at, ",")
    if _behind_space(text, at + 1) != len(text):
        raise ValueError("something stands behind the object")
    return JsonObject(values=values, text=text, spans=spans)


def _behind(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise ValueError(f"no {mark} at {at}")
    return _behind_space(text, at + 1)


def _behind_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
