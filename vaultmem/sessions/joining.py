"""One conversation out of two that went on from the same turn, on two devices.

The turns of both are kept, in the order of their times, and numbered anew; what each turn brought
follows its number. Base truth is merged fact by fact; then each turn is heard beside what the other
device had learned before it, so that the later of two answers to one question holds. Pure, and the
same whoever joins.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import (
    TYPE_CHECKING,
    NamedTuple,
    PatchRefusedError,
    VaultmemError,
    dataclass,
    replace,
)
from vaultmem.language import canonical
from vaultmem.model import ACTIVE, ENDED_STATES, Exchange, Problem, Severity
from vaultmem.sessions import files as session_files
from vaultmem.sessions.artifacts import DIFF, NAME
from vaultmem.sessions.files import (
    ARTIFACTS,
    LOG,
    SESSIONS,
    STATE,
    TRANSCRIPT,
    TRUTH,
    Conversation,
    Pages,
    load,
    with_persons_words,
)
from vaultmem.sessions.truth import DONE, Fact, numbered
from vaultmem.sessions.turn_log import Entry
from vaultmem.sessions.write_files import put_all
from vaultmem.storage import notes
from vaultmem.storage.merging import Rejoined, Sides, Told

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry as EntrySessionJoining
    from vaultmem.vault import Parts
Overtaken = Callable[[Exchange, Sequence[Fact]], frozenset[str]]
"""(turn, facts of the other device) -> those that the turn's words end, as they are compared."""

_BOTH = -1
_FACT_ID = re.compile(r"t(\d{1,7})-(\d{1,4})")
_STAND_IN = re.compile(r"\(the document (t\d+-\d+) again, kept as (t\d+-\d+):")
_EDIT = re.compile(r"(?<![^\n])--- (t\d+-\d+)\n\+\+\+ (t\d+-\d+)(?![^\n])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What of a conversation is joined."""

    exchanges: tuple[Exchange, ...] = ()
    log: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()
    held: tuple[Fact, ...] = ()
    pruned: int = 0
    archived: int = 0  # turns that became items, from the first on


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Both as one, and where the turns of each went."""

    talk: Talk
    common: int  # turns that both had
    numbers: tuple[Mapping[int, int], Mapping[int, int]]  # old -> new, of those after them

    def name(self, side: int, name: str) -> str:
        """What an artifact of a side is called now."""
        return _renamed(name, self.numbers[side])


def joined(base: Talk, early: Talk, late: Talk, *, overtaken: Overtaken) -> Joined | None:
    """Both conversations as one; None where a side took turns back or told them otherwise.

    late  the side whose last turn is the later one: of two rewordings of one fact its one stands
    """
    sides = (early, late)
    if any(side.exchanges[: len(base.exchanges)] != base.exchanges for side in sides):
        return None
    if any(side.log[: len(base.log)] != base.log for side in sides):
        return None
    common = _common(early.exchanges, late.exchanges)
    order = list(_in_order(early.exchanges[common:], late.exchanges[common:]))
    numbers: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for number, (side, exchange) in enumerate(order, start=common + 1):
        numbers[side][exchange.turn] = number
    exchanges = (
        *late.exchanges[:common],
        *(_placed(exchange, numbers[side]) for side, exchange in order),
    )
    is_archived = [n <= max(early.archived, late.archived) for n in range(1, common + 1)]
    is_archived += [exchange.turn <= sides[side].archived for side, exchange in order]
    truth = _Truth(base, sides, numbers, common=common)
    facts = truth.facts(exchanges, overtaken)
    talk = Talk(
        exchanges=exchanges,
        log=_log(sides, numbers),
        facts=facts,
        held=_held(base, sides, numbers, facts),
        pruned=max(numbers[n].get(side.pruned, side.pruned) for n, side in enumerate(sides)),
        archived=(*is_archived, False).index(False),
    )
    return Joined(talk=talk, common=common, numbers=numbers)


def renamed_text(text: str, names: Mapping[int, int]) -> str:
    """A turn's text or an edit of a document, with the artifacts in it by their new names."""
    stand_in = _STAND_IN.match(text)
    if stand_in is None and not text.startswith("--- "):
        return text
    if stand_in is not None:
        old, new = (_renamed(name, names) for name in stand_in.groups())
        text = f"(the document {old} again, kept as {new}:{text[stand_in.end() :]}"
    return _EDIT.sub(
        lambda found: f"--- {_renamed(found[1], names)}\n+++ {_renamed(found[2], names)}",
        text,
        count=1,
    )


def _renamed(name: str, numbers: Mapping[int, int]) -> str:
    found = _FACT_ID.fullmatch(name)
    return f"t{numbers.get(int(found[1]), int(found[1]))}-{found[2]}" if found else name


def _common(one: Sequence[Exchange], other: Sequence[Exchange]) -> int:
    """How many turns both have from the first on."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _in_order(
    early: Sequence[Exchange], late: Sequence[Exchange]
) -> Iterator[tuple[int, Exchange]]:
    """(side, turn) by time; each side stays in its own order, at one moment `early` comes first."""
    left, right = list(early), list(late)
    while left or right:
        goes_first = bool(left) and (not right or (left[0].at or 0) <= (right[0].at or 0))
        yield (0, left.pop(0)) if goes_first else (1, right.pop(0))


def _placed(exchange: Exchange, numbers: Mapping[int, int]) -> Exchange:
    return replace(
        exchange,
        turn=numbers[exchange.turn],
        user=renamed_text(exchange.user, numbers),
        assistant=renamed_text(exchange.assistant, numbers),
    )


def _log(sides: tuple[Talk, Talk], numbers: tuple[Mapping[int, int], ...]) -> tuple[Entry, ...]:
    """What both logs have in common, then the other entries by turn; amendments behind it."""
    one, other = (side.log for side in sides)
    pairs = zip(one, other, strict=False)
    kept = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    added: list[tuple[tuple[int, bool, bool, int], Entry]] = []
    for side, talk in enumerate(sides):
        for entry in talk.log[kept:]:
            turn = numbers[side].get(entry.turn, entry.turn)
            amends = entry.amends and numbers[side].get(entry.amends, entry.amends)
            key = (turn, amends is not None, not entry.unsummarised, side)
            added.append((key, replace(entry, turn=turn, amends=amends)))
    # Of two entries about one turn the last one counts: a summary rather than none.
    return (*one[:kept], *(entry for _, entry in sorted(added, key=lambda each: each[0])))


def _held(
    base: Talk,
    sides: tuple[Talk, Talk],
    numbers: tuple[Mapping[int, int], ...],
    facts: Sequence[Fact],
) -> tuple[Fact, ...]:
    """Rules that wait on either side, without those that one of them decided about."""
    before = {canonical(fact.text) for fact in base.held}
    there = [{canonical(fact.text) for fact in side.held} for side in sides]
    decided = {text for text in before if not all(text in each for each in there)}
    decided |= {canonical(fact.text) for fact in facts if fact.hard}
    found: dict[str, Fact] = {}
    for side, talk in enumerate(sides):
        for fact in talk.held:
            key = canonical(fact.text)
            if key not in decided:
                found.setdefault(key, replace(fact, id=_renamed(fact.id, numbers[side])))
    taken = {fact.id for fact in facts}
    kept = [replace(fact, id="") if fact.id in taken else fact for fact in found.values()]
    return numbered(kept, 0, beside=facts)


class _Row(NamedTuple):
    """A fact, and after which turn of which side it holds."""

    turn: int
    side: int  # 0, 1; `_BOTH`
    fact: Fact


class _Truth:
    """Base truth of both."""

    def __init__(
        self,
        base: Talk,
        sides: tuple[Talk, Talk],
        numbers: tuple[Mapping[int, int], Mapping[int, int]],
        *,
        common: int,
    ) -> None:
        self._base, self._sides, self._numbers = base, sides, numbers
        self._common = common
        self._side_of = {new: n for n, each in enumerate(numbers) for new in each.values()}

    def facts(self, exchanges: Sequence[Exchange], overtaken: Overtaken) -> tuple[Fact, ...]:
        rows = [*self._known(), *self._new()]
        for exchange in exchanges[self._common :]:
            side = self._side_of[exchange.turn]

            def is_heard(row: _Row, turn: int = exchange.turn, side: int = side) -> bool:
                return row.side == 1 - side and row.turn < turn and not row.fact.hard

            heard = [row.fact for row in rows if is_heard(row)]
            gone = overtaken(exchange, heard) if heard else frozenset()
            rows = [row for row in rows if not (is_heard(row) and canonical(row.fact.text) in gone)]
        return numbered(_once([row.fact for row in rows]), len(exchanges))

    def _known(self) -> Iterator[_Row]:
        """What both began with, as each left it."""
        early, late = ({_key(fact): fact for fact in side.facts} for side in self._sides)
        for fact in self._base.facts:
            sides = early.get(_key(fact)), late.get(_key(fact))
            kept = _three_way(fact, *sides)
            if kept is not None:
                said = next((n for n, each in enumerate(sides) if each and each != fact), _BOTH)
                last = max(self._numbers[said].values(), default=0) if said != _BOTH else 0
                yield _Row(last, said, kept)

    def _new(self) -> list[_Row]:
        """What each learned, by turn."""
        before = {_key(fact) for fact in self._base.facts}
        found = []
        for side, talk in enumerate(self._sides):
            numbers = self._numbers[side]
            last = max(numbers.values(), default=self._common)
            for fact in talk.facts:
                if _key(fact) in before:
                    continue
                named = _FACT_ID.fullmatch(fact.id)
                turn = numbers.get(int(named[1]), int(named[1])) if named else last
                found.append(_Row(turn, side, replace(fact, id=_renamed(fact.id, numbers))))
        return sorted(found, key=lambda row: (row.turn, row.side))


def _key(fact: Fact) -> str:
    return fact.id or canonical(fact.text)


def _three_way(base: Fact, early: Fact | None, late: Fact | None) -> Fact | None:
    """What is left of a fact: taken out by one it is gone, unless the other changed it."""
    if early is None or late is None:
        left = early or late
        return None if left == base else left
    task = DONE if DONE in (early.task, late.task) else late.task
    return replace(
        late,
        text=late.text if late.text != base.text else early.text,
        hard=late.hard if late.hard != base.hard else early.hard,
        task=task if task != base.task else early.task,
    )


def _once(facts: Sequence[Fact]) -> list[Fact]:
    """Each fact once, at its first place, hard if either was; no id twice."""
    found: dict[str, Fact] = {}
    ids: set[str] = set()
    for fact in facts:
        key = canonical(fact.text)
        if key in found:
            found[key] = replace(found[key], hard=found[key].hard or fact.hard)
            continue
        found[key] = replace(fact, id="") if fact.id in ids else fact
        ids.add(fact.id)
    return list(found.values())


# Conversations that two devices went on with: one of both, or both, each whole.
#
# The files of a conversation belong together, so they are not merged one by one as other notes are:
# what was said, the log, base truth, the artifacts and their numbers come out as one conversation
# (sessions/joining.py). Where a device took turns back, no order of all turns is right: then the
# one that went on last keeps its place, and the other one is a session of its own beside it.

_FILE = re.compile(
    rf"({SESSIONS.as_posix()}/\d{{4}}-\d{{2}}-\d{{2}}-[a-z0-9-]+)/"
    rf"({TRANSCRIPT}|{LOG}|{TRUTH}|{STATE}|{ARTIFACTS}/t\d+-\d+\.[a-z0-9]+)"
)
_LONGEST_STEM = 50  # of an id to which a mark is added
_MARK = 6  # hexadecimal digits
BESIDE = re.compile(rf"(.+)-[0-9a-f]{{{_MARK}}}")
"""Id of a conversation that was kept beside another, and what that one's begins with."""

Files = Mapping[str, "EntrySessionJoining"]
"""Name within the folder of a session -> what a tree has there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A conversation as one side has it."""

    files: Files
    now: Conversation
    data: Mapping[str, bytes]
    at: int  # of its commit, UTC ms
    is_read: bool = True  # False: its base truth cannot be read, and what binds may be in it


class Joining:
    """Joins the conversations of two lines of commits, by the settings of a vault."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._zone = parts.settings.timezone

    def __call__(self, sides: Sides) -> Rejoined:
        """What both have changed; the rest is left to the merge of single files."""
        done = Rejoined()
        base, ours, theirs = (_folders(tree) for tree in (sides.base, sides.ours, sides.theirs))
        for one, other in _pairs(base, ours, theirs):
            before = base.get(one, {})
            here, there = ours.get(one, {}), theirs.get(other, {})
            if here in (before, there) or there == before:
                continue
            done.paths |= {
                f"{folder}/{name}"
                for folder in (one, other)
                for tree in (base, ours, theirs)
                for name in tree.get(folder, {})
            }
            folder = min(one, other)
            if not here or not there:  # changed on one and taken out on the other: it stays
                done.content |= _placed_session_joining(folder, dict(here or there))
                continue
            both = (
                self._side(folder, here, sides.ours_at),
                self._side(folder, there, sides.theirs_at),
            )
            early, late = sorted(both, key=_last)
            self._join(done, self._side(folder, before, 0), early, late)
        return done

    def _side(self, folder: str, files: Files, at: int) -> _Side:
        oids = {name: entry.oid for name, entry in files.items()}
        found = dict(self._parts.history.blobs(set(oids.values())))
        data = {name: text for name, oid in oids.items() if (text := found[oid]) is not None}
        place = PurePosixPath(folder)
        read = Pages({place / name: text for name, text in data.items()}).text
        try:
            now, is_read = load(place, read, zone=self._zone), True
        except PatchRefusedError:
            now, is_read = session_files.head_of(place, read, zone=self._zone)[0], False
            spoken = session_files.exchanges_of(read(place / TRANSCRIPT), place, self._zone)
            now = replace(now, exchanges=spoken)
        return _Side(files=files, now=now, data=data, at=at, is_read=is_read)

    def _join(self, done: Rejoined, base: _Side, early: _Side, late: _Side) -> None:
        folder = late.now.folder.as_posix()
        sides = (base, early, late)
        can_join = all(side.is_read for side in sides)
        try:
            found = joined(*map(_talk, sides), overtaken=self._overtaken) if can_join else None
            content = found and self._files(base, early, late, found)
        except VaultmemError:  # a page that cannot be read is no reason to lose the other one
            found = content = None
        if found and content:
            done.content |= _placed_session_joining(folder, content)
            done.notices.append(_told(late.now, found))
            return
        mark = hashlib.sha256(b"".join(early.data[name] for name in sorted(early.data))).hexdigest()
        id_ = f"{stem_of(late.now.id)}-{mark[:_MARK]}"
        beside = f"{folder.removesuffix(late.now.id)}{id_}"
        done.content |= _placed_session_joining(folder, dict(late.files))
        done.content |= _placed_session_joining(beside, _as_session(early, id_))
        done.notices.append(_apart(late.now, id_))

    def _overtaken(self, exchange: Exchange, facts: Sequence[Fact]) -> frozenset[str]:
        """What the words of a turn end of what the other device had learned, by the rules."""
        from vaultmem.sessions.summarise.by_rules import Rules  # saves 21 modules

        made = model.plain_extractor(self._parts.settings.extractor, zone=self._zone, categories=())
        rules = Rules(self._parts, made, now=exchange.at or 0)
        diff = rules.read(exchange.user, "", facts, words=(1, 1)).diff
        return frozenset(canonical(text) for text in diff.remove)

    def _files(self, base: _Side, early: _Side, late: _Side, found: Joined) -> Told | None:
        """The files of both as one; None where they would not be read as what they are."""
        now, place = _both(base.now, early.now, late.now, found), late.now.folder
        pages = Pages({place / name: base.data[name] for name in base.data if name != STATE})
        pages.put(place / TRUTH, late.data[TRUTH])
        before = replace(base.now, state="") if base.data else replace(base.now, status=ACTIVE)
        put_all(pages, now, before, zone=self._zone)
        for name in (TRANSCRIPT, LOG, TRUTH):
            texts = [pages.existing(place / name), *(side.data[name] for side in (early, late))]
            pages.put(place / name, with_persons_words(place / name, texts, base.data.get(name)))
        read = load(place, pages.text, zone=self._zone)
        if (read.exchanges, read.log) != (now.exchanges, now.log) or set(read.facts) != set(
            now.facts
        ):
            return None
        files = {name: pages.text(place / name) for name in (TRANSCRIPT, LOG, TRUTH, STATE)}
        kept: Told = {name: data for name, data in files.items() if data is not None}
        return kept | _artifacts(base, early, late, found)


def stem_of(id_: str) -> str:
    """What the id of a conversation begins with that is kept beside one of this id."""
    return id_[:_LONGEST_STEM].rstrip("-")


def _folders(tree: Mapping[str, EntrySessionJoining]) -> dict[str, dict[str, EntrySessionJoining]]:
    """Folder -> the files of the conversation in it, of folders that have a base truth."""
    found: dict[str, dict[str, EntrySessionJoining]] = {}
    for path, entry in tree.items():
        if path.startswith(SESSIONS.as_posix()) and (match := _FILE.fullmatch(path)):
            found.setdefault(match[1], {})[match[2]] = entry
    needed = {TRANSCRIPT, LOG, TRUTH}
    return {folder: files for folder, files in found.items() if needed <= files.keys()}


def _pairs(
    base: Mapping[str, object], ours: Mapping[str, object], theirs: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """The folder of each conversation here and there: one that both began may have two dates."""
    id_of = {folder: session_files.id_of(PurePosixPath(folder)) for folder in (*ours, *theirs)}
    here = {id_of[each]: each for each in sorted(ours) if each not in base and each not in theirs}
    there = {id_of[each]: each for each in sorted(theirs) if each not in base and each not in ours}
    twice = {here[id_]: there[id_] for id_ in here.keys() & there.keys()}
    for folder in sorted({*base, *ours, *theirs} - set(twice.values())):
        yield folder, twice.get(folder, folder)


def _last(side: _Side) -> tuple[int, int, bytes]:
    turns = side.now.exchanges
    return ((turns[-1].at or 0) if turns else 0, side.at, side.data[TRANSCRIPT] + side.data[TRUTH])


def _talk(side: _Side) -> Talk:
    now = side.now
    return Talk(
        exchanges=now.exchanges,
        log=now.log,
        facts=now.facts,
        held=now.held,
        pruned=now.pruned,
        archived=now.archived,
    )


def _both(
    base: Conversation, early: Conversation, late: Conversation, found: Joined
) -> Conversation:
    """The conversation that both went on with."""
    talk = found.talk
    status = late.status if late.status != base.status else early.status
    if status == ENDED_STATES and talk.archived < len(talk.exchanges):
        status = ACTIVE  # it ended on one device, and went on on the other
    latest = late if late.turns > found.common or early.state == base.state else early
    state = latest.state if latest.state != base.state else early.state
    return replace(
        late,
        title=late.title if late.title != base.title else early.title,
        status=status,
        started=min((each.started for each in (early, late) if each.started), default=None),
        updated=max((each.updated for each in (early, late) if each.updated), default=None),
        pruned=talk.pruned,
        archived=talk.archived,
        exchanges=talk.exchanges,
        log=talk.log,
        facts=talk.facts,
        held=talk.held,
        state=state,
    )


def _artifacts(base: _Side, early: _Side, late: _Side, found: Joined) -> Told:
    """Code and documents of both, under the numbers that their turns have now."""
    content: Told = {}
    for side, each in enumerate((early, late)):
        for name, entry in each.files.items():
            if not name.startswith(f"{ARTIFACTS}/"):
                continue
            stem, _, ending = name.removeprefix(f"{ARTIFACTS}/").partition(".")
            parsed = NAME.fullmatch(stem)
            if parsed is None or int(parsed[1]) <= found.common:
                if name not in content or entry != base.files.get(name):
                    content[name] = entry
                continue
            new = f"{ARTIFACTS}/{found.name(side, stem)}.{ending}"
            content[new] = entry
            if ending == DIFF:
                text = each.data[name].decode("utf-8", "replace")
                content[new] = renamed_text(text, found.numbers[side]).encode()
    return content


def _as_session(side: _Side, id_: str) -> Told:
    """The files of a conversation under another id."""

    files: Told = dict(side.files)
    for name in (TRANSCRIPT, LOG, TRUTH):
        with suppress(PatchRefusedError):  # its folder names it all the same
            files[name] = notes.patch(side.data[name], {"session": id_})
    return files


def _placed_session_joining(folder: str, files: Told) -> Told:
    return {f"{folder}/{name}": content for name, content in files.items()}


def _told(now: Conversation, found: Joined) -> Problem:

    each = " and ".join(model.counted(len(numbers), "turn") for numbers in found.numbers)
    return Problem(
        path=now.folder / TRANSCRIPT,
        code="session-joined",
        message=f"session '{now.id}' went on on two devices: {each} stand in one order now",
        severity=Severity.INFO,
    )


def _apart(now: Conversation, id_: str) -> Problem:
    return Problem(
        path=now.folder / TRUTH,
        code="session-apart",
        message=f"session '{now.id}' went on on two devices in ways that cannot be joined, as "
        "turns were taken back or a page of it cannot be read; the other one is session "
        f"'{id_}' now",
        hint=f"look at both (`vaultmem session show {id_}`), go on with one, end the other",
        severity=Severity.WARNING,
    )
