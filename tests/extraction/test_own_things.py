"""Facts about the person's own things, and what is a secret all the same."""

from __future__ import annotations

import pytest

from vaultmem.errors import SecretFoundError
from vaultmem.memory import Memory


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("My door code is 4711.", ("user", "door_code", "4711")),
        ("my gate code is B-12", ("user", "gate_code", "B-12")),
        ("My bike combination is 0420.", ("user", "bike_combination", "0420")),
        ("My locker number is 12.", ("user", "locker_number", "12")),
    ],
)
def test_a_code_of_mine_is_kept_with_its_slot(
    memory: Memory, text: str, slot: tuple[str, str, str]
) -> None:
    (item,) = memory.remember(text).items
    assert item.kind == "fact"
    row = next(row for row in memory.list() if row.id == item.id)
    assert (row.subject, row.predicate, row.object) == slot


@pytest.mark.parametrize("text", ["My code is broken.", "My pleasure.", "My day is good."])
def test_a_remark_that_begins_with_my_is_not(memory: Memory, text: str) -> None:
    assert memory.remember(text).items == ()


def test_a_password_is_stopped_as_before(memory: Memory) -> None:
    with pytest.raises(SecretFoundError):
        memory.remember("My door code is 4711. My wifi password is xK9#mQ2$vL7pRt.")
