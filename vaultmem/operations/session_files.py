"""The files of a conversation: found, read into one record, and changed on a workbench.

resources/sessions/<date>-<id>/transcript.md   what was said, verbatim, appended
                              /turns.md        the turn log, appended
                              /truth.md        base truth in a managed block; how far it is
                              /state.json      of the agent, as it gave it
                              /artifacts/      code by turn, documents and their edits
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.errors import BadInputError, UnknownNoteError
from vaultmem.extraction.turns import parse, render
from vaultmem.frozen import dataclass, replace
from vaultmem.model.drafts import Turn
from vaultmem.model.sessions import ACTIVE, Exchange
from vaultmem.model.time import format_instant, read_instant
from vaultmem.operations.provenance import writer_of_session
from vaultmem.sessions import truth_page, turnlog
from vaultmem.sessions.truth import Fact
from vaultmem.sessions.turnlog import Entry
from vaultmem.text import slugify
from vaultmem.text_inert import defang, refang

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.operations.workbench import Workbench
    from vaultmem.vault.frontmatter import FrontMatter

SESSIONS = PurePosixPath("resources", "sessions")
TRANSCRIPT, LOG, TRUTH, STATE = "transcript.md", "turns.md", "truth.md", "state.json"
ARTIFACTS = "artifacts"
LONGEST_ID = 60
_ID = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{LONGEST_ID - 2}}}[a-z0-9])?")
_FOLDER = re.compile(r"\d{4}-\d{2}-\d{2}-(.+)")
_DERIVED = "derived"  # key of what says nothing that other notes do not: recall leaves it out

Keys = Mapping[str, str | bool | int | None]
Read = Callable[[PurePosixPath], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Everything that the files of a session say."""

    id: str
    folder: PurePosixPath
    title: str
    status: str = ACTIVE
    writer: str = "person"  # whose words the person's side is
    started: int | None = None
    updated: int | None = None
    pruned: int = 0  # turn after which base truth was last looked through
    archived: int = 0  # turn up to which it became items
    exchanges: tuple[Exchange, ...] = ()
    log: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()
    state: str = ""  # JSON; '': none

    @property
    def turns(self) -> int:
        """How many there are."""
        return len(self.exchanges)

    @property
    def unsummarised(self) -> tuple[int, ...]:
        """Turns that phase 2 did not come to at all, as after a crash."""
        told = turnlog.told(self.log)
        return tuple(each.turn for each in self.exchanges if each.turn not in told)


def require_id(id_: str) -> str:
    """The id, if it can be the name of a folder; raises BadInputError."""
    if not _ID.fullmatch(id_):
        raise BadInputError(
            f"'{id_}' cannot be the id of a session",
            hint=f"small letters, digits and hyphens: '{slugify(id_, LONGEST_ID)}'",
        )
    return id_


def folders(parts: Parts) -> dict[str, PurePosixPath]:
    """Id -> folder of every session, oldest first; of two with one id the newer one counts."""
    try:
        names = sorted(os.listdir(parts.root / SESSIONS))
    except OSError:
        return {}
    found = ((_FOLDER.fullmatch(name), name) for name in names)
    return {
        match[1]: SESSIONS / name
        for match, name in found
        if match and os.path.exists(parts.root / SESSIONS / name / TRUTH)
    }


def attached(parts: Parts) -> list[PurePosixPath]:
    """Files of sessions that are no notes: artifacts and states of agents."""
    found = []
    for folder in folders(parts).values():
        inner = folder / ARTIFACTS
        names = [inner / name for name in _listed(parts, inner)]
        found += [path for path in (folder / STATE, *names) if (parts.root / path).is_file()]
    return found


def _listed(parts: Parts, folder: PurePosixPath) -> list[str]:
    try:
        return sorted(os.listdir(parts.root / folder))
    except OSError:
        return []


def folder_of(parts: Parts, id_: str) -> PurePosixPath:
    """Where a session lies; raises UnknownNoteError with the ids that there are."""
    known = folders(parts)
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
    """The session in a folder; `read` gives the bytes of a file, None where there is none."""
    truth = read(folder / TRUTH)
    head, facts = _truth(truth, folder, zone)
    state, spoken = read(folder / STATE), read(folder / TRANSCRIPT)
    return replace(
        head,
        exchanges=exchanges_of(spoken, folder / TRANSCRIPT, zone),
        writer=writer_of_session(
            _told_writer(spoken, folder / TRANSCRIPT), _told_writer(truth, folder / TRUTH)
        ),
        log=log_of(folder, read),
        facts=facts,
        state=state.decode("utf-8", "replace").strip() if state else "",
    )


def head_of(folder: PurePosixPath, read: Read, *, zone: str) -> tuple[Conversation, int]:
    """What truth.md alone says of a session, and its number of turns."""
    data = read(folder / TRUTH)
    head, _ = _truth(data, folder, zone)
    return head, _number(_front(data, folder / TRUTH).values, "turns") if data else 0


def is_pending(folder: PurePosixPath, read: Read, *, zone: str) -> bool:
    """Whether a turn of ours waits for its summary; the transcript is not read for it."""
    _, turns = head_of(folder, read, zone=zone)
    return turns > len(turnlog.told(log_of(folder, read)))


def log_of(folder: PurePosixPath, read: Read) -> tuple[Entry, ...]:
    """The turn log alone."""
    data = read(folder / LOG)
    return turnlog.parsed(refang(_front(data, folder / LOG).body)) if data else ()


def exchanges_of(data: bytes | None, path: PurePosixPath, zone: str) -> tuple[Exchange, ...]:
    """The turns of a transcript: each begins with the person's side."""
    if not data:
        return ()
    front = _front(data, path)
    body = refang(front.body) if front.values.get("defanged") == "true" else front.body
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


def put_all(bench: Workbench, now: Conversation, before: Conversation, *, zone: str) -> None:
    """Write what differs between two states of a session; what was said before is only added to.

    The log and the transcript grow at their ends, unless turns were taken back.
    """
    if now.exchanges != before.exchanges or not before.exchanges:
        _put_transcript(bench, now, before, zone)
    if now.log != before.log or not before.log:
        _put_log(bench, now, before)
    _put_truth(bench, now, zone)
    if now.status != before.status:
        from vaultmem.vault.frontmatter import patch

        # Once it has ended, the text that it became says it all.
        path = now.folder / TRANSCRIPT
        bench.put(path, patch(bench.existing(path), {_DERIVED: now.status != ACTIVE or None}))
    if now.state != before.state:
        path = now.folder / STATE
        if now.state:
            bench.put(path, f"{now.state}\n".encode())
        else:
            bench.remove(path)


def _put_transcript(bench: Workbench, now: Conversation, before: Conversation, zone: str) -> None:
    path = now.folder / TRANSCRIPT
    data = bench.text(path)
    kept = len(before.exchanges)
    grows = data is not None and now.exchanges[:kept] == before.exchanges
    added = _spoken(now.exchanges[kept:] if grows else now.exchanges, zone)
    if grows and data is not None and defang(added) == added and added:
        bench.put(path, _joined(data, added))
        return
    if grows and data is not None:
        front = _front(data, path)
        said = refang(front.body) if front.values.get("defanged") == "true" else front.body
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
    }
    bench.put(path, _note(data, keys, defang(added)))


def _spoken(exchanges: tuple[Exchange, ...], zone: str) -> str:
    turns: list[Turn] = []
    for each in exchanges:
        turns.append(Turn(text=each.user, role="user", said_at=each.at))
        turns.append(Turn(text=each.assistant, role="assistant", said_at=each.at))
    return render(turns, zone)


def _put_log(bench: Workbench, now: Conversation, before: Conversation) -> None:
    path = now.folder / LOG
    data = bench.text(path)
    kept = len(before.log)
    if data is not None and now.log[:kept] == before.log:
        added = "\n".join(turnlog.rendered(entry) for entry in now.log[kept:])
        bench.put(path, _joined(data, defang(added)) if added else data)
        return
    keys: Keys = {
        "title": f"Turns: {now.title}",
        "session": now.id,
        "trust": "limited",
        _DERIVED: True,
    }
    body = "\n".join(turnlog.rendered(entry) for entry in now.log)
    bench.put(path, _note(data, keys, defang(body)))


def _put_truth(bench: Workbench, now: Conversation, zone: str) -> None:
    from vaultmem.vault.blocks import replace_summary
    from vaultmem.vault.frontmatter import patch

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
        "trust": "limited",
        _DERIVED: True,
    }
    data = bench.text(path)
    data = _note(None, keys, "") if data is None else patch(data, keys)
    bench.put(path, replace_summary(data, defang(truth_page.rendered(now.facts).rstrip("\n"))))


def _truth(
    data: bytes | None, folder: PurePosixPath, zone: str
) -> tuple[Conversation, tuple[Fact, ...]]:
    from vaultmem.vault.blocks import read_summary

    id_ = id_of(folder)
    if not data:
        return Conversation(id=id_, folder=folder, title=id_), ()
    values = _front(data, folder / TRUTH).values
    title = str(values.get("title") or id_).removeprefix("What holds: ")
    head = Conversation(
        id=id_,
        folder=folder,
        title=title,
        status=str(values.get("status") or ACTIVE),
        started=_instant(values, "started", zone),
        updated=_instant(values, "updated", zone),
        pruned=_number(values, "pruned"),
        archived=_number(values, "archived"),
    )
    return head, truth_page.parsed(refang(read_summary(data)))


def _told_writer(data: bytes | None, path: PurePosixPath) -> str:
    return str(_front(data, path).values.get("writer") or "") if data else ""


def _front(data: bytes, path: PurePosixPath) -> FrontMatter:
    from vaultmem.vault.frontmatter import read

    return read(data, path)


def _note(data: bytes | None, keys: Keys, body: str) -> bytes:
    """The note with these keys and this body; keys of the person stay."""
    from vaultmem.vault.frontmatter import patch, render, split

    if data is None:
        return f"{render(keys)}\n{body}".encode()
    parts = split(patch(data, keys))
    return b"".join((parts.bom, parts.opening, parts.block, parts.closing, b"\n", body.encode()))


def _joined(data: bytes, added: str) -> bytes:
    """The note with a piece more at its end, below an empty line."""
    gap = b"" if data.endswith(b"\n\n") else b"\n" if data.endswith(b"\n") else b"\n\n"
    return data + gap + added.encode()


def _number(values: Mapping[str, object], key: str) -> int:
    text = str(values.get(key) or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _instant(values: Mapping[str, object], key: str, zone: str) -> int | None:
    found = read_instant(str(values.get(key) or ""), zone)
    return found.ms if found else None
