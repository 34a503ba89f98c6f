"""Devices that share a vault through a bare repository on disk, each as on a machine of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import NOON, FixedClock
from vaultmem.api.memory import Memory
from vaultmem.devices.receive import pin
from vaultmem.model.reports import Exchanged


class Device:
    """One machine: its own settings, state and copy of the vault."""

    def __init__(self, base: Path, name: str, *, clock: FixedClock | None = None) -> None:
        self.name = name
        self.home = base / name
        self.root = self.home / "vault"
        self.clock = clock or FixedClock()
        self._environ = {
            "VAULTMEM_DEVICE": name,
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
        }

    @contextmanager
    def here(self) -> Iterator[None]:
        """This process is on this machine."""
        before = {key: os.environ.get(key) for key in self._environ}
        os.environ.update(self._environ)
        try:
            yield
        finally:
            for key, value in before.items():
                if value is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = value

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The vault, opened on this machine."""
        with self.here(), Memory(self.root, clock=self.clock) as memory:
            yield memory

    def environment(self) -> dict[str, str]:
        """Variables for a process on this machine."""
        return os.environ | self._environ

    def pin(self, url: str | Path) -> None:
        """Say where the vault goes."""
        with self.memory() as memory:
            pin(memory.opened, str(url), "main")

    def receive(self, url: str | Path) -> None:
        """`vaultmem init --from`."""
        with self.here():
            Memory.receive(str(url), self.root, clock=self.clock)

    def pull(self, *accept: str) -> Exchanged:
        """`vaultmem pull`."""
        with self.memory() as memory:
            return memory.devices.pull(accept=accept)

    def push(self, *accept: str) -> Exchanged:
        """`vaultmem push`, which is `sync --remote`."""
        with self.memory() as memory:
            return memory.devices.push(accept=accept)

    def write(self, path: str, text: str | bytes) -> None:
        """Save a file, as an editor does."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def read(self, path: str) -> str:
        """Text of a file."""
        return (self.root / path).read_text(encoding="utf-8")

    def git(self, *words: str) -> str:
        """The person's own git in the vault."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        )
        return done.stdout

    def commit(self, message: str = "by hand") -> None:
        """Commit everything with the person's own git."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def files(self) -> dict[str, bytes]:
        """Every file of the working tree but git's and temporary ones."""
        found = {}
        for file in sorted(self.root.rglob("*")):
            path = file.relative_to(self.root)
            if (
                file.is_file()
                and path.parts[0] != ".git"
                and path.parts[:2] != (".vaultmem", "tmp")
            ):
                found[path.as_posix()] = file.read_bytes()
        return found

    def head(self) -> str:
        """The last commit."""
        return self.git("rev-parse", "HEAD").strip()


def hub(base: Path) -> Path:
    """A bare repository for them to meet at."""
    folder = base / "hub.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(folder)], check=True)
    return folder


def connected(base: Path, *names: str) -> list[Device]:
    """Devices with the same vault, all level with the hub."""
    url = hub(base)
    devices = [Device(base, name, clock=FixedClock(NOON)) for name in names]
    first = devices[0]
    with first.here():
        Memory.init(first.root, name="shared", clock=first.clock)
    first.pin(url)
    first.push()
    for device in devices[1:]:
        device.receive(url)
    return devices
