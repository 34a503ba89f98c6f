"""What the person's language model writes, and whether it works."""

from __future__ import annotations

from vaultmem import context, models, remember
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import ModelsChecked, Pack, Progress, SummariseReport


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
