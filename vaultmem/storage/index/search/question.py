"""What a question asks for, read from its words alone: any text is a question, none an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.base.patterns import late
from vaultmem.base.records import NamedTuple
from vaultmem.language.stems import STOP_WORDS, Stems, words
from vaultmem.language.text import fold
from vaultmem.language.time_words import is_of_time
from vaultmem.storage.index.search.asking_aspect import asked_aspect, plain_words
from vaultmem.storage.index.search.asking_leave import asks_leave

if TYPE_CHECKING:
    from vaultmem.storage.index.search.dates import Window

MOST_WORDS = 64  # of a question; of a longer text the rarest words are kept
MOST_REPAIRED = 24  # unknown words for which similar ones are looked for, the first ones
_MOST_TIMES = 3  # a word repeated more often weighs no more
_READ_CHARACTERS = 20_000

# Words about asking and telling rather than about what is asked; they weigh half.
_GENERIC = """
    kind type sort example thing way name tell say said talk discuss share mention describe
    explain know think remember recall plan want need like feel find give get make take use try
    happen occur go come current recent specific certain different several many much long often
    likely probably consider according regard relate involve include new
"""
# The same among single statements (related.py), so that a rare 'machen' does not outweigh what was
# asked for: on talks, which hold many of them, it costs .002 of R@10.
_LIGHT = """
    sorte beispiel dinge weise name heißt heisst heißen nennt genannt sagen
    erzählen erzählt weiß weiss wissen kenne kennst denken glaube erinnern will wollen brauche
    brauchen braucht finde finden geben gibt bekomme bekommen kriege machen mache macht gemacht
    nehmen nehme nimmt benutze tue passiert gehen gehe geht kommen komme kommt stehen steht
    stellen halten halte bleiben bleibe lasse anfangen zeigen fragen gute guten groß
    große klein kleine neu neue neuen richtig eigentlich genau meistens normalerweise regelmäßig
    gerade momentan aktuell derzeit wirklich etwas jemand jemanden alles nichts irgendwo überhaupt
    nochmal wieder ganz sache sachen mein
    tipo clase ejemplo cosa cosas manera forma nombre llama llamo llaman decir dice digo contar
    hablar sé sabe sabes saber pensar pienso creo recuerdo recordar quiero quiere necesito necesita
    encontrar encuentro doy da hacer hago hace hacemos tomar tengo tiene tienen
    pasar voy vamos venir vengo poner pongo puse estar quedar queda dejar dejo llevar
    llevo lleva empezar mostrar pedir preguntar bueno buena grande nuevo nueva mejor realmente
    exactamente normalmente actualmente algo alguien todo todos nada caso cumplir debo puedo
    sorte type exemple chose choses façon manière nom appelle appellent appelles dire dis
    raconter parler sais sait savoir penser crois souviens veux veut vouloir besoin trouver
    trouve donner faire fais prendre prends prend avoir utilise utiliser
    aller vais vont venir viens mettre mets mis être laisser laisse
    commencer montrer demander grande nouveau nouvelle meilleur vraiment exactement
    actuellement normalement quelque quelqu rien rends peux peut
    faut déjà
    tipo esempio cosa cose modo nome chiama dire dico parlare so sapere penso ricordo voglio bisogno
    trovare faccio prendere prendo avere usare andare vado venire mettere messo
    restare lasciare iniziare chiedere buono grande nuovo migliore qualcosa qualcuno tutto niente
    soort voorbeeld manier naam heet zeggen zeg praten weet weten denk herinner wil nodig
    vinden vind geven doen doe maken maak nemen neem hebben gebruik gaan ga komen kom zetten blijven
    laten beginnen vragen goed groot nieuw beter eigenlijk iets iemand alles niets
    exemplo coisa coisas jeito nome chama dizer digo falar sei saber penso lembro quero preciso
    achar fazer faço pegar tenho vou vir pôr ficar deixar começar perguntar bom
    novo melhor alguém tudo nada
    put keep bring along stay leave let start turn show help ask call called big little good
    anything something everything somebody someone anyone everyone everybody nothing somewhere
    right better best actually exactly usually normally regularly generally currently lately
    whole bit lot stuff case matter moment able own
"""
_ASKS_WHEN = (
    r"\W*(?:(?:since|until|by) )?"
    r"(?:when\b|how (?:long|often|recently|many (?:days|weeks|months|years))\b"
    r"|(?:on |in )?(?:which|what) (?:date|day|week|month|year|time)\b)"
)
_ASKING = ("when", "how", "which", "what")  # every text that matches has one of these
_WORDS_OF_TIME = """
    day days today yesterday tomorrow tonight week weeks weekend weekends month months year years
    quarter monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december jan feb mar apr jun jul aug sep sept
    oct nov dec spring summer autumn fall winter christmas halloween valentine's morning evening
"""
_NAMED = late(r"(?<=[\w,;] )[A-Z\u00c0-\u00de]\w+")
_OF_TIME = frozenset(_WORDS_OF_TIME.split())
_OF_SELF = frozenset(["i", "me", "my", "mine", "myself", "i'm", "i've", "i'd", "i'll"])


class Asked(NamedTuple):
    """One word of a question that says something."""

    word: str
    stem: str
    weight: float  # how often it occurs, halved for generic words
    is_time: bool = False  # it is part of a phrase that names a time
    is_named: bool = False  # it is written as names are, inside the question
    is_light: bool = False  # it is one of every sentence: less in single statements


class Question(NamedTuple):
    """A question taken apart."""

    asked: tuple[Asked, ...]  # in the order of the question, one for each stem
    asks_when: bool
    of_self: bool  # it says I, me or my
    asks_leave: bool = False  # it asks what may be done, or what to beware of
    aspect: str = ""  # 'home', 'job' or 'age': what it asks of its speaker
    windows: tuple[Window, ...] = ()  # the times that it names
    said: tuple[str, ...] = ()  # all its words without accents, at most the first MOST_WORDS

    @property
    def telling(self) -> int:
        """How many of its words say what is asked."""
        return len(self.telling_words)

    @property
    def telling_words(self) -> tuple[str, ...]:
        """The words that say what is asked."""
        return tuple(
            one.word for one in self.asked if one.weight >= 1 and not (one.is_time or one.is_light)
        )


def analyse(text: str, stems: Stems, *, now: int | None = None, zone: str = "UTC") -> Question:
    """The question that a text is; no words are no question but no error either.

    now  UTC ms when it is asked: from there 'last week' counts; None: it names no times
    """
    folded = fold(text[:_READ_CHARACTERS])
    said = words(folded)
    silent = STOP_WORDS
    if 2 * sum(word in STOP_WORDS for word in said) < len(said):  # else it is English
        from vaultmem.storage.index.text.function_words import function_words

        silent |= function_words(said)
    counted = Counter(stems(word) for word in said if word not in silent)
    letters = {stem[:1] for stem in counted}  # stemming cuts endings
    generic, light = (
        frozenset(stems(word) for word in some.split() if word[0] in letters)
        for some in (_GENERIC, _LIGHT)
    )
    windows, of_time = _times(folded, said, now, zone)
    names = {fold(name) for name in _NAMED.findall(text[:_READ_CHARACTERS])}
    asked: dict[str, Asked] = {}
    for word in said:
        stem = "" if word in silent else stems(word)
        if stem and stem not in asked:
            weight = min(counted[stem], _MOST_TIMES) * (0.5 if stem in generic else 1.0)
            is_light = stem in light
            asked[stem] = Asked(word, stem, weight, word in of_time, word in names, is_light)
    return Question(
        asked=tuple(asked.values()),
        asks_when=_asks_when(folded),
        of_self=not _OF_SELF.isdisjoint(said),
        asks_leave=asks_leave(folded, said),
        aspect=asked_aspect(said),
        windows=windows,
        said=tuple(plain_words(said[:MOST_WORDS])),
    )


def _asks_when(folded: str) -> bool:
    if not any(word in folded for word in _ASKING):
        return False
    return re.match(_ASKS_WHEN, folded) is not None


def _times(
    folded: str, said: Sequence[str], now: int | None, zone: str
) -> tuple[tuple[Window, ...], frozenset[str]]:
    """The times that a question names, and its words that name them; mostly there are none."""
    if now is None or not any(
        word in _OF_TIME or word[:1].isdigit() or is_of_time(word) for word in said
    ):
        return (), frozenset()
    from vaultmem.storage.index.search.dates import times_of

    times = times_of(folded, now, zone)
    return times.windows, times.words
