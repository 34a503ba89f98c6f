"""What becomes of one sentence of the person: kept or not, how much it matters, as what.

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
from vaultmem.judgement.linear import chance, score, weights
from vaultmem.judgement.stakes import stakes_of

# What somebody says before they say it: 'haha', 'ugh', 'by the way', 'wie gesagt'.
#
# A laugh or a sigh in front weighs more with the model than the news behind it: 'lol so i got
# braces on tuesday' has .19, without 'lol so' .91. Of 24 lasting sentences with such an opening 12
# were lost by it alone, and of 1,900 sentences of others none is judged otherwise. Seven languages.


_LEAST_WORDS = 3  # that have to be left: 'oh well, never mind' is all opening
_OPENING = late(
    r"^(?:(?:u+gh|oh|ah|aw|wow|lo+l|(?:a?ha){2,}h?|(?:he){2,}|omg|lmao|god|gosh|lord|blimey|well"
    r"|so|ok|okay|anyway|anyhow|honestly|by the way|btw|just so (?:you|u) know|you know me|fyi"
    r"|as i (?:always )?say|ooh|phew|pff+|yay|hey|oi"
    r"|puh|uff|boah|ach|na ja|naja|übrigens|ach übrigens|wie gesagt|tja|mensch|herrje|hihi|juhu"
    r"|uf|ay|uy|(?:ja){2,}|jeje\w*|bueno|pues|oye|madre mía|por cierto|total|en fin|vaya"
    r"|mdr|ptdr|ouf|bon|ben|au fait|ça y est|oh là là|tiens|enfin|hé|youpi"
    r"|beh|allora|senti|comunque|a proposito|uffa|poh|zeg|trouwens|nou|tjonge|hèhè"
    r"|k{3,}|nossa|então|olha|ufa|aliás|puxa)\b[\s,.:;!–—-]*)+",
    re.IGNORECASE,
)
# How the openings begin: most sentences begin otherwise, and the pattern takes 1 ms to compile.
_BEGINNINGS = (
    *("ug", "uu", "oh", "ah", "aw", "wow", "lol", "loo", "haa", "hah", "hehe", "omg", "lmao"),
    *("god", "gosh", "lord", "blimey", "well", "so", "ok", "anyway", "anyhow", "honestly"),
    *("by the way", "btw", "just so", "you know me", "fyi", "as i ", "ooh", "phew", "pf", "yay"),
    *("hey", "oi", "puh", "uf", "boah", "ach", "na ja", "naja", "übrigens", "wie gesagt", "tja"),
    *("mensch", "herrje", "hihi", "juhu", "ay", "uy", "jaja", "jeje", "bueno", "pues", "oye"),
    *("madre mía", "por cierto", "total", "en fin", "vaya", "mdr", "ptdr", "ouf", "bon", "ben"),
    *("au fait", "ça y est", "tiens", "enfin", "hé", "youpi", "beh", "allora", "senti"),
    *("comunque", "a proposito", "poh", "zeg", "trouwens", "nou", "tjonge", "hèhè", "kkk"),
    *("nossa", "então", "olha", "aliás", "puxa"),
)
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


# Whether a sentence is worth keeping, whether a life may hang on it, and what kind it is.
#
# judge_worth("I'm allergic to penicillin.")
# Worth(keep=0.99, critical=0.98, critical_kind="health", kind="fact", kinds=(...))


KINDS = ("fact", "preference", "decision", "task", "event", "procedure", "belief")
CRITICAL_KINDS = ("health", "safety", "limit")


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
    def is_worth_keeping(self) -> bool:
        """Whether `keep` reaches the threshold at which .97 of what matters is kept."""
        # At .95 of the corpus six of 353 facts that thirteen people told were lost.
        return self.keep >= threshold("keep")

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
    models = weights("sentences").models
    features = sentence_features(text)
    chances = {name: chance(score(models[f"kind_{name}"], features)) for name in KINDS}
    whole = sum(chances.values())
    kinds = tuple(
        (name, chances[name] / whole) for name in sorted(KINDS, key=lambda name: -chances[name])
    )
    return Worth(
        keep=chance(score(models["keep"], features)),
        critical=chance(score(models["critical"], features)),
        kinds=kinds,
        features=features,
    )


# Forms that leave nothing to weigh: what is grave, what lasts and what is gone by tonight.
#
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
# The verb alone says 'I' in Spanish, Italian and Portuguese.
_OWN_VERB = late(
    r"^\W*(?:estoy|estamos|soy|tengo|tenemos|tomo|llevo|padezco|sono|siamo|ho|abbiamo|prendo|porto"
    r"|soffro|sou|estou|tenho|temos|uso)\b",
    re.IGNORECASE,
)
# 'My cousin sells pacemakers': a trade, and nobody's illness.
_TRADE = late(
    r"\b(?:sells?|selling|sold|repairs?|designs?|makes|lectures?|teaches|verkauft|vertreibt|baut"
    r"|vende|venden|fabrica|vend|vendent|répare|fabrique|verkoopt|maakt|ripara|conserta)\b",
    re.IGNORECASE,
)
_QUOTED = Needing(r"[\"“”„«»]", 0, '"“”„«»')

_AGE = late(
    r"\bturn(?:s|ed) \d{1,3}\b|^\W*\d{1,3} (?:today|heute|hoy|oggi|vandaag|hoje)\b"
    r"|\b(?:i'm|i am|he's|she's|is) \d{1,3} (?:now|today|years old)\b"
    r"|\b(?:bin|ist|wird|werde|wurde) (?:\w+ )?\d{1,3}(?: jahre)?(?: alt)?(?: geworden)?[.!,]"
    r"|\bcumpl(?:o|e|í|ió|ieron|en|imos) \d{1,3}\b|\b(?:a|ai|ont"
    r"|vient d'avoir) (?:eu )?\d{1,3} ans\b"
    r"|\b(?:compi\w+|fatto) (?:\w+ )?\d{1,3} anni\b|\b\d{1,3} (?:jaar )?geworden\b"
    r"|\b(?:fiz|fez|faço|faz|fizeram) \d{1,3} anos\b",
    re.IGNORECASE,
)
_FIRST_DAY = late(
    r"\b(?:(?:my|his|her) )?first day (?:at|with|in my new|as)\b|\berster (?:arbeits)?tag (?:bei"
    r"|als|im)\b"
    r"|\bprimer día (?:en|como|de trabajo)\b|\bpremier jour (?:chez|au|à la|comme)\b"
    r"|\bprimo giorno (?:da|in|come|di lavoro)\b|\beerste (?:werk)?dag (?:bij|als)\b"
    r"|\bprimeiro dia (?:na|no|em|como|de trabalho)\b",
    re.IGNORECASE,
)
# What begins on this very day goes on: 'On the veg full-time from today.'
_FROM_TODAY = late(
    r"\b(?:from|as of|since|starting) (?:today|this (?:week|month|term))\b|\bas of this morning\b"
    r"|\bfrom now on\b|\b(?:ab|seit) (?:heute|sofort|dieser woche)\b|\bvon heute an\b"
    r"|\b(?:desde|a partir de) (?:hoy|ahora|esta semana)\b"
    r"|\b(?:dès|à partir d') ?(?:aujourd'hui|maintenant)\b|\bdepuis (?:aujourd'hui|ce soir)\b"
    r"|\b(?:da oggi|d'ora in poi|vanaf (?:vandaag|nu)|a partir de (?:hoje|agora))\b"
    # and whoever blows out candles is as old as they are many
    r"|\b(?:candles|kerzen|velas|velitas|bougies|candeline|kaarsjes|velinhas)\b.{0,30}"
    r"\b(?:blew|blown|ausgepust\w*|ausgeblasen)\b"
    r"|\b(?:blew|blown|souffl\w+|sopl\w+|soffi\w+|blies|sopr\w+)\b.{0,30}"
    r"\b(?:candles|velas|velitas|bougies|candeline|kaarsjes|velinhas)\b",
    re.IGNORECASE,
)
# A result, and nobody of the person's who played: 'City lost again, 2-0'.
_RESULT = late(
    r"\b(?:lost|won|lose|beat|beaten|drew|thrashed|hammered|verlor\w*|gewonnen|gewann|unentschieden"
    r"|perdi\w*|perdemos|gan[óo]|ganaron|ganamos|empat\w*|perdu|gagné|rouste|battu\w*|vinto|perso"
    r"|pareggi\w*|verloren|gelijk|ganhou|perdeu)\b",
    re.IGNORECASE,
)
_SCORE_NEEDS = "-|–|:|lost by|won by| null| cero| zero|nil|zip"
_SCORE = Needing(
    r"(?<![\d.:])\d{1,2} ?[-–:] ?\d{1,2}(?![\d.:])|\b(?:lost|won) by \w+\b"
    r"|\b(?:zu|a) (?:null|cero|zero)\b|\b\w+[- ](?:nil|zip)\b",
    re.IGNORECASE,
    _SCORE_NEEDS.split("|"),
)
# A statement about spelling, or one that ends in a letter: 'It's Marit with one t.'
_SPELLED_NEEDS = (
    *("spelled", "spelt", "written", "schreibt", "geschrieben", "escribe", "écrit", "scrive"),
    *("geschreven", "schrijf", "escreve", "with ", "mit ", "con ", "avec ", "met ", "com "),
)
_SPELLED = Needing(
    r"^\W*(?:(?:small )?correction|korrektur|richtigstellung|correcci[oó]n|rectificaci[oó]n"
    r"|rectification|correzione|correctie|correç[aã]o|sorry|actually|no|nein|non)\b"
    r"[ ,.:;!–-]+.{0,40}\b(?:spelled|spelt|written|schreibt (?:man )?sich|(?:man )?schreibt"
    r"|geschrieben|se escribe|s['’]écrit|si scrive|geschreven|schrijf je|escreve-se|se escreve)\b"
    r"|\b(?:my|our|mein|meinen|unser|mi|mon|notre|il mio|mijn|meu|o meu)\b.{0,12}"
    r"\b(?:name|surname|nachname|vorname|nombre|apellido|nom|prénom|cognome|nome|naam|achternaam"
    r"|apelido)\b.{0,20}\b(?:spelled|spelt|written|geschrieben|schreibt|se escribe|s['’]écrit"
    r"|si scrive|geschreven|escreve)\b"
    # 'It's Marit with one t.', 'Ich schreibe mich mit ph.'
    r"|^(?:\W|(?:no|nein|non|sorry|actually|correction|corretto|korrektur|corrección)\b)*"
    r"(?:it(?:['’]s| is)|i(?:['’]m| am| spell| write)|ich (?:schreibe|heiße|bin)|man schreibt"
    r"|es schreibt|se escribe|me llamo|(?:ça )?s['’]écrit|je m['’](?:appelle|écris)|si scrive"
    r"|mi chiamo|het is|ik heet|escreve-se)\b.{0,40}"
    r"\b(?:with |mit |con |avec |met |com )"
    r"(?:(?:an?|one|two|double|eine[mr]|zwei|la|una|dos|une?|deux|een|twee|due|uma?"
    r"|dois) )?(?:[a-z]|ph|th|ck|ie|ei|ee|ll|nn|tt|ss)(?:['’]s)?[.!]*$",
    re.IGNORECASE,
    _SPELLED_NEEDS,
)
_HEARSAY_NEEDS = (
    "used to |always |saying goes|pflegte zu|sagte immer|sagte früher|so schön|siempre decía"
    "|como decía|como dice|comme disait|comme dit|disait toujours|come diceva|come dice"
    "|diceva sempre|zei altijd|zoals ze|como dizia|como diz|sempre dizia|podcast|pódcast"
    "|tiktok|instagram|horosc|horósc|horosk|orosc"
)
_HEARSAY = Needing(
    r"\b(?:used to (?:say|tell)|always (?:said|used to say)|as the (?:old )?saying goes"
    r"|pflegte zu sagen|sagte (?:immer|früher immer)|wie (?:man|es) so schön (?:sagt|heißt)"
    r"|siempre decía|como (?:decía|dice el refrán)|comme (?:disait|dit le proverbe)"
    r"|disait toujours|come (?:diceva|dice il proverbio)|diceva sempre|zei altijd|zoals ze zeggen"
    r"|como (?:dizia|diz o ditado)|sempre dizia)\b"
    r"|\b(?:podcast|pódcast|tiktok|instagram|horoscop\w*|horóscopo|horoskop|oroscopo)\b.{0,40}"
    r"\b(?:said|says|claim\w*|reckon\w*|hieß|heißt|sagt\w*|meint\w*|dij\w+|dec[íi]a\w*|dice\w*"
    r"|disai\w+|dit|detto|diceva\w*|zei\w*|disse\w*|dizia\w*)\b",
    re.IGNORECASE,
    _HEARSAY_NEEDS.split("|"),
)


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


_FEARED = frozenset(("condition", "allergy", "pregnant"))
_DOUBTS = (
    "may|might|could|perhaps|possibl|probab|suspect|think|not sure|vielleicht|möglicherweise"
    "|eventuell|wahrscheinlich|könnte|verdacht|quizá|tal vez|puede que|a lo mejor|posiblemente"
    "|podría|peut-être|il se peut|pourrait|soupçon|forse|magari|potrebbe|misschien|wellicht"
    "|waarschijnlijk|zou kunnen|talvez|pode ser|provavelmente"
)
_IN_DOUBT = Needing(
    r"\b(?:may (?:well |also |not )?(?:be|have|need)|might|could (?:well |also )?(?:be|have)"
    r"|maybe|perhaps|possibly|probably|suspects?|think|not sure|vielleicht"
    r"|möglicherweise|eventuell|wahrscheinlich|könnte|verdacht|quizás?|tal vez|puede que|a lo mejor"
    r"|posiblemente|podría|peut-être|il se peut|pourrait|probablement|soupçon\w*|forse|magari"
    r"|potrebbe|probabilmente|misschien|wellicht|waarschijnlijk|zou kunnen|talvez|pode ser"
    r"|provavelmente)\b",
    re.IGNORECASE,
    _DOUBTS.split("|"),
)
_SUPPOSED = late(
    r"\b(?:if|would|wonder\w*|imagine|suppose|wish|wenn|falls|wäre|hätte|angenommen|ojalá|fuera"
    r"|imagina|serait|imagine[sz]?|supposons|se fosse|als|stel)\b",
    re.IGNORECASE,
)


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


# 'The leak comes from the gutter, not from the chimney': where something comes from bars nothing.
_CAUSE = late(
    r"\b(?:comes?|came|is coming|was coming|kommt|kam|vient|venait|viene|venía|proviene|komt|kwam"
    r"|vem|vinha) (?:from|out of|von|vom|aus|de|du|des|del|dal|dalla|da|do|van"
    r"|uit)\b.{2,60}[,;] ?(?:and |und "
    r"|y |et |e |en )?(?:not|nicht|no|pas|non|niet|não)\b",
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
    return "?" not in text and bool(_SPELLED.search(text))


def passes(text: str, tokens: Tokens) -> bool:
    """Whether a text is a result, a proverb or hearsay, and about nobody of the person's."""
    # 'nicht' is a niece in Dutch and 'not' in German.
    of_theirs = any("kin" in signs and "not" not in signs for signs in tokens.signs)
    if _HEARSAY.search(text):
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
    """What a sentence is. `keep` and `critical_odds` are probabilities, 0 to 1.

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
    critical_odds: float
    importance: int
    is_own: bool


@lru_cache(maxsize=256)  # base truth of a session is read with each of its turns
def judge_sentence(text: str) -> Judgement:
    """What one sentence is, by itself; about 1 ms."""
    worth = judge_worth(without_opening(text))
    least = threshold("keep")
    tokens = tokens_of(text)
    only_sounds = is_figure_of_speech(text) or is_trade(text, tokens)
    grave = (is_grave(text, tokens) or is_feared(text, tokens)) and not only_sounds
    critical = worth.critical_kind if worth.is_critical and not only_sounds else ""
    critical = "health" if grave else critical
    limit = limit_of(text, tokens)
    critical = critical if grave else limit or critical
    if critical == "safety" and not limit and is_cause(text):
        critical = ""
    sure = grave or bool(limit)
    is_worth = worth.keep >= least or sure or bool(critical and worth.keep >= least * _SURE)
    if not critical:
        # 'Today was my first day at Skye Weavers.' has .27: not kept, so the old job was answered.
        tells = worth.keep >= least * _SURE and _tells_of_speaker(text)
        is_worth = (is_worth or tells or lasts(text)) and not passes(text, tokens)
    # 'Correction: it is spelled Siobhan, not Shivaun' was a decision among the projects.
    kind = "fact" if is_spelling(text) else kind_of(text, worth.kinds, critical)
    return Judgement(
        keep=worth.keep,
        is_worth=is_worth,
        is_trifle=not is_worth and (worth.keep < least * _SURE or passes(text, tokens)),
        kind=kind,
        critical=critical if is_worth else "",
        critical_odds=worth.critical,
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
