"""What is to be erased for good: which notes as a whole, and which passages wherever they stand.

Notes are found in the history as well: what was forgotten before can be erased later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from vaultmem import model, privacy
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    UnknownNoteError,
    VaultmemError,
    dataclass,
    replace,
)
from vaultmem.forget.remove import SHORTEST_MATCH, Wish, items_from
from vaultmem.language import ERASED_PASSAGE, sentences
from vaultmem.model import ForgottenNote, Item, Oid, Resource, id_in_name, shorten
from vaultmem.storage import files, notes
from vaultmem.storage.files import AGENTS, CARRIED, is_carried
from vaultmem.storage.git import Survey, note_of, read_objects
from vaultmem.storage.notes import Erasure, trim_passage

if TYPE_CHECKING:
    from vaultmem.model import NoteRow
    from vaultmem.vault import Vault

SHORTEST = 8  # characters of a statement or quote that is looked for everywhere
SENTENCE = 40  # of a sentence of a source: shorter ones stand in many texts ("Thank you.")
# Characters from which on a code or a number is looked for by itself.
_TOKEN = 6
_SHOWN = 90
_WORD = re.compile(r"[^\s,;:!?\"“”‘’«»()\[\]{}<>]+")
_DATE = re.compile(r"(?:\d{1,4}[./:T+-])*\d{1,4}(?:Z|st|nd|rd|th|px|km|kg|am|pm|%|€|\$)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to be erased."""

    erasure: Erasure
    notes: tuple[ForgottenNote, ...]
    telling: frozenset[str]  # of its passages: known again in the middle of other words
    short: int  # texts too short to be looked for everywhere


class _Versions:
    """Notes of all times, by the id in their names."""

    def __init__(self, vault: Vault, survey: Survey) -> None:
        self._vault = vault
        self._survey = survey
        self.names: dict[str, set[str]] = {}  # id -> stems
        self._oids: dict[str, set[str]] = {}
        # A file of an assistant that claims to be a note, by `id` or by its name, is none: what it
        # says was erased from all other notes with the one that the person had named.
        self._of_agents = survey.files_only_below(AGENTS.encode())
        for name, oids in survey.names().items():
            oids = oids - self._of_agents
            text = name.decode("utf-8", "surrogateescape")
            id_ = id_in_name(text.removesuffix(".md")) if text.endswith(".md") else None
            if id_ is not None and oids:
                self.names.setdefault(id_, set()).add(text.removesuffix(".md"))
                self._oids.setdefault(id_, set()).update(oids)
        # Else an item that was linked to the source only in a version of an import was passed over.
        for id_, oid in self._carried_files():
            self._oids.setdefault(id_, set()).add(oid)

    def _carried_files(self) -> Iterator[tuple[str, str]]:
        """(id, file) of what items said in other vaults: such files are named by their bytes."""
        oids = {
            oid
            for name, found in self._survey.names().items()
            if is_carried(CARRIED / name.decode("utf-8", "replace")) and name.endswith(b".md")
            for oid in found
            if oid in self._survey.kinds
        }
        sized = [(oid, self._survey.kinds[oid][1]) for oid in sorted(oids)]
        for one in read_objects(self._survey.engine, sized):
            for record in self._record("i-", one.oid, one.data):
                yield record.id, one.oid

    def records(self, ids: Iterable[str]) -> Iterator[Item | Resource]:
        """Every version of these notes in the history, and as they are on disk."""
        wanted = frozenset(ids)
        if not wanted:
            return
        by_oid = {oid: id_ for id_ in sorted(wanted) for oid in self._oids.get(id_, ())}
        for one in self._survey.blobs():
            if one.oid in self._of_agents:
                continue
            # By its name, or, where a person named the file, by what it says of itself.
            id_ = by_oid.get(one.oid) or note_of(one.data, wanted)
            if id_ is not None:
                yield from self._record(id_, sorted(self.names.get(id_, {id_}))[0], one.data)
        for id_ in sorted(wanted):
            for row in self._vault.index.notes_with_id(id_):
                yield from self._on_disk(row)

    def _on_disk(self, row: NoteRow) -> Iterator[Item | Resource]:
        try:
            data = files.read(self._vault.root, row.path, limit=None)
        except VaultmemError:
            return
        yield from self._record(row.id, row.path.stem, data)

    def _record(self, id_: str, name: str, data: bytes) -> Iterator[Item | Resource]:
        folder = "items" if id_.startswith("i-") else "resources"
        path = PurePosixPath(folder, f"{name}.md")
        record = notes.decode(path, data, Oid(""), zone=self._vault.settings.timezone).record
        if isinstance(record, Item | Resource):
            # A file that has its id in its name alone gave '', with which every name ends: a purge
            # erased all notes of the vault, and the files of its state.
            known = record.id or (id_ if id_in_name(id_) == id_ else "")
            if known:
                yield replace(record, id=known)

    def with_any(self, oids: set[str]) -> set[str]:
        """Ids of notes of which one of these files is a version."""
        return {id_ for id_, theirs in self._oids.items() if not oids.isdisjoint(theirs)}

    def citing(self, words: Iterable[str]) -> Iterator[tuple[str, Item]]:
        """(id, version) of items of all times whose notes hold one of these words."""
        wanted = [word.encode() for word in words]
        by_oid = {
            oid: id_
            for id_, oids in self._oids.items()
            if id_.startswith("i-")
            for oid in oids
            if oid in self._survey.kinds
        }
        sized = [(oid, self._survey.kinds[oid][1]) for oid in sorted(by_oid)]
        for one in read_objects(self._survey.engine, sized):
            if any(word in one.data for word in wanted):
                id_ = by_oid[one.oid]
                for record in self._record(id_, sorted(self.names.get(id_, {id_}))[0], one.data):
                    if isinstance(record, Item):
                        yield id_, record


def target_of(vault: Vault, survey: Survey, wish: Wish) -> Target:
    """What the wish means; raises UnknownNoteError, BadInputError."""
    wish.require_one()
    versions = _Versions(vault, survey)
    if wish.match:
        return _matching(vault, survey, versions, wish.match)
    ids = {_source(vault, versions, wish.source)} if wish.source else set()
    for ref in wish.refs:
        ids.add(_resolve_id(vault, versions, ref))
    if wish.source:
        ids |= _from_source(vault, versions, next(iter(ids)))
    records = list(versions.records(ids))
    said, short = _passages_of(records)
    # In every version: a source to which the person once added words stays with them
    # (tests/forget/test_purge.py::test_a_source_to_which_the_person_added_words_stays_with_them).
    for id_, found in _by_id(versions.records(_sources(records) - ids)).items():
        if all(_is_blank_without(each.body, said) for each in found):
            ids.add(id_)
            more, _ = _passages_of(found)
            said, records = said | more, [*records, *found]
    whole = _erasure(survey, versions, ids, said)
    telling = _tokens(vault, records, whole)
    return Target(
        erasure=_erasure(survey, versions, ids, said | telling) if telling else whole,
        notes=tuple(_forgotten_notes(ids, records, versions)),
        telling=frozenset(telling),
        short=short,
    )


def _by_id(records: Iterable[Item | Resource]) -> dict[str, list[Item | Resource]]:
    found: dict[str, list[Item | Resource]] = {}
    for each in records:
        found.setdefault(each.id, []).append(each)
    return found


def _resolve_id(vault: Vault, versions: _Versions, ref: str) -> str:
    """The id that a person means, of a note that is there or was."""
    try:
        row = vaults.find_note(vault, ref)
    except UnknownNoteError:
        wanted = PurePosixPath(ref.strip().strip("[]")).name.removesuffix(".md")
        found = [id_ for id_, names in versions.names.items() if wanted in (id_, *names)]
        if not found:
            raise UnknownNoteError(
                f"neither the vault nor its history knows '{ref}', so nothing was erased",
                hint="what was erased before is gone; `vaultmem forget --purge --match TEXT` "
                "looks for a text everywhere",
            ) from None
        return found[0]
    if row.type not in ("item", "resource") or not row.id:
        raise BadInputError(
            f"'{row.path}' has no id to be erased by",
            hint="`vaultmem forget --purge --match TEXT` erases a text wherever it stands",
        )
    return row.id


def _source(vault: Vault, versions: _Versions, ref: str) -> str:
    id_ = _resolve_id(vault, versions, ref)
    if not id_.startswith("r-"):
        raise BadInputError(f"'{ref}' is no source", hint=f"`vaultmem forget --purge {id_}`")
    return id_


def _from_source(vault: Vault, versions: _Versions, source: str) -> set[str]:
    """Ids of the items that came from it, now or before."""
    rows = vault.index.notes_with_id(source)
    found = {item.id for row in rows for item in items_from(vault, row) if item.id}
    names = versions.names.get(source, set())
    for id_, item in versions.citing({source, *names}):
        if any(link in names or id_in_name(link) == source for link in item.source):
            found.add(id_)
    return found


def _sources(records: Iterable[Item | Resource]) -> set[str]:
    links = (link for each in records if isinstance(each, Item) for link in each.source)
    ids = (id_in_name(link) for link in links)
    return {id_ for id_ in ids if id_ is not None and id_.startswith("r-")}


def _passages_of(records: Iterable[Item | Resource]) -> tuple[set[str], int]:
    """Passages of these notes that are looked for everywhere, and how many are too short."""
    found: set[str] = set()
    short: set[str] = set()
    for each in records:
        whole = [each.body] if isinstance(each, Resource) else [each.statement, each.quote]
        for text in filter(None, map(trim_passage, whole)):
            (found if len(text) >= SHORTEST else short).add(text)
        pieces = [*each.body.splitlines(), *sentences(each.body)]
        if isinstance(each, Item) and each.quote:
            pieces += sentences(each.quote)
        found |= {text for text in map(trim_passage, pieces) if len(text) >= SENTENCE}
    return found, len(short)


def _is_blank_without(body: str, said: Iterable[str]) -> bool:
    """Whether a text says nothing but these passages."""
    left = notes.canonical(body)
    # The longest first, as in forget/remove.py.
    for text in sorted(map(notes.canonical, said), key=len, reverse=True):
        left = left.replace(text, " ")
    return not any(char.isalnum() for char in left)


def _tokens(vault: Vault, records: Iterable[Item | Resource], whole: Erasure) -> set[str]:
    """What in the statements names one thing only: secrets, numbers, addresses.

    They are looked for alone too, in messages and summaries, unless another note has them as it
    was last committed, and beyond the passages that it loses: then they are that note's as well.
    """
    found: set[str] = set()
    for each in records:
        for text in (each.statement, each.quote) if isinstance(each, Item) else ():
            found |= {text[one.start : one.end] for one in privacy.find_secrets(text)}
            found |= {text[one.start : one.end] for one in privacy.find_personal(text)}
            found |= {word for word in _WORD.findall(text) if _is_telling(trim_passage(word))}
    found = {text for text in map(trim_passage, found) if len(text) >= _TOKEN}
    # The source and the links of the other items repeat the telling word (an address, a code) and
    # lose it in the same purge: counted as they are, it stayed in commit messages, tags and
    # stashes.
    return found - _shared_passages(vault, found, whole) if found else found


def _is_telling(word: str) -> bool:
    """Whether a word looks made up: digits in it, several hyphens, capitals inside."""
    # A date has digits, but stands in many texts that have to go on saying it.
    if len(word) < _TOKEN or _DATE.fullmatch(word):
        return False
    has_digit = any(char.isdigit() for char in word)
    return has_digit or "@" in word or "_" in word or word.count("-") > 1


def _shared_passages(vault: Vault, words: set[str], whole: Erasure) -> set[str]:
    rows = vault.index.list(model.Filters(types=("item", "resource")))
    edited = {PurePosixPath(state.path) for state in vault.index.pending()}
    # What a source only repeats it loses in the same purge, so notes of it do not count: a telling
    # word stayed in messages and tags because its own source had it, too.
    paths = sorted(row.path for row in rows if row.id not in whole.ids and row.path not in edited)
    asked = {word: word.casefold() for word in words}
    found: set[str] = set()
    for _, data in files.read_each(vault.root, paths, limit=None):
        if isinstance(data, bytes):
            there = _among(asked, data)
            found |= _among(asked, whole.clean(data)) if there else there
    return found


def _among(asked: Mapping[str, str], data: bytes) -> set[str]:
    text = data.decode("utf-8", "replace").casefold()
    return {word for word, plain in asked.items() if plain in text}


def _matching(vault: Vault, survey: Survey, versions: _Versions, match: str) -> Target:
    """The text itself, everywhere; items that state it, and sources that say nothing else, go."""
    text = trim_passage(match)
    if len(text) < SHORTEST_MATCH:
        raise BadInputError(
            f"'{match}' is too short to be looked for everywhere",
            hint=f"give {SHORTEST_MATCH} characters or more of the text, or name the notes by "
            "their ids",
        )
    seek = Erasure(texts=[text])
    ids: set[str] = set()
    records: list[Item | Resource] = []
    holding = {one.oid for one in survey.blobs() if seek.holds(one.data)}
    for id_, found in _by_id(versions.records(versions.with_any(holding))).items():
        if any(_goes(each, seek) for each in found):
            ids.add(id_)
            records += found
    return Target(
        erasure=_erasure(survey, versions, ids, {text}),
        notes=tuple(_forgotten_notes(ids, records, versions)),
        telling=frozenset({text}),
        short=0,
    )


def _goes(record: Item | Resource, seek: Erasure) -> bool:
    if isinstance(record, Item):
        return seek.holds(record.statement.encode("utf-8", "surrogateescape"))
    left = seek.clean(record.body.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")
    return not any(char.isalnum() for char in left.replace(ERASED_PASSAGE, ""))


def _erasure(survey: Survey, versions: _Versions, ids: set[str], said: set[str]) -> Erasure:
    names = {name for id_ in ids for name in versions.names.get(id_, ())}
    plain = Erasure(ids=ids, names=names, texts=said)
    return Erasure(ids=ids, names=names, texts=said, renamed=_new_file_names(survey, plain))


def _new_file_names(survey: Survey, plain: Erasure) -> Mapping[str, str]:
    """Other names for files that stay and whose names say it."""
    found: dict[str, str] = {}
    for name in sorted(survey.names()):
        text = name.decode("utf-8", "surrogateescape")
        stem = text.rpartition(".")[0] or text
        if not plain.is_gone(stem) and plain.says(stem):
            found[stem] = f"erased-{id_in_name(stem) or len(found) + 1}"
    return found


def _forgotten_notes(
    ids: Iterable[str], records: Iterable[Item | Resource], versions: _Versions
) -> Iterator[ForgottenNote]:
    text: dict[str, str] = {}
    for each in records:
        text[each.id] = each.statement if isinstance(each, Item) else each.title
    for id_ in sorted(ids):
        name = sorted(versions.names.get(id_, {id_}))[0]
        yield ForgottenNote(
            path=PurePosixPath(f"{name}.md"),
            id=id_,
            type="item" if id_.startswith("i-") else "resource",
            text=shorten(text.get(id_, ""), _SHOWN),
        )
