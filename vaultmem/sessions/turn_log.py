"""The turn log: one short entry a turn, appended and never changed; what it changed is in Git."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import dataclass
from vaultmem.language import content_words, fold

_HEADING = re.compile(r"## (\d{1,7})(?: amends (\d{1,7}))?\s*")
_LINE = re.compile(r"- (user|assistant|size|unsummarised|warning): ?(.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is left of a turn when its words have left the window."""

    turn: int  # from 1; of an amendment the turn after which it was made
    user: str
    assistant: str
    amends: int | None = None  # the turn that this says at last; None: its own
    is_long: bool = False  # it stays verbatim for longer
    unsummarised: str = ""  # why these are the turn's own words; '': they are a summary
    warnings: tuple[str, ...] = ()  # 'code: entry'

    @property
    def about(self) -> int:
        """The turn that it tells of."""
        return self.turn if self.amends is None else self.amends


def render_entry(entry: Entry) -> str:
    """The entry as it is appended; ends in a line feed."""
    amended = f" amends {entry.amends}" if entry.amends is not None else ""
    lines = [f"## {entry.turn}{amended}", ""]
    lines += [f"- user: {_line(entry.user)}", f"- assistant: {_line(entry.assistant)}"]
    if entry.is_long:
        lines.append("- size: long")
    if entry.unsummarised:
        lines.append(f"- unsummarised: {_line(entry.unsummarised)}")
    lines += [f"- warning: {_line(each)}" for each in entry.warnings]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def parse_entries(body: str) -> tuple[Entry, ...]:
    """The entries of a log in their order; lines that are none of ours are passed over."""
    return tuple(_entries(body))


def latest_entries(entries: Sequence[Entry]) -> dict[int, Entry]:
    """Turn -> what is told of it in the end, by turn."""
    latest = {entry.about: entry for entry in entries}
    return dict(sorted(latest.items()))


def waiting(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Turns whose summary failed and was not made up for since."""
    return tuple(turn for turn, entry in latest_entries(entries).items() if entry.unsummarised)


def _entries(body: str) -> Iterator[Entry]:
    numbers: tuple[int, int | None] | None = None
    found: list[tuple[str, str]] = []
    # A last heading closes the entry before it.
    for line in (*body.splitlines(), "## 0"):
        heading = _HEADING.fullmatch(line)
        if heading is None:
            part = _LINE.fullmatch(line)
            if part is not None:
                found.append((part[1], part[2].strip()))
            continue
        if numbers is not None:
            yield _entry(*numbers, found)
        amends = int(heading[2]) if heading[2] else None
        numbers, found = (int(heading[1]), amends), []


def _entry(turn: int, amends: int | None, found: Sequence[tuple[str, str]]) -> Entry:
    values = dict(found)
    return Entry(
        turn=turn,
        amends=amends,
        user=values.get("user", ""),
        assistant=values.get("assistant", ""),
        is_long=values.get("size") == "long",
        unsummarised=values.get("unsummarised", ""),
        warnings=tuple(text for key, text in found if key == "warning"),
    )


def _line(text: str) -> str:
    return " ".join(text.split())


# What a conversation is about just now: the words that weigh most in its last turns.

# Algorithms.md 6.1: five words of the last five turns of the person, .8 of the weight a turn back.
TERMS = 5
TURNS = 5
FADING = 0.8  # of a word's weight with each turn


def focus(
    user_texts: Sequence[str], *, terms: int = TERMS, turns: int = TURNS
) -> tuple[tuple[str, float], ...]:
    """The heaviest content words of the person's last turns (oldest first), with their weights.

    A word weighs 0.8^age once for each turn that has it. Ties: in the order of the alphabet.
    """
    weights: dict[str, float] = {}
    for age, text in enumerate(reversed(user_texts[-turns:] if turns else ())):
        for word in dict.fromkeys(content_words(text)):
            if len(word) > 1:
                weights[word] = weights.get(word, 0.0) + FADING**age
    ranked = sorted(weights.items(), key=lambda each: (-each[1], each[0]))
    return tuple(ranked[:terms])


# How deeply a turn is worked on, by its length and by what it says.

# The bounds of algorithms.md 8.5; 200 words belong to both of its rows, and the deeper one counts.
SHORT_WORDS = 40
LONG_WORDS = 200

# A constraint or a correction counts in few words too: "Never use tabs here" has four.
_CUE = re.compile(
    r"\b(?:never|always|must|cannot|can'?t|don'?t|do not|no longer|not any ?more)\b"
    r"|\bno,? (?:not|it'?s|that'?s|use|make)\b"
    r"|\b(?:scrap|forget|strike) (?:that|it|the|what)\b"
    r"|\b(?:correction|instead of|changed my mind|i meant|i said)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What becomes of a turn."""

    size: str  # short, medium, long
    extract_diff: bool  # whether facts are read from it
    preserve_raw: bool  # whether it stays verbatim for longer
    code_heavy: bool
    summary: bool = True  # every turn has one


def route(
    user_words: int,
    assistant_words: int,
    *,
    code_heavy: bool = False,
    has_cue: bool = False,
    short_words: int = SHORT_WORDS,
    long_words: int = LONG_WORDS,
) -> Route:
    """The treatment of a turn with so many words on either side.

    Short: both sides below `short_words`; long: one side from `long_words` on. What is short has
    its facts read only for a cue or for being code.
    """
    longest = max(user_words, assistant_words)
    is_long = longest >= long_words
    size = "long" if is_long else "short" if longest < short_words else "medium"
    return Route(
        size=size,
        extract_diff=size != "short" or code_heavy or has_cue,
        preserve_raw=is_long,
        code_heavy=code_heavy,
    )


def has_cue(text: str) -> bool:
    """Whether a text sets a hard constraint or corrects something (English)."""
    return _CUE.search(fold(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")) is not None


# The raw window: which turns the next prompt holds word for word.

# Algorithms.md 8.3: the sources name 5 to 8 turns, and 6 to begin with.
WINDOW_TURNS = 6
LONG_EXTRA = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A turn as the window sees it."""

    turn: int  # from 1
    is_long: bool = False
    is_summarised: bool = True  # False: only its own words say what it said


def window(
    turns: Sequence[Raw], *, size: int = WINDOW_TURNS, extra: int = LONG_EXTRA
) -> tuple[int, ...]:
    """Numbers of the turns that are still there after the last one, in their order.

    size   turns (both sides together) that stay; a long one stays `extra` turns more
    A turn that is not summarised stays until it is: nothing else tells of it.
    """
    if not turns:
        return ()
    last = max(each.turn for each in turns)
    return tuple(
        each.turn
        for each in turns
        if not each.is_summarised or last - each.turn < size + (extra if each.is_long else 0)
    )


# Lengths of what was said: words, and how much of a text is code.

# What follows backticks on their line holds no backtick: '``` x ```' is code within a sentence
# (CommonMark 4.5).
FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*([^\n]*?)[ \t]*$")
_CODE_INDENT = 4  # columns, as in Markdown
_TAB = 4


def count_words(text: str) -> int:
    """Pieces between white space that hold a letter or digit of any script."""
    return sum(1 for piece in text.split() if _is_word(piece))


def clip_words(text: str, most: int) -> tuple[str, bool]:
    """The text on one line, at most so many words of it, and whether any were left out."""
    pieces, count = text.split(), 0
    for place, piece in enumerate(pieces):
        count += _is_word(piece)
        if count > most:
            return " ".join(pieces[:place]).rstrip(",;:-–— ") + "…", True
    return " ".join(pieces), False


def code_share(text: str) -> float:
    """Share of the characters that are no white space which stand in blocks of code, 0..1.

    Blocks are fenced (to their end or that of the text) or indented by four columns below a blank
    line; fences themselves are not counted at all. A text without a character has none.
    """
    code = other = 0
    for line, is_code in code_lines(text):
        size = sum(not character.isspace() for character in line)
        code, other = (code + size, other) if is_code else (code, other + size)
    return code / (code + other) if code else 0.0


def code_lines(text: str) -> list[tuple[str, bool]]:
    """Every line but the fences, with whether it is code."""
    lines: list[tuple[str, bool]] = []
    fence = ""
    may_indent = True  # an indented block cannot interrupt a paragraph (CommonMark 4.4)
    for line in text.splitlines():
        if fence:
            if closes(line, fence):
                fence, may_indent = "", True
            else:
                lines.append((line, True))
            continue
        found = FENCE.match(line)
        if found:
            fence = found[1]
            continue
        if not line.strip():
            may_indent = True
            continue
        is_code = may_indent and _indent(line) >= _CODE_INDENT
        lines.append((line, is_code))
        may_indent = is_code
    return lines


def closes(line: str, fence: str) -> bool:
    """Whether a line ends the block of code that `fence` (its marks) began."""
    bare = line.strip()
    return len(line) - len(line.lstrip(" ")) < _CODE_INDENT and (
        bare.startswith(fence) and not bare.strip(fence[0])
    )


def _is_word(piece: str) -> bool:
    return any(character.isalnum() for character in piece)


def _indent(line: str) -> int:
    columns = 0
    for character in line:
        if character == " ":
            columns += 1
        elif character == "\t":
            columns += _TAB - columns % _TAB
        else:
            break
    return columns
