"""Nodes out of the event stream of a YAML parser; anything unsafe ends the walk at once.

Events expand nothing: an alias is a name, a merge key a scalar, a tag a string. So bombs cost
no more than their bytes, and depth is counted before anything nests (reliability.md 3.2).
No YAML library is imported here; events are told apart by the name of their class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vaultmem.storage.notes.frontmatter.guard import (
    MAX_DEPTH,
    MAX_KEYS,
    MAX_NODES,
    Refusal,
    too_deep,
)
from vaultmem.storage.notes.frontmatter.nodes import Listing, Mapping, Node, Scalar


class RefusedError(Exception):
    """The first thing in a block that is not read."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class TreeBuilder:
    """Builds one document's nodes from `next_event`, counting what it meets."""

    def __init__(self, next_event: Callable[[], Any], block: str, back: dict[int, str]) -> None:
        self._next = next_event
        self._block = block
        self._back = back  # see frontmatter_guard.hide_breaks
        self._nodes = 0

    def root(self) -> Node | None:
        """The root node; None when the block holds only comments. Raises RefusedError."""
        self._next()  # the start of the stream
        event = self._next()
        if _kind(event) == "StreamEndEvent":
            return None
        self._require_implicit(event)
        node = self._node(self._next(), 0)
        self._require_implicit(self._next())
        last = self._next()
        if _kind(last) != "StreamEndEvent":
            self._require_implicit(last, another=True)
        return node

    def _node(self, event: Any, depth: int) -> Node:
        kind, start = _kind(event), event.start_mark.index
        self._check(event, kind, depth)
        if kind == "ScalarEvent":
            return self._scalar(event)
        if kind == "SequenceStartEvent":
            items: list[Node] = []
            while _kind(event_ := self._next()) != "SequenceEndEvent":
                items.append(self._node(event_, depth + 1))
            end = event_.end_mark.index if event.flow_style else _end(items, start + 1)
            return Listing(items=tuple(items), flow=bool(event.flow_style), start=start, end=end)
        pairs: list[tuple[Node, Node]] = []
        while _kind(event_ := self._next()) != "MappingEndEvent":
            pairs.append(self._pair(event_, depth + 1))
            if len(pairs) > MAX_KEYS:
                hint = "move data into the text"
                message = f"front matter of more than {MAX_KEYS:,} keys"
                raise _refused("too-many-keys", message, hint, event_)
        end = event_.end_mark.index if event.flow_style else _end([v for _, v in pairs], start)
        return Mapping(pairs=tuple(pairs), flow=bool(event.flow_style), start=start, end=end)

    def _pair(self, event: Any, depth: int) -> tuple[Node, Node]:
        key = self._node(event, depth)
        if isinstance(key, Scalar) and key.text == "<<" and not key.style:
            raise _refused(
                "yaml-alias", "a merge key '<<' is not read", "write the keys out", event
            )
        return key, self._node(self._next(), depth)

    def _scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        style = event.style or ""
        if style in ("|", ">"):
            end = start + len(self._block[start:end].rstrip())
        text = event.value.translate(self._back) if self._back else event.value
        return Scalar(text=text, style=style, start=start, end=end)

    def _check(self, event: Any, kind: str, depth: int) -> None:
        """Raises RefusedError for aliases, anchors, tags, depth and size."""
        if kind == "AliasEvent" or event.anchor is not None:
            mark = "alias '*" if kind == "AliasEvent" else "anchor '&"
            raise _refused(
                "yaml-alias",
                f"a YAML {mark}{event.anchor}' is not read",
                "put text that begins with * or & in quotes",
                event,
            )
        if event.tag is not None:
            raise _refused(
                "yaml-tag",
                f"a YAML tag '{event.tag}' is not read",
                "put text that begins with ! in quotes",
                event,
            )
        if depth > MAX_DEPTH and kind != "ScalarEvent":
            raise RefusedError(too_deep(event.start_mark.index))
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _refused(
                "front-matter-too-large",
                f"front matter of more than {MAX_NODES:,} keys and values",
                "move lists into the text",
                event,
            )

    def _require_implicit(self, event: Any, *, another: bool = False) -> None:
        """Raises RefusedError for `--- text` or `... text`, which begin another document."""
        if another or getattr(event, "explicit", False):
            hint = "put quotes around text that begins with --- or ..."
            raise _refused("bad-yaml", "front matter holds a YAML document mark", hint, event)


def check_keys(root: Mapping) -> Refusal | None:
    """Why the keys of a root mapping are not read: twice the same, or not a text."""
    seen: set[str] = set()
    for key, _ in root.pairs:
        if not isinstance(key, Scalar):
            message, hint = "a key of front matter is a list or mapping", "use a plain word"
            return Refusal(code="complex-key", message=message, hint=hint, offset=key.start)
        if key.text in seen:
            message, hint = f"the key '{key.text}' occurs twice", "delete one of the two"
            return Refusal(code="duplicate-key", message=message, hint=hint, offset=key.start)
        seen.add(key.text)
    return None


def _end(nodes: list[Node], empty: int) -> int:
    return nodes[-1].end if nodes else empty


def _kind(event: Any) -> str:
    return type(event).__name__


def _refused(code: str, message: str, hint: str, event: Any) -> RefusedError:
    offset = event.start_mark.index
    return RefusedError(Refusal(code=code, message=message, hint=hint, offset=offset))
