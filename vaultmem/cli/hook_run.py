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
FAILURE = "hooks-failure.json"


def quick_hook(client: str, *, vault: str | None) -> int | None:
    """As `run_hook`; None for what is no client: click says so."""
    return run_hook(client, vault=vault) if client in CLIENTS else None


def run_hook(client: str, *, vault: str | None, keep: bool = False) -> int:
    """Exit code, which is 0: a client takes any other for an error of the person's session."""
    try:
        if keep:
            from vaultmem import config  # saves what a prompt does not need
            from vaultmem.assistants import keep_waiting  # saves 40 modules of a prompt

            keep_waiting(config.open_settings(vault))
            return 0
        _end_at_deadline()
        data = sys.stdin.buffer.read(MOST_BYTES)
        # Inside, so that what an import raises fails open too; saves 30 modules of `--keep`.
        from vaultmem.assistants import Hook, answer_hook  # as above

        hook = Hook(client=client, data=data, vault=vault, environ=os.environ, start=_start_keeping)
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


def _end_at_deadline() -> None:
    """End the process, as if nothing were known, when its time is over.

    A thread, since SQLite and the lock of the vault wait where no signal of Python's comes through.
    """
    from threading import Thread

    def end() -> None:
        time.sleep(DEADLINE_SECONDS)
        _note_failure("", TimeoutError(f"took longer than {DEADLINE_SECONDS} seconds"))
        os._exit(0)

    Thread(target=end, daemon=True).start()


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
