"""A slot: what a fact is about (subject) and which question it answers of it (predicate).

Written forms stay in notes; slots are compared by a key. A fact is the value of its slot.
"""

from __future__ import annotations

import re

from vaultmem.text import fold

BETWEEN = "\n"  # of subject and predicate in a key: a folded part never holds it

_JOINTS = re.compile(r"[\s_\-\u2010-\u2015]+")


def part_key(text: str) -> str:
    """What subjects, predicates and values are compared by; idempotent.

    NFKC and case folding; runs of spaces, hyphens, dashes and underscores are one space, so
    `Project-X`, `project x` and `project_x` are the same.
    """
    return _JOINTS.sub(" ", fold(text)).strip()


def slot_key(subject: str, predicate: str) -> str:
    """The key of a slot; '' unless both parts say something."""
    if not subject or not predicate:
        return ""
    about, what = part_key(subject), part_key(predicate)
    return f"{about}{BETWEEN}{what}" if about and what else ""
