"""The person's own words of a prompt, and what of a reply may be kept. Pure.

Clients put more into a prompt than was typed: what hooks gave (Gemini CLI sends the memories of our
own SessionStart back in the next prompt), reminders, what stands in the editor. A memory that takes
in what it gave would grow by itself.
"""

from __future__ import annotations

from vaultmem.base import late
from vaultmem.context import RULES_OF_USE

LONGEST_PROMPT = 100_000  # characters; what is pasted may be longer, and is no longer talk
LONGEST_REPLY = 4_000  # of the assistant's words; a day of its reports would fill the repository
_FLAGS = 2 | 16  # re.IGNORECASE | re.DOTALL

# What a person marks is never written anywhere; a mark that is not closed reaches to the end.
_PRIVATE = late(r"<private\b[^>]*>.*?(?:</private\s*>|\Z)", _FLAGS)
_GIVEN = late(
    r"<(hook_context|system-reminder|system_reminder|session_context|environment_context"
    r"|untrusted_context|user_instructions|task-notification|local-command-(?:stdout|stderr|caveat)"
    r"|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|ide_opened_file"
    r"|ide_selection|ide_diagnostics|user-prompt-submit-hook|project_context)\b[^>]*>"
    r".*?</\1\s*>",
    _FLAGS,
)
_FENCE = late(r"(?P<fence>`{3,})memory\n.*?(?:\n(?P=fence)(?!`)|\Z)", _FLAGS)
_LINE = late(r"^[ \t]*- (?:\[[^\]\n]*\] ).*\[(?:[a-z]-[0-9a-z]{6,}|\[[^\]\n]+\])\][ \t]*$", 8)
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
        while (left := _GIVEN.sub("", text)) != text:  # one may stand in another
            text = left
    text = _FENCE.sub("", text).replace(RULES_OF_USE, "")
    if "[" in text:
        text = _LINE.sub("", text)
    return text.strip()


def reply_words(reply: str) -> str:
    """The assistant's words, as far as they are kept."""
    left = kept_words(reply)
    return left if len(left) <= LONGEST_REPLY else f"{left[:LONGEST_REPLY].rstrip()}…"
