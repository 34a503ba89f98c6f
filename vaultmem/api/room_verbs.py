"""The facets of a memory, a class a room: history, learning, care, devices, assistants' files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem import (
    agents,
    check,
    context,
    devices,
    edit,
    facts,
    forget,
    history,
    learn,
    maintain,
    models,
    recall,
    remember,
    review,
    undo,
    vault,
)
from vaultmem.api.opened import Facet, deprecated_call
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.storage import files

if TYPE_CHECKING:
    from git import Repo

    from vaultmem.agents import Answer, Brought
    from vaultmem.history import When
    from vaultmem.model import (
        Aged,
        AuditReport,
        Changed,
        Claims,
        Cleared,
        Compacted,
        Consolidated,
        DailyNote,
        DiffReport,
        Edited,
        Exchanged,
        Forgotten,
        JobReport,
        JobState,
        Judged,
        LearnedRule,
        LearningHistory,
        Links,
        ModelsChecked,
        Moment,
        Operation,
        Pack,
        Profile,
        Progress,
        Purged,
        Reflected,
        Reviewed,
        RuleList,
        RuleProposals,
        Schedule,
        StatusReport,
        StreamsCompacted,
        SummariseReport,
        Timeline,
        Undone,
        VersionHistory,
        Waiting,
    )


class History(Facet):
    """`memory.history`: the past of the notes, by both clocks."""

    def of(
        self,
        about: str,
        predicate: str = "",
        *,
        value: str = "",
        progress: Progress | None = None,
    ) -> VersionHistory:
        """All versions of a note or of a slot (subject, predicate), superseded ones included.

        about      a note (also one that is gone), or the subject of items
        predicate  of the slot; '': all that was ever said of the subject
        value      only versions with this object
        returns    sorted by record time, then start of validity, then id; what is not committed
                   yet last
        """
        return history.history(self._vault, about, predicate, value=value, progress=progress)

    def log(self, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
        """Operations, newest first; those of one note, across renames, when `ref` names it."""
        return history.log(self._vault, ref, limit=limit)

    def diff(
        self,
        start: str,
        end: str = "now",
        *,
        streams: Sequence[str] = (),
        categories: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> DiffReport:
        """What the memory learned, changed and dropped between two states of it.

        start, end  a date, a date-time, a phrase ('last Tuesday') or a revision
        streams, categories  only what was or is in one of these
        """
        return history.difference(
            self._vault,
            start,
            end,
            streams=streams,
            categories=categories,
            progress=progress,
        )

    def timeline(
        self,
        subject: str = "",
        predicate: str = "",
        *,
        streams: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> Timeline:
        """When items hold: of a subject, of a slot, of streams, or all; what is retired too."""
        return history.timeline(self._vault, subject, predicate, streams=streams, progress=progress)

    def restore(self, ref: str, *, at: str | None = None) -> Undone:
        """Give a note the text it had at a revision or time (None: the last other text it had)."""
        return undo.restore(self._vault, ref, at=at)

    def repository(self) -> Repo:
        """The history as a repository of GitPython, for scripts: read it, write nothing with it.

        Commits are named by the ids that `log` gives; no setting or hook of the vault acts.
        """
        return self._vault.history.library()

    def gaps(self) -> tuple[str, ...]:
        """What the history lacks since it was damaged, a sentence each; `check --fix` finds it."""
        return tuple(check.gap_remarks(self._vault))

    def moment(
        self,
        *,
        as_of: When | None = None,
        known_at: When | None = None,
        by_status: bool = False,
    ) -> Moment:
        """What these times mean here: the instants, and the last commit that was known then.

        by_status  of a question that names statuses: without `as_of` no valid time decides
        """
        return check.moment(self._vault, as_of=as_of, known_at=known_at, by_status=by_status)

    __call__ = deprecated_call(of)


class Learn(Facet):
    """`memory.learn`: what is said again and again becomes a rule; what is said no more fades."""

    def consolidate(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Consolidated:
        """Learn from the conversations that are kept; one commit, none when nothing is new.

        No model is asked. The same conversations again change nothing.
        """
        return learn.consolidate(self._vault, dry_run=dry_run, progress=progress)

    def rules(self, words: str = "", *, category: str = "", candidates: bool = False) -> RuleList:
        """What was learned, the surest first; its confidence is that of now.

        words       only rules that hold all of these
        category    preference, decision, correction, convention or workflow; '': all
        candidates  what was said, but in too few conversations, instead
        """
        return learn.rules(self._vault, category=category, words=words, candidates=candidates)

    def why(self, ref: str) -> LearnedRule:
        """A rule with the words it was learned from, and how sure it was over time.

        raises  UnknownNoteError when the note is no learned rule
        """
        return learn.why(self._vault, ref)

    def propose(self) -> RuleProposals:
        """Candidates that your language model finds in the newest conversations; keeps nothing.

        raises  SettingsError, LocalOnlyError where no model can be asked; LLMError
        """
        return learn.propose(self._vault)

    def history(self, *, days: int | None = None) -> LearningHistory:
        """The runs of learning that changed something, the newest first.

        days  how far back; 0: all there are; None: `consolidation.report_days`
        """
        return learn.history(self._vault, days=days)

    def profile(self, *, dry_run: bool = False, progress: Progress | None = None) -> Profile:
        """Who the person is, with the notes that say so; written to categories/profile.md.

        dry_run  only say it; a field that nothing speaks of has no values
        """
        return learn.update_profile(self._vault, dry_run=dry_run, progress=progress)

    def reflect(
        self, *, now: bool = False, quick: bool = False, dry_run: bool = False
    ) -> Reflected:
        """Let the model draw insights from the newest notes, each with its evidence.

        now     however little is new since the last time
        quick   from the last conversations that ended, and fewer
        raises  SettingsError where no model is set, LocalOnlyError, LLMError; nothing is changed
        """
        return learn.reflect(self._vault, now_anyway=now, quick=quick, dry_run=dry_run)

    def claims(self) -> Claims:
        """What is said of the person to their credit, and whether anything bears it out.

        Nothing is changed; no model is asked.
        """
        return learn.claims(self._vault)


class Maintain(Facet):
    """`memory.maintain`: what is done now and then."""

    def run(
        self,
        job: str,
        *,
        dry_run: bool = False,
        confirmed: bool = False,
        progress: Progress | None = None,
    ) -> JobReport:
        """Do a job of maintenance now: nightly, weekly or monthly.

        confirmed  also when it would retire more than a quarter of the active items
        raises     UnconfirmedError when it would, and is not
        """
        return maintain.run(
            self._vault, job, dry_run=dry_run, confirmed=confirmed, progress=progress
        )

    def due(self) -> tuple[JobState, ...]:
        """When each job ran last on this device, and whether it is due."""
        return maintain.due(self._vault)

    def daily_note(self) -> DailyNote | None:
        """Bring the block of today's daily note up to date, as `Memory.sync` does at its end.

        returns  None where `obsidian.daily_note` of the settings names no note
        raises   SettingsError for a path where none may be
        """
        return maintain.daily_note.update(self._vault)

    def install_timer(self, *, system: str = "", confirmed: bool = False) -> Schedule:
        """The timer that runs what is due every hour; its files are written if `confirmed`.

        system  systemd, launchd or cron; '': what is usual here
        """
        return maintain.install(self._vault, system=system, confirmed=confirmed)

    def uninstall_timer(self, *, system: str = "", confirmed: bool = False) -> Schedule:
        """The files of that timer, which go if `confirmed`; changed ones stay."""
        return maintain.uninstall(self._vault, system=system, confirmed=confirmed)

    def compact(
        self,
        *,
        retention_days: float | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Compacted:
        """Retire items whose end was recorded before the retention; the history keeps them.

        retention_days  >= 0; None: `retention.superseded_days` of the settings (90)
        dry_run         only say what would go
        """
        return maintain.compact(
            self._vault, retention_days=retention_days, dry_run=dry_run, progress=progress
        )

    def compact_streams(self, budget: int, *, dry_run: bool = False) -> StreamsCompacted:
        """Archive items of the streams until the rest takes at most `budget` tokens, in one commit.

        Each stream keeps its share; pinned items and hard exceptions stay; `undo` takes it back.
        """
        return maintain.compact_streams(self._vault, budget, dry_run=dry_run)

    def aged(self, *, days: int | None = None) -> Aged:
        """Events and texts that the vault has had for more than so many days, the oldest first.

        Nothing is changed: hand their ids to `forget` or `purge`. Pinned and hard items, and the
        texts that these came from, are not among them.
        days  None: `privacy.retention_days`; 0: nothing is too old
        """
        return maintain.find_aged(self._vault, days=days)

    __call__ = deprecated_call(run)


class Agents(Facet):
    """`memory.agents`: a folder each, whose files are an assistant's words."""

    def run(self, command: Mapping[str, Any], *, client: str = "") -> Answer:
        """Do one command of Anthropic's memory tool `memory_20250818`, and answer as it does.

        command  as the model gives it: `command`, `path`, `file_text`, ...
        client   what the assistant calls itself ('' : assistant); it sees its own files alone
        raises   BadInputError  no such command, or an argument is missing or of another type
        """
        return agents.run(self._vault, command, client=client)

    def bring(self, client: str, found: Mapping[PurePosixPath, bytes]) -> Brought:
        """Take files that an assistant had elsewhere into its folder, in one commit.

        found    bytes by path below the folder
        returns  what is new, and what was left out and why; no file is replaced
        """
        return agents.bring(self._vault, agents.folder_name(client), found)

    def folder(self, client: str) -> Path:
        """Where the files of an assistant lie, whether there are any yet or not."""
        return self._vault.root / files.AGENTS / agents.folder_name(client)


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
        return devices.exchange(self._vault, wanted, progress=progress)

    def push(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """As `pull`, then send what the remote has not."""
        wanted = devices.Wanted(push=True, accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._vault, wanted, progress=progress)

    # After it both have the same: what is called so between devices. `Memory.sync` is about files.
    sync = push


class Edit(Facet):
    """`memory.edit`: the file of a note, and what became of it."""

    def file_of(self, ref: str) -> Path:
        """The file of a note, for an editor."""
        return check.file_of(self._vault, ref)

    def take_in(self, path: Path) -> Edited:
        """Take in what an editor did to the file: commit it, and say what is wrong with it."""
        return edit.take_in_edit(self._vault, path)


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
        return edit.carry_out(self._vault, wanted, dry_run=dry_run)

    def retract(self, *words: str, writer: str = "person", dry_run: bool = False) -> Changed:
        """It was never true: `retract(item)`, `retract(subject, predicate[, value])`."""
        wanted = facts.want_end("retract", words, at=None, writer=writer)
        return edit.carry_out(self._vault, wanted, dry_run=dry_run)

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
        return edit.carry_out(self._vault, wanted, dry_run=dry_run)


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
        return forget.purge(self._vault, wish, dry_run=dry_run, progress=progress)

    def forget_few(self, *refs: str, source: str = "", match: str = "") -> Forgotten:
        """As `Memory.forget`; where so much would go that a person is asked first, nothing goes.

        returns  with `dry_run` and `asked`: only what would go
        """
        wish = forget.Wish(refs=refs, source=source, match=match)
        return forget.forget(self._vault, wish, asks=True)

    def lift(self) -> bool:
        """Let texts that were erased on this device be kept again; whether there were any."""
        return vault.Erased(self._vault.settings).lift()

    def clear(self, *, dry_run: bool = False) -> Cleared:
        """Take all items and resources out, with their lines in streams and categories.

        One commit, which `undo` takes back; the history still has all of it. What the person wrote
        between those lines, and pages of their own, stay.
        dry_run  change nothing, only count
        raises   UncommittedError: a file that would go has words that are in no commit
        """
        return forget.clear(self._vault, dry_run=dry_run)


class Models(Facet):
    """`memory.models`: what a model writes rests on items, and goes when these do."""

    def check(self) -> ModelsChecked:
        """Ask each model of the settings whether it works; nothing of the vault is sent."""
        return models.check_models(self._vault.settings)

    def summarise(
        self, *names: str, dry_run: bool = False, progress: Progress | None = None
    ) -> SummariseReport:
        """Let the model write what categories come to, above their lists, in one commit.

        names   titles or slugs; none: all that have an item which their summary does not tell of
        raises  SettingsError where no model is set, LocalOnlyError, BadInputError; a reply that
                cannot be used leaves a category as it is, and is in the report
        """
        return remember.summarise(self._vault, names, dry_run=dry_run, progress=progress)

    def keep_count(self, pack: Pack, tokens: int, *, model: str) -> None:
        """Keep what a model's server counted for the messages of a context, and nothing else.

        tokens  of the prompt, as its reply says: `usage.prompt_tokens`, or `input_tokens`
        model   its name; where `llm.model` is set, the counter 'provider' follows that one
        Three such counts make the counter 'provider'; they stay on this device.
        """
        context.keep(self._vault, model, [each.content for each in pack.messages], tokens)


class Ranking(Facet):
    """`memory.ranking`: links, and answers that were judged."""

    def links(self, ref: str) -> Links:
        """What a note is linked with, both ways, and what could be added."""
        return recall.links(self._vault, ref)

    def feedback(self, hit: str, *, accepted: bool) -> Judged:
        """Say of a hit that it answered, or did not, in one commit; the preset learns from it.

        hit     its place in the last answer of this device ('1' is the best), or the id of a note
        raises  BadInputError for what was not answered, or by a preset without weights
        """
        return learn.judge(self._vault, hit, accepted=accepted)


class Review(Facet):
    """`memory.review`: items from outside."""

    def waiting(self) -> tuple[Waiting, ...]:
        """Items from outside that wait until the person has looked at them."""
        return review.waiting(self._vault)

    def approve(self, *refs: str, everything: bool = False) -> Reviewed:
        """Vouch for notes by id, path or name, in one commit: they count as the person's words.

        everything  all that waits. To be called for a person only: it is what raises trust.
        """
        return review.approve(self._vault, refs, everything=everything)

    def reject(self, *refs: str, everything: bool = False) -> Reviewed:
        """Retract items that wait, in one commit."""
        return review.reject(self._vault, refs, everything=everything)

    __call__ = deprecated_call(waiting)


class Whole(Facet):
    """`memory.vault`: how it stands, and what others did to it."""

    def status(self) -> StatusReport:
        """The vault at a glance."""
        return check.status(self._vault)

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
            self._vault, since=since, limit=limit, acknowledge=acknowledge, progress=progress
        )
