"""What is so again, and what took its place in between: A, then B, then A. Pure.

'I get my bread from Harkin's.', 'I buy it at the Polish baker now.', 'I've gone back to Harkin's.'
Nothing in the last denies the second, and often nothing in the second the first. What says that
the second is over is that the first is so again, and that the second told of a change.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.aspects import CHANGES, CORRECTS, ENDS, cues, says_again
from vaultmem.judgement.features import tokens_of
from vaultmem.judgement.pairs.is_over import seen_of
from vaultmem.judgement.pairs.out_of_date import END, FLAG, Known, is_of_another
from vaultmem.judgement.pairs.persons import Word, is_kin
from vaultmem.judgement.pairs.shared_words import rarest, side_of

_SOME = 0.25  # share of what was so once that a statement names, for which it is so again
_LEAST_NAMED = 0.6  # rarity, 0 to 1, of a word by which a thing is named
_LEAST_SHARED = 0.3  # rarity of a word of the topic: 'bread', 'bureau'
_OF_CHANGE = (CHANGES, CORRECTS, ENDS)
# 'Again' may be said of what only happens twice ('Tom rang again'); these tell of a return.
_NEEDS = "again back return revert zur wieder vol vuel regres reven retour repri torn ritorn terug"
_RETURNS = Needing(
    r"\b(?:back (?:to|on|at|with|in)|(?:gone|went|came|come|going|moved|switched) back"
    r"|returned to|reverted|(?:bin|sind|ist|war|wieder) zur(?:ü|ue)ck|doch wieder"
    r"|(?:is|are|am|goes?|use[sd]?|using|lives?|works?|with|'m|'re|'s) [^.!?]{1,40} again"
    r"|(?:bin|sind|ist) (?:\w+ )?wieder (?:bei|beim|im|in|am|an)"
    r"|zurück (?:bei|zu|zum|zur|im|in|beim)|volv[ií]\w*|vuelto|vuelvo|regres[eéoa]\w*"
    r"|de vuelta (?:a|al|en|con)|revenue?s? (?:à|au|aux|chez)|retournée?s? (?:à|au|aux|chez)"
    r"|repris|retour (?:à|au|chez)|tornat[oaie]|ritornat[oaie]|terug (?:bij|naar|op|in)"
    r"|voltei|voltamos|de volta)\b",
    re.IGNORECASE,
    _NEEDS.split(),
)

_NAME = late(r"(?<=[^.!?:] )[A-ZÀ-Þ][\w'’-]+")


def again(statement: str, before: Known | None = None, after: str = "") -> bool:
    """Whether a statement says that something is so again.

    before  what was so once: it has to name a rare word of it, which `after` has not
    after   what took its place
    """
    if not says_again(statement):
        return False
    if before is None:
        return True
    kept = seen_of(before.statement, statement).kept
    # 'No signal down the lane' goes back to nothing that is down the lane; a name is enough.
    if kept < _SOME and not (_RETURNS.search(statement) and _share_name(statement, before)):
        return False
    # What took the place has to lack the word that is named again: 'Jira is down again' is of the
    # same board as 'We moved Jira to the cloud'. Of 32 harmless lives in four languages 9 had such
    # a mark without this, and 3 have it.
    then, since = side_of(before.statement).low, side_of(after).low
    there = tuple(word for word in then if word not in since)
    return rarest(side_of(statement), there, but=since) >= _LEAST_NAMED


def stood_between(known: Known, before: Known, statement: str, *, is_rival: bool = False) -> str:
    """END, FLAG or '': what becomes of a statement that was told after `before`, which by the new
    statement is so again.

    is_rival  it is marked already as what may have taken that place
    """
    told = {cue.kind for cue in cues(known.statement) if not cue.unsure}
    if (not is_rival and told.isdisjoint(_OF_CHANGE)) or is_of_another(known.statement, statement):
        return ""
    if not again(statement, before, known.statement):
        return ""  # of the same: 'The Jira board moved to the cloud.', 'Jira is down again.'
    whose = _kin_in(known.statement)  # 'Mum's back in Cork.' says nothing of 'My brother moved ...'
    if whose and not whose & (_kin_in(statement) | _kin_in(before.statement)):
        return ""
    said, then = side_of(known.statement), side_of(before.statement).low
    own = tuple(word for word in said.low if word not in then)
    is_named = rarest(side_of(statement), own) >= _LEAST_NAMED
    is_alike = rarest(said, then) >= _LEAST_SHARED
    if not (is_rival or is_named or is_alike):
        return ""
    # A mere 'again' may be said of one visit: what stood between ends by words of a return alone.
    if _RETURNS.search(statement) is None:
        return FLAG if is_rival or is_named else ""
    return END if is_named and told else FLAG


def _kin_in(text: str) -> frozenset[str]:
    return frozenset(word for word in tokens_of(text).low if is_kin(Word(word, word)))


def _share_name(statement: str, before: Known) -> bool:
    """Whether both write a word with a capital that stands in the middle of a sentence."""
    said, then = (set(_NAME.findall(text)) for text in (statement, before.statement))
    return bool(said & then)
