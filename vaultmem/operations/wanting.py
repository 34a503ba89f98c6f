"""What an operation on a fact was asked for, read from its words."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.errors import BadInputError
from vaultmem.operations.fact_plans import Wanted
from vaultmem.operations.facts import Target


def want_new(
    op: str, words: Sequence[str], *, statement: str, at: int | None, writer: str
) -> Wanted:
    """`change` or `correct`: ITEM and a statement, or subject, predicate and value.

    raises BadInputError  for another number of words, or empty ones
    """
    _require_words(op, words, (2, 3), "an item and its new statement, or subject predicate value")
    if len(words) == 2:
        if statement:
            raise BadInputError(
                "the new statement is given twice", hint="name the item, then its new words once"
            )
        target, value, said = Target(ref=words[0]), "", words[1]
    else:
        target = Target(subject=words[0], predicate=words[1])
        value, said = words[2], statement
    return Wanted(op=op, target=target, value=value, statement=said, at=at, writer=writer)


def want_end(op: str, words: Sequence[str], *, at: int | None, writer: str) -> Wanted:
    """`expire` or `retract`: ITEM, or subject and predicate, or with the value that is meant.

    raises BadInputError  for another number of words, or empty ones
    """
    _require_words(op, words, (1, 2, 3), "an item, or subject predicate [value]")
    if len(words) == 1:
        target = Target(ref=words[0])
    else:
        value = words[2] if len(words) == 3 else ""
        target = Target(subject=words[0], predicate=words[1], object=value)
    return Wanted(op=op, target=target, at=at, writer=writer)


def require_no_date(effective: int | None) -> None:
    """A correction has no date of its own; raises BadInputError."""
    if effective is not None:
        raise BadInputError(
            "a correction holds for all of the item's time, so it takes no date",
            hint="leave the date out, or the word retroactive",
        )


def _require_words(op: str, words: Sequence[str], allowed: tuple[int, ...], usage: str) -> None:
    if len(words) not in allowed or not all(word.strip() for word in words):
        raise BadInputError(
            f"{op} takes {usage}",
            hint=f"put words that belong together in quotes; `vaultmem {op} --help` shows examples",
        )
