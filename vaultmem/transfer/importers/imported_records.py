"""What a reader of an export yields: conversations, notes, and what could not be read. Pure.

Whose words a turn is, is its role: `user` is the person, `assistant` the other program, `tool` a
stranger (results of tools, attachments), `system` what belongs to no side of the conversation as
it was last (other branches, summaries). Between people the others have a `speaker` and no role.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import TYPE_CHECKING, BadInputError, dataclass, field, late
from vaultmem.language import read_instant
from vaultmem.model import Turn, pluralise
from vaultmem.sessions import without_preamble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.transfer.importers.inputs import Input

LONGEST_TOOL_RESULT = 2_000
"""Characters of a tool's result that are kept: a coding session prints megabytes of files."""
LONGEST_ATTACHMENT = 20_000
"""Characters of an attachment's text that are kept: what it is about, and not a second library."""
OTHER_BRANCH = "[another branch, {who}]"
_WHO = {"user": "the person", "assistant": "the assistant", "tool": "a tool"}
PERSON, AGENT, STRANGER = "person", "agent", "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One conversation, as its current branch tells it."""

    product: str  # as people call it: 'ChatGPT'
    id: str  # of the conversation in that product; the same in its next export
    title: str  # '': it has none
    turns: tuple[Turn, ...]
    beside: tuple[Turn, ...] = ()  # other branches and subagents: kept, and nobody's statement
    date: int | None = None  # when it began, UTC ms
    folder: str = ""  # in which an assistant worked, on whatever machine; '': it says none
    remote: str = ""  # of the repository there, as the export has it
    read: int = 0  # messages in the export
    left: Mapping[str, int] = field(default_factory=dict)  # why messages are left out -> how many


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A memory or page of another program, or what the person told it about themselves."""

    product: str
    id: str
    title: str
    text: str
    writer: str  # person, agent, or web for a stranger's
    date: int | None = None  # UTC ms
    is_memory: bool = True  # False: a page, read as a document and not as something to remember
    about: tuple[tuple[str, str], ...] = ()  # keys of its front matter


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd:
    """Something that was not read, and why."""

    product: str
    name: str
    why: str
    is_expected: bool = False  # nothing is lost by it: an empty conversation, an index


Record = Talk | Noted | Odd


def empty(product: str, name: str, *, unread: int = 0) -> Odd:
    """A conversation without a word; where parts of it could not be read, nobody can say so."""
    if unread:
        why = f"nothing was found in it, and {pluralise(unread, 'line')} cannot be read"
        return Odd(product=product, name=name, why=why)
    return Odd(product=product, name=name, why="nobody said anything in it", is_expected=True)


def of_subagent(product: str, name: str) -> Odd:
    """A transcript between programs, of which no word is the person's."""
    why = "it is a subagent's transcript"
    return Odd(product=product, name=name, why=why, is_expected=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A file to read, and what its reader has to know."""

    file: Input
    zone: str  # of times that have none
    me: str = ""  # under which name the person speaks in chats between people
    progress: Callable[[int], None] | None = None  # told how many bytes were read


class MissingOwnerError(BadInputError):
    """A chat between people was given, and nobody said who of them the person is."""


def require_owner(me: str, names: Sequence[str], *, what: str) -> str:
    """The name under which the person speaks in a chat, as the chat writes it.

    raises  MissingOwnerError  nobody said it, or no such name speaks
    """
    wanted = me.strip().casefold()
    found = next((name for name in names if name.casefold() == wanted), "")
    if found and wanted:
        return found
    there = ", ".join(f"'{name}'" for name in names[:8]) or "nobody"
    said = f"nobody is called '{me}' in {what}" if wanted else f"say who you are in {what}"
    raise MissingOwnerError(said, hint=f"--me NAME; in it speak {there}")


def person_turn(name: str, me: str, text: str, at: int | None) -> Turn:
    """A turn of a chat between people: the person's own, or a named somebody's."""
    if name == me:
        return Turn(text=text, role="user", said_at=at)
    return Turn(text=text, speaker=_speaker(name), said_at=at)


def _speaker(name: str) -> str:
    """A name as it may stand before a turn: one that is the word of a role would be that role."""
    plain = " ".join(name.split()) or "unknown"
    return f"{plain} (name)" if plain in ("user", "assistant", "system", "tool") else plain


def as_other_branch(turn: Turn) -> Turn:
    """A turn that the conversation did not go on with; what it says is nobody's statement."""
    mark = OTHER_BRANCH.format(who=_WHO.get(turn.role, turn.speaker or "somebody"))
    return Turn(text=f"{mark} {turn.text}", role="system", said_at=turn.said_at)


def tool_turn(name: str, text: str, at: int | None) -> Turn | None:
    """What a tool said, shortened; None: nothing."""
    text = text.strip()
    if not text:
        return None
    shown = shortened_to(text, LONGEST_TOOL_RESULT)
    return Turn(text=f"({name}) {shown}" if name else shown, role="tool", said_at=at)


def attachment_turn(name: str, text: str, at: int | None) -> Turn:
    """A file that came with a message: its name, and its text as far as the export has it."""
    shown = shortened_to(text.strip(), LONGEST_ATTACHMENT)
    told = f"(attached: {' '.join(name.split()) or 'a file'})"
    return Turn(text=f"{told}\n\n{shown}" if shown else told, role="tool", said_at=at)


def shortened_to(text: str, most: int) -> str:
    """The first so many characters, and how many more there were."""
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}\n(… {len(text) - most:,} more characters in the export)"


def whole_text(value: object) -> str:
    """A string of the export as it can be written as UTF-8; '' for anything else."""
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value
    # Half of a surrogate pair stands in exports that cut a text within an emoji.
    return value.encode("utf-8", "replace").decode("utf-8")


def mapping_at(value: object, key: str) -> Mapping[str, object]:
    """The object under a key; an empty one where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def list_at(value: object, key: str) -> list[object]:
    """The list under a key; an empty one where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def string_at(value: object, key: str) -> str:
    """The text under a key; '' where there is none."""
    return whole_text(value.get(key)) if isinstance(value, dict) else ""


def ms_of_seconds(value: object) -> int | None:
    """UTC ms of seconds since 1970, as a number or as digits; None: it is no time."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # From 1990 to 2100: what is beyond is another unit, or a zero for "unknown".
    return round(value * 1000) if 631_152_000 <= value <= 4_102_444_800 else None


def time_of(value: object, zone: str = "UTC") -> int | None:
    """UTC ms of a time as ISO 8601 writes it; without an offset it is of the zone."""
    found = read_instant(value, zone) if isinstance(value, str) and value else None
    return found.ms if found else None


def content_of(block: object) -> object:
    """What a block of a message holds: a text, or a list of blocks."""
    return block.get("content") if isinstance(block, dict) else None


def text_of(content: object) -> str:
    """The text of a message's content: a string, or the texts of a list of blocks."""
    if isinstance(content, str):
        return whole_text(content)
    blocks = content if isinstance(content, list) else []
    texts = [whole_text(each) or string_at(each, "text") for each in blocks]
    return "\n\n".join(text for text in texts if text.strip())


# What coding agents put around and between the person's words, taken out again.
#
# A message of role "user" is often not the person's: reminders, results of commands, summaries,
# the context that hooks add (our own, too: a memory that reads what it injected eats itself).

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
