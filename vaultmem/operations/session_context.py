"""The prompt of the next turn: what the session and the vault know, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.config_sessions import session_settings
from vaultmem.model.recall import Filters
from vaultmem.model.sessions import Prompt
from vaultmem.model.trust import UNTRUSTED
from vaultmem.operations import session_files, sync
from vaultmem.operations.session_steps import current, raw_turns
from vaultmem.operations.wording import shortened
from vaultmem.sessions import turnlog
from vaultmem.sessions.prompt import Remembered, compose

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.sessions.truth import Fact
    from vaultmem.sessions.turnlog import Entry

KNOWN, PAST, SNIPPET = 5, 3, 100  # algorithms 6.12
_MORE = 3  # times as many are looked at: some are of this very session


def prompt(parts: Parts, id_: str, question: str, *, budget: int | None = None) -> Prompt:
    """System text, the window as messages, and the question; reads only.

    budget  tokens; None: `sessions.prompt_tokens`
    """
    folder = session_files.folder_of(parts, id_)
    now = current(parts, folder)
    chosen = set(raw_turns(parts, now))
    told = turnlog.told(now.log)
    known: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    if question.strip():
        known, past = sync.reading(parts, lambda: _from_vault(parts, question, folder.as_posix()))
    memory = Remembered(
        facts=now.facts,
        log=tuple(entry for turn, entry in told.items() if turn not in chosen),
        window=tuple((each.user, each.assistant) for each in now.exchanges if each.turn in chosen),
        known=known,
        past=past,
    )
    limit = session_settings(parts.settings.values).prompt_tokens if budget is None else budget
    made = compose(question, memory, budget=limit)
    return Prompt(
        system=made.system, messages=made.messages, tokens=made.tokens, left_out=made.left_out
    )


def addition(parts: Parts, id_: str, question: str, *, sent: int) -> str:
    """What a client that sends the conversation itself is given beside it; reads only.

    Who the person is and what they always want, which holds in every conversation; then what
    `prompt` would say without the window.

    id_   '': the conversation begins
    sent  turns of it that the client sends; the log tells of those before them
    """
    limit = session_settings(parts.settings.values).prompt_tokens
    folder = session_files.folder_of(parts, id_) if id_ else None
    hard, person = _standing(parts, limit)
    known, past = sync.reading(
        parts, lambda: _from_vault(parts, question, folder.as_posix() if folder else "")
    )
    facts: tuple[Fact, ...] = ()
    log: tuple[Entry, ...] = ()
    if folder is not None:
        now = current(parts, folder)
        facts = now.facts
        told = turnlog.told(now.log)
        log = tuple(entry for turn, entry in told.items() if turn <= now.turns - sent)
    memory = Remembered(
        hard=hard,
        person=person,
        facts=facts,
        log=log,
        window=(),
        known=tuple(text for text in known if text not in {*hard, *person}),
        past=past,
    )
    return compose("", memory, budget=limit).system


def _standing(parts: Parts, budget: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(hard exceptions, who the person is and how they want it) of the vault: given unasked."""
    from vaultmem.model.contexts import HARD, PERSON, PERSONA, RULES
    from vaultmem.operations.context import context

    lines = context(parts, "", budget=budget).lines
    hard = tuple(line.text for line in lines if line.tier == HARD)
    return hard, tuple(line.text for line in lines if line.tier in (PERSONA, PERSON, RULES))


def _from_vault(parts: Parts, question: str, own: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Items, and passages of past conversations, that answer; nothing from outside."""
    from vaultmem.operations.recall import answer

    items = answer(parts, question, limit=KNOWN, filters=Filters(types=("item",)))
    texts = answer(parts, question, limit=_MORE * PAST, filters=Filters(types=("resource",)))
    known = tuple(
        hit.note.statement or hit.passages[0].text
        for hit in items.hits
        if hit.note.trust != UNTRUSTED
    )
    past = tuple(
        shortened(" ".join(hit.passages[0].text.split()), SNIPPET)
        for hit in texts.hits
        if hit.note.trust != UNTRUSTED
        and not (own and hit.note.path.as_posix().startswith(f"{own}/"))
    )
    return known, past[:PAST]
