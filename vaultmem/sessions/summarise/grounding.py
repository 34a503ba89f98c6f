"""Whether what a summariser says was said at all: the guard against invented facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem.base.records import replace
from vaultmem.language.stems import STOP_WORDS, words
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
    wanted = _value(entry, stem=stem)
    return len(wanted & content(said, stem=stem)) / len(wanted) if wanted else 0.0


def _value(entry: str, *, stem: Stem) -> frozenset[str]:
    """The words of an entry's value; without a key, all of them."""
    value = content(entry.partition(":")[2], stem=stem) if key_of(entry) else frozenset()
    return value or content(entry, stem=stem)


def content(text: str, *, stem: Stem) -> frozenset[str]:
    """The stems of a text's words that say something, without those for the speakers."""
    return frozenset(
        stem(word)
        for word in words(text)
        if (word not in STOP_WORDS or word in POLARITY) and word not in _SPEAKERS
    )


def keep_grounded(
    diff: Diff,
    facts: Sequence[Fact],
    said: str,
    *,
    stem: Stem,
    least: float = GROUNDED,
    earlier: str = "",
) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff without what was not said, and what was left out.

    said     both sides of the exchange
    least    share of an entry's content words that must stand there or in the fact it replaces
    earlier  what the turn before was about; its words count for an entry of which the exchange
             itself has some: 'Yes, both weeks.' is an answer
    A value that takes the place of another one has something that was said now. Removals are
    for `keep_spoken_of`.
    """
    dropped: list[Warned] = []
    now = content(said, stem=stem)

    def is_said(entry: str, before: str) -> bool:
        if not entry.strip() or share_said(entry, f"{said}\n{before}", stem=stem) >= least:
            return True
        if _value(entry, stem=stem) & now:
            wider = f"{said}\n{before}\n{earlier}"
            if share_said(entry, wider, stem=stem) >= least:
                return True
        dropped.append(Warned(code=UNGROUNDED, entry=" ".join(entry.split())))
        return False

    def is_new(entry: str, before: str) -> bool:
        value = _value(entry, stem=stem)
        fresh = value - content(before, stem=stem) or value
        if not before or not value or fresh & now:
            return True
        dropped.append(Warned(code=UNGROUNDED, entry=" ".join(entry.split())))
        return False

    update = []
    for entry in diff.update:
        before = _replaced(facts, entry)
        if is_said(entry, before) and is_new(entry, before):
            update.append(entry)
    add = tuple(entry for entry in diff.add if is_said(entry, ""))
    return replace(diff, update=tuple(update), add=add), tuple(dropped)


def keep_spoken_of(diff: Diff, said: str, *, stem: Stem) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff without removals and finished tasks of which nothing was said, and those.

    said  both sides of the exchange and of the turn before ('Forget that.'), without what the
          person pasted: a page that calls a plan off says nothing of theirs
    """
    heard = content(said, stem=stem)

    def spoken(entries: Sequence[str]) -> tuple[str, ...]:
        return tuple(each for each in entries if content(each, stem=stem) & heard)

    remove, done = spoken(diff.remove), spoken(diff.done)
    gone = [*(e for e in diff.remove if e not in remove), *(e for e in diff.done if e not in done)]
    warned = tuple(Warned(code=UNGROUNDED, entry=" ".join(each.split())) for each in gone)
    return replace(diff, remove=remove, done=done), warned


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
