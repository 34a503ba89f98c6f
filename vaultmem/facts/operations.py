"""What an operation on a fact was asked for, read from its words."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import BadInputError, MisusedError
from vaultmem.facts.plans import Wanted
from vaultmem.facts.target import Target

_NUMBERS = {0: "none", 1: "one", 2: "two", 3: "three"}


def want_new(
    op: str, words: Sequence[str], *, statement: str, at: int | None, writer: str
) -> Wanted:
    """`change` or `correct`: ITEM and a statement, or subject, predicate and value.

    raises MisusedError   for another number of words
           BadInputError  for empty ones
    """
    _require_words(op, words, (2, 3), "ITEM STATEMENT", "SUBJECT PREDICATE VALUE")
    if len(words) == 2:
        if statement:
            raise MisusedError(
                "the new statement is given twice", hint="name the item, then its new words once"
            )
        target, value, said = Target(ref=words[0]), "", words[1]
    else:
        target = Target(subject=words[0], predicate=words[1])
        value, said = words[2], statement
    return Wanted(op=op, target=target, value=value, statement=said, at=at, writer=writer)


def want_end(op: str, words: Sequence[str], *, at: int | None, writer: str) -> Wanted:
    """`expire` or `retract`: ITEM, or subject and predicate, or with the value that is meant.

    raises MisusedError   for another number of words
           BadInputError  for empty ones
    """
    _require_words(op, words, (1, 2, 3), "ITEM", "SUBJECT PREDICATE [VALUE]")
    if len(words) == 1:
        target = Target(ref=words[0])
    else:
        value = words[2] if len(words) == 3 else ""
        target = Target(subject=words[0], predicate=words[1], object=value)
    return Wanted(op=op, target=target, at=at, writer=writer)


def require_no_date(effective: int | None) -> None:
    """A correction has no date of its own; raises MisusedError."""
    if effective is not None:
        raise MisusedError(
            "a correction holds for all of the item's time, so it takes no date",
            hint="leave the date out, or the word retroactive",
        )


def _require_words(
    op: str, words: Sequence[str], allowed: tuple[int, ...], of_item: str, of_slot: str
) -> None:
    forms = (
        f"`vaultmem {op} {of_item}` or `vaultmem {op} {of_slot}`; "
        "words that belong together stand in quotes"
    )
    if len(words) not in allowed:
        *some, last = (_NUMBERS[each] for each in allowed)
        given = _NUMBERS.get(len(words), str(len(words)))
        raise MisusedError(
            f"{op} takes {', '.join(some)} or {last} arguments, not {given}",
            hint=forms,
        )
    if not all(word.strip() for word in words):
        raise BadInputError(f"{op} takes no empty words", hint=forms)
