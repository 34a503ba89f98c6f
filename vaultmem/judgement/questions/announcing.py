"""Whether a sentence says that something is otherwise now, and not how. Pure.

'Change of plan for the kitchen.', 'On change tout pour l'escalier.': what is so now is told by the
sentence after it, which has none of these words.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing

_ANNOUNCES = Needing(
    r"\bchange (?:of|in) (?:\w+ )?plans?\b|\b(?:every)?things?(?:'s| has)? (?:all )?changed\b"
    r"|\bchanged (?:completely|entirely|everything|our minds?|my mind|again)\b"
    r"|\b(?:had|having) a (?:re|second )thin?k\b|\bon (?:its|their) heads?\b|\bplans have changed\b"
    r"|\b(?:planänderung|alles anders|umentschieden|umgeschmissen|umgeplant|über den haufen)\b"
    r"|\bcambio de (?:planes?|idea|opinión)\b|\b(?:cambiamos|hemos cambiado|cambié|he cambiado) de"
    r" (?:idea|opinión|plan(?:es)?)\b|\b(?:cambia|cambiamos|hemos cambiado) todo\b"
    r"|\bon (?:change|a) (?:tout|changé d'avis|tout changé)\b"
    r"|\bchangement de (?:plan|programme)s?\b"
    r"|\bje change de \w+\b|\bj'ai changé d'avis\b|\bcambio di programma\b|\bcambiato idea\b"
    r"|\bverandering van plan\b|\bmudança de planos\b|\bmudei de ideia\b",
    re.IGNORECASE,
    (
        *("chang", "think", "head", "änder", "anders", "entschied", "schmiss", "plant", "haufen"),
        *("camb", "verander", "mud"),
    ),
)
_LONGEST = 16  # words: a longer one mostly says how


def announces(text: str) -> bool:
    """Whether a short sentence only announces a change."""
    if len(text.split()) > _LONGEST or ":" in text:
        return False
    return _ANNOUNCES.search(text.replace("’", "'")) is not None
