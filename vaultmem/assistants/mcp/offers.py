"""The texts of resources and prompts: a person asked for them, a model reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vaultmem.assistants.mcp.fence import as_data, fence_lines
from vaultmem.assistants.mcp.look_up import recall, shown_text
from vaultmem.assistants.mcp.offer_table import ITEM, MOST_DAYS, PROFILE, REVIEW, USUAL_DAYS
from vaultmem.assistants.mcp.tool_table import LONGEST_TEXT
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, UnknownNoteError
from vaultmem.language import DAY_MS, format_minute

if TYPE_CHECKING:
    from vaultmem.api import Memory

_BUDGET = 2_000  # tokens of the profile: as `vaultmem context` gives without a question
_STATEMENT = 300
NOTHING_WAITS = "Nothing waits for the user."


def resource(memory: Memory, uri: str) -> str:
    """The text of a resource; raises UnknownNoteError for an address that there is not."""
    if uri == PROFILE:
        return memory.context(budget=_BUDGET).text
    if uri == REVIEW:
        return waiting_text(memory)
    if uri.startswith(ITEM) and uri != ITEM:
        return shown_text(memory, uri.removeprefix(ITEM))
    raise UnknownNoteError(f"there is no resource '{as_data(uri, 100)}'")


def waiting_text(memory: Memory) -> str:
    """What waits for the person, with the reasons."""
    found = memory.review.waiting()
    if not found:
        return NOTHING_WAITS
    lines = [
        f"{each.id or each.path} ({each.kind}; {as_data(each.reason, _STATEMENT)}) "
        f"{as_data(each.statement, _STATEMENT)}"
        for each in found
    ]
    return fence_lines(lines)


def prompt(memory: Memory, name: str, arguments: Mapping[str, Any]) -> str:
    """The text of a prompt, as the person's message; raises BadInputError."""
    return _PROMPTS[name](memory, arguments)


def _recall(memory: Memory, arguments: Mapping[str, Any]) -> str:
    query = arguments.get("query")
    if not isinstance(query, str) or not query.strip() or len(query) > LONGEST_TEXT:
        raise BadInputError("the argument 'query' is missing, empty or too long")
    asked = " ".join(query.split())
    return f"Answer this from my memory, and say what you used: {asked}\n\n" + recall(
        memory, {"query": asked, "limit": 10}
    )


def _review(memory: Memory, arguments: Mapping[str, Any]) -> str:
    return (
        "This waits for my decision. Tell me of each what it says and why it waits. I decide "
        "myself, with `vaultmem review`.\n\n" + waiting_text(memory)
    )


def _what_changed(memory: Memory, arguments: Mapping[str, Any]) -> str:
    given = arguments.get("days") or str(USUAL_DAYS)
    days = int(given) if isinstance(given, str) and given.isascii() and given.isdigit() else 0
    if not 1 <= days <= MOST_DAYS:
        raise BadInputError(f"the argument 'days' has to be a number from 1 to {MOST_DAYS:,}")
    zone = memory.settings.timezone
    since = format_minute(memory.parts.clock.now() - days * DAY_MS, zone)
    found = memory.history.diff(since.replace(" ", "T"))
    lines = []
    for each in found.differences:
        if each.type not in ("item", "page"):
            continue
        before = f" (before: {as_data(each.before, _STATEMENT)})" if each.before else ""
        at = format_minute(each.at, zone)
        lines.append(
            f"[{at}; {each.id}; {each.what}] {as_data(each.statement, _STATEMENT)}{before}"
        )
    told = "day" if days == 1 else f"{days} days"
    asked = f"Tell me what my memory learned, changed and dropped in the last {told}."
    return fence_lines(lines, above=(asked, "")) if lines else f"{asked}\n\nNothing changed."


_PROMPTS: Mapping[str, Callable[[Memory, Mapping[str, Any]], str]] = {
    "recall": _recall,
    "review": _review,
    "what-changed": _what_changed,
}
