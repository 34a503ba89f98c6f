"""What a report says, section by section: few lines of much, and what the rest comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from vaultmem import check, learn
from vaultmem.api import Memory
from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.language import DAY_MS, format_date, format_minute
from vaultmem.model import (
    KINDS,
    STATUSES,
    Difference,
    Filters,
    NoteRow,
    Progress,
    is_current,
    pluralise,
)
from vaultmem.window.decisions import pairs_of
from vaultmem.window.names import group_by_name
from vaultmem.window.redact import NAME, PERSON, PLACE, PROJECT, Redacted, Words
from vaultmem.window.spans import Span, Spans, draw

if TYPE_CHECKING:
    from vaultmem.model import LearnedRule

_MOST_CHANGES = 200  # of what was learned, changed, ended: each
_MOST_BARS = 250
_MOST_NAMED, _MOST_OF_ONE = 40, 8
_MOST_RULES, _MOST_EVIDENCE = 60, 5
_MOST_LINES = 60
_MOST_SENT = 100
_ALL = ("glance", "changes", "timeline", "people", "rules", "review", "old", "sent", "health")
LIVE = ("people", "rules", "old", "health")
"""Parts that the window shows as they are; of the others it has pages with more in them."""
_STALE_DAYS = 365  # that nobody confirmed what is said to be so still


class Line(NamedTuple):
    """One thing that is said, with what is known of it."""

    text: str
    facts: Sequence[str] = ()
    quote: str = ""
    changes: Sequence[str] = ()
    warn: str = ""
    ref: str = ""  # of the note that says it, for pages that lead to it; '': none, or redacted


class Group(NamedTuple):
    """Lines under a title, and what was not listed."""

    title: str
    lines: Sequence[Line]
    more: str = ""  # what is left out, in a sentence
    none: str = "None."


class Section(NamedTuple):
    """A part of the page."""

    id: str
    title: str
    intro: str = ""
    groups: Sequence[Group] = ()
    spans: Spans | None = None
    tiles: Sequence[tuple[str, str]] = ()  # a number and what it counts


class Gathered(NamedTuple):
    """All of a report."""

    title: str
    made: str  # when
    since: str
    until: str
    is_redacted: bool
    items: int
    sections: Sequence[Section]


class Gatherer:
    """Collects the sections of one report.

    since     UTC ms: what was learned, changed and ended from then on
    progress  told what is done
    """

    def __init__(
        self, memory: Memory, *, since: int, redact: bool, progress: Progress | None
    ) -> None:
        self._memory = memory
        self._index = memory.opened.index
        self._zone = memory.settings.timezone
        self._now = memory.opened.clock.now()
        self._since = since
        self._progress = progress
        self._tell = progress or (lambda what, done, total: None)
        self._rows = memory.list(Filters(types=("item",)), limit=None)
        self._current = [row for row in self._rows if is_current(row, self._now)]
        self._named = group_by_name(self._current, self._mentions())
        self._words: Words = Words()
        if redact:
            names = dict(self._all_names())
            self._words = Redacted(
                names,
                (row.statement for row in self._rows),
                (row.statement for row in self._rows if _is_of_a_body(row)),
            )

    def sections(self, ids: Sequence[str]) -> list[Section]:
        """These parts, in the order of `ids`."""
        makers: Mapping[str, Callable[[], Section]] = {
            "glance": self._glance,
            "changes": self._changes,
            "timeline": self._timeline,
            "people": self._people,
            "rules": self._rules,
            "review": self._review,
            "old": self._old,
            "sent": self._sendings,
            "health": self._health,
        }
        made = []
        for place, name in enumerate(ids):
            self._tell("report", place, len(ids))
            made.append(makers[name]())
        return made

    def gather(self) -> Gathered:
        """Everything, in the order of the page."""
        sections = self.sections(_ALL)
        words = self._words
        name = words.only_here(self._memory.root.name)
        return Gathered(
            title=name or "A memory",
            made=self._minute(self._now),
            since=self._day(self._since),
            until=self._day(self._now),
            is_redacted=words.is_redacted,
            items=len(self._rows),
            sections=sections,
        )

    def _all_names(self) -> Iterator[tuple[str, str]]:
        for row in self._rows:
            yield from ((name, NAME) for name in row.tags)
            yield from ((name, NAME) for name in row.categories)
            if row.object[:1].isupper() and len(row.object.split()) <= 4:
                yield row.object, NAME
            if row.subject:
                yield row.subject, NAME
        for name in self._entities():
            yield name, NAME
        for place, kind in ((0, PERSON), (1, PLACE), (2, PROJECT)):
            yield from ((name, kind) for name in self._named[place])
        yield self._memory.root.name, NAME

    def _mentions(self) -> dict[str, list[str]]:
        """Keys of what notes name, by the path of the note."""
        found: dict[str, list[str]] = {}
        for edge in self._index.edges():
            # Who has no slot of their own is named by notes alone: of the sample vault 24 names are
            # listed, and were 8.
            if edge.relation == "entity":
                found.setdefault(edge.path, []).append(edge.target)
        return found

    def _entities(self) -> Iterable[str]:
        return {edge.target for edge in self._index.edges() if edge.relation == "entity"}

    # Lines.

    def _day(self, ms: int | None) -> str:
        if ms is None:
            return ""
        try:
            return format_date(ms, self._zone)
        except ValueError:
            return str(ms)

    def _minute(self, ms: int | None) -> str:
        if ms is None:
            return ""
        try:
            return format_minute(ms, self._zone)
        except ValueError:
            return str(ms)

    def _line(self, row: NoteRow, *, quote: str = "", warn: str = "", since: str = "") -> Line:
        words = self._words
        says = row.statement or row.title
        if words.is_redacted and words.is_health(says, row.critical):
            return Line(words.say(says, critical="health"))
        facts = [words.own_word(row.kind or row.type, KINDS), since or self._validity(row)]
        if row.due is not None:
            facts.append(f"due {self._minute(row.due)}")
        if row.status not in ("", "active"):
            facts.append(words.own_word(row.status, STATUSES))
        facts += ["hard"] * row.hard + ["pinned"] * row.pinned
        if row.critical:
            facts.append(words.own_word(row.critical, ("safety", "limit", "health")))
        if row.trust in ("untrusted", "limited"):
            facts.append("untrusted source" if row.trust == "untrusted" else "not your own words")
        facts += [words.name(project, PROJECT) for project in row.projects[:3]]
        facts.append(words.only_here(row.id))
        return Line(
            words.say(says, critical=row.critical),
            [fact for fact in facts if fact],
            words.say(quote, critical=row.critical) if quote else "",
            warn=warn,
            ref=words.only_here(row.id or row.path.as_posix()),
        )

    def _validity(self, row: NoteRow) -> str:
        start = row.valid_from if row.valid_from is not None else row.date
        if row.valid_until is not None:
            return f"{self._day(start) or '…'} to {self._day(row.valid_until)}"
        return f"since {self._day(start)}" if start is not None else ""

    # Sections.

    def _glance(self) -> Section:
        memory, rows = self._memory, self._rows
        waiting = len(memory.review.waiting())
        pairs = len(pairs_of(memory))
        notes = sum(self._index.counts().notes.values())
        due = [
            row
            for row in self._current
            if row.due is not None and self._now <= row.due < self._now + 14 * DAY_MS
        ]
        tasks = [row for row in self._current if row.stream == "tasks" or row.kind == "task"]
        newest = sorted(self._current, key=lambda row: (-(row.date or 0), row.id))
        identity = [row for row in newest if row.stream == "identity"]
        return Section(
            "glance",
            "At a glance",
            tiles=(
                (f"{len(self._current):,}", _count(self._current, "memory holds", "memories hold")),
                (f"{len(rows) - len(self._current):,}", "ended, waiting or put away"),
                (f"{notes:,}", "notes in all"),
                (
                    f"{waiting + pairs:,}",
                    "waits for you" if waiting + pairs == 1 else "wait for you",
                ),
                (f"{len(due):,}", "due within two weeks"),
            ),
            groups=(
                self._group_of("Due soon", sorted(due, key=lambda row: (row.due or 0, row.id)), 12),
                self._group_of("Open tasks", tasks, 12),
                self._group_of("Who you are", identity, 12),
                self._group_of("Newest", newest, 12),
            ),
        )

    def _group_of(self, title: str, rows: Sequence[NoteRow], most: int = _MOST_LINES) -> Group:
        return Group(title, [self._line(row) for row in rows[:most]], _left(len(rows) - most))

    def _changes(self) -> Section:
        start = format_minute(self._since, self._zone)
        learned: list[Difference] = []
        changed: list[Difference] = []
        dropped: list[Difference] = []
        commits, pending = 0, 0
        if self._memory.opened.head_or(None):
            found = self._memory.history.diff(start, "now", progress=self._progress)
            commits, pending = found.commits, found.pending
            for each in found.differences:
                if each.type == "item":
                    by = {"learned": learned, "changed": changed, "dropped": dropped}
                    by.get(each.what, changed).append(each)
        gone = {each.id for each in dropped}
        over = [
            row
            for row in self._index.ended_since(self._since, self._now)
            if row.id not in gone or not row.id
        ]
        ends = [self._difference(each) for each in _newest(dropped)]
        ends += [self._line(row) for row in reversed(over)]
        intro = (
            f"From {self._day(self._since)} to {self._day(self._now)}, as the history records it: "
            f"{pluralise(commits, 'commit')}."
        )
        if pending:
            intro += f" {pluralise(pending, 'note')} saved and not committed yet."
        return Section(
            "changes",
            "Learned, changed, ended",
            intro,
            (
                self._differences("Learned", learned),
                self._differences("Changed", changed),
                Group("Ended", ends[:_MOST_CHANGES], _left(len(ends) - _MOST_CHANGES)),
            ),
        )

    def _differences(self, title: str, found: Sequence[Difference]) -> Group:
        shown = _newest(found)
        by_month = Counter(self._month(each.at) for each in shown[_MOST_CHANGES:])
        left = _left(len(shown) - _MOST_CHANGES)
        if by_month:
            left += " " + _by_month(by_month)
        return Group(title, [self._difference(each) for each in shown[:_MOST_CHANGES]], left)

    def _difference(self, each: Difference) -> Line:
        words = self._words
        facts = [words.own_word(each.kind, KINDS), self._minute(each.at), words.only_here(each.id)]
        row = next(iter(self._index.notes_with_id(each.id)), None) if each.id else None
        critical = row.critical if row is not None else ""
        if words.is_redacted:
            is_health = words.is_health(each.statement, critical) or words.is_health(each.before)
            before = "" if is_health else words.say(each.before)
            changes = [f"before: {before}"] if before and each.before != each.statement else []
            text = words.say(each.statement, critical="health" if is_health else "")
            return Line(text, [] if is_health else [f for f in facts if f], "", changes)
        return Line(each.statement, [fact for fact in facts if fact], "", each.changes[:6])

    def _month(self, ms: int) -> str:
        return self._day(ms)[:7]

    def _timeline(self) -> Section:
        spans = []
        versions = self._record_times()
        for row in self._rows:
            recorded = versions(row)
            start = row.valid_from if row.valid_from is not None else recorded
            held = row.status in ("active", "archived") or row.valid_until is not None
            spans.append((row, Span(start, row.valid_until, recorded, held)))
        spans.sort(
            key=lambda pair: (-(pair[1].recorded or 0), -(pair[1].start or 0), pair[0].id),
        )
        words = self._words
        may_show = (
            pair for pair in spans if not words.is_health(pair[0].statement, pair[0].critical)
        )
        shown = list(islice(may_show, _MOST_BARS))
        drawn = draw(
            [(self._line(row), span) for row, span in shown],
            [span for _, span in spans],
            now=self._now,
            zone=self._zone,
        )
        intro = (
            "Two clocks: bars say when something held, marks when the vault learned it. "
            "Dashed: it was taken back, or does not count yet."
        )
        left = len(spans) - len(shown)
        if left > 0:
            intro += (
                f" The {len(shown)} learned last are drawn one by one; "
                f"{left:,} older or left out ones are in the sums above them."
            )
        return Section("timeline", "Timeline", intro, spans=drawn)

    def _record_times(self) -> Callable[[NoteRow], int | None]:
        """When the vault learned of an item first, by the history."""
        if not self._memory.opened.head_or(None) or not self._rows:
            return lambda row: None
        found = self._memory.history.timeline(progress=self._progress)
        times = {row.id or row.path.as_posix(): row.recorded_at for row in found.rows}
        return lambda row: times.get(row.id or row.path.as_posix())

    def _people(self) -> Section:
        groups = []
        titles = ("People", "Places", "Projects", "Other things")
        kinds = (PERSON, PLACE, PROJECT, NAME)
        for title, named, kind in zip(titles, self._named, kinds, strict=True):
            ranked = sorted(named.items(), key=lambda pair: (-len(pair[1]), pair[0].casefold()))
            if not ranked and title == "Other things":
                continue
            lines: list[Line] = []
            for number, (name, rows) in enumerate(ranked[:_MOST_NAMED], 1):
                told = self._words.name(name, kind)
                told = f"{told} {number}" if self._words.is_redacted else told
                rows = sorted(rows, key=lambda row: (-row.importance, -(row.date or 0), row.id))
                lines.append(
                    Line(
                        told,
                        [pluralise(len(rows), "memory", "memories")],
                        changes=[self._line(row).text for row in rows[:_MOST_OF_ONE]]
                        + ([_left(len(rows) - _MOST_OF_ONE)] if len(rows) > _MOST_OF_ONE else []),
                    )
                )
            groups.append(Group(title, lines, _left(len(ranked) - _MOST_NAMED), "None is known."))
        intro = "By what is said of them; what is known of most stands first."
        return Section("people", "People, places, projects", intro, groups)

    def _rules(self) -> Section:
        learned = learn.rules_with_evidence(self._memory.opened, limit=_MOST_RULES)
        total = len(self._memory.learn.rules().rules)
        own = [
            row
            for row in self._current
            if (row.kind == "rule" or row.hard) and row.id not in {each.id for each in learned}
        ]
        own.sort(key=lambda row: (not row.hard, -row.importance, row.id))
        stated = [self._line(row, quote=row.quote) for row in own[:_MOST_RULES]]
        return Section(
            "rules",
            "Rules and their evidence",
            "Learned: from what was said again and again. Stated: somebody said it as it is.",
            (
                Group(
                    "Learned", [self._rule(each) for each in learned], _left(total - len(learned))
                ),
                Group("Stated, and hard limits", stated, _left(len(own) - _MOST_RULES)),
            ),
        )

    def _rule(self, rule: LearnedRule) -> Line:
        words = self._words
        facts = [
            words.own_word(rule.category, ("preference", "decision", "correction", "convention")),
            f"sure to {rule.confidence:.0%}",
            f"{pluralise(rule.sessions, 'conversation')} for it",
            f"{rule.against} against it" if rule.against else "",
            words.only_here(rule.id),
        ]
        told = []
        for each in rule.evidence[:_MOST_EVIDENCE]:
            side = "against" if each.is_against else "for"
            quote = words.say(each.quote) or "(the conversation is gone; it counted)"
            told.append(" · ".join(part for part in (side, self._day(each.at), quote) if part))
        if len(rule.evidence) > _MOST_EVIDENCE:
            told.append(_left(len(rule.evidence) - _MOST_EVIDENCE))
        said = [fact for fact in facts if fact]
        return Line(words.say(rule.statement), said, "", told, ref=words.only_here(rule.id))

    def _review(self) -> Section:
        words = self._words
        lines = []
        found = self._memory.review.waiting()
        for each in found[:_MOST_LINES]:
            is_health = words.is_health(each.statement) or words.is_health(each.quote)
            facts = [
                words.own_word(each.kind, KINDS),
                words.own_word(each.writer, ("person", "agent", "web", "import", "editor")),
                words.own_word(each.trust, ("user", "limited", "untrusted")),
                "" if words.is_redacted else each.origin,
                words.only_here(each.id),
            ]
            lines.append(
                Line(
                    words.say(each.statement, critical="health" if is_health else ""),
                    [fact for fact in facts if fact],
                    "" if is_health else words.say(each.quote),
                    warn="" if is_health else words.say(each.reason),
                )
            )
        return Section(
            "review",
            "Waits for review",
            "Nothing of this counts until you have looked at it: `vaultmem review`.",
            (Group("", lines, _left(len(found) - _MOST_LINES), "Nothing waits for you."),),
        )

    def _old(self) -> Section:
        pairs = [
            line
            for pair in pairs_of(self._memory)
            for line in (
                self._line(
                    pair.newer,
                    warn="Both cannot be true" if pair.excludes else "The older may be out of date",
                ),
                self._line(pair.older, since=f"older: {self._validity(pair.older)}".rstrip(": ")),
            )
        ]
        limit = self._now - _STALE_DAYS * DAY_MS
        lasting = [
            row
            for row in self._current
            if row.kind not in ("event", "task", "rule") and not row.pinned and not row.hard
        ]
        stale = [row for row in lasting if (at := _confirmed_at(row)) is not None and at < limit]
        stale.sort(key=lambda row: (_confirmed_at(row) or 0, row.id))
        late = [row for row in self._current if row.due is not None and row.due < self._now]
        late.sort(key=lambda row: (row.due or 0, row.id))
        return Section(
            "old",
            "Old or contradicted",
            "What may not be so any more. `vaultmem view` decides it with a click.",
            (
                Group("Contradicted, or likely out of date", pairs, none="None."),
                Group(
                    "Confirmed by nobody for a year",
                    [self._line(row) for row in stale[:_MOST_LINES]],
                    _left(len(stale) - _MOST_LINES),
                ),
                self._group_of("Was due, and is open still", late),
            ),
        )

    def _sendings(self) -> Section:
        words = self._words
        found = check.sendings(self._memory.opened)
        sums = Counter((each.what, each.where) for each in found)
        by_whom = [
            Line(words.say(where), [words.say(what), f"{count:,} times"])
            for (what, where), count in sums.most_common(_MOST_LINES)
        ]
        lines = [
            Line(
                words.say(each.where),
                [self._minute(each.at), words.say(each.what), words.say(each.how_much)],
            )
            for each in found[:_MOST_SENT]
        ]
        return Section(
            "sent",
            "Given to whom",
            "What vaultmem gave out: memory for models and assistants, pushes, exports, as the "
            "ledger of this device lists them before they leave.",
            (
                Group("To whom", by_whom, _left(len(sums) - _MOST_LINES), "Nothing left it."),
                Group("Newest first", lines, _left(len(found) - _MOST_SENT)),
            )
            if found
            else (Group("", [], none="Nothing left this device."),),
        )

    def _health(self) -> Section:
        words, status = self._words, self._memory.vault.status()
        problems = self._index.problems()
        by_code = Counter((each.severity.value, each.code) for each in problems)
        shown = [
            Line(
                code,
                [severity, pluralise(count, "place")],
                changes=[
                    f"{each.path.as_posix()}: {each.message}"
                    for each in problems
                    if each.code == code and each.severity == severity
                ][:3]
                if not words.is_redacted
                else (),
            )
            for (severity, code), count in sorted(by_code.items())[:_MOST_LINES]
        ]
        unread = [
            Line("a note cannot be read", [words.only_here(each.path.as_posix())])
            for each in self._memory.unreadable[:_MOST_LINES]
        ]
        gaps = [Line(words.say(gap)) for gap in self._memory.history.gaps()]
        if status.damage:
            gaps.append(Line("the history cannot be read", warn=words.say(status.damage)))
        if status.rewound:
            gaps.append(Line("the history lost commits", warn=words.say(status.rewound)))
        if not status.anchored:
            gaps.append(Line("this device keeps no ledger of what it recorded yet"))
        standing = [
            Line("notes", [f"{count:,} {kind}" for kind, count in sorted(status.notes.items())]),
            Line(
                "items",
                [
                    f"{count:,} {told}"
                    for kind, count in sorted(status.statuses.items())
                    if (told := words.own_word(kind, STATUSES))
                ],
            ),
            Line("sizes", [f"vault {_size(status.vault_bytes)}", f"git {_size(status.git_bytes)}"]),
            Line("index", [_size(status.index_bytes), f"{status.passages:,} passages"]),
            Line(
                "last commit",
                [
                    self._minute(status.last_commit_at) or "none yet",
                    words.only_here((status.head or "")[:8]),
                ],
            ),
            Line("not committed yet", [pluralise(len(status.pending), "note")]),
        ]
        return Section(
            "health",
            "Health of the vault",
            "`vaultmem check` names every problem with what to do about it.",
            (
                Group("Problems", [*gaps, *unread, *shown], none="None."),
                Group(
                    "How it stands",
                    [Line(each.text, [fact for fact in each.facts if fact]) for each in standing],
                ),
            ),
        )


def _is_of_a_body(row: NoteRow) -> bool:
    """Whether what it names is worth hiding elsewhere: marked as health, or an allergy."""
    low = row.statement.lower()
    return row.critical == "health" or "allerg" in low or "alerg" in low or "intoler" in low


def _confirmed_at(row: NoteRow) -> int | None:
    """When somebody last said that it is so."""
    times = [at for at in (row.confidence_at, row.date) if at is not None]
    return max(times, default=None)


def _newest(found: Sequence[Difference]) -> list[Difference]:
    return sorted(found, key=lambda each: (-each.at, each.id))


def _left(count: int) -> str:
    return f"{count:,} more, not listed here." if count > 0 else ""


def _by_month(counts: Counter[str]) -> str:
    told = [f"{month}: {count:,}" for month, count in sorted(counts.items(), reverse=True)]
    rest = sum(count for _, count in sorted(counts.items(), reverse=True)[24:])
    return "Of them " + ", ".join(told[:24]) + (f", before that {rest:,}" if rest else "") + "."


def _count(rows: Sequence[object], one: str, many: str) -> str:
    return one if len(rows) == 1 else many


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.1f} kB"
