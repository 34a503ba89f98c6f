"""How new notes relate to known ones, as a model sees it: asked before any lock, then guarded.

A-MEM (Xu et al. 2025) has a model write keywords, tags and links when a note comes in, and rewrite
those of its neighbours. Here it may tie a new note to the neighbours that it was shown and to no
other, by a relation of the list, and give it tags that its words or theirs bear out (algorithms
5.5). Neighbours stay as they are: what leads to a note is read from the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from vaultmem import extract, language, models, recall
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BusyError,
    DiskError,
    LLMError,
    LocalOnlyError,
    SettingsError,
    dataclass,
    field,
    replace,
)
from vaultmem.extract import topics_by_word
from vaultmem.language import Stems, canonical, content_words, fold, nfc, words
from vaultmem.model import RELATIONS, Message, Rejected, list_schema, object_schema, with_day
from vaultmem.storage import index

if TYPE_CHECKING:
    from vaultmem.model import LLM, Item
    from vaultmem.vault import Vault
MOST_NOTES = 20  # new ones in one question: more, and a small model loses count
MOST_TAGS = 5
LONGEST_TAG = 30  # characters
_MOST_OFFERED = 20  # links or tags of one note that are looked at; more is a model in a loop
# What Obsidian takes for a tag: letters, digits, `-`, `_` and `/`, and not digits alone.
_TAG = re.compile(r"[^\W_][\w-]*(?:/[^\W_][\w-]*)*")

SCHEMA = object_schema(
    notes=list_schema(
        object_schema(
            note={"type": "integer"},
            links=list_schema(
                object_schema(
                    to={"type": "integer"},
                    relation={"type": "string", "enum": list(RELATIONS)},
                )
            ),
            tags=list_schema({"type": "string"}),
        )
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A known note that may have to do with a new one."""

    target: str  # of a link to it
    statement: str
    tags: tuple[str, ...] = ()
    day: str = ""  # YYYY-MM-DD, from which it holds; '': nobody knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A new note, and the known ones that it may be tied to."""

    statement: str
    neighbours: tuple[Neighbour, ...] = ()
    day: str = ""  # as of a neighbour


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """What a new note gets, past the guards."""

    links: tuple[tuple[str, str], ...] = ()  # (relation, target of a neighbour)
    tags: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = field(default_factory=tuple)


def question(
    notes: Sequence[Fresh], instructions: str, *, mask: Callable[[str], str]
) -> tuple[Message, Message]:
    """What the model is asked; `mask` takes out what nobody elsewhere may read."""
    rows = []
    place = 0
    for number, note in enumerate(notes, start=1):
        rows.append(f"new [{number}]: {with_day(note.statement, note.day)}")
        for neighbour in note.neighbours:
            place += 1
            rows.append(f"  known [{place}]: {with_day(neighbour.statement, neighbour.day)}")
    text = mask("\n".join(rows))
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    asked = f"<<<NEW {mark}\n{text}\nNEW {mark}>>>\nRelate each new note, and tag it."
    return Message(role="system", text=instructions), Message(role="user", text=asked)


def ties_in(
    value: object,
    notes: Sequence[Fresh],
    stems: Stems,
    *,
    stand_for: Callable[[str], frozenset[str]],
    most_links: int,
) -> Mapping[int, Tie]:
    """What a reply that fits SCHEMA gives each note, by its place in `notes`; the first row counts.

    stand_for  stems that a stem goes for: a dog for 'pet'
    """
    rows = value.get("notes", ()) if isinstance(value, dict) else ()
    known = list(_number_neighbours(notes))
    found: dict[int, Tie] = {}
    # A model in a loop gives rows without end.
    for row in rows[: 4 * MOST_NOTES]:
        at = row["note"] - 1
        if at in found or not 0 <= at < len(notes):
            continue
        note = notes[at]
        links, refused = _links(row["links"], at, known, most_links)
        tags, others = _tags(row["tags"], note, stems, stand_for)
        shown = tuple(Rejected(text=text[:200], rule=rule) for text, rule in (*refused, *others))
        found[at] = Tie(links=links, tags=tags, rejected=shown)
    return found


def _number_neighbours(notes: Sequence[Fresh]) -> Iterator[tuple[int, Neighbour]]:
    """(place of its new note, neighbour) in the order in which they are shown."""
    for at, note in enumerate(notes):
        for neighbour in note.neighbours:
            yield at, neighbour


_Refused = list[tuple[str, str]]


def _links(
    rows: Sequence[Mapping[str, Any]], at: int, known: Sequence[tuple[int, Neighbour]], most: int
) -> tuple[tuple[tuple[str, str], ...], _Refused]:
    """Links to neighbours of this very note; one that has two relations keeps the first."""
    links: dict[str, str] = {}
    refused: _Refused = []
    for row in rows[:_MOST_OFFERED]:
        number = row["to"]
        mine = 1 <= number <= len(known) and known[number - 1][0] == at
        if not mine:
            refused.append((f"{row['relation']} [{number}]", "unknown-note"))
        elif len(links) < most:
            links.setdefault(known[number - 1][1].target, row["relation"])
    return tuple((relation, target) for target, relation in links.items()), refused


def _tags(
    offered: Sequence[str],
    note: Fresh,
    stems: Stems,
    stand_for: Callable[[str], frozenset[str]],
) -> tuple[tuple[str, ...], _Refused]:
    """Tags of which each word is said by the note or its neighbours, or stands for what is."""
    text = "\n".join([note.statement, *(each.statement for each in note.neighbours)])
    spoken = words(text)
    said = frozenset(map(stems, spoken))
    meant = said.union(*map(stand_for, {stems(word) for word in content_words(text)}))
    topics = topics_by_word()
    usual = {topic for word in spoken for topic in topics.get(word, ())}
    usual |= {fold(tag) for each in note.neighbours for tag in each.tags}
    tags: list[str] = []
    refused: _Refused = []
    for each in offered[:_MOST_OFFERED]:
        tag = tag_in(each)
        if not tag:
            refused.append((" ".join(each.split()), "no-tag"))
        elif tag in tags or len(tags) >= MOST_TAGS:
            continue
        elif tag in usual or _is_said(tag, said, meant, stems, stand_for):
            tags.append(tag)
        else:
            refused.append((tag, "ungrounded-tag"))
    return tuple(tags), refused


def tag_in(text: str) -> str:
    """A tag as Obsidian reads one, in small letters; '' where the text is none."""
    tag = nfc("-".join(fold(text).replace("#", " ").split()))
    fits = 1 < len(tag) <= LONGEST_TAG and _TAG.fullmatch(tag) is not None
    return tag if fits and not tag.replace("-", "").isdecimal() else ""


def _is_said(
    tag: str,
    said: frozenset[str],
    meant: frozenset[str],
    stems: Stems,
    stand_for: Callable[[str], frozenset[str]],
) -> bool:
    """Whether each word of a tag is said, or has to do with something that is: 'pets' with a dog,
    'health' with somebody allergic, by the words that both go with."""
    named = {stems(word) for word in content_words(re.sub(r"[-_/]", " ", tag))}
    return bool(named) and all(
        stem in said or stem in meant or not stand_for(stem).isdisjoint(meant) for stem in named
    )


# --- asking for links and tags ---

# What it says is held against what it was shown (remember/suggest_links.py) and written into the
# new item alone: no note that is there is touched. Where it fails, rules link (recall/links.py),
# and the report says so.
CONTRADICTS = "contradicts"


@dataclass(slots=True, kw_only=True)
class Ties:
    """What new items get, by their canonical statements; the others are linked by rules.

    given  what the model says, past the guards
    met    items that were planned, by statement
    why    the model gave none; '': it did, or was not asked
    """

    given: Mapping[str, Tie] = field(default_factory=dict)
    met: dict[str, Item] = field(default_factory=dict)
    why: str = ""

    def on(self, vault: Vault, item: Item) -> tuple[Item, list[str]] | None:
        """A new item with its links and tags, and what is told of them; None: rules may link it."""
        key = canonical(item.statement)
        self.met[key] = item
        tie = self.given.get(key)
        if tie is None:
            return None
        links, told = list(item.links), []
        linked_to = {*item.supersedes, *(target for _, target in item.links)}
        for relation, target in tie.links:
            other = vault.index.resolve_link(target)
            if other is None or other.status != "active" or target in linked_to:
                continue  # it ended or went while the model wrote, or because of this very item
            links.append((relation, target))
            more = " (`vaultmem check`)" if relation == CONTRADICTS else ""
            told.append(f"{relation}{more}: {other.statement}")
        own = {fold(tag) for tag in item.tags}
        tags = tuple(tag for tag in tie.tags if fold(tag) not in own)
        if tags:
            told.append(f"tags: {', '.join(tags)}")
        return replace(item, links=tuple(links), tags=(*item.tags, *tags)), told

    def rejections(self, statements: Sequence[str]) -> tuple[Rejected, ...]:
        """What the guards refused of what the model said about these statements."""
        ties = (self.given.get(canonical(statement)) for statement in statements)
        return tuple(one for tie in ties if tie is not None for one in tie.rejected)


def is_wanted(vault: Vault) -> bool:
    """Whether a model that reads is to link and tag what is new."""
    return vault.settings.links_by_model


def ask_for_links(vault: Vault, items: Sequence[Item]) -> Ties:
    """What the model says of new items; a failure of any kind is told, and rules link instead."""
    given: dict[str, Tie] = {}
    try:
        model = models.summariser(vault, about="links of new memories")
        if model is None:
            return Ties()
        stems = language.Stems(vault.settings.languages)
        fresh = [_fresh(vault, item) for item in items]
        for start in range(0, len(fresh), MOST_NOTES):
            some = fresh[start : start + MOST_NOTES]
            found = _ask_some(vault, model, some, stems)
            given |= {canonical(some[at].statement): tie for at, tie in found.items()}
    except (LLMError, SettingsError, LocalOnlyError, DiskError, BusyError) as error:
        return Ties(given=given, why=error.message)
    return Ties(given=given)


def _fresh(vault: Vault, item: Item) -> Fresh:
    """A new item with the notes alike that it may be tied to."""
    zone = vault.settings.timezone
    return Fresh(
        statement=item.statement,
        day=language.known_day(item.valid_from, zone),
        neighbours=tuple(
            Neighbour(
                target=row.path.stem,
                statement=row.statement,
                tags=row.tags,
                day=language.known_day(row.valid_from, zone),
            )
            for row in recall.alike(vault, item.statement, widely=True)
        ),
    )


def _ask_some(vault: Vault, model: LLM, fresh: Sequence[Fresh], stems: Stems) -> Mapping[int, Tie]:
    """What the model says of these, past the guards; raises LLMError."""
    near = index.relations(stems)

    def stand_for(stem: str) -> frozenset[str]:
        return frozenset().union(*(group.stems for group in near.groups(stem)))

    messages = question(fresh, models.instructions("link"), mask=extract.mask_secrets)
    return ties_in(
        model.ask(messages, schema=SCHEMA).value,
        fresh,
        stems,
        stand_for=stand_for,
        most_links=vault.settings.links_related,
    )
