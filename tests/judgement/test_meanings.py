"""What words mean, by the packaged table."""

from __future__ import annotations

import pytest

from vaultmem.judgement.meanings import Vector, meaning_of


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
