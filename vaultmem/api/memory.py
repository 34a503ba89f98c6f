"""`Memory`: opens the parts of a vault once; one short method for each operation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from vaultmem import (
    check,
    config,
    edit,
    learn,
    maintain,
    model,
    models,
    recall,
    remember,
    review,
    vault,
)
from vaultmem.api.conversation_verbs import SessionsMemory
from vaultmem.api.fact_verbs import CarryingMemory, ExchangingMemory, FactsMemory, ForgettingMemory
from vaultmem.api.questions import HistoryMemory, ReadingMemory
from vaultmem.api.thinking import LearningMemory, ModelsMemory
from vaultmem.base import TYPE_CHECKING
from vaultmem.model import Filters as Filters  # what a caller hands to `list` and `recall`
from vaultmem.model import SystemClock

if TYPE_CHECKING:
    from vaultmem.api.mem0 import Messages, Metadata
    from vaultmem.check import Announce
    from vaultmem.config import Settings
    from vaultmem.model import (
        AuditReport,
        CheckReport,
        Claims,
        Clock,
        Document,
        Edited,
        InitReport,
        Problem,
        Progress,
        Remembered,
        Reviewed,
        StatusReport,
        SyncReport,
        Waiting,
    )
    from vaultmem.vault import Parts


MANY = 32  # texts remembered at once, after which vectors are made: questions make a few


class Memory(
    ReadingMemory,
    HistoryMemory,
    FactsMemory,
    ExchangingMemory,
    ForgettingMemory,
    CarryingMemory,
    LearningMemory,
    ModelsMemory,
    SessionsMemory,
):
    """A vault, opened. Use as a context manager, or call `close`.

    vault     a folder, or a name from the person's settings; None: `VAULTMEM_VAULT`, the current
              folder, then the person's default vault
    settings  None: read from the vault and the person's own file
    short_lived  of a process that answers one command: files are compared by a child while the
              rest is loaded, and reads believe a live watcher that nothing was touched (it hears
              of a save some milliseconds late, which a new process always takes)
    sync      False: `recall`, `search`, `list` and `show` answer from the index as it is, without
              comparing the files first; `Answer.is_level` says so, `sync` brings it level
    raises    NoVaultError, SettingsError, MemoryDisabledError, HistoryError

    Every method first brings the index level with the files, so an answer is never stale unless
    `sync=False` allows it.
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
        from vaultmem.api.recoveries import RECOVERIES  # saves 6 modules
        from vaultmem.vault import open_parts  # saves 5 modules

        parts = open_parts(
            settings,
            clock or SystemClock(),
            short_lived=short_lived,
            compares=sync,
            recoveries=RECOVERIES,
        )
        self._own(parts, is_closed=short_lived)

    @classmethod
    def init(
        cls,
        path: str | Path,
        *,
        name: str | None = None,
        device: str | None = None,
        clock: Clock | None = None,
    ) -> InitReport:
        """Make a vault in a folder (made if need be); notes that are there stay as they are."""

        return vault.init(Path(path), name=name, device=device, clock=clock or SystemClock())

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self._parts.root

    @property
    def parts(self) -> Parts:
        """What operations work on."""
        return self._parts

    @property
    def unreadable(self) -> tuple[Problem, ...]:
        """Notes and folders that could not be read at the last look at the files, by path.

        They are kept as they were last known, and nothing that they may have become is committed.
        """

        return vault.unread.problems(self._parts)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._parts.settings

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
        raises      SecretFoundError when that is to block; nothing is written then
        """

        kept: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
        if metadata or not isinstance(text, str):
            from vaultmem.api.mem0 import metadata_of, text_of  # saves 7 modules

            text, kept = text_of(text), metadata_of(metadata)
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
        )
        return remember.remember(self._parts, document, dry_run=dry_run)

    def remember_many(
        self, documents: Iterable[Document], *, progress: Progress | None = None
    ) -> tuple[Remembered, ...]:
        """Keep many texts, one commit each, in the order given; durable when it returns.

        Where a model reads, the summaries of the categories that they touch follow in a commit of
        their own, and are in the last report of a text that was new.
        """

        reports = remember.remember_many(self._parts, documents, progress=progress)
        if len(reports) >= MANY and models.is_here(self.settings):
            recall.after_many(self._parts, progress=progress)
        return reports

    def status(self) -> StatusReport:
        """The vault at a glance."""

        return check.status(self._parts)

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
        """

        report = edit.sync(
            self._parts,
            commit=settle,
            rehash=rehash,
            confirm_deletions=confirm_deletions,
            allow_secrets=allow_secrets,
            progress=progress,
        )

        if not models.is_on(self.settings):
            return report

        return recall.beside(self._parts, report, progress=progress)

    def reindex(self, *, embeddings: bool = False, progress: Progress | None = None) -> SyncReport:
        """Throw the index away and read every note again.

        embeddings  then make the vectors that are missing; raises what keeps it from them
        """

        if not embeddings:
            return edit.reindex(self._parts, progress=progress)

        return maintain.with_vectors(self._parts, progress=progress)

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
            return check.problems.fix(self._parts, announce=announce)
        settings, clock = self.settings, self._parts.clock
        return check.problems.inspect(settings, clock, deep=deep, plan=dry_run, progress=progress)

    def audit(
        self,
        *,
        since: str | None = None,
        limit: int = 20,
        acknowledge: bool = False,
        progress: Progress | None = None,
    ) -> AuditReport:
        """What was changed from outside since the anchor of this device, and what was sent.

        since        a commit or date to compare from, instead of the anchor
        limit        findings of each kind in the report; all are counted
        acknowledge  take the state that the report describes as the new anchor
        """

        return check.audit(
            self._parts, since=since, limit=limit, acknowledge=acknowledge, progress=progress
        )

    def claims(self) -> Claims:
        """What is said of the person to their credit, and whether anything bears it out.

        Nothing is changed; no model is asked.
        """

        return learn.claims(self._parts)

    def review(self) -> tuple[Waiting, ...]:
        """Items from outside that wait until the person has looked at them."""

        return review.waiting(self._parts)

    def approve(self, *refs: str, everything: bool = False) -> Reviewed:
        """Vouch for notes by id, path or name, in one commit: they count as the person's words.

        everything  all that waits. To be called for a person only: it is what raises trust.
        """

        return review.approve(self._parts, refs, everything=everything)

    def reject(self, *refs: str, everything: bool = False) -> Reviewed:
        """Retract items that wait, in one commit."""

        return review.reject(self._parts, refs, everything=everything)

    def edit_path(self, ref: str) -> Path:
        """The file of a note, for an editor."""

        return check.file_of(self._parts, ref)

    def edited(self, path: Path) -> Edited:
        """Take in what an editor did to the file: commit it, and say what is wrong with it."""

        return edit.edited(self._parts, path)

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
