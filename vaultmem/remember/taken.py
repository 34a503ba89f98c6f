"""What is kept in mind of a text, and of those before it, while they are planned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.records import dataclass, field
from vaultmem.extract.documents import Prepared
from vaultmem.model.notes import Item
from vaultmem.model.plan import Plan
from vaultmem.model.reports import Remembered
from vaultmem.model.trust import USER

if TYPE_CHECKING:
    from vaultmem.remember.quarantine import Suspicions
    from vaultmem.remember.tying import Ties
    from vaultmem.vault.vault import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One text, planned."""

    plan: Plan | None  # None: nothing to do
    report: Remembered


@dataclass(slots=True, kw_only=True)
class Known:
    """Statements met in this session, which the index does not have yet."""

    ids: dict[str, str] = field(default_factory=dict)  # canonical statement -> item id
    items: dict[str, Item] = field(default_factory=dict)  # by id
    resources: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Text:
    """The text that is being planned."""

    prepared: Prepared
    resource: PurePosixPath
    now: int
    suspicions: Suspicions | None  # None: nothing in it has to be looked at
    levels: dict[str, str] = field(default_factory=dict)  # trust by id of what is new
    approved: list[str] = field(default_factory=list)  # ids that the person vouches for
    touched: list[str] = field(default_factory=list)  # ids of others that end by it


def suspicions_of(parts: Parts, prepared: Prepared) -> Suspicions | None:
    """What there is to be said against a text; None for a text of the person alone."""
    if prepared.trust == USER:
        return None
    from vaultmem.remember.quarantine import Suspicions

    return Suspicions.of(parts, prepared)


def with_links(
    parts: Parts, item: Item, told: Sequence[str], ties: Ties | None
) -> tuple[Item, Sequence[str]]:
    """A new item with links to notes alike: a model's, else by rule where the settings ask for
    that or the model failed; what to tell of it."""
    if item.status != "active":
        return item, told
    tied = None if ties is None else ties.on(parts, item)
    if tied is None:
        if not (parts.settings.links_on_insert or (ties is not None and ties.why)):
            return item, told
        from vaultmem.recall.links import linked

        tied = linked(parts, item)
    return tied[0], (*told, *tied[1])
