"""What coding agents put around and between the person's words, taken out again. Pure.

A message of role "user" is often not the person's: reminders, results of commands, summaries, the
context that hooks add (our own, too: a memory that reads what it injected eats itself).
"""

from __future__ import annotations

from vaultmem.base import late
from vaultmem.sessions import without_preamble

_INJECTED = (
    "system-reminder|hook_context|session_context|environment_context|user_instructions|ide_opened_file"
    "|ide_selection|ide_diagnostics|local-command-caveat|local-command-stdout|local-command-stderr"
    "|bash-stdout|bash-stderr|user-prompt-submit-hook|task-notification|teammate-message|INSTRUCTIONS"
    "|permissions instructions|skills_instructions|apps_instructions|plugins_instructions"
    "|collaboration_mode|untrusted_context|turn_aborted|subagent_notification|memory-context"
    "|vaultmem-context|mcp-resource|new-diagnostics|model_switch|tools-used-before-summary"
)
# An element that is not closed goes to the end: rather too little is the person's than too much.
_ELEMENT = late(rf"<({_INJECTED})(?:\s[^>]*)?>.*?(?:</\1>|\Z)", 16)  # DOTALL
_COMMAND = late(r"<command-(name|message|args|contents)>(.*?)</command-\1>", 16)
_TYPED = late(r"<(bash-input|user-memory-input)>(.*?)</\1>", 16)


def own_words(text: str) -> str:
    """What the person typed of a message of role "user"; '' where all of it is the program's.

    A slash command with words behind it is told as it was typed; one alone says nothing.
    """
    text = without_preamble(text)
    if "<" in text:
        text = _ELEMENT.sub("", text)
        text = _TYPED.sub(lambda found: found[2], text)
        text = _without_command(text)
    return text.strip()


def _without_command(text: str) -> str:
    parts = {found[1]: found[2].strip() for found in _COMMAND.finditer(text)}
    if not parts:
        return text
    rest = _COMMAND.sub("", text).strip()
    arguments = parts.get("args", "")
    typed = f"{parts.get('name', '')} {arguments}".strip() if arguments else ""
    return "\n\n".join(each for each in (typed, rest) if each)
