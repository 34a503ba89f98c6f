"""The words that date phrases are made of in other languages than English.

Only phrases that say one thing: German 'morgen' and Spanish 'mañana' (tomorrow, or the morning)
are in none of them, nor is a bare weekday, whose week the tense would have to tell.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import NamedTuple

_ENGLISH = ("an", "august", "april", "september", "november", "mars", "weekend")
"""Said in English more often: a phrase with nothing else is missed, or read by its rules."""


class Language(NamedTuple):
    """Patterns over lower-case text; `{...}` stands for any word of a table.

    near      phrase -> days from today
    stepped   'last Friday' by {step} and {noun}; steps -> -2 to 1
    ago       'two weeks ago' by {number} and {unit}
    lasting   'for two weeks' that go on: since then
    dated     '3 May 2023' by {day}, {month} and perhaps {year}
    monthly   'May 2023' by {month} and {year}
    since, until  what makes of the phrase behind it a beginning or an end; '' where a suffix does
    from_here what makes a beginning of the phrase before it; '': nothing
    told_by   pattern that a text must hold; '': one of the words of these tables is enough
    """

    near: Mapping[str, int]
    steps: Mapping[str, int]
    units: Mapping[str, str]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    months: Mapping[str, int]
    numbers: Mapping[str, int]
    weekends: tuple[str, ...]
    stepped: tuple[str, ...]
    ago: tuple[str, ...]
    lasting: tuple[str, ...]
    dated: tuple[str, ...]
    monthly: tuple[str, ...]
    yearly: tuple[str, ...]
    since: str
    until: str
    from_here: str = ""
    told_by: str = ""
    spaced: bool = True  # words stand apart, so that a phrase begins and ends with one

    def telling(self) -> frozenset[str]:
        """Words of which every phrase holds one, but for those of a year alone."""
        tables = (self.near, self.units, self.weekdays, self.seasons, self.months)
        known = {word for table in tables for word in table} | {*self.weekends}
        return frozenset(word for word in known if " " not in word and word not in _ENGLISH)


def _table(text: str, first: int = 1) -> dict[str, int]:
    """Each word with the number of its comma separated group."""
    groups = enumerate(text.split(","), first)
    return {word.replace("_", " "): number for number, group in groups for word in group.split()}


def _units(day: str, week: str, month: str, year: str) -> dict[str, str]:
    named = zip((day, week, month, year), ("day", "week", "month", "year"), strict=True)
    return {word.replace("_", " "): unit for words, unit in named for word in words.split()}


def _steps(*groups: tuple[int, str]) -> dict[str, int]:
    return {word.replace("_", " "): step for step, words in groups for word in words.split()}


def _seasons(spring: str, summer: str, autumn: str, winter: str) -> dict[str, int]:
    named = zip((spring, summer, autumn, winter), (3, 6, 9, 12), strict=True)
    return {word: first for words, first in named for word in words.split()}


GERMAN = Language(
    near={"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2},
    steps=_steps(
        (-1, "letzte letzten letztes letzter letztem vorige voriger vorigen voriges vorigem"),
        (-1, "vergangene vergangener vergangenen vergangenes vergangenem"),
        (0, "diese dieser diesen dieses diesem"),
        (1, "nächste nächster nächsten nächstes nächstem kommende kommenden kommendes kommender"),
    ),
    units=_units(
        "tag tage tagen", "woche wochen", "monat monats monate monaten", "jahr jahre jahres jahren"
    ),
    weekdays=_table(
        "montag, dienstag, mittwoch, donnerstag, freitag, samstag sonnabend, sonntag", 0
    ),
    seasons=_seasons("frühling frühjahr", "sommer", "herbst", "winter"),
    months=_table(
        "januar jänner, februar, märz, april, mai, juni, juli, august, september, oktober,"
        " november, dezember"
    ),
    numbers=_table(
        "ein eine einem einer einen, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn"
    ),
    weekends=("wochenende",),
    stepped=("{step} {noun}",),
    ago=("vor {number} {unit}",),
    lasting=("seit {number} {unit}",),
    dated=("(?:am |dem |der )?{day}\\. {month}(?: {year})?",),
    monthly=("(?:im )?{month} {year}",),
    yearly=("im jahre? {year}", "seit {year}"),
    since="seit|ab",
    until="bis",
)
SPANISH = Language(
    near={"anteayer": -2, "antier": -2, "ayer": -1, "hoy": 0, "pasado mañana": 2},
    steps=_steps((-1, "pasado pasada"), (0, "este esta"), (1, "próximo próxima que_viene")),
    units=_units("día días", "semana semanas", "mes meses", "año años"),
    weekdays=_table("lunes, martes, miércoles, jueves, viernes, sábado, domingo", 0),
    seasons=_seasons("primavera", "verano", "otoño", "invierno"),
    months=_table(
        "enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre setiembre, octubre,"
        " noviembre, diciembre"
    ),
    numbers=_table("un una, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez"),
    weekends=("fin de semana",),
    stepped=(
        "(?:el |la )?{noun} (?P<step>pasado|pasada|próximo|próxima|que viene)",
        "(?:el |la )?(?P<step>este|esta|pasado|pasada|próximo|próxima) {noun}",
    ),
    ago=("hace {number} {unit}(?! que)",),
    lasting=("desde hace {number} {unit}", "hace {number} {unit} que"),
    dated=("(?:el )?{day} de {month}(?: del? {year})?",),
    monthly=("(?:en )?{month} del? {year}",),
    yearly=("en el año {year}", "desde {year}"),
    since="desde",
    until="hasta",
)
FRENCH = Language(
    near={"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "après-demain": 2},
    steps=_steps(
        (-1, "dernier dernière passé passée"), (0, "ce cet cette"), (1, "prochain prochaine")
    ),
    units=_units("jour jours", "semaine semaines", "mois", "an ans année années"),
    weekdays=_table("lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche", 0),
    seasons=_seasons("printemps", "été", "automne", "hiver"),
    months=_table(
        "janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre,"
        " décembre"
    ),
    numbers=_table("un une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix"),
    weekends=("week-end", "weekend"),
    # 'A été passé' is no summer.
    stepped=(
        "(?:le |la |l'){noun} (?P<step>dernier|dernière|passé|passée|prochain|prochaine)",
        "{weekday} (?P<step>dernier|passé|prochain)",
        "(?P<step>ce|cet|cette) {noun}",
    ),
    ago=("il y a {number} {unit}",),
    lasting=("depuis {number} {unit}", "(?:ça|cela) fait {number} {unit} que?"),
    dated=("(?:le )?{day}(?:er)? {month}(?: {year})?",),
    monthly=("(?:en )?{month} {year}",),
    yearly=("en {year}", "depuis {year}"),
    since="depuis|dès",
    until="jusqu'à|jusqu'en|jusqu'au",
    # 'Hier' is German for 'here'.
    told_by=r"(?<!\w)(?:[jldqnmsct]'|(?:je|nous|vous|elle|ils|elles|les|une|est|été|était|dans"
    r"|avec|où|aux?|mon|ma|mes|son|sa|ses|il|y|pas|chez)(?!\w))",
)
RUSSIAN = Language(
    near={"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2},
    steps=_steps(
        (-1, "прошлый прошлая прошлой прошлую прошлом прошлое прошлым прошлого"),
        (0, "этот эта этой эту этом это этим этого"),
        (1, "следующий следующая следующей следующую следующем следующее следующим следующего"),
    ),
    units=_units(
        "день дня дней",
        "неделя неделю недели недель неделе",
        "месяц месяца месяцев месяце",
        "год года году лет",
    ),
    weekdays=_table(
        "понедельник, вторник, среду среда, четверг, пятницу пятница, субботу суббота, воскресенье",
        0,
    ),
    seasons=_seasons("весной весна весну", "летом лето", "осенью осень", "зимой зима зиму"),
    months=_table(
        "января январе, февраля феврале, марта марте, апреля апреле, мая мае, июня июне,"
        " июля июле, августа августе, сентября сентябре, октября октябре, ноября ноябре,"
        " декабря декабре"
    ),
    numbers=_table("один одну, два две, три, четыре, пять, шесть, семь, восемь, девять, десять"),
    weekends=("выходные", "выходных"),
    stepped=("(?:на |в |во )?{step} {noun}",),
    ago=("{number} {unit} назад",),
    lasting=(),
    dated=("{day} {month}(?: {year}(?: года)?)?",),
    monthly=("(?:в )?{month} {year}(?: год[ау])?",),
    yearly=("в {year} году", "с {year} года"),
    since="с|со",
    until="до",
)
CHINESE = Language(
    near={"前天": -2, "今天": 0, "今晚": 0, "今日": 0, "后天": 2, "後天": 2}
    | dict.fromkeys(("昨天", "昨晚", "昨日"), -1)
    | dict.fromkeys(("明天", "明日"), 1),
    steps=_steps(
        (-1, "上 上个 上個 去"), (-2, "前"), (0, "这 这个 這 這個 本 今"), (1, "下 下个 下個 明")
    ),
    units=_units(
        "天 日",
        "周 週 星期 礼拜 禮拜 个星期 個星期 个礼拜 個禮拜",
        "月 个月 個月",
        "年",
    ),
    weekdays=_table(
        "周一 週一 星期一 礼拜一, 周二 週二 星期二 礼拜二, 周三 週三 星期三 礼拜三,"
        " 周四 週四 星期四 礼拜四, 周五 週五 星期五 礼拜五, 周六 週六 星期六 礼拜六,"
        " 周日 週日 周天 星期日 星期天 礼拜天",
        0,
    ),
    seasons=_seasons("年春天 年春季", "年夏天 年夏季", "年秋天 年秋季", "年冬天 年冬季"),
    months=_table(
        "1月 一月, 2月 二月, 3月 三月, 4月 四月, 5月 五月, 6月 六月, 7月 七月, 8月 八月,"
        " 9月 九月, 10月 十月, 11月 十一月, 12月 十二月"
    ),
    numbers=_table("一, 两 二 兩, 三, 四, 五, 六, 七, 八, 九, 十"),
    weekends=("周末", "週末"),
    stepped=("{step}{noun}",),
    # '5月前' is before May.
    ago=("{number}(?P<unit>天|日|周|週|[个個](?:星期|礼拜|禮拜|月)|年)[之以]?前",),
    lasting=(),
    dated=("(?:{year}年)?{month}{day}[日号號]",),
    monthly=("{year}年{month}",),
    yearly=("{year}年",),
    since="自从?|从|從",
    until="到|直到",
    told_by="[\\u4e00-\\u9fff]",
    spaced=False,
)
JAPANESE = Language(
    near={"一昨日": -2, "おととい": -2, "昨日": -1, "昨夜": -1, "今日": 0, "明日": 1, "明後日": 2},
    steps=_steps((-1, "先 去 昨"), (-2, "一昨"), (0, "今"), (1, "来")),
    units=_units("日", "週 週間", "月 か月 ヶ月 カ月", "年"),
    weekdays=_table(
        "週の月曜日 週の月曜, 週の火曜日 週の火曜, 週の水曜日 週の水曜, 週の木曜日 週の木曜,"
        " 週の金曜日 週の金曜, 週の土曜日 週の土曜, 週の日曜日 週の日曜",
        0,
    ),
    seasons=_seasons("年の春", "年の夏", "年の秋", "年の冬"),
    months=CHINESE.months,
    numbers=_table("一, 二, 三, 四, 五, 六, 七, 八, 九, 十"),
    weekends=("週末", "週の週末"),
    stepped=("{step}{noun}",),
    ago=("{number}(?P<unit>日|週間|[かヶカ]月|年)前",),
    lasting=(),
    dated=("(?:{year}年)?{month}{day}日",),
    monthly=("{year}年{month}",),
    yearly=("{year}年",),
    since="",
    until="",
    from_here="から|以来",
    told_by="[\\u3041-\\u30ff]",
    spaced=False,
)

LANGUAGES = (GERMAN, SPANISH, FRENCH, RUSSIAN, JAPANESE, CHINESE)
