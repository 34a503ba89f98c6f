"""What a model said of texts before any lock was taken."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base.records import dataclass, field
from vaultmem.base.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.facts.opinions import Opinions
    from vaultmem.model.talks.summaries import Opinion
    from vaultmem.remember.links import Ties
    from vaultmem.remember.summaries import Rewriting


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What a model said beforehand; nothing, where none is."""

    opinions: Opinions | None = None
    told: tuple[Opinion, ...] = ()
    ties: Ties | None = None
    summaries: Mapping[PurePosixPath, Rewriting] = field(default_factory=dict)


NOTHING = Ahead()
