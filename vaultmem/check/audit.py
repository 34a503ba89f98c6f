"""Name what others changed: the ledger against the history, the history against the files.

Only the ledger is believed. A commit is ours when the ledger says so, whatever its message
claims; a commit of the ledger that the history does not contain was taken out, whoever did it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath

from vaultmem import edit, language
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, VaultmemError, dataclass
from vaultmem.check.repository_problems import gap_remarks
from vaultmem.model import (
    APPROVED,
    TRAILERS,
    AuditReport,
    Filters,
    Finding,
    Group,
    NoteRow,
    Sending,
    id_in_name,
    pluralise,
)
from vaultmem.storage import files, notes
from vaultmem.vault import BEGIN, EDITOR, MADE, PLAN, PULLED, SEEN, SENT, ledger, level

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.storage.git import Detail, Node
    from vaultmem.vault import Ledger, Line, Vault

LIMIT = 20


def audit(
    vault: Vault,
    *,
    since: str | None = None,
    limit: int = LIMIT,
    acknowledge: bool = False,
    progress: Progress | None = None,
) -> AuditReport:
    """What changed from outside since the anchor; reads every file again.

    since        a commit or date to compare from, instead of the last anchor
    limit        findings of each kind in the report; all are counted
    acknowledge  take the state that the report describes as the new anchor
    raises       BadInputError  `since` names neither a commit nor a date
    """
    level.refresh(vault, rehash=True, progress=progress)
    # Before the ledger: a commit is announced there before the branch moves, so one that another
    # process makes just now is never taken for a forged one.
    head = vault.history.head() or ""
    kept = ledger.read(vault.state)
    beginning = kept is None or not any(line.kind in (BEGIN, SEEN) for line in kept.lines)
    # Asked before `accept`, which makes a key.
    had_one = ledger.key_is_there(vault.state)
    if beginning:
        ledger.accept(vault, begins=True)
        kept = ledger.read(vault.state)
    assert kept is not None
    with vault.index.snapshot():
        comparison = compare(vault, kept, head=head, since=since)
        suspicious, normal = groups(
            vault, comparison, limit=limit, was_deleted=beginning and had_one
        )
    sendings = comparison.sendings
    report = AuditReport(
        head=comparison.head or None,
        anchor=comparison.base or None,
        anchored_at=comparison.base_at,
        accepted=comparison.accepted,
        beginning=beginning,
        recorded=len(comparison.recorded),
        suspicious=suspicious,
        normal=normal,
        sendings=sendings[:limit],
        sent=len(sendings),
        remarks=(*gap_remarks(vault), *_remarks(kept)),
    )
    if acknowledge:
        _accept(vault, comparison.head)
    return report


def _accept(vault: Vault, seen: str) -> None:
    """The new anchor; the person's uncommitted edits become history before it, as in a sync."""
    with vaults.writer_lock(vault):
        if (vault.history.head() or "") != seen:
            raise BadInputError(
                "the history moved while it was looked at, so it was not accepted",
                hint="run `vaultmem audit` again and look at what is new",
            )
        level.refresh(vault)
        edit.settle(vault)
        ledger.accept(vault)


def _remarks(kept: Ledger) -> Iterator[str]:
    if kept.torn:
        yield (
            f"{kept.torn} unfinished line(s) in the ledger: a write was cut off there, as by a "
            "power cut; nothing that was recorded is missing"
        )


def compare(vault: Vault, kept: Ledger, *, head: str, since: str | None) -> Comparison:
    """The ledger beside the history below `head`, since the last anchor, a commit or a date."""
    lineage = vault.history.lineage()
    anchors = [line for line in kept.lines if line.kind in (BEGIN, SEEN)]
    there = lineage.existing({line.head for line in anchors if line.head})
    graph = lineage.graph([*({head} - {""}), *sorted(there)])
    anchor = anchors[-1]
    base, base_at, first = anchor.head, anchor.at_ms, anchor.number
    if since is not None:
        base, base_at = _since(vault, since, graph, head)
        first = 0
    # Where the anchored commit itself is gone, the newest earlier one that is left bounds the
    # list of unknown commits; else it would name the whole history.
    bounds = [base] if base in graph else []
    if not bounds and since is None:
        bounds = [each.head for each in reversed(anchors) if each.head in there][:1]
    contained = reachable(graph, head)
    old = reachable(graph, bounds[0]) if bounds else frozenset[str]()
    made = {line.head: line for line in kept.lines if line.kind in MADE}
    plans = dict(_plans(kept.lines))
    known = made.keys() | plans.keys()
    counted = [
        line
        for line in made.values()
        if line.number > first and (since is None or line.at_ms >= base_at)
    ]
    # Built anew for each commit, this set took 43 s for 20,000.
    new = contained - old
    kind_of = plans | {commit: line.kind for commit, line in made.items()}
    # A history that was set back behind the accepted state named that state alone, '1', however
    # many commits of ours went with it.
    if base and base not in contained and since is None:
        counted = [*_vouched_commits(kept.lines, reachable(graph, base), contained), *counted]
        counted += [anchor] if base not in {line.head for line in counted} else []
    missing = [line for line in counted if line.head not in contained]
    return Comparison(
        head=head,
        base=base,
        base_at=base_at,
        accepted=anchor.kind == SEEN,
        graph=graph,
        recorded=tuple(sorted(commit for commit in new if commit in known)),
        editor=tuple(c for c in graph if c in new and kind_of.get(c) == EDITOR),
        pulled=tuple(c for c in graph if c in new and kind_of.get(c) == PULLED),
        missing=tuple(sorted(missing, key=lambda line: -line.number)),
        unknown=tuple(c for c in main_line(graph, head) if c not in old and c not in known),
        sendings=tuple(_sendings(kept.lines, base_at if since is not None else 0, first)),
        altered=lineage.find_altered(graph, head),
        broken=kept.broken,
        has_key=kept.has_key,
    )


def _vouched_commits(
    lines: Sequence[Line], theirs: Collection[str], contained: Collection[str]
) -> tuple[Line, ...]:
    """Our commits that an anchor which is gone vouched for, after the newest anchor that is left.

    What had been lost before that anchor was accepted is none of them. Where git has the anchor no
    more (`theirs`, what it contained, is empty), nobody can tell, and it is named again.
    """
    anchors = [line for line in lines if line.kind in (BEGIN, SEEN)]
    # A history that was set back behind the state accepted last named that state alone, '1',
    # however many commits of this device went with it.
    last = anchors[-1].number
    first = max((line.number for line in anchors if line.head in contained), default=0)
    made = {line.head: line for line in lines if line.kind in MADE and first < line.number < last}
    return tuple(line for line in made.values() if not theirs or line.head in theirs)


def _since(vault: Vault, since: str, graph: Mapping[str, Node], head: str) -> tuple[str, int]:
    """Commit and moment that `since` means: a commit, or the last one before a date."""
    try:
        commit = vault.history.resolve(since)
    except BadInputError:
        try:
            moment = language.parse_when(since, vault.clock.now(), vault.settings.timezone)
        except BadInputError as error:
            raise BadInputError(
                f"'{since}' is neither a commit nor a date", hint="`vaultmem log` lists commits"
            ) from error
        before = (c for c in main_line(graph, head) if graph[c].at_ms < moment)
        return next(before, ""), moment
    return commit, graph[commit].at_ms if commit in graph else 0


def reachable(graph: Mapping[str, Node], tip: str) -> frozenset[str]:
    """All commits that `tip` contains, itself included."""
    found: set[str] = set()
    waiting = [tip]
    while waiting:
        commit = waiting.pop()
        if commit not in found and commit in graph:
            found.add(commit)
            waiting += graph[commit].parents
    return frozenset(found)


def main_line(graph: Mapping[str, Node], head: str) -> Iterator[str]:
    """The first-parent chain, newest first; a forged one that comes back to itself ends there."""
    seen = set()
    # A forged graph in which a commit is its own parent made `audit` run for ever.
    while head in graph and head not in seen:
        seen.add(head)
        yield head
        head = next(iter(graph[head].parents), "")


def _plans(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """(commit, kind) of what was announced; only counts where it did come into the history."""
    for line in lines:
        if line.kind == PLAN:
            commit, _, op = line.detail.partition(":")
            yield commit, ledger.kind_of(op)


def sendings(vault: Vault) -> tuple[Sending, ...]:
    """All that left this device, as its ledger lists it, newest first; nothing is compared."""
    kept = ledger.read(vault.state)
    return tuple(_sendings(kept.lines, 0, 0)) if kept is not None else ()


def _sendings(lines: Sequence[Line], moment: int, first: int) -> Iterator[Sending]:
    for line in reversed(lines):
        if line.kind == SENT and line.number > first and line.at_ms >= moment:
            what, where, how_much = ledger.sent_words(line.detail)
            yield Sending(at=line.at_ms, what=what, where=where, how_much=how_much)


_PATHS = 10
# Commits whose messages and files are read, and notes whose front matter is compared: what is
# beyond is counted and not looked into.
MOST_COMMITS = 100_000
# Git takes 4 ms to say what one changed in a folder of 10,000 notes: 51 s for 20,000 commits.
MOST_FILES = 1_000  # commits of which it is read what they changed
MOST_NOTES = 20_000
PROVENANCE = frozenset(
    ["id", "type", "source", "quote", "created", "writer", "trust", "origin", "channel", "sha256"]
)
"""Keys that say where a memory comes from; vaultmem sets them, a person seldom has a reason to."""
_OP, _RECORDED = "Vaultmem-Op", "Vaultmem-Recorded-At"
_CLAIMS = frozenset([_OP, *TRAILERS])  # what only vaultmem says in a commit

TITLES = {
    "history-rewound": "recorded here, and gone from the history (rolled back, reset, or removed)",
    "commit-rewritten": "recorded here, and in the history only in another form (rebased, "
    "amended, reordered, or altered)",
    "commit-claimed": "says that vaultmem made it, but this device did not (another device's "
    "that came without `vaultmem`, or forged)",
    "object-altered": "objects of the repository that are not what their ids say (forged or "
    "damaged; what this audit says of them is not certain)",
    "ledger-damaged": "the ledger of this device does not hold together",
    "ledger-deleted": "the ledger of this device was deleted",
    "identity": "notes that stand for another note, or for two",
    "resource-changed": "source texts that were changed (they never change in normal use)",
    "provenance-edited": "where a memory comes from was changed by hand",
    "edited-by-hand": "edited by hand, and taken in",
    "not-committed": "edited by hand, not committed yet",
    "made-with-git": "committed with git by somebody else than vaultmem",
    "pulled": "came from another device",
}
SUSPICIOUS = (
    *("object-altered", "history-rewound", "commit-rewritten", "commit-claimed"),
    *("ledger-damaged", "ledger-deleted", "identity", "resource-changed", "provenance-edited"),
)
NORMAL = ("edited-by-hand", "not-committed", "made-with-git", "pulled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The ledger beside the history."""

    head: str  # '': no commit yet
    base: str  # commit that is compared with; '': none
    base_at: int
    accepted: bool
    graph: Mapping[str, Node]
    recorded: tuple[str, ...] = ()  # ours, since the base, in the history
    editor: tuple[str, ...] = ()  # of these: a person's edits that vaultmem committed
    pulled: tuple[str, ...] = ()  # of these: of another device, through vaultmem
    missing: tuple[Line, ...] = ()  # recorded, not in the history
    unknown: tuple[str, ...] = ()  # in the history, not recorded; newest first
    sendings: tuple[Sending, ...] = ()  # newest first
    altered: tuple[str, ...] = ()  # commits and folders that are not what their ids say
    broken: tuple[int, ...] = ()  # lines of the ledger
    has_key: bool = True


def groups(
    vault: Vault, comparison: Comparison, *, limit: int, was_deleted: bool
) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """(suspicious, normal) groups; those without findings are left out."""
    found: dict[str, list[Finding]] = {code: [] for code in TITLES}
    outside = Outside(vault, comparison)
    for code, finding in outside.findings(was_deleted=was_deleted):
        found[code].append(finding)
    made = {
        code: Group(code=code, title=TITLES[code], count=len(each), findings=tuple(each[:limit]))
        for code, each in found.items()
        if each
    }
    return (
        tuple(made[code] for code in SUSPICIOUS if code in made),
        tuple(made[code] for code in NORMAL if code in made),
    )


class Outside:
    """Everything that came from outside, each read once for all questions."""

    def __init__(self, vault: Vault, comparison: Comparison) -> None:
        self._vault = vault
        self._comparison = comparison

    def findings(self, *, was_deleted: bool) -> Iterator[tuple[str, Finding]]:
        """(code, finding); of each code the newest first."""
        if was_deleted:
            yield "ledger-deleted", Finding(what="it begins anew now; what was before is unproven")
        yield from self._altered_objects()
        yield from self._ledger()
        yield from self._commits()
        yield from self._files()
        yield from self._identities()
        yield from self._changed_resources()
        yield from self._provenance()

    def _altered_objects(self) -> Iterator[tuple[str, Finding]]:
        for oid in self._comparison.altered:
            if oid in self._comparison.graph:
                yield "object-altered", Finding(what="other bytes under its id", commit=oid)
            else:
                what = f"folder {oid[:10]} of the last commit: other bytes under its id"
                yield "object-altered", Finding(what=what)

    def _ledger(self) -> Iterator[tuple[str, Finding]]:
        broken = self._comparison.broken
        if not broken:
            return
        shown = ", ".join(str(number) for number in broken[:_PATHS])
        more = f" and {len(broken) - _PATHS} more" if len(broken) > _PATHS else ""
        why = "" if self._comparison.has_key else "; the key is gone"
        what = f"{pluralise(len(broken), 'line')} not written by this device: {shown}{more}{why}"
        yield "ledger-damaged", Finding(what=what)

    # --- commits ---------------------------------------------------------------------------

    @cached_property
    def _unknown(self) -> tuple[Detail, ...]:
        lineage = self._vault.history.lineage()
        return tuple(lineage.details(self._comparison.unknown[:MOST_COMMITS], files=MOST_FILES))

    @cached_property
    def _editor(self) -> tuple[Detail, ...]:
        lineage = self._vault.history.lineage()
        return tuple(lineage.details(self._comparison.editor[:MOST_COMMITS], files=MOST_FILES))

    def _commits(self) -> Iterator[tuple[str, Finding]]:
        # A rewritten commit still says when it was recorded, to the millisecond.
        claims = Counter(_claim(detail) for detail in self._unknown if _OP in detail.trailers)
        rewritten = []
        for line in self._comparison.missing:
            key = (line.at_ms, line.detail)
            if claims[key] > 0:
                claims[key] -= 1
                rewritten.append(key)
                yield "commit-rewritten", self._loss_finding(line, "in the history in another form")
            else:
                yield "history-rewound", self._loss_finding(line, "gone from the history")
        again = Counter(rewritten)
        for detail in self._unknown:
            # A hand-made commit that says 'Vaultmem-Approved' raises trust, and was called normal.
            if not _CLAIMS.intersection(detail.trailers):
                merged = len(detail.parents) > 1
                yield "made-with-git", _finding(detail, "merged" if merged else "committed")
            elif again[_claim(detail)] > 0:
                again[_claim(detail)] -= 1
                what = "stands where a recorded commit was"
                yield "commit-rewritten", _finding(detail, what)
            else:
                vouches = ", and vouches for notes" if APPROVED in detail.trailers else ""
                yield "commit-claimed", _finding(detail, f"not recorded on this device{vouches}")
        for detail in self._editor:
            yield "edited-by-hand", _finding(detail, "edited by hand")
        lineage = self._vault.history.lineage()
        for detail in lineage.details(self._comparison.pulled[:MOST_COMMITS], files=MOST_FILES):
            yield "pulled", _finding(detail, "pulled")

    @cached_property
    def _left(self) -> Mapping[str, Detail]:
        """Lost commits that git still has, until it clears them away."""
        lineage = self._vault.history.lineage()
        lost = [line.head for line in self._comparison.missing[:MOST_COMMITS] if line.head]
        there = lineage.existing(lost) - set(self._vault.history.gaps().lost)
        wanted = [commit for commit in dict.fromkeys(lost) if commit in there]
        return {detail.commit: detail for detail in lineage.details(wanted, files=MOST_FILES)}

    def _loss_finding(self, line: Line, what: str) -> Finding:
        detail = self._left.get(line.head)
        if detail is not None:
            return _finding(detail, what)
        op = f" ({line.detail})" if line.detail else ""
        return Finding(what=f"{what}, and git has it no more{op}", commit=line.head, at=line.at_ms)

    # --- files -----------------------------------------------------------------------------

    def _files(self) -> Iterator[tuple[str, Finding]]:
        for state in self._vault.index.pending():
            what = "changed"
            if not state.head_oid:
                what = "added"
            elif not state.oid:
                what = "deleted"
            yield "not-committed", Finding(what=what, path=PurePosixPath(state.path))

    @cached_property
    def _touched(self) -> frozenset[str]:
        """Notes that somebody else than vaultmem changed since the anchor."""
        by_commits = {
            each.path for detail in (*self._unknown, *self._editor) for each in detail.touched
        }
        # Git takes 4 ms to say what one commit changed among 10,000 notes. Beyond MOST_FILES
        # commits (51 s for 20,000) the anchor and the head are compared as wholes.
        if max(len(self._unknown), len(self._editor)) > MOST_FILES:
            by_commits |= self._all_changed()
        return frozenset(by_commits.union(self._vault.index.pending_paths()))

    def _all_changed(self) -> set[str]:
        """Notes that differ from the anchor, by whomever: where there are too many to look at."""
        history, base, head = self._vault.history, self._comparison.base, self._comparison.head
        if base in self._comparison.graph:
            return set(history.changed_blobs(base, head, ()))
        return set(history.tree(head, ())) if head else set()

    def _identities(self) -> Iterator[tuple[str, Finding]]:
        """A copy or a swap: an id twice, or another id inside than in the name of the file."""
        if not self._touched:
            return
        by_id: dict[str, list[NoteRow]] = {}
        for row in self._vault.index.list(Filters(types=("item", "resource"))):
            if row.id:
                by_id.setdefault(row.id, []).append(row)
        for rows in by_id.values():
            rows.sort(key=lambda row: row.path)
            for row in rows:
                if row.path.as_posix() not in self._touched:
                    continue
                named = id_in_name(row.path.stem)
                others = [each.path for each in rows if each is not row]
                if others:
                    what = f"has the id of '{others[0]}'"
                elif named and named != row.id:
                    what = f"has the id {row.id} inside and {named} in its name"
                else:
                    continue
                yield "identity", Finding(what=what, path=row.path)

    def _changed_resources(self) -> Iterator[tuple[str, Finding]]:
        for problem in self._vault.index.problems():
            if problem.code == "resource-changed" and problem.path.as_posix() in self._touched:
                yield "resource-changed", Finding(what=problem.message, path=problem.path)

    def _provenance(self) -> Iterator[tuple[str, Finding]]:
        """Front matter of each changed note, before and after."""
        pairs = list(islice(self._pairs(), MOST_NOTES))
        wanted = sorted({oid for _, _, old, new in pairs for oid in (old, new) if oid})
        texts = dict(self._vault.history.blobs(wanted))
        for commit, path, old, new in pairs:
            before = texts.get(old)
            if commit:
                after = texts.get(new)
            else:
                try:
                    after = files.read(self._vault.root, path)
                except VaultmemError:
                    after = None
            if before is None or after is None:
                continue
            keys = changed_keys(path, before, after) & PROVENANCE
            if keys:
                what = f"changed: {', '.join(sorted(keys))}"
                yield "provenance-edited", Finding(what=what, path=path, commit=commit)

    def _pairs(self) -> Iterator[tuple[str, PurePosixPath, str, str]]:
        """(commit or '', path, blob before, blob after or '') of every changed note."""
        for state in self._vault.index.pending():
            if state.oid and state.head_oid and state.path.endswith(".md"):
                yield "", PurePosixPath(state.path), state.head_oid, ""
        for detail in (*self._unknown, *self._editor):
            for each in detail.touched:
                if each.old and each.new and each.path.endswith(".md"):
                    yield detail.commit, PurePosixPath(each.path), each.old, each.new


def changed_keys(path: PurePosixPath, before: bytes, after: bytes) -> frozenset[str]:
    """Keys of the front matter whose values differ, or that only one side has."""
    old, new = (
        notes.frontmatter.read(before, path).values,
        notes.frontmatter.read(after, path).values,
    )
    return frozenset(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def _claim(detail: Detail) -> tuple[int, str]:
    """What a commit says of itself: when it was recorded (UTC ms), and by which operation."""
    return _ms(detail.trailers.get(_RECORDED, "")), detail.trailers.get(_OP, "")


def _ms(text: str) -> int:
    """UTC ms of `Vaultmem-Recorded-At`; -1 when it is not one."""
    from datetime import datetime

    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return -1


def _finding(detail: Detail, what: str) -> Finding:
    paths: Sequence[PurePosixPath] = [PurePosixPath(each.path) for each in detail.touched]
    return Finding(
        what=what,
        commit=detail.commit,
        at=detail.at_ms,
        author=detail.author,
        subject=detail.subject,
        paths=tuple(paths[:_PATHS]),
        more_paths=max(len(paths) - _PATHS, 0),
    )
