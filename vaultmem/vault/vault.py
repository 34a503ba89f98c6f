"""The opened parts of one vault, as operations receive them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from vaultmem import config
from vaultmem.base import (
    TYPE_CHECKING,
    DiskError,
    HistoryDamagedError,
    IndexDamagedError,
    MemoryDisabledError,
    NamedTuple,
    dataclass,
    field,
)
from vaultmem.storage import files, git, index

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.config import Settings
    from vaultmem.model import LLM, Clock, Decoded, Embedder, FolderState
    from vaultmem.storage.files import ScanAhead
    from vaultmem.storage.git import History
    from vaultmem.storage.index import Index, Past
# Files of the device state: what a process that is killed had begun.
ARRIVING = "arriving"  # a commit of another device is being taken in
COMPACTING = "compacting"  # what to take back if it gets no commit
PURGING = "purging"  # an erasure is certain and not finished

SYNCED_AT = "synced_at"
"""In the meta of the index: when it last took in what had changed, UTC ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A commit in which streams and items agree, but for new bullets that wait for their turn."""

    commit: str
    waiting: frozenset[str]  # paths of the lists that these bullets are in


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """When all files were compared with the index, and how the index was after that."""

    began: float  # monotonic seconds
    ended: float
    index: Index
    version: int


class Recovery(NamedTuple):
    """What the next writer does where a process was killed."""

    file: str  # of the device state: there while the work is under way
    finish: Callable[[Vault], object]


@dataclass(slots=True, kw_only=True)
class Vault:
    """Vault root, device state, settings, git history, index and clock.

    Mutable where the index is concerned: a damaged one is replaced (`level.rebuild`), and a scan
    that began early is used once.
    """

    root: Path
    state: Path
    settings: Settings
    open_history: Callable[[], History]  # called once, by whoever needs it first
    index: Index
    clock: Clock
    index_damage: str = ""  # why the index was started anew when it was opened
    short_lived: bool = False  # of a process that answers one command
    compares: bool = True  # files with the index, before an answer; False: it answers as it is
    is_lagging: bool = False  # the last answer came from an index that was not compared
    may_repeat: bool = False  # an answer under way may be worked out again (`level.reading`)
    is_open: bool = False  # two-way problems wait for the person; commits must say so
    ahead: ScanAhead | None = None  # a scan that began when the vault was opened
    known_history: History | None = None
    recoveries: tuple[Recovery, ...] = ()  # walked by every writer, in this order
    embedder: Embedder | None = None  # made by the first question or text that needs it
    models: dict[str, LLM] = field(default_factory=dict)  # by role, when they were needed
    streams: dict[tuple[PurePosixPath, str], Decoded] = field(default_factory=dict)  # by bytes
    past: Past | None = None  # versions of notes; opened by the first question about another time

    look: Look | None = (
        None  # made before the lock; gone where what a dead writer left was finished
    )
    level: Level | None = None  # while a long list is adopted (edit/settle.py)
    give_up_at: float = 0.0  # monotonic seconds: when the write under way says "busy"

    @property
    def history(self) -> History:
        """The history of the vault; an answer from the index alone opens none.

        raises  HistoryError for a kind of repository that is not used, by name
        """
        if self.known_history is None:
            self.known_history = self.open_history()
        return self.known_history

    def head_or(self, before: str | None) -> str:
        """Where HEAD is ('': no commit yet); where it was before, when that cannot be read."""
        try:
            return self.history.head() or ""
        except HistoryDamagedError:
            return before or ""

    def take_ahead(self) -> ScanAhead | None:
        """The scan that began early, once; None: there is none to use."""
        ahead, self.ahead = self.ahead, None
        return ahead

    def drop_ahead(self) -> None:
        """Give the scan that began early up."""
        ahead = self.take_ahead()
        if ahead is not None:
            ahead.cancel()

    def close(self) -> None:
        """Close the index and the past; leave no process behind."""
        self.drop_ahead()
        if self.past is not None:
            self.past.close()
            self.past = None
        self.index.close()


# Open the parts of a vault.

INDEX_FILE = "index.sqlite"
AHEAD_BYTES = 1_500_000  # of an index file: about a thousand notes


def open_with_recoveries(
    settings: Settings,
    clock: Clock,
    *,
    short_lived: bool = False,
    compares: bool = True,
    state: Path | None = None,
    recoveries: tuple[Recovery, ...] = (),
) -> Vault:
    """History and index of the vault that the settings are of; the index may be empty still.

    compares  False: answers come from the index as it is (`fresh_index.py`)
    state  None: the device state of the vault; else a copy of it
    recoveries  what a writer finishes first; none where nothing can have been begun
    """
    if not settings.enabled:
        raise MemoryDisabledError(settings.disabled_by)
    state = config.make_state_folder(settings.state) if state is None else state
    ahead = _look_ahead(settings, state) if short_lived and compares else None
    from vaultmem.storage.index import Index  # saves 28 modules

    file = state / INDEX_FILE
    identity = f"{settings.id} {settings.root}"
    damage = ""
    languages, zone = settings.languages, settings.timezone
    try:
        index = Index.open(file, identity=identity, languages=languages, zone=zone)
    except IndexDamagedError as error:
        damage = error.reason
        index = Index.create(file, identity=identity, languages=languages, zone=zone)
    except DiskError:
        # Questions can still be answered; a write is refused at the lock beside the index.
        index = Index.copy(file, identity=identity, languages=languages, zone=zone)
    index.lasts = not short_lived

    def open_history() -> git.History:
        return git.History.open(settings.root, state)

    vault = Vault(
        root=settings.root,
        state=state,
        settings=settings,
        open_history=open_history,
        index=index,
        clock=clock,
        index_damage=damage,
        short_lived=short_lived,
        compares=compares,
        ahead=ahead,
        recoveries=recoveries,
    )
    try:
        if compares:  # what is wrong with the repository is said before anything is begun
            vault.history  # noqa: B018
    except BaseException:
        vault.close()
        raise
    return vault


def _look_ahead(settings: Settings, state: Path) -> ScanAhead | None:
    """Let a child compare files while this process still imports what the command needs.

    Half of a cold command is importing, and two cores are common: it hides 40 ms at 10,000
    notes. Small vaults are compared in less time than a process takes to start.
    """
    file = state / INDEX_FILE
    if (
        not file.exists()
        or file.stat().st_size < AHEAD_BYTES
        or files.read_heartbeat(state) is not None
    ):
        return None

    def known_folders() -> dict[str, FolderState]:
        return index.folders_in(file)

    return files.scan_ahead(settings.root, known_folders, include=settings.include)
