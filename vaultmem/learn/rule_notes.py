"""Rules as notes: an item of kind rule (of kind procedure for a sequence of tools) and back.

The keys that only rules have stand below those of every item: `learned` (its category), `value`,
`polarity`, `scope`, `counted` (conversations that say it), `against` (those that say otherwise),
`last_reinforced`. `confidence` is that of `confidence_at`; what it is worth now is worked out on
read and stored nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem import extract
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING
from vaultmem.language import format_instant, read_instant
from vaultmem.learn.conversations import CATEGORIES
from vaultmem.learn.rules import Change, Rule
from vaultmem.model import LIMITED, USER, Filters, Item, is_below
from vaultmem.vault import NO_OID, item_path

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.vault import Vault

KINDS = ("rule", "procedure")
ACTIVE, PUT_AWAY = "active", "archived"
_SEEN_IN_BEHAVIOUR = ("convention", "workflow")
_SEPARATOR = " -> "
_ROUND = 6  # decimals of a confidence in a file: enough to be worked out again


def rule_items(vault: Vault) -> dict[str, Item]:
    """The notes of learned rules by id, also of those that were put away or retracted."""
    found = {}
    for row in vault.index.list(Filters(types=("item",), kinds=KINDS)):
        record = vaults.read_record(vault, row.path)
        if not isinstance(record, Item) or not record.id or "learned" not in record.fields:
            continue
        if not is_below(vaults.trust_of_item(vault, record), LIMITED):
            found[record.id] = record
    return found


def rule_of(item: Item, *, now: int) -> Rule | None:
    """The rule that a note holds; None where its keys cannot be read."""
    category = _text(item, "learned")
    if category not in CATEGORIES or item.confidence is None:
        return None
    value = _text(item, "value")
    at = item.confidence_at if item.confidence_at is not None else now
    return Rule(
        id=item.id,
        category=category,
        statement=item.statement,
        value=value,
        polarity=_text(item, "polarity") or "prefer",
        scope=_text(item, "scope"),
        purpose=_text(item, "purpose"),
        kind=_text(item, "convention"),
        ngram=tuple(value.split(_SEPARATOR)) if category == "workflow" else (),
        trigger=_text(item, "trigger"),
        confidence=item.confidence,
        confidence_at=at,
        last_reinforced=_instant(item, "last_reinforced") or at,
        sessions=texts(item, "counted"),
        against=texts(item, "against"),
        since=_instant(item, "since"),
        is_exempt=item.pinned or item.hard,
        is_active=item.status == ACTIVE,
        is_denied=item.status not in (ACTIVE, PUT_AWAY),
        language=_text(item, "language") or "en",
    )


def projects_seen(change: Change) -> tuple[str, ...]:
    """The project that all of its conversations were held in: there the rule holds; () for none.

    What a person prefers holds everywhere, unless they speak for all: "we prefer composition".
    """
    seen = change.evidence
    # 'We decided to go with pnpm', said twice in one repository, was a rule of no project, given in
    # every other one, where a decision ended it.
    if not seen or len({each.projects for each in seen}) > 1:
        return ()
    is_wish = change.rule.category in ("preference", "correction")
    if is_wish and not all(extract.speaks_for_all(each.quote) for each in seen):
        return ()
    return seen[0].projects


def new_item(change: Change, *, sources: Sequence[str], now: int, zone: str) -> Item:
    """The note of a rule that was just learned; `sources` are names of its conversations."""
    rule = change.rule
    seen = rule.category in _SEEN_IN_BEHAVIOUR
    statement = f"{rule.statement[:1].upper()}{rule.statement[1:]}"
    fields: dict[str, str | tuple[str, ...]] = {
        "learned": rule.category,
        "value": rule.value,
        "polarity": rule.polarity,
        "scope": rule.scope,
        "purpose": rule.purpose,
        "convention": rule.kind,
        "trigger": rule.trigger,
        "language": "" if rule.language == "en" else rule.language,
        "counted": rule.sessions,
        "against": rule.against,
        "since": "" if rule.since is None else format_instant(rule.since, zone),
        "last_reinforced": format_instant(rule.last_reinforced, zone),
    }
    return Item(
        path=item_path(rule.id, statement, at=now, zone=zone),
        oid=NO_OID,
        title="",
        body="",
        id=rule.id,
        kind="procedure" if rule.category == "workflow" else "rule",
        statement=statement,
        tags=_domain(rule),
        projects=projects_seen(change),
        source=tuple(sources),
        quote=change.evidence[0].quote if change.evidence else "",
        importance=5,
        confidence=round(rule.confidence, _ROUND),
        confidence_at=rule.confidence_at,
        writer="agent" if seen else "person",
        trust=LIMITED if seen else USER,
        observed="observed" if seen else "claimed",
        fields={key: value for key, value in fields.items() if value},
    )


def _domain(rule: Rule) -> tuple[str, ...]:
    """What a procedure is for, as a tag: the topic of what was asked; none where it has none."""
    if not rule.trigger:
        return ()
    topic = extract.category_of(extract.tokens_of(rule.trigger), "procedure")
    return () if topic == "general" else (topic,)


def changed_keys(
    rule: Rule, *, zone: str, sources: Sequence[str] | None
) -> Mapping[str, str | tuple[str, ...] | float | bool | None]:
    """The front-matter keys that a run changes; `sources` None: they stay as they are."""
    keys: dict[str, str | tuple[str, ...] | float | bool | None] = {
        "status": ACTIVE if rule.is_active else PUT_AWAY,
        "confidence": round(rule.confidence, _ROUND),
        "confidence_at": format_instant(rule.confidence_at, zone),
        "counted": rule.sessions,
        "against": rule.against or None,
        "last_reinforced": format_instant(rule.last_reinforced, zone),
    }
    if sources is not None:
        keys["source"] = tuple(f"[[{name}]]" for name in sources)
    return keys


def texts(item: Item, key: str) -> tuple[str, ...]:
    """The texts of a key of the person's or of learning; () for none."""
    value = item.fields.get(key, ())
    return (value,) if isinstance(value, str) and value else tuple(value or ())


def _text(item: Item, key: str) -> str:
    return " ".join(texts(item, key))


def _instant(item: Item, key: str) -> int | None:
    found = read_instant(_text(item, key)) if _text(item, key) else None
    return None if found is None else found.ms


def with_source(item: Item, paths: Sequence[PurePosixPath]) -> tuple[str, ...]:
    """The sources of a note and those of new conversations, each once."""
    return tuple(dict.fromkeys((*item.source, *(path.stem for path in paths))))
