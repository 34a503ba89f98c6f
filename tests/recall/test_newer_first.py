"""What may be over stands behind what may have replaced it, if that is mine and holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.api.memory import Memory
from vaultmem.base import replace
from vaultmem.model import Hit
from vaultmem.recall.order import newest_first

OLD, NEW = "i-aaaaaaaaaa", "i-bbbbbbbbbb"


def write(root: Path, id_: str, statement: str, *keys: str) -> None:
    """An item as a person writes it, or as another device sent it."""
    file = root / "items" / f"{id_}.md"
    file.parent.mkdir(exist_ok=True)
    front = "\n".join(("---", f"id: {id_}", "kind: fact", *keys, "---"))
    file.write_text(f"{front}\n\n{statement}\n", "utf-8")


def replacing(root: Path, *keys: str, old: str = "I work at Ford.", new: str = "") -> None:
    """An item and one that may have replaced it, which has no word of the question."""
    write(root, OLD, old, "valid_from: 2026-01-05", "status: active")
    link = f'may_replace: "[[{OLD}]]"'
    write(root, NEW, new or "I started at Opel.", "valid_from: 2026-02-05", link, *keys)


def found(memory: Memory, question: str) -> list[str]:
    memory.sync()
    return [hit.note.id for hit in memory.recall(question).hits]


def doubts(memory: Memory, question: str) -> list[bool]:
    return [bool(hit.doubt) for hit in memory.recall(question).hits if hit.note.id == OLD]


def test_what_may_have_replaced_it_is_given_though_it_has_no_word_of_the_question(
    memory: Memory, root: Path
) -> None:
    replacing(root, "status: active")
    assert found(memory, "do I work at Ford") == [NEW, OLD]
    assert doubts(memory, "do I work at Ford") == [True]


@pytest.mark.parametrize(
    "keys",
    [
        ("status: active", "trust: untrusted", "writer: web"),
        ("status: expired", "valid_until: 2026-02-20"),
        ("status: active", "valid_until: 2026-02-20"),
    ],
)
def test_text_from_outside_and_what_is_over_make_nothing_doubtful(
    memory: Memory, root: Path, keys: tuple[str, ...]
) -> None:
    replacing(root, *keys)
    assert found(memory, "do I work at Ford") == [OLD]
    assert doubts(memory, "do I work at Ford") == [False]


def test_what_hardly_answers_is_no_better_for_being_new(memory: Memory, root: Path) -> None:
    old = "The printer in the big office on the second floor is out of blue toner."
    replacing(root, "status: active", old=old, new="Ann has painted her boat blue.")
    assert found(memory, "is the printer in the big office out of blue toner") == [OLD, NEW]


def ordered(memory: Memory, scores: dict[str, float]) -> list[str]:
    """Ids as they are given when the hits have these scores."""
    memory.sync()
    question = "do I work at Ford, start at Opel, drink tea, write in ink or get stamps"
    by_id = {hit.note.id: hit for hit in memory.recall(question).hits}
    hits: list[Hit] = [replace(by_id[id_], score=score) for id_, score in scores.items()]
    return [hit.note.id for hit in newest_first(memory.opened, hits, memory.opened.clock.now())]


@pytest.mark.parametrize(
    ("new", "share", "is_first"),
    [
        ("I started at Opel.", 0.41, True),
        ("I started at Opel.", 0.39, False),
        ("Opel had me over for stamps.", 0.81, True),
        ("Opel had me over for stamps.", 0.79, False),
    ],
)
def test_behind_the_first_hits_the_newer_goes_first_from_a_share_of_the_older_ones_score(
    memory: Memory, root: Path, new: str, share: float, is_first: bool
) -> None:
    """Two fifths of it; four fifths where the link is only one of the many that may be."""
    replacing(root, "status: active", new=new)
    tea, ink = "i-cccccccccc", "i-dddddddddd"
    write(root, tea, "I drink tea.", "status: active")
    write(root, ink, "I write in ink.", "status: active")
    given = ordered(memory, {tea: 4.0, ink: 3.0, OLD: 2.0, NEW: 2.0 * share})
    assert given == [tea, ink, *((NEW, OLD) if is_first else (OLD, NEW))]


@pytest.mark.parametrize("said_before", [True, False])
def test_what_announces_a_change_stands_behind_what_was_said_next_and_not_before(
    memory: Memory, said_before: bool
) -> None:
    turns = ["Change of plan for the hall.", "The hall will be painted green."]
    hours = (9, 11) if not said_before else (11, 9)
    chat = [
        {"role": "user", "content": text, "time": f"2026-03-10T{hour:02}:00:00Z"}
        for text, hour in sorted(zip(turns, hours, strict=True), key=lambda each: each[1])
    ]
    memory.remember(json.dumps(chat))
    hits = memory.recall("what is the change of plan for the hall").hits
    said = [hit.note.statement for hit in hits if hit.note.type == "item"]
    assert said == (turns if said_before else turns[::-1])
