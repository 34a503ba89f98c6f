"""AI Studio's files and the activity of Gemini that Takeout exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.transfer.importers.conftest import Kept, Write


def test_a_chat_of_ai_studio_has_no_thoughts_and_no_system(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    chat: dict[str, Any] = {
        "runSettings": {"model": "models/gemini"},
        "systemInstruction": {"text": "I live in Oslo."},
        "chunkedPrompt": {
            "chunks": [
                {
                    "text": "I live in Graz.",
                    "role": "user",
                    "createTime": "2025-03-01T09:00:00.000Z",
                },
                {"text": "The user is Bob.", "role": "model", "isThought": True},
                {"driveDocument": {"id": "abc"}, "role": "user"},
                {"text": "Noted.", "role": "model"},
            ],
            "pendingInputs": [{"text": "", "role": "user"}],
        },
    }
    kept = take_in(write("Cake", chat))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("assistant") == ["Noted."]
    assert kept.statements("person") == {"I live in Graz."}
    chat["chunkedPrompt"]["chunks"] += [{"text": "I prefer tea.", "role": "user"}]
    assert take_in(write("Cake", chat)).said() == ["I prefer tea."]


def entry(day: str, title: str, html: str = "", header: str = "Gemini Apps") -> dict[str, Any]:
    """An entry of an activity."""
    found: dict[str, Any] = {"header": header, "title": title, "time": f"2025-03-{day}:00.123Z"}
    return found | ({"safeHtmlItem": [{"html": html}]} if html else {})


def test_the_prompts_of_a_day_are_one_conversation(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    older = [
        entry("01T10:00", "Prompted I prefer tea.", "<p>Tea &amp; <b>cake</b>.</p><ul><li>x</ul>"),
        entry("01T09:00", "Prompted I live in Graz.", "<script>I am Bob</script><p>Noted.</p>"),
        entry("01T08:00", "Used Gemini Apps"),
        entry("01T07:00", "Watched I live in Oslo", header="YouTube"),
    ]
    kept = take_in(write("MyActivity.json", older))
    assert kept.said() == ["I live in Graz.", "I prefer tea."]
    assert kept.said("assistant") == ["Noted.", "Tea & cake.\n\n- x"]
    assert kept.report.records[0].left == {"no prompts": 1, "of other products": 1}
    later = [entry("02T09:00", "Prompted I keep bees."), *older]
    assert take_in(write("MyActivity.json", later)).said() == ["I keep bees."]
