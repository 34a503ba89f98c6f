"""What is said of commits that cannot be read any more, and that commands step over."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.base import TYPE_CHECKING, HistoryError
from vaultmem.language import format_minute
from vaultmem.model import counted

if TYPE_CHECKING:
    from vaultmem.vault import Parts


def gap_remarks(parts: Parts) -> Iterator[str]:
    """One sentence for each gap in the history, newest first; none where nothing is missing."""
    gaps = parts.history.gaps()
    if not gaps.after:
        return
    zone = parts.settings.timezone
    known = sorted(
        ((_at(parts, commit), commit) for commit in gaps.after), key=lambda pair: -pair[0]
    )
    yield (
        f"the history is damaged: {counted(len(gaps.lost), 'commit')} cannot be read "
        f"({', '.join(commit[:8] for commit in gaps.lost[:_SHOWN])}"
        f"{', ...' if len(gaps.lost) > _SHOWN else ''}) and are left out; a clone or backup may "
        "have them"
    )
    for at, commit in known:
        if not gaps.after[commit]:
            yield f"nothing is known from before {commit[:8]} ({format_minute(at, zone)})"
        else:
            before = gaps.after[commit][0][:8]
            yield (
                f"{commit[:8]} ({format_minute(at, zone)}) seems to change all that was changed "
                f"since {before}"
            )


def _at(parts: Parts, commit: str) -> int:
    try:
        return parts.history.exchange().about(commit).at_ms
    except HistoryError:
        return 0


_SHOWN = 5
