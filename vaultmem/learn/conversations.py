"""Conversations of the vault as sessions that can be learned from.

Only words that are the person's own count as theirs (vault/provenance.py): in a text from
the web, or of an assistant, a line that begins with 'user' is nobody's wish.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import extract
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.model import RESOURCE_ID, UNTRUSTED, USER, Resource

if TYPE_CHECKING:
    from vaultmem.model import Progress, Turn
    from vaultmem.vault import Vault


# What a finished conversation is to the detectors, and what they find in it.

CATEGORIES = ("preference", "decision", "correction", "convention", "workflow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool that was called; `input` is what it was given, JSON or plain text."""

    name: str
    input: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn: who spoke, what, and the tools that were called meanwhile, in order."""

    role: str  # user, assistant, system, tool; only 'user' is evidence of what a person wants
    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A finished conversation. Sessions are kept apart: nothing is joined across them.

    One that was ended, resumed and ended again is several of them, which count as one.
    """

    id: str
    turns: tuple[Utterance, ...]
    at: int | None = None  # UTC ms of its beginning; None: unknown
    part_of: str = ""  # what its parts have in common; '': it is in one part
    owners: tuple[str, ...] = ()  # names of the person, where they paste what was said elsewhere
    projects: tuple[str, ...] = ()  # in which it was held; (): in none

    @property
    def whole(self) -> str:
        """What counts as one conversation."""
        return self.part_of or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One time that a pattern was seen, in one session."""

    category: str  # one of CATEGORIES
    session: str
    at: int | None
    quote: str  # verbatim words of the person, or what was written of a convention
    statement: str  # the person's words for it, without what surrounds them
    value: str  # what is preferred, chosen, right, or the convention; as it was written
    polarity: str = "prefer"  # prefer or avoid
    rejects: str = ""  # what the value is preferred to, what it replaces, what is wrong
    scope: str = ""  # where it holds: 'in the tests folder'; '': everywhere
    purpose: str = ""  # what it is for: 'for indentation'
    kind: str = ""  # of a convention: import_style, file_extension, naming, indentation
    parts: tuple[str, ...] = ()  # further wordings of the value within the same correction
    is_own: bool = False  # the person put right what they had said themselves
    turn: int | None = None  # number of the turn that says it, from 0; None: not of one turn
    standing: bool = True  # False: taken back in the same session
    projects: tuple[str, ...] = ()  # of the session
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Sightings of the same thing, over sessions."""

    category: str
    key: str  # what identifies it: the same key is the same rule
    statement: str
    value: str
    polarity: str = "prefer"
    rejects: str = ""
    scope: str = ""
    purpose: str = ""  # '' where no sighting says one; two patterns of a value differ in it
    kind: str = ""
    ngram: tuple[str, ...] = ()  # of a workflow
    trigger: str = ""  # of a workflow: what the person asked for before, in their words
    superseded: bool = False  # decided otherwise later
    failed: tuple[str, ...] = ()  # of a workflow: sessions in which it was rejected each time
    sightings: tuple[Sighting, ...] = ()

    @property
    def sessions(self) -> tuple[str, ...]:
        """The sessions that show it, each once, in the order in which they were given."""
        return tuple(dict.fromkeys(sighting.session for sighting in self.sightings))


def wholes_of(sessions: Iterable[Session]) -> dict[str, str]:
    """Id -> what counts as one conversation, in the order of the sessions."""
    return {session.id: session.whole for session in sessions}


def once_each(sessions: Iterable[str], wholes: Mapping[str, str]) -> tuple[str, ...]:
    """Ids of sessions without the further parts of a conversation; the first one stands for it."""
    first: dict[str, str] = {}
    for session in sessions:
        first.setdefault(wholes.get(session, session), session)
    return tuple(first.values())


_IMPORT, _MOST_IMPORTS = "import", 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation that is kept as a resource."""

    session: Session
    path: PurePosixPath


def number_of(talks: Sequence[Conversation]) -> int:
    """How many conversations there are; one that was ended twice is one."""
    return len({talk.session.whole for talk in talks})


def conversations(vault: Vault, *, progress: Progress | None = None) -> tuple[Conversation, ...]:
    """The finished conversations of the vault with a role in them, oldest first, then by id."""
    # Of 5,000 texts that `remember` kept none is a conversation: reading them was half of `rules`.
    rows = vault.index.likely_talks()
    handed_in, owners = _handed_in(vault), _owners(vault)
    found: list[Conversation] = []
    for number, row in enumerate(rows):
        if row.id and row.trust != UNTRUSTED:
            is_theirs = row.id in handed_in and not _was_here(vault, row.path)
            found += _read(vault, row.path, owners, is_theirs=is_theirs)
        if progress is not None:
            progress("reading conversations", number + 1, len(rows))
    return tuple(sorted(found, key=lambda each: (each.session.at or 0, each.session.id)))


def _owners(vault: Vault) -> tuple[str, ...]:
    """The names that the person gave as their own; of a full name also the first."""
    rows = [
        row
        for predicate in ("name", "full_name")
        for row in vault.index.items_in_slot("user", predicate)
        if row.trust in ("", USER) and row.status == "active" and row.object
    ]
    names = (name for row in rows for name in (row.object, row.object.partition(" ")[0]))
    return tuple(dict.fromkeys(names))


def _handed_in(vault: Vault) -> frozenset[str]:
    """Ids of resources that came in a document of `export` for which the person did not vouch."""
    # The 'user' of a conversation in somebody else's export was taken for the person, so a rule
    # that `review` held back was learned as theirs.
    return frozenset(
        id_
        for commit in vault.history.log(limit=_MOST_IMPORTS, op=_IMPORT)
        if commit.trailers.get("Vaultmem-Actor") == _IMPORT
        for path in commit.paths
        for id_ in RESOURCE_ID.findall(path.stem)
    )


def _was_here(vault: Vault, path: PurePosixPath) -> bool:
    """Whether something else than an import brought a resource first: it only came back."""
    versions = vault.history.versions(str(path))
    return bool(versions) and versions[-1].trailers.get("Vaultmem-Op") != _IMPORT


def _read(
    vault: Vault, path: PurePosixPath, owners: tuple[str, ...], *, is_theirs: bool
) -> Iterator[Conversation]:

    record = vaults.read_record(vault, path)
    if not isinstance(record, Resource) or not extract.is_conversation(record.body):
        return
    turns = extract.parse(record.body, vault.settings.timezone)
    if not any(turn.role == "user" for turn in turns):
        return
    said = next((turn.said_at for turn in turns if turn.said_at is not None), None)
    at = said if said is not None else record.date
    # Its user is somebody: no more than an agent's word (as with sessions, `writer_of_session`).
    writer = "agent" if is_theirs else record.writer
    told = tuple(_utterance(turn, writer) for turn in turns)
    session = Session(
        id=record.id,
        turns=told,
        at=at,
        part_of=_whole_of(record),
        owners=owners,
        projects=record.projects,
    )
    yield Conversation(session=session, path=path)


def _whole_of(record: Resource) -> str:
    """The session that a text is of: each of its ends makes one more, of the same beginning.

    By its beginning as well: the id of a session that was cleared may be given again.
    """
    session = record.fields.get("session", "")
    return f"{session} {record.date}" if isinstance(session, str) and session else ""


def _utterance(turn: Turn, writer: str) -> Utterance:

    role = turn.role
    if role == "user":
        origin = vaults.origin_of_turn(turn, writer or "person", is_conversation=True)
        role = "user" if origin.trust == USER else "other"
    calls = () if role == "user" else extract.calls_in(turn.text)
    return Utterance(
        role=role,
        text=turn.text,
        calls=tuple(Call(name=name, input=given) for name, given in calls),
    )
