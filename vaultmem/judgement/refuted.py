"""What somebody else thinks or says, and the person denies at once: nobody's memory. Pure.

'Mein Bruder meint, der Keller sei trocken. Ist er nicht.', 'Tom reckons I should sell the van. I'm
keeping it.': kept as Tom's belief it stood beside the van for months, and was told of it.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.features import is_among, tokens_of
from vaultmem.judgement.introductions import fold_accents
from vaultmem.judgement.kinds import SOMEBODY, holder_of
from vaultmem.judgement.pairs.persons import Word, is_topic
from vaultmem.judgement.stakes import stakes_of
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("refuted")
_MOST_WORDS = 10  # of a denial; who says more tells of something else
_BARE_WORDS = 7  # of one that has nothing but a 'not' and words of the claim
_OTHERS = 1  # words of its own that it may have: 'Findet die Schule nicht.'
_LEAST_CLAUSE = 2  # words of a claim
_SAYS = Needing(
    rf"\W*(?:{SOMEBODY}\s+(?i:{_SAID['says']})|(?i:{_SAID['says']})\s+{SOMEBODY})(?!\w)",
    0,
    _SAID["says needs"].split("|"),
)
_DENIES = late(rf"\b(?:{_SAID['denies']})\b", re.IGNORECASE)
_KEEPS = late(rf"^\W*(?:{_SAID['keeps']})\b", re.IGNORECASE)
_OUGHT = late(rf"\b(?:{_SAID['ought']})\b", re.IGNORECASE)
_AGREES = late(rf"\b(?:{_SAID['agrees']})\b", re.IGNORECASE)
_NOT = frozenset(map(fold_accents, word_list(_SAID["not"])))
_PARTS = late(r"[,;:–—]\s+|\s-\s|\s(?:but|aber|mais|pero|ma|maar|mas)\s", re.IGNORECASE)


def is_claim(text: str) -> bool:
    """Whether a sentence gives what somebody else thinks or says, who is no doctor.

    What a doctor says is to be known, whatever the person thinks of it.
    """
    if "?" in text:
        return False
    if not (holder_of(text) or _SAYS.match(text)):
        return False
    return "clinician" not in stakes_of(text, tokens_of(text).low)


def refutes(text: str, claim: str) -> bool:
    """Whether a sentence says no to the claim before it, and does not agree in part."""
    tokens = tokens_of(text)
    low = tokens.low
    if not low or len(low) > _MOST_WORDS or "?" in text:
        return False
    plain = text.replace("’", "'")
    if _AGREES.search(plain) and not _DENIES.search(plain):
        return False
    if _DENIES.search(plain):
        return True
    if _OUGHT.search(claim) and _KEEPS.search(plain):
        return True
    says_no = any(fold_accents(word) in _NOT or word.endswith("n't") for word in low)
    return says_no and len(low) <= _BARE_WORDS and _echoes(text, claim)


def is_refuted_within(text: str) -> bool:
    """Whether the end of a claim denies it: '..., which is nonsense', '..., I eat it anyway'."""
    if not is_claim(text):
        return False
    first, *others = _PARTS.split(text)
    last = others[-1].replace("’", "'") if others else ""
    return len(first.split()) > _LEAST_CLAUSE and bool(_DENIES.search(last))


def _echoes(text: str, claim: str) -> bool:
    """Whether it has no words of its own, or one beside a word of the claim: 'Ist er nicht.'"""
    known = tuple(map(fold_accents, tokens_of(claim).low))
    words = [Word(raw, fold_accents(raw)) for raw in tokens_of(text).raw]
    own = [each.low for each in words if each.low not in _NOT and is_topic(each)]
    strange = [word for word in own if not is_among(word, known)]
    return not strange or (len(strange) <= _OTHERS and len(own) > len(strange))
