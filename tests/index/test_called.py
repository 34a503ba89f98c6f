"""What links call notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.index.called import called


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[[elise|Kate]]", {("elise", "kate")}),
        ("![[people/Elise Miller|Kate]] and [[x|y]]", {("elise miller", "kate")}),
        ("[[анна|Аня]]", {("анна", "аня")}),
        ("[[elise|my sister]]", set()),
        ("[[elise|Elise Miller]]", set()),
        ("[[elise#Work|Kate]]", set()),
        ("[[garden|Here]]", set()),
        ("[[2026-05-03|Friday]]", set()),
        ("[[how we met in Rome|Kate]]", set()),
        ("[[elise|Kate Anne Miller]]", set()),
        ("[[a-letter-i-7f3a2kq9xw|Kate]]", set()),
        ("[[elise]] | Kate]]", set()),
    ],
)
def test_names(text: str, names: set[tuple[str, str]]) -> None:
    assert called(text) == names | {(other, one) for one, other in names}


@given(st.text(alphabet="[]|#aÄ \n/.", max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert all(one and other for one, other in called(text))
