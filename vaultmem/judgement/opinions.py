"""Whose opinion a sentence gives: 'Bob thinks we should move' is Bob's, and no task of ours."""

from __future__ import annotations

from vaultmem.base.patterns import Needing

_OWNERS = (
    r"my|our|mein|meine|unser|unsere|mon|ma|mes|notre|nos|mi|mis|nuestro|nuestra|mio|mia|il mio"
    r"|la mia|nostro|nostra|mijn|ons|onze|meu|minha|o meu|a minha|nosso|nossa"
)
_PRONOUNS = r"he|she|they|er|sie|il|elle|ils|elles|él|ella|ellos|lui|lei|hij|zij|ze|ele|ela|eles"
_THINKING = (
    r"thinks?|believes?|reckons?|feels? (?:that|we|i|like)|(?:is|are) (?:convinced|of the opinion"
    r"|sure) (?:that|we|i)\b|would (?:rather|prefer)|thought|believed|reckoned"
    r"|findet|finden|meint|meinen|glaubt|glauben|denkt|denken|fand|meinte|glaubte"
    r"|piensan?|creen?|opinan?|pensaba|creía|pense(?:nt)?|croi(?:t|ent)|trouve(?:nt)?|estime"
    r"|pensava|pensano?|credono?|crede|ritiene|vindt|vinden|gelooft|meent|dacht|vond"
    r"|achan?|acredita|acha(?:m|va)|pensam?"
)
# A name is a capital word that is none of the speaker's own; two make a full name.
_OTHER = (
    rf"(?:(?i:{_OWNERS})\s+[\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)?"
    rf"|(?i:{_PRONOUNS})"
    r"|[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)?)"
)
# Parts of the words above, one of each: most sentences have none, and compile nothing (2 ms).
_THINKING_NEEDS = (
    "think|believe|reckon|feel|convinced|opinion|sure|rather|prefer|thought|find|meint|meinen"
    "|glaub|denk|fand|piens|cree|opina|pensa|creía|pense|croi|trouve|estime|cred|ritiene|vind"
    "|geloof|meent|dacht|vond|acha|acredita"
)
_OPINION = Needing(
    rf"\s*({_OTHER})\s+(?:(?:still|also|really|auch|también|aussi)\s+)?(?i:{_THINKING})(?!\w)",
    0,
    _THINKING_NEEDS.split("|"),
)
_NOBODY = frozenset(("i", "we", "ich", "wir", "je", "nous", "yo", "io", "ik", "eu", "who", "which"))


def holder_of(text: str) -> str:
    """Who holds the opinion that a sentence gives, as it names them; '': nobody else's is given.

    'Bob thinks ...', 'meine Chefin findet ...', 'she believes ...'.
    """
    found = _OPINION.match(text)
    if found is None or found[1].lower() in _NOBODY:
        return ""
    return found[1]
