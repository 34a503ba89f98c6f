"""Tool calls in the text of a turn: a fenced block each, which no reader takes for a statement.

    ```tool
    edit {"path": "src/parser.ts", "new": "..."}
    ```

Long values are cut: what is learned from them is names and habits, not their content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vaultmem.base import Any, dataclass, late
from vaultmem.language import read_instant

LONGEST_VALUE = 2_000  # characters of one value that is kept
MOST_CALLS = 200  # of one turn
_BLOCK = late(r"^(`{3,})tool\n(\S+)(?: (.*))?\n\1$", re.MULTILINE)
_NAME = late(r"[^\w.:/-]+")
_FENCES = late(r"`{3,}")


def with_calls(text: str, message: Mapping[str, Any]) -> str:
    """The text of a message and below it the calls of tools that it makes, if any."""
    written = [_render_call(name, given) for name, given in _calls_in(message)][:MOST_CALLS]
    return "\n\n".join(part for part in (text.strip(), *written) if part)


def calls_in(text: str) -> Iterator[tuple[str, str]]:
    """(name, input) of the calls in the text of a turn, in order."""
    for found in _BLOCK.finditer(text):
        yield found[2], found[3] or ""


def _calls_in(message: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Calls as the usual formats have them: `tool_calls` of functions, or parts of the content."""
    listed = message.get("tool_calls")
    for call in listed if isinstance(listed, list) else ():
        if isinstance(call, dict):
            function = call.get("function")
            yield from _name_and_input(function if isinstance(function, dict) else call)
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield from _name_and_input(part)


def _name_and_input(call: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    name = _NAME.sub("_", str(call.get("name") or "")).strip("_")
    if name:
        yield name, call.get("input", call.get("arguments", ""))


def _render_call(name: str, given: Any) -> str:
    import json  # 2 ms that a text without calls does not need

    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = " ".join(given.split())[:LONGEST_VALUE]
    told = given if isinstance(given, str) else json.dumps(_cut(given), ensure_ascii=False)
    ticks = max((len(run) for run in _FENCES.findall(told)), default=2) + 1
    fence = "`" * max(ticks, 3)
    return f"{fence}tool\n{name} {told}".rstrip() + f"\n{fence}"


def _cut(value: Any, depth: int = 4) -> Any:
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    if isinstance(value, dict):
        kept = list(value.items())[:50] if depth else ()
        return {str(key)[:100]: _cut(inner, depth - 1) for key, inner in kept}
    if isinstance(value, list):
        return [_cut(inner, depth - 1) for inner in value[:50]] if depth else []
    return value


# The list form of a memory, `- [2025-11-03] [importance:8] text`, as other programs write it.

_LINE = r"[-*+][ \t]+(?:\[(\d{4}-\d{2}-\d{2})\][ \t]+)?(?:\[importance:(\d{1,2})\][ \t]+)?(.*)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """A memory with its day and importance, where they were written."""

    text: str
    date: str | None = None  # YYYY-MM-DD, None: not written
    importance: int | None = None  # 1..10, None: not written


def parse_line(line: str) -> MemoryLine | None:
    """A list item taken apart, or None when the line is none.

    Strict: what is not a real day or not 1 to 10 stays part of the text, as does `[x]`.
    """
    found = re.fullmatch(_LINE, line.strip())
    if found is None:
        return None
    date, importance, text = found.groups()
    if date is not None and not _is_day(date):
        return MemoryLine(text=line.strip()[1:].strip())
    if importance is not None and not 1 <= int(importance) <= 10:
        return MemoryLine(text=f"[importance:{importance}] {text}", date=date)
    return MemoryLine(
        text=text, date=date, importance=int(importance) if importance is not None else None
    )


def memory_line(text: str) -> MemoryLine | None:
    """The text of a bullet as a memory with a date or an importance; None when it has neither."""
    if not text.startswith("["):
        return None
    found = parse_line(f"- {text}")
    dated = found is not None and (found.date is not None or found.importance is not None)
    return found if dated else None


def _is_day(text: str) -> bool:
    found = read_instant(text)
    return found is not None and found.granularity == "day"
