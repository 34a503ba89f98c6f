"""Sentences that say nothing to anybody who did not hear the one before them. Pure."""

from __future__ import annotations

from vaultmem.base import late
from vaultmem.extract.cue_patterns import words

# "Moved to the 18th, and I'm to bring my readings." says nothing to anybody who did not hear "The
# cardiologist's office called." Both are kept: the statement as it was said, and what it followed.
_FEW_WORDS = 7
_WORD_STANDING = late(r"[^\W_]+(?:['’][^\W_]+)*")
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
    sails starts begins leaves departs arrives opens closes ends finishes lasts costs comes goes
    takes works lives teaches stays weighs needs wants
    fährt startet beginnt geht kommt endet dauert kostet öffnet schließt arbeitet wohnt braucht
    part commence arrive finit coûte dure ouvre ferme travaille habite
    sale empieza llega termina cuesta dura abre cierra trabaja vive
    parte comincia inizia arriva finisce costa apre chiude lavora abita
    vertrekt begint komt gaat eindigt duurt kost werkt woont
    sai começa chega custa fecha trabalha mora
    """
)


_POINTING = words(
    "it they he she him her them er sie es ella ellos ellas eso il elle ils elles ça lui lei loro"
    " hij zij ze het ele ela eles elas"
)


def begins_with_pointer(text: str) -> bool:
    """Whether a sentence begins with a pronoun for what was named before: "They've moved it"."""
    first = next(iter(text.lower().replace("’", "'").split()), "")
    return first.split("'")[0].strip(",.;:") in _POINTING


def needs_context(text: str) -> bool:
    """Whether a sentence leans on the one before it: it is short, or begins with a pointer."""
    said = _WORD_STANDING.findall(text.lower().replace("’", "'"))
    return bool(said) and (len(said) <= _FEW_WORDS or said[0] in _LEANING)
