"""Streams and categories of a document beside those here: taken whole where nothing is lost.

Their lines follow from the items, so only what a person wrote around them can be in conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from vaultmem import vault
from vaultmem.base import TYPE_CHECKING
from vaultmem.storage import notes
from vaultmem.vault import one_line, same

if TYPE_CHECKING:
    from vaultmem.vault import Parts, Workbench

TAKE, SAME, CONFLICT = "take", "same", "conflict"
Statement = Callable[[str], str | None]
"""The statement of an item by its id; None where there is no such item."""


class Lists:
    """Holds lists that come against those here."""

    def __init__(
        self, parts: Parts, bench: Workbench, *, statement: Statement, stems: Mapping[str, str]
    ) -> None:
        self._parts = parts
        self._bench = bench
        self._statement = statement
        self._stems = stems  # of items that come: file stem -> id

    def stream(self, path: PurePosixPath, data: bytes) -> tuple[str, bytes]:
        """What to do about a stream file, and the bytes to take; raises PatchRefusedError."""
        data = self._believable(data)
        here = self._bench.text(path)
        if here is None:
            return TAKE, data
        if here == data:
            return SAME, data
        ours, theirs = _ids(here), _ids(data)
        is_prose_same = _prose(here) == _prose(data)
        if (is_prose_same or _prose(here) in self._new_streams(path)) and ours <= theirs:
            return (SAME if is_prose_same and ours == theirs else TAKE), data
        return (SAME if is_prose_same else CONFLICT), data

    def category(self, path: PurePosixPath, data: bytes) -> tuple[str, bytes]:
        """What to do about a category, and the bytes to take; raises PatchRefusedError."""

        # A line whose item is not here would stand there as if the person had written it.
        for link in notes.read_links(data):
            if link not in self._stems and self._parts.index.resolve_link(link) is None:
                data = notes.remove_line(data, link)
        here = self._bench.text(path)
        if here is None:
            return TAKE, data
        if here == data:
            return SAME, data
        ours, theirs = set(notes.read_links(here)), set(notes.read_links(data))
        bare = notes.without_lines(here)
        is_prose_same = _words(bare) == _words(notes.without_lines(data))
        if (is_prose_same or notes.is_bare(bare)) and ours <= theirs:
            return (SAME if is_prose_same and ours == theirs else TAKE), data
        return (SAME if is_prose_same else CONFLICT), data

    def _believable(self, data: bytes) -> bytes:
        """The stream with bullets of items that are there, in the items' words."""

        listed = [b for b in notes.bullets(data) if b.block_id is not None]
        gone = {b.block_id for b in listed if b.block_id and self._statement(b.block_id) is None}
        if gone:
            data = notes.remove_bullets(data, gone)
        for bullet in listed:
            statement = self._statement(bullet.block_id or "")
            if statement is not None and not same(bullet.text, statement):
                data = notes.reword_bullet(data, bullet.block_id or "", one_line(statement))
        return data

    def _new_streams(self, path: PurePosixPath) -> tuple[list[str], ...]:
        """What a stream says in which nobody has written yet."""

        settings = self._parts.settings
        files = vault.template_files(vault_id=settings.id, name="", device=settings.device)
        made = [data for name, data in files.items() if name == path]
        own = vault.NEW_STREAM.get(path.stem.partition(".")[0], "").encode()
        return tuple(_prose(data) for data in (*made, own))


def _ids(data: bytes) -> set[str]:

    return {bullet.block_id for bullet in notes.bullets(data) if bullet.block_id is not None}


def _prose(data: bytes) -> list[str]:
    """What a stream says between its bullets."""

    return _words(notes.remove_bullets(data, _ids(data)))


def _words(data: bytes) -> list[str]:
    rows = data.decode("utf-8", "replace").splitlines()
    return [row.rstrip() for row in rows if row.strip()]
