"""What a request says of its conversation, whatever its shape; what of it is remembered.

The shapes of requests (`server/shapes.py`) say who said what; from here on there is one way.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence

from vaultmem import model, privacy, sessions
from vaultmem.base import TYPE_CHECKING, Protocol, dataclass
from vaultmem.context import tokens
from vaultmem.sessions import Found, Marks, as_state, find, require_id
from vaultmem.sessions import turn_prompt as context
from vaultmem.vault import note_sending

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import TurnReport
PERSON, ASSISTANT = "user", "assistant"
CALL = "call"  # the assistant wants something done: what it said before is no reply yet
_ALL_TURNS = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request, as far as memory is concerned."""

    user: str  # what the person says now; '': nothing that could become a turn
    history: tuple[tuple[str, str], ...]  # (role, text) before it: person and assistant alone
    who: str = ""  # whose conversation it is, where a client serves several people
    key: str = ""  # what it names in place of the conversation before it; '': it sends that

    @property
    def turns(self) -> int:
        """How many turns of the conversation its model is shown without us."""
        if self.key:
            return _ALL_TURNS
        return sum(1 for role, _ in self.history if role == PERSON)


class Frame(Protocol):
    """One event of a stream."""

    @property
    def raw(self) -> bytes:
        """As it came."""

    @property
    def data(self) -> str:
        """'': it has none."""


class Upstream(Protocol):
    """A server of models; all but the names raise VaultmemError.

    A path is what stands behind `/v1`, with its query; headers are those of the client that are
    for the server.
    """

    where: str  # host and port, for people
    model: str  # that of the settings

    def get(self, path: str, headers: Mapping[str, str]) -> bytes:
        """What is at a path."""

    def whole(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """The whole answer to a request."""

    def frames(
        self, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Generator[Frame, None, None]:
        """The events of an answer as they come."""


def fold(
    pieces: Iterable[tuple[str, str]], *, who: str = "", key: str = "", goes_on: Asked | None = None
) -> Asked:
    """What is asked, of what was said in its order: (PERSON, ASSISTANT or CALL, text).

    goes_on  a request that is still being worked on, and is not sent again

    While an assistant works with tools the person's words stand before what the tools answered:
    they are what is asked, until there is a reply in words. What the person adds meanwhile belongs
    to them, and what the assistant says meanwhile is no reply.
    """
    spoken: list[tuple[str, str]] = []
    if goes_on is not None:
        spoken = [*goes_on.history, (PERSON, goes_on.user)]
        key = goes_on.key
    for role, piece in pieces:
        text = sessions.whole_characters(piece)  # as the reply was kept, which is sent back here
        if role == CALL:
            while spoken and spoken[-1][0] == ASSISTANT:
                spoken.pop()
        elif not text.strip():
            continue
        elif spoken and spoken[-1][0] == role:
            spoken[-1] = (role, f"{spoken[-1][1]}\n\n{text}")
        else:
            spoken.append((role, text))
    if not spoken or spoken[-1][0] != PERSON:
        return Asked(user="", history=tuple(spoken), who=who, key=key)
    return Asked(user=spoken[-1][1], history=tuple(spoken[:-1]), who=who, key=key)


def typed_words(texts: Iterable[str]) -> str:
    """What the person typed, of the texts of one message of theirs: clients put more into it."""
    own = (sessions.kept_words(sessions.without_preamble(text)) for text in texts)
    # Cut here, so that the same words are the same when they are sent back as history.
    return "\n".join(text for text in own if text)[: sessions.LONGEST_PROMPT]


def marks_of(asked: Asked, reply: str, *, key: str = "") -> Marks:
    """The marks of a conversation once `reply` was given; `key`: what it may be named by now."""
    turn = ((PERSON, asked.user), (ASSISTANT, reply))
    sent = marks_sent(asked)
    return Marks(
        so_far=_digest(asked.who, (*asked.history, *turn)),
        before=sent.so_far,
        last=_digest(asked.who, turn),
        asked=sent.asked,
        key=_digest_of(key),
        key_before=sent.key,
    )


def marks_sent(asked: Asked) -> Marks:
    """What a request says of the conversation before it."""
    last = asked.history[-2:]
    is_turn = [role for role, _ in last] == [PERSON, ASSISTANT]
    return Marks(
        so_far=_digest(asked.who, asked.history) if asked.history else "",
        before="",
        last=_digest(asked.who, last) if is_turn else "",
        asked=_digest(asked.who, [(PERSON, asked.user)]),
        key=_digest_of(asked.key),
    )


def _digest(who: str, spoken: Sequence[tuple[str, str]]) -> str:
    """Of the words alone: clients send replies back with other white space around them."""
    words = [[role, " ".join(text.split())] for role, text in spoken]
    return _digest_of(json.dumps([who, words], ensure_ascii=True))


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32] if text else ""


# What the proxy asks of a vault before a request goes on, and keeps after its reply.

NO_MEMORY = "-"  # as the name of a session: this request is none of ours
_TITLE = 60  # characters
_MARKUP = re.compile(r"[`#*_\[\]<>|]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One request, as part of a conversation."""

    asked: Asked
    session: str = ""  # as the client names it; '': it does not
    writer: str = "person"  # whose words the person's side is
    client: str = ""  # the coding assistant that asks, as hooks call it; '': none


def talk_of(asked: Asked, *, named: str, writer: str, client: str = "") -> Talk:
    """The conversation of a request; raises BadInputError for a name that no session can have."""
    if named:
        require_id(named)
    return Talk(asked=asked, session=named, writer=writer, client=client)


def memory_for(memory: Memory, talk: Talk, *, where: str) -> str:
    """What the model at `where` is told beside the conversation; it is noted that it is.

    raises  VaultmemError; nothing was sent then, and nothing should be
    """
    found = _find_conversation(memory, talk)
    asked = talk.asked
    parts = memory.parts
    known = found.id if found is not None and not found.is_back else ""
    told = context.addition(parts, known, asked.user, sent=asked.turns)
    note_sending(parts, "answer a request", where, f"{len(told):,} characters of memory")
    return told


def keep(memory: Memory, talk: Talk, reply: str, *, key: str = "") -> TurnReport:
    """Remember what was asked and replied, as a turn of its session; durable when it returns.

    key  what the client may name from now on, in place of sending what was said

    A client that asks for another reply to the same words, or puts the last words in another way,
    takes its last turn back: so does the session, whose history has both.
    """
    found = _find_conversation(memory, talk)
    state = as_state(marks_of(talk.asked, reply, key=key))
    # A day of a coding assistant's reports would fill the repository.
    said = sessions.reply_words(reply) if talk.client else reply
    if found is None:
        return _begin(
            memory, talk, sessions.Said(user=talk.asked.user, assistant=said, state=state)
        )
    session = memory.session(found.id, start=False)
    if found.is_ended:
        session.resume()
    if found.is_back:
        session.rewind(found.turns - 1)
    return session.turn(talk.asked.user, said, state=state, background=True)


def _begin(memory: Memory, talk: Talk, said: sessions.Said) -> TurnReport:
    """The first turn of a session, in one commit with its beginning."""
    parts, id_ = memory.parts, talk.session or _made_up()
    title = _title(memory, said.user)
    begin = sessions.beginning_of(parts, id_, title=title, writer=talk.writer, client=talk.client)
    sessions.end_idle(parts)
    summariser = sessions.summariser_of(parts)
    with sessions.queue(parts, id_):
        report = sessions.add_turn(parts, id_, said, summariser=summariser, later=True, begin=begin)
    if report.waiting:
        memory.session(id_, start=False).summarise_beside()
    return report


def note_count(memory: Memory, model: str, texts: Sequence[str], counted: int | None) -> None:
    """Note what the server counted for a request of these texts alone; None: it did not say."""
    if model and texts:
        tokens.keep(memory.parts, model, tuple(texts), counted)


def _find_conversation(memory: Memory, talk: Talk) -> Found | None:
    return find(memory.parts, marks_sent(talk.asked), id_=talk.session)


def _title(memory: Memory, said: str) -> str:
    """The first words of a conversation; without secrets, since a title is written everywhere."""

    line = next((line for line in said.splitlines() if _MARKUP.sub("", line).strip()), "")
    screening = privacy.Screening(memory.settings, policy="redact", is_imported=True)
    return model.shorten(_MARKUP.sub("", screening.clean("title", line[:2_000])), _TITLE)


def _made_up() -> str:
    from secrets import token_hex

    return f"chat-{token_hex(4)}"


def said_of(report: TurnReport) -> str:
    """One line about a turn that was kept."""
    changes = [f"+ {text}" for text in report.added] + [f"- {text}" for text in report.removed]
    told = "; ".join(changes) or "kept"
    return f"{report.session}  turn {report.turn}: {told}"
