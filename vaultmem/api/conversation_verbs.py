"""Conversations, remembered while they go on."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem import base, sessions
from vaultmem.api.opened import Facet, OwnedVault, deprecated_call, open_vault
from vaultmem.base import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from vaultmem.model import Prompt, SessionEnded, SessionRow, SessionView, Summarised, TurnReport
    from vaultmem.sessions import Summariser
    from vaultmem.vault import Vault

T = TypeVar("T")


class Sessions(Facet):
    """`memory.sessions`: conversations; `Memory.session` is one of them."""

    def start(
        self,
        id_: str,
        *,
        title: str = "",
        writer: str = "",
        project: str = "",
        summariser: Summariser | None = None,
    ) -> Session:
        """A new conversation, open and empty; the arguments are those of `Memory.session`.

        raises  BadInputError when the id cannot be one, or is taken
        """
        sessions.start(self._vault, id_, title=title, writer=writer, project=project)
        return self.open(id_, summariser=summariser)

    def open(self, id_: str, *, summariser: Summariser | None = None) -> Session:
        """The conversation of this id; raises UnknownNoteError when there is none."""
        folder = sessions.files.folder_of(self._vault, id_)
        return Session(self._memory, sessions.files.id_of(folder), summariser)

    def list(self, *, everything: bool = False) -> tuple[SessionRow, ...]:
        """Open conversations, or all, newest first."""
        return sessions.listing(self._vault, everything=everything)

    __call__ = deprecated_call(list)


class Session:
    """One conversation. Turns of several processes come one after the other, none is lost.

    As a context manager it waits for what is done in the background, and does not end the session.
    """

    def __init__(self, memory: OwnedVault, id_: str, summariser: Summariser | None) -> None:
        self._memory = memory
        self.id = id_
        self._given = summariser
        self._background: list[Background] = []

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()

    def prompt(self, question: str, *, budget: int | None = None) -> Prompt:
        """Phase 1: what a chat model is given for a question; changes nothing.

        budget  tokens; None: as the settings say
        """
        return sessions.prompt(self._vault, self.id, question, budget=budget)

    def turn(
        self,
        user: str,
        assistant: str = "",
        *,
        at: int | None = None,
        state: str | None = None,
        number: int | None = None,
        background: bool = False,
        later: bool = False,
    ) -> TurnReport:
        """Keep a turn; durable when it returns.

        at          when it was (UTC ms); None: now
        state       of the agent, as JSON; kept with the turn, byte for byte the same when equal
        number      of the turn: the same one told twice changes nothing the second time
        background  return before phase 2, which another thread does; what it does not come to,
                    as when the process dies, the next command on this session does
        later       leave phase 2 to whoever comes next to this session
        raises      BadInputError, SecretFoundError, BusyError; nothing is kept then
        """
        said = sessions.Said(user=user, assistant=assistant, at=at, state=state, number=number)
        self.wait()
        report = self._in_queue(
            lambda vault: sessions.add_turn(
                vault, self.id, said, summariser=self._summariser, later=background or later
            )
        )
        if background and report.waiting:
            self.summarise_beside()
        return report

    def summarise(self) -> Summarised:
        """Phase 2 of turns that have none yet, and failed ones once more."""
        return self._in_queue(lambda vault: sessions.make_up(vault, self.id, self._summariser))

    def summarise_beside(self) -> None:
        """Phase 2 of turns that have none yet, in another thread; what it does not come to, as
        when the process dies, the next command on this session does."""
        self._background.append(Background(self._vault, self.id, self._summariser))

    def wait(self) -> None:
        """Until what is done in the background is done."""
        while self._background:
            self._background.pop().join()

    def show(self) -> SessionView:
        """The session as it is."""
        return sessions.view(self._vault, self.id)

    def replay(self, turn: int) -> SessionView:
        """The session exactly as it was when a turn was through; 0 is before the first."""
        return sessions.replay(self._vault, self.id, turn)

    def rewind(self, turn: int) -> SessionView:
        """Go back to the state after a turn, in one commit; the history keeps what came later."""
        return self._in_queue(lambda vault: sessions.rewind(vault, self.id, turn))

    def ends_in_turn(self) -> bool:
        """Whether the last thing that `undo` would take back is a turn of this session."""
        return sessions.ends_in_turn(self._vault, self.id)

    def resume(self) -> SessionView:
        """Open it again, and finish what a crash left undone."""
        return self._in_queue(lambda vault: sessions.resume(vault, self.id, self._summariser))

    def end(self) -> SessionEnded:
        """Keep what was said as a text of the vault with its items, and close the session."""
        self.wait()
        return self._in_queue(lambda vault: sessions.end(vault, self.id, self._summariser))

    def artifacts(self, *, name: str = "", turn: int = 0) -> list[str]:
        """The texts of one artifact, or of all that a turn brought, byte for byte."""
        folder = sessions.files.folder_of(self._vault, self.id)
        return sessions.texts(self._vault, folder, name=name, turn=turn)

    def settle_fact(self, text: str, *, hard: bool = False) -> SessionView:
        """Add a fact to base truth by the person's own command, or make a known one hard."""
        return self._in_queue(lambda vault: sessions.settle(vault, self.id, add=text, hard=hard))

    def drop_fact(self, text: str) -> SessionView:
        """Take a fact out of base truth by the person's own command, hard ones too."""
        return self._in_queue(lambda vault: sessions.settle(vault, self.id, remove=text))

    @property
    def _vault(self) -> Vault:
        return self._memory._vault

    @property
    def _summariser(self) -> Summariser | None:
        if self._given is None:
            self._given = sessions.summariser_of(self._vault)
        return self._given

    def _in_queue(self, work: Callable[[Vault], T]) -> T:

        with sessions.queue(self._vault, self.id):
            return work(self._vault)


class Background:
    """Phase 2 in a thread of its own, with parts of its own."""

    def __init__(self, vault: Vault, id_: str, summariser: Summariser | None) -> None:
        from threading import Thread

        self._settings, self._clock = vault.settings, vault.clock
        self._id, self._summariser = id_, summariser
        self._thread = Thread(target=self._work, name=f"session {id_}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Until it is done."""
        self._thread.join()

    def _work(self) -> None:
        from contextlib import suppress

        # What fails here is still waiting: the next command on the session does it, and says so.
        with suppress(base.VaultmemError):
            vault = open_vault(self._settings, self._clock)
            try:
                with sessions.queue(vault, self._id):
                    sessions.finish(vault, self._id, self._summariser)
                    # One that it failed on has a chance now.
                    sessions.retry(vault, self._id, self._summariser, most=sessions.RETRIES)
            finally:
                vault.close()
