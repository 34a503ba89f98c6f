"""What becomes of one sentence of the person: its opening, its worth, its grave forms, its kind.

`worth` says what the models think; here are the decisions, which all ways in share (a text that is
told, a turn, a bullet, an import). Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.base import NamedTuple, Needing, late
from vaultmem.judgement.features import Features, Tokens, sentence_features, tokens_of
from vaultmem.judgement.kinds import kind_of
from vaultmem.judgement.limits import is_figure_of_speech, limit_of
from vaultmem.judgement.linear import chance, panel, score, weights
from vaultmem.judgement.stakes import stakes_of
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("sentence")

# --- openings: 'haha', 'by the way' ---

# A laugh or a sigh in front weighs more with the model than the news behind it: 'lol so i got
# braces on tuesday' has .19, without 'lol so' .91. Of 24 lasting sentences with such an opening 12
# were lost by it alone, and of 1,900 sentences of others none is judged otherwise. Seven languages.
_LEAST_WORDS = 3  # that have to be left: 'oh well, never mind' is all opening
_OPENING = late(rf"^(?:(?:{_SAID['opening']})\b[\s,.:;!–—-]*)+", re.IGNORECASE)
_BEGINNINGS = tuple(_SAID["opening needs"].split("|"))
_LONGEST_BEGINNING = max(map(len, _BEGINNINGS))


def may_open(text: str) -> bool:
    """Whether a text begins as an opening does; False: it has none."""
    return text[:_LONGEST_BEGINNING].lower().startswith(_BEGINNINGS)


def without_opening(text: str) -> str:
    """The text from what it says on, as its own sentence; the same text where nothing opens it."""
    found = _OPENING.match(text) if may_open(text) else None
    if found is None:
        return text
    rest = text[found.end() :]
    if len(rest.split()) < _LEAST_WORDS:
        return text
    return rest[0].upper() + rest[1:]


# --- worth of a sentence ---

# judge_worth("I'm allergic to penicillin.")
# Worth(keep=0.99, critical=0.98, critical_kind="health", kind="fact", kinds=(...))
KINDS = ("fact", "preference", "decision", "task", "event", "procedure", "belief")
CRITICAL_KINDS = ("health", "safety", "limit")
_JUDGES = ("keep", "critical", *(f"kind_{name}" for name in KINDS))


class Worth(NamedTuple):
    """What the models think of one sentence. Probabilities are 0 to 1.

    keep           it states something durable about the person or their world
    critical       health, safety or a hard limit: what must never be left out
    critical_kind  the likeliest of CRITICAL_KINDS, to be used when `critical` is high
    kind           the likeliest of KINDS, to be used when `keep` is high
    kinds          every kind with its probability, the likeliest first; they add up to 1
    features       what of the sentence the models saw
    """

    keep: float
    critical: float
    kinds: tuple[tuple[str, float], ...]
    features: Features

    @property
    def kind(self) -> str:
        """The likeliest of KINDS."""
        return self.kinds[0][0]

    @property
    def critical_kind(self) -> str:
        """The likeliest of CRITICAL_KINDS: three models more, which one sentence in ten needs."""
        models = weights("sentences").models
        where = {n: score(models[f"critical_{n}"], self.features) for n in CRITICAL_KINDS}
        return max(CRITICAL_KINDS, key=lambda name: where[name])

    @property
    def is_critical(self) -> bool:
        """Whether `critical` reaches the threshold that marks 5 % of the rest."""
        return self.critical >= threshold("critical")


def threshold(name: str) -> float:
    """Of 'keep' or 'critical': the probability from which a sentence counts as it."""
    return weights("sentences").numbers[f"threshold_{name}"]


def judge_worth(text: str, language: str | None = None) -> Worth:
    """What one sentence is worth; about 1 ms. The first call reads the weights (a few ms).

    language  ISO 639-1, of no use today: one model serves all languages
    Deterministic on every platform. A question, thanks or an empty text has a low `keep`.
    """
    features = sentence_features(text)
    # Nine models look at the same features; each by itself took twice the time.
    keep, critical, *odds = map(chance, panel("sentences", _JUDGES).scores(features))
    chances = dict(zip(KINDS, odds, strict=True))
    whole = sum(chances.values())
    kinds = tuple(
        (name, chances[name] / whole) for name in sorted(KINDS, key=lambda name: -chances[name])
    )
    return Worth(
        keep=keep,
        critical=critical,
        kinds=kinds,
        features=features,
    )


# --- forms that leave nothing to weigh ---

# The models weigh words against words, so 'I'm pregnant!' loses to its exclamation mark and 'She
# turned nine today' to its 'today'. Where one form says it all, it decides. Held against 3,795
# sentences that are not critical, `is_grave` marks 20 that the models do not, beside 17 of 896 that
# are.
_OF_BODIES = frozenset(
    ("condition", "medicine", "allergy", "device", "pregnant", "blood_group", "unable")
)
_OF_TALK = frozenset(("saying", "dull", "clinician"))
_NOT_STATED = frozenset(("ask", "maybe", "say", "thank"))
_LONGEST = 14  # words: in longer talk the person and the illness need not belong together
_LONGEST_ORDER = 24  # words
_OWN_VERB = late(rf"^\W*(?:{_SAID['own verb']})\b", re.IGNORECASE)
_TRADE = late(rf"\b(?:{_SAID['trade']})\b", re.IGNORECASE)
_QUOTED = Needing(r"[\"“”„«»]", 0, '"“”„«»')

_AGE = late(_SAID["age"], re.IGNORECASE)
_FIRST_DAY = late(_SAID["first day"], re.IGNORECASE)
_FROM_TODAY = late(_SAID["from today"], re.IGNORECASE)
_RESULT = late(rf"\b(?:{_SAID['result']})\b", re.IGNORECASE)
_SCORE = Needing(_SAID["score"], re.IGNORECASE, _SAID["score needs"].split("|"))
# A statement about spelling, or one that ends in a letter: 'It's Marit with one t.'
_SPELLED = late(_SAID["spelled"], re.IGNORECASE)
_SPELLED_NEEDS = _SAID["spelled needs"].split("|")
_SPELLING = tuple(word for word in _SPELLED_NEEDS if not word.endswith(" "))
_WITH = tuple(word for word in _SPELLED_NEEDS if word.endswith(" "))  # and a letter at the end
_LONGEST_LETTER = 4  # characters: the t's
_HEARSAY = Needing(_SAID["hearsay"], re.IGNORECASE, _SAID["hearsay needs"].split("|"))
_SIGHS = Needing(_SAID["sighs"], re.IGNORECASE, _SAID["sighs needs"].split("|"))
_OF_NOW = late(_SAID["momentary"], re.IGNORECASE)
# Looked for as whole words: 'bar' and 'bed' are parts of many, and the pattern is a long one.
_NOW_WORDS = frozenset(word_list(_SAID["momentary words"]))
_LONGEST_OF_NOW = 14  # words
_WAVED_OFF = Needing(_SAID["waved off"], re.IGNORECASE, _SAID["waved off needs"].split("|"))
_BEFORE_WAVED = frozenset(word_list(_SAID["waved off before"]))
_BEHIND_WAVED = frozenset(word_list(_SAID["waved off behind"]))
_MOST_WAVED = 8  # words of what takes a request back
_SHRUG_ENDS = Needing(
    rf"[\s,;.…](?:{_SAID['shrug ends']})\W*$", re.IGNORECASE, _SAID["shrug ends needs"].split("|")
)
_SHRUG_MAYBE = late(rf"\b(?:{_SAID['shrug maybe']})\b", re.IGNORECASE)
_DREAMS = Needing(_SAID["dreams"], re.IGNORECASE, _SAID["dreams needs"].split("|"))


def is_grave(text: str, tokens: Tokens) -> bool:
    """Whether a short plain statement names an illness, a medicine or a device of somebody."""
    if len(tokens.low) > _LONGEST or "?" in text or _QUOTED.search(text):
        return False
    seen = {
        name
        for word, signs in zip(tokens.low, tokens.signs, strict=True)
        for name in signs
        if word != "ha"  # 'has' in Italian and Spanish, of what is said only before 'detto'
    }
    if seen & _NOT_STATED or not (seen & {"self", "kin", "pet"} or _OWN_VERB.match(text)):
        return False
    topics = stakes_of(text, tokens.low)
    return bool(topics & _OF_BODIES) and not topics & _OF_TALK and not _TRADE.search(text)


_ORDER = Needing(_SAID["standing order"], re.IGNORECASE, _SAID["standing order needs"].split("|"))

# 'No calls during the school run' was a fact, 'Don't bring her up unless I do' a decision.
_DENIES = frozenset(word_list(_SAID["denies"]))
_DENIAL_ORDER = late(_SAID["denial order"], re.IGNORECASE)
_DENIAL_ONCE = late(rf"\b(?:{_SAID['denial order once']})\b", re.IGNORECASE)
_NO_ALLERGY = Needing(
    rf"\b(?:{_SAID['no allergy']})\b", re.IGNORECASE, ("allerg", "alerg", "alérg")
)
_BESIDE_ALLERGY = frozenset(("allergen", "body", "device"))
"""Topics of a plain dislike: 'I can't stomach coriander, it's not an allergy.'"""
_ORDER_WHEN = Needing(_SAID["order when"], re.IGNORECASE, _SAID["order when needs"].split("|"))


def is_standing_order(text: str) -> bool:
    """Whether a short sentence tells an assistant what to do always or never.

    'Bitte nie etwas vor zehn einplanen.' has .12 with the model, which learned thanks by 'bitte'.
    """
    words = text.lower().replace("’", "'").split()
    if len(words) > _LONGEST_ORDER or "?" in text:
        return False
    if _ORDER.search(text) or _ORDER_WHEN.search(text):
        return True
    return not _DENIES.isdisjoint(words) and is_denial_order(text)


def is_denial_order(text: str) -> bool:
    """Whether a sentence tells an assistant what not to do from then on, and not only now."""
    plain = text.replace("’", "'")
    return bool(_DENIAL_ORDER.search(plain)) and not _DENIAL_ONCE.search(plain)


def is_dislike(text: str) -> bool:
    """Whether a text says that something is no allergy, and tells of none beside it."""
    found = _NO_ALLERGY.search(text)
    if found is None:
        return False
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    return stakes_of(rest, tokens_of(rest).low) <= _BESIDE_ALLERGY


_FEARED = frozenset(("condition", "allergy", "pregnant"))
_IN_DOUBT = Needing(
    rf"\b(?:{_SAID['in doubt']})\b", re.IGNORECASE, _SAID["in doubt needs"].split("|")
)
_SUPPOSED = late(rf"\b(?:{_SAID['supposed']})\b", re.IGNORECASE)


def is_in_doubt(text: str, tokens: Tokens) -> bool:
    """Whether a short statement says that something may be so, and supposes nothing."""
    is_short = len(tokens.low) <= _LONGEST and "?" not in text
    return is_short and bool(_IN_DOUBT.search(text)) and not _SUPPOSED.search(text)


def is_feared(text: str, tokens: Tokens) -> bool:
    """Whether somebody of the person's may have an illness or an allergy: 'the dog might be ...'.

    In doubt it is kept and told, with its 'might': who is given the chicken asks nobody again.
    """
    if not is_in_doubt(text, tokens) or _QUOTED.search(text):
        return False
    seen = {name for signs in tokens.signs for name in signs}
    if seen & {"ask", "thank"} or not (seen & {"self", "kin", "pet"} or _OWN_VERB.match(text)):
        return False
    topics = stakes_of(text, tokens.low)
    return bool(topics & _FEARED) and not topics & _OF_TALK and not _TRADE.search(text)


_CAUSE = late(
    rf"\b(?:{_SAID['cause']}) (?:{_SAID['caused by']})\b.{{2,60}}[,;] ?"
    rf"(?:(?:{_SAID['cause and']}) )?(?:{_SAID['cause not']})\b",
    re.IGNORECASE,
)


def is_cause(text: str) -> bool:
    """Whether a text only puts right where something comes from."""
    return bool(_CAUSE.search(text))


def is_trade(text: str, tokens: Tokens) -> bool:
    """Whether somebody deals with what others wear or take: 'my cousin repairs hearing aids'."""
    seen = {name for signs in tokens.signs for name in signs}
    topics = stakes_of(text, tokens.low)
    of_goods = topics & {"device", "medicine"} and not topics & {"allergy", "harm"}
    return bool(of_goods and _TRADE.search(text)) and "self" not in seen - _of_relation(tokens)


def _of_relation(tokens: Tokens) -> set[str]:
    """'self', where all it says is whose relation somebody is: 'my cousin'."""
    own = [i for i, signs in enumerate(tokens.signs) if "self" in signs]
    beside = all(i + 1 < len(tokens.signs) and "kin" in tokens.signs[i + 1] for i in own)
    return {"self"} if own and beside else set()


def lasts(text: str) -> bool:
    """Whether a text says an age, what begins today, or how a name is written."""
    if "?" in text:
        return False
    told = text.replace("’", "'")
    begins = _FIRST_DAY.search(told) or _FROM_TODAY.search(told)
    return bool(_AGE.search(told) or begins or is_spelling(text))


def is_spelling(text: str) -> bool:
    """Whether a text puts right how a name is written: 'Correction: it is spelled ...'."""
    return "?" not in text and _may_spell(text) and bool(_SPELLED.search(text))


def _may_spell(text: str) -> bool:
    """Whether a text has a word of spelling, or ends in a letter that it is spelled with.

    Many sentences have a 'with': the pattern takes 3 ms to compile, a hundredth of a command.
    """
    low = text.lower()
    if any(map(low.__contains__, _SPELLING)):
        return True
    last = text.removesuffix("\n").rstrip(".!").rpartition(" ")[2]
    return len(last) <= _LONGEST_LETTER and any(map(low.__contains__, _WITH))


def is_waved_off(text: str) -> bool:
    """Whether a text takes a request back, shrugs or thinks it over, and names nothing.

    'Laisse tomber en fait.' after a question about a colleague ended where the speaker works.
    """
    words = [word.strip(",.;:!…–— ") for word in text.lower().replace("’", "'").split()]
    if len(words) > _MOST_WAVED:
        return False
    while words:
        rest = " ".join(words)
        found = _WAVED_OFF.match(rest)
        if found is not None and _BEHIND_WAVED.issuperset(rest[found.end() :].split()):
            return True
        if words[0] and words[0] not in _BEFORE_WAVED:
            return False
        del words[0]
    return False


def is_shrug(text: str) -> bool:
    """Whether a maybe ends in a shrug: 'Could be that we get a puppy, who knows.'"""
    return _SHRUG_ENDS.search(text) is not None and _SHRUG_MAYBE.search(text) is not None


def passes(text: str, tokens: Tokens) -> bool:
    """Whether a text is a result, and about nobody of the person's; or a proverb, hearsay, a sigh,
    a dream; or how things are just now: 'I'm at the station.'.
    """
    # 'nicht' is a niece in Dutch and 'not' in German.
    of_theirs = any("kin" in signs and "not" not in signs for signs in tokens.signs)
    if _HEARSAY.search(text) or _SIGHS.search(text) or _DREAMS.search(text):
        return True
    is_short = len(tokens.low) <= _LONGEST_OF_NOW and not _NOW_WORDS.isdisjoint(tokens.low)
    if (is_short and _OF_NOW.search(text)) or is_waved_off(text) or is_shrug(text):
        return True
    return not of_theirs and bool(_SCORE.search(text) and _RESULT.search(text))


# Importance by the odds that a life, safety or a hard limit is concerned. What is marked critical
# is told apart, since not all of it fits everywhere; what is a little less likely to be than those
# (a device, a diet, "never after dark") stands before what is known beside.
_OF_CRITICAL = ((0.75, 10), (0.6, 9), (0.0, 8))
_OF_NEARLY = ((0.2, 7), (0.1, 6), (0.0, 1))
_IMPORTANCE = {
    "fact": 4,
    "preference": 5,
    "decision": 5,
    "task": 5,
    "procedure": 5,
    "event": 4,
    "belief": 3,
}
# Below this share of the threshold a sentence that a rule took for a memory is left out after all.
# A rule that matches means something: .16 leaves 2 of 3 trifles that rules kept, and loses no fact.
_SURE = 0.65


class Judgement(NamedTuple):
    """What a sentence is. `keep` is a probability, 0 to 1.

    is_worth    it is a memory, whether a rule knows it or not
    is_trifle   it is none, even if a rule takes it for one
    kind        one of worth.KINDS
    critical    health, safety or limit; '' where nobody's life or hard limit is concerned
    importance  1 to 10
    is_own      it speaks of the person ('I', 'our', 'my sister')
    """

    keep: float
    is_worth: bool
    is_trifle: bool
    kind: str
    critical: str
    importance: int
    is_own: bool


@lru_cache(maxsize=256)  # base truth of a session is read with each of its turns
def judge_sentence(text: str) -> Judgement:
    """What one sentence is, by itself; about 1 ms."""
    # Who types without capitals says the same: 'he can't have eggs' was not kept, 'He can't' is.
    text = text[:1].upper() + text[1:]
    worth = judge_worth(without_opening(text))
    # From here on .97 of what matters is kept: at .95 of the corpus six of 353 facts that thirteen
    # people told were lost.
    least = threshold("keep")
    tokens = tokens_of(text)
    only_sounds = is_figure_of_speech(text) or is_trade(text, tokens)
    grave = (is_grave(text, tokens) or is_feared(text, tokens)) and not only_sounds
    critical = worth.critical_kind if worth.is_critical and not only_sounds else ""
    critical = "health" if grave else critical
    limit = limit_of(text, tokens)
    critical = critical if grave else limit or critical
    # 'Can't stomach coriander, it's not an allergy' was as grave as one.
    if critical == "health" and is_dislike(text):
        critical = ""
    # 'The leak comes from the gutter, not from the chimney' was a danger.
    if critical == "safety" and not limit and is_cause(text):
        critical = ""
    is_order = is_standing_order(text)
    sure = grave or bool(limit) or is_order
    is_worth = worth.keep >= least or sure or bool(critical and worth.keep >= least * _SURE)
    if not critical:
        # 'Today was my first day at Skye Weavers.' has .27: not kept, so the old job was answered.
        tells = worth.keep >= least * _SURE and _tells_of_speaker(text)
        is_worth = (is_worth or tells or lasts(text)) and not passes(text, tokens)
    # 'Correction: it is spelled Siobhan, not Shivaun' was a decision among the projects.
    kind = "fact" if is_spelling(text) else kind_of(text, worth.kinds, critical)
    if is_order and kind not in ("preference", "procedure"):
        kind = "procedure"
    return Judgement(
        keep=worth.keep,
        is_worth=is_worth,
        is_trifle=not is_worth and (worth.keep < least * _SURE or passes(text, tokens)),
        kind=kind,
        critical=critical if is_worth else "",
        importance=_importance(worth, kind, is_critical=bool(critical and is_worth)),
        is_own=any("self" in signs for signs in tokens.signs),
    )


def _tells_of_speaker(text: str) -> bool:
    """Whether it tells where its speaker lives or works, which looks like small talk at times.

    'Today was my first day at Skye Weavers.' has .27. That it tells an end or a correction is no
    such sign: of the 21 sentences of the corpus that do, and are as unlikely, none is to be kept.
    """
    from vaultmem.judgement.aspects import HOME, JOB, told_of_speaker  # saves 5 modules

    return "?" not in text and not {HOME, JOB}.isdisjoint(told_of_speaker(text))


def _importance(worth: Worth, kind: str, *, is_critical: bool) -> int:
    steps = _OF_CRITICAL if is_critical else _OF_NEARLY
    by_odds = next(value for least, value in steps if worth.critical >= least)
    return max(by_odds, _IMPORTANCE[kind])
