"""Conversations that two devices went on with: one of both, or both, each whole.

The files of a conversation belong together, so they are not merged one by one as other notes are:
what was said, the log, base truth, the artifacts and their numbers come out as one conversation
(sessions/joining.py). Where a device took turns back, no order of all turns is right: then the one
that went on last keeps its place, and the other one is a session of its own beside it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import PatchRefusedError, VaultmemError
from vaultmem.base.records import dataclass, replace
from vaultmem.language.text import canonical
from vaultmem.model.notes import Problem, Severity
from vaultmem.model.talks.sessions import ACTIVE, ENDED, Exchange
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
    load,
)
from vaultmem.sessions.joining import Joined, Talk, joined, renamed_text
from vaultmem.sessions.pages import Pages, with_persons_words
from vaultmem.sessions.writing import put_all
from vaultmem.storage.merging.sides import Rejoined, Sides, Told

if TYPE_CHECKING:
    from vaultmem.sessions.truth import Fact
    from vaultmem.storage.git.remote.join import Entry
    from vaultmem.vault.vault import Parts

_FILE = re.compile(
    rf"({SESSIONS.as_posix()}/\d{{4}}-\d{{2}}-\d{{2}}-[a-z0-9-]+)/"
    rf"({TRANSCRIPT}|{LOG}|{TRUTH}|{STATE}|{ARTIFACTS}/t\d+-\d+\.[a-z0-9]+)"
)
_LONGEST_STEM = 50  # of an id to which a mark is added
_MARK = 6  # hexadecimal digits
BESIDE = re.compile(rf"(.+)-[0-9a-f]{{{_MARK}}}")
"""Id of a conversation that was kept beside another, and what that one's begins with."""

Files = Mapping[str, "Entry"]
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
                done.content |= _placed(folder, dict(here or there))
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
            done.content |= _placed(folder, content)
            done.notices.append(_told(late.now, found))
            return
        mark = hashlib.sha256(b"".join(early.data[name] for name in sorted(early.data))).hexdigest()
        id_ = f"{stem_of(late.now.id)}-{mark[:_MARK]}"
        beside = f"{folder.removesuffix(late.now.id)}{id_}"
        done.content |= _placed(folder, dict(late.files))
        done.content |= _placed(beside, _as_session(early, id_))
        done.notices.append(_apart(late.now, id_))

    def _overtaken(self, exchange: Exchange, facts: Sequence[Fact]) -> frozenset[str]:
        """What the words of a turn end of what the other device had learned, by the rules."""
        from vaultmem.model.seams import plain_extractor
        from vaultmem.sessions.summarise.rules import Rules

        made = plain_extractor(self._parts.settings.extractor, zone=self._zone, categories=())
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


def _folders(tree: Mapping[str, Entry]) -> dict[str, dict[str, Entry]]:
    """Folder -> the files of the conversation in it, of folders that have a base truth."""
    found: dict[str, dict[str, Entry]] = {}
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
    if status == ENDED and talk.archived < len(talk.exchanges):
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
    from vaultmem.storage.notes.frontmatter import patch

    files: Told = dict(side.files)
    for name in (TRANSCRIPT, LOG, TRUTH):
        with suppress(PatchRefusedError):  # its folder names it all the same
            files[name] = patch(side.data[name], {"session": id_})
    return files


def _placed(folder: str, files: Told) -> Told:
    return {f"{folder}/{name}": content for name, content in files.items()}


def _told(now: Conversation, found: Joined) -> Problem:
    from vaultmem.model.wording import counted

    each = " and ".join(counted(len(numbers), "turn") for numbers in found.numbers)
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
