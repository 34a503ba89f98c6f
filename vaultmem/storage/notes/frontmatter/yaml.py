"""Front matter before and after a YAML parser: safety, plain nodes, and nodes from its events.

Events expand nothing: an alias is a name, a merge key a scalar, a tag a string. So bombs cost
no more than their bytes, and depth is counted before anything nests (reliability.md 3.2).
No YAML library is imported here; events are told apart by the name of their class.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vaultmem.base import Any, dataclass, late

# --- what is refused before a parser sees it ---

# libyaml dies at 30,000 nested brackets and a 331-byte merge-key bomb takes 15 s
# (reliability.md 3.2), so size, controls and nesting are looked at on the raw text. Depth,
# anchors, tags and merge keys are checked again, exactly, on the stream of parser events
# (storage/notes/frontmatter/__init__.py), where nothing recurses and nothing is expanded.
MAX_BLOCK_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_KEYS = 1000
MAX_NODES = 10_000

QUOTE_HINT = "put the value in quotes"

# U+0085 is left out: people's editors take it for a character of the text (see `hide_breaks`).
_CONTROL = late(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]|\ufffe|\uffff")
_CONFLICT = late(r"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_QUOTED = late(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_BRACKET = late(r"[\[\]{}]")
_DASHES = late(rf"^ *(?:[-?] +){{{MAX_DEPTH + 1}}}", re.MULTILINE)
_FOREIGN_BREAKS = "\x85\u2028\u2029\ufeff"
_PRIVATE_USE = range(0x10FF00, 0x10FFFD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why front matter is not read."""

    code: str
    message: str
    hint: str = ""
    offset: int | None = None  # characters into the block; None: the block as a whole


def too_large(block_bytes: int) -> Refusal | None:
    """Refuses a block above the limit, before it is even decoded."""
    if block_bytes <= MAX_BLOCK_BYTES:
        return None
    return Refusal(
        code="front-matter-too-large",
        message=f"front matter of {block_bytes:,} bytes, more than {MAX_BLOCK_BYTES:,}",
        hint="move the text below the closing ---",
    )


def inspect(block: str) -> Refusal | None:
    """The first reason not to show the block to a YAML parser."""
    control = _CONTROL.search(block)
    if control is not None:
        return Refusal(
            code="control-character",
            message=f"front matter holds the control character U+{ord(control.group()):04X}",
            hint="delete the character",
            offset=control.start(),
        )
    conflict = _CONFLICT.search(block)
    if conflict is not None:
        return Refusal(
            code="conflict-markers",
            message="front matter holds an unresolved merge conflict",
            hint="keep one side and delete the lines with <<<<<<<, ======= and >>>>>>>",
            offset=conflict.start(),
        )
    deep = _deep_at(block)
    return None if deep is None else too_deep(deep)


def too_deep(offset: int) -> Refusal:
    """Refuses nesting beyond the limit."""
    return Refusal(
        code="too-deep",
        message=f"front matter is nested more than {MAX_DEPTH} levels deep",
        hint="use flat keys and lists",
        offset=offset,
    )


def hide_breaks(block: str) -> tuple[str, dict[int, str]]:
    """The block with U+0085, U+2028, U+2029 and U+FEFF replaced, and the way back.

    YAML takes the first three for line ends and the last for a byte order mark; people's editors
    do not. Each stands for one private-use character that the block does not hold, so that
    offsets stay true. Undo with `str.translate`.
    """
    if not any(mark in block for mark in _FOREIGN_BREAKS):
        return block, {}
    free = (chr(code) for code in _PRIVATE_USE if chr(code) not in block)
    there = dict(zip(_FOREIGN_BREAKS, free, strict=False))
    back = {ord(stand_in): mark for mark, stand_in in there.items()}
    return block.translate({ord(mark): stand_in for mark, stand_in in there.items()}), back


def hint_for(problem: str, character: str) -> str:
    """What to do about a YAML parser's complaint at a `character` of the block."""
    if "mapping values are not allowed" in problem:
        return f"{QUOTE_HINT}: it holds ': '"
    if character == "\t":
        return "indent with spaces, not with a tab"
    if "cannot start any token" in problem or "alias" in problem:
        return f"{QUOTE_HINT}: it begins with {character!r}" if character else QUOTE_HINT
    if "end of stream" in problem or "document indicator" in problem:
        return "close the quotes or brackets"
    if "expected ':'" in problem:
        return "write 'key: value', and indent lines that continue a value"
    return "compare the line with its neighbours: a quote, bracket or space may be missing"


def _deep_at(block: str) -> int | None:
    """Where brackets or dashes seem to nest too deep; quoted text does not count.

    A quick look that may miss a case (an apostrophe hides what follows it on the line), never
    the only one.
    """
    dashes = _DASHES.search(block)
    if dashes is not None:
        return dashes.start()
    if block.count("[") + block.count("{") <= MAX_DEPTH:
        return None
    bare = _QUOTED.sub(lambda found: " " * len(found.group()), block)
    depth = 0
    for found in _BRACKET.finditer(bare):
        depth = depth + 1 if found.group() in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            return found.start()
    return None


# --- nodes: what a parser saw, as plain data with places ---

# Every scalar is its source text: `yes`, `010`, `1.10` and dates mean nothing at this level.
NULLS = frozenset(["", "~", "null", "Null", "NULL"])  # YAML 1.2 core schema, plain style only


class Opaque(str):
    """YAML source of a nested value of the person: kept as it is, not understood."""

    __slots__ = ()


Value = str | tuple[str, ...] | None
"""Text, a list of texts, or None for a key without a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One text. Offsets are characters of the block, `end` exclusive, as in all nodes."""

    text: str  # quotes and escapes resolved, folded lines joined
    style: str  # '' plain, '"', "'", '|' or '>'
    start: int
    end: int  # of a block scalar: without its last line ends

    @property
    def is_null(self) -> bool:
        """Whether YAML reads it as no value."""
        return not self.style and self.text in NULLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A sequence."""

    items: tuple[Node, ...]
    flow: bool  # written `[a, b]`
    start: int  # of a block list: its first dash
    end: int  # of a block list: the end of its last element


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """A mapping, in the order of the file."""

    pairs: tuple[tuple[Node, Node], ...]
    flow: bool  # written `{a: b}`
    start: int
    end: int


Node = Scalar | Listing | Mapping


def texts(root: Mapping) -> list[tuple[Scalar, Node]]:
    """The pairs of a mapping whose key is a text; of an accepted root that is all of them."""
    return [(key, node) for key, node in root.pairs if isinstance(key, Scalar)]


def value_of(node: Node, source: str) -> Value:
    """What a key's node says; nested values are `Opaque`.

    An unquoted wiki link `[[A]]`, which YAML takes for a list in a list, is its own text.
    """
    if isinstance(node, Scalar):
        return None if node.is_null else node.text
    if isinstance(node, Mapping) or is_link(node, source):
        return _whole(node, source)
    return tuple(_element(item, source) for item in node.items)


def meaning(node: Node) -> object:
    """The node without places and spelling: equal for two nodes that say the same."""
    if isinstance(node, Scalar):
        return (node.is_null, node.text)
    if isinstance(node, Listing):
        return [meaning(item) for item in node.items]
    return {"pairs": [(meaning(key), meaning(value)) for key, value in node.pairs]}


def is_link(node: Node, source: str) -> bool:
    """Whether an unquoted `[[A]]` or `[[A|B]]` was taken for a list in a list."""
    if not isinstance(node, Listing) or not node.flow or len(node.items) != 1:
        return False
    inner = node.items[0]
    return (
        isinstance(inner, Listing)
        and inner.flow
        and all(isinstance(item, Scalar) for item in inner.items)
        and source.startswith("[[", node.start)
        and source.startswith("]]", node.end - 2)
    )


def _element(node: Node, source: str) -> str:
    if isinstance(node, Scalar):
        return node.text
    return _whole(node, source)


def _whole(node: Listing | Mapping, source: str) -> str:
    text = source[node.start : node.end].replace("\r\n", "\n")
    return text if is_link(node, source) else Opaque(text)


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
        self._back = back  # see `hide_breaks`
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
                raise _refused_error("too-many-keys", message, hint, event_)
        end = event_.end_mark.index if event.flow_style else _end([v for _, v in pairs], start)
        return Mapping(pairs=tuple(pairs), flow=bool(event.flow_style), start=start, end=end)

    def _pair(self, event: Any, depth: int) -> tuple[Node, Node]:
        key = self._node(event, depth)
        if isinstance(key, Scalar) and key.text == "<<" and not key.style:
            raise _refused_error(
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
            raise _refused_error(
                "yaml-alias",
                f"a YAML {mark}{event.anchor}' is not read",
                "put text that begins with * or & in quotes",
                event,
            )
        if event.tag is not None:
            raise _refused_error(
                "yaml-tag",
                f"a YAML tag '{event.tag}' is not read",
                "put text that begins with ! in quotes",
                event,
            )
        if depth > MAX_DEPTH and kind != "ScalarEvent":
            raise RefusedError(too_deep(event.start_mark.index))
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _refused_error(
                "front-matter-too-large",
                f"front matter of more than {MAX_NODES:,} keys and values",
                "move lists into the text",
                event,
            )

    def _require_implicit(self, event: Any, *, another: bool = False) -> None:
        """Raises RefusedError for `--- text` or `... text`, which begin another document."""
        if another or getattr(event, "explicit", False):
            hint = "put quotes around text that begins with --- or ..."
            raise _refused_error("bad-yaml", "front matter holds a YAML document mark", hint, event)


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


def _refused_error(code: str, message: str, hint: str, event: Any) -> RefusedError:
    offset = event.start_mark.index
    return RefusedError(Refusal(code=code, message=message, hint=hint, offset=offset))
