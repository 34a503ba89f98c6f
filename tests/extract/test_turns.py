"""Conversations as text: what is read back, what looks like a turn and is none, JSON."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.extract.prepare import ROLES, is_conversation, parse, render, turns_of
from vaultmem.language.time import parse_instant
from vaultmem.model.drafts import Turn

CHAT = """\
**Caroline** (2023-05-08 13:56): Hey Mel! Good to see you!

How have you been?

**Melanie** (2023-05-08): Swamped. [image: a photo of a dog]

**assistant**: I can help.
"""

SPEAKERS = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="*"), min_size=1, max_size=20
).filter(lambda name: name not in ROLES)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            ["**Bob**: hi", "\\**Bob**: hi", "\\\\**Bob** (2023-05-08): x", "", "text", "- **a**:"]
        ),
        max_size=6,
    ).map("\n".join),
).map(lambda text: text.replace("\r", "").strip())
MINUTES = st.integers(min_value=0, max_value=4_000_000_000).map(lambda s: s * 1000)
TURNS = st.one_of(
    st.builds(Turn, text=TEXTS, speaker=SPEAKERS, said_at=st.none() | MINUTES),
    st.builds(Turn, text=TEXTS, role=st.sampled_from(ROLES), said_at=st.none() | MINUTES),
)


def _essence(turns: tuple[Turn, ...] | list[Turn]) -> list[tuple[str, str, str, int | None]]:
    return [(turn.text, turn.speaker, turn.role, turn.said_at) for turn in turns]


def test_speaker_date_text_and_line_are_read() -> None:
    caroline, melanie, assistant = parse(CHAT)
    assert caroline.speaker == "Caroline"
    assert caroline.text == "Hey Mel! Good to see you!\n\nHow have you been?"
    assert caroline.said_at == parse_instant("2023-05-08T13:56")
    assert (caroline.line, melanie.line, assistant.line) == (1, 5, 7)
    assert melanie.said_at == parse_instant("2023-05-08")
    assert (assistant.speaker, assistant.role, assistant.said_at) == ("", "assistant", None)


def test_times_are_in_the_zone_of_the_vault() -> None:
    (turn,) = parse("**A** (2023-05-08 13:56): x", "Europe/Berlin")
    assert turn.said_at == parse_instant("2023-05-08T13:56+02:00")
    assert render([turn], "Europe/Berlin") == "**A** (2023-05-08 13:56): x\n"


def test_a_line_that_looks_like_a_turn_is_escaped() -> None:
    turn = Turn(text="He wrote:\n**Bob** (2023-05-08): no", speaker="Ann")
    assert render([turn]) == "**Ann**: He wrote:\n\\**Bob** (2023-05-08): no\n"
    assert _essence(parse(render([turn]))) == _essence([turn])


@given(st.lists(TURNS, max_size=6))
def test_what_is_rendered_reads_as_the_same_turns(turns: list[Turn]) -> None:
    assert _essence(parse(render(turns))) == _essence(turns)


def test_text_before_the_first_turn_is_a_turn_without_a_speaker() -> None:
    before, _ = parse("Notes of the call\n\n**Ann**: hi")
    assert (before.text, before.speaker, before.role) == ("Notes of the call", "", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHAT, True),
        ("**user**: hi\n\n**assistant**: hello", True),
        ("**Ann**: a\n\n**Bob**: b\n\n**Ann**: c", True),
        ('[{"role": "user", "content": "hi"}]', True),
        ('{"messages": [{"role": "user", "content": "hi"}]}', True),
        ("**Pros**: cheap\n\n**Cons**: slow", False),
        ("**Note**: x", False),
        ("Just prose with **bold**: yes", False),
        ("[1, 2, 3]", False),
        ("[[wiki]] link", False),
        ("{not json", False),
        ("", False),
    ],
)
def test_what_is_a_conversation(text: str, expected: bool) -> None:
    assert is_conversation(text) is expected


def test_a_document_is_a_single_turn() -> None:
    text = "**Pros**: cheap\n\n**Cons**: slow"
    assert turns_of(text) == (Turn(text=text),)
    assert parse("") == ()


def test_json_messages_are_read() -> None:
    turns = parse(
        '[{"role": "human", "content": "hi", "time": "2023-05-08T13:56:00Z"},'
        ' {"role": "assistant", "content": [{"type": "text", "text": "yo"}, {"type": "image"}]},'
        ' {"role": "tool", "content": null},'
        ' {"speaker": "Ann", "text": "hey", "timestamp": 1683554160},'
        ' {"name": "Bob", "content": "ho", "date": "1:56 pm on 8 May, 2023"}]'
    )
    assert _essence(turns) == [
        ("hi", "", "user", parse_instant("2023-05-08T13:56")),
        ("yo", "", "assistant", None),
        ("", "", "tool", None),
        ("hey", "Ann", "", parse_instant("2023-05-08T13:56")),
        ("ho", "Bob", "", parse_instant("2023-05-08T13:56")),
    ]


def test_a_role_is_believed_before_a_name_unless_several_people_write() -> None:
    alone = parse('[{"role": "user", "name": "Ann", "content": "hi"}]')
    assert _essence(alone) == [("hi", "", "user", None)]
    group = parse(
        '[{"role": "user", "name": "Ann", "content": "a"},'
        ' {"role": "user", "name": "Bob", "content": "b"}]'
    )
    assert [(turn.speaker, turn.role) for turn in group] == [("Ann", ""), ("Bob", "")]


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    turns_of(text)
    parse(text)


@pytest.mark.parametrize("unit", ["**", "**a**", "\\", "*", "**a**:\n", " ", "a.", "[", "**a** ("])
def test_time_grows_with_the_text_and_not_faster(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    render(parse(text))
    is_conversation(text)
    assert time.process_time() - began < 2.0  # quadratic would be minutes
