"""Whether somebody asks what is coming or to be done: dates, deadlines, tasks, in seven languages.

Such a request shares no word with what it is about ('the boiler man comes on Thursday'), so what is
due is given for it, the soonest first.
"""

from __future__ import annotations

import re

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, NamedTuple, Needing, late
from vaultmem.language import civil_from_days, day_start, days_from_civil, local_day

if TYPE_CHECKING:
    from vaultmem.language import DateMention


# Which time to come a question names: 'next week', 'bis Jahresende', 'en mai'.
#
# What is told has days ('on 8 May'), and `language/dates` reads those; what is asked has spans,
# from now on: 'before Christmas' begins today, and of this week what is left is meant.


_FEW_DAYS, _FEW_WEEKS, _FEW_MONTHS = 7, 4, 3
_NUMBERS = """
    one ein eine einer un una une een
    two zwei dos deux due twee dois duas
    three drei tres trois tre três
    four vier cuatro quatre quattro quatro
    five fünf cinco cinq cinque vijf
    six sechs seis sei zes
"""
_VALUES = {
    word: number
    for number, line in enumerate(_NUMBERS.strip().splitlines(), 1)
    for word in line.split()
}
_NEXT = r"(?:next|coming|nächsten|kommenden|próxim[oa]s|prochaine?s|prossim[ie]|komende|volgende)"
_FEW = r"(?:few |couple of |paar |quelques |pocos |pocas |paio di |paar )?"
_COUNT = r"(?:(?P<n%d>\d{1,2}|[a-zêü]{2,6}) )?"
_UNIT = r"(?P<u%d>days|weeks|months|tagen?|wochen|monaten?|días|semanas|meses|jours|semaines|mois"
_UNIT += r"|giorni|settimane|mesi|dagen|weken|maanden|dias)\b"
_AHEAD = late(
    rf"\b{_NEXT} {_FEW}{_COUNT % 1}{_UNIT % 1}"
    rf"|\b(?:dans )?(?:les|las|los|die|den|le|i|os|as) {_COUNT % 2}{_NEXT} {_UNIT % 2}"
    rf"|\b(?P<n3>\d{{1,2}}|deux|trois|quatre) {_NEXT} {_UNIT % 3}",
    re.IGNORECASE,
)
# Spans that have no day of their own, in the order in which they are looked for.
_SPANS = {
    "today": r"today|tonight|heute|hoy|aujourd'hui|ce soir|stasera|oggi|vandaag|hoje",
    "tomorrow": r"morgen|mañana|domani|amanhã",
    "weekend": r"(?:at|over|on) the weekend|(?:am|übers|dieses) wochenende|ce week-?end"
    r"|nel (?:weekend|fine settimana)|dit weekend|(?:no|este) fim de semana",
    "next week": r"la settimana prossima|la prossima settimana|volgende week",
    "this week": r"questa settimana|deze week",
    "next month": r"le mois (?:prochain|qui vient)|il mese prossimo|volgende maand"
    r"|(?:no )?mês que vem|próximo mês",
    "this month": r"ce mois(?:-ci)?|questo mese|deze maand|este mês|(?:rest|end) of the month"
    r"|monatsende|fin de mes|fin du mois|fine (?:del )?mese|eind van de maand|fim do mês",
    "christmas": r"weihnachten|heiligabend|navidad(?:es)?|noël|natale|kerst(?:mis)?|natal",
    "this year": r"(?:rest|remainder) of the year|this year|jahresende|rest des jahres|heuer"
    r"|dieses jahr|(?:fin|final|resto) de(?:l)? año|este año|(?:fin|reste) de l'année|fin d'année"
    r"|cette année|fine (?:dell')?anno|quest'anno|dit jaar|einde? van het jaar|jaareinde"
    r"|fim d[eo] ano|este ano",
}
_FOUND = late(
    r"\b(?:"
    + "|".join(f"(?P<s{at}>{told})" for at, told in enumerate(_SPANS.values()))
    + r")(?!\w)",
    re.IGNORECASE,
)
_OF_MONTH = late(r"\b(?:au|du) mois d(?:e |')|\b(?:en el|del) mes de |\bim monat ", re.IGNORECASE)


class AskedTime(NamedTuple):
    """A time to come. UTC ms, half open."""

    from_ms: int
    until_ms: int | None  # None: none was named
    words: str = ""  # in lower case


def asked_time(question: str, now: int, zone: str) -> AskedTime:
    """The time that a question names, as far as it is to come; of several all from first to last.

    A month or day that is over is that of the next year.
    """
    today = local_day(now, zone)
    begin = day_start(today, zone)
    text = _OF_MONTH.sub("en ", question.replace("’", "'"))
    ahead = _AHEAD.search(text)
    if ahead is not None:
        return AskedTime(begin, day_start(today + _days(ahead), zone), ahead[0].lower())
    # By its room: to read dates takes 5 modules, and few questions ask for what is due.
    found = language.find_dates(text, now, zone, ahead=True)
    if found:
        spans = [_to_come(one, begin, zone) for one in found]
        first, last = min(one for one, _ in spans), max(other for _, other in spans)
        return AskedTime(max(begin, first), last, " ".join(one.text.lower() for one in found))
    named = _FOUND.search(text)
    if named is None or named.lastgroup is None:
        return AskedTime(begin, None)
    first_day, end_day = _span(list(_SPANS)[int(named.lastgroup[1:])], today)
    first_day = max(first_day, today)
    return AskedTime(day_start(first_day, zone), day_start(end_day, zone), named[0].lower())


def _to_come(one: DateMention, begin: int, zone: str) -> tuple[int, int]:
    first, last = one.from_ms, one.until_ms
    if one.relation in ("by", "until"):
        first = begin
    if last <= begin:
        first, last = (_a_year_on(at, zone) for at in (first, last))
    return first, last


def _a_year_on(at: int, zone: str) -> int:
    year, month, day = civil_from_days(local_day(at, zone))
    return day_start(days_from_civil(year + 1, month, min(day, 28) if month == 2 else day), zone)


def _days(found: re.Match[str]) -> int:
    unit = next(each for each in (found["u1"], found["u2"], found["u3"]) if each).lower()
    number = next((each for each in (found["n1"], found["n2"], found["n3"]) if each), "").lower()
    count = int(number) if number.isdigit() else _VALUES.get(number)
    if unit.startswith(("d", "t", "j", "g")):
        return (count or _FEW_DAYS) + 1
    if unit.startswith(("w", "s")):
        return 7 * (count or _FEW_WEEKS) + 1
    return 31 * (count or _FEW_MONTHS) + 1


def _span(name: str, today: int) -> tuple[int, int]:
    """(first day, the day after the last) of a span around today, in days."""
    year, month, _ = civil_from_days(today)
    monday = today - (today + 3) % 7  # 1970-01-01 was a Thursday
    return {
        "today": (today, today + 1),
        "tomorrow": (today + 1, today + 2),
        "weekend": (monday + 5, monday + 7),
        "this week": (monday, monday + 7),
        "next week": (monday + 7, monday + 14),
        "this month": (today, _month(year, month + 1)),
        "next month": (_month(year, month + 1), _month(year, month + 2)),
        "christmas": (today, days_from_civil(year, 12, 26)),
        "this year": (today, _month(year + 1, 1)),
    }[name]


def _month(year: int, month: int) -> int:
    """The first day of a month; the 13th is the first of the next year."""
    return days_from_civil(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


# Every text in which the pattern below is found has one of these; most questions have none.
_NEEDS = """
    calend|diary|agenda|schedule|deadline|appoint|to-do|todo|due|remind|kalender|termin|frist|aufgabe
    erledig|cita|plazo|vencim|pendient|tarea|recado|échéan|rendez-vous|tâche|démarch|scaden|appunt
    impegn|compit|afspr|taken|prazo|compromiss|consult|tarefa|afazer| on|coming up|planned|ahead
    i got|we got|i have|we have|have to|need to|got to|i do|we do|still do|was muss|was müssen|los
    fällig|geplant|habe ich|haben wir|hab ich|steh|me toca|tengo|tenemos|hay|viene|previst|programad
    planead|próximamente|dois|doit|ai à|a à|attend|qu'est-ce q|prévu|devons|devo|dobbiamo|ho da|c'è
    moet ik|moeten we|staat er|o que t|o que d|o que p
"""
_NAMED = Needing(
    # What it is called.
    r"\b(?:calendar|agenda|diary|schedule|deadlines?|appointments?|to-?do(?:s| list)?|due dates?"
    r"|reminders?|kalender|terminkalender|termine?n?|fristen|aufgaben|erledigungen|calendario"
    r"|citas?|plazos|vencimientos|pendientes|tareas|recados|calendrier|échéances?|échéancier"
    r"|rendez-vous|tâches|démarches|scadenz\w+|appuntament\w+|impegni|compiti|afspraken|taken"
    r"|prazos|compromissos|consultas|tarefas|afazeres)\b"
    # How it is asked.
    r"|\bwhat(?:'s| is| else is)(?: still| all| else| going)* on\b"
    r"|\b(?:anything|something)(?: else| special| planned)? on\b"
    r"|\bwh(?:at|ich)\b.{0,60}\b(?:coming up|planned|due|scheduled|lies ahead)\b"
    r"|\bwhat(?:'ve i got| have i got| do i have| have we got| do we have)\b.{0,20}"
    r"\b(?:on|ahead|(?:next|this) (?:week|month|weekend)|tomorrow|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day|(?:in|for|before|until|by) (?:the |this |next )?\w+)\b"
    r"|\bwhat\b.{0,40}\bdo (?:i|we) (?:still )?(?:have to|need to|got to)\b"
    r"|\bwhat (?:must|should) (?:i|we) (?:still )?do\b"
    r"|\bwas (?:muss|müssen) (?:ich|wir)\b.{0,40}\b(?:erledigen|tun|machen)\b"
    r"|\bwas (?:ist|ist noch)\b.{0,40}\b(?:los|fällig|geplant)\b"
    r"|\b(?:habe ich|haben wir|hab ich)\b.{0,40}\bvor\b"
    r"|\b(?:steht|stehen)\b.{0,40}\ban\b"
    r"|\bqué (?:me toca|tengo que|tenemos que|hay que|hay (?:esta|este|la|el|en|para)"
    r"|(?:tengo|tenemos|viene) (?:el|la|esta|este|en|para|hoy|mañana))\b"
    r"|\bqué\b.{0,30}\b(?:previsto|programado|planeado|próximamente)\b"
    r"|\bqu'?(?:est-ce que (?:je|on)|est-ce qui) (?:dois|doit|ai à|a à|m'attend|nous attend)\b"
    r"|\bqu'est-ce (?:que j'ai|qu'on a|qu'il y a|qui)\b.{0,30}\b(?:prévue?|programme|s'en vient"
    r"|arrive|vient|semaine|mois|week-end|demain|en \w+)\b|\b(?:c'est|y a) quoi\b.{0,20}\bprévu\b"
    r"|\bque (?:dois|devons)[- ](?:je|nous)\b|\b(?:cosa|che cosa) (?:devo|dobbiamo|ho da|c'è)\b"
    r"|\bwat (?:moet ik|moeten we|staat er)\b|\bo que (?:tenho|temos|devo|preciso)\b",
    re.IGNORECASE,
    [
        part
        for line in _NEEDS.strip().splitlines()
        for part in line.removeprefix(" " * 4).split("|")
    ],
)
_LONGEST = 300  # characters: longer talk tells something, and asks for what it says at the end
# Of one thing is asked when it is, where, how: 'When is my appointment with the vet?'
_OF_ONE = late(
    r"^\W*(?:and |so |und |also |y |et )?(?:when|where|who\w*|how|why|since|wann|wo|wohin|wer|wem"
    r"|wen|wie|warum|cuándo|dónde|quién\w*|cómo|cuánto\w*|por qué|a qué hora|quand|où|qui(?! m')"
    r"|comment|combien|pourquoi|à quelle heure|quando|dove|chi|come|wanneer|waar|hoe|onde|quem"
    r"|what time|um wie viel)\b|\bc'est (?:quand|où|à quelle)\b"
    r"|\b(?:my|mein|mi|mon|il mio|mijn|minha) (?:\w+ )?(?:appointment|termin|cita|rendez-vous"
    r"|appuntamento|afspraak|consulta)\b",
    re.IGNORECASE,
)
_BEFORE_NOW = late(
    r"\b(?:did|what (?:was|were)|had|hatte|war|gab|tuve|tenía|hubo|avais|avait|ai eu|yesterday"
    r"|gestern|ayer|hier|last (?:week|month|year)|letzte\w*|pasad[oa]|dernière?)\b",
    re.IGNORECASE,
)
_TASKS = late(
    r"\b(?:deadlines?|due|to-?dos?|tasks?|chores?|paperwork|(?:have|need|got) to|must|should"
    r"|fristen|fällig\w*|aufgaben|erledig\w+|muss|müssen|plazos|vencimientos|pendientes|tareas"
    r"|recados|tengo que|hay que|toca|échéanc\w+|tâches|démarches|dois|doit|scadenz\w+|compiti"
    r"|devo|taken|moet\w*|prazos|tarefas|afazeres)\b",
    re.IGNORECASE,
)
_MEETINGS = late(
    r"\b(?:appointments?|attend|termine?n?|citas?|rendez-vous|appuntament\w+|afspraken|consultas"
    r"|visits?|celebrations?|trips?|veranstaltungen|eventos?|événements?)\b",
    re.IGNORECASE,
)
TASKS, MEETINGS = "tasks", "meetings"
# Words that ask for an agenda, and say not what it is about.
_ASKING = late(
    r"^(?:coming|com\w*|up|planned|plans?|due|dates?|schedul\w*|done|attend\w*|need|have|had|got|left"
    r"|still|any\w*|some\w*|end|rest|next|this|remain\w*|upcoming|soon|ahead|happening|going|follow"
    r"|calendar|agenda|diary|deadlines?|appointments?|to-?dos?|tasks?|lists?|reminders?|things?"
    r"|steh\w*|anst\w*|los|vor\w*|geplant\w*|fällig\w*|erledig\w*|noch|alles|etwas|ende|bald|\w*kalender"
    r"|termine?n?|fristen|aufgaben|nächst\w*|machen|tun|muss|müssen|habe?n?|demnächst"
    r"|previst\w*|programad\w*|viene\w*|queda\w*|toca|hacer|antes|próxim\w*|fin\w*|algun\w*|hay"
    r"|pendientes?|citas?|plazos|vencimientos|tareas|recados|tengo|tenemos|calendario"
    r"|prévue?s?|programme|vien\w*|reste|venir|faire|avant|fin|prochain\w*|bientôt|ai|arrive\w*"
    r"|échéanc\w*|rendez|vous|rendez-vous|tâches|démarches|dois|calendrier"
    r"|scadenz\w*|appuntament\w*|impegni|compiti|afspraken|taken|prazos|compromissos|tarefas)$",
    re.IGNORECASE,
)


class Agenda(NamedTuple):
    """What is asked for of what is coming. Times are UTC ms."""

    from_ms: int
    until_ms: int | None  # None: no time was named
    wants: str = ""  # TASKS, MEETINGS, '': whatever is coming
    times: str = ""  # the words that name the time


def asks_for_agenda(question: str) -> bool:
    """Whether a request is for what is due, planned or to be done."""
    return len(question) <= _LONGEST and _NAMED.search(question.replace("’", "'")) is not None


def agenda_of(question: str, now: int, zone: str) -> Agenda | None:
    """Of which time what is coming is asked, from now on; None: a question asks something else.

    More is asked than by `asks_for_agenda`: 'When is my appointment?' asks for one thing, and
    'what did I have on' for what is over.
    """
    asked = question.replace("’", "'")
    if not asks_for_agenda(asked) or _OF_ONE.search(asked) or _BEFORE_NOW.search(asked):
        return None

    time = asked_time(asked, now, zone)
    meets, tasks = _MEETINGS.search(asked), _TASKS.search(asked)
    wants = "" if bool(meets) == bool(tasks) else TASKS if tasks else MEETINGS
    return Agenda(time.from_ms, time.until_ms, wants, time.words)


def is_about(word: str, agenda: Agenda) -> bool:
    """Whether a word of such a question, in lower case, says what it is about: 'kitchen'."""
    return _ASKING.search(word) is None and word not in agenda.times
