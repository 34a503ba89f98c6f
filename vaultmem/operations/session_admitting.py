"""What comes from a remote may not set rules in the person's name: hard exceptions are held.

A hard exception of a conversation stands first in every prompt and binds the model, so it has to be
the person's. One that a pull brings counts as theirs when the commit that wrote it carries an
address of theirs, or when they had taken it before; any other waits for `vaultmem review`. It is
put apart in the very commit that joins what came with what is here, so at no moment does it bind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.frozen import dataclass
from vaultmem.model.records import Problem, Severity
from vaultmem.text import canonical

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.operations.session_files import Conversation
    from vaultmem.vault.git_join import Entry

OWN_ADDRESSES = "network.own_addresses"
_MOST_COMMITS = 20_000
_MOST_LOOKED_BACK = 500  # commits of a conversation in which the person may have taken a rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Base truths as they come in, and what was put apart in them."""

    content: Mapping[str, bytes]
    problems: tuple[Problem, ...]


def hold_rules(
    parts: Parts, ours: str, theirs: str, changed: Mapping[str, Entry | bytes | None]
) -> Held:
    """What of `changed` has to be otherwise, so that nobody else's rule binds; mostly nothing."""
    content: dict[str, bytes] = {}
    problems: list[Problem] = []
    look = _Look(parts, ours, theirs)
    for path, entry in changed.items():
        if entry is None or not _is_truth(path):
            continue
        then = look.read(path, entry)
        known = look.hard(path, look.here.get(path))
        new = [fact for fact in then.facts if fact.hard and canonical(fact.text) not in known]
        strange = [fact for fact in new if not look.is_theirs(path, canonical(fact.text))]
        if strange:
            content[path] = _apart(look.data(entry), path, then, [fact.text for fact in strange])
            problems += [_problem(path, then.id, fact.text) for fact in strange]
    return Held(content=content, problems=tuple(problems))


def _is_truth(path: str) -> bool:
    from vaultmem.operations.session_files import SESSIONS, TRUTH

    place = PurePosixPath(path)
    return place.name == TRUTH and place.parent.parent == SESSIONS


def _apart(data: bytes, path: str, then: Conversation, texts: Iterable[str]) -> bytes:
    """A base truth with these rules among what waits."""
    from vaultmem.operations.session_held import held_apart
    from vaultmem.operations.session_writing import with_facts
    from vaultmem.sessions.truth_page import numbered

    wanted = set(texts)
    kept = [fact for fact in then.facts if not (fact.hard and fact.text in wanted)]
    gone = [fact for fact in then.facts if fact.hard and fact.text in wanted]
    _, held = held_apart(gone, then.held)
    facts = tuple(kept)
    return with_facts(data, facts, numbered(held, 0, beside=facts))


def _problem(path: str, session: str, text: str) -> Problem:
    from vaultmem.operations.wording import shortened

    return Problem(
        path=PurePosixPath(path),
        code="rule-held",
        message=f"somebody else set the rule '{shortened(text, 80)}'; it binds nobody yet",
        hint=f"`vaultmem review` takes or drops it; an address of yours belongs in {OWN_ADDRESSES}",
        severity=Severity.WARNING,
    )


class _Look:
    """Both lines of commits, each read when it is first asked about."""

    def __init__(self, parts: Parts, ours: str, theirs: str) -> None:
        self._parts = parts
        self._ours, self._theirs = ours, theirs

    @cached_property
    def here(self) -> Mapping[str, Entry]:
        """Our tree."""
        return self._parts.history.exchange().entries(self._ours)

    @cached_property
    def _own(self) -> frozenset[str]:
        """Addresses of the person: of this device, those they name, and who began the vault."""
        more = self._parts.settings.network_own_addresses
        own = {self._parts.history.exchange().mail(), *more, self._founder()}
        return frozenset(each.casefold() for each in own if each)

    def _founder(self) -> str:
        """Whose vault it is: else a guest's device would hold the rules of its owner."""
        lineage = self._parts.history.lineage()
        if lineage.boundaries():  # a shallow clone does not know
            return ""
        first = lineage.first_parents(self._ours)[0]
        return next(iter(lineage.details([first], files=0))).mail

    @cached_property
    def _introduced(self) -> Mapping[str, frozenset[str]]:
        """Path -> hard exceptions that own commits among what comes wrote there."""
        history = self._parts.history
        commits = history.exchange().commits(self._ours, self._theirs)[-_MOST_COMMITS:]
        found: dict[str, set[str]] = {}
        for detail in history.lineage().details(commits, files=_MOST_COMMITS):
            if len(detail.parents) > 1 or detail.mail.casefold() not in self._own:
                continue  # what a merge has, one of its sides wrote
            for each in detail.touched:
                if each.new and _is_truth(each.path):
                    new = self._hard_in(each.path, each.new) - self._hard_in(each.path, each.old)
                    found.setdefault(each.path, set()).update(new)
        return {path: frozenset(texts) for path, texts in found.items()}

    def is_theirs(self, path: str, text: str) -> bool:
        """Whether the person wrote this rule, on another device or here before."""
        return text in self._introduced.get(path, ()) or self._was_taken(path, text)

    def _was_taken(self, path: str, text: str) -> bool:
        """What the person did last about a rule, by the commits of this device's line."""
        for after, before in self._versions(path):
            if (text in after) != (text in before):
                return text in after
        return False

    def _versions(self, path: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
        history = self._parts.history
        for entry in history.log(limit=_MOST_LOOKED_BACK, paths=(path,)):
            if entry.mail.casefold() in self._own and entry.trailers.get("Vaultmem-Op") != "pull":
                states = (
                    history.text_at(commit, path) if commit else None
                    for commit in (entry.commit, entry.parent)
                )
                after, before = (self._hard_of(path, data) for data in states)
                yield after, before

    def read(self, path: str, entry: Entry | bytes) -> Conversation:
        """A session by its base truth alone."""
        return self._head(path, self.data(entry))

    def data(self, entry: Entry | bytes) -> bytes:
        """The bytes of what comes."""
        if isinstance(entry, bytes):
            return entry
        return dict(self._parts.history.blobs([entry.oid]))[entry.oid] or b""

    def hard(self, path: str, entry: Entry | None) -> frozenset[str]:
        """The hard exceptions of a base truth, for comparison."""
        return frozenset() if entry is None else self._hard_of(path, self.data(entry))

    def _hard_in(self, path: str, oid: str) -> frozenset[str]:
        found = dict(self._parts.history.blobs([oid]))[oid] if oid else None
        return self._hard_of(path, found)

    def _hard_of(self, path: str, data: bytes | None) -> frozenset[str]:
        if not data:
            return frozenset()
        return frozenset(canonical(fact.text) for fact in self._head(path, data).facts if fact.hard)

    def _head(self, path: str, data: bytes) -> Conversation:
        from vaultmem.errors import PatchRefusedError
        from vaultmem.operations.session_files import Conversation, head_of

        folder = PurePosixPath(path).parent
        try:
            return head_of(folder, lambda _: data, zone=self._parts.settings.timezone)[0]
        except PatchRefusedError:  # two blocks, or half of one: there are no rules in it
            return Conversation(id=folder.name, folder=folder, title="")
