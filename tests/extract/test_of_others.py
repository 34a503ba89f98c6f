"""What others say, think and order is kept as theirs; what an assistant notes is of the person."""

from __future__ import annotations

import pytest

from tests.conftest import NOON
from tests.extract.reading import only, read_chat
from vaultmem.api.memory import Memory
from vaultmem.model.answers import NoteRow

PAGE = """# Moving house

- [ ] Cancel the old contract
- [x] Label the boxes

TODO: order the van. Always wrap glasses in paper. Never lift with your back.
Use strong boxes instead of bags. We must return the keys by 3 May.
To clean the oven, run the steam program.
The depot is located in Halle.
"""


def rows(memory: Memory) -> dict[str, NoteRow]:
    return {row.statement: row for row in memory.list() if row.type == "item"}


class TestAssistantsNote:
    """What `remember --writer agent` tells of 'the user' is about the person."""

    def test_each_of_several_sentences_is_kept(self, memory: Memory) -> None:
        memory.remember(
            "The user prefers oat milk over cow's milk. User works at the town library. "
            "The user's favourite season is autumn. The user has a parrot called Kiwi. "
            "Der Nutzer bevorzugt kurze Antworten.",
            writer="agent",
        )
        known = rows(memory)
        assert len(known) == 5
        wish = known["The user prefers oat milk over cow's milk."]
        assert (wish.kind, wish.subject, wish.predicate) == ("preference", "user", "prefers")
        assert {row.trust for row in known.values()} == {"limited"}

    def test_a_pronoun_stands_for_the_user_where_it_can_mean_nobody_else(
        self, memory: Memory
    ) -> None:
        memory.remember("The user is vegan. They are allergic to sesame.", writer="agent")
        assert rows(memory)["The user is allergic to sesame."].subject == "user"

    @pytest.mark.parametrize(
        "text",
        [
            "The user has two sons. They are allergic to sesame.",
            "The user's boss is strict. She is allergic to sesame.",
            "The user met Ines. She is allergic to sesame.",
        ],
    )
    def test_of_somebody_else_it_is_not_said_of_the_user(self, memory: Memory, text: str) -> None:
        memory.remember(text, writer="agent")
        told = [row for row in rows(memory).values() if "sesame" in row.statement]
        assert [row for row in told if row.subject == "user"] == []
        assert [row for row in told if "user" in row.statement] == []


class TestOpinion:
    """'Bob thinks ...' is what Bob believes, in `remember` and in a conversation."""

    @pytest.mark.parametrize(
        ("text", "holder"),
        [
            ("Rosa thinks we should sell the van.", "Rosa"),
            ("My wife believes we have to renovate the bathroom.", "My wife"),
            ("Meine Chefin findet, wir sollten nach Ulm umziehen.", "Meine Chefin"),
            ("Mi hermano piensa que debemos vender el coche.", "Mi hermano"),
            ("Ma voisine pense que nous devons couper le sapin.", "Ma voisine"),
        ],
    )
    def test_it_is_theirs_and_no_task(self, memory: Memory, text: str, holder: str) -> None:
        memory.remember(text)
        (row,) = rows(memory).values()
        assert (row.kind, row.subject, row.stream) == ("belief", holder, "")

    def test_two_of_one_person_stand_beside_each_other(self, memory: Memory) -> None:
        memory.remember("Rosa thinks we should sell the van.")
        memory.remember("Rosa thinks the garden is too big for us.")
        assert {row.status for row in rows(memory).values()} == {"active"}
        assert memory.check().problems == ()

    def test_in_a_conversation_it_is_no_task_either(self) -> None:
        assert only(read_chat(("user", "Rosa thinks we should sell the van."))).kind == "belief"


class TestDocument:
    """A document of others orders nothing of the person."""

    def test_its_orders_and_boxes_are_nothing_to_do(self, memory: Memory) -> None:
        done = memory.remember(PAGE, writer="import", date=NOON)
        kinds = {row.kind for row in rows(memory).values()}
        assert kinds.isdisjoint(("task", "rule", "procedure", "preference"))
        assert {each.rule for each in done.rejected} >= {"order"}
        assert "The depot is located in Halle." in rows(memory)

    def test_a_list_of_the_persons_own_has_their_tasks(self, memory: Memory) -> None:
        memory.remember(PAGE, writer="person", date=NOON)
        assert "Cancel the old contract" in rows(memory)


@pytest.mark.parametrize(
    "text",
    [
        "Timo's judo class moved to Friday.",
        "Our book club moved to Thursdays.",
        "Ella's check-up moved to Monday.",
    ],
)
def test_what_moves_to_another_day_lives_nowhere(memory: Memory, text: str) -> None:
    memory.remember(text)
    (row,) = rows(memory).values()
    assert row.predicate != "lives_in"


@pytest.mark.parametrize(
    "text", ["My manager micromanages everything.", "Night shifts wear me out.", "My boss hums."]
)
def test_a_short_complaint_is_no_filler(memory: Memory, text: str) -> None:
    done = memory.remember(text)
    assert [each.rule for each in done.rejected if each.rule == "filler"] == []
    assert rows(memory)


def test_a_question_for_the_work_situation_finds_it(memory: Memory) -> None:
    memory.remember("My manager micromanages everything.")
    memory.remember("I water the tomatoes every evening.")
    memory.remember("My cousin collects stamps.")
    found = memory.recall("What did I tell you about my work situation?")
    assert found.hits[0].note.statement == "My manager micromanages everything."
