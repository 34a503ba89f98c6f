"""Take in a document that `export` wrote: one commit, nothing twice, nothing newer written over.

First every entry is judged by itself, then made ready as the words of whoever vouches for it
(foreign_notes.py), then held against what is here (decide.py). What does not pass
is skipped and named; the rest goes in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import edit
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    PatchRefusedError,
    StaleFileError,
    VaultmemError,
    is_refusal,
    replace,
)
from vaultmem.edit import agree
from vaultmem.model import (
    USER,
    WRITERS,
    CarriedNote,
    Category,
    Conflict,
    ExportDocument,
    Imported,
    Item,
    Plan,
    Skipped,
    Stream,
    Taken,
    blob_oid,
    trust_trailers,
)
from vaultmem.storage import files, notes
from vaultmem.transfer.decide import (
    ADD,
    KEEP,
    REPLACE,
    UPDATE,
    Deciding,
    Places,
    differing,
    gist,
    import_subject,
    past_of,
    settle_facts,
    source_trailer,
    zone_warning,
)
from vaultmem.transfer.foreign_notes import Coming, Fit, Judge, Marking, as_person
from vaultmem.transfer.read import read_document
from vaultmem.transfer.session_notes import Attaching
from vaultmem.vault import Listings, WorkingCopy, one_line, same

if TYPE_CHECKING:
    from vaultmem.model import Problem, Progress
    from vaultmem.vault import Vault

TAKE, SAME, CONFLICT = "take", "same", "conflict"
Statement = Callable[[str], str | None]
"""The statement of an item by its id; None where there is no such item."""


class Lists:
    """Holds lists that come against those here."""

    def __init__(
        self,
        vault: Vault,
        working_copy: WorkingCopy,
        *,
        statement: Statement,
        stems: Mapping[str, str],
    ) -> None:
        self._vault = vault
        self._working_copy = working_copy
        self._statement = statement
        self._stems = stems  # of items that come: file stem -> id

    def stream(self, path: PurePosixPath, data: bytes) -> tuple[str, bytes]:
        """What to do about a stream file, and the bytes to take; raises PatchRefusedError."""
        data = self._believable(data)
        here = self._working_copy.text(path)
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
            if link not in self._stems and self._vault.index.resolve_link(link) is None:
                data = notes.remove_line(data, link)
        here = self._working_copy.text(path)
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
        settings = self._vault.settings
        files = vaults.template_files(vault_id=settings.id, name="", device=settings.device)
        made = [data for name, data in files.items() if name == path]
        own = vaults.NEW_STREAM.get(path.stem.partition(".")[0], "").encode()
        return tuple(_prose(data) for data in (*made, own))


def _ids(data: bytes) -> set[str]:

    return {bullet.block_id for bullet in notes.bullets(data) if bullet.block_id is not None}


def _prose(data: bytes) -> list[str]:
    """What a stream says between its bullets."""
    return _words(notes.remove_bullets(data, _ids(data)))


def _words(data: bytes) -> list[str]:
    rows = data.decode("utf-8", "replace").splitlines()
    return [row.rstrip() for row in rows if row.strip()]


# Lists come last: what may stand in them is known when the items are.
_ORDER = ("resources", "items", "pages", "categories", "streams")


def import_document(
    vault: Vault,
    data: bytes,
    *,
    writer: str = "import",
    secrets: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Take in the notes of a document, in one commit.

    writer   who vouches for it: person, agent, import or web. Only the person's own lists, pages
             and exceptions are taken in as such
    secrets  what to do about secrets: block (skip the note), redact, allow; None: as settings say
    dry_run  change nothing, only say what would be done
    raises   BadInputError  nothing of it can be read; nothing is changed then
    """
    if writer not in WRITERS:
        raise BadInputError(f"'{writer}' is no writer", hint="one of: " + ", ".join(WRITERS))
    document = read_document(data)
    judge = Judge(vault.settings)
    ordered = sorted(document.notes, key=lambda note: _ORDER.index(note.section))
    looked = [judge.look(note) for note in ordered]
    if dry_run:
        vaults.level.refresh(vault)
        taking = _Taking(vault, document, writer=writer, secrets=secrets)
        taking.plan(looked, progress)
        return replace(taking.report(), dry_run=True)

    def write() -> Imported:
        with edit.writer(vault):
            taking = _Taking(vault, document, writer=writer, secrets=secrets)
            plan = taking.plan(looked, progress)
            vault.is_open = vault.is_open or bool(taking.open_problems)
            done = vaults.apply(vault, [plan]) if plan.changes else ()
            vaults.level.keep_problems(vault, "import", taking.open_problems)
        return replace(taking.report(), commit=done[-1].commit if done else None)

    return vaults.retry_when_stale(write)


class _Taking:
    """One document on one working copy."""

    def __init__(
        self, vault: Vault, document: ExportDocument, *, writer: str, secrets: str | None
    ) -> None:
        self._vault = vault
        self._document = document
        self._writer = writer
        self._working_copy = WorkingCopy(vault)
        self._past = past_of(vault)
        self._marking = Marking(vault, writer=writer, secrets=secrets)
        self._deciding = Deciding(vault, self._working_copy, document, self._past)
        self._places = Places(vault)
        self._items: dict[str, Item] = {}  # that are written, by id
        self._paths: list[PurePosixPath] = []  # that are written
        self._whole: set[PurePosixPath] = set()  # lists that were taken as they are
        self._levels: dict[str, str] = {}
        self._taken: list[Taken] = []
        self._unchanged = 0
        self._conflicts: list[Conflict] = []
        self._left: list[PurePosixPath] = []
        self._skipped: list[Skipped] = list(document.skipped)
        self._coming: list[Coming] = []
        self._lists: tuple[PurePosixPath, ...] = ()
        self._beside = Attaching(vault, self._working_copy, document, secrets=secrets)
        self.open_problems: tuple[Problem, ...] = ()

    def report(self) -> Imported:
        """What became of it; without the commit."""
        about_zone = zone_warning(self._document, self._vault.settings.timezone)
        skipped = (*self._skipped, *self._beside.skipped)
        return Imported(
            vault=self._document.vault,
            writer=self._writer,
            taken=tuple(self._taken),
            unchanged=self._unchanged + self._beside.unchanged,
            attached=tuple(self._beside.added),
            conflicts=tuple(self._conflicts),
            left=tuple(self._left),
            skipped=tuple(sorted(skipped, key=lambda each: each.place)),
            removed=tuple(removed for each in self._coming for removed in each.removed),
            lists=self._lists,
            left_earlier=len(self._document.earlier - self._held_blobs(self._document.earlier)),
            warnings=tuple(about_zone),
        )

    def plan(self, looked: Sequence[Fit | Skipped], progress: Progress | None) -> Plan:
        """Everything that goes in, as one plan."""
        own = self._known_texts([each for each in looked if isinstance(each, Fit)])
        for number, each in enumerate(looked, start=1):
            if isinstance(each, Skipped):
                self._skipped.append(each)
            else:
                self._take_in(each, is_own=each.note.data in own)
            if progress is not None and number % 100 == 0:
                progress("importing", number, len(looked))
        written = tuple(self._paths)
        self._list()
        changes = self._working_copy.step()
        lists = {change.path for change in changes} - set(written)
        self._lists = tuple(sorted(path for path in lists))
        self._beside.put(written)
        changes += self._working_copy.step()
        ids = [each.id for each in self._taken if each.id.startswith("i-")]
        trailers = [("Vaultmem-Items", ", ".join(ids))] if ids else []
        trailers.append(("Vaultmem-Source", source_trailer(self._document)))
        return Plan(
            op="import",
            actor="person" if self._writer == "person" else "import",
            subject=import_subject(self._document, self._taken, self._conflicts),
            changes=changes,
            trailers=(*trailers, *trust_trailers(self._levels)),
        )

    def _known_texts(self, fits: Sequence[Fit]) -> frozenset[bytes]:
        """Texts that the history of this vault has: they come back, and are not somebody else's."""
        algorithm = self._vault.history.algorithm
        texts = {str(blob_oid(fit.note.data, algorithm=algorithm)): fit.note.data for fit in fits}
        return frozenset(texts[oid] for oid in self._held_blobs(texts))

    def _held_blobs(self, blobs: Collection[str]) -> frozenset[str]:
        """Those of the blobs that the history of this vault has."""
        return frozenset() if self._past is None else frozenset(self._past.holds(blobs))

    def _take_in(self, fit: Fit, *, is_own: bool) -> None:
        try:
            coming = self._marking.ready(fit, is_own=is_own)
            if isinstance(coming, str):
                self._skip(fit.note, coming)
            elif not isinstance(coming.record, Stream | Category) and (
                coming.fit.note.section != "pages" or as_person(coming)
            ):
                self._take_note(coming)
            elif as_person(coming):
                self._take_list(coming)
            else:
                self._left.append(fit.note.path)
        except StaleFileError:
            # A file of the vault that changed is no fault of the entry: all is planned anew.
            raise
        except PatchRefusedError as refused:
            self._skip(fit.note, refused.message)
        except VaultmemError as error:
            if is_refusal(error):
                # A disk that refuses says nothing about the entry, which would be skipped and
                # missed.
                raise
            self._skip(fit.note, error.message)

    def _skip(self, note: CarriedNote, why: str) -> None:
        self._skipped.append(Skipped(place=note.place, why=why, path=note.path.as_posix()))

    # --- notes ---------------------------------------------------------------------------

    def _take_note(self, coming: Coming) -> None:
        decision = self._deciding.decide(coming)
        if decision.what == ADD:
            path = self._places.free(decision.path, coming.id, self._working_copy)
            if isinstance(path, str):
                self._skip(coming.fit.note, path)
                return
            self._write(coming, path, "added")
        elif decision.what == UPDATE:
            self._write(coming, decision.path, "updated")
        elif decision.what in (KEEP, REPLACE):
            self._meet(coming, decision.path, is_kept=decision.what == KEEP)
        else:
            self._unchanged += 1

    def _write(self, coming: Coming, path: PurePosixPath, what: str) -> None:
        self._working_copy.put(path, coming.data)
        self._paths.append(path)
        self._coming.append(coming)
        if isinstance(coming.record, Item):
            item = replace(coming.record, path=path)
            self._items[item.id or path.as_posix()] = item
        if coming.id and coming.trust != USER and not coming.is_own:
            self._levels[coming.id] = coming.trust
        self._taken.append(Taken(what=what, path=path, id=coming.id, review=coming.review))

    def _meet(self, coming: Coming, path: PurePosixPath, *, is_kept: bool) -> None:
        """Two texts of one note: the one that stays, and where the other is."""
        here = self._working_copy.existing(path)
        copy = None
        if not is_kept:
            self._write(coming, path, "updated")
        elif as_person(coming):
            copy = self._keep_beside(coming, path)
        conflict = Conflict(
            place=coming.fit.note.place,
            path=path,
            id=coming.id,
            kept="here" if is_kept else "imported",
            here=gist(here),
            imported=gist(coming.fit.note.data),
            copy=copy,
            differs=differing(here, coming.fit.note.data),
        )
        self._conflicts.append(conflict)

    def _keep_beside(self, coming: Coming, path: PurePosixPath) -> PurePosixPath:
        """The text that lost, as the copy that sync services leave: `check --fix` merges it."""
        oid = blob_oid(coming.data, algorithm=self._vault.history.algorithm)
        copy = path.with_name(files.kept_name(path.name, oid))
        if self._working_copy.text(copy) is None:
            self._working_copy.put(copy, coming.data)
            self._paths.append(copy)
        return copy

    # --- lists ---------------------------------------------------------------------------

    def _take_list(self, coming: Coming) -> None:
        path = coming.path
        stems = {item.path.stem: id_ for id_, item in self._items.items()}
        lists = Lists(self._vault, self._working_copy, statement=self._statement, stems=stems)
        decide = lists.stream if isinstance(coming.record, Stream) else lists.category
        what, data = decide(path, coming.data)
        if what == TAKE:
            is_new = self._working_copy.text(path) is None
            found = self._places.free(path, "", self._working_copy) if is_new else path
            if found != path:
                self._skip(coming.fit.note, "many systems take its name for another one here")
                return
            self._write(replace(coming, data=data), path, "added" if is_new else "updated")
            self._whole.add(path)
        elif what == CONFLICT and not coming.is_own:
            self._meet(coming, path, is_kept=True)
        else:
            self._unchanged += 1

    def _statement(self, id_: str) -> str | None:
        item = self._items.get(id_)
        if item is not None:
            return item.statement
        rows = self._vault.index.notes_with_id(id_)
        return rows[0].statement if rows else None

    def _list(self) -> None:
        """Bullets and category lines of what came, and lists that follow what changed."""
        listings = Listings(self._vault, self._working_copy)
        for path in self._whole:
            if path.parts[0] == "categories":
                listings.found_category(path)
        self._settle_facts(listings)
        new = {each.path for each in self._taken if each.what == "added"}
        fresh = [item for item in self._items.values() if item.path in new and item.id]
        wanted = [
            self._without_whole_lists(item, listings) for item in fresh if item.status == "active"
        ]
        # The oldest first, since each goes on top of its list.
        listings.list_items(sorted(wanted, key=lambda item: (item.valid_from or 0, item.id)))
        problems = (
            agree(self._vault, self._working_copy, self._paths, adopt=True) if self._paths else ()
        )
        updated = [each.path.as_posix() for each in self._taken if each.what == "updated"]
        if updated:
            listings.level_summaries(updated)
        self.open_problems = (*listings.problems, *problems)

    def _settle_facts(self, listings: Listings) -> None:
        """Let facts that came meet those in their slots here."""
        own = {coming.id for coming in self._coming if coming.is_own}
        coming = [i for i in self._items.values() if i.status == "active" and i.id not in own]
        known = {*self._document.former, *self._items}
        now = self._vault.clock.now()
        after = settle_facts(listings, [i for i in coming if i.id], known=known, now=now)
        self._items |= after
        self._taken = [
            replace(each, review=after[each.id].review) if each.id in after else each
            for each in self._taken
        ]

    def _without_whole_lists(self, item: Item, listings: Listings) -> Item:
        """The item with those of its lists only that were not taken as they came."""
        stream = item.stream
        if stream is not None and listings.stream_path(stream) in self._whole:
            stream = None
        names = {path.stem.casefold() for path in self._whole if path.parts[0] == "categories"}
        categories = tuple(slug for slug in item.categories if slug.casefold() not in names)
        return replace(item, stream=stream, categories=categories)
