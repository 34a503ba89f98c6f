"""Whether a sentence can be understood without the one before it. Pure.

"Moved to the 18th, and I'm to bring my readings." says nothing to anybody who did not hear "The
cardiologist's office called." Both are kept: the statement as it was said, and what it followed.
"""

from __future__ import annotations

from vaultmem.base.patterns import late
from vaultmem.extract.cues.lexicon import words

_FEW_WORDS = 7
_WORD = late(r"[^\W_]+(?:['’][^\W_]+)*")
# Words with which an answer, or a sentence about what was just named, begins.
_LEANING = words(
    """
    yes yeah yep no nope nah it it's its that that's this these those they they're he he's she she's
    him her them and but so also then there instead actually ok okay right
    ja nein doch nee er sie es das die der den dem ihm ihr ihnen und aber also dann dort damit
    davon dazu deshalb stattdessen eigentlich
    sí si no ella ellos ellas eso esto y pero entonces ahí allí además también bueno
    oui non si il elle ils elles ça c'est ce cela et mais alors donc là finalement enfin ben bah
    sì lui lei loro questo quello e ma allora poi quindi
    hij zij ze het dat dit en maar dus daar toen
    sim não ele ela eles elas isso isto e mas então lá
    """
)


def needs_context(text: str) -> bool:
    """Whether a sentence leans on the one before it: it is short, or begins with a pointer."""
    said = _WORD.findall(text.lower().replace("’", "'"))
    return bool(said) and (len(said) <= _FEW_WORDS or said[0] in _LEANING)
