"""One member or element more in JSON with comments; every other byte stays. Pure.

JSON, JSON with comments and trailing commas (VS Code, opencode), a BOM, CRLF, tabs, one line or
many. A library that keeps comments (json5, jsonc-parser) writes its own form anew or is no Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from vaultmem.base import Any, BadInputError, dataclass, field, late

_SPACE = " \t\r\n\ufeff"
_DEEPEST = 200
# The rest of a line that holds nothing but a comment.
_BESIDE = late(r"[ \t]*(?://[^\r\n]*|(?:/\*[^\r\n]*?\*/[ \t]*)+)(?=\r?\n)")

_COMMENT = late(r"[ \t]*(?://[^\r\n]*|/\*.*?\*/)\s*", re.DOTALL)


@dataclass(slots=True, kw_only=True)
class Node:
    """A value in a text: where it begins and ends, and what it holds."""

    start: int
    end: int = 0
    kind: str = "plain"  # object, array, plain
    members: list[tuple[str, int, Node]] = field(default_factory=list)  # key, its place, value
    comma: int = -1  # place of a comma behind the last one; -1: none


@dataclass(frozen=True, slots=True, kw_only=True)
class Insertion:
    """What came into a text, and where it begins there."""

    at: int
    text: str

    def into(self, text: str) -> str:
        """The text with it."""
        return text[: self.at] + self.text + text[self.at :]


def parse(text: str) -> Node:
    """The value that a text is; raises BadInputError with the line where it is none."""
    reader = _Reader(text)
    node = reader.value(0)
    reader.skip()
    if reader.at != len(text):
        raise reader.wrong("something stands behind the value")
    return node


def value_of(text: str) -> Any:
    """What a text means; raises BadInputError."""
    if not text.strip(_SPACE):
        return {}
    return _plain(text, parse(text))


def find(node: Node, path: Sequence[str]) -> Node | None:
    """The value below these keys; None where there is none. Of a key that is twice, the last."""
    for key in path:
        inner = [value for name, _, value in node.members if name == key]
        if node.kind != "object" or not inner:
            return None
        node = inner[-1]
    return node


def plan_insertions(
    text: str, path: Sequence[str], value: Any, *, in_list: bool = False
) -> tuple[Insertion, ...]:
    """What makes `value` stand at a path that is free, or behind the last element of a list there.

    In the order in which they come into the text.
    raises  BadInputError where something else than an object, or a list, is on the way
    """
    line = "\r\n" if "\r\n" in text else "\n"
    if not text.strip(_SPACE):
        whole: Any = [value] if in_list else value
        for key in reversed(path):
            whole = {key: whole}
        return (Insertion(at=len(text), text=_render_value(whole, "  ", "", line) + line),)
    root = parse(text)
    depth = 0
    while depth < len(path) and find(root, path[: depth + 1]) is not None:
        depth += 1
    place = find(root, path[:depth])
    assert place is not None  # the root is there
    if depth == len(path):
        if not in_list:
            raise BadInputError(f"there is a '{'.'.join(path)}' already")
        return _in_container(text, place, "array", "", value)
    value = [value] if in_list else value
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    return _in_container(text, place, "object", f"{json.dumps(path[depth])}: ", value)


def _in_container(text: str, node: Node, kind: str, name: str, value: Any) -> tuple[Insertion, ...]:
    """Behind the last member, and behind a comment that stands beside it."""
    if node.kind != kind:
        where = text.count("\n", 0, node.start) + 1
        raise BadInputError(f"line {where} holds something else than an {kind}")
    line = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_of(text, node.start)
    if not node.members:
        inner = outer + _unit(text)
        closes = "" if "\n" in text[node.start : node.end] else line + outer
        body = _render_value(value, _unit(text), inner, line)
        return (Insertion(at=node.start + 1, text=f"{line}{inner}{name}{body}{closes}"),)
    _, first, _ = node.members[0]
    _, _, last = node.members[-1]
    comma = () if node.comma >= 0 else (Insertion(at=last.end, text=","),)
    at = last.end + 1 if comma else node.comma + 1
    if "\n" not in text[node.start : first]:
        return (*comma, Insertion(at=at, text=f" {name}{json.dumps(value, ensure_ascii=False)}"))
    beside = _BESIDE.match(text, at - len(comma))
    at += len(beside[0]) if beside else 0
    inner = _indent_of(text, first)
    unit = inner[len(outer) :] if inner.startswith(outer) and inner != outer else _unit(text)
    body = _render_value(value, unit, inner, line)
    return (*comma, Insertion(at=at, text=f"{line}{inner}{name}{body}"))


def without_member(text: str, path: Sequence[str], index: int | None = None) -> str:
    """The text without the member at a path, or without one element of the list there."""
    root = parse(text)
    holder = find(root, path if index is not None else path[:-1])
    if holder is None:
        return text
    places = [
        number
        for number, (key, _, _) in enumerate(holder.members)
        if (number == index if index is not None else key == path[-1])
    ]
    if not places:
        return text
    number = places[-1]
    _, start, value = holder.members[number]
    if number:  # with the comma before it
        before = holder.members[number - 1][2].end
        comments = "".join(_COMMENT.findall(text[before:start])).rstrip()
        return text[:before] + comments + text[value.end :]
    if len(holder.members) > 1:
        return text[:start] + text[holder.members[1][1] :]
    end = holder.comma + 1 if holder.comma >= 0 else value.end
    rest = text[end : holder.end - 1]
    begin = holder.start + 1
    kept = text[begin:start].rstrip() + ("" if not rest.strip() else rest)
    return text[:begin] + kept + text[holder.end - 1 :]


def _render_value(value: Any, unit: str, indent: str, line: str) -> str:
    whole = json.dumps(value, ensure_ascii=False, indent=unit or "  ")
    return whole.replace("\n", f"{line}{indent}")


def _indent_of(text: str, at: int) -> str:
    """White space at the beginning of the line of a place."""
    begin = text.rfind("\n", 0, at) + 1
    whole = text[begin:at].lstrip("\ufeff")
    return whole[: len(whole) - len(whole.lstrip(" \t"))]


def _unit(text: str) -> str:
    """By how much the first indented line is."""
    for each in text.splitlines():
        bare = each.lstrip(" \t")
        if bare and bare != each and not bare.startswith(("*", "//")):
            return each[: len(each) - len(bare)]
    return "  "


def _plain(text: str, node: Node) -> Any:
    if node.kind == "object":
        return {key: _plain(text, value) for key, _, value in node.members}
    if node.kind == "array":
        return [_plain(text, value) for _, _, value in node.members]
    return json.loads(text[node.start : node.end])


class _Reader:
    """Reads a text from the left."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def wrong(self, why: str) -> BadInputError:
        return BadInputError(f"not JSON, line {self.text.count(chr(10), 0, self.at) + 1}: {why}")

    def skip(self) -> None:
        """White space and comments."""
        text = self.text
        while self.at < len(text):
            if text[self.at] in _SPACE:
                self.at += 1
            elif text.startswith("//", self.at):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif text.startswith("/*", self.at):
                end = text.find("*/", self.at + 2)
                if end < 0:
                    raise self.wrong("a comment does not end")
                self.at = end + 2
            else:
                return

    def value(self, depth: int) -> Node:
        self.skip()
        if depth > _DEEPEST:
            raise self.wrong("too deep")
        opening = self.text[self.at : self.at + 1]
        node = Node(start=self.at)
        if opening == "{":
            self._container(node, "object", "}", depth)
        elif opening == "[":
            self._container(node, "array", "]", depth)
        else:
            self._scalar()
        node.end = self.at
        return node

    def _container(self, node: Node, kind: str, closing: str, depth: int) -> None:
        node.kind = kind
        self.at += 1
        while True:
            self.skip()
            if self.text[self.at : self.at + 1] == closing:
                self.at += 1
                return
            if node.members and node.comma < 0:
                raise self.wrong("a comma is missing")
            start, key, node.comma = self.at, "", -1
            if kind == "object":
                key = self._key()
            node.members.append((key, start, self.value(depth + 1)))
            self.skip()
            if self.text[self.at : self.at + 1] == ",":
                node.comma = self.at
                self.at += 1

    def _key(self) -> str:
        start = self.at
        if self.text[start : start + 1] != '"':
            raise self.wrong("a name in quotes was expected")
        self._scalar()
        key = json.loads(self.text[start : self.at])
        self.skip()
        if self.text[self.at : self.at + 1] != ":":
            raise self.wrong("a colon is missing")
        self.at += 1
        return str(key)

    def _scalar(self) -> None:
        try:
            _, self.at = json.JSONDecoder(strict=False).raw_decode(self.text, self.at)
        except ValueError as error:
            raise self.wrong("a value was expected") from error
