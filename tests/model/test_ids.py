"""Ids at the end of names, and the patterns that tell them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.model import ids

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
AT_END = re.compile(rf"(?:^|[-/])((?:i-[{LETTERS}]{{10}})|(?:r-[{LETTERS}]{{12}}))$")


@pytest.mark.parametrize(
    ("stem", "found"),
    [
        ("i-0123456789", "i-0123456789"),
        ("letter-r-0123456789ab", "r-0123456789ab"),
        ("a/b/i-0123456789", "i-0123456789"),
        ("xi-0123456789", None),
        ("i-012345678", None),
        ("i-012345678l", None),
        ("i-0123456789-", None),
        ("r-0123456789", None),
        ("", None),
    ],
)
def test_the_id_that_a_name_ends_in(stem: str, found: str | None) -> None:
    assert ids.id_in_name(stem) == found


PARTS = st.sampled_from(["i-", "r-", "-", "/", "0123456789", "ab", "i", "l", "\n", "x", "é"])


@given(st.lists(PARTS, max_size=8).map("".join))
def test_it_is_found_as_the_pattern_finds_it(stem: str) -> None:
    matched = AT_END.search(stem)
    assert ids.id_in_name(stem) == (matched.group(1) if matched else None)


def test_patterns_are_there_for_whoever_imports_them() -> None:
    assert ids.ITEM_ID.fullmatch("i-0123456789")
    assert ids.RESOURCE_ID.fullmatch("r-0123456789ab")
    with pytest.raises(AttributeError, match="ANOTHER"):
        ids.ANOTHER  # type: ignore[attr-defined]  # noqa: B018
