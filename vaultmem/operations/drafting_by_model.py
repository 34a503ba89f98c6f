"""Texts read by the language model of the person's settings; rules stand in where it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import BusyError, DiskError, LocalOnlyError, SettingsError
from vaultmem.frozen import replace
from vaultmem.model.drafts import Extraction, Source

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.ports import Extractor

NONE_SET = "no model is set ('llm.provider')"


def extracted(parts: Parts, plain: Extractor, source: Source, *, now: int) -> Extraction:
    """What the model finds in a text; what rules find where there is none or it cannot be used.

    A mistake in the settings is no reason to lose a memory: it is told with the result.
    """
    from vaultmem.extraction.by_model import ModelExtractor
    from vaultmem.operations.models import summariser
    from vaultmem.operations.prompts import instructions

    settings = parts.settings
    try:
        model = summariser(parts, about="a text to remember")
        if model is None:
            return replace(plain.extract(source, now=now), without=NONE_SET)
        by_model = ModelExtractor(
            model,
            plain,
            instructions=instructions("extract"),
            mask=masked,
            zone=settings.timezone,
            languages=settings.languages,
            ask_above=settings.importance_ask_above,
        )
        return by_model.extract(source, now=now)
    except (SettingsError, LocalOnlyError, DiskError, BusyError) as error:
        return replace(plain.extract(source, now=now), without=error.message)


def masked(text: str) -> str:
    """The text as it may be sent: a placeholder for each secret, whatever the vault allows."""
    from vaultmem.privacy.secrets import find_secrets, redact

    return redact(text, find_secrets(text))
