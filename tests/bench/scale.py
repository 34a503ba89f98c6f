"""Generated vaults of any number of passages, for the speed of large indexes.

Nine passages of ten are turns of conversations of 40, the tenth is an item of its own. Words are
drawn with a frequency of 1 / (rank + 20), as those of talk are once stop words are cut: English
ones that the thesaurus knows (so that related words are searched for, too) and made-up rare ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import vaultmem

TURNS = 40  # passages a conversation
WORDS = 12  # words a passage, none of them a stop word
ITEMS = 10  # one passage of so many is an item
_FLAT = 20  # ranks over which frequencies hardly fall
_RARE = 60_000  # made-up words


class Texts:
    """Seeded passages; the same for the same seed, in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ai")]
        english = _english()
        self._random.shuffle(english)
        made_up = {"".join(self._random.choices(syllables, k=4)) for _ in range(_RARE)}
        self.words = [*english, *sorted(made_up - set(english))]
        self._until = list(accumulate(1 / (rank + _FLAT) for rank in range(len(self.words))))

    def passage(self) -> str:
        """A sentence of WORDS words."""
        words = self._random.choices(self.words, cum_weights=self._until, k=WORDS)
        return " ".join(words).capitalize() + "."

    def questions(self, passages: Sequence[str], count: int, size: int = 4) -> list[str]:
        """Questions of `size` words each that one of the passages holds."""
        asked = self._random.choices(passages, k=count)
        return [" ".join(self._random.sample(text[:-1].lower().split(), size)) for text in asked]


def _english() -> list[str]:
    """The stems that the thesaurus knows, in its order."""
    lines = Path(vaultmem.__file__).with_name("index").joinpath("english.thesaurus").read_text()
    return [line.split(":")[0] for line in lines.splitlines() if not line.startswith("#")]


def make(root: Path, passages: int, texts: Texts) -> list[str]:
    """Write the notes of a vault of so many passages; their texts, by note and order in it."""
    written = []
    for number, said in enumerate(_notes(passages, texts)):
        day = number // 140
        month = f"{2020 + day // 336}/{day // 28 % 12 + 1:02}"
        if len(said) == 1:
            id_ = f"i-{number:010}"
            file = root / f"items/{month}/{day % 28 + 1:02}/note-{id_}.md"
            head = (
                "kind: fact\ncategory:\n  - general\nvalid_from: 2026-01-02\nstatus: active\n"
                f"source:\n  - https://example.org/{number}\nimportance: 3\nconfidence: 0.7\n"
                "confidence_at: 2026-01-02\nwriter: person\ntrust: user"
            )
            body = said[0]
        else:
            id_ = f"r-{number:012}"
            file = root / f"resources/{month}/talk-{id_}.md"
            head = (
                f"title: Talk {number}\ndate: 2026-01-02T10:00:00+00:00\norigin: conversation\n"
                "writer: person\ntrust: user"
            )
            who = ("Ann", "Ben")
            body = "\n\n".join(
                f"**{who[i % 2]}** (2026-01-02 10:00): {text}" for i, text in enumerate(said)
            )
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\nid: {id_}\n{head}\n---\n\n{body}\n", "utf-8")
        written += said
    return written


def _notes(passages: int, texts: Texts) -> Iterator[list[str]]:
    items = passages // ITEMS
    rest = passages - items
    while items or rest:
        # Items lie between conversations, as they do where both come day by day.
        some = min(items, max(1, TURNS // (ITEMS - 1)))
        for _ in range(some):
            yield [texts.passage()]
        items -= some
        turns = min(rest, TURNS)
        if turns:
            yield [texts.passage() for _ in range(turns)]
            rest -= turns
