"""Carry a person's edits over to the files that follow, and make lists and items agree again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import base
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    PatchRefusedError,
    VaultmemError,
    is_of_some_files,
    is_refusal,
    replace,
)
from vaultmem.edit.adopt import Adopting, reread, too_long
from vaultmem.extract import Drafting
from vaultmem.facts import SUPERSEDED, Contradictions, as_links, close, keys_of, ticked_at, unlist
from vaultmem.language import format_instant
from vaultmem.model import (
    Bullet,
    Item,
    Learned,
    Oid,
    Plan,
    Problem,
    Remove,
    Severity,
    Stream,
    Write,
    blob_oid,
    id_in_name,
    join_nonempty,
    pluralise,
    subject,
    trust_trailers,
)
from vaultmem.storage import files, notes
from vaultmem.storage.files import CATEGORIES, is_markdown
from vaultmem.vault import (
    STREAMS_FOLDER,
    AddBullet,
    Adopt,
    Effect,
    Join,
    Listings,
    Patch,
    RemoveBullet,
    Retract,
    Reword,
    SetDone,
    SetStream,
    Untick,
    WorkingCopy,
    bullets_by_id,
    compare,
    in_question,
    load_items,
    may_be_listed,
    one_line,
    read_record,
    streams_on_disk,
    unreadable_items,
    without_barred,
)

if TYPE_CHECKING:
    from vaultmem.model import Draft, Progress
    from vaultmem.vault import Vault
_OfItem = Reword | Patch | Retract | Join | SetDone | SetStream | AddBullet | RemoveBullet | Untick


class Following:
    """Effects applied on a working copy; then one plan, and what there is to tell."""

    def __init__(
        self,
        vault: Vault,
        items: Mapping[str, Item],
        *,
        working_copy: WorkingCopy | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._vault = vault
        self._progress: Progress = progress or (lambda what, done, total: None)
        self._working_copy = working_copy or WorkingCopy(vault)
        self._listings = Listings(vault, self._working_copy)
        self._drafting = Drafting(vault, categories=self._listings.category_slugs)
        self._items = dict(items)
        self._against = Contradictions(self._listings)
        self._adopted: list[tuple[Item, Draft]] = []  # not compared with what is known yet
        self._restated: list[str] = []  # ids of known items with other words or another value
        self._learned: list[Learned] = []
        self._said: list[str] = []  # lines for the commit: what became of slots
        self._levelled = 0  # categories whose summaries alone had to follow
        self._now = vault.clock.now()
        self._adopting = Adopting(vault, self._drafting, now=self._now)

    @property
    def learned(self) -> tuple[Learned, ...]:
        """What changed in the memory, in the order of the effects."""
        return tuple(self._learned)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Lists that could not follow."""
        return tuple(self._listings.problems)

    def plan(self, effects: Sequence[Effect]) -> Plan:
        """Everything so far as one plan."""
        with self._listings.dropping_together():
            self._compare_adopted()
            self._compare_restated()
        changes = self._working_copy.step()
        items = sorted({effect.id for effect in effects if not isinstance(effect, Adopt)})
        adopted = [each.id for each in self._learned if each.what in ("adopted", "ended")]
        trailers = (("Vaultmem-Items", ", ".join([*adopted, *items])),) if adopted or items else ()
        return Plan(
            op="sync",
            actor="editor",
            subject=_subject(len(effects) + self._levelled, self._learned),
            changes=changes,
            trailers=trailers,
            details="\n".join(dict.fromkeys(self._said)),
        )

    def note_restated(self, id_: str) -> None:
        """The person gave an item other words, or another slot: it is held against the others."""
        self._restated.append(id_)

    def summarise(self, items: Sequence[Item]) -> None:
        """The items' lines stand in their categories again."""
        self._listings.add_to_categories(items)

    def level_summaries(self, changed: Collection[str]) -> None:
        """Lines of `changed` categories, or of `changed` items, say what their items say."""
        self._levelled += self._listings.level_summaries(changed)

    def level_lines(self, edited: Iterable[PurePosixPath]) -> None:
        """Summaries say of these notes what they say by now."""
        self._levelled += sum(self._listings.level_lines(path) for path in edited)

    def follow(self, effects: Sequence[Effect]) -> None:
        """Carry effects over; what a file does not let us change becomes a problem.

        New bullets first: until they have their ids they are known by their lines.
        """
        # All of a file are adopted at once: read and written anew for each bullet, a list of 1,800
        # took over four minutes.
        self._adopt([effect for effect in effects if isinstance(effect, Adopt)])
        for effect in effects:
            if isinstance(effect, Adopt):
                continue
            try:
                self._follow(effect)
            except PatchRefusedError as refused:
                self._listings.report(self._place_of(effect), refused)

    def _place_of(self, effect: _OfItem) -> PurePosixPath:
        if isinstance(effect, Patch | RemoveBullet | Untick):
            return effect.path
        return self._items[effect.id].path

    def _follow(self, effect: _OfItem) -> None:
        match effect:
            case Reword():
                self._reword(effect.id, effect.text)
            case Patch():
                self._patch(effect.path, effect.id, effect.text)
            case Retract():
                self._end(effect.id, "retracted", {"status": "retracted"})
            case Join():
                self._join(effect.id, effect.into)
            case SetDone():
                self._set_done(effect.id, done=effect.done)
            case SetStream() if not self._is_believed(effect.id, effect.stream):
                return
            case SetStream():
                self._listings.patch_item(self._items[effect.id], {"stream": effect.stream})
                self._tell("changed", self._items[effect.id], f"now in {effect.stream}")
            case AddBullet() if not self._is_believed(effect.id, effect.stream):
                return
            case AddBullet():
                item = self._items[effect.id]
                self._listings.add_bullet(effect.stream, item.id, item.statement)
            case Untick():
                self._listings.untick_bullet(effect.path, effect.id)
            case RemoveBullet():
                self._listings.remove_bullet(effect.path, effect.id)
                item_or_none = self._items.get(effect.id)
                if item_or_none is not None and not self._is_summarised(item_or_none):
                    self._listings.drop_from_categories(item_or_none)

    def _is_summarised(self, item: Item) -> bool:
        """Whether categories name the item: it holds, and is not from outside."""
        return item.status == "active" and may_be_listed(self._vault, item)

    def _is_believed(self, id_: str, stream: str) -> bool:
        """Whether the stream may take the item in; a problem when it may not."""
        item = self._items[id_]
        if may_be_listed(self._vault, item, stream=stream):
            return True
        self._listings.problems.append(
            Problem(
                path=item.path,
                code="untrusted-in-stream",
                message=f"not your own words, so the stream '{stream}' does not list it",
                hint=f"if it is true, say so: `vaultmem review approve {item.id}`",
                severity=Severity.WARNING,
            )
        )
        return False

    def _adopt(self, effects: Sequence[Adopt]) -> None:
        """Notes for new bullets, whose lines gain ids; each file is read and written once.

        A bullet that cannot be given its id makes no note: the next sync would adopt it again.
        """
        ids: dict[PurePosixPath, dict[int, str]] = {}
        coming: list[tuple[Adopt, Item, Draft]] = []
        for number, effect in enumerate(effects, 1):
            self._progress("reading new bullets", number, len(effects))
            try:
                item, draft = self._adopting.item_of(effect)
                self._listings.add_note(item)
            except BadInputError:
                self._listings.report(effect.path, too_long(effect.bullet))
                continue
            if effect.bullet.block_id is None:
                ids.setdefault(effect.path, {})[effect.bullet.line] = item.id
            coming.append((effect, item, draft))
        refused = {path: self._listings.adopt_bullets(path, lines) for path, lines in ids.items()}
        listed: list[Item] = []
        for effect, item, draft in coming:
            if effect.bullet.line in refused.get(effect.path, frozenset()):
                self._working_copy.remove(item.path)
                continue
            self._against.add(item)
            if item.status == "active":
                self._adopted.append((item, draft))
                listed.append(item)
            self._items[item.id] = item
            self._tell("adopted", item, item.statement)
        self._listings.add_to_categories(listed)

    def _compare_adopted(self) -> None:
        """Adopted items beside what is known: what they replace ends, and its bullet goes.

        A bullet that says more than a known item takes its place, with the sources of both.
        """
        zone = self._vault.settings.timezone
        beside = {item.path for item, _ in self._adopted}
        for number, (item, draft) in enumerate(self._adopted, 1):
            verdict = self._against.settle(
                item, at=self._now, now=self._now, is_default=True, ends=draft.ends, beside=beside
            )
            self._progress("comparing new bullets", number, len(self._adopted))
            after, ended = verdict.item, verdict.ended
            keys = keys_of(item, after, zone=zone)
            former = verdict.updates
            if former is not None and (former.valid_from is None or former.valid_from < self._now):
                ended.append(
                    close(
                        self._listings,
                        former,
                        until=self._now,
                        status=SUPERSEDED,
                        now=self._now,
                        by=item.path.stem,
                    )
                )
                sources = tuple(dict.fromkeys((*former.source, *item.source)))
                keys |= {
                    "valid_from": format_instant(self._now, zone),
                    "source": as_links(sources),
                    "supersedes": as_links((former.path.stem,)),
                }
            if keys:
                self._listings.patch_item(item, keys)
            if after.status != "active":
                unlist(self._listings, after)
            self._items[item.id] = after
            for each in ended:
                self._items[each.id] = each
                self._tell("ended", each, each.statement)
        self._adopted.clear()

    def _compare_restated(self) -> None:
        """Reworded items beside what is known: others may end, the words of the person stay."""
        if not self._restated:
            return
        from vaultmem.edit.adopt import compare  # another than above

        items = [self._items[id_] for id_ in dict.fromkeys(self._restated) if id_ in self._items]
        for each in compare(self._listings, items, self._against, self._drafting, now=self._now):
            self._items[each.id] = each
            self._tell("ended", each, each.statement)

    def _reword(self, id_: str, text: str) -> None:
        item = self._items[id_]
        self._listings.reword_item(item, text)
        self._items[id_] = self._reread(item, replace(item, statement=text))
        self.note_restated(id_)
        self._tell("changed", item, text)

    def note_reworded(self, before: Item) -> None:
        """The person wrote other words into a note: its slot says what they say."""
        now = self._items.get(before.id)
        if now is None:
            return
        self._items[before.id] = after = self._reread(before, now)
        if after != now:
            self._tell("changed", after, after.statement)

    def _reread(self, before: Item, now: Item) -> Item:
        zone = self._vault.settings.timezone
        found = reread(before, now, self._drafting, at=self._now, zone=zone)
        if found.keys and not self._listings.could_patch(now, found.keys):
            return now
        self._said += found.said
        return found.item

    def _patch(self, path: PurePosixPath, id_: str, text: str) -> None:
        item = self._items[id_]
        self._listings.set_bullet(path, id_, text)
        self._listings.reword_in_categories(item, text)
        self._tell("changed", item, text)

    def _join(self, id_: str, into: str) -> None:
        """Its words went on in another item: it is not retracted, it has a successor."""
        item, later = self._items[id_], self._items[into]
        ended = close(
            self._listings,
            item,
            until=self._now,
            status=SUPERSEDED,
            now=self._now,
            by=later.path.stem,
        )
        links = tuple(dict.fromkeys((*later.supersedes, item.path.stem)))
        self._listings.patch_item(later, {"supersedes": as_links(links)})
        self._items[into] = replace(later, supersedes=links)
        self._items[id_] = ended
        self._tell("ended", ended, item.statement)

    def _set_done(self, id_: str, *, done: bool) -> None:
        if done:
            zone = self._vault.settings.timezone
            until = ticked_at(self._items[id_].valid_from, now=self._now, zone=zone)
            ended = format_instant(until, zone)
            self._end(id_, "done", {"status": "expired", "valid_until": ended})
            return
        item = self._items[id_]
        self._listings.patch_item(item, {"status": "active", "valid_until": None})
        self._listings.add_to_categories([item])
        self._tell("changed", item, "open again: " + item.statement)

    def _end(
        self, id_: str, what: str, changes: Mapping[str, str | tuple[str, ...] | float | None]
    ) -> None:
        item = self._items[id_]
        self._listings.patch_item(item, changes)
        self._listings.drop_from_categories(item)
        self._tell(what, item, item.statement)

    def _tell(self, what: str, item: Item, text: str) -> None:
        self._learned.append(Learned(what=what, path=item.path, text=one_line(text), id=item.id))


def _subject(effects: int, learned: Sequence[Learned]) -> str:
    if len(learned) == 1:
        return subject("sync", f"{learned[0].what} {learned[0].text}")
    count = {what: sum(each.what == what for each in learned) for what in _TOLD}
    said = join_nonempty([f"{count[what]} {what}" for what in _TOLD if count[what]])
    return f"sync: {said or pluralise(effects, 'list line') + ' brought level'}"


_TOLD = ("adopted", "changed", "ended", "retracted", "done")


# --- lists and items after a change of one of them ---


# An undo, a restored note or a mended one puts bytes of some files back. What these mean for the
# other side of each bullet goes into the same commit, so that every commit without the mark
# Vaultmem-Unsettled is one in which both sides agree: the merge of two devices builds on that.
def agree(
    vault: Vault, working_copy: WorkingCopy, paths: Sequence[PurePosixPath], *, adopt: bool
) -> tuple[Problem, ...]:
    """Let lists follow the items on the bench, and items the lists; under the writer lock.

    paths    files that were changed on the bench, and nothing else yet
    adopt    make items of bullets without a block id; False: those just lost theirs by intent
    returns  what only a person can decide: the commit is to be marked as unsettled then
    """
    before = streams_on_disk(vault)
    coming = {path: _record(vault, working_copy, path) for path in paths}
    for path in _take_out_repeated(working_copy, before, _streams(before, coming), paths):
        coming[path] = _record(vault, working_copy, path)
    _take_out_repeated_links(working_copy, paths)
    after = _streams(before, coming)
    touched = _touched_ids(vault, coming)
    items = load_items(vault, in_question(before, after, touched=touched))
    # Of these the index still has what they said before.
    items = {id_: item for id_, item in items.items() if item.path not in coming}
    items |= {record.id: record for record in coming.values() if isinstance(record, Item)}
    found = compare(
        before,
        after,
        without_barred(vault, items, bullets_by_id(after)),
        touched=touched,
        unreadable=unreadable_items(vault) - items.keys(),
        flow_limit=vault.settings.limits_flow_items,
    )
    follows = _follows(vault, before, after, items, adopt=adopt)
    effects = [each for effect in found.effects for each in follows(effect)]
    back = [each for each in coming.values() if isinstance(each, Item) and _is_back(vault, each)]
    return (*found.problems, *_carry_out(vault, working_copy, items, effects, back, paths))


def _take_out_repeated(
    working_copy: WorkingCopy,
    before: Sequence[Stream],
    after: Sequence[Stream],
    paths: Collection[PurePosixPath],
) -> tuple[PurePosixPath, ...]:
    """Take out of lists that come the lines whose block id stands elsewhere; the changed files.

    A line that was deleted may have come back another way before the deletion is undone: put back
    at its old place by a merge of lines, it would stand twice. What the lists repeat already is
    left to the person.
    """
    stood: dict[str, list[tuple[PurePosixPath, str]]] = {}
    for stream in before:
        for bullet in stream.bullets:
            if bullet.block_id is not None:
                # A merge of lines knows nothing of block ids: a line whose deletion was undone came
                # back once more by the undoing of an older edit.
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
        working_copy.put(path, notes.remove_lines(working_copy.existing(path), numbers))
    return tuple(gone)


def _take_out_repeated_links(working_copy: WorkingCopy, paths: Collection[PurePosixPath]) -> None:
    """One line an item in the categories that come: a merge of lines puts them back twice, too."""
    for path in paths:
        data = working_copy.text(path) if path.parts[0] == CATEGORIES else None
        if data is not None:
            with suppress(base.PatchRefusedError):  # markers that do not pair hold no lines
                working_copy.put(path, notes.without_repeats(data))


def _is_back(vault: Vault, item: Item) -> bool:
    """Whether an item holds again that did not: it had ended, was retracted, or was gone."""
    if item.status != "active":
        return False
    before = read_record(vault, item.path)
    return not isinstance(before, Item) or before.status != "active"


def _carry_out(
    vault: Vault,
    working_copy: WorkingCopy,
    items: Mapping[str, Item],
    effects: Sequence[Effect],
    back: Sequence[Item],
    paths: Sequence[PurePosixPath],
) -> tuple[Problem, ...]:
    following = Following(vault, items, working_copy=working_copy)
    following.follow(effects)
    following.summarise(back)
    following.level_summaries([path.as_posix() for path in paths])
    return following.problems


def _follows(
    vault: Vault,
    before: Sequence[Stream],
    after: Sequence[Stream],
    items: Mapping[str, Item],
    *,
    adopt: bool,
) -> Callable[[Effect], tuple[Effect, ...]]:
    """What an effect of an edit is for a file that was put back on purpose."""
    listed = bullets_by_id(before)

    def follows(effect: Effect) -> tuple[Effect, ...]:
        if isinstance(effect, Adopt):
            return (effect,) if adopt or effect.bullet.block_id else ()
        if isinstance(effect, RemoveBullet) and effect.id not in listed:
            item = items.get(effect.id)
            if item is not None and item.status == "retracted":
                return (SetDone(id=effect.id, done=False),)  # its line was wanted back
        if isinstance(effect, SetStream):
            item = items.get(effect.id)
            if item is not None and not may_be_listed(vault, item, stream=effect.stream):
                # It was put back with the list; believed less since, it has no place there.
                return (RemoveBullet(path=bullets_by_id(after)[effect.id].path, id=effect.id),)
        return (effect,)

    return follows


def _record(vault: Vault, working_copy: WorkingCopy, path: PurePosixPath) -> object:
    data = working_copy.text(path)
    if data is None:
        return None
    return notes.decode(path, data, Oid(""), zone=vault.settings.timezone).record


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


def _touched_ids(vault: Vault, coming: Mapping[PurePosixPath, object]) -> frozenset[str]:
    """Ids of the items at these paths, now and before."""
    found: set[str] = set()
    for path, record in coming.items():
        for each in (record, read_record(vault, path)):
            if isinstance(each, Item):
                found.add(each.id)
        # A note that cannot be read has its id in its name still.
        named = id_in_name(path.stem)
        if named is not None and named.startswith("i-"):
            found.add(named)
    return frozenset(found)


# What a person saved, as a plan: their bytes exactly, and nothing else.


def plan_edit(vault: Vault, *, without: frozenset[str] = frozenset()) -> Plan | None:
    """The person's uncommitted changes as one plan; None when there are none.

    without  notes that are not to be committed
    What a person has staged is a commit that they are still composing: it is left alone.
    """
    pending = vault.index.pending()
    staged = {*vault.history.staged_paths(()), *without}
    found = (_as_saved(vault, state.path, state.oid) for state in pending)
    changes = [
        change for change in found if change is not None and change.path.as_posix() not in staged
    ]
    if not changes:
        return None
    changes.sort(key=lambda change: change.path)
    return Plan(
        op="edit",
        actor="editor",
        subject=_edit_subject(changes),
        changes=tuple(changes),
        trailers=_believed_less(vault, changes),
    )


def _believed_less(vault: Vault, changes: Sequence[Write | Remove]) -> tuple[tuple[str, str], ...]:
    """Trailers that keep what new notes say of themselves, when that is less than the person's.

    A writer that was killed before its commit leaves such notes: without a record, a later edit
    of their front matter would be believed.
    """
    states = vault.index.files([change.path.as_posix() for change in changes])
    fresh = (c.path for c in changes if not states[c.path.as_posix()].head_oid)
    rows = vault.index.notes(set(fresh)).values()
    return trust_trailers(
        {row.id: row.trust for row in rows if row.id and row.type in ("item", "resource")}
    )


def _as_saved(vault: Vault, name: str, oid: str) -> Write | Remove | None:
    """The file as the index saw it; None when it changed again since (the next sync takes it)."""
    path = PurePosixPath(name)
    if not oid:
        # Too large, unreadable or behind a link now: not in the index, but not gone from disk.
        return Remove(path=path, expects=Oid("")) if files.is_path_gone(vault.root, path) else None
    try:
        data = files.read(vault.root, path, limit=None)
    except VaultmemError as error:
        if is_refusal(error) and not is_of_some_files(error.__cause__):
            raise
        return None
    if blob_oid(data, algorithm=vault.history.algorithm) != oid:
        return None
    return Write(path=path, content=data, expects=Oid(oid))


def _edit_subject(changes: Sequence[Write | Remove]) -> str:
    are_notes = [is_markdown(change.path.name) for change in changes]
    pairs = zip(changes, are_notes, strict=True)
    names = [each.path.stem if is_note else each.path.name for each, is_note in pairs]
    if len(names) == 1:
        verb = "delete " if isinstance(changes[0], Remove) else ""
        return subject("edit", verb + names[0])
    return subject(
        "edit", f"{pluralise(len(names), 'note' if all(are_notes) else 'file')}: {', '.join(names)}"
    )
