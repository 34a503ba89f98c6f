"""What becomes of each draft beside what is known already: add, reinforce or skip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from vaultmem.base import dataclass
from vaultmem.language import canonical
from vaultmem.model import Draft

REINFORCEMENT = 0.3  # share of the missing confidence that saying it again adds


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One draft and what is to be done with it."""

    draft: Draft
    action: str  # add, reinforce or skip
    ids: tuple[str, ...] = ()  # the items that are reinforced
    reason: str = ""


def reconcile(
    drafts: Iterable[Draft], known: Callable[[str], Sequence[str]]
) -> tuple[Outcome, ...]:
    """An outcome for each draft, in order.

    known   ids of the active items whose canonical statement is the given text
    A statement that occurs twice in one text is one memory: the second is skipped, whatever its
    rule, because saying it again in the same breath confirms nothing.
    """
    seen: set[str] = set()
    outcomes = []
    for draft in drafts:
        key = canonical(draft.statement)
        ids = tuple(sorted(known(key)))
        if key in seen:
            outcomes.append(Outcome(draft=draft, action="skip", reason="duplicate in this text"))
        elif ids:
            reason = f"says again what {', '.join(ids)} says"
            outcomes.append(Outcome(draft=draft, action="reinforce", ids=ids, reason=reason))
        else:
            outcomes.append(Outcome(draft=draft, action="add", reason=draft.rule))
        seen.add(key)
    return tuple(outcomes)


def reinforced(confidence: float, *, share: float = REINFORCEMENT) -> float:
    """Confidence 0..1 after a repetition: c + 0.3 (1 - c), so that it never passes 1.

    share  of the missing confidence that it adds
    """
    return confidence + share * (1.0 - confidence)
