"""Keep what other programs exported: each conversation a text, told once, gone on with later.

The records of the readers (`importers/`) become documents, and `remember` keeps them as it keeps
any conversation: one commit a text, items by the same rules, secrets left out. A text says in its
front matter which conversation it is of (`session`) and how far that had come (`imported`), so a
second import adds nothing and a later one only what was said since. One record that cannot be kept
stops no other.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from vaultmem import extract, projects, remember
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    DiskError,
    NamedTuple,
    PatchRefusedError,
    UnsafePathError,
    VaultmemError,
    dataclass,
    field,
    is_refusal,
    late,
    replace,
)
from vaultmem.language import slugify
from vaultmem.model import (
    WRITERS,
    Document,
    Filters,
    ImportedProducts,
    ImportedRecord,
    Turn,
    lowest,
    shorten,
    trust_of,
)
from vaultmem.safety import refang
from vaultmem.storage import notes
from vaultmem.transfer.importers.imported_records import (
    PERSON,
    Asked,
    MissingOwnerError,
    Noted,
    Odd,
    Record,
    Talk,
)
from vaultmem.transfer.importers.inputs import Input, Refused
from vaultmem.transfer.importers.product import (
    OWN,
    PRODUCTS,
    Format,
    format_of_file,
    formats_of_product,
    reader_of,
)

if TYPE_CHECKING:
    from vaultmem.model import Extraction, Prepared, Progress, Remembered
    from vaultmem.vault import Vault

IMPORTED = "imported"
"""Key of a text: how many turns of its conversation are kept with it, and digests of them."""
_STATE = late(r"(\d{1,7}) ([0-9a-f]{16}) ([0-9a-f]{16})")
_HEAD = 8192  # bytes of a text in which its front matter ends
_LOT_CHARACTERS = 1_500_000
_LOT_TEXTS = 100
"""Texts kept together: with more, 200 MB of conversations took over 300 MB of memory."""
_SAFE_ID = late(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_SHARE_OF_NOTE = 0.8  # of the bytes a note may have: front matter, names and times come on top
_SHOWN = 60
_LONGEST_TITLE = 200  # characters


def import_files(
    vault: Vault,
    inputs: Sequence[Input | Refused],
    *,
    product: str = "",
    me: str = "",
    writer: str = "import",
    secrets: str | None = None,
    with_items: bool = True,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportedProducts:
    """Take in what other programs exported.

    product  whose exports they are; '': found out by what they hold
    me       the name under which the person speaks in chats between people
    writer   whose export it is: of import and person, the person's turns are the vault's owner's
    secrets  what to do about secrets: block (skip the record), redact, allow; None: as settings say
    with_items  False: keep the texts, make no items
    raises   BadInputError  no file is an export that is known, or a chat's owner is not named
    """
    if writer not in WRITERS:
        raise BadInputError(f"'{writer}' is no writer", hint="one of: " + ", ".join(WRITERS))
    formats = formats_of_product(product) if product else ()
    if product and not formats:
        raise BadInputError(f"'{product}' is no product", hint="one of: " + ", ".join(PRODUCTS))
    vaults.level.refresh(vault)
    keeping = _Keeping(
        vault, writer=writer, secrets=secrets, with_items=with_items, dry_run=dry_run
    )
    missing: MissingOwnerError | None = None
    known: list[tuple[Input, Format]] = []
    passed = 0
    for each in inputs:
        found = None if isinstance(each, Refused) else _format(each, keeping)
        if isinstance(each, Refused):
            keeping.skip("", "file", each.name, each.name, each.why)
        elif found is None or found.product == OWN or (formats and found not in formats):
            passed += 1
        elif not found.is_support:
            known.append((each, found))
    if not known and not keeping.records:
        raise _unknown(inputs, product)
    done, total = 0, sum(each.size for each, _ in known)
    for each, found in known:
        begun = done

        def say(read: int, begun: int = begun) -> None:
            if progress is not None:
                progress("reading (kB)", min(begun + read, total) // 1000, total // 1000)

        asked = Asked(file=each, zone=vault.settings.timezone, me=me, progress=say)
        try:
            for record in _records(found, asked):
                keeping.add(record, each.name)
        except MissingOwnerError as error:
            missing = error
            keeping.skip("", "file", each.name, each.name, f"{error.message} ({error.hint})")
        done += each.size
    keeping.keep()
    if missing is not None and all(each.what == "skipped" for each in keeping.records):
        raise missing
    return ImportedProducts(
        records=tuple(keeping.records), passed=passed, commit=keeping.commit, dry_run=dry_run
    )


def _records(found: Format, asked: Asked) -> Iterator[Record]:
    """The records of a file, and at last why the rest of it cannot be read."""
    try:
        yield from reader_of(found)(asked)
    except MissingOwnerError:
        raise
    except (BadInputError, DiskError) as error:  # of the file; the vault's own do not come here
        yield Odd(product="", name=asked.file.name, why=error.message)


def _format(each: Input, keeping: _Keeping) -> Format | None:
    try:
        return format_of_file(each)
    except (BadInputError, DiskError) as error:
        keeping.skip("", "file", each.name, each.name, error.message)
        return None


def _unknown(inputs: Sequence[Input | Refused], product: str) -> BadInputError:
    told = f"an export of {product}" if product else "an export that can be read"
    what = f"'{inputs[0].name}'" if len(inputs) == 1 else f"none of {len(inputs):,} files"
    return BadInputError(
        f"{what} is {told.replace('an export', 'no export') if len(inputs) == 1 else told}",
        hint="`vaultmem help import` names what is read; `vaultmem remember FILE` keeps any text",
    )


class _State(NamedTuple):
    """How far a conversation had come when a text of it was kept."""

    turns: int
    digest: str  # of these turns
    whole: str  # of all that the export told then, other branches included
    path: PurePosixPath


@dataclass(slots=True, kw_only=True)
class _Waiting:
    """A text that is made ready, and the place of its record in the report."""

    prepared: Prepared
    found: Extraction
    record: int


@dataclass(slots=True)
class _Lot:
    texts: list[_Waiting] = field(default_factory=list)
    characters: int = 0


class _Keeping:
    """Keeps records in lots, and says what became of each."""

    def __init__(
        self, vault: Vault, *, writer: str, secrets: str | None, with_items: bool, dry_run: bool
    ) -> None:
        self._vault = vault
        self._writer = writer
        self._secrets = secrets
        self._with_items = with_items
        self._dry_run = dry_run
        self._lot = _Lot()
        self._known = _states(vault)
        self._told: dict[tuple[str, str], str] = {}  # projects, by folder and remote
        self.records: list[ImportedRecord] = []
        self.commit: str | None = None

    def skip(
        self, product: str, kind: str, name: str, file: str, why: str, *, is_expected: bool = False
    ) -> None:
        """Say that something was not read."""
        self.records.append(
            ImportedRecord(
                product=product,
                kind=kind,
                name=name,
                file=file,
                what="skipped",
                why=why,
                is_expected=is_expected,
            )
        )

    def add(self, record: Record, file: str) -> None:
        """Make a record ready; lots are kept as they fill."""
        if isinstance(record, Odd):
            self.skip(
                record.product,
                "conversation",
                record.name,
                file,
                record.why,
                is_expected=record.is_expected,
            )
        elif isinstance(record, Noted):
            self._add_note(record, file)
        else:
            self._add_talk(record, file)
        if len(self._lot.texts) >= _LOT_TEXTS or self._lot.characters >= _LOT_CHARACTERS:
            self.keep()

    def _add_note(self, note: Noted, file: str) -> None:
        kind = "memory" if note.is_memory else "page"
        name = _title(note.title) or shorten(" ".join(note.text.split()), _SHOWN)
        report = ImportedRecord(
            product=note.product,
            kind=kind,
            name=name,
            file=file,
            what="added",
            date=note.date,
            read=1,
            kept=1,
        )
        writer = self._least_believed(note.writer)
        is_own = note.writer == PERSON
        text = note.text
        if is_own:  # a turn of the person's: judged as what they say, and not as a page
            writer = self._writer
            text = _messages([Turn(text=note.text, role="user")])
        about = (*note.about, ("origin", note.product))
        document = Document(
            text=text,
            title=_title(note.title),
            date=note.date,
            origin="" if note.is_memory and not is_own else note.product,
            writer=writer,
            imported=is_own or not note.is_memory,
            secrets=self._secrets,
            extract=self._with_items,
            about=about,
        )
        self._ready(report, [document])

    def _least_believed(self, writer: str) -> str:
        """A writer, or the one who hands it in, whoever is believed less."""
        level = lowest(trust_of(writer), trust_of(self._writer))
        return writer if trust_of(writer) == level else self._writer

    def _add_talk(self, talk: Talk, file: str) -> None:
        session = _session_of(talk)
        report = ImportedRecord(
            product=talk.product,
            kind="conversation",
            name=_title(talk.title) or _first_words(talk) or talk.id,
            file=file,
            what="added",
            date=talk.date,
            read=talk.read or len(talk.turns),
            left={why: number for why, number in talk.left.items() if number},
        )
        states = self._known.get(session, ())
        if any(state.path == PurePosixPath() for state in states):
            # Told twice in one import, as by an older export beside: its words are read from disk.
            self.keep()
            self._known = _states(self._vault) if not self._dry_run else self._known
            states = self._known.get(session, ())
        turns, beside = self._new(talk, states)
        # Results of tools alone make no new text: nobody said anything since.
        if states and not any(turn.role != "tool" for turn in turns):
            self.records.append(replace(report, what="unchanged"))
            return
        report = replace(report, what="grown" if states else "added", kept=len(turns) + len(beside))
        documents: list[Document] = []
        ends: list[_State] = []
        whole = _digest([*talk.turns, *talk.beside])
        before = first = len(talk.turns) - len(turns)
        for portion, taken in _portions([*turns, *beside], self._room):
            reached = min(before + taken, len(talk.turns))
            is_last = taken == len(turns) + len(beside)
            digest = _digest(talk.turns[:reached])
            state = _State(reached, digest, whole if is_last else digest, PurePosixPath())
            ends.append(state)
            documents.append(self._document(talk, portion, session, state, first=first + 1))
            first = reached
        if self._ready(report, documents):
            self._known[session] = (*states, *ends)

    def _projects(self, talk: Talk) -> tuple[str, ...]:
        """The repository in which an assistant worked; looked up once a folder."""
        place = talk.folder, talk.remote
        if place not in self._told:
            self._told[place] = projects.told_project(*place, self._vault.settings)
        return (self._told[place],) if self._told[place] else ()

    @property
    def _room(self) -> int:
        return int(self._vault.settings.limits_note_bytes * _SHARE_OF_NOTE)

    def _document(
        self, talk: Talk, turns: Sequence[Turn], session: str, state: _State, *, first: int
    ) -> Document:
        title = _title(talk.title) or _first_words(talk)
        if first > 1:
            title = f"{title} (from turn {first})" if title else f"From turn {first}"
        at = next((turn.said_at for turn in turns if turn.said_at is not None), talk.date)
        return Document(
            text=_messages(turns),
            title=title,
            date=talk.date if first <= 1 and talk.date is not None else at,
            origin=talk.product,
            session=session,
            projects=self._projects(talk),
            writer=self._writer,
            imported=True,
            secrets=self._secrets,
            extract=self._with_items,
            about=((IMPORTED, f"{state.turns} {state.digest} {state.whole}"),),
        )

    def _new(self, talk: Talk, states: Sequence[_State]) -> tuple[Sequence[Turn], Sequence[Turn]]:
        """What of a conversation is not kept yet: of its branch, and beside it."""
        if not states:
            return talk.turns, talk.beside
        if _digest([*talk.turns, *talk.beside]) in {state.whole for state in states}:
            return (), ()
        # The longest beginning that was kept and is still the same; the rest is new.
        kept = max(
            (
                state.turns
                for state in states
                if state.turns <= len(talk.turns)
                and state.digest == _digest(talk.turns[: state.turns])
            ),
            default=0,
        )
        if kept and not talk.beside:
            return talk.turns[kept:], ()
        there = self._texts_of(states)
        beside = [turn for turn in talk.beside if not _is_in(there, turn)]
        if kept:
            return talk.turns[kept:], beside
        # An earlier message was said anew: what is on the branch now and was not kept before.
        left = there.copy()
        new: list[Turn] = []
        for turn in talk.turns:
            key = _words(turn.text)
            if left[key] > 0:
                left[key] -= 1
            else:
                new.append(turn)
        return new, beside

    def _texts_of(self, states: Sequence[_State]) -> Counter[str]:
        """The words of each turn of a conversation that the vault has, and how often."""
        found: Counter[str] = Counter()
        for path in {state.path for state in states} - {PurePosixPath()}:
            row = self._vault.index.note(path)
            if row is None:
                continue
            data = vaults.WorkingCopy(self._vault).existing(path)
            note = notes.read(data, path)
            for turn in extract.parse(refang(note.body), self._vault.settings.timezone):
                found[_words(turn.text)] += 1
        return found

    def _ready(self, report: ImportedRecord, documents: Sequence[Document]) -> bool:
        """Read the texts of a record; False: it cannot be kept, and the report says why."""
        place = len(self.records)
        self.records.append(report)
        ready: list[_Waiting] = []
        try:
            for document in documents:
                for prepared, found in remember.read(self._vault, [document]):
                    ready.append(_Waiting(prepared=prepared, found=found, record=place))
        except VaultmemError as error:
            if is_refusal(error):
                raise
            self.records[place] = replace(report, what="skipped", why=error.message, kept=0)
            return False
        self._lot.texts += ready
        self._lot.characters += sum(len(each.prepared.body) for each in ready)
        return True

    # --- keeping -------------------------------------------------------------------------

    def keep(self) -> None:
        """Keep what is ready, the oldest first; a dry run only says what would be."""
        lot, self._lot = self._lot, _Lot()
        if not lot.texts:
            return
        texts = sorted(lot.texts, key=lambda each: each.prepared.date or 0)
        ready = [(each.prepared, each.found) for each in texts]
        if self._dry_run:
            done = self._plan(ready)
        else:
            try:
                done = self._keep(ready)
            except (BadInputError, PatchRefusedError, UnsafePathError):
                self._keep_each(texts)
                return
        for each, report in zip(texts, done, strict=True):
            self._tell(each, report)

    def _keep_each(self, texts: Sequence[_Waiting]) -> None:
        """Keep texts one by one, where one of them cannot be kept."""
        for each in texts:
            try:
                [report] = self._keep([(each.prepared, each.found)])
            except (BadInputError, PatchRefusedError, UnsafePathError) as error:
                before = self.records[each.record]
                self.records[each.record] = replace(before, what="skipped", why=error.message)
            else:
                self._tell(each, report)

    def _keep(self, ready: Sequence[tuple[Prepared, Extraction]]) -> Sequence[Remembered]:
        # When the person saved a list just then, what was kept is known.
        return vaults.retry_when_stale(lambda: remember.remember_ready(self._vault, ready))

    def _plan(self, ready: Sequence[tuple[Prepared, Extraction]]) -> Sequence[Remembered]:
        taking = remember.TakingIn(self._vault)
        return [
            replace(taking.add(prepared, found, with_lists=False).report, removed=prepared.removed)
            for prepared, found in ready
        ]

    def _tell(self, text: _Waiting, done: Remembered) -> None:
        before = self.records[text.record]
        self.commit = done.commit or self.commit
        is_new = not done.no_op
        self.records[text.record] = replace(
            before,
            what=before.what if is_new or before.paths else "unchanged",
            kept=before.kept if is_new or before.paths else 0,
            items=before.items + sum(item.outcome == "add" for item in done.items),
            known=before.known + sum(item.outcome != "add" for item in done.items),
            waiting=before.waiting + sum(bool(item.review) for item in done.items),
            paths=(*before.paths, done.path) if is_new else before.paths,
            removed=(*before.removed, *done.removed),
        )


# --- conversations ---------------------------------------------------------------------------


def _session_of(talk: Talk) -> str:
    """The name of a conversation in the vault: the product, and its id there."""
    id_ = talk.id
    if _SAFE_ID.fullmatch(id_) is None:
        id_ = hashlib.sha256(id_.encode()).hexdigest()[:16]
    return f"{slugify(talk.product)}-{id_}"


def _states(vault: Vault) -> dict[str, tuple[_State, ...]]:
    """How far each imported conversation has come, as the texts in the vault say.

    Their first bytes are read from disk: files are the truth, and 10,000 take half a second.
    """
    found: dict[str, list[_State]] = {}
    for row in vault.index.list(Filters(types=("resource",))):
        try:
            with open(vault.root / row.path, "rb") as stream:
                head = stream.read(_HEAD)
        except OSError:
            continue  # gone or locked: its conversation is compared with what else is there
        if b"\nimported:" not in head or b"\nsession:" not in head:
            continue
        values = notes.read(head, row.path).values
        session, state = values.get("session"), _STATE.fullmatch(str(values.get(IMPORTED) or ""))
        if isinstance(session, str) and state is not None:
            one = _State(int(state[1]), state[2], state[3], row.path)
            found.setdefault(session, []).append(one)
    return {session: tuple(states) for session, states in found.items()}


def _digest(turns: Sequence[Turn]) -> str:
    """What tells these turns from others: who said what, and not when, which exports differ in."""
    told = hashlib.sha256()
    for turn in turns:
        told.update(json.dumps([turn.role, turn.speaker, turn.text]).encode())
    return told.hexdigest()[:16]


_BRANCH_MARK = late(r"\A\[another branch, [^\]]{1,80}\] ")


def _words(text: str) -> str:
    return " ".join(_BRANCH_MARK.sub("", text).split())


def _is_in(there: Counter[str], turn: Turn) -> bool:
    return there[_words(turn.text)] > 0


def _title(text: str) -> str:
    """A title on one line, as long as a title may be."""
    return shorten(" ".join(text.split()), _LONGEST_TITLE)


def _first_words(talk: Talk) -> str:
    own = next((turn.text for turn in talk.turns if turn.role == "user"), "")
    return shorten(" ".join(own.split()), _SHOWN) if own.strip() else ""


def _messages(turns: Sequence[Turn]) -> str:
    """Turns as the JSON list that `remember` reads; times in ms."""
    return json.dumps(
        [
            {"content": turn.text}
            | ({"role": turn.role} if turn.role else {"speaker": turn.speaker or "unknown"})
            | ({"time": turn.said_at} if turn.said_at is not None else {})
            for turn in turns
        ],
        ensure_ascii=False,
    )


def _portions(turns: Sequence[Turn], room: int) -> Iterator[tuple[list[Turn], int]]:
    """The turns in parts that fit into a note of so many bytes; how many are told by its end."""
    portion: list[Turn] = []
    size = taken = 0
    for turn in turns:
        for piece in _pieces(turn, room):
            length = len(piece.text.encode()) + 120  # its name and time
            if portion and size + length > room:
                yield portion, taken
                portion, size = [], 0
            portion.append(piece)
            size += length
        taken += 1
    if portion:
        yield portion, taken


def _pieces(turn: Turn, room: int) -> Iterator[Turn]:
    """A turn that is longer than a note may be, in several of the same speaker."""
    text, most = turn.text, max(room // 4, 1)  # a character has four bytes at most
    if len(text) <= most:
        yield turn
        return
    while text:
        end = len(text)
        if end > most:
            # At the end of a line, or near the end between two words: messages longer than a note
            # were cut within one.
            cut = max(text.rfind("\n", most // 2, most), text.rfind(" ", most * 9 // 10, most))
            end = cut + 1 if cut > 0 else most
        yield replace(turn, text=text[:end])
        text = text[end:]
