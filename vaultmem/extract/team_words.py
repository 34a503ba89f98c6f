"""What a sentence told in a repository is of: the work of all there, or the person. Pure.

"We use pnpm here" is so in one repository; "I live in Graz", told in the same one, is so in all.
English, German, French, Spanish, Italian, Dutch and Portuguese.
"""

from __future__ import annotations

import re

from vaultmem import judgement
from vaultmem.base import late
from vaultmem.model import Draft

_OF_LIFE = frozenset(("food", "health", "people"))  # categories of what is no repository's
_SPEAKS_FOR_ALL = late(
    r"\s*(?:we|our|wir|unser\w*|nous|on|notre|nos|nosotros|nuestr[ao]s?|usamos|utilizamos|noi"
    r"|nostr\w|usiamo|utilizziamo|wij|onze|nós|noss[ao]s?)\b",
    re.IGNORECASE,
)
_IN_REPOSITORY = (
    r"in (?:this|our|the) (?:repo|repository|project|codebase)"
    r"|in diesem (?:repo|repository|projekt)"
    r"|dans ce (?:dépôt|projet)|en este (?:repo|repositorio|proyecto)"
    r"|in questo (?:repo|repository|progetto)|in (?:dit|deze) (?:project|repo|repository)"
    r"|neste (?:repo|repositório|projeto)"
)
_NAMES_REPOSITORY = late(rf"\b(?:{_IN_REPOSITORY})\b", re.IGNORECASE)
_HERE = late(
    rf",?\s+(?:here|hier|ici|aquí|qui|aqui|{_IN_REPOSITORY})(?=\s*[.!]?\s*\Z)", re.IGNORECASE
)


def without_here(text: str) -> str:
    """The sentence without the words for the repository at its end, where it is of the work.

    Said in a repository, "we use pnpm here" points at nothing on the screen.
    """
    if _SPEAKS_FOR_ALL.match(text) or _NAMES_REPOSITORY.search(text):
        return _HERE.sub("", text)
    return text


def speaks_for_all(text: str) -> bool:
    """Whether a sentence begins with we or our."""
    return _SPEAKS_FOR_ALL.match(text) is not None


def is_of_person(draft: Draft) -> bool:
    """Whether it is so wherever they work: what they are, must not overlook, or always want.

    Of a team's words only those that tell a home, a job or a family; of a person's own those that
    are not about a project. The draft is as their words say it, not restrained yet.
    """
    if draft.critical or draft.hard or draft.pinned:
        return True
    if judgement.told_of_own(draft.statement, draft.said_after):
        return True
    if not _OF_LIFE.isdisjoint(draft.categories):
        return True
    if _SPEAKS_FOR_ALL.match(draft.statement) or _NAMES_REPOSITORY.search(draft.statement):
        return False
    return draft.stream == "identity" and "projects" not in draft.categories
