"""The files of a conversation in memory, and the person's own words in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base.errors import StaleFileError


class Pages:
    """Files by path, read and written as those of a workbench."""

    def __init__(self, files: Mapping[PurePosixPath, bytes]) -> None:
        self._files = dict(files)

    def text(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a file; None where there is none."""
        return self._files.get(path)

    def existing(self, path: PurePosixPath) -> bytes:
        """The bytes of a file that is there."""
        data = self.text(path)
        if data is None:
            raise StaleFileError(path, expected=None, found=None)
        return data

    def put(self, path: PurePosixPath, data: bytes) -> None:
        """The file says this."""
        self._files[path] = data

    def remove(self, path: PurePosixPath) -> None:
        """There is no such file."""
        self._files.pop(path, None)


_OURS = (
    *("title", "session", "status", "started", "updated", "turns", "pruned", "archived"),
    *("date", "origin", "writer", "trust", "defanged", "derived"),
)


def with_persons_words(path: PurePosixPath, texts: Sequence[bytes], base: bytes | None) -> bytes:
    """The first text with what a person wrote into the others: keys, words around base truth.

    texts  as it is to be; then as each device has it
    base   as both had it; None: they did not
    What the program writes is that of the first text everywhere, so only the rest is merged.
    """
    from vaultmem.storage.merging import merge_note

    wanted, *others = texts
    before = None if base is None else _levelled(base, wanted)
    one, other = (_levelled(text, wanted) for text in others)
    if one == other == wanted:
        return wanted
    merged = merge_note(path, before, one, other, ours_at=0, theirs_at=1)
    return wanted if merged.content is None or merged.copies else merged.content


def _levelled(text: bytes, wanted: bytes) -> bytes:
    """A version with our keys and our part of the body as `wanted` has them."""
    from vaultmem.storage.notes.frontmatter import patch, read, split
    from vaultmem.storage.notes.summary_block import read_summary, replace_summary

    values = read(wanted, PurePosixPath("note.md")).values
    keys = {key: values.get(key) for key in _OURS}
    text = patch(text, {k: v for k, v in keys.items() if v is None or isinstance(v, str)})
    if b"vaultmem:begin summary" in wanted:
        return replace_summary(text, read_summary(wanted))
    parts, body = split(text), split(wanted).body
    return b"".join((parts.bom, parts.opening, parts.block, parts.closing, body))
