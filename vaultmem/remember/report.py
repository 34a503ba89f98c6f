"""How a remembered text is told: commit subject, trailers, rows of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.model import (
    Draft,
    Item,
    Prepared,
    RememberedItem,
    counted,
    listed,
    subject,
    trust_trailers,
)


def report_of(
    outcome: str, item: Item, draft: Draft, *, effects: Sequence[str] = ()
) -> RememberedItem:
    """The row of one item; outcome: add, reinforce, update or known."""
    return RememberedItem(
        outcome=outcome,
        id=item.id,
        path=item.path,
        statement=item.statement,
        kind=item.kind,
        stream=item.stream or "",
        categories=item.categories,
        importance=item.importance,
        valid_from=item.valid_from,
        due=item.due,
        quote=draft.quote,
        rule=draft.rule,
        writer=item.writer,
        trust=item.trust,
        review=item.review,
        effects=tuple(effects),
    )


def subject_of(prepared: Prepared, items: Sequence[RememberedItem]) -> str:
    """A sentence for `git log`."""
    waiting = sum(bool(item.review) for item in items)
    if waiting == len(items) and waiting:
        return subject("remember", prepared.title, extra=f"{counted(waiting, 'item')} to review")
    items = [item for item in items if not item.review]
    added = [item for item in items if item.outcome == "add"]
    again = sum(item.outcome == "reinforce" for item in items)
    if not items:
        return subject("remember", prepared.title, extra="text only")
    first = added[0] if added else items[0]
    extra = listed(
        [
            f"+{counted(len(added) - 1, 'item')}" if len(added) > 1 else "",
            f"{again} reinforced" if again else "",
            f"{waiting} to review" if waiting else "",
        ]
    )
    return subject("remember", first.statement, extra=extra)


def trailers_of(
    prepared: Prepared,
    items: Sequence[RememberedItem],
    *,
    levels: Mapping[str, str],
    approved: Sequence[str],
    ended: Sequence[str] = (),
) -> tuple[tuple[str, str], ...]:
    """What the commit says of a text: its items, its source, and how far they are believed.

    levels    trust by id of what is new
    approved  ids that were believed less and that the person now says
    ended     ids of items that end because of it
    """
    trailers = []
    if items:
        ids = dict.fromkeys([*(item.id for item in items), *ended])
        trailers.append(("Vaultmem-Items", ", ".join(ids)))
    if ended:
        trailers.append(("Vaultmem-Supersedes", ", ".join(ended)))
    trailers.append(("Vaultmem-Source", prepared.id))
    return (*trailers, *trust_trailers(levels, approved))
