"""Notes and passages as lines of a context: on one line, inert, dated, cited."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath

from vaultmem import model, safety
from vaultmem.base import TYPE_CHECKING, NamedTuple, replace
from vaultmem.context.render import OUT_OF_DATE, UNCONFIRMED, UNSURE
from vaultmem.language import format_date, format_minute, visible
from vaultmem.model import (
    BESIDE,
    CRITICAL,
    CURRENT,
    EVENTS,
    FACTS,
    HARD,
    INFERRED,
    LIMITED,
    PERSON,
    PERSONA,
    RULES,
    SESSIONS,
    TIERS,
    UNTRUSTED,
    USER,
    Line,
    Portion,
    id_in_name,
    shorten,
)
from vaultmem.recall import LEARNED, Rivals, Sureness, Twins, holds, is_record
from vaultmem.safety import defang_output
from vaultmem.vault import by_source

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.history import Snapshot
    from vaultmem.model import Hit, NoteRow, Passage
    from vaultmem.recall import Asking
    from vaultmem.vault import Vault

# A whole id as a link took 13 of the 38 tokens of a line; 8 letters take 9.
CITED = 8  # letters of an id: among 10,000 notes, one of 100,000 is not alone with them
LISTED = 300  # items of one kind that are looked at for a tier
WANTS = ("preference", "rule", "procedure")  # kinds that say how things are to be done
ALWAYS = ("rule", "procedure")
_SHOWN_COMMIT = 10
_LINK = re.compile(r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
# '[undated]' said nothing of how old a passage is; the folder of its note does.
_FOLDER_OF_TIME = re.compile(r"(?:items|resources|archive)/(\d{4})/(\d\d)/(?:(\d\d)/)?[^/]+$")
_HEADING = re.compile(r"#{1,6}\s")


class Doubtful:
    """What newer words may have put an end to (`may_replace`), where both still hold."""

    def __init__(self, vault: Vault) -> None:
        self._index = vault.index
        self._newer: dict[str, list[PurePosixPath]] = {}  # key of the older one -> paths
        for path, key in vault.index.typed_links("may_replace"):
            self._newer.setdefault(key, []).append(path)
        self._known: dict[str, bool] = {}

    def has(self, row: NoteRow) -> bool:
        """Whether a note is one of them."""
        if not self._newer or row.type != "item":
            return False
        return self._is_doubted(row.id) or self._is_doubted(row.path.stem.casefold())

    def _is_doubted(self, key: str) -> bool:
        """Looked up when it is asked: of 13,600 links all the notes took .3 s, a few are asked."""
        if key not in self._newer:  # most: 460 looks for the notes of none were 4 % of a context
            return False
        if key not in self._known:
            newer = self._index.notes(self._newer[key]).values()
            self._known[key] = any(note.status == "active" for note in newer)
        return self._known[key]


class SessionLines(NamedTuple):
    """The lines of one session."""

    folder: PurePosixPath | None  # whose texts are not found once more; None: it has none yet
    hard: list[Line]
    facts: list[Line]
    turns: list[Line]  # the newest first: the last ones word for word, those before as logged


class Talk(NamedTuple):
    """A conversation that goes on, beside which a context is given."""

    read: Callable[[LineMaker], SessionLines]
    is_beside: bool = False  # it is told in another way, and none of its words are wanted


class LineMaker:
    """Makes lines of one vault at one moment, and counts what it withholds."""

    def __init__(
        self,
        vault: Vault,
        snapshot: Snapshot | None,
        *,
        hides: bool = False,
        asking: Asking | None = None,
    ) -> None:
        """`asking`: the project that is asked in, so that a line of another one says so."""
        self._vault = vault
        self._index = vault.index
        self._zone = vault.settings.timezone
        self._now = vault.clock.now() if snapshot is None else None
        self._pending = frozenset() if snapshot else _pending(vault)
        known = snapshot.moment.commit if snapshot is not None and snapshot.is_of_past else ""
        self._commit = (known or vault.head_or(""))[:_SHOWN_COMMIT]
        self._hides = hides or vault.settings.recall_untrusted == "hide"
        self._withheld: set[PurePosixPath] = set()
        # Of another time everything is told that was so then, believed today or not.
        self._sureness = Sureness(vault.settings, vault.clock.now()) if snapshot is None else None
        self._rivals = Rivals(vault, vault.clock.now()) if snapshot is None else None
        self._doubtful = Doubtful(vault) if snapshot is None else None
        self._asking = asking
        self._rows: dict[PurePosixPath, NoteRow] = {}  # of items that have a line
        self._said: dict[str, bool] = {}  # texts that are statements of items
        self._turns: dict[PurePosixPath, tuple[str, int]] = {}  # of items: turn, place in it

    @property
    def withheld(self) -> int:
        """Texts from outside that give orders."""
        return len(self._withheld)

    def withhold(self, paths: Iterable[PurePosixPath]) -> None:
        """Count texts that give orders, which nobody made a line of."""
        self._withheld.update(paths)

    def standing(self, row: NoteRow, tier: str) -> Line | None:
        """An item that is given unasked; None: it is from outside."""
        if row.trust == UNTRUSTED or (row.trust == LIMITED and self._gives_orders(row)):
            return None
        return self._line(row, tier, row.statement)

    def line_of_hit(self, hit: Hit) -> Line | None:
        """A hit of one item or one passage; None: it is withheld."""
        note = hit.note
        if note.type == "stream" or (note.trust == UNTRUSTED and self._hides):
            return None  # bullets of a stream are items; what stands between them is its frame
        if note.type == "item":
            if note.trust != USER and self._gives_orders(note):
                return None
            return self._line(note, tier_of(note), note.statement, score=hit.score)
        line = self._line(
            note, EVENTS, spoken_text(hit.passages[0]), passage=hit.passages[0], score=hit.score
        )
        if line is None or not hit.outdated:
            return line
        told = [line.remark, *(inert(each.describe()) for each in hit.outdated)]
        return replace(line, remark="; ".join(each for each in told if each))

    def due(self, row: NoteRow, score: float) -> Line | None:
        """An item that is given since somebody asks what is due; None: it is from outside."""
        if row.trust == UNTRUSTED or (row.trust != USER and self._gives_orders(row)):
            return None
        return self._line(row, tier_of(row), row.statement, score=score)

    def verbatim(
        self,
        row: NoteRow,
        passage: Passage,
        score: float,
        *,
        beside: Sequence[NoteRow] = (),
        place: int = 0,
    ) -> Line | None:
        """What a text of the person says in a passage; None: it gives orders.

        beside  items that hold the rest of the passage; place: of the text, in it
        """
        if safety.suspicion(passage.text):
            return None
        text = replace(passage, speaker="")
        line = self._line(row, EVENTS, spoken_text(text), passage=text, score=score)
        if line is None or not beside:
            return line if line is None else replace(line, remark=self._place(row))
        # With the date of the items of its turn it stands on their line.
        dated = min(beside, key=lambda each: (each.date or 0, each.id))
        return replace(
            line,
            tier=tier_of(dated),
            remark=self._place(row),
            date=self._day(dated.date),
            turn=turn_of(row, passage),
            place=place,
        )

    def beside(self, row: NoteRow) -> Line | None:
        """An item that nobody asked for, where room is left; None: it is from outside."""
        if row.trust != USER and self._gives_orders(row):
            return None
        return None if row.trust == UNTRUSTED else self._line(row, BESIDE, row.statement)

    def is_doubted(self, row: NoteRow) -> bool:
        """Whether an item does not hold any more, or newer words may have put an end to it."""
        is_over = self._now is not None and not holds(row, self._now)
        return is_over or (self._doubtful is not None and self._doubtful.has(row))

    def note_turns(self, rows: Iterable[NoteRow]) -> None:
        """Learn which items were said in one breath: they quote the same passage."""
        by_source: dict[str, dict[PurePosixPath, NoteRow]] = {}
        for row in rows:
            if row.type == "item" and len(row.source) == 1 and row.quote and not row.asked:
                by_source.setdefault(row.source[0], {})[row.path] = row
        for name, held in by_source.items():
            text = self._index.resolve_link(name) if len(held) > 1 else None
            if text is not None:
                self._note_turns_of(text, held.values())

    def _note_turns_of(self, text: NoteRow, rows: Collection[NoteRow]) -> None:
        for passage in self._index.passages(text.path):
            for row in rows:
                place = passage.text.find(row.quote)
                if place >= 0:
                    self._turns.setdefault(row.path, (turn_of(text, passage), place))

    def twins_of(self, told: Collection[PurePosixPath]) -> Callable[[PurePosixPath], bool]:
        """Whether an item is of the same sentence as one of those that are told."""
        twins = Twins(self._rows[path] for path in told if path in self._rows)
        return lambda path: path in self._rows and twins.has(self._rows[path])

    def plain(self, tier: str, text: str, path: PurePosixPath, at: int | None) -> Line:
        """A line of a text that is no item: of a conversation that goes on."""
        shown = f"{path}@{self._commit}" if self._commit else str(path)
        return Line(
            tier=tier,
            text=inert(text),
            citation=f"[[{inert(str(path.with_suffix('')))}]]",
            path=path,
            at=shown,
            date=self._day(at),
        )

    def _gives_orders(self, row: NoteRow) -> bool:

        if not safety.suspicion(row.statement):
            return False
        self._withheld.add(row.path)
        return True

    def _line(
        self,
        row: NoteRow,
        tier: str,
        text: str,
        *,
        passage: Passage | None = None,
        score: float = 0.0,
    ) -> Line | None:
        # The record of a talk ends with what held then, which its items tell for as long as it
        # holds: in a context it has neither that nor its date twice (9 of 45 tokens).
        if row.kind == "event" and passage is None:
            text = self._of_episode(text)
        shown = inert(text)
        if row.asked and shown and passage is None:
            shown = f"{shown} (asked: {inert(row.asked)})"
        elif row.said_after and shown and row.type == "item" and not self._is_said(row):
            before = inert(row.said_after)
            joint = "" if before.endswith((".", "!", "?", ":", ";", "…")) else "."
            shown = f"{before}{joint} {shown}"
        if not shown:
            return None
        if row.type == "item":
            self._rows[row.path] = row
        date = row.date if passage is None or passage.date is None else passage.date
        turn, place = self._turns.get(row.path, ("", 0)) if passage is None else ("", 0)
        is_pending = row.path in self._pending or not self._commit
        is_on = self._is_ahead(row.valid_until)
        due = format_minute(row.due, self._zone)
        # An end is the first moment at which a note holds no more: the last day is the one before
        # it.
        ends = self._day(row.valid_until - 1) if is_on and row.valid_until else ""
        return Line(
            tier=tier,
            text=shown,
            citation=cite(row),
            path=row.path,
            at=str(row.path) if is_pending else f"{row.path}@{self._commit}",
            id=row.id,
            date=self._day(date),
            kept=kept_in(row.path),
            until="" if is_on else self._day(row.valid_until),
            ends="" if ends == due else ends,
            due=due,
            kind=row.kind,
            stream=row.stream,
            line=None if passage is None else passage.line,
            remark=self._remark(row, passage),
            doubt=self._doubt(row),
            record=is_record(row, passage),
            score=score,
            importance=row.importance if row.type == "item" else 0,
            turn=turn,
            place=place,
        )

    def _is_said(self, row: NoteRow) -> bool:
        """Whether the words before those of an item stand in an item of their own, or did."""
        key = row.said_after
        if key not in self._said:
            # 'I play the cello.', which was deleted, stood before 'My dentist is Dr. Okafor.'.
            self._said[key] = bool(self._index.items_with_statement(key)) or any(
                each.quote in key or key in each.quote
                for lost in by_source(self._vault).values()
                for each in lost
            )
        return self._said[key]

    def _of_episode(self, text: str) -> str:
        """The record of a conversation without what is over; any other text as it is."""
        return model.as_line(text, self._is_over) if model.is_episode(text) else text

    def _is_over(self, sentence: str) -> bool:
        """Whether only memories that do not hold any more, or may not, say this sentence."""
        if self._doubtful is None or self._now is None:
            return False  # of another time all is told
        ids = self._index.items_with_statement(sentence)
        rows = [row for id_ in ids for row in self._index.notes_with_id(id_)]
        return bool(rows) and not any(
            holds(row, self._now) and not self._doubtful.has(row) for row in rows
        )

    def _remark(self, row: NoteRow, passage: Passage | None) -> str:
        """Whose words a note is, and what competes with it."""
        told = [remark_of(row) if not _is_their_turn(row, passage) else ""]
        told.append(self._place(row))
        if self._rivals is not None:
            told += [
                f"said otherwise, too: {inert(each.statement)}" for each in self._rivals.of(row)
            ]
        return "; ".join(each for each in told if each)

    def is_of_another(self, row: NoteRow) -> bool:
        """Whether it was told in another project than the one that is asked in."""
        return self._asking is not None and self._asking.is_of_another(row)

    def _place(self, row: NoteRow) -> str:
        if not self.is_of_another(row):
            return ""
        return f"of another project, {inert(' and '.join(row.projects))}"

    def _doubt(self, row: NoteRow) -> str:
        """That a newer memory may have put an end to a note, or it is not believed enough."""
        if self._doubtful is not None and self._doubtful.has(row):
            return OUT_OF_DATE
        if self._sureness is None or self._sureness.is_enough(row):
            return ""
        return UNCONFIRMED if self._sureness.was_enough(row) else UNSURE

    def _is_ahead(self, ms: int | None) -> bool:
        """Whether a moment is still to come: 'until' is said of what is over alone."""
        return ms is not None and self._now is not None and ms > self._now

    def _day(self, ms: int | None) -> str:
        if ms is None:
            return ""
        try:
            return format_date(ms, self._zone)
        except ValueError:  # outside the calendar
            return ""


def _is_their_turn(row: NoteRow, passage: Passage | None) -> bool:
    """Whether a passage is what the person said in a talk of theirs."""
    is_talk = row.writer == "person" and row.title.startswith("Conversation: ")
    return is_talk and passage is not None and passage.speaker.casefold() == "user"


def turn_of(text: NoteRow, passage: Passage) -> str:
    """The name of a passage of a text, by which what it says is put together."""
    return f"{text.path}#{passage.seq}"


def cite(row: NoteRow) -> str:
    """The start of an id, which every command takes for it; of a note without one, its name.

    With whole ids, and links around them, a third of a context was citations. Where two notes
    begin alike, the command that is given it names both.
    """
    if not row.id:
        return f"[[{inert(row.path.stem)}]]"
    short = row.id[:CITED]
    # Nothing acts in letters, digits and dashes: to look closer was 2 % of a cold context.
    is_plain = short.isascii() and short.replace("-", "").isalnum()
    return f"[{short if is_plain else inert(short)}]"


def kept_in(path: PurePosixPath) -> str:
    """The month, or day, of the folder that a note was put into; '' where it tells none."""
    told = _FOLDER_OF_TIME.match(path.as_posix())
    return "-".join(part for part in told.groups() if part) if told else ""


def tier_of(row: NoteRow) -> str:
    """The tier of a found item: what an assistant worked out is kept apart from what was said."""
    if row.kind == "reflection" or (row.trust == LIMITED and row.writer == "agent"):
        return INFERRED
    return EVENTS if row.kind == "event" else FACTS


def standing_tier(row: NoteRow) -> str:
    """The tier of an item that is given whatever is asked."""
    if row.hard:
        return HARD
    if row.critical:
        return CRITICAL
    if row.kind in ALWAYS:
        return RULES
    return PERSONA if row.kind in WANTS else PERSON


def remark_of(row: NoteRow) -> str:
    """Whose words a note is, where it is not the person's own."""
    if row.trust == UNTRUSTED:
        return f"from outside, unverified: {inert(row.writer) or 'unknown'}"
    if row.trust != LIMITED:
        return ""
    # Of the person and yet not believed as such: words of others in a text that they kept.
    who = "a text they kept" if row.writer == "person" else inert(row.writer) or "unknown"
    return f"not their own words: {who}"


def by_weight(rows: Iterable[NoteRow], risen: Mapping[str, int] | None = None) -> list[NoteRow]:
    """Items with the pinned ones first, then by importance, newer first, by id.

    risen  what items (by id) gained in importance
    """
    more = risen or {}

    def place(row: NoteRow) -> tuple[object, ...]:
        weight = row.importance + more.get(row.id, 0)
        return not row.pinned, -weight, -(row.date or 0), row.id, str(row.path)

    return sorted(rows, key=place)


def spoken_text(passage: Passage) -> str:
    """The words of a passage with its speaker, without headings; '' where it is one."""
    lines = [line for line in passage.text.splitlines() if not _HEADING.match(line)]
    text = "\n".join(lines).strip()
    if not text:
        return ""
    return f"{passage.speaker}: {text}" if passage.speaker else text


def inert(text: str) -> str:
    """The text on one line, links as a reader sees them, nothing in it that acts or hides."""
    flat = " ".join((_LINK.sub(_link_text, text) if "[[" in text else text).split())
    return visible(defang_output(flat))


def _link_text(link: re.Match[str]) -> str:
    target, label = link.groups()
    name = target.rpartition("/")[2]
    found = id_in_name(name)
    return label or (name.removesuffix(found).rstrip("-") if found else name) or name


def _pending(vault: Vault) -> frozenset[PurePosixPath]:
    return frozenset(map(PurePosixPath, vault.index.pending_paths()))


def lines_of(
    rows: Sequence[NoteRow], make: Callable[[NoteRow, str], Line | None]
) -> dict[str, list[Line]]:
    """The lines of standing items by tier, in their order; a learned rule only where no item of
    the same sentence has one."""
    tiers: dict[str, list[Line]] = {}
    made = [(row, make(row, standing_tier(row))) for row in rows]
    said = Twins(row for row, line in made if line is not None and row.kind != LEARNED)
    for row, line in made:
        if line is not None and (row.hard or row.kind != LEARNED or not said.has(row)):
            tiers.setdefault(standing_tier(row), []).append(line)
    return tiers


def recent(
    rows: Iterable[NoteRow], make: Callable[[NoteRow, str], Line | None], most: int
) -> list[Line]:
    """The lines of at most so many conversations that ended, in the order of the rows."""
    made = (
        make(row, SESSIONS)
        for row in rows
        # These two stand in tiers of their own already.
        if not row.hard and row.stream != "identity" and model.is_episode(row.statement)
    )
    return list(islice((line for line in made if line is not None), most))


def shorten_quote(line: Line, most: int) -> Line:
    """A passage as a quotation of at most so many characters; 0, or an item: as it is."""
    if line.line is None or not most:
        return line
    return replace(line, text=shorten(line.text, most))


def of_few_sources(lines: Iterable[Line], most: int) -> list[Line]:
    """The lines without passages of more than so many different notes, those of the first ones."""
    sources: set[PurePosixPath] = set()
    kept = []
    for line in lines:
        if line.line is not None:
            if line.path not in sources and len(sources) >= most:
                continue
            sources.add(line.path)
        kept.append(line)
    return kept


def portion(name: str, content: int, granted: int) -> Portion:
    """A portion before anything of it is chosen."""
    return Portion(name=name, content=content, granted=granted, used=0, lines=0, left_out=0)


def moment_said(snapshot: Snapshot | None, zone: str) -> str:
    """By which clocks the memories were chosen, in a sentence; '' for now."""
    if snapshot is None:
        return ""
    moment, told = snapshot.moment, []
    if moment.valid_at is not None:
        told.append(f"what held on {format_date(moment.valid_at, zone)}")
    if moment.known_at is not None:
        told.append(f"what was known on {format_date(moment.known_at, zone)}")
        if moment.revision:
            told[-1] += f" at {moment.revision}"
    return f"This is {' and '.join(told)}, not what holds now."


def is_of(line: Line, name: str) -> bool:
    """Whether a portion of this name is the line's: its tier's, or its stream's."""
    if name in TIERS:
        return line.tier == name
    return line.tier in (CURRENT, FACTS, EVENTS, INFERRED) and (line.stream or "flow") == name


def ratios(settings: Settings) -> dict[str, float]:
    """The share of each stream that is kept when room is scarce, in the order of the streams."""
    return {
        "identity": settings.preservation_identity,
        "projects": settings.preservation_projects,
        "tasks": settings.preservation_tasks,
        "flow": settings.preservation_flow,
    }
