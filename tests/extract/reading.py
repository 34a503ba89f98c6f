"""Short ways to put a text before the extractor; the reference day is Wednesday 2026-03-11."""

from __future__ import annotations

from vaultmem.extract.rule_extractor import HeuristicExtractor
from vaultmem.language.time import parse_instant
from vaultmem.model.drafts import Draft, Extraction, Source, Turn

NOW = parse_instant("2026-03-11")
EXTRACTOR = HeuristicExtractor()


def read_document(text: str, extractor: HeuristicExtractor = EXTRACTOR) -> Extraction:
    """What a document of 2026-03-11 gives."""
    source = Source(id="r-000000000000", turns=(Turn(text=text),), date=NOW)
    return extractor.extract(source, now=NOW)


def read_chat(*turns: tuple[str, str], extractor: HeuristicExtractor = EXTRACTOR) -> Extraction:
    """What a chat of (role or speaker, text) turns gives."""
    said = tuple(
        Turn(text=text, role=who, said_at=NOW)
        if who in ("user", "assistant", "system", "tool")
        else Turn(text=text, speaker=who, said_at=NOW)
        for who, text in turns
    )
    return extractor.extract(Source(id="r-000000000000", turns=said), now=NOW)


def only(extraction: Extraction) -> Draft:
    """The one draft of an extraction."""
    (draft,) = extraction.drafts
    return draft
