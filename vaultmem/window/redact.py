"""Texts of a report as others may read them: who, where, numbers and health are replaced.

What the vault knows as a name goes in any case. A name has no sure form, so of other words those
with a capital letter go unless they are ordinary: at the beginning of a sentence, and in German
everywhere, words of the everyday tables stay, and German nouns behind an article. A small word
behind 'my friend' or 'Herr' is a name as well. Writing without capital letters (Chinese, Arabic,
Hindi ...) says nothing of what is a name, and goes as a whole. tests/window/labelled.py measures.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from vaultmem import judgement, privacy
from vaultmem.language import GIVEN, STOP_WORDS, visible, word_list
from vaultmem.model import part_key
from vaultmem.storage import index

HEALTH = "[health]"
NAME, PERSON, PLACE, PROJECT = "[name]", "[person]", "[place]", "[project]"
NUMBER, ADDRESS, LINK, TEXT = "[number]", "[address]", "[link]", "[text]"

# Topics of `judgement` that tell of somebody's body; an allergen alone is a food.
_OF_HEALTH = frozenset(
    word_list(
        """
        condition medicine allergy device impaired body pregnant blood_group clinician dose
        """
    )
)
_NAMES_IT = frozenset(word_list("condition medicine allergen device"))
_HEALTH_WORDS = frozenset(
    word_list(
        """
        health medical illness ill sick sickness disease doctor hospital clinic surgery injury
        therapy therapist diagnosis symptom symptoms pain flu fever gesundheit krank krankheit
        arzt ärztin krankenhaus santé malade maladie médecin salud enfermo enferma enfermedad
        médico salute malato malata malattia medico gezondheid ziek ziekte arts saúde doente
        doença ankle wrist elbow collarbone fracture fractured sprained concussion miscarriage
        gebrochen verstaucht fehlgeburt abortion abortions infertile infertility vasectomy
        rehab detox psychiatrist psychiatrists psychiatric psychologist burnout covid
        colonoscopy biopsy mri bmi meniscus ligament anorexia bulimia suicide suicidal overdose
        abtreibung unfruchtbar entzug psychiater psychiaterin psychologe psychologin psychiatrie
        suizid magersucht meniskus kreuzband avortement psychiatre psychiatra psichiatra
        psiquiatra aborto abortus miskraam
        """
    )
)
# 'I had an abortion', 'I was in rehab' and 'I broke my leg' stood in a redacted report.
_HEALTH_PHRASE = re.compile(
    r"\b(?:(?:broke|tore|sprained|injured|hurt) (?:my|his|her|their)"
    r" (?:left |right )?(?:leg|arm|foot|toe|hand|finger|thumb|hip|rib|nose|neck|back|knee|shoulder)"
    r"|(?:nervous|mental) breakdown|eating disorder|tested positive|period is late"
    r"|(?:kill|cut|harm|hurt|killed|harmed) (?:my|him|her|them)sel(?:f|ves)|aa meetings?"
    r"|i weigh (?:\d|[\w-]+ (?:kilos|pounds|stone))|(?:my|his|her) shrink"
    r"|seit \w+ \w+ trocken|fausse couche)\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\[\[[^\]\n]*\]\]|\b[a-z][a-z0-9+.-]{1,20}:(?://|(?=[\w.+-]+@))\S+|\bwww\.\S+"
    r"|(?:(?<=\s)|^)(?:~|\.{0,2})/[^\s]{2,}|\b[A-Za-z]:\\\S+|(?<![\w-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net"
    r"|edu|gov|io|dev|app|ai|info|eu|de|at|ch|fr|es|it|nl|uk|us|md)\b(?:/\S*)?|(?<!\w)@\w[\w.-]*"
    # A handle: 't.me/name', 'live:name'. Behind a dot are two letters at least: '1.5/day' is none.
    r"|(?<![\w-])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/\w\S*|\b(?:live|skype|xmpp|sip|tel):[\w+]\S*"
    r"|(?<!\w)#[^\W\d]\S*",
    re.IGNORECASE,
)
# 'git@example.org:kowal/diary.git' is where a push goes: of it the account and the name had stayed.
_REMOTE = re.compile(
    r"(?<![\w@.+-])[\w.+-]+@[\w.-]+:[\w~./-]+"
    r"|(?<![\w.-])[\w.-]+\.[a-z]{2,}:[\w~./-]+"
    r"|\\\\[\w.-]+\\\S+"
    r"|(?<![\w-])[irq]-(?=[a-z]*\d)[0-9a-z]{8,}\b",  # an id
    re.IGNORECASE,
)
_STREETS = (
    r"street|st|road|rd|avenue|ave|lane|ln|drive|dr|square|sq|court|ct|boulevard|blvd|way|close|"
    r"place|pl|terrace|crescent|row|mews|hill|gardens|grove|park|highway|hwy"
)
_TITLED = "|".join(word.title() for word in _STREETS.split("|"))
# Capital letters count where a word of a street is an ordinary one as well: 'a hall feels close'.
_ADDRESS = re.compile(
    rf"\b\d{{1,5}}[a-zA-Z]?,? (?:[^\W\d_][\w'’.-]* ){{1,4}}(?i:{_STREETS})\b\.?"
    rf"|\b(?:[A-Z][\w'’-]* ){{1,3}}(?:{_TITLED})\b(?: \d+[a-z]?)?"
    r"|(?i:(?<![\w-])[\w-]*(?:stra(?:ß|ss)e|gasse|weg|platz|allee|ufer|damm|ring|laan|straat|plein|gracht)"
    r" \d{1,4}[a-z]?\b)"
    r"|\b(?i:rue|avenue|boulevard|place|calle|avenida|plaza|via|viale|piazza|rua)"
    r" (?:(?:de|del|della|des|du|la|le|les|los|las|da|do|dos) ){0,2}[A-ZÀ-Þ][\w'’-]*"
    r"(?: [A-ZÀ-Þ][\w'’-]*)*(?:,? \d+)?"
    r"|\b(?i:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})\b"
    r"|\b(?i:plot|flat|apartment|apt|unit|suite|room|house|nr|no)\.? \d+[a-z]?\b"
)
# A mail address, as people write it for other people.
_SPELLED_MAIL = re.compile(
    r"(?<!\w)[\w.+-]+ ?[(\[{] ?at ?[)\]}] ?[\w-]+"
    r"(?:(?:\.| ?[(\[{]? ?(?:dot|punkt) ?[)\]}]? ?)[\w-]+)*"
    r"|(?<!\w)[\w.+-]+ (?:at|ät) [\w-]+(?: (?:dot|punkt) [\w-]+)+",
    re.IGNORECASE,
)
_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_LARGE = "hundred|thousand|million|billion"
_ENGLISH_NUMBER = (
    "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    rf"(?:-(?:{_UNITS}|first|second|third|(?:four|fif|six|seven|eigh|nin)th))?"
    "|(?:ten|eleven)(?:th)?|twelve|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teen(?:th)?"
    f"|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth|{_LARGE}"
)
_GERMAN_NUMBER = (
    r"(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?"
    r"(?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)(?:ste[nrsm]?)?"
    r"|(?:drei|vier|fünf|sech|sieb|acht|neun)?zehn(?:te[nrsm]?)?|zwölf(?:te[nrsm]?)?"
    r"|\w*(?:hundert|tausend)\w*"
)
# In words, from ten on: of 'one of two' nobody learns anything.
_SPELLED_NUMBER = re.compile(
    rf"\b(?:(?:(?:{_UNITS}|a)[ -](?=(?:{_LARGE})\b))?(?:{_ENGLISH_NUMBER})"
    rf"(?:(?:[ -]| and )(?:{_ENGLISH_NUMBER}|{_UNITS}))*|{_GERMAN_NUMBER})\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[#№+]?[^\W\d_]{0,3}\d[\d.,:/\-–]*(?:[^\W_]*\d)*[^\W\d_]{0,3}")
_WORD = re.compile(r"[^\W\d_][\w]*(?:[-'’.·][^\W\d_]\w*)*")
_END = re.compile(r"[.!?:;…\n\"“”„«»(\[•*>|—–/-]\s*$")
# Ours alone: a note may well have '[tomas]'.
_OURS = (
    "health|name|person|place|project|number|address|link|text|secret|email|phone|card|account|id"
)
_KEPT = re.compile(rf"\[(?:{_OURS})\]")
_LONGEST = 2_000  # characters that are looked at; no line of a report shows more


class Words:
    """Texts as they are."""

    is_redacted = False

    def say(self, text: str, *, critical: str = "") -> str:
        """A text of a note; critical: as the note is marked."""
        return text

    def name(self, text: str, placeholder: str = NAME) -> str:
        """What something is called."""
        return text

    def own_word(self, text: str, allowed: Iterable[str]) -> str:
        """A word of ours, unless somebody wrote another one there."""
        return text

    def only_here(self, text: str) -> str:
        """What says nothing to others, or too much: an id, a path, a commit."""
        return text

    def is_health(self, text: str, critical: str = "") -> bool:
        """Whether it must not be shown; never, here."""
        return False


class Redacted(Words):
    """Texts for others.

    names  what things are called in this vault, and the placeholder of each
    sick   texts that are marked as health: what they name tells of it elsewhere, too
    texts  all that may be shown: what is written with a capital letter in the middle of a
           sentence is a name, also where it begins another one
    """

    is_redacted = True

    def __init__(
        self, names: Mapping[str, str], texts: Iterable[str], sick: Iterable[str] = ()
    ) -> None:
        self._sick = set(_HEALTH_WORDS)
        for text in sick:
            low = judgement.tokens_of(_plain(text[:_LONGEST])).low
            # 'hazelnuts' is a food, until somebody is allergic to them.
            self._sick.update(word for word in low if judgement.stakes_of("", [word]) & _NAMES_IT)
        self._single: dict[str, str] = dict.fromkeys(GIVEN, PERSON)
        phrases: dict[str, str] = {}
        # What a name is of goes before that it is one: 'leni' is in two lists.
        for name, placeholder in sorted(names.items(), key=lambda pair: (pair[1] == NAME, pair)):
            plain = " ".join(_plain(name).split())
            parts = _WORD.findall(plain)
            if not plain or part_key(plain) in _NOBODY:
                continue
            phrases.setdefault(plain.casefold(), placeholder)
            for part in parts:
                if part.casefold() in KIN and len(parts) > 1:
                    continue  # 'Opa' of 'Opa Franz' is any grandfather
                if len(part) > 1 and part.casefold() not in STOP_WORDS and part[0].isupper():
                    self._single.setdefault(part.casefold(), placeholder)
        self._ordinary: set[str] = set()
        self._is_known: dict[str, bool] = {}
        small: Counter[str] = Counter()
        cued: Counter[str] = Counter()
        for text in texts:
            plain = _plain(text[:_LONGEST])
            self._learn(plain, small)
            cued.update(self._small_names(plain))
        for word, number in cued.items():
            # A word that mostly stands elsewhere was no name behind 'my sister' either.
            if 2 * number >= small[word]:
                self._single.setdefault(word, PERSON)
        self._ordinary -= self._single.keys()
        longest = sorted((each for each in phrases if len(each) > 2), key=len, reverse=True)
        self._phrases = phrases
        self._by_first: dict[str, list[str]] = {}
        for phrase in longest:
            first = _WORD.search(phrase)
            self._by_first.setdefault(first[0] if first else phrase[:1], []).append(phrase)

    def _learn(self, text: str, small: Counter[str]) -> None:
        is_german = _is_german(text)
        for found in _WORD.finditer(text):
            word = found[0]
            if word[0].islower():
                self._ordinary.add(word)
                small[word] += 1
                continue
            # All German nouns were taken out: .23 of the words that went were of names, and are
            # 1.00 (python -m tests.window.labelled).
            if is_german and self._is_noun(text, found):
                continue
            before = text[max(0, found.start() - 4) : found.start()]
            is_ordinary = word.casefold() in _GERMAN or word.casefold() in _CALENDAR
            is_name = not is_ordinary and word not in ("I", "Ich", "OK")
            if is_name and before and not _END.search(before):
                self._single.setdefault(word.casefold(), NAME)

    def _small_names(self, text: str) -> Iterator[str]:
        """Words without a capital letter that stand where a name does: 'my friend oskar'."""
        # 'My sister dragana' was left as it is: of 64 sentences of our own .80 of the English words
        # of names were taken out, and are 1.00.
        for found in _CUE.finditer(text):
            word = found["name"]
            if word in STOP_WORDS or word in _COMMON or word in _GERMAN or word in _OPENERS:
                continue
            is_verb = _IS_VERB.search(word) is not None
            if _is_titled(text, found):
                # 'mr. baker' and 'herr koch': most such names are words as well.
                if not (is_verb and self._knows(word)):
                    yield word.casefold()
                continue
            is_given = word.casefold() in self._single
            if is_given or not ((is_verb and not found["surely"]) or self._knows(word)):
                yield word.casefold()
                more = _NEXT.match(text, found.end("name"))
                if more and not (_IS_VERB.search(more[1]) or self._is_usual(more[1])):
                    yield more[1].casefold()  # 'my friend tomas kowalczyk'

    def _is_usual(self, word: str) -> bool:
        return word in STOP_WORDS or word in _GERMAN or word in _OPENERS or self._knows(word)

    def _knows(self, word: str) -> bool:
        """Whether the everyday tables have it, or it is made of two words that they have."""
        low = word.casefold()
        known = self._is_known.get(low)
        if known is None:
            known = index.is_known(low) or low in _OPENERS or self._is_form(low)
            self._is_known[low] = known
        return known

    def _is_form(self, low: str) -> bool:
        for ending in ("s", "es", "e", "en", "n", "er", "d", "ed", "ing"):
            stem = low.removesuffix(ending)
            if stem != low and len(stem) > 2 and (index.is_known(stem) or stem in _OPENERS):
                return True
            if ending == "ing" and stem != low and index.is_known(stem + "e"):
                return True
        return any(
            index.is_known(low[at:]) and index.is_known(low[:at].removesuffix("s"))
            for at in range(4, len(low) - 3)
        )

    def _is_noun(self, text: str, found: re.Match[str]) -> bool:
        """Whether a word with a capital letter is an ordinary one of a German sentence."""
        word = found[0]
        if word.casefold() in self._single or _TITLE_BEFORE.search(text[: found.start()]):
            return False
        is_after_article = _ARTICLE_BEFORE.search(text[max(0, found.start() - 12) : found.start()])
        return bool(_NOUN_ENDING.search(word) or is_after_article) or self._knows(word)

    def is_health(self, text: str, critical: str = "") -> bool:
        """Whether it tells of somebody's body, by its mark or by its words."""
        if critical == "health":
            return True
        if not text:
            return False
        plain = _plain(text[:_LONGEST])
        tokens = judgement.tokens_of(plain)
        return (
            not self._sick.isdisjoint(tokens.low)
            or _HEALTH_PHRASE.search(plain) is not None
            or any("health" in signs for signs in tokens.signs)
            or not _OF_HEALTH.isdisjoint(judgement.stakes_of(text, tokens.low))
        )

    def say(self, text: str, *, critical: str = "") -> str:
        """The text with placeholders; one that tells of health is nothing else."""
        if not text.strip():
            return ""
        text = _plain(text[:_LONGEST])
        if self.is_health(text, critical):
            return HEALTH
        if any(_has_no_case(letter) for letter in text):
            return TEXT
        for secret in reversed(privacy.find_secrets(text)):
            text = f"{text[: secret.start]}[secret]{text[secret.end :]}"
        for personal in reversed(privacy.find_personal(text)):
            text = f"{text[: personal.start]}[{personal.kind}]{text[personal.end :]}"
        text = _outside(text, lambda part: _SPELLED_MAIL.sub("[email]", part))
        text = _outside(text, lambda part: _LINK.sub(LINK, _REMOTE.sub(LINK, part)))
        text = _outside(text, lambda part: _ADDRESS.sub(ADDRESS, part))
        text = _outside(text, self._without_phrases)
        text = _outside(text, lambda part: _SPELLED_NUMBER.sub(NUMBER, part))
        text = _outside(text, self._without_names)
        text = _outside(text, lambda part: _NUMBER.sub(NUMBER, part))
        return _join_placeholders(text)

    def name(self, text: str, placeholder: str = NAME) -> str:
        """The placeholder."""
        if self.is_health(text):
            return HEALTH
        return self._phrases.get(" ".join(_plain(text).split()).casefold(), placeholder)

    def own_word(self, text: str, allowed: Iterable[str]) -> str:
        """The word where it is one of ours, else nothing."""
        return text if text in allowed else ""

    def only_here(self, text: str) -> str:
        """Nothing."""
        return ""

    def _without_phrases(self, text: str) -> str:
        """Names of this vault go in any case: who writes in a hurry writes 'tomas'."""
        low = text.lower()
        if len(low) != len(text):
            return text
        pieces, at = [], 0
        for word in _WORD.finditer(low):
            if word.start() < at:
                continue
            for phrase in self._by_first.get(word[0], ()):
                end = word.start() + len(phrase)
                if low.startswith(phrase, word.start()) and not low[end : end + 1].isalnum():
                    if phrase in STOP_WORDS or (
                        phrase in self._ordinary and text[word.start()].islower()
                    ):
                        continue
                    pieces += [text[at : word.start()], self._phrases[phrase]]
                    at = end
                    break
        return "".join([*pieces, text[at:]])

    def _without_names(self, text: str) -> str:
        is_german = _is_german(text)
        cued = frozenset(self._small_names(text))
        return _WORD.sub(lambda found: self._word(found, text, is_german, cued), text)

    def _word(self, found: re.Match[str], text: str, is_german: bool, cued: frozenset[str]) -> str:
        word = found[0]
        whole = word.casefold()
        bare = re.sub(r"['’]s?$|['’](?:m|ll|ve|re|d|t)$", "", whole)
        if whole in _CALENDAR or bare in ("i", ""):
            return word
        placeholder = self._single.get(bare) or self._single.get(whole)
        for part in re.split(r"[-'’.·]", whole):
            placeholder = placeholder or (self._single.get(part) if len(part) > 2 else None)
        if word == word.lower():
            # 'mark', 'will', 'rose': as a small word it is one, unless no text has it as such.
            if whole in STOP_WORDS or whole in _COMMON:
                return word
            return placeholder or (PERSON if whole in cued else word)
        if placeholder:
            return placeholder
        if bare in STOP_WORDS or bare in _COMMON or whole in KIN or whole in _GERMAN:
            return word
        if whole in self._ordinary and not _TITLE_BEFORE.search(text[: found.start()]):
            return word
        if is_german and self._is_noun(text, found):
            return word
        before = text[max(0, found.start() - 4) : found.start()]
        is_first = not before.strip() or _END.search(before) is not None
        return word if is_first and self._knows(bare) else NAME


_CALENDAR = frozenset(
    word_list(
        """
        january february march april may june july august september october november december
        monday tuesday wednesday thursday friday saturday sunday
        mondays tuesdays wednesdays thursdays fridays saturdays sundays christmas easter advent
        januar februar märz mai juni juli oktober dezember weihnachten ostern
        montag dienstag mittwoch donnerstag freitag samstag sonntag
        """
    )
)
_NOBODY = frozenset(["user", "me", "i", "the user", "assistant", "the assistant"])
# Given names that are words as well, and words that begin sentences of this program.
_COMMON = frozenset(
    word_list(
        """
        mark will rose may grace hope joy faith art bill rob pat sue jack ray dale dean glen
        grant chase drew guy miles max norm penny pearl ruby ivy iris lily amber dawn eve summer
        autumn christian frank earnest ernest victor clay cliff rich jean carol gene mike dick
        also always never please today tomorrow yesterday every each some many most set changed
        ended learned kept removed added text stream category item it
        """
    )
)

KIN = frozenset(
    word_list(
        """
        grandpa grandma grandad granny uncle aunt auntie mum mom dad cousin
        opa oma onkel tante mama papa cousine
        """
    )
)
"""Words that stand before a name and belong to it."""

# Verbs and others that begin sentences, and are in no table of everyday things.
_OPENERS = frozenset(
    word_list(
        """
        ask bring call take put get give keep make let send tell write read check remember return
        use try go come leave start stop turn open close move meet show find think look water paint
        someone somebody everyone everybody nobody nothing something anything people things one two
        three first last next later soon once twice still just often already now both really
        usually sometimes once though perhaps maybe yes thanks came went said told got ran left kept
        made took gave wrote brought bought thought found knew met began
        bitte heute morgen gestern immer nie niemals oft manchmal jetzt bald schon noch nur auch
        kam ging sagte rief gab nahm schrieb fand wusste traf ruf bring kauf frag vergiss denk
        jemand niemand alle alles etwas nichts vielleicht danke
        """
    )
)
_GERMAN = frozenset(
    word_list(
        """
        der die das dem den des ein eine einen einem einer eines ich du er sie es wir ihr und oder
        aber nicht kein keine keinen mit von vom zu zum zur bei beim nach im am ins ans auf aus für
        über unter vor hinter neben ist sind war waren hat haben hatte wird mein meine meinen meinem
        meiner dein deine sein seine ihre unser unsere wenn weil dass wie wo wer was mag uns mich
        mir dich dir sich um an bis seit ohne gegen durch
        """
    )
)
_ENGLISH = frozenset(word_list("the is are was were of and to my with for has have from at our it"))
_ARTICLE_BEFORE = re.compile(
    r"\b(?i:der|die|das|dem|den|des|(?:k|m|d|s)?ein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|ihr(?:e[nmrs]?)?"
    r"|im|am|zum|zur|beim|vom|ins|ans) $"
)
_NOUN_ENDING = re.compile(r"\w{3}(?:ung|heit|keit|schaft|tion|tät|nis|ismus)(?:en|s|se)?$")
_TITLED_PERSON = r"mr|mrs|ms|dr|herr|herrn|frau|" + "|".join(sorted(KIN))
_TITLE_BEFORE = re.compile(rf"\b(?i:{_TITLED_PERSON})\.? $")
_WITH_TITLE = re.compile(rf"\b(?i:{'|'.join(sorted(KIN))}) (?:\[person\]|\[name\])")
_RELATION = (
    "friend|sister|brother|boss|neighbour|neighbor|colleague|wife|husband|partner|son|daughter|"
    "mother|father|cousin|girlfriend|boyfriend|roommate|flatmate|manager|"
    "freund|freundin|schwester|bruder|chef|chefin|nachbar|nachbarin|kollege|kollegin|mann|sohn|"
    "tochter|mutter|vater|mitbewohner|mitbewohnerin"
)
_CUE = re.compile(
    r"\b(?:(?i:my|our|his|her|their|your|(?:m|d|s)eine?[nmrs]?|unsere?[nmrs]?|ihre?[nmrs]?)"
    rf" (?i:{_RELATION})|"
    rf"(?P<surely>(?i:{_TITLED_PERSON})\.?|(?i:named|called|namens|heißt|heisst)))"
    r"(?= (?P<name>[^\W\d_A-Z][^\W\d_]{2,})\b)"
)
_NEXT = re.compile(r" ([^\W\d_A-Z][^\W\d_]{2,})\b")
_TITLES = ("mr", "mrs", "dr", "herr", "herrn", "frau")


def _is_titled(text: str, cue: re.Match[str]) -> bool:
    """Whether a cue is a title in front of a name, and not 'meine Frau', 'der Herr'."""
    if (cue["surely"] or "").rstrip(".").casefold() not in _TITLES:
        return False
    return not _ARTICLE_BEFORE.search(text[max(0, cue.start() - 12) : cue.start()])


# 'my sister moved', 'mein Bruder wohnt': names of such an ending are among the given names.
_IS_VERB = re.compile(r"(?:ed|ing|s|t|te|ten|ly)$")


def _is_german(text: str) -> bool:
    """Whether more of its small words are German than English."""
    low = [found[0].casefold() for found in _WORD.finditer(text)]
    return sum(word in _GERMAN for word in low) > sum(word in _ENGLISH for word in low)


def _plain(text: str) -> str:
    """One spelling of each letter, and none that hides in a name or tears it apart."""
    if text.isascii() and text.isprintable():
        return text
    folded = unicodedata.normalize("NFKC", text)
    return "".join(each for each in folded if unicodedata.category(each) not in ("Cf", "Co", "Cn"))


def _has_no_case(letter: str) -> bool:
    """Whether it is of a writing without capital letters."""
    return unicodedata.category(letter) == "Lo" and letter not in "ªº"


def _outside(text: str, change: Callable[[str], str]) -> str:
    """The text with what lies between placeholders changed."""
    pieces, at = [], 0
    for found in _KEPT.finditer(text):
        pieces += [change(text[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*pieces, change(text[at:])])


def _join_placeholders(text: str) -> str:
    """A placeholder once, where several words of a name gave it several times."""
    once = re.sub(rf"(\[(?:{_OURS})\])(?:[ .'’&-]*\1)+", r"\1", text)
    # 'Opa Franz' is one person.
    return visible(_WITH_TITLE.sub(PERSON, once))
