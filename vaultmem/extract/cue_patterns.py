"""Word lists that cues, topics and names are made of (`lexicon.txt`), and patterns of phrases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from vaultmem.base import NamedTuple, late
from vaultmem.language import phrases, vocabulary, word_list

_LISTED = vocabulary("lexicon")


def words(text: str) -> frozenset[str]:
    """The words of a list, in lower case."""
    return frozenset(text.split())


ADVERBS = frozenset(word_list(_LISTED["adverbs"]))

POINTING = frozenset(word_list(_LISTED["pointing"]))
RELATIONS = frozenset(word_list(_LISTED["relations"]))
OWNED = frozenset(word_list(_LISTED["owned"]))
OWN_THINGS = frozenset(word_list(_LISTED["own things"]))
MEDICAL = frozenset(word_list(_LISTED["medical"]))
CIVIL = frozenset(word_list(_LISTED["civil"]))
PASSING_NOUNS = frozenset(word_list(_LISTED["passing nouns"]))
EMOTIONS = frozenset(word_list(_LISTED["emotions"]))
TIME_UNITS = frozenset(word_list(_LISTED["time units"]))
LIFE_EVENTS = frozenset(word_list(_LISTED["life events"]))
TOOK_PART = frozenset(word_list(_LISTED["took part"]))
PAST_ACTIONS = frozenset(word_list(_LISTED["past actions"]))
GOAL_VERBS = frozenset(word_list(_LISTED["goal verbs"]))
PLAN_VERBS = frozenset(word_list(_LISTED["plan verbs"]))
ACTIVITIES = frozenset(word_list(_LISTED["activities"]))
REQUEST_VERBS = frozenset(word_list(_LISTED["request verbs"]))
PLACE_STOPS = frozenset(word_list(_LISTED["place stops"]))
OPINIONS = frozenset(word_list(_LISTED["opinions"]))
AGENDA = frozenset(word_list(_LISTED["agenda"]))
PROFESSIONS = frozenset(word_list(_LISTED["professions"]))
RELATION_VERBS = frozenset(word_list(_LISTED["relation verbs"]))
OCCASIONS = frozenset(word_list(_LISTED["occasions"]))
GOING = frozenset(word_list(_LISTED["going"]))
GAMES = frozenset(word_list(_LISTED["games"]))
PASSING_VERBS = frozenset(word_list(_LISTED["passing verbs"]))
ARRANGED = frozenset(word_list(_LISTED["arranged"]))
PASSING_STATES = frozenset(word_list(_LISTED["passing states"]))
MONTHS_AND_DAYS = frozenset(word_list(_LISTED["months and days"]))
NO_SUBJECT = frozenset(word_list(_LISTED["no subject"]))
LISTS: Mapping[str, frozenset[str]] = {
    "adverbs": ADVERBS,
    "pointing": POINTING,
    "relation": RELATIONS,
    "owned": OWNED,
    "own": OWN_THINGS,
    "medical": MEDICAL,
    "civil": CIVIL,
    "passing": PASSING_NOUNS,
    "unit": TIME_UNITS,
    "life": LIFE_EVENTS,
    "took-part": TOOK_PART,
    "past": PAST_ACTIONS,
    "goal": GOAL_VERBS,
    "plan": PLAN_VERBS,
    "activity": ACTIVITIES,
    "agenda": AGENDA,
    "profession": PROFESSIONS,
    "relation-verb": RELATION_VERBS,
    "occasion": OCCASIONS,
    "going": GOING,
    "game": GAMES,
    "no-object": POINTING | words("on with in for at when if to as"),
    "passing-verb": PASSING_VERBS,
    "arranged": ARRANGED,
    "job": words("job position offer promotion internship role"),
    "weekdays": words(
        "weekends mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays"
    ),
    "fav": words("favorite favourite fav fave favorites favourites favs"),
    # 'My door code is 4711.' was dropped: 'code' alone would keep 'my code is broken', too.
    "lock": words(
        "door gate garage alarm locker entry entrance building house flat apartment office room "
        "mailbox bike lock safe key-box lockbox parking customer discount zip postal area"
    ),
    "be": words("is are am was were 's be"),
    "number": words(
        "a an one two three four five six seven eight nine ten several some 1 2 3 4 5 6 7 8 9"
    ),
}

_TOPIC = "topic "
STATED = ("preferences", "decisions", "tasks", "facts", "events")


def _cues(*sections: str) -> CueTable:
    told = phrases("cues")
    return read_cues("\n".join(line for each in sections for line in told[each]), LISTS)


@lru_cache(maxsize=1)
def statement_cues() -> CueTable:
    """Cues of what a person states: preferences, decisions, tasks, facts, events, beliefs."""
    return _cues(*STATED)


@lru_cache(maxsize=1)
def assistant_cues() -> CueTable:
    """What an assistant may state: an agreement, or a date that it has set."""
    return _cues("assistant")


@lru_cache(maxsize=1)
def explicit_cues() -> CueTable:
    """'Remember that ...': the person's own command to keep a sentence."""
    return _cues("explicit")


# Topics and the words that speak for them; the slugs are those of category notes.

_TOPIC_WORDS = {
    title.removeprefix(_TOPIC): words
    for title, words in vocabulary("cues").items()
    if title.startswith(_TOPIC)
}

TOPICS = (*_TOPIC_WORDS, "preferences", "general")
"""Slugs in the order that settles ties."""


@lru_cache(maxsize=1)
def topics_by_word() -> Mapping[str, tuple[str, ...]]:
    """The topics that each word speaks for, in the order of TOPICS."""
    found: dict[str, tuple[str, ...]] = {}
    for topic, listed in _TOPIC_WORDS.items():
        for word in word_list(listed):
            found[word] = (*found.get(word, ()), topic)
    return found


_WORD = late(r"\w+(?:['./+#&-]\w+)*[+#]*|§+|[^\w\s]")
CLITICS = {
    "m": ("am",),
    "re": ("are",),
    "ve": ("have",),
    "ll": ("will",),
    "d": ("would",),
    "s": ("'s",),
}

_COMMON = words(
    "i we my our is are was am 's to a the in on of for at with have will that not : , and as it"
)


class Tokens(NamedTuple):
    """A sentence as words and marks; contractions are two words (i'm: i am, name's: name 's).

    The small records of this folder are named tuples and not dataclasses: each dataclass takes
    0.7 ms to define, a named tuple 0.1, and a dozen of them lie on the cold path of `remember`.
    """

    lower: tuple[str, ...]
    raw: tuple[str, ...]
    start: tuple[int, ...]  # characters in the masked sentence
    end: tuple[int, ...]
    present: frozenset[str]  # the words of `lower`, for a first look

    @property
    def size(self) -> int:
        """How many words and marks there are."""
        return len(self.lower)

    def at(self, i: int) -> str:
        """The word there in lower case, '' outside."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def is_word(self, i: int) -> bool:
        """Whether a word or something masked stands there, not a mark."""
        word = self.at(i)
        return bool(word) and (word[0].isalnum() or word[0] in "§_")

    def tail(self, i: int) -> Tokens:
        """The words from `i` on; their places stay those in the sentence."""
        if i == 0:
            return self
        lower = self.lower[i:]
        return Tokens(
            lower=lower,
            raw=self.raw[i:],
            start=self.start[i:],
            end=self.end[i:],
            present=frozenset(lower),
        )

    def with_first_word(self, name: str) -> Tokens:
        """The same with another first word, a name in place of a pronoun."""
        return Tokens(
            present=self.present | {name.lower()},
            lower=(name.lower(), *self.lower[1:]),
            raw=(name, *self.raw[1:]),
            start=self.start,
            end=self.end,
        )

    def is_capital(self, i: int) -> bool:
        """Whether the word there begins with a capital letter."""
        return 0 <= i < len(self.raw) and self.raw[i][0].isupper()


def tokens_of(masked: str) -> Tokens:
    """The words and marks of a masked sentence."""
    lower: list[str] = []
    raw: list[str] = []
    start: list[int] = []
    end: list[int] = []
    for found in _WORD.finditer(masked):
        word, first, last = found[0], found.start(), found.end()
        base, quote, clitic = word.rpartition("'")
        parts = CLITICS.get(clitic.lower()) if quote else None
        if parts is not None and word.lower() != "let's":
            middle = first + len(base)
            lower += (base.lower(), parts[0])
            raw += (base, parts[0])
            start += (first, middle)
            end += (middle, last)
        else:
            lower.append(word.lower())
            raw.append(word)
            start.append(first)
            end.append(last)
    return Tokens(
        lower=tuple(lower),
        raw=tuple(raw),
        start=tuple(start),
        end=tuple(end),
        present=frozenset(lower),
    )


class Element(NamedTuple):
    """One step of a pattern."""

    kind: str  # word, not, gap, any, name, adverbs
    words: frozenset[str] = frozenset()
    most: int = 1  # gap: how many words at most
    is_optional: bool = False


class Cue(NamedTuple):
    """A phrase that speaks for something: what for, and its pattern."""

    name: str  # 'preference:i-prefer'
    kind: str
    where: str  # letters of the situations in which it counts; '' all
    elements: tuple[Element, ...]
    is_anchored: bool


class CueHit(NamedTuple):
    """A cue found at words `[start, end)`."""

    cue: Cue
    start: int
    end: int


class CueTable:
    """Cues sorted by their rarest word, so that only those are tried that may be there."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.cues = tuple(cues)
        self._by_word: dict[str, list[tuple[int, Cue]]] = {}
        for number, cue in enumerate(cues):
            # Only cues whose rarest word is there are tried: a text of 100 words with ten items
            # takes 1.3 ms so, and took 3.3 with all of them.
            for word in sorted(_rarest(cue)):
                self._by_word.setdefault(word, []).append((number, cue))

    def find(self, tokens: Tokens, *, where: str = "") -> Iterator[CueHit]:
        """Every cue of a situation (a letter; '' any), in the order of the table, then of place.

        An anchored cue, or one that begins with an optional word, counts at the first word only.
        """
        possible: dict[int, Cue] = {}
        for word in tokens.present & self._by_word.keys():
            possible.update(self._by_word[word])
        for number in sorted(possible):
            cue = possible[number]
            if where and cue.where and where not in cue.where:
                continue
            first = cue.elements[0]
            if cue.is_anchored or first.kind != "word" or first.is_optional:
                places: Iterable[int] = (0,)
            else:
                places = [i for i, word in enumerate(tokens.lower) if word in first.words]
            for i in places:
                end = match(cue.elements, tokens, i)
                if end is not None:
                    yield CueHit(cue=cue, start=i, end=end)


def _rarest(cue: Cue) -> frozenset[str]:
    """The words of one step of which one must be there, of the step with fewest common words."""
    steps = [e.words for e in cue.elements if e.kind == "word" and not e.is_optional]
    return min(steps, key=lambda step: (len(step & _COMMON), len(step)))


def read_cues(table: str, lists: Mapping[str, frozenset[str]]) -> CueTable:
    """Cues from lines of `name [@where] : pattern`; blank lines and lines with # are skipped.

    The kind is what stands before the colon in the name: 'preference/likes' is of the kind
    'preference'. `lists` are the words behind `@names`.
    """
    cues = []
    steps_of: dict[str, Element] = {}  # most words stand in many patterns
    for line in table.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, _, pattern = line.partition(" : ")
        name, _, where = head.strip().partition("@")
        steps = pattern.split()
        anchored = steps[0] == "^"
        cues.append(
            Cue(
                name.strip().replace("/", ":"),
                name.strip().partition("/")[0],
                where,
                tuple(
                    [
                        steps_of.get(word) or steps_of.setdefault(word, _element(word, lists))
                        for word in steps[anchored:]
                    ]
                ),
                anchored,
            )
        )
    return CueTable(cues)


def _element(word: str, lists: Mapping[str, frozenset[str]]) -> Element:
    if word == "~":
        return Element(kind="adverbs")
    if word == "_":
        return Element(kind="any")
    if word in ("Name", "Name?"):
        return Element(kind="name", is_optional=word.endswith("?"))
    if word[0] == "<":
        return Element(kind="gap", most=int(word[1:]))
    optional = word.endswith("?")
    negated = word[0] == "!"
    told = word.strip("!?").split("|")
    choices = frozenset(told)
    if "@" in word:
        lists_of = [lists[choice[1:]] for choice in told if choice[0] == "@"]
        choices = frozenset([each for each in told if each[0] != "@"]).union(*lists_of)
    return Element("not" if negated else "word", choices, 1, optional)


def match(elements: Sequence[Element], tokens: Tokens, i: int, *, k: int = 0) -> int | None:
    """Where a pattern (its steps from `k` on) that begins at word `i` ends, or None.

    Gaps are as short as possible.
    """
    said = tokens.lower
    count = len(said)
    while k < len(elements):
        element = elements[k]
        kind = element.kind
        word = said[i] if i < count else ""
        if kind == "word":
            if word in element.words:
                if element.is_optional:
                    taken = match(elements, tokens, i + 1, k=k + 1)
                    if taken is not None:
                        return taken
                else:
                    i += 1
            elif not element.is_optional:
                return None
        elif kind == "adverbs":
            wanted = elements[k + 1].words if k + 1 < len(elements) else frozenset()
            while i < count and said[i] in ADVERBS and said[i] not in wanted:
                i += 1
        elif kind == "not":
            if word in element.words:
                return None
        elif kind == "gap":
            return _match_gap(elements, tokens, i, k=k)
        elif _fits(kind, tokens, i):
            i += 1
        elif not element.is_optional:
            return None
        k += 1
    return i


def _match_gap(elements: Sequence[Element], tokens: Tokens, i: int, *, k: int) -> int | None:
    for skipped in range(elements[k].most + 1):
        if skipped and not tokens.is_word(i + skipped - 1):
            return None
        end = match(elements, tokens, i + skipped, k=k + 1)
        if end is not None:
            return end
    return None


def _fits(kind: str, tokens: Tokens, i: int) -> bool:
    """Whether a name (or a quoted title: 'I loved "Dune"'), or any word, stands there."""
    if kind == "name":
        return tokens.at(i)[:1] == "§" or (tokens.is_capital(i) and tokens.at(i) != "i")
    return tokens.is_word(i)
