"""`Memory`: opens the parts of a vault once; one short method for each operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from vaultmem import (
    check,
    config,
    context,
    devices,
    edit,
    facts,
    forget,
    maintain,
    model,
    models,
    recall,
    remember,
    sessions,
    transfer,
    undo,
    vault,
)
from vaultmem.api.facets import Facets
from vaultmem.api.opened import open_vault
from vaultmem.base import IO, TYPE_CHECKING, Literal, replace
from vaultmem.model import Answer, NoteRow, RecallRequest, SystemClock
from vaultmem.model import Filters as Filters  # what a caller hands to `list` and `recall`

if TYPE_CHECKING:
    from vaultmem.api.conversation_verbs import Session
    from vaultmem.api.former import Former
    from vaultmem.api.mem0 import Messages, Metadata
    from vaultmem.check import Announce
    from vaultmem.config import Settings
    from vaultmem.history import When
    from vaultmem.model import (
        Changed,
        CheckReport,
        Clock,
        Document,
        Exported,
        Forgotten,
        Format,
        Imported,
        ImportedProducts,
        InitReport,
        Pack,
        Problem,
        Progress,
        Remembered,
        Shown,
        SyncReport,
        Undone,
    )
    from vaultmem.sessions import Summariser

    Given = Filters | Mapping[str, object] | None
else:
    Former = object  # the names that methods had: loaded when one of them is used


MANY = 32  # texts remembered at once, after which vectors are made: questions make a few


def filters_of(given: Given) -> Filters:
    """The filters; a dict is read by the names of their fields (`api/mem0.py`)."""
    if given is None or isinstance(given, Filters):
        return given or Filters()
    from vaultmem.api.mem0 import filters_of as of_dict  # saves 7 modules

    return of_dict(given)


def _projects_of(metadata: Metadata | None) -> tuple[str, ...]:
    """The projects among metadata: a text, or texts, that callers of other memories keep there."""
    given = (metadata or {}).get("project", ())
    listed = given if isinstance(given, list | tuple) else (given,)
    return tuple(each for each in listed if isinstance(each, str))


class Memory(Facets, Former):
    """A vault, opened. Use as a context manager, or call `close`.

    vault     a folder, or a name from the person's settings; None: `VAULTMEM_VAULT`, the current
              folder, then the person's default vault
    settings  None: read from the vault and the person's own file
    short_lived  of a process that answers one command: files are compared by a child while the
              rest is loaded, and reads believe a live watcher that nothing was touched (it hears
              of a save some milliseconds late, which a new process always takes)
    sync      False: `recall`, `search`, `list`, `show`, what looks back and what waits answer from
              the index as it is, without comparing the files first; `Answer.is_level` says so,
              `sync` brings it level
    raises    NoVaultError, SettingsError, MemoryDisabledError, HistoryError

    The verbs of every day are methods of `Memory`; the others stand in facets with the words of
    their rooms: `memory.history.log()`, `memory.review.approve(...)` (api/facets.py).

    Every method first brings the index level with the files, so an answer is never stale unless
    `sync=False` allows it. `recall`, `search`, `context`, `list` and `show` can be asked about
    another time, by either clock or both (`vaultmem help time`):

    as_of     valid time: what held then, as far as it is known now
    known_at  record time: what the vault knew then; without `as_of` about that same instant.
              The first question of this kind reads the history (`progress` is told of it)

    Both take UTC milliseconds or a text: '2026-02-03' (00:00 in the vault's zone),
    '2026-02-03T12:00+01:00', 'last Tuesday'; `known_at` a revision too ('HEAD~3', a tag, an id).
    They raise BadInputError for what is no time, and HistoryIncompleteError where a shallow clone
    does not reach back so far.

    A `Memory` belongs to the thread and process that opened it; used elsewhere, it raises
    WrongThreadError. Any number of them, in any number of processes, may share a vault.
    """

    def __init__(
        self,
        vault: str | Path | None = None,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        short_lived: bool = False,
        sync: bool = True,
    ) -> None:
        if settings is None:
            settings = config.open_settings(vault)
        clock = clock or SystemClock()
        opened = open_vault(settings, clock, short_lived=short_lived, compares=sync)
        self._own(opened, is_closed=short_lived)

    @classmethod
    def init(
        cls,
        path: str | Path,
        *,
        name: str | None = None,
        device: str | None = None,
        obsidian: bool = False,
        clock: Clock | None = None,
    ) -> InitReport:
        """Make a vault in a folder (made if need be); notes that are there stay as they are.

        obsidian  also tables and types of properties, as far as there are none; in a vault, too
        """
        now = clock or SystemClock()
        return vault.init(Path(path), name=name, device=device, obsidian=obsidian, clock=now)

    @classmethod
    def receive(
        cls,
        url: str,
        path: str | Path,
        *,
        branch: str = "main",
        clock: Clock | None = None,
        progress: Progress | None = None,
    ) -> InitReport:
        """Make the vault that a remote holds in a new folder of this device, and pin the remote."""
        if clock is None:
            clock = model.SystemClock()
        return devices.receive(url, Path(path), branch=branch, clock=clock, progress=progress)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            from vaultmem.api.former import former_method  # saves a module

            return former_method(self, name)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self._vault.root

    @property
    def unreadable(self) -> tuple[Problem, ...]:
        """Notes and folders that could not be read at the last look at the files, by path.

        They are kept as they were last known, and nothing that they may have become is committed.
        """
        return vault.unread.problems(self._vault)

    @property
    def unsynced_since(self) -> int | None:
        """When the index last took in changes (UTC ms), if the last answer compared no files.

        None: it did, as every answer does unless the memory was opened with `sync=False`.
        """
        return vault.synced_at(self._vault) if self._vault.is_lagging else None

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._vault.settings

    def remember(
        self,
        text: Messages,
        *,
        title: str = "",
        date: int | str | None = None,
        source: str = "",
        kind: str | None = None,
        stream: str | None = None,
        category: str | None = None,
        valid_from: int | str | None = None,
        valid_until: int | str | None = None,
        fact: tuple[str, str, str] | None = None,
        confidence: float | None = None,
        pinned: bool = False,
        hard: bool = False,
        writer: str = "",
        extract: bool = True,
        dry_run: bool = False,
        imported: bool = False,
        secrets: str | None = None,
        metadata: Metadata | None = None,
        project: str | Sequence[str] = (),
    ) -> Remembered:
        """Keep a text, and the items it states, in one commit; durable when it returns.

        text        plain text, Markdown, or messages: a list of `{role, content, time?}`, also as
                    JSON
        date        when it was written or said; relative dates are resolved against it. Instants
                    are UTC ms, or texts such as '2026-02-04' in the vault's zone
        source      where it comes from: a file name, a URL
        kind...     override what extraction finds
        fact        (subject, predicate, value) that the text states; '' makes a sentence of them
        writer      person, agent, import or web: whose words they are, and so how far they are
                    believed (`vaultmem help trust`); '': the web for a URL, else the person
        extract     False: keep the text only
        dry_run     change nothing, only say what would be done
        imported    the text was not typed by the person: `secrets.imported` of their settings holds
        secrets     what to do about secrets in it: block, redact, allow; None: as the settings say
        metadata    keys of your own for the front matter of the text and its items
        project     that it is about, a name or several; (): none (`vaultmem help projects`)
        raises      SecretFoundError when that is to block; nothing is written then
        """
        kept: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
        if metadata or not isinstance(text, str):
            from vaultmem.api.mem0 import metadata_of, text_of  # saves 7 modules

            project = project or _projects_of(metadata)
            others = {name: each for name, each in (metadata or {}).items() if name != "project"}
            text, kept = text_of(text), metadata_of(others)
        named = (project,) if isinstance(project, str) else project
        document = model.Document(
            text=text,
            metadata=kept,
            title=title,
            date=self._instant(date),
            origin=source,
            kind=kind,
            stream=stream,
            category=category,
            valid_from=self._instant(valid_from),
            valid_until=self._instant(valid_until),
            fact=fact,
            confidence=confidence,
            pinned=pinned,
            hard=hard,
            writer=writer,
            extract=extract,
            imported=imported,
            secrets=secrets,
            projects=tuple(" ".join(name.split()) for name in named if name.strip()),
            is_for_projects=True,
        )
        return remember.remember(self._vault, document, dry_run=dry_run)

    def remember_many(
        self, documents: Iterable[Document], *, progress: Progress | None = None
    ) -> tuple[Remembered, ...]:
        """Keep many texts, one commit each, in the order given; durable when it returns.

        Where a model reads, the summaries of the categories that they touch follow in a commit of
        their own, and are in the last report of a text that was new.
        """
        reports = remember.remember_many(self._vault, documents, progress=progress)
        if len(reports) >= MANY and models.is_here(self.settings):
            recall.after_many(self._vault, progress=progress)
        return reports

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        filters: Given = None,
        half_lives: Mapping[str, float | None] | None = None,
        preset: str | None = None,
        diverse: bool = False,
        expand: bool = False,
        seed: int | None = None,
        as_of: When | None = None,
        known_at: When | None = None,
        tiered: bool = False,
        rounds: int | None = None,
        rerank: bool | None = None,
        project: str = "",
        progress: Progress | None = None,
    ) -> Answer:
        """The notes that answer a question, best first; no hits means 'no memory found'.

        limit       at most so many notes; None: `recall.k` of the settings (5)
        half_lives  stream -> days (None: never fades), instead of those of the settings
        preset      how they are ranked (`vaultmem help ranking`); None: `recall.preset`
        diverse     of notes that say the same, the others wait
        expand      at most as many notes again that the hits are linked with, after them
        seed        sample the learned weights of the preset, instead of taking their means
        tiered      as deep as it needs: summaries of categories, items, texts (`Answer.tiered`)
        rounds      1: ask once; 2 or 3: its parts too, then what the first answers lack and
                    names that they brought; None: `recall.rounds`. `Answer.plan` has them
        rerank      by a language model, asked once (`vaultmem help llm`); None: `recall.rerank`
        project     in which it is asked: what was told there goes first, what belongs to another
                    project last; '': in none (`vaultmem help projects`)
        """
        request = RecallRequest(
            query=query,
            limit=limit,
            filters=filters_of(filters),
            half_lives=half_lives,
            preset=preset,
            diverse=diverse,
            expand=expand,
            seed=seed,
            as_of=as_of,
            known_at=known_at,
            tiered=tiered,
            rounds=rounds,
            rerank=rerank,
            project=project,
        )
        return recall.recall(self._vault, request, progress=progress)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        filters: Given = None,
        by: Literal["note", "passage"] = "note",
        rerank: bool = False,
        as_of: When | None = None,
        known_at: When | None = None,
        progress: Progress | None = None,
    ) -> Answer:
        """Every kind of note (items of any status too) with the query's words, best first.

        filters  `Filters`, or a dict as `{"kind": "preference"}`; so for `recall` and `list`
        by       'note': one hit a note; 'passage': one hit a passage
        rerank   by a language model, as in `recall`
        Asked about another time, items that held then; those of any status when filters name it.
        """
        request = RecallRequest(
            query=query,
            limit=limit,
            filters=filters_of(filters),
            rerank=rerank,
            as_of=as_of,
            known_at=known_at,
        )
        return recall.search(self._vault, request, by=by, progress=progress)

    def context(
        self,
        question: str = "",
        *,
        budget: int | None = None,
        window: int | None = None,
        format: Format = "markdown",
        counter: str | None = None,
        session: str | None = None,
        project: str = "",
        as_of: When | None = None,
        known_at: When | None = None,
        progress: Progress | None = None,
    ) -> Pack:
        """What to give an assistant before it answers, within a budget of tokens.

        question  '': what is current, stream by stream, in place of an answer
        budget    most tokens of the text; None: `context.tokens` of the settings (2,000)
        window    tokens of the model's window, of which memory takes 15% at most
        format    of `Pack.text`: markdown, json, messages, xml
        counter   estimate, words, o200k, cl100k, provider; None: `context.counter`
        session   id of a conversation that goes on: what holds in it, and its turns, come with it
        project   in which it is asked, as for `recall`; '': in none
        raises    BudgetTooSmallError (of BadInputError) where hard exceptions alone take more
        """
        talk = None
        if session is not None:
            talk = sessions.talk_of(self._vault, session)
        return context.context(
            self._vault,
            question,
            budget=budget,
            window=window,
            format_=format,
            counter_name=counter,
            talk=talk,
            project=project,
            as_of=as_of,
            known_at=known_at,
            progress=progress,
        )

    def list(
        self,
        filters: Given = None,
        *,
        limit: int | None = None,
        as_of: When | None = None,
        known_at: When | None = None,
        progress: Progress | None = None,
    ) -> tuple[NoteRow, ...]:
        """Notes that pass the filters, newest first; of another time, those that held then."""
        return check.listing(
            self._vault,
            filters_of(filters),
            limit=limit,
            as_of=as_of,
            known_at=known_at,
            progress=progress,
        )

    def show(
        self,
        ref: str,
        *,
        as_of: When | None = None,
        known_at: When | None = None,
        progress: Progress | None = None,
    ) -> Shown:
        """One note in full, by id, path or file name; `known_at` gives the text that it had then.

        `as_of` says whether it held then (`Shown.held`).
        """
        return check.show(self._vault, ref, as_of=as_of, known_at=known_at, progress=progress)

    def session(
        self,
        id_: str,
        *,
        title: str = "",
        writer: str = "",
        project: str = "",
        start: bool = True,
        summariser: Summariser | None = None,
    ) -> Session:
        """The conversation of this id; made when there is none.

        id_         small letters, digits and hyphens
        writer      person, agent or import: whose words the person's side is; '': the person's
        project     in which it is held, when it is made; '': in none
        start       False: raise UnknownNoteError when there is none
        summariser  asked in phase 2; None: the one of the settings, or else the rules
        """
        if start and id_ not in sessions.files.folders(self._vault):
            return self.sessions.start(
                id_, title=title, writer=writer, project=project, summariser=summariser
            )
        return self.sessions.open(id_, summariser=summariser)

    def change(
        self,
        *words: str,
        effective: int | str | None = None,
        statement: str = "",
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """The world changed: `change(subject, predicate, value)` or `change(item, statement)`.

        The old item ends at `effective` (None: now), a new one begins there; they are linked.
        What an item and a slot are, and what is raised: `help(memory.facts)`.
        statement  with a slot: the words of the new item; '': the old ones with the new value
        """
        at = self._instant(effective)
        wanted = facts.want_new("change", words, statement=statement, at=at, writer=writer)
        return edit.carry_out(self._vault, wanted, dry_run=dry_run)

    def correct(
        self, *words: str, statement: str = "", writer: str = "person", dry_run: bool = False
    ) -> Changed:
        """The record was wrong: as `change`, but the same item says it, for all of its time."""
        wanted = facts.want_new("correct", words, statement=statement, at=None, writer=writer)
        return edit.carry_out(self._vault, wanted, dry_run=dry_run)

    def forget(
        self, *refs: str, source: str = "", match: str = "", dry_run: bool = False
    ) -> Forgotten:
        """Take notes out of the vault and of recall, in one commit; `undo` brings them back.

        refs     items or resources, by id, path or name
        source   a resource: it goes with every item that came from it
        match    every item and resource that holds this text, whatever its case and spacing
        dry_run  only say what would go
        raises   UnknownNoteError, BadInputError; nothing is changed then

        The text stays in the history: `purge` erases it.
        """
        return forget.forget(
            self._vault, forget.Wish(refs=refs, source=source, match=match), dry_run=dry_run
        )

    def undo(self, commit: str | None = None, *, last: int = 1) -> Undone:
        """Take the last operations (or a named commit) back, by one new commit.

        last    how many, if no commit is named; edits of the person count only when named
        raises  UndoRefusedError, which names what was changed since; nothing is touched then
        """
        return undo.undo(self._vault, commit, last=last)

    def sync(
        self,
        *,
        settle: bool = True,
        rehash: bool = False,
        confirm_deletions: bool = False,
        allow_secrets: bool = False,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Take in what changed on disk, commit it as the person's, and settle streams and items.

        settle             False: only bring the index level; commit and write nothing
        rehash             read every file again, even one whose time and size did not change
        confirm_deletions  believe it when most bullets of a stream are gone
        allow_secrets      commit notes also that hold new secrets
        Then the block of today's daily note follows, where the settings name one.
        """
        writes_day = settle and self.settings.obsidian_daily_note
        if writes_day:  # a path that is none is refused before anything is done
            maintain.daily_note.path_of_today(self._vault)
        report = edit.sync(
            self._vault,
            commit=settle,
            rehash=rehash,
            confirm_deletions=confirm_deletions,
            allow_secrets=allow_secrets,
            progress=progress,
        )
        if writes_day:
            report = replace(report, daily_note=maintain.daily_note.update(self._vault))
        if not models.is_on(self.settings):
            return report

        return recall.beside(self._vault, report, progress=progress)

    def reindex(self, *, embeddings: bool = False, progress: Progress | None = None) -> SyncReport:
        """Throw the index away and read every note again.

        embeddings  then make the vectors that are missing; raises what keeps it from them
        """
        if not embeddings:
            return edit.reindex(self._vault, progress=progress)

        return maintain.with_vectors(self._vault, progress=progress)

    def check(
        self,
        *,
        fix: bool = False,
        dry_run: bool = False,
        deep: bool = False,
        announce: Announce | None = None,
        progress: Progress | None = None,
    ) -> CheckReport:
        """Every problem; `deep` reads all again; only `fix` without `dry_run` writes anything."""
        if fix and not dry_run:
            return check.problems.fix(self._vault, announce=announce)
        settings, clock = self.settings, self._vault.clock
        return check.problems.inspect(settings, clock, deep=deep, plan=dry_run, progress=progress)

    def export(
        self,
        target: str | Path | IO[bytes],
        *,
        since: int | str | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Exported:
        """Write the memory into one JSON document (docs/carrying.md); the vault is not changed.

        target  a file, written whole or not at all, or a binary stream
        since   only what was recorded from this instant on (UTC ms, or a text such as 'last week'),
                or is not committed yet
        force   write over a file that is there
        raises  CannotCreateError, BadInputError for a place of the vault's own, StaleFileError,
                HistoryIncompleteError for `since` in a shallow clone
        """
        place = Path(target) if isinstance(target, str) else target
        return transfer.export(
            self._vault, place, since=self._instant(since), force=force, progress=progress
        )

    def import_from(
        self,
        source: str | Path | bytes,
        *,
        writer: str = "import",
        secrets: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Take in a document that `export` wrote, in one commit; twice is as once.

        source   a file, or the document itself
        writer   who vouches for it: person, agent, import or web (`vaultmem help trust`)
        secrets  what to do about secrets in it: block, redact, allow; None: as the settings say
        dry_run  change nothing, only say what would be done
        raises   BadInputError when nothing of it can be read; entries that cannot be used are
                 skipped and named
        """
        data = source if isinstance(source, bytes) else transfer.read_file(Path(source))
        return transfer.import_document(
            self._vault, data, writer=writer, secrets=secrets, dry_run=dry_run, progress=progress
        )

    def import_files(
        self,
        *files: str | Path | bytes,
        product: str = "",
        me: str = "",
        writer: str = "import",
        secrets: str | None = None,
        extract: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportedProducts:
        """Take in what other programs exported; a commit for each text, twice is as once.

        files    files, folders and ZIP archives, or the bytes of one file
        product  whose exports they are (`vaultmem help import`); '': found out by what they hold
        me       the name under which the person speaks in chats between people
        writer   whose exports they are: of import and person, the person's turns are the owner's
        secrets  what to do about secrets in it: block, redact, allow; None: as the settings say
        extract  False: keep the texts, make no items
        dry_run  change nothing, only say what would be done
        raises   BadInputError when nothing of it can be read; records that cannot be read or kept
                 are named in the report, and stop no other
        """
        paths = [Path(each) for each in files if not isinstance(each, bytes)]
        data = [transfer.input_of_bytes(b, "standard input") for b in files if isinstance(b, bytes)]
        with transfer.inputs_of(paths) as found:
            return transfer.import_files(
                self._vault,
                [*found, *data],
                product=product,
                me=me,
                writer=writer,
                secrets=secrets,
                with_items=extract,
                dry_run=dry_run,
                progress=progress,
            )

    def add(
        self,
        messages: Messages,
        *,
        metadata: Metadata | None = None,
        infer: bool = True,
        writer: str = "",
        date: int | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Remembered:
        """`remember` as users of Mem0 call it: a text, a message or a list of messages.

        infer   False: keep the text, make no items
        raises  BadInputError for ids of users, agents and runs: it says what to call instead
        """
        from vaultmem.api.mem0 import require_one_person  # saves 7 modules

        require_one_person(user_id=user_id, agent_id=agent_id, run_id=run_id)
        return self.remember(messages, metadata=metadata, extract=infer, writer=writer, date=date)

    # The name that users of Mem0 expect.
    get_all = list
