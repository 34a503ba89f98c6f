"""Run a git process that talks to a remote: its progress heard, its time and size bounded.

Such a process starts others (ssh, a helper for https, the far side of a folder), so it gets a
session of its own unless it may ask a question on the terminal, and all of them are ended.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from vaultmem import base
from vaultmem.base import HistoryError, IncomingRefusedError, RemoteUnreachableError
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import personal_settings
from vaultmem.storage.git.process import ERROR_LIMIT, OUTPUT_LIMIT, Finished

Heard = Callable[[str, int, int], None]
"""Told of a step of the work: what, how much is done, of how much (0: unknown)."""

_STEP = re.compile(r"(?P<what>[A-Z][a-z]+ing [a-z]+): +\d+% \((?P<done>\d+)/(?P<total>\d+)\)")
_AMOUNT = re.compile(r", (?P<amount>\d+(?:\.\d+)?) (?P<unit>bytes|KiB|MiB|GiB)(?: \||,|$)")
_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_LOOK_SECONDS = 0.05
_GRACE_SECONDS = 2.0


class Transfer:
    """One git process under way; `wait` ends it whatever happens."""

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        *,
        may_ask: bool,
        seconds: float,
        max_bytes: int,
        heard: Heard,
    ) -> None:
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._heard = heard
        self._own_session = not may_ask and os.name == "posix"
        self._received = 0
        self._err = bytearray()
        self._out = bytearray()
        try:
            self._process = subprocess.Popen(
                list(argv),
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=self._own_session,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if not may_ask else 0,
            )
        except OSError as error:
            raise HistoryError(f"git cannot be started: {error.strerror}") from error
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_words, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def wait(self) -> Finished:
        """What it left.

        raises RemoteUnreachableError after the time limit, IncomingRefusedError beyond the size
        """
        give_up = time.monotonic() + self._seconds
        try:
            while self._process.poll() is None:
                if time.monotonic() > give_up:
                    raise RemoteUnreachableError(
                        f"the remote did not finish within {self._seconds:g} s",
                        hint="try again; `network.deadline` in your config.toml gives it more time",
                    )
                if self._received > self._max_bytes or len(self._out) > OUTPUT_LIMIT:
                    raise IncomingRefusedError(
                        f"the remote sends more than {self._max_bytes:,} bytes at once",
                        hint="if that is right, raise `network.max_bytes` in your config.toml",
                    )
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_LOOK_SECONDS)
            for reader in self._readers:
                reader.join(_GRACE_SECONDS)
        finally:
            self.kill()
        code = self._process.returncode
        return Finished(code=code, out=bytes(self._out), err=bytes(self._err))

    def kill(self) -> None:
        """End it and what it started; git takes half-written files away when asked politely."""
        if self._process.poll() is None or any(reader.is_alive() for reader in self._readers):
            self._signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE_SECONDS)
            if sys.platform != "win32":
                # The whole session is ended, also when git itself has ended: ssh, or the far side
                # of a folder, may still hold the pipes that the readers wait for.
                self._signal(signal.SIGKILL)
            self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(_GRACE_SECONDS)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _signal(self, number: int) -> None:
        if sys.platform != "win32" and self._own_session:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)
        elif self._process.poll() is None:
            self._process.terminate()

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._process.stdout.fileno(), 1 << 16):
                if len(self._out) <= OUTPUT_LIMIT:
                    self._out += chunk

    def _read_words(self) -> None:
        """What git says: progress is passed on, everything else kept for the error."""
        assert self._process.stderr is not None
        rest = b""
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._process.stderr.fileno(), 1 << 12):
                *lines, rest = re.split(rb"[\r\n]", rest + chunk)
                for line in lines:
                    self._take(line)
                # A remote may send a line without an end.
                rest = rest[-ERROR_LIMIT:]
        self._take(rest)

    def _take(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        step = _STEP.match(text)  # a remote's own words begin with 'remote: '
        if step is None:
            if text.strip() and len(self._err) < ERROR_LIMIT:
                self._err += line + b"\n"
            return
        if amount := _AMOUNT.search(text):
            self._received = int(float(amount["amount"]) * _UNITS[amount["unit"]])
        self._heard(step["what"].lower(), int(step["done"]), int(step["total"]))


# The git settings that a transfer may use: the person's, and only those that let them in.
#
# Of `git config --global` only `credential.*`, `http.*proxy` and `http.*sslCAInfo` are copied into
# a file of our own, which git then reads in place of all others. Nothing comes from a vault.

FILE = "transfer.config"
_WANTED = re.compile(r"credential\.(?s:.+)|http\.(?:(?s:.+)\.)?(?:proxy|sslcainfo)", re.IGNORECASE)
# What helpers, agents and key rings need to find the person: never a variable of git's own.
_PASSED_ON = (
    *("HOME", "USER", "LOGNAME", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"),
    *("APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"),
    *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "TERM"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"),
)


def transfer_environment(
    engine: Engine, environment: Mapping[str, str], *, protocol: str, may_ask: bool
) -> dict[str, str]:
    """Variables for a git that talks to a remote by this protocol.

    may_ask  git and ssh may ask the person on the terminal
    """
    found = dict(engine.environment)
    found.pop("HOME", None)
    found |= {name: environment[name] for name in _PASSED_ON if name in environment}
    found |= {
        "GIT_CONFIG_GLOBAL": str(_config(engine, environment)),
        "GIT_ALLOW_PROTOCOL": protocol,
        "GIT_TERMINAL_PROMPT": "1" if may_ask else "0",
        # BatchMode: where nobody sits at a terminal, ssh would wait for an answer that never comes.
        "GIT_SSH_COMMAND": "ssh -o ConnectTimeout=20" + ("" if may_ask else " -o BatchMode=yes"),
        "GIT_SSH_VARIANT": "ssh",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
    }
    return found


def _config(engine: Engine, environment: Mapping[str, str]) -> os.PathLike[str]:
    """The file of copied settings, written anew each time: a transfer takes far longer."""
    file = engine.folder / FILE
    asked = personal_settings(engine, environment, "--list")
    text = "".join(_as_lines((name, value) for name, value in asked if _WANTED.fullmatch(name)))
    base.replace_file(file, text.encode("utf-8", "surrogateescape"))
    return file


def _as_lines(settings: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    """Settings as git reads them: one section a setting, since the order of helpers counts."""
    for name, value in settings:
        section, _, rest = name.partition(".")
        subsection, _, key = rest.rpartition(".")
        inner = f' "{_escape_quotes(subsection)}"' if subsection else ""
        quoted = (
            _escape_quotes("true" if value is None else value)
            .replace("\n", "\\n")
            .replace("\t", "\\t")
        )
        yield f'[{section}{inner}]\n\t{key} = "{quoted}"\n'


def _escape_quotes(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
