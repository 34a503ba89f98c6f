"""What the tools do: the vault is opened when the first of them is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vaultmem import projects
from vaultmem.assistants.mcp.fence import as_data, fence_lines
from vaultmem.assistants.mcp.look_up import recall, shown_text
from vaultmem.assistants.mcp.tool_table import (
    ITEM,
    LONGEST_TEXT,
    MOST_DAYS,
    PROFILE,
    REVIEW,
    TOOLS,
    USUAL_DAYS,
    require_fit,
)
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, UnknownNoteError, VaultmemError
from vaultmem.language import DAY_MS, format_minute
from vaultmem.model import NO_PROJECT

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
    since = format_minute(memory.opened.clock.now() - days * DAY_MS, zone)
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

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.assistants.mcp.write_tools import Question

    Doing = Callable[..., str | Question]  # of a Memory, the arguments, for some the project


_IN_A_PROJECT = ("recall", "remember", "search")


class RefusedError(VaultmemError):
    """What an operation says against a call; its words may be those of a note."""


class AnsweredError(VaultmemError):
    """What a tool answers to a call that fails, to the letter: the message is all of it."""


class Desk:
    """The tools over one vault. Like a `Memory` it belongs to the thread that uses it.

    client   the assistant whose files `memory` shows; '': the one that says so of itself
    project  a name, `none`, or `auto` for that of the folder
    folder   in which the assistant works; '': nobody knows
    """

    def __init__(
        self,
        open_memory: Callable[[], Memory],
        *,
        client: str = "",
        project: str = NO_PROJECT,
        folder: str = "",
    ) -> None:
        self._open = open_memory
        self._client = client
        self._choice = project
        self._folder = folder
        self._chosen: str | None = None  # None: nobody needed it yet
        self._opened: Memory | None = None  # None: nothing was asked yet

    def call(self, name: str, arguments: Mapping[str, Any], *, client: str = "") -> str | Question:
        """What a tool answers: a text, or a question to the person.

        client  what the assistant that calls says its name is
        raises BadInputError  arguments that it does not take
               RefusedError   what the vault says against it
               AnsweredError  what `memory` says against it
               VaultmemError  the vault does not open
        """
        require_fit(TOOLS[name]["inputSchema"], arguments)
        given = {key: value for key, value in arguments.items() if value is not None}
        memory = self._memory()
        if name == "memory":  # its texts are those of the tool that it stands for: no fence
            answer = memory.agents.run(given, client=self._client or client)
            if answer.is_error:
                raise AnsweredError(answer.text)
            return answer.text
        try:
            if name in _IN_A_PROJECT:
                return doing(name)(memory, given, project=self._project(memory))
            return doing(name)(memory, given)
        except BadInputError as error:
            raise RefusedError(error.message, hint=error.hint) from error

    def read(self, uri: str) -> str:
        """The text of a resource; raises UnknownNoteError, VaultmemError."""
        return resource(self._memory(), uri)

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The text of a prompt; raises BadInputError, VaultmemError."""
        return prompt(self._memory(), name, arguments)

    def close(self) -> None:
        """Close the vault, if it was opened."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _project(self, memory: Memory) -> str:
        """The project that the assistant works in; '' for none."""
        if self._choice == NO_PROJECT or (self._choice == projects.AUTO and not self._folder):
            return ""
        if self._chosen is None:
            self._chosen = projects.chosen_project(self._choice, self._folder, memory.settings)
        return self._chosen

    def _memory(self) -> Memory:
        if self._opened is None:
            self._opened = self._open()
        return self._opened


def doing(name: str) -> Doing:
    """The function of a tool; only its module is loaded."""
    if name in ("change", "forget", "remember"):
        from vaultmem.assistants.mcp import write_tools  # saves 5 modules

        return {
            "change": write_tools.change,
            "forget": write_tools.forget,
            "remember": write_tools.remember,
        }[name]
    from vaultmem.assistants.mcp import look_up  # saves 2 modules

    return {
        "fetch": look_up.fetch,
        "history": look_up.history,
        "recall": look_up.recall,
        "search": look_up.search,
        "show": look_up.show,
    }[name]
