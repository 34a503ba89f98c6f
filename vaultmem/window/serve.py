"""A window on a vault: opened, served on loopback until it is stopped, closed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from socket import socket

from vaultmem import api, server
from vaultmem.base import TYPE_CHECKING
from vaultmem.window.app import Pages
from vaultmem.window.changes import Changes
from vaultmem.window.guard import Door
from vaultmem.window.pages import Kept

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Clock


class Window:
    """Serves the pages of a vault to one browser.

    raises  what opening the vault raises
    """

    def __init__(self, settings: Settings, clock: Clock, bound: socket) -> None:

        def open_memory(*, sync: bool = False) -> api.Memory:
            return api.Memory(settings=settings, clock=clock, sync=sync)

        # Pages answer from the index, which `Changes` brings level when a file was touched: to
        # compare the files for each letter of a search would take longer than the search.
        self._reading = server.MemoryThread("pages", open_memory)
        self._past = server.MemoryThread("the past", open_memory)
        self._deciding = server.MemoryThread("decisions", lambda: open_memory(sync=True))
        self._threads = (self._reading, self._past, self._deciding)
        self._kept = Kept()
        port = bound.getsockname()[1]
        place = server.Place(host="127.0.0.1", port=port)
        self._door = Door(port)
        self._bound = bound
        self.vault = settings.root
        self.address = f"http://127.0.0.1:{port}"
        try:
            self._deciding.submit(lambda memory: memory.root).result()  # it says so if it cannot
            self._take_in().result()  # the link is given out when the first page is ready
            self._changes = Changes(settings.root, settings.include, settings.state, self._take_in)
        except BaseException:
            self._close_threads()
            raise
        pages = Pages(
            self._door,
            reading=self._reading,
            past=self._past,
            deciding=self._deciding,
            changes=self._changes,
            kept=self._kept,
            is_ending=lambda: self._serving.is_ending,
            vault=settings.root.name,
            zone=settings.timezone,
        )
        self._serving = server.Serving(pages.app(), place)

    @property
    def link(self) -> str:
        """What the person opens, once."""
        return f"{self.address}{self._door.link}"

    def run(self, began: Callable[[], None]) -> None:
        """Serve until `stop`, or a signal.

        began  called once it can be asked
        """
        try:
            began()
            self._serving.run(self._bound)
        finally:
            self._changes.close()
            self._close_threads()

    def stop(self) -> None:
        """Take no more requests, finish what is under way."""
        self._serving.stop()

    def _take_in(self) -> Future[None]:
        """Bring the pages level with the files; the first one is made ready after that."""
        self._reading.submit(self._kept.take_in).result()
        return self._reading.submit(self._kept.prepare)

    def _close_threads(self) -> None:
        for thread in self._threads:
            thread.close()
