"""Whom 'she' and what 'it' means in a document: only where there is just one candidate."""

from __future__ import annotations

from vaultmem.base.records import NamedTuple
from vaultmem.extract.cues.lexicon import CIVIL, MEDICAL, PROFESSIONS, RELATIONS, words
from vaultmem.extract.cues.patterns import Tokens
from vaultmem.extract.sentences import Sentence

_PERSON = ("he", "she")
_SAID_OF_PEOPLE = (
    words(
        "born works worked lives lived likes prefers loves hates speaks plays studies studied "
        "teaches moved joined birthday met went married allergic leads manages enjoys graduated"
    )
    | MEDICAL
    | CIVIL
    | PROFESSIONS
    | RELATIONS
)
_LONGEST_NAME = 3  # words


class Antecedent(NamedTuple):
    """The names that pronouns of the next sentence may stand for."""

    paragraph: int = -1
    person: str = ""  # the only person named so far in the paragraph
    is_ambiguous: bool = False  # several persons were named
    thing: str = ""  # the subject of the sentence just before
    is_user: bool = False  # an assistant's sentence just before was about 'the user'

    def before(self, sentence: Sentence) -> Antecedent:
        """As it is when a sentence begins: nothing is carried into another paragraph."""
        if sentence.paragraph == self.paragraph:
            return self
        return Antecedent(paragraph=sentence.paragraph)

    def name_for(self, pronoun: str) -> str:
        """The name a first word stands for, '' when it is no pronoun or not certain."""
        if pronoun in _PERSON and not self.is_ambiguous:
            return self.person
        return self.thing if pronoun == "it" else ""

    def after(self, subject: tuple[int, int] | None, tokens: Tokens, name: str) -> Antecedent:
        """As it is after a sentence with this subject (words of it); `name`: it was a pronoun."""
        if name:
            return self
        if subject is None:
            return self._replace(thing="") if self.thing else self
        parts = tokens.raw[subject[0] : subject[1]]
        said = " ".join(parts)
        if len(parts) > _LONGEST_NAME or not all(part[0].isupper() for part in parts):
            return self._replace(thing="")
        if not set(tokens.lower[subject[1] :]) & _SAID_OF_PEOPLE:
            return self._replace(thing=said)
        other = bool(self.person) and self.person != said
        return self._replace(person=said, thing=said, is_ambiguous=self.is_ambiguous or other)
