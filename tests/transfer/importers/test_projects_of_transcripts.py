"""What a coding assistant was told in a repository is of that project after an import, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.projects.repositories import HERON, with_remote
from tests.transfer.importers.conftest import Kept, Write
from tests.transfer.importers.test_coding_agents import Transcript, at

SAID = "Our tests run with pytest. I live in Graz."


def of_claude(folder: str) -> list[dict[str, Any]]:
    made = Transcript()
    made.add("user", SAID, cwd=folder, gitBranch="main")
    made.add("assistant", [{"type": "text", "text": "Noted."}], cwd=folder)
    return made.records


def of_codex(folder: str, **git: str) -> list[dict[str, Any]]:
    meta = {"id": "c-1", "timestamp": at(), "cwd": folder, "git": git}
    typed = {"type": "user_message", "message": SAID}
    return [
        {"timestamp": at(), "type": "session_meta", "payload": meta},
        {"timestamp": at(), "type": "event_msg", "payload": typed},
    ]


def of_gemini(folder: str) -> list[dict[str, Any]]:
    context = f"<session_context>\n- **Workspace Directories:**\n  - {folder}\n</session_context>"
    return [
        {"sessionId": "g-1", "projectHash": "0", "startTime": at(), "kind": "main"},
        {"$set": {"messages": [{"id": "m0", "type": "user", "content": [{"text": context}]}]}},
        {"id": "m1", "timestamp": at(), "type": "user", "content": [{"text": SAID}]},
    ]


def projects(kept: Kept) -> dict[str, tuple[str, ...]]:
    """Of the texts, and of each item by what it says."""
    told = {item.statement: item.projects for item in kept.items}
    texts = [row.projects for row in kept.memory.list() if row.type == "resource"]
    return {**told, "the text": texts[0]}


HERE = {"the text": (HERON,), "Our tests run with pytest.": (HERON,), "I live in Graz.": ()}


@pytest.mark.parametrize("of", [of_claude, of_codex, of_gemini])
def test_a_folder_that_is_there_says_which_repository_it_is(
    tmp_path: Path, write: Write, take_in: Callable[..., Kept], of: Callable[..., Any]
) -> None:
    folder = with_remote(tmp_path / "checkout", f"https://{HERON}")
    kept = take_in(write("rollout-s.jsonl", of(str(folder)), lines=True))
    assert projects(kept) == HERE


def test_a_rollout_of_another_machine_names_the_remote_itself(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    url = f"https://ada:secret@{HERON}.git"
    records = of_codex("/Users/ada/elsewhere", repository_url=url, branch="main")
    assert projects(take_in(write("rollout-s.jsonl", records, lines=True))) == HERE


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("/Users/ada/code/heron", ("heron",)),
        ("C:\\Users\\ada\\code\\heron", ("heron",)),
        ("/home/ada", ()),
        ("/tmp-that-is-gone", ()),
    ],
)
def test_of_a_folder_that_is_gone_the_name_is_left(
    write: Write, take_in: Callable[..., Kept], folder: str, told: tuple[str, ...]
) -> None:
    kept = take_in(write("s.jsonl", of_claude(folder), lines=True))
    assert projects(kept)["the text"] == told
