"""What a conversation settles by the way: 'the budget is 4,000 euros', 'Port: 8080'.

Too slight for a lasting memory, and yet what the next turns rest on. English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from vaultmem.base import NamedTuple
from vaultmem.language import canonical, content_words, fold
from vaultmem.sessions.truth import OPEN, Fact

_LEAD = re.compile(
    r"(?:(?:actually|no|so|and|ok|okay|also|well|wait|correction|sorry|then|right|please|now)"
    r"\b[,:]? +|(?:i|we) changed (?:my|our) minds?[,:]? +)+",
    re.IGNORECASE,
)
_IS = re.compile(
    r"(?P<key>(?:the|our|my|its|your|this) (?:[\w'’-]+ ){0,4}[\w'’-]+?)"
    r" (?:is|are|was|will be|should be|has to be|must be|moved to|changed to|moves to|becomes)"
    r"(?: now)? (?P<value>[^\s].*)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"(?P<key>(?:the|our|my|its|your|this) (?:[\w'’-]+ ){0,4}[\w'’-]+?)"
    r" (?:runs?|costs?|takes?|lasts?|weighs?|starts?|ends?|opens?|closes?|measures?)"
    r"(?: (?:in|at|on|from|for|about|until))? (?P<value>[^\s].*)",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?P<key>[A-Za-z][\w'’-]*(?: [\w'’-]+){0,5}): (?P<value>\S.*)")
_ARTICLE = re.compile(r"^(?:the|our|my|its|your|this|new|current|max(?:imum)?) ")
# Of these a conversation says something all the time, and it is gone with the next sentence.
_VAGUE_WORDS = (
    "problem question idea thing things point reason issue issues rest same way best first only "
    "answer result one other others last next error bug output code function text example time "
    "goal plan note warning todo summary edit update ps nb ok"
)
_VAGUE_KEYS = frozenset(_VAGUE_WORDS.split())
_VAGUE_VALUES = re.compile(
    r"(?:great|good|fine|bad|nice|ok|okay|wrong|right|broken|done|perfect|clear|not |a bit|too |"
    r"so |very |still |missing|unclear|working|failing|what|how|why|that|this|it|there|to |going|"
    r"here|also|just|only|really|quite|pretty|almost|ready)\b",
    re.IGNORECASE,
)
_LONGEST_VALUE = 12  # words
_FINISHED = re.compile(
    r"\b(?:finished|completed|done with|is done|are done|is finished|sent (?:off )?the|"
    r"submitted|checked off|wrapped up|is complete)\b"
)
_TASK_VERBS = frozenset(["need", "needs", "todo", "remind", "must", "have", "finish", "done"])


class Stated(NamedTuple):
    """A key and its value, as a sentence has them."""

    key: str  # for comparison: without article
    value: str


def parse_stated(sentence: str) -> Stated | None:
    """What a sentence settles; None when it settles nothing that can be told by its form."""
    text = bare(sentence)
    if text.endswith("?"):
        return None
    found = _COLON.fullmatch(text) or _IS.fullmatch(text)
    if found is None:
        found = _MEASURED.fullmatch(text)
        if found is None or not any(character.isdigit() for character in found["value"]):
            return None
    key = _ARTICLE.sub("", canonical(found["key"]))
    value = found["value"].strip().rstrip(".!")
    if key in _VAGUE_KEYS or not key or _VAGUE_VALUES.match(value):
        return None
    if not value or len(value.split()) > _LONGEST_VALUE:
        return None
    return Stated(key=_ARTICLE.sub("", key), value=value)


def bare(sentence: str) -> str:
    """The sentence without the words that lead to it ('Actually, no: the port is 80')."""
    text = " ".join(sentence.split())
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    return rest[:1].upper() + rest[1:] if rest and lead else text


def finished_task(sentence: str, facts: Sequence[Fact]) -> Fact | None:
    """The open task that a sentence says is done; None when it may be several or none."""
    said = fold(sentence)
    if not _FINISHED.search(said) or said.rstrip().endswith("?"):
        return None
    words = _essence(sentence)
    scored = sorted(
        (
            (_overlap(words, _essence(fact.text)), fact.id, fact)
            for fact in facts
            if fact.task == OPEN
        ),
        key=lambda each: (-each[0], each[1]),
    )
    if not scored or scored[0][0] == 0:
        return None
    if len(scored) > 1 and scored[1][0] == scored[0][0]:
        return None
    return scored[0][2]


def _essence(text: str) -> frozenset[str]:
    return frozenset(content_words(text)) - _TASK_VERBS


def _overlap(one: Collection[str], other: Collection[str]) -> float:
    shared = frozenset(one) & frozenset(other)
    return len(shared) / len(other) if other else 0.0
