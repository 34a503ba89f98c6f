"""What assistants write as files: their notes, and Anthropic's memory tool over them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from vaultmem import (
    agents,
    check,
    context,
    devices,
    edit,
    facts,
    forget,
    learn,
    models,
    recall,
    remember,
    review,
    vault,
)
from vaultmem.api.opened import Facet, deprecated_call
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.agents import Answer, Brought
    from vaultmem.model import (
        AuditReport,
        Changed,
        Cleared,
        Edited,
        Exchanged,
        Judged,
        Links,
        ModelsChecked,
        Pack,
        Progress,
        Purged,
        Reviewed,
        StatusReport,
        SummariseReport,
        Waiting,
    )


class Agents(Facet):
    """`memory.agents`: a folder each, whose files are an assistant's words."""

    def run(self, command: Mapping[str, Any], *, client: str = "") -> Answer:
        """Do one command of Anthropic's memory tool `memory_20250818`, and answer as it does.

        command  as the model gives it: `command`, `path`, `file_text`, ...
        client   what the assistant calls itself ('' : assistant); it sees its own files alone
        raises   BadInputError  no such command, or an argument is missing or of another type
        """
        return agents.run(self._parts, command, client=client)

    def bring(self, client: str, found: Mapping[PurePosixPath, bytes]) -> Brought:
        """Take files that an assistant had elsewhere into its folder, in one commit.

        found    bytes by path below the folder
        returns  what is new, and what was left out and why; no file is replaced
        """
        return agents.bring(self._parts, agents.folder_name(client), found)

    def folder(self, client: str) -> Path:
        """Where the files of an assistant lie, whether there are any yet or not."""
        return self._parts.root / files.AGENTS / agents.folder_name(client)


class Devices(Facet):
    """`memory.devices`: this vault and the remote that it is pinned to."""

    def pull(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """Take in what the pinned remote has that this vault has not, merged with what is here.

        accept  'deletions': also when much of the vault goes by it; 'rewrite': also when the
                remote's branch was rewritten or set back
        raises  NoRemoteError, RemoteUnreachableError, RemoteDeniedError, IncomingRefusedError
        """
        wanted = devices.Wanted(accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._parts, wanted, progress=progress)

    def push(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """As `pull`, then send what the remote has not."""
        wanted = devices.Wanted(push=True, accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._parts, wanted, progress=progress)

    # After it both have the same: what is called so between devices. `Memory.sync` is about files.
    sync = push


class Edit(Facet):
    """`memory.edit`: the file of a note, and what became of it."""

    def file_of(self, ref: str) -> Path:
        """The file of a note, for an editor."""
        return check.file_of(self._parts, ref)

    def take_in(self, path: Path) -> Edited:
        """Take in what an editor did to the file: commit it, and say what is wrong with it."""
        return edit.take_in_edit(self._parts, path)


class Facts(Facet):
    """`memory.facts`: what ends a fact, beside `Memory.change` and `Memory.correct`.

    Every operation takes an item (`'i-7f3a2kq9xw'`: id, path, file name, link) or a slot.

    A slot is a subject and a predicate (`'project-x', 'uses_database'`); case, spaces, hyphens
    and underscores make no difference. Instants are UTC ms, or texts such as '2026-02-04' and
    'last Tuesday' in the vault's zone; intervals are `[from, until)`. Each is one commit; nothing
    is deleted; with `dry_run` nothing is written. Raises UnknownNoteError, BadInputError, and
    NotAllowedError for `writer="agent"` where only the person may; nothing is changed then.
    """

    def expire(
        self,
        *words: str,
        until: int | str | None = None,
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """It ended, and nothing took its place: `expire(item)` or `expire(subject, predicate)`.

        until  the first instant at which it holds no more; None: now
        A third word is the value that is meant, where the slot has several.
        """
        wanted = facts.want_end("expire", words, at=self._memory._instant(until), writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)

    def retract(self, *words: str, writer: str = "person", dry_run: bool = False) -> Changed:
        """It was never true: `retract(item)`, `retract(subject, predicate[, value])`."""
        wanted = facts.want_end("retract", words, at=None, writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)

    def supersede(
        self,
        *words: str,
        effective: int | str | None = None,
        retroactive: bool = False,
        statement: str = "",
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """`Memory.change`; with `retroactive` (then without `effective`) `Memory.correct`."""
        at = self._memory._instant(effective)
        if retroactive:
            facts.require_no_date(at)
        verb = "correct" if retroactive else "change"
        wanted = facts.want_new(verb, words, statement=statement, at=at, writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)


class Forgetting(Facet):
    """`memory.forgetting`: what is purged is gone; `Memory.forget` can be taken back."""

    def purge(
        self,
        *refs: str,
        source: str = "",
        match: str = "",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Purged:
        """Erase notes and what they say from every version and every store, and prove it.

        refs     items or resources, by id, path or name; also such that only the history has
        source   a resource: it goes with every item that came from it
        match    this text, wherever it stands, whatever its case, spacing and accents
        dry_run  only say what would go
        returns  with `places` empty: nothing of it is left on this device
        raises   UnknownNoteError, BadInputError, BusyError (a watcher runs), HistoryError;
                 nothing is changed then

        It cannot be taken back, and commit ids change. Ids, dates and record times of all else
        stay. Remotes and other devices keep what they have: `remotes` names them.
        """
        wish = forget.Wish(refs=refs, source=source, match=match)
        return forget.purge(self._parts, wish, dry_run=dry_run, progress=progress)

    def lift(self) -> bool:
        """Let texts that were erased on this device be kept again; whether there were any."""
        return vault.Erased(self._parts.settings).lift()

    def clear(self, *, dry_run: bool = False) -> Cleared:
        """Take all items and resources out, with their lines in streams and categories.

        One commit, which `undo` takes back; the history still has all of it. What the person wrote
        between those lines, and pages of their own, stay.
        dry_run  change nothing, only count
        raises   UncommittedError: a file that would go has words that are in no commit
        """
        return forget.clear(self._parts, dry_run=dry_run)


class Models(Facet):
    """`memory.models`: what a model writes rests on items, and goes when these do."""

    def check(self) -> ModelsChecked:
        """Ask each model of the settings whether it works; nothing of the vault is sent."""
        return models.check_models(self._parts.settings)

    def summarise(
        self, *names: str, dry_run: bool = False, progress: Progress | None = None
    ) -> SummariseReport:
        """Let the model write what categories come to, above their lists, in one commit.

        names   titles or slugs; none: all that have an item which their summary does not tell of
        raises  SettingsError where no model is set, LocalOnlyError, BadInputError; a reply that
                cannot be used leaves a category as it is, and is in the report
        """
        return remember.summarise(self._parts, names, dry_run=dry_run, progress=progress)

    def keep_count(self, pack: Pack, tokens: int, *, model: str) -> None:
        """Keep what a model's server counted for the messages of a context, and nothing else.

        tokens  of the prompt, as its reply says: `usage.prompt_tokens`, or `input_tokens`
        model   its name; where `llm.model` is set, the counter 'provider' follows that one
        Three such counts make the counter 'provider'; they stay on this device.
        """
        context.keep(self._parts, model, [each.content for each in pack.messages], tokens)


class Ranking(Facet):
    """`memory.ranking`: links, and answers that were judged."""

    def links(self, ref: str) -> Links:
        """What a note is linked with, both ways, and what could be added."""
        return recall.links(self._parts, ref)

    def feedback(self, hit: str, *, accepted: bool) -> Judged:
        """Say of a hit that it answered, or did not, in one commit; the preset learns from it.

        hit     its place in the last answer of this device ('1' is the best), or the id of a note
        raises  BadInputError for what was not answered, or by a preset without weights
        """
        return learn.judge(self._parts, hit, accepted=accepted)


class Review(Facet):
    """`memory.review`: items from outside."""

    def waiting(self) -> tuple[Waiting, ...]:
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

    __call__ = deprecated_call(waiting)


class Whole(Facet):
    """`memory.vault`: how it stands, and what others did to it."""

    def status(self) -> StatusReport:
        """The vault at a glance."""
        return check.status(self._parts)

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
