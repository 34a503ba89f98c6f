"""What a note that comes means beside what is here, what its facts end, and where it may lie.

A note is known by its id, one without an id by its path. Two texts of one note are put in order
by their histories where those tell (one is what the other was before), else by the times at which
they were recorded. What is newer here is never written over, and what is believed more here is
never changed by what is believed less.
"""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from pathlib import PurePosixPath

from vaultmem import history, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, HistoryIncompleteError, NamedTuple
from vaultmem.facts import Contradictions, keys_of
from vaultmem.model import Resource, blob_oid, is_below
from vaultmem.storage import files, notes
from vaultmem.transfer.foreign_notes import Coming
from vaultmem.transfer.session_notes import trust_of_session

if TYPE_CHECKING:
    from vaultmem.model import Conflict, ExportDocument, Item, Taken, Version
    from vaultmem.storage.index import Past
    from vaultmem.vault import Listings, Vault, WorkingCopy
ADD, SAME, OLDER, UPDATE = "add", "same", "older", "update"
_SHOWN = 90  # characters of a statement
KEEP, REPLACE = "keep", "replace"  # of a conflict: what is here stays, or gives way


class Decision(NamedTuple):
    """What to do about a note, and where it lies here."""

    what: str
    path: PurePosixPath


def source_trailer(document: ExportDocument) -> str:
    """What the commit of an import says of where its notes come from."""
    at = vaults.iso_ms(document.state_at) if document.state_at is not None else "unknown"
    return f"export {document.vault or 'unknown'} {at}"


def zone_warning(document: ExportDocument, zone: str) -> tuple[str, ...]:
    """What a person has to know about the dates of a document of another zone."""
    if document.zone in ("", zone):
        return ()
    return (f"its dates without a time are meant in '{document.zone}', and read in '{zone}' here",)


def import_subject(
    document: ExportDocument, taken: Sequence[Taken], conflicts: Sequence[Conflict]
) -> str:
    """The subject of the commit of an import."""
    met = model.pluralise(len(conflicts), "conflict") if conflicts else ""
    said = model.join_nonempty([model.pluralise(len(taken), "note"), met])
    return f"import: {said} from {document.vault or 'an export'}"


class Deciding:
    """Holds the notes of one document against the vault."""

    def __init__(
        self, vault: Vault, working_copy: WorkingCopy, document: ExportDocument, past: Past | None
    ) -> None:
        self._vault = vault
        self._working_copy = working_copy
        self._document = document
        self._past = past
        self._now = vault.clock.now()

    def decide(self, coming: Coming) -> Decision:
        """What to do about a note, which is not a list."""
        rows = self._vault.index.notes_with_id(coming.id) if coming.id else ()
        path = rows[0].path if rows else coming.path
        if coming.id and not rows:
            return Decision(ADD, path)
        here = self._working_copy.text(path)
        if here is None:
            return Decision(ADD, path)
        is_fixed = bool(coming.id) and isinstance(coming.record, Resource)  # its text is its id
        if is_fixed or here in (coming.data, coming.fit.note.data):
            return Decision(SAME, path)
        trust = rows[0].trust if rows else trust_of_session(path, here)
        return Decision(self._compare(coming, path, here, trust=trust), path)

    def _compare(self, coming: Coming, path: PurePosixPath, here: bytes, *, trust: str) -> str:
        if coming.is_own:
            return OLDER  # the history has it, and something else came after it
        if is_below(coming.trust, trust):
            return KEEP
        versions = self._versions(coming, path)
        current = versions[-1] if versions and versions[-1].superseded_at_ms is None else None
        oid = blob_oid(here, algorithm=self._vault.history.algorithm)
        if current is not None and current.oid != oid:
            current = None  # edited, and not committed yet
        order = self._order_of_imports(current)
        if order is not None:  # nobody has touched it since it came from there
            return UPDATE if order else OLDER
        if oid in self._document.former.get(coming.id, frozenset()):
            return UPDATE
        recorded = coming.fit.note.recorded_at
        # A document may say that it was recorded in the future: its text counts as of now.
        is_newer = (
            current is not None
            and recorded is not None
            and min(recorded, self._now) > current.recorded_at_ms
        )
        return REPLACE if is_newer else KEEP

    def _versions(self, coming: Coming, path: PurePosixPath) -> tuple[Version, ...]:
        if self._past is None:
            return ()
        if coming.id:
            return self._past.versions(id=coming.id)
        return self._past.versions(path=path.as_posix())

    def _order_of_imports(self, current: Version | None) -> bool | None:
        """Whether the document is newer than the one that brought what is here.

        None: what is here did not come from that vault, or was touched since.
        """
        if current is None or current.op != "import" or not self._document.vault:
            return None
        word, vault, at = (*current.commit_source.split(" "), "", "", "")[:3]
        if word != "export" or vault != self._document.vault:
            return None
        return source_trailer(self._document).split(" ")[2] > at


def past_of(vault: Vault) -> Past | None:
    """The versions of all notes; None where a clone was cut so that they cannot be read.

    Where git fails they are not unknown: without them an older text would replace a newer one.
    """
    try:
        return history.versions.level(vault)
    # A git that fails is an error: with its log missing an import took an earlier text for the
    # newer one, and replaced what the person had gone back to.
    except HistoryIncompleteError:
        return None


def gist(data: bytes) -> str:
    """The first words of a note's text."""
    body = notes.read(data, PurePosixPath("note.md")).body
    return model.shorten(body, _SHOWN)


def differing(here: bytes, imported: bytes) -> tuple[str, ...]:
    """Front-matter keys whose values are not the same in two texts of a note, by name."""
    one, other = (notes.read(data, PurePosixPath("note.md")).values for data in (here, imported))
    # A conflict of two texts with the same words printed the sentence twice and nothing else.
    return tuple(sorted(key for key in {*one, *other} if one.get(key) != other.get(key)))


# --- facts that come, held against those known here ---


# As when the same is remembered (facts/contradictions.py): an item in the slot of another one
# ends it where it begins, or ends itself where that one began; what is believed less ends nothing
# and waits. Items of one document are in order among themselves, as where they come from.
def settle_facts(
    listings: Listings, items: Sequence[Item], *, known: Container[str], now: int
) -> dict[str, Item]:
    """Bring active items in the listings into order with those that are here, in their slots.

    known    ids that the document knows, too: where they come from that was settled
    returns  those that met others, as they are now, by id; what ended for them left its lists
    """
    against = Contradictions(listings)
    zone = listings.vault.settings.timezone
    found: dict[str, Item] = {}
    for item in sorted(items, key=lambda each: (each.valid_from or 0, each.id)):
        if not (item.subject and item.predicate):
            continue
        rows = listings.vault.index.items_in_slot(item.subject, item.predicate)
        if all(row.id in known for row in rows):
            continue
        begins = item.valid_from if item.valid_from is not None else now
        verdict = against.settle(item, at=begins, now=now)
        keys = keys_of(item, verdict.item, zone=zone)
        if keys:
            listings.patch_item(item, keys)
        found[item.id] = verdict.item
    return found


# --- a place for a note that comes ---

_MOST_NAMES = 100


class Places:
    """The names of the vault's files and folders as every system sees them."""

    def __init__(self, vault: Vault) -> None:
        self._root = vault.root
        self._real: set[str] = set()  # folders that are no links
        self._folders: dict[str, str] = {}  # folded -> as it is spelled
        self._files: dict[str, str] = {}
        for state in vault.index.files(None).values():
            if state.oid:
                self._hold(PurePosixPath(state.path))

    def free(self, path: PurePosixPath, id_: str, working_copy: WorkingCopy) -> PurePosixPath | str:
        """The path, or one beside it where another note lies there; else why there is none."""
        for folder in [*path.parents][:-1]:
            if _fold_path(folder) in self._files:
                return f"'{folder}' is a file here"
            spelled = self._folders.get(_fold_path(folder), folder.as_posix())
            if spelled != folder.as_posix():
                return f"many systems take '{folder}' for '{spelled}', which is here"
            # A folder that is a link would lead what is written out of the vault: it is found
            # before anything is.
            if self._leads_away(folder):
                return f"'{folder}' is a link or a file here"
        if self._is_free(path, working_copy):
            self._hold(path)
            return path
        stem = path.stem if not id_ or id_ in path.stem else f"{path.stem}-{id_}"
        for number in range(1, _MOST_NAMES):
            other = path.with_name(f"{stem}{f'-{number}' if number > 1 else ''}.md")
            if id_ and self._is_free(other, working_copy):
                self._hold(other)
                return other
        return "another note lies at its place"

    def _leads_away(self, folder: PurePosixPath) -> bool:
        """Whether there is something else than a folder at a place."""
        name = folder.as_posix()
        if name in self._real:
            return False
        place = self._root / folder
        if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
            return True
        self._real.add(name)
        return False

    def _is_free(self, path: PurePosixPath, working_copy: WorkingCopy) -> bool:
        folded = _fold_path(path)
        taken = folded in self._files or folded in self._folders
        return not taken and working_copy.text(path) is None

    def _hold(self, path: PurePosixPath) -> None:
        self._files[_fold_path(path)] = path.as_posix()
        for folder in [*path.parents][:-1]:
            self._folders[_fold_path(folder)] = folder.as_posix()


def _fold_path(path: PurePosixPath) -> str:

    return "/".join(files.key(part) for part in path.parts)
