"""Patterns that are compiled late, and what they need to be sought at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from vaultmem.base.regexes import Needing, late
from vaultmem.extract import evidence as cut_sentences
from vaultmem.extract import prepare as documents
from vaultmem.judgement import kinds, limits, sentence, stakes
from vaultmem.judgement.pairs import lifted, marks, successors, undone
from vaultmem.language.dates.spoken_words import TONGUES, patterns_of
from vaultmem.language.sentences import spans
from vaultmem.storage.index.search import question
from vaultmem.storage.index.store import called

MOST = 4_000  # texts of a part of a pattern

NEEDING = (
    {
        f"{module.__name__}.{name}": one
        for module in (documents, kinds, lifted, marks, stakes, sentence, successors, undone)
        for name, one in vars(module).items()
        if isinstance(one, Needing)
    }
    | {f"kinds._HELD {place}": one for place, one in enumerate(kinds._HELD)}
    | {
        "limits._DENIED_TO": limits._DENIED_TO,
        "limits._QUOTED": limits._QUOTED,
    }
    | {
        f"{place} {number} {name}": one
        for place in range(len(TONGUES))
        for number, (name, one) in enumerate(patterns_of(place).atoms)
        if isinstance(one, Needing)
    }
)


def _texts(parsed: Any) -> Iterator[str]:
    """Texts of a parsed pattern: every alternative, with and without what may be left out."""
    parts = [list(islice(_of(str(what), told), MOST)) for what, told in parsed]
    return map("".join, product(*parts))


def _of(what: str, told: Any) -> Iterator[str]:
    if what == "LITERAL":
        yield chr(told)
    elif what == "NOT_LITERAL" or what == "ANY":
        yield "x"
    elif what == "IN":
        yield from _of_set(told)
    elif what == "BRANCH":
        for each in told[1]:
            yield from _texts(each)
    elif what == "SUBPATTERN":
        yield from _texts(told[-1])
    elif what in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = told
        if least == 0:
            yield ""
        for text in _texts(inner):
            yield text * max(least, min(1, int(most)))
    elif what in ("AT", "ASSERT", "ASSERT_NOT"):
        yield ""
    else:
        raise AssertionError(what)


def _of_set(told: Any) -> Iterator[str]:
    of = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "x"}
    for what, one in told:
        if str(what) == "LITERAL":
            yield chr(one)
        elif str(what) == "RANGE":
            yield chr(one[0])
        elif str(what) == "CATEGORY":
            yield of.get(str(one), "x")
        else:
            yield "x"


def test_every_question_that_asks_leave_is_looked_at() -> None:
    pattern = question._LEAVE.pattern
    asked = [*islice(_texts(parser.parse(pattern, 0)), MOST)]
    assert len(asked) > 100
    assert [text for text in asked if not question._may_ask(text)] == []


def test_every_opening_of_a_sentence_is_looked_at() -> None:
    asked = [*islice(_texts(parser.parse(sentence._OPENING.pattern, 0)), MOST)]
    assert len(asked) > 100
    assert [text for text in asked if not sentence.may_open(text)] == []


def test_every_word_for_my_is_looked_at_for_whom_it_names() -> None:
    for mine in _texts(parser.parse(called._MY, 0)):
        assert called.says_whose(f"Yesterday ({mine.upper()} sister Ana sang."), mine
    assert called.called_by_kin("Yesterday (MY sister Ana sang.") == {
        ("sister", "ana"),
        ("ana", "sister"),
    }
    assert not called.says_whose("I moved the sofa to Ana.")


@pytest.mark.parametrize(
    "text",
    [
        "We are home; I am glad.",
        "We are home.\tmy dog, too.",
        "We are home \u2014 I am glad.",
        "We are home, \tand I am glad.",
    ],
)
def test_whatever_is_cut_in_two_is_looked_at(text: str) -> None:
    assert len(cut_sentences._spans(text)) == 2


@pytest.mark.parametrize("text", ["", " \n", "One", "  One. \n", "\nOne!?…", "One two ... "])
def test_a_text_of_one_sentence_is_that_sentence_without_its_spaces(text: str) -> None:
    start = len(text) - len(text.lstrip())
    assert spans(text) == ([(start, start + len(text.strip()))] if text.strip() else [])


@pytest.mark.parametrize("name", NEEDING)
def test_whatever_a_pattern_finds_has_one_of_its_needs(name: str) -> None:
    one = NEEDING[name]
    for needs in filter(None, (one.needs, one.beside)):
        assert _without(list(parser.parse(one.source, one.flags)), needs) is None, needs


def _without(parsed: list[Any], needs: tuple[str, ...]) -> str | None:
    """A text of a parsed pattern that has none of the needs; None: each has one."""
    if any(_always(str(what), told, needs) for what, told in parsed):
        return None
    texts = list(islice(_texts(parsed), MOST))
    assert len(texts) < MOST  # all of them
    return next((text for text in texts if not any(need in text.lower() for need in needs)), None)


def _always(what: str, told: Any, needs: tuple[str, ...]) -> bool:
    if what == "SUBPATTERN":
        return _without(list(told[-1]), needs) is None
    if what == "BRANCH":
        return all(_without(list(each), needs) is None for each in told[1])
    if what in ("MAX_REPEAT", "MIN_REPEAT"):
        return told[0] > 0 and _without(list(told[2]), needs) is None
    return False


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    re.purge()
    one = late(r"x(late)y")
    assert "search" not in vars(one)
    assert one.findall("the xlatey") == ["late"]
    assert [each[0] for each in one.finditer("xlatey")] == ["xlatey"]
    assert one.sub("-", "xlatey") == "-"
    assert one.pattern == "x(late)y"


def test_what_a_pattern_needs_is_sought_whatever_its_case() -> None:
    one = Needing(r"\bin my opinion\b", re.IGNORECASE, ["opini"])
    assert one.search("In My OPINION it rains.")
    assert one.search("It rains.") is None
    assert list(one.finditer("It rains.")) == []
