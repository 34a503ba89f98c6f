"""Whether two words are one word: inflected, or spelled a little otherwise."""

from __future__ import annotations

SHORTEST = 6  # letters: a letter makes another word of shorter ones
LEAST = 0.85  # of 1: 'deployment' and 'deplyoment', not 'upload' and 'download'
_ENDINGS = ("s", "es")


def is_one_word(one: str, other: str) -> bool:
    """Whether both, in lower case, are forms or spellings of one word.

    A plural, or two words of at least six letters that begin alike and are alike by optimal
    string alignment. Whatever holds a digit is only itself. rapidfuzz takes longer to load than
    all else here, so it is asked only about words that passed every cheaper look.
    """
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()) or one[:2] != other[:2]:
        return False
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) > 2 and longer[len(shorter) :] in _ENDINGS and longer.startswith(shorter):
        return True
    if len(shorter) < SHORTEST or len(longer) - len(shorter) > 2:
        return False
    from rapidfuzz.distance import OSA

    return OSA.normalized_similarity(one, other) >= LEAST
