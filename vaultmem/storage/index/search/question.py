"""What a question asks for, by its words alone: aspect, leave, help, times, telling words.

Small words of German, Spanish, French, Italian, Dutch, Portuguese and Russian count in no question
of these languages: among English notes they would weigh like names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from vaultmem.base import TYPE_CHECKING, NamedTuple, late
from vaultmem.language import (
    STOP_WORDS,
    Stems,
    capital_names,
    fold,
    is_of_time,
    languages_of,
    vocabulary,
    word_list,
    words,
)

if TYPE_CHECKING:
    from vaultmem.storage.index.search.dates import Window

_SAID = vocabulary("question")

# --- where the speaker lives or works, how old they are, and what was before ---

# "Where do I live?" shares no word with "We've flitted, it's Portree now." What a memory tells of
# its speaker is known when it is indexed (`judgement/aspects.py`); here it is seen what is asked.
# In seven languages, by words alone.
HOME, JOB, AGE = "home", "job", "age"  # as in `judgement/aspects.py`, which is read later

_PHRASES = {
    HOME: _SAID["home"],
    JOB: _SAID["job"],
    AGE: _SAID["age"],
}
_NOT_A_PLACE = _SAID["not a place"]

_PAST = _SAID["past"]
_BEFORE = frozenset(word_list(_SAID["before"]))
_DID = frozenset(word_list(_SAID["did"]))
_SPEAKER = frozenset(word_list(_SAID["speaker"]))
_ENDINGS = tuple(word_list(_SAID["endings"]))
_IMPERFECT = tuple(word_list(_SAID["imperfect"]))


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
        if phrases.are_in(plain, text):
            return name
    return ""


def asks_past(said: Sequence[str]) -> bool:
    """Whether a question asks for what was so before: what is over answers it, too."""
    plain = plain_words(said)
    text = f" {' '.join(plain)} "
    if _past().are_in(plain, text):
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


_NOT = frozenset(word_list(_SAID["not"]))
_CLAUSES = ",;.:!?"
_STEM = 5  # letters by which a word of a question is found in another form
_MOST_DENIED = 4  # words of a clause that a 'not' may stand before the one that it denies


def asks_what_is(said: Sequence[str]) -> bool:
    """Whether a question begins with 'what', 'who' and the like, and denies nothing."""
    plain = plain_words(said)
    return bool(plain) and plain[0] in _asking() and _NOT.isdisjoint(plain)


def denies(statement: str, asked: Sequence[str]) -> bool:
    """Whether a statement says a word that is asked for behind a 'not' alone."""
    folded = fold(statement).replace("\u2019", "'")
    # Most statements have no such word: to take each apart took .3 ms of a recall.
    if _NOT.isdisjoint(folded.split()):
        return False
    for mark in _CLAUSES:
        folded = folded.replace(mark, "\n")
    clauses = [plain_words(words(clause)) for clause in folded.split("\n")]
    for stem in {word[:_STEM] for word in asked}:
        of_it = [said for said in clauses if any(word.startswith(stem) for word in said)]
        if of_it and all(_is_denied(said, stem) for said in of_it):
            return True
    return False


def _is_denied(plain: Sequence[str], stem: str) -> bool:
    """Whether the words of a clause that begin so stand each behind a 'not'."""
    return all(
        not _NOT.isdisjoint(plain[max(0, place - _MOST_DENIED) : place])
        for place, word in enumerate(plain)
        if word.startswith(stem)
    )


@cache
def _phrases() -> dict[str, _Phrases]:
    return {name: _parse_phrases(told) for name, told in _PHRASES.items()}


@cache
def _past() -> _Phrases:
    return _parse_phrases(_PAST)


@cache
def _asking() -> frozenset[str]:
    return frozenset(word_list(_SAID["asks"]))


class _Phrases(NamedTuple):
    """Phrases that are looked for among the words of a question."""

    phrases: tuple[str, ...]  # each between blanks
    begin: frozenset[str]  # the first word of each

    def are_in(self, plain: Sequence[str], text: str) -> bool:
        """Whether one of them is in a text, which has these words, between blanks.

        Most questions have no word that any of some hundred phrases begins with: to look for each
        phrase took a warm recall of 10,000 passages .1 ms of 5.
        """
        if self.begin.isdisjoint(plain):
            return False
        return any(phrase in text for phrase in self.phrases)


def _parse_phrases(told: str) -> _Phrases:
    phrases = [phrase for phrase in told.split("|") if phrase.strip()]
    begin = frozenset(phrase.split()[0] for phrase in phrases)
    return _Phrases(tuple(f" {phrase} " for phrase in phrases), begin)


# --- leave: what may be done, what to beware of ---

# "Can I take this for my back?" shares no word with "No anti-inflammatories, I have one kidney.";
# it asks leave. In seven languages, by words alone.
_LEAVE = late(rf"(?:^|[,;:.!?¿–—-]\s*)(?:{_SAID['leave']})")
# How a part that asks for leave begins, or what it has in it: most questions have none of these,
# and the pattern takes 1.5 ms to compile.
_BEGUN = tuple(_SAID["leave begun needs"].split("|"))
_WITHIN = tuple(_SAID["leave within needs"].split("|"))
_PARTS = ",;:.!?¿–—-"
_CARE = frozenset(word_list(_SAID["care"]))


def asks_leave(folded: str, said: Sequence[str]) -> bool:
    """Whether a folded question asks for leave, or what to beware of."""
    # The words first: the pattern of leave took 1.5 ms to compile, for every question.
    if not _CARE.isdisjoint(said):
        return True
    return _may_ask(folded) and _LEAVE.search(folded) is not None


def _may_ask(folded: str) -> bool:
    if any(part in folded for part in _WITHIN):
        return True
    begins = [0, *(place for place, mark in enumerate(folded, 1) if mark in _PARTS)]
    return any(folded[place:].lstrip().startswith(_BEGUN) for place in begins)


# --- help from an assistant ---

# Where nothing that was told before is asked for, what the person wants from then on applies:
# 'Which cities did I like?' asks for no help.
_HELP = _SAID["help"]
_HELP_BEGUN = frozenset(word_list(_SAID["help begun"]))
_NO_HELP = _SAID["no help"]
_ADVICE = _SAID["advice"]
_TOLD = frozenset(word_list(_SAID["told"]))
_OF_ASSISTANT = _SAID["asks assistant"]
_ADDRESSED = _SPEAKER.union(word_list(_SAID["addressed"]))


def asks_help(said: Sequence[str]) -> bool:
    """Whether the words of a question ask for help, advice or work."""
    plain = plain_words(said)
    text = f" {' '.join(plain)} "
    if not (plain and (plain[0] in _HELP_BEGUN or _helps(_HELP).are_in(plain, text))):
        return False
    return not _helps(_NO_HELP).are_in(plain, text)


def asks_advice(said: Sequence[str]) -> bool:
    """Whether a question asks what may or should be done, by whomever."""
    plain = plain_words(said)
    return _helps(_ADVICE).are_in(plain, f" {' '.join(plain)} ")


def asks_told(said: Sequence[str]) -> bool:
    """Whether a question asks for what was told: what somebody has, or what was."""
    return not _TOLD.isdisjoint(plain_words(said))


def asks_assistant(said: Sequence[str]) -> bool:
    """Whether a question asks what an assistant said: 'Which book did you recommend?'"""
    plain = plain_words(said)
    return _helps(_OF_ASSISTANT).are_in(plain, f" {' '.join(plain)} ")


def is_of_others(said: Sequence[str]) -> bool:
    """Whether a question is about others: no request, and neither its speaker nor 'you' is in it.

    'Any ideas for Melanie's birthday?' is a request, 'what did Caroline recommend to Melanie?' asks
    for what was told.
    """
    plain = plain_words(said)
    if not plain or not _ADDRESSED.isdisjoint(plain) or plain[0] in _HELP_BEGUN:
        return False
    text = f" {' '.join(plain)} "
    return not text.startswith(_helps(_HELP).phrases)


@cache
def _helps(told: str) -> _Phrases:
    return _parse_phrases(told)


# --- several things: which books, how many, what both have in common ---

# 'What books has Melanie read?' is answered in several talks, of which the first would fill the
# list with what was said around it.
_SEVERAL = tuple(f" {phrase} " for phrase in _SAID["several"].split("|"))
_WHICH = frozenset(word_list(_SAID["which"]))
_VERBS = frozenset(word_list(_SAID["verbs after which"]))
_CONCLUDE = frozenset(word_list(_SAID["conclude"]))
_MOST_BETWEEN = 6  # words between 'which' and its verb


def asks_several(said: Sequence[str]) -> bool:
    """Whether the words of a question ask for several things, of which each may answer apart."""
    text = f" {' '.join(said)} "
    if any(phrase in text for phrase in _SEVERAL):
        return True
    begins = next((place for place, word in enumerate(said) if word in _WHICH), len(said))
    named = ""
    for word in said[begins + 1 : begins + 2 + _MOST_BETWEEN]:
        # 'What job might Maria like?' is answered by several things that she said; 'would Maria
        # like to teach?' is about one (R@10 with vectors is .854 with it, and .856).
        if word in _CONCLUDE and is_of_others(said):
            return True
        # A plural after 'which' asks for several things in English: R@10 of multi-hop questions is
        # .606 with it and .568 without. Of every question, whatever it asks, it would be .817 in
        # place of .839.
        if word in _VERBS:
            return _is_plural(named)
        named = word
    return False


def _is_plural(noun: str) -> bool:
    """Whether an English noun is: 'books', but no 'class', 'bus', 'tennis' or "Ann's"."""
    return len(noun) > 3 and noun.endswith("s") and noun[-2:] not in ("ss", "us", "is", "'s")


MOST_WORDS = 64  # of a question; of a longer text the rarest words are kept
MOST_REPAIRED = 24  # unknown words for which similar ones are looked for, the first ones
_MOST_TIMES = 3  # a word repeated more often weighs no more
_READ_CHARACTERS = 20_000

_GENERIC = tuple(word_list(_SAID["generic"]))
_GENERIC_SHARE = 0.5  # of its weight
_LIGHT = tuple(word_list(_SAID["light"]))
_ASKS_WHEN = (
    r"\W*(?:(?:since|until|by) )?"
    r"(?:when\b|how (?:long|often|recently|many (?:days|weeks|months|years))\b"
    r"|(?:on |in )?(?:which|what) (?:date|day|week|month|year|time)\b)"
)
_ASKING = ("when", "how", "which", "what")  # every text that matches has one of these
_NAMED = late(r"(?<=[\w,;] )[A-Z\u00c0-\u00de]\w+")
_OF_TIME = frozenset(word_list(_SAID["of time"]))
_OF_SELF = frozenset(["i", "me", "my", "mine", "myself", "i'm", "i've", "i'd", "i'll"])


class Asked(NamedTuple):
    """One word of a question that says something."""

    word: str
    stem: str
    weight: float  # how often it occurs, halved for generic words
    is_time: bool = False  # it is part of a phrase that names a time
    is_named: bool = False  # it is written as names are, inside the question
    is_light: bool = False  # it is one of every sentence: less in single statements
    is_capital: bool = False  # a name that is a stop word in small letters: 'WHO', 'IT'


class Question(NamedTuple):
    """A question taken apart."""

    asked: tuple[Asked, ...]  # in the order of the question, one for each stem
    asks_when: bool
    of_self: bool  # it says I, me or my
    asks_leave: bool = False  # it asks what may be done, or what to beware of
    asks_help: bool = False  # it asks for advice or work, not for what was told
    asks_several: bool = False  # it asks for things of which each may be told in another talk
    asks_advice: bool = False  # it asks what may or should be done, by whomever
    asks_told: bool = False  # it asks for what somebody has, or what was
    asks_assistant: bool = False  # it asks for what an assistant said before
    is_of_others: bool = False  # it asks, and says neither I nor you; a request for help says so
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
        silent |= function_words(said)
    # Of 'who works at the WHO' the first is no name: these are counted by themselves.
    capitals = Counter(capital_names(text[:_READ_CHARACTERS]))
    counted = Counter(stems(word) for word in said if word not in silent)
    counted.update(stems(word) for word in capitals.elements())
    letters = {stem[:1] for stem in counted}  # stemming cuts endings
    generic, light = (
        frozenset(stems(word) for letter in letters for word in some.get(letter, ()))
        for some in (_by_letter(_GENERIC), _by_letter(_LIGHT))
    )
    windows, of_time = _times(folded, said, now, zone)
    names = {fold(name) for name in _NAMED.findall(text[:_READ_CHARACTERS])}
    asked: dict[str, Asked] = {}
    for word in said:
        is_capital = word in capitals
        if not is_capital and word.replace(".", "") in capitals:
            continue  # 'u.s' comes with 'us'
        stem = "" if word in silent and not is_capital else stems(word)
        if stem and stem not in asked:
            weight = min(counted[stem], _MOST_TIMES) * (_GENERIC_SHARE if stem in generic else 1.0)
            asked[stem] = Asked(
                word,
                stem,
                weight,
                is_time=word in of_time,
                is_named=word in names,
                is_light=stem in light,
                is_capital=is_capital,
            )
    return Question(
        asked=tuple(asked.values()),
        asks_when=_asks_when(folded),
        of_self=not _OF_SELF.isdisjoint(said),
        asks_leave=asks_leave(folded, said),
        asks_help=asks_help(said[:MOST_WORDS]),
        asks_several=asks_several(said[:MOST_WORDS]),
        asks_advice=asks_advice(said[:MOST_WORDS]),
        asks_told=asks_told(said[:MOST_WORDS]),
        asks_assistant=asks_assistant(said[:MOST_WORDS]),
        is_of_others=is_of_others(said[:MOST_WORDS]),
        aspect=asked_aspect(said),
        windows=windows,
        said=tuple(plain_words(said[:MOST_WORDS])),
    )


def share_of(word: str) -> float:
    """What a word as it stands keeps of its weight: of generic ones the half."""
    return _GENERIC_SHARE if word in _GENERIC else 1.0


@cache
def _by_letter(some: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The words by their first letters."""
    return {
        letter: tuple(word for word in some if word[0] == letter)
        for letter in {word[0] for word in some}
    }


def _asks_when(folded: str) -> bool:
    if not any(word in folded for word in _ASKING):
        return False
    return re.match(_ASKS_WHEN, folded) is not None


def _times(
    folded: str, said: Sequence[str], now: int | None, zone: str
) -> tuple[tuple[Window, ...], frozenset[str]]:
    """The times that a question names, and its words that name them; mostly there are none."""
    # Which words can make a time is a list of 190 words (.3 ms): tables and patterns are loaded
    # only where a question holds one.
    if now is None or not any(
        word in _OF_TIME or word[:1].isdigit() or is_of_time(word) for word in said
    ):
        return (), frozenset()
    from vaultmem.storage.index.search.dates import times_of  # saves 33 modules

    times = times_of(folded, now, zone)
    return times.windows, times.words


# --- words of other languages that say nothing of what is asked ---

# They are rare in a vault that is mostly English, and would weigh there like names. A question is
# of a language when two of its words or more may be, and more are than English stop words; one is
# enough where it begins the question as only that language does ('Qué número calza Leonel').
_SAID_WORDS = [
    said
    for each in languages_of("function_words")
    if (said := vocabulary("function_words", each))["telling"]
]
_OPENING = frozenset(word for said in _SAID_WORDS for word in word_list(said["opening"]))
_TELLING = tuple(frozenset(word_list(said["telling"])) for said in _SAID_WORDS)
_SHARED = tuple(frozenset(word_list(said["english too"])) for said in _SAID_WORDS)
_LEAST = 2


@cache
def _all_telling() -> frozenset[str]:
    return frozenset().union(*_TELLING)


def telling_words() -> frozenset[str]:
    """All words that tell a language, of every language."""
    return _all_telling().union(*_SHARED)


def function_words(said: Sequence[str]) -> frozenset[str]:
    """Those words of a folded question that say nothing in its language; English ones are not."""
    asked = frozenset(said)
    silent: frozenset[str] = frozenset()
    if _all_telling().isdisjoint(asked):
        return silent
    for telling, shared in zip(_TELLING, _SHARED, strict=True):
        found = asked & telling
        silent_too = asked & shared
        english = (asked & STOP_WORDS) - shared
        # Two words tell the language, more than English ones: 'Was ist meine Blutgruppe?' was
        # answered by any note that held 'ist' or 'meine'.
        least = 1 if said and said[0] in _OPENING & telling else _LEAST
        if len(found) + len(silent_too) >= least and len(found) > len(english):
            silent |= found | silent_too
    return silent
