"""Read what commits record about trust, of all commits that HEAD reaches (merged ones too)."""

from __future__ import annotations

from vaultmem.base.records import dataclass
from vaultmem.model.trust import TRAILERS, TrustEvent, events_of
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.log import parse_trailers


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustRead:
    """What was read, and whether it adds to what was known or replaces it."""

    events: tuple[TrustEvent, ...]
    is_whole: bool  # everything that HEAD reaches, not only what is new


def read_trust(engine: Engine, head: str | None, *, since: str) -> TrustRead:
    """The events of the commits that `since` does not reach; of all when it is '' or left behind.

    One git process, or two after a history was rewritten.
    """
    if head is None:
        return TrustRead(events=(), is_whole=True)
    if since:
        out = _log(engine, f"{since}...{head}")
        if out is not None:
            new, lost = _parse(out)
            if not lost:
                return TrustRead(events=new, is_whole=False)
    new, _ = _parse(_log(engine, head) or b"")
    return TrustRead(events=new, is_whole=True)


def _log(engine: Engine, revisions: str) -> bytes | None:
    return engine.ask(
        *("log", "-z", "--left-right", "--no-color", "--no-show-signature", "--extended-regexp"),
        *("--format=tformat:%m%x00%H%x00%B", f"--grep=^({'|'.join(TRAILERS)}): "),
        *(revisions, "--"),
    )


def _parse(out: bytes) -> tuple[tuple[TrustEvent, ...], bool]:
    """Events of the new commits; whether some commit that was known is gone."""
    tokens = out.decode("utf-8", "replace").split("\0")
    events: list[TrustEvent] = []
    lost = False
    for side, commit, message in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=False):
        if side.strip() == "<":
            lost = True
        else:
            events += events_of(commit, parse_trailers(message))
    return tuple(events), lost
