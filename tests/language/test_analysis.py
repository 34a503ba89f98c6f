"""What the index takes for words, in any language."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vaultmem.language.stems import (
    LONGEST_WORD,
    STOP_WORDS,
    Stems,
    content_words,
    stemmer_name,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's new?", ["what's", "new"]),
        ("C++ and C#, .NET", ["c++", "and", "c#", ".net", "net"]),
        ("Python 3.11", ["python", "3.11", "3", "11"]),
        ("Ann's O'Brien", ["ann", "o'brien", "brien"]),
        ("U.S.A.", ["u.s.a", "usa"]),
        ("$1,000 a+b", ["1000", "a", "b"]),
        ("state-of-the-art mem_2024", ["state", "of", "the", "art", "mem", "2024"]),
        ("src/config.toml", ["src", "config.toml", "config", "toml"]),
        ("l\u2019homme", ["l'homme", "homme"]),
        ("日本語を", ["日本", "本語", "語を"]),
        ("猫 と dog", ["猫", "と", "dog"]),
        ("한국어 말", ["한국", "국어", "말"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("iPhone15を買う", ["iphone15", "を買", "買う"]),
        ("great 😀👍🏽!", ["great", "😀", "👍"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("مُدَرِّس", ["مدرس"]),
        ("\x00\x1b[31m *** ", ["31m"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_content_words_leave_out_stop_words() -> None:
    assert content_words("What does it say about the tea?") == ("say", "tea")


def test_stop_words_hold_no_word_with_a_meaning_of_its_own() -> None:
    assert not STOP_WORDS & {"may", "mark", "new", "like", "not" + "e", "i" + "t" + "aly"}


@given(st.text(), st.text())
@example("\x80", "..0")
def test_words_never_span_white_space(one: str, other: str) -> None:
    assert words(f"{one} {other}") == words(one) + words(other)


@given(st.text(st.characters()))
def test_any_text_has_words_of_bounded_length(text: str) -> None:
    assert all(0 < len(word) <= LONGEST_WORD for word in words(text))


@given(st.text(st.characters(codec="ascii")))
def test_case_does_not_matter(text: str) -> None:
    assert words(text.upper()) == words(text.lower())


@given(text=st.text(alphabet="abzé ÿĀŏ.'’+#_-–—…·€²½12ß©ªǅ\u0300\u20d0☃", max_size=24))
def test_latin_texts_have_the_words_that_they_have_beside_others(text: str) -> None:
    assert words(f"{text} 中") == [*words(text), "中"]


class TestStems:
    """Forms of one word share a stem; accents may be left out; scripts choose the language."""

    def test_english_by_default(self) -> None:
        stem = Stems()
        assert stem("running") == stem("runs") == "run"

    def test_other_languages(self) -> None:
        assert Stems(("de",))("häuser") == Stems(("de",))("haus")
        assert Stems(("en",))("книги") == Stems(("en",))("книгу")

    def test_accents_may_be_left_out(self) -> None:
        stem = Stems()
        assert stem("café") == stem("cafe")
        assert stem("ёлка") == stem("елка")

    def test_what_is_no_word_of_letters_stays(self) -> None:
        stem = Stems()
        assert [stem(word) for word in ("3.11", "c++", "日本", "ab")] == [
            "3.11",
            "c++",
            "日本",
            "ab",
        ]

    @given(st.lists(st.text(min_size=1)))
    def test_many_at_once_are_the_same_as_one_by_one(self, some: list[str]) -> None:
        stem = Stems()
        assert stem.many(some) == [stem(word) for word in some]

    def test_unknown_languages_leave_words_alone(self) -> None:
        assert stemmer_name("tlh") == ""
        assert Stems(("tlh",))("running") == "running"
        assert stemmer_name("pt-BR") == "portuguese"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Gettin' wed in a marquee.", "getting"),
        ("I been pullin’ reefer for years.", "pulling"),
        ("MILKIN' at five.", "milking"),
    ],
)
def test_a_dropped_g_is_found_as_it_is_spelled(said: str, asked: str) -> None:
    assert asked in words(said)


@pytest.mark.parametrize("said", ["'Berlin' it says.", "in'", "Robin's bike", "the ‘cabin’ door"])
def test_what_ends_in_quotes_gains_no_g(said: str) -> None:
    assert not [word for word in words(said) if word.endswith("ing")]
