"""The words by which people say when: of English, German, Spanish, French, Italian, Dutch,
Portuguese.

Patterns are over lower-case text. What stands in one language for two things ('vor' the third of
May, the 'march') is in that language only: a sentence is read in the language it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from vaultmem.base import NamedTuple, Needing, late
from vaultmem.language.dates import english as dw
from vaultmem.language.dates.languages import FRENCH, GERMAN, SPANISH


class Tongue(NamedTuple):
    """One language. Prepositions are patterns that end just before a date.

    known       words that tell the language, beside those of the calendar
    short       short names of months, read beside a number only
    at          what stands before a day
    lone        what stands before a month alone
    since       what makes a beginning in the past of it
    start       what makes a beginning of it, ahead where nothing says that it is past
    until, by   what makes an end, or a deadline of it
    near        a day by one word, in days from today
    years       (pattern, how many years on) of a year that is told by 'next', 'this', 'last'
    year_words, set_words  of which each text has one that `years`, or `set_for`, is found in
    coming, last, this  what stands beside a weekday for the next, the last, this one
    ahead_in    'in {n} {unit}'; past_is and ahead_is: cues of tense
    set_for     what sets or moves an appointment, before a date that is then ahead
    habit       what is so always: no day is meant
    """

    known: frozenset[str]
    months: Mapping[str, int]
    short: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    units: Mapping[str, str]
    numbers: Mapping[str, int]
    near: Mapping[str, int]
    at: str
    lone: str
    since: str
    start: str
    until: str
    by: str
    years: tuple[tuple[str, int], ...]
    year_words: str
    coming: str
    last: str
    this: str
    next_unit: str  # 'next week', with {unit}
    this_unit: str
    ahead_in: str
    end_of: str
    past_is: str
    ahead_is: str
    set_for: str
    set_words: str
    habit: str
    link: str  # between the two days of a stretch
    clock: str  # before a time of day


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(text: str, first: int = 1) -> dict[str, int]:
    groups = enumerate(text.split(","), first)
    return {word: number for number, group in groups for word in group.split()}


def _units(day: str, week: str, month: str, year: str) -> dict[str, str]:
    named = zip((day, week, month, year), ("day", "week", "month", "year"), strict=True)
    return {word: unit for words, unit in named for word in words.split()}


_ENGLISH_SHORT = _table("jan, feb, mar, apr, , jun, jul, aug, sep sept, oct, nov, dec")

ENGLISH = Tongue(
    known=_set(
        "the i my is and to of was have has it's i'm for we our on at she he they with will be "
        "this next from until due by not you your his her are am were had it that in got get"
    ),
    months={word: n for word, n in dw.MONTHS.items() if word not in _ENGLISH_SHORT},
    short=_ENGLISH_SHORT,
    weekdays=dw.WEEKDAYS,
    seasons=dw.SEASONS,
    units=dw.UNITS,
    numbers={word: n for word, n in dw.NUMBERS.items() if word != "couple"},
    near={"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2},
    at=r"on|at|for|to|now|is|'s|of|date:|this",
    lone=r"in|during|for|of|late|early|mid|in late|in early|in mid",
    since=r"since|ever since",
    start=r"from|starting(?: on| in)?|beginning(?: on| in)?|effective|as of|as from|after",
    until=r"until|till|til|'til|through|thru|up to|up until|up till",
    by=r"by|before|due(?: on| by| in)?|no later than|deadline(?: is|:)?|latest by",
    years=((r"next year", 1), (r"this year", 0), (r"last year", -1), (r"the year after next", 2)),
    year_words="year",
    coming=r"next|coming|the coming|the following|following|of next week",
    last=r"last|past|this past",
    this=r"this|this coming",
    next_unit=r"next (?P<unit>week|month|year)",
    this_unit=r"this (?P<unit>week|month|year)",
    ahead_in=r"in (?P<n>{n}) (?P<unit>{unit})(?! of)(?:' time)?",
    end_of=r"(?:the )?end of (?:the )?",
    past_is="",
    ahead_is="",
    set_for=(
        r"(?:moved|push(?:ed)?|shift(?:ed)?|changed|postponed|rescheduled|bumped|delayed|switched|move"
        r"|brought forward|put (?:back|off|forward))\b[^.!?;]{0,40}?(?:\b(?:to|until|till|from)|:)"
        r"|(?<!i )(?<!we )(?<!he )(?<!she )(?<!they )(?:booked(?: in)?|scheduled|pencilled in)"
        r"(?: (?:for|on|at))?"
        r"|(?:booked|scheduled|planned|arranged|set|fixed|appointment|appt|reservation)"
        r"\b[^.!?;]{0,40}?\b(?:for|is|now)|down for"
    ),
    set_words=(
        "move|push|shift|changed|postponed|rescheduled|bumped|delayed|switched"
        "|brought forward|put |booked|scheduled|pencilled|planned|arranged|set|fixed"
        "|appointment|appt|reservation|down for"
    ),
    habit=r"usually|always|normally|typically|generally|often|sometimes|every|each|never",
    link=r"to|until|till|through|thru|and|-|–|—",
    clock=r"at|@|around|about|from",
)

_DE_PREP = r"(?: den| dem| der| zum| zur| einschließlich)?"
DEUTSCH = Tongue(
    known=_set(
        "ich und der die das ist am im mein meine meinen bis nicht wir mit zum zur "
        "den dem ein eine "
        "einen hat habe wird muss sie er auf für von ab seit um uhr jetzt unser unsere ihr sein"
    ),
    months=GERMAN.months,
    short=_table("jan, feb, mär mrz, apr, , jun, jul, aug, sep sept, okt, nov, dez"),
    weekdays=GERMAN.weekdays,
    seasons=GERMAN.seasons,
    units=GERMAN.units,
    numbers=GERMAN.numbers,
    near={"heute": 0, "gestern": -1, "vorgestern": -2, "übermorgen": 2},
    at=r"am|an|zum|auf|für|vom|ist|der|den|dem|jetzt|nun|heute",
    lone=r"im|mitte|anfang|in|ende",
    since=rf"seit{_DE_PREP}",
    start=rf"ab{_DE_PREP}|von|vom|ab anfang|beginnend",
    until=rf"bis{_DE_PREP}",
    by=(
        rf"vor{_DE_PREP}|spätestens(?: am| bis| bis zum)?|bis spätestens(?: am| zum)?"
        rf"|fällig(?: am)?"
    ),
    years=(
        (r"nächste[sn]? jahr(?:es)?", 1),
        (r"kommende[sn]? jahr(?:es)?", 1),
        (r"diese[sn]? jahr(?:es)?", 0),
        (r"heuer", 0),
        (r"letzte[sn]? jahr(?:es)?", -1),
    ),
    year_words="jahr|heuer",
    coming=r"nächste[nrs]?|kommende[nrs]?",
    last=r"letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?",
    this=r"diese[nrs]?",
    next_unit=r"(?:nächste[nrs]?|kommende[nrs]?) (?P<unit>woche|monat|jahr)",
    this_unit=r"diese[nrs]? (?P<unit>woche|monat|jahr)",
    ahead_in=r"in (?P<n>{n}) (?P<unit>{unit})",
    end_of=r"ende (?:des |der )?",
    past_is=(
        r"war|waren|hatte|hatten|wurde|wurden|ging|kam|fing|zog|zogen|bekam|begann|fuhr|traf|sah"
        r"|gab|starb|kaufte|\w{2,}(?<!möch)(?<=[bcdfghklmnpswz])te(?:n|st)?(?= (?:ich"
        r"|wir|er|sie|mich|uns))"
        r"|(?:habe|hab|hat|haben|bin|ist|sind)\b(?:(?!wird|werde)[^.!?;:])*?\b"
        r"(?!geht|gegen|gestern|geben|gehen|geplant|gebucht|angesetzt|gesetzt)"
        r"(?:\w*ge\w{3,}(?:t|en)|\w{3,}iert|(?:be|ver|er)(?!schoben"
        r"|legt)\w{2,}(?:mmen|llt|uft|tzt|t))"
    ),
    ahead_is=r"wird|werde|werden|muss|müssen|soll|sollen|will|wollen|kann|geplant|steht an|möchte",
    set_for=(
        r"(?:verschoben|verlegt|gelegt|angesetzt|geplant|gebucht|vorgezogen|terminiert|termin"
        r"|gesetzt|umgebucht|verschiebt|findet|jetzt|nun)\b[^.!?;]{0,40}?"
    ),
    set_words=(
        "verschoben|verlegt|gelegt|gesetzt|geplant|gebucht|vorgezogen|termin|verschiebt"
        "|findet|jetzt|nun"
    ),
    habit=r"immer|jede[nrsm]?|normalerweise|meistens|oft|manchmal|üblicherweise|nie|gewöhnlich",
    link=r"bis(?: zum)?|und|-|–|—",
    clock=r"um|gegen|ab",
)

ESPANOL = Tongue(
    known=_set(
        "el los las es y mi mis un una unos que en se con para del al por está muy tengo nos me lo "
        "su sus ya hasta desde hay cada cuando antes nuestro nuestra le"
    ),
    months=SPANISH.months,
    short=_table("ene, feb, , abr, , jun, jul, ago, sep sept, oct, nov, dic"),
    weekdays={**SPANISH.weekdays, "miercoles": 2, "sabado": 5},
    seasons=SPANISH.seasons,
    units=SPANISH.units,
    numbers=SPANISH.numbers,
    near={"hoy": 0, "ayer": -1, "anteayer": -2, "pasado mañana": 2},
    at=r"el|al|del|este|día|el día|es el|a|para",
    lone=r"en|durante|para|a finales de|a principios de|a mediados de|toca en",
    since=r"desde(?: el)?(?: día)?",
    start=r"a partir (?:del?|de)|del?|desde(?: el)?",
    until=r"hasta(?: el)?(?: día)?(?: [a-záéíóúñ ]{2,30} del?)?",
    by=r"antes del?(?: día)?|para(?: el)?|a más tardar(?: el)?|vence(?:n)?(?: el)?",
    years=(
        (r"(?:el |del )?(?:próximo año|año que viene|próximo)", 1),
        (r"(?:de )?este año", 0),
        (r"(?:el |del )?año pasado", -1),
    ),
    year_words="año|próximo",
    coming=(r"próximo|próxima|que viene|de la (?:semana que viene|próxima semana|semana próxima)"),
    last=r"pasado|pasada",
    this=r"este|esta",
    next_unit=(
        r"(?:la |el )?(?:próxim[oa] (?P<unit>semana|mes|año)|(?P<unit2>semana|mes"
        r"|año) que viene)"
    ),
    this_unit=r"est[ea] (?P<unit>semana|mes|año)",
    ahead_in=r"(?:dentro de|en) (?P<n>{n}) (?P<unit>{unit})(?! de )",
    end_of=r"(?:a )?(?:fin|finales) (?:de|del) ",
    past_is=(
        r"fue|fui|fuimos|fueron|hice|hizo|hicimos|tuve|tuvo|tuvimos|estuve|estuvo|vine|vino|puse"
        r"|dije|dijo|era|estaba|tenía|di|vi|murió|nací"
        r"|\w{2,}(?:aron|ieron|aste|iste)|\w{2,}(?<![aei]r)é|\w{2,}ó|\w{3,}(?<!d)í"
        r"|(?:he|ha|hemos|han) \w+(?:ado|ido|to)|\w{3,}[ai]mos\b(?=.*\b(?:ahora|ya)\b)"
    ),
    ahead_is=r"\w{2,}(?:aré|eré|iré|ará|erá|irá|aremos|eremos|iremos|arán|erán|irán)|voy|vamos|van"
    r"|tengo que|hay que|debe|debo|empiezo|es|son|toca",
    set_for=(
        r"(?:movi(?:ó|eron)|cambi(?:ó|aron)|pas(?:ó|aron)|pospus(?:o|ieron)|aplaz(?:ó|aron)|cita"
        r"|adelant(?:ó|aron)|reprogram(?:ó|aron)|qued(?:ó|amos)|program\w+|movid\w+|agend\w+"
        r"|retras(?:ó|aron))\b[^.!?;]{0,40}?(?:al|para|a|el|del)"
    ),
    set_words="movi|cambi|pas|pospus|aplaz|cita|adelant|program|qued|agend|retras",
    habit=r"siempre|cada|todos los|todas las|normalmente|a veces|suelo|suele|nunca|los",
    link=r"al|a|hasta(?: el)?|y(?: el)?|-|–|—",
    clock=r"a las?|a eso de las",
)

FRANCAIS = Tongue(
    known=_set(
        "je le la les est et un une du mon ma mes nous il elle à des en que qui pas "
        "on avec pour au "
        "son sa ses notre dans ce cette ne se j'ai c'est depuis jusqu'au avant ça sera"
    ),
    months={**FRENCH.months, "fevrier": 2, "aout": 8, "decembre": 12},
    short=_table("janv, févr, , avr, , , juil, , sept, oct, nov, déc"),
    weekdays=FRENCH.weekdays,
    seasons=FRENCH.seasons,
    units=FRENCH.units,
    numbers=FRENCH.numbers,
    near={"aujourd'hui": 0, "demain": 1, "hier": -1, "avant-hier": -2, "après-demain": 2},
    at=r"le|au|du|pour le|ce|est le|c'est le|à|au lendemain",
    lone=r"en|courant|fin|début|mi|pour|au mois d[e']",
    since=r"depuis(?: le)?",
    start=r"à partir (?:du|de|d')|dès(?: le)?|du|de|d'",
    until=r"jusqu'(?:au|en|à|à la)",
    by=r"avant(?: le| la| fin)?|d'ici(?: le| au)?|au plus tard(?: le)?|pour le",
    years=(
        (r"(?:de )?l'an(?:née)? prochaine?", 1),
        (r"(?:de )?cette année", 0),
        (r"(?:de )?l'an(?:née)? derni(?:er|ère)", -1),
    ),
    year_words="l'an|année",
    coming=r"prochaine?|de la semaine prochaine",
    last=r"derni(?:er|ère)|passée?",
    this=r"cet?|cette",
    next_unit=r"(?:la |le |l')?(?P<unit>semaine|mois|année|an) prochaine?",
    this_unit=r"c(?:e|et|ette) (?P<unit>semaine|mois|année)(?:-ci)?",
    ahead_in=r"dans (?P<n>{n}) (?P<unit>{unit})",
    end_of=r"(?:la )?fin (?:du |de |de la |de l')?",
    past_is=(
        r"était|étaient|avait|avaient|fut|j'étais"
        r"|(?:j'ai|ai|as|a|avons|avez|ont|suis|est|sommes|êtes|sont)(?: (?:\w+ment|déjà|pas|été))? "
        r"(?!prévue?s?\b|fixée?s?\b|reportée?s?\b|décalée?s?\b|avancée?s?\b|repoussée?s?\b"
        r"|attendue?s?\b|programmée?s?\b|déplacée?s?\b|calée?s?\b)"
        r"(?:\w{2,}(?:é|ée|és|ées|ert|nu|nue|nus|ndu|ndue|lu|vu)|reçu|eu|mise?|prise?|dit|fait"
        r"|écrit|(?:part|sort|fin)ie?s?|choisi|dormi)"
    ),
    ahead_is=r"\w+(?:rai|ra|rons|ront|rez)|va|vais|allons|vont|doit|dois|faut|à faire|prévue?s?",
    set_for=(
        r"(?:décalée?s?|reportée?s?|avancée?s?|repoussée?s?|déplacée?s?|fixée?s?|prévue?s?|calée?s?"
        r"|programmée?s?|rendez-vous|rdv|passe|mis|mise)\b[^.!?;]{0,40}?(?:au|le|en|pour le)"
    ),
    set_words=(
        "décal|report|avanc|repouss|déplac|fix|prévu|cal|programm|rendez-vous|rdv|passe|mis"
    ),
    habit=r"toujours|chaque|tous les|toutes les|d'habitude|souvent|parfois|jamais|normalement",
    link=r"au|à|et(?: le)?|jusqu'au|-|–|—",
    clock=r"à|vers|dès",
)

ITALIANO = Tongue(
    known=_set(
        "il è e di che mio mia un una ho gli della dello del alle per con non sono ci siamo lo mi "
        "dal al nel nella entro fino suo sua abbiamo le i la"
    ),
    months=_table(
        "gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre,"
        " novembre, dicembre"
    ),
    short=_table("gen, feb, , apr, , giu, lug, , sett, ott, nov, dic"),
    weekdays=_table(
        "lunedì lunedi, martedì martedi, mercoledì mercoledi, giovedì giovedi, venerdì venerdi,"
        " sabato, domenica",
        0,
    ),
    seasons={"primavera": 3, "estate": 6, "autunno": 9, "inverno": 12},
    units=_units("giorno giorni", "settimana settimane", "mese mesi", "anno anni"),
    numbers=_table("un una, due, tre, quattro, cinque, sei, sette, otto, nove, dieci"),
    near={"oggi": 0, "domani": 1, "ieri": -1, "dopodomani": 2, "l'altro ieri": -2},
    at=r"il|l'|al|all'|è il|per il|del|questo|dell'",
    lone=r"a|in|ad|nel mese di|verso",
    since=r"dall?'?(?: giorno)?|da|sin dal",
    start=r"a partire (?:dal|da)|dall?'?|da",
    until=r"fino (?:al?|all'|alla|a)|sino (?:al?|all')",
    by=r"entro(?: il| l')?|prima (?:del|dell'|di)|per il|non oltre il",
    years=(
        (r"(?:del)?l'anno prossimo|(?:dell'|l')anno che viene|prossimo anno", 1),
        (r"(?:di )?quest'anno", 0),
        (r"(?:del)?l'anno scorso", -1),
    ),
    year_words="anno",
    coming=r"prossim[oa]|che viene|della (?:settimana prossima|prossima settimana)",
    last=r"scors[oa]|passat[oa]",
    this=r"quest[oa]",
    next_unit=r"(?:la |il |l')?(?:prossim[oa] (?P<unit>settimana|mese|anno)"
    r"|(?P<unit2>settimana|mese|anno) prossim[oa])",
    this_unit=r"quest[oa'] ?(?P<unit>settimana|mese|anno)",
    ahead_in=r"(?:tra|fra) (?P<n>{n}) (?P<unit>{unit})",
    end_of=r"(?:a |alla )?fine (?:di |del |della |dell')?",
    past_is=(
        r"era|ero|erano|aveva|avevo|fu|stato|stata|stati"
        r"|(?:ho|hai|ha|abbiamo|avete|hanno|sono|è|siamo) "
        r"(?!spostat|fissat|previst|rimandat|prenotat|rinviat|anticipat|programmat)"
        r"\w+(?:at[oaie]|ut[oaie]|it[oaie]|tt[oaie]|st[oaie]|rs[oaie]|s[oaie])"
    ),
    ahead_is=r"\w+(?:erò|erà|irò|irà|eremo|iremo|eranno|iranno)|sarà|devo|deve|dobbiamo|bisogna|va",
    set_for=(
        r"(?:spostat\w|fissat\w|previst\w|rimandat\w|prenotat\w|rinviat\w|anticipat\w"
        r"|programmat\w|appuntamento)\b[^.!?;]{0,40}?(?:al|all'|il|per il|a|l')"
    ),
    set_words=(
        "spostat|fissat|previst|rimandat|prenotat|rinviat|anticipat|programmat|appuntamento"
    ),
    habit=r"sempre|ogni|tutti i|tutte le|di solito|spesso|mai",
    link=r"al|all'|a|e(?: il)?|fino al|-|–|—",
    clock=r"alle|all'|ore|alle ore|verso le",
)

NEDERLANDS = Tongue(
    known=_set(
        "ik de het een is en van mijn op niet we wij met voor dat die naar zijn heb "
        "heeft om uur ons "
        "onze haar hij ze moet wordt tot vanaf sinds er nu bij ook"
    ),
    months=_table(
        "januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, november,"
        " december"
    ),
    short=_table("jan, feb, mrt, apr, , jun, jul, aug, sep sept, okt, nov, dec"),
    weekdays=_table("maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag", 0),
    seasons={"lente": 3, "voorjaar": 3, "zomer": 6, "herfst": 9, "najaar": 9, "winter": 12},
    units=_units("dag dagen", "week weken", "maand maanden", "jaar jaren"),
    numbers=_table("een één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien"),
    near={"vandaag": 0, "gisteren": -1, "eergisteren": -2, "overmorgen": 2},
    at=r"op|de|is|per|aan|naar|nu|voor|nu op",
    lone=r"in|begin|eind|medio|half",
    since=r"sinds(?: de)?",
    start=r"vanaf(?: de)?|van(?: de)?|per|met ingang van",
    until=r"tot(?: en met)?(?: de)?|t/m",
    by=r"voor|vóór|uiterlijk(?: op)?|tegen",
    years=((r"volgend jaar|komend jaar", 1), (r"dit jaar", 0), (r"vorig jaar", -1)),
    year_words="jaar",
    coming=r"volgende|komende|aanstaande",
    last=r"vorige|afgelopen",
    this=r"deze|dit",
    next_unit=r"(?:volgende?|komende?) (?P<unit>week|maand|jaar)",
    this_unit=r"(?:deze|dit) (?P<unit>week|maand|jaar)",
    ahead_in=r"over (?P<n>{n}) (?P<unit>{unit})",
    end_of=r"(?:het )?eind(?:e)? (?:van )?(?:de |het )?",
    past_is=(
        r"was|waren|had|hadden|werd|werden|ging|kwam|begon|kreeg|vertrok"
        r"|(?:heb|heeft|hebben|ben|is|zijn)\b[^.!?;:]*?\b(?!gepland|geboekt|gezet)"
        r"(?:\w*ge\w{2,}(?:t|d|en)|(?:be|ver|ont)(?!plaatst|zet|schoven)\w{2,}(?:d|t|en))"
    ),
    ahead_is=r"zal|zullen|gaat|gaan|moet|moeten|wordt|worden|wil|begint|staat gepland",
    set_for=(
        r"(?:verplaatst|verzet|uitgesteld|gepland|vervroegd|geboekt|afspraak|verschoven)\b"
        r"[^.!?;]{0,40}?(?:naar|tot|op|is)"
    ),
    set_words=("verplaatst|verzet|uitgesteld|gepland|vervroegd|geboekt|afspraak|verschoven"),
    habit=r"altijd|elke|elk|iedere|meestal|vaak|soms|nooit",
    link=r"tot(?: en met)?|t/m|en|-|–|—",
    clock=r"om|rond",
)

PORTUGUES = Tongue(
    known=_set(
        "o os é e meu minha um uma em do da no na não com para eu que ao até desde "
        "às dos nossa nosso "
        "tenho está vai ela ele foi minhas meus fica à a as"
    ),
    months=_table(
        "janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro,"
        " dezembro"
    ),
    short=_table("jan, fev, mar, abr, , jun, jul, , , , nov, dez"),
    weekdays=_table(
        "segunda-feira segunda, terça-feira terça, quarta-feira quarta, quinta-feira quinta,"
        " sexta-feira sexta, sábado, domingo",
        0,
    ),
    seasons={"primavera": 3, "verão": 6, "outono": 9, "inverno": 12},
    units=_units("dia dias", "semana semanas", "mês meses", "ano anos"),
    numbers=_table("um uma, dois duas, três, quatro, cinco, seis, sete, oito, nove, dez"),
    near={"hoje": 0, "amanhã": 1, "ontem": -1, "anteontem": -2, "depois de amanhã": 2},
    at=r"no dia|em|no|na|dia|ao dia|para(?: o)?(?: dia)?|é(?: no dia| dia| a)?|a|do dia",
    lone=r"em|durante|para|no mês de",
    since=r"desde(?: o| a)?(?: dia)?",
    start=r"a partir d[eoa](?: dia)?|de|do dia|da|desde",
    until=r"até(?: o| a| ao| à)?(?: dia| ao dia)?",
    by=r"antes d[eoa](?: dia)?|vence(?: em| no dia| dia| a)?|o mais tardar(?: em| a)?",
    years=(
        (r"(?:do |no )?(?:próximo ano|ano que vem)", 1),
        (r"(?:d|n)?este ano", 0),
        (r"(?:do |no )?ano passado", -1),
    ),
    year_words="ano",
    coming=r"próxim[oa]|que vem|da (?:semana que vem|próxima semana)",
    last=r"passad[oa]",
    this=r"n?est[ea]|dest[ea]",
    next_unit=r"(?:na |no |a |o )?(?:próxim[oa] (?P<unit>semana|mês|ano)"
    r"|(?P<unit2>semana|mês|ano) que vem)",
    this_unit=r"n?est[ea] (?P<unit>semana|mês|ano)",
    ahead_in=r"(?:daqui a|dentro de) (?P<n>{n}) (?P<unit>{unit})",
    end_of=r"(?:no |ao )?(?:fim|final) d[eoa] ",
    past_is=(
        r"fui|foi|fomos|foram|tive|teve|tivemos|era|estava|tinha|fiz|fez|nasci|nasceu|vim|veio"
        r"|\w{2,}(?:ei|ou|eu|iu|amos|aram|eram|iram)"
    ),
    ahead_is=r"\w+(?:arei|erei|irei|ará|erá|irá)|vou|vai|vamos|vão|tenho que|tem que|deve|preciso",
    set_for=(
        r"(?:mud(?:ou|aram)|pass(?:ou|aram)|adi(?:ou|aram|ad\w)|remarc\w+|marcad\w|antecip\w+"
        r"|consulta|agendad\w|ficou)\b[^.!?;]{0,40}?(?:para|ao|no|em|dia|a)(?: o)?(?: dia)?"
    ),
    set_words="mud|pass|adi|remarc|marcad|antecip|consulta|agendad|ficou",
    habit=r"sempre|cada|todos os|todas as|normalmente|às vezes|nunca|toda",
    link=r"a|ao|até|e|-|–|—",
    clock=r"às|à|pelas",
)

TONGUES = (ENGLISH, DEUTSCH, ESPANOL, FRANCAIS, ITALIANO, NEDERLANDS, PORTUGUES)


# The patterns by which dates are found in what somebody says, one set a language.
#
# Compiled when a text of that language holds a word of the calendar or a digit.


ARTICLE = r"(?:the|le|la|l'|el|il|lo|i|den|dem|der|die|de|het|o|a|os|as)"
_ISO = late(r"(?<![\w-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\w-])")
_DOTTED = late(
    r"(?<![\w.,])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.(?:\s?(?P<y>\d{4}|\d{2}(?![:.\d])))?(?!\d)"
)
_SLASHED = late(r"(?<![\w/.,-])(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:/(?P<y>\d{4}|\d{2}))?(?![\w/])")
_ORDINAL_CLOSED = (
    r"(?=\s*(?:$|[.,;:!?)]|(?:at|on|and|for|because|so|but|instead|not|um|und|statt|a las?|y|para"
    r"|à|et|alle|e|om|en|às|aan|per|pour|in|with|to be)\b|\d{1,2}[:.]\d\d))"
)
_ORDINALS = (
    r"(?:the )(?P<d>\d{1,2})(?:st|nd|rd|th)",
    r"(?<=am |em |om )(?P<d>\d{1,2})\.(?! ?\d)|(?<=zum )(?P<d2>\d{1,2})\.(?! ?\d)",
    r"(?:(?<=el )|(?<=al )|(?<=día ))(?P<d>\d{1,2})",
    r"(?:(?<=le )|(?<=au )|(?<=du ))(?P<d>\d{1,2})",
    r"(?:(?<=il )|(?<=al )|(?<=l'))(?P<d>\d{1,2})",
    r"(?<=de )(?P<d>\d{1,2})(?:e|ste|de)",
    r"(?<=dia )(?P<d>\d{1,2})",
)
_ORDINAL_NEEDS = [f"{digit}{end}" for digit in range(10) for end in ("st", "nd", "rd", "th")]
_SUFFIX = (
    r"a\.?m\b\.?|p\.?m\b\.?|uhr|heures?\b|horas?\b|hrs?\b|hs\b|h(?!\w)|uur|o'clock"
    r"|de la (?:mañana|tarde|noche)|in the (?:morning|afternoon|evening)|da (?:manhã|tarde|noite)"
    r"|del? (?:mattino|pomeriggio)|di (?:mattina|sera)|du (?:matin|soir)|de l'après-midi"
)
_PART = (
    "abends|nachmittags|morgens|vormittags|früh|mittags|del mattino|di sera|del pomeriggio"
    "|'s avonds|'s middags|'s ochtends|de la tarde|de la noche|de la mañana"
)


# Days and not hours: with an ordinal, or the article that days have in French, Spanish, Italian.
BARE_STRETCH = (
    r"\b(?:(?:vom|von dem) (\d{1,2})\.? bis(?: zum)? (\d{1,2})\.?"
    r"|(?:from|between) the (\d{1,2})(?:st|nd|rd|th) (?:to|until|till|through|and) the (\d{1,2})"
    r"(?:st|nd|rd|th)|du (\d{1,2})(?:er)? (?:jusqu'au|au) (\d{1,2})|del (\d{1,2}) al (\d{1,2})"
    r"|dal(?:l')?\s?(\d{1,2}) al(?:l')?\s?(\d{1,2})"
    r"|van de (\d{1,2})e tot(?: en met)?(?: de)? (\d{1,2})e"
    r"|do dia (\d{1,2}) ao(?: dia)? (\d{1,2}))"
    r"(?=\s*(?:[.,;:!?)]|$|(?:und|and|et|y|e|en|mit|with|avec|con|met|com)\b))"
)


class Known(NamedTuple):
    """The patterns of one language."""

    atoms: tuple[tuple[str, re.Pattern[str] | Needing], ...]
    years_after: tuple[tuple[Needing, int], ...]
    years_before: tuple[tuple[Needing, int], ...]
    relations: tuple[tuple[str, re.Pattern[str]], ...]
    before_weekday: tuple[tuple[re.Pattern[str], int], ...]
    after_weekday: tuple[tuple[re.Pattern[str], int], ...]
    lone: re.Pattern[str]
    end_of: re.Pattern[str]
    past_is: re.Pattern[str] | None
    ahead_is: re.Pattern[str] | None
    set_for: Needing
    habit: re.Pattern[str]
    link: re.Pattern[str]
    days_behind: re.Pattern[str]
    days_before: re.Pattern[str]
    clock: re.Pattern[str]
    clock_word: re.Pattern[str]


def any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


@cache
def patterns_of(place: int) -> Known:
    """The patterns of the language at a place of TONGUES."""
    tongue = TONGUES[place]
    months, short = any_of(tongue.months), any_of({*tongue.months, *tongue.short})
    weekdays, units = any_of(tongue.weekdays), any_of(tongue.units)
    number = rf"\d{{1,2}}|{any_of(tongue.numbers)}"
    year = r"(?:,?\s+(?:de |del |di |do |of )?(?P<y>(?:19|20|21)\d\d)(?![\w:]|\.\d))?"
    suffix = r"(?:st|nd|rd|th|er|º|°|ª|te[nr]?|ste|e)?"
    near = {word: re.escape(word) for word in tongue.near}
    if tongue in (DEUTSCH, NEDERLANDS):
        near["morgen"] = (
            r"(?<!guten )(?<!heute )(?<!gestern )(?<!am )(?<!jeden )(?<!diesen )(?<!der )"
            r"(?<!goede )(?<!deze )(?<!elke )(?<!vandaag )(?<!de )(?<!den )morgen"
        )
    if tongue is ESPANOL:
        near["mañana"] = r"(?<!la )(?<!de )(?<!esta )(?<!cada )(?<!una )(?<!las )(?<!toda )mañana"
    atoms: tuple[tuple[str, str], ...] = (
        ("iso", _ISO.pattern),
        ("dotted", _DOTTED.pattern),
        ("slashed", _SLASHED.pattern),
        (
            "day first",
            (
                rf"(?<![\w.,:/%])(?P<d>\d{{1,2}}|premier|primero|primo|first|ersten|primeiro){suffix}"
                rf"(?:\.\s?|\s+)(?:of (?:the )?|de |di |d'|del )?(?P<m>{short})(?!\w)\.?{year}"
            ),
        ),
        (
            "month first",
            (
                rf"(?<!\w)(?P<m>{short})\.?\s+(?:the )?(?P<d>\d{{1,2}}){suffix}"
                rf"(?![\w%/-]|[:.]\d|\s?(?:am|pm|uhr|%)){year}"
            ),
        ),
        ("month", rf"(?<![\w'])(?P<m>{months})(?![\w'])(?!\s+\d{{1,2}}\b){year}"),
        ("weekday", rf"(?<![\w-])(?P<w>{weekdays})(?![\w'-])"),
        ("ordinal", rf"(?<!\w)(?:{_ORDINALS[place]}){_ORDINAL_CLOSED}"),
        (
            "near",
            rf"(?<!\w)(?:{'|'.join(near[word] for word in sorted(near, key=len)[::-1])})(?!\w)",
        ),
        ("next unit", rf"(?<!\w)(?:{tongue.next_unit})(?!\w)"),
        ("this unit", rf"(?<!\w)(?:{tongue.this_unit})(?!\w)"),
        ("ahead", rf"(?<!\w)(?:{tongue.ahead_in.format(n=number, unit=units)})(?!\w)"),
        ("season", rf"(?<!\w)(?P<s>{any_of(tongue.seasons)})(?![\w'])"),
        ("end unit", rf"(?<!\w)(?:{tongue.end_of})(?P<unit>{units})(?!\w)"),
    )
    if tongue is ENGLISH:
        atoms += (
            ("week from", rf"(?P<n>{number}) weeks? (?:from|on) (?P<w>{weekdays})(?!\w)"),
            ("week from", rf"(?P<w>{weekdays}) week(?![\w'-])"),
        )
    # Most texts that hold a digit name no month: what they lack need not be sought.
    needs: dict[str, Iterable[str]] = {
        "iso": "-",
        "dotted": ".",
        "slashed": "/",
        "week from": ("week",),
        "day first": {*tongue.months, *tongue.short},
        "month": tongue.months,
        "month first": {*tongue.months, *tongue.short},
        "weekday": tongue.weekdays,
        "near": near,
        "next unit": {*tongue.units, *tongue.weekdays},
        "this unit": {*tongue.units, *tongue.weekdays},
        "ahead": tongue.units,
        "season": tongue.seasons,
        "end unit": tongue.units,
    }
    if tongue is ENGLISH:
        needs["ordinal"] = _ORDINAL_NEEDS
    gap = rf"(?:\s+|(?<='))(?:{ARTICLE}\s*|día |dia |tag )*$"

    def before(words: str) -> re.Pattern[str]:
        return late(rf"(?<!\w)(?:{words})(?:{gap}|$)")

    def in_year(pattern: str) -> Needing:
        return Needing(pattern, 0, tongue.year_words.split("|"))

    years = r"^\s*,?\s*(?:of |de |del |di |do |in |im |am |no |en )?(?:%s)(?!\w)"
    return Known(
        atoms=tuple(
            (name, Needing(pattern, 0, needs[name]) if name in needs else late(pattern))
            for name, pattern in atoms
        ),
        years_after=tuple((in_year(years % words), step) for words, step in tongue.years),
        years_before=tuple(
            (in_year(rf"(?<!\w)(?:{words})\s*,?\s*(?:in|im|en|a|em|am|on|op|au)?{gap}"), step)
            for words, step in tongue.years
        ),
        relations=(
            ("by", before(tongue.by)),
            ("until", before(tongue.until)),
            ("since", before(tongue.since)),
            ("start", before(tongue.start)),
            ("at", before(tongue.at)),
        ),
        before_weekday=tuple(
            (late(rf"(?<!\w)(?:{words})\s+$"), step)
            for words, step in ((tongue.coming, 1), (tongue.last, -1), (tongue.this, 0))
        ),
        after_weekday=tuple(
            (late(rf"\s+(?:{words})(?!\w)"), step)
            for words, step in ((tongue.coming, 1), (tongue.last, -1))
        ),
        lone=before(tongue.lone),
        end_of=late(rf"(?<!\w)(?:{tongue.end_of})$"),
        past_is=late(rf"(?<!\w)(?:{tongue.past_is})(?!\w)") if tongue.past_is else None,
        ahead_is=late(rf"(?<!\w)(?:{tongue.ahead_is})(?!\w)") if tongue.ahead_is else None,
        set_for=Needing(
            rf"(?<!\w)(?:{tongue.set_for})(?:{gap}|\s*$)", 0, tongue.set_words.split("|")
        ),
        habit=late(rf"(?<!\w)(?:{tongue.habit})(?!\w)"),
        link=late(rf"\s*,?\s*(?P<link>{tongue.link})\s*(?:(?:{ARTICLE}|día|dia)\s*)*"),
        days_behind=late(
            rf"\s*(?P<link>{tongue.link})\s*(?:the )?(?P<d>\d{{1,2}}){suffix}"
            rf"(?![\w:%/]|\.\d|\s?(?:[ap]m|{short})\b|\s*(?:{_SUFFIX}))(?=\s*(?:$|\W|\d{{4}}|at|for|and|with|in))"
        ),
        days_before=late(
            rf"(?<![\w.,:/%])(?P<d>\d{{1,2}}){suffix}\.?\s*(?P<link>{tongue.link})\s*"
            rf"(?:(?:{ARTICLE}|día|dia)\s*)*$"
        ),
        clock=late(
            rf"(?:(?:is |ist |es |est |é |è )?(?P<at>{tongue.clock})\s+)?(?<![\d:.,/])"
            rf"(?P<h>\d{{1,2}})(?:(?:(?P<sep>[:.])|\s?h\s?|\s?uhr\s)(?P<mi>\d{{2}})(?![\d]|\.\d))?"
            rf"(?:\s*(?P<suffix>{_SUFFIX})(?:\s+(?P<part>{_PART}))?|(?![\w:%/]|\.\d))"
        ),
        clock_word=late(r"\s*,?\s*(?:on|am|le|el|il|op|em|no|den|dem|dia|the|de|,)?\s*"),
    )
