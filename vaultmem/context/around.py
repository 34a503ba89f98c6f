"""What was said around what answers: the rest of a turn, and the turns beside it.

People tell a thing in several sentences, and only one of them names it: 'Cody rides along.' and,
two turns on, 'Keep him clear of tree nuts.'. And of what they told not every sentence became an
item: it is kept whole in its text, and given from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from vaultmem import judgement, recall
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.language import canonical, sentences
from vaultmem.model import USER, Filters, Found, Hit

if TYPE_CHECKING:
    from pathlib import PurePosixPath as Path

    from vaultmem.context.lines import LineMaker
    from vaultmem.model import Line, NoteRow, Passage
    from vaultmem.recall import QuotedBy
    from vaultmem.vault import Parts

_CLOSE = 0.5  # of the best score: passages that are looked around in
_MOST_LOOKED = 8
_BESIDE = 2  # passages to either side: a turn of the person, one of an assistant between
# With what was said around it, .929 of what contexts of five strangers must hold is given in place
# of .857; 'Cody rides along' came without 'keep him clear of tree nuts', two turns on.
_SAME_TURN, _NEXT_TURN = 0.7, 0.5  # of the score of the passage that answers
_TEXTS = 120  # the newest ones: a day holds a few
_MOST_SAID = 60  # lines of what became no item
_MOSTLY = 0.5  # of a sentence, from which quotes inside it tell it
# Chance of being worth keeping, below which a sentence is not given where room is left.
# Of 76 sentences of nine people that became no item .02 leaves out 19 of 35 that say nothing, and 6
# of 41 others, all of them like 'Iron overload, see.'.
_LEAST_WORTH = 0.02
_LEAST_WORTH_BESIDE = 0.1  # beside what answers, before what is known
_MOST_WEIGHT = 5  # points of importance of what is surely worth keeping: about an item's


def lines_around(parts: Parts, found: Sequence[Found], maker: LineMaker) -> list[Line]:
    """Lines of what was said in the same turn as the best passages, or in one beside it.

    found  what a question found, best first; each line scores below what it stands beside
    """
    best = max((one.score for one in found), default=0.0)
    close = [one for one in found if best > 0 and one.score >= _CLOSE * best][:_MOST_LOOKED]
    made: dict[object, Line] = {}
    for place in _texts_of(parts, close):
        for line in _of_place(parts, place, maker):
            key = line.path, line.text
            if key not in made or line.score > made[key].score:
                made[key] = line
    return sorted(made.values(), key=lambda line: -line.score)


def lines_said(parts: Parts, maker: LineMaker, *, skip: Iterable[Path] = ()) -> list[Line]:
    """What the person said and no item holds, the newest text first."""
    skipped = set(skip)
    listed = parts.index.list_cached(Filters(types=("resource",)), limit=_TEXTS)
    rows = sorted(listed, key=lambda row: (-(row.date or 0), str(row.path)))
    lines = (
        line
        for row in rows
        if row.path not in skipped and _is_own(row) and not maker.is_of_another(row)
        for line in _untold(parts, row, parts.index.passages(row.path), maker)
    )
    return list(islice(lines, _MOST_SAID))


def _is_own(row: NoteRow) -> bool:
    return row.type == "resource" and row.status in ("", "active") and row.writer == "person"


def _texts_of(
    parts: Parts, close: Sequence[Found]
) -> list[tuple[NoteRow, Passage, float, tuple[Passage, ...]]]:
    """Texts of the person with the passage that answers, its score, and all passages.

    An item answers for the passage that it quotes.
    """
    rows = parts.index.notes({one.path for one in close})
    places = []
    for one in close:
        row = rows.get(one.path)
        if row is None:
            continue
        if row.type == "item":
            text = next((parts.index.resolve_link(name) for name in row.source), None)
            if text is None or not _is_own(text):
                continue
            passages = parts.index.passages(text.path)
            quote = canonical(row.quote)
            own = next((each for each in passages if quote in canonical(each.text)), None)
            if own is not None and quote:
                places.append((text, own, one.score, passages))
        elif _is_own(row):
            places.append((row, one.passage, one.score, parts.index.passages(row.path)))
    return places


def _of_place(
    parts: Parts, place: tuple[NoteRow, Passage, float, tuple[Passage, ...]], maker: LineMaker
) -> list[Line]:

    row, own, score, passages = place
    near = [each for each in passages if abs(each.seq - own.seq) <= _BESIDE]
    found = [Found(path=row.path, passage=each, score=score) for each in near]
    quoting = parts.index.quoting(found)
    lines: list[Line | None] = []
    for one in found:
        share = _SAME_TURN if one.passage.seq == own.seq else _NEXT_TURN
        for each in quoting.get((row.path, one.passage.seq), ()):
            if each.note.trust == USER and recall.holds(each.note, parts.clock.now()):
                lines.append(maker.due(each.note, share * score))
        told = _untold(
            parts, row, (one.passage,), maker, score=share * score, least=_LEAST_WORTH_BESIDE
        )
        lines += told
    return [line for line in lines if line is not None]


def _untold(
    parts: Parts,
    row: NoteRow,
    passages: Sequence[Passage],
    maker: LineMaker,
    *,
    score: float = 0.0,
    least: float = _LEAST_WORTH,
) -> list[Line]:
    """Lines of the sentences of the person's own passages that no item holds."""
    own = [each for each in passages if each.speaker.casefold() in ("", "user")]
    found = [Found(path=row.path, passage=each, score=score) for each in own]
    quoting = parts.index.quoting(found)
    lines = []
    for one in own:
        held = [each.note for each in quoting.get((row.path, one.seq), ())]
        told = {canonical(text) for note in held for text in (note.quote, note.said_after) if text}
        over = [canonical(note.quote) for note in held if note.quote and maker.is_doubted(note)]
        worth = {
            said: _worth(said)
            for said in sentences(one.text)
            if not said.endswith("?")
            and not said.startswith("#")
            and not _is_told(canonical(said), told)
            and not any(one in canonical(said) for one in over)
        }
        left = [said for said, keep in worth.items() if keep >= least]
        if left and not _is_over(parts, row, one, quoting):
            line = maker.verbatim(
                row,
                replace(one, text=" ".join(left)),
                score,
                beside=[note for note in held if note.trust == USER],
                place=one.text.find(left[0]),
            )
            weight = 1 + int(_MOST_WEIGHT * max(worth[said] for said in left))
            lines += [replace(line, importance=weight)] if line is not None else []
    return lines


def _is_over(parts: Parts, row: NoteRow, passage: Passage, quoting: QuotedBy) -> bool:
    """Whether a text says what was deleted, corrected or ended since."""

    found = [Found(path=row.path, passage=passage, score=1.0)]
    hits = [Hit(note=row, score=1.0, passages=(passage,))]
    now = parts.clock.now()
    return bool(recall.with_outdated(parts, hits, found, quoting, now, of_items=False)[0].outdated)


@lru_cache(maxsize=1 << 12)
def _worth(said: str) -> float:
    """The chance that a sentence is worth keeping: 2 ms, and asked again at each context."""

    return judgement.judge_worth(said).keep


def _is_told(said: str, told: Iterable[str]) -> bool:
    inside = [one for one in told if one in said]
    return sum(map(len, inside)) >= _MOSTLY * len(said) or any(said in one for one in told)
