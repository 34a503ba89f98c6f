"""What people say of themselves to their credit, held against what happened. Pure.

A memory that is told often enough how punctual its owner is will say so (algorithms 5.12). This
only reports: nobody's words are changed because of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vaultmem.base.records import dataclass
from vaultmem.language.text import fold
from vaultmem.learn.detect.languages import load, spoken_in
from vaultmem.learn.patterns import words_of

LEAST_OPPOSITE = 5  # events that speak against a claim before it is flagged


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A claim, and the events that bear it out or speak against it, in their order."""

    supporting: tuple[str, ...]  # ids
    opposite: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """contradicted, unsupported, or supported by something that happened."""
        if len(self.opposite) >= LEAST_OPPOSITE:
            return "contradicted"
        return "supported" if self.supporting else "unsupported"


def is_claim(statement: str) -> bool:
    """Whether somebody says something good of themselves."""
    text, language = fold(statement), spoken_in(statement)
    return language.claims.has("self", text) and language.claims.has("positive", text)


def weigh(statement: str, events: Sequence[tuple[str, str]]) -> Weighed:
    """A claim beside events: (id, statement), oldest first.

    An event is about the claim when it shares a content word, and speaks against it when it denies
    something; or when it is what happens when such a claim is not so.
    """
    language = spoken_in(statement)
    claim = fold(statement)
    about = _telling(statement, language.name)
    happens = [event for claimed, event in language.opposites if claimed.search(claim)]
    supporting: list[str] = []
    opposite: list[str] = []
    for id_, text in events:
        told = fold(text)
        if any(event.search(told) for event in happens):
            opposite.append(id_)
        elif about & _telling(text, language.name):
            is_against = language.claims.has("opposite", told)
            (opposite if is_against else supporting).append(id_)
    return Weighed(supporting=tuple(supporting), opposite=tuple(opposite))


@lru_cache(maxsize=65_536)  # each event is held against each claim
def _telling(text: str, name: str) -> frozenset[str]:
    """The content words of a text without those that make it a claim, by their first letters."""
    language = load(name)
    praise = " ".join(match[0] for match in language.claims.lists["positive"].finditer(fold(text)))
    words = words_of(text, language.name) - words_of(praise, language.name)
    return frozenset(word[:5] for word in words if len(word) > 3 and not word.isdigit())
