"""A project: the repository in which something is told, as notes name it; when two are one. Pure.

In a note it is a text that a person can read and edit:

`github.com/acme/heron`  a repository with a remote: its address, the same on every device
`heron@1f3a9c2b7d4e`     one without: the folder's name, and the first letters of its root commit
`heron`                  a name alone, as somebody types it
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from vaultmem.base import late
from vaultmem.language import fold

NO_PROJECT = "none"  # as a filter: what was told in no project
ROOT_DIGITS = 12  # of the root commit: enough for every repository that a person has
LONGEST_PROJECT = 200  # characters
# A root commit stands in a key behind this, so that no name of a folder is taken for one.
_ROOT = "@"
# A name alone stands behind this: it names every project that ends so.
_ALONE = "~"
_WITH_ROOT = late(rf"(.*)@([0-9a-f]{{{ROOT_DIGITS},64}})", re.DOTALL)


@lru_cache(maxsize=512)
def project_keys(project: str) -> tuple[str, ...]:
    """What a project that a note names is found by; () for a text that names none.

    Its name, each longer end of its address, and its root commit.
    """
    text = _plain(project)
    found = _WITH_ROOT.fullmatch(text)
    if found is not None:
        name, root = found[1], found[2][:ROOT_DIGITS]
        return (name, f"{name}@{root}", f"{_ROOT}{root}") if name else (f"{_ROOT}{root}",)
    parts = text.split("/")
    ends = tuple("/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1))
    return () if not text else ends if len(parts) > 1 else (text, f"{_ALONE}{text}")


@lru_cache(maxsize=512)
def wanted_keys(project: str) -> tuple[str, ...]:
    """Keys of which a project has one, if it is the one that is asked for.

    A whole address means that repository, and what names it by its name alone, as somebody who
    wrote `project: heron` did. A name means every project of that name.
    """
    text = _plain(project)
    found = _WITH_ROOT.fullmatch(text)
    if found is not None:
        return (f"{_ROOT}{found[2][:ROOT_DIGITS]}", *([f"{_ALONE}{found[1]}"] * bool(found[1])))
    if "/" in text:
        return text, f"{_ALONE}{text.rpartition('/')[2]}"
    return (text,) if text else ()


def is_told_in(projects: Collection[str], wanted: Sequence[str]) -> bool:
    """Whether one of the projects that a note names is one of those that are wanted."""
    keys = {key for each in wanted for key in wanted_keys(each)}
    return any(not keys.isdisjoint(project_keys(each)) for each in projects)


def are_apart(some: Collection[str], others: Collection[str]) -> bool:
    """Whether two notes were told in two projects: what holds in one says nothing of the other.

    What was told in none holds everywhere.
    """
    return bool(some and others) and not is_told_in(others, tuple(some))


def short_name(project: str) -> str:
    """What a project is called among others: the end of its address."""
    found = _WITH_ROOT.fullmatch(project)
    return (found[1] or project) if found is not None else project.rpartition("/")[2]


def _plain(project: str) -> str:
    return fold(project.strip()).strip("/")
