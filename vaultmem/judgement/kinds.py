"""Of what kind a sentence is, where its form says it: an opinion, a wish, a taste, no task.

The model of kinds reads a date as a task and a change as a decision, since most tasks have dates
and most decisions change something. A task needs somebody who has to do it, an opinion says whose
it is, and an illness is a fact however it is told.
"""

from __future__ import annotations

import re

from vaultmem.base.patterns import Needing, late

_OPINION_NEEDS = (
    "opini|imo|imho|convinced|ask me|to my mind|i reckon|believe|think|i find |meinung"
    "|erachtens|finde|glaube|denke|meine|überzeugt|ich halte|fragst|juicio|opino|creo que"
    "|pienso que|convencid|para mí que|mon avis|selon moi|après moi|je trouve|je pense"
    "|je crois|je considère|convaincu|persuadé|secondo me|a mio |penso che|credo che"
    "|trovo che|convint|volgens mij|mij betreft|mening|ik vind|ik geloof|ik denk|overtuigd"
    "|a meu ver|acho que|penso que|acredito que"
)
_OPINION = Needing(
    r"\b(?:in my (?:humble )?opinion|imo|imho|i(?:'m| am) of the opinion|i(?:'m| am) convinced"
    r"|if you ask me|to my mind|i reckon|i (?:firmly |honestly |really )?(?:believe"
    r"|think) (?:that |a |the "
    r"|every|no |it's |we |one )|i find (?:that |every|it )"
    r"|meiner meinung nach|meines erachtens|ich (?:finde|glaube|denke|meine) (?:ja,|ja |,|dass"
    r"|einfach)"
    r"|ich bin (?:davon )?überzeugt|ich bin der meinung|ich halte .{3,40} für|wenn du mich fragst"
    r"|en mi opinión|a mi juicio|opino que|creo que|pienso que|est(?:oy|amos) convencid[oa]s? de"
    r"|para mí que|à mon avis|selon moi|d'après moi|je (?:trouve|pense|crois|considère) qu"
    r"|je suis convaincu|je suis persuadé|secondo me|a mio (?:parere|avviso)|(?:penso|credo"
    r"|trovo) che"
    r"|sono convint[oa]|volgens mij|wat mij betreft|naar mijn mening|ik (?:vind|geloof|denk) dat"
    r"|ik ben ervan overtuigd|na minha opinião|a meu ver|acho que|penso que|acredito que"
    r"|estou convencid[oa])",
    re.IGNORECASE,
    _OPINION_NEEDS.split("|"),
)
_TASTE_NEEDS = (
    "sooner|rather|prefer|bevorzuge|mag lieber|hätte lieber|prefiero|préfère|aime mieux"
    "|heb liever|wil liever|prefiro"
)
_TASTE = Needing(
    r"\b(?:i|we)(?:'d| would|d) (?:much )?(?:sooner|rather|prefer)\b|\b(?:i|we) prefer\b"
    r"|\brather have\b"
    r"|\bich (?:\w+ )?(?:bevorzuge|mag lieber|hätte lieber)\b|\bprefiero\b|\bprefer(?:imos|iría)\b"
    r"|\bje préfère\b|\bj'aime mieux\b|\bpreferisco\b|\bik heb liever\b|\bik wil liever\b"
    r"|\bprefiro\b",
    re.IGNORECASE,
    _TASTE_NEEDS.split("|"),
)
# How the assistant is to speak and answer.
_MANNER_NEEDS = (
    "you write|you make|you give|you answer|you draft|you explain|you send|you list|to me"
    "|call me|address me|answer me|reply |your answers|your replies|keep it |more than "
    "|wenn du|antworte|schreib mir|duz|siez|sag du |deine antworten|nicht mehr als|cuando me "
    "|tute|tuté|trátame|tráteme|habl|hábl|respónd|contést|escríb|no más de|quand tu |tutoie"
    "|vouvoie|tes réponses|réponds|écris|pas plus de|quando mi |dammi del|rispondimi|scrivimi"
    "|non più di|als je |tutoyeer|niet meer dan|quando me |trata-me|trate-me|não mais de"
)
_MANNER = Needing(
    r"\b(?:when(?:ever)? you (?:write|make|give|answer|draft|explain|send|list)|write to me|call me"
    r"|address me|answer me|reply (?:to me )?in|your (?:answers|replies)|speak to me"
    r"|keep it (?:short|brief)"
    r"|(?:no|not) more than \w+ (?:lines|sentences|words|paragraphs)"
    r"|wenn du (?:mir|was|etwas|schreibst|antwortest)|antworte (?:mir )?|schreib mir|duz\w* mich"
    r"|siez\w* mich"
    r"|sag du zu mir|deine antworten|nicht mehr als \w+ (?:zeilen|sätze|wörter)"
    r"|cuando me (?:escribas|des|hagas|respondas|contestes)|tut[ée]a\w*|trát[ae]me de"
    r"|h[áa]bl\w+ de (?:tú|usted)"
    r"|respónd[ea]me|contést[ae]me|escríb[ea]me|no más de \w+ (?:líneas|frases|palabras)"
    r"|quand tu (?:me|m')|tutoie|vouvoie|tes réponses|réponds[- ]moi|écris[- ]moi"
    r"|pas plus de \w+ (?:lignes|phrases|mots)|quando mi (?:scrivi|rispondi|fai|dai)"
    r"|dammi del (?:tu|lei)"
    r"|rispondimi|scrivimi|non più di \w+ (?:righe|frasi|parole)|als je (?:me|mij) (?:schrijft"
    r"|antwoordt|geeft)"
    r"|tutoyeer|niet meer dan \w+ (?:regels|zinnen|woorden)|quando me (?:escreveres|escrever"
    r"|responder|deres|der)"
    r"|trat[ae]-me por|não mais de \w+ (?:linhas|frases|palavras))",
    re.IGNORECASE,
    _MANNER_NEEDS.split("|"),
)
_DUTY = late(
    r"\b(?:must|need(?:s|ed)?|have to|has to|ha[ds] got to|(?:i've|we've|have) got to|gotta"
    r"|should|ought|remember to|remind"
    r"|don't forget|due|deadline|to-?do|still to|promised|supposed to|want(?:s)? (?:\w+ing|doing)"
    r"|book|renew|pay|call|ring|buy"
    r"|send|order|pick up|collect|submit|finish|sign up|hand in|get .{2,30} (?:done|fixed|ready)"
    r"|before the"
    r"|muss|müssen|soll|sollte\w*|fällig|frist|vergessen|noch zu|abgeben|abholen|bezahlen|anrufen"
    r"|besorgen"
    r"|tengo que|tenemos que|hay que|debo|debemos|me toca|falta|pendiente|antes del|recoger"
    r"|entregar|pagar|comprar|llamar"
    r"|dois|devons|faut|il me reste|à rendre|à faire|payer|appeler|acheter|envoyer|penser à"
    r"|avant le"
    r"|devo|dobbiamo|bisogna|tocca|scade|consegnare|pagare|comprare|chiamare|ricordar\w*|entro"
    r"|moet|moeten|vergeten|nog even|betalen|bellen|kopen|inleveren|ophalen|voor de"
    r"|preciso|precisamos|tenho que|temos que|tenho de|falta|entregar|pagar|comprar|ligar|até)\b",
    re.IGNORECASE,
)
# What is so, begins or ends by itself: nobody has to do it, whatever day it names.
_STATE = late(
    r"\b(?:(?:is|are|was|will be|he's|she's|they're) (?!to\b)|ends|starts|begins|finishes"
    r"|graduates|lives"
    r"|works|retires|turned|ist|sind|wird|endet|beginnt|arbeitet|wohnt|está|están|es|estará|termina"
    r"|empieza|vive|trabaja|est|sont|sera|finit|commence|habite|travaille|è|sono|sarà|finisce"
    r"|inizia"
    r"|lavora|eindigt|begint|woont|werkt|é|são|será|acaba|começa|mora|trabalha)\b",
    re.IGNORECASE,
)
# A procedure has steps, or says when: 204 of 206 that the corpus has do, or order something.
_STEPS = late(
    r"[,;:]|\b(?:then|if|when(?:ever)?|before|after|until|till|always|never|dann|wenn|erst|bis|vor|nach"
    r"|immer|nie|luego|si|cuando|antes|hasta|siempre|puis|quand|avant|après|toujours|poi|se|quando"
    r"|prima|dopo|sempre|dan|als|voor|eerst|altijd|depois|até)\b",
    re.IGNORECASE,
)
_PLACED = late(
    r"\b(?:hangs?|is|are|lives?|sits?|lies|stands|keeps?|kept|hängt|liegt|steht|ist|está|están|cuelga"
    r"|vive|est|sont|se trouve|pend|è|sta|sono|ligt|hangt|staat|é|fica)\b",
    re.IGNORECASE,
)
_NO_PROCEDURE = ("fact", "preference", "event", "belief")
_NO_TASK = ("fact", "event", "decision", "preference")
_OF_BODIES = ("fact", "task", "procedure", "event")


def kind_of(text: str, kinds: tuple[tuple[str, float], ...], critical: str) -> str:
    """The kind of a sentence out of `kinds`, the likeliest first, as its form allows.

    critical  what it was marked as: health, safety, limit or ''
    """
    first = kinds[0][0]
    if critical == "health":
        return _likeliest(kinds, _OF_BODIES)
    if _OPINION.search(text):
        return "belief"
    if first not in ("task", "event") and _MANNER.search(text):
        return first if first == "procedure" else "preference"
    if _TASTE.search(text):
        return "preference"
    if first == "task" and _STATE.search(text) and not _DUTY.search(text):
        return _likeliest(kinds, _NO_TASK)
    if first == "procedure" and _PLACED.search(text) and not _STEPS.search(text):
        return _likeliest(kinds, _NO_PROCEDURE)
    return first


def _likeliest(kinds: tuple[tuple[str, float], ...], among: tuple[str, ...]) -> str:
    return next(kind for kind, _ in kinds if kind in among)


# Whose opinion a sentence gives: 'Bob thinks we should move' is Bob's, and no task of ours.

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
_OPINION_OPINIONS = Needing(
    rf"\s*({_OTHER})\s+(?:(?:still|also|really|auch|también|aussi)\s+)?(?i:{_THINKING})(?!\w)",
    0,
    _THINKING_NEEDS.split("|"),
)
_NOBODY = frozenset(("i", "we", "ich", "wir", "je", "nous", "yo", "io", "ik", "eu", "who", "which"))


def holder_of(text: str) -> str:
    """Who holds the opinion that a sentence gives, as it names them; '': nobody else's is given.

    'Bob thinks ...', 'meine Chefin findet ...', 'she believes ...'.
    """
    found = _OPINION_OPINIONS.match(text)
    if found is None or found[1].lower() in _NOBODY:
        return ""
    return found[1]
