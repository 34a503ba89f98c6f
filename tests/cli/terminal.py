"""A terminal of any width, to which a command writes."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
_OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b\x07]*\x1b\\")


def plain(shown: str) -> str:
    """What a terminal got, without codes for colours and links."""
    return _OURS.sub("", shown)


def run_on_terminal(
    vault: Path,
    words: list[str],
    *,
    width: int = 80,
    environment: Mapping[str, str] | None = None,
) -> str:
    """What a command writes to standard output where that is a terminal."""
    import fcntl
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    names = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORTERM")
    given = {name: value for name, value in os.environ.items() if name not in names}
    given |= {"TERM": "xterm-256color", **(environment or {})}
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "--vault", str(vault), *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=given,
    )
    os.close(theirs)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # Linux says so at the end
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return b"".join(pieces).decode().replace("\r\n", "\n")
