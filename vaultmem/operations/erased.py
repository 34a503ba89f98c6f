"""What this device remembers of erased texts: keyed hashes, by which it knows them again.

The key never leaves the device, so the list tells nobody what was erased; it is not in the vault,
and nothing that was derived from an erased text travels. Other devices know an old history by its
commits instead (operations/admitting_purged.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from vaultmem.errors import EXIT_REFUSED, VaultmemError
from vaultmem.text import sentences
from vaultmem.text_erasing import trimmed

FILE, KEY = "erased", "erased.key"
_KEY_BYTES, _BYTES = 32, 16


class ErasedTextError(VaultmemError):
    """A text that was erased for good would come back; nothing was written."""

    exit_code = EXIT_REFUSED

    def __init__(self, what: str, *, hint: str) -> None:
        super().__init__(f"{what} holds a text that was erased on this device", hint=hint)


def has_erased(state: Path) -> bool:
    """Whether anything was ever erased here."""
    return os.path.exists(state / FILE)


def note_erased(state: Path, *, ids: Iterable[str], texts: Iterable[str]) -> None:
    """Remember these ids and passages; durable."""
    from vaultmem.vault.git_locks import sync_folder, write_durably

    key = _key(state)
    if key is None:
        key = os.urandom(_KEY_BYTES)
        (state / KEY).unlink(missing_ok=True)
        write_durably(state / KEY, key)
        os.chmod(state / KEY, 0o600)
    known = _known(state) | {_hash(key, f"id {id_}") for id_ in ids}
    known |= {_hash(key, f"text {trimmed(text).casefold()}") for text in texts}
    new = state / f"{FILE}.{os.getpid()}.new"
    new.unlink(missing_ok=True)
    write_durably(new, "".join(f"{each}\n" for each in sorted(known)).encode("ascii"))
    os.replace(new, state / FILE)
    sync_folder(state)


def is_erased(state: Path, text: str, *, ids: Iterable[str] = ()) -> bool:
    """Whether a text, a line or a sentence of it, or one of these ids was erased here."""
    key = _key(state) if has_erased(state) else None
    if key is None:
        return False
    known = _known(state)
    said = (f"text {each}" for each in _pieces(text))
    return any(_hash(key, each) in known for each in (*(f"id {id_}" for id_ in ids), *said))


def lift(state: Path) -> bool:
    """Let what was erased be remembered again; whether there was anything."""
    had = has_erased(state)
    (state / FILE).unlink(missing_ok=True)
    return had


def _pieces(text: str) -> Iterator[str]:
    for piece in (text, *text.splitlines(), *sentences(text)):
        found = trimmed(piece).casefold()
        if found:
            yield found


def _known(state: Path) -> set[str]:
    try:
        return set((state / FILE).read_text(encoding="ascii").split())
    except FileNotFoundError:
        return set()


def _key(state: Path) -> bytes | None:
    try:
        key = (state / KEY).read_bytes()
    except FileNotFoundError:
        return None
    return key if len(key) == _KEY_BYTES else None


def _hash(key: bytes, text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogateescape"), key=key, digest_size=_BYTES).hexdigest()
