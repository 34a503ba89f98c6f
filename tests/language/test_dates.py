"""Date phrases: what is found, what it means on Wednesday 2026-03-11, and what is left alone."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.language.dates import DateMention, find_dates, read_phrase
from vaultmem.language.time import DAY_MS, format_date, format_instant, parse_instant

REFERENCE = parse_instant("2026-03-11T10:00")  # a Wednesday

FOUND = [
    # sentence, phrase, first day, day after the last, granularity, relation
    ("I saw her today", "today", "2026-03-11", "2026-03-12", "day", "at"),
    ("We ate out yesterday.", "yesterday", "2026-03-10", "2026-03-11", "day", "at"),
    ("I fly tomorrow morning", "tomorrow morning", "2026-03-12", "2026-03-13", "day", "at"),
    ("Dinner tonight at Anna's", "tonight", "2026-03-11", "2026-03-12", "day", "at"),
    ("Last night I slept badly", "Last night", "2026-03-10", "2026-03-11", "day", "at"),
    ("I ran this morning", "this morning", "2026-03-11", "2026-03-12", "day", "at"),
    ("We leave the day after tomorrow", "the day after tomorrow", "2026-03-13", "2026-03-14",
     "day", "at"),
    ("It broke the day before yesterday", "the day before yesterday", "2026-03-09", "2026-03-10",
     "day", "at"),
    ("I was ill last week", "last week", "2026-03-02", "2026-03-09", "week", "at"),
    ("The release is next week", "next week", "2026-03-16", "2026-03-23", "week", "at"),
    ("I am on call this week", "this week", "2026-03-09", "2026-03-16", "week", "at"),
    ("We moved last month", "last month", "2026-02-01", "2026-03-01", "month", "at"),
    ("We will move next month", "next month", "2026-04-01", "2026-05-01", "month", "at"),
    ("I learn Rust this year", "this year", "2026-01-01", "2027-01-01", "year", "at"),
    ("I painted it last year!", "last year", "2025-01-01", "2026-01-01", "year", "at"),
    ("Budget for next quarter", "next quarter", "2026-04-01", "2026-07-01", "quarter", "at"),
    ("A picture from last Friday", "last Friday", "2026-03-06", "2026-03-07", "day", "at"),
    ("Remote from next Friday", "from next Friday", "2026-03-20", "2026-03-21", "day", "since"),
    ("I met Tom last Friday", "last Friday", "2026-03-06", "2026-03-07", "day", "at"),
    ("I met Tom last Monday", "last Monday", "2026-03-09", "2026-03-10", "day", "at"),
    ("Last Friday I met Tom", "Last Friday", "2026-03-06", "2026-03-07", "day", "at"),
    ("It rained. Last Monday Tom left", "Last Monday", "2026-03-09", "2026-03-10", "day", "at"),
    ("The exam is next Monday", "next Monday", "2026-03-16", "2026-03-17", "day", "at"),
    ("The exam is next Friday", "next Friday", "2026-03-20", "2026-03-21", "day", "at"),
    ("We ship this Friday", "this Friday", "2026-03-13", "2026-03-14", "day", "at"),
    ("He fell this past Sunday", "this past Sunday", "2026-03-08", "2026-03-09", "day", "at"),
    ("We hiked last weekend", "last weekend", "2026-03-07", "2026-03-09", "weekend", "at"),
    ("We hike this weekend", "this weekend", "2026-03-14", "2026-03-16", "weekend", "at"),
    ("Camping next weekend", "next weekend", "2026-03-21", "2026-03-23", "weekend", "at"),
    ("I painted over the weekend", "the weekend", "2026-03-07", "2026-03-09", "weekend", "at"),
    ("I went two days ago", "two days ago", "2026-03-09", "2026-03-10", "day", "at"),
    ("I quit 3 weeks ago", "3 weeks ago", "2026-02-16", "2026-02-23", "week", "at"),
    ("I quit a month ago", "a month ago", "2026-02-01", "2026-03-01", "month", "at"),
    ("We met 10 years ago", "10 years ago", "2016-01-01", "2017-01-01", "year", "at"),
    ("A couple of days ago it rained", "A couple of days ago", "2026-03-09", "2026-03-10", "day",
     "at"),
    ("I tried two Mondays ago", "two Mondays ago", "2026-03-02", "2026-03-03", "day", "at"),
    ("We met two weekends ago", "two weekends ago", "2026-02-28", "2026-03-02", "weekend", "at"),
    ("I will be back in 3 days", "in 3 days", "2026-03-14", "2026-03-15", "day", "at"),
    ("The lease is up in two months", "in two months", "2026-05-01", "2026-06-01", "month", "at"),
    ("In a week we will know", "In a week", "2026-03-18", "2026-03-19", "day", "at"),
    ("She retires three years from now", "three years from now", "2029-01-01", "2030-01-01",
     "year", "at"),
    ("The rent is due on the 15th", "due on the 15th", "2026-03-15", "2026-03-16", "day", "by"),
    ("We met on the 15th.", "the 15th", "2026-02-15", "2026-02-16", "day", "at"),
    ("Send it by the 5th", "by the 5th", "2026-04-05", "2026-04-06", "day", "by"),
    ("I need the slides by Friday", "by Friday", "2026-03-13", "2026-03-14", "day", "by"),
    ("The report is due Monday", "due Monday", "2026-03-16", "2026-03-17", "day", "by"),
    ("I've set the deadline to Friday", "Friday", "2026-03-13", "2026-03-14", "day", "at"),
    ("The dentist is on Tuesday", "Tuesday", "2026-03-17", "2026-03-18", "day", "at"),
    ("I saw the dentist on Tuesday", "Tuesday", "2026-03-10", "2026-03-11", "day", "at"),
    ("I am away until Sunday", "until Sunday", "2026-03-15", "2026-03-16", "day", "until"),
    ("Working here since January", "since January", "2026-01-01", "2026-02-01", "month", "since"),
    ("Working here since 2019", "since 2019", "2019-01-01", "2020-01-01", "year", "since"),
    ("I have had it since last summer", "since last summer", "2025-06-01", "2025-09-01", "season",
     "since"),
    ("I've known them for 4 years", "for 4 years", "2022-01-01", "2023-01-01", "year", "since"),
    ("I have been ill for the last two weeks", "for the last two weeks", "2026-02-25",
     "2026-03-12", "day", "since"),
    ("I was born in May 1988", "May 1988", "1988-05-01", "1988-06-01", "month", "at"),
    ("We married in 2015.", "2015", "2015-01-01", "2016-01-01", "year", "at"),
    ("We visited Rome in June", "June", "2025-06-01", "2025-07-01", "month", "at"),
    ("We will visit Rome in June", "June", "2026-06-01", "2026-07-01", "month", "at"),
    ("We decided to ship in June", "June", "2026-06-01", "2026-07-01", "month", "at"),
    ("We agreed not to ship in June", "June", "2026-06-01", "2026-07-01", "month", "at"),
    ("They promised to call on Monday", "Monday", "2026-03-16", "2026-03-17", "day", "at"),
    ("We decided in June to ship", "June", "2025-06-01", "2025-07-01", "month", "at"),
    ("We decided to ship last June", "last June", "2025-06-01", "2025-07-01", "month", "at"),
    ("Renew the passport before June", "before June", "2026-06-01", "2026-07-01", "month", "by"),
    ("Moved on 03.05.2021", "03.05.2021", "2021-05-03", "2021-05-04", "day", "at"),
    ("Signed 25/12/2024", "25/12/2024", "2024-12-25", "2024-12-26", "day", "at"),
    ("Signed 12/25/2024", "12/25/2024", "2024-12-25", "2024-12-26", "day", "at"),
    ("Born 1990-07-01 in Kyiv", "1990-07-01", "1990-07-01", "1990-07-02", "day", "at"),
    ("The party is on 3 May 2026", "3 May 2026", "2026-05-03", "2026-05-04", "day", "at"),
    ("The party is on May 3rd", "May 3rd", "2026-05-03", "2026-05-04", "day", "at"),
    ("The party was on May 3rd", "May 3rd", "2025-05-03", "2025-05-04", "day", "at"),
    ("It ran on 8 May, 2023", "8 May, 2023", "2023-05-08", "2023-05-09", "day", "at"),
    ("Due Monday, May 4, 2026", "Due Monday, May 4, 2026", "2026-05-04", "2026-05-05", "day",
     "by"),
    ("the 3rd of May 2026", "the 3rd of May 2026", "2026-05-03", "2026-05-04", "day", "at"),
    ("The fair is on May 3-5, 2026", "May 3-5, 2026", "2026-05-03", "2026-05-06", "day", "at"),
    ("In Oslo from 3 May 2026 to 7 June 2026", "from 3 May 2026 to 7 June 2026", "2026-05-03",
     "2026-06-08", "day", "at"),
    ("The rent is due on the 3rd of next month", "due on the 3rd of next month", "2026-04-03",
     "2026-04-04", "day", "by"),
    ("The talk on Monday, 16 March went well", "Monday, 16 March", "2026-03-16", "2026-03-17",
     "day", "at"),
    ("We launch in Q1 of next year", "Q1 of next year", "2027-01-01", "2027-04-01", "quarter",
     "at"),
    ("We launch in Q3", "Q3", "2026-07-01", "2026-10-01", "quarter", "at"),
    ("We launched in Q4 2025", "Q4 2025", "2025-10-01", "2026-01-01", "quarter", "at"),
    ("Pay by the end of the month", "by the end of the month", "2026-03-21", "2026-04-01", "week",
     "by"),
    ("We start at the beginning of May", "the beginning of May", "2026-05-01", "2026-05-11",
     "week", "at"),
    ("Done by end of next year", "by end of next year", "2027-10-01", "2028-01-01", "quarter",
     "by"),
    ("It shipped in early 2025", "early 2025", "2025-01-01", "2025-04-01", "quarter", "at"),
    ("I left in mid-June 2024", "mid-June 2024", "2024-06-11", "2024-06-21", "week", "at"),
    ("The report has to be out EOW", "EOW", "2026-03-15", "2026-03-16", "day", "by"),
    ("We met in the summer of 2019", "summer of 2019", "2019-06-01", "2019-09-01", "season",
     "at"),
    ("We will be home for Christmas", "Christmas", "2026-12-25", "2026-12-26", "day", "at"),
    ("I proposed on New Year's Eve", "New Year's Eve", "2025-12-31", "2026-01-01", "day", "at"),
]  # fmt: skip

TRAPS = [
    "Last Friday Night is a song",
    "We watched Next Friday",
    "I quit on New Year's Day",
    "A week from tomorrow I fly",
    "It feels like just yesterday",
    "I may have a second monitor",
    "April is my friend",
    "The soldiers march on",
    "We are done",
    "May I ask you something?",
    "The sun is out and I sat down",
    "June and August came along",
    "These shoes last two years",
    "I moved to the second floor",
    "The 15th floor is closed",
    "He lives on the 3rd floor",
    "In 2000 shops you can buy it",
    "Version 1.2.2024.1 is out",
    "Connect to 10.0.0.1 first",
    "It happened on 3/4/2026",
    "I work out every Monday",
    "Mondays are hard",
    "I learned it in two weeks",
    "Give the present to June",
    "The book was written by May",
    "Back in the day we had modems",
    "It takes a month or two",
    "USA Today wrote about it",
    "I watch Last Week Tonight",
    "Seconds count",
    "I was there a few weeks back",
    "The next thing to do",
    "My last job was fine",
    "The spring in the pen is broken",
    "Fall asleep early",
    "Christmas tree lights are on",
    "I have 3 days of holiday",
    "Open from Monday to Friday",
    "The last day counts",
    "March 3 miles and rest",
    "In February 30 birds",
    "A year and a half ago I quit",
    "Sometimes in winter I ski",
    "Wed the lovely couple",
    "It is 9:30 sharp",
    "Call 555-0101 or 2026-99-99",
]


def _found(sentence: str) -> tuple[DateMention, ...]:
    return find_dates(sentence, REFERENCE)


@pytest.mark.parametrize(("sentence", "phrase", "first", "until", "granularity", "relation"), FOUND)
def test_phrase_in_a_sentence(
    sentence: str, phrase: str, first: str, until: str, granularity: str, relation: str
) -> None:
    (mention,) = _found(sentence)
    assert (
        mention.text,
        format_date(mention.from_ms),
        format_date(mention.until_ms),
        mention.granularity,
        mention.relation,
    ) == (phrase, first, until, granularity, relation)
    assert sentence[mention.start : mention.end] == mention.text


@pytest.mark.parametrize("sentence", TRAPS)
def test_no_date_is_invented(sentence: str) -> None:
    assert _found(sentence) == ()


def test_there_are_enough_examples() -> None:
    assert len(FOUND) >= 60
    assert len(TRAPS) >= 20


def test_two_phrases_in_one_sentence() -> None:
    assert [m.text for m in _found("I moved to Berlin last year and to Oslo in May 2025")] == [
        "last year",
        "May 2025",
    ]


def test_a_clock_time_makes_the_phrase_exact_to_the_minute() -> None:
    (mention,) = _found("The call is tomorrow at 3:30 pm")
    assert (mention.text, mention.granularity) == ("tomorrow at 3:30 pm", "minute")
    assert format_instant(mention.from_ms) == "2026-03-12T15:30:00+00:00"
    (header,) = find_dates("1:56 pm on 8 May, 2023", REFERENCE)
    assert format_instant(header.from_ms) == "2023-05-08T13:56:00+00:00"


def test_days_are_counted_in_the_zone() -> None:
    late = parse_instant("2026-03-11T23:30Z")  # already Thursday in Berlin
    (mention,) = find_dates("I saw her today", late, "Europe/Berlin")
    assert format_instant(mention.from_ms, "Europe/Berlin") == "2026-03-12"
    assert mention.until_ms - mention.from_ms == DAY_MS


def test_the_reference_is_the_only_clock() -> None:
    (mention,) = find_dates("yesterday", parse_instant("2023-05-08T13:56"))
    assert format_date(mention.from_ms) == "2023-05-07"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("yesterday", "2026-03-10"),
        ("LAST WEEK", "2026-03-02"),
        ("3 may 2026", "2026-05-03"),
        ("3 days ago", "2026-03-08"),
        ("last 7 days", "2026-03-04"),
        ("friday", "2026-03-06"),
        ("May", "2025-05-01"),
        ("2019", "2019-01-01"),
        ("Q2", "2026-04-01"),
        ("11.03.2025", "2025-03-11"),
    ],
)
def test_a_whole_phrase_is_read_whatever_its_case(text: str, first: str) -> None:
    mention = read_phrase(text, REFERENCE)
    assert mention is not None
    assert format_date(mention.from_ms) == first


@pytest.mark.parametrize("text", ["", "soon", "banana", "yesterday or so", "5", "the"])
def test_a_text_that_is_no_date_is_none(text: str) -> None:
    assert read_phrase(text, REFERENCE) is None


@given(st.text(max_size=300), st.integers(min_value=-(2**44), max_value=2**44))
def test_any_text_is_read_without_an_error(text: str, reference: int) -> None:
    for mention in find_dates(text, reference):
        assert text[mention.start : mention.end] == mention.text
        assert mention.from_ms < mention.until_ms


VOCABULARY = (
    "last next this the of in on by since May March Monday week year 3 15th 2026 days ago end "
    "early two a from to until Q3 Christmas eve tomorrow at 9:30 pm , . - weekend Feb 29 31"
)
WORDS = st.sampled_from(sorted(set(VOCABULARY.split())))


@given(st.lists(WORDS, max_size=25))
def test_any_mixture_of_date_words_is_read_without_an_error(words: list[str]) -> None:
    text = " ".join(words)
    ends = [(m.start, m.end) for m in find_dates(text, REFERENCE)]
    assert all(one[1] <= other[0] for one, other in pairwise(ends))
    read_phrase(text, REFERENCE)


@pytest.mark.parametrize(
    "unit", ["a.", " ", "1.", "1", "2026-", "in two ", "last ", "'", "the ", "on Monday "]
)
def test_time_grows_with_the_text_and_not_faster(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()  # of this process alone: the machine may be busy
    find_dates(text, REFERENCE)
    assert time.process_time() - began < 2.0  # quadratic would be minutes
