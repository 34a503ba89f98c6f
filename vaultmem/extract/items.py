"""The item that a draft becomes."""

from __future__ import annotations

import re

from vaultmem import judgement
from vaultmem.base import TYPE_CHECKING, late, replace
from vaultmem.language import MINUTE_MS, canonical
from vaultmem.model import USER, Draft, Item, ItemId, Prepared, item_id
from vaultmem.safety import defang
from vaultmem.vault import NO_OID, Origin, day_of, item_path

if TYPE_CHECKING:
    from vaultmem.vault import Vault


def id_of(vault: Vault, draft: Draft, prepared: Prepared, *, key: str, now: int) -> ItemId:
    """The id of its item: of source and statement, and also of the time when it was so before."""
    id_ = item_id(prepared.id, key)
    if not vault.index.notes_with_id(id_):
        return id_
    since = said_at(draft, prepared, now=now) if draft.valid_from is None else draft.valid_from
    return item_id(f"{prepared.id} {since}", key)


def says(said: Draft | Item) -> str:
    """What a draft or an item says, as it is compared: an answer says it to its question alone."""
    statement = canonical(said.statement)
    return f"{statement}\n{canonical(said.asked)}" if said.asked else statement


def confidence_of(vault: Vault, draft: Draft) -> float:
    """How sure an item is of what a draft says: as it says, else as of what was said once."""
    return vault.settings.facts_confidence if draft.confidence is None else draft.confidence


def said_at(draft: Draft, prepared: Prepared, *, now: int) -> int:
    """When it was said; now, where nothing tells."""
    said = draft.said_at if draft.said_at is not None else prepared.date
    return said if said is not None else now


def is_by_default(draft: Draft, prepared: Prepared, *, now: int) -> bool:
    """Whether nobody said from when it holds: it is taken from when it was said."""
    if prepared.document.valid_from is not None:
        return False
    said = said_at(draft, prepared, now=now)
    return draft.valid_from in (None, said, said // MINUTE_MS * MINUTE_MS)


def item_of(
    vault: Vault,
    draft: Draft,
    prepared: Prepared,
    *,
    id_: ItemId,
    origin: Origin,
    trust: str,
    review: str,
    source: str,
    projects: tuple[str, ...],
    now: int,
) -> Item:
    """The item, not yet in its listings.

    trust   as it is recorded; review: why it waits for the person, '' when it does not
    source  file name, without `.md`, of the text
    projects  as `projects_of`
    """
    zone = vault.settings.timezone
    item = make_item(draft, id_=id_, said=said_at(draft, prepared, now=now), now=now, zone=zone)
    return replace(
        item,
        status="candidate" if review else "active",
        review=review,
        source=(source,),
        projects=projects,
        quote=draft.quote if trust == USER else defang(draft.quote),
        confidence=confidence_of(vault, draft),
        pinned=draft.pinned,
        hard=draft.hard,
        writer=origin.writer,
        trust=trust,
        observed=draft.observed,
        critical=draft.critical if trust == USER else "",
        said_after=draft.said_after if trust == USER else defang(draft.said_after),
        asked=defang(draft.asked),
        fields={**metadata_of(prepared, trust), **draft.fields},
    )


def metadata_of(prepared: Prepared, trust: str) -> dict[str, str | tuple[str, ...]]:
    """The caller's own keys, without live content where they are not the person's."""
    kept = dict(prepared.document.metadata)
    if trust == USER:
        return kept
    return {
        name: defang(value) if isinstance(value, str) else tuple(defang(each) for each in value)
        for name, value in kept.items()
    }


def projects_of(draft: Draft, prepared: Prepared) -> tuple[str, ...]:
    """The projects of its item: none for what a person is, must not eat or always wants.

    'I live in Graz', told while somebody works on one project, is so in all of them. As a person's
    words say it: `draft` is not restrained yet.
    """
    told = prepared.document
    if not told.projects or told.is_for_projects:
        return told.projects

    return () if is_of_person(draft) else told.projects


def make_item(draft: Draft, *, id_: ItemId, said: int, now: int, zone: str) -> Item:
    """What a draft says, as an item; whose word it is, and from which text, is left open.

    said  UTC ms: it holds from that day on, unless the draft says from when
    """
    since = draft.valid_from if draft.valid_from is not None else day_of(said, zone)
    over = draft.valid_until is not None and draft.valid_until <= since  # nobody knows since when
    return Item(
        path=item_path(id_, draft.statement, at=now, zone=zone),
        oid=NO_OID,
        title="",
        body=draft.statement,
        tags=draft.tags,
        id=id_,
        kind=draft.kind,
        statement=draft.statement,
        stream=draft.stream,
        categories=draft.categories,
        subject=draft.subject,
        predicate=draft.predicate,
        object=draft.object,
        valid_from=None if over else since,
        valid_until=draft.valid_until,
        due=draft.due,
        importance=draft.importance,
        confidence_at=now,
        entities=draft.entities,
    )


REINFORCEMENT = 0.3  # share of the missing confidence that saying it again adds


def reinforce(confidence: float, *, share: float = REINFORCEMENT) -> float:
    """Confidence 0..1 after a repetition: c + 0.3 (1 - c), so that it never passes 1.

    share  of the missing confidence that it adds
    """
    return confidence + share * (1.0 - confidence)


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
