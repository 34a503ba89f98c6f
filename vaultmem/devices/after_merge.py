"""What has to follow when the lists and items of two devices became one tree.

Each device had settled its own edits, so both sides of every bullet agreed on each; what differs
now is a clash between devices. The item is the memory and its bullet follows: its words, its
stream, whether it is listed at all; so do the lines of summaries. A bullet that both devices
moved stays in its item's stream.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from vaultmem import vault
from vaultmem.base import TYPE_CHECKING, Any, DiskError, VaultmemError, replace
from vaultmem.edit import Settled, plan_effects
from vaultmem.model import Bullet, Problem, Severity, Stream, blob_oid
from vaultmem.model import Item as ItemRecord
from vaultmem.storage import files
from vaultmem.vault import (
    AddBullet,
    Comparison,
    Effect,
    Patch,
    RemoveBullet,
    compare,
    level,
    load_items,
    placed,
    record_at,
    same,
    shown,
    streams_on_disk,
    touched_items,
    unreadable_items,
    without_barred,
)

if TYPE_CHECKING:
    from vaultmem.model import Committed, Item, Learned
    from vaultmem.vault import Parts


def follow_merge(parts: Parts, paths: Iterable[str], sides: tuple[str, str]) -> Settled:
    """Make bullets and summaries follow their items after a merge of two settled sides.

    One commit at most.

    paths  files that the merge changed here
    sides  the two commits that were merged
    """
    changed = frozenset(paths)
    comparison = _compare(parts, changed, sides)
    problems = comparison.problems
    parts.is_open = bool(problems)
    commits: tuple[Committed, ...] = ()
    learned: tuple[Learned, ...] = ()
    plan, learned, held_back = plan_effects(parts, comparison.effects, merged=changed)
    problems = (*problems, *held_back)
    if plan.changes:
        commits = vault.apply(parts, [plan], settled=not problems)
    if not problems:
        level.mark_settled(parts)
    with parts.index.writing():
        shown.show_as_edited(parts)  # no longer as if either side were an edit of the other
    level.after_settling(parts, problems)
    return Settled(commits=commits, learned=learned)


def _compare(parts: Parts, paths: frozenset[str], sides: tuple[str, str]) -> Comparison:
    disk = streams_on_disk(parts)
    unreadable = unreadable_items(parts)
    listed = {bullet.block_id for stream in disk for bullet in stream.bullets if bullet.block_id}
    touched = touched_items(parts, paths, listed=listed)
    changed = [stream for stream in disk if stream.path.as_posix() in paths]
    touched |= {b.block_id for stream in changed for b in stream.bullets if b.block_id}
    items = without_barred(parts, load_items(parts, touched), placed(disk))
    repeated, disk = _without_repeated(disk, items)
    # Nothing was ticked before: a box that is ticked now ends its item, if that has not ended.
    base = [replace(stream, bullets=tuple(_unticked(b) for b in stream.bullets)) for stream in disk]
    found = compare(base, disk, items, touched=touched, unreadable=unreadable)
    # An item of the flow that no list names has usually fallen off the end of a full one.
    effects = [
        effect
        for effect in found.effects
        if not (isinstance(effect, AddBullet) and effect.stream == "flow")
        and not (isinstance(effect, Patch) and not _agreed(parts, effect.id, disk, items, sides))
    ]
    return Comparison(effects=(*repeated, *effects), problems=found.problems)


def _agreed(
    parts: Parts, id_: str, disk: list[Stream], items: dict[str, Item], sides: tuple[str, str]
) -> bool:
    """Whether the words of a bullet were those of its item on one side.

    After an undo a bullet may say what its item does not: then its words are nowhere else, and
    the bullet keeps them.
    """
    said = placed(disk)[id_].bullet.text
    records = (record_at(parts, commit, items[id_].path) for commit in sides)
    return any(isinstance(each, ItemRecord) and same(said, each.statement) for each in records)


def _unticked(bullet: Bullet) -> Bullet:
    return bullet if bullet.checked is None else replace(bullet, checked=False)


def _without_repeated(
    disk: list[Stream], items: dict[str, Item]
) -> tuple[list[Effect], list[Stream]]:
    """Bullets of one id in several files: one stays, in the item's stream if it is there."""
    places: dict[str, list[Stream]] = {}
    for stream in disk:
        for id_ in {bullet.block_id for bullet in stream.bullets if bullet.block_id}:
            places.setdefault(id_, []).append(stream)
    effects: list[Effect] = []
    dropped: set[tuple[str, str]] = set()
    for id_, streams in sorted(places.items()):
        item = items.get(id_)
        if len(streams) < 2 or item is None:
            continue
        kept = min(streams, key=lambda each: (each.name != item.stream, each.path))
        for stream in streams:
            if stream is not kept:
                effects.append(RemoveBullet(path=stream.path, id=id_))
                dropped.add((stream.path.as_posix(), id_))
    left = [
        replace(
            stream,
            bullets=tuple(
                bullet
                for bullet in stream.bullets
                if (stream.path.as_posix(), bullet.block_id) not in dropped
            ),
        )
        for stream in disk
    ]
    return effects, left


# What a person should look at after notes of two devices became one, until they did.
#
# Kept in the device state, not in the vault: each names the bytes it is about, and is over as
# soon as the file has others, or is gone.

FILE = "notices.json"
_MOST = 1000


def open_notices(parts: Parts) -> Iterator[Problem]:
    """Those that nobody has looked after yet, by path."""
    for row in _rows(parts):
        if _fingerprint(parts, PurePosixPath(row["path"])) == row["oid"]:
            yield Problem(
                path=PurePosixPath(row["path"]),
                code=row["code"],
                message=row["message"],
                hint=row["hint"],
                severity=Severity(row["severity"]),
            )


def add_notices(parts: Parts, problems: Iterable[Problem]) -> None:
    """Remember problems until their files change; the newest thousand."""
    rows = [row for row in _rows(parts) if _fingerprint(parts, _path(row)) == row["oid"]]
    for problem in problems:
        if problem.severity is not Severity.INFO:
            rows.append(
                {
                    "path": problem.path.as_posix(),
                    "oid": _fingerprint(parts, problem.path),
                    "code": problem.code,
                    "message": problem.message,
                    "hint": problem.hint,
                    "severity": problem.severity.value,
                }
            )
    unique = {(row["path"], row["code"], row["message"]): row for row in rows}
    file = parts.state / FILE
    new = file.with_name(f"{FILE}.{os.getpid()}")
    try:
        if not unique and not file.exists():
            return
        new.write_text(json.dumps(list(unique.values())[-_MOST:]), encoding="utf-8")
        os.replace(new, file)
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error


def _path(row: dict[str, str]) -> PurePosixPath:
    return PurePosixPath(row["path"])


def _rows(parts: Parts) -> list[dict[str, Any]]:
    """What the file holds; nothing of one that cannot be read: it is only a reminder."""
    file = parts.state / FILE
    if not os.path.exists(file):
        return []
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    keys = {"path", "oid", "code", "message", "hint", "severity"}
    return [row for row in found if isinstance(row, dict) and keys <= row.keys()]


def _fingerprint(parts: Parts, path: PurePosixPath) -> str:

    try:
        data = files.read(parts.root, path, limit=None)
    except VaultmemError:
        return ""
    return blob_oid(data, algorithm=parts.history.algorithm)
