"""Other words that a word of a question may be answered by, for a share of its weight.

A group of words counts as one word more: each passage that holds any of them gains once, so a long
list neither costs more nor weighs more than a short one. Whatever knows words that go together (a
thesaurus, neighbours by vectors) can give groups of its own, one for each strength.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vaultmem.base import NamedTuple, Protocol
from vaultmem.language import Stems, phrases

# On LoCoMo every share from .3 to .7 gains; see measurements.
SHARE = 0.5
# A life is told in a sentence each, and asked about in other words than it was told; of talks of
# many turns, which repeat the words that are asked, the words themselves find more.
MOST_PASSAGES_A_NOTE = 4
MOST_TOLD = 5_000  # passages: long lists of words cost what they find


def is_told_singly(passages: int, notes: int) -> bool:
    """Whether most notes of an index are single statements, and not too many."""
    # Words of the domains and phrases of questions cost R@10 .013 in talks of many turns. Among
    # single statements 47 of 60 pairs were found with them and 24 without.
    return passages <= min(MOST_TOLD, MOST_PASSAGES_A_NOTE * notes)


class Group(NamedTuple):
    """Words that stand for a word of a question."""

    stems: frozenset[str]
    share: float  # of the weight of the word that they stand for
    note: str  # what they are to it, with a place for it: "another word for '{}'"
    covers: float = 1.0  # how much of what they gain says that the question has an answer
    is_instead: bool = False  # they count only where the word itself is not
    holds: float = 0.0  # in place of `covers`: how much of the word itself holding them is
    in_talks: float | None = None  # `share` where talks are searched; None: the same
    stems_in_talks: frozenset[str] | None = None  # `stems` where talks are; None: the same

    def where(self, *, told_singly: bool) -> tuple[frozenset[str], float]:
        """Its words and its share in an index of single statements, or of talks."""
        if told_singly:
            return self.stems, self.share
        stems = self.stems if self.stems_in_talks is None else self.stems_in_talks
        return stems, self.share if self.in_talks is None else self.in_talks


class Relations(Protocol):
    """Knows words that stand for other words."""

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """The words that may stand for words of this stem; it is in none of them."""

    def answer_groups(self, said: Sequence[str]) -> Sequence[Group]:
        """Words that answer phrases of a question, whose words come without accents."""

    def knows(self, stem: str) -> bool:
        """Whether it is the stem of a word, so that nobody misspelt another one."""

    def near_spellings(self, stem: str) -> Sequence[str]:
        """The stems of usual words that one edit leads to, ascending."""


class Tables:
    """The relations of `related_words`, by the stems of an index."""

    def __init__(self, stems: Stems) -> None:
        self._stems = stems
        self._forms: dict[str, frozenset[str]] = {}
        self._kinds: dict[str, str] = {}  # members as they are written, by the stem of a head
        self._members: dict[str, frozenset[str]] = {}  # stems, by first letters
        self._read: set[str] = set()  # first letters
        self._lines: defaultdict[str, list[list[str]]] = defaultdict(list)  # by first letters
        said = phrases("related")
        for line in said["forms"]:
            words = line.split()
            for letter in {word[0] for word in words}:
                self._lines[letter].append(words)
        self._heads = [line.partition(":")[::2] for line in said["kinds"]]

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """Forms of the same word first, then what goes by a general word."""
        if stem[:1] not in self._read:
            self._read_lines(stem[:1])
        found = []
        forms = self._forms.get(stem)
        if forms:
            found.append(Group(forms - {stem}, SHARE, "another word for '{}'"))
        members = self._kinds.get(stem)
        if members:
            of_kind = frozenset(self._stems.many(members.split()))
            found.append(Group(of_kind - {stem}, SHARE, "goes with '{}'"))
        return found

    def answer_groups(self, said: Sequence[str]) -> Sequence[Group]:
        """It knows no phrases."""
        return ()

    def near_spellings(self, stem: str) -> Sequence[str]:
        """It has too few words to tell."""
        return ()

    def knows(self, stem: str) -> bool:
        """Whether a table has it, as what is asked or as what goes by it."""
        # 'Class', in a vault without it, was answered by 'claps', which nobody meant.
        if self.groups(stem):
            return True
        letter = stem[:1]
        if letter not in self._members:
            members = [one for _, text in self._heads for one in text.split() if one[0] == letter]
            self._members[letter] = frozenset(self._stems.many(members))
        return stem in self._members[letter]

    def _read_lines(self, letter: str) -> None:
        """Read what is of words that begin so: stemming cuts endings, and all lines take 2 ms."""
        self._read.add(letter)
        forms: defaultdict[str, set[str]] = defaultdict(set)
        for words in self._lines.get(letter, ()):
            stems = self._stems.many(words)
            for stem in stems:
                if stem.startswith(letter):
                    forms[stem].update(stems)
        self._forms.update((stem, frozenset(others)) for stem, others in forms.items())
        for heads, members in self._heads:
            for stem in self._stems.many([h for h in heads.split() if h.startswith(letter)]):
                self._kinds[stem] = f"{self._kinds.get(stem, '')} {members}"
