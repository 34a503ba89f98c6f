"""The turn log: one short entry a turn, appended and never changed; what it changed is in Git."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import dataclass
from vaultmem.language import content_words

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
