"""What is coming, for whom asks what is: the soonest first, before what only shares words with it.

'What have I got on next week?' has no word of 'The boiler man comes on 12 October.'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.base import TYPE_CHECKING, NamedTuple, replace
from vaultmem.judgement import MEETINGS, TASKS, Agenda, agenda_of, bounds_hours, is_about
from vaultmem.model import USER, Filters, Hit, NoteRow
from vaultmem.recall.enough import CURRENT, holds, holds_word
from vaultmem.recall.order import likely_replacements
from vaultmem.recall.replaced_by import instead

if TYPE_CHECKING:
    from vaultmem.vault import Vault

MOST_LISTED = 2_000  # items that are looked at, the newest; as a context does


_WISHES = ("rule", "procedure", "preference")
_MOST_BARRED = 3  # wishes about hours that are given first


class Coming(NamedTuple):
    """What has a day to come, and open tasks without one."""

    dated: list[NoteRow]  # the soonest first
    undated: list[NoteRow]


def coming_of(rows: Iterable[NoteRow], asked: Agenda, now: int) -> Coming:
    """What is due in the time asked about, or begins in it and has not yet; ties by id."""
    dated, undated = [], []
    for row in rows:
        is_ahead = row.valid_from is not None and row.valid_from > now
        at = row.valid_from if row.due is None and is_ahead else row.due
        if at is None:
            if row.kind == "task":
                undated.append(row)
        elif at >= asked.from_ms and (asked.until_ms is None or at < asked.until_ms):
            dated.append((at, row.id, row))
    return Coming([row for _, _, row in sorted(dated, key=lambda one: one[:2])], undated)


def with_agenda(
    vault: Vault,
    query: str,
    hits: Sequence[Hit],
    *,
    asked: Sequence[str],
    filters: Filters,
    limit: int,
    now: int,
) -> list[Hit] | None:
    """The hits, after what is coming in the time that a question asks about; None: it asks none.

    asked    its words that say what is asked, in lower case
    filters  those of the person, without statuses

    What a further word of the question names ('for the kitchen') goes first, with a day or without;
    what another one of them may have replaced, a moved appointment, behind that.
    """
    agenda = agenda_of(query, now, vault.settings.timezone)
    if agenda is None or (filters.types and "item" not in filters.types):
        return None
    listed = vault.index.list_cached(
        replace(filters, types=("item",), statuses=CURRENT), limit=MOST_LISTED
    )
    rows = [row for row in listed if row.trust in ("", USER) and holds(row, now)]
    coming = coming_of(rows, agenda, now)
    score = hits[0].score if hits else 1.0
    # Of a long talk each day is a hit: its best one, not the last.
    by_path = {hit.note.path: hit for hit in reversed(hits)}
    about = [word for word in asked if is_about(word, agenda)]
    topical = {hit.note.path for hit in hits if any(holds_word(hit.parts, word) for word in about)}
    dated = sorted(coming.dated, key=lambda row: _is_of_other_sort(row, agenda))
    for newer, older in likely_replacements(vault, dated):
        if dated.index(older) < dated.index(newer):
            dated.remove(older)
            dated.insert(dated.index(newer) + 1, older)
    first = [row for row in dated if row.path in topical]
    rest = [row for row in dated if row.path not in topical]
    if agenda.wants == TASKS and agenda.until_ms is None:
        rest += coming.undated
    named = [hit for hit in hits if hit.note.path in topical]
    if agenda.until_ms is not None:
        named = named[:1]
    order = [row.path for row in first]
    order += [hit.note.path for hit in named]
    if agenda.until_ms is None and about:  # 'what do I have to do about the tandem?'
        order += [hit.note.path for hit in hits]
    order += [row.path for row in rest]
    order += [hit.note.path for hit in hits]
    by_row = {row.path: row for row in (*first, *rest)}
    given = []
    for path in list(dict.fromkeys(order))[:limit]:
        hit = by_path.get(path)
        given.append(hit if hit is not None else instead(vault, by_row[path], score))
    return given


def with_barred_hours(
    vault: Vault, hits: Sequence[Hit], *, filters: Filters, now: int
) -> Sequence[Hit]:
    """The hits, after wishes that bar hours of the day, the newest first.

    'Is a 9 am slot ok for me?' has no word of 'Please never book me anything before ten.'
    """
    if filters.kinds or (filters.types and "item" not in filters.types):
        return hits
    listed = vault.index.list_cached(
        replace(filters, types=("item",), kinds=_WISHES, statuses=CURRENT), limit=MOST_LISTED
    )
    barred = [
        row
        for row in listed
        if row.trust in ("", USER) and holds(row, now) and bounds_hours(row.statement)
    ][:_MOST_BARRED]
    if not barred:
        return hits
    by_path = {hit.note.path: hit for hit in reversed(hits)}
    score = hits[0].score if hits else 1.0
    first = [by_path.get(row.path) or instead(vault, row, score) for row in barred]
    paths = {row.path for row in barred}
    return [*first, *(hit for hit in hits if hit.note.path not in paths)]


def _is_of_other_sort(row: NoteRow, agenda: Agenda) -> bool:
    """Whether something is a meeting where deadlines are asked for, or the other way round."""
    ends = row.kind == "event" and row.due not in (None, row.valid_from)  # 'lose it by 31 December'
    is_deadline = row.kind == "task" or ends
    return agenda.wants == (MEETINGS if is_deadline else TASKS)
