"""What words mean, by the packaged table."""

from __future__ import annotations

import pytest

from vaultmem.judgement.meanings import Vector, meaning_of, nearness_of


def _near(one: str, other: str) -> float:
    first, second = meaning_of(one), meaning_of(other)
    assert first is not None
    assert second is not None
    return sum(a * b for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [("dog", "hund", "tax"), ("sold", "verkauft", "sister"), ("doctor", "médico", "window")],
)
def test_words_of_one_sense_lie_close_in_any_language(one: str, same: str, other: str) -> None:
    assert _near(one, same) > _near(one, other) + 0.3


def test_a_compound_lies_between_its_parts() -> None:
    whole = meaning_of("hundefreunde")
    assert meaning_of("freunde") is not None
    assert whole is not None
    assert _near("hundefreunde", "freunde") > 0.5


@pytest.mark.parametrize("word", ["", "7", "q", "zzzzqqqq", "\ud800", "🙂"])
def test_what_is_no_known_word_has_no_meaning(word: str) -> None:
    none: Vector | None = meaning_of(word)
    assert none is None


WORDS = ["hund", "hundefreunde", "tax", "zzzzqqqq", "dog", "médico", "7", "window", "sold"]


@pytest.mark.parametrize("first", [1, 64, 96])
def test_all_at_once_words_are_as_near_as_one_by_one(first: int) -> None:
    asked = ["dog", "doctor", "qqqq", "hundefreunde", "verkauft"]
    for one, near in zip(asked, nearness_of(asked, WORDS, first=first), strict=True):
        for word, found in zip(WORDS, near, strict=True):
            of_one, of_word = (meaning_of(each) or () for each in (one, word))
            product = sum(a * b for a, b in zip(of_one[:first], of_word[:first], strict=False))
            assert found == (1.0 if word == one else pytest.approx(product, abs=2e-4))


def test_nothing_asked_and_nothing_known_is_no_error() -> None:
    assert nearness_of([], WORDS, first=64) == []
    assert nearness_of(["dog"], [], first=64) == [[]]
    assert nearness_of(["dog"], ["zzzzqqqq", "\ud800"], first=64) == [[0.0, 0.0]]
    assert nearness_of(["\ud800"], ["dog"], first=64) == [[0.0]]
