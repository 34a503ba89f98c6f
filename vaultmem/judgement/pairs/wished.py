"""What a sentence wishes for good, in seven languages, where no cue list has its words. Pure.

'No smileys in your answers, please', 'Tutoie-moi toujours', 'Ich mag knappe Antworten'. A wish that
is told so becomes a rule only where two conversations say it (consolidation), so this looks at the
form alone: somebody says what they like or want, or tells the assistant what always, never or
with a 'please' is to be done. What is wanted once is none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LEAD = (
    r"(?:(?:please|and|also|but|oh|ok|okay|btw|by the way|one more thing|hey|bitte|und|auch|aber"
    r"|ach|übrigens|noch was|por favor|y|también|pero|ah|oye|s'il te plaît|s'il vous plaît|stp|svp"
    r"|et|aussi|mais|au fait|per favore|e|anche|ma|alsjeblieft|en|ook|maar|por favor|também|mas)"
    r"[,:!]? +)*"
)
_ADVERBS = (
    r"(?:(?:always|really|generally|usually|just|still|much|also|do|would|'d|strongly|absolutely"
    r"|immer|eigentlich|generell|grundsätzlich|auch|sehr|wirklich|siempre|también|mucho|toujours"
    r"|vraiment|aussi|beaucoup|sempre|molto|altijd|graag|muito) )*"
)
_OWN = re.compile(
    rf"^{_LEAD}(?:(?:i|we)(?:'d)? {_ADVERBS}(?P<no>don't |do not |never )?"
    r"(?:like|love|prefer|want|need|hate|dislike|can't stand|appreciate)(?: (?:it )?(?:when|if))?"
    r"|(?:ich|wir) (?:mag|mögen|möchte|möchten|will|wollen|hätte gerne?|bevorzuge|hasse|brauche)"
    rf"|(?:yo |nosotros )?(?P<no_es>no )?{_ADVERBS}(?:prefiero|preferimos|quiero|queremos|odio"
    r"|detesto|me (?:gustan?|encantan?|gustaría|molestan?))"
    r"|(?:je |j'|nous )(?P<no_fr>n'|ne )?(?:préfère|préférerais|préférons|aime(?:rais)?|veux"
    r"|voudrais|déteste|adore)(?: (?:pas|jamais|mieux|bien|plus))?"
    r"|(?:io )?(?:non )?(?:preferisco|voglio|vorrei|mi piac(?:e|ciono)|odio|detesto)"
    r"|(?:ik|wij|we) (?:wil|heb liever|hou van|houd van|verkies|haat)"
    r"|(?:eu )?(?:não )?(?:prefiro|quero|gosto de|adoro|odeio|detesto))\b[,:]? +(?P<value>.{3,})",
)
_STANDING = re.compile(
    r"\b(?:always|never|ever|in future|in general|generally|as a rule|by default|every time"
    r"|each time|at all times|from now on|whenever|immer|nie|niemals|stets|grundsätzlich|generell"
    r"|künftig|zukünftig|in zukunft|ab jetzt|ab sofort|jedes mal|siempre|nunca|jamás|en general"
    r"|por norma|a partir de ahora|de ahora en adelante|cada vez|toujours|jamais|désormais"
    r"|dorénavant|en général|par défaut|à l'avenir|chaque fois|sempre|mai|d'ora in poi|in generale"
    r"|ogni volta|altijd|nooit|voortaan|in het algemeen|elke keer|a partir de agora|em geral"
    r"|cada vez)\b"
)
_TO_ASSISTANT = re.compile(
    r"\b(?:your (?:answers?|replies|reply|responses?|texts?|messages?)|answers|replies|responses"
    r"|answer|reply|respond|deinen? (?:antwort\w*|texte\w*)|antworten|antworte|antworten sie"
    r"|tus (?:respuestas|textos|mensajes)|respuestas|responde|contesta|tes (?:réponses|textes"
    r"|messages)|réponses|réponds|répondez|risposte|rispondi|antwoorden|antwoord|respostas"
    r"|emojis?|smileys?)\b"
)
_POLITE = re.compile(
    r"\b(?:please|bitte|por favor|s'il (?:te|vous) plaît|stp|svp|per favore|alsjeblieft)\b"
)
# What an order begins with: 'never', 'no', 'please', or a verb that people use to an assistant.
_ORDERS_WORDS = """
    always never don't do no please only avoid stop skip use write answer reply respond keep give
    show tell call address explain include put add list format send book order remind ask check
    speak be stay start begin end round cite quote translate suggest recommend leave make run push
    deploy commit test name spell sort read wake let have take treat say talk
    immer nie niemals bitte kein keine keinen keinerlei ohne nur grundsätzlich generell verwende
    benutze nutze nimm schreib schreibe antworte halte halt bleib gib zeig zeige sag sage nenn nenne
    sprich rede duze duz sieze siez erkläre erklär füge buche bestelle erinnere frag frage fass
    fasse sei lass mach mache vermeide ruf rufe stell stelle zitiere übersetze rechne runde weck
    siempre nunca jamás no sin solo usa utiliza escribe responde contesta evita pon ponme da dame
    muestra muéstrame di dime llama llámame trata trátame tutea tutéame habla háblame explica sé
    deja haz reserva recuérdame pregunta cita traduce añade incluye redondea
    toujours jamais ne n'utilise n'écris n'emploie n'appelle pas sans seulement utilise écris
    emploie évite mets mettez donne donne-moi montre dis dis-moi appelle appelle-moi tutoie
    tutoie-moi tutoyez-moi vouvoie vouvoie-moi parle parle-moi explique sois reste fais laisse
    réponds
    réponds-moi réserve rappelle-moi demande cite traduis ajoute arrondis
    sempre mai non senza usa scrivi rispondi evita metti dammi dimmi chiamami dammi spiega fai
    altijd nooit geen zonder gebruik schrijf antwoord vermijd geef noem spreek sempre nunca não sem
    usa escreve responde evita põe dá-me chama-me trata-me fala
"""
_ORDERS = frozenset(_ORDERS_WORDS.split())
_NOT_FOR_GOOD = re.compile(
    r"\b(?:today|tonight|tomorrow|this time|just once|for now|right now|now|here|attached|following"
    r"|above|below|heute|morgen|diesmal|jetzt|gerade|hier|folgende\w*|obige\w*|hoy|mañana|esta vez"
    r"|ahora|aquí|siguiente|aujourd'hui|demain|cette fois|maintenant|ici|suivante?|oggi|domani"
    r"|stavolta|adesso|vandaag|morgen|deze keer|nu|hoje|amanhã|desta vez|agora)\b"
)
_HERE = re.compile(
    r"\bthe (?:attached|following|above|below|enclosed)\b|\b(?:beigefügte|angehängte|folgende"
    r"|obige)\w*\b|\b(?:adjunt[oa]s?|siguientes?)\b|\b(?:ci-joint|suivante?s?)\b"
)
_AGAINST = re.compile(
    r"\b(?:never|don't|do not|avoid|stop|skip|hate|dislike|can't stand|nie|niemals|kein\w*|nicht"
    r"|vermeide\w*|lass|hasse|nunca|jamás|evita|odio|detesto|jamais|évite\w*|déteste|mai|non|evita"
    r"|nooit|niet|geen|não|nunca)\b|^(?:no|without|ohne|sin|sans|pas de|senza|zonder|sem)\b"
    r"|^(?:no)\b|\bn[e'] ?\w+ (?:pas|jamais)\b|\bpas d[e']"
)
_NO_SUCH = re.compile(
    r"(?:no|without|kein\w*|ohne|sin|nada de|pas de|sans|senza|geen|zonder|sem)\b"
)
_FROM_NOW = re.compile(
    r"(?:from now on|in future|in general|as a rule|by default|every time|each time|in zukunft"
    r"|ab (?:jetzt|sofort)|jedes mal|en general|a partir de ahora|de ahora en adelante|cada vez"
    r"|désormais|dorénavant|en général|par défaut|à l'avenir|chaque fois|d'ora in poi|voortaan)\b"
)
# What begins as an order and is a saying: 'Never mind', 'Always a pleasure', 'Immer gern'.
_SAYING = re.compile(
    r"(?:(?:always|never) (?:a|an|mind|better|again|happier|thought|knew|heard|been|ever|say never"
    r"|fear|fails?|ends?|works?|happy|glad|nice|good|welcome)\b|no (?:worries|problem|rush|hurry"
    r"|way|idea|matter|thanks?|need|doubt|offence|pressure|wonder)\b"
    r"|immer (?:gern|wieder|noch|dasselbe|das gleiche|diese\w*|ein\w*)\b"
    r"|nie (?:wieder|im leben|gehört)\b|kein (?:problem|ding|stress|wunder)\b|keine (?:ahnung|sorge"
    r"|eile|ursache)\b|siempre (?:un|es|lo mismo|igual)\b|nunca (?:mejor|se sabe|es)\b"
    r"|no (?:pasa nada|hay de qué|importa|te preocupes)\b|toujours (?:un|pareil|le même|aussi)\b"
    r"|jamais (?:de la vie|deux|vu|entendu)\b|pas (?:de (?:souci|quoi|problème)|grave)\b"
    r"|sempre (?:un|lo stesso|um)\b|mai (?:più|visto)\b|altijd (?:een|fijn|leuk)\b"
    r"|geen (?:probleem|dank|idee)\b)"
)
_BARE_USE = re.compile(
    rf"^{_LEAD}(?:use|verwende|benutze|nutze|usa|utiliza|utilise|usa|gebruik) "
    r"(?!the\b|this\b|that\b|my\b|it\b|das\b|die\b|den\b|dies\w*\b|mein\w*\b|es\b|el\b|la\b|los\b"
    r"|las\b|est[aeo]\b|mi\b|le\b|les\b|ce\w*\b|mon\b|ma\b|mes\b)(?P<value>[^,;:]{3,60})$"
)
_OF_TWO = re.compile(
    r"\b(?:instead of|rather than|statt|anstatt|anstelle|en (?:lugar|vez) de|plutôt que|au lieu de"
    r"|invece di|in plaats van|em vez de|sondern|sino)\b"
    r"|[,;:-] *(?:and |und |y |et |e |en )?(?:not|never|no|nicht|nie|kein\w*|nunca|pas|jamais|mai"
    r"|niet|nooit)\b(?! (?:please|bitte))"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MOST_WORDS = 18  # of a wish; what is longer tells a story


class Wish(NamedTuple):
    """What is wished, as it was said in folded text, and whether it is wanted or not."""

    value: str
    polarity: str  # prefer or avoid


def wish_in(text: str) -> Wish | None:
    """The lasting wish of a sentence in folded text, without its closing mark; None for none."""
    words = _WORD.findall(text)
    # What is wanted of one letter would hold for all of them.
    if not 2 <= len(words) <= _MOST_WORDS or _NOT_FOR_GOOD.search(text):
        return None
    if _OF_TWO.search(text):
        return None  # which of two is wanted, a form knows and a set of words does not
    own = _OWN.match(text)
    if own is not None:
        is_against = any(own.groupdict()[name] for name in ("no", "no_es", "no_fr"))
        is_against = is_against or _AGAINST.search(text) is not None
        return _of(own["value"], is_against=is_against) if _is_of_manner(text) else None
    bare = _BARE_USE.match(text)
    if bare is not None:
        return _of(bare["value"], is_against=False)
    is_standing = _STANDING.search(text) is not None
    is_polite = _POLITE.search(text) is not None
    is_asked = is_polite and _TO_ASSISTANT.search(text) is not None
    first = re.sub(rf"^{_LEAD}", "", text)
    is_no = is_polite and _NO_SUCH.match(first) is not None
    if not (is_standing or is_asked or is_no):
        return None
    if _SAYING.match(first):
        return None
    opening = first.split(" ", 1)[0].strip(",.!:;")
    if opening not in _ORDERS and not _FROM_NOW.match(first):
        return None
    return _of(first, is_against=_AGAINST.search(first) is not None)


def is_of_a_thing_here(text: str) -> bool:
    """Whether a sentence points at something in this very talk: a file, what follows."""
    return _HERE.search(text) is not None


def _of(value: str, *, is_against: bool) -> Wish:
    return Wish(value=value.strip(" ,:-!"), polarity="avoid" if is_against else "prefer")


def _is_of_manner(text: str) -> bool:
    """Whether what somebody likes is asked of the assistant or holds for good: 'brief answers',
    'always a window seat'; a taste ('I like tea') is a memory and no rule."""
    return (
        _STANDING.search(text) is not None
        or _TO_ASSISTANT.search(text) is not None
        or (
            re.search(
                r"\b(?:prefer|prefier|préf|bevorzug|prefer[ii]|prefir|tutoie|vouvoie|geduzt)", text
            )
            is not None
        )
    )
