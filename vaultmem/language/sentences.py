"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re
from collections.abc import Mapping

from vaultmem.base import late

# Abbreviations and what tells them from the end of a sentence: data, by language, no rules.
#
# What `sentences.py` does with each table stands above it. Written without the last full stop and
# in small letters; those with spaces inside ('z. B.', 'p. ej.', 'EE. UU.') without the spaces.
# All languages count in every text, because a note may mix them and nothing says which it is in.


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


def entries_of(table: Mapping[str, str]) -> frozenset[str]:
    """The entries of a table in all languages."""
    return frozenset(word for words in table.values() for word in words.split())


# Where a sentence may end: closing marks with the quotes and brackets that follow them, marks of
# scripts that put no space after them, and every line break (which is then looked at).
_END = late(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]*_]*+(?=\s|$) | [。！？｡।؟]+[」』”’）]* | \n""",
    re.VERBOSE,
)
_LAST_MARKS = ".!?…"
_MARKS = _LAST_MARKS + "。！？｡।؟\n"
_LIST_MARK = late(r"[ \t]*(?:[-*+•>#|]|\d{1,3}[.)]\s|\*\*|\r?$)", re.MULTILINE)
_LAST_WORD = late(r"[^\s(\[\"'“‘«*_]*$")
_NEXT = late(r"[\s\"'“‘«(\[*_¿¡-]*(\S?)")
_INSIDE = entries_of(INSIDE)
_INSIDE_WITH_CAPITAL = entries_of(INSIDE_WITH_CAPITAL)
_EITHER = entries_of(EITHER)
_CLOSING = entries_of(CLOSING)
_BEFORE_NUMBERS = entries_of(BEFORE_NUMBERS)
_AFTER_TIMES = entries_of(AFTER_TIMES)
_OPENERS = entries_of(OPENERS)
_COUNTED, _COUNTS = entries_of(COUNTED), entries_of(COUNTS)
# Beginnings of what is written with spaces inside, up to the full stop before a space: 'z' of
# 'z. B.', 'i', 'i.d' of 'i. d. R.'. Parts of one letter or two: 'Sig. ra' is written by nobody.
_PARTS = frozenset(
    ".".join(parts[:count])
    for word in (*_INSIDE, *_EITHER, *_CLOSING)
    for parts in [word.split(".")]
    for count in range(1, len(parts))
    if max(map(len, parts)) <= 2
)
_WHOLE = _INSIDE | _EITHER | _CLOSING
_SPACED_DOT = late(r"\.[ \u00a0\u202f](?=\S)")
_MORE = late(r"\s*+\S")
_NEXT_WORD = late(r"[\s\"“„«*_]*+([^\W\d_]+)(?=[\s,'’:]|$)")
_NEXT_LETTERS = late(r"\s+([^\W\d_]+)")
_NEXT_PART = late(r"[ \u00a0\u202f]([^\W\d_]{1,2})\.")
_ACRONYM = late(r"(?:[^\W\d_]\.)+[^\W\d_]")
_STREET = "str"  # a German street is one word: 'Hauptstr.'
_MOST_DIGITS = 3  # of an ordinal: '100. Geburtstag'; with four it is a year
# A line this long was wrapped by an editor, so its end says nothing.
_WRAPPED_CHARACTERS = 60
_WORD_CHARACTERS = 40  # how far back the word before a full stop is looked for


def spans(text: str) -> list[tuple[int, int]]:
    """Where each sentence of the text begins and ends; see `text.sentences`."""
    found: list[tuple[int, int]] = []
    start = 0
    said = text.strip().rstrip(_LAST_MARKS)
    if not any(map(said.__contains__, _MARKS)):  # one sentence: the patterns take 2 ms to compile
        _add_span(found, text, start, len(text))
        return found
    for mark in _END.finditer(text):
        if _ends_sentence(text, start, mark):
            _add_span(found, text, start, mark.end())
            start = mark.end()
    _add_span(found, text, start, len(text))
    return found


def _add_span(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        start += len(piece) - len(piece.lstrip())
        spans.append((start, start + len(bare)))


def _ends_sentence(text: str, start: int, found: re.Match[str]) -> bool:
    mark, end = found.group(), found.end()
    if mark == "\n":
        if _LIST_MARK.match(text, end):
            return True
        line = found.start() - max(start, text.rfind("\n", 0, found.start()) + 1)
        return line < _WRAPPED_CHARACTERS and not _goes_on_small(text, end)
    if mark[0] == "." and not mark.startswith(".."):
        return _full_stop_ends(text, start, found)
    return mark[0] in "。！？｡।؟" or not _goes_on_small(text, end)


def _goes_on_small(text: str, end: int) -> bool:
    """Whether the next letter is a small one, so that the sentence goes on."""
    following = _NEXT.match(text, end)
    return following is not None and following.group(1).islower()


def _full_stop_ends(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether one `.` closes a sentence, judged by the word before and the letter after it."""
    if _goes_on_small(text, found.end()):
        return False
    return not is_inside(text, found.start(), found.end(), start=start)


def is_inside(text: str, place: int, end: int, *, start: int = 0) -> bool:
    """Whether the full stop at `place` belongs to a word: 'St.', 'z. B.', 'J.', '3. Mai'.

    start  where the sentence begins
    end    the place after the full stop and the quotes and brackets that close with it
    What follows an abbreviation decides only where it may be the last word ('Acme Inc. The').
    """
    before = _LAST_WORD.search(text, max(start, place - _WORD_CHARACTERS), place)
    begins = before.start() if before else place
    word = text[begins:place]
    if word.isdigit() and len(word) <= _MOST_DIGITS:
        return _is_ordinal(text, start, begins, end=end)
    if len(word) == 1 and word.isupper() and word != "I":  # an initial: J. R. R. Tolkien
        is_first = not text[max(start, begins - _WORD_CHARACTERS) : begins].strip()  # 'A. The'
        inside = {word.casefold(), _word_before(text, start, place).casefold()} & _INSIDE
        return is_first or bool(inside) or not _opens(text, end)
    return _is_abbreviation(text, word, _word_before(text, start, place), end=end)


def _is_abbreviation(text: str, word: str, joined: str, *, end: int) -> bool:
    """Whether a word, or it with the parts before it ('z. B'), is one that goes on after `end`."""
    part = _NEXT_PART.match(text, end)
    if part is not None and f"{joined}.{part[1]}".casefold() in _WHOLE | _PARTS:
        return joined.casefold() in _PARTS
    names = (word, joined) if joined.casefold() in _WHOLE else (word,)
    if "-" in word or "/" in word:
        names = (*names, re.split("[-/]", word)[-1])
    return any(_goes_on_after(text, name, end) for name in names)


def _goes_on_after(text: str, name: str, end: int) -> bool:
    folded = name.casefold()
    if name.isupper() and len(name) > 1 and "." not in name and folded in _INSIDE:
        return not _opens(text, end)  # 'San Jose, CA. The sun', but 'DR. SMITH'
    if folded in _INSIDE or (folded in _INSIDE_WITH_CAPITAL and name[0].isupper()):
        return True
    if folded in _BEFORE_NUMBERS and text[end : end + 9].lstrip()[:1].isdigit():
        return True
    if folded in _CLOSING:
        following = _NEXT_WORD.match(text, end)
        is_time = folded in ("a.m", "p.m") and following is not None
        return _goes_on_small(text, end) or (
            is_time and following is not None and following[1].casefold() in _AFTER_TIMES
        )
    is_street = len(folded) > len(_STREET) and folded.endswith(_STREET)
    if folded in _EITHER or is_street or _ACRONYM.fullmatch(name):
        return _MORE.match(text, end) is not None and not _opens(text, end)
    return False


def _word_before(text: str, start: int, place: int) -> str:
    """The word before a full stop with the parts before it that have one, too: 'z.B' of 'z. B'."""
    window = text[max(start, place - _WORD_CHARACTERS) : place]
    found = _LAST_WORD.search(_SPACED_DOT.sub(".", window))
    return found.group() if found else ""


def _opens(text: str, end: int) -> bool:
    """Whether the word that follows is one that sentences begin with."""
    word = _NEXT_WORD.match(text, end)
    return word is not None and word[1][0].isupper() and word[1].casefold() in _OPENERS


def _is_ordinal(text: str, start: int, begins: int, *, end: int) -> bool:
    """Whether a number with a full stop counts something: '1. Item', '3. Mai', '2. Stock'."""
    lead = text[max(start, begins - _WORD_CHARACTERS) : begins].split()
    if not lead:
        # Without a word before it a number of one or two digits is that of a step: '1. Item'.
        return end - begins <= len("12.")
    following = _NEXT_LETTERS.match(text, end)
    if following is not None and following[1].casefold() in _COUNTED:
        return True
    # 'I am 3.' is English; 'am 3. Mai' is German.
    is_counting = lead[-1].casefold() in _COUNTS and [w.casefold() for w in lead[-2:]] != [
        "i",
        "am",
    ]
    return is_counting and following is not None and not _opens(text, end)
