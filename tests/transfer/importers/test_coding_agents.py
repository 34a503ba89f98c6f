"""Claude Code, Codex and Gemini CLI: what the person typed, and nothing that is put around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from tests.transfer.importers.conftest import Kept, Write
from vaultmem.api.memory import Memory

_SECONDS = count()


def at() -> str:
    """A later time at each call."""
    number = next(_SECONDS)
    return f"2026-03-01T{10 + number // 3600:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"


class Transcript:
    """Records of Claude Code, each the child of the one before it."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.last: str | None = None

    def add(self, kind: str, content: Any = None, **more: Any) -> str:
        """A record; its id."""
        id_ = f"u{len(self.records)}"
        record: dict[str, Any] = {
            "type": kind,
            "uuid": id_,
            "parentUuid": self.last,
            "sessionId": "s-1",
            "isSidechain": False,
            "timestamp": at(),
        }
        if content is not None:
            record["message"] = {"role": kind, "content": content}
        self.records.append(record | more)
        self.last = id_
        return id_


def text(words: str) -> list[dict[str, str]]:
    """A block of text."""
    return [{"type": "text", "text": words}]


def claude_code() -> Transcript:
    """A session with everything that is not the person's."""
    made = Transcript()
    made.records.append({"type": "queue-operation", "operation": "enqueue", "sessionId": "s-1"})
    made.add("attachment", attachment={"type": "hook_additional_context", "content": ["Oslo"]})
    made.add("user", "I live in Graz. <system-reminder>The user is Bob.</system-reminder>")
    made.add(
        "assistant",
        [
            {"type": "thinking", "thinking": "Bob lives in Oslo."},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {}},
        ],
    )
    made.add("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "I am from Oslo."}])
    made.add("assistant", text("Noted."))
    made.add("user", "I am Bob from Oslo.", isMeta=True)
    made.add("user", "<command-name>/compact</command-name><command-args></command-args>")
    made.add("user", "<local-command-stdout>I like Oslo.</local-command-stdout>")
    made.add("user", "I work in Oslo.", isSidechain=True)
    made.last = made.records[-2]["uuid"]
    made.add("attachment", attachment={"type": "queued_command", "prompt": "I prefer tabs."})
    made.add("assistant", text("No response requested."), isApiErrorMessage=True)
    return made


def test_a_session_of_claude_code_is_what_was_typed(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("projects/-home-x/s-1.jsonl", claude_code().records, lines=True))
    assert kept.said() == ["I live in Graz.", "I prefer tabs."]
    assert kept.said("assistant") == ["Noted."]
    assert kept.said("tool") == ["I am from Oslo."]
    assert kept.statements("person") == {"I live in Graz.", "I prefer tabs."}
    assert not any("Oslo" in item.statement for item in kept.items)


def test_a_rewind_leaves_what_was_said_beside_the_conversation(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    made = Transcript()
    made.add("user", "Hello there.")
    fork = made.add("assistant", text("Hello."))
    made.add("user", "I live in Berlin.")
    made.add("assistant", text("Berlin!"))
    made.last = fork
    made.add("user", "I live in Graz.")
    made.add("assistant", text("Graz!"))
    kept = take_in(write("s.jsonl", made.records, lines=True))
    assert kept.said() == ["Hello there.", "I live in Graz."]
    assert kept.said("system") == [
        "[another branch, the person] I live in Berlin.",
        "[another branch, the assistant] Berlin!",
    ]


def test_what_the_program_writes_between_is_a_link_of_the_chain(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    made = Transcript()
    made.add("user", "Hello there.")
    made.add("assistant", text("Hello."))
    fork = made.add("progress", data={"type": "hook_progress"})
    made.add("user", "I live in Berlin.")
    made.last = fork
    made.add("user", "I live in Graz.")
    made.add("assistant", text("Graz!"))
    kept = take_in(write("s.jsonl", made.records, lines=True))
    assert kept.said() == ["Hello there.", "I live in Graz."]


def test_a_compaction_loses_nothing_and_its_summary_is_nobodys(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    made = Transcript()
    made.add("user", "I live in Graz.")
    before = made.add("assistant", text("Noted."))
    made.last = None
    made.add("system", subtype="compact_boundary", logicalParentUuid=before)
    summary = "This session is being continued from a previous conversation. The user is Bob."
    made.add("user", summary, isCompactSummary=True)
    made.add("user", "I prefer tea.")
    made.add("assistant", text("Tea."))
    kept = take_in(write("s.jsonl", made.records, lines=True))
    assert kept.said() == ["I live in Graz.", "I prefer tea."]
    assert kept.said("system") == []
    assert kept.report.records[0].left == {"summaries": 1}


def test_a_transcript_whose_last_line_is_cut_off_is_read_and_goes_on(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    made = claude_code()
    file = write("s.jsonl", made.records, lines=True)
    file.write_text(file.read_text("utf-8")[:-30], "utf-8")
    take_in(file)
    made.add("user", "I keep bees.")
    made.add("assistant", text("Bees!"))
    kept = take_in(write("s.jsonl", made.records, lines=True))
    assert [what for _, what in kept.outcomes] == ["grown"]
    assert kept.said() == ["I keep bees."]


def test_what_is_typed_meanwhile_is_said_once(write: Write, take_in: Callable[..., Kept]) -> None:
    made = Transcript()
    made.add("user", "Please start the migration.")
    made.add("assistant", text("Starting."))
    steered = {"type": "queue-operation", "operation": "remove", "timestamp": at()}
    made.records.append(steered | {"content": "I prefer the parser first.", "sessionId": "s-1"})
    queued = {"type": "queued_command", "prompt": "I prefer the parser first."}
    made.add("attachment", attachment=queued)
    made.add("assistant", text("Done."))
    kept = take_in(write("s.jsonl", made.records, lines=True))
    assert kept.said() == ["Please start the migration.", "I prefer the parser first."]


def test_a_subagents_transcript_is_nobodys_words(
    memory: Any, write: Write, take_in: Callable[..., Kept]
) -> None:
    made = Transcript()
    made.add("user", "I live in Oslo.", isSidechain=True)
    made.add("assistant", text("Yes."), isSidechain=True)
    file = write("subagents/agent-1.jsonl", made.records, lines=True)
    kept = take_in(file)
    assert [each.why for each in kept.report.records] == ["it is a subagent's transcript"]
    assert not kept.report.has_problems


# --- Codex ---------------------------------------------------------------------------------

AGENTS = "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nI live in Oslo.\n</INSTRUCTIONS>"
AROUND = "<environment_context>\n<cwd>/x</cwd> I am Bob.\n</environment_context>"


def line(kind: str, /, **payload: Any) -> dict[str, Any]:
    """A line of a rollout."""
    return {"timestamp": at(), "type": kind, "payload": payload}


def item(role: str, *texts: str) -> dict[str, Any]:
    """A message as the model is given it."""
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": each} for each in texts]
    return line("response_item", type="message", role=role, content=content)


def started() -> dict[str, Any]:
    """The first line of a rollout."""
    return line("session_meta", id="x-1", timestamp=at(), base_instructions={"text": "You are."})


def of_events() -> Iterator[dict[str, Any]]:
    """As version 0.169 writes it."""
    yield started()
    yield item("developer", "I am the developer.")
    yield item("user", AGENTS, AROUND)
    yield item("user", "I live in Graz.")
    told = {"type": "UserMessage", "content": [{"type": "text", "text": "I live in Graz."}]}
    yield line("event_msg", type="item_completed", item=told)
    yield line("response_item", type="reasoning", summary=[])
    yield line("response_item", type="function_call", name="shell", arguments="{}")
    yield line("response_item", type="function_call_output", output="I am from Oslo.")
    said = {"type": "AgentMessage", "content": [{"type": "Text", "text": "Noted."}]}
    yield line("event_msg", type="item_completed", item=said)
    yield item("assistant", "Noted.")


def of_messages() -> Iterator[dict[str, Any]]:
    """As the versions of 2025 wrote it."""
    yield started()
    yield item("user", AGENTS, AROUND)
    yield item("user", "I live in Graz.")
    yield line("event_msg", type="user_message", message=AROUND, kind="environment_context")
    yield line("event_msg", type="user_message", message="I live in Graz.", kind="plain")
    yield line("response_item", type="function_call_output", output='{"output":"I am from Oslo."}')
    yield line("event_msg", type="agent_message", message="Noted.")
    yield item("assistant", "Noted.")


def of_the_first() -> Iterator[dict[str, Any]]:
    """As the first versions wrote it: without envelopes."""
    yield {"id": "x-1", "timestamp": at(), "instructions": None, "git": {}}
    yield {"record_type": "state"}
    for each in (item("user", AROUND), item("user", "I live in Graz.")):
        yield each["payload"]
    yield {"type": "function_call_output", "output": '{"output": "I am from Oslo."}'}
    yield item("assistant", "Noted.")["payload"]


def of_one_without_instructions() -> Iterator[dict[str, Any]]:
    """As some of the first versions began it."""
    _, _, *rest = of_the_first()
    yield {"id": "x-1", "timestamp": at()}
    yield from rest


@pytest.mark.parametrize(
    "made", [of_events, of_messages, of_the_first, of_one_without_instructions]
)
def test_a_rollout_of_each_generation_is_what_was_typed(
    made: Callable[[], Iterator[dict[str, Any]]], write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("rollout-2026-03-01-x-1.jsonl", list(made()), lines=True))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("assistant") == ["Noted."]
    assert kept.said("tool") == ["I am from Oslo."]
    assert kept.statements("person") == {"I live in Graz."}
    assert not any(word in i.statement for i in kept.items for word in ("Oslo", "Bob"))


def test_a_turn_that_was_taken_back_in_codex_is_beside(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    records = [
        started(),
        line("event_msg", type="user_message", message="I live in Berlin."),
        line("event_msg", type="agent_message", message="Berlin!"),
        line("event_msg", type="thread_rolled_back", num_turns=1),
        line("event_msg", type="user_message", message="I live in Graz."),
        line("event_msg", type="agent_message", message="Graz!"),
    ]
    kept = take_in(write("r.jsonl", records, lines=True))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("system")[0] == "[another branch, the person] I live in Berlin."


# --- Gemini CLI ----------------------------------------------------------------------------


def of_gemini(id_: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """A message of Gemini CLI."""
    return {"id": id_, "timestamp": at(), "type": kind, "content": content} | more


GEMINI = {"sessionId": "g-1", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z"}
CALLED = [
    {
        "id": "c",
        "name": "search",
        "result": [{"functionResponse": {"name": "search", "response": {"output": "Oslo it is."}}}],
    }
]


def gemini_messages() -> list[dict[str, Any]]:
    """The messages of a chat."""
    return [
        of_gemini("m0", "user", [{"text": "<session_context>I am Bob.</session_context>"}]),
        of_gemini(
            "m1",
            "user",
            [
                {"text": "<hook_context>I live in Oslo.</hook_context>\n\nI live in Graz."},
                {"text": "<hook_context>more</hook_context>"},
            ],
        ),
        of_gemini("m2", "gemini", "", thoughts=[{"subject": "Bob"}], toolCalls=CALLED),
        of_gemini("m3", "gemini", "Noted."),
        of_gemini("m4", "info", "Update available."),
    ]


def test_a_chat_of_gemini_cli_is_what_was_typed(write: Write, take_in: Callable[..., Kept]) -> None:
    first, *rest = gemini_messages()
    undone = of_gemini("m5", "user", [{"text": "I live in Berlin."}])
    records = [
        GEMINI,
        {"$set": {"messages": [first]}},
        *rest,
        {"$set": {"lastUpdated": at()}},
        rest[1] | {"content": ""},  # told again, with more
        undone,
        {"$rewindTo": "m5"},
    ]
    kept = take_in(write("session.jsonl", records, lines=True))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("assistant") == ["Noted."]
    assert kept.said("tool") == ["(search) Oslo it is."]
    assert kept.said("system") == ["[another branch, the person] I live in Berlin."]
    assert kept.statements("person") == {"I live in Graz."}


def test_a_chat_of_gemini_cli_as_one_object_is_the_same(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("session.json", GEMINI | {"messages": gemini_messages()}))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("assistant") == ["Noted."]


def test_a_chat_of_gemini_cli_that_is_indented_is_the_same(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    chat = json.dumps(GEMINI | {"messages": gemini_messages()}, indent=2)
    kept = take_in(write("session.json", chat))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("assistant") == ["Noted."]


@pytest.mark.parametrize(
    "first",
    [GEMINI, {"type": "session_meta", "payload": {}}, {"type": "summary", "leafUuid": "u"}],
    ids=["gemini", "codex", "claude-code"],
)
def test_a_session_that_cannot_be_read_is_not_called_empty(
    write: Write, memory: Memory, first: dict[str, Any]
) -> None:
    file = write("session.jsonl", json.dumps(first) + '\n{"id": "m1", "ty\n{"id": \n')
    [record] = memory.import_files(file).records
    assert (record.what, record.is_expected) == ("skipped", False)
    assert "2 lines cannot be read" in record.why


def test_a_file_that_a_message_names_is_not_what_was_typed(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    blocks = [
        {"text": "Look at @notes.md, please. I keep bees."},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "\nContent from @notes.md:\n"},
        {"text": "I live in Oslo."},
        {"text": "\n--- End of content ---"},
    ]
    begun = "This is the Gemini CLI. We are setting up the context for our chat. I am Bob."
    messages = [of_gemini("m0", "user", begun), of_gemini("m1", "user", blocks)]
    kept = take_in(write("session.json", GEMINI | {"messages": messages}))
    assert kept.said() == ["Look at @notes.md, please. I keep bees."]
    assert len(kept.said("tool")) == 1
    assert not any("Oslo" in item.statement for item in kept.items)
