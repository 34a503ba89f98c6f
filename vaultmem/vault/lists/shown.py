"""Let the index answer the way unsettled edits of bullets mean it, without touching a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, replace

if TYPE_CHECKING:
    from vaultmem.model import Item, Learned
    from vaultmem.vault.lists.two_way import Join, Retract, Reword, SetDone
    from vaultmem.vault.vault import Vault

SHOWN = "shown_as_edited"
TWO_WAY = "two-way"
HEAD = "head"  # the commit that the index knows
SETTLED = "settled"  # the commit as of which lists and items agree


def show_as_edited(vault: Vault) -> tuple[Learned, ...]:
    """Let the index show items the way unsettled edits of their bullets mean them.

    returns  the items that answer otherwise than before
    The files are not touched: that is done when the edits have come to rest. Without this a
    bullet that a person just reworded or deleted would still answer in its old words.
    """
    from vaultmem.vault.lists.two_way import Join, Retract, Reword, SetDone  # saves 13 modules
    from vaultmem.vault.unsettled import compare_unsettled, load_items  # saves 22 modules

    comparison = compare_unsettled(vault)
    effects = comparison.effects if comparison is not None else ()
    shown = [effect for effect in effects if isinstance(effect, Reword | Retract | Join | SetDone)]
    shown_before = (vault.index.meta(SHOWN) or "").split()
    items = load_items(vault, {effect.id for effect in shown}.union(shown_before))
    for effect in shown:
        item = items.get(effect.id)
        if item is None:
            continue
        if isinstance(effect, Reword):
            items[effect.id] = replace(item, statement=effect.text)
        elif isinstance(effect, Retract):
            items[effect.id] = replace(item, status="retracted")
        elif isinstance(effect, Join):
            items[effect.id] = replace(item, status="superseded")
        else:
            items[effect.id] = replace(item, status="expired" if effect.done else "active")
    learned = tuple(_newly_shown(vault, shown, items))
    vault.index.show(items.values())
    vault.index.set_meta(SHOWN, " ".join(sorted(effect.id for effect in shown)))
    problems = comparison.problems if comparison is not None else ()
    vault.index.set_problems(TWO_WAY, problems)
    if not (effects or problems):
        _agree(vault)
    return learned


def _agree(vault: Vault) -> None:
    """Keep that lists and items agree as of the last commit, where nothing else is on disk.

    It is what settling would find, and saves every later look from reading all that foreign
    commits changed since the last one of ours.
    """
    index = vault.index
    # With 12,000 notes committed by hand and a new index, each look that found one edited note took
    # 145 ms of CPU before this was kept; 60 since.
    if not index.has_pending():
        index.set_meta(SETTLED, index.meta(HEAD) or "")


def _newly_shown(
    vault: Vault, effects: Iterable[Reword | Retract | Join | SetDone], items: Mapping[str, Item]
) -> Iterator[model.Learned]:
    """What changes for a reader; an edit that was shown before is nothing new."""
    from vaultmem.vault.lists.two_way import Join, Retract, SetDone  # saves 13 modules

    by_id = {effect.id: effect for effect in effects}
    for item in items.values():
        rows = vault.index.notes_with_id(item.id)
        if any((row.statement, row.status) == (item.statement, item.status) for row in rows):
            continue
        effect = by_id.get(item.id)
        what, text = "changed", item.statement
        if isinstance(effect, Retract):
            what = "retracted"
        elif isinstance(effect, Join):
            what = "ended"
        elif isinstance(effect, SetDone) and effect.done:
            what = "done"
        elif isinstance(effect, SetDone):
            text = f"open again: {text}"
        elif effect is None:  # an edit that was taken back before it rested
            text = f"as before: {text}"
        yield model.Learned(what=what, path=item.path, text=text, id=item.id)


def follow_settled(vault: Vault) -> None:
    """Hold edits against the newest settled commit, also if this index was not told of it.

    A power cut may take the last rows, and not the commits. Held against an older state, a bullet
    that was adopted since and edited looks like one that was edited in two places.
    """
    known, newest = vault.index.meta(SETTLED) or "", vault.history.last_settled()
    # Where an index was set back such an edit waited for the person, three times in 600 power cuts
    # under an ext4 that writes every ten minutes.
    if newest is None or newest == known:
        return
    if not (known and vault.history.lineage().is_ancestor(newest, known)):
        vault.index.set_meta(SETTLED, newest)
