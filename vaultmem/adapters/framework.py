"""What is said where the framework of an adapter is not installed."""

from __future__ import annotations

import hashlib

from vaultmem import language, sessions
from vaultmem.base import TYPE_CHECKING, BadInputError, SettingsError, late
from vaultmem.model import base32

if TYPE_CHECKING:
    from vaultmem.vault import Vault


class MissingFrameworkError(SettingsError, ImportError):
    """An adapter was imported whose framework is not installed."""

    def __init__(self, adapter: str, package: str) -> None:
        super().__init__(
            f"'{adapter}' needs the package '{package}', which is missing",
            hint=f"pip install {package}",
        )
        self.name = package

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}"


_LONGEST_ID = 60  # of a session of a vault
_HASH_LETTERS = 10
_MADE = late(r".+-[0-9a-z]{10}")  # as a name that is made of another id ends


def name_of(session_id: str) -> str:
    """The id of a conversation of a vault for any text; two texts never share one."""
    if not isinstance(session_id, str) or not session_id:
        raise BadInputError(f"{session_id!r} is no id of a session", hint="any text is")
    slug = language.slugify(session_id, _LONGEST_ID - _HASH_LETTERS - 1)
    if slug == session_id and not _MADE.fullmatch(session_id):
        return session_id
    digest = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).digest()
    return f"{slug}-{base32(digest, _HASH_LETTERS)}"


def keep_turn(
    vault: Vault, name: str, user: str, reply: str, *, writer: str, state: str | None = None
) -> None:
    """Keep a turn of the conversation of this name, begun or opened again where need be.

    state  of the agent, as JSON; of words that are too long for a turn, the beginning is one
    raises what `Session.turn` does; the caller holds the queue of the session
    """
    most = vault.settings.limits_note_bytes // 16
    sessions.add_turn(
        vault,
        name,
        sessions.Said(user=user[:most], assistant=reply[:most], state=state),
        summariser=sessions.summariser_of(vault),
        begin=sessions.beginning_of(vault, name, writer=writer),
    )
