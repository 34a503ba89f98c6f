"""Base truth changed by the person's own command: the only way to hard facts."""

from __future__ import annotations

from vaultmem import edit
from vaultmem.base import TYPE_CHECKING, BadInputError, replace
from vaultmem.language import canonical
from vaultmem.model import SessionView
from vaultmem.sessions import files, truth
from vaultmem.sessions.replay import after_change
from vaultmem.sessions.steps import screen_texts, write_change
from vaultmem.sessions.truth import Diff, Fact, apply_diff
from vaultmem.vault import Workbench

if TYPE_CHECKING:
    from vaultmem.sessions.files import Conversation
    from vaultmem.vault import Parts


def settle(
    parts: Parts, id_: str, *, add: str = "", remove: str = "", hard: bool = False
) -> SessionView:
    """Add, harden or remove a fact, in one commit; the caller holds the queue of the session.

    add     its text; the id or text of one that waits takes that one
    remove  the fact's text, its id (`t3-1`), or words of it that stand in no other
    raises  BadInputError when it names no fact, or several
            SecretFoundError, ErasedTextError as for a turn
    """

    folder = files.folder_of(parts, id_)
    clean, _ = screen_texts(parts, {"fact": add} if add else {})
    add = clean.get("fact", "")
    with edit.writer(parts):
        bench = Workbench(parts)
        now = files.load(folder, bench.text, zone=parts.settings.timezone)
        after = _settle_change(now, add=add, remove=remove, hard=hard)
        what = f"{'without' if remove else 'with'} {remove or add}"
        done = write_change(parts, bench, now, after, op="fact", turn=now.turns, what=what)
    return after_change(parts, id_, done)


def _settle_change(now: Conversation, *, add: str, remove: str, hard: bool) -> Conversation:
    add = next((fact.text for fact in now.facts if add and fact.id == add), add)
    add, held = _take_held(now.held, add)
    gone, kept = _take_held(held, remove)
    if remove and kept != held:
        return replace(now, held=kept)
    named = next((fact.text for fact in now.facts if gone and fact.id == gone), gone)
    diff = Diff(
        remove=(named,) if gone else (),
        add=(add,) if add else (),
        hard=(add,) if add and hard else (),
    )
    done = apply_diff(now.facts, diff, by_person=True)
    if done.warnings:
        raise BadInputError(
            f"'{remove or add}' names no fact of session '{now.id}', or more than one",
            hint=f"`vaultmem session show {now.id}` lists them with their ids",
        )
    facts = truth.number_facts(done.facts, now.turns, beside=held)
    return replace(now, facts=facts, held=held)


def _take_held(held: tuple[Fact, ...], named: str) -> tuple[str, tuple[Fact, ...]]:
    """The text of the rule that is meant, and those that go on waiting; else as given."""
    for fact in held:
        if named and (fact.id == named or canonical(fact.text) == canonical(named)):
            return fact.text, tuple(each for each in held if each is not fact)
    return named, held
