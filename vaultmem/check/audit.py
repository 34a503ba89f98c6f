"""Name what others changed: the ledger against the history, the history against the files.

Only the ledger is believed. A commit is ours when the ledger says so, whatever its message
claims; a commit of the ledger that the history does not contain was taken out, whoever did it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from vaultmem import edit, language, vault
from vaultmem.base import TYPE_CHECKING, BadInputError
from vaultmem.check.findings import Comparison, groups
from vaultmem.check.repository_problems import gap_remarks
from vaultmem.model import AuditReport, Sending
from vaultmem.vault import BEGIN, EDITOR, MADE, PLAN, PULLED, SEEN, SENT, ledger, level

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.storage.git import Node
    from vaultmem.vault import Ledger, Line, Parts

LIMIT = 20


def audit(
    parts: Parts,
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
    level.refresh(parts, rehash=True, progress=progress)
    # Before the ledger: a commit is announced there before the branch moves, so one that another
    # process makes just now is never taken for a forged one.
    head = parts.history.head() or ""
    kept = ledger.read(parts.state)
    beginning = kept is None or not any(line.kind in (BEGIN, SEEN) for line in kept.lines)
    # Asked before `accept`, which makes a key.
    had_one = ledger.key_is_there(parts.state)
    if beginning:
        ledger.accept(parts, begins=True)
        kept = ledger.read(parts.state)
    assert kept is not None
    with parts.index.snapshot():
        comparison = compare(parts, kept, head=head, since=since)
        suspicious, normal = groups(
            parts, comparison, limit=limit, was_deleted=beginning and had_one
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
        remarks=(*gap_remarks(parts), *_remarks(kept)),
    )
    if acknowledge:
        _accept(parts, comparison.head)
    return report


def _accept(parts: Parts, seen: str) -> None:
    """The new anchor; the person's uncommitted edits become history before it, as in a sync."""

    with vault.writer_lock(parts):
        if (parts.history.head() or "") != seen:
            raise BadInputError(
                "the history moved while it was looked at, so it was not accepted",
                hint="run `vaultmem audit` again and look at what is new",
            )
        level.refresh(parts)
        edit.settle(parts)
        ledger.accept(parts)


def _remarks(kept: Ledger) -> Iterator[str]:
    if kept.torn:
        yield (
            f"{kept.torn} unfinished line(s) in the ledger: a write was cut off there, as by a "
            "power cut; nothing that was recorded is missing"
        )


def compare(parts: Parts, kept: Ledger, *, head: str, since: str | None) -> Comparison:
    """The ledger beside the history below `head`, since the last anchor, a commit or a date."""
    lineage = parts.history.lineage()
    anchors = [line for line in kept.lines if line.kind in (BEGIN, SEEN)]
    there = lineage.existing({line.head for line in anchors if line.head})
    graph = lineage.graph([*({head} - {""}), *sorted(there)])
    anchor = anchors[-1]
    base, base_at, first = anchor.head, anchor.at_ms, anchor.number
    if since is not None:
        base, base_at = _since(parts, since, graph, head)
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
    last = anchors[-1].number
    first = max((line.number for line in anchors if line.head in contained), default=0)
    made = {line.head: line for line in lines if line.kind in MADE and first < line.number < last}
    return tuple(line for line in made.values() if not theirs or line.head in theirs)


def _since(parts: Parts, since: str, graph: Mapping[str, Node], head: str) -> tuple[str, int]:
    """Commit and moment that `since` means: a commit, or the last one before a date."""

    try:
        commit = parts.history.resolve(since)
    except BadInputError:
        try:
            moment = language.parse_when(since, parts.clock.now(), parts.settings.timezone)
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


def _sendings(lines: Sequence[Line], moment: int, first: int) -> Iterator[Sending]:
    for line in reversed(lines):
        if line.kind == SENT and line.number > first and line.at_ms >= moment:
            what, where, how_much = ledger.sent_words(line.detail)
            yield Sending(at=line.at_ms, what=what, where=where, how_much=how_much)
