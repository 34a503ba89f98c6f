"""Conversations that two devices went on with: both are kept, one as a session of its own.

The files of a conversation belong together, so they are not merged one by one as other notes are.
The side whose last turn is the later one keeps the id; the other one becomes `ID-1a2b3c` beside it,
with every turn, and `check` names both until one of them is changed. The same, whoever merges.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, PatchRefusedError, dataclass
from vaultmem.model import ENDED_STATES, Problem, Severity
from vaultmem.sessions import files as session_files
from vaultmem.sessions.files import (
    ARTIFACTS,
    LOG,
    SESSIONS,
    STATE,
    TRANSCRIPT,
    TRUTH,
    Conversation,
    exchanges_of,
    head_of,
    is_only_progress,
)
from vaultmem.storage import notes
from vaultmem.storage.merging import Sides, Told, TwoSided

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry
    from vaultmem.vault import Vault

_FILE = re.compile(
    rf"({SESSIONS.as_posix()}/\d{{4}}-\d{{2}}-\d{{2}}-[a-z0-9-]+)/"
    rf"({TRANSCRIPT}|{LOG}|{TRUTH}|{STATE}|{ARTIFACTS}/t\d+-\d+\.[a-z0-9]+)"
)
_PAGES = (TRANSCRIPT, LOG, TRUTH)
# An id has sixty characters at most (`LONGEST_ID`), and '-1a2b3c' has to fit behind it.
_LONGEST_STEM = 50  # of an id to which a mark is added
_MARK = 6  # hexadecimal digits
_BESIDE = re.compile(rf"(.+)-[0-9a-f]{{{_MARK}}}")

Files = Mapping[str, "Entry"]
"""Name within the folder of a session -> what a tree has there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A conversation as one side has it."""

    folder: PurePosixPath
    files: Files
    data: Mapping[str, bytes]
    head: Conversation  # what the front matter of its base truth says
    last: tuple[int, int, bytes]  # when its last turn was and its commit (UTC ms); its pages
    turns: int

    @property
    def id(self) -> str:
        """Its id."""
        return session_files.id_of(self.folder)


class KeepBoth:
    """Decides about the conversations of two lines of commits, by the time zone of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._zone = vault.settings.timezone

    def __call__(self, sides: Sides) -> TwoSided:
        """Those that both have changed; the rest is left to the merge of single files."""
        done = TwoSided()
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
            if not here or not there:  # changed on one and taken out on the other: it stays
                done.content |= _in_folder(one if here else other, dict(here or there))
                continue
            both = self._side(one, here, sides.ours_at), self._side(other, there, sides.theirs_at)
            # Both stay whole: turns joined by their times mixed two talks into one and needed 560
            # lines, for an order of which nobody can say what it means.
            early, late = sorted(both, key=lambda side: side.last)
            self._keep(done, self._data(before) if one == other else {}, early, late)
        return done

    def _data(self, files: Files) -> dict[str, bytes]:
        found = dict(self._vault.history.blobs({entry.oid for entry in files.values()}))
        texts = ((name, found[entry.oid]) for name, entry in files.items())
        return {name: text for name, text in texts if text is not None}

    def _side(self, folder: str, files: Files, at: int) -> _Side:
        data, place = self._data(files), PurePosixPath(folder)
        spoken = exchanges_of(data.get(TRANSCRIPT), place, self._zone)
        said_at = (spoken[-1].at or 0) if spoken else 0
        head, _ = head_of(place, lambda path: data.get(path.name), zone=self._zone)
        pages = b"".join(data.get(name, b"") for name in (TRANSCRIPT, TRUTH))
        return _Side(
            folder=place,
            files=files,
            data=data,
            head=head,
            # The bytes decide where all times are equal: both devices have to choose the same side,
            # whoever merges first
            # (tests/devices/test_conversations.py::test_it_is_the_same_whoever_merges).
            last=(said_at, at, pages),
            turns=len(spoken),
        )

    def _keep(self, done: TwoSided, base: Mapping[str, bytes], early: _Side, late: _Side) -> None:
        # A session that was silent for an hour ends by itself on any device. One that ended here
        # and went on there was continued by one device only, and what went on holds all of it.
        for side, other in ((early, late), (late, early)):
            if base and _is_only_progress(side, base):
                done.content |= _in_folder(other.folder.as_posix(), _with_progress(other, side))
                return
        id_ = f"{_stem(late.id)}-{_mark(early.data)}"
        beside = f"{early.folder.as_posix().removesuffix(early.id)}{id_}"
        done.content |= _in_folder(late.folder.as_posix(), dict(late.files))
        done.content |= _in_folder(beside, _as_session(early, id_))
        done.notices.append(_notice(late.folder, id_))

    def arriving(self, brought: Mapping[str, Entry | None], theirs: str) -> Iterator[Problem]:
        """Of those that another device put apart and sent: whoever uses this one has to know, too.

        The mark is that of the files as they were, so no other session is taken for one.

        theirs  their commit; its tree is listed only where such an id comes
        """
        new = _folders({path: entry for path, entry in brought.items() if entry is not None})
        if not any(_BESIDE.fullmatch(folder) for folder in new):
            return
        there = _folders(self._vault.history.exchange().entries(theirs))
        places = [PurePosixPath(folder) for folder in there]
        for name, files in new.items():
            folder = PurePosixPath(name)
            for place in folders_before(folder, places):
                if place.as_posix() in there and files == there[name]:
                    data = _with_session_id(self._data(files), session_files.id_of(place))
                    if folder.name.endswith(f"-{_mark(data)}"):
                        yield _notice(place, session_files.id_of(folder))


def folders_before(
    folder: PurePosixPath, folders: Collection[PurePosixPath]
) -> tuple[PurePosixPath, ...]:
    """Where a session may have lain before it was put beside another one.

    folders  of the sessions that there are: an id is cut short before it gets a mark
    """
    beside = _BESIDE.fullmatch(session_files.id_of(folder))
    if beside is None:
        return ()
    plain = folder.with_name(folder.name[: -_MARK - 1])
    same = {each for each in folders if _stem(session_files.id_of(each)) == beside[1]}
    return (plain, *sorted(same - {plain}))


def _stem(id_: str) -> str:
    """What the id of a conversation begins with that is kept beside one of this id."""
    return id_[:_LONGEST_STEM].rstrip("-")


def _folders(tree: Mapping[str, Entry]) -> dict[str, dict[str, Entry]]:
    """Folder -> the files of the conversation in it, of folders that have a base truth."""
    found: dict[str, dict[str, Entry]] = {}
    for path, entry in tree.items():
        if path.startswith(SESSIONS.as_posix()) and (match := _FILE.fullmatch(path)):
            found.setdefault(match[1], {})[match[2]] = entry
    return {folder: files for folder, files in found.items() if files.keys() >= set(_PAGES)}


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


def _is_only_progress(side: _Side, base: Mapping[str, bytes]) -> bool:
    """True if a side has no turn, fact or word that was not there before."""
    is_same = side.data.keys() == base.keys() and all(
        side.data[name] == base[name] for name in base if name not in _PAGES
    )
    return is_same and all(is_only_progress(side.data[name], base[name]) for name in _PAGES)


def _with_progress(side: _Side, other: _Side) -> Told:
    """The files of a side; turns that became items on the other one do not become items again."""
    files: Told = dict(side.files)
    archived = max(side.head.archived, other.head.archived)
    is_over = ENDED_STATES in (side.head.status, other.head.status) and archived >= side.turns
    ended = {"status": ENDED_STATES} if is_over else {}
    with suppress(PatchRefusedError):  # it is kept as it is
        files[TRUTH] = notes.patch(side.data[TRUTH], {"archived": archived or None, **ended})
        if is_over:
            files[TRANSCRIPT] = notes.patch(side.data[TRANSCRIPT], {session_files.DERIVED: True})
    return files


def _as_session(side: _Side, id_: str) -> Told:
    """The files of a conversation under another id."""
    return dict(side.files) | {name: _with_session_id(side.data, id_)[name] for name in _PAGES}


def _with_session_id(data: Mapping[str, bytes], id_: str) -> dict[str, bytes]:
    """The files of a conversation, whose pages name a session."""
    found = dict(data)
    for name in _PAGES:
        with suppress(PatchRefusedError):  # its folder names it all the same
            found[name] = notes.patch(data[name], {"session": id_})
    return found


def _mark(data: Mapping[str, bytes]) -> str:
    """What the id of a conversation with these files ends with, where it is put apart."""
    return hashlib.sha256(b"".join(data[name] for name in sorted(data))).hexdigest()[:_MARK]


def _in_folder(folder: str, files: Told) -> Told:
    return {f"{folder}/{name}": content for name, content in files.items()}


def _notice(folder: PurePosixPath, id_: str) -> Problem:
    last = session_files.id_of(folder)
    return Problem(
        path=folder / TRUTH,
        code="session-apart",
        message=f"session '{last}' went on on two devices: the side with the last turn is "
        f"'{last}', the other one is session '{id_}' now, with all of its turns",
        hint=f"look at both (`vaultmem session show {id_}`), go on with one, end the other",
        severity=Severity.WARNING,
    )
