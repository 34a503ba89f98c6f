"""Turns of people: with other people's words in them, and with their own alone.

`pasted.txt`     what stands between ⟦ and ⟧ is somebody else's, and speaks of 'I': it would be a
                 fact, a rule or the end of one; beside it stand the person's own sentences
`own.txt`        the person's own from the first word to the last, whatever they look like
`sentences.txt`  sentences worth keeping that other hands wrote, fourteen a language
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def _told(name: str) -> list[tuple[str, str]]:
    """(language, text) of each turn of a file."""
    text = "\n" + (_FOLDER / name).read_text(encoding="utf-8").rstrip("\n")
    found = []
    for piece in text.split("\n===")[1:]:
        language, _, turn = piece.partition("\n")
        found.append((language.strip(), turn))
    return found


PASTED = tuple(_told("pasted.txt"))
OWN = tuple(turn for _, turn in _told("own.txt"))
KEPT = tuple((_FOLDER / "sentences.txt").read_text(encoding="utf-8").splitlines())
