"""What the tools do: the vault is opened when the first of them is called.

What reads the memory (recall, history, show, search and fetch as connectors want them) is here;
what writes to it in `write_tools.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from vaultmem import projects
from vaultmem import vault as vaults
from vaultmem.assistants.mcp.fence import as_data, fence_lines
from vaultmem.assistants.mcp.tool_table import (
    ITEM,
    LONGEST_TEXT,
    MOST_DAYS,
    PROFILE,
    REVIEW,
    TOOLS,
    USUAL_DAYS,
    USUAL_HITS,
    require_fit,
)
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, UnknownNoteError, VaultmemError, late
from vaultmem.language import DAY_MS, format_minute, known_day
from vaultmem.model import LIMITED, NO_PROJECT, NOTHING_FOUND, UNTRUSTED, Filters, Item

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import HistoryVersion, Hit, NoteRow, Passage, Shown

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
    return {
        "fetch": fetch,
        "history": history,
        "recall": recall,
        "search": search,
        "show": show,
    }[name]


ADDRESS = "memory://item/"
_CONNECTOR_HITS = 10
_LOOKED_AT = 30  # for as many notes
_ID = late(r"[irq]-[0-9a-z]{4,}")
_MOST_CHAINED = 20  # memories that took each other's place
_MOST_LINKED = 20
_NOTE_LINES = 120


def recall(memory: Memory, arguments: Mapping[str, Any], *, project: str = "") -> str:
    """The memories that answer a question, a line each; or that none does.

    project  in which it is asked; '': in none, and then `scope` changes nothing
    """
    is_narrow = arguments.get("scope") == "project" and project
    answer = memory.recall(
        arguments["query"],
        filters=Filters(projects=(project,)) if is_narrow else None,
        project=project,
        limit=arguments.get("limit", USUAL_HITS),
        as_of=arguments.get("as_of"),
        known_at=arguments.get("known_at"),
    )
    if not answer.hits:
        return NOTHING_FOUND
    zone = memory.settings.timezone
    return fence_lines([hit_line(hit, zone) for hit in answer.hits])


def hit_line(hit: Hit, zone: str) -> str:
    """One answer: when, which note, whose words; what it says; what speaks against it.

    Ours stands first, so that no note can look as if its words were another's.
    """
    note = hit.note
    head = [_when(hit, zone), _name(note), whose(note)]
    if note.status not in ("", "active"):
        head.append(note.status)
    if note.projects:
        head.append(f"project {as_data(', '.join(note.projects), 200)}")
    if note.due is not None:
        head.append(f"due {format_minute(note.due, zone)}")
    remarks = [as_data(hit.doubt, _STATEMENT)] if hit.doubt else []
    remarks += [as_data(each.describe(), _STATEMENT) for each in hit.outdated]
    for rival in hit.rivals:
        remarks.append(f"otherwise: {rival.id} “{as_data(rival.statement, _STATEMENT)}”")
    for later in hit.later:
        remarks.append(f"{later.what} since: “{as_data(later.text, _STATEMENT)}”")
    told = f"[{'; '.join(head)}] {_text_of_hit(hit, zone)}"
    return f"{told} ({'; '.join(remarks)})" if remarks else told


def whose(note: NoteRow) -> str:
    """Whose words a note is, as far as that decides what they are worth."""
    if note.trust == UNTRUSTED:
        return f"untrusted, from {as_data(note.writer, 40) or 'outside'}"
    if note.trust == LIMITED:
        of = {"agent": "an assistant's words", "import": "imported"}
        return of.get(note.writer, "a conversation")
    return "the user's own words"


def _when(hit: Hit, zone: str) -> str:
    note = hit.note
    since = known_day(_begins(hit), zone) or "undated"
    return f"{since} until {known_day(note.valid_until, zone)}" if note.valid_until else since


def _begins(hit: Hit) -> int | None:
    """When an item began to hold; of another note when it was said, as far as that is known.

    A talk of a year in one file has a day for each turn: all were told as of its first day.
    """
    if hit.note.type == "item":
        return hit.note.valid_from
    said = (each.date for each in hit.passages if each.date is not None)
    return next(said, hit.note.date)


def _text_of_hit(hit: Hit, zone: str) -> str:
    """What an item says; of another note its title, and the passages that answer."""
    note = hit.note
    if note.type == "item":
        return as_data(note.statement)
    day = known_day(_begins(hit), zone)
    told = " … ".join(_passage(each, zone, but=day) for each in hit.passages)
    return f"{as_data(note.title, 120)}: {told}"


def _passage(passage: Passage, zone: str, *, but: str) -> str:
    """Its words, who said them, and the day unless that is the one which is told already."""
    day = known_day(passage.date, zone)
    lead = [as_data(passage.speaker, 40)] if passage.speaker else []
    lead += [f"({day})"] if day and day != but else []
    words = f"“{as_data(passage.text, 600)}”"
    return f"{' '.join(lead)}: {words}" if lead else words


def _name(note: NoteRow) -> str:
    return note.id or as_data(str(note.path), 200)


# --- history -----------------------------------------------------------------------------------


def history(memory: Memory, arguments: Mapping[str, Any]) -> str:
    """Every version of what is meant, and of what it took the place of, oldest first."""
    about = arguments["about"].strip()
    ids = [about] if _ID.fullmatch(about) else _answering(memory, about)
    if not ids:
        return NOTHING_FOUND
    versions: dict[tuple[str, str], HistoryVersion] = {}
    for id_ in _chain(memory, ids):
        for each in memory.history.of(id_).versions:
            versions.setdefault((each.commit, each.id or str(each.path)), each)
    zone = memory.settings.timezone
    told = sorted(versions.values(), key=lambda each: (each.recorded_at or 0, each.id))
    return fence_lines([version_line(each, zone) for each in told])


def _answering(memory: Memory, question: str) -> list[str]:
    """The id of what answers a question best, if it is a note with one."""
    hits = memory.recall(question, limit=USUAL_HITS).hits
    return [hit.note.id for hit in hits if hit.note.id][:1]


def _chain(memory: Memory, ids: Sequence[str]) -> list[str]:
    """These items, and those that took their place or whose place they took, step by step."""
    vault = memory.opened
    found = dict.fromkeys(ids)
    waiting = list(found)
    while waiting and len(found) < _MOST_CHAINED:
        for row in vault.index.notes_with_id(waiting.pop(0)):
            item = vaults.read_record(vault, row.path)
            links = (*item.supersedes, *item.superseded_by) if isinstance(item, Item) else ()
            rows = (vault.index.resolve_link(link) for link in links)
            new = [each.id for each in rows if each is not None and each.id not in found]
            found.update(dict.fromkeys(new))
            waiting += new
    return list(found)


def version_line(version: HistoryVersion, zone: str) -> str:
    """What was known from when on, which commit brought it, and for when it says to hold."""
    at = "not committed yet"
    if version.recorded_at is not None:
        at = f"{format_minute(version.recorded_at, zone)} commit {version.commit[:8]}"
    by = " by ".join(each for each in (version.op, version.actor) if each)
    held = f"holds from {known_day(version.valid_from, zone) or 'ever'}"
    held += f" until {known_day(version.valid_until, zone)}" if version.valid_until else ""
    gone = ", then taken out" if version.is_gone else ""
    name = version.id or str(version.path)
    said = as_data(version.statement, _STATEMENT)
    return f"[{at}, {by}; {name}; {version.status or 'active'}; {held}{gone}] {said}"


# --- one note ----------------------------------------------------------------------------------


def show(memory: Memory, arguments: Mapping[str, Any]) -> str:
    """A note, the passage that it was taken from, and what it is linked with."""
    return shown_text(memory, arguments["id"])


def shown_text(memory: Memory, ref: str) -> str:
    """One note in full, as data; raises UnknownNoteError."""
    shown = memory.show(ref)
    note = shown.note
    zone = memory.settings.timezone
    lines = [f"{_name(note)} ({note.kind or note.type}; {whose(note)}; {note.status or 'active'})"]
    body = [as_data(line) for line in shown.text.splitlines()]
    lines += [line for line in body if line][:_NOTE_LINES]
    lines += _source_lines(memory, shown, zone)
    links = memory.ranking.links(ref) if note.id else None
    if links is not None:
        both = (("links to", links.outgoing), ("linked by", links.incoming))
        for how, rows in both:
            for each in rows[:_MOST_LINKED]:
                said = as_data(each.note.statement or each.note.title, 120)
                lines.append(f"{how} ({each.relation}) {_name(each.note)}: “{said}”")
    return fence_lines(lines)


def _source_lines(memory: Memory, shown: Shown, zone: str) -> Iterator[str]:
    """Where it was taken from, with the passage that has its words."""
    quote = " ".join(shown.note.quote.split())
    for row in shown.sources:
        passages = memory.opened.index.passages(row.path)
        told = [each for each in passages if quote and quote in " ".join(each.text.split())]
        day = known_day(row.date, zone)
        words = f": {_passage(told[0], zone, but=day)}" if told else ""
        yield f"from {_name(row)} of {day or 'no known day'}{words}"


# --- as connectors want it ---------------------------------------------------------------------


def search(memory: Memory, arguments: Mapping[str, Any], *, project: str = "") -> str:
    """`{"results": [{id, title, url}]}`, as one text."""
    hits = memory.recall(arguments["query"], limit=_LOOKED_AT, project=project).hits
    # Each day of a long talk is a hit: a year of it was the same note ten times, and nothing else.
    notes = list({_name(hit.note): hit.note for hit in hits}.items())[:_CONNECTOR_HITS]
    found = [
        {
            "id": name,
            "title": as_data(note.statement or note.title, 200),
            "url": f"{ADDRESS}{name}",
        }
        for name, note in notes
    ]
    return json.dumps({"results": found}, ensure_ascii=False)


def fetch(memory: Memory, arguments: Mapping[str, Any]) -> str:
    """`{id, title, text, url, metadata}`, as one text."""
    ref = arguments["id"].removeprefix(ADDRESS)
    note = memory.show(ref).note
    found = {
        "id": _name(note),
        "title": as_data(note.statement or note.title, 200),
        "text": shown_text(memory, ref),
        "url": f"{ADDRESS}{_name(note)}",
        "metadata": {"whose": whose(note), "status": note.status or "active"},
    }
    return json.dumps(found, ensure_ascii=False)
