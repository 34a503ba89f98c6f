"""What people say of themselves to their credit, held against what happened.

A memory that is told often enough how punctual its owner is will say so (algorithms 5.12). This
only reports: nobody's words are changed because of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.language import fold
from vaultmem.learn.detect.own_statements import load, spoken_in
from vaultmem.learn.patterns import words_of
from vaultmem.model import UNTRUSTED, Claim, Claims, Filters, NoteRow, is_current, part_key
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.vault import Vault
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


# Which good things are said of the person that nothing that happened bears out; a report.

_OWN = ("user", "me", "i", "myself")
_KINDS = ("fact", "belief", "preference")
_NEVER_WAS = ("retracted", "candidate")  # statuses of what did not happen, or perhaps
_ORDER = ("contradicted", "unsupported", "supported")


def claims(vault: Vault) -> Claims:
    """Claims about the person with what bears them out, the doubtful ones first."""
    return level.reading(vault, lambda: _find_claims(vault))


def _find_claims(vault: Vault) -> Claims:
    now = vault.clock.now()
    facts = [
        row
        for row in vault.index.list(Filters(types=("item",), kinds=_KINDS))
        if is_current(row, now) and _is_about_the_person(row)
    ]
    happened = [
        (row.id, row.statement)
        for row in reversed(vault.index.list(Filters(types=("item",), kinds=("event",))))
        if row.id and row.trust != UNTRUSTED and row.status not in _NEVER_WAS
    ]
    told = []
    for row in facts:
        if not is_claim(row.statement):
            continue
        weighed = weigh(row.statement, happened)
        told.append(
            Claim(
                id=row.id,
                path=row.path,
                statement=row.statement,
                verdict=weighed.verdict,
                supporting=weighed.supporting,
                opposite=weighed.opposite,
                texts=len(row.source),
                trust=row.trust,
                writer=row.writer,
            )
        )
    told.sort(key=lambda each: (_ORDER.index(each.verdict), each.statement, each.id))
    share = round(len(told) / len(facts), 4) if facts else 0.0
    return Claims(claims=tuple(told), facts=len(facts), share=share)


def _is_about_the_person(row: NoteRow) -> bool:
    return row.stream == "identity" or part_key(row.subject) in _OWN
