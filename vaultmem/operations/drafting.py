"""Drafts from the vault's extractor, for texts and for single statements that a person made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.model.drafts import Draft, Extraction, Source, Turn

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts

# A command that every extractor knows; it marks the words after it as meant to be kept.
_COMMAND = "Remember: "


class Drafting:
    """The extractor that the settings name, told about this vault."""

    def __init__(self, parts: Parts, *, categories: Sequence[str]) -> None:
        from vaultmem.operations.seams import extractor

        self._extractor = extractor(
            parts.settings.extractor, zone=parts.settings.timezone, categories=categories
        )

    def extract(self, source: Source, *, now: int) -> Extraction:
        """Drafts and rejections of a text."""
        return self._extractor.extract(source, now=now)

    def statement(self, text: str, *, source: str, at: int) -> Draft:
        """The draft of a statement that a person asked to keep, word for word.

        The extractor only classifies it: what it does not understand is a fact all the same.
        """
        line = " ".join(text.split())
        turn = Turn(text=_COMMAND + line)
        read = self._extractor.extract(Source(id=source, turns=(turn,), date=at), now=at)
        found = read.drafts[0] if len(read.drafts) == 1 else None
        if found is None:
            return Draft(statement=line, quote=line, rule="explicit", kind="fact", said_at=at)
        from vaultmem.frozen import replace

        return replace(found, statement=line, quote=line, rule="explicit", said_at=at)
