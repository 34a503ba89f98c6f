"""Texts read by the language model of the person's settings; rules stand in where it fails."""

from __future__ import annotations

from vaultmem import models, privacy
from vaultmem.base import (
    TYPE_CHECKING,
    BusyError,
    DiskError,
    LocalOnlyError,
    SettingsError,
    replace,
)
from vaultmem.model import Extraction, Source

if TYPE_CHECKING:
    from vaultmem.model import Extractor
    from vaultmem.vault import Parts

NONE_SET = "no model is set ('llm.provider')"


class Reader:
    """An extractor (ports.Extractor) for the texts of one operation: the model of the person's
    settings, or the rules where there is none or it cannot be used.

    A mistake in the settings is no reason to lose a memory: it is told with the result.
    """

    name = "llm"

    def __init__(self, parts: Parts, plain: Extractor) -> None:
        self._parts = parts
        self._plain = plain
        self._by_model: Extractor | None = None

    def extract(self, source: Source, *, now: int) -> Extraction:
        """What the model finds in a text; what rules find, and why, where it does not."""
        try:
            if self._by_model is None:
                self._by_model = self._made()
            return self._by_model.extract(source, now=now)
        except (SettingsError, LocalOnlyError, DiskError, BusyError) as error:
            return replace(self._plain.extract(source, now=now), without=error.message)

    def _made(self) -> Extractor:
        """Raises SettingsError, LocalOnlyError."""
        from vaultmem.extract.model.model_extractor import ModelExtractor  # saves 66 modules

        settings = self._parts.settings
        model = models.summariser(self._parts, about="a text to remember")
        if model is None:
            raise SettingsError(NONE_SET)
        return ModelExtractor(
            model,
            self._plain,
            instructions=models.instructions("extract"),
            mask=masked,
            zone=settings.timezone,
            languages=settings.languages,
            ask_above=settings.importance_ask_above,
        )


def masked(text: str) -> str:
    """The text as it may be sent: a placeholder for each secret, whatever the vault allows."""

    return privacy.redact(text, privacy.find_secrets(text))
