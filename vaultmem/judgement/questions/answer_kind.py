"""What an answer has to have: digits for a phone number, a name for who is called how. Pure.

A memory that shares words with a question answers it only if it is of the kind that was asked:
"My sister works at a bank." is no answer to "What is my sister's phone number?". Whose car, team,
school, home, job or pay is asked has to be named in it, too. Seven languages.

Of 50 questions that four told lives do not answer, 48 get no answer (24 by name, number, size and
birthday alone); of 42 of the same kinds that they do answer, in other words, 39 are found (36).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache

from vaultmem.base import Needing, late
from vaultmem.judgement.introductions import fold_accents
from vaultmem.judgement.signs import signs_of

NAME, BIRTHDAY, PHONE, CODE = "name", "birthday", "phone", "code"
SIZE, BLOOD, AMOUNT, AGE = "size", "blood", "amount", "age"
EARNED, PRICE, CAR, TEAM = "earned", "price", "car", "team"
SCHOOL, PLACE, WORK = "school", "place", "work"
# Words of a question, folded without accents; the first kind that is found counts.
_ASKED = {
    BIRTHDAY: r"birthday|b-day|geburtstag|cumpleanos|cumple anos|anniversaire(?! de mariage)"
    r"|compleanno|verjaardag|jarig|aniversario de",
    PHONE: r"(?:phone|telephone|mobile|cell) number|telefonnummer|handynummer|natelnummer"
    r"|'s (?:tele)?(?:phone|mobile|cell|number)\b|(?:cual es|dame|tienes) el (?:telefono|movil) d"
    r"|quel est le (?:telephone|portable) d|(?:nummer|telefon) von\b"
    r"|numero de (?:telefono|movil|celular|telephone|portable|telefone|telemovel|tel)"
    r"|numero (?:di|de) tel\w*|telefoonnummer|mobiele nummer|(?:le|el) numero de m[ai]\b",
    CODE: r"(?:passport|account|card|licen[cs]e|insurance|security|id|reference|plate) number"
    r"|(?:pass|konto|ausweis|versicherungs|karten|steuer)nummer|kennzeichen|iban|\bpin\b|postcode"
    r"|zip code|(?:the|my|our) code|(?:alarm|door|gate|lock) code|code (?:of|for|de|du)\b"
    r"|numero de (?:pasaporte|cuenta|passeport|compte|securite|seguridad|matricula)|matricula"
    r"|immatriculation|digicode|numero (?:del? )?(?:passaporto|conto)|codigo (?:de|del)\b",
    BLOOD: r"blood (?:type|group)|blutgruppe|grupo sanguineo|tipo de sangre|groupe sanguin"
    r"|gruppo sanguigno|bloedgroep|tipo sanguineo",
    SIZE: r"(?:shoe|dress|shirt|ring|collar|what|which) size|size (?:shoe|boot|dress|shirt|ring)"
    r"|schuhgrosse|kleidergrosse|konfektionsgrosse|ringgrosse|que talla|talla de|calzo\b|calza\b"
    r"|pointure|quelle taille|schoenmaat|welke maat",
    AGE: r"how old|what age|wie alt|cuantos anos (?:tiene|tienen|tengo)|que edad|quel age"
    r"|quanti anni|hoe oud|quantos anos",
    EARNED: r"\bhow much (?:do|does|did) \w+ (?:earn|make|get paid|take home)\b"
    r"|\bwhat(?:'s| is) (?:\w+ ?){1,3}(?:'s )?(?:salary|wages?|income|pension)\b"
    r"|\b(?:was|wie ?viel) verdien\w*|\bwie (?:hoch|viel) .*\b(?:gehalt|lohn|rente)\b"
    r"|\bcuanto (?:gan|cobr)\w+|\bcual es .*\b(?:sueldo|salario)\b"
    r"|\bcombien (?:je |tu |on )?(?:gagn|touch)\w+|\bquel est .*\bsalaire\b"
    r"|\bquanto (?:guadagn|prend|ganh)\w+|\bhoeveel verdien\w*|\bwat is .*\bsalaris\b",
    PRICE: r"\bhow much\b.*\b(?:costs?|pay|paid|charge|rent|sell|spend)\b|\b(?:price|cost) of\b"
    r"|\bwie ?viel\b.*\b(?:kost|zahl|bezahl|verlang|miete|pacht|verkauf)\w*|\bwas kostet\b"
    r"|\bcuant[oa]\b.*\b(?:cuesta|pago|pagamos|paga|cobro|vendo|vale|alquiler)\w*"
    r"|\bcombien\b.*\b(?:coute|paie|paye|vend|factur|loyer)\w*|\bquanto\b.*\b(?:cost|pag|vend)\w*"
    r"|\bhoeveel\b.*\b(?:kost|betaal|verkoop)\w*",
    AMOUNT: r"\bhow (?:much|many)\b|\b(?:salary|wage|wages)\b|wie ?viele?\b|\b(?:gehalt|lohn)\b"
    r"|\bcuant[oa]s?\b|\b(?:sueldo|salario)\b|\bcombien\b|\bsalaire\b|\bquant[oaie]\b|\bhoeveel\b"
    r"|\bquantos?\b",
    CAR: r"\b(?:what|which)(?: (?:kind|make|sort|brand|model) of)? (?:car|vehicle|truck|van)\b"
    r"|\bwelche\w* (?:auto|wagen)\b|\bwas fur ein (?:auto|wagen)\b|\bautomarke\b"
    r"|\bque (?:marca de )?(?:coche|carro|auto)\b|\bquelle (?:marque de )?(?:voiture|bagnole"
    r"|auto|char)\b|\bche (?:macchina|auto)\b|\bwelke auto\b|\bque carro\b",
    TEAM: r"\b(?:what|which) (?:(?:foot|base|basket)ball |soccer |rugby |hockey )?(?:team|club)\b"
    r"|\bwelche\w* (?:fussball)?(?:mannschaft|verein|team|klub|club)\b|\bvon welchem verein\b"
    r"|\b(?:de )?que equipo\b|\bquelle equipe\b|\bquel club\b|\bche squadra\b|\bwelke club\b"
    r"|\bque time\b",
    SCHOOL: r"\b(?:what|which) (?:school|college|university|kindergarten|nursery)\b"
    r"|\b(?:welche|welcher|auf welche) (?:schule|uni|kita)\b|\bque (?:colegio|escuela|instituto"
    r"|universidad)\b|\bquelle (?:ecole|fac|universite)\b|\bquel (?:college|lycee)\b"
    r"|\bche scuola\b|\bwelke school\b|\bque escola\b",
    PLACE: r"\bwhere (?:does|do|did|is) .*\b(?:live|living|based)\b"
    r"|\b(?:which|what) (?:city|town|village|country|street) .*\blives?\b|\bwo (?:wohn|leb)\w+"
    r"|\bin welche\w* (?:stadt|ort|land|dorf) (?:wohn|leb)\w+|\bdonde vive\w*"
    r"|\ben que (?:ciudad|pueblo|pais|calle) vive\w*|\bou (?:habite|vit|vivent)\w*"
    r"|\bdans quelle (?:ville|rue) .*\b(?:habite|vit|vivent)\w*|\bdove (?:abita|vive)\b"
    r"|\bwaar woont\b|\bonde (?:mora|vive)\b",
    WORK: r"'s (?:job|profession|occupation)\b"
    r"|\bwhat does .* do (?:for (?:a living|work)|at work)\b|\bwhere (?:does|do) .*\bwork\b"
    r"|\bwo arbeite\w*|\bwas (?:macht|ist) .* (?:beruflich|von beruf)"
    r"|\bwas arbeitet\b|\bwelchen beruf hat\b|\b(?:donde|en que) trabaja\b|\ba que se dedica\b"
    r"|\bou (?:travaille|bosse)\b|\bque fait .* dans la vie\b|\bquel (?:est le )?metier\b"
    r"|\bdove lavora\b|\bche lavoro fa\b|\bwaar werkt\b|\bonde trabalha\b",
    NAME: r"(?:last |first |middle |sur|maiden |nick)name|what(?:'s| is| was) the name\b|name of\b"
    r"|'s name\b|\bcalled\?|(?:nach|vor|spitz|madchen)name\b"
    r"|^\W*wie h(?:eiss?t?e?n?|iess?(?:en)?)\b|\bdid (?:we|i|you|they|he|she) (?:name|call)\b"
    r"|como se llama(?:n|ba|ban)?\b|\bnombre de\b|apellidos?\b|comment s'app?el\w+|\bprenom\b"
    r"|nom de famille"
    r"|\bnom d[eu]\b|come si chiama\w*|cognome|hoe heet\b|achternaam|como se chama\w*|sobrenome",
}
# 'We've turned the kitchen round', 'es wird Herbst' and 'il ne vient pas' tell no birthday.
_BIRTH = late(
    r"birth|\bb-?day|\bborn\b|\bturn(?:s|ed|ing)? (?:\d|\w+(?:teen|ty)\b|one\b|two\b|three\b|four\b"
    r"|five\b|six\b|seven\b|eight\b|nine\b|ten\b|eleven\b|twelve\b)|geburt|geboren"
    r"|\bwird (?:\w+ ){0,3}(?:\d|\w+zig\b|\w+zehn\b|zwei\b|drei\b|vier\b|fünf\b|sechs\b|sieben\b"
    r"|acht\b|neun\b|elf\b|zwölf\b)|cumple|\bnac[ií]|anniversaire"
    r"|\bnée?s?\b|\baura \w+ ans\b|\bfêt\w+ \w+ \w+ ans\b|\b\w+ ans le \d"
    r"|compleanno|\bnat[oa]\b|verjaar|jarig|anivers|nasc",
    re.IGNORECASE,
)
_BLOOD = late(
    r"blood (?:type|group)|blutgruppe|sangu[ií]n|tipo de sangre|bloedgroep"
    r"|\b(?:AB|A|B|O|0) ?(?:[+−-]|pos|neg|rh)",
    re.IGNORECASE,
)
# 'The check is on 4 May' tells no size, though it has a digit.
_SIZED = late(
    r"size|shoe|boot|\b(?:wears?|takes?|small|medium|large|trag\w*|gr(?:ö|oe)(?:ß|ss)e\w*|us[ao]|calz\w*"
    r"|fais|fait|mets|porte|port[oa]|taille|pointure|veste\w*|draag\w*|maat)\b|schuh|stiefel|größe"
    r"|tall|zapat|tenis|chauss|scarp|schoen|sapat",
    re.IGNORECASE,
)
_SIZE = late(r"\d|\b(?:XXS|XS|S|M|L|XL|XXL|small|medium|large)\b")
_WORD = late(r"[^\W_]+(?:['’-][^\W_]+)*")
_ONE = "one un una uno une ein eine eins um uma een half media halb quarter"
_ONE_OF = frozenset(_ONE.split())
_MORE = """
    dozen couple pair free nothing once twice double dutzend paar gratis kostenlos nichts
    docena par nada mitad doble douzaine paire rien gratuit moitié zéro zero forties fifties
    sixties baby newborn toddler born geboren nació né née
"""
_MORE_THAN_ONE = frozenset(_MORE.split())
_FEW_DIGITS, _MANY_DIGITS = 3, 5
_MONEY = late(
    r"[€$£]|\b(?:euros?|eur|quid|pounds?|pence|dollars?|bucks|cents?|francs?|franken|rappen|pesos?"
    r"|rupees|lakhs?|reais|kronor|grand|\d+k)\b|\d{3,}|\d[.,' ]\d{3}"
    r"|\d ?(?:an?|per|each|pro|par|die|im|al|la|le|l'|por|per|all'|il|o|a)\b",
    re.IGNORECASE,
)
_OF_DAYS = late(r"\d{1,2}[:.]\d\d\b|\b(?:19|20)\d\d\b|\b\d+ ?(?:am|pm|uhr)\b", re.IGNORECASE)
_EARNING = late(
    r"\b(?:earn\w*|salary|wages?|paid|pays?|an hour|per hour|pension|income|brutto|netto|verdien\w*"
    r"|gehalt|lohn|rente|stunde|gan[ao]\w*|cobr\w*|sueldo|salario|pensión|gagn\w*|salaire|touch\w*"
    r"|paie|paye|retraite|makes?|gets?|krieg\w*|bekomm\w*|pag\w+|se fait"
    r"|a (?:month|year)|al (?:mes|año)|par (?:mois|an)|im (?:monat|jahr)|stipendio|guadagn\w*"
    r"|salaris|loon|ganh\w*|aposentadoria)\b",
    re.IGNORECASE,
)
# Hours, days, amounts of other things: '24 hours on' is nobody's age.
_OF_OTHER_THINGS = late(
    r"\d+(?:[.,:]\d+)*\s*(?:hours?|hrs?|h|uhr|mg|km|kg|kilos?|miles?|minutes?|min|%|€|\$|£|euros?"
    r"|pounds|dollars|bucks|am|pm|a\.m|p\.m|o'clock|stunden|heures|horas|ore|uur|people|times|off|on|mal"
    r"|fois|veces|volte)(?!\w)|\d+:\d+",
    re.IGNORECASE,
)
_CAR_WORDS = late(
    r"\b(?:cars?|vans?|trucks?|lorr(?:y|ies)|pick-?ups?|jeeps?|suvs?|estate|hatchback|driv(?:es?|ing)"
    r"|drove|wheels|autos?|wagen|kombi|transporter|fähr\w*|fahr\w*|karre|coches?|carros?|furgoneta"
    r"|camioneta|conduc\w*|manej\w*|voitures?|bagnoles?|caisse|chars?|camion\w*|condui\w*|roul\w*"
    r"|macchin\w*|guid\w*|bus|rijd\w*|dirig\w*"
    r"|toyota|honda|ford|vw|volkswagen|golf|polo|passat|bmw|audi|mercedes|benz|sprinter|opel|corsa"
    r"|astra|vauxhall|skoda|škoda|fabia|octavia|seat|ibiza|león|fiat|panda|punto|renault|clio|mégane"
    r"|megane|kangoo|twingo|zoe|peugeot|partner|citro[eë]n|berlingo|dacia|duster|sandero|volvo|saab"
    r"|nissan|micra|leaf|mazda|suzuki|swift|hyundai|kia|tesla|subaru|mini|jaguar|land ?rover|lexus"
    r"|tsuru|chevy|chevrolet|silverado|dodge|ram|gmc|buick|cadillac|porsche|smart|fiesta|focus"
    r"|mondeo|transit|civic|corolla|yaris|prius|tiguan|touran|caddy|2 ?cv|4 ?l|käfer|beetle)\b"
    # 'Callum's got himself a second-hand Tiggo'
    r"|\b(?:got|has|bought|hat|geholt|gekauft|tiene|compr\w+|a (?:une?|acheté))\b.{1,30}"
    r"\b(?:second-hand|used|gebraucht\w*|segunda mano|d'occasion)\b",
    re.IGNORECASE,
)
_TEAM_WORDS = late(
    r"\b(?:teams?|clubs?|fans?|support(?:s|er|ers|ed|ing)?|football|soccer|rugby|baseball|basketball"
    r"|hockey|cricket|season ticket|match(?:es)?|league|stadium|kick-?off|fußball|verein|mannschaft"
    r"|dauerkarte|anhänger|stadion|spiel\w*|equipos?|hincha|aficionad\w*|fútbol|socio|abono|estadio"
    r"|partidos?|équipes?|supporter\w*|abonné|match(?:s)?|stade|foot|squadra|tifos\w*|tifo|calcio"
    r"|voetbal\w*|seizoenkaart|torc\w*|futebol)\b"
    r"|\bdel (?=[A-ZÀ-Þ])|\bf\.?c\b|\b(?:united|city|rovers|wanderers|athletic)\b",
    re.IGNORECASE,
)
_SCHOOL_WORDS = late(
    r"school\w*|\b(?:college|uni|university|academy|class(?:es|mates?)?|year \d+|grade|nursery"
    r"|kindergarten|teacher|pupil|primary|reception|sixth form|campus)\b|schul\w*|\b(?:kita|uni\w*"
    r"|gymnasium|klasse|abitur|hort|studi\w*)\b|\b(?:colegio|cole|escuela|instituto|universidad"
    r"|guardería|facultad|clase|maestr\w*)\b|\b(?:école|collège|lycée|fac|université|crèche"
    r"|maternelle|classe|institut\w*)\b|\b(?:scuola|asilo|liceo|universit\w*)\b"
    r"|\b(?:escola|creche|faculdade)\b",
    re.IGNORECASE,
)
_HOME_WORDS = late(
    r"\b(?:lives?|lived|living|flit\w*|moved|moving|flat|apartment|house|home|street|road|address|stays?"
    r"|wohn\w*|leb(?:t|en|e)|zieht|zog|gezogen|umgezogen|adresse|straße|viv\w*|mud\w*|casa|piso|calle"
    r"|habit\w*|déménag\w*|appartement|maison|rue|abit\w*|trasfer\w*|woon\w*|verhuis\w*|huis|mora\w*"
    r"|vit|vivent)\b",
    re.IGNORECASE,
)
_IN_A_PLACE = late(
    r"\b(?:in|at|near|from|to|outside|of|up|down|over|out|im|nach|aus|bei|an|am|zu|en|de|a|à|au|aux"
    r"|près|cerca|da|di|uit|naar|em|no|na)"
    r" (?:(?:the|der|den|dem|la|le|el|los|las|les) )?(?!(?:January|February|March|April|May|June"
    r"|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober"
    r"|Dezember|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter"
    r"|Weihnachten|Ostern|I)\b)[A-ZÀ-Þ]\w+"
)
_WORK_WORDS = late(
    r"\b(?:work\w*|jobs?|employ\w*|shifts?|office|company|firm|runs?|teach\w*|taught|stud(?:y|ies"
    r"|ied|ying|ent)|retired?|apprentice\w*|trainee|qualified|practice|career|arbeit\w*|schafft"
    r"|schicht\w*|leitet|studier\w*|lehre|azubi|ausbildung|rentner\w*|beruf\w*|trabaj\w*|dedica"
    r"|empresa|estudi\w*|jubilad\w*|profesión|oficio|travaill\w*|bosse\w*|métier|boulot|étudi\w*"
    r"|retraité\w*|tient|dirige\w*|lavor\w*|insegna|pensionat\w*|werkt?|baan|studeert|trabalh\w*"
    r"|aposentad\w*|beim?|chez|joined|starts?|started|began|fängt|angefangen|empieza|empezó|entra"
    r"|entró|commence|débute|at the|for the)\b"
    # 'is a nurse', 'ist Hebamme', 'es abogada': whoever is said to be somebody
    r"|(?:\b(?:is|was|as|became|ist|war|als|wird|es|era|como|est|était|comme|è|fa|é)"
    r"(?: (?:an?|the|our|eine?|der|die|una?|une?|le|la|un'|uma?|een))? |'s (?:an?|the|our) )"
    r"(?!\w+ing\b)[^\W\d_]{4,}",
    re.IGNORECASE,
)
# Who is called father is no sister, though both are family. A line is one person in all languages.
_RELATIVES = """
    father dad daddy dada pop pops papa vater vati papi paps padre papá père babbo pai
    mother mum mom mam mama mammy mutter mutti madre mamá mère maman mamma moeder mãe
    brother bro bruder hermano frère frérot fratello broer irmão
    sister sis schwester hermana sœur soeur frangine sorella zus zuster irmã
    husband hubby spouse partner married mann ehemann gatte marido esposo mari époux marito
    husband echtgenoot verheiratet casada casado mariée sposata getrouwd partner
    wife spouse partner married missus frau ehefrau gattin mujer esposa femme épouse moglie
    wife vrouw mulher verheiratet casado casada marié sposato getrouwd partner
    son boy lad eldest youngest kid child sohn junge ältester jüngster hijo niño fils garçon gamin
    daughter girl lass eldest youngest kid child tochter mädchen älteste jüngste hija niña fille
    uncle onkel tío oncle tonton zio oom tio
    aunt auntie tante tía tata zia tia
    grandmother grandma gran granny nan nana oma großmutter omi abuela grand-mère mamie nonna avó
    grandfather grandpa grandad granddad opa großvater opi abuelo grand-père papy pépé nonno avô
    teacher lehrer lehrerin klassenlehrer klassenlehrerin profesor profesora maestro maestra
    professeur maître maîtresse instituteur institutrice prof insegnante juf meester professora
"""
_MOST_TELLING = 4  # words that say what is asked: longer questions tell a story


# A question without any of these words of a kind does not ask for it: compiling all patterns
# took a cold `recall` four milliseconds.
_NEEDS = {
    BIRTHDAY: "birthday b-day geburtstag cumple anniversaire compleanno verjaardag jarig aniversar",
    PHONE: "number nummer numero phone mobile cell telefon movil portable",
    CODE: "number nummer numero kennzeichen iban pin postcode code matricul codigo",
    BLOOD: "blood blut sang bloed",
    SIZE: "size grosse talla calz pointure taille maat",
    AGE: "old age alt edad anos anni oud",
    EARNED: "much salar wage income pension verdien gehalt lohn rente cuant sueldo combien salaire"
    " quant stipendio veel",
    PRICE: "much price cost viel kost cuant combien quant veel",
    AMOUNT: "much many salar wage viel gehalt lohn cuant sueldo combien salaire quant veel",
    CAR: "car vehicle truck van auto wagen coche voiture bagnole char macchina",
    TEAM: "team club mannschaft verein klub equip squadra time",
    SCHOOL: "school college universi kindergarten nursery schule uni kita colegio escuela instituto"
    " ecole fac lycee scuola escola",
    PLACE: "live living based wohn leb vive habite vit abita woon mora",
    WORK: "job profession occupation does work arbeit beruf trabaj dedica travaille bosse vie"
    " metier lavor werkt trabalha",
    NAME: "name naam call heis hies llama nombre apellido appel apel prenom nom chiama cognome"
    " heet chama",
}


@cache
def _patterns() -> tuple[tuple[str, Needing], ...]:
    return tuple((kind, Needing(told, 0, _NEEDS[kind].split())) for kind, told in _ASKED.items())


def asked_kind(question: str) -> str:
    """What an answer to a question has to have; '' where nothing is certain."""
    plain = fold_accents(question).replace("’", "'")
    return next((kind for kind, told in _patterns() if told.search(plain)), "")


def is_of_kind(
    text: str, kind: str, question: str = "", *, is_word: Callable[[str], bool] = lambda _: False
) -> bool:
    """Whether a text has what a kind of question asks for.

    is_word  whether a word in lower case is known, and so no name where all nouns have capitals
    """
    digits = sum(map(str.isdigit, text))
    tests: dict[str, Callable[[], bool]] = {
        BIRTHDAY: lambda: bool(_BIRTH.search(text)),
        PHONE: lambda: digits >= _MANY_DIGITS,
        CODE: lambda: digits >= _FEW_DIGITS,
        SIZE: lambda: bool(_SIZED.search(text)) and (bool(_SIZE.search(text)) or _has_number(text)),
        BLOOD: lambda: bool(_BLOOD.search(text)),
        AMOUNT: lambda: _has_number(text),
        AGE: lambda: _has_number(_OF_OTHER_THINGS.sub(" ", text)),
        EARNED: lambda: bool(_EARNING.search(text)) and _has_price(text),
        PRICE: lambda: _has_price(text),
        CAR: lambda: bool(_CAR_WORDS.search(text)),
        TEAM: lambda: bool(_TEAM_WORDS.search(text)),
        SCHOOL: lambda: bool(_SCHOOL_WORDS.search(text) or _IN_A_PLACE.search(text)),
        PLACE: lambda: bool(_HOME_WORDS.search(text) or _IN_A_PLACE.search(text)),
        WORK: lambda: bool(_WORK_WORDS.search(text)),
        NAME: lambda: _has_name(text, question, is_word),
    }
    return kind not in tests or tests[kind]()


def _has_number(text: str) -> bool:
    if any(map(str.isdigit, text)):
        return True
    for word in _WORD.findall(text.lower()):
        parts = word.split("-")
        if not _MORE_THAN_ONE.isdisjoint(parts):
            return True
        if any("count" in signs_of(part) and part not in _ONE_OF for part in parts):
            return True
    return False


def _has_price(text: str) -> bool:
    plain = _OF_DAYS.sub(" ", text)
    return _MONEY.search(plain) is not None


def _has_name(text: str, question: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a word is written as a name that the question does not have; in a hurry all are."""
    asked = {word.casefold() for word in _WORD.findall(question)}
    rest = [match for match in _WORD.finditer(text) if match.start() > 0]
    if not any(match.group()[0].isupper() for match in rest):
        return not text[:1].isupper()
    return any(
        match.group()[0].isupper()
        and match.group().casefold() not in asked
        and match.group() not in ("I", "I'm", "I've", "I'll", "I'd", "I’m")
        and not is_word(match.group().casefold())
        for match in _WORD.finditer(text)
    )


def lacks(
    question: str,
    asked: Sequence[str],
    answers: Sequence[tuple[str, Collection[str]]],
    *,
    is_word: Callable[[str], bool],
) -> bool:
    """Whether none of the answers is of the kind that a question asks for, of whom it asks it.

    asked    the words of the question that say what is asked, as they are written, in lower case
    answers  (text, words of the question that it holds in these or other words) of each
    is_word  as in `is_of_kind`
    """
    if len(asked) > _MOST_TELLING:
        return False
    kind = asked_kind(question)
    names = _names_in(question, asked, is_word)
    if not kind or (kind in _OF_SOMEBODY and (not names or _is_own(question))):
        return False  # where the speaker lives is known by more than words (question.py)
    parted = {word for word in asked if word.rpartition("'")[2] in asked and "'" in word}
    rest = {word for word in asked if word not in parted and not _is_of_kind(word, kind)}
    needed, any_of = rest, set[str]()
    if kind == AMOUNT:
        needed = set()
    elif kind in _OF_NAMES:
        # Whose car it is has to be said, and not in what words the rest is.
        relatives = {word for word in rest if _relatives_of(word)}
        needed = names | relatives if names else set()
        any_of = rest if kind == PRICE and not names else any_of
    return not any(
        _holds(needed, text, held, kind)
        and (not any_of or not any_of.isdisjoint(held) or _is_rent(any_of, text))
        and is_of_kind(text, kind, question, is_word=is_word)
        for text, held in answers
    )


# What is asked of others alone. 'What car do I drive?' is answered by makes that no list has.
_OF_SOMEBODY = frozenset((PLACE, WORK, CAR))
_DWELLINGS = frozenset(
    [
        *("flat", "house", "home", "place", "apartment", "wohnung", "haus", "vivienda", "piso"),
        *("casa", "appartement", "logement", "maison", "appart", "affitto", "woning", "huis"),
    ]
)
_RENT = late(
    r"\brent\w*|mortgage|miete|alquil\w*|hipoteca|loyer|prêt|affitto|mutuo|huur|hypothe\w*|aluguel",
    re.IGNORECASE,
)
_OF_NAMES = frozenset((EARNED, PRICE, CAR, TEAM, SCHOOL, PLACE, WORK))


def _is_rent(asked: Collection[str], text: str) -> bool:
    """Whether a text tells the rent, where what a home costs is asked."""
    return not _DWELLINGS.isdisjoint(asked) and _RENT.search(text) is not None


def _holds(needed: Collection[str], text: str, held: Collection[str], kind: str) -> bool:
    """Whether all words that an answer needs are held; of a relative whose name is asked, as such.

    By other words a mother is held by 'father', both being family, and by the name of one.
    """
    for word in needed:
        same = _relatives_of(word) if kind == NAME else frozenset()
        if same:
            said = {part for each in _WORD.findall(text.casefold()) for part in _parts_of(each)}
            if same.isdisjoint(said):
                return False
        elif word not in held:
            return False
    return True


def _parts_of(word: str) -> tuple[str, ...]:
    """The word, and what it is without an "l'" or an "'s"."""
    plain = word.replace("’", "'")
    return (plain, plain.removesuffix("'s"), plain.rpartition("'")[2])


@cache
def _relatives() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    lines = [line.split() for line in _RELATIVES.strip().splitlines()]
    for line in lines:
        for word in line:
            found[word] = found.get(word, frozenset()).union(line)
    return found


def _relatives_of(word: str) -> frozenset[str]:
    """Every word for the relative that a word in lower case names; none: it names none."""
    return _relatives().get(word, frozenset())


def _is_own(question: str) -> bool:
    """Whether the speaker is in it: 'Where did Rohan and I live?'"""
    return any("self" in signs_of(word) for word in _WORD.findall(question.casefold()))


def _names_in(question: str, asked: Sequence[str], is_word: Callable[[str], bool]) -> set[str]:
    """The words of a question that are names, as they stand in `asked`."""
    found: set[str] = set()
    for match in _WORD.finditer(question):
        word = match.group().replace("’", "'")
        for part in {word, word.removesuffix("'s"), word.rpartition("'")[2]}:
            low = part.casefold()
            is_name = match.start() > 0 and part[:1].isupper() and low in asked
            if is_name and not is_word(low) and not signs_of(low):
                found.add(low)
    return found


_KIND_WORDS = frozenset(
    [
        *("called", "named", "hieß", "hiess", "llamaba", "appelait", "s'appelle", "s'appelait"),
        *("cuesta", "pago", "pagamos", "vendo", "cobro", "paie", "vends", "zahle", "zahlen", "pay"),
        *("charge", "sell", "earn", "gano", "gana", "gagne", "touche", "verdient", "verdiene"),
        *("monat", "month", "mes", "mois", "week", "woche", "semana", "semaine", "year", "jahr"),
        "number",
        "phone",
        "telephone",
        "mobile",
        "code",
        "pin",
        "name",
        "surname",
        "size",
        "blood",
        "type",
        "group",
        "age",
        "old",
        "years",
        "much",
        "many",
        "salary",
        "nummer",
        "telefonnummer",
        "größe",
        "grösse",
        "alt",
        "jahre",
        "alter",
        "viel",
        "gehalt",
        "lohn",
        "kostet",
        "kosten",
        "número",
        "numero",
        "teléfono",
        "telefono",
        "código",
        "nombre",
        "apellido",
        "talla",
        "sangre",
        "sanguíneo",
        "edad",
        "años",
        "cuánto",
        "cuánta",
        "cuántos",
        "cuántas",
        "numéro",
        "téléphone",
        "prénom",
        "taille",
        "pointure",
        "sanguin",
        "groupe",
        "âge",
        "ans",
        "combien",
        "coûte",
        "salaire",
        "appelle",
        "llama",
        "heißt",
        "heisst",
        "cost",
        "costs",
    ]
)


def _is_of_kind(word: str, kind: str) -> bool:
    """Whether a word of a question says of what kind the answer is, and not whose it is."""
    return word in _KIND_WORDS or dict(_patterns())[kind].search(fold_accents(word)) is not None
