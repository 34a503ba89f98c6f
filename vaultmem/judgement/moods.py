"""How somebody speaks in a conversation: glad, angry, both or neither, by words of seven languages.

A rough reading that is kept with the record of a conversation and decides nothing. Pure.
"""

from __future__ import annotations

import re

_GLAD_WORDS = """
    great wonderful perfect awesome amazing fantastic lovely excellent brilliant thanks thank glad
    happy love loved nice good excited delighted relieved proud enjoyed fun yay
    toll super wunderbar perfekt klasse prima danke freue freut froh glücklich schön gut großartig
    erleichtert stolz liebe spaß
    genial maravilloso perfecto estupendo fantástico gracias feliz contento contenta alegra encanta
    bueno bien bonito aliviado orgulloso
    super génial parfait merveilleux excellent merci content contente heureux heureuse ravi ravie
    adore bien beau belle soulagé fier
    fantastico perfetto meraviglioso grazie felice contento bello bene fijn geweldig prachtig
    bedankt blij leuk mooi ótimo maravilhoso perfeito obrigado obrigada feliz
"""
_ANGRY_WORDS = """
    bad terrible awful horrible hate hated angry annoyed annoying frustrated frustrating fed
    disappointed worried sad upset tired exhausted stressed scared afraid wrong broken useless sorry
    worst pain sick unfair lonely
    schlecht schrecklich furchtbar schlimm hasse wütend genervt nervt frustriert enttäuscht besorgt
    traurig müde erschöpft gestresst angst falsch kaputt nutzlos leider krank
    malo mal terrible horrible odio enfadado enfadada harto harta frustrado triste cansado cansada
    agotado estresado miedo preocupado preocupada roto inútil enfermo decepcionado
    mauvais terrible horrible affreux déteste énervé énervée marre frustré triste fatigué fatiguée
    épuisé stressé peur inquiet inquiète cassé inutile malade déçu
    brutto terribile orribile odio arrabbiato stufo triste stanco stressato paura preoccupato rotto
    slecht vreselijk haat boos gefrustreerd verdrietig moe bang kapot ziek teleurgesteld
    mau terrível ódio zangado farto triste cansado medo preocupado doente
"""
_NOT_WORDS = """
    not no never don't didn't isn't wasn't can't nicht kein keine nie nunca sin ni pas jamais non
    niet geen não nem
"""
_NOT = frozenset(_NOT_WORDS.split())
_GLAD, _ANGRY = frozenset(_GLAD_WORDS.split()), frozenset(_ANGRY_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEAR = 2  # words before in which a 'not' turns a word round


def mood_of(text: str) -> str:
    """positive, negative, mixed or neutral."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    glad = angry = 0
    for place, word in enumerate(words):
        if word not in _GLAD and word not in _ANGRY:
            continue
        is_turned = not _NOT.isdisjoint(words[max(0, place - _NEAR) : place])
        if (word in _GLAD) != is_turned:
            glad += 1
        else:
            angry += 1
    if glad and angry:
        return "mixed"
    return "positive" if glad else "negative" if angry else "neutral"
