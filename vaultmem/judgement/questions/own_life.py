"""Whether a memory tells where its speaker lives or works, in whatever words. Pure.

`judgement/aspects.py` knows what is sure enough to end an older memory ('I work at Boots'). Here is
more, for an answer to 'where do I work?': 'I start at the county hospital on Monday.', 'I run a
bakery.', 'Soy profesora en el instituto Quevedo.' In English, German, Spanish and French.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.aspects import HOME, JOB, aspects, told_of_speaker

# Where people work, as the head of a name or alone.
_WORKPLACE = (
    r"(?:hospital|clinic|surgery|pharmacy|school|college|university|nursery|library|museum|council"
    r"|office|station|depot|garage|workshop|factory|plant|mill|warehouse|brewery|bakery|restaurant"
    r"|pub|bar|cafe|café|canteen|hotel|shop|store|salon|studio|theatre|theater|bank|firm|company"
    r"|agency|farm|dairy|vineyard|practice|laboratory|lab|start-?up|dispensary|kitchen|bookshop"
    r"|kiosk|business"
    r"|\w*(?:klinik|krankenhaus|praxis|apotheke|schule|gymnasium|kita|bibliothek|museum|amt|büro"
    r"|werke?n?|werkstatt|fabrik|lager|brauerei|bäckerei|metzgerei|gärtnerei|tischlerei|restaurant"
    r"|kneipe|kantine|hotel|laden|geschäft|salon|studio|theater|bank|firma|agentur|hof|betrieb)"
    r"|centro de salud|clínica|farmacia|colegio|escuela|instituto|universidad|guardería|biblioteca"
    r"|museo|ayuntamiento|oficina|taller|fábrica|almacén|panadería|restaurante|bodega|tienda"
    r"|peluquería|empresa|granja|despacho|estudio|cantina|comedor|pastelería|frutería|carnicería"
    r"|hôpital|clinique|pharmacie|école|collège|lycée|fac|université|crèche|bibliothèque"
    r"|musée|mairie|bureau|dépôt|atelier|usine|entrepôt|brasserie|boulangerie|cantine|hôtel"
    r"|magasin|boutique|théâtre|banque|entreprise|boîte|agence|ferme|cabinet|chu|coop)s?"
)
_A = r"(?:an?|the|my(?: own)?|our(?: own)?|this)"
_EINE = r"(?:eine?n?|die|den|das|meine?n?|unsere?n?)"
_UNA = r"(?:una?|el|la|mi|nuestr[oa])"
_UNE = r"(?:une?|le|la|l'|mon|ma|notre)"
_FEW = r"(?:[\w'’-]+ ){0,3}?"
# A text in which the pattern below is found has one of these; the pattern takes 5 ms to compile.
_NEEDS = """
    hospital clinic surg pharm school colleg univ nurser librar museum council office station depot
    garag workshop factor plant mill warehouse brew baker restaur pub bar caf canteen hotel shop
    store salon studio theat bank firm compan agenc farm dair vineyard practice lab start dispens
    kitchen kiosk business klinik krankenh praxis apothek schul gymnas kita biblioth amt büro werk
    fabrik lager brau bäcker metzger gärtner tischler kneip kantin laden geschäft hof betrieb
    centro clínic farmac coleg escuela instituto guarder bibliotec museo ayunt oficina taller
    fábric almac panad bodeg tienda peluq empresa granja despacho estudio cantina comedor pastel
    fruter carnic hôpital cliniq écol collèg lycée fac crèche musée mairie bureau dépôt atelier
    usine entre brasser boulang hôtel magasin boutiq théâtre banque boît ferme cabinet chu coop
"""
_TRADE_NEEDS = """
    teach lectur for job post position gig retire redundan unterricht rente rentner pension clases
    jubilad enseign retrait patron gérant propriét
"""
# Apart from the patterns of workplaces: one of five sentences holds 'for' or 'post'.
_HAS_TRADE = Needing(
    r"\bi(?:'m| am)? (?:now )?(?:teach(?:ing)?|lectur(?:e|ing)) \w+"
    r"|\bi (?:now )?(?:drive|haul|deliver|fly|sail|cook|clean|write|code) (?:\w+ )?for (?=[A-Z])"
    r"|\bi(?:'m| am| got| have|'ve got)?(?: now)? (?:an? |the )?(?:new )?(?:post|job|position|gig)"
    r" (?:at|with|in)\b"
    r"|\bi(?:'ve|'m| have| am)? (?:been )?(?:taken early retirement|retired|made redundant)\b"
    r"|\bich unterrichte\b|\bich bin (?:jetzt )?(?:in rente|rentner(?:in)?|pensioniert)\b"
    r"|\bdoy clases\b|\bestoy jubilad[oa]\b"
    r"|\bj'enseigne\b|\bje suis (?:à la retraite|retraitée?)\b"
    r"|\bje suis (?:maintenant )?(?:patronne?|gérante?|propriétaire) d",
    re.IGNORECASE,
    _TRADE_NEEDS.split(),
)
_HAS_BUSINESS = Needing(
    rf"\b(?:i|we) (?:now )?(?:run|own|manage|opened|took over|have) {_A} {_FEW}{_WORKPLACE}\b"
    rf"|\bi(?:'m| am|'ll be| will be|'ve been)? (?:now )?(?:start(?:ed|ing)?|begin|began|join(?:ed"
    rf"|ing)?|with|transferred to|taken on (?:at|by))(?: work)?(?: at| with| in| as)? "
    rf"(?:the |an? )?{_FEW}{_WORKPLACE}\b"
    rf"|\b(?:ich|wir) (?:habe|haben|führe|führen|leite|betreibe|betreiben|eröffne) {_EINE} "
    rf"{_FEW}{_WORKPLACE}\b"
    rf"|\b(?:ich (?:bin|fange|beginne|starte)|(?:bin|fange|beginne|starte) ich)\b.{{0,40}}\b(?:bei"
    rf"|beim|an der|am|im|in der|in einem|in einer) {_FEW}{_WORKPLACE}\b"
    rf"|\b(?:tengo|tenemos|llevo|llevamos|regento|dirijo|abrí|abrimos) {_UNA} {_FEW}{_WORKPLACE}\b"
    rf"|\b(?:empiezo|empecé|comienzo|entro|entré|estoy|soy \w+) (?:a trabajar )?(?:en|de|para) "
    rf"(?:el |la |un |una )?{_FEW}{_WORKPLACE}\b"
    rf"|\b(?:je tiens|j'ai|on a|on tient|je dirige|j'ai (?:ouvert|repris)) {_UNE}\s?{_FEW}"
    rf"{_WORKPLACE}\b"
    rf"|\b(?:je (?:commence|débute|suis|entre|rentre)|j'ai (?:commencé|été (?:pris|embauché)e?))\b"
    rf".{{0,30}}(?:\b(?:à|au|aux|chez|dans|de) |d'|à l')(?:la |le |l'|une? |les )?{_FEW}"
    rf"{_WORKPLACE}\b",
    re.IGNORECASE,
    _NEEDS.split(),
)
# 'I'm a coeliac' and 'I'm a member of the choir' tell no job; 'I'm a nurse at St. Jude's' does.
_I_AM = late(r"\bi'?(?:m| am) an?\b", re.IGNORECASE)
_AT = late(r"\b(?:at|for|with)\s+(?:the\s+)?[A-Z]")
_NOT_MINE = late(
    r"\b(?:appointment|visit|check-?up|operation|termin|untersuchung|op|cita|revisión|rendez-vous"
    r"|contrôle|course|kurs|curso|cours|concert|konzert|concierto|meeting|holiday|urlaub)\b",
    re.IGNORECASE,
)
_NAME = late(r"(?<=[^.!?] )[A-ZÀ-Þ]\w+")


def told_of_own(text: str, said_after: str = "") -> tuple[str, ...]:
    """Which of HOME, JOB and AGE of `judgement/aspects.py` a memory tells of its speaker."""
    told = told_of_speaker(text, said_after)
    found = [*told]
    plain = text.replace("’", "'")
    if _HAS_TRADE.search(plain) or _HAS_BUSINESS.search(plain):
        found.append(JOB)
    if _NAME.search(text) or text[1:].islower():  # who writes in haste writes no capitals
        is_anything = _I_AM.search(plain) is not None and _AT.search(plain) is None
        for one in aspects(text):
            if not one.owner and (one.name == HOME or (one.name == JOB and not is_anything)):
                found.append(one.name)
    if len(found) > len(told) and _NOT_MINE.search(text):
        return told
    return tuple(dict.fromkeys(found))
