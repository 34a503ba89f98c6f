"""Which lines of a person's text are a pasted chat, and somebody else's words in it.

`Anna: never use cilantro` is Anna's wish, whoever pasted it; `Reminder: never use cilantro` is the
person's. In what looks like a chat (a time before the name, speakers more than once, `Me:`, "our
chat:" above) any name is a speaker's that is no word which people put before a colon; elsewhere
only the name of a person (language/speakers.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from vaultmem.base import NamedTuple, late

# Common given names, by which a name is told from any other word with a capital letter.
#
# English, German, Spanish and what is usual beside them, also names that are words as well (Mark,
# Rose). Data, and no more complete than a list of names can be: where more is known (a time,
# several speakers) it is not asked.


GIVEN = frozenset(
    name
    for line in (
        "aaron abby abigail adam adele adrian agnes ahmed aisha alan albert alejandra",
        "alejandro alex alexander alexandra alexis ali alice alicia alina alma alvaro amanda",
        "amber amelia amir amy ana anastasia anders andrea andreas andres andrew andy angela",
        "angelika anika anita anja ann anna anne annette anthony anton antonia antonio ariana",
        "arjun arthur astrid aurora ava axel barbara beatrice beatriz becky ben benjamin",
        "bernd bernhard beth bianca bill birgit bob boris brandon brenda brian brigitte bruno",
        "caitlin camila carl carla carlos carmen carol carolina caroline catherine cecilia",
        "charles charlie charlotte chen chloe chris christian christina christine christopher",
        "claire clara claudia claus connor conrad cristina cynthia dana daniel daniela david",
        "deborah denise dennis derek diana diego dieter dirk dmitri dominik donald donna dora",
        "doris dorothy doug dylan eduardo edward eileen elena eleanor eli elias elif elisa",
        "elisabeth elise elizabeth ella ellen ellie elsa emil emilia emily emma enrique eric",
        "erik erika ernst esther ethan eva evan evelyn fabian fatima felicia felix fernando",
        "finn fiona florian frances francesca francisco franz frank fred frederik friedrich",
        "gabriel gabriela gary george georg gerald gerhard gina gisela giulia gloria grace",
        "greg gregor gustavo hanna hannah hans harald harry heather heidi heike heinz helen",
        "helena helga henry herbert holger hugo ian ibrahim ines inga ingrid irene iris isaac",
        "isabel isabella ivan jack jacob jake jakob james jan jana jane janet jasmin jason",
        "javier jay jean jeff jennifer jenny jens jeremy jessica jim joan joanna jochen joe",
        "joel johanna johannes john jon jonas jonathan jordan jorge jose josef joseph joshua",
        "juan judith julia julian juliane jürgen justin kai karen karin karl kate katharina",
        "katherine kathrin katie katja keith kelly ken kevin kim klaus kristin kurt kyle lara",
        "lars laura lauren lea leah lena leo leon leonie lieselotte lily linda lisa liz logan",
        "lorenzo louis louise luca lucas lucia lucy luis luisa luise lukas luke lynn maggie",
        "magdalena manfred manuel manuela marc marco marcus margaret maria mariana marie",
        "marina mario marion mark markus marta martha martin martina mary mateo matt matthew",
        "matthias max maya megan mehmet melanie melissa mia michael michaela michelle miguel",
        "mike mila mira miriam mohamed mohammed monica monika moritz nadia nadine nancy naomi",
        "natalia natalie natasha nathan neil nick nicholas nicolas nicole nicola nils nina",
        "noah nora norbert oleg oliver olivia oscar oskar otto pablo pamela paola pat",
        "patricia patrick paul paula paulina pedro peggy peter petra phil philip philipp",
        "phoebe pia pierre priya rachel rafael rainer ralf ramon raquel raul rebecca regina",
        "renate ricardo richard rita rob robert roberto robin roger roland ron rosa rose ruth",
        "ryan sabine sally sam samantha samuel sandra santiago sara sarah sascha sean",
        "sebastian sergio sharon sheila silke silvia simon simone sofia sonja sophia sophie",
        "stefan stefanie stella stephan stephanie stephen steve steven sue susan susanne sven",
        "sylvia tanja tara ted teresa thea theo theresa thomas thorsten tim timothy tina",
        "tobias todd tom tomas tony tracy ulrich ulrike ursula ute uwe valentina valeria",
        "vanessa vera verena veronica victor victoria viktor vincent virginia walter wanda",
        "wendy werner wilhelm will william wolfgang xavier yan yasmin yuki yusuf yvonne zoe",
    )
    for name in line.split()
)


_TIME = r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?)"
_WORD = r"[^\W\d_a-z][\w'’.-]{0,24}"
_NAME = rf"(?:@[\w.-]{{2,30}}|\+\d[\d ]{{6,16}}|{_WORD}(?: {_WORD}){{0,2}})"
_LINE = late(
    rf"[ \t]*(?:[-*•] )?\[?(?P<before>(?:{_TIME}[ ,]*){{0,2}})\]?[ \t]*(?:[-–] ?)?"
    rf"\*{{0,2}}(?P<name>{_NAME})\*{{0,2}}"
    rf"(?P<after>[ \t]*[\[(]?(?:{_TIME}[ ,]*){{0,2}}[\])]?)[ \t]*\*{{0,2}}:\*{{0,2}}[ \t]+(?=\S)"
)
_ALONE = late(rf"[ \t]*\*{{0,2}}(?P<name>{_NAME})\*{{0,2}}[ \t]*[,\[(—-]*[ \t]*{_TIME}[\])]?[ \t]*")
_CHAT = late(
    r"\b(?:chat|conversation|thread|transcript|messages?|group|slack|whatsapp|signal|telegram|discord"
    r"|wrote|said|unterhaltung|gespräch|nachrichten|verlauf|gruppe|schrieb|conversación|mensajes"
    r"|grupo|escribió)\b[^\n]*:\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_OWN = frozenset(["me", "i", "myself", "ich", "yo", "user"])
_LABELS = frozenset(
    word
    for line in (
        "note notes nb reminder rule rules todo task tasks important question answer q a ps",
        "p.s edit update fyi warning caution tip hint example examples subject re from to cc",
        "date time topic preference preferences decision decisions correction convention fact",
        "facts goal goals idea remember instruction instructions request context background",
        "summary conclusion result step first second third finally also however please yes no",
        "ok okay hi hello thanks thank name age job role work office home house kitchen",
        "garden bathroom bedroom car food diet meal meals breakfast lunch dinner recipe",
        "recipes ingredients travel trip flight hotel family friends health allergies allergy",
        "medication hobbies hobby interests pets pet music sport sports school study studies",
        "university money budget language languages tone style format units code tests",
        "testing naming indentation formatting backend frontend database api docs",
        "documentation deployment review reviews emails email mail phone address birthday",
        "city country likes dislikes wishes plan plans monday tuesday wednesday thursday",
        "friday saturday sunday morning evening today tomorrow general default always never",
        "again problem solution reason error bug status version option options title author",
        "source link url file files hinweis notiz notizen erinnerung regel regeln aufgabe",
        "wichtig frage antwort beispiel betreff von an datum uhrzeit thema vorliebe",
        "entscheidung ziel idee bitte ja nein danke arbeit beruf zuhause küche garten essen",
        "reise familie gesundheit hobbys sprache ton stil einheiten nota notas recordatorio",
        "regla reglas tarea importante pregunta respuesta ejemplo asunto de para fecha hora",
        "tema preferencia decisión objetivo trabajo casa cocina comida viaje familia wish",
        "want wants dream dreams habit habits motto opinion thought thoughts comment comments",
        "info details detail location place weather price cost deadline due priority owner",
        "team project projects product company client customer purpose usage use environment",
        "setup config configuration command commands output input expected actual before",
        "after pros cons quote",
    )
    for word in line.split()
)


class _Header(NamedTuple):
    name: str  # folded; '': none stands there
    is_timed: bool = False  # a time stands before it, as no other line begins


def without_others(text: str, owners: Iterable[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The text with empty lines in place of what others say in it, and these lines.

    owners  names under which the person speaks, beside 'me', 'ich', 'yo'
    """
    if ":" not in text:
        return text, ()
    lines = text.split("\n")
    foreign = _foreign(lines, text, _OWN | {_fold_name(name) for name in owners})
    if not foreign:
        return text, ()
    kept = ["" if number in foreign else line for number, line in enumerate(lines)]
    return "\n".join(kept), tuple(lines[number].strip() for number in sorted(foreign))


def foreign_lines(text: str, owners: Iterable[str] = ()) -> frozenset[int]:
    """The numbers, from 0, of the lines that others say in a chat that stands in the text."""
    if ":" not in text:
        return frozenset()
    return _foreign(text.split("\n"), text, _OWN | {_fold_name(name) for name in owners})


def _foreign(lines: list[str], text: str, own: frozenset[str]) -> frozenset[int]:
    headers = [_header(line) for line in lines]
    named = Counter(header.name for header in headers if header.name)
    speakers = {name for name in named if name not in own and not _is_label(name)}
    # Where half of the names are labels ('Note:', 'Rule:') it is a list of the person's and no
    # chat.
    if not speakers or 2 * sum(_is_label(name) for name in named) >= len(named):
        return frozenset()
    people = {name for name in speakers if _is_person(name)}
    is_chat = (
        any(named[name] > 1 and (len(speakers) > 1 or name in people) for name in speakers)
        or any(header.is_timed for header in headers)
        or any(name in own for name in named)
        or _CHAT.search(text) is not None
    )
    speakers = speakers if is_chat else people
    found: set[int] = set()
    is_theirs = False
    for number, (line, header) in enumerate(zip(lines, headers, strict=True)):
        if header.name:
            is_theirs = header.name in speakers
        elif not line.strip() or not is_chat:
            is_theirs = False  # a chat goes on until an empty line
        if is_theirs:
            found.add(number)
    return frozenset(found)


def _header(line: str) -> _Header:
    found = _LINE.match(line)
    if found is not None:
        is_timed = any(c.isdigit() for c in found["before"])
        return _Header(_fold_name(found["name"]), is_timed)
    alone = _ALONE.fullmatch(line)
    return _Header(_fold_name(alone["name"]), True) if alone is not None else _Header("")


def _is_label(name: str) -> bool:
    """Whether people put this before a colon: a phrase counts by its last word, too."""
    words = name.split()
    return bool({name, words[0], words[-1]} & _LABELS)


def _is_person(name: str) -> bool:
    """Whether it is a person's name, a handle or a number, for all that it says itself."""
    return name[0] in "@+" or name.split()[0] in GIVEN


def _fold_name(name: str) -> str:
    return name.strip("* ").casefold().rstrip(".")
