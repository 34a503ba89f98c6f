"""What exchanging commits with a remote needs of the history, bound to one vault."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import read_identity
from vaultmem.storage.git.refs import read_head
from vaultmem.storage.git.remote import join as git_join
from vaultmem.storage.git.remote.join import About, Changes, Entry
from vaultmem.storage.git.remote.remote import Limits, RemoteRepository
from vaultmem.storage.git.remote.transfer import Heard

if TYPE_CHECKING:
    from vaultmem.storage.git.erase.twins import Apart

__all__ = ["Exchange"]


class Exchange:
    """Remotes, and lines of commits, of one vault."""

    def __init__(
        self,
        engine: Engine,
        environment: Mapping[str, str],
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._sleep = sleep

    def remote(
        self, url: str, branch: str, *, seconds: float, max_bytes: int, heard: Heard
    ) -> RemoteRepository:
        """The branch of the remote at an address."""
        return RemoteRepository(
            self._engine,
            self._environment,
            url=url,
            branch=branch,
            limits=Limits(seconds=seconds, max_bytes=max_bytes),
            heard=heard,
        )

    def mail(self) -> str:
        """The address that commits of this person carry."""
        return read_identity(self._engine, self._environment)[1]

    def origin(self) -> str:
        """What the vault's own `.git/config` names as its remote: a suggestion at most."""
        return self._engine.repository.config.get("remote.origin.url") or ""

    def remotes(self) -> tuple[str, ...]:
        """Every address that the vault's own `.git/config` names, for fetching or sending."""
        settings = self._engine.repository.config.settings
        endings = (".url", ".pushurl")
        return tuple(
            value
            for name, value in settings
            if name.startswith("remote.") and name.endswith(endings) and value
        )

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether everything of `old` is in `new`."""
        return git_join.is_ancestor(self._engine, old, new)

    def merge_bases(self, ours: str, theirs: str) -> tuple[str, ...]:
        """Where both last agreed, oldest first; none: nothing in common."""
        return git_join.merge_bases(self._engine, ours, theirs)

    def about(self, oid: str) -> About:
        """What a commit says of itself."""
        return git_join.about(self._engine, oid)

    def entries(self, commit: str) -> dict[str, Entry]:
        """Everything in the tree of a commit."""
        return git_join.entries(self._engine, commit)

    def changes(self, old: str | None, new: str) -> dict[str, Entry | None]:
        """What `new` changed against `old`."""
        return git_join.changes(self._engine, old, new)

    def sizes(self, oids: Iterable[str]) -> dict[str, int]:
        """Bytes of objects."""
        return git_join.sizes(self._engine, oids)

    def commits_between(self, old: str | None, new: str) -> int:
        """How many commits `new` has that `old` has not."""
        return git_join.commits_between(self._engine, old, new)

    def commits(self, old: str | None, new: str) -> tuple[str, ...]:
        """Those that `new` has and `old` has not, parents first."""
        return git_join.commits(self._engine, old, new)

    def apart(self, ours: str, theirs: str) -> Apart:
        """What each has and the other has not, so that a rewriting can be told."""
        from vaultmem.storage.git.erase.twins import apart

        return apart(self._engine, ours, theirs)

    def new_files(self, ours: str, theirs: str) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of every version of a file that `theirs` has and `ours` has not.

        ours  '': nothing
        """
        from vaultmem.storage.git.repair.survey import kinds_and_sizes, read_objects, run

        out = run(self._engine, "rev-list", "--objects", theirs, *([f"^{ours}"] if ours else []))
        lines = (line.partition(b" ") for line in out.split(b"\n") if line)
        names = {oid.decode("ascii"): name.decode("utf-8", "replace") for oid, _, name in lines}
        kinds = kinds_and_sizes(self._engine, "\n".join(names).encode())
        wanted = [(oid, size) for oid, (kind, size) in kinds.items() if kind == "blob"]
        for one in read_objects(self._engine, wanted):
            yield names[one.oid], one.data

    def join(
        self,
        parents: Sequence[str],
        content: Mapping[str, Entry | bytes | None],
        *,
        message: str,
        at_ms: int,
    ) -> str:
        """Id of a durable commit with these parents, on no branch yet."""
        identity = read_identity(self._engine, self._environment)
        return git_join.join(
            self._engine, parents, content, message=message, at_ms=at_ms, identity=identity
        )

    def advance(self, expects: str | None, new: str, changed: Changes, *, reason: str) -> None:
        """Move the branch from `expects` to `new`, and the person's index with it."""
        from vaultmem.storage.git.commit import require_head

        head = read_head(self._engine.repository)
        require_head(head, expects)
        git_join.advance(
            self._engine,
            head,
            new,
            changed,
            reason=reason,
            identity=read_identity(self._engine, self._environment),
            sleep=self._sleep,
        )
