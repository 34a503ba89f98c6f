"""A statement is the person's, character for character, in whatever file it stands."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.model.ids import Oid
from vaultmem.model.notes import Item
from vaultmem.storage.notes.bullets import add_bullet, bullets, reword_bullet, set_block_ids
from vaultmem.storage.notes.markdown import replace_statement
from vaultmem.storage.notes.schema import decode, encode_item

PATH = PurePosixPath("items/2026/a-i-0000000001.md")
ID = "i-0000000001"
PIECES = st.sampled_from(
    [
        *(
            "#C8553D",
            "#rust",
            "–",
            "—",
            "--",
            "- ",
            "🎉",
            "`a - b`",
            "**bold**",
            "[[a|b]]",
            "*",
            "_x_",
        ),
        *(
            "...",
            "!?",
            ";",
            ":",
            "…",
            "1. ",
            "> ",
            "[x] ",
            "[ ]",
            "\\",
            "^mine",
            "^i-zzzzzzzzzz",
            "%%",
        ),
        *(
            "<b>",
            "&amp;",
            "~~no~~",
            "==yes==",
            "|",
            "```",
            "# ",
            "+43",
            "C#",
            "word",
            "é",
            "日本",
            " ",
        ),
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=8).map(lambda some: " ".join("".join(some).split()))


def item_of(statement: str) -> Item:
    return Item(
        path=PATH, oid=Oid(""), title="", body=statement, id=ID, statement=statement, source=("a",)
    )


def read(data: bytes) -> str:
    record = decode(PATH, data, Oid("")).record
    assert isinstance(record, Item)
    return record.statement


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS)
@example("#C8553D", "[x] ^i-zzzzzzzzzz – #rust")
def test_from_item_to_bullet_to_item_nothing_changes(text: str, other: str) -> None:
    assume(text.strip() and other.strip())
    data = encode_item(item_of(text), zone="UTC")
    assert read(data) == text
    listed = add_bullet(b"# Identity\n", read(data), ID)
    [bullet] = bullets(listed)
    assert (bullet.text, bullet.block_id) == (text, ID)
    assert read(replace_statement(encode_item(item_of(other), zone="UTC"), bullet.text)) == text
    [again] = bullets(reword_bullet(reword_bullet(listed, ID, other), ID, text))
    assert again.text == text


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_a_bullet_that_gets_its_id_says_what_it_said(text: str) -> None:
    data = f"- {text}\n".encode()
    for bullet in bullets(data):
        if bullet.block_id is None:
            [after] = bullets(set_block_ids(data, {bullet.line: ID})[0])
            assert (after.text, after.block_id) == (bullet.text, ID)


SAID = [
    "My favourite colour is #C8553D.",
    "I follow #rust and #go.",
    "I prefer `tabs` over **spaces** -- always!",
    "I live in [[Linz|the city]] – by the river — with 🎉 parties.",
    "I use C# and F#.",
    "My phone number ends in -5.",
]


@pytest.mark.parametrize("text", SAID)
def test_what_is_remembered_is_what_was_said(memory: Memory, text: str) -> None:
    memory.remember(text, stream="identity")
    [row] = memory.list(Filters(types=("item",)))
    assert row.statement == text
    assert f"- {text} ^{row.id}\n" in (memory.root / "streams/identity.md").read_text()
    memory.sync()
    assert memory.check().problems == ()
