"""What a question sees: the notes as they are now, or as they were by one clock or by both.

*As of* is valid time: what held then, by the dates in the notes, as far as it is known now (edits
that are not committed count). *Known at* is record time: the notes as the last commit of then held
them; without another valid time, what they say of that same instant (algorithms.md 2.4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem import language, model
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    HistoryDamagedError,
    IndexDamagedError,
    TypeVar,
    UnknownNoteError,
)
from vaultmem.history import versions as past_operations
from vaultmem.history.versions import incomplete
from vaultmem.language import format_minute, parse_when, read_instant
from vaultmem.model import (
    ENDED,
    LASTING,
    STREAMS,
    Filters,
    Moment,
    NoteRow,
    Point,
    Timeline,
    TimelineRow,
    part_key,
    slot_key,
)
from vaultmem.storage import index
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.storage.index import Edge, Past, PastView, Search, WithRetired
    from vaultmem.vault import Notes as Notes
    from vaultmem.vault import Vault

When = int | str
"""UTC ms, or text as on the command line: a date, a date-time, a phrase; a revision if known at."""

T = TypeVar("T")
BEFORE_ALL = -1  # place of a state before the first commit
_CUT_OFF = "this is a shallow clone, or what was before is damaged"
_EXAMPLES = "write 2026-02-03, 2026-02-03T12:00+01:00, 'last Tuesday', or a revision such as HEAD~3"


class Snapshot:
    """The notes of one moment. Good for one answer: what it sees is read when it is asked."""

    def __init__(
        self,
        vault: Vault,
        moment: Moment,
        past: Past,
        view: PastView | None,
        retired: WithRetired | None,
    ) -> None:
        self._vault = vault
        self._past = past
        self._view = view
        self._retired = retired
        self.moment = moment

    @property
    def past(self) -> Past:
        """The versions of all notes, level with the history."""
        return self._past

    @property
    def is_of_past(self) -> bool:
        """Whether notes are seen as a commit held them, and not as they are."""
        return self._view is not None

    @property
    def notes(self) -> Notes:
        """Where single notes are looked up."""
        return self.now if self._view is None else self._view

    @property
    def now(self) -> Notes:
        """The notes as they are, with those that `compact` took out of the folder."""
        return self._vault.index if self._retired is None else self._retired

    def search(self, query: str, *, limit: int, filters: Filters) -> Search:
        """Passages of notes that this moment sees, best first, by the built-in retriever."""
        fuzzy = self._vault.settings.recall_fuzzy
        now = self.moment.valid_at or self.moment.known_at or self._vault.clock.now()
        if self._view is not None:
            return self._view.search(query, limit=limit, filters=filters, fuzzy=fuzzy, now=now)
        index, at_ms = self._vault.index, self.moment.valid_at
        passes = None
        if at_ms is not None:
            passes = index.spans().passing(
                lambda span: span.holds_at(
                    at_ms,
                    self._first_recorded(span.id, span.path) if span.valid_from is None else None,
                )
            )
        source = index if self._retired is None else self._retired
        return source.search(
            query, limit=limit, filters=filters, fuzzy=fuzzy, passes=passes, now=now
        )

    def list(self, filters: Filters, *, limit: int | None) -> tuple[NoteRow, ...]:
        """Notes of this moment that pass the filters, newest first."""
        if self._view is not None:
            return self._view.list(filters, limit=limit)
        source = self._vault.index if self._retired is None else self._retired
        rows = [row for row in source.list(filters) if self.holds(row)]
        return tuple(rows if limit is None else rows[:limit])

    def edges(self) -> tuple[Edge, ...]:
        """Every link between two notes of this moment."""
        return (self._vault.index if self._view is None else self._view).edges()

    def holds(self, row: NoteRow) -> bool:
        """Whether a note held at the valid time asked about; True when none was."""
        at_ms = self.moment.valid_at
        if at_ms is None or row.type != "item":
            return True
        if self._view is not None:
            return self._view.holds_at(row, at_ms)
        recorded = self._first_recorded(row.id, str(row.path)) if row.valid_from is None else None
        return model.holds_at(
            at_ms,
            status=row.status,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            recorded_at=recorded,
        )

    def _first_recorded(self, id_: str, path: str) -> int | None:
        return self._past.first_recorded(id=id_, path=path)


def seeing(
    vault: Vault,
    look: Callable[[Snapshot], T],
    *,
    as_of: When | None,
    known_at: When | None,
    by_status: bool = False,
    words: bool = True,
    progress: Progress | None = None,
) -> T:
    """What a look at another time finds; the index has to be level.

    by_status  the question names statuses: without `as_of`, these decide and not the validity
    words      what was known at another time is searched, or looked up by names and links
    raises     BadInputError for what is no time, HistoryIncompleteError before a clone begins
    """

    def look_into_past() -> T:
        bring = (
            past_operations.searchable if words and known_at is not None else past_operations.level
        )
        past = bring(vault, progress=progress)
        # What `compact` retired has no words in the index of today.
        if words and known_at is None and past.has_retired():
            past = past_operations.searchable(vault, progress=progress)
        with past.snapshot():
            snapshot = _sight(vault, past, as_of, known_at, by_status=by_status)
            return past.run_guarded(lambda: look(snapshot))

    try:
        return look_into_past()
    except IndexDamagedError as error:
        if vault.past is None or error.file != vault.past.file:
            raise
        # The file is made of the history alone: it is thrown away and asked again, once.
        past_operations.drop(vault)
        return look_into_past()


def _sight(
    vault: Vault, past: Past, as_of: When | None, known_at: When | None, *, by_status: bool
) -> Snapshot:
    valid_at = None if as_of is None else _instant(vault, as_of)
    retired = _with_retired(vault, past, valid_at) if past.has_retired() else None
    if known_at is None:
        return Snapshot(vault, Moment(valid_at=valid_at), past, None, retired)
    place, at_ms, revision = _place(vault, past, known_at)
    if valid_at is None and not by_status:
        valid_at = at_ms
    begins = past.commit_at(0)[1] if place == BEFORE_ALL and past.length() else None
    moment = Moment(
        valid_at=valid_at,
        known_at=at_ms,
        commit="" if place == BEFORE_ALL else past.commit_at(place)[0],
        revision=revision,
        begins=begins,
    )

    view = index.PastView(past, place, at_ms=valid_at, levels=vault.index.trust_levels)
    return Snapshot(vault, moment, past, view, retired)


def _with_retired(vault: Vault, past: Past, valid_at: int | None) -> index.WithRetired:
    levels = vault.index.trust_levels
    view = index.PastView(past, past.length() - 1, at_ms=valid_at, levels=levels, only_retired=True)
    return index.WithRetired(vault.index, view)


def _instant(vault: Vault, when: When) -> int:
    if isinstance(when, int):
        return when
    return parse_when(when, vault.clock.now(), vault.settings.timezone)


def _place(vault: Vault, past: Past, known_at: When) -> tuple[int, int, str]:
    """Place of the state that was known, the instant that means, and the revision if one did."""
    try:
        at_ms = _instant(vault, known_at)
    except BadInputError:
        place = _place_of_revision(vault, past, str(known_at))
        return _whole(past, place), past.commit_at(place)[1], str(known_at)
    known = past.known_at(at_ms)
    if known is None:
        if vault.history.lineage().boundaries():
            raise past_operations.incomplete(_begins_later(vault, past))
        return BEFORE_ALL, at_ms, ""
    return _whole(past, known), at_ms, ""


def _begins_later(vault: Vault, past: Past) -> str:
    if not past.length():
        return _CUT_OFF
    begins = language.format_minute(past.commit_at(0)[1], vault.settings.timezone)
    return f"{_CUT_OFF}, and begins on {begins}"


def _place_of_revision(vault: Vault, past: Past, revision: str) -> int:
    try:
        commit = vault.history.resolve(revision.strip())
    except BadInputError as error:
        if vault.history.lineage().boundaries():
            reason = f"'{revision}' names no commit that is here: {_CUT_OFF}"
            raise past_operations.incomplete(reason) from error
        raise BadInputError(
            f"'{revision}' is neither a time nor a commit of this vault", hint=_EXAMPLES
        ) from error
    place = past.place_of(commit)
    if place is None:
        raise BadInputError(
            f"commit {commit[:10]} is not on the main line of this vault's history",
            hint="what came from another device was known when it was merged: `vaultmem log` "
            "lists those commits",
        )
    return place


def _whole(past: Past, place: int) -> int:
    """The place, when every text that was known there can be read."""
    lacking = past.missing(place)
    if not lacking:
        return place
    raise HistoryDamagedError(
        f"{len(lacking)} of the texts that were known then are gone from the repository",
        hint="what holds now is answered without them; `vaultmem check` looks for more damage",
    )


# A state of the vault that a person names: a revision, a date, or a phrase such as 'last week'.

_LEAST_DATE = len("2026-02")  # what is shorter may be the id of a commit


def point(vault: Vault, known: Past, text: str) -> tuple[Point, int | None]:
    """The state that `text` names, and its place in the chain (None: before the first commit).

    A time means the last commit that was known then (algorithms.md 2.5). A date is 00:00 in the
    vault's zone, 'now' the last commit. What could be both is a revision, unless it is a date
    with a month.
    raises  BadInputError for what is neither, and for a commit beside the main line
            HistoryIncompleteError for a time before this clone's history begins
    """
    wanted = text.strip()
    now, zone = vault.clock.now(), vault.settings.timezone
    commit = revision(vault, wanted)
    if commit:
        return _at_commit(known, commit, text)
    if wanted.casefold() == "now":
        return at_place(known, known.length() - 1 if known.length() else None, text)
    try:
        at = parse_when(wanted, now, zone)
    except BadInputError as error:
        raise BadInputError(f"'{text}' names no commit and no time", hint=_EXAMPLES) from error
    place = known.known_at(at)
    if place is None:
        _require_whole(vault, known, at)
    return at_place(known, place, text)


def revision(vault: Vault, text: str) -> str:
    """The commit that `text` names, on any line; '' when it is none, or rather a date."""
    wanted = text.strip()
    is_date = len(wanted) >= _LEAST_DATE and read_instant(wanted, "UTC") is not None
    if not wanted or is_date or wanted.casefold() == "now":
        return ""
    try:
        return vault.history.resolve(wanted)
    except BadInputError:
        return ""


def at_place(known: Past, place: int | None, text: str) -> tuple[Point, int | None]:
    """The state after the commit at a place of the chain."""
    if place is None:
        return Point(asked=text, at=None), None
    commit, at = known.commit_at(place)
    return Point(asked=text, at=at, commit=commit), place


def _at_commit(known: Past, commit: str, text: str) -> tuple[Point, int | None]:
    place = known.place_of(commit)
    if place is None:
        raise BadInputError(
            f"'{text}' is not on the main line of this vault",
            hint="a merged line became known at its merge: `vaultmem log` lists what can be named",
        )
    return at_place(known, place, text)


def _require_whole(vault: Vault, known: Past, at: int) -> None:
    """Raise HistoryIncompleteError when the history is cut off after an instant."""
    if vault.history.lineage().boundaries():
        _, begins = known.commit_at(0)
        raise incomplete(f"it begins {format_minute(begins)} UTC, after {format_minute(at)} UTC")


def timeline(
    vault: Vault,
    subject: str = "",
    predicate: str = "",
    *,
    streams: Sequence[str] = (),
    progress: Progress | None = None,
) -> Timeline:
    """Items with their intervals, by slot, start of validity and id; what is retired too.

    subject, predicate  only items of this slot; '': of any
    streams             only items in one of these
    raises              UnknownNoteError when there is no such item
    """
    if predicate and not subject:
        raise BadInputError("a predicate needs its subject", hint="vaultmem timeline SUBJECT ...")
    for stream in streams:
        if stream not in STREAMS:
            raise BadInputError(
                f"no stream is called '{stream}'", hint=f"streams: {', '.join(STREAMS)}"
            )

    def look(snapshot: Snapshot) -> tuple[TimelineRow, ...]:
        filters = Filters(types=("item",), streams=tuple(streams))
        rows = [
            row for row in snapshot.list(filters, limit=None) if _is_of(row, subject, predicate)
        ]
        return tuple(_row(snapshot, row) for row in sorted(rows, key=_order))

    rows = answering.reading(
        vault,
        lambda: seeing(vault, look, as_of=None, known_at=None, words=False, progress=progress),
    )
    about = " ".join(part for part in (subject, predicate, *streams) if part)
    if not rows:
        raise UnknownNoteError(
            f"there is no item of '{about}'" if about else "there is no item yet",
            hint="`vaultmem list --type item --json` shows the subjects and predicates of items"
            if about
            else "`vaultmem remember` makes some",
        )
    now = vault.clock.now()
    times = [ms for row in rows for ms in (_begins(row), row.valid_until) if ms is not None]
    return Timeline(
        about=about,
        now=now,
        begins=min([*times, now]),
        ends=max([*times, now]),
        rows=tuple(rows),
    )


def _is_of(row: NoteRow, subject: str, predicate: str) -> bool:
    if not subject:
        return True
    if part_key(row.subject) != part_key(subject):
        return False
    return not predicate or slot_key(subject, predicate) == slot_key(row.subject, row.predicate)


def _row(snapshot: Snapshot, row: NoteRow) -> TimelineRow:
    path = "" if row.id else str(row.path)
    return TimelineRow(
        id=row.id,
        path=row.path,
        statement=row.statement,
        status=row.status,
        stream=row.stream,
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        recorded_at=snapshot.past.first_recorded(id=row.id, path=path),
        held=row.status in LASTING or (row.status in ENDED and row.valid_until is not None),
    )


def _begins(row: TimelineRow) -> int | None:
    return row.recorded_at if row.valid_from is None else row.valid_from


def _order(row: NoteRow) -> tuple[str, bool, int, str, str]:
    """Items in no slot stand last; of a slot, what has no start stands first."""
    slot = slot_key(row.subject, row.predicate)
    return (
        slot or "\U0010ffff",
        row.valid_from is not None,
        row.valid_from or 0,
        row.id,
        str(row.path),
    )
