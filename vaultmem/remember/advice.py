"""What a model said of texts before any lock was taken."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import TYPE_CHECKING, dataclass, field

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.facts import Opinions
    from vaultmem.model import Opinion
    from vaultmem.remember.category_summaries import Rewriting
    from vaultmem.remember.suggest_links import Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAdvice:
    """What a model said beforehand; nothing, where none is."""

    opinions: Opinions | None = None
    told: tuple[Opinion, ...] = ()
    ties: Ties | None = None
    summaries: Mapping[PurePosixPath, Rewriting] = field(default_factory=dict)


NOTHING = ModelAdvice()
