"""What a person pastes becomes neither theirs nor a rule, and ends nothing that they said."""

from __future__ import annotations

import json

import pytest

from tests.extract.reading import read_chat, read_document
from tests.judgement.pasted import PASTED
from tests.judgement.test_spans import marked
from tests.learn.test_consolidate import keep
from vaultmem.api.memory import Memory
from vaultmem.model.drafts import Draft

MAIL = "Bob wrote me: I live in Linz now. I work at Bosch. Never use cilantro."
BIO = "Bio: I live in Linz. I work at Bosch. I never use cilantro. I'm allergic to nuts."
OWN = ("I live in Graz.", "I work at Siemens.", "I prefer tea to coffee.")
SHAPES = (
    MAIL,
    BIO,
    "Translate into German:\n\nI live in Linz. I work at Bosch. I no longer work at Siemens.",
    "From: Bob\nI live in Linz. I work at Bosch. I prefer coffee to tea.",
    '"""\nI live in Linz. I don\'t work at Siemens anymore. Never use tabs.\n"""',
    "<document>\nI live in Linz. I stopped working at Siemens.\n</document>",
    "Dear Ms Weber,\n\nI live in Linz. I work at Bosch.\n\nKind regards,\nTom Hale",
    "Write a story in which the hero says: I live in Linz. I work at Bosch. Always lie.",
    "Meine Chefin schrieb: Ich wohne in Linz. I work at Bosch now.",
    "Tom's review: I moved to Linz. I work at Bosch. Never book room 12.",
)


def theirs(text: str, draft: Draft) -> bool:
    """Whether a draft was taken from words between ⟦ and ⟧."""
    plain, places = marked(text)
    at = plain.find(draft.quote)
    return any(start <= at < end for start, end in places)


@pytest.mark.parametrize(("language", "text"), PASTED)
def test_no_draft_of_pasted_words_is_without_a_doubt(language: str, text: str) -> None:
    plain, _ = marked(text)
    for found in (read_document(plain), read_chat(("user", plain))):
        sure = [draft for draft in found.drafts if theirs(text, draft) and not draft.doubt]
        assert sure == []
        assert not [draft for draft in found.drafts if draft.doubt and draft.hard]


def own_facts(memory: Memory) -> dict[str, str]:
    return {
        row.statement: row.status
        for row in memory.list()
        if row.type == "item" and row.statement in OWN
    }


@pytest.mark.parametrize("way", ["text", "conversation", "session"])
def test_pasted_words_end_nothing_and_become_no_fact_of_theirs(memory: Memory, way: str) -> None:
    for statement in OWN:
        memory.remember(statement)
    for number, text in enumerate(SHAPES):
        if way == "text":
            memory.remember(text)
        elif way == "conversation":
            memory.remember(json.dumps([{"role": "user", "content": text}]))
        else:
            with memory.session(f"s{number}") as session:
                session.turn(user=text, assistant="ok")
                assert session.show().truth == ()
    assert own_facts(memory) == dict.fromkeys(OWN, "active")
    rows = [row for row in memory.list() if row.type == "item" and row.statement not in OWN]
    assert {row.status for row in rows if not row.statement.startswith("Conversation")} <= {
        "candidate"
    }
    assert not [row for row in rows if row.stream == "identity" or row.hard]


def test_doubtful_words_wait_and_are_theirs_once_they_say_so(memory: Memory) -> None:
    done = memory.remember(BIO)
    assert {item.review for item in done.items} == {"perhaps a text that is introduced"}
    assert {waiting.trust for waiting in memory.review.waiting()} == {"limited"}
    memory.remember("I live in Linz.")
    rows = [row for row in memory.list() if row.type == "item"]
    (row,) = [row for row in rows if row.statement == "I live in Linz."]
    assert (row.status, row.trust) == ("active", "user")


def test_a_text_whose_words_wait_answers_meanwhile(memory: Memory) -> None:
    done = memory.remember("Support ticket 4471: the export button fails on large reports.")
    assert [bool(item.review) for item in done.items] == [True]
    hits = memory.recall("support ticket about the export button").hits
    assert [hit.note.id for hit in hits] == [done.resource]
    (waiting,) = memory.review.waiting()
    memory.review.reject(waiting.id)
    assert memory.recall("support ticket about the export button").hits == ()


def test_what_stands_beside_a_pasted_text_is_remembered(memory: Memory) -> None:
    done = memory.remember(f'I live in Graz.\n\n"""\n{MAIL}\n"""\n\nI work at Siemens.')
    assert [item.statement for item in done.items] == ["I live in Graz.", "I work at Siemens."]
    done = memory.remember("Ich mag Tee. Bob schrieb mir: Ich mag keinen Tee. Ich wohne in Linz.")
    assert [item.statement for item in done.items] == ["Ich mag Tee."]


def test_what_they_quote_of_themselves_is_theirs(memory: Memory) -> None:
    done = memory.remember('I told the doctor: "I\'m allergic to penicillin."')
    assert [item.statement for item in done.items] == ["I'm allergic to penicillin."]
    assert [item.review for item in done.items] == [""]


def test_pasted_words_stay_in_the_text_and_are_found(memory: Memory) -> None:
    done = memory.remember(MAIL)
    assert [each.rule for each in done.rejected] == ["somebody-else"]
    assert MAIL in memory.show(done.resource).text
    assert [hit.note.id for hit in memory.search("cilantro").hits] == [done.resource]


def test_no_rule_is_learned_from_pasted_words(memory: Memory) -> None:
    for day in (1, 4, 7):
        keep(memory, day, "Here is her mail:\n\nI prefer metric units. Never use cilantro!", "ok")
        keep(memory, day + 1, "Translate: always use imperial units. I prefer window seats.", "ok")
    assert memory.learn.consolidate().changes == ()
