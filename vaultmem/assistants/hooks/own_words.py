"""The person's own words of a prompt, and what of a reply may be kept. Pure.

Clients put more into a prompt than was typed: what hooks gave (Gemini CLI sends the memories of our
own SessionStart back in the next prompt), reminders, what stands in the editor. A memory that takes
in what it gave would grow by itself.
"""

from __future__ import annotations

from bisect import bisect_left

from vaultmem.base import late
from vaultmem.context import RULES_OF_USE

LONGEST_PROMPT = 100_000  # characters; what is pasted may be longer, and is no longer talk
LONGEST_REPLY = 4_000  # of the assistant's words; a day of its reports would fill the repository
_FLAGS = 2 | 16  # re.IGNORECASE | re.DOTALL

# What a person marks is never written anywhere; a mark that is not closed reaches to the end.
_PRIVATE = late(r"<private\b[^>]{0,500}>.*?(?:</private\s*>|\Z)", _FLAGS)
_NAMES = (
    r"(hook_context|system-reminder|system_reminder|session_context|environment_context"
    r"|untrusted_context|user_instructions|task-notification|local-command-(?:stdout|stderr|caveat)"
    r"|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|ide_opened_file"
    r"|ide_selection|ide_diagnostics|user-prompt-submit-hook|project_context)"
)
# Beginnings and ends are found apart, and what may be long is bounded: one pattern for both looked
# for its end from each of 60,000 beginnings, for five minutes in which no deadline came through.
_MARK = late(rf"<(?:/{_NAMES}\s{{0,20}}|{_NAMES}\b[^>]{{0,500}})>", _FLAGS)
_MOST_NESTED = 10  # of what was given within what was given; one more pass each
_FENCE = late(r"(?<!`)(?P<fence>`{3,})memory\n.*?(?:\n(?P=fence)(?!`)|\Z)", _FLAGS)
_LINE = late(
    r"^[ \t]*- (?:\[[^\]\n]{0,500}\] ).*"
    r"\[(?:[a-z]-[0-9a-z]{6,60}|\[[^\]\n]{1,300}\])\][ \t]*$",
    8,
)
_COMMAND = late(r"\s*/[a-z][\w:-]*(?:\s|\Z)", _FLAGS)


def own_words(prompt: str) -> str:
    """What the person typed, without what is private or was given; '' for a command."""
    left = kept_words(prompt)
    if _COMMAND.match(left):
        return ""
    return left[:LONGEST_PROMPT]


def kept_words(text: str) -> str:
    """A text without what is private and what we gave."""
    if "<" in text:
        text = _PRIVATE.sub("", text)
        for _ in range(_MOST_NESTED):
            left = _without_given(text)
            if left == text:
                break
            text = left
    text = _FENCE.sub("", text).replace(RULES_OF_USE, "")
    if "[" in text:
        text = _LINE.sub("", text)
    return text.strip()


def _without_given(text: str) -> str:
    """The text without each pair of marks and what is between: from a beginning to the next end.

    A beginning without an end is the person's own words.
    """
    marks = [(found.start(), found.end(), found[1], found[2]) for found in _MARK.finditer(text)]
    ends: dict[str, list[tuple[int, int]]] = {}
    for start, end, closed, _ in marks:
        if closed:
            ends.setdefault(closed.lower(), []).append((start, end))
    kept: list[str] = []
    at = 0
    for start, end, _, opened in marks:
        behind = ends.get(opened.lower(), []) if opened and start >= at else []
        number = bisect_left(behind, (end, 0))
        if number < len(behind):
            kept.append(text[at:start])
            at = behind[number][1]
    return "".join((*kept, text[at:]))


def reply_words(reply: str) -> str:
    """The assistant's words, as far as they are kept."""
    left = kept_words(reply)
    return left if len(left) <= LONGEST_REPLY else f"{left[:LONGEST_REPLY].rstrip()}…"
