"""What a question asks for, read from its words alone: any text is a question, none an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from vaultmem.base import TYPE_CHECKING, NamedTuple, late
from vaultmem.language import STOP_WORDS, Stems, fold, is_of_time, words

if TYPE_CHECKING:
    from vaultmem.storage.index.search.dates import Window


# Whether a question asks where its speaker lives or works, or how old they are; and of before.
#
# "Where do I live?" shares no word with "We've flitted, it's Portree now." What a memory tells of
# its speaker is known when it is indexed (`judgement/aspects.py`); here it is seen what is asked.
# In seven languages, by words alone.

HOME, JOB, AGE = "home", "job", "age"  # as in `judgement/aspects.py`, which is read later

# Words of a question that belong together, without accents; `|` between them.
_PHRASES = {
    HOME: """
        i live|we live|i living|we living|i bide|we bide|i stay|we stay|i dwell|my address
        our address|my neighbourhood|my neighborhood|our neighbourhood|my part of town|my home
        our home|my place|my flat|my house|our house|our flat|my hometown
        mein stadtteil|mein viertel|unser stadtteil|wohne ich|wohnen wir|ich wohne|wir wohnen
        meine adresse
        unsere adresse|mein zuhause|meine wohnung|gewohnt|lebe ich|leben wir|wohnte ich|wohnten wir
        mi barrio|nuestro barrio|vivo|vivimos|vivia yo|viviamos|mi direccion|nuestra direccion
        mi casa|vivo yo|yo vivia
        mon quartier|notre quartier|habite|j'habite|habitons|je vis|vis je|on vit|j'habitais
        habitais je|on habitait|j'ai habite
        mon adresse|notre adresse|mon domicile|j'ai vecu
        abito|abitiamo|viviamo|abitavo|abitavamo|il mio indirizzo|casa mia
        woon ik|wonen wij|wonen we|ik woon|wij wonen|woonde ik|woonden we|mijn adres
        eu moro|moro|moramos|morava|meu endereco|minha morada
    """,
    JOB: """
        i work|we work|i working|i employed|i work for|my job|my employer|my work|my workplace
        my occupation|my profession|i do for a living|i do for work|line of work am i
        i earn my living
        am i driving for|do i drive for|company do i|firm do i|my company|employs me|my boss is
        arbeite ich|ich arbeite|gearbeitet|arbeitete ich|mein job|meine arbeit|mein beruf
        ich beruflich|beruf habe ich|ich von beruf|verdiene ich mein geld|mein arbeitgeber
        meine stelle|bin ich angestellt|ich angestellt|mein arbeitsplatz
        me dedico|me gano la vida|trabajo|trabajo yo|yo trabajo|mi trabajo|mi empleo|trabajaba yo
        yo trabajaba|mi empresa
        fais dans la vie|gagne ma vie|je travaille|travaille je|je bosse|mon travail|mon boulot
        mon metier|mon employeur
        je travaillais|travaillais je|j'ai travaille|etais je salarie|mon entreprise
        lavoro|il mio lavoro|lavoravo|la mia azienda
        werk ik|ik werk|mijn werk|mijn baan|werkte ik|mijn werkgever
        eu trabalho|trabalho|meu trabalho|trabalhava|meu emprego
    """,
    AGE: """
        old am i|old i am|old are we|my age|i turning|i turned|wie alt bin ich|alt ich bin
        mein alter|anos tengo|mi edad|age ai je|age est ce que j'ai|age j'ai|mon age|j'ai quel age
        anni ho|la mia eta|oud ben ik|mijn leeftijd|anos tenho|minha idade
    """,
}
_ASKS = """
    where where's what what's which who whom whose how wo woher welche welcher welches welchem
    welchen was wer wem wie bei donde cual cuales que quien cuantos como ou quel quelle quels chez
    qui comment combien quoi who's wen woran dove quale che chi quanti come waar welk welke wat wie
    hoe onde qual quem quantos
"""
_NOT_A_PLACE = "i work on|we work on|i work with|we work with|i work out|i stay up|i stay in touch"

_PAST = """
    did i use to|did we use to|i use to|we use to|i used to|we used to|my old|our old
    my previous|our previous|my former|our former|my ex|my last|back then|formerly|previously
    fruher|damals|ehemalig|ehemalige|ehemaligen|mein alter|meine alte|mein altes|meinem alten
    meiner alten|zuvor|vorher
    solia|soliamos|mi antiguo|mi antigua|mi anterior|anteriormente
    autrefois|auparavant|mon ancien|mon ancienne|mes anciens
    una volta|il mio vecchio|la mia vecchia|vroeger|voorheen|mijn oude|mijn vorige
    antigamente|meu antigo|minha antiga|costumava
"""
_BEFORE = frozenset(("before", "earlier", "vor", "bevor", "antes", "avant", "prima", "voor"))
_DID = frozenset(("did", "was", "were", "had", "habe", "hab", "haben", "hatte", "hatten", "war"))
_SPEAKER = frozenset(("i", "we", "my", "our", "ich", "wir", "mein", "meine", "unser", "unsere"))
_ENDINGS = ("aba", "abamos", "ais", "ions", "ait", "avo", "evo", "ivo", "ava", "avamo")
_IMPERFECT = ("ia", "iamos")


def asked_aspect(said: Sequence[str]) -> str:
    """HOME, JOB or AGE, where the words of a question ask it of its speaker; '' otherwise."""
    plain = plain_words(said)
    if not _asking().intersection(plain):
        return ""
    text = f" {' '.join(plain)} "
    # 'What do I work on?' asks for no employer, nor 'when do I stay up?' for a home.
    if any(f" {phrase} " in text for phrase in _NOT_A_PLACE.split("|")):
        return ""
    for name, phrases in _phrases().items():
        if any(phrase in text for phrase in phrases):
            return name
    return ""


def asks_past(said: Sequence[str]) -> bool:
    """Whether a question asks for what was so before: what is over answers it, too."""
    plain = plain_words(said)
    text = f" {' '.join(plain)} "
    if any(phrase in text for phrase in _past()):
        return True
    # 'before' may stand before a day ('before Friday'): it asks for what was only beside a verb of
    # the past that is the speaker's.
    if _BEFORE.isdisjoint(plain):
        return False
    is_own = not _SPEAKER.isdisjoint(plain)
    return any(
        (word in _DID and is_own)
        or (len(word) > 4 and word.endswith(_ENDINGS))
        # Nouns end so as well ('familia', 'energía'), so this ending counts beside 'antes' alone.
        or (len(word) > 4 and word.endswith(_IMPERFECT) and "antes" in plain)
        for word in plain
    )


def plain_words(said: Sequence[str]) -> list[str]:
    """The words without accents; of what was parted at an apostrophe, the whole."""
    fold: Callable[[str], str] = str.casefold  # of plain letters nothing else is left
    if not all(map(str.isascii, said)):
        from vaultmem.judgement import fold_accents as fold  # saves 9 modules
    found: list[str] = []
    for word in map(fold, said):
        if found and "'" in found[-1] and found[-1].endswith(f"'{word}"):
            continue  # "j'habite" comes with "habite"
        found.append(word)
    return found


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    return {name: _parse_phrases(told) for name, told in _PHRASES.items()}


@cache
def _past() -> tuple[str, ...]:
    return _parse_phrases(_PAST)


@cache
def _asking() -> frozenset[str]:
    return frozenset(_ASKS.split())


def _parse_phrases(told: str) -> tuple[str, ...]:
    """Phrases, of which each stands between blanks; a line ends one, too."""
    lines = "|".join(line.strip() for line in told.strip().splitlines())
    return tuple(f" {phrase} " for phrase in lines.split("|"))


# Whether a question asks what may be done, or what to beware of: then what matters most answers.
#
# "Can I take this for my back?" shares no word with "No anti-inflammatories, I have one kidney.";
# it asks leave. In seven languages, by words alone.

# How a question for leave begins, or goes on behind a comma or dash; accents may be left out.
_LEAVE = late(
    r"(?:^|[,;:.!?¿–—-]\s*)(?:"
    r"(?:so |and |but )?(?:can|could|may|might|should|must|shall) (?!you\b|there\b)"
    r"(?:[\w'’]+ ){1,3}"
    # "Am I in a band?" asks how it is; "is sushi all right for her?" asks leave
    r"|(?:so |and |but )?(?:am|are|is) (?!you\b|there\b)[^?]{1,80}? (?:ok|okay|fine|all ?right"
    r"|good|bad|wrong|suitable|supposed|meant|free|able|a problem|too (?:much|many|late|far))\b"
    r"|(?:darf|dürfen|dürfte|kann|können|könnte|soll|sollte|sollten|muss) (?!ich dich|man dich|du)"
    r"|[^?]*\b(?:off[ -]limits|can'?t have|mustn'?t|no-go|hors limites)\b"
    r"|(?:puedo|puede|pueden|podemos|podría|podria|debo|debe|debería|deberia|se puede)\b"
    r"|(?:est-ce qu|puis-je|peut-on|peut-il|peut-elle|pouvons|dois-je|doit-on|on peut|je peux)"
    r"|[\w-]+ (?:peut|peux|doit)[ -]"
    r"|(?:posso|può|puo|possiamo|devo|deve|dovrei|si può|pode|podemos|podem|devo|deveria)\b"
    r"|(?:mag|mogen|kan|kunnen|moet|zou) (?:ik|wij|we|hij|zij|ze|hier|dat|mijn)\b"
    r")"
)
# How a part that asks for leave begins, or what it has in it: most questions have none of these,
# and the pattern takes 1.5 ms to compile.
_BEGINNINGS = """
    so and but can could may might should must shall am are is darf dürf kann könn soll muss pued
    podemos podr debo debe deber est-ce puis-je peut pouvons dois doit posso può puo possiamo dev
    dovrei pode mag mogen kan kunnen moet zou
"""
_BEGUN = (*_BEGINNINGS.split(), "se puede", "on peut", "je peux", "si può")
_WITHIN = ("off", "t have", "mustn", "no-go", "hors", " peut", " peux", " doit")
_PARTS = ",;:.!?¿–—-"
_WORDS = """
    allergy allergies allergic allergen intolerance dangerous danger forbidden allowed avoid beware
    careful caution risk risky safe unsafe safety emergency harmful health healthy medical medically
    medicine medicines medication medications drug drugs illness disease condition conditions
    prohibited off-limits must never deadly poison
    allergie allergien allergisch unverträglichkeit unverträglichkeiten gefährlich gefahr verboten
    verbot verbote erlaubt vermeiden vorsicht aufpassen riskant sicher notfall schädlich gesundheit
    gesundheitlich medizinisch medikament medikamente krankheit krankheiten vertrage verträgt
    alergia alergias alérgico alérgica alergico alergica intolerancia peligroso peligrosa peligro
    prohibido prohibida permitido evitar cuidado riesgo emergencia salud médico médica medicamento
    medicamentos medicina medicinas enfermedad enfermedades
    allergies allergique intolérance intolérances dangereux dangereuse danger interdit interdite
    interdits permis éviter attention risque urgence santé médical médicament médicaments maladie
    maladies
    allergia allergie allergico allergica intolleranza pericoloso pericolosa pericolo vietato
    vietata permesso evitare attento rischio emergenza salute farmaco farmaci medicina malattia
    malattie
    allergie allergisch intolerantie gevaarlijk gevaar verboden vermijden voorzichtig risico nood
    gezondheid medicijn medicijnen ziekte ziektes
    perigoso perigosa perigo proibido proibida evitar cuidado risco emergência saúde medicamento
    remédio remédios doença doenças alérgico
"""
_CARE = frozenset(_WORDS.split())


def asks_leave(folded: str, said: Sequence[str]) -> bool:
    """Whether a folded question asks for leave, or what to beware of."""
    if not _CARE.isdisjoint(said):
        return True
    return _may_ask(folded) and _LEAVE.search(folded) is not None


def _may_ask(folded: str) -> bool:
    if any(part in folded for part in _WITHIN):
        return True
    begins = [0, *(place for place, mark in enumerate(folded, 1) if mark in _PARTS)]
    return any(folded[place:].lstrip().startswith(_BEGUN) for place in begins)


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
    # Reading the small words of other languages takes 0.6 ms, which a question that is mostly
    # English stop words need not pay.
    if 2 * sum(word in STOP_WORDS for word in said) < len(said):  # else it is English
        from vaultmem.storage.index.text.function_words import function_words  # saves 2 modules

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
    from vaultmem.storage.index.search.dates import times_of  # saves 33 modules

    times = times_of(folded, now, zone)
    return times.windows, times.words
