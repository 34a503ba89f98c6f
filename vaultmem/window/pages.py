"""What each page shows, gathered in proportion to what it shows; nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from vaultmem import check
from vaultmem.api import Memory
from vaultmem.base import Any, BadInputError, NamedTuple, VaultmemError
from vaultmem.context import PORTION_NAMES, flow_picture
from vaultmem.language import DAY_MS, format_date, parse_when
from vaultmem.model import Filters, Hit, NoteRow, Operation, Waiting
from vaultmem.window.decisions import pairs_of
from vaultmem.window.report_contents import LIVE, Gatherer, Section

_MOST_HITS = 10
_MOST_WAITING = 50
_MOST_LISTED = 200
_MOST_VERSIONS = 50
_MOST_DIFFERENCES = 200
_MOST_BARS = 300
_MOST_OPERATIONS, _MOST_DONE = 40, 8
_MOST_UNREAD = 5
_MOST_SENT = 20
_MOST_NEWEST, _MOST_TASKS = 12, 8
_KEPT_MS = 600_000  # what is due or old by now is looked at again
_SPANS = (1, 2, 5, 10, 20, 40)  # years that a slider may span
_LEAST_BUDGET, _MOST_BUDGET = 1, 100_000

Asked = Mapping[str, str]


class Page(NamedTuple):
    """A template and what it shows."""

    template: str
    values: Mapping[str, Any]


class Kept:
    """What several pages show, and what takes a while in a large vault: worked out once a state.

    One commit may name 100,000 files, which takes git and us a third of a second to list.
    """

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}
        self._log: tuple[str, Sequence[Operation]] = ("", ())  # and the last commit, then

    def take_in(self, memory: Memory) -> None:
        """Bring the pages level with the files, and drop what was worked out before."""
        memory.sync(settle=False)
        self._found = {}

    def prepare(self, memory: Memory) -> None:
        """Have what the first page shows, before somebody waits for it."""
        home(memory, {}, self)

    def operations(self, memory: Memory) -> Sequence[Operation]:
        """The newest operations."""
        head = memory.opened.head_or(None)
        # The newest operations are read once a commit: with all else from the index the first page
        # of 100,000 items takes 29 ms of processor in place of 808.
        if not head or self._log[0] != head:
            self._log = (head, memory.history.log(limit=_MOST_OPERATIONS))
        return self._log[1]

    def counts(self, memory: Memory) -> tuple[int, int]:
        """(notes, items that hold)."""
        counts = self._once("counts", memory.opened.index.counts)
        return sum(counts.notes.values()), sum(counts.items.values())

    def newest(self, memory: Memory) -> Sequence[NoteRow]:
        """The newest items that hold."""
        active = Filters(types=("item",), statuses=("active",))
        found: Sequence[NoteRow] = self._once(
            "newest", lambda: memory.list(active, limit=_MOST_NEWEST)
        )
        return found

    def tasks(self, memory: Memory) -> Sequence[NoteRow]:
        """The newest open tasks."""
        tasks = Filters(types=("item",), statuses=("active",), streams=("tasks",))
        found: Sequence[NoteRow] = self._once(
            "tasks", lambda: memory.list(tasks, limit=_MOST_TASKS)
        )
        return found

    def sections(self, memory: Memory) -> Sequence[Section]:
        """Parts of a report, as they are now."""
        now = memory.opened.clock.now()
        found: Sequence[Section] = self._once(
            f"sections of {now // _KEPT_MS}",
            lambda: Gatherer(memory, since=now, redact=False, progress=None).sections(LIVE),
        )
        return found

    def first_day(self, memory: Memory, now: int) -> int:
        """Where the sliders begin."""
        found: int = self._once("first", lambda: _first_day(memory, now))
        return found

    def _once(self, what: str, find: Callable[[], Any]) -> Any:
        found = self._found  # another thread may begin a new one meanwhile
        if what not in found:
            found[what] = find()
        return found[what]


def home(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """What waits, what is new, what was done."""
    waiting = memory.review.waiting()
    notes, items = kept.counts(memory)
    return Page(
        "home.html",
        {
            "waiting": len(waiting),
            "pairs": len(pairs_of(memory)),
            "unread": memory.unreadable[:_MOST_UNREAD],
            "notes": notes,
            "items": items,
            "newest": kept.newest(memory),
            "tasks": kept.tasks(memory),
            "operations": kept.operations(memory)[:_MOST_DONE],
        },
    )


def search(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """What answers a question, with the reasons; or every note that has the words."""
    query = asked.get("q", "").strip()
    everything = asked.get("all") == "1"
    answer = None
    if query:
        ask = memory.search if everything else memory.recall
        answer = ask(query, limit=_MOST_HITS)
    return Page(
        "search.html",
        {
            "q": query,
            "everything": everything,
            "answer": answer,
            "hits": [_reasons(hit) for hit in answer.hits] if answer else [],
        },
    )


class Reasons(NamedTuple):
    """A hit, and why it is one."""

    hit: Hit
    parts: Sequence[tuple[str, float, str, int]]  # name, value, note, share of the largest in %


def _reasons(hit: Hit) -> Reasons:
    parts = tuple(hit.parts)
    largest = max((abs(part.value) for part in parts), default=0.0) or 1.0
    shares = [
        (part.name, part.value, part.note, max(1, round(100 * abs(part.value) / largest)))
        for part in parts
    ]
    return Reasons(hit, shares)


def note(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """One note: what it says, from where, what it was before."""
    ref = asked["ref"]
    then = asked.get("known_at", "").strip() or None
    shown = memory.show(ref, known_at=then)
    about = shown.note.id or shown.note.path.as_posix()
    versions = memory.history.of(about).versions
    return Page(
        "note.html",
        {
            "shown": shown,
            "note": shown.note,
            "is_past": then is not None,
            "about": about,
            "versions": tuple(reversed(versions))[:_MOST_VERSIONS],
            "left": max(0, len(versions) - _MOST_VERSIONS),
            "can_decide": then is None and shown.note.type in ("item", "resource"),
            "is_fact": then is None
            and shown.note.type == "item"
            and shown.note.status in ("active", "candidate"),
            "waits": next((each for each in memory.review.waiting() if each.id == about), None),
            "pairs": [
                pair for pair in pairs_of(memory) if shown.note.path in (pair[0].path, pair[1].path)
            ],
        },
    )


class Waits(NamedTuple):
    """What waits for the person, with the version that they see."""

    waiting: Waiting
    oid: str


def review(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """What waits, and pairs of which the newer may be right."""
    found = memory.review.waiting()
    index = memory.opened.index
    rows = [index.note(each.path) for each in found[:_MOST_WAITING]]
    return Page(
        "review.html",
        {
            "waiting": [
                Waits(each, row.oid if row is not None else "")
                for each, row in zip(found, rows, strict=False)
            ],
            "left": max(0, len(found) - _MOST_WAITING),
            "pairs": pairs_of(memory),
        },
    )


def then(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """The memory as it was on a day, and as it was known on a day."""
    zone = memory.settings.timezone
    now = memory.opened.clock.now()
    first = kept.first_day(memory, now)
    valid, known = asked.get("valid", "").strip(), asked.get("known", "").strip()
    query = asked.get("q", "").strip()
    as_of, known_at = _end_of_day(valid, now, zone), _end_of_day(known, now, zone)
    is_now = as_of is None and known_at is None
    rows: tuple[NoteRow, ...]
    if query:
        answer = memory.recall(query, limit=_MOST_HITS, as_of=as_of, known_at=known_at)
        # A note once, though each day of a long talk is a hit.
        rows = tuple({hit.note.path: hit.note for hit in answer.hits}.values())
    else:
        # Asked about no other time, what holds now: those of any status would be listed too.
        only = Filters(types=("item",), statuses=("active",) if is_now else ())
        rows = memory.list(only, limit=_MOST_LISTED, as_of=as_of, known_at=known_at)
    return Page(
        "then.html",
        {
            "q": query,
            "valid": valid,
            "known": known,
            "first": format_date(first, zone),
            "today": format_date(now, zone),
            "days": max(1, (now - first) // DAY_MS),
            "rows": rows,
            "is_cut": len(rows) == _MOST_LISTED,
            "moment": None if is_now else memory.history.moment(as_of=as_of, known_at=known_at),
        },
    )


def _first_day(memory: Memory, now: int) -> int:
    """The instant at which the slider begins: nothing that is known is older, or it is very old."""
    for years in _SPANS:
        first = now - years * 365 * DAY_MS
        if not memory.list(Filters(types=("item",), until=first), limit=1):
            return first
    return now - _SPANS[-1] * 365 * DAY_MS


def _end_of_day(text: str, now: int, zone: str) -> int | None:
    """The last instant of a day: what was learned or began on it counts; None: no day is named."""
    if not text:
        return None
    return min(parse_when(text, now, zone) + DAY_MS - 1, now)


def context(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """What an assistant would get for a question, and what was left out."""
    query = asked.get("q", "").strip()
    budget = budget_of(asked, memory.settings.context_tokens)
    pack = None if "budget" not in asked and not query else memory.context(query, budget=budget)
    return Page(
        "context.html",
        {
            "q": query,
            "budget": budget,
            "pack": pack,
            "names": PORTION_NAMES,
            "picture": f"/flow.svg?q={quote(query)}&budget={budget}",
        },
    )


def budget_of(asked: Asked, usual: int) -> int:
    """The tokens that were asked for; raises BadInputError for what is no such number."""
    given = asked.get("budget", "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdigit() and 1 <= len(given) <= 6):
        raise BadInputError(f"'{given[:40]}' is no number of tokens", hint="write 2000")
    return min(max(int(given), _LEAST_BUDGET), _MOST_BUDGET)


def timeline(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """When items hold, as bars."""
    about = asked.get("about", "").strip()
    told, found = "", None
    try:
        found = memory.history.timeline(about)
    except VaultmemError as error:
        if not about:
            told = error.message
        else:
            raise
    bars = []
    if found is not None:
        span = max(found.ends - found.begins, 1)

        def place(ms: int | None, default: int) -> float:
            at = default if ms is None else ms
            return round(1000 * min(max(at - found.begins, 0), span) / span, 1)

        for row in found.rows[:_MOST_BARS]:
            start = place(row.recorded_at if row.valid_from is None else row.valid_from, 0)
            stop = place(row.valid_until, found.ends)
            mark = None if row.recorded_at is None else place(row.recorded_at, 0)
            bars.append((row, start, max(stop - start, 3.0), mark))
    return Page(
        "timeline.html",
        {
            "about": about,
            "found": found,
            "bars": bars,
            "left": max(0, len(found.rows) - _MOST_BARS) if found else 0,
            "told": told,
        },
    )


def log(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """What was done and given out, and what was learned, changed and dropped between two times."""
    start, end = asked.get("from", "").strip(), asked.get("to", "").strip()
    found = memory.history.diff(start, end or "now") if start else None
    sendings = check.sendings(memory.opened)
    return Page(
        "log.html",
        {
            "start": start,
            "end": end,
            "found": found,
            "differences": found.differences[:_MOST_DIFFERENCES] if found else (),
            "left": max(0, len(found.differences) - _MOST_DIFFERENCES) if found else 0,
            "operations": kept.operations(memory),
            "sendings": sendings[:_MOST_SENT],
            "unsaid": max(0, len(sendings) - _MOST_SENT),
        },
    )


def overview(memory: Memory, asked: Asked, kept: Kept) -> Page:
    """What a report says and no other page does: of whom, by which rules, how old, how healthy."""
    return Page("known.html", {"sections": kept.sections(memory)})


class Kind(NamedTuple):
    """A page of the window, and the word that leads to it."""

    path: str
    word: str  # in the navigation; '': it is not there
    gather: Callable[[Memory, Asked, Kept], Page]
    is_past: bool = False  # it reads the history, which may take a while


PAGES = (
    Kind("/", "Today", home),
    Kind("/search", "Search", search),
    Kind("/review", "Review", review),
    Kind("/known", "Known", overview, is_past=True),
    Kind("/then", "As it was", then, is_past=True),
    Kind("/timeline", "Timeline", timeline, is_past=True),
    Kind("/log", "Changes", log, is_past=True),
    Kind("/context", "Context", context),
    Kind("/note", "", note, is_past=True),
)


# The flow of tokens into a context, as a picture of its own.


def flow_svg(memory: Memory, asked: Asked) -> str:
    """The picture, as `vaultmem context --plot` draws it."""
    budget = budget_of(asked, memory.settings.context_tokens)
    return flow_picture(memory.context(asked.get("q", ""), budget=budget))
