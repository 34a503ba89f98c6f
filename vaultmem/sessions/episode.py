"""The sentence that stands for a conversation that ended, and how it is known again."""

from __future__ import annotations

import re

_SHAPE = re.compile(r"Conversation '[^\n]*'(?: on \d{4}-\d\d-\d\d)?, \d+ turns?(?:[;.…]|\Z)")


def beginning(title: str, day: str, turns: int) -> str:
    """How the statement of an episode begins; day: YYYY-MM-DD, '' when nobody knows."""
    when = f" on {day}" if day else ""
    return f"Conversation '{title}'{when}, {turns} turn{'s' if turns > 1 else ''}"


def is_episode(statement: str) -> bool:
    """Whether a statement begins as those of conversations do."""
    return _SHAPE.match(statement) is not None
