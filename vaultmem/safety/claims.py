"""What a text claims to be the one value of something: an address, a number, who somebody is.

Only claims that exclude each other: 'the delivery address is 9 Lake Road', never 'the cafe is
nice'. It nominates for review (docs/trust.md) and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vaultmem.language import fold

LONGEST_VALUE = 10  # words; more is a story and no value
LONGEST_ABOUT = 8
LEAST_ABOUT = 2  # words of a subject: 'the account' may be any account
_MOST_LEAD = 3  # words before a colon: 'Correction:', 'Please note:'
OWNER = "owner"

_END = re.compile(r"(?<=[^\W_]{4})\.(?=\s)|(?<=\d)\.(?=\s)|[!?;\n]")  # not after 'Dr.' or 'Mrs.'
_MOST_SENTENCE = 400  # characters
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s\b")
_IS = "is are ist sind lautet heisst es son está están est sont è sono é são zijn jest это"
_DOES = (
    "ends lives works costs opens closes starts begins goes belongs uses endet wohnt arbeitet "
    "kostet beginnt öffnet schliesst gehört termina vive trabaja cuesta abre cierra empieza finit "
    "habite travaille coûte ouvre ferme commence"
)
_VERBS = frozenset(_DOES.split())
_LINKS = frozenset((*_IS.split(), *_VERBS))
_OWNED_WORDS = (
    "my mein meine meiner meinem meinen mi mis mon ma mes mio mia miei mie meu minha meus minhas "
    "mijn your dein deine deiner deinen ihr ihre ihrer tu tus su sus ton ta tes votre vos tuo tua "
    "seu sua jouw uw user users nutzers benutzers nutzer benutzer usuario utilisateur utente "
    "usuário gebruiker owner мой моя мои твой ваш"
)
_OWNED = frozenset(_OWNED_WORDS.split())
# Neither changes what is spoken of.
_PASSED_WORDS = (
    "the a an of for to in on at by with and der die das des dem den von für im am el la los las "
    "del de le les du des l d il lo gli di o os as do da het een van new updated correct current "
    "currently now actual actually preferred main official approved primary real latest right "
    "neue neuer neues aktuelle aktuell jetzt richtige nueva nuevo actual ahora nouvelle nouveau "
    "actuelle maintenant nuova nuovo adesso nova novo agora nieuwe nu"
)
_PASSED = frozenset(_PASSED_WORDS.split())

Claims = Mapping[frozenset[str], str]


def claims(text: str) -> Claims:
    """By what is spoken of (words, in any order): the value that the text gives it, folded."""
    found: dict[frozenset[str], str] = {}
    for about, value in _claims(text):
        found.setdefault(about, value)
    return found


def disagreement(theirs: Claims, yours: Claims) -> str:
    """The value of yours that another text gives otherwise; '' when they can both be true."""
    for about, value in theirs.items():
        known = yours.get(about, "")
        if known and not _is_same(set(value.split()), set(known.split())):
            return known
    return ""


def _is_same(one: set[str], other: set[str]) -> bool:
    """Whether one says the other and more: 'Priya' and 'Priya Nair'."""
    return one <= other or other <= one


def _claims(text: str) -> Iterator[tuple[frozenset[str], str]]:
    for sentence in _END.split(text):
        if len(sentence) > _MOST_SENTENCE:
            continue
        lead, colon, rest = sentence.partition(":")
        if colon and len(_WORD.findall(lead)) <= _MOST_LEAD:
            sentence = rest
        raw = _WORD.findall(_POSSESSIVE.sub("", sentence))
        words = [fold(word) for word in raw]
        link = next((n for n, word in enumerate(words) if word in _LINKS), len(words))
        value = [word for word in words[link + 1 :] if word not in _PASSED]
        if not 0 < link < len(words) - 1 or len(value) > LONGEST_VALUE:
            continue
        if link > LONGEST_ABOUT or not _names(raw[link + 1 :]):
            continue
        about = {OWNER if word in _OWNED else word for word in words[:link] if word not in _PASSED}
        if words[link] in _VERBS:
            about.add(words[link])
        if len(about) >= LEAST_ABOUT and value:
            yield frozenset(about), " ".join(value)


def _names(value: list[str]) -> bool:
    """Whether a value is a name or holds a number, and no description."""
    rest = [word for word in value if fold(word) not in _PASSED and fold(word) not in _LINKS]
    return bool(rest) and (rest[0][0].isupper() or any(c.isdigit() for w in rest for c in w))
