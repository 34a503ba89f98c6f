"""Lists and items agree after a change that touched only one of the two.

An undo, a restored note or a mended one puts bytes of some files back. What these mean for the
other side of each bullet goes into the same commit, so that every commit without the mark
Vaultmem-Unsettled is one in which both sides agree: the merge of two devices builds on that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.model.ids import Oid, id_in_name
from vaultmem.model.notes import Bullet, Item, Problem, Stream
from vaultmem.storage.files.layout import CATEGORIES
from vaultmem.vault.lists.two_way import (
    Adopt,
    Effect,
    RemoveBullet,
    SetDone,
    SetStream,
    compare,
    in_question,
    placed,
)
from vaultmem.vault.provenance import may_be_listed
from vaultmem.vault.unsettled import (
    STREAMS_FOLDER,
    load_items,
    read_record,
    streams_on_disk,
    unreadable_items,
    without_barred,
)

if TYPE_CHECKING:
    from vaultmem.vault.plan import Workbench
    from vaultmem.vault.vault import Parts


def agree(
    parts: Parts, bench: Workbench, paths: Sequence[PurePosixPath], *, adopt: bool
) -> tuple[Problem, ...]:
    """Let lists follow the items on the bench, and items the lists; under the writer lock.

    paths    files that were changed on the bench, and nothing else yet
    adopt    make items of bullets without a block id; False: those just lost theirs by intent
    returns  what only a person can decide: the commit is to be marked as unsettled then
    """
    before = streams_on_disk(parts)
    coming = {path: _record(parts, bench, path) for path in paths}
    for path in _take_out_repeated(bench, before, _streams(before, coming), paths):
        coming[path] = _record(parts, bench, path)
    _take_out_repeated_links(bench, paths)
    after = _streams(before, coming)
    touched = _touched(parts, coming)
    items = load_items(parts, in_question(before, after, touched=touched))
    items = {id_: item for id_, item in items.items() if item.path not in coming}
    items |= {record.id: record for record in coming.values() if isinstance(record, Item)}
    found = compare(
        before,
        after,
        without_barred(parts, items, placed(after)),
        touched=touched,
        unreadable=unreadable_items(parts) - items.keys(),
        flow_limit=parts.settings.limits_flow_items,
    )
    follows = _follows(parts, before, after, items, adopt=adopt)
    effects = [each for effect in found.effects for each in follows(effect)]
    back = [each for each in coming.values() if isinstance(each, Item) and _is_back(parts, each)]
    return (*found.problems, *_carry_out(parts, bench, items, effects, back, paths))


def _take_out_repeated(
    bench: Workbench,
    before: Sequence[Stream],
    after: Sequence[Stream],
    paths: Collection[PurePosixPath],
) -> tuple[PurePosixPath, ...]:
    """Take out of lists that come the lines whose block id stands elsewhere; the changed files.

    A line that was deleted may have come back another way before the deletion is undone: put back
    at its old place by a merge of lines, it would stand twice. What the lists repeat already is
    left to the person.
    """
    from vaultmem.storage.notes.stream_list import remove_lines

    stood: dict[str, list[tuple[PurePosixPath, str]]] = {}
    for stream in before:
        for bullet in stream.bullets:
            if bullet.block_id is not None:
                stood.setdefault(bullet.block_id, []).append((stream.path, bullet.text))
    standing: dict[str, list[tuple[PurePosixPath, Bullet]]] = {}
    for stream in after:
        for bullet in stream.bullets:
            if bullet.block_id is not None:
                standing.setdefault(bullet.block_id, []).append((stream.path, bullet))
    gone: dict[PurePosixPath, set[int]] = {}
    for id_, places in standing.items():
        known = stood.get(id_, [])
        if len(places) <= max(len(known), 1):
            continue
        # Today's words in today's list stay; of two that are the same, the lower one, because a
        # line that came back in another way came on top of the list.
        _, kept = max(enumerate(places), key=lambda at: ((at[1][0], at[1][1].text) in known, at[0]))
        for path, bullet in places:
            if bullet is not kept[1] and path in paths:
                gone.setdefault(path, set()).add(bullet.line)
    for path, numbers in gone.items():
        bench.put(path, remove_lines(bench.existing(path), numbers))
    return tuple(gone)


def _take_out_repeated_links(bench: Workbench, paths: Collection[PurePosixPath]) -> None:
    """One line an item in the categories that come: a merge of lines puts them back twice, too."""
    from vaultmem.base.errors import PatchRefusedError
    from vaultmem.storage.notes.summary_block import without_repeats

    for path in paths:
        data = bench.text(path) if path.parts[0] == CATEGORIES else None
        if data is not None:
            with suppress(PatchRefusedError):  # markers that do not pair hold no lines
                bench.put(path, without_repeats(data))


def _is_back(parts: Parts, item: Item) -> bool:
    """Whether an item holds again that did not: it had ended, was retracted, or was gone."""
    if item.status != "active":
        return False
    before = read_record(parts, item.path)
    return not isinstance(before, Item) or before.status != "active"


def _carry_out(
    parts: Parts,
    bench: Workbench,
    items: Mapping[str, Item],
    effects: Sequence[Effect],
    back: Sequence[Item],
    paths: Sequence[PurePosixPath],
) -> tuple[Problem, ...]:
    from vaultmem.edit.follow import Following

    following = Following(parts, items, bench=bench)
    following.follow(effects)
    following.summarise(back)
    following.level_summaries([path.as_posix() for path in paths])
    return following.problems


def _follows(
    parts: Parts,
    before: Sequence[Stream],
    after: Sequence[Stream],
    items: Mapping[str, Item],
    *,
    adopt: bool,
) -> Callable[[Effect], tuple[Effect, ...]]:
    """What an effect of an edit is for a file that was put back on purpose."""
    listed = placed(before)

    def follows(effect: Effect) -> tuple[Effect, ...]:
        if isinstance(effect, Adopt):
            return (effect,) if adopt or effect.bullet.block_id else ()
        if isinstance(effect, RemoveBullet) and effect.id not in listed:
            item = items.get(effect.id)
            if item is not None and item.status == "retracted":
                return (SetDone(id=effect.id, done=False),)  # its line was wanted back
        if isinstance(effect, SetStream):
            item = items.get(effect.id)
            if item is not None and not may_be_listed(parts, item, stream=effect.stream):
                # It was put back with the list; believed less since, it has no place there.
                return (RemoveBullet(path=placed(after)[effect.id].path, id=effect.id),)
        return (effect,)

    return follows


def _record(parts: Parts, bench: Workbench, path: PurePosixPath) -> object:
    from vaultmem.storage.notes.schema import decode

    data = bench.text(path)
    if data is None:
        return None
    return decode(path, data, Oid(""), zone=parts.settings.timezone).record


def _streams(
    before: Sequence[Stream], coming: Mapping[PurePosixPath, object]
) -> tuple[Stream, ...]:
    """The stream files as they will be, by path."""
    left = [stream for stream in before if stream.path not in coming]
    left += [
        record
        for path, record in coming.items()
        if isinstance(record, Stream) and path.as_posix().startswith(STREAMS_FOLDER)
    ]
    return tuple(sorted(left, key=lambda stream: stream.path))


def _touched(parts: Parts, coming: Mapping[PurePosixPath, object]) -> frozenset[str]:
    """Ids of the items at these paths, now and before."""
    found: set[str] = set()
    for path, record in coming.items():
        for each in (record, read_record(parts, path)):
            if isinstance(each, Item):
                found.add(each.id)
        named = id_in_name(path.stem)
        if named is not None and named.startswith("i-"):
            found.add(named)
    return frozenset(found)
