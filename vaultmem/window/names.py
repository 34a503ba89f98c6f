"""Whom and what a memory is about: people, places, projects and other things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.judgement import signs_of
from vaultmem.language import GIVEN, word_list
from vaultmem.model import NoteRow, part_key
from vaultmem.window.redact import KIN

# What a slot asks for tells what its subject, or its value, is.
_PLACES = frozenset(
    map(
        part_key,
        word_list(
            "lives_in located_in moved_to born_in home home_town hometown based_in comes_from "
            "travels_to travelled_to is_in stays_in lived_in city country"
        ),
    )
)
_OF_PERSONS = frozenset(
    map(
        part_key,
        word_list(
            "lives_in works_at works_as born_on birthday age allergic_to is_married_to partner "
            "spouse wife husband mother father sister brother child daughter son friend colleague "
            "manager likes prefers speaks plays studies_at emergency_contact phone email job "
            "employer name drives does_for_exercise will_pass besucht"
        ),
    )
)

_SPEAKERS = ("user", "me", "i", "we", "us")

Named = tuple[dict[str, list[NoteRow]], ...]


def group_by_name(current: Sequence[NoteRow], mentions: Mapping[str, Sequence[str]]) -> Named:
    """People, places, projects, other things: each by its name, with what is known of it now.

    mentions  keys of what notes name beside what they are about, by the path of the note
    """
    people: dict[str, list[NoteRow]] = {}
    places: dict[str, list[NoteRow]] = {}
    projects: dict[str, list[NoteRow]] = {}
    others: dict[str, list[NoteRow]] = {}
    about: dict[str, list[NoteRow]] = {}
    spelled: dict[str, str] = {}
    persons = set()
    for row in current:
        for project in row.projects:
            projects.setdefault(project, []).append(row)
        predicate = part_key(row.predicate)
        if row.object and predicate in _PLACES:
            places.setdefault(row.object, []).append(row)
        if not row.subject:
            continue
        key = part_key(row.subject)
        spelled.setdefault(key, row.subject)
        about.setdefault(key, []).append(row)
        if predicate in _OF_PERSONS or key in _SPEAKERS:
            persons.add(key)
    subjects = set(about)
    for row in current:
        for key in mentions.get(row.path.as_posix(), ()):
            if key != part_key(row.subject):
                about.setdefault(key, []).append(row)
                spelled.setdefault(key, _spelling(key, row.statement))
            # Of what no slot says what it is, a given name tells, and 'our neighbour' before it.
            is_given = key not in subjects and key.split(" ")[0] in GIVEN
            if is_given or _stands_behind_kin(key, row.statement):
                persons.add(key)
    for key in list(about):
        rest = _name_of_kin(key)
        if rest:
            persons.add(key)
            # 'Opa Franz' or 'my sister Leni' and 'Leni' are one, unless somebody else has the name.
            if rest in about and sum(each.endswith(f" {rest}") for each in about) == 1:
                name, other = (key, rest) if key.split(" ")[0] in KIN else (rest, key)
                about[name] += [row for row in about.pop(other) if row not in about[name]]
                persons.add(name)
    for key in _SPEAKERS[1:]:  # 'we' was listed as a project, beside 'You'
        if key in about:
            mine = about.setdefault(_SPEAKERS[0], [])
            mine += [row for row in about.pop(key) if row not in mine]
            persons.add(_SPEAKERS[0])
    known = {part_key(name) for name in (*places, *projects)}
    for key, found in about.items():
        if key in known:
            continue
        if key in persons:
            people["You" if key in _SPEAKERS else spelled[key]] = found
        elif key in subjects and any(row.stream == "projects" for row in found):
            projects[spelled[key]] = found
        else:
            others[spelled[key]] = found
    return people, places, projects, others


def _name_of_kin(key: str) -> str:
    """The name in 'opa franz' and 'my sister leni'; '': it is no relative's, or has no name."""
    words = key.split()
    while words and "self" in signs_of(words[0]):
        del words[0]
    is_kin = bool(words) and (words[0] in KIN or "kin" in signs_of(words[0]))
    return " ".join(words[1:]) if is_kin else ""


def _stands_behind_kin(key: str, text: str) -> bool:
    """Whether a text calls who has this key a relative or a friend: 'our neighbour Branko'."""
    before = text.casefold().partition(key)[0].split() if key in text.casefold() else []
    return bool(before) and "kin" in signs_of(before[-1])


def _spelling(key: str, text: str) -> str:
    """How a text writes the name that has this key; with capitals where it has another form."""
    at = text.casefold().find(key)
    found = text[at : at + len(key)] if at >= 0 else ""
    return found if part_key(found) == key else key.title()
