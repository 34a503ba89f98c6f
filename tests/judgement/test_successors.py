"""A new boss, flat or dentist: the one before may be over, in the words of several languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.judgement.pairs.successors import names_the_next
from vaultmem.language.time import DAY_MS

NEXT = (
    ("My boss at Bosch is Ute.", "My new boss is Kemal."),
    ("My dentist is Dr. Roth.", "I have a new dentist, Dr. Lang."),
    ("Our landlord is Mr Shaw.", "We've got a new landlord, Mr Pike."),
    ("Mein Vermieter heißt Krause.", "Unser neuer Vermieter heißt Wolf."),
    (
        "Meine Klavierlehrerin ist Frau Hoff.",
        "Ich habe jetzt eine neue Klavierlehrerin, Frau Beck.",
    ),
    ("Mi profesora de piano es Inés.", "Mi nueva profesora de piano es Carla."),
    ("Mon dentiste est M. Roux.", "J'ai une nouvelle dentiste, Mme Petit."),
    ("La mia dentista è Anna.", "La mia nuova dentista è Carla."),
)
BESIDE = (
    ("Tom's boss is Ute.", "My new boss is Kemal."),
    ("My boss is Ute.", "Tom has a new boss."),
    ("My friend Ada lives in Ulm.", "I have a new friend, Bo."),
    ("My boss is Ute.", "I have a new bicycle."),
    ("The new boss scene in the game is hard.", "My new boss is Kemal."),
    ("Mein Nachbar heißt Krause.", "Mein neues Rad ist rot."),
)


@pytest.mark.parametrize(("old", "new"), NEXT)
def test_the_one_before_is_marked(tmp_path: Path, old: str, new: str) -> None:
    Memory.init(tmp_path / "notes", name="notes")
    with Memory(tmp_path / "notes", clock=FixedClock()) as memory:
        memory.remember(old, date=FixedClock().now() - 30 * DAY_MS)
        memory.remember(new)
        over = [each.path.stem for each in memory.check().problems if each.code == "may-be-over"]
        ended = [row for row in memory.list() if row.status in ("superseded", "expired")]
        assert over or ended
        assert memory.recall(new.rstrip(".")).hits[0].note.statement.startswith(new[:8])


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_somebody_elses_or_another_thing_is_not(old: str, new: str) -> None:
    assert not names_the_next(old, new)
