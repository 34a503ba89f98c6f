"""Changing keys of a front-matter block by span: what is not a changed value stays as it is.

Text in, text out. The caller re-reads the result and compares (frontmatter.patch), so a mistake
here is a refused edit and never a damaged note.
"""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from itertools import pairwise

from vaultmem.base.errors import PatchRefusedError
from vaultmem.base.patterns import late
from vaultmem.storage.notes.frontmatter.nodes import (
    Listing,
    Mapping,
    Node,
    Opaque,
    Scalar,
    Value,
    is_link,
    texts,
    value_of,
)
from vaultmem.storage.notes.frontmatter.write import Given, flow_word, key_lines, scalar

TRUE_WORDS = frozenset(["true", "yes", "on", "1"])
FALSE_WORDS = frozenset(["false", "no", "off", "0"])

_NUMBER = late(r"[+-]?\d{1,18}(?:\.\d{0,18})?")
_Edit = tuple[int, int, str]  # replace [start, end) by text


def edited(block: str, root: Mapping, changes: Values[str, Given], *, eol: str) -> str:
    """The block with these keys set (None: deleted); new keys come last, in the order given.

    block  lines between the fences, each with its line end
    raises PatchRefusedError for a value that cannot be replaced without loss
    """
    edits: list[_Edit] = []
    added: list[str] = []
    present = {key.text: (key, node) for key, node in texts(root)}
    for name, wanted in changes.items():
        if name not in present:
            added += key_lines(name, wanted, indent=_dash_indent(block, root))
            continue
        key, node = present[name]
        if wanted is None:
            edits += _deletion(block, key, node)
        elif not says(value_of(node, block), wanted):
            _require_own_lines(block, key)
            edits += _replacement(block, key, node, wanted, eol)
    margin = " " * _column(block, root.pairs[0][0].start) if root.pairs else ""
    return _applied(block, edits) + "".join(f"{margin}{line}{eol}" for line in added)


def says(value: Value, wanted: Given) -> bool:
    """Whether a key already holds what it is to be set to, however it is spelled."""
    if isinstance(wanted, str | tuple) or wanted is None or not isinstance(value, str):
        return value == wanted and isinstance(value, str) == isinstance(wanted, str)
    if isinstance(wanted, bool):
        return value.casefold() in (TRUE_WORDS if wanted else FALSE_WORDS)
    return _NUMBER.fullmatch(value) is not None and float(value) == float(wanted)


def _replacement(block: str, key: Scalar, node: Node, wanted: Given, eol: str) -> list[_Edit]:
    """Edits that give an existing key another value."""
    kept = wanted if isinstance(wanted, tuple) else ()
    if _would_lose(block, node, kept):
        raise PatchRefusedError(
            f"'{key.text}' holds a nested value that would be lost",
            line=_line(block, key.start),
            hint="change it in an editor",
        )
    if isinstance(node, Listing) and not is_link(node, block):
        if not node.flow and kept:
            return _changed_elements(block, node, kept, eol)
        if node.flow and isinstance(wanted, tuple):
            return [(node.start, node.end, _flow(block, node, wanted))]
        if not node.flow:
            colon = block.index(":", key.end) + 1
            return [(colon, colon, " " + _inline(wanted)), *_element_lines(block, node)]
    if kept:
        after = _line_end(block, node.end)
        lines = key_lines("k", kept, indent=_indent_of(block, key) + "  ")[1:]
        colon = block.index(":", key.end) + 1
        return [(colon, node.end, ""), (after, after, "".join(line + eol for line in lines))]
    if node.start == node.end:
        return [(node.start, node.start, " " + _inline(wanted))]
    style = node.style if isinstance(node, Scalar) else ""
    quote = style if style in ("'", '"') else ""
    return [(node.start, node.end, _inline(wanted, quote=quote, typed=not style))]


def _inline(wanted: Given, *, quote: str = "", typed: bool = False) -> str:
    """A value on the line of its key; a tuple here is always an empty one."""
    if isinstance(wanted, tuple) or wanted is None:
        return "[]"
    return scalar(wanted, quote=quote, typed=typed)


def _would_lose(block: str, node: Node, kept: Sequence[str]) -> bool:
    value = value_of(node, block)
    nested = [value] if isinstance(value, Opaque) else []
    if isinstance(value, tuple):
        nested = [element for element in value if isinstance(element, Opaque)]
    if isinstance(node, Listing) and node.flow and "\n" in block[node.start : node.end]:
        return "#" in block[node.start : node.end]  # perhaps a comment
    return any(element not in kept for element in nested)


def _changed_elements(block: str, node: Listing, wanted: tuple[str, ...], eol: str) -> list[_Edit]:
    """Edits of a block list: lines of elements that stay are not touched, nor are comments."""
    value = value_of(node, block)
    old = value if isinstance(value, tuple) else ()
    first = 0
    while first < min(len(old), len(wanted)) and old[first] == wanted[first]:
        first += 1
    last = 0
    while last < min(len(old), len(wanted)) - first and old[-1 - last] == wanted[-1 - last]:
        last += 1
    lines = _element_lines(block, node)
    fresh = wanted[first : len(wanted) - last]
    margin = " " * _column(block, node.start)
    quote = '"' if all(isinstance(i, Scalar) and i.style == '"' for i in node.items) else ""
    text = "".join(f"{margin}- {scalar(element, quote=quote)}{eol}" for element in fresh)
    place = lines[first - 1][1] if first else lines[0][0]
    return [(place, place, text), *lines[first : len(lines) - last]]


def _element_lines(block: str, node: Listing) -> list[_Edit]:
    """For each element of a block list, the edit that takes its lines away."""
    column = _column(block, node.start)
    edits: list[_Edit] = []
    for item in node.items:
        start = _line_start(block, item.start)
        while block[start : start + column].strip(" ") or block[start + column] != "-":
            if start == 0:
                raise _misplaced(block, item)
            start = _line_start(block, start - 1)
        edits.append((start, _line_end(block, item.end), ""))
    if any(before[1] > after[0] for before, after in pairwise(edits)):
        raise _misplaced(block, node)
    return edits


def _flow(block: str, node: Listing, wanted: tuple[str, ...]) -> str:
    """A `[a, b]` list with these elements; those that were there keep their spelling."""
    value = value_of(node, block)
    old = value if isinstance(value, tuple) else ()
    spelled = {
        text: block[item.start : item.end] for text, item in zip(old, node.items, strict=True)
    }
    return "[" + ", ".join(spelled.get(text) or flow_word(text) for text in wanted) + "]"


def _deletion(block: str, key: Scalar, node: Node) -> list[_Edit]:
    """Edits that take a key's lines away; comment lines between list elements stay."""
    _require_own_lines(block, key)
    start = _line_start(block, key.start)
    if isinstance(node, Listing) and not node.flow:
        return [(start, _line_end(block, key.end), ""), *_element_lines(block, node)]
    return [(start, _line_end(block, max(key.end, node.end)), "")]


def _require_own_lines(block: str, key: Scalar) -> None:
    """Refuses keys that share their line with something else, such as `? key`."""
    if block[_line_start(block, key.start) : key.start].strip(" "):
        raise _misplaced(block, key)


def _misplaced(block: str, node: Node) -> PatchRefusedError:
    return PatchRefusedError(
        "front matter is written in a way that cannot be changed safely",
        line=_line(block, node.start),
        hint="write one 'key: value' a line",
    )


def _dash_indent(block: str, root: Mapping) -> str:
    """How this block indents its lists relative to their keys; two spaces if it has none."""
    for key, node in root.pairs:
        if isinstance(node, Listing) and not node.flow:
            return " " * (_column(block, node.start) - _column(block, key.start))
    return "  "


def _indent_of(block: str, key: Scalar) -> str:
    return " " * _column(block, key.start)


def _applied(block: str, edits: list[_Edit]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [block[place:start], text]
        place = end
    return "".join([*pieces, block[place:]])


def _column(block: str, offset: int) -> int:
    return offset - _line_start(block, offset)


def _line_start(block: str, offset: int) -> int:
    return block.rfind("\n", 0, offset) + 1


def _line_end(block: str, offset: int) -> int:
    """The offset just after the line end that follows."""
    return block.find("\n", offset) + 1 or len(block)


def _line(block: str, offset: int) -> int:
    """The 1-based line of the file; the block begins on line 2."""
    return block.count("\n", 0, offset) + 2
