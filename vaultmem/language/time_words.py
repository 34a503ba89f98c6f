"""Words by which a phrase of time in another language than English is told to be possible.

By themselves they say nothing: `language/dates/foreign.py` reads the phrases, and is loaded where a
text holds one of these. A test compares them with its tables.
"""

from __future__ import annotations

_WORDS = """
dezember dienstag donnerstag februar freitag frühjahr frühling gestern herbst heute jahr jahre
jahren jahres januar juli juni jänner mai mittwoch monat monate monaten monats montag märz
oktober samstag sommer sonnabend sonntag tag tage tagen vorgestern winter woche wochen
wochenende übermorgen
abril agosto anteayer antier ayer año años diciembre domingo día días enero febrero hoy invierno
jueves julio junio lunes martes marzo mayo mes meses miércoles noviembre octubre otoño primavera
semana semanas septiembre setiembre sábado verano viernes
année années ans août après-demain aujourd'hui automne avant-hier avril demain dimanche décembre
février hier hiver janvier jeudi jour jours juillet juin lundi mai mardi mercredi mois novembre
octobre printemps samedi semaine semaines septembre vendredi week-end été
августа августе апреле апреля весна весной весну воскресенье вторник вчера выходные выходных год
года году декабре декабря день дней дня завтра зима зимой зиму июле июля июне июня лет лето
летом мае марта марте мая месяц месяца месяце месяцев неделе недели недель неделю неделя ноябре
ноября октябре октября осень осенью позавчера понедельник послезавтра пятница пятницу сегодня
сентябре сентября среда среду суббота субботу феврале февраля четверг январе января
seit desde depuis il
"""
WORDS = frozenset(_WORDS.split())
_UNSPACED = "\u3040"  # the first letter of the scripts of Japanese; those of Chinese follow


def is_of_time(word: str) -> bool:
    """Whether a lower-case word may be part of such a phrase; cheap."""
    return word in WORDS or word[:1] >= _UNSPACED or word.rpartition("'")[2] in WORDS  # l'été
