"""Sentences about something with a name: 'The API server runs on port 8080', 'Maria is vegan'.

A subject of a few words at the beginning, a verb from a list, and something said about it. In a
document nearly every such sentence is a fact; in a chat only what is lasting by its verb.
"""

from __future__ import annotations

from vaultmem.base.records import NamedTuple
from vaultmem.extract.cues.lexicon import (
    ADVERBS,
    NO_SUBJECT,
    OPINIONS,
    PASSING_STATES,
    RELATIONS,
    REQUEST_VERBS,
    words,
)
from vaultmem.extract.cues.patterns import Tokens

LONGEST_SUBJECT = 7  # words

_BE = words("is are")
_WAS = words("was were")
_HAVE = words("has have")
_MUST = words("must shall should mustn't shouldn't")
_STATIVE = words(
    "uses use runs run lives live works work owns own stores store supports support requires "
    "require needs need provides provide contains contain depends depend belongs belong listens "
    "listen speaks speak plays prefers prefer likes like loves love hates hate costs cost takes "
    "starts start ends opens closes handles handle manages manage leads lead reports maintains "
    "maintain deploys returns return accepts accept consists includes include exposes connects "
    "connect expires expire holds hold teaches studies weighs measures follows means stands "
    "serves serve sends send reads read writes write expects caches validates processes loads "
    "saves "
    "produces generates exports imports implements extends inherits replaces covers allows enables "
    "ships lies sits stays keeps builds tests monitors triggers authenticates communicates lasts "
    "celebrates drives eats drinks wears volunteers coaches collects rents sells offers employs "
    "comes grows hosts earns pays trains practices practises happens happen occurs "
    "occur changes varies"
)
_PLURAL = words(
    "use run live work own store support require need provide contain depend belong listen speak "
    "prefer like love hate cost handle manage return accept include connect expire hold serve send "
    "read write happen occur"
)
_PLURAL_NOUNS = words("people team staff men women children we data")
_PAST_PARTICIPLES = words(
    "born founded created built written designed released acquired named renamed deprecated "
    "replaced introduced diagnosed hired promoted elected launched published established developed "
    "invented raised married decided agreed approved rejected moved postponed cancelled canceled "
    "scheduled signed adopted sold bought appointed merged"
)
_DECIDED = words("decided chose agreed approved switched migrated settled voted selected")
_HAPPENED = words(
    "moved joined bought married graduated founded co-founded died launched released left won "
    "started quit retired sold published acquired adopted resigned passed became opened closed "
    "shipped divorced emigrated hired fired promoted completed finished merged raised signed "
    "inherited discovered wrote built created invented developed introduced deployed broke lost"
)
_ACTED = _HAPPENED | words(
    "went visited met had did made got took ran gave said attended hosted presented saw travelled "
    "traveled came called fixed reviewed updated installed cleaned paid ordered organized organised"
)
_VERBS = _BE | _WAS | _HAVE | _MUST | _STATIVE | _ACTED | _DECIDED
_META = words(
    "following above below example document article post chapter section page tutorial guide "
    "reader author point idea thing problem question reason result fact rest same former latter "
    "way answer key trick difference advantage issue goal purpose aim note user "
    "users list table figure image code line text word words sentence "
    "paragraph link diagram screenshot"
)
_ELSEWHERE = words("following below above")
_ARTICLES = words("the a an")
_INSIDE = words("of for in on at and 's & / from the a an to behind our my with")
# Said in a chat, only these say something lasting about a thing.
_LASTING = words(
    "uses use runs lives works owns stores supports requires depends belongs listens speaks plays "
    "prefers likes loves hates expires teaches studies leads maintains manages exposes serves"
)
_LASTING_STATES = words(
    "allergic a an my our based located hosted written called named owned due vegan vegetarian "
    "married born deployed stored maintained built made responsible the"
)


class Declarative(NamedTuple):
    """Where the parts of such a sentence are, and what it is."""

    kind: str
    name: str  # 'fact:named-subject'
    subject: tuple[int, int]  # words [from, to)
    verb: int


def declarative(tokens: Tokens, *, in_document: bool, is_dated: bool) -> Declarative | None:
    """What a sentence says of a named subject, or None.

    in_document  nearly every verb counts; otherwise only lasting ones
    is_dated     a date in the sentence makes what happened an event worth keeping
    """
    first = tokens.at(0)
    general = first in ("all", "every", "each", "no") and in_document
    if (first in NO_SUBJECT and first not in ("my", "our") and not general) or (
        first in ("a", "an") or (first in REQUEST_VERBS and not tokens.is_capital(1))
    ):
        return None
    verb = _verb(tokens)
    if verb is None or not tokens.is_word(verb + 1):
        return None
    subject = (1 if first in ("the", "our") else 0, verb)
    named = tokens.lower[subject[0] : verb]
    if (
        set(named) & _META
        or tokens.present & _ELSEWHERE
        or (first.endswith("ing") and len(first) > 5 and verb < 3)
    ):
        return None
    kind, name = _judged(tokens, verb, in_document=in_document, is_dated=is_dated)
    if not kind or (general and kind != "rule"):
        return None
    return Declarative(kind=kind, name=f"{kind}:{name}", subject=subject, verb=verb)


def _verb(tokens: Tokens) -> int | None:
    """The first word that is a verb here, after a subject of words only."""
    least = 2 if tokens.at(0) in ("the", "our", "my", "all", "every", "each", "no") else 1
    for i in range(min(tokens.size, LONGEST_SUBJECT + 2)):
        word = tokens.lower[i]
        if i >= least and word in _VERBS:
            if tokens.at(i + 1) in _BE | _WAS | _MUST and word not in _HAVE:
                continue  # 'API reports are cached'
            if i > 0 and tokens.is_capital(i):
                continue  # part of a name or title: 'Date Created Key'
            if word in _PLURAL and not _is_plural(tokens, i):
                continue  # 'simple use of'
            return i if i <= LONGEST_SUBJECT else None
        if i >= least and word == "can" and tokens.is_word(i + 1):
            return i
        if not tokens.is_word(i) and word not in _INSIDE:
            return None
        if word in _ARTICLES and i > 0 and tokens.at(i - 1) not in _INSIDE:
            return None  # an order or a description of one: 'Makes sure the style is'
        if i >= least and word in NO_SUBJECT and word not in _INSIDE | ADVERBS:
            return None
    return None


def _is_plural(tokens: Tokens, verb: int) -> bool:
    """Whether several are spoken of: the word before ends in s, or two are joined by 'and'."""
    i = verb - 1
    while tokens.at(i) in ADVERBS:
        i -= 1
    last = tokens.at(i)
    return last.endswith("s") or last in _PLURAL_NOUNS or "and" in tokens.lower[:verb]


def _judged(tokens: Tokens, verb: int, *, in_document: bool, is_dated: bool) -> tuple[str, str]:
    """Kind and name of the rule, ('', '') when it is not worth keeping."""
    word = tokens.lower[verb]
    said = _complement(tokens, verb)
    if word in _MUST:
        return ("rule", "must") if in_document else ("", "")
    if word in _DECIDED:
        return "decision", "named-subject"
    if word in _BE:
        return _judged_be(tokens, said, in_document=in_document, is_dated=is_dated)
    if word in _WAS:
        lasting = tokens.at(said) in _PAST_PARTICIPLES
        return ("event", "was") if lasting or (is_dated and in_document) else ("", "")
    if word in _ACTED and word not in _STATIVE:
        kept = is_dated or (word in _HAPPENED and in_document)
        return ("event", "happened") if kept else ("", "")
    if word in _HAVE:
        passing = tokens.at(said) in OPINIONS or tokens.at(said).endswith("ed")
        return ("fact", "has") if in_document and not passing else ("", "")
    if in_document or (word in _LASTING and _is_named(tokens, verb)):
        return "fact", "named-subject"
    return "", ""


def _judged_be(tokens: Tokens, said: int, *, in_document: bool, is_dated: bool) -> tuple[str, str]:
    word = tokens.at(said)
    if word in OPINIONS or word in PASSING_STATES:
        return "", ""
    if is_dated and (word in _PAST_PARTICIPLES or word in ("on", "at", "in", "due", "from")):
        return "event", "is-scheduled"
    if in_document:
        return "fact", "is"
    named = _is_named(tokens, said) and (word in _LASTING_STATES or tokens.is_capital(said))
    return ("fact", "is") if named else ("", "")


def _complement(tokens: Tokens, verb: int) -> int:
    """The first word of what is said, past adverbs, articles of opinions and 'not'."""
    i = verb + 1
    while tokens.at(i) in ADVERBS or tokens.at(i) == "been":
        i += 1
    if tokens.at(i) in ("a", "an", "the") and tokens.at(i + 1) in OPINIONS:
        return i + 1
    return i


def _is_named(tokens: Tokens, verb: int) -> bool:
    """Whether the subject is a name, or a thing or person of the speaker's."""
    if tokens.at(0) in ("our", "my"):
        return True
    if any(tokens.is_capital(i) for i in range(1, verb)):
        return True
    return tokens.is_capital(0) and verb == 1 and tokens.at(0) not in RELATIONS
