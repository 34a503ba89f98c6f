"""What the person rejects is not learned, and what they put right knows what was wrong."""

from __future__ import annotations

import pytest

from tests.learn.test_learn import START, run
from vaultmem.language.time import DAY_MS
from vaultmem.learn.conversations import Call, Session, Utterance
from vaultmem.learn.patterns import sightings

TOOLS = (Call(name="fetch"), Call(name="convert"))


def used(number: int, asked: str, answer: str) -> Session:
    """A conversation in which two tools were used and answered like this."""
    turns = (
        Utterance(role="user", text=asked),
        Utterance(role="assistant", text="Done.", calls=TOOLS),
        Utterance(role="user", text=answer),
    )
    return Session(id=f"s{number}", turns=turns, at=START + number * DAY_MS)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Convert the holiday photos please.", "No, that's wrong."),
        ("Convert the holiday photos please.", "That ruined the colours, undo it."),
        ("Convert the holiday photos please.", "Please revert that."),
        ("Convert the holiday photos please.", "Stop, not like this."),
        ("Bitte rechne die Fotos für das Album um.", "Nein, so nicht."),
        ("Por favor convierte las fotos de la boda.", "No, así no."),
    ],
)
def test_a_workflow_whose_run_was_rejected_is_not_learned(asked: str, answer: str) -> None:
    talks = [used(number, asked, answer) for number in (1, 2)]
    assert [rule for rule in run((), talks, 3).rules if rule.ngram] == []


@pytest.mark.parametrize(
    "answer", ["Thanks, great!", "No thanks, that's all.", "No problem, now print one of them."]
)
def test_one_that_was_welcome_is(answer: str) -> None:
    talks = [used(number, "Convert the holiday photos please.", answer) for number in (1, 2)]
    assert [rule.ngram for rule in run((), talks, 3).rules] == [("fetch", "convert")]


@pytest.mark.parametrize(
    ("did", "said", "right", "wrong"),
    [
        ("I called it `cust`.", "That's wrong, it should be customer_id.", "customer_id", "cust"),
        ("I named the column oid.", "That's wrong, it should be order_id.", "order_id", "oid"),
        ("The train leaves at 7 am.", "No, that's incorrect, it should be 8 am.", "8 am", "7 am"),
        ("Your train leaves from Ulm.", "That's not right, it is Augsburg.", "Augsburg", "Ulm"),
        ("I set the timeout to 30.", "Wrong, it must be 60.", "60", "30"),
        ("Trains leave Ulm for Bonn.", "That's not right, it is Augsburg.", "Augsburg", ""),
        ("I set it up.", "That's wrong, it should be customer_id.", "customer_id", ""),
    ],
)  # fmt: skip
def test_the_wrong_side_is_in_the_assistants_turn(
    did: str, said: str, right: str, wrong: str
) -> None:
    turns = (Utterance(role="assistant", text=did), Utterance(role="user", text=said))
    (found,) = sightings(Session(id="s1", turns=turns, at=START))
    assert (found.category, found.value, found.rejects) == ("correction", right, wrong)


@pytest.mark.parametrize(
    ("said", "new", "old"),
    [
        ("We switched to Podman from Docker.", "Podman", "Docker"),
        ("I switched to oat milk from cow's milk last year.", "oat milk", "cow's milk"),
        ("We've migrated to Forgejo from Gitea.", "Forgejo", "Gitea"),
        ("We changed to Zulip from Slack.", "Zulip", "Slack"),
        ("We switched to Podman from next week.", "Podman", ""),
    ],
)
def test_switched_to_one_from_another_is_one_in_place_of_the_other(
    said: str, new: str, old: str
) -> None:
    turns = (Utterance(role="user", text=said), Utterance(role="assistant", text="ok"))
    (found,) = sightings(Session(id="s1", turns=turns, at=START))
    assert (found.category, found.rejects) == ("decision", old)
    assert found.value.startswith(new)
