"""What a summariser answered, read as untrusted text."""

from __future__ import annotations

import json
import re
from typing import Any

from vaultmem.base.records import dataclass
from vaultmem.sessions.truth import Diff

MOST_ENTRIES = 50
"""Entries of each kind that are read: a turn that changes more is no turn but an attack."""
LONGEST_ENTRY = 600
"""Characters of an entry; a longer one is no fact."""

DIFF_KEYS = ("remove", "update", "add", "hard", "tasks", "done")

_FENCED = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)\n?```", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A turn in short, and what it changes."""

    user: str
    assistant: str
    diff: Diff = Diff()
    topic: str = ""


def read_summary(reply: str) -> Summary | None:
    """The summary in a reply; None when it is malformed.

    JSON, alone or inside a fence; keys that miss are empty, keys that we do not know are left
    alone, a value of the wrong type makes it malformed.
    """
    found = read_object(reply)
    if found is None:
        return None
    user, assistant = found.get("user_summary", ""), found.get("assistant_summary", "")
    diff = read_diff(found.get("diff", {}))
    if not isinstance(user, str) or not isinstance(assistant, str) or diff is None:
        return None
    if not (user.strip() or assistant.strip() or "diff" in found):
        return None
    topic = found.get("topic", "")
    return Summary(
        user=user, assistant=assistant, diff=diff, topic=topic if isinstance(topic, str) else ""
    )


def read_diff(found: object) -> Diff | None:
    """A diff of parsed JSON; None when it is malformed."""
    if found is None:
        return Diff()
    if not isinstance(found, dict):
        return None
    lists = {key: _texts(found.get(key)) for key in DIFF_KEYS}
    read = {key: texts for key, texts in lists.items() if texts is not None}
    return Diff(**read) if len(read) == len(lists) else None


def read_object(reply: str) -> dict[str, Any] | None:
    """The JSON object of a reply, inside a fence or between other words; None: there is none."""
    fenced = _FENCED.search(reply)
    start, end = reply.find("{"), reply.rfind("}")
    candidates = [reply, fenced[1] if fenced else "", reply[start : end + 1] if start >= 0 else ""]
    for text in candidates:
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(loaded, dict):
            return loaded
    return None


def _texts(found: object) -> tuple[str, ...] | None:
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        return None
    if len(found) > MOST_ENTRIES or any(len(each) > LONGEST_ENTRY for each in found):
        return None
    return tuple(found)
