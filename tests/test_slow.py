"""The inner loop: what `python -m pytest -m "not slow"` still covers."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests import slow


def test_every_folder_has_tests_that_are_not_slow(request: pytest.FixtureRequest) -> None:
    """A change is noticed within a minute wherever it is; judged of folders that run as a whole."""
    seen: defaultdict[Path, set[Path]] = defaultdict(set)
    quick: set[Path] = set()
    for item in request.session.items:
        folder = item.path.parent
        seen[folder].add(item.path)
        if item.get_closest_marker("slow") is None:
            quick.add(folder)
    whole = {folder for folder, files in seen.items() if files == {*folder.glob("test_*.py")}}
    assert sorted(whole - quick) == []


def test_the_list_names_tests_that_are_there() -> None:
    """One that was renamed would come back into the inner loop: `--note-slow` follows it."""
    assert [name for name in sorted(slow.noted()) if not slow.is_there(name)] == []
