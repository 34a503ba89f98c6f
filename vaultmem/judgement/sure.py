"""Forms that leave nothing to weigh: what is grave, what lasts and what is gone by tonight.

The models weigh words against words, so 'I'm pregnant!' loses to its exclamation mark and 'She
turned nine today' to its 'today'. Where one form says it all, it decides. Held against 3,795
sentences that are not critical, `is_grave` marks 20 that the models do not, beside 17 of 896 that
are. Pure.
"""

from __future__ import annotations

import re

from vaultmem.base import Needing, late
from vaultmem.judgement.features import Tokens
from vaultmem.judgement.stakes import stakes_of

_OF_BODIES = frozenset(
    ("condition", "medicine", "allergy", "device", "pregnant", "blood_group", "unable")
)
_OF_TALK = frozenset(("saying", "dull", "clinician"))
_NOT_STATED = frozenset(("ask", "maybe", "say", "thank"))
_LONGEST = 14  # words: in longer talk the person and the illness need not belong together
# The verb alone says 'I' in Spanish, Italian and Portuguese.
_OWN_VERB = late(
    r"^\W*(?:estoy|estamos|soy|tengo|tenemos|tomo|llevo|padezco|sono|siamo|ho|abbiamo|prendo|porto"
    r"|soffro|sou|estou|tenho|temos|uso)\b",
    re.IGNORECASE,
)
# 'My cousin sells pacemakers': a trade, and nobody's illness.
_TRADE = late(
    r"\b(?:sells?|selling|sold|repairs?|designs?|makes|lectures?|teaches|verkauft|vertreibt|baut"
    r"|vende|venden|fabrica|vend|vendent|répare|fabrique|verkoopt|maakt|ripara|conserta)\b",
    re.IGNORECASE,
)
_QUOTED = Needing(r"[\"“”„«»]", 0, '"“”„«»')

_AGE = late(
    r"\bturn(?:s|ed) \d{1,3}\b|^\W*\d{1,3} (?:today|heute|hoy|oggi|vandaag|hoje)\b"
    r"|\b(?:i'm|i am|he's|she's|is) \d{1,3} (?:now|today|years old)\b"
    r"|\b(?:bin|ist|wird|werde|wurde) (?:\w+ )?\d{1,3}(?: jahre)?(?: alt)?(?: geworden)?[.!,]"
    r"|\bcumpl(?:o|e|í|ió|ieron|en|imos) \d{1,3}\b|\b(?:a|ai|ont"
    r"|vient d'avoir) (?:eu )?\d{1,3} ans\b"
    r"|\b(?:compi\w+|fatto) (?:\w+ )?\d{1,3} anni\b|\b\d{1,3} (?:jaar )?geworden\b"
    r"|\b(?:fiz|fez|faço|faz|fizeram) \d{1,3} anos\b",
    re.IGNORECASE,
)
_FIRST_DAY = late(
    r"\b(?:(?:my|his|her) )?first day (?:at|with|in my new|as)\b|\berster (?:arbeits)?tag (?:bei"
    r"|als|im)\b"
    r"|\bprimer día (?:en|como|de trabajo)\b|\bpremier jour (?:chez|au|à la|comme)\b"
    r"|\bprimo giorno (?:da|in|come|di lavoro)\b|\beerste (?:werk)?dag (?:bij|als)\b"
    r"|\bprimeiro dia (?:na|no|em|como|de trabalho)\b",
    re.IGNORECASE,
)
# What begins on this very day goes on: 'On the veg full-time from today.'
_FROM_TODAY = late(
    r"\b(?:from|as of|since|starting) (?:today|this (?:week|month|term))\b|\bas of this morning\b"
    r"|\bfrom now on\b|\b(?:ab|seit) (?:heute|sofort|dieser woche)\b|\bvon heute an\b"
    r"|\b(?:desde|a partir de) (?:hoy|ahora|esta semana)\b"
    r"|\b(?:dès|à partir d') ?(?:aujourd'hui|maintenant)\b|\bdepuis (?:aujourd'hui|ce soir)\b"
    r"|\b(?:da oggi|d'ora in poi|vanaf (?:vandaag|nu)|a partir de (?:hoje|agora))\b"
    # and whoever blows out candles is as old as they are many
    r"|\b(?:candles|kerzen|velas|velitas|bougies|candeline|kaarsjes|velinhas)\b.{0,30}"
    r"\b(?:blew|blown|ausgepust\w*|ausgeblasen)\b"
    r"|\b(?:blew|blown|souffl\w+|sopl\w+|soffi\w+|blies|sopr\w+)\b.{0,30}"
    r"\b(?:candles|velas|velitas|bougies|candeline|kaarsjes|velinhas)\b",
    re.IGNORECASE,
)
# A result, and nobody of the person's who played: 'City lost again, 2-0'.
_RESULT = late(
    r"\b(?:lost|won|lose|beat|beaten|drew|thrashed|hammered|verlor\w*|gewonnen|gewann|unentschieden"
    r"|perdi\w*|perdemos|gan[óo]|ganaron|ganamos|empat\w*|perdu|gagné|rouste|battu\w*|vinto|perso"
    r"|pareggi\w*|verloren|gelijk|ganhou|perdeu)\b",
    re.IGNORECASE,
)
_SCORE_NEEDS = "-|–|:|lost by|won by| null| cero| zero|nil|zip"
_SCORE = Needing(
    r"(?<![\d.:])\d{1,2} ?[-–:] ?\d{1,2}(?![\d.:])|\b(?:lost|won) by \w+\b"
    r"|\b(?:zu|a) (?:null|cero|zero)\b|\b\w+[- ](?:nil|zip)\b",
    re.IGNORECASE,
    _SCORE_NEEDS.split("|"),
)
# A statement about spelling, or one that ends in a letter: 'It's Marit with one t.'
_SPELLED_NEEDS = (
    *("spelled", "spelt", "written", "schreibt", "geschrieben", "escribe", "écrit", "scrive"),
    *("geschreven", "schrijf", "escreve", "with ", "mit ", "con ", "avec ", "met ", "com "),
)
_SPELLED = Needing(
    r"^\W*(?:(?:small )?correction|korrektur|richtigstellung|correcci[oó]n|rectificaci[oó]n"
    r"|rectification|correzione|correctie|correç[aã]o|sorry|actually|no|nein|non)\b"
    r"[ ,.:;!–-]+.{0,40}\b(?:spelled|spelt|written|schreibt (?:man )?sich|(?:man )?schreibt"
    r"|geschrieben|se escribe|s['’]écrit|si scrive|geschreven|schrijf je|escreve-se|se escreve)\b"
    r"|\b(?:my|our|mein|meinen|unser|mi|mon|notre|il mio|mijn|meu|o meu)\b.{0,12}"
    r"\b(?:name|surname|nachname|vorname|nombre|apellido|nom|prénom|cognome|nome|naam|achternaam"
    r"|apelido)\b.{0,20}\b(?:spelled|spelt|written|geschrieben|schreibt|se escribe|s['’]écrit"
    r"|si scrive|geschreven|escreve)\b"
    # 'It's Marit with one t.', 'Ich schreibe mich mit ph.'
    r"|^(?:\W|(?:no|nein|non|sorry|actually|correction|corretto|korrektur|corrección)\b)*"
    r"(?:it(?:['’]s| is)|i(?:['’]m| am| spell| write)|ich (?:schreibe|heiße|bin)|man schreibt"
    r"|es schreibt|se escribe|me llamo|(?:ça )?s['’]écrit|je m['’](?:appelle|écris)|si scrive"
    r"|mi chiamo|het is|ik heet|escreve-se)\b.{0,40}"
    r"\b(?:with |mit |con |avec |met |com )"
    r"(?:(?:an?|one|two|double|eine[mr]|zwei|la|una|dos|une?|deux|een|twee|due|uma?"
    r"|dois) )?(?:[a-z]|ph|th|ck|ie|ei|ee|ll|nn|tt|ss)(?:['’]s)?[.!]*$",
    re.IGNORECASE,
    _SPELLED_NEEDS,
)
_HEARSAY_NEEDS = (
    "used to |always |saying goes|pflegte zu|sagte immer|sagte früher|so schön|siempre decía"
    "|como decía|como dice|comme disait|comme dit|disait toujours|come diceva|come dice"
    "|diceva sempre|zei altijd|zoals ze|como dizia|como diz|sempre dizia|podcast|pódcast"
    "|tiktok|instagram|horosc|horósc|horosk|orosc"
)
_HEARSAY = Needing(
    r"\b(?:used to (?:say|tell)|always (?:said|used to say)|as the (?:old )?saying goes"
    r"|pflegte zu sagen|sagte (?:immer|früher immer)|wie (?:man|es) so schön (?:sagt|heißt)"
    r"|siempre decía|como (?:decía|dice el refrán)|comme (?:disait|dit le proverbe)"
    r"|disait toujours|come (?:diceva|dice il proverbio)|diceva sempre|zei altijd|zoals ze zeggen"
    r"|como (?:dizia|diz o ditado)|sempre dizia)\b"
    r"|\b(?:podcast|pódcast|tiktok|instagram|horoscop\w*|horóscopo|horoskop|oroscopo)\b.{0,40}"
    r"\b(?:said|says|claim\w*|reckon\w*|hieß|heißt|sagt\w*|meint\w*|dij\w+|dec[íi]a\w*|dice\w*"
    r"|disai\w+|dit|detto|diceva\w*|zei\w*|disse\w*|dizia\w*)\b",
    re.IGNORECASE,
    _HEARSAY_NEEDS.split("|"),
)


def is_grave(text: str, tokens: Tokens) -> bool:
    """Whether a short plain statement names an illness, a medicine or a device of somebody."""
    if len(tokens.low) > _LONGEST or "?" in text or _QUOTED.search(text):
        return False
    seen = {
        name
        for word, signs in zip(tokens.low, tokens.signs, strict=True)
        for name in signs
        if word != "ha"  # 'has' in Italian and Spanish, of what is said only before 'detto'
    }
    if seen & _NOT_STATED or not (seen & {"self", "kin", "pet"} or _OWN_VERB.match(text)):
        return False
    topics = stakes_of(text, tokens.low)
    return bool(topics & _OF_BODIES) and not topics & _OF_TALK and not _TRADE.search(text)


_FEARED = frozenset(("condition", "allergy", "pregnant"))
_DOUBTS = (
    "may|might|could|perhaps|possibl|probab|suspect|think|not sure|vielleicht|möglicherweise"
    "|eventuell|wahrscheinlich|könnte|verdacht|quizá|tal vez|puede que|a lo mejor|posiblemente"
    "|podría|peut-être|il se peut|pourrait|soupçon|forse|magari|potrebbe|misschien|wellicht"
    "|waarschijnlijk|zou kunnen|talvez|pode ser|provavelmente"
)
_IN_DOUBT = Needing(
    r"\b(?:may (?:well |also |not )?(?:be|have|need)|might|could (?:well |also )?(?:be|have)"
    r"|maybe|perhaps|possibly|probably|suspects?|think|not sure|vielleicht"
    r"|möglicherweise|eventuell|wahrscheinlich|könnte|verdacht|quizás?|tal vez|puede que|a lo mejor"
    r"|posiblemente|podría|peut-être|il se peut|pourrait|probablement|soupçon\w*|forse|magari"
    r"|potrebbe|probabilmente|misschien|wellicht|waarschijnlijk|zou kunnen|talvez|pode ser"
    r"|provavelmente)\b",
    re.IGNORECASE,
    _DOUBTS.split("|"),
)
_SUPPOSED = late(
    r"\b(?:if|would|wonder\w*|imagine|suppose|wish|wenn|falls|wäre|hätte|angenommen|ojalá|fuera"
    r"|imagina|serait|imagine[sz]?|supposons|se fosse|als|stel)\b",
    re.IGNORECASE,
)


def is_in_doubt(text: str, tokens: Tokens) -> bool:
    """Whether a short statement says that something may be so, and supposes nothing."""
    is_short = len(tokens.low) <= _LONGEST and "?" not in text
    return is_short and bool(_IN_DOUBT.search(text)) and not _SUPPOSED.search(text)


def is_feared(text: str, tokens: Tokens) -> bool:
    """Whether somebody of the person's may have an illness or an allergy: 'the dog might be ...'.

    In doubt it is kept and told, with its 'might': who is given the chicken asks nobody again.
    """
    if not is_in_doubt(text, tokens) or _QUOTED.search(text):
        return False
    seen = {name for signs in tokens.signs for name in signs}
    if seen & {"ask", "thank"} or not (seen & {"self", "kin", "pet"} or _OWN_VERB.match(text)):
        return False
    topics = stakes_of(text, tokens.low)
    return bool(topics & _FEARED) and not topics & _OF_TALK and not _TRADE.search(text)


# 'The leak comes from the gutter, not from the chimney': where something comes from bars nothing.
_CAUSE = late(
    r"\b(?:comes?|came|is coming|was coming|kommt|kam|vient|venait|viene|venía|proviene|komt|kwam"
    r"|vem|vinha) (?:from|out of|von|vom|aus|de|du|des|del|dal|dalla|da|do|van"
    r"|uit)\b.{2,60}[,;] ?(?:and |und "
    r"|y |et |e |en )?(?:not|nicht|no|pas|non|niet|não)\b",
    re.IGNORECASE,
)


def is_cause(text: str) -> bool:
    """Whether a text only puts right where something comes from."""
    return bool(_CAUSE.search(text))


def is_trade(text: str, tokens: Tokens) -> bool:
    """Whether somebody deals with what others wear or take: 'my cousin repairs hearing aids'."""
    seen = {name for signs in tokens.signs for name in signs}
    topics = stakes_of(text, tokens.low)
    of_goods = topics & {"device", "medicine"} and not topics & {"allergy", "harm"}
    return bool(of_goods and _TRADE.search(text)) and "self" not in seen - _of_relation(tokens)


def _of_relation(tokens: Tokens) -> set[str]:
    """'self', where all it says is whose relation somebody is: 'my cousin'."""
    own = [i for i, signs in enumerate(tokens.signs) if "self" in signs]
    beside = all(i + 1 < len(tokens.signs) and "kin" in tokens.signs[i + 1] for i in own)
    return {"self"} if own and beside else set()


def lasts(text: str) -> bool:
    """Whether a text says an age, what begins today, or how a name is written."""
    if "?" in text:
        return False
    told = text.replace("’", "'")
    begins = _FIRST_DAY.search(told) or _FROM_TODAY.search(told)
    return bool(_AGE.search(told) or begins or is_spelling(text))


def is_spelling(text: str) -> bool:
    """Whether a text puts right how a name is written: 'Correction: it is spelled ...'."""
    return "?" not in text and bool(_SPELLED.search(text))


def passes(text: str, tokens: Tokens) -> bool:
    """Whether a text is a result, a proverb or hearsay, and about nobody of the person's."""
    # 'nicht' is a niece in Dutch and 'not' in German.
    of_theirs = any("kin" in signs and "not" not in signs for signs in tokens.signs)
    if _HEARSAY.search(text):
        return True
    return not of_theirs and bool(_SCORE.search(text) and _RESULT.search(text))
