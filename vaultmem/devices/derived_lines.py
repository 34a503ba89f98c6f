"""Which list lines only repeat what an item says, so that a clash of two devices is the item's.

A bullet is one of them where it says on each side what its item says there: the item's note then
keeps both versions, and one question is enough. A line of a managed summary always is, as the
program writes it: by its link. Where the item's note is not found, the line speaks for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.model.ids import id_in_name
from vaultmem.storage.files.layout import CATEGORIES, STREAMS

if TYPE_CHECKING:
    from vaultmem.storage.git.history import History
    from vaultmem.storage.git.remote.join import Entry

_NOTES = ("items/", "archive/")
_BODY_BYTES = 1_048_576  # a note beyond it is not read for this; its bullet speaks for itself


class DerivedLines:
    """Answers for two trees; reads the names of all notes once, and few notes."""

    def __init__(
        self, history: History, ours: Mapping[str, Entry], theirs: Mapping[str, Entry]
    ) -> None:
        self._history = history
        self._trees = (ours, theirs)
        self._found: tuple[dict[str, str], dict[str, str]] | None = None

    def lines(self, path: PurePosixPath, ours: bytes, theirs: bytes) -> frozenset[str]:
        """Their names as `merge_note` takes them, of a stream or category that both changed."""
        top = path.parts[0] if path.suffix.lower() == ".md" else ""
        if top == STREAMS:
            return self._bullets(ours, theirs)
        return self._summary_lines(ours, theirs) if top == CATEGORIES else frozenset()

    def _summary_lines(self, ours: bytes, theirs: bytes) -> frozenset[str]:
        from vaultmem.storage.notes.summary_block import read_links

        names = {PurePosixPath(path).stem for each in self._paths() for path in each.values()}
        links = {*read_links(ours), *read_links(theirs)}
        return frozenset(f"[[{link}" for link in links if link in names)

    def _bullets(self, ours: bytes, theirs: bytes) -> frozenset[str]:
        from vaultmem.storage.notes.bullets import bullets

        said = [
            {each.block_id: each.text for each in bullets(data) if each.block_id}
            for data in (ours, theirs)
        ]
        differing = {id_ for id_, _ in said[0].items() ^ said[1].items()}
        return frozenset(
            f"^{id_}"
            for id_ in differing
            if all(
                id_ not in each or self._says(side, id_, each[id_])
                for side, each in enumerate(said)
            )
        )

    def _says(self, side: int, id_: str, text: str) -> bool:
        """Whether the item's note on a side states just this."""
        from vaultmem.storage.notes.frontmatter.fences import split
        from vaultmem.storage.notes.markdown import read_statement
        from vaultmem.vault.lists.two_way import same

        path = self._paths()[side].get(id_)
        if path is None:
            return False
        oid = self._trees[side][path].oid
        data = dict(self._history.blobs([oid]))[oid]
        if data is None or len(data) > _BODY_BYTES:
            return False
        return same(text, read_statement(split(data).body.decode("utf-8", "replace")))

    def _paths(self) -> tuple[dict[str, str], dict[str, str]]:
        """Notes by the id in their names, on either side."""
        if self._found is None:
            ours, theirs = (_named(tree) for tree in self._trees)
            self._found = ours, theirs
        return self._found


def _named(tree: Mapping[str, Entry]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in tree:
        id_ = id_in_name(PurePosixPath(path).stem) if path.startswith(_NOTES) else None
        if id_ is not None:
            found[id_] = path
    return found
