"""What is learned from conversations: rules, the profile, insights."""

from __future__ import annotations

from vaultmem import learn
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import (
        Claims,
        Consolidated,
        LearnedRule,
        LearningHistory,
        Profile,
        Progress,
        Reflected,
        RuleList,
        RuleProposals,
    )


class Learn(Facet):
    """`memory.learn`: what is said again and again becomes a rule; what is said no more fades."""

    def consolidate(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Consolidated:
        """Learn from the conversations that are kept; one commit, none when nothing is new.

        No model is asked. The same conversations again change nothing.
        """
        return learn.consolidate(self._parts, dry_run=dry_run, progress=progress)

    def rules(self, words: str = "", *, category: str = "", candidates: bool = False) -> RuleList:
        """What was learned, the surest first; its confidence is that of now.

        words       only rules that hold all of these
        category    preference, decision, correction, convention or workflow; '': all
        candidates  what was said, but in too few conversations, instead
        """
        return learn.rules(self._parts, category=category, words=words, candidates=candidates)

    def why(self, ref: str) -> LearnedRule:
        """A rule with the words it was learned from, and how sure it was over time.

        raises  UnknownNoteError when the note is no learned rule
        """
        return learn.why(self._parts, ref)

    def propose(self) -> RuleProposals:
        """Candidates that your language model finds in the newest conversations; keeps nothing.

        raises  SettingsError, LocalOnlyError where no model can be asked; LLMError
        """
        return learn.propose(self._parts)

    def history(self, *, days: int | None = None) -> LearningHistory:
        """The runs of learning that changed something, the newest first.

        days  how far back; 0: all there are; None: `consolidation.report_days`
        """
        return learn.history(self._parts, days=days)

    def profile(self, *, dry_run: bool = False, progress: Progress | None = None) -> Profile:
        """Who the person is, with the notes that say so; written to categories/profile.md.

        dry_run  only say it; a field that nothing speaks of has no values
        """
        return learn.update_profile(self._parts, dry_run=dry_run, progress=progress)

    def reflect(
        self, *, now: bool = False, quick: bool = False, dry_run: bool = False
    ) -> Reflected:
        """Let the model draw insights from the newest notes, each with its evidence.

        now     however little is new since the last time
        quick   from the last conversations that ended, and fewer
        raises  SettingsError where no model is set, LocalOnlyError, LLMError; nothing is changed
        """
        return learn.reflect(self._parts, now_anyway=now, quick=quick, dry_run=dry_run)

    def claims(self) -> Claims:
        """What is said of the person to their credit, and whether anything bears it out.

        Nothing is changed; no model is asked.
        """
        return learn.claims(self._parts)
