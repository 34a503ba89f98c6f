"""What a text says that talks to an assistant instead of a reader: `instructions.txt` by language.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.language import languages_of, phrases

_SAID = tuple(phrases("instructions", each) for each in languages_of("instructions"))


def _all(section: str) -> tuple[str, ...]:
    return tuple(line for said in _SAID for line in said[section])


def _later(said: Mapping[str, tuple[str, ...]]) -> str:
    """When something is asked, and after the comma, what to answer: not 'he said', an order."""
    beginning, asked, order = ("|".join(said[f"later {part}"]) for part in _PARTS)
    return (
        rf"\b(?:{beginning})\b[^.!?\n]{{0,40}}?\b(?:{asked})\b[^.!?\n]{{0,100}}?[,:][ \t]{{0,3}}"
        rf"(?:{order})\b"
    )


_PARTS = ("beginning", "asked", "order")
CUES = _all("cues")
REQUESTS = _all("requests")
PHRASES = _all("phrases")
SAYING = tuple(word for line in _all("saying") for word in line.split())
_BEGINS = r"(?:^|[.!?\n\"*>#(])[ \t]{0,3}"
AUTHORITY = (*(_BEGINS + each for each in _all("authority")), *_all("authority inside"))
FOR_LATER = tuple(_later(said) for said in _SAID if said["later order"])
