"""Texts of a report as others may read them: who, where, numbers and health are replaced.

A name has no sure form, so this errs towards taking out: a word with a capital letter goes unless
it is known as an ordinary one, which in German takes nouns, too. Writing without capital letters
(Chinese, Arabic, Hindi ...) says nothing of what is a name, and goes as a whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

from vaultmem import judgement, privacy
from vaultmem.language import GIVEN, STOP_WORDS, visible, word_list
from vaultmem.model import part_key

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
        doença
        """
    )
)
_LINK = re.compile(
    r"\[\[[^\]\n]*\]\]|\b[a-z][a-z0-9+.-]{1,20}:(?://|(?=[\w.+-]+@))\S+|\bwww\.\S+"
    r"|(?:(?<=\s)|^)(?:~|\.{0,2})/[^\s]{2,}|\b[A-Za-z]:\\\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net"
    r"|edu|gov|io|dev|app|ai|info|eu|de|at|ch|fr|es|it|nl|uk|us|md)\b(?:/\S*)?|(?<!\w)@\w[\w.-]*"
    r"|(?<!\w)#[^\W\d]\S*",
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
    r"|(?i:\b[\w-]*(?:stra(?:ß|ss)e|gasse|weg|platz|allee|ufer|damm|ring|laan|straat|plein|gracht)"
    r" \d{1,4}[a-z]?\b)"
    r"|\b(?i:rue|avenue|boulevard|place|calle|avenida|plaza|via|viale|piazza|rua)"
    r" (?:(?:de|del|della|des|du|la|le|les|los|las|da|do|dos) ){0,2}[A-ZÀ-Þ][\w'’-]*"
    r"(?: [A-ZÀ-Þ][\w'’-]*)*(?:,? \d+)?"
    r"|\b(?i:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})\b"
    r"|\b(?i:plot|flat|apartment|apt|unit|suite|room|house|nr|no)\.? \d+[a-z]?\b"
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
                if len(part) > 1 and part.casefold() not in STOP_WORDS and part[0].isupper():
                    self._single.setdefault(part.casefold(), placeholder)
        self._ordinary: set[str] = set()
        for text in texts:
            self._learn(_plain(text[:_LONGEST]))
        self._ordinary -= self._single.keys()
        longest = sorted((each for each in phrases if len(each) > 2), key=len, reverse=True)
        self._phrases = phrases
        self._by_first: dict[str, list[str]] = {}
        for phrase in longest:
            first = _WORD.search(phrase)
            self._by_first.setdefault(first[0] if first else phrase[:1], []).append(phrase)

    def _learn(self, text: str) -> None:
        for found in _WORD.finditer(text):
            word = found[0]
            if word[0].islower():
                self._ordinary.add(word)
                continue
            before = text[max(0, found.start() - 4) : found.start()]
            is_name = word.casefold() not in _CALENDAR and word not in ("I", "Ich", "OK")
            if is_name and before and not _END.search(before):
                self._single.setdefault(word.casefold(), NAME)

    def is_health(self, text: str, critical: str = "") -> bool:
        """Whether it tells of somebody's body, by its mark or by its words."""
        if critical == "health":
            return True
        if not text:
            return False
        tokens = judgement.tokens_of(_plain(text[:_LONGEST]))
        return (
            not self._sick.isdisjoint(tokens.low)
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
        text = _outside(text, lambda part: _LINK.sub(LINK, part))
        text = _outside(text, lambda part: _ADDRESS.sub(ADDRESS, part))
        text = _outside(text, self._without_phrases)
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
        return _WORD.sub(self._word, text)

    def _word(self, found: re.Match[str]) -> str:
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
            return placeholder if placeholder and whole not in STOP_WORDS | _COMMON else word
        if placeholder:
            return placeholder
        if bare in STOP_WORDS or bare in _COMMON or whole in self._ordinary:
            return word
        return NAME


_CALENDAR = frozenset(
    word_list(
        """
        january february march april may june july august september october november december
        monday tuesday wednesday thursday friday saturday sunday
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
    return visible(re.sub(rf"(\[(?:{_OURS})\])(?:[ .'’&-]*\1)+", r"\1", text))
