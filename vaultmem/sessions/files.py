"""The files of a conversation: found, and read into one record (write_files.py writes them).

resources/sessions/<date>-<id>/transcript.md   what was said, verbatim, appended
                              /turns.md        the turn log, appended
                              /truth.md        base truth in a managed block; how far it is
                              /state.json      of the agent, as it gave it
                              /artifacts/      code by turn, documents and their edits
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    PatchRefusedError,
    Protocol,
    UnknownNoteError,
    dataclass,
    disk_error,
    replace,
)
from vaultmem.extract import parse, render
from vaultmem.language import format_instant, read_instant, slugify
from vaultmem.model import ACTIVE, Exchange, Turn
from vaultmem.safety import defang, refang
from vaultmem.sessions import truth
from vaultmem.sessions import truth as truth_page
from vaultmem.sessions import turn_log as log
from vaultmem.sessions import turn_log as turnlog
from vaultmem.sessions.truth import Fact
from vaultmem.sessions.turn_log import Entry
from vaultmem.storage import files, notes
from vaultmem.vault import writer_of_session

if TYPE_CHECKING:
    from vaultmem.storage.notes import FrontMatter
    from vaultmem.vault import Vault
SESSIONS = PurePosixPath("resources", "sessions")
TRANSCRIPT, LOG, TRUTH, STATE = "transcript.md", "turns.md", "truth.md", "state.json"
ARTIFACTS = "artifacts"
LONGEST_ID = 60
_ID = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{LONGEST_ID - 2}}}[a-z0-9])?")
_FOLDER = re.compile(r"\d{4}-\d{2}-\d{2}-(.+)")
DERIVED = "derived"  # key of what says nothing that other notes do not: recall leaves it out

Read = Callable[[PurePosixPath], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Everything that the files of a session say."""

    id: str
    folder: PurePosixPath
    title: str
    status: str = ACTIVE
    writer: str = "person"  # whose words the person's side is
    client: str = ""  # the coding assistant in whose hooks it is said; '': none
    project: str = ""  # in which it is held (model/projects.py); '': in none
    started: int | None = None
    updated: int | None = None
    pruned: int = 0  # turn after which base truth was last looked through
    archived: int = 0  # turn up to which it became items
    exchanges: tuple[Exchange, ...] = ()
    log: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()
    held: tuple[Fact, ...] = ()  # rules of somebody else's, which bind nobody until they are taken
    state: str = ""  # JSON; '': none

    @property
    def turns(self) -> int:
        """How many there are."""
        return len(self.exchanges)

    @property
    def unsummarised(self) -> tuple[int, ...]:
        """Turns that phase 2 did not come to at all, as after a crash."""
        told = turnlog.latest_entries(self.log)
        return tuple(each.turn for each in self.exchanges if each.turn not in told)

    @property
    def failed(self) -> tuple[int, ...]:
        """Turns whose summary failed; a person may have taken the turn itself out since."""
        return tuple(turn for turn in turnlog.waiting(self.log) if 0 < turn <= self.turns)


def require_id(id_: str) -> str:
    """The id, if it can be the name of a folder; raises BadInputError."""
    if not _ID.fullmatch(id_):
        raise BadInputError(
            f"'{id_}' cannot be the id of a session",
            hint=f"small letters, digits and hyphens: '{slugify(id_, LONGEST_ID)}'",
        )
    return id_


def folders(vault: Vault) -> dict[str, PurePosixPath]:
    """Id -> folder of every session, oldest first; of two with one id the newer one counts."""
    try:
        names = sorted(os.listdir(vault.root / SESSIONS))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:  # not that there are none: a turn would begin a second one of its id
        raise disk_error(error, doing="list", what=SESSIONS) from error
    found = ((_FOLDER.fullmatch(name), name) for name in names)
    return {
        match[1]: SESSIONS / name
        for match, name in found
        if match and not files.is_path_gone(vault.root, SESSIONS / name / TRUTH)
    }


def attached_files(vault: Vault) -> list[PurePosixPath]:
    """Files of sessions that are no notes: artifacts and states of agents."""
    found = []
    for folder in folders(vault).values():
        inner = folder / ARTIFACTS
        names = [inner / name for name in _list_folder(vault, inner)]
        found += [path for path in (folder / STATE, *names) if (vault.root / path).is_file()]
    return found


def _list_folder(vault: Vault, folder: PurePosixPath) -> list[str]:
    try:
        return sorted(os.listdir(vault.root / folder))
    except OSError:
        return []


def folder_of(vault: Vault, id_: str) -> PurePosixPath:
    """Where a session lies; raises UnknownNoteError with the ids that there are."""
    known = folders(vault)
    if id_ not in known:
        near = [each for each in known if id_ and each.startswith(id_)]
        if len(near) == 1:
            return known[near[0]]
        shown = ", ".join(list(known)[-5:])
        raise UnknownNoteError(
            f"no session is called '{id_}'",
            hint=f"the last ones: {shown}" if shown else f"`vaultmem session start {id_}`",
        )
    return known[id_]


def id_of(folder: PurePosixPath) -> str:
    """The id of the session in a folder."""
    found = _FOLDER.fullmatch(folder.name)
    return found[1] if found else folder.name


def load(folder: PurePosixPath, read: Read, *, zone: str) -> Conversation:
    """The session in a folder; `read` gives the bytes of a file, None where there is none.

    raises  PatchRefusedError where base truth cannot be read: rules that bind may be in it
    """
    truth = read(folder / TRUTH)
    head = _truth(truth, folder, zone)
    state, spoken = read(folder / STATE), read(folder / TRANSCRIPT)
    return replace(
        head,
        exchanges=exchanges_of(spoken, folder / TRANSCRIPT, zone),
        writer=writer_of_session(
            _told_writer(spoken, folder / TRANSCRIPT), _told_writer(truth, folder / TRUTH)
        ),
        log=log_of(folder, read),
        state=state.decode("utf-8", "replace").strip() if state else "",
    )


def head_of(folder: PurePosixPath, read: Read, *, zone: str) -> tuple[Conversation, int]:
    """What truth.md alone says of a session, and its number of turns.

    Of a page whose managed block cannot be read, what its front matter says: one session that
    somebody broke is no reason to list none.
    """
    data = read(folder / TRUTH)
    try:
        head = _truth(data, folder, zone)
    except PatchRefusedError:
        head = _head(data or b"", folder, zone)
    return head, _number(front(data, folder / TRUTH).values, "turns") if data else 0


def is_pending(folder: PurePosixPath, read: Read, *, zone: str) -> bool:
    """Whether a turn of ours waits for its summary; the transcript is not read for it."""
    _, turns = head_of(folder, read, zone=zone)
    return turns > len(told_of(log_of(folder, read), turns))


def told_of(log: Sequence[Entry], turns: int) -> tuple[int, ...]:
    """Turns of so many that the log tells of; entries of turns that are gone do not count."""
    return tuple(turn for turn in turnlog.latest_entries(log) if 0 < turn <= turns)


def log_of(folder: PurePosixPath, read: Read) -> tuple[Entry, ...]:
    """The turn log alone."""
    data = read(folder / LOG)
    return turnlog.parse_entries(refang(front(data, folder / LOG).body)) if data else ()


def exchanges_of(data: bytes | None, path: PurePosixPath, zone: str) -> tuple[Exchange, ...]:
    """The turns of a transcript: each begins with the person's side."""
    if not data:
        return ()
    known = front(data, path)
    body = refang(known.body) if known.values.get("defanged") == "true" else known.body
    found: list[Exchange] = []
    for turn in parse(body, zone):
        if turn.role == "user" or not found:
            user = turn.text if turn.role == "user" else ""
            other = "" if turn.role == "user" else turn.text
            number = len(found) + 1
            found.append(Exchange(turn=number, user=user, assistant=other, at=turn.said_at))
        else:
            last = found[-1]
            texts = [text for text in (last.assistant, turn.text) if text]
            found[-1] = replace(last, assistant="\n\n".join(texts))
    return tuple(found)


def _truth(data: bytes | None, folder: PurePosixPath, zone: str) -> Conversation:

    if not data:
        return Conversation(id=id_of(folder), folder=folder, title=id_of(folder))
    try:
        page = refang(notes.read_summary(data))
    except PatchRefusedError as refused:
        at = "" if refused.line is None else f", line {refused.line} below its front matter"
        raise PatchRefusedError(
            f"'{folder / TRUTH}'{at}: {refused.message}", line=refused.line, hint=refused.hint
        ) from refused
    head = _head(data, folder, zone)
    return replace(head, facts=truth_page.parse_facts(page), held=truth_page.parse_held(page))


def _head(data: bytes, folder: PurePosixPath, zone: str) -> Conversation:
    """What the front matter of a base truth says."""
    id_ = id_of(folder)
    values = front(data, folder / TRUTH).values
    title = str(values.get("title") or id_).removeprefix("What holds: ")
    return Conversation(
        id=id_,
        folder=folder,
        title=title,
        status=str(values.get("status") or ACTIVE),
        started=_instant(values, "started", zone),
        updated=_instant(values, "updated", zone),
        pruned=_number(values, "pruned"),
        archived=_number(values, "archived"),
        client=str(values.get("client") or ""),
        project=_one_text(values.get("project")),
    )


def _told_writer(data: bytes | None, path: PurePosixPath) -> str:
    return str(front(data, path).values.get("writer") or "") if data else ""


def front(data: bytes, path: PurePosixPath) -> FrontMatter:
    """Front matter and body of a file."""
    return notes.read(data, path)


def _one_text(value: object) -> str:
    """A text, or the first of a list that a person made of it."""
    first = value[0] if isinstance(value, tuple) and value else value
    return notes.link_target(first) if isinstance(first, str) else ""


def _number(values: Mapping[str, object], key: str) -> int:
    text = str(values.get(key) or "")
    # Python refuses to read thousands of digits (ValueError), and a page of somebody else's may
    # hold them.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _instant(values: Mapping[str, object], key: str, zone: str) -> int | None:
    found = read_instant(str(values.get(key) or ""), zone)
    return found.ms if found else None


_OURS = (
    *("title", "session", "status", "started", "updated", "turns", "pruned", "archived"),
    *("date", "origin", "writer", "client", "project", "trust", "defanged", DERIVED),
)


def is_only_progress(text: bytes, base: bytes) -> bool:
    """True if a page differs from what it was in no more than keys that we set."""
    keys = front(base, PurePosixPath(TRUTH)).values
    try:
        was = {key: keys.get(key) for key in _OURS}
        same = notes.patch(text, {k: v for k, v in was.items() if v is None or isinstance(v, str)})
    except PatchRefusedError:
        return text == base
    return same == base


# The files of a conversation, written: what differs between two states of it.

Keys = Mapping[str, str | bool | int | None]


class Bench(Protocol):
    """Where files are read and written; a working copy is one."""

    def text(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a file; None where there is none."""

    def existing(self, path: PurePosixPath) -> bytes:
        """The bytes of a file that is there."""

    def put(self, path: PurePosixPath, data: bytes) -> None:
        """The file says this."""

    def remove(self, path: PurePosixPath) -> None:
        """There is no such file."""


def put_all(bench: Bench, now: Conversation, before: Conversation, *, zone: str) -> None:
    """Write what differs between two states of a session; what was said before is only added to.

    The log and the transcript grow at their ends, unless turns were taken back.
    """
    if now.exchanges != before.exchanges or not before.exchanges:
        _put_transcript(bench, now, before, zone)
    if now.log != before.log or not before.log:
        _put_log(bench, now, before)
    _put_truth(bench, now, zone)
    if now.status != before.status:
        # Once it has ended, the text that it became says it all.
        path = now.folder / TRANSCRIPT
        bench.put(path, notes.patch(bench.existing(path), {DERIVED: now.status != ACTIVE or None}))
    if now.state != before.state:
        path = now.folder / STATE
        if now.state:
            bench.put(path, f"{now.state}\n".encode())
        else:
            bench.remove(path)


def _put_transcript(bench: Bench, now: Conversation, before: Conversation, zone: str) -> None:
    path = now.folder / TRANSCRIPT
    data = bench.text(path)
    kept = len(before.exchanges)
    grows = data is not None and now.exchanges[:kept] == before.exchanges
    added = _render_transcript(now.exchanges[kept:] if grows else now.exchanges, zone)
    # Only a piece in which nothing is to be defanged can be added at the end: the key `defanged` is
    # about the whole text.
    if grows and data is not None and defang(added) == added and added:
        bench.put(path, _append_piece(data, added))
        return
    if grows and data is not None:
        known = front(data, path)
        said = refang(known.body) if known.values.get("defanged") == "true" else known.body
        added = f"{said.rstrip()}\n\n{added}".lstrip("\n") if added else said
    is_marked = defang(added) != added
    keys: Keys = {
        "title": f"Conversation: {now.title}",
        "session": now.id,
        "date": format_instant(now.started, zone) if now.started is not None else None,
        "origin": "conversation",
        "writer": now.writer,
        "trust": "limited",
        "defanged": is_marked or None,
        **_project(now),
    }
    bench.put(path, _note(data, keys, defang(added)))


def _render_transcript(exchanges: tuple[Exchange, ...], zone: str) -> str:
    turns: list[Turn] = []
    for each in exchanges:
        turns.append(Turn(text=each.user, role="user", said_at=each.at))
        turns.append(Turn(text=each.assistant, role="assistant", said_at=each.at))
    return render(turns, zone)


def _put_log(bench: Bench, now: Conversation, before: Conversation) -> None:
    path = now.folder / LOG
    bench.put(path, with_log(bench.text(path), now, before))


def with_log(data: bytes | None, now: Conversation, before: Conversation) -> bytes:
    """A log that says what that of `now` does, added to where it can be; None: there is none."""
    kept = len(before.log)
    if data is not None and now.log[:kept] == before.log:
        added = "\n".join(log.render_entry(entry) for entry in now.log[kept:])
        return _append_piece(data, defang(added)) if added else data
    keys: Keys = {
        "title": f"Turns: {now.title}",
        "session": now.id,
        "trust": "limited",
        DERIVED: True,
    }
    body = "\n".join(log.render_entry(entry) for entry in now.log)
    return _note(data, keys, defang(body))


def with_facts(data: bytes, facts: Sequence[Fact], held: Sequence[Fact]) -> bytes:
    """A base truth that holds these; whatever else it says stays."""
    page = truth.render_facts(facts, held).rstrip("\n")
    return notes.replace_summary(data, defang(page))


def _put_truth(bench: Bench, now: Conversation, zone: str) -> None:

    path = now.folder / TRUTH
    keys: Keys = {
        "title": f"What holds: {now.title}",
        "session": now.id,
        "status": now.status,
        "started": format_instant(now.started, zone) if now.started is not None else None,
        "updated": format_instant(now.updated, zone) if now.updated is not None else None,
        "turns": now.turns,
        "pruned": now.pruned or None,
        "archived": now.archived or None,
        "client": now.client or None,
        **_project(now),
        "trust": "limited",
        DERIVED: True,
    }
    data = bench.text(path)
    data = _note(None, keys, "") if data is None else notes.patch(data, keys)
    bench.put(path, with_facts(data, now.facts, now.held))


def _project(now: Conversation) -> Keys:
    """The key of its project; none where it has none: a person may have written one."""
    return {"project": now.project} if now.project else {}


def _note(data: bytes | None, keys: Keys, body: str) -> bytes:
    """The note with these keys and this body; keys of the person stay."""
    if data is None:
        return f"{notes.render(keys)}\n{body}".encode()
    parts = notes.split(notes.patch(data, keys))
    return b"".join((parts.bom, parts.opening, parts.block, parts.closing, b"\n", body.encode()))


def _append_piece(data: bytes, added: str) -> bytes:
    """The note with a piece more at its end, below an empty line."""
    gap = b"" if data.endswith(b"\n\n") else b"\n" if data.endswith(b"\n") else b"\n\n"
    return data + gap + added.encode()
