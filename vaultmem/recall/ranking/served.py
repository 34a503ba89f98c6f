"""What this device answered with: so that a judgement knows which ranking it is about.

A log in the device state, never in the vault, because reading must leave no trace in notes. It
holds ids and numbers and not a word of a question. A line an answer:

    time in ms <tab> preset <tab> id:component=share,component=share <tab> ...

The newest few hundred answers stay, and a purge drops all of them. What cannot be written or read
is no reason not to answer.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultmem.model import Answer, Hit, Pack
    from vaultmem.vault import Vault

LOG = "answers.log"
OLDER = "answers.old"
_MOST_BYTES = 100_000  # then the log becomes the older one, and a new one begins
_GIVEN = "context"  # in place of a preset: it was no list that somebody can judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One answer, as the log has it."""

    at: int  # UTC ms
    preset: str
    hits: tuple[tuple[str, Mapping[str, float]], ...]  # id ('': none), component -> share of 1


def keep(vault: Vault, answer: Answer) -> None:
    """Put an answer at the end of the log."""
    if not answer.hits:
        return
    ranking = answer.ranking
    preset = "default" if ranking is None else ranking.preset
    weights = {} if ranking is None else dict(ranking.weights)
    fields = [str(vault.clock.now()), preset]
    fields += [f"{hit.note.id}:{_shares(hit, weights) if weights else ''}" for hit in answer.hits]
    _append(vault, fields)


def keep_given(vault: Vault, pack: Pack) -> None:
    """Put what a context found for a question at the end of the log, each note once.

    What is given whatever is asked is no access: it would never grow old.
    """
    tiers = (model.FACTS, model.EVENTS, model.INFERRED)
    found = (line.id for line in pack.lines if line.tier in tiers and line.id)
    ids = list(dict.fromkeys(found))
    if ids:
        _append(vault, [str(vault.clock.now()), _GIVEN, *(f"{id_}:" for id_ in ids)])


def _append(vault: Vault, fields: Sequence[str]) -> None:
    line = "\t".join(fields) + "\n"
    file = vault.state / LOG
    with suppress(OSError):
        with open(file, "ab") as log:
            log.write(line.encode("ascii", "ignore"))
            is_full = log.tell() > _MOST_BYTES
        if is_full:
            os.replace(file, vault.state / OLDER)


def _shares(hit: Hit, weights: Mapping[str, float]) -> str:
    """What each component gave to the score, as a share of all they gave; '' for a neighbour."""
    from vaultmem.recall.ranking.learned_weights import responsibility  # saves 3 modules

    given = {part.name: part.value for part in hit.parts if part.name in weights}
    shares = responsibility(given, dict.fromkeys(given, 1.0))  # each value is weighed already
    return ",".join(f"{name}={share:.6g}" for name, share in shares.items() if share > 0)


def answers(vault: Vault) -> list[Served]:
    """The answers of a ranking that the log still has, newest first."""
    return [each for each in _all(vault) if each.preset != _GIVEN]


def _all(vault: Vault) -> list[Served]:
    found = [*_read(vault.state / OLDER), *_read(vault.state / LOG)]
    return found[::-1]


def times(vault: Vault) -> dict[str, list[int]]:
    """When each note (by id) was used on this device, UTC ms, as far as the log reaches back."""
    used: dict[str, list[int]] = {}
    for answer in _all(vault):
        for id_, _ in answer.hits:
            if id_:
                used.setdefault(id_, []).append(answer.at)
    return used


def _read(file: Path) -> Iterator[Served]:
    try:
        text = file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        with suppress(ValueError, IndexError):  # a line that a killed process left half written
            yield _parse_served(line)


def _parse_served(line: str) -> Served:
    at, preset, *hits = line.split("\t")
    if not hits:
        raise ValueError(line)
    return Served(at=int(at), preset=preset, hits=tuple(map(_hit, hits)))


def _hit(text: str) -> tuple[str, dict[str, float]]:
    id_, colon, shares = text.partition(":")
    if not colon:
        raise ValueError(text)
    pairs = (pair.split("=") for pair in shares.split(",") if pair)
    return id_, {name: float(share) for name, share in pairs}
