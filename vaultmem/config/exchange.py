"""Settings of the exchange with other devices."""

from __future__ import annotations

from vaultmem.config.setting import PERSON, Knob

EXCHANGE = (
    Knob(
        key="network.deadline",
        default=600.0,
        unit="seconds",
        low=1,
        high=86_400,
        where=PERSON,
        why="how long one transfer from or to the remote may take before it is given up",
    ),
    Knob(
        key="network.max_bytes",
        default=1_000_000_000,
        unit="bytes",
        low=1_000_000,
        where=PERSON,
        why="largest transfer that is taken from a remote; a forged one must not fill the disk",
    ),
    Knob(
        key="network.own_addresses",
        default=(),
        where=PERSON,
        why="mail addresses of git under which you commit elsewhere, beside the one of this device",
    ),
)
