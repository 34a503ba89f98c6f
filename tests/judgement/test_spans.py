"""Whose words the parts of a turn are, over kinds of pasted text and over people's own turns."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.judgement.pasted import KEPT, PASTED
from tests.judgement.pasted import OWN as OWN_TURNS
from vaultmem.judgement.whose.leads import OWN
from vaultmem.judgement.whose.whose_words import Span, spans


def marked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without ⟦ ⟧, and where what stands between them is."""
    plain, places, start = "", [], -1
    for piece in re.split("([⟦⟧])", text):
        if piece == "⟦":
            start = len(plain)
        elif piece == "⟧":
            places.append((start, len(plain)))
        else:
            plain += piece
    return plain, places


def misjudged(text: str) -> list[str]:
    """Words that were judged otherwise than they are marked."""
    plain, places = marked(text)
    found = spans(plain)
    wrong = []
    for word in re.finditer(r"\w[\w'’-]*", plain):
        is_theirs = any(start <= word.start() < end for start, end in places)
        over = [s for s in found if s.start < word.end() and s.end > word.start()]
        kept = not over
        taken = any(s.whose != OWN for s in over)
        if (is_theirs and kept) or (not is_theirs and taken):
            wrong.append(word[0])
    return wrong


@pytest.mark.parametrize(("language", "text"), PASTED)
def test_pasted_words_are_not_the_persons_and_those_beside_them_are(
    language: str, text: str
) -> None:
    assert misjudged(text) == []


def test_parts_are_in_order_and_apart() -> None:
    for _, text in PASTED:
        plain, _ = marked(text)
        found = spans(plain)
        assert all(isinstance(each, Span) and each.start < each.end for each in found)
        assert all(one.end <= two.start for one, two in pairwise(found))


def test_what_people_say_of_themselves_stays_theirs() -> None:
    """At most 2 % of the own turns, of whatever form, wait or are lost."""
    turns = (*OWN_TURNS, *KEPT)
    assert len(turns) >= 300
    wrong = [turn for turn in turns if taken_away(turn)]
    assert len(wrong) <= len(turns) // 50, wrong


def taken_away(turn: str) -> bool:
    """Whether a word of a turn is judged as somebody else's, or doubted."""
    return any(
        re.search(r"\w", turn[each.start : each.end]) for each in spans(turn) if each.whose != OWN
    )
