"""Boxes in columns and the lines between them, as JSON Canvas 1.0 (jsoncanvas.org). Pure.

The same board gives the same bytes. No two boxes overlap, but for a group and what is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from vaultmem.base import Any, NamedTuple

RED, ORANGE, YELLOW, GREEN, CYAN, PURPLE = "123456"
OURS = "vaultmem-"  # how the names of all boxes and lines begin that vaultmem draws
CARD_WIDTH = 380  # pixels, as the positions below: a note of two paragraphs is read without zooming
FILE_HEIGHT = 220
PADDING = 30  # between a group's frame and its cards, and between cards
GAP = 120  # between groups: a line with its label has room
LABEL_ROOM = 20  # above the cards of a group: its label stands on the frame
_LINE_CHARACTERS = 40  # of a card, at the usual size of text
_LINE_HEIGHT = 26
_MOST_HEIGHT = 420
_TITLE_WIDTH = 800
# Obsidian adds keys of its own when it saves; these are what a person sees and moves.
_SEEN = (
    *("id", "type", "x", "y", "width", "height", "color", "text", "file", "subpath", "url"),
    *("label", "background", "fromNode", "toNode", "fromSide", "toSide"),
)


class Card(NamedTuple):
    """A note, or words."""

    key: str  # of this board
    text: str = ""  # Markdown; of a card without a file
    file: str = ""  # path, relative to the folder that Obsidian opened; '': words
    color: str = ""


class Group(NamedTuple):
    """Cards in a frame, one below the other."""

    key: str
    label: str
    cards: Sequence[Card]
    color: str = ""


class Line(NamedTuple):
    """What leads from one card or group to another."""

    start: str
    end: str
    label: str = ""
    color: str = ""


class Board(NamedTuple):
    """All that is drawn: columns of groups, from left to right, below a title."""

    title: str  # Markdown
    columns: Sequence[Sequence[Group]]
    lines: Sequence[Line]


class Box(NamedTuple):
    """Where something lies: the left upper corner, and its size."""

    x: int
    y: int
    width: int
    height: int


def spread(groups: Sequence[Group], columns: int) -> list[list[Group]]:
    """The groups in columns of about one height: each to the shortest, ties to the left."""
    found: list[list[Group]] = [[] for _ in range(columns)]
    heights = [0] * columns
    for group in groups:
        shortest = heights.index(min(heights))
        found[shortest].append(group)
        heights[shortest] += _group_height(group) + GAP
    return [column for column in found if column]


def render(board: Board) -> bytes:
    """The file, a box or line of it on a line of its own, as Obsidian writes it."""
    boxes = _places(board)
    groups = [group for column in board.columns for group in column]
    nodes: list[dict[str, Any]] = []
    for group in groups:  # what comes first lies below
        node = {"type": "group", **boxes[group.key]._asdict(), "label": group.label}
        nodes.append(_node(group.key, node, group.color))
    for group in groups:
        for card in group.cards:
            what = (
                {"type": "file", "file": card.file}
                if card.file
                else {"type": "text", "text": card.text}
            )
            nodes.append(_node(card.key, {**what, **boxes[card.key]._asdict()}, card.color))
    edges = [_edge(line, boxes) for line in board.lines]
    height = _height(board.title)
    title = Box(0, -height - GAP, _TITLE_WIDTH, height)._asdict()
    first = {"id": OURS, "type": "text", "text": board.title, **title}
    first["id"] = OURS + _digest([first, *nodes], edges)
    return _file([first, *nodes], edges)


def is_untouched(data: bytes) -> bool | None:
    """Whether a canvas is as vaultmem made it; None: vaultmem did not make it.

    What a person moved, coloured, wrote or added counts; keys that Obsidian adds do not.
    """
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    nodes, edges = _objects(read.get("nodes")), _objects(read.get("edges"))
    if not nodes or edges is None:
        return None
    ids = [str(each.get("id", "")) for each in (*nodes, *edges)]
    if not any(id_.startswith(OURS) for id_ in ids):
        return None
    blank = [{**nodes[0], "id": OURS}, *nodes[1:]]
    return ids[0] == OURS + _digest(blank, edges)


def _objects(listed: object) -> list[dict[str, Any]] | None:
    found: list[Any] = listed if isinstance(listed, list) else [listed]
    return found if all(isinstance(each, dict) for each in found) else None


def _places(board: Board) -> dict[str, Box]:
    """Where each group and each card lies, by key."""
    found: dict[str, Box] = {}
    x = 0
    for column in board.columns:
        y = 0
        for group in column:
            height = _group_height(group)
            found[group.key] = Box(x, y, CARD_WIDTH + 2 * PADDING, height)
            at = y + PADDING + LABEL_ROOM
            for card in group.cards:
                found[card.key] = Box(x + PADDING, at, CARD_WIDTH, _card_height(card))
                at += _card_height(card) + PADDING
            y += height + GAP
        x += CARD_WIDTH + 2 * PADDING + GAP
    return found


def _group_height(group: Group) -> int:
    return LABEL_ROOM + PADDING + sum(_card_height(card) + PADDING for card in group.cards)


def _card_height(card: Card) -> int:
    return FILE_HEIGHT if card.file else _height(card.text)


def _height(text: str) -> int:
    """Of a card with so much text; what has more is scrolled."""
    lines = sum(1 + len(row) // _LINE_CHARACTERS for row in text.split("\n"))
    return min(_MOST_HEIGHT, 40 + lines * _LINE_HEIGHT)


def _node(key: str, what: Mapping[str, Any], color: str) -> dict[str, Any]:
    node = {"id": _id(key), **what}
    return {**node, "color": color} if color else node


def _edge(line: Line, boxes: Mapping[str, Box]) -> dict[str, Any]:
    start, end = boxes[line.start], boxes[line.end]
    if start.x == end.x:
        is_down = start.y <= end.y
        sides = ("bottom", "top") if is_down else ("top", "bottom")
    else:
        sides = ("right", "left") if start.x < end.x else ("left", "right")
    edge = {
        "id": _id(f"{line.start}\n{line.end}\n{line.label}"),
        "fromNode": _id(line.start),
        "fromSide": sides[0],
        "toNode": _id(line.end),
        "toSide": sides[1],
    }
    more = {"color": line.color, "label": line.label}
    return edge | {name: value for name, value in more.items() if value}


def _id(key: str) -> str:
    return OURS + sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _digest(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> str:
    """Of what is seen of boxes and lines, in any order: a program may sort them anew."""
    told = sorted(
        json.dumps({name: each[name] for name in _SEEN if name in each}, sort_keys=True)
        for each in (*nodes, *edges)
    )
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def _file(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> bytes:
    def rows(listed: Sequence[Mapping[str, Any]]) -> str:
        told = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in listed)
        return ",".join(f"\n\t\t{each}" for each in told) + "\n\t" * bool(listed)

    text = f'{{\n\t"nodes":[{rows(nodes)}],\n\t"edges":[{rows(edges)}]\n}}\n'
    return text.encode("utf-8", "replace")
