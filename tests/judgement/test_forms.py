"""A word among many is found as by a look at each of them, and only a few are looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.judgement.features import alike, has_form, is_among, is_form, place_of
from vaultmem.judgement.pairs import out_of_date
from vaultmem.judgement.pairs.is_over import Change, judge_change
from vaultmem.judgement.pairs.out_of_date import END, Known, outcomes
from vaultmem.judgement.pairs.shared_words import LEAST_SHARED, may_share, rarest_shared

_WORD = st.text(alphabet="abüé1", min_size=1, max_size=9)
_OTHERS = st.lists(_WORD, max_size=12).map(tuple)


@given(_WORD, _OTHERS)
def test_a_word_is_among_others_as_each_of_them_says(word: str, others: tuple[str, ...]) -> None:
    assert is_among(word, others) == any(alike(word, other) for other in others)
    assert has_form(word, others) == any(word == o or is_form(word, o) for o in others)


@given(_WORD, _OTHERS)
def test_a_word_stands_where_it_is_itself_before_any_form_of_it(
    word: str, others: tuple[str, ...]
) -> None:
    forms = [at for at, other in enumerate(others) if is_form(word, other)]
    same = [at for at, other in enumerate(others) if word == other]
    assert place_of(word, others) == next(iter(same or forms), -1)


_KNOWN = (
    "I live in Kelso.",
    "The choir meets on Tuesday at seven.",
    "The kiln is set to 900 degrees.",
    "My brother Aled grows leeks.",
    "I work at the sawmill.",
    "We use the blue van for deliveries.",
    "The spare key hangs behind the pump.",
    "Tengo 41 años.",
    "Der Chor probt mittwochs.",
    "Je travaille à la scierie.",
)
_SAID = (
    "We moved to Oban in May.",
    "The choir meets on Thursday now, not Tuesday.",
    "The kiln should be set to 950 degrees.",
    "I no longer work at the sawmill.",
    "We sold the blue van.",
    "The choir is back to Tuesday again.",
    "Cumplí 42 ayer.",
    "Der Chor probt jetzt donnerstags.",
    "Je ne travaille plus à la scierie.",
    "Then we talk about the sawmill, leeks, keys and the kiln.",
)


@given(_OTHERS, _OTHERS)
def test_what_shares_no_key_shares_no_rare_word(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    known, said = " ".join(one), " ".join(other)
    if not may_share(known, "", said, ""):
        assert rarest_shared(known, "", said, "") < LEAST_SHARED


def test_a_mark_is_given_whatever_else_is_known() -> None:
    for said in _SAID:
        by_itself = [outcomes(said, [Known(each)]) for each in _KNOWN]
        marked = {at for at, found in enumerate(by_itself) if found}
        assert {each.place for each in outcomes(said, [*map(Known, _KNOWN)])} == marked, said


def test_ends_alone_are_those_of_ends_and_marks() -> None:
    known = [Known(each) for each in _KNOWN]
    for said in _SAID:
        every = [each for each in outcomes(said, known) if each.what == END]
        assert outcomes(said, known, only_ends=True) == every, said
    assert any(outcomes(said, known, only_ends=True) for said in _SAID)


def test_the_model_is_not_asked_where_no_words_show_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def counted(old: str, new: str) -> Change:
        asked.append(old)
        return judge_change(old, new)

    monkeypatch.setattr(out_of_date, "judge_change", counted)
    known = [Known(f"The kiln in shed {n} is a good kiln.") for n in range(30)]
    assert outcomes("Then we talk about the kiln.", known, only_ends=True) == []
    assert asked == []
