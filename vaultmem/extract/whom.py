"""Whom 'he' means in what a life may depend on: the one person that the words before are about.

Pure. 'Luis's dad Ernesto moved into care.' and, a turn later, 'He's got Alzheimer's': a memory that
does not say who would be told to nobody who asks for Ernesto. Only where the words before begin
with one person, and only for what is critical: elsewhere a wrong name costs more than none.
"""

from __future__ import annotations

import re

from vaultmem.base import late

_HE = late(
    r"(?P<said>he|she|er|sie|il|elle|lui|lei|hij|zij|ze|ele|ela|él|ella)(?P<rest>(?:['’](?:s|d"
    r"|ll))?\s)",
    re.IGNORECASE,
)
_OWNER = (
    r"(?:(?i:my|our|mein|meine|unser|unsere|mon|ma|notre|mi|nuestr[oa]|mio|mia|mijn|onze|meu|minha"
    r"|o meu|a minha)|[A-ZÀ-Þ][\w-]+['’]s)"
)
_WHO = late(
    rf"\s*(?P<who>{_OWNER}\s(?:\w+\s){{0,2}}?[A-ZÀ-Þ][\w-]+|{_OWNER}\s\w+"
    r"|(?P<name>[A-ZÀ-Þ][a-zà-ÿ-]+))(?=['’]s\s|,?\s+[a-zà-ÿ])"
)
_SHES = frozenset(("she", "sie", "elle", "lei", "zij", "ze", "ela", "ella"))
_FEMALE = late(
    r"\b(?:mum|mom|mother|gran|nan|grandma|grandmother|sister|daughter|wife|aunt|auntie|niece"
    r"|girlfriend|granddaughter|mutter|mama|oma|schwester|tochter|frau|tante|nichte|enkelin"
    r"|mère|maman|mamie|sœur|fille|femme|nièce|madre|mamá|abuela|hermana|hija|mujer|tía|sobrina"
    r"|nonna|sorella|figlia|moglie|zia|moeder|zus|dochter|mãe|avó|irmã|filha)\b",
    re.IGNORECASE,
)
_MALE = late(
    r"\b(?:dad|father|grandad|grandpa|grandfather|brother|son|husband|uncle|nephew|boyfriend"
    r"|grandson|vater|papa|opa|bruder|sohn|mann|onkel|neffe|enkel|père|papi|frère|fils|mari|oncle"
    r"|neveu|padre|papá|abuelo|hermano|hijo|marido|tío|sobrino|nonno|fratello|figlio|marito|zio"
    r"|vader|broer|zoon|pai|avô|irmão|filho)\b",
    re.IGNORECASE,
)
_BEGIN = """
    the a this that these those it and but so yes no well then when if today yesterday der die
    das ein eine es und aber ja nein heute gestern el la los las un una hoy ayer y le les une
    c'est et oui non hier aujourd'hui il lo i we ich wir je nous yo nosotros io noi thanks ok
    okay hi hello danke gracias merci wenn wo was wer what who where how as in on at for
"""


def name_person(statement: str, before: str) -> str:
    """The statement with the person of the words before in place of a 'he' at its beginning.

    before  the person's own words just before; '' and whatever begins with nobody: unchanged
    """
    found = _HE.match(statement)
    who = _WHO.match(before) if found is not None and before else None
    if found is None or who is None:
        return statement
    name = who["who"]
    if who["name"] and name.lower() in _BEGIN.split():
        return statement
    is_she = found["said"].lower() in _SHES
    if (_MALE if is_she else _FEMALE).search(name):
        return statement
    return f"{name}{found['rest']}{statement[found.end() :]}"
