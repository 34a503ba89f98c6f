"""The part of `Memory` that answers: from the notes as they are, or as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem import check, context, history, learn, maintain, recall, sessions, undo, vault
from vaultmem.api.opened import OwnedParts
from vaultmem.base import TYPE_CHECKING, Literal
from vaultmem.model import Answer, Filters, NoteRow, Ordering

if TYPE_CHECKING:
    from git import Repo

    from vaultmem.model import (
        Compacted,
        DiffReport,
        Operation,
        Progress,
        StreamsCompacted,
        Timeline,
        Undone,
        VersionHistory,
    )
if TYPE_CHECKING:
    from vaultmem.history import When
    from vaultmem.model import Format, Judged, Links, Moment, Pack, Progress, Shown

    Given = Filters | Mapping[str, object] | None


def filters_of(given: Given) -> Filters:
    """The filters; a dict is read by the names of their fields (`api/mem0.py`)."""
    if given is None or isinstance(given, Filters):
        return given or Filters()
    from vaultmem.api.mem0 import filters_of as of_dict  # saves 7 modules

    return of_dict(given)


class ReadingMemory(OwnedParts):
    """What is in the vault; the rest is in `Memory`.

    Each method can be asked about another time, by either clock or both (`vaultmem help time`):

    as_of     valid time: what held then, as far as it is known now
    known_at  record time: what the vault knew then; without `as_of` about that same instant.
              The first question of this kind reads the history (`progress` is told of it)

    Both take UTC milliseconds or a text: '2026-02-03' (00:00 in the vault's zone),
    '2026-02-03T12:00+01:00', 'last Tuesday'; `known_at` a revision too ('HEAD~3', a tag, an id).
    raises    BadInputError for what is no time; HistoryIncompleteError where a shallow clone does
              not reach back so far
    """

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
        progress: Progress | None = None,
    ) -> Answer:
        """The notes that answer a question, best first; no hits means 'no memory found'.

        limit       at most so many notes; None: `recall.k` of the settings (5)
        half_lives  stream -> days (None: never fades), instead of those of the settings
        preset      how they are ranked (`vaultmem help ranking`); None: `recall.preset`
        diverse     of notes that say the same, the others wait
        expand      at most as many notes again that the hits are linked with, after them
        seed        sample the learned weights of the preset, instead of taking their means
        tiered      summaries of categories first, then items, then full texts, as deep as it
                    needs; `Answer.tiered` says which answered and what each held
        rounds      1: ask once; 2 or 3: its parts too, then what the first answers lack and
                    names that they brought; None: `recall.rounds`. `Answer.plan` has them
        """

        ordering = None
        if preset is not None or diverse or expand or seed is not None:
            ordering = Ordering(preset=preset or "", diverse=diverse, expand=expand, seed=seed)
        return recall.recall(
            self._parts,
            query,
            limit=limit,
            filters=filters_of(filters),
            half_lives=half_lives,
            ordering=ordering,
            as_of=as_of,
            known_at=known_at,
            tiered=tiered,
            rounds=rounds,
            progress=progress,
        )

    def links(self, ref: str) -> Links:
        """What a note is linked with, both ways, and what could be added."""

        return recall.links(self._parts, ref)

    def feedback(self, hit: str, *, accepted: bool) -> Judged:
        """Say of a hit that it answered, or did not, in one commit; the preset learns from it.

        hit     its place in the last answer of this device ('1' is the best), or the id of a note
        raises  BadInputError for what was not answered, or by a preset without weights
        """

        return learn.judge(self._parts, hit, accepted=accepted)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        filters: Given = None,
        by: Literal["note", "passage"] = "note",
        as_of: When | None = None,
        known_at: When | None = None,
        progress: Progress | None = None,
    ) -> Answer:
        """Every kind of note (items of any status too) with the query's words, best first.

        filters  `Filters`, or a dict of their fields: `{"kind": "preference"}`; so for `recall`
                 and `list`
        by       'note': one hit a note; 'passage': one hit a passage
        Asked about another time, items that held then; those of any status when filters name it.
        """

        return recall.search(
            self._parts,
            query,
            limit=limit,
            filters=filters_of(filters),
            by=by,
            as_of=as_of,
            known_at=known_at,
            progress=progress,
        )

    def context(
        self,
        question: str = "",
        *,
        budget: int | None = None,
        window: int | None = None,
        format: Format = "markdown",
        counter: str | None = None,
        session: str | None = None,
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
        raises    BudgetTooSmallError (of BadInputError) where hard exceptions alone take more
        """

        talk = None
        if session is not None:
            talk = sessions.talk_of(self._parts, session)
        return context.context(
            self._parts,
            question,
            budget=budget,
            window=window,
            format_=format,
            counter_name=counter,
            talk=talk,
            as_of=as_of,
            known_at=known_at,
            progress=progress,
        )

    def counted(self, pack: Pack, tokens: int, *, model: str) -> None:
        """Say what a model's server counted for the messages of a context, and nothing else.

        tokens  of the prompt, as its reply says: `usage.prompt_tokens`, or `input_tokens`
        model   its name; where `llm.model` is set, the counter 'provider' follows that one
        Three such counts make the counter 'provider'; they stay on this device.
        """

        context.keep(self._parts, model, [each.content for each in pack.messages], tokens)

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
            self._parts,
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

        return check.show(self._parts, ref, as_of=as_of, known_at=known_at, progress=progress)

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

        return check.moment(self._parts, as_of=as_of, known_at=known_at, by_status=by_status)

    @property
    def unsynced_since(self) -> int | None:
        """When the index last took in changes (UTC ms), if the last answer compared no files.

        None: it did, as every answer does unless the memory was opened with `sync=False`.
        """

        return vault.synced_at(self._parts) if self._parts.is_lagging else None

    # The name that users of Mem0 expect.
    get_all = list


# The part of `Memory` that looks back and takes back.


class HistoryMemory(OwnedParts):
    """What was done, when and by whom, and how it is taken back; the rest is in `Memory`."""

    def log(self, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
        """Operations, newest first; those of one note, across renames, when `ref` names it."""

        return history.log(self._parts, ref, limit=limit)

    def repository(self) -> Repo:
        """The history as a repository of GitPython, for scripts: read it, write nothing with it.

        Commits are named by the ids that `log` gives; no setting or hook of the vault acts.
        """
        return self._parts.history.library()

    def gaps(self) -> tuple[str, ...]:
        """What the history lacks since it was damaged, a sentence each; `check --fix` finds it."""

        return tuple(check.gap_remarks(self._parts))

    def history(
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

        return history.history(self._parts, about, predicate, value=value, progress=progress)

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
            self._parts,
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

        return history.timeline(self._parts, subject, predicate, streams=streams, progress=progress)

    def undo(self, commit: str | None = None, *, last: int = 1) -> Undone:
        """Take the last operations (or a named commit) back, by one new commit.

        last    how many, if no commit is named; edits of the person count only when named
        raises  UndoRefusedError, which names what was changed since; nothing is touched then
        """

        return undo.undo(self._parts, commit, last=last)

    def restore(self, ref: str, *, at: str | None = None) -> Undone:
        """Give a note the text it had at a revision or time (None: the last other text it had)."""

        return undo.restore(self._parts, ref, at=at)

    def compact_streams(self, budget: int, *, dry_run: bool = False) -> StreamsCompacted:
        """Archive items of the streams until the rest takes at most `budget` tokens, in one commit.

        Each stream keeps its share; pinned items and hard exceptions stay; `undo` takes it back.
        """

        return maintain.compact_streams(self._parts, budget, dry_run=dry_run)

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
            self._parts, retention_days=retention_days, dry_run=dry_run, progress=progress
        )
