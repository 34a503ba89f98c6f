"""What of a document may be a note here at all: names, types, ids; nothing is read from the vault.

A document is somebody's text until every entry has passed: a path is a place in the folders of
notes and nowhere else, a note is what its text says and not what its entry says.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import UnsafePathError
from vaultmem.base.records import dataclass
from vaultmem.language.text import ERASED_PASSAGE
from vaultmem.model.ids import Oid, resource_id
from vaultmem.model.leaving import SECTIONS, CarriedNote, Skipped
from vaultmem.model.notes import Category, Item, Page, Record, Resource, Stream
from vaultmem.vault.erased import Erased

if TYPE_CHECKING:
    from vaultmem.config.settings import Settings

_DEEPEST = 16  # folders of a path
_LONGEST = 1_000  # bytes of a path; Windows and old tools have trouble long before
_TYPES: dict[type[object], str] = {
    Item: "item",
    Resource: "resource",
    Category: "category",
    Stream: "stream",
    Page: "page",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A note that may be taken in."""

    note: CarriedNote
    record: Record | None  # None: bytes that are no text, a page

    @property
    def id(self) -> str:
        """Its id; '' when it is known by its path."""
        return self.record.id if isinstance(self.record, Item | Resource) else ""


class Judge:
    """Looks at the entries of one document, in order."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._erased = Erased(settings)
        self._ids: dict[str, str] = {}  # place by id
        self._paths: dict[str, str] = {}  # place by folded path

    def look(self, note: CarriedNote) -> Fit | Skipped:
        """The note, if it fits; else why it does not. Of two with one id or path the first fits."""
        from vaultmem.storage.notes.schema import decode

        why = self._wrong_with_path(note.path) or self._wrong_with_size(note.data)
        if why:
            return _skip(note, why)
        record = decode(note.path, note.data, Oid(""), zone=self._settings.timezone).record
        fit = Fit(note=note, record=record)
        why = _wrong_with_type(note, record) or _wrong_with_id(fit) or self._wrong_twice(fit)
        if not why and self._is_erased(fit):
            why = "it holds a text that was erased for good on this device"
        return _skip(note, why) if why else fit

    def _is_erased(self, fit: Fit) -> bool:
        text = fit.note.data.decode("utf-8", "replace")
        return self._erased.holds(text, ids=(fit.id,) if fit.id else ())

    def _wrong_with_path(self, path: PurePosixPath) -> str:
        from vaultmem.storage.files import layout

        try:
            layout.check_path(path)
        except UnsafePathError as unsafe:
            return unsafe.message
        parts = path.parts
        if len(parts) < 2 or parts[0] not in layout.TOPS:
            return "it lies in none of the folders of notes: " + ", ".join(layout.TOPS)
        if not layout.is_markdown(path.name):
            return "its name does not end in .md"
        if len(parts) > _DEEPEST or len(path.as_posix().encode()) > _LONGEST:
            return "its path is too long"
        for part in parts:
            if len(part.encode()) > layout.NAME_LIMIT:
                return f"a name in its path is longer than {layout.NAME_LIMIT} bytes"
            rule = layout.ignored_by(part)
            if rule:
                return f"'{part}' is a name that is never read ({rule})"
            why = layout.unportable(part)
            if why:
                return f"a name in its path does not work everywhere: {why}"
        return ""

    def _wrong_with_size(self, data: bytes) -> str:
        limit = self._settings.limits_note_bytes
        if len(data) > limit:
            return f"it has {len(data):,} bytes; a note may have {limit:,} (limits.note_bytes)"
        return ""

    def _wrong_twice(self, fit: Fit) -> str:
        from vaultmem.storage.files.layout import key

        place = fit.note.place
        if fit.id:
            first = self._ids.setdefault(fit.id, place)
            if first != place:
                return f"'{fit.id}' is {first} already"
        folded = "/".join(key(part) for part in fit.note.path.parts)
        first = self._paths.setdefault(folded, place)
        return f"its path is that of {first}" if first != place else ""


def _skip(note: CarriedNote, why: str) -> Skipped:
    shown = note.path.as_posix().encode("utf-8", "replace").decode()
    return Skipped(place=note.place, why=why, path=shown)


def _wrong_with_type(note: CarriedNote, record: Record | None) -> str:
    """A note is what its text and path say; an entry that says otherwise was made by hand."""
    said, found = SECTIONS[note.section], _TYPES[type(record)] if record is not None else "page"
    return f"its text is a {found}, not a {said}" if said != found else ""


def _wrong_with_id(fit: Fit) -> str:
    if fit.note.id and fit.note.id != fit.id:
        return f"it says to be '{fit.note.id}', its text says '{fit.id}'"
    record = fit.record
    if not isinstance(record, Resource) or not record.id or ERASED_PASSAGE in record.body:
        return ""  # a passage that was erased for good left the mark
    if resource_id(record.body) != record.id:
        return "its text is not the one that its id was made of"
    return ""
