"""Words that only markup, punctuation or spelling separates are the same words to a reader."""

from __future__ import annotations

import time
import unicodedata

import pytest

from vaultmem.storage.notes.erasing import Erasure, canonical, trim_passage

ZANZIBAR = (
    "**zanzibar** *heliotrope*",
    "zanzibar-heliotrope",
    "zanzibar_heliotrope",
    "zanzi\u00adbar helio\u00adtrope",
    "zanzibar\u00a0heliotrope",
    "zan\u200bzibar \u200dheliotrope",
    "zanzibar&nbsp;heliotrope",
    "zanzi&shy;bar&#160;heliotrope",
    "zanzibar\nheliotrope",
    "zanzibar\r\nheliotrope",
    "- zanzibar\n- heliotrope",
    "1. zanzibar\n2. heliotrope",
    "- [ ] zanzibar\n- [x] heliotrope",
    "> zanzibar\n> > heliotrope",
    "| zanzibar | heliotrope |",
    "ZANZIBAR Heliotrope",
    "zanzibar, heliotrope",
    "zanzibar/heliotrope",
    "zanzibar... heliotrope",
    "zanzibar – heliotrope",
    "<b>zanzibar</b> <i>heliotrope</i>",
    "[[zanzibar]] [[heliotrope]]",
    "`zanzibar` ~~heliotrope~~",
    "==zanzibar== heliotrope",
    "zanzibar%20heliotrope",
    "zanzi-\nbar heliotrope",
    "zanzi**bar** heliotrope",
    '"zanzibar\\nheliotrope"',
    '"zanzibar\\u00a0helio\\u00adtrope"',
    "__zanzibar__\\_heliotrope",
)
OTHERS = (
    "zanzibar and heliotrope",
    "zanzibars heliotrope",
    "zanzibar 7 heliotrope",
    "heliotrope zanzibar",
    "zanzibarheliotrope",
)


@pytest.mark.parametrize("written", ZANZIBAR)
@pytest.mark.parametrize("asked", ["zanzibar heliotrope", "Zanzibar-Heliotrope"])
def test_what_reads_the_same_is_erased(written: str, asked: str) -> None:
    erasure = Erasure(texts=[trim_passage(asked)])
    text = f"before {written} behind\nnext line\n"
    assert erasure.holds(text.encode())
    after = erasure.clean(text.encode()).decode()
    assert "heliotrope" not in after.casefold()
    assert "helio\u00ad" not in after
    assert after.startswith("before ")
    assert after.endswith(" behind\nnext line\n")
    assert not erasure.holds(after.encode())


@pytest.mark.parametrize("written", OTHERS)
def test_other_words_stay_to_the_byte(written: str) -> None:
    erasure = Erasure(texts=["zanzibar heliotrope"])
    assert not erasure.holds(written.encode())
    assert erasure.clean(written.encode()) == written.encode()


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "written",
    [
        "Café Zürich",
        "CAFÉ ZÜRICH",
        "**café**\n*zürich*",
        "caf\\u00e9 z\\u00fcrich",
        "caf&eacute; z&uuml;rich",
    ],
)
def test_accents_in_every_spelling_are_the_same(written: str, form: str) -> None:
    for asked in ("Café Zürich", unicodedata.normalize("NFD", "café zürich")):
        erasure = Erasure(texts=[trim_passage(asked)])
        assert erasure.holds(unicodedata.normalize(form, written).encode())  # type: ignore[arg-type]


def test_signs_that_carry_meaning_are_part_of_the_words() -> None:
    erasure = Erasure(texts=["I write C++ at work"])
    assert erasure.holds(b"I *write* C++ at work")
    assert not erasure.holds(b"I write C at work")
    assert not erasure.holds(b"I write C# at work")


@pytest.mark.parametrize(
    "stem", ["zanzibar_heliotrope", "Zanzibar.Heliotrope", "a zanzibar  heliotrope"]
)
def test_names_of_files_say_it_too(stem: str) -> None:
    assert Erasure(texts=["zanzibar heliotrope"]).says(stem)


def test_a_shortened_beginning_with_markup_goes() -> None:
    erasure = Erasure(texts=["The blue locker opens with the quokka key"])
    assert b"locker" not in erasure.clean("The **blue** locker opens…\n".encode())
    other = "The **blue** locker opened…\n".encode()
    assert erasure.clean(other) == other


def test_the_words_of_a_text_are_the_same_in_every_form() -> None:
    plain = {canonical(each) for each in ("a\u00adb **c**", "ab-c", "AB\n> c", "ab&nbsp;c")}
    assert plain == {"ab c"}


@pytest.mark.parametrize(
    "unit", ["zanzibar ", "zanzibar*", "zan", "- \n", "\u00ad", "<a", "zanzibar<", "\\"]
)
def test_a_hostile_text_takes_time_that_grows_with_its_length(unit: str) -> None:
    erasure = Erasure(texts=["zanzibar heliotrope and the quokka"])
    data = (unit * 100_000)[:100_000].encode() + b" zanzibar heliotrope quokka "
    begin = time.process_time()
    erasure.holds(data)
    assert time.process_time() - begin < 2
