"""The process that keeps what hooks were told, started and left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from vaultmem.base import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vaultmem.config import Settings


def start_keeping(settings: Settings) -> None:
    """Start the child that makes turns of what waits; it outlives the hook and its terminal."""
    start_alone(["hook", "--keep", "--vault", str(settings.root)], cwd=settings.state)


def start_alone(words: Sequence[str], **options: Any) -> None:
    """Start a command of ours that nobody waits for: not this process, which ends before it."""
    options |= (
        {"creationflags": 0x00000008 | 0x00000200}  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
        if os.name == "nt"
        else {"start_new_session": True}
    )
    subprocess.Popen(
        [sys.executable, "-P", "-m", "vaultmem", *words],
        **{"stdin": subprocess.DEVNULL, **options},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
