"""Date phrases in other languages than English, read on Sunday 2026-11-22."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.language.dates import find_dates, may_hold_date, read_phrase
from vaultmem.language.dates.english import words_of
from vaultmem.language.dates.spoken_words import LANGUAGES, TONGUES
from vaultmem.language.time import TELLING, WORDS, format_date, parse_instant

REFERENCE = parse_instant("2026-11-22T10:00")

FOUND = [
    ("Ich lerne seit zwei Wochen Cello.", "seit zwei Wochen", "2026-11-02", "2026-11-09", "since"),
    ("Letzten Freitag traf ich Oskar.", "Letzten Freitag", "2026-11-20", "2026-11-21", "at"),
    ("Wo war ich letzten Sommer?", "letzten Sommer", "2026-06-01", "2026-09-01", "at"),
    ("Vor drei Tagen war ich da.", "Vor drei Tagen", "2026-11-19", "2026-11-20", "at"),
    ("Am 3. Mai 2023 war es heiß.", "Am 3. Mai 2023", "2023-05-03", "2023-05-04", "at"),
    ("Wir wohnen seit Mai 2019 hier.", "seit Mai 2019", "2019-05-01", "2019-06-01", "since"),
    ("Bis letzte Woche war ich krank.", "Bis letzte Woche", "2026-11-09", "2026-11-16", "until"),
    ("Das war am 24. Dezember.", "am 24. Dezember", "2026-12-24", "2026-12-25", "at"),
    ("Empecé el lunes pasado.", "el lunes pasado", "2026-11-16", "2026-11-17", "at"),
    ("Vivo aquí desde hace dos años.", "desde hace dos años", "2024-01-01", "2025-01-01", "since"),
    ("Hace dos años que vivo aquí.", "Hace dos años que", "2024-01-01", "2025-01-01", "since"),
    ("Hace tres semanas la compré.", "Hace tres semanas", "2026-10-26", "2026-11-02", "at"),
    ("El 3 de mayo de 2023 llovió.", "El 3 de mayo de 2023", "2023-05-03", "2023-05-04", "at"),
    ("La semana que viene viajo.", "La semana que viene", "2026-11-23", "2026-11-30", "at"),
    ("Il est parti l'été dernier.", "l'été dernier", "2026-06-01", "2026-09-01", "at"),
    ("J’habite ici depuis trois ans.", "depuis trois ans", "2023-01-01", "2024-01-01", "since"),
    ("Il y a un an, je suis parti.", "Il y a un an", "2025-01-01", "2026-01-01", "at"),
    ("Hier j'ai vu Paul.", "Hier", "2026-11-21", "2026-11-22", "at"),
    ("Вчера я был дома.", "Вчера", "2026-11-21", "2026-11-22", "at"),
    ("На прошлой неделе шёл снег.", "На прошлой неделе", "2026-11-09", "2026-11-16", "at"),
    ("Три недели назад было тепло.", "Три недели назад", "2026-10-26", "2026-11-02", "at"),
    ("Мы там с мая 2023 года.", "с мая 2023 года", "2023-05-01", "2023-06-01", "since"),
    ("我们去年夏天去了云南", "去年夏天", "2025-06-01", "2025-09-01", "at"),
    ("上周五我见到了他", "上周五", "2026-11-20", "2026-11-21", "at"),
    ("两个星期前我买了它", "两个星期前", "2026-11-02", "2026-11-09", "at"),
    ("从去年开始学琴", "从去年", "2025-01-01", "2026-01-01", "since"),
    ("去年の夏、京都に行った。", "去年の夏", "2025-06-01", "2025-09-01", "at"),
    ("先週の金曜日に会った。", "先週の金曜日", "2026-11-20", "2026-11-21", "at"),
    ("3年前から住んでいる。", "3年前から", "2023-01-01", "2024-01-01", "since"),
]


@pytest.mark.parametrize(("text", "phrase", "first", "until", "relation"), FOUND)
def test_what_is_found(text: str, phrase: str, first: str, until: str, relation: str) -> None:
    (mention,) = find_dates(text, REFERENCE)
    days = format_date(mention.from_ms), format_date(mention.until_ms)
    assert (mention.text, *days, mention.relation) == (phrase, first, until, relation)
    assert may_hold_date(words_of(text, 0).lower)


def test_a_phrase_may_be_the_whole_text() -> None:
    mention = read_phrase(" letzten Freitag ", REFERENCE)
    assert mention is not None
    assert format_date(mention.from_ms) == "2026-11-20"
    assert read_phrase("Freitag war letzten Freitag", REFERENCE) is None


@pytest.mark.parametrize(
    "text",
    [
        "Hier steht das Haus.",
        "Guten Morgen, ich komme morgen.",
        "Bis heute rauche ich nicht.",
        "Der letzte Tag war schön.",
        "Il a été passé par là.",
        "Por la mañana leo.",
        "Son mari est parti en mai.",
        "5月前",
        "第1999999999年",
        "The tag says mai and mars, an hour in winter.",
    ],
)
def test_what_could_mean_something_else_is_none(text: str) -> None:
    assert find_dates(text, REFERENCE) == ()


def test_the_words_that_tell_are_those_of_the_tables() -> None:
    spaced = [one for one in LANGUAGES if one.spaced]
    assert frozenset().union(*(one.telling() for one in spaced)) <= WORDS


def test_a_date_that_is_told_without_a_digit_has_one_of_the_words() -> None:
    """The rules of told dates are loaded for a text with one of these words, or a digit."""
    told = {
        word
        for tongue in TONGUES
        for table in (tongue.months, tongue.weekdays, tongue.seasons, tongue.units, tongue.near)
        for names in table
        for word in names.split()
    }
    assert told | {"morgen", "mañana"} == TELLING


_PIECES = sorted(
    {word for one in LANGUAGES for word in (*one.near, *one.steps, *one.units, *one.months)}
    | {"3", "2023", "年", "前", "il y a", "hace", "seit", "vor", "de", "l'", ". ", "ago", "last"}
)


@given(st.lists(st.sampled_from(_PIECES), max_size=12), st.sampled_from(["", " "]))
def test_any_mixture_of_such_words_is_read_without_an_error(parts: list[str], gap: str) -> None:
    text = gap.join(parts)
    end = 0
    for mention in find_dates(text, REFERENCE):
        assert text[mention.start : mention.end] == mention.text
        assert end <= mention.start < mention.end
        assert mention.from_ms < mention.until_ms
        end = mention.end


def _runs(parsed: object) -> list[str]:
    """What every text that a parsed pattern finds may hold in one piece; `\\n` where any does."""
    from re import _constants as c  # type: ignore[attr-defined]

    found = [""]
    for what, told in parsed:  # type: ignore[attr-defined]
        if what is c.LITERAL:
            more = [chr(told)]
        elif what is c.SUBPATTERN:
            more = _runs(told[-1])
        elif what is c.BRANCH:
            more = [run for branch in told[1] for run in _runs(branch)]
        elif what in (c.MAX_REPEAT, c.MIN_REPEAT):
            more = ["\n"] if told[1] > 1 else [*_runs(told[2]), *([""] if not told[0] else [])]
        elif what is c.IN and all(kind is c.LITERAL for kind, _ in told):
            more = [chr(character) for _, character in told]
        else:
            more = ["" if what in (c.AT, c.ASSERT, c.ASSERT_NOT) else "\n"]
        found = [run + end for run in found for end in dict.fromkeys(more)]
    return found


@pytest.mark.parametrize("place", range(len(TONGUES)))
def test_what_names_a_year_or_sets_a_day_has_one_of_the_words_it_is_sought_by(place: int) -> None:
    from re import _parser  # type: ignore[attr-defined]

    tongue = TONGUES[place]
    for words, patterns in (
        (tongue.year_words, [pattern for pattern, _ in tongue.years]),
        (tongue.set_words, [tongue.set_for]),
    ):
        for pattern in patterns:
            for text in _runs(_parser.parse(pattern)):
                assert any(word in text for word in words.split("|")), text
