"""Who the person is, as far as notes and conversations say: every entry with its sources.

What nothing says is unknown, never a default (algorithms 6.6). The profile is made of notes and
never a reason for any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from statistics import median

from vaultmem import edit
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, dataclass, replace
from vaultmem.config import learning_settings
from vaultmem.language import DAY_MS, HOUR_MS, day_start, fold, local_day
from vaultmem.learn.conversations import Session, conversations
from vaultmem.learn.own_statements import load, spoken_in, statements
from vaultmem.learn.patterns import words_of
from vaultmem.learn.rule_notes import texts
from vaultmem.model import (
    USER,
    Filters,
    Item,
    Plan,
    Profile,
    ProfileField,
    ProfileValue,
    is_current,
    pluralise,
    subject,
)
from vaultmem.storage import files, notes
from vaultmem.vault import WorkingCopy, level

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.vault import Vault
FIELDS = (
    "role",
    "industry",
    "expertise",
    "interests",
    "detail_level",
    "format",
    "tone",
    "language",
    "recurring_queries",
    "query_time",
    "session_patterns",
)
GAIN = 0.05  # share of what is missing to 1 that one use adds to an expertise
HALF_LIFE_DAYS = 180.0
MOST_VALUES = 5
LEAST_SESSIONS = 2  # of a question that comes back
_MOST_EXAMPLES = 3  # conversations that a count names
LEAST_TIMED = 5  # turns with a time of day before it says anything
_KEY = re.compile(r"[\W_]+")
_PREDICATES = {
    "role": ("role", "works as", "job", "job title", "occupation", "profession", "position"),
    "industry": ("industry", "sector", "works in", "field"),
    "expertise": ("expertise", "expert in", "skilled in", "knows", "experience", "experienced in"),
    "interests": ("interest", "interests", "interested in", "hobby", "hobbies", "enjoys", "loves"),
}
_OWN_NAMES = ("me", "i", "user", "myself", "the user", "ich", "yo")
_MANNERS = ("detail_level", "format", "tone", "language")
_PARTS_OF_DAY = ((5, "morning"), (11, "midday"), (14, "afternoon"), (18, "evening"), (23, "night"))
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A note that holds: what it says, and its name."""

    source: str  # link target
    statement: str
    kind: str = "fact"
    subject: str = ""
    predicate: str = ""
    object: str = ""
    value: str = ""  # of a learned rule
    polarity: str = "prefer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """How an expertise rises and falls."""

    gain: float = GAIN
    half_life_days: float = HALF_LIFE_DAYS  # 0: it never falls


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known of one field: values, each with the notes that say it."""

    field: str
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (), the field is unknown


def profile(
    known: Sequence[Known],
    talks: Sequence[tuple[Session, str]],
    *,
    now: int,
    zone: str = "UTC",
    skill: Skill | None = None,
) -> tuple[Entry, ...]:
    """All fields in their order.

    known  notes that hold, of the person's own words
    talks  conversations, each with the name of its note, oldest first
    skill  how an expertise rises and falls; None: as usual
    """
    found: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
        name: _of_slots(known, predicates) for name, predicates in _PREDICATES.items()
    }
    found["expertise"] = _expertise(known, talks, now, skill or Skill())
    found |= {name: _manner(known, name) for name in _MANNERS}
    found["recurring_queries"] = _recurring(talks)
    found["query_time"] = _query_time(talks, zone)
    found["session_patterns"] = _patterns(talks, zone)
    return tuple(Entry(field=name, values=found[name][:MOST_VALUES]) for name in FIELDS)


def expertise(uses: Sequence[int], now: int, *, skill: Skill | None = None) -> float:
    """How well somebody knows a subject, in [0, 1]: each use adds, idle time halves.

    uses  instants of its uses, UTC ms, oldest first
    """
    skill = skill or Skill()
    held, last = 0.0, 0
    for at in uses:
        held = _fade(held, at - last, skill.half_life_days)
        held, last = held + skill.gain * (1 - held), at
    return _fade(held, now - last, skill.half_life_days) if uses else 0.0


def _fade(held: float, elapsed_ms: int, half_life_days: float) -> float:
    if not half_life_days:
        return held  # it never fades
    return float(held * 2.0 ** (-max(elapsed_ms, 0) / DAY_MS / half_life_days))


def _of_slots(
    known: Sequence[Known], predicates: Sequence[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    values: dict[str, list[str]] = {}
    for note in known:
        if _KEY.sub(" ", fold(note.subject)).strip() not in _OWN_NAMES:
            continue  # what others are is no part of it
        if _KEY.sub(" ", fold(note.predicate)).strip() in predicates and note.object:
            values.setdefault(note.object, []).append(note.source)
    return tuple((value, tuple(sources)) for value, sources in values.items())


def _expertise(
    known: Sequence[Known], talks: Sequence[tuple[Session, str]], now: int, skill: Skill
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The subjects that notes name as known well, with how sure that is by their use."""
    rated = []
    for value, sources in _of_slots(known, _PREDICATES["expertise"]):
        wanted = fold(value)
        uses = [
            session.at
            for session, _ in talks
            if session.at is not None and _mentions(session, wanted)
        ]
        rated.append((expertise(uses, now, skill=skill), value, sources))
    rated.sort(key=lambda each: (-each[0], each[1]))
    return tuple((f"{value} ({share:.2f})", sources) for share, value, sources in rated)


def _mentions(session: Session, words: str) -> bool:
    pattern = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    return any(turn.role == "user" and pattern.search(fold(turn.text)) for turn in session.turns)


def _manner(known: Sequence[Known], name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """How answers are wanted: what preferences and rules say with a word for that."""
    values: dict[str, list[str]] = {}
    for note in known:
        if note.kind not in ("preference", "rule"):
            continue
        lists = load(spoken_in(note.statement).name).profile.lists
        if name in lists and lists[name].search(fold(note.value or note.statement)):
            said = note.value or note.statement
            values.setdefault(said if note.polarity == "prefer" else f"no {said}", []).append(
                note.source
            )
    return tuple((value, tuple(sources)) for value, sources in values.items())


def _recurring(
    talks: Sequence[tuple[Session, str]],
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Questions that were asked in two conversations or more, the most frequent first."""
    asked: dict[frozenset[str], dict[str, str]] = {}
    words: dict[frozenset[str], str] = {}
    for session, source in talks:
        for question, language in _questions(session):
            key = words_of(question, language)
            # A question of one word ('Why?') is about whatever was said before it.
            if len(key) > 1:
                asked.setdefault(key, {})[session.id] = source
                words.setdefault(key, question)
    often = [
        (len(sources), words[key], tuple(sources.values()))
        for key, sources in asked.items()
        if len(sources) >= LEAST_SESSIONS
    ]
    often.sort(key=lambda each: (-each[0], each[1]))
    return tuple((f"{question}?", sources) for _, question, sources in often)


def _questions(session: Session) -> Iterator[tuple[str, str]]:
    for turn in session.turns:
        if turn.role == "user" and "?" in turn.text:
            language = spoken_in(turn.text)
            for said in statements(turn.text, language):
                if said.mark == "?":
                    yield said.as_written(said.text), language.name


def _query_time(
    talks: Sequence[tuple[Session, str]], zone: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The part of the day in which at least half of the conversations began, if one is."""
    hours = [
        # A date without a time is kept as midnight, and says nothing of the time of day.
        ((session.at - day_start(local_day(session.at, zone), zone)) // HOUR_MS, source)
        for session, source in talks
        if session.at is not None and session.at != day_start(local_day(session.at, zone), zone)
    ]
    return _mostly(hours, _part_of_day, LEAST_TIMED)


def _part_of_day(hour: int) -> str:
    return next((name for first, name in reversed(_PARTS_OF_DAY) if hour >= first), "night")


def _patterns(
    talks: Sequence[tuple[Session, str]], zone: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """How many conversations there are, how long, and on which day most of them."""
    if not talks:
        return ()
    turns = median(sum(turn.role == "user" for turn in session.turns) for session, _ in talks)
    days = [(local_day(each.at, zone), source) for each, source in talks if each.at is not None]
    usual = f"conversations: {len(talks)}, turns of yours in a usual one: {turns:g}"
    told = [(usual, _examples([source for _, source in talks]))]
    # Day 0 of local_day is 1970-01-01, a Thursday.
    return (*told, *_mostly(days, lambda day: f"on {_WEEKDAYS[(day + 3) % 7]}s", LEAST_TIMED))


def _mostly(
    values: Sequence[tuple[int, str]], named: Callable[[int], str], least: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What at least half of (value, source) are called, with examples of sources."""
    if len(values) < least:
        return ()
    counts: Mapping[str, int] = Counter(named(value) for value, _ in values)
    name, count = min(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    if 2 * count < len(values):
        return ()
    examples = _examples([source for value, source in values if named(value) == name])
    return ((f"{name} ({count} of {len(values)})", examples),)


def _examples(sources: Sequence[str]) -> tuple[str, ...]:
    """A few of the sources: what is counted over all conversations needs no list of all."""
    return tuple(dict.fromkeys(sources))[-_MOST_EXAMPLES:]


# The person's profile, made anew from notes and conversations into categories/profile.md.
#
# Everything in its managed block is ours and is overwritten; it is never read. What the person
# writes around the block stays.

PATH = PurePosixPath("categories", "profile.md")
UNKNOWN = "unknown"
_READ = ("fact", "preference", "rule")
_HEAD = "# Profile\n\nMade by `vaultmem profile` from the notes that it names. Change those.\n"


def update_profile(
    vault: Vault, *, dry_run: bool = False, progress: Progress | None = None
) -> Profile:
    """The profile, written where it changed, in one commit; a dry run only says it."""
    if dry_run:
        found, plan = level.reading(vault, lambda: plan_profile(vault, progress))
        return replace(found, dry_run=True, changed=plan is not None)
    with edit.writer(vault):
        found, plan = plan_profile(vault, progress)
        if plan is None:
            return found
        [done] = vaults.apply(vault, [plan])
    return replace(found, commit=done.commit, changed=True)


def plan_profile(vault: Vault, progress: Progress | None = None) -> tuple[Profile, Plan | None]:
    """The profile and the plan that writes it; None: the file says so already."""
    talks = conversations(vault, progress=progress)
    settings = learning_settings(vault.settings.values)
    entries = profile(
        _known_notes(vault),
        [(talk.session, talk.path.stem) for talk in talks],
        now=vault.clock.now(),
        zone=vault.settings.timezone,
        skill=Skill(
            gain=settings.profile_expertise_gain,
            half_life_days=settings.profile_expertise_half_life_days,
        ),
    )
    working_copy = WorkingCopy(vault)
    before = working_copy.text(PATH)
    if before is None:
        files.require_apart(vault.root, PATH)
    working_copy.put(
        PATH, notes.replace_summary(_HEAD.encode() if before is None else before, _table(entries))
    )
    changes = working_copy.step()
    found = Profile(fields=tuple(_profile_field(entry) for entry in entries), path=PATH)
    if not changes:
        return found, None
    filled = sum(bool(entry.values) for entry in entries)
    what = subject(
        "profile", f"{pluralise(filled, 'field')} known, {len(entries) - filled} unknown"
    )
    return found, Plan(op="profile", actor="maintenance", subject=what, changes=changes)


def _known_notes(vault: Vault) -> list[Known]:
    """The notes that hold and are the person's own words, by path."""
    now = vault.clock.now()
    found = []
    rows = vault.index.list(Filters(types=("item",), kinds=_READ, statuses=("active",)))
    for row in sorted(rows, key=lambda row: row.path):
        if row.trust not in ("", USER) or not is_current(row, now):
            continue
        rule = vaults.read_record(vault, row.path) if row.kind == "rule" else None
        value = polarity = ""
        if isinstance(rule, Item):
            value = " ".join(texts(rule, "value"))
            polarity = " ".join(texts(rule, "polarity"))
        found.append(
            Known(
                source=row.path.stem,
                statement=row.statement,
                kind=row.kind,
                subject=row.subject,
                predicate=row.predicate,
                object=row.object,
                value=value,
                polarity=polarity or "prefer",
            )
        )
    return found


def _table(entries: tuple[Entry, ...]) -> str:
    rows = ["| | | from |", "| --- | --- | --- |"]
    for entry in entries:
        name = entry.field.replace("_", " ")
        for value, sources in entry.values or ((UNKNOWN, ()),):
            links = " ".join(f"[[{source}]]" for source in sources)
            rows.append(f"| {name} | {_cell(value)} | {links} |")
            name = ""
    return "\n".join(rows)


def _cell(text: str) -> str:
    # A `|` ends the cell, and the mark of a comment could end the managed block that this stands
    # in.
    plain = " ".join(text.split()).replace("|", "/").replace("[[", "[").replace("]]", "]")
    return plain.replace("<!--", "").replace("-->", "")


def _profile_field(entry: Entry) -> ProfileField:
    return ProfileField(
        field=entry.field,
        values=tuple(ProfileValue(value=value, sources=names) for value, names in entry.values),
    )
