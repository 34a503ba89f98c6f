"""Who is called what: `[[elise|Kate]]` makes Kate another name of elise, `my wife Ana` Ana's.

Only what looks like a name is taken for one: a label of one or two words with capitals, of a note
whose own name is of one or two words. `[[elise|my sister]]`, `[[garden|here]]`,
`[[2026-05-03|Friday]]` and links to a heading name nothing.
"""

from __future__ import annotations

import re

from vaultmem import judgement
from vaultmem.base import Needing, late
from vaultmem.language import STOP_WORDS, fold
from vaultmem.model import id_in_name

_MOST_WORDS = 2
_MY = (
    r"my|our|meine?[mnrs]?|unser\w*|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|mi[oae]i?|nostr[oaie]"
    r"|mijn|m'n|onze?|meus?|minhas?|noss[oa]s?"
)
_IS = (
    r"(?:'s name is|’s name is| is called| is named| called| named| is|,? heißt|,? heisst|,? namens"
    r"|,? ist|,? se llama|,? llamad[oa]|,? es|,? s'appelle|,? s’appelle|,? est|,? si chiama|,? heet"
    r"|,? se chama|,)?"
)
_NAME = r"([A-Z\u00c0-\u00de][\w-]+)"
# How the words of _MY end, or what is in them: without one, patterns of 1.2 ms are not compiled.
_MY_ENDS = (
    *("my", "our", "mi", "mis", "mon", "ma", "mes", "notre", "nos", "mio", "mia", "mie", "mioi"),
    *("miai", "miei", "mijn", "m'n", "onz", "onze", "meu", "meus", "minha", "minhas"),
)
_MY_STEMS = ("mein", "unser", "nuestr", "nostr", "noss")
_GERMAN = ("mein", "unser")
_KIN = r"(?: [^\W\d_]+)?? ([^\W\d_][\w-]+)"
_KIN_FIRST = late(rf"\b((?i:{_MY})){_KIN}(?: mayor| menor| aînée?| cadette?)?{_IS} {_NAME}")
_LINKS = (",", " is", " ist", " es", " est", " è")
_NAME_FIRST = Needing(
    rf"\b{_NAME}(?:,| is| ist| es| est| è) ({_MY}){_KIN}",
    0,
    [f"{link} {letter}" for link in _LINKS for letter in "moun"],
)
_LABELLED = late(r"\[\[([^\[\]|#^\n]+)\|([^\[\]|\n]+)\]\]")


def names_in_links(text: str) -> set[tuple[str, str]]:
    """(name of a note, what a link calls it) in both orders, folded."""
    found: set[tuple[str, str]] = set()
    for target, label in _LABELLED.findall(text):
        name = target.strip().rpartition("/")[2].removesuffix(".md")
        if id_in_name(name) or not all(word[0].isupper() for word in label.split()):
            continue
        one, other = fold(name), fold(label.strip())
        if _is_name(one) and _is_name(other) and set(one.split()).isdisjoint(other.split()):
            found |= {(one, other), (other, one)}
    return found


def called_by_kin(text: str) -> set[tuple[str, str]]:
    """(word for a relative, friend or pet, its name) in both orders, folded: `my wife Ana`.

    Only of the speaker's own. What a table of words knows is no name in German, which writes nouns
    with a capital, and a day is none anywhere.
    """
    if not says_whose(text):
        return set()
    from vaultmem.storage.index.search.concepts import is_known  # saves 12 modules

    told = _KIN_FIRST.findall(text) if _may_name(text) else []
    told += [(my, kin, name) for name, my, kin in map(re.Match.groups, _NAME_FIRST.finditer(text))]
    found: set[tuple[str, str]] = set()
    for my, kin, name in told:
        one, other = fold(kin), fold(name)
        is_word = bool(judgement.signs_of(other)) or (
            my.lower().startswith(_GERMAN) and is_known(other)
        )
        if is_kin(one) and _is_name(other) and not is_word:
            found |= {(one, other), (other, one)}
    return found


def says_whose(text: str) -> bool:
    """Whether a text may have a word for 'my' before another one; False: it has none."""
    low = text.lower()
    if any(map(low.__contains__, _MY_STEMS)):
        return True
    return any(word.endswith(_MY_ENDS) for word in low.split(" "))


def _may_name(text: str) -> bool:
    """Whether a word with a capital stands behind two others."""
    behind = text.split(" ")[2:]
    return any("A" <= word[:1] <= "Z" or "À" <= word[:1] <= "Þ" for word in behind)


def is_kin(word: str) -> bool:
    """Whether a folded word is one for a relative, a friend or a pet."""
    return not {"kin", "pet"}.isdisjoint(judgement.signs_of(word))


def _is_name(text: str) -> bool:
    """Whether a folded text is one or two words of letters that say something."""
    parts = text.split()
    return 0 < len(parts) <= _MOST_WORDS and all(
        part.isalpha() and len(part) > 1 and part not in STOP_WORDS for part in parts
    )
