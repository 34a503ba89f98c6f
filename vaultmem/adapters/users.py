"""A vault for each user, under one folder: nothing of one can be in an answer to another.

    users/ada-7h3k.../      the vault of 'ada': notes, history, settings
    users/.users/ada-7h3k...json   whose it is

The name of a folder is made of the id (readable) and of its hash (130 bits of SHA-256): two ids
never share a folder, not on file systems that take 'Ada' for 'ada' either, and no id leads out.

A `Memory` belongs to the thread that opened it, and a server asks from any. So a few threads open
the vaults, a vault always in the same one, and close those that are idle: what is asked of a vault
is done in the order of asking, and what is asked of two vaults side by side.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from vaultmem import config, language
from vaultmem.api import Memory
from vaultmem.base import BadInputError, NamedTuple, Protocol, TypeVar, VaultmemError
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

    def __exit__(self, *_: object) -> None:
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


_CLOSING_SECONDS = 30.0
"""How long the end of a program waits for what was asked: a commit takes a tenth of a second."""


class VaultThreads:
    """Does what is asked of vaults, in threads of its own. Any thread may ask; a fork, too.

    most_open     vaults that are open at once; of more, the one longest not asked is closed
    idle_seconds  after which a vault that nobody asks anything is closed
    threads       that work side by side
    """

    def __init__(self, *, most_open: int, idle_seconds: float, threads: int) -> None:
        self._count = max(1, min(threads, most_open))
        self._each = max(1, most_open // self._count)
        self._idle = idle_seconds
        self._lock = threading.Lock()
        self._workers: list[_Worker] = []
        self._process = (
            os.getpid()
        )  # that the workers are of; threads do not come along into a fork

    def submit(self, root: Path, work: Callable[[], T]) -> Future[T]:
        """What `work` returns, or raises, in time; it is done by the thread of this vault."""
        return self._of(root).submit(work)

    def memory(self, root: Path) -> Memory:
        """The vault, opened; for `work` of `submit` alone, and not kept by it."""
        return self._of(root).memory(root)

    def close_one(self, root: Path) -> None:
        """Close a vault if it is open; for `work` of `submit` alone."""
        self._of(root).close_one(root)

    def open_count(self) -> int:
        """How many vaults are open."""
        return sum(len(worker.memories) for worker in self._workers)

    def close(self) -> None:
        """Do what was asked, then close all; a later question opens them again."""
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.stop()

    def _of(self, root: Path) -> _Worker:
        if self._process != os.getpid():  # another thread may have held the lock in that moment
            self._lock, self._workers, self._process = threading.Lock(), [], os.getpid()
        with self._lock:
            if not self._workers:
                self._workers = [_Worker(self._each, self._idle) for _ in range(self._count)]
            # A `Memory` belongs to the thread that opened it, so each vault has one thread for
            # good.
            return self._workers[hash(root) % self._count]


class _Opened(NamedTuple):
    memory: Memory
    asked_at: float  # monotonic seconds
    mark: tuple[int, int, int]  # of its settings file


class _Worker:
    """One thread, and the memories that it opened, the longest not asked first."""

    def __init__(self, most: int, idle_seconds: float) -> None:
        self.memories: OrderedDict[Path, _Opened] = OrderedDict()
        self._most = most
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(
            target=_serve,
            args=(self._queue, self.memories, idle_seconds),
            name="vaultmem vaults",
            daemon=True,
        )
        # A program that ends without `close` must not leave a vault half closed: exit handlers
        # run before threads of this kind are stopped.
        self.stop = weakref.finalize(self, _stop, self._queue, self._thread, os.getpid())
        self._thread.start()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """The outcome in time; at once where this thread itself asks, which must not wait."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                outcome = work()
            except BaseException as error:  # noqa: BLE001  # whoever asked is told, whatever it is
                future.set_exception(error)
            else:
                future.set_result(outcome)

        if threading.current_thread() is self._thread:
            run()
        else:
            self._queue.put(run)
        return future

    def memory(self, root: Path) -> Memory:
        """The vault, opened; others are closed where it is one too many."""
        mark = _mark(root)
        known = self.memories.get(root)
        if known is not None and known.mark != mark:  # erased and made anew by another process, or
            _close(self.memories, root)  # somebody changed its settings
            known = None
        memory = Memory(root) if known is None else known.memory
        self.memories[root] = _Opened(memory, time.monotonic(), mark)
        self.memories.move_to_end(root)
        while len(self.memories) > self._most:
            _close(self.memories, next(iter(self.memories)))
        return memory

    def close_one(self, root: Path) -> None:
        """Close a vault if it is open."""
        if root in self.memories:
            _close(self.memories, root)


def _serve(
    queue: SimpleQueue[Callable[[], None] | None],
    memories: OrderedDict[Path, _Opened],
    idle_seconds: float,
) -> None:
    try:
        while True:
            with suppress(Empty):
                run = queue.get(timeout=idle_seconds if memories else None)
                if run is None:
                    return
                run()
                del run  # the question and its answer are the asker's
            oldest = time.monotonic() - idle_seconds
            for root in [root for root, each in memories.items() if each.asked_at <= oldest]:
                _close(memories, root)
    finally:
        for root in [*memories]:
            _close(memories, root)


def _close(memories: OrderedDict[Path, _Opened], root: Path) -> None:
    opened = memories.pop(root)
    with suppress(VaultmemError):  # nothing is lost by it: what was asked for is durable
        opened.memory.close()


def _mark(root: Path) -> tuple[int, int, int]:
    stat = os.stat(root / config.FILE_NAME)
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _stop(
    queue: SimpleQueue[Callable[[], None] | None], thread: threading.Thread, process: int
) -> None:
    """End a thread when what was asked is done, and wait for that; never from within it."""
    if os.getpid() == process:
        queue.put(None)
        if threading.current_thread() is not thread:
            thread.join(_CLOSING_SECONDS)
