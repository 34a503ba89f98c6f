"""Commits that a rewriting made in the place of others: told by what it leaves alone.

Erasing keeps author, committer, dates and the recorded millisecond of every commit, and the
parents of the first one that changes. So two lines of commits of which one was rewritten begin to
differ with twins. Nothing that was derived from the erased text is needed to see it.
"""

from __future__ import annotations

from collections import Counter

from vaultmem.base.records import NamedTuple
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.repair.survey import run

_FIELDS = (
    *("%m", "%H", "%P", "%an%n%ae%n%at%n%cn%n%ce%n%ct"),
    *("%(trailers:key=Vaultmem-Recorded-At,valueonly)", "%(trailers:key=Vaultmem-Op,valueonly)"),
)


class Commit(NamedTuple):
    """What is compared of a commit."""

    oid: str
    parents: tuple[str, ...]
    made: tuple[str, str]  # who and when; when recorded
    op: str


class Apart(NamedTuple):
    """What each of two lines of commits has and the other has not."""

    ours: tuple[Commit, ...]
    theirs: tuple[Commit, ...]

    def are_twins(self) -> bool:
        """Whether one side is a rewriting of the other, from where they part."""
        return not _first(self.ours).isdisjoint(_first(self.theirs))

    def only_theirs(self) -> int:
        """How many commits of theirs have no twin here."""
        return (
            Counter(each.made for each in self.theirs) - Counter(each.made for each in self.ours)
        ).total()


def _first(side: tuple[Commit, ...]) -> frozenset[tuple[tuple[str, ...], tuple[str, str]]]:
    """The commits of a side that stand on none of it."""
    there = {each.oid for each in side}
    return frozenset((each.parents, each.made) for each in side if there.isdisjoint(each.parents))


def apart(engine: Engine, ours: str, theirs: str) -> Apart:
    """How two lines of commits differ."""
    form = "%x00".join(_FIELDS) + "%x00%x01"
    out = run(engine, "log", "--left-right", f"--format=tformat:{form}", f"{ours}...{theirs}")
    sides: dict[str, list[Commit]] = {"<": [], ">": []}
    for each in out.decode("utf-8", "replace").split("\0\x01"):
        fields = each.lstrip("\n").split("\0")
        if len(fields) == len(_FIELDS):
            side, oid, parents, made, recorded, op = fields
            found = Commit(oid, tuple(parents.split()), (made, recorded.strip()), op.strip())
            sides[side].append(found)
    return Apart(tuple(sides["<"]), tuple(sides[">"]))
