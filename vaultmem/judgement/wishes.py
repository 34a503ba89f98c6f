"""Whether two wishes are one in other words: 'keep your answers short', 'I prefer brief replies'.

A wrong yes would make a rule of two different wishes, so every word of one must have its
like in the other: the same word, a word of the same set, or one that means the same by the table
of meanings. What is near without being the same ('window' and 'aisle', 'French' and 'German') is
below the threshold: of 50 pairs of opposites, siblings and neighbours none reaches it, the nearest
('two' and 'three', 'Monday' and 'Tuesday') with .86. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import sqrt

from vaultmem.judgement.meanings import meaning_of


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_SAME_SENSE = 0.88  # cosine: 'purchase' and 'buy' have .88, 'begin' and 'start' .94
_SHORTEST = 4  # letters: what shorter words mean is less sure
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Said of what an assistant or a person does with the thing that the wish is about.
_LIGHT = words(
    """
    use using put write add make have get give keep want like include be do please go take book
    show send let your my our the a an all any every each of to in with for on at and by me us
    it them better best more rather always never ever instead this that i you we when just only
    verwende benutze nutze nimm schreibe mach mache gib bitte immer nie dein deine deinen meine mein
    die der das den dem ein eine einen zu in mit für dich mich mir ich du wir dir grundsätzlich
    generell stets niemals kein keine keinen nicht ohne halte halt lass vermeide mag möchte will
    werden bevorzuge künftig auf am an um uhr schreib sag sage nenn nenne sprich rede sie dass
    usa utiliza escribe pon haz da siempre nunca tu tus mi mis el la los las un una en con para de
    trátame tráteme háblame hábleme dime dígame llámame llama llames trata habla tratar hablar
    uses utilices no sin jamás prefiero quiero me que yo gusta gustan evita pongas ponga por favor
    utilise écris mets fais donne toujours jamais ton ta tes mon ma mes le les des du en avec pour
    je on qu'on qu'il se moi à pas ne n' sans évite préfère aime veux voudrais s'il plaît mettre
    appelle appelle-moi dis dis-moi parle parle-moi par call tell speak talk say address
    not don't without avoid skip keep prefer love need would see stop there should from now general
    future
    """
)
# Words that people use for one thing when they say how something is to be done for them; a line
# that is indented further goes on with the set before it.
_SETS = """
    answer answers reply replies response responses respond replying answering responding antwort
        antworten antworte respuesta respuestas responde contesta réponse réponses réponds
    short brief concise terse succinct shortly briefly compact crisp kurz kurze kurzen knapp knappe
        knappen bündig breve breves brevemente brièvement corto corta cortas cortos conciso concisa
        concisas court courte courtes bref brève brèves concis concises
    long lengthy verbose wordy lang lange langen ausführlich ausführliche
    emoji emojis smiley smileys emoticon emoticons emoticono emoticonos émoticône émoticônes
        faccine
    ruf rufe rufen anrufen anruf
    duze duzen geduzt dutzen
    tutoie tutoyer tutoie-moi tutoyez
    tutéame tutear tutees
    british uk
    theme themes mode modes scheme
    push deploy release ship publish roll
    explain justify reason reasons reasoning rationale conclusion conclusions erkläre erklären
        begründe begründen begründung
    first start begin starts begins beginning
    test tests testing
    comment comments remark remarks annotation annotations
    bullet bullets list lists
    summary overview recap summaries
    image images picture pictures photo photos
    polite courteous
    formal formally
    informal informally casual casually
    simple simply plain plainly easy
    jargon buzzwords
    flight flights plane planes
    coriander cilantro
    aubergine eggplant
    holiday holidays vacation vacations
"""
_IN_FEW_WORDS = re.compile(
    r"\b(?:in |with )?(?:a )?few (?:words|sentences|lines)\b|\bto the point\b|\b(?:in|mit) wenigen"
    r" (?:worten|sätzen)\b|\ben pocas (?:palabras|frases|líneas)\b|\ben peu de (?:mots|phrases)\b"
    r"|\bin poche parole\b|\bin weinig woorden\b|\bem poucas palavras\b"
)
_HORS_TAXES = re.compile(r"\bhors[- ]taxes?\b")
_NUMBER_WORDS = """
    one two three four five six seven eight nine ten eleven twelve
    eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
    uno dos tres cuatro cinco seis siete ocho nueve diez once doce
    un deux trois quatre cinq six sept huit neuf dix onze douze
"""
_NUMBERS = {
    word: str(number)
    for line in _NUMBER_WORDS.strip().split("\n")
    for number, word in enumerate(line.split(), 1)
    # 'Un' and 'uno' are articles as well, and 'once' an English word.
    if word not in ("un", "once", "uno")
}
# Where one thing goes before another, or in its place, the order of the words is what is wished.
_IN_ORDER = re.compile(
    r"\b(?:before|after|then|over|instead|rather than|not|statt|anstatt|vor|nach|dann|sondern|nicht"
    r"|antes|después|luego|en (?:lugar|vez) de|sino|avant|après|puis|plutôt que|au lieu|prima|dopo"
    r"|invece|voor|na|dan|niet)\b(?! \d)"
)
_ANSWERS = frozenset(("answer",))
"""What an assistant does anyway: 'be brief' asks for brief answers."""
# In the table of meanings they lie near each other ('Monday' and 'Tuesday' .86), and they are never
# one wish.
_ORDERED = words(
    """
    monday tuesday wednesday thursday friday saturday sunday one two three four five six seven eight
    nine ten january february march april may june july august september october november december
    """
)


def are_one(one: str, other: str) -> bool:
    """Whether two wishes ask for the same, by the words that name it; the order does not matter."""
    left, right = core_of(one), core_of(other)
    if not left or not right:
        return False
    if not (_covers(left, right) and _covers(right, left)):
        return False
    said = _WORD.sub(lambda word: _NUMBERS.get(word[0], word[0]), f"{one} {other}".casefold())
    if _IN_ORDER.search(said) is None:
        return True
    return _places(one, other) == sorted(_places(one, other))


@lru_cache(maxsize=8192)
def core_of(text: str) -> frozenset[str]:
    """The words of a wish that say what is wanted, each by the name of its set where it has one."""
    core = frozenset(_said_in(text))
    return core - _ANSWERS or core


def _said_in(text: str) -> list[str]:
    said = _HORS_TAXES.sub("ht", _IN_FEW_WORDS.sub("short", text.casefold()))
    words = (found[0].replace("’", "'") for found in _WORD.finditer(said))
    return [_canonical_name(_NUMBERS.get(word, word)) for word in words if word not in _LIGHT]


def _places(one: str, other: str) -> list[int]:
    """Where the words of one wish stand in the other."""
    words, told = _said_in(one), _said_in(other)
    found = (next((n for n, each in enumerate(told) if _same(word, each)), None) for word in words)
    return [place for place in found if place is not None]


def _same(one: str, other: str) -> bool:
    return one == other or _alike(one, other)


def is_of_answers(scope: str) -> bool:
    """Whether the words for where a wish holds mean all that an assistant says: 'in replies'."""
    return bool(scope) and frozenset(_said_in(scope)) <= _ANSWERS


def _covers(left: Iterable[str], right: frozenset[str]) -> bool:
    return all(word in right or any(_alike(word, each) for each in right) for word in left)


@lru_cache(maxsize=8192)
def _alike(one: str, other: str) -> bool:
    """Whether two words name one thing: forms of a word, or of one sense."""
    if any(word[0].isdigit() or word in _ORDERED for word in (one, other)):
        return False
    if one.rstrip("s") == other.rstrip("s"):
        return True
    if min(len(one), len(other)) < _SHORTEST:
        return False
    first, second = meaning_of(one), meaning_of(other)
    if first is None or second is None:
        return False
    length = sqrt(sum(x * x for x in first) * sum(y * y for y in second))
    return length > 0 and sum(x * y for x, y in zip(first, second, strict=True)) >= (
        _SAME_SENSE * length
    )


def _canonical_name(word: str) -> str:
    return _names().get(word, word)


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """The first word of its set, by each word of it."""
    named: dict[str, str] = {}
    for line in _SETS.replace("\n        ", " ").split("\n"):
        same = line.split()
        named.update(dict.fromkeys(same, same[0]) if same else {})
    return named
