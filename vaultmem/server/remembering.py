"""What the proxy asks of a vault before a request goes on, and keeps after its reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vaultmem.base.records import dataclass
from vaultmem.context import tokens
from vaultmem.server.conversation import Asked, marks_of, marks_sent, texts_sent
from vaultmem.sessions import context
from vaultmem.sessions.begin_end import Found, as_state, find
from vaultmem.sessions.files import require_id
from vaultmem.vault.ledger import note_sending

if TYPE_CHECKING:
    from vaultmem.api.memory import Memory
    from vaultmem.model.talks.sessions import TurnReport

NO_MEMORY = "-"  # as the name of a session: this request is none of ours
_TITLE = 60  # characters
_MARKUP = re.compile(r"[`#*_\[\]<>|]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One request, as part of a conversation."""

    asked: Asked
    session: str = ""  # as the client names it; '': it does not
    writer: str = "person"  # whose words the person's side is


def talk_of(asked: Asked, *, named: str, writer: str) -> Talk:
    """The conversation of a request; raises BadInputError for a name that no session can have."""
    if named:
        require_id(named)
    return Talk(asked=asked, session=named, writer=writer)


def memory_for(memory: Memory, talk: Talk, *, where: str) -> str:
    """What the model at `where` is told beside the conversation; it is noted that it is.

    raises  VaultmemError; nothing was sent then, and nothing should be
    """
    found = _found(memory, talk)
    asked = talk.asked
    parts = memory.parts
    known = found.id if found is not None and not found.is_back else ""
    told = context.addition(parts, known, asked.user, sent=asked.turns)
    note_sending(parts, "answer a request", where, f"{len(told):,} characters of memory")
    return told


def keep(memory: Memory, talk: Talk, reply: str) -> TurnReport:
    """Remember what was asked and replied, as a turn of its session; durable when it returns.

    A client that asks for another reply to the same words, or puts the last words in another way,
    takes its last turn back: so does the session, whose history has both.
    """
    found = _found(memory, talk)
    if found is None:
        session = memory.session(
            talk.session or _made_up(),
            title=_title(memory, talk.asked.user),
            writer=talk.writer,
        )
    else:
        session = memory.session(found.id, start=False)
        if found.is_ended:
            session.resume()
        if found.is_back:
            session.rewind(found.turns - 1)
    state = as_state(marks_of(talk.asked, reply))
    return session.turn(talk.asked.user, reply, state=state, background=True)


def note_count(memory: Memory, asked: Mapping[str, Any], counted: int | None) -> None:
    """Note what the server counted for a request of texts alone; None: it did not say."""
    model = asked.get("model")
    if isinstance(model, str):
        tokens.keep(memory.parts, model, texts_sent(asked), counted)


def _found(memory: Memory, talk: Talk) -> Found | None:
    return find(memory.parts, marks_sent(talk.asked), id_=talk.session)


def _title(memory: Memory, said: str) -> str:
    """The first words of a conversation; without secrets, since a title is written everywhere."""
    from vaultmem.model.wording import shortened
    from vaultmem.privacy.screening import Screening

    line = next((line for line in said.splitlines() if _MARKUP.sub("", line).strip()), "")
    screening = Screening(memory.settings, policy="redact", is_imported=True)
    return shortened(_MARKUP.sub("", screening.clean("title", line[:2_000])), _TITLE)


def _made_up() -> str:
    from secrets import token_hex

    return f"chat-{token_hex(4)}"


def said_of(report: TurnReport) -> str:
    """One line about a turn that was kept."""
    changes = [f"+ {text}" for text in report.added] + [f"- {text}" for text in report.removed]
    told = "; ".join(changes) or "kept"
    return f"{report.session}  turn {report.turn}: {told}"
