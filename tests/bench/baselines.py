"""Retrieval that anybody has: Okapi BM25 of rank_bm25, and BM25 of SQLite's FTS5."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import Protocol

from tests.bench.locomo import Turn
from vaultmem.language.stems import STOP_WORDS


class Baseline(Protocol):
    """Ranks the turns of one conversation."""

    name: str

    def rank(self, question: str, limit: int) -> list[str]:
        """Ids of turns, best first."""


def tokens(text: str) -> list[str]:
    """Lower-case runs of letters and digits."""
    return re.findall(r"[^\W_]+", text.lower())


class Okapi:
    """rank_bm25.BM25Okapi with its defaults, on `SPEAKER: text`."""

    name = "rank_bm25 Okapi"

    def __init__(self, turns: Sequence[Turn]) -> None:
        from rank_bm25 import BM25Okapi

        self._ids = [turn.id for turn in turns]
        self._index = BM25Okapi([self.tokens(f"{turn.speaker} {turn.text}") for turn in turns])

    def tokens(self, text: str) -> list[str]:
        """What is counted."""
        return tokens(text)

    def rank(self, question: str, limit: int) -> list[str]:
        scores = self._index.get_scores(self.tokens(question))
        best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return [self._ids[i] for i in best[:limit] if scores[i] > 0]


class Fts5:
    """FTS5 with the porter tokenizer; words joined by OR, stop words cut."""

    name = "FTS5 porter, stop words cut"

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._ids = [turn.id for turn in turns]
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='porter unicode61')"
        )
        self._connection.executemany(
            "INSERT INTO turns(rowid, text) VALUES(?, ?)",
            [(i, f"{turn.speaker} {turn.text}") for i, turn in enumerate(turns)],
        )

    def rank(self, question: str, limit: int) -> list[str]:
        words = [word for word in tokens(question) if word not in STOP_WORDS]
        if not words:
            return []
        rows = self._connection.execute(
            "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), limit),
        )
        return [self._ids[i] for (i,) in rows]


BASELINES = (Okapi, Fts5)
