"""The process that keeps what hooks were told, started and left alone."""

from __future__ import annotations

import os
import subprocess
import sys

from vaultmem.base import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vaultmem.config import Settings


def start_keeping(settings: Settings) -> None:
    """Start the child that makes turns of what waits; it outlives the hook and its terminal."""
    flags: dict[str, Any] = (
        {"creationflags": 0x00000008 | 0x00000200}  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
        if os.name == "nt"
        else {"start_new_session": True}
    )
    command = [sys.executable, "-P", "-m", "vaultmem", "hook", "--keep", "--vault"]
    subprocess.Popen(  # nobody waits for it: not this process, which ends before it
        [*command, str(settings.root)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=settings.state,
        **flags,
    )
