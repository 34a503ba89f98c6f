"""A few sentences for a long list, in the words of the list itself. Pure; no model is asked.

What matters most is said first: by importance, then by how much is said of the same subject, then
the newer one. What is of one subject makes one sentence. Each sentence is made of whole statements,
so there is nothing in it that the list does not say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from vaultmem.base.records import dataclass

FEWEST = 8  # old statements that are worth a digest: fewer are read as fast as it is
MOST_SENTENCES = 6
_SHARE = 4  # of so many statements one is told
_A_SENTENCE = 3  # statements
_LONGEST = 300  # characters
_MARKS = ("", "-", "*", "+")  # a sentence that begins so would be read as a line of the list


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One line of a category's list."""

    target: str  # link target of the item
    statement: str
    subject: str = ""  # as subjects are compared; '': of its own
    importance: int = 1  # 1..10
    since: int = 0  # sorts by age, larger is newer


Sentence = tuple[str, tuple[str, ...]]  # what it says, and the link targets that it is made of


def digest(old: Sequence[Listed]) -> tuple[Sentence, ...]:
    """Sentences for the old lines of a list, what matters most first; none for a short list.

    The same lines in any order give the same sentences.
    """
    if len(old) < FEWEST:
        return ()
    groups: dict[str, list[Listed]] = {}
    for line in old:
        if line.statement[:1] not in _MARKS and len(line.statement) <= _LONGEST:
            groups.setdefault(line.subject or f"\0{line.target}", []).append(line)
    ranked = [sorted(group, key=_place) for group in groups.values()]
    ranked.sort(key=lambda group: (-group[0].importance, -len(group), *_place(group[0])[1:]))
    left = len(old) // _SHARE
    told = []
    for group in ranked[:MOST_SENTENCES]:
        chosen = _within(group[: min(left, _A_SENTENCE)])
        left -= len(chosen)
        if chosen:
            targets = tuple(line.target for line in chosen)
            told.append((sentence([line.statement for line in chosen]), targets))
    return tuple(told)


def sentence(statements: Iterable[str]) -> str:
    """Whole statements as one sentence."""
    bare = [" ".join(statement.split()).rstrip(".") for statement in statements]
    return "; ".join(bare) + "."


def is_ours(told: Iterable[Sentence], statements: Mapping[str, str]) -> bool:
    """Whether all sentences are such as `digest` makes, and none a model's.

    statements  by link target
    """
    return all(
        text == sentence(statements[target] for target in targets if target in statements)
        for text, targets in told
    )


def is_stale(old: Iterable[Listed], told: Collection[str]) -> bool:
    """Whether something became old since the sentences were written.

    told  link targets that they are made of
    """
    lines = list(old)
    newest = max((line.since for line in lines if line.target in told), default=-1)
    return len(lines) >= FEWEST and any(line.since > newest for line in lines)


def _place(line: Listed) -> tuple[int, int, str]:
    return -line.importance, -line.since, line.target


def _within(lines: Sequence[Listed]) -> list[Listed]:
    kept: list[Listed] = []
    for line in lines:
        if kept and len(sentence(each.statement for each in (*kept, line))) > _LONGEST:
            break
        kept.append(line)
    return kept
