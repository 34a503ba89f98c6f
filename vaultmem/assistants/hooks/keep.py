"""What hooks were told becomes turns of a session; done by a child that nobody waits for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby

from vaultmem import config, model, projects, sessions
from vaultmem.api import Memory
from vaultmem.assistants.hooks import turns_behind
from vaultmem.assistants.hooks.client_events import COMPACTED, END, PROMPT, REPLY
from vaultmem.assistants.hooks.turns_behind import Told
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    SecretFoundError,
    VaultmemError,
    dataclass,
)
from vaultmem.storage.files import try_lock, unlock
from vaultmem.vault import ErasedTextError

if TYPE_CHECKING:
    from vaultmem.config import Settings

_QUEUE_SECONDS = 60.0  # that a child waits for the one before it
_PAUSE_SECONDS = 0.05
_TITLE = 60  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is made of some of what waits, in one commit."""

    told: tuple[Told, ...]
    user: str = ""
    assistant: str = ""
    is_end: bool = False

    @property
    def is_turn(self) -> bool:
        """Whether anything was said."""
        return bool(self.user or self.assistant)


def keep_waiting(settings: Settings) -> int:
    """Make turns of what waits; how many were made.

    What cannot be kept now stays, and the next hook starts another child. raises BusyError,
    DiskError, ...: the first that it met, when all other sessions are through
    """
    made, failure = 0, None
    with _alone(settings) as is_alone:
        told = turns_behind.all_waiting(settings) if is_alone else ()
        if not told:
            return 0
        with Memory(settings=settings) as memory:
            for _, group in groupby(sorted(told, key=_by_session), key=lambda each: each.session):
                try:
                    made += _keep_session(memory, tuple(group))
                except VaultmemError as error:
                    failure = failure or error
            sessions.end_idle(memory.opened)
    if failure is not None:
        raise failure
    return made


def fold(told: Sequence[Told], *, now: int, idle_ms: int) -> Iterator[Kept]:
    """What the events of one session come to, in their order.

    A prompt waits for its reply; the next prompt, the end or a long silence say that none comes,
    as after an interruption. A reply to nothing that may be kept is not kept. Pure.
    """
    prompt: Told | None = None
    for each in told:
        if each.kind == REPLY:
            own = prompt.words if prompt else ""
            reply = each.words if own else ""
            yield Kept(told=_both(prompt, each), user=own, assistant=reply)
            prompt = None
        elif each.kind == COMPACTED:
            yield Kept(told=(each,), assistant=each.words)
        else:
            if prompt is not None:
                yield Kept(told=(prompt,), user=prompt.words)
                prompt = None
            if each.kind == PROMPT:
                prompt = each
            elif each.kind == END:
                yield Kept(told=(each,), is_end=True)
    if prompt is not None and now - prompt.at > idle_ms:
        yield Kept(told=(prompt,), user=prompt.words)


def _both(prompt: Told | None, reply: Told) -> tuple[Told, ...]:
    return (prompt, reply) if prompt else (reply,)


def _by_session(told: Told) -> tuple[str, str]:
    return told.session, told.file


def _keep_session(memory: Memory, told: tuple[Told, ...]) -> int:
    settings, made = memory.settings, 0
    refused: BadInputError | None = None
    idle_ms = config.session_settings(settings.values).idle_seconds * 1000
    for kept in fold(told, now=time.time_ns() // 1_000_000, idle_ms=idle_ms):
        if kept.is_end:
            _end(memory, kept)
        elif kept.is_turn:
            try:
                with suppress(SecretFoundError, ErasedTextError):  # must not be kept, so it goes
                    made += _keep_turn(memory, kept)
            except BadInputError as error:  # it would be refused each time, and all behind it wait
                turns_behind.set_aside(settings, kept.told)
                refused = refused or error
        turns_behind.remove(settings, kept.told)
    if refused is not None:
        raise refused
    return made


def _keep_turn(memory: Memory, kept: Kept) -> int:
    """One turn, in one commit with the beginning of its session; 1, or 0 for one that is there.

    Which turn it becomes is noted before: a child that is killed between its commit and its end
    leaves a turn that the next one finds to be there.
    """
    vault, first = memory.opened, kept.told[0]
    there = first.session in sessions.files.folders(vault)
    turns = sessions.view(vault, first.session).turn if there else 0
    number = first.turn or turns + 1
    if number <= turns:
        return 0
    turns_behind.mark(memory.settings, kept.told, number)
    begin = sessions.beginning_of(
        vault,
        first.session,
        title=_title(kept),
        client=first.client,
        project="" if there else _project(memory, first),
    )
    said = sessions.Said(user=kept.user, assistant=kept.assistant, at=first.at, number=number)
    with sessions.queue(vault, first.session):
        try:
            sessions.add_turn(
                vault,
                first.session,
                said,
                summariser=sessions.summariser_of(vault),
                begin=begin,
            )
        except BadInputError:  # too long to be a turn: its beginning is one
            half = memory.settings.limits_note_bytes // 16
            short = sessions.Said(
                user=kept.user[:half], assistant=kept.assistant[:half], at=first.at, number=number
            )
            sessions.add_turn(vault, first.session, short, begin=begin)
    return 1


def _project(memory: Memory, first: Told) -> str:
    """The project of a session that begins: where its first words were told.

    Now there is time to ask git, for a repository without a remote.
    """
    return projects.project_to_keep(first.folder, memory.settings) if first.folder else ""


def _end(memory: Memory, kept: Kept) -> None:
    id_ = kept.told[0].session
    if id_ in sessions.files.folders(memory.opened):
        memory.session(id_, start=False).end()


def _title(kept: Kept) -> str:
    """The first words of a conversation, without marks that a title would be read by."""
    line = next((line for line in kept.user.splitlines() if line.strip()), "")
    plain = "".join(" " if mark in "`#*_[]<>|" else mark for mark in line[:2_000])
    return model.shorten(" ".join(plain.split()), _TITLE)


@contextmanager
def _alone(settings: Settings) -> Iterator[bool]:
    """No other child works meanwhile; False where one did for a minute.

    It waits rather than leaves: what was told after the other one looked would lie there.
    """
    folder = turns_behind.folder_of(settings)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    until = time.monotonic() + _QUEUE_SECONDS
    try:
        while not (is_alone := try_lock(descriptor)) and time.monotonic() < until:
            time.sleep(_PAUSE_SECONDS)
        yield is_alone
        if is_alone:
            unlock(descriptor)
    finally:
        os.close(descriptor)


# The process that keeps what hooks were told, started and left alone.


def start_keeping(settings: Settings) -> None:
    """Start the child that makes turns of what waits; it outlives the hook and its terminal."""
    start_alone(["hook", "--keep", "--vault", str(settings.root)], cwd=settings.state)


def start_alone(words: Sequence[str], **options: Any) -> None:
    """Start a command of ours that nobody waits for: not this process, which ends before it."""
    options |= (
        {"creationflags": 0x00000008 | 0x00000200}  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
        if os.name == "nt"
        else {"start_new_session": True}
    )
    subprocess.Popen(
        [sys.executable, "-P", "-m", "vaultmem", *words],
        **{"stdin": subprocess.DEVNULL, **options},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
