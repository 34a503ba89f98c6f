"""What every step of a session does: wait its turn, read the files, write one commit."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from vaultmem import extract, model, privacy
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING
from vaultmem.config import session_settings
from vaultmem.model import Exchange, Plan
from vaultmem.sessions import files
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.turn_size import Raw, window
from vaultmem.vault import WorkingCopy

if TYPE_CHECKING:
    from vaultmem.model import Committed, Removed
    from vaultmem.storage.files import Turnstile
    from vaultmem.vault import Vault

Summariser = Callable[[Conversation, Exchange], str]
"""Asks a model about one turn of a session as it was before it; raises VaultmemError."""

WAIT_SECONDS = 120.0
"""How long a turn waits for those before it: a slow summariser has 16 s for each of them."""
"""A person who saves a file of the session in the very moment is rarely there again."""


def queue(vault: Vault, id_: str) -> Turnstile:
    """The right to work on a session, first come, first served among processes."""
    from vaultmem.storage.files import Turnstile  # saves 3 modules

    folder = queue_folder(vault, id_)
    return Turnstile(folder, f"session '{id_}'", deadline_seconds=WAIT_SECONDS)


def queue_folder(vault: Vault, id_: str) -> Path:
    """Where those who wait for a session stand, in the device state.

    Windows refuses some ids as names of folders ('aux', 'con'), and not behind a prefix.
    """
    return vault.state / "sessions" / f"s-{id_}"


def current(vault: Vault, folder: PurePosixPath) -> Conversation:
    """A session as its files are now."""
    return files.load(folder, WorkingCopy(vault).text, zone=vault.settings.timezone)


def raw_turns(vault: Vault, now: Conversation) -> tuple[int, ...]:
    """Numbers of the turns that the next prompt has word for word."""
    limits = session_settings(vault.settings.values)
    told = log.latest_entries(now.log)
    turns = [
        Raw(
            turn=each.turn,
            is_long=each.turn in told and told[each.turn].is_long,
            is_summarised=each.turn in told and not told[each.turn].unsummarised,
        )
        for each in now.exchanges
    ]
    size = min(limits.raw_turns, max(limits.messages // 2, 1))
    return window(turns, size=size, extra=limits.long_turn_extra)


def screen_texts(
    vault: Vault, told: Mapping[str, str]
) -> tuple[dict[str, str], tuple[Removed, ...]]:
    """Texts by their names as a session may keep them, and what was taken out of them.

    raises  SecretFoundError when the settings say that secrets stop a text
            ErasedTextError for what was erased for good on this device
    """
    screening = privacy.Screening(vault.settings, policy=None, is_imported=True)
    clean = {name: screening.clean(name, text) for name, text in told.items()}
    removed = screening.finish()
    if os.path.exists(vault.settings.state.parent / "erased"):
        text = "\n\n".join(clean.values())
        if not text.strip():
            return clean, removed
        document = model.Document(text=text, title="turn", extract=False, secrets="allow")
        vaults.require_none(vault.settings, [extract.prepare(document, settings=vault.settings)])
    return clean, removed


def write_change(
    vault: Vault,
    working_copy: WorkingCopy,
    before: Conversation,
    after: Conversation,
    *,
    op: str,
    turn: int,
    what: str,
) -> Committed | None:
    """Carry out a change of a session, in one commit; None when nothing changed."""
    from vaultmem.sessions.files import put_all  # saves 1 module

    put_all(working_copy, after, before, zone=vault.settings.timezone)
    changes = working_copy.step()
    if not changes:
        return None
    plan = Plan(
        op=op,
        actor="agent",
        subject=f"session {after.id}: {model.shorten(what, 60)}",
        changes=changes,
        trailers=(("Vaultmem-Session", after.id), ("Vaultmem-Turn", str(turn))),
    )
    return vaults.apply(vault, [plan])[-1]
