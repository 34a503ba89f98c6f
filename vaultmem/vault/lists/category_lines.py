"""Lines of categories follow the items they name: words, status, trust, and whether they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, PatchRefusedError
from vaultmem.model import Item, Oid, id_in_name
from vaultmem.storage import notes
from vaultmem.vault.lists.two_way import one_line
from vaultmem.vault.provenance import may_be_listed
from vaultmem.vault.workbench import Workbench

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts


class Summaries:
    """The managed blocks of the categories on a workbench."""

    def __init__(
        self,
        parts: Parts,
        bench: Workbench,
        categories: Mapping[str, PurePosixPath],
        report: Callable[[PurePosixPath, PatchRefusedError], None],
    ) -> None:
        """`categories`: files by folded name; `report`: told of a file that may not be changed."""
        self._parts = parts
        self._bench = bench
        self._categories = categories
        self._report = report
        self._unreadable: frozenset[str] | None = None  # None: not asked for yet

    def level(self, changed: Collection[str]) -> int:
        """Make lines of `changed` categories, and of `changed` items, say what these say.

        Lines of items among `changed` that are gone go; returns how many files that changed.
        """

        paths = [PurePosixPath(path) for path in changed if path.endswith(".md")]
        names, gone = {path.stem for path in paths}, self._gone_items(paths)
        levelled = 0
        for path in sorted(self._categories.values()):
            before = self._bench.text(path)
            if before is not None:
                cited = [target for _, targets in notes.read_told(before) for target in targets]
                links = tuple(dict.fromkeys((*notes.read_links(before), *cited)))
                asked = links if path.as_posix() in changed else [x for x in links if x in names]
                levelled += self._level(path, before, asked, gone)
        return levelled

    def follow(self, path: PurePosixPath) -> int:
        """Make the lines of one edited item follow; how many files that changed.

        Looked at are the categories that the item names; all of them only when it is gone.
        """
        item = self._item_named(path.stem)
        if item is None:
            return self.level([path.as_posix()]) if self._gone_items([path]) else 0
        levelled = 0
        for slug in item.categories:
            category = self._categories.get(slug.casefold())
            before = self._bench.text(category) if category is not None else None
            if category is not None and before is not None:
                levelled += self._level(category, before, [path.stem], ())
        return levelled

    def _gone_items(self, paths: Collection[PurePosixPath]) -> frozenset[str]:
        """Names of those of the notes that were items, and are nowhere in the vault any more."""
        there = {path: self._bench.text(path) is not None for path in paths}
        moved = {path.stem for path, is_there in there.items() if is_there}
        missing = {path.stem for path, is_there in there.items() if not is_there} - moved
        ids = ((stem, id_in_name(stem)) for stem in missing)
        return frozenset(stem for stem, id_ in ids if id_ and not self._is_there(id_))

    def _is_there(self, id_: str) -> bool:
        """Whether a note with this id will be in the vault; the index has those that go now.

        Also one that was moved and cannot be read now: nothing would bring its line back.
        """
        from vaultmem.vault.unsettled import unreadable_items  # saves 4 modules

        rows = self._parts.index.notes_with_id(id_)
        if any(self._bench.text(row.path) is not None for row in rows):
            return True
        if self._unreadable is None:
            self._unreadable = unreadable_items(self._parts)
        return id_ in self._unreadable

    def _level(
        self, path: PurePosixPath, before: bytes, links: Iterable[str], gone: Collection[str]
    ) -> bool:
        after = before
        try:
            after = self._level_lines(before, links, gone)
            self._bench.put(path, after)
        except PatchRefusedError as refused:
            self._report(path, refused)
        return after != before

    def _level_lines(self, data: bytes, links: Iterable[str], gone: Collection[str]) -> bytes:
        """A category's text with these lines as their items have it; other links are no lines."""

        for link in links:
            item = self._item_named(link)
            if item is None:
                data = notes.remove_line(data, link) if link in gone else data
            elif item.status in ("active", "candidate") and may_be_listed(self._parts, item):
                data = notes.reword_line(data, link, one_line(item.statement))
            else:
                data = notes.remove_line(data, link)
        return data

    def _item_named(self, name: str) -> Item | None:

        row = self._parts.index.resolve_link(name)
        data = self._bench.text(row.path) if row is not None and row.path.stem == name else None
        if row is None or data is None:
            return None
        record = notes.decode(row.path, data, Oid(""), zone=self._parts.settings.timezone).record
        return record if isinstance(record, Item) else None
