"""The prompt of the next turn: what the session and the vault know, within a budget.

What the vault knows is chosen as `vaultmem context` chooses it.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem import context, model
from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.config import session_settings
from vaultmem.context import SessionLines, Talk, line_text
from vaultmem.model import HARD, SESSION, TURNS, Prompt
from vaultmem.sessions import files
from vaultmem.sessions import turn_log as turnlog
from vaultmem.sessions.prompt import Remembered, compose
from vaultmem.sessions.steps import current, raw_turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.context import LineMaker
    from vaultmem.sessions.truth import Fact
    from vaultmem.sessions.turn_log import Entry
    from vaultmem.vault import Parts


def prompt(parts: Parts, id_: str, question: str, *, budget: int | None = None) -> Prompt:
    """System text, the window as messages, and the question; reads only.

    budget  tokens; None: `sessions.prompt_tokens`
    raises  BudgetTooSmallError where the hard exceptions of the vault do not fit
    """
    limit = session_settings(parts.settings.values).prompt_tokens if budget is None else budget
    folder = files.folder_of(parts, id_)
    now = current(parts, folder)
    chosen = set(raw_turns(parts, now))
    told = turnlog.told(now.log)
    vault = _from_vault(parts, question, folder, budget=limit)
    memory = Remembered(
        hard=vault.hard,
        person=vault.person,
        facts=now.facts,
        log=tuple(entry for turn, entry in told.items() if turn not in chosen),
        window=tuple((each.user, each.assistant) for each in now.exchanges if each.turn in chosen),
        found=vault.found,
    )
    made = compose(question, memory, budget=limit, count=_count(parts))
    return Prompt(
        system=made.system, messages=made.messages, tokens=made.tokens, left_out=made.left_out
    )


def addition(parts: Parts, id_: str, question: str, *, sent: int) -> str:
    """What a client that sends the conversation itself is given beside it; reads only.

    What `prompt` would say without the window.

    id_   '': the conversation begins
    sent  turns of it that the client sends; the log tells of those before them
    """
    limit = session_settings(parts.settings.values).prompt_tokens
    folder = files.folder_of(parts, id_) if id_ else None
    vault = _from_vault(parts, question, folder, budget=limit)
    facts: tuple[Fact, ...] = ()
    log: tuple[Entry, ...] = ()
    if folder is not None:
        now = current(parts, folder)
        facts = now.facts
        told = turnlog.told(now.log)
        log = tuple(entry for turn, entry in told.items() if turn <= now.turns - sent)
    memory = Remembered(
        hard=vault.hard,
        person=vault.person,
        facts=facts,
        log=log,
        window=(),
        found=vault.found,
    )
    return compose("", memory, budget=limit, count=_count(parts)).system


def _count(parts: Parts) -> Callable[[str], int]:
    """Tokens of a text, as `vaultmem context` counts them."""

    counting = context.counter_of(parts)
    return lambda text: counting.count([text])[0]


class _Known(NamedTuple):
    """What the vault knows beside a conversation."""

    hard: tuple[str, ...]
    person: tuple[str, ...]  # given unasked, with date and citation
    found: tuple[tuple[str, str], ...]  # (section, text with date and citation), best first


def _from_vault(
    parts: Parts, question: str, folder: PurePosixPath | None, *, budget: int
) -> _Known:
    """The context of a question: the same lines as `vaultmem context` gives, of the same budget.

    The budget is the whole one, whatever the conversation takes of it: so what is given unasked
    stays the same from turn to turn. `compose` leaves out what then has no room.
    """
    lines = context.context(parts, question, budget=budget, talk=beside(folder)).lines
    sections = {
        model.FACTS: "known",
        model.EVENTS: "past",
        model.INFERRED: "inferred",
        model.SESSIONS: "past",
    }
    found = sorted((line for line in lines if line.tier in sections), key=lambda each: -each.score)
    return _Known(
        hard=tuple(line.text for line in lines if line.tier == model.HARD),
        person=tuple(
            _told(line_text(line))  # in the order of the tiers: what is critical comes first
            for line in lines
            if line.tier in (model.CRITICAL, model.PERSONA, model.PERSON, model.RULES)
        ),
        found=tuple((sections[line.tier], _told(line_text(line))) for line in found),
    )


def _told(text: str) -> str:
    """A line without the mark of a list, which the prompt sets itself."""
    return text.removeprefix("- ")


# What a conversation that goes on adds to a context: what holds in it, and its turns.


def talk_of(parts: Parts, session: str) -> Talk:
    """A conversation by its id; reading it raises UnknownNoteError for one that is not there."""
    return Talk(lambda maker: _lines(parts, session, maker))


def beside(folder: PurePosixPath | None) -> Talk:
    """A conversation that is told in another way: only what the vault knows beside it is asked.

    A model that talks is given nothing from outside, and none of the words that it has already.
    folder  of the session; None: it begins
    """
    return Talk(lambda maker: SessionLines(folder, [], [], []), is_beside=True)


def _lines(parts: Parts, session: str, maker: LineMaker) -> SessionLines:
    """What a session holds now."""
    folder = files.folder_of(parts, session)
    now = current(parts, folder)
    truth, spoken = folder / files.TRUTH, folder / files.TRANSCRIPT
    log = folder / files.LOG
    found = SessionLines(folder, [], [], [])
    for fact in now.facts:
        tier = HARD if fact.hard else SESSION
        line = maker.plain(tier, fact.text, truth, now.updated)
        (found.hard if fact.hard else found.facts).append(line)
    told, verbatim = turnlog.told(now.log), set(raw_turns(parts, now))
    for each in reversed(now.exchanges):
        entry = told.get(each.turn)
        is_whole = each.turn in verbatim or entry is None
        user, assistant = (
            (each.user, each.assistant)
            if entry is None or is_whole
            else (entry.user, entry.assistant)
        )
        text = f"{each.turn}. They: {user} / Assistant: {assistant}"
        found.turns.append(maker.plain(TURNS, text, spoken if is_whole else log, each.at))
    return found
