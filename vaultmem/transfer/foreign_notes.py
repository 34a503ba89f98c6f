"""The note of somebody else as it may be written here: without secrets, inert, marked as theirs.

Who vouches for a document is decided by the caller, never by the document: what it says of trust
only lowers. Words that the history of this vault has are the vault's own, and come back as they
were; the history still knows how far they are believed.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem import language, privacy, remember, safety
from vaultmem.base import (
    TYPE_CHECKING,
    PatchRefusedError,
    SecretFoundError,
    UnsafePathError,
    dataclass,
)
from vaultmem.language import ERASED_PASSAGE
from vaultmem.model import (
    SECTIONS,
    UNTRUSTED,
    USER,
    CarriedNote,
    Category,
    Item,
    Oid,
    Page,
    Record,
    Resource,
    Skipped,
    Stream,
    claimed_level,
    lowest,
    resource_id,
    trust_of,
)
from vaultmem.safety import defang, mark_inert, refang
from vaultmem.storage import files, notes
from vaultmem.storage.notes import patch, read, split
from vaultmem.transfer.session_notes import is_session_note, of_somebody_else
from vaultmem.vault import Erased

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Removed
    from vaultmem.privacy import Screening
    from vaultmem.vault import Vault


# What of a document may be a note here at all: names, types, ids; nothing is read from the vault.
#
# A document is somebody's text until every entry has passed: a path is a place in the folders of
# notes and nowhere else, a note is what its text says and not what its entry says.

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
        why = self._wrong_with_path(note.path) or self._wrong_with_size(note.data)
        if why:
            return _skip(note, why)
        record = notes.decode(note.path, note.data, Oid(""), zone=self._settings.timezone).record
        fit = Fit(note=note, record=record)
        why = _wrong_with_type(note, record) or _wrong_with_id(fit) or self._wrong_twice(fit)
        # What was purged on this device came in again with a document.
        if not why and self._is_erased(fit):
            why = "it holds a text that was erased for good on this device"
        return _skip(note, why) if why else fit

    def _is_erased(self, fit: Fit) -> bool:
        text = fit.note.data.decode("utf-8", "replace")
        return self._erased.holds(text, ids=(fit.id,) if fit.id else ())

    def _wrong_with_path(self, path: PurePosixPath) -> str:

        try:
            files.layout.check_path(path)
        except UnsafePathError as unsafe:
            return unsafe.message
        parts = path.parts
        if len(parts) < 2 or parts[0] not in files.layout.TOPS:
            return "it lies in none of the folders of notes: " + ", ".join(files.layout.TOPS)
        if not files.is_of_agents(parts[0]) and not files.layout.is_markdown(path.name):
            return "its name does not end in .md"
        if len(parts) > _DEEPEST or len(path.as_posix().encode()) > _LONGEST:
            return "its path is too long"
        for part in parts:
            if len(part.encode()) > files.layout.NAME_LIMIT:
                return f"a name in its path is longer than {files.layout.NAME_LIMIT} bytes"
            rule = files.layout.ignored_by(part)
            if rule:
                return f"'{part}' is a name that is never read ({rule})"
            why = files.layout.unportable(part)
            if why:
                return f"a name in its path does not work everywhere: {why}"
        return ""

    def _wrong_with_size(self, data: bytes) -> str:
        limit = self._settings.limits_note_bytes
        if len(data) > limit:
            return f"it has {len(data):,} bytes; a note may have {limit:,} (limits.note_bytes)"
        return ""

    def _wrong_twice(self, fit: Fit) -> str:

        place = fit.note.place
        if fit.id:
            first = self._ids.setdefault(fit.id, place)
            if first != place:
                return f"'{fit.id}' is {first} already"
        # Names that differ in case or composition alone are one file on some systems.
        folded = "/".join(files.key(part) for part in fit.note.path.parts)
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
    # The id of a resource is made of its text: a forged text under an id that is known here shows.
    if not isinstance(record, Resource) or not record.id or ERASED_PASSAGE in record.body:
        return ""  # a passage that was erased for good left the mark
    if resource_id(record.body) != record.id:
        return "its text is not the one that its id was made of"
    return ""


_Changes = dict[str, str | tuple[str, ...] | float | bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """A note as it would be written."""

    fit: Fit
    data: bytes
    record: Record | None
    path: PurePosixPath  # where it would lie, if nothing else does
    trust: str
    is_own: bool  # the history of this vault has these very bytes
    review: str = ""
    removed: tuple[Removed, ...] = ()

    @property
    def id(self) -> str:
        """Its id; '' when it is known by its path."""
        return self.record.id if isinstance(self.record, Item | Resource) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clean:
    """A note without secrets."""

    data: bytes
    record: Record
    path: PurePosixPath
    removed: tuple[Removed, ...] = ()


class Marking:
    """Makes notes ready, all of one document by one writer."""

    def __init__(self, vault: Vault, *, writer: str, secrets: str | None) -> None:
        self._vault = vault
        self._writer = writer
        self._secrets = secrets
        self._zone = vault.settings.timezone
        self._renamed: dict[str, str] = {}  # file stem -> the one it has here

    def ready(self, fit: Fit, *, is_own: bool) -> Coming | str:
        """The note as it may be written, or why it may not."""
        if is_own or fit.record is None:
            trust = self._recorded_trust(fit.id, USER if is_own else trust_of(self._writer))
            return Coming(
                fit=fit,
                data=fit.note.data,
                record=fit.record,
                path=fit.note.path,
                trust=trust,
                is_own=is_own,
            )
        clean = self._clean(fit)
        if isinstance(clean, str):
            return clean
        data, record = clean.data, clean.record
        front = record.trust if isinstance(record, Item | Resource) else ""
        trust = lowest(trust_of(self._writer), claimed_level(fit.note.trust), claimed_level(front))
        id_ = record.id if isinstance(record, Item | Resource) else ""
        trust = self._recorded_trust(id_, trust)
        review = ""
        if self._writer == "person" and is_session_note(fit.note.path):
            trust = USER  # for this import; the note itself goes on saying what it says
        if trust != USER and isinstance(record, Item | Resource):
            if id_ and isinstance(record, Resource) and resource_id(record.body) != id_:
                # Only of an own text is it believed that a passage was erased from it.
                return "its text is not the one that its id was made of"
            try:
                data, review = self._mark_foreign(record, data, trust)
            except PatchRefusedError as refused:
                return f"it cannot be marked as somebody else's: {refused.message}"
            again = self._decode(fit, data)
            # Marking changes keys and words: what is not read as the same record afterwards is
            # refused.
            if type(again) is not type(record) or getattr(again, "id", "") != id_:
                return "it would not be read as meant once it is marked as somebody else's"
            record = again
        return Coming(
            fit=fit,
            data=data,
            record=record,
            trust=trust,
            is_own=False,
            review=review,
            path=clean.path,
            removed=clean.removed,
        )

    def _recorded_trust(self, id_: str, trust: str) -> str:
        """What is recorded of an id stays: a document raises nothing."""
        known = self._vault.index.trust_levels([id_]).get(id_, USER) if id_ else USER
        return lowest(trust, known)

    def _decode(self, fit: Fit, data: bytes) -> Record | None:

        return notes.decode(fit.note.path, data, Oid(""), zone=self._zone).record

    # --- secrets -------------------------------------------------------------------------

    def _clean(self, fit: Fit) -> _Clean | str:
        """The note without what must not be written, or why it is not taken."""
        assert fit.record is not None
        given = self._relink(fit.note.data)
        screening = privacy.Screening(self._vault.settings, policy=self._secrets, is_imported=True)
        data = _without(given, screening, fit.note.path)
        path = _path_without(fit.note.path, screening)
        try:
            removed = screening.finish()
        except SecretFoundError as found:
            return f"it holds what looks like a secret: {', '.join(found.places[:3])}"
        record = fit.record if data == fit.note.data else self._decode(fit, data)
        if not removed and record is not None:
            return _Clean(data=data, record=record, path=fit.note.path)
        # All of its bytes once more: a secret may stand in a key or a comment of the front matter,
        # which are no values.
        again = privacy.Screening(self._vault.settings, policy=self._secrets, is_imported=True)
        again.clean("text", data.decode("utf-8", "replace"))
        if type(record) is not type(fit.record) or again.found:
            return f"it cannot be read without {removed[0].kind}"
        if isinstance(record, Resource) and record.id and data != given:  # another text, another id
            data = patch(data, {"id": resource_id(record.body)})
            record = self._decode(fit, data)
        if record is None or (isinstance(record, Item) and record.id != fit.id):
            return f"it cannot be read without {removed[0].kind}"
        path = self._renamed_path(fit, record, path)
        return _Clean(data=data, record=record, path=path, removed=removed)

    def _renamed_path(self, fit: Fit, record: Record, clean: PurePosixPath) -> PurePosixPath:
        """Names are made of words: one of a note that held a secret may hold it, too.

        clean  its path without the secrets that stand in it as they are
        """
        if isinstance(record, Item | Resource) and record.id:
            clean = clean.with_name(f"{record.id}.md")
        if clean.stem != fit.note.path.stem:
            self._renamed[fit.note.path.stem] = clean.stem
        return clean

    def _relink(self, data: bytes) -> bytes:
        """The note with links to what was renamed under its new name."""
        for stem, name in self._renamed.items():
            # '[[name]]', '[[name|alias]]', '[[name#part]]'.
            for end in ("]", "|", "#"):
                data = data.replace(f"[[{stem}{end}".encode(), f"[[{name}{end}".encode())
        return data

    # --- words of somebody else ----------------------------------------------------------

    def _mark_foreign(self, record: Item | Resource, data: bytes, trust: str) -> tuple[bytes, str]:
        """The note of somebody else, and why it has to wait for the person ('': it need not)."""
        changes: _Changes = {"writer": self._writer_of(record.writer, trust), "trust": trust}
        parts = split(data)
        head = data[: len(data) - len(parts.body)].decode("utf-8", "replace")
        body = parts.body.decode("utf-8", "replace")
        # Somebody else's conversation can be gone on with: marked inert, its hard exceptions
        # waiting for review.
        if isinstance(record, Resource) and is_session_note(record.path):
            return of_somebody_else(patch(data, changes), record.path), ""
        if isinstance(record, Resource):
            gap = "\r\n" if body.startswith("\r\n") else "\n" if body.startswith("\n") else ""
            safe = defang(record.body)
            changes["defanged"] = True if safe != record.body else None
            above = gap if parts.block else ""  # the blank line that `decode` leaves out
            return patch((mark_inert(head) + above + safe).encode(), changes), ""
        if record.pinned:
            changes["pinned"] = None
        if record.hard:
            changes["hard"] = None
        if record.critical:
            changes["critical"] = None
        if record.stream and (trust == UNTRUSTED or record.stream == "identity"):
            changes["stream"] = None
        review = self._suspicion(record, body, trust)
        if review and record.status == "active":
            changes |= {"status": "candidate", "review": review}
        return patch((mark_inert(head) + mark_inert(body)).encode(), changes), review

    def _writer_of(self, said: str, trust: str) -> str:
        """As the note says, where the person vouches for that or it claims no more than it has."""
        if said and (self._writer == "person" or (said != "person" and trust_of(said) == trust)):
            return said
        if trust == UNTRUSTED:
            return "web"
        return "import" if self._writer == "person" else self._writer

    def _suspicion(self, item: Item, body: str, trust: str) -> str:
        """Why an item that would answer has to wait; one that waits already keeps its reason."""
        if item.status != "active":
            return item.review if item.status == "candidate" else ""
        found = safety.suspicion(refang(body)) or safety.suspicion(item.quote)
        if not found and trust == UNTRUSTED:
            found = remember.contradiction(self._vault, item.statement)
        return found or (remember.RULE if item.kind == "rule" else "")


def _without(data: bytes, screening: Screening, path: PurePosixPath) -> bytes:
    """The note without secrets: keys are written anew, so that they are read as before."""
    front = read(data, path)
    parts = split(data)
    body = parts.body.decode("utf-8", "replace")
    clean = screening.clean("text", body)
    if clean != body:
        data = data[: len(data) - len(parts.body)] + clean.encode()
    changes: _Changes = {}
    for key, value in front.values.items():
        if isinstance(value, str):
            fresh: str | tuple[str, ...] = screening.clean(key, value)
        elif isinstance(value, tuple) and all(isinstance(each, str) for each in value):
            fresh = tuple(screening.clean(key, str(each)) for each in value)
        else:
            continue
        if fresh != value:
            changes[key] = fresh
    return patch(data, changes) if changes else data


def _path_without(path: PurePosixPath, screening: Screening) -> PurePosixPath:
    """The path, where folders or the file are named after a secret with other names."""
    names = [*path.parts[:-1], path.stem]
    clean = [screening.clean("name", name) for name in names]
    if clean == names:
        return path
    *folders, stem = (
        name if name == before else language.slugify(name)
        for name, before in zip(clean, names, strict=True)
    )
    return PurePosixPath(*folders, f"{stem}.md")


def as_person(coming: Coming) -> bool:
    """Whether the words of a note count as the person's own: lists and pages must."""
    return coming.is_own or coming.trust == USER
