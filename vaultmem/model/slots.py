"""A slot: what a fact is about (subject) and which question it answers of it (predicate).

Written forms stay in notes; slots are compared by a key. A fact is the value of its slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vaultmem.base import late
from vaultmem.language import fold

BETWEEN = "\n"  # of subject and predicate in a key: a folded part never holds it

_JOINTS = late(r"[\s_\-\u2010-\u2015]+")


@lru_cache(maxsize=8192)  # for 1,000 items of an import it was asked 47,000 times
def part_key(text: str) -> str:
    """What subjects, predicates and values are compared by; idempotent.

    NFKC and case folding; runs of spaces, hyphens, dashes and underscores are one space, so
    `Project-X`, `project x` and `project_x` are the same.
    """
    return _JOINTS.sub(" ", fold(text)).strip()


def holds_one(predicate: str, *, single: Sequence[str], multiple: Sequence[str]) -> bool | None:
    """Whether a slot of this predicate has one value at a time; None: nobody says.

    single, multiple  predicates, spelled in any way; `favourite_*` is all that begin so.
                      The first list counts where both name it.
    """
    key = part_key(predicate)
    if _is_among(key, single):
        return True
    return False if _is_among(key, multiple) else None


def _is_among(key: str, names: Sequence[str]) -> bool:
    for name in names:
        wanted = part_key(name.removesuffix("*"))
        if key == wanted or (name.endswith("*") and key.startswith(wanted)):
            return True
    return False


def slot_key(subject: str, predicate: str) -> str:
    """The key of a slot; '' unless both parts say something."""
    if not subject or not predicate:
        return ""
    about, what = part_key(subject), part_key(predicate)
    return f"{about}{BETWEEN}{what}" if about and what else ""
