"""Where a text comes from, how far it is believed, and what it may therefore become.

Decided here, by code, when a text is taken in: never by the text, its front matter or a setting.

`model/trust.py` turns the answer into trailers, and trailers into levels: a function of the *set*
of commits. The index keeps these events (`storage/index/store/trust_events.py`) and writes into
each row the lower of what the note claims and the history records. Commits of side branches
count, and a rewritten history is read as a whole. A commit that the program makes with several
parents must leave the index's `head` behind, so that the next refresh reads what came along.
"""

from __future__ import annotations

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, BadInputError, dataclass, replace
from vaultmem.model import LIMITED, UNTRUSTED, USER, WRITERS, lowest, trust_of
from vaultmem.safety import defang

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.model import Document, Draft, Item, Prepared, Turn
    from vaultmem.vault.vault import Vault

_FROM_THE_WEB = ("http://", "https://")
# In a log that a person hands in, the person's turns are theirs. What an assistant said or a
# program printed is not, whoever hands it in.
_OF_ROLE = {
    "assistant": ("agent", LIMITED),
    "system": ("agent", LIMITED),
    "tool": ("web", UNTRUSTED),
}
_HANDED_IN_BY_PERSON = ("person", "import")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who wrote something, and how far it is believed."""

    writer: str
    trust: str


def writer_of(document: Document) -> str:
    """Who wrote a document: as the caller says, else the web for a URL, else the person.

    raises BadInputError  for a word that names no writer
    """
    if not document.writer:
        is_web = document.origin.strip().casefold().startswith(_FROM_THE_WEB)
        return "web" if is_web else "person"
    if document.writer not in WRITERS:
        raise BadInputError(
            f"'{document.writer}' is no writer", hint="one of: " + ", ".join(WRITERS)
        )
    return document.writer


def is_persons(writer: str) -> bool:
    """Whether the user's turns of a conversation that this writer hands in are the person's own."""
    return writer in _HANDED_IN_BY_PERSON


def writer_of_session(said: str, handed_in: str) -> str:
    """Whose words the person's side of a session is; a word that names no writer counts least.

    said       by its transcript; '': the person's
    handed_in  by its base truth: there only `import` writes one, of a session that is not this
               person's. Its user is somebody, so nothing of it is more than an agent's word.
    """
    # A stranger's open session that came by `import` was ended as idle by the next `session start`,
    # and its lines became rules of trust user.
    if handed_in in ("", "person"):
        return said if said in WRITERS else "web" if said else "person"
    return "agent" if "web" not in (said, handed_in) and handed_in in WRITERS else "web"


def trust_of_text(writer: str, turns: Sequence[Turn], *, is_conversation: bool) -> str:
    """How far a whole text is believed: a log in which others speak is limited at most."""
    level = trust_of(writer)
    others = is_conversation and any(turn.role in _OF_ROLE for turn in turns)
    return lowest(level, LIMITED) if others else level


def origin_of_turn(turn: Turn, writer: str, *, is_conversation: bool) -> Origin:
    """Whose words a turn is."""
    own = Origin(writer=writer, trust=trust_of(writer))
    if not is_conversation:
        return own
    if turn.role in _OF_ROLE:
        speaker, level = _OF_ROLE[turn.role]
        return Origin(writer=speaker, trust=lowest(own.trust, level))
    # What was told with `--writer agent` ended as items of the person in the identity stream, and
    # two such sessions made a rule.
    if turn.role == "user" and is_persons(writer):
        return Origin(writer="person", trust=USER)
    return own


def origin_of(draft: Draft, prepared: Prepared) -> Origin:
    """Where a draft comes from: its turn. One whose turn is unknown has the lowest that fits."""
    turns = prepared.turns
    if draft.doubt and is_persons(prepared.writer):
        return Origin(writer="import", trust=LIMITED)  # nobody knows whose words they are
    if draft.turn is not None and 0 <= draft.turn < len(turns):
        held: Sequence[Turn] = (turns[draft.turn],)
    else:
        held = [turn for turn in turns if draft.quote in turn.text] or turns
    found = [
        origin_of_turn(turn, prepared.writer, is_conversation=prepared.is_conversation)
        for turn in held
    ]
    lowest_trust = lowest(*(origin.trust for origin in found), USER if found else prepared.trust)
    return next(
        (origin for origin in found if origin.trust == lowest_trust),
        Origin(writer=prepared.writer, trust=lowest_trust),
    )


def require_own_words(document: Document, writer: str) -> None:
    """Refuse wishes that only the person may have, for words that are not the person's."""
    wishes = (
        ("hard", document.hard),
        ("pinned", document.pinned),
        ("in the stream identity", document.stream == "identity"),
    )
    wished = [name for name, is_wished in wishes if is_wished]
    if wished and trust_of(writer) != USER:
        raise BadInputError(
            f"a text of writer '{writer}' cannot be {' or '.join(wished)}",
            hint="if these are your own words, say so: --writer person",
        )


def restrain(draft: Draft, trust: str) -> Draft:
    """The draft without what only the person's own words may have: places, marks, live content."""
    if trust == USER:
        return draft
    stream = None if trust == UNTRUSTED or draft.stream == "identity" else draft.stream
    return replace(
        draft,
        statement=defang(draft.statement),
        subject=defang(draft.subject),
        object=defang(draft.object),
        entities=tuple(defang(entity) for entity in draft.entities),
        stream=stream,
        hard=False,
        pinned=False,
    )


def trust_of_item(vault: Vault, item: Item) -> str:
    """How far an item is believed: the lower of what its note claims and the history records."""
    level = vault.index.trust_levels([item.id]).get(item.id, USER) if item.id else USER
    return lowest(model.claimed_level(item.trust), level)


def may_be_listed(vault: Vault, item: Item, *, stream: str = "") -> bool:
    """Whether the stream, and summaries, may take the item in.

    Nothing from outside is, and identity takes in the person's own words alone.
    """
    return may_list(trust_of_item(vault, item), stream)


def may_list(trust: str, stream: str) -> bool:
    """Whether the stream ('': a summary) may take in an item that is believed so far."""
    return trust == USER or (trust != UNTRUSTED and stream != "identity")
