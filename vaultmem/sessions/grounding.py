"""Whether what a summariser says was said at all: the guard against invented facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem.analysis import STOP_WORDS, words
from vaultmem.frozen import replace
from vaultmem.sessions.truth import Applied, Diff, Fact, Warned, apply_diff, key_of

GROUNDED = 0.6
UNGROUNDED = "ungrounded_diff"
NOT_THEIRS = "not_the_persons_rule"

# Who speaks is not said in the exchange: "User prefers ..." stands for "I prefer ...".
_SPEAKERS = frozenset(["user", "assistant", "person"])
POLARITY = frozenset(["no", "not", "never", "cannot", "without", "don't", "can't", "won't"])

Stem = Callable[[str], str]


def share_said(entry: str, said: str, *, stem: Stem) -> float:
    """Share of an entry's content words (stems) that occur in what was said, 0..1.

    Of an entry with a key, the words of its value: `Database: SQLite` names what was only meant
    ("let's use SQLite"), and half of its words would count against it. A label can be wrong, it
    cannot state what nobody said. An entry without a content word ("it is") has 0.
    """
    value = content(entry.partition(":")[2], stem=stem) if key_of(entry) else frozenset()
    wanted = value or content(entry, stem=stem)
    return len(wanted & content(said, stem=stem)) / len(wanted) if wanted else 0.0


def content(text: str, *, stem: Stem) -> frozenset[str]:
    """The stems of a text's words that say something, without those for the speakers."""
    return frozenset(
        stem(word)
        for word in words(text)
        if (word not in STOP_WORDS or word in POLARITY) and word not in _SPEAKERS
    )


def keep_grounded(
    diff: Diff, facts: Sequence[Fact], said: str, *, stem: Stem, least: float = GROUNDED
) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff without what was not said, and what was left out.

    said   both sides of the exchange
    least  share of an entry's content words that must stand there or in the fact it replaces
    Removals need no ground but the fact that they name: they cannot put a word in.
    """
    dropped: list[Warned] = []

    def is_said(entry: str, before: str) -> bool:
        if not entry.strip() or share_said(entry, f"{said}\n{before}", stem=stem) >= least:
            return True
        dropped.append(Warned(code=UNGROUNDED, entry=" ".join(entry.split())))
        return False

    update = tuple(entry for entry in diff.update if is_said(entry, _replaced(facts, entry)))
    add = tuple(entry for entry in diff.add if is_said(entry, ""))
    return replace(diff, update=update, add=add), tuple(dropped)


def keep_binding(
    diff: Diff, own: str, *, stem: Stem, least: float = GROUNDED
) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff in which only the person's own words become hard, and what does not.

    own    what the person said in the turn; '': nothing of it is theirs
    least  share of an entry's content words that must stand there
    Such an entry stays a fact: it may hold, it does not bind.
    """
    hard = tuple(each for each in diff.hard if share_said(each, own, stem=stem) >= least)
    others = [each for each in diff.hard if each not in hard and each.strip()]
    warned = tuple(Warned(code=NOT_THEIRS, entry=" ".join(each.split())) for each in others)
    return replace(diff, hard=hard), warned


def _replaced(facts: Sequence[Fact], entry: str) -> str:
    """The text of the fact that an update would replace; '' when it would replace none."""
    before = {fact.text for fact in facts}
    after: Applied = apply_diff(facts, Diff(update=(entry,)), by_person=True)
    gone = before - {fact.text for fact in after.facts}
    return gone.pop() if gone else ""
