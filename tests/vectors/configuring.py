"""The adapter for default values."""

from __future__ import annotations

from typing import Any

from tests.vectors.suite import Adapter, Workshop
from vaultmem.config.settings_table import knobs


def _config_default(given: Any, _: Workshop) -> object:
    by_name = {name: knob for knob in knobs() for name in (knob.key, *knob.origin)}
    return by_name[given["key"]].default


ADAPTERS = {"config_defaults": Adapter(_config_default)}
