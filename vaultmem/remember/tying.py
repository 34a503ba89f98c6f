"""Links and tags of new items, by the model that reads: asked for before any lock is taken.

What it says is held against what it was shown (remember/links.py) and written into the new item
alone: no note that is there is touched. Where it fails, rules link (proposing.py), and the report
says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.base.errors import BusyError, DiskError, LocalOnlyError, SettingsError
from vaultmem.base.errors_llm import LLMError
from vaultmem.base.records import dataclass, field, replace
from vaultmem.language.text import canonical, fold
from vaultmem.model.drafts import Rejected

if TYPE_CHECKING:
    from vaultmem.language.stems import Stems
    from vaultmem.model.notes import Item
    from vaultmem.model.ports import LLM
    from vaultmem.remember.links import Fresh, Tie
    from vaultmem.vault.vault import Parts

CONTRADICTS = "contradicts"


@dataclass(slots=True, kw_only=True)
class Ties:
    """What new items get, by their canonical statements; the others are linked by rules.

    given  what the model says, past the guards
    met    items that were planned, by statement
    why    the model gave none; '': it did, or was not asked
    """

    given: Mapping[str, Tie] = field(default_factory=dict)
    met: dict[str, Item] = field(default_factory=dict)
    why: str = ""

    def on(self, parts: Parts, item: Item) -> tuple[Item, list[str]] | None:
        """A new item with its links and tags, and what is told of them; None: rules may link it."""
        key = canonical(item.statement)
        self.met[key] = item
        tie = self.given.get(key)
        if tie is None:
            return None
        links, told = list(item.links), []
        linked_to = {*item.supersedes, *(target for _, target in item.links)}
        for relation, target in tie.links:
            other = parts.index.resolve_link(target)
            if other is None or other.status != "active" or target in linked_to:
                continue  # it ended or went while the model wrote, or because of this very item
            links.append((relation, target))
            more = " (`vaultmem check`)" if relation == CONTRADICTS else ""
            told.append(f"{relation}{more}: {other.statement}")
        own = {fold(tag) for tag in item.tags}
        tags = tuple(tag for tag in tie.tags if fold(tag) not in own)
        if tags:
            told.append(f"tags: {', '.join(tags)}")
        return replace(item, links=tuple(links), tags=(*item.tags, *tags)), told

    def rejected(self, statements: Sequence[str]) -> tuple[Rejected, ...]:
        """What the guards refused of what the model said about these statements."""
        ties = (self.given.get(canonical(statement)) for statement in statements)
        return tuple(one for tie in ties if tie is not None for one in tie.rejected)


def is_wanted(parts: Parts) -> bool:
    """Whether a model that reads is to link and tag what is new."""
    return parts.settings.links_by_model


def asked(parts: Parts, items: Sequence[Item]) -> Ties:
    """What the model says of new items; a failure of any kind is told, and rules link instead."""
    from vaultmem.language.stems import Stems
    from vaultmem.models.roles import summariser
    from vaultmem.remember.links import MOST_NOTES

    given: dict[str, Tie] = {}
    try:
        model = summariser(parts, about="links of new memories")
        if model is None:
            return Ties()
        stems = Stems(parts.settings.languages)
        fresh = [_fresh(parts, item) for item in items]
        for start in range(0, len(fresh), MOST_NOTES):
            some = fresh[start : start + MOST_NOTES]
            found = _answered(parts, model, some, stems)
            given |= {canonical(some[at].statement): tie for at, tie in found.items()}
    except (LLMError, SettingsError, LocalOnlyError, DiskError, BusyError) as error:
        return Ties(given=given, why=error.message)
    return Ties(given=given)


def _fresh(parts: Parts, item: Item) -> Fresh:
    """A new item with the notes alike that it may be tied to."""
    from vaultmem.language.time import known_day
    from vaultmem.recall.links import alike
    from vaultmem.remember.links import Fresh, Neighbour

    zone = parts.settings.timezone
    return Fresh(
        statement=item.statement,
        day=known_day(item.valid_from, zone),
        neighbours=tuple(
            Neighbour(
                target=row.path.stem,
                statement=row.statement,
                tags=row.tags,
                day=known_day(row.valid_from, zone),
            )
            for row in alike(parts, item.statement, widely=True)
        ),
    )


def _answered(parts: Parts, model: LLM, fresh: Sequence[Fresh], stems: Stems) -> Mapping[int, Tie]:
    """What the model says of these, past the guards; raises LLMError."""
    from vaultmem.extract.model.drafting import masked
    from vaultmem.models.roles import instructions
    from vaultmem.remember.links import SCHEMA, question, ties_in
    from vaultmem.storage.index.search.wordings import relations

    near = relations(stems)

    def stand_for(stem: str) -> frozenset[str]:
        return frozenset().union(*(group.stems for group in near.groups(stem)))

    messages = question(fresh, instructions("link"), mask=masked)
    return ties_in(
        model.ask(messages, schema=SCHEMA).value,
        fresh,
        stems,
        stand_for=stand_for,
        most_links=parts.settings.links_related,
    )
