"""The files of a conversation, written: what differs between two states of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, Protocol
from vaultmem.extract import render
from vaultmem.language import format_instant
from vaultmem.model import ACTIVE, Exchange, Turn
from vaultmem.safety import defang, refang
from vaultmem.sessions import truth
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.files import DERIVED, LOG, STATE, TRANSCRIPT, TRUTH, front
from vaultmem.storage import notes

if TYPE_CHECKING:
    from vaultmem.sessions.files import Conversation
    from vaultmem.sessions.truth import Fact

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
