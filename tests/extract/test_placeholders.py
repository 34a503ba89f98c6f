"""What stands for a secret or an address is one word: no memory begins inside it."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters

TOKEN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def statements(memory: Memory) -> list[str]:
    return [row.statement for row in memory.list(Filters(types=("item",)))]


def is_whole(text: str) -> bool:
    return text.count("[") == text.count("]") and not text.lower().startswith("github token")


@pytest.mark.parametrize(
    "text",
    [
        f"My wifi key is {TOKEN} and my sister Eva lives in Graz.",
        f"Mein Schlüssel ist {TOKEN} und meine Schwester Eva wohnt in Graz.",
        f"Mi clave es {TOKEN} y mi hermana Eva vive en Graz.",
        f"{TOKEN}: I prefer tea.",
        f"The key for CI, {TOKEN}, is in the safe and I always log in from the office.",
    ],
)
def test_no_memory_begins_in_a_placeholder(memory: Memory, text: str) -> None:
    memory.remember(text, secrets="redact")
    assert statements(memory)
    assert all(is_whole(each) for each in statements(memory))


def test_nor_in_a_session_or_a_bullet(memory: Memory) -> None:
    session = memory.session("kite")
    session.turn(f"My key is {TOKEN} and my sister Eva lives in Graz.", "Noted.")
    session.end()
    memory.remember(
        f"# Notes\n\n- the key: {TOKEN} and my brother Tom lives in Linz", secrets="redact"
    )
    assert all(is_whole(each) for each in statements(memory))
