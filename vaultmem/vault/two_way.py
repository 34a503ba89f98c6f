"""What a person's edits of stream files and item notes mean for each other; decides, never acts.

Three states are compared: the streams as last settled (both sides agreed then), the streams on
disk and the items on disk. Nothing here knows why they differ: an edit in Obsidian, a crash
between two files and a pull from another device are the same three states. Where bullet and item
were both edited, differently, nothing is changed: `check` shows both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import NamedTuple, dataclass
from vaultmem.language import canonical
from vaultmem.model import Bullet, Item, Problem, Stream

# --- problems that only a person can decide ---


def unknown_id(path: PurePosixPath, bullet: Bullet) -> Problem:
    """A block id that no item has, and none had when all was settled."""
    return Problem(
        path=path,
        line=bullet.line,
        code="unknown-block-id",
        message=f"no item has the id '{bullet.block_id}' of this bullet",
        hint="delete the block id and the bullet becomes a new item, "
        f"or run `vaultmem restore {bullet.block_id}`",
    )


def empty_bullet_problem(path: PurePosixPath, bullet: Bullet, *, said: str) -> Problem:
    """A bullet that has its id and no words any more; `said`: by its item."""
    return Problem(
        path=path,
        line=bullet.line,
        code="empty-bullet",
        message=f"this bullet lost its words; its item says '{said}'",
        hint="delete the whole line to retract the item, or write what it should say",
    )


def both_edited(path: PurePosixPath, bullet: Bullet, *, note: PurePosixPath, said: str) -> Problem:
    """A bullet and its note with different words, of which neither are the settled ones."""
    return Problem(
        path=path,
        line=bullet.line,
        code="edited-twice",
        message=f"bullet and item differ: here '{bullet.text}', in '{note}' '{said}'",
        hint="make both say the same; nothing was changed",
    )


# --- bullets that a full flow list dropped ---

# A flow file keeps the newest `limits.flow_items` bullets, and the items of the others live on.
# Whoever compares with an older state of the file (another device, or this one while something
# else waits for the person) must not take the missing bullets for retracted ones.
FLOW = "flow"


def fallen_off(base: Iterable[Stream], disk: Sequence[Stream], limit: int) -> frozenset[str]:
    """Ids below the last bullet that is still there, in flow lists that are full now."""
    now = {stream.path: _ids(stream) for stream in disk if stream.name == FLOW}
    found: set[str] = set()
    for stream in base:
        there = now.get(stream.path, ())
        # A bullet that fell off a full list of the flow was taken for a deleted one while something
        # else waited for the person, and its item was retracted.
        if not limit or len(there) < limit:
            continue
        for id_ in reversed(_ids(stream)):
            if id_ in there:
                break
            found.add(id_)
    return frozenset(found)


def is_full(disk: Iterable[Stream], limit: int) -> bool:
    """Whether an item of the flow may be listed nowhere because it is too old."""
    return any(limit and len(_ids(each)) >= limit for each in disk if each.name == FLOW)


def _ids(stream: Stream) -> tuple[str, ...]:
    return tuple(bullet.block_id for bullet in stream.bullets if bullet.block_id is not None)


# More than a quarter and more than five bullets gone at once looks like an accident
# (a file emptied, a bad merge), and a wrong guess would retract a person's memories.
MASS_SHARE = 0.25
MASS_COUNT = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopt:
    """A bullet becomes an item: a new one, whose line gains the block id, or one with other words
    whose item is gone, which keeps the block id that it has."""

    path: PurePosixPath
    stream: str
    bullet: Bullet


@dataclass(frozen=True, slots=True, kw_only=True)
class Reword:
    """The bullet was edited: the item's statement follows."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """The item note was edited: its bullet follows."""

    path: PurePosixPath
    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Retract:
    """The bullet was deleted: the item is retracted."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """The bullet was joined to another one, whose item says its words now: it takes its place."""

    id: str
    into: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDone:
    """The checkbox was ticked (or unticked): the task ended (or holds again)."""

    id: str
    done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SetStream:
    """The bullet was moved to another stream: the item follows."""

    id: str
    stream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddBullet:
    """An active item of a stream has no bullet yet."""

    id: str
    stream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveBullet:
    """The item ended, left the stream or is gone: its bullet goes."""

    path: PurePosixPath
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Untick:
    """The item note was opened again: the box of its bullet follows."""

    path: PurePosixPath
    id: str


Effect = (
    Adopt
    | Reword
    | Patch
    | Retract
    | Join
    | SetDone
    | SetStream
    | AddBullet
    | RemoveBullet
    | Untick
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What has to follow, and what only a person can decide."""

    effects: tuple[Effect, ...]
    problems: tuple[Problem, ...]


class Placed(NamedTuple):
    """A bullet with the list that it is in; a tuple, for a list may have 25,000."""

    path: PurePosixPath
    stream: str
    bullet: Bullet


def one_line(text: str) -> str:
    """The text as a bullet shows it: white space folded to single spaces."""
    return " ".join(text.split())


def same(left: str, right: str) -> bool:
    """Whether a bullet and a statement say the same, but for spacing."""
    return left == right or one_line(left) == one_line(right)


def bullets_by_id(streams: Iterable[Stream]) -> dict[str, Placed]:
    """Adopted bullets by block id; of two with one id the first counts."""
    found: dict[str, Placed] = {}
    make = tuple.__new__  # by `Placed(...)` it took three times as long
    for stream in streams:
        path, name = stream.path, stream.name
        for bullet in stream.bullets:
            id_ = bullet.block_id
            if id_ is not None and id_ not in found:
                # A tuple without a call, as it is made of every bullet: `sync` of one reworded
                # bullet among 1,700 takes 90 ms in place of 200.
                found[id_] = make(Placed, (path, name, bullet))
    return found


def in_question(
    base: Sequence[Stream], disk: Sequence[Stream], *, touched: Iterable[str]
) -> frozenset[str]:
    """Ids that `compare` has to look at: touched ones, and those whose bullet changed."""
    return changed_among(bullets_by_id(base), bullets_by_id(disk)).union(touched)


def changed_among(before: Mapping[str, Placed], now: Mapping[str, Placed]) -> frozenset[str]:
    """Ids whose bullet came, went, or says something else."""
    changed = before.keys() ^ now.keys()
    for id_, was in before.items():
        here = now.get(id_)
        if here is None:
            continue
        old, new = was.bullet, here.bullet
        # Most bullets are the very same: those of lists that nobody touched, and in one that
        # somebody did nearly all say what they said.
        if was.stream == here.stream and (
            old is new or (old.text == new.text and old.checked == new.checked)
        ):
            continue
        if _differs(was, here):
            changed.add(id_)
    return frozenset(changed)


def _differs(was: Placed, here: Placed) -> bool:
    return (
        was.stream != here.stream
        or was.bullet.checked != here.bullet.checked
        or not same(was.bullet.text, here.bullet.text)
    )


def compare(
    base: Sequence[Stream],
    disk: Sequence[Stream],
    items: Mapping[str, Item],
    *,
    touched: Iterable[str],
    unreadable: Collection[str] = (),
    confirm_deletions: bool = False,
    flow_limit: int = 0,
    placed: tuple[Mapping[str, Placed], Mapping[str, Placed]] | None = None,
) -> Comparison:
    """Effects that make streams and items agree again, in a stable order.

    base     stream files as last settled
    disk     stream files as they are now
    items    those of the ids `in_question` that exist, by id
    touched  ids of items whose notes changed since the last settlement
    unreadable  ids of items whose notes are there but not understood: they are left alone
    confirm_deletions  believe it when most bullets of a stream are gone
    flow_limit  bullets that a flow list keeps; 0: all
    placed   `bullets_by_id` of `base` and `disk`, where the caller has them
    """
    all_before, all_now = placed or (bullets_by_id(base), bullets_by_id(disk))
    changed = changed_among(all_before, all_now)
    asked = changed.union(touched) - set(unreadable)
    before = {id_: all_before[id_] for id_ in all_before if id_ in asked}
    now = {id_: all_now[id_] for id_ in all_now if id_ in asked}
    effects: list[Effect] = []
    problems = [
        *_repeated_ids(disk),
        *_waiting(all_before, all_now, changed.intersection(unreadable)),
    ]
    for stream in disk:
        effects += [
            Adopt(path=stream.path, stream=stream.name, bullet=bullet)
            for bullet in stream.bullets
            if bullet.block_id is None and bullet.text.strip()
        ]
    for id_, here in now.items():
        item = items.get(id_)
        if item is None:
            effects += _without_item(id_, here, before.get(id_), problems)
            continue
        effects += _present(id_, here, before.get(id_), item, problems)
    # A bullet that fell off a full flow list was taken for a deleted one while something else
    # waited for the person, and its item was retracted.
    dropped = fallen_off(base, disk, flow_limit)
    was_listed = {id_: was for id_, was in all_before.items() if id_ not in dropped}
    gone, held_back = _deleted_bullets(was_listed, all_now, items, believe=confirm_deletions)
    effects += _endings(gone, now, items)
    problems += held_back
    for id_ in sorted(set(touched)):
        item = items.get(id_)
        if item is None or id_ in now:
            continue
        # Who changed 'stream:' in a note and took the old line away by hand had the item retracted.
        if id_ in before and item.stream == before[id_].stream:
            continue  # its bullet was deleted
        if item.stream == FLOW and is_full(disk, flow_limit):
            continue  # it may be too old to be listed
        if item.status == "active" and item.stream is not None:
            effects.append(AddBullet(id=id_, stream=item.stream))
    return Comparison(effects=tuple(effects), problems=tuple(problems))


def _without_item(
    id_: str, here: Placed, was: Placed | None, problems: list[Problem]
) -> list[Effect]:
    """Effects for a bullet that is there and whose item is gone.

    Whoever deletes a note wants its words gone, and not others that they wrote into its bullet,
    which are nowhere else. As between devices, what was changed outlives what was deleted.
    """
    if was is None:
        problems.append(unknown_id(here.path, here.bullet))
        return []
    if not here.bullet.text.strip() or same(here.bullet.text, was.bullet.text):
        return [RemoveBullet(path=here.path, id=id_)]
    return [Adopt(path=here.path, stream=here.stream, bullet=here.bullet)]


def _present(
    id_: str, here: Placed, was: Placed | None, item: Item, problems: list[Problem]
) -> list[Effect]:
    """Effects for a bullet that is there and whose item is there."""
    effects: list[Effect] = []
    ticked = here.bullet.checked is True
    was_ticked = was is not None and was.bullet.checked is True
    # A ticked box tells that the task is over, so the line of a done task stays.
    if item.status not in ("active", "candidate") and not ticked and not was_ticked:
        return _effects_of_end(id_, here, was, item, problems)
    if ticked and not was_ticked and item.status == "active":
        effects.append(SetDone(id=id_, done=True))
    # A box of an item that was opened again is emptied in the same commit, as a merge of two
    # devices builds on it.
    if ticked and was_ticked and item.status == "active":
        effects.append(Untick(path=here.path, id=id_))
    if was_ticked and not ticked and item.status == "expired":
        effects.append(SetDone(id=id_, done=False))
    text = here.bullet.text
    # A bullet without words is a problem: as an error, one such slip ended every `sync`.
    if not text.strip():
        problems.append(empty_bullet_problem(here.path, here.bullet, said=one_line(item.statement)))
    elif not same(text, item.statement):
        # Whichever of the two still says what was settled was not edited, and follows the other.
        if was is not None and same(text, was.bullet.text):
            effects.append(Patch(path=here.path, id=id_, text=one_line(item.statement)))
        elif was is not None and same(item.statement, was.bullet.text):
            effects.append(Reword(id=id_, text=text))
        # 'Buy Oat Milk' in the list and 'buy oat milk' in the note are no quarrel to ask about.
        elif canonical(text) == canonical(item.statement):
            effects.append(Patch(path=here.path, id=id_, text=one_line(item.statement)))
        else:
            problems.append(_differing(here, item))
    if item.stream != here.stream:
        # The bullet stands where it was settled, so it was the note that moved; else it was the
        # bullet.
        if was is not None and was.stream == here.stream:
            effects.append(RemoveBullet(path=here.path, id=id_))
            if item.stream is not None:
                effects.append(AddBullet(id=id_, stream=item.stream))
        else:
            effects.append(SetStream(id=id_, stream=here.stream))
    return effects


def _effects_of_end(
    id_: str, here: Placed, was: Placed | None, item: Item, problems: list[Problem]
) -> list[Effect]:
    """Effects for a bullet whose item ended: it goes, and words that only it has go to the note."""
    text, gone = here.bullet.text, RemoveBullet(path=here.path, id=id_)
    settled = was.bullet.text if was is not None else item.statement
    if any(same(text, each) for each in (item.statement, settled, "")):
        return [gone]
    # A bullet that comes back holds what was written since: 'cut, sync, paste below another one'
    # took the other one with it (found by fuzzing list edits).
    if was is not None and same(item.statement, settled):
        return [Reword(id=id_, text=text), gone]
    problems.append(_differing(here, item))
    return []


def _differing(here: Placed, item: Item) -> Problem:
    return both_edited(here.path, here.bullet, note=item.path, said=one_line(item.statement))


def _deleted_bullets(
    before: Mapping[str, Placed],
    now: Mapping[str, Placed],
    items: Mapping[str, Item],
    *,
    believe: bool,
) -> tuple[list[str], list[Problem]]:
    """Ids whose bullets were deleted, and a problem for each stream that lost too many."""
    gone_by_path: dict[PurePosixPath, list[str]] = {}
    for id_, was in before.items():
        if id_ in now:
            continue
        item = items.get(id_)
        if item is not None and item.status == "active":
            if item.stream != was.stream:
                continue  # moved by editing the note; its new stream, if any, gains the bullet
            gone_by_path.setdefault(was.path, []).append(id_)
    gone: list[str] = []
    problems: list[Problem] = []
    for path, ids in sorted(gone_by_path.items()):
        # A list of 25,000 bullets is counted only where so many went that it matters.
        held = sum(was.path == path for was in before.values()) if len(ids) > MASS_COUNT else 0
        many = len(ids) > MASS_COUNT and len(ids) > MASS_SHARE * held
        if many and not believe:
            problems.append(
                Problem(
                    path=path,
                    code="mass-deletion",
                    message=f"{len(ids)} of {held} bullets vanished at once, "
                    "so nothing was retracted",
                    hint="run `vaultmem sync --confirm-deletions` if you meant it, "
                    f"or `vaultmem restore {path}` to get them back",
                )
            )
        else:
            gone += ids
    return gone, problems


def _endings(
    gone: Sequence[str], now: Mapping[str, Placed], items: Mapping[str, Item]
) -> Iterable[Effect]:
    """What becomes of items whose bullets are gone: retracted, unless joined to another one."""
    into = {former: id_ for id_, here in now.items() for former in here.bullet.joined}
    for id_ in gone:
        later = into.get(id_)
        if later is None or later not in items:
            yield Retract(id=id_)
        else:
            yield Join(id=id_, into=later)


def _waiting(
    before: Mapping[str, Placed], now: Mapping[str, Placed], waiting: Iterable[str]
) -> Iterable[Problem]:
    """Bullets that changed while their items cannot be read."""
    for id_ in sorted(waiting):
        here = now.get(id_) or before[id_]
        yield Problem(
            path=here.path,
            line=here.bullet.line if id_ in now else None,
            code="item-unreadable",
            message=f"the bullet of '{id_}' changed, but its item cannot be read",
            hint="mend the item's front matter; `vaultmem check` says what is wrong with it",
        )


def _repeated_ids(streams: Iterable[Stream]) -> Iterable[Problem]:
    streams = tuple(streams)
    ids = [id_ for stream in streams for id_ in _ids(stream)]
    if len(set(ids)) == len(ids):
        return
    seen: dict[str, Placed] = {}
    for stream in streams:
        for bullet in stream.bullets:
            if bullet.block_id is None:
                continue
            first = seen.get(bullet.block_id)
            if first is None:
                seen[bullet.block_id] = Placed(stream.path, stream.name, bullet)
            else:
                yield Problem(
                    path=stream.path,
                    line=bullet.line,
                    code="repeated-block-id",
                    message=f"block id '^{bullet.block_id}' stands on two bullets; "
                    f"the first is in '{first.path}' line {first.bullet.line}",
                    hint="delete the id from the copy, and it becomes a memory of its own",
                )
