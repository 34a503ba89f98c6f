"""The part of `Memory` that lets the person's language model work on what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.api.opened import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.ports import Progress
    from vaultmem.model.talks.models import ModelsChecked
    from vaultmem.model.talks.summaries import Reflected, Summarised


class ModelsMemory(OwnedParts):
    """What a model writes rests on items, and goes when these do."""

    def summarise(
        self, *names: str, dry_run: bool = False, progress: Progress | None = None
    ) -> Summarised:
        """Let the model write what categories come to, above their lists, in one commit.

        names   titles or slugs; none: all that have an item which their summary does not tell of
        raises  SettingsError where no model is set, LocalOnlyError, BadInputError; a reply that
                cannot be used leaves a category as it is, and is in the report
        """
        from vaultmem.remember.summaries import summarise

        return summarise(self._parts, names, dry_run=dry_run, progress=progress)

    def reflect(
        self, *, now: bool = False, quick: bool = False, dry_run: bool = False
    ) -> Reflected:
        """Let the model draw insights from the newest notes, each with its evidence.

        now     however little is new since the last time
        quick   from the last conversations that ended, and fewer
        raises  SettingsError where no model is set, LocalOnlyError, LLMError; nothing is changed
        """
        from vaultmem.learn.reflect import reflect

        return reflect(self._parts, now_anyway=now, quick=quick, dry_run=dry_run)

    def check_models(self) -> ModelsChecked:
        """Ask each model of the settings whether it works; nothing of the vault is sent."""
        from vaultmem.models.checking import check_models

        return check_models(self._parts.settings)
