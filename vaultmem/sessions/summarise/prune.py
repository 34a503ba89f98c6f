"""Base truth that grew for long is looked through: what is the same is said once.

Guards as for evolving summaries (algorithms 7.1): nothing comes in that was not there, and what
disappears must be small; hard facts stay word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.language.text import canonical
from vaultmem.sessions.summarise.grounding import GROUNDED, POLARITY, Stem, content
from vaultmem.sessions.truth import Applied, Fact, Warned, key_of

EVERY_TURNS = 15
MOST_LOST = 0.2
"""Share of the content words that pruning may lose."""
REFUSED = "pruning_refused"
_INFERENCE = re.compile(r"^(?:probably|maybe|perhaps|apparently|likely|it seems(?: that)?) ")


def is_due(turn: int, last: int, *, tokens: int, most_tokens: int, every: int) -> bool:
    """Whether to prune after a turn: so many after the last time (0: never), or it is too long."""
    return turn - last >= every or (most_tokens > 0 and tokens > most_tokens)


def pruned(facts: Sequence[Fact], kept: Sequence[str], *, stem: Stem) -> Applied:
    """The facts as a summariser would have them, unless that breaks a guard: then as they are.

    kept  its texts; a hard fact that misses comes back in its place
    """
    wanted = {canonical(text) for text in kept}
    hard = [fact for fact in facts if fact.hard]
    by_text = {canonical(fact.text): fact for fact in facts}
    result: list[Fact] = [fact for fact in facts if fact.hard or canonical(fact.text) in wanted]
    known = {canonical(fact.text) for fact in result}
    for text in kept:
        line, key = " ".join(text.split()), canonical(text)
        if key and key not in known:
            known.add(key)
            result.append(by_text.get(key) or Fact(text=line))
    before = _content(facts, stem)
    after = _content(result, stem)
    for fact in result:
        own = content(fact.text, stem=stem)
        if not fact.hard and own and len(own & before) / len(own) < GROUNDED:
            return _refused(facts, f"says what no fact did: {fact.text}")
    lost = before - after - _outdated(facts, result, stem)
    if before and len(lost) / len(before) >= MOST_LOST:
        return _refused(facts, "would lose: " + ", ".join(sorted(lost)[:8]))
    assert all(fact in result for fact in hard)
    return Applied(facts=tuple(result))


def pruned_by_rule(facts: Sequence[Fact], *, stem: Stem) -> Applied:
    """Without a summariser: no fact that a fuller one says as well.

    Dropped is an inference ("probably ...") once it is stated, and a fact with the key of another
    ("Database: PostgreSQL") that says the same and more, if the more is no negation.
    """
    words = [content(_stated(fact.text), stem=stem) for fact in facts]

    def is_covered(place: int, other: int) -> bool:
        if not words[place] < words[other] and words[place] != words[other]:
            return False
        if place == other or _is_inferred(facts[other].text):
            return False
        if _is_inferred(facts[place].text):
            return True
        key, more = key_of(facts[place].text), words[other] - words[place]
        return bool(key and more) and key == key_of(facts[other].text) and not more & POLARITY

    return Applied(
        facts=tuple(
            fact
            for place, fact in enumerate(facts)
            if fact.hard
            or not words[place]
            or not any(is_covered(place, other) for other in range(len(facts)))
        )
    )


def _stated(text: str) -> str:
    """The text without the word that makes it an inference."""
    return _INFERENCE.sub("", canonical(text))


def _is_inferred(text: str) -> bool:
    return _INFERENCE.match(canonical(text)) is not None


def _outdated(facts: Sequence[Fact], result: Sequence[Fact], stem: Stem) -> frozenset[str]:
    """Words of inferences that are gone: dropping those is what pruning is for."""
    left = {canonical(fact.text) for fact in result}
    gone = [fact for fact in facts if canonical(fact.text) not in left]
    return _content([fact for fact in gone if _is_inferred(fact.text)], stem)


def _content(facts: Sequence[Fact], stem: Stem) -> frozenset[str]:
    return frozenset(word for fact in facts for word in content(fact.text, stem=stem))


def _refused(facts: Sequence[Fact], why: str) -> Applied:
    return Applied(facts=tuple(facts), warnings=(Warned(code=REFUSED, entry=why),))
