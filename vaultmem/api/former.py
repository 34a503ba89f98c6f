"""The names that methods of `Memory` had before there were facets: they work for one version more.

`memory.history(...)`, `.sessions(...)`, `.review()` and `.maintain(job)` are in the facets
themselves (`called` of api/opened.py).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from vaultmem.api.facets import Facets

Method = TypeVar("Method", bound=Callable[..., object])


class Renamed(Generic[Method]):
    """A method that has another name now; type checkers see that one."""

    def __init__(self, find: Callable[[Facets], Method]) -> None:
        self._find = find

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, memory: Facets, kind: type | None = None) -> Method:
        found = self._find(memory)
        new = self._find(_Way("memory"))  # type: ignore[arg-type]  # it writes down the way
        told = f"'memory.{self._name}' is '{new}' now"
        warnings.warn(told, DeprecationWarning, stacklevel=4)
        return found


class _Way:
    """The words that lead to a method."""

    def __init__(self, words: str) -> None:
        self._words = words

    def __getattr__(self, name: str) -> _Way:
        return _Way(f"{self._words}.{name}")

    def __str__(self) -> str:
        return self._words


class Former:
    """The table: each former name, and where the method is."""

    log = Renamed(lambda memory: memory.history.log)
    diff = Renamed(lambda memory: memory.history.diff)
    timeline = Renamed(lambda memory: memory.history.timeline)
    restore = Renamed(lambda memory: memory.history.restore)
    repository = Renamed(lambda memory: memory.history.repository)
    gaps = Renamed(lambda memory: memory.history.gaps)
    moment = Renamed(lambda memory: memory.history.moment)
    links = Renamed(lambda memory: memory.ranking.links)
    feedback = Renamed(lambda memory: memory.ranking.feedback)
    expire = Renamed(lambda memory: memory.facts.expire)
    retract = Renamed(lambda memory: memory.facts.retract)
    supersede = Renamed(lambda memory: memory.facts.supersede)
    consolidate = Renamed(lambda memory: memory.learn.consolidate)
    learning_history = Renamed(lambda memory: memory.learn.history)
    rules = Renamed(lambda memory: memory.learn.rules)
    propose_rules = Renamed(lambda memory: memory.learn.propose)
    why = Renamed(lambda memory: memory.learn.why)
    profile = Renamed(lambda memory: memory.learn.profile)
    reflect = Renamed(lambda memory: memory.learn.reflect)
    claims = Renamed(lambda memory: memory.learn.claims)
    summarise = Renamed(lambda memory: memory.models.summarise)
    check_models = Renamed(lambda memory: memory.models.check)
    counted = Renamed(lambda memory: memory.models.keep_count)
    approve = Renamed(lambda memory: memory.review.approve)
    reject = Renamed(lambda memory: memory.review.reject)
    pull = Renamed(lambda memory: memory.devices.pull)
    push = Renamed(lambda memory: memory.devices.push)
    status = Renamed(lambda memory: memory.vault.status)
    audit = Renamed(lambda memory: memory.vault.audit)
    due = Renamed(lambda memory: memory.maintain.due)
    install_timer = Renamed(lambda memory: memory.maintain.install_timer)
    uninstall_timer = Renamed(lambda memory: memory.maintain.uninstall_timer)
    compact = Renamed(lambda memory: memory.maintain.compact)
    compact_streams = Renamed(lambda memory: memory.maintain.compact_streams)
    aged = Renamed(lambda memory: memory.maintain.aged)
    purge = Renamed(lambda memory: memory.forgetting.purge)
    lift = Renamed(lambda memory: memory.forgetting.lift)
    clear = Renamed(lambda memory: memory.forgetting.clear)
    edit_path = Renamed(lambda memory: memory.edit.file_of)
    edited = Renamed(lambda memory: memory.edit.take_in)


def former_method(memory: Facets, name: str) -> object:
    """The method that had this name; raises AttributeError when none had."""
    renamed = vars(Former).get(name)
    if isinstance(renamed, Renamed):
        return renamed.__get__(memory)
    # Raises what Python would: a property of `Memory` that fails with one comes here, too.
    return object.__getattribute__(memory, name)
