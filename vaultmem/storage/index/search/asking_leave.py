"""Whether a question asks what may be done, or what to beware of: then what matters most answers.

"Can I take this for my back?" shares no word with "No anti-inflammatories, I have one kidney."; it
asks leave. In seven languages, by words alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base.patterns import late

# How a question for leave begins, or goes on behind a comma or dash; accents may be left out.
_LEAVE = late(
    r"(?:^|[,;:.!?¿–—-]\s*)(?:"
    r"(?:so |and |but )?(?:can|could|may|might|should|must|shall|am|are|is) "
    r"(?!you\b|there\b|it (?:true|raining)\b)(?:[\w'’]+ ){1,3}"
    r"|(?:darf|dürfen|dürfte|kann|können|könnte|soll|sollte|sollten|muss) (?!ich dich|man dich|du)"
    r"|[^?]*\b(?:off[ -]limits|can'?t have|mustn'?t|no-go|hors limites)\b"
    r"|(?:puedo|puede|pueden|podemos|podría|podria|debo|debe|debería|deberia|se puede)\b"
    r"|(?:est-ce qu|puis-je|peut-on|peut-il|peut-elle|pouvons|dois-je|doit-on|on peut|je peux)"
    r"|[\w-]+ (?:peut|peux|doit)[ -]"
    r"|(?:posso|può|puo|possiamo|devo|deve|dovrei|si può|pode|podemos|podem|devo|deveria)\b"
    r"|(?:mag|mogen|kan|kunnen|moet|zou) (?:ik|wij|we|hij|zij|ze|hier|dat|mijn)\b"
    r")"
)
# How a part that asks for leave begins, or what it has in it: most questions have none of these,
# and the pattern takes 1.5 ms to compile.
_BEGINNINGS = """
    so and but can could may might should must shall am are is darf dürf kann könn soll muss pued
    podemos podr debo debe deber est-ce puis-je peut pouvons dois doit posso può puo possiamo dev
    dovrei pode mag mogen kan kunnen moet zou
"""
_BEGUN = (*_BEGINNINGS.split(), "se puede", "on peut", "je peux", "si può")
_WITHIN = ("off", "t have", "mustn", "no-go", "hors", " peut", " peux", " doit")
_PARTS = ",;:.!?¿–—-"
_WORDS = """
    allergy allergies allergic allergen intolerance dangerous danger forbidden allowed avoid beware
    careful caution risk risky safe unsafe safety emergency harmful health healthy medical medically
    medicine medicines medication medications drug drugs illness disease condition conditions
    prohibited off-limits must never deadly poison
    allergie allergien allergisch unverträglichkeit unverträglichkeiten gefährlich gefahr verboten
    verbot verbote erlaubt vermeiden vorsicht aufpassen riskant sicher notfall schädlich gesundheit
    gesundheitlich medizinisch medikament medikamente krankheit krankheiten vertrage verträgt
    alergia alergias alérgico alérgica alergico alergica intolerancia peligroso peligrosa peligro
    prohibido prohibida permitido evitar cuidado riesgo emergencia salud médico médica medicamento
    medicamentos medicina medicinas enfermedad enfermedades
    allergies allergique intolérance intolérances dangereux dangereuse danger interdit interdite
    interdits permis éviter attention risque urgence santé médical médicament médicaments maladie
    maladies
    allergia allergie allergico allergica intolleranza pericoloso pericolosa pericolo vietato
    vietata permesso evitare attento rischio emergenza salute farmaco farmaci medicina malattia
    malattie
    allergie allergisch intolerantie gevaarlijk gevaar verboden vermijden voorzichtig risico nood
    gezondheid medicijn medicijnen ziekte ziektes
    perigoso perigosa perigo proibido proibida evitar cuidado risco emergência saúde medicamento
    remédio remédios doença doenças alérgico
"""
_CARE = frozenset(_WORDS.split())


def asks_leave(folded: str, said: Sequence[str]) -> bool:
    """Whether a folded question asks for leave, or what to beware of."""
    if not _CARE.isdisjoint(said):
        return True
    return _may_ask(folded) and _LEAVE.search(folded) is not None


def _may_ask(folded: str) -> bool:
    if any(part in folded for part in _WITHIN):
        return True
    begins = [0, *(place for place, mark in enumerate(folded, 1) if mark in _PARTS)]
    return any(folded[place:].lstrip().startswith(_BEGUN) for place in begins)
