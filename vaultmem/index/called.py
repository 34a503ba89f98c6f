"""What links call a note: `[[elise|Kate]]` makes Kate another name of elise.

Only what looks like a name is taken for one: a label of one or two words with capitals, of a note
whose own name is of one or two words. `[[elise|my sister]]`, `[[garden|here]]`,
`[[2026-05-03|Friday]]` and links to a heading name nothing.
"""

from __future__ import annotations

import re

from vaultmem.analysis import STOP_WORDS
from vaultmem.model.ids import id_in_name
from vaultmem.text import fold

_MOST_WORDS = 2
_LABELLED = re.compile(r"\[\[([^\[\]|#^\n]+)\|([^\[\]|\n]+)\]\]")


def called(text: str) -> set[tuple[str, str]]:
    """(name of a note, what a link calls it) in both orders, folded."""
    found: set[tuple[str, str]] = set()
    for target, label in _LABELLED.findall(text):
        name = target.strip().rpartition("/")[2].removesuffix(".md")
        if id_in_name(name) or not all(word[0].isupper() for word in label.split()):
            continue
        one, other = fold(name), fold(label.strip())
        if _is_name(one) and _is_name(other) and set(one.split()).isdisjoint(other.split()):
            found |= {(one, other), (other, one)}
    return found


def _is_name(text: str) -> bool:
    """Whether a folded text is one or two words of letters that say something."""
    parts = text.split()
    return 0 < len(parts) <= _MOST_WORDS and all(
        part.isalpha() and len(part) > 1 and part not in STOP_WORDS for part in parts
    )
