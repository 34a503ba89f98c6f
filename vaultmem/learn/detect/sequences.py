"""Sequences of tools that come back over sessions (algorithms 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.base.records import dataclass

LENGTHS = (2, 3, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequenced:
    """Tools that were called one right after the other, and the sessions where."""

    ngram: tuple[str, ...]
    sessions: tuple[str, ...]  # in the order in which they were given
    closed: bool  # no longer sequence of the same sessions holds it


def tool_sequences(
    called: Mapping[str, Sequence[str]],
    *,
    least_sessions: int = 2,
    lengths: Sequence[int] = LENGTHS,
) -> tuple[Sequenced, ...]:
    """Contiguous sequences of tools, each counted once a session, short ones first.

    called   the names of tools by session, in order; nothing is joined across sessions
    lengths  tools in a sequence, each from 2; (): nothing is looked for
    """
    seen: dict[tuple[str, ...], list[str]] = {}
    for session, names in called.items():
        inside = {
            tuple(names[start : start + length])
            for length in lengths
            for start in range(len(names) - length + 1)
        }
        for ngram in inside:
            seen.setdefault(ngram, []).append(session)
    often = {ngram: sessions for ngram, sessions in seen.items() if len(sessions) >= least_sessions}
    covered = {
        shorter
        for ngram, sessions in often.items()
        for length in lengths
        for start in range(len(ngram) - length + 1)
        if length < len(ngram) and often[shorter := ngram[start : start + length]] == sessions
    }
    return tuple(
        Sequenced(ngram=ngram, sessions=tuple(often[ngram]), closed=ngram not in covered)
        for ngram in sorted(often, key=lambda names: (len(names), names))
    )
