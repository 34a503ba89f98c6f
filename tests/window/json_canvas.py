"""The rules of JSON Canvas 1.0 (jsoncanvas.org/spec/1.0), and that no two boxes overlap."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, cast

_TYPES = {
    "text": {"text": str},
    "file": {"file": str},
    "link": {"url": str},
    "group": {},
}
_OPTIONAL = {
    "text": (),
    "file": ("subpath",),
    "link": (),
    "group": ("label", "background", "backgroundStyle"),
}
_SIDES = ("top", "right", "bottom", "left")
_COLOR = re.compile(r"[1-6]|#[0-9A-Fa-f]{6}")
_PLACE = ("x", "y", "width", "height")


def broken_rules(text: str) -> list[str]:
    """What of a canvas is not as the specification has it; none for a valid one."""
    return list(_broken(json.loads(text)))


def _broken(canvas: object) -> Iterator[str]:
    if not isinstance(canvas, dict):
        yield "the top level is no object"
        return
    if canvas.keys() - {"nodes", "edges"}:
        yield f"unknown at the top: {canvas.keys()}"
    nodes = cast("Sequence[Mapping[str, Any]]", canvas.get("nodes", []))
    edges = cast("Sequence[Mapping[str, Any]]", canvas.get("edges", []))
    ids = [each.get("id") for each in (*nodes, *edges)]
    if len(set(ids)) != len(ids) or not all(isinstance(id_, str) and id_ for id_ in ids):
        yield "ids are not unique texts"
    for node in nodes:
        yield from _broken_node(node)
    known = {node.get("id") for node in nodes}
    for edge in edges:
        yield from _broken_edge(edge, known)


def _broken_node(node: Mapping[str, Any]) -> Iterator[str]:
    kind = node.get("type")
    if kind not in _TYPES:
        yield f"no type of node: {kind}"
        return
    if not all(type(node.get(name)) is int for name in _PLACE):
        yield f"places are whole numbers: {node}"
    elif min(node["width"], node["height"]) <= 0:
        yield f"no size: {node}"
    for name, of in _TYPES[kind].items():
        if not isinstance(node.get(name), of) or not node[name]:
            yield f"'{name}' is missing: {node}"
    if node.keys() - {"id", "type", "color", *_PLACE, *_TYPES[kind], *_OPTIONAL[kind]}:
        yield f"unknown keys: {node}"
    if "color" in node and not _COLOR.fullmatch(str(node["color"])):
        yield f"no color: {node}"


def _broken_edge(edge: Mapping[str, Any], known: set[Any]) -> Iterator[str]:
    if not {edge.get("fromNode"), edge.get("toNode")} <= known:
        yield f"leads nowhere: {edge}"
    for name in ("fromSide", "toSide"):
        if edge.get(name, "top") not in _SIDES:
            yield f"no side: {edge}"
    for name in ("fromEnd", "toEnd"):
        if edge.get(name, "none") not in ("none", "arrow"):
            yield f"no end: {edge}"
    if "color" in edge and not _COLOR.fullmatch(str(edge["color"])):
        yield f"no color: {edge}"
    allowed = {"id", "fromNode", "toNode", "fromSide", "toSide", "fromEnd", "toEnd"}
    if edge.keys() - {*allowed, "color", "label"} or not isinstance(edge.get("label", ""), str):
        yield f"unknown keys: {edge}"


def overlaps(text: str) -> list[tuple[str, str]]:
    """Ids of boxes that lie over each other; what lies wholly in a group is in it."""
    nodes = json.loads(text)["nodes"]
    return [
        (one["id"], other["id"])
        for one, other in combinations(nodes, 2)
        if _meet(one, other) and not (_holds(one, other) or _holds(other, one))
    ]


def _meet(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def _holds(group: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (
        group["type"] == "group"
        and other["type"] != "group"
        and all(
            group[at] <= other[at] and other[at] + other[size] <= group[at] + group[size]
            for at, size in (("x", "width"), ("y", "height"))
        )
    )
