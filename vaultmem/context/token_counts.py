"""What model servers counted for prompts whose texts we know, and the counter that is made of it.

In the device state, for each model the newest few pairs of numbers: what we estimated, what the
server said. No word of a prompt is kept. What cannot be written or read is counted by the estimate.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.context.pack import A_MESSAGE
from vaultmem.context.tokens import (
    FEWEST,
    LEAST_PROMPT,
    PROVIDER,
    CalibratedCounter,
    UncalibratedCounter,
    counter,
    estimated,
)

if TYPE_CHECKING:
    from vaultmem.model.ports import TokenCounter
    from vaultmem.vault.vault import Parts

FILE = "token-counts.json"
_MOST = 32  # newest counts of a model
_MOST_MODELS = 8
_Counts = dict[str, list[tuple[int, int]]]


def counter_of(parts: Parts, name: str | None = None) -> TokenCounter:
    """The counter of a name; None: that of the settings. 'provider' is made of what is known here.

    raises SettingsError for another name, MissingCounterError without its package
    """
    wanted = name or parts.settings.context_counter
    if wanted != PROVIDER:
        return counter(wanted)
    known = _known(parts)
    model = _configured(parts) or next(reversed(known), "")
    counts = known.get(model, [])
    if len(counts) < FEWEST:
        told = f"'{model}' has counted {len(counts)} of {FEWEST} prompts"
        return UncalibratedCounter(told if model else f"no model has counted {FEWEST} prompts yet")
    return CalibratedCounter(model, counts)


def keep(parts: Parts, model: str, texts: Iterable[str], counted: int | None) -> None:
    """Note what a server counted for a prompt of these messages; None: it did not say.

    model  its name, as the settings or the caller have it
    """
    guess = sum(estimated(text) + A_MESSAGE for text in texts)
    if not counted or not model or guess < LEAST_PROMPT:
        return
    import json

    known = _known(parts)
    counts = [*known.pop(model, []), (guess, counted)][-_MOST:]
    fresh = {**dict(list(known.items())[-_MOST_MODELS + 1 :]), model: counts}  # the last one used
    file, made = parts.state / FILE, parts.state / f"{FILE}.new"
    with suppress(OSError):
        made.write_text(json.dumps(fresh), encoding="utf-8")
        os.replace(made, file)


def model_in_use(parts: Parts, called: str) -> str:
    """The name under which counts of the chat model are kept; `called`: what it calls itself."""
    return _configured(parts) or called


def _configured(parts: Parts) -> str:
    from vaultmem.config.llm import CHAT, OFF, model_settings

    asked = model_settings(parts.settings.values, CHAT)
    return "" if asked.provider == OFF else asked.model


def _known(parts: Parts) -> _Counts:
    """By model, the one that counted last at the end; nothing of what is no count."""
    import json

    try:
        found = json.loads((parts.state / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    told = found if isinstance(found, Mapping) else {}
    return {str(model): counts for model in told if (counts := _pairs(told[model]))}


def _pairs(found: object) -> list[tuple[int, int]]:
    pairs = found if isinstance(found, list) else []
    return [
        (pair[0], pair[1])
        for pair in pairs
        if isinstance(pair, list)
        and len(pair) == 2
        and all(type(number) is int and 0 < number < 10**9 for number in pair)
    ]
