"""One call of a hook, without click: a client waits for it at every prompt."""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.config import Settings

CLIENTS = ("claude", "codex", "gemini", "opencode", "cursor")
MOST_BYTES = 16 << 20
DEADLINE_SECONDS = 1.6  # of the two that a client waits; the rest is for the interpreter to start
_POLITENESS = 5  # of `nice`: the assistant goes on while its turns are kept
FAILURE = "hooks-failure.json"
LATE = "VAULTMEM_HOOK_TOLD_NS"  # when a hook was told what its own time did not suffice to take in


def quick_hook(client: str, *, vault: str | None) -> int | None:
    """As `run_hook`; None for what is no client: click says so."""
    return run_hook(client, vault=vault) if client in CLIENTS else None


def run_hook(client: str, *, vault: str | None, keep: bool = False) -> int:
    """Exit code, which is 0: a client takes any other for an error of the person's session."""
    try:
        if keep:
            from vaultmem import config  # saves what a prompt does not need
            from vaultmem.assistants import keep_waiting  # saves 40 modules of a prompt

            if hasattr(os, "nice"):
                # Here and not where turns are kept: who calls that from a program keeps its own.
                os.nice(_POLITENESS)
            keep_waiting(config.open_settings(vault))
            return 0
        told_ns = int(os.environ.get(LATE) or 0)
        call = _Call(client, vault)
        if not told_ns:
            call.end_at_deadline()
        call.data = data = sys.stdin.buffer.read(MOST_BYTES)
        # Inside, so that what an import raises fails open too; saves 30 modules of `--keep`.
        from vaultmem.assistants import Hook, answer_hook  # as above

        hook = Hook(
            client=client,
            data=data,
            vault=vault,
            environ=os.environ,
            start=_start_keeping,
            note_waiting=call.note_waiting,
            told_ns=told_ns,
        )
        answer = answer_hook(hook)
        if answer:
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001  it fails open, whatever it was, and says so there
        _note_failure(client, error)
    return 0


def _start_keeping(settings: Settings) -> None:
    from vaultmem.assistants import start_keeping  # saves `subprocess` at a prompt

    start_keeping(settings)


class _Call:
    """One call, and what becomes of its words when its time is over."""

    def __init__(self, client: str, vault: str | None) -> None:
        self.data = b""
        self._client, self._vault = client, vault
        self._began_ns = time.time_ns()
        self._waits = False

    def note_waiting(self) -> None:
        """What was said waits in a file: nobody else needs to see to it."""
        self._waits = True

    def end_at_deadline(self) -> None:
        """End the process, as if nothing were known, when its time is over.

        A thread, since SQLite and the lock of the vault wait where no signal of Python's comes
        through.
        """
        from threading import Thread

        Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        time.sleep(DEADLINE_SECONDS)
        try:
            _note_failure("", TimeoutError(f"took longer than {DEADLINE_SECONDS} seconds"))
            # The hook ends after 1.6 s whatever it does: what it did not keep by then goes to a
            # process that no client waits for, with the time at which it was said.
            if self.data and not self._waits:
                self._hand_on()
        finally:
            os._exit(0)

    def _hand_on(self) -> None:
        """Let another process, for which no client waits, take in what was said.

        On a machine with a load of 8 a prompt was lost: its 1.6 seconds were over before its words
        lay in a file (tests/assistants/test_hook.py).
        """
        from tempfile import TemporaryFile  # 20 modules

        from vaultmem.assistants import start_alone  # of a late call alone

        with TemporaryFile() as file:  # a pipe holds 64 kB, and who reads it has yet to start
            file.write(self.data)
            file.seek(0)
            vault = ["--vault", self._vault] if self._vault else []
            environ = {**os.environ, LATE: str(self._began_ns)}
            start_alone([*vault, "hook", self._client], stdin=file, env=environ)


def _note_failure(client: str, error: Exception) -> None:
    """Write down what went wrong, without a word of what was said."""
    import json

    from vaultmem import config  # a failure alone

    told = {
        "at": time.time_ns() // 1_000_000,
        "client": client,
        "error": type(error).__name__,
        "message": str(getattr(error, "message", "") or error)[:500],
        "hint": str(getattr(error, "hint", "") or "")[:500],
    }
    try:
        home = config.state_home(os.environ)
        os.makedirs(home, mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC  # for the person's eyes alone: it names paths
        with open(os.open(os.path.join(home, FAILURE), flags, 0o600), "w") as stream:
            json.dump(told, stream)
    except OSError:
        return
