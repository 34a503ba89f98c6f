"""What links call notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.storage.index.store.called import called_by_kin, names_in_links


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
    assert names_in_links(text) == names | {(other, one) for one, other in names}


@given(st.text(alphabet="[]|#aÄ \n/.", max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert all(one and other for one, other in names_in_links(text))


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("My wife Loretta hates it.", ("wife", "loretta")),
        ("My younger brother Callum rows.", ("brother", "callum")),
        ("Wiebke ist meine Schwester.", ("schwester", "wiebke")),
        ("Mi hija se llama Itzel.", ("hija", "itzel")),
        ("Un week-end avec ma femme Fatoumata.", ("femme", "fatoumata")),
    ],
)
def test_who_is_called_what_by_the_person(text: str, pair: tuple[str, str]) -> None:
    assert called_by_kin(text) == {pair, pair[::-1]}


@pytest.mark.parametrize(
    "text",
    ["My mum lives in Truro.", "Meine Schwester Termine.", "Tom's wife Ana", "My boss Monday"],
)
def test_what_is_no_name_calls_nobody(text: str) -> None:
    assert called_by_kin(text) == set()
