"""The sentence that stands for a conversation that ended, and how it is known again."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.base import late

BEGAN = "; it began with: "
HELD = "; in the end held: "
_DAY = late(r"(Conversation '[^\n]*') on \d{4}-\d\d-\d\d(?=, \d+ turn)")
_SENTENCE = late(r"(?<=[.!?])\s+")
_SHAPE_BEGINS = "Conversation '"
_SHAPE = late(r"Conversation '[^\n]*'(?: on \d{4}-\d\d-\d\d)?, \d+ turns?(?:[;.…]|\Z)")


def beginning(title: str, day: str, turns: int) -> str:
    """How the statement of an episode begins; day: YYYY-MM-DD, '' when nobody knows."""
    when = f" on {day}" if day else ""
    return f"Conversation '{title}'{when}, {turns} turn{'s' if turns > 1 else ''}"


def is_episode(statement: str) -> bool:
    """Whether a statement begins as those of conversations do."""
    return statement.startswith(_SHAPE_BEGINS) and _SHAPE.match(statement) is not None


def only_asks(statement: str) -> bool:
    """Whether an episode tells no more than the question that it began with."""
    begun, _, held = statement.partition(HELD)
    _, _, said = begun.partition(BEGAN)
    told = [each for each in _SENTENCE.split(said.strip()) if each]
    return not held and bool(told) and all(each.rstrip("…").endswith("?") for each in told)


def as_line(statement: str, is_over: Callable[[str], bool]) -> str:
    """An episode as one line among memories, whose date it need not say.

    What held in the end is told by memories of their own for as long as it holds; of the words that
    it began with those are left out that are over.
    """
    begun, _, _ = statement.partition(HELD)
    head, mark, said = begun.partition(BEGAN)
    kept = " ".join(each for each in _SENTENCE.split(said) if not is_over(each))
    return _DAY.sub(r"\1", head, count=1) + (f"{mark}{kept}" if kept else "")
