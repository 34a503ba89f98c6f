"""Base truth: what holds now in a conversation, changed by diffs; and its page for a person.

A diff comes from a summariser, so nothing in it is believed blindly: what could mean several facts
changes none, an empty entry means nothing, hard facts are out of its reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import dataclass, replace
from vaultmem.language import canonical

EMPTY = "empty_entry"
AMBIGUOUS_REMOVE = "ambiguous_remove"
UNKNOWN_REMOVE = "remove_target_unknown"
AMBIGUOUS_UPDATE = "ambiguous_update"
UNKNOWN_UPDATE = "update_target_unknown"
HARD = "hard_protected"
OVERTAKEN = "overtaken_since"

LONGEST_KEY = 6  # words before the colon
SHORTEST_PHRASE = 2  # words: a single one stands in too many facts by chance
ALIKE = 0.5  # Jaccard of tokens from which an update means a fact without a common key
MARGIN = 0.1  # by which it must be more alike than the next one

OPEN, DONE = "open", "done"

_EDGES = ".,;:!?()[]{}\"'`*_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line of base truth."""

    text: str
    id: str = ""  # stays while the text is updated; '': not written yet
    hard: bool = False  # only the person changes it
    task: str = ""  # open, done; '': it is no task


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What a turn changes, as texts."""

    remove: tuple[str, ...] = ()
    update: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    hard: tuple[str, ...] = ()  # of the texts in `update` and `add`: those that become hard facts
    tasks: tuple[str, ...] = ()  # of those texts: what is to be done
    done: tuple[str, ...] = ()  # texts of facts that are tasks, and are done now

    @property
    def is_empty(self) -> bool:
        """Whether it changes nothing."""
        return not (self.remove or self.update or self.add or self.done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """An entry of a diff that was not simply carried out."""

    code: str
    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Base truth after a diff."""

    facts: tuple[Fact, ...]
    warnings: tuple[Warned, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """The kinds of warnings, each once, sorted."""
        return tuple(sorted({each.code for each in self.warnings}))


def apply_diff(facts: Sequence[Fact], diff: Diff, *, by_person: bool = False) -> Applied:
    """The facts after the diff, in order: what is updated keeps its place, what is new comes last.

    Texts are compared after NFKC, case folding, single spaces, no closing `.` or `!`. The result
    holds no two equal facts; where two were equal the first stays, hard if either was.
    by_person  the person's own command, which hard facts obey too
    """
    work = _Work(facts, is_free=by_person)
    for entry in diff.remove:
        work.remove(entry)
    for entry in diff.done:
        work.finish(entry)
    hard, tasks = ({canonical(text) for text in each} for each in (diff.hard, diff.tasks))
    # What goes is gone before anything is replaced or added: a diff may remove a text and say it
    # anew.
    for entry in diff.update:
        work.update(entry, hard=canonical(entry) in hard)
    for entry in diff.add:
        key = canonical(entry)
        work.add(entry, hard=key in hard, task=OPEN if key in tasks else "")
    return Applied(facts=tuple(_once(work.facts)), warnings=tuple(work.warnings))


def key_of(text: str) -> str:
    """What stands before the first colon, for comparison; '' when it is no key."""
    before, colon, _ = text.partition(":")
    key = canonical(before) if colon and before.strip() else ""
    return key if 1 <= len(key.split()) <= LONGEST_KEY else ""


def likeness(one: str, other: str) -> float:
    """Jaccard coefficient of the tokens of two texts, 0..1."""
    left, right = _tokens(one), _tokens(other)
    return len(left & right) / len(left | right) if left and right else 0.0


class _Work:
    """The facts while a diff is carried out."""

    def __init__(self, facts: Sequence[Fact], *, is_free: bool) -> None:
        self.facts = list(facts)
        self.warnings: list[Warned] = []
        self._is_free = is_free

    def remove(self, entry: str) -> None:
        place = self._find_removed(entry)
        if isinstance(place, str):
            self._warn(place, entry)
        elif self._may_change(place, entry):
            del self.facts[place]

    def update(self, entry: str, *, hard: bool) -> None:
        text = " ".join(entry.split())
        if not text:
            self._warn(EMPTY, entry)
            return
        place, is_certain = self._find_updated(text)
        if place is None:
            self._warn(UNKNOWN_UPDATE, entry)
            self.add(entry, hard=hard)
            return
        if not is_certain:
            self._warn(AMBIGUOUS_UPDATE, entry)
        if self._may_change(place, entry):
            fact = self.facts[place]
            self.facts[place] = replace(fact, text=text, hard=fact.hard or hard)

    def finish(self, entry: str) -> None:
        """A task is done; one that cannot be told from others stays open."""
        place = self._find_removed(entry)
        if isinstance(place, str):
            self._warn(place, entry)
        elif self.facts[place].task == OPEN:
            self.facts[place] = replace(self.facts[place], task=DONE)

    def add(self, entry: str, *, hard: bool, task: str = "") -> None:
        text = " ".join(entry.split())
        if not text:
            self._warn(EMPTY, entry)
            return
        self.facts.append(
            Fact(text=text, hard=hard, task=task)
        )  # one that was known is dropped in the end

    def _find_removed(self, entry: str) -> int | str:
        """The place of the fact that is to go, or the warning why there is none."""
        wanted = canonical(entry)
        if not wanted:
            return EMPTY
        known = [canonical(fact.text) for fact in self.facts]
        if wanted in known:
            return known.index(wanted)
        if len(wanted.split()) < SHORTEST_PHRASE:
            return UNKNOWN_REMOVE
        phrase = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        places = [place for place, text in enumerate(known) if phrase.search(text)]
        if len(places) == 1:
            return places[0]
        return AMBIGUOUS_REMOVE if places else UNKNOWN_REMOVE

    def _find_updated(self, text: str) -> tuple[int | None, bool]:
        """The place of the fact that an update means (None: none), and whether that is certain."""
        key, wanted = key_of(text), canonical(text)
        for place, fact in enumerate(self.facts):
            if canonical(fact.text) == wanted:
                return place, True
        if key:
            same = [place for place, fact in enumerate(self.facts) if key_of(fact.text) == key]
            if same:
                return max(same, key=lambda place: (self._likeness(place, text), -place)), (
                    len(same) == 1
                )
            begun = list(self._beginning_with(key))
            if len(key.split()) >= SHORTEST_PHRASE and len(begun) == 1:
                return begun[0], True
        best = sorted(
            ((self._likeness(place, text), -place) for place in range(len(self.facts))),
            reverse=True,
        )
        if not best or best[0][0] < ALIKE:
            return None, True
        # Two are alike: it is added beside both, as a wrong replacement loses a fact and an
        # addition does not.
        if len(best) > 1 and best[0][0] - best[1][0] < MARGIN:
            return None, True
        return -best[0][1], True

    def _beginning_with(self, key: str) -> Iterator[int]:
        begins = re.compile(rf"{re.escape(key)}(?!\w)")
        return (
            place for place, fact in enumerate(self.facts) if begins.match(canonical(fact.text))
        )

    def _likeness(self, place: int, text: str) -> float:
        return likeness(self.facts[place].text, text)

    def _may_change(self, place: int, entry: str) -> bool:
        if self.facts[place].hard and not self._is_free:
            self._warn(HARD, entry)
            return False
        return True

    def _warn(self, code: str, entry: str) -> None:
        self.warnings.append(Warned(code=code, entry=" ".join(entry.split())))


def _once(facts: Sequence[Fact]) -> list[Fact]:
    """Each fact once, at its first place; what is said again harder is hard."""
    kept: dict[str, Fact] = {}
    for fact in facts:
        key = canonical(fact.text)
        first = kept.setdefault(key, fact)
        if fact.hard and not first.hard:
            kept[key] = replace(first, hard=True)
    return list(kept.values())


def _tokens(text: str) -> frozenset[str]:
    stripped = (piece.strip(_EDGES) for piece in canonical(text).split())
    return frozenset(piece for piece in stripped if piece)


def late(diff: Diff, then: Sequence[Fact], now: Sequence[Fact]) -> tuple[Diff, tuple[Warned, ...]]:
    """What of a diff may still be carried out, when turns went by since it should have been.

    then  base truth as the diff's turn found it
    An entry is left out if what it would touch was changed, added or taken away since: the newer
    turn knew better.
    """
    dropped: list[Warned] = []

    def is_open(entry: str, change: Diff) -> bool:
        touched = [_touched_facts(facts, change) for facts in (then, now)]
        if touched[0] == touched[1]:  # so what it touches stood then and stands now
            return True
        dropped.append(Warned(code=OVERTAKEN, entry=" ".join(entry.split())))
        return False

    kept = replace(
        diff,
        remove=tuple(e for e in diff.remove if is_open(e, Diff(remove=(e,)))),
        update=tuple(e for e in diff.update if is_open(e, Diff(update=(e,)))),
        # As an update: it may say what a later turn has replaced since.
        add=tuple(e for e in diff.add if is_open(e, Diff(update=(e,)))),
        done=tuple(e for e in diff.done if is_open(e, Diff(remove=(e,)))),
    )
    return kept, tuple(dropped)


def _touched_facts(facts: Sequence[Fact], change: Diff) -> frozenset[str]:
    """The facts that a change would take away or replace, for comparison."""
    before = {canonical(fact.text) for fact in facts}
    after = {canonical(fact.text) for fact in apply_diff(facts, change, by_person=True).facts}
    return frozenset(before - after)


# --- the page that a person reads and edits ---

# Rules that somebody else set stand below them and hold nothing until the person takes them.
#
# Each line ends in a block id that says in which turn it was first heard: `^t12-1`. What a person
# adds has none until the next turn.
_SECTIONS = ("Hard exceptions", "Facts", "Tasks")
_HELD = "Waits for you"
_BULLET = re.compile(r"[-*+][ \t]+(.*\S)[ \t]*")
_BOX = re.compile(r"\[([ xX])\][ \t]+(.*)")
_BLOCK_ID = re.compile(r"(.*\S)[ \t]+\^([A-Za-z0-9-]{1,40})")
_HEADING = re.compile(r"#{1,6}[ \t]+(.*\S)[ \t]*")


def render_facts(facts: Sequence[Fact], held: Sequence[Fact] = ()) -> str:
    """The page's body. `parse_facts` of it gives the same facts, sorted by section.

    held  rules of somebody else's, which `parse_held` gives
    """
    parts = []
    sections = zip((*_SECTIONS, _HELD), (*_by_section(facts), list(held)), strict=True)
    for section, chosen in sections:
        if chosen:
            lines = "\n".join(_line(fact) for fact in chosen)
            parts.append(f"## {section}\n\n{lines}\n")
    return "\n".join(parts)


def parse_facts(body: str) -> tuple[Fact, ...]:
    """The facts of a page in their order; text that is no bullet is the person's own."""
    return tuple(fact for fact, section in _read(body) if section != _HELD)


def parse_held(body: str) -> tuple[Fact, ...]:
    """The rules of a page that wait for the person."""
    return tuple(fact for fact, section in _read(body) if section == _HELD)


def _read(body: str) -> list[tuple[Fact, str]]:
    """Facts, each with the section that it stands in."""
    found: list[tuple[Fact, str]] = []
    section = ""
    for line in body.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            section = heading[1]
            continue
        bullet = _BULLET.fullmatch(line)
        if bullet is not None:
            found.append((_fact(bullet[1], section), section))
    return found


def number_facts(
    facts: Sequence[Fact], turn: int, *, beside: Sequence[Fact] = ()
) -> tuple[Fact, ...]:
    """The facts, each with an id of its own; those without get it from the turn that brought them.

    beside  whose ids are taken, too
    """
    known = {fact.id for fact in (*facts, *beside)}
    taken = {fact.id for fact in beside}
    result, count = list[Fact](), 0
    for fact in facts:
        if not fact.id or fact.id in taken:
            count += 1
            while f"t{turn}-{count}" in known:
                count += 1
            fact = replace(fact, id=f"t{turn}-{count}")
        taken.add(fact.id)
        result.append(fact)
    return tuple(result)


def _by_section(facts: Sequence[Fact]) -> tuple[list[Fact], list[Fact], list[Fact]]:
    hard = [fact for fact in facts if fact.hard]
    tasks = [fact for fact in facts if fact.task and not fact.hard]
    return hard, [fact for fact in facts if not (fact.hard or fact.task)], tasks


def _line(fact: Fact) -> str:
    box = "" if fact.hard or not fact.task else "[x] " if fact.task == DONE else "[ ] "
    mark = f" ^{fact.id}" if fact.id else ""
    return f"- {box}{fact.text}{mark}"


def _fact(text: str, section: str) -> Fact:
    task = ""
    if section == "Tasks":
        box = _BOX.fullmatch(text)
        task = OPEN
        if box is not None:
            task, text = (OPEN if box[1] == " " else DONE), box[2]
    marked = _BLOCK_ID.fullmatch(text)
    text, id_ = (marked[1], marked[2]) if marked else (text, "")
    return Fact(text=text, id=id_, hard=section == "Hard exceptions", task=task)
