"""How far a text is believed: three levels, who gives which, and what the history records of it.

The level of a note is decided when it is taken in, and recorded in the commit. Front matter
shows a copy, which may lower it and never raises it. Only the person raises it: by approving the
note, or by saying the same (`APPROVED`); taking that commit back lowers it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from vaultmem.base import dataclass

UNTRUSTED, LIMITED, USER = "untrusted", "limited", "user"
LEVELS = (UNTRUSTED, LIMITED, USER)  # lowest first
TRUST_OF: Mapping[str, str] = {
    "person": USER,
    "agent": LIMITED,
    "import": LIMITED,
    "web": UNTRUSTED,
}
WRITERS = tuple(TRUST_OF)

TRUST = "Vaultmem-Trust"  # trailer: '<id>=<level> ...', only of levels below `user`
APPROVED = "Vaultmem-Approved"  # trailer: ids that the person has vouched for, with commas
UNDOES = "Vaultmem-Undoes"  # trailer: the commits that were taken back, with commas
TRAILERS = (TRUST, APPROVED, UNDOES)
UNDONE = "undone"  # level of an event that takes another commit back

# Words that notes of earlier versions used, and who they meant.
_FORMER = {"agent": LIMITED, "import": LIMITED, "web": UNTRUSTED, "person": USER}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustEvent:
    """One thing that a commit records about trust."""

    commit: str
    id: str  # of a note; of a commit when the level is `UNDONE`
    level: str  # below `user`: as taken in; `user`: approved; `UNDONE`


def claimed_level(text: str) -> str:
    """The level that front matter claims: none is the person's own, an unknown word the lowest."""
    word = text.strip().casefold()
    if not word:
        return USER
    return word if word in LEVELS else _FORMER.get(word, UNTRUSTED)


def lowest(*levels: str) -> str:
    """The lowest of the levels; of none, `user`."""
    return min(levels, key=LEVELS.index, default=USER)


def rank_of(level: str) -> int:
    """0 for the lowest level; a word that names none counts as the person's, as '' does."""
    return LEVELS.index(level) if level in LEVELS else len(LEVELS) - 1


def is_below(level: str, other: str) -> bool:
    """Whether a level is lower than another."""
    return LEVELS.index(level) < LEVELS.index(other)


def trust_of(writer: str) -> str:
    """The level of what a writer says; the lowest for a word that names none."""
    return TRUST_OF.get(writer, UNTRUSTED)


def writer_shown(writer: str, *, trust: str, claims: str) -> str:
    """Who wrote a note: as it says, unless it claims more trust than its record gives it."""
    if is_below(trust, claims) and is_below(trust, trust_of(writer or "person")):
        return "web" if trust == UNTRUSTED else "import"
    return writer


def trust_trailers(
    levels: Mapping[str, str], approved: Iterable[str] = ()
) -> tuple[tuple[str, str], ...]:
    """Trailers that record these levels by id, and the ids that the person vouches for."""
    below = [f"{id_}={level}" for id_, level in levels.items() if level != USER]
    vouched = ", ".join(approved)
    found = [(TRUST, " ".join(below))] if below else []
    return (*found, (APPROVED, vouched)) if vouched else tuple(found)


def events_of(commit: str, trailers: Mapping[str, str]) -> tuple[TrustEvent, ...]:
    """What a commit records about trust; words that mean nothing are passed over."""
    found = [
        TrustEvent(commit=commit, id=id_, level=level)
        for id_, _, level in (word.partition("=") for word in trailers.get(TRUST, "").split())
        if id_ and level in (UNTRUSTED, LIMITED)
    ]
    for id_ in trailers.get(APPROVED, "").replace(",", " ").split():
        found.append(TrustEvent(commit=commit, id=id_, level=USER))
    for undone in undoes(trailers.get(UNDOES, "")):
        found.append(TrustEvent(commit=commit, id=undone, level=UNDONE))
    return tuple(found)


def undoes(text: str) -> tuple[str, ...]:
    """Commits that a `Vaultmem-Undoes` trailer names."""
    return tuple(text.replace(",", " ").split())


def recorded_levels(events: Iterable[TrustEvent]) -> dict[str, str]:
    """Level by id: the lowest as taken in, unless an approval of it stands.

    A function of the set of events, whatever their order: two devices that merge agree.
    """
    known = tuple(events)
    undone: dict[str, set[str]] = {}
    for event in known:
        if event.level == UNDONE:
            undone.setdefault(event.id, set()).add(event.commit)
    fallen = _undone_commits(undone)
    found: dict[str, str] = {}
    approved = set()
    for event in known:
        if event.level == USER:
            if event.commit not in fallen:
                approved.add(event.id)
        elif event.level != UNDONE:
            found[event.id] = lowest(found.get(event.id, USER), event.level)
    return {**found, **dict.fromkeys(sorted(approved), USER)}


def _undone_commits(undone: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Commits that a standing commit takes back; with all that a circle (forged) leads to.

    undone  commit -> those that take it back
    Not by recursion: a history may hold any number of commits that take each other back.
    """
    takes_back: dict[str, list[str]] = {}
    for commit, by in undone.items():
        for each in by:
            takes_back.setdefault(each, []).append(commit)
    left = {commit: len(by) for commit, by in undone.items()}
    stands = {commit: True for commit in takes_back if commit not in undone}
    decided = list(stands)
    # Without recursion: 1,000 commits that take each other back ended every command with a
    # RecursionError.
    while decided:
        by_one = decided.pop()
        for commit in takes_back.get(by_one, ()):
            left[commit] -= 1
            if commit not in stands and (stands[by_one] or not left[commit]):
                stands[commit] = not stands[by_one]
                decided.append(commit)
    return frozenset(commit for commit in undone if not stands.get(commit, False))
