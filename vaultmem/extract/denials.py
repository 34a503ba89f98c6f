"""What a sentence says holds no more: 'I no longer use Vim', 'I don't work at X anymore'.

The sentence is read again without the words that end it, so that it names the slot of the fact
that it ends. Only ordinary phrasings: what is missed here leaves two facts, a wrong guess ends one.
"""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.extract.cues.lexicon import words
from vaultmem.extract.cues.patterns import Tokens
from vaultmem.extract.name_end import goes_on, name_end

Triple = tuple[str, str, str]

_NOT = words("don't doesn't didn't isn't aren't not never")
_AUXILIARY = words("do does did am are is 'm")
_TAILS = (("anymore",), ("any", "more"), ("any", "longer"), ("no", "more"))
_STOPPED = words("stopped quit ceased")
_ING = {
    "using": "use",
    "working": "work",
    "living": "live",
    "liking": "like",
    "loving": "love",
    "drinking": "like",
    "eating": "like",
    "playing": "play",
    "speaking": "speak",
    "studying": "study",
    "teaching": "teach",
    "leading": "lead",
    "owning": "own",
}
_TASTES = {
    "like": "likes",
    "likes": "likes",
    "love": "likes",
    "loves": "likes",
    "enjoy": "likes",
    "enjoys": "likes",
    "hate": "dislikes",
    "hates": "dislikes",
    "dislike": "dislikes",
    "dislikes": "dislikes",
    "prefer": "prefers",
    "prefers": "prefers",
    "own": "owns",
    "owns": "owns",
    "speak": "speaks",
    "speaks": "speaks",
    "play": "plays",
    "plays": "plays",
    "study": "studies",
    "studies": "studies",
    "teach": "teaches",
    "teaches": "teaches",
    "lead": "leads",
    "leads": "leads",
    "maintain": "maintains",
    "maintains": "maintains",
}
_LEFT = words("left quit")
_JOBS = words("job position role post work")
_OWN = words("i we my our")
# Nothing is ended by what is only doubted, wished or asked, or by how much or how often.
_DOUBT = words("if would could should might maybe perhaps think know want sure ? why when unless")
_MEASURE = words("much often always only really that every yet just")


def denied(tokens: Tokens) -> Tokens | None:
    """The sentence as if it still held; None when it ends nothing."""
    lower = tokens.lower
    if not lower or tokens.present & _DOUBT:
        return None
    for i in range(min(len(lower), 8)):
        if lower[i] == "no" and tokens.at(i + 1) == "longer":
            return _without(tokens, {i, i + 1})
        if lower[i] in _STOPPED and tokens.at(i + 1) in _ING:
            kept = _without(tokens, {i})
            changed = tuple(_ING[word] if n == i else word for n, word in enumerate(kept.lower))
            return kept._replace(lower=changed, present=frozenset(changed))
        if lower[i] in _NOT:
            tail = _tail(tokens)
            gone = {i, *tail}
            if i and lower[i - 1] in _AUXILIARY and lower[i] == "not" and lower[i - 1] != "am":
                gone.add(i - 1)
            if not tail and tokens.present & _MEASURE:
                return None
            return _without(tokens, gone)
    return None


def ended(
    tokens: Tokens, raw: str, subject: str, slots: Callable[[Tokens], Triple]
) -> tuple[Triple, ...]:
    """The facts that a sentence ends, as it names them; the first that is known is meant.

    subject  who says 'I'
    slots    the triple of the sentence as if it still held, three empty texts for none
    """
    found = denied(tokens)
    if found is not None:
        triple = _taste(found, raw, subject) or slots(found)
        return (triple,) if all(triple) else ()
    return _left(tokens, raw, subject)


def _taste(tokens: Tokens, raw: str, subject: str) -> Triple | None:
    """'(I) like tea', of the person alone: others are named, and read by the rules for slots."""
    if tokens.at(0) not in ("i", "we"):  # 'my mother doesn't like tea' is hers
        return None
    for i in range(1, min(tokens.size, 4)):
        predicate = _TASTES.get(tokens.lower[i])
        if predicate is not None:
            value = _rest(tokens, raw, i + 1)
            return (subject, predicate, value) if value else None
    return None


def _left(tokens: Tokens, raw: str, subject: str) -> tuple[Triple, ...]:
    """'I left Siemens', 'I quit my job at Siemens': a place of work, or of living."""
    if tokens.at(0) not in ("i", "we"):
        return ()
    for i in range(1, min(tokens.size, 4)):
        if tokens.lower[i] not in _LEFT:
            continue
        first = i + 1
        is_job = any(tokens.at(first + n) in _JOBS for n in range(3))
        if is_job:
            while first < tokens.size and tokens.at(first) not in ("at", "with", "for"):
                first += 1
            first += 1
        name = _capitals(tokens, raw, first)
        if not name:
            return ()
        work = (subject, "works_at", name)
        return (work,) if is_job else (work, (subject, "lives_in", name))
    return ()


def _tail(tokens: Tokens) -> set[int]:
    """Places of 'anymore' and the like at the end, before marks."""
    end = tokens.size
    while end and not tokens.is_word(end - 1):
        end -= 1
    for tail in _TAILS:
        start = end - len(tail)
        if start > 0 and tokens.lower[start:end] == tail:
            return set(range(start, end))
    return set()


def _without(tokens: Tokens, gone: set[int]) -> Tokens:
    kept = [i for i in range(tokens.size) if i not in gone]
    lower = tuple(tokens.lower[i] for i in kept)
    return Tokens(
        lower=lower,
        raw=tuple(tokens.raw[i] for i in kept),
        start=tuple(tokens.start[i] for i in kept),
        end=tuple(tokens.end[i] for i in kept),
        present=frozenset(lower),
    )


def _rest(tokens: Tokens, raw: str, first: int) -> str:
    """The words from `first` to the first mark that is not inside a name."""
    end = first
    while tokens.is_word(end) or (end > first and goes_on(tokens, raw, end, is_place=True)):
        end += 1
    return raw[tokens.start[first] : tokens.end[end - 1]] if end > first else ""


def _capitals(tokens: Tokens, raw: str, first: int) -> str:
    end = name_end(tokens, raw, first, is_place=True)
    return raw[tokens.start[first] : tokens.end[end - 1]] if end > first else ""
