"""'The user prefers pnpm': what an assistant writes about the person, as they would say it.

Cues and slots know how people speak of themselves. An assistant's note says the same in the third
person, so it is read as 'I prefer pnpm'; its words are kept as they are.
"""

from __future__ import annotations

from vaultmem import judgement
from vaultmem.extract.cue_patterns import RELATIONS, Tokens, words

_PRONOUNS = words("they he she")
_IRREGULAR = {
    "is": "am",
    "are": "am",
    "has": "have",
    "does": "do",
    "doesn't": "don't",
    "isn't": "am not",
    "goes": "go",
    "their": "my",
    "his": "my",
    "her": "my",
    "themselves": "myself",
}
_OF_SOMEBODY = frozenset(("kin", "pet"))
_PEOPLE = RELATIONS | words("called named met hired colleague boss manager neighbour neighbor")
_AS_IT_IS = words("was always usually sometimes often also as plus this us news business")
_VERB_WITHIN = 3  # words after the subject: 'the user still never uses'
_BY_SINGULAR = {"are": "is", "have": "has", "were": "was", "don't": "doesn't", "aren't": "isn't"}


def is_of_user(tokens: Tokens) -> bool:
    """Whether a sentence begins with the user as its subject or owner."""
    return tokens.at(_place(tokens)) == "user"


def may_mean_user(tokens: Tokens, *, before: bool) -> bool:
    """Whether a pronoun that begins the next sentence can only mean the user.

    before  whether it did at the beginning of this sentence
    After 'The user has two sons.' 'they' are the sons, and after 'his boss' 'she' is the boss.
    """
    if is_of_user(tokens):
        rest = tokens.lower[_place(tokens) + 1 :]
    elif before and tokens.at(0) in _PRONOUNS:
        rest = tokens.lower[1:]
    else:
        return False
    if rest[:1] == ("'s",) and not _is_verb_after(tokens, _place(tokens) + 2):
        return False

    others = any(_OF_SOMEBODY & set(judgement.signs_of(word)) for word in rest) or bool(
        set(rest) & _PEOPLE
    )
    return not (others or any(_is_plural(word) for word in rest[1:]))


def as_first_person(tokens: Tokens, *, follows_user: bool) -> Tokens | None:
    """The words as the person would say them, at their places; None: it is not about them.

    follows_user  the sentence before was about the user, so that a pronoun means them
    """
    if is_of_user(tokens):
        last = _place(tokens)
    elif follows_user and tokens.at(0) in _PRONOUNS:
        last = 0
    else:
        return None
    is_owner = tokens.at(last + 1) == "'s" and not _is_verb_after(tokens, last + 2)
    first, rest = ("my", last + 2) if is_owner else ("i", last + 1)
    lower = [first, *tokens.lower[rest:]]
    for i in range(1, len(lower)):
        lower[i] = _first_person_word(lower[i], is_verb=not is_owner and i <= _VERB_WITHIN)
    said = tuple(lower)
    return Tokens(
        lower=said,
        raw=(first.capitalize(), *tokens.raw[rest:]),
        start=(tokens.start[0], *tokens.start[rest:]),
        end=(tokens.end[rest - 1], *tokens.end[rest:]),
        present=frozenset(said),
    )


def with_user(statement: str) -> str:
    """A statement that begins with a pronoun for the user, with the user named instead.

    'They use Vim.' stays: its verb would have to change.
    """
    pronoun, _, rest = statement.partition(" ")
    if pronoun.lower() not in _PRONOUNS:
        return statement
    if pronoun.lower() != "they":
        return f"The user {rest}"
    verb, _, said = rest.partition(" ")
    return f"The user {_BY_SINGULAR[verb]} {said}" if verb in _BY_SINGULAR else statement


def _place(tokens: Tokens) -> int:
    return 1 if tokens.at(0) == "the" else 0


def _is_verb_after(tokens: Tokens, i: int) -> bool:
    """Whether 's is 'is': 'the user's allergic', 'the user's a nurse'."""
    return tokens.at(i) in ("a", "an", "the", "not", "allergic", "now", "from", "vegan")


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _first_person_word(word: str, *, is_verb: bool) -> str:
    """A word of the third person in the first: 'prefers' is 'prefer', 'their' is 'my'."""
    if word in ("their", "his", "her"):
        return "my"
    if not is_verb or word in _AS_IT_IS:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes", "zzes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "'s", "us")) else word
