"""A question asked in a project: what was told there goes first, what belongs to another last.

What was told nowhere in particular stays where its words put it, and so does whatever somebody
must not overlook. A question that names another project asks about that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.language import content_words, fold
from vaultmem.model import (
    NO_PROJECT,
    Filters,
    Found,
    LateParts,
    NoteRow,
    Part,
    are_apart,
    is_told_in,
    short_name,
)
from vaultmem.recall.ask_index import LEAST_PASSAGES, PASSAGES_A_HIT, Passages, passages_for

if TYPE_CHECKING:
    from pathlib import PurePosixPath as Path

    from vaultmem.history import Snapshot
    from vaultmem.model import Passage
    from vaultmem.vault import Vault

    QuotedBy = Mapping[tuple[Path, int], Sequence[tuple[NoteRow, Passage]]]

# Of two repositories with forty statements each, alike but for their values, the own one is first
# from 1.1 and .9 on. Of the other one, what has all words of a question stays before what has two
# of four.
_OWN = 0.25  # that a score gains
_OTHERS = 0.4  # that it loses
_LEAST_NAME = 3  # letters of a name that a question may be taken to say


class Asking:
    """A question, and the project that it is asked in."""

    def __init__(self, project: str, query: str) -> None:
        self.project = project
        self._words = frozenset(content_words(query)) | frozenset(fold(query).split())

    def gain(self, note: NoteRow) -> float:
        """The share of its score that a note gains, or loses, by where it was told."""
        if not note.projects:
            return 0.0
        if not self.is_of_another(note):
            return _OWN
        if note.critical or note.hard or note.pinned or any(map(self._names, note.projects)):
            return 0.0
        return -_OTHERS

    def is_of_another(self, note: NoteRow) -> bool:
        """Whether it was told in another project, and not in this one."""
        return are_apart(note.projects, (self.project,))

    def weigh(self, found: Sequence[Found], notes: Mapping[Path, NoteRow]) -> Sequence[Found]:
        """The passages by what they are worth here, best first; none comes or goes.

        Passages and not hits: of a conversation held in another project the item that speaks for
        it may belong to none.
        """
        gains = [self.gain(notes[one.path]) if one.path in notes else 0.0 for one in found]
        if not any(gains):
            return found
        weighed = [
            self._with_gain(one, notes[one.path], gain) if gain else one
            for one, gain in zip(found, gains, strict=True)
        ]
        return sorted(weighed, key=lambda one: -one.score)  # ties stay in the order found

    def with_own_passages(
        self,
        vault: Vault,
        query: str,
        passages: Passages,
        *,
        limit: int,
        filters: Filters,
        snapshot: Snapshot | None,
    ) -> Passages:
        """What was found, and what of this project alone: where as many others have the same words
        ("we use ... for the tests"), none of its own may be among the first.
        """
        is_full = len(passages.found) >= max(limit * PASSAGES_A_HIT, LEAST_PASSAGES)
        if not is_full or filters.projects:
            return passages
        here = replace(filters, projects=(self.project,))
        own = passages_for(
            vault, query, limit=limit, filters=here, snapshot=snapshot, by_sense=False
        )
        known = {(one.path, one.passage.seq) for one in passages.found}
        new = [one for one in own.found if (one.path, one.passage.seq) not in known]
        return passages._replace(found=[*passages.found, *new]) if new else passages

    @staticmethod
    def _with_gain(one: Found, note: NoteRow, gain: float) -> Found:
        why = f"told in {' and '.join(note.projects)}"
        part = Part(name="project", value=gain * one.score, note=why)
        parts = LateParts(lambda: (*one.parts, part))
        return replace(one, score=one.score * (1 + gain), parts=parts)

    def _names(self, project: str) -> bool:
        """Whether the question says the name of a project."""
        name = fold(short_name(project))
        said = [word for word in name.replace("_", "-").replace(".", "-").split("-") if word]
        return len(name) >= _LEAST_NAME and (name in self._words or self._words.issuperset(said))


def quoting_within(quoted_by: QuotedBy, projects: Sequence[str]) -> QuotedBy:
    """The items that quote a passage, of these projects: where they are filtered by, no other may
    speak for what was told there."""
    return {
        place: tuple(each for each in quoting if _passes(each[0], projects))
        for place, quoting in quoted_by.items()
    }


def _passes(note: NoteRow, projects: Sequence[str]) -> bool:
    if not note.projects:
        return NO_PROJECT in projects
    return is_told_in(note.projects, projects)
