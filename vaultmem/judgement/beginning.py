"""Whether a statement tells that a job or a home begins: the one before is over by that. Pure.

'First week with Llano Freight', 'Unsere neue Bude ist in Ahrensburg', 'J'ai commencé
au comptoir de la coop'. A statement that only tells of a job or a home may be the same one in other
words ('Ich find ja, ne Bude is wat für die Seele'), and marks at most.
"""

from __future__ import annotations

from vaultmem.base import late
from vaultmem.judgement.introductions import folded

# Without accents, in lower case; by language.
_BEGINS = late(
    r"\b(?:first (?:day|week|night|shift|month)|(?:i|we)(?:'ve| have)?(?: just| finally)? "
    r"(?:started|moved|flitted|joined)|start(?:ed|ing) (?:at|with|as|on|for)|moved (?:in|into|to"
    r"|across)|(?:got|have|picked up) the keys|got the job|(?:taken|took me|signed|hired) on"
    r"|hired by"
    r"|new (?:job|place|flat|house|home|digs|apartment|employer|boss)|unpacked|boxes are"
    r"|went freelance|settled in(?:to)?"
    r"|erste[rnms]? (?:arbeits)?(?:tag|woche|nacht|schicht)|angefangen|eingezogen|umgezogen"
    r"|neue[nrms]? (?:job|stelle|wohnung|haus|bude|zuhause|chefin|chef|arbeitgeber)"
    r"|kisten|kartons|schlussel fur|unterschrieben bei"
    r"|primer(?:a|o)? (?:dia|semana|noche|turno)|empece|empezamos|(?:me|nos) mud\w+"
    r"|nos cambiamos de casa|me cambie de casa|(?:piso|casa|trabajo|curro) nuev[oa]"
    r"|nuev[oa] (?:piso|casa|trabajo|curro)|nos vinimos|me vine|instalad[oa]s?|ya dormimos"
    r"|me (?:contrataron|cogieron|ficharon)|entre (?:a trabajar|en|de)"
    r"|premi(?:er|ere)s? (?:jour|semaine|nuit)|(?:j'ai|on a|ai) commence|(?:em|de)menage\w*"
    r"|embauche\w*|nouve(?:au|l|lle) (?:boulot|travail|appart\w*|maison|poste|patron\w*)|cartons"
    r"|signe chez|depuis ce matin|les cles"
    r"|primo giorno|prima (?:settimana|notte)|(?:ho|abbiamo) (?:iniziato|cominciato|traslocato)"
    r"|assunt[oa]|nuov[oa] (?:lavoro|casa|appartamento)|(?:lavoro|casa) nuov[oa]|scatoloni"
    r"|eerste (?:werk)?(?:dag|week|nacht)|begonnen|verhuisd|nieuwe? (?:baan|huis|flat|woning|werk)"
    r"|dozen|primeir[oa] (?:dia|semana|noite)|comecei|(?:nos mudamos|me mudei|mudei)"
    r"|(?:casa|emprego|apartamento) nov[oa]|nov[oa] (?:casa|emprego|apartamento)|contratad[oa])\b"
)
# A name behind the first word: 'Ya estamos en confianza' tells of no place.
_NAMED = late(r"(?<=[\w,'’] )(?!I\b)[A-ZÀ-Þ]")


def begins_another(statement: str) -> bool:
    """Whether it tells of a first day, a new flat, a move."""
    return _BEGINS.search(folded(statement.replace("’", "'"))) is not None


def names_one(statement: str) -> bool:
    """Whether it names somebody or some place behind its first word."""
    return bool(_NAMED.search(statement))
