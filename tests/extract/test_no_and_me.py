"""'No' and 'Me' begin Spanish and Italian statements, which are no English greetings."""

from __future__ import annotations

import pytest

from vaultmem import Memory


@pytest.mark.parametrize(
    "said",
    [
        "No soporto las aceitunas.",
        "No me gusta el pulpo.",
        "No bebo alcohol.",
        "Me da pánico conducir de noche.",
        "Me duele la rodilla desde la operación.",
        "No sopporto il caldo.",
    ],
)
def test_a_statement_that_begins_like_an_english_greeting_is_kept(
    memory: Memory, said: str
) -> None:
    assert [item.statement for item in memory.remember(said).items] == [said]


@pytest.mark.parametrize(
    "said", ["No, thanks.", "No problem at all!", "No sé.", "No pasa nada.", "No idea."]
)
def test_what_says_nothing_is_still_no_memory(memory: Memory, said: str) -> None:
    assert not memory.remember(said).items
