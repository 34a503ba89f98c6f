"""A vault for each user, under one folder: nothing of one can be in an answer to another.

    users/ada-7h3k.../      the vault of 'ada': notes, history, settings
    users/.users/ada-7h3k...json   whose it is

The name of a folder is made of the id (readable) and of its hash (130 bits of SHA-256): two ids
never share a folder, not on file systems that take 'Ada' for 'ada' either, and no id leads out.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType

from vaultmem import config, language
from vaultmem.adapters.vault_threads import VaultThreads
from vaultmem.api import Memory
from vaultmem.base import BadInputError, Protocol, TypeVar
from vaultmem.model import base32
from vaultmem.storage.files import WriterLock

T = TypeVar("T")

# 130 bits of the SHA-256 of the id: 'Ada' and 'ada' never share a folder, and no id leads out of
# ours. With these bounds 10,000 users made, told and asked in turn took 112 MB and 64 descriptors
# at most.
_SLUG_BYTES = 40
_HASH_LETTERS = 26  # of 5 bits
_WHO = ".users"
_IDLE_SECONDS = 60.0
_WAIT_SECONDS = 60.0  # for others who make or erase a vault of the folder; making takes .2 s


class OneVault(Protocol):
    """A vault that any thread may ask; `Vaults.of` and `vault_of` give one."""

    def submit(self, work: Callable[[Memory], T]) -> Future[T]:
        """What `work` returns, or raises, in time; it must not keep the memory."""

    def ask(self, work: Callable[[Memory], T]) -> T:
        """The same, waited for."""

    async def ask_later(self, work: Callable[[Memory], T]) -> T:
        """The same, for asyncio."""


class _Asked(ABC):
    """`ask` and `ask_later` of what has `submit`."""

    @abstractmethod
    def submit(self, work: Callable[[Memory], T]) -> Future[T]:
        """As `OneVault` says."""

    def ask(self, work: Callable[[Memory], T]) -> T:
        return self.submit(work).result()

    async def ask_later(self, work: Callable[[Memory], T]) -> T:
        return await asyncio.wrap_future(self.submit(work))


class Vaults:
    """The vaults of all users below a folder; each is made when it is first asked for.

    most_open     vaults that are open at once, about 4 descriptors each; of more, the one
                  longest not asked is closed
    idle_seconds  after which one that nobody asks anything is closed
    threads       that work side by side

    Any thread may ask, and any number of processes may share the folder.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        most_open: int = 16,
        idle_seconds: float = 60.0,
        threads: int = 4,
    ) -> None:
        self.folder = Path(os.path.abspath(os.path.expanduser(folder)))
        self._known: dict[str, str] = {}  # whose a folder is, by the name of the file that says so
        self._threads = VaultThreads(
            most_open=most_open, idle_seconds=idle_seconds, threads=threads
        )

    def __enter__(self) -> Vaults:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def of(self, user_id: str) -> OneVault:
        """The vault of a user, to be asked; raises BadInputError for an id that is no text."""
        return _UserVault(self, user_id)

    def place_of(self, user_id: str) -> Path:
        """The folder of a user's vault, made or not; `vaultmem --vault FOLDER` opens it."""
        return self.folder / name_of(user_id)

    def users(self) -> tuple[str, ...]:
        """The ids of all users who have a vault, sorted."""
        try:
            files = sorted(os.listdir(self.folder / _WHO))
        except FileNotFoundError:
            return ()
        return tuple(sorted(self._ids([name for name in files if name.endswith(".json")])))

    def user_at(self, name: str) -> str | None:
        """Whose vault the folder of this name is; None: nobody's."""
        if not (_is_name(name) and (self.folder / name / config.FILE_NAME).exists()):
            return None
        return next(self._ids([f"{name}.json"]), None)

    def has(self, user_id: str) -> bool:
        """Whether a user has a vault; asking it anything makes one."""
        return (self.place_of(user_id) / config.FILE_NAME).exists()

    def submit(self, user_id: str, work: Callable[[Memory], T]) -> Future[T]:
        """What `work` returns, or raises, in time, given the memory of a user."""
        root = self.place_of(user_id)

        def with_memory() -> T:
            if not self.has(user_id):
                self._make(root, user_id)
            return work(self._threads.memory(root))

        return self._threads.submit(root, with_memory)

    def erase(self, user_id: str) -> bool:
        """Erase all that is kept of a user on this device, for good; False: there was nothing.

        The vault goes with its history, and so does the device state: index, ledger, queues.
        Copies elsewhere (a remote, backups) are others' to erase.
        """
        root = self.place_of(user_id)
        return self._threads.submit(root, lambda: self._erase(root)).result()

    def open_count(self) -> int:
        """How many vaults are open."""
        return self._threads.open_count()

    def close(self) -> None:
        """Do what was asked, then close all that are open; a later question opens them again."""
        self._threads.close()

    def _ids(self, names: list[str]) -> Iterator[str]:
        for name in names:
            if name not in self._known:  # a folder is never another's, so what was read is so
                try:
                    found = json.loads((self.folder / _WHO / name).read_bytes())
                except FileNotFoundError:  # erased meanwhile
                    continue
                self._known[name] = found["user_id"]
            yield self._known[name]

    def _make(self, root: Path, user_id: str) -> None:
        self._threads.close_one(root)  # one that another process erased meanwhile
        with self._alone():
            if not (root / config.FILE_NAME).exists():
                self._sweep(root)
                # Before the vault: one without it would be in no list, and be erased by nobody.
                new = self._who(root).with_suffix(".new")
                new.write_text(json.dumps({"user_id": user_id}) + "\n", encoding="ascii")
                os.replace(new, self._who(root))
                Memory.init(root, name=root.name)

    def _erase(self, root: Path) -> bool:
        self._threads.close_one(root)
        if not (root.exists() or self._who(root).exists()):
            return False
        with self._alone():
            if (root / config.FILE_NAME).exists():
                config.erase_state(root)
            if root.exists():  # at once: what is half erased must not be taken for a vault
                os.replace(root, self._who(root).with_suffix(".gone"))
            self._sweep(root)
            self._who(root).unlink(missing_ok=True)
        return True

    def _sweep(self, root: Path) -> None:
        """Finish what a process that was killed had begun to erase."""
        gone = self._who(root).with_suffix(".gone")
        if gone.exists():
            shutil.rmtree(gone)

    def _who(self, root: Path) -> Path:
        return self.folder / _WHO / f"{root.name}.json"

    def _alone(self) -> WriterLock:
        folder = self.folder / _WHO
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return WriterLock(folder, deadline_seconds=_WAIT_SECONDS)


class _UserVault(_Asked):
    """One vault of `Vaults`."""

    def __init__(self, vaults: Vaults, user_id: str) -> None:
        name_of(user_id)
        self._vaults, self._user_id = vaults, user_id

    def submit(self, work: Callable[[Memory], T]) -> Future[T]:
        return self._vaults.submit(self._user_id, work)


class _NamedVault(_Asked):
    """One vault that is there, of no user."""

    def __init__(self, vault: str | Path | None) -> None:
        self._root = config.find_vault(vault)
        self._threads = VaultThreads(most_open=1, idle_seconds=_IDLE_SECONDS, threads=1)

    def submit(self, work: Callable[[Memory], T]) -> Future[T]:
        root, threads = self._root, self._threads
        return threads.submit(root, lambda: work(threads.memory(root)))


def vault_of(vault: OneVault | str | Path | None) -> OneVault:
    """A vault to be asked: what `Vaults.of` gave, or a folder or name as `Memory` takes it.

    raises NoVaultError
    """
    if vault is None or isinstance(vault, str | Path):
        return _NamedVault(vault)
    return vault


def name_of(user_id: str) -> str:
    """The name of a user's folder: `[a-z0-9-]`, at most 67 of them, and no other id's.

    raises BadInputError for what is no text, or empty
    """
    if not isinstance(user_id, str) or not user_id:
        raise BadInputError(f"{user_id!r} is no id of a user", hint="any text that is not empty is")
    digest = hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).digest()
    return f"{language.slugify(user_id, _SLUG_BYTES)}-{base32(digest, _HASH_LETTERS)}"


def _is_name(name: str) -> bool:
    return name.isascii() and name.replace("-", "").isalnum() and name == name.lower()
