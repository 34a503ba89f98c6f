"""The front matter of a note: found, read as text, and changed without touching other bytes.

python-frontmatter and PyYAML read; they never write: they re-sort keys, drop comments and re-spell
dates (reliability.md 3.2). Everything is text: the source of each scalar, whatever YAML would take
it for.

Promises
* Flat blocks are read by one pattern, all others by a YAML parser behind guards; where both
  answer, they answer the same (tests/storage/notes/test_frontmatter.py).
* A bomb of aliases costs no more than its bytes: events expand nothing.

Never: writes a key that it was not asked to set.

Where is the rule for ...
    which blocks are read quickly               fast.py
    which blocks are refused                    yaml.py
    keys, body and problems of any bytes        slow.py
    how a key is set, how a value is spelled    write.py
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Values
from functools import cache
from pathlib import PurePosixPath

from vaultmem.base import Any
from vaultmem.storage.notes.frontmatter import yaml
from vaultmem.storage.notes.frontmatter.fast import MAX_CHARACTERS, read_nodes, read_values
from vaultmem.storage.notes.frontmatter.slow import FrontMatter, body_problems, read_slowly
from vaultmem.storage.notes.frontmatter.write import Given, patch_front_matter, render
from vaultmem.storage.notes.frontmatter.yaml import (
    Listing,
    Mapping,
    Node,
    Opaque,
    Refusal,
    RefusedError,
    Scalar,
    TreeBuilder,
    Value,
    check_keys,
)
from vaultmem.storage.notes.markdown import Parts, split

__all__ = [
    "FrontMatter",
    "Given",
    "Opaque",
    "Parts",
    "Value",
    "compose",
    "parse",
    "patch",
    "read",
    "render",
    "split",
]


def read(data: bytes, path: PurePosixPath) -> FrontMatter:
    """The front matter and body of a note. Never fails; what is wrong is among the problems."""
    if data.startswith(b"---\n"):
        end = data.find(b"\n---\n", 3, MAX_CHARACTERS)
        if end >= 0:
            try:
                block, body = data[4 : end + 1].decode(), data[end + 5 :].decode()
            except UnicodeDecodeError:
                return read_slowly(data, path, parse)
            values = read_values(block)
            if values is not None and "\0" not in body:
                line = block.count("\n") + 3
                return FrontMatter(
                    values=values,
                    body=body,
                    body_line=line,
                    block=block,
                    problems=body_problems(body, line, path)
                    if "<<<<<<< " in body or "[!conflict]" in body
                    else (),
                )
    return read_slowly(data, path, parse)


def patch(data: bytes, changes: Values[str, Given]) -> bytes:
    """The note with these keys set, or deleted where None; every other byte survives.

    A key that already says it keeps its spelling. New keys come before the closing fence, in
    the file's line ends. A note without front matter gains a block and a blank line, which go
    again with the last key. The result is read again and compared with what was there.
    Raises PatchRefusedError, with line and hint, when the note cannot be read or when another
    key would be affected.
    """
    return patch_front_matter(data, changes, compose)


def compose(block: str) -> Mapping | Refusal:
    """The nodes of a block with their places, or why it is not read; never fails."""
    quick = read_nodes(block)
    return quick if quick is not None else parse(block)


def parse(block: str) -> Mapping | Refusal:
    """As `compose`, by the YAML parser only."""
    refusal = yaml.inspect(block)
    if refusal is not None:
        return refusal
    try:
        root = _load(block)
    except RefusedError as error:
        return error.refusal
    if root is None or (isinstance(root, Scalar) and root.is_null):
        return Mapping(pairs=(), flow=False, start=0, end=0)
    if not isinstance(root, Mapping):
        what = "a list" if isinstance(root, Listing) else "text"
        return Refusal(
            code="not-a-mapping",
            message=f"front matter is {what} where 'key: value' lines belong",
            hint="put a blank line above the first --- if this is no front matter",
            offset=root.start,
        )
    return check_keys(root) or root


def _load(block: str) -> Node | None:
    """The root node, None for a block of comments; raises RefusedError."""
    from frontmatter.default_handlers import YAMLHandler
    from yaml import MarkedYAMLError, YAMLError

    hidden, back = yaml.hide_breaks(block)
    try:
        root: Node | None = YAMLHandler().load(hidden, Loader=_tree_loader(back))
    except (YAMLError, ValueError, OverflowError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        problem = str(getattr(error, "problem", None) or error)
        offset = mark.index if mark is not None else None
        at = block[offset : offset + 1] if offset is not None else ""
        refusal = Refusal(
            code="bad-yaml",
            message=f"front matter is not YAML: {problem}",
            hint=yaml.hint_for(problem, at),
            offset=offset,
        )
        raise RefusedError(refusal) from error
    return root


def _tree_loader(back: dict[int, str]) -> Callable[[str], Any]:
    """What PyYAML calls a loader: a parser whose single datum is our tree of nodes."""

    def loader(block: str) -> Any:
        parser = _parser_type()(block)
        parser.tree = TreeBuilder(parser.get_event, block, back)
        return parser

    return loader


@cache
def _parser_type() -> Any:
    from frontmatter.default_handlers import SafeLoader  # libyaml's where there is one

    base: Any = SafeLoader

    class TreeParser(base):  # type: ignore[misc]  # either of two classes, known at run time
        tree: TreeBuilder

        def get_single_data(self) -> Node | None:
            return self.tree.root()

    return TreeParser
