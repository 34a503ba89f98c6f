"""Chats between people: who of them the person is, and what each one said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.transfer.importers.conftest import Kept, Write
from vaultmem.api.memory import Memory
from vaultmem.base import BadInputError


def telegram(*messages: dict[str, Any]) -> dict[str, Any]:
    """One chat, as Telegram Desktop writes it."""
    return {"name": "Lena", "type": "personal_chat", "id": 7, "messages": list(messages)}


def message(number: int, sender: str | None, text: Any, **more: Any) -> dict[str, Any]:
    """A message of Telegram."""
    return {
        "id": number,
        "type": "message",
        "date": "2025-03-01T09:00:00",
        "date_unixtime": str(1_740_819_600 + number),
        "from": sender,
        "from_id": f"user{sender}",
        "text": text,
        "text_entities": [],
    } | more


RICH = ["I live in ", {"type": "bold", "text": "Graz"}, "."]
CHAT = telegram(
    message(1, "Hanna", RICH),
    message(2, "Lena", "I prefer coffee."),
    message(3, "Hanna", "I am from Oslo.", forwarded_from="Tom"),
    {"id": 4, "type": "service", "date_unixtime": "1740819604", "actor": "Lena", "text": ""},
    message(5, None, "Who am I?"),
)


def test_rich_text_is_whole_and_others_are_named(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("result.json", CHAT), me="hanna")
    assert kept.said() == ["I live in Graz."]
    assert [(turn.speaker, turn.text) for turn in kept.turns if not turn.role] == [
        ("Lena", "I prefer coffee."),
        ("Tom (forwarded)", "I am from Oslo."),
        ("userNone", "Who am I?"),
    ]
    assert kept.statements("person") == {"I live in Graz."}
    assert "Lena: I prefer coffee." in kept.statements("import")


def test_who_is_me_has_to_be_said(memory: Memory, write: Write) -> None:
    file = write("result.json", CHAT)
    with pytest.raises(BadInputError, match="say who you are") as failure:
        memory.import_files(file)
    assert "'Hanna', 'Lena'" in failure.value.hint
    with pytest.raises(BadInputError, match="nobody is called 'Ida'"):
        memory.import_files(file, me="Ida")
    assert not [row for row in memory.list() if row.type == "resource"]


def test_the_export_of_an_account_says_whose_it_is(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    account = {
        "personal_information": {"first_name": "Hanna", "last_name": "", "user_id": 1},
        "chats": {"about": "chats", "list": [CHAT, {"name": "empty", "id": 8, "messages": []}]},
    }
    kept = take_in(write("result.json", account))
    assert kept.said() == ["I live in Graz."]


def test_a_name_for_another_file_hides_not_whose_account_it_is(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    account = {
        "personal_information": {"first_name": "Hanna", "last_name": "", "user_id": 1},
        "chats": {"about": "chats", "list": [CHAT]},
    }
    kept = take_in(write("result.json", account), me="Hanna Berg")
    assert kept.said() == ["I live in Graz."]


def test_slack_says_when_nobody_has_the_name(write: Write, memory: Memory) -> None:
    users = [{"id": "U1", "team_id": "T", "name": "hanna", "profile": {"real_name": "Hanna"}}]
    told = {"type": "message", "user": "U1", "ts": "1740819600.000100", "text": "I live in Graz."}
    file = write("slack/users.json", users)
    write("slack/general/2025-03-01.json", [told])
    with pytest.raises(BadInputError, match="nobody is called 'Hana' in Slack") as failure:
        memory.import_files(file.parent, me="Hana")
    assert "'Hanna'" in failure.value.hint


@pytest.mark.parametrize(
    "lines",
    [
        "[01.03.25, 09:00:10] Hanna: {0}\n[01.03.25, 09:01:00] Lena: {1}\n",
        "01/03/2025, 09:00 - Hanna: {0}\n31/03/2025, 09:01 - Lena: {1}\n",
        "3/1/25, 9:00\u202fAM - Hanna: {0}\n3/1/25, 9:01\u202fPM - Lena: {1}\n",
        "\u200e[2025-03-01, 9:00:10] Hanna: {0}\n[2025-03-01, 9:01:00] ~\u202fLena: {1}\n",
        "01.03.2025, 09:00 - Hanna: {0}\n01.03.2025, 09:01 - Lena: {1}\n",
    ],
)
def test_whatsapp_is_read_in_the_format_of_any_phone(
    lines: str, write: Write, take_in: Callable[..., Kept]
) -> None:
    head = lines.split("Hanna")[0]
    notice = f"{head}Hanna: \u200eMessages and calls are end-to-end encrypted.\n"
    media = f"{head}Hanna: <Media omitted>\n"
    said = lines.format("I live in Graz.\nAnd I like: tea.", "I prefer coffee.")
    kept = take_in(write("WhatsApp Chat with Lena.txt", notice + media + said), me="Hanna")
    first = next(turn for turn in kept.turns if turn.role == "user")
    assert first.text == "I live in Graz.\nAnd I like: tea."
    assert 1_740_819_600_000 <= (first.said_at or 0) <= 1_740_819_610_000
    assert [(t.speaker, t.text) for t in kept.turns if not t.role] == [("Lena", "I prefer coffee.")]
    assert "I live in Graz." in kept.statements("person")
    assert "Lena: I prefer coffee." in kept.statements("import")


def test_a_chat_that_went_on_adds_what_is_new(write: Write, take_in: Callable[..., Kept]) -> None:
    chat = "01.03.25, 09:00 - Hanna: I live in Graz.\n01.03.25, 09:01 - Lena: Good.\n"
    take_in(write("Chat.txt", chat), me="Hanna")
    chat += "02.03.25, 09:01 - Hanna: I keep bees.\n01.04.25, 09:01 - Hanna: I bake bread.\n"
    kept = take_in(write("Chat (1).txt", chat), me="Hanna")
    assert [what for _, what in kept.outcomes] == ["grown", "added"]
    assert kept.said() == ["I keep bees.", "I bake bread."]


def test_slack_has_names_for_ids(write: Write, take_in: Callable[..., Kept]) -> None:
    users = [
        {"id": "U1", "team_id": "T", "name": "hanna", "profile": {"real_name": "Hanna"}},
        {"id": "U2", "team_id": "T", "name": "lena", "profile": {"real_name": "Lena"}},
    ]
    told = "I live in Graz, <@U2> &amp; see <https://example.org|this>"
    messages = [
        {"type": "message", "user": "U1", "ts": "1740819600.000100", "text": told},
        {"type": "message", "subtype": "channel_join", "user": "U2", "ts": "1740819601.0"},
        {"type": "message", "user": "U2", "ts": "1740819602.0", "text": "I prefer coffee."},
    ]
    file = write("slack/users.json", users)
    write("slack/general/2025-03-01.json", messages)
    write("slack/general/2025-03-02.json", [messages[2] | {"ts": "1740906002.0"}])
    kept = take_in(file.parent, me="Hanna")
    assert kept.said() == ["I live in Graz, @Lena & see this (https://example.org)"]
    assert [name for name, _ in kept.outcomes] == [
        "#general on 2025-03-01",
        "#general on 2025-03-02",
    ]
    assert kept.statements("import") == {"Lena: I prefer coffee."}


def test_a_name_that_is_the_word_of_a_role_is_a_name(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    chat = telegram(message(1, "Hanna", "Hello."), message(2, "user", "I live in Oslo."))
    kept = take_in(write("result.json", chat), me="Hanna")
    assert kept.said() == ["Hello."]
    assert kept.statements("person") == set()
