"""Lines of a pasted chat are whose name they begin with; labels are the person's own."""

from __future__ import annotations

import pytest

from vaultmem.language.speakers import foreign_lines

CHAT = (
    "Our family chat:\n\nAnna: never use cilantro\nBen: I prefer window seats\nand aisles\n\n"
    "I prefer tea."
)


def others(text: str, *owners: str) -> tuple[str, ...]:
    lines = text.split("\n")
    return tuple(lines[number].strip() for number in sorted(foreign_lines(text, owners)))


def test_what_others_say_in_a_pasted_chat_is_theirs() -> None:
    theirs = ("Anna: never use cilantro", "Ben: I prefer window seats", "and aisles")
    assert others(CHAT) == theirs
    kept = [line for line in CHAT.split("\n") if line and line not in theirs]
    assert kept == ["Our family chat:", "I prefer tea."]


@pytest.mark.parametrize(
    "line",
    [
        "Anna: never use cilantro",
        "Anna Berger: never use cilantro",
        "**Anna:** never use cilantro",
        "[12:03, 5/3/2024] Anna: never use cilantro",
        "5/3/24, 12:03 - Anna: never use cilantro",
        "Anna (12:03): never use cilantro",
        "@anna.b: never use cilantro",
        "+43 660 1234567: never use cilantro",
        "- Anna: never use cilantro",
    ],
)
def test_forms_of_a_line(line: str) -> None:
    assert others(line) == (line,)


@pytest.mark.parametrize(
    "line",
    [
        "Reminder: never use cilantro",
        "Note: I prefer tea",
        "Kitchen: never use bleach",
        "Style preferences: always use tabs",
        "I want this: never use cilantro",
        "Please always:",
        "anna: in lower case this is a word",
        "See https://example.org: it is good",
        "At 12:03 I left",
        "Wichtig: nie Koriander verwenden",
        "Meet me at 10: Anna comes too",
        "Pottery: I bought a wheel",
        "Lunch 12:30: I always eat soup",
        "Pottery: I bought a wheel\nPottery: and a kiln",
    ],
)
def test_what_only_looks_so(line: str) -> None:
    assert others(line) == ()


def test_own_lines_of_a_chat_are_own() -> None:
    text = "Anna: hi\nMe: I prefer tea\nAnna: me too\nElise M.: I prefer rye bread"
    assert others(text) == ("Anna: hi", "Anna: me too", "Elise M.: I prefer rye bread")
    assert others(text, "Elise M") == ("Anna: hi", "Anna: me too")


def test_a_list_about_oneself_is_no_chat() -> None:
    assert others("Name: Elise\nHobbies: I like chess\nCats: I have two\nJob: nurse") == ()


def test_a_name_above_its_message() -> None:
    text = "Anna  12:03 PM\nnever use cilantro\nBen  12:04 PM\nok\n\nI prefer tea."
    assert len(others(text)) == 4


def test_a_long_text_is_read_in_one_go() -> None:
    text = "A" * 200_000 + ": b\n" + "Anna : x\n" * 2000
    assert len(others(text)) >= 2000
