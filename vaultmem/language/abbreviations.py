"""Abbreviations and what tells them from the end of a sentence: data, by language, no rules.

What `sentences.py` does with each table stands above it. Written without the last full stop and
in small letters; those with spaces inside ('z. B.', 'p. ej.', 'EE. UU.') without the spaces.
All languages count in every text, because a note may mix them and nothing says which it is in.
"""

from __future__ import annotations

from collections.abc import Mapping

# Before a name, a number or the next words of the same sentence: never its end.
INSIDE: Mapping[str, str] = {
    "en": "mr mrs messrs dr prof e.g i.e vs viz cf approx mt",
    "de": "hr hrn frl prof.dr dipl dipl.-ing dr.-ing ing bzw ca z.b d.h u.a o.ä o.g s.o s.u i.d.r "
    "i.a z.t z.hd z.zt v.a u.u evtl ggf inkl exkl zzgl abzgl bzgl bspw sog vgl geb ehem lfd "
    "hl skt d.i i.v i.h.v m.e",
    "es": "sra srta sres d.ª dña dra lic p.ej avda núm pág págs tel atte aprox excmo excma",
    "fr": "m mm mme mmes mlle mlles mgr p.ex c.-à-d c.à.d",
    "it": "dott dott.ssa sig sigg sig.ra sig.na avv geom prof.ssa p.es egr spett",
    "nl": "dhr mevr mw drs bijv bv o.a d.w.z m.b.t t.a.v i.p.v i.v.m t.o.v evt incl excl ong m.n",
    "pt": "sra srta dra exmo exma p.ex aprox",
    "ru": "т.е т.к ул им проф акад тов напр см",
}
# The same, but only with a capital: in small letters it is a unit or a word ('5 ms', 'a gem').
INSIDE_WITH_CAPITAL: Mapping[str, str] = {
    "en": "ms gen col capt cpt lt sgt maj sen rep pres supt adm gov rev hon ft",
    "de": "mag abg bgm",
    "es": "d fco",
    "it": "ing arch rag",
    "nl": "ir",
    "pt": "eng",
}
# A sentence may end with it. It does where a word follows that opens sentences (OPENERS).
EITHER: Mapping[str, str] = {
    "en": "st ave blvd rd ln sq hwy inc ltd co corp bros llc plc jr sr esq u.s u.k u.n e.u u.s.a "
    "d.c n.y l.a ph.d m.d b.a m.a b.sc m.sc b.c a.d univ assn apt ste al op",
    "de": "str fr e.v e.g.mbh jh jhd mio mrd tsd abt pl m.b.h d.ä d.j",
    "es": "av ee.uu s.a s.l cía ud uds vd vds admón gral",
    "fr": "av bd ste s.a s.a.r.l",
    "it": "s.p.a s.r.l v.le p.za c.so",
    "nl": "n.v b.v str",
    "pt": "av ltda s.a",
    "ru": "г д обл руб тыс млн млрд стр др",
}
# A sentence mostly ends with it where a capital follows; where a small letter follows it goes on.
CLOSING: Mapping[str, str] = {
    "en": "etc a.m p.m ff",
    "de": "usw u.s.w u.v.m u.ä etc",
    "es": "etc a.m p.m",
    "fr": "etc",
    "it": "ecc",
    "nl": "enz",
    "pt": "etc",
    "ru": "т.д т.п",
}
# Only before a number: 'No. 5', 'Nr. 7', 'Fig. 2', 'Jan. 3'.
BEFORE_NUMBERS: Mapping[str, str] = {
    "en": "no nos vol fig figs eq ch sec art p pp v ver c ext jan feb mar apr jun jul aug sep "
    "sept oct nov dec",
    "de": "nr nrn abs kap abb bd s ziff jän mär okt dez tel",
    "es": "art cap ene abr dic fig",
    "fr": "n art chap fig janv févr avr juil déc",
    "it": "n pag pagg cap art gen genn febbr",
    "nl": "blz nr art",
    "pt": "n art cap fev abr dez",
    "ru": "с",
}
# What follows '5 p.m.' in the same sentence.
AFTER_TIMES: Mapping[str, str] = {
    "en": "est edt cst cdt mst mdt pst pdt cet cest gmt utc bst ist eastern central pacific monday "
    "tuesday wednesday thursday friday saturday sunday"
}
# Words with a capital that begin a sentence. Not here: what begins names as well ('M. Le Pen',
# 'Avda. Los Álamos', 'dhr. De Vries', 'Sr. La Rosa').
OPENERS: Mapping[str, str] = {
    "en": "i we you he she it they the this that these those my our his her its their there then "
    "but and so if when while after before because also please now today yesterday tomorrow what "
    "who where why how is are do does did can could would should have has however since although "
    "in on at for from with as an a no not yes let some all both once",
    "de": "ich wir du er sie es ihr der die das den dem des ein eine einen einem einer mein meine "
    "meinen meinem meiner unser unsere dein deine sein seine ihre dieser diese dieses dort hier "
    "dann danach aber und oder wenn weil als seit nach vor bei im am zum zur heute gestern morgen "
    "jetzt man was wer wo wie warum auch nun da bitte kein keine mit für auf außerdem",
    "es": "yo él ella nosotros ellos usted un una mi mis tu su sus nuestro nuestra esto eso este "
    "ese pero y cuando si porque también hoy ahora luego después en con para por desde me se nos",
    "fr": "je tu il elle nous vous ils elles on un une mon ma mes ton ta son sa notre nos votre "
    "leur ce cette ces mais et quand si aussi puis ensuite maintenant dans avec pour depuis",
    "it": "io lui lei noi voi loro mio mia miei questo questa ma quando perché anche poi oggi ora "
    "ho sono una",
    "nl": "ik wij hij zij ze het een mijn onze dit dat maar als toen ook nu vandaag er",
    "pt": "eu ele ela nós eles meu minha nosso nossa isso mas quando também hoje agora um uma",
    "ru": "я мы он она они это мой моя но когда если там потом сейчас сегодня",
}
# What a number with a full stop counts: '3. Mai', '3. Stock', '2. Weltkrieg', '1. FC Köln'.
COUNTED: Mapping[str, str] = {
    "en": "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec",
    "de": "januar jänner februar feber märz mai juni juli oktober dezember mär okt dez jän "
    "stock etage obergeschoss og ug klasse weltkrieg liga bundesliga semester quartal jahrhundert "
    "jahrhunderts jh jahr tag tage woche monat geburtstag mal platz reihe kapitel "
    "auflage advent fc runde teil band schuljahr lebensjahr stufe staffel folge hochzeitstag "
    "bezirk gang akt satz sinfonie schicht",
}
# What stands before such a number: 'am 3.', 'der 2. Teil'.
COUNTS: Mapping[str, str] = {
    "de": "am im der die das den dem des zum zur vom beim bis ins meinem meinen meiner ihrem ihren "
    "seinem seinen unserem unseren jeder jeden jede jedem"
}


def listed(table: Mapping[str, str]) -> frozenset[str]:
    """The entries of a table in all languages."""
    return frozenset(word for words in table.values() for word in words.split())
