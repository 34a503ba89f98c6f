"""Items in their places: the note, its bullet in a stream, its line in a category.

All on a `WorkingCopy`; nothing is written here. Lists are read from their files, never from the
index: what a person did to them a moment ago counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, PatchRefusedError
from vaultmem.language import civil, day_start, local_day
from vaultmem.model import Filters, Item, Oid, Problem, Severity, id_in_name
from vaultmem.storage import files, notes
from vaultmem.vault.provenance import may_be_listed
from vaultmem.vault.two_way import one_line
from vaultmem.vault.working_copy import WorkingCopy

if TYPE_CHECKING:
    from vaultmem.vault.vault import Vault


class Summaries:
    """The managed blocks of the categories on a working copy."""

    def __init__(
        self,
        vault: Vault,
        working_copy: WorkingCopy,
        categories: Mapping[str, PurePosixPath],
        report: Callable[[PurePosixPath, PatchRefusedError], None],
    ) -> None:
        """`categories`: files by folded name; `report`: told of a file that may not be changed."""
        self._vault = vault
        self._working_copy = working_copy
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
            before = self._working_copy.text(path)
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
            # The line of an item whose note was deleted stayed, with words that no note had any
            # more (three devices found it).
            return self.level([path.as_posix()]) if self._gone_items([path]) else 0
        levelled = 0
        for slug in item.categories:
            category = self._categories.get(slug.casefold())
            before = self._working_copy.text(category) if category is not None else None
            if category is not None and before is not None:
                levelled += self._level(category, before, [path.stem], ())
        return levelled

    def _gone_items(self, paths: Collection[PurePosixPath]) -> frozenset[str]:
        """Names of those of the notes that were items, and are nowhere in the vault any more."""
        there = {path: self._working_copy.text(path) is not None for path in paths}
        moved = {path.stem for path, is_there in there.items() if is_there}
        missing = {path.stem for path, is_there in there.items() if not is_there} - moved
        ids = ((stem, id_in_name(stem)) for stem in missing)
        return frozenset(stem for stem, id_ in ids if id_ and not self._is_there(id_))

    def _is_there(self, id_: str) -> bool:
        """Whether a note with this id will be in the vault; the index has those that go now.

        Also one that was moved and cannot be read now: nothing would bring its line back.
        """
        from vaultmem.vault.unsettled import unreadable_items  # saves 4 modules

        rows = self._vault.index.notes_with_id(id_)
        if any(self._working_copy.text(row.path) is not None for row in rows):
            return True
        if self._unreadable is None:
            self._unreadable = unreadable_items(self._vault)
        return id_ in self._unreadable

    def _level(
        self, path: PurePosixPath, before: bytes, links: Iterable[str], gone: Collection[str]
    ) -> bool:
        after = before
        try:
            after = self._level_lines(before, links, gone)
            self._working_copy.put(path, after)
        except PatchRefusedError as refused:
            self._report(path, refused)
        return after != before

    def _level_lines(self, data: bytes, links: Iterable[str], gone: Collection[str]) -> bytes:
        """A category's text with these lines as their items have it; other links are no lines."""
        for link in links:
            item = self._item_named(link)
            if item is None:
                data = notes.remove_line(data, link) if link in gone else data
            elif item.status in ("active", "candidate") and may_be_listed(self._vault, item):
                data = notes.reword_line(data, link, one_line(item.statement))
            else:
                data = notes.remove_line(data, link)
        return data

    def _item_named(self, name: str) -> Item | None:
        row = self._vault.index.resolve_link(name)
        data = (
            self._working_copy.text(row.path) if row is not None and row.path.stem == name else None
        )
        if row is None or data is None:
            return None
        record = notes.decode(row.path, data, Oid(""), zone=self._vault.settings.timezone).record
        return record if isinstance(record, Item) else None


NOT_UPDATED = "note-not-updated"  # code of a problem
NEW_STREAM = {
    "identity": "# Identity\n",
    "projects": "# Projects\n",
    "tasks": "# Tasks\n\n## Open\n",
    "flow": "# Flow\n",
}


class Listings:
    """The lists of a vault, and the notes they name, as they will be."""

    def __init__(self, vault: Vault, working_copy: WorkingCopy) -> None:
        self.vault = vault
        self.working_copy = working_copy
        self.vouched: set[str] = set()  # ids that the coming commit says are the person's
        self.problems: list[Problem] = []  # lists that could not be changed, and why
        self._gathered: list[str] | None = None  # None: each bullet is taken out at once
        self._streams: dict[str, PurePosixPath] = {}
        self._categories: dict[str, PurePosixPath] = {}
        for row in vault.index.list(Filters(types=("stream", "category"))):
            if row.type == "category":
                self._categories.setdefault(row.path.stem.casefold(), row.path)
            # The flow of another device is its own: two devices that wrote into one list would
            # clash at each merge.
            elif row.stream != "flow" or row.path.name == self._flow_name():
                self._streams.setdefault(row.stream, row.path)

    @property
    def category_slugs(self) -> tuple[str, ...]:
        """Categories the vault has, in order."""
        return tuple(sorted(self._categories))

    def found_category(self, path: PurePosixPath) -> None:
        """A category that is on the bench, and not in the index yet."""
        self._categories.setdefault(path.stem.casefold(), path)

    def stream_path(self, stream: str) -> PurePosixPath:
        """The file of a stream; this device's own for flow."""
        name = self._flow_name() if stream == "flow" else f"{stream}.md"
        return self._streams.get(stream, PurePosixPath("streams", name))

    def _flow_name(self) -> str:
        return f"flow.{self.vault.settings.device}.md"

    def add_note(self, item: Item) -> None:
        """The item's note alone."""
        self.working_copy.put(item.path, notes.encode_item(item, zone=self.vault.settings.timezone))

    def list_item(self, item: Item) -> None:
        """The item's bullet and category lines."""
        self.list_items([item])

    def list_items(self, items: Sequence[Item]) -> None:
        """Bullets and category lines of items, the last one of them on top; each file once."""
        by_stream: dict[str, list[tuple[str, str]]] = {}
        for item in reversed([each for each in items if self._takes(each)]):
            if item.stream is not None:
                pair = one_line(item.statement), item.id
                by_stream.setdefault(item.stream, []).append(pair)
        for stream, pairs in by_stream.items():
            self._add_bullets(stream, pairs)
        self.add_to_categories(items)

    def _takes(self, item: Item) -> bool:
        stream = item.stream or ""
        return item.id in self.vouched or may_be_listed(self.vault, item, stream=stream)

    def patch_item(
        self, item: Item, changes: Mapping[str, str | tuple[str, ...] | float | bool | None]
    ) -> None:
        """Change front-matter keys of the item's note, and nothing else."""
        self.working_copy.put(
            item.path, notes.patch(self.working_copy.existing(item.path), changes)
        )

    def could_patch(
        self, item: Item, changes: Mapping[str, str | tuple[str, ...] | float | bool | None]
    ) -> bool:
        """As `patch_item`; False, and a problem, where the note can only be changed by a person:
        one such note must not keep all others waiting."""
        try:
            self.patch_item(item, changes)
        except PatchRefusedError as refused:
            # Keys in braces are valid YAML that cannot be patched key by key: one such event
            # stopped learning, merging and the archive of the whole vault each night.
            self.report(item.path, refused, code=NOT_UPDATED)
            return False
        return True

    def reword_item(self, item: Item, statement: str) -> None:
        """Give the item's note another statement, and its category lines with it."""
        data = notes.replace_statement(self.working_copy.existing(item.path), statement)
        self.working_copy.put(item.path, data)
        self.reword_in_categories(item, statement)

    def add_bullet(self, stream: str, id_: str, statement: str) -> None:
        """A bullet on top of the stream's list; flow keeps only its newest ones."""
        self._add_bullets(stream, [(one_line(statement), id_)])

    def _add_bullets(self, stream: str, pairs: Sequence[tuple[str, str]]) -> None:
        path = self.stream_path(stream)
        data = self.working_copy.text(path)
        if data is None:
            data = NEW_STREAM[stream].encode()
        there = [bullet.block_id for bullet in notes.bullets(data) if bullet.block_id is not None]
        known = frozenset(there)
        fresh = [pair for pair in pairs if pair[1] not in known]
        try:
            if stream == "flow":
                room = self.vault.settings.limits_flow_items
                fresh = fresh[:room]
                data = notes.remove_bullets(data, there[max(room - len(fresh), 0) :])
            data = notes.add_bullets(data, fresh, checkbox=stream == "tasks")
        except PatchRefusedError as refused:
            self.report(path, refused)
            return
        self.working_copy.put(path, data)

    def adopt_bullets(self, path: PurePosixPath, ids: Mapping[int, str]) -> frozenset[int]:
        """Give the bullets on these lines of the stream file their block ids; the lines that
        could not be given one, which are problems."""
        data, refused = notes.set_block_ids(self.working_copy.existing(path), ids)
        self.working_copy.put(path, data)
        for error in dict.fromkeys(refused.values()):  # one for a file that is not UTF-8
            self.report(path, error)
        return frozenset(refused)

    def set_bullet(self, path: PurePosixPath, id_: str, statement: str) -> None:
        """Give the bullet with this block id other words."""
        self.working_copy.put(
            path, notes.reword_bullet(self.working_copy.existing(path), id_, one_line(statement))
        )

    def untick_bullet(self, path: PurePosixPath, id_: str) -> None:
        """Empty the checkbox of the bullet with this block id."""
        self.working_copy.put(path, notes.untick_bullet(self.working_copy.existing(path), id_))

    def remove_bullet(self, path: PurePosixPath, id_: str) -> None:
        """Take the bullet with this block id out of the stream file."""
        self.working_copy.put(path, notes.remove_bullet(self.working_copy.existing(path), id_))

    def drop_bullet(self, id_: str) -> None:
        """Take the item's bullet out of whatever stream file lists it."""
        if self._gathered is not None:
            self._gathered.append(id_)
            return
        for path, data in self._listing([id_]):
            self._remove_bullets(path, data, [id_])

    @contextmanager
    def dropping_together(self) -> Iterator[None]:
        """Bullets that are dropped meanwhile leave their lists at the end, each list read once.

        Of 3,000 new bullets 134 ended others: taken out one by one they were 80 % of the work.
        """
        self._gathered = []
        try:
            yield
        finally:
            gathered, self._gathered = self._gathered, None
        for path, data in self._listing(gathered) if gathered else ():
            self._remove_bullets(path, data, gathered)

    def _remove_bullets(self, path: PurePosixPath, data: bytes, ids: Sequence[str]) -> None:
        """Take bullets out of a list; where not all can go, those that can."""
        there = {each.block_id for each in notes.bullets(data)}
        ids = [id_ for id_ in dict.fromkeys(ids) if id_ in there]
        try:
            self.working_copy.put(path, notes.remove_bullets(data, ids))
        except PatchRefusedError as refused:
            # Where not all can go the halves are tried. Taken out one by one the 134 that ended of
            # 3,000 new bullets were 80 % of the work.
            if len(ids) == 1:
                self.report(path, refused)
                return
            # Which of them is refused is not said: by halves the rest of them still goes.
            half = len(ids) // 2
            for some in (ids[:half], ids[half:]):
                self._remove_bullets(path, self.working_copy.existing(path), some)

    def reword_bullet(self, id_: str, statement: str) -> None:
        """Give the item's bullet other words, in whatever stream file lists it."""
        for path, data in self._listing([id_]):
            try:
                self.working_copy.put(path, notes.reword_bullet(data, id_, one_line(statement)))
            except PatchRefusedError as refused:
                self.report(path, refused)

    def _listing(self, ids: Sequence[str]) -> list[tuple[PurePosixPath, bytes]]:
        """The stream files, also of other devices, that have a bullet with one of these ids."""
        rows = self.vault.index.list(Filters(types=("stream",)))
        # Also lists that this very plan makes, which no index knows.
        paths = sorted({row.path for row in rows}.union(map(self.stream_path, NEW_STREAM)))
        found, wanted = [], frozenset(ids)
        for path in paths:
            data = self.working_copy.text(path)
            if data is not None and any(each.block_id in wanted for each in notes.bullets(data)):
                found.append((path, data))
        return found

    def add_to_categories(self, items: Sequence[Item]) -> None:
        """A line for each item on top of the managed blocks of its categories (made if need be),
        the last item on top; each file once."""
        by_category: dict[str, list[Item]] = {}
        for item in reversed([each for each in items if self._takes(each)]):
            for slug in item.categories:
                by_category.setdefault(slug, []).append(item)
        for slug, members in by_category.items():
            self._add_to_category(slug, members)

    def _add_to_category(self, slug: str, items: Sequence[Item]) -> None:
        path = self._categories.setdefault(
            slug.casefold(), PurePosixPath("categories", f"{slug}.md")
        )
        data = self.working_copy.text(path)
        pairs = [(one_line(item.statement), item.path.stem) for item in items]
        try:
            if data is None:
                # In an Obsidian vault with a page folder 'Categories' every `remember` failed (77):
                # the memory is kept, and the list that could not follow is reported.
                files.require_apart(self.vault.root, path)
                data = f"# {slug.replace('-', ' ').capitalize()}\n".encode()
            data = notes.add_lines(data, pairs, limit=self.vault.settings.limits_summary_items)
        except PatchRefusedError as refused:
            self.report(path, refused)
            return
        self.working_copy.put(path, data)

    def reword_in_categories(self, item: Item, statement: str) -> None:
        """The item's lines in its categories say the new statement."""
        for path, data in self._category_texts(item):
            try:
                self.working_copy.put(
                    path, notes.reword_line(data, item.path.stem, one_line(statement))
                )
            except PatchRefusedError as refused:
                self.report(path, refused)

    def drop_from_categories(self, item: Item) -> None:
        """The item no longer holds: its lines leave its categories."""
        for path, data in self._category_texts(item):
            try:
                self.working_copy.put(path, notes.remove_line(data, item.path.stem))
            except PatchRefusedError as refused:
                self.report(path, refused)

    def level_summaries(self, changed: Collection[str]) -> int:
        """Make lines of `changed` categories and items say what these say; how many files."""
        return self._summaries.level(changed)

    def level_lines(self, path: PurePosixPath) -> int:
        """Make the lines that categories have of an edited item follow; how many files."""
        return self._summaries.follow(path)

    @property
    def _summaries(self) -> Summaries:
        return Summaries(self.vault, self.working_copy, self._categories, self.report)

    def _category_texts(self, item: Item) -> list[tuple[PurePosixPath, bytes]]:
        found: list[tuple[PurePosixPath, bytes]] = []
        for slug in item.categories:
            path = self._categories.get(slug.casefold())
            data = self.working_copy.text(path) if path is not None else None
            if path is not None and data is not None:
                found.append((path, data))
        return found

    def report(
        self, path: PurePosixPath, refused: PatchRefusedError, *, code: str = "list-not-updated"
    ) -> None:
        """What we could not change is the person's to mend; the memory itself is safe."""
        self.problems.append(
            Problem(
                path=path,
                line=refused.line,
                code=code,
                message=refused.message,
                hint=refused.hint,
                severity=Severity.WARNING,
            )
        )


def day_of(at: int, zone: str) -> int:
    """The beginning of the day: an unqualified 'now' holds from today, not from this second."""
    return day_start(local_day(at, zone), zone)


def item_path(id_: str, statement: str, *, at: int, zone: str) -> PurePosixPath:
    """Where a new item goes: the folder of the day of recording."""
    year, month, day = civil(at, zone)
    return files.layout.item_path(language.slugify(statement), id_, year=year, month=month, day=day)


def resource_path(id_: str, title: str, *, at: int, zone: str) -> PurePosixPath:
    """Where a new resource goes: the folder of its month."""
    year, month, _ = civil(at, zone)
    return files.layout.resource_path(language.slugify(title), id_, year=year, month=month)


NO_OID = Oid("")
