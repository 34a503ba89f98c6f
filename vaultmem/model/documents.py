"""A text to remember: as it is given, and made ready."""

from __future__ import annotations

from vaultmem.base import TYPE_CHECKING, dataclass

if TYPE_CHECKING:
    from vaultmem.model.drafts import Turn
    from vaultmem.model.ids import ResourceId
    from vaultmem.model.reports import Removed


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text to remember, and what the caller knows about it."""

    text: str
    title: str = ""  # '': its first heading or words
    date: int | None = None  # when it was written or said, UTC ms; None: unknown
    origin: str = ""  # a file name, a URL, 'stdin'
    session: str = ""  # id of the session that it was said in; '': in none
    kind: str | None = None  # None: as extraction finds; so for the next three
    stream: str | None = None
    category: str | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    fact: tuple[str, str, str] | None = None  # the text states this one: subject, predicate, value
    confidence: float | None = None  # 0..1, of its items; None: as extraction finds
    pinned: bool = False
    hard: bool = False
    extract: bool = True  # False: keep the text, make no items
    is_memory: bool = False  # an assistant chose it as a memory: an item, whatever rules find in it
    writer: str = ""  # person, agent, import, web; '': the web for a URL, else the person
    imported: bool = False  # not typed: read from a file, a pipe, another program
    secrets: str | None = None  # what to do about secrets in it; None: as the settings say
    # In which it was told (model/projects.py). Its items are of them, but for those that speak of
    # the person: where they live is so in every project.
    projects: tuple[str, ...] = ()
    is_for_projects: bool = False  # the caller named them, for whatever it says
    # Keys of the caller's own in the front matter of the text and its items, by name.
    metadata: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    # Keys of the program in the front matter of the text alone, such as where an import stopped.
    about: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A document made ready."""

    document: Document
    body: str  # as it is stored; ends in a line feed
    turns: tuple[Turn, ...]
    is_conversation: bool
    id: ResourceId
    title: str
    date: int | None  # UTC ms, None: unknown
    writer: str
    trust: str  # of the text as a whole; single turns may be believed more or less
    removed: tuple[Removed, ...] = ()  # what is not in it any more
    unseen: tuple[str, ...] = ()  # how it hides something, if it is the person's own words
