"""What an answer has to have: digits for a phone number, a name for who is called how. Pure.

A memory that shares words with a question answers it only if it is of the kind that was asked:
"My sister works at a bank." is no answer to "What is my sister's phone number?". Seven languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache

from vaultmem.judgement.cues import folded
from vaultmem.judgement.signs import signs_of
from vaultmem.patterns import Needing, late

NAME, BIRTHDAY, PHONE, CODE = "name", "birthday", "phone", "code"
SIZE, BLOOD, AMOUNT, AGE = "size", "blood", "amount", "age"
# Words of a question, folded without accents; the first kind that is found counts.
_ASKED = {
    BIRTHDAY: r"birthday|b-day|geburtstag|cumpleanos|cumple anos|anniversaire|compleanno|verjaardag"
    r"|jarig|aniversario de",
    PHONE: r"(?:phone|telephone|mobile|cell) number|telefonnummer|handynummer|natelnummer"
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
    AMOUNT: r"\bhow (?:much|many)\b|\b(?:salary|wage|wages)\b|wie ?viele?\b|\b(?:gehalt|lohn)\b"
    r"|\bcuant[oa]s?\b|\b(?:sueldo|salario)\b|\bcombien\b|\bsalaire\b|\bquant[oaie]\b|\bhoeveel\b"
    r"|\bquantos?\b",
    NAME: r"(?:last |first |middle |sur|maiden |nick)name|what(?:'s| is| was) the name\b|name of\b"
    r"|'s name\b|\bcalled\?|(?:nach|vor|spitz|madchen)name\b|^\W*wie heiss?t?e?n?\b"
    r"|como se llaman?\b|\bnombre de\b|apellidos?\b|comment s'appell\w+|\bprenom\b|nom de famille"
    r"|\bnom d[eu]\b|come si chiama\w*|cognome|hoe heet\b|achternaam|como se chama\w*|sobrenome",
}
_BIRTH = late(
    r"birth|\bb-?day|\bborn\b|\bturn(?:s|ed|ing)?\b|geburt|geboren|\bwird\b|cumple|\bnac[ií]|anniv"
    r"|\bn[ée]e?s?\b|\baura\b|compleanno|\bnat[oa]\b|verjaar|jarig|anivers|nasc",
    re.IGNORECASE,
)
_BLOOD = late(
    r"blood (?:type|group)|blutgruppe|sangu[ií]n|tipo de sangre|bloedgroep"
    r"|\b(?:AB|A|B|O|0) ?(?:[+−-]|pos|neg|rh)",
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
_MOST_TELLING = 4  # words that say what is asked: longer questions tell a story


# A question without any of these words of a kind does not ask for it: compiling all nine patterns
# took a cold `recall` four milliseconds.
_NEEDS = {
    BIRTHDAY: "birthday b-day geburtstag cumple anniversaire compleanno verjaardag jarig aniversar",
    PHONE: "number nummer numero",
    CODE: "number nummer numero kennzeichen iban pin postcode code matricul codigo",
    BLOOD: "blood blut sang bloed",
    SIZE: "size grosse talla calz pointure taille maat",
    AGE: "old age alt edad anos anni oud",
    AMOUNT: "much many salar wage viel gehalt lohn cuant sueldo combien salaire quant veel",
    NAME: "name naam called heis llama nombre apellido appell prenom nom chiama cognome heet chama",
}


@cache
def _patterns() -> tuple[tuple[str, Needing], ...]:
    return tuple((kind, Needing(told, 0, _NEEDS[kind].split())) for kind, told in _ASKED.items())


def asked_kind(question: str) -> str:
    """What an answer to a question has to have; '' where nothing is certain."""
    plain = folded(question).replace("’", "'")
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
        SIZE: lambda: bool(_SIZE.search(text)),
        BLOOD: lambda: bool(_BLOOD.search(text)),
        AMOUNT: lambda: digits > 0 or _has_number(text),
        AGE: lambda: digits > 0 or _has_number(text),
        NAME: lambda: _has_name(text, question, is_word),
    }
    return kind not in tests or tests[kind]()


def _has_number(text: str) -> bool:
    for word in _WORD.findall(text.lower()):
        parts = word.split("-")
        if not _MORE_THAN_ONE.isdisjoint(parts):
            return True
        if any("count" in signs_of(part) and part not in _ONE_OF for part in parts):
            return True
    return False


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
    if not kind:
        return False
    needed = set() if kind == AMOUNT else {word for word in asked if not _is_of_kind(word, kind)}
    return not any(
        needed.issubset(held) and is_of_kind(text, kind, question, is_word=is_word)
        for text, held in answers
    )


_KIND_WORDS = frozenset(
    [
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
        "cuesta",
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
    return word in _KIND_WORDS or dict(_patterns())[kind].search(folded(word)) is not None
