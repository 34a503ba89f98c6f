"""What tells of a memory comes after the memory itself: records of talks, an assistant's turns."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base.records import replace
from vaultmem.model.answers import Hit, NoteRow, Passage
from vaultmem.model.talks.episode import is_episode

# Of its score. What a talk was about has words of all that was said in it, and an assistant
# repeats the words of a question without knowing anything.
_EPISODE = 0.5
_ASSISTANT = 0.5
_SPEAKERS = frozenset({"assistant", "ai", "bot", "model", "system", "tool"})


def memories_first(hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits by their scores, after records of talks and turns of assistants lost some."""
    shares = [_share(hit) for hit in hits]
    if all(share == 1.0 for share in shares):
        return hits
    lowered = [
        hit if share == 1.0 else replace(hit, score=hit.score * share)
        for hit, share in zip(hits, shares, strict=True)
    ]
    return sorted(lowered, key=lambda hit: -hit.score)


def is_record(note: NoteRow, passage: Passage | None) -> bool:
    """Whether it only tells of a memory: the record of a talk, a turn of an assistant."""
    if note.type == "item":
        return is_episode(note.statement)
    return passage is not None and passage.speaker.casefold() in _SPEAKERS


def _share(hit: Hit) -> float:
    if not is_record(hit.note, hit.passages[0] if hit.passages else None):
        return 1.0
    return _EPISODE if hit.note.type == "item" else _ASSISTANT
