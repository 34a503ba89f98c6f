"""Paths of a report are made when somebody looks at them, and are what a tuple of them is."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.model.reports import Paths

TEXTS = ["items/a.md", "items/b.md", "streams/flow.md"]


def test_paths_are_what_a_tuple_of_them_is() -> None:
    paths, wanted = Paths(TEXTS), tuple(map(PurePosixPath, TEXTS))
    assert paths == wanted
    assert wanted == paths
    assert (len(paths), tuple(paths), paths[1], paths[-2:]) == (3, wanted, wanted[1], wanted[-2:])
    assert PurePosixPath("items/b.md") in paths
    assert (hash(paths), repr(paths)) == (hash(wanted), repr(wanted))
    assert paths != wanted[:2]
    assert paths != TEXTS
    assert not Paths([])
