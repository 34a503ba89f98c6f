"""What a YAML parser saw in front matter, as plain data with places: no YAML library here.

Every scalar is its source text: `yes`, `010`, `1.10` and dates mean nothing at this level.
"""

from __future__ import annotations

from vaultmem.base.records import dataclass

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
