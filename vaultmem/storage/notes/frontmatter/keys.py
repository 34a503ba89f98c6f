"""Setting and deleting keys of a note's front matter, with proof that nothing else changed.

The reader is handed in by frontmatter.py, the one module that knows a YAML parser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vaultmem.base.errors import PatchRefusedError
from vaultmem.storage.files.decoding import looks_foreign, read_foreign
from vaultmem.storage.notes.frontmatter import nodes
from vaultmem.storage.notes.frontmatter.edit import edited, says
from vaultmem.storage.notes.frontmatter.fences import Parts, looks_unclosed, split
from vaultmem.storage.notes.frontmatter.guard import Refusal, too_large
from vaultmem.storage.notes.frontmatter.nodes import meaning, texts, value_of
from vaultmem.storage.notes.frontmatter.write import Given, key_lines

Compose = Callable[[str], nodes.Mapping | Refusal]


def patched(data: bytes, changes: Mapping[str, Given], compose: Compose) -> bytes:
    """The note with these keys set, or deleted where None; see `frontmatter.patch`."""
    _require_utf8(data)
    parts = split(data)
    if not parts.opening:
        return _with_block(parts, changes)
    _require_small(parts.block)
    before = parts.block.decode()
    # Offsets are easier in LF; a block that is CRLF throughout goes back to it unchanged.
    is_crlf = before.count("\r\n") == before.count("\n") == before.count("\r") > 0
    block = before.replace("\r\n", "\n") if is_crlf else before
    root = _require_read(compose(block), block)
    if root.flow:
        raise PatchRefusedError(
            "front matter in braces { } cannot be changed without rewriting it",
            line=2,
            hint="write one 'key: value' a line",
        )
    eol = parts.eol.decode()
    after = edited(block, root, changes, eol="\n" if is_crlf else eol)
    if after == block:
        return data
    if not block and parts.body.startswith(parts.eol):
        after = _marked(after, compose(after))
    _require_only(changes, (block, root), (after, compose(after)))
    final = (after.replace("\n", "\r\n") if is_crlf else after).encode()
    _require_small(final)
    return _joined(parts, final, drops=not _is_marked(block, root))


def _with_block(parts: Parts, changes: Mapping[str, Given]) -> bytes:
    """A note without front matter, with a block and one blank line put above its body."""
    if looks_unclosed(parts):
        raise PatchRefusedError(
            "front matter begins but does not end",
            line=1,
            hint="put a line --- below the last key",
        )
    eol = parts.eol.decode()
    lines = [line for key, value in changes.items() for line in key_lines(key, value)]
    if not lines:
        return parts.bom + parts.body
    block = "".join(f"{line}{eol}" for line in ("---", *lines, "---", "")).encode()
    _require_small(block)
    return parts.bom + block + parts.body


def _joined(parts: Parts, block: bytes, *, drops: bool) -> bytes:
    """The note with its new block; an empty one goes with its blank line if it was ours."""
    if drops and not block and parts.body.startswith(parts.eol):
        bare = parts.bom + parts.body[len(parts.eol) :]
        if not split(bare).opening:
            return bare
    result = parts.joined(block)
    if split(result).block != block:
        raise PatchRefusedError("the change would move the end of the front matter", line=2)
    return result


def _marked(block: str, root: nodes.Mapping | Refusal) -> str:
    """The block with a second space after its first colon.

    It tells an empty block that the person had from one that `_with_block` made, so that
    deleting a key that was added gives the same bytes in both cases.
    """
    if isinstance(root, Refusal) or not root.pairs:
        return block
    colon = block.index(":", root.pairs[0][0].end)
    return f"{block[: colon + 1]} {block[colon + 1 :]}"


def _is_marked(block: str, root: nodes.Mapping) -> bool:
    if not root.pairs:
        return True
    colon = block.index(":", root.pairs[0][0].end)
    return block[colon + 1 : colon + 3] in ("  ", " \n", " \r")


def _require_only(
    changes: Mapping[str, Given],
    before: tuple[str, nodes.Mapping],
    after: tuple[str, nodes.Mapping | Refusal],
) -> None:
    """Raises PatchRefusedError unless exactly the changed keys say something else."""
    block, found = after
    if isinstance(found, Refusal):
        line = None if found.offset is None else 2 + block.count("\n", 0, found.offset)
        raise _unsafe(f"it would not be read again: {found.message}", line)
    new = {key.text: value_of(node, block) for key, node in texts(found)}
    for name, wanted in changes.items():
        if wanted is None and name in new:
            raise _unsafe(f"'{name}' would not be gone", None)
        if wanted is not None and not says(new.get(name), wanted):
            raise _unsafe(f"'{name}' would be read differently", None)
    kept = [_said(tree, changes) for tree in (before[1], found)]
    if kept[0] != kept[1]:
        raise _unsafe("another key would change", None)


def _said(root: nodes.Mapping, changes: Mapping[str, Given]) -> list[tuple[object, object]]:
    """What the keys that are not to change say, in order."""
    return [(key.text, meaning(node)) for key, node in texts(root) if key.text not in changes]


def _unsafe(why: str, line: int | None) -> PatchRefusedError:
    return PatchRefusedError(
        f"front matter cannot be changed safely: {why}",
        line=line,
        hint="change it in an editor",
    )


def _require_read(root: nodes.Mapping | Refusal, block: str) -> nodes.Mapping:
    if isinstance(root, Refusal):
        line = 1 if root.offset is None else 2 + block.count("\n", 0, root.offset)
        raise PatchRefusedError(root.message, line=line, hint=root.hint)
    return root


def _require_small(block: bytes) -> None:
    refusal = too_large(len(block))
    if refusal is not None:
        raise PatchRefusedError(refusal.message, line=1, hint=refusal.hint)


def _require_utf8(data: bytes) -> None:
    """Raises PatchRefusedError for notes in another encoding, which are only searched."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        place = error.start
    else:
        if b"\0" not in data or not looks_foreign(data):
            return
        place = data.index(0)
    raise PatchRefusedError(
        f"the note is {read_foreign(data).name}, not UTF-8",
        line=data.count(b"\n", 0, place) + 1,
        hint="save it as UTF-8 in your editor",
    )
