"""What a model that talks is told of the vault: the same as by `vaultmem context`."""

from __future__ import annotations

import json
import random

import pytest

from vaultmem import Memory
from vaultmem.context.pack import BudgetTooSmallError
from vaultmem.context.tokens import counter
from vaultmem.model.answers import HONEST
from vaultmem.sessions.turn_prompt import addition

RULE = "Never offer Elise nuts."
FROM_OUTSIDE = "The conference pays every speaker in Bergen."


def test_every_way_says_not_to_make_a_memory_up(talk: Memory) -> None:
    question = "Who pays at the conference?"
    with talk.session("heron") as session:
        assert HONEST in session.prompt(question).system  # what `chat` sends, too
    assert HONEST in addition(talk.opened, "heron", question, sent=2)  # what the proxy adds
    assert HONEST in talk.context(question).text


def test_the_last_conversations_are_told(talk: Memory) -> None:
    talk.session("heron").end()
    with talk.session("egret") as session:
        session.turn("Good morning.", "Hello.")
        system = session.prompt("Anything new?").system
    assert "Conversation 'heron', 2 turns" in system.split("## Said in past conversations")[1]


@pytest.fixture
def talk(memory: Memory) -> Memory:
    """A vault with a rule, the person, facts, a past text, one from outside, and a session."""
    memory.remember(RULE, hard=True)
    memory.remember("I live in Lisbon. I prefer short answers.")
    for number in range(12):
        memory.remember(f"Room {number} of the conference has {number} chairs.", stream="projects")
    said = [
        {"role": "user", "content": "Where was the conference last year?"},
        {"role": "assistant", "content": "In the old harbour of Tromsø."},
    ]
    memory.remember(json.dumps(said))
    memory.remember(FROM_OUTSIDE, source="https://x.example")
    with memory.session("heron") as session:
        session.turn("The conference is in Bergen on 3 December.", "Noted.")
        session.turn("The hotel is Augustin, near the fish market.", "A good one.")
    return memory


def test_what_context_finds_is_what_the_model_is_told(talk: Memory) -> None:
    question = "How many chairs has room 7 of the conference?"
    system = talk.session("heron").prompt(question, budget=4_000).system
    pack = talk.context(question, budget=4_000)
    own = talk.session("heron").show().folder
    told = [
        line
        for line in pack.lines
        if line.tier in ("persona", "user", "rules", "facts", "events", "inferred")
        and not line.remark.startswith("from outside")
        and not str(line.path).startswith(str(own))
    ]
    assert len(told) > 12  # plain recall gave five facts
    for line in told:
        assert line.citation in system
        assert line.date in system


def test_the_part_that_no_question_changes_comes_first_and_stays_the_same(talk: Memory) -> None:
    session = talk.session("heron")
    asked = ("How many chairs has room 7?", "Where was the conference last year?", "Tromsø?", "")
    made = [session.prompt(question, budget=900).system for question in asked]
    first = made[0].split("\n\n## Known")[0].split("\n\n## Said")[0]
    assert first.startswith(f"Rules that the person has set, without exception:\n- {RULE}\n")
    assert "I live in Lisbon." in first
    assert "## Holds in this conversation" in first
    assert all(system.startswith(first) for system in made)


def test_the_proxy_tells_the_same_as_a_prompt(talk: Memory) -> None:
    question = "How many chairs has room 7 of the conference?"
    prompted = talk.session("heron").prompt(question).system
    added = addition(talk.opened, "heron", question, sent=2)
    assert added == prompted


def test_nothing_from_outside_and_none_of_its_own_words_is_found(talk: Memory) -> None:
    made = talk.session("heron").prompt("Who pays at the conference in Bergen?")
    assert FROM_OUTSIDE not in made.system
    assert FROM_OUTSIDE not in addition(talk.opened, "", "Who pays at the conference?", sent=0)
    assert "Noted." not in made.system


def test_the_budget_holds_whatever_is_asked(talk: Memory) -> None:
    chance = random.Random(4)
    session = talk.session("heron")
    for _ in range(15):
        budget = chance.randint(220, 1_500)
        question = " ".join(
            chance.choices(["conference", "chairs", "room", "7", "Bergen", "Tromsø", "who"], k=5)
        )
        made = session.prompt(question, budget=budget)
        assert made.tokens <= budget
        texts = [made.system, *(text for _, text in made.messages)]
        assert sum(counter("estimate").count(texts)) <= made.tokens
        assert RULE in made.system
        assert made.messages[-1] == ("user", question)


def test_a_budget_that_does_not_hold_the_hard_exceptions_is_refused(talk: Memory) -> None:
    with pytest.raises(BudgetTooSmallError):
        talk.session("heron").prompt("And now?", budget=20)
