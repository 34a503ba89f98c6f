"""The part of `Memory` that learns from conversations."""

from __future__ import annotations

from vaultmem import learn, maintain, models, remember
from vaultmem.api.opened import OwnedParts
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import (
        Consolidated,
        JobReport,
        JobState,
        LearnedRule,
        LearningHistory,
        ModelsChecked,
        Profile,
        Progress,
        Reflected,
        RuleList,
        RuleProposals,
        Schedule,
        SummariseReport,
    )


class LearningMemory(OwnedParts):
    """What a person says again and again becomes a rule; what is said no more fades."""

    def consolidate(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Consolidated:
        """Learn from the conversations that are kept; one commit, none when nothing is new.

        No model is asked. The same conversations again change nothing.
        """

        return learn.consolidate(self._parts, dry_run=dry_run, progress=progress)

    def learning_history(self, *, days: int | None = None) -> LearningHistory:
        """The runs of learning that changed something, the newest first.

        days  how far back; 0: all there are; None: `consolidation.report_days`
        """

        return learn.history(self._parts, days=days)

    def rules(self, words: str = "", *, category: str = "", candidates: bool = False) -> RuleList:
        """What was learned, the surest first; its confidence is that of now.

        words       only rules that hold all of these
        category    preference, decision, correction, convention or workflow; '': all
        candidates  what was said, but in too few conversations, instead
        """

        return learn.rules(self._parts, category=category, words=words, candidates=candidates)

    def propose_rules(self) -> RuleProposals:
        """Candidates that your language model finds in the newest conversations; keeps nothing.

        raises  SettingsError, LocalOnlyError where no model can be asked; LLMError
        """

        return learn.propose(self._parts)

    def why(self, ref: str) -> LearnedRule:
        """A rule with the words it was learned from, and how sure it was over time.

        raises  UnknownNoteError when the note is no learned rule
        """

        return learn.why(self._parts, ref)

    def profile(self, *, dry_run: bool = False, progress: Progress | None = None) -> Profile:
        """Who the person is, with the notes that say so; written to categories/profile.md.

        dry_run  only say it; a field that nothing speaks of has no values
        """

        return learn.update_profile(self._parts, dry_run=dry_run, progress=progress)

    def maintain(
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
            self._parts, job, dry_run=dry_run, confirmed=confirmed, progress=progress
        )

    def due(self) -> tuple[JobState, ...]:
        """When each job ran last on this device, and whether it is due."""

        return maintain.due(self._parts)

    def install_timer(self, *, system: str = "", confirmed: bool = False) -> Schedule:
        """The timer that runs what is due every hour; its files are written if `confirmed`.

        system  systemd, launchd or cron; '': what is usual here
        """

        return maintain.install(self._parts, system=system, confirmed=confirmed)

    def uninstall_timer(self, *, system: str = "", confirmed: bool = False) -> Schedule:
        """The files of that timer, which go if `confirmed`; changed ones stay."""

        return maintain.uninstall(self._parts, system=system, confirmed=confirmed)


# The part of `Memory` that lets the person's language model work on what is kept.


class ModelsMemory(OwnedParts):
    """What a model writes rests on items, and goes when these do."""

    def summarise(
        self, *names: str, dry_run: bool = False, progress: Progress | None = None
    ) -> SummariseReport:
        """Let the model write what categories come to, above their lists, in one commit.

        names   titles or slugs; none: all that have an item which their summary does not tell of
        raises  SettingsError where no model is set, LocalOnlyError, BadInputError; a reply that
                cannot be used leaves a category as it is, and is in the report
        """

        return remember.summarise(self._parts, names, dry_run=dry_run, progress=progress)

    def reflect(
        self, *, now: bool = False, quick: bool = False, dry_run: bool = False
    ) -> Reflected:
        """Let the model draw insights from the newest notes, each with its evidence.

        now     however little is new since the last time
        quick   from the last conversations that ended, and fewer
        raises  SettingsError where no model is set, LocalOnlyError, LLMError; nothing is changed
        """

        return learn.reflect(self._parts, now_anyway=now, quick=quick, dry_run=dry_run)

    def check_models(self) -> ModelsChecked:
        """Ask each model of the settings whether it works; nothing of the vault is sent."""

        return models.check_models(self._parts.settings)
