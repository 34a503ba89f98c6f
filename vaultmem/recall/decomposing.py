"""Questions that ask for several things, taken apart (Anveshana; algorithms.md 3.1 and 3.2).

Pure functions over text. What is in quotation marks is never split; a word that joins two parts
('vs', 'because', 'and') is never a part itself.
"""

from __future__ import annotations

import re

from vaultmem.base.records import NamedTuple

MOST_QUERIES = 4  # the question itself among them
_LONG_WORDS = 8  # a question of more words is complex
_MOST_CAPITALS = 1  # capitalised words after the first that a plain question may hold
_SHORTEST_PART = 3  # characters
_MANY_WORDS, _SOME_WORDS = 5, 3

_VERSUS = (
    r"\b(?:vs\.?|versus|(?:as )?compared (?:to|with)|in comparison (?:to|with)"
    r"|im vergleich (?:zu|zum|zur|mit)|verglichen mit|en comparación con|comparad[oa]s? con"
    r"|frente a|par rapport (?:à|au|aux)|comparée?s? (?:à|au|aux)|rispetto a|in confronto a"
    r"|vergeleken met|em comparação com)(?!\w)"
)
_BETWEEN_WORDS = (
    r"\b(?:differences? between|unterschiede? zwischen|diferencias? entre|différences? entre"
    r"|differenz[ae] tra|verschil(?:len)? tussen|diferenças? entre)\b"
)
_COMPARE_WORDS = (
    r"^\W*(?:please |bitte |can you |could you )?(?:compare|comparing|comparison of|vergleiche?n?"
    r"|vergleich (?:von|zwischen)|comparar?|compara(?:me|ción de)|compare[rz]|confronta(?:re)?"
    r"|vergelijk)\b"
)
_COMPARE = (
    rf"{_COMPARE_WORDS} (?P<one>.+?) (?:and|with|to|against|und|mit|y|con|et|avec|à|e|en|met|com"
    rf"|{_VERSUS}) (?P<other>.+)"
)
_BETWEEN = rf"{_BETWEEN_WORDS} (?P<one>.+?) (?:and|und|y|et|e|en) (?P<other>.+)"
_BECAUSE = (
    r"\b(?:because(?: of)?|(?:was |were |is |are )?caused by|(?:was |were |is |are )?due to"
    r"|led to|leads to|resulted in|as a result of|weil|wegen|porque|debido a|a causa de|parce que"
    r"|à cause d(?:e|u|es)|a causa di|omdat|vanwege|por causa de)\b"
)
_WHY = r"^\W*(?:why|warum|wieso|weshalb|por qué|pourquoi|perché|waarom|por que)\b"
# 'Why did we move and what does she do': two questions, while 'why do cats and dogs fight' is one.
_ANOTHER = (
    r"\b(?:and|or|but)\s+(?=(?:what|who|whom|whose|when|where|why|how|which|do|does|did|is|are|was"
    r"|were|has|have|had|can|could|will|would|should)\b)"
    r"|\b(?:und|oder)\s+(?=(?:was|wer|wen|wem|wann|wo|warum|wieso|wie|welche\w*)\b)"
    r"|\b(?:y|o)\s+(?=(?:qué|quién|cuándo|dónde|por qué|cómo|cuál\w*|cuánt\w+)\b)"
    r"|\b(?:et|ou)\s+(?=(?:qui|que|quand|où|pourquoi|comment|combien|quel\w*)\b)"
)
_AND = (
    r"\b(?:and|or|but|as well as|und|sowie|aber)\b|(?<=\w )(?:y|et)(?= \w)"
    r"|(?<=\w )(?:that|which|who)\s+(?=\w+ed\b|caus|led\b|made\b|was\b|were\b|has\b|have\b|had\b)"
)
_TEMPORAL = r"\b(?:before|after|since|until|when|while|during|between|then|last|next|ago)\b"
_COMPARING = (
    rf"{_VERSUS}|{_BETWEEN_WORDS}|{_COMPARE_WORDS}|\b(?:better|worse|more|less|rather) .*\bthan\b"
)
_CAUSAL = rf"{_WHY}|{_BECAUSE}"
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|(?<!\w)'[^']+'(?!\w)")
_CAPITAL = re.compile(r"(?<=\w[ ,])\s*[A-Z]\w")
_COMMA = re.compile(r",\s*(?:and\s+|or\s+)?(?!\s*\d)")  # '3 June, 2023' is no list
_MARK = "\ue000"  # stands for a quoted term; a private character that no keyboard has
_EDGES = " \t\n.,;:!?-–"


def is_complex(text: str) -> bool:
    """Whether a question may ask for several things at once."""
    lower = text.lower()
    return (
        len(text.split()) > _LONG_WORDS
        or any(re.search(pattern, lower) for pattern in (_AND, _TEMPORAL, _COMPARING, _CAUSAL))
        or len(_QUOTED.findall(text)) > 1
        or len(_CAPITAL.findall(text)) > _MOST_CAPITALS
    )


def decompose(text: str, *, most: int = MOST_QUERIES) -> tuple[str, ...]:
    """The question, then at most `most` - 1 parts of it; the question alone where it is simple.

    The first rule that finds parts wins: two sides compared, effect and cause, a list, a
    conjunction. Nothing for a text without anything in it.
    """
    question = text.strip()
    if not question:
        return ()
    if not is_complex(question):
        return (question,)
    quoted = _QUOTED.findall(question)
    bare = _QUOTED.sub(_MARK, question)
    rules = (_compared, _caused, _listed, _joined)
    parts = next((found for rule in rules if (found := rule(bare))), [])
    known = {question.casefold()}
    chosen = [question]
    for part in parts:
        for _ in range(part.count(_MARK)):
            part = part.replace(_MARK, quoted.pop(0), 1)
        part = part.strip(_EDGES)
        if len(part) >= _SHORTEST_PART and part.casefold() not in known:
            known.add(part.casefold())
            chosen.append(part)
    return tuple(chosen[:most])


def _compared(text: str) -> list[str]:
    for pattern in (_BETWEEN, _COMPARE):  # a part is a thing, without the word that asks to compare
        sides = re.search(pattern, text, re.IGNORECASE)
        if sides:
            return [sides["one"], sides["other"]]
    return _split(_VERSUS, text)


def _caused(text: str) -> list[str]:
    parts = _split(_BECAUSE, text) or [text]
    if parts == [text] and re.search(_WHY, text, re.IGNORECASE):
        parts = _split(_ANOTHER, text) or parts
    bare = [re.sub(_WHY, "", part, flags=re.IGNORECASE) for part in parts]
    return [] if bare == [text] else bare


def _listed(text: str) -> list[str]:
    """'a, b and c': at least two commas, or one before the last two."""
    parts = _COMMA.split(text)
    if len(parts) < 2:
        return []
    last = re.split(r"\s+(?:and|or|und|oder|y|o|et|ou)\s+", parts[-1], maxsplit=1)
    parts = parts[:-1] + last
    return parts if len(parts) > 2 else []


def _joined(text: str) -> list[str]:
    return _split(_AND, text)


def _split(pattern: str, text: str) -> list[str]:
    parts = re.split(pattern, text, flags=re.IGNORECASE)
    return parts if len(parts) > 1 else []


class Weights(NamedTuple):
    """What parts count for, as shares of the question's own 1."""

    step: float = 0.2  # that each later part loses
    floor: float = 0.4  # that none falls below
    many: float = 0.1  # gained by a part of 5 words or more
    some: float = 0.05  # gained by one of 3 or 4


AS_PUBLISHED = Weights()


def positional_weight(index: int, weights: Weights = AS_PUBLISHED) -> float:
    """Weight of a part by its place: 1 for the question itself (0), then less, to the floor."""
    return max(weights.floor, 1 - weights.step * index)


def specificity_bonus(query: str, weights: Weights = AS_PUBLISHED) -> float:
    """What a part gains by saying more."""
    count = len(query.split())
    if count >= _MANY_WORDS:
        return weights.many
    return weights.some if count >= _SOME_WORDS else 0.0


def subquery_weight(index: int, query: str, weights: Weights = AS_PUBLISHED) -> float:
    """Weight of a part: by its place, with its bonus; never more than the question's own 1."""
    if index == 0:
        return 1.0
    return min(1.0, positional_weight(index, weights) + specificity_bonus(query, weights))
