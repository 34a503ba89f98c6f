"""What the memory learned, changed and dropped between two states of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, BadInputError, dataclass, replace
from vaultmem.history import versions as past
from vaultmem.history.later import changes, word_changes
from vaultmem.history.moment import point
from vaultmem.model import LASTING, STREAMS, Difference, DiffReport, Version, id_in_name
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.storage.index import Past
    from vaultmem.vault import Vault

LEARNED, CHANGED, DROPPED = "learned", "changed", "dropped"
_ORDER = (LEARNED, CHANGED, DROPPED)
_TYPES = ("item", "resource", "category", "stream", "page")


def difference(
    vault: Vault,
    start: str,
    end: str = "now",
    *,
    streams: Sequence[str] = (),
    categories: Sequence[str] = (),
    progress: Progress | None = None,
) -> DiffReport:
    """Items, texts and lists that differ between two states, by what happened and by time.

    start, end           as `moment.point` reads them; the later of both last
    streams, categories  only what was or is in one of these streams, and in one of these categories
    An item that took another's place is one change, not one that came and one that went.
    raises  BadInputError for a time that cannot be read, and for an end before the start
    """
    for stream in streams:
        if stream not in STREAMS:
            raise BadInputError(
                f"no stream is called '{stream}'", hint=f"streams: {', '.join(STREAMS)}"
            )
    asked = _Asked(streams=frozenset(streams), categories=frozenset(categories))
    return answering.reading(vault, lambda: _difference(vault, start, end, asked, progress))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Streams and categories that a person asks about; none: all."""

    streams: frozenset[str]
    categories: frozenset[str]

    def about(self, *versions: Version | None) -> bool:
        """Whether one of these states of a note belongs to what is asked about."""
        return any(self._holds(each) for each in versions if each is not None)

    def _holds(self, version: Version) -> bool:
        name = version.path.stem.partition(".")[0]
        if version.type == "stream":
            return name in self.streams or not (self.streams or self.categories)
        if version.type == "category":
            return name in self.categories or not (self.streams or self.categories)
        return (not self.streams or version.stream in self.streams) and (
            not self.categories or not self.categories.isdisjoint(version.categories)
        )


def _difference(
    vault: Vault, start: str, end: str, asked: _Asked, progress: Progress | None
) -> DiffReport:
    known = past.level(vault, progress=progress)
    with known.snapshot():
        return _difference_in(vault, known, start, end, asked)


def _difference_in(vault: Vault, known: Past, start: str, end: str, asked: _Asked) -> DiffReport:
    first, after = point(vault, known, start)
    last, until = point(vault, known, end)
    if after is not None and (until is None or until < after):
        raise BadInputError(
            f"'{end}' lies before '{start}'", hint="name the earlier of the two first"
        )
    found = [] if until is None else _between(vault, known, after, until, asked)
    return DiffReport(
        start=first,
        end=last,
        commits=(-1 if until is None else until) - (-1 if after is None else after),
        differences=tuple(sorted(found, key=_order)),
        pending=len(vault.index.pending()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fate:
    """One note between the two states."""

    before: Version | None
    after: Version | None
    at: int
    commits: tuple[str, ...]


def _between(
    vault: Vault, known: Past, after: int | None, until: int, asked: _Asked
) -> list[Difference]:
    zone = vault.settings.timezone
    fates = list(_fates(known, after, until))
    came = {fate.after.id: fate for fate in fates if fate.after is not None and fate.after.id}
    found: list[Difference] = []
    joined: set[str] = set()
    for fate in fates:
        successor = _successor(fate, came)
        if successor is not None and fate.before and fate.after and successor.after:
            joined.update((fate.after.id, successor.after.id))
            if not asked.about(fate.before, successor.after):
                continue
            found.append(_replacement(fate, fate.before, fate.after, successor, zone))
    told = (_difference_of(fate, zone) for fate in fates if asked.about(fate.before, fate.after))
    return found + [each for each in told if each is not None and each.id not in joined - {""}]


def _fates(known: Past, after: int | None, until: int) -> Iterator[_Fate]:
    """What became of each note that a commit between the two states touched."""
    versions, then, now = known.versions_between(after, until)
    by_note: dict[str, list[int]] = {}
    for place, version in enumerate(versions):
        by_note.setdefault(version.id or str(version.path), []).append(place)
    since = None if after is None else known.commit_at(after)
    for places in by_note.values():
        before = next((versions[each] for each in places if each in then), None)
        last = next((versions[each] for each in reversed(places) if each in now), None)
        if before is None and last is None:
            continue  # came and went in between
        commits: dict[str, int] = {}
        for each in places:
            version = versions[each]
            if each not in then:
                commits[version.commit] = version.recorded_at_ms
            if each not in now and version.superseded_at_ms is not None:
                commits[version.superseded_by_commit] = version.superseded_at_ms
        commits.pop(since[0] if since else "", None)
        yield _Fate(
            before=before,
            after=last,
            at=max(commits.values(), default=0),
            commits=tuple(sorted(commits, key=lambda commit: commits[commit])),
        )


def _successor(fate: _Fate, came: Mapping[str, _Fate]) -> _Fate | None:
    """What took the place of an item that counted before and does not any more."""
    before, after = fate.before, fate.after
    if before is None or after is None or not _counts(before) or after.status != "superseded":
        return None
    named = [came.get(id_in_name(link) or "") for link in after.superseded_by]
    naming = (
        other
        for other in came.values()
        if other.after is not None and after.id in map(id_in_name, other.after.supersedes)
    )
    found = next((each for each in (*named, *naming) if each is not None), None)
    # One that was there at the first state took no place in between: it is told as a change of its
    # own.
    return found if found is not None and found.before is None else None


def _replacement(
    fate: _Fate, before: Version, ended: Version, successor: _Fate, zone: str
) -> Difference:
    """One item in place of another, as one change."""
    after = successor.after or ended
    commits = (*successor.commits, *fate.commits)
    return replace(
        _of(after, CHANGED, successor),
        before=before.statement,
        changes=(word_changes(before.statement, after.statement), *changes(before, ended, zone)),
        at=max(fate.at, successor.at),
        commits=tuple(dict.fromkeys(commits)),
    )


def _difference_of(fate: _Fate, zone: str) -> Difference | None:
    """What happened to one note; None when nothing that it says did."""
    before, after = fate.before, fate.after
    if after is None:
        if before is None or (before.type == "item" and not _counts(before)):
            return None  # it did not count any more
        return replace(_of(before, DROPPED, fate), changes=("gone",))
    if before is None:
        if after.type == "item" and not _counts(after):
            return None  # recorded as something that was over already
        return _of(after, LEARNED, fate)
    if before.oid == after.oid:
        return None
    said = changes(before, after, zone)
    if after.type == "item" and _counts(before) != _counts(after):
        what = DROPPED if _counts(before) else LEARNED
        return replace(_of(after, what, fate), before=_says(before), changes=said)
    if after.type == "item" and not _counts(after):
        return None
    return replace(_of(after, CHANGED, fate), before=_says(before), changes=said)


def _counts(version: Version) -> bool:
    return version.status in LASTING


def _says(version: Version) -> str:
    return version.statement if version.type == "item" else version.title


def _of(version: Version, what: str, fate: _Fate) -> Difference:
    return Difference(
        what=what,
        type=version.type,
        id=version.id,
        path=version.path,
        statement=_says(version),
        kind=version.kind,
        stream=version.stream,
        categories=version.categories,
        at=fate.at,
        commits=fate.commits,
    )


def _order(each: Difference) -> tuple[int, int, int, str]:
    return _ORDER.index(each.what), _TYPES.index(each.type), each.at, each.id or str(each.path)
