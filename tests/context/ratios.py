"""The shares of streams that are kept when room is scarce, as the settings ship them."""

from __future__ import annotations

from vaultmem.config.settings_table import knob_by_key
from vaultmem.context.budget import STREAMS

_KNOBS = knob_by_key()
PRESERVATION = {name: float(str(_KNOBS[f"preservation.{name}"].default)) for name in STREAMS}
