"""Whether a question asks where its speaker lives or works, or how old they are; and of before.

"Where do I live?" shares no word with "We've flitted, it's Portree now." What a memory tells of its
speaker is known when it is indexed (`judgement/aspects.py`); here it is seen what is asked. In
seven languages, by words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

HOME, JOB, AGE = "home", "job", "age"  # as in `judgement/aspects.py`, which is read later

# Words of a question that belong together, without accents; `|` between them.
_PHRASES = {
    HOME: """
        i live|we live|i living|we living|i bide|we bide|i stay|we stay|i dwell|my address
        our address|my home|our home|my place|my flat|my house|our house|our flat|my hometown
        wohne ich|wohnen wir|ich wohne|wir wohnen|meine adresse
        unsere adresse|mein zuhause|meine wohnung|gewohnt|lebe ich|leben wir|wohnte ich|wohnten wir
        vivo|vivimos|vivia yo|viviamos|mi direccion|nuestra direccion|mi casa|vivo yo|yo vivia
        habite|j'habite|habitons|je vis|vis je|on vit|j'habitais|habitais je|on habitait|j'ai habite
        mon adresse|notre adresse|mon domicile|j'ai vecu
        abito|abitiamo|viviamo|abitavo|abitavamo|il mio indirizzo|casa mia
        woon ik|wonen wij|wonen we|ik woon|wij wonen|woonde ik|woonden we|mijn adres
        eu moro|moro|moramos|morava|meu endereco|minha morada
    """,
    JOB: """
        i work|we work|i working|i employed|i work for|my job|my employer|my work|my workplace
        my occupation|my profession|company do i|firm do i|my company|employs me|my boss is
        arbeite ich|ich arbeite|gearbeitet|arbeitete ich|mein job|meine arbeit|mein beruf
        mein arbeitgeber|meine stelle|bin ich angestellt|ich angestellt|mein arbeitsplatz
        trabajo|trabajo yo|yo trabajo|mi trabajo|mi empleo|trabajaba yo|yo trabajaba|mi empresa
        je travaille|travaille je|je bosse|mon travail|mon boulot|mon metier|mon employeur
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
    if _BEFORE.isdisjoint(plain):
        return False
    is_own = not _SPEAKER.isdisjoint(plain)
    return any(
        (word in _DID and is_own)
        or (len(word) > 4 and word.endswith(_ENDINGS))
        or (len(word) > 4 and word.endswith(_IMPERFECT) and "antes" in plain)
        for word in plain
    )


def plain_words(said: Sequence[str]) -> list[str]:
    """The words without accents; of what was parted at an apostrophe, the whole."""
    fold: Callable[[str], str] = str.casefold  # of plain letters nothing else is left
    if not all(map(str.isascii, said)):
        from vaultmem.judgement.cues import folded as fold
    found: list[str] = []
    for word in map(fold, said):
        if found and "'" in found[-1] and found[-1].endswith(f"'{word}"):
            continue  # "j'habite" comes with "habite"
        found.append(word)
    return found


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    return {name: _listed(told) for name, told in _PHRASES.items()}


@cache
def _past() -> tuple[str, ...]:
    return _listed(_PAST)


@cache
def _asking() -> frozenset[str]:
    return frozenset(_ASKS.split())


def _listed(told: str) -> tuple[str, ...]:
    """Phrases, of which each stands between blanks; a line ends one, too."""
    lines = "|".join(line.strip() for line in told.strip().splitlines())
    return tuple(f" {phrase} " for phrase in lines.split("|"))
