"""Rules that somebody else set in a conversation: they bind nobody until the person takes them.

A hard exception is the person's alone. One that comes in another way, in somebody else's commit or
export, stands in base truth apart from what holds, and is among what `vaultmem review` lists.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.base.errors import UnknownNoteError
from vaultmem.base.records import replace
from vaultmem.model.reports import Waiting
from vaultmem.model.trust import LIMITED

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.sessions.files import Conversation
    from vaultmem.sessions.truth import Fact
    from vaultmem.vault.plan import Workbench
    from vaultmem.vault.vault import Parts

BETWEEN = ":"
"""Between session and fact in a name: `heron:t3-1`; no id of a note has it."""
WHY = "a hard exception that somebody else set"


def waiting(parts: Parts, bench: Workbench) -> tuple[Waiting, ...]:
    """The rules of all conversations that wait, by session."""
    return tuple(
        Waiting(
            id=name_of(now, fact),
            path=_truth(now.folder),
            statement=fact.text,
            kind="rule",
            reason=WHY,
            quote="",
            writer="import",
            trust=LIMITED,
            source=_truth(now.folder),
        )
        for now in _held(parts, bench)
        for fact in now.held
    )


def is_named(ref: str) -> bool:
    """Whether a name is that of such a rule."""
    return BETWEEN in ref and "/" not in ref


def decide(
    parts: Parts, bench: Workbench, refs: Sequence[str], *, everything: bool, is_approved: bool
) -> Mapping[str, str]:
    """Take rules into base truth as hard exceptions, or drop them; name -> text.

    refs    names; everything: all that wait
    raises  UnknownNoteError for one that does not wait
    """
    known = {name_of(now, fact): (now, fact) for now in _held(parts, bench) for fact in now.held}
    for ref in refs:
        if ref not in known:
            raise UnknownNoteError(
                f"no rule '{ref}' waits in a conversation", hint="`vaultmem review` lists what does"
            )
    chosen = known if everything else {ref: known[ref] for ref in refs}
    by_session: dict[str, tuple[Conversation, list[Fact]]] = {}
    for now, fact in chosen.values():
        by_session.setdefault(now.id, (now, []))[1].append(fact)
    for now, facts in by_session.values():
        _decide_one(parts, bench, now, facts, is_approved=is_approved)
    return {name: fact.text for name, (_, fact) in chosen.items()}


def name_of(now: Conversation, fact: Fact) -> str:
    """What such a rule is called: `heron:t3-1`."""
    return f"{now.id}{BETWEEN}{fact.id}"


def _decide_one(
    parts: Parts, bench: Workbench, now: Conversation, facts: Sequence[Fact], *, is_approved: bool
) -> None:
    from vaultmem.sessions.truth import Diff, apply_diff
    from vaultmem.sessions.truth_page import numbered
    from vaultmem.sessions.writing import put_all

    held = tuple(fact for fact in now.held if fact not in facts)
    after = replace(now, held=held)
    if is_approved:
        texts = tuple(fact.text for fact in facts)
        done = apply_diff(now.facts, Diff(add=texts, hard=texts), by_person=True)
        after = replace(after, facts=numbered(done.facts, now.turns, beside=held))
    put_all(bench, after, now, zone=parts.settings.timezone)


def _held(parts: Parts, bench: Workbench) -> Iterator[Conversation]:
    """Conversations in which something waits, whole; those of most vaults are looked at shortly."""
    from functools import partial

    from vaultmem.sessions import files
    from vaultmem.vault import unread

    if not os.path.exists(parts.root / files.SESSIONS):
        return
    zone = parts.settings.timezone
    for folder in files.folders(parts).values():
        head, _ = files.head_of(folder, partial(unread.last_text, parts), zone=zone)
        if head.held:
            yield files.load(folder, bench.text, zone=zone)


def _truth(folder: PurePosixPath) -> PurePosixPath:
    from vaultmem.sessions.files import TRUTH

    return folder / TRUTH


def held_apart(facts: Iterable[Fact], held: Sequence[Fact]) -> tuple[tuple[Fact, ...], ...]:
    """(facts, held) with every hard one among those that wait."""
    known = list(facts)
    gone = [fact for fact in known if fact.hard]
    kept = tuple(fact for fact in known if not fact.hard)
    return kept, (*held, *(replace(fact, hard=False) for fact in gone))
