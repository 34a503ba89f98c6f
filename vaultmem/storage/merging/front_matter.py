"""Three versions of front matter in one: by key, lists as sets, the rest by a rule a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from vaultmem.base import PatchRefusedError, dataclass, replace
from vaultmem.language import fold, read_instant
from vaultmem.model import RELATIONS
from vaultmem.storage.merging import pieces
from vaultmem.storage.merging.bodies import excerpt
from vaultmem.storage.merging.columns import Column, columns
from vaultmem.storage.merging.pieces import START, Notice, Piece
from vaultmem.storage.notes import (
    TRUE_WORDS,
    Refusal,
    Value,
    compose,
    set_keys,
    texts,
    too_large,
    value_of,
)

# --- the lines of front matter cut into entries: a key each, and its comments as they stand ---

KEY, COMMENT = "key", "comment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """A block's entries in order, and what its keys say."""

    pieces: tuple[Piece, ...]
    values: Mapping[str, Value]


# Each key of a merged block is read alone as well, and a merge is tried again with each side.
# What may be read is at most `MAX_BLOCK_BYTES` long.
# With these and the last bodies kept as they were cut, a random merge with its checks takes 5.4 ms
# of CPU in place of 13.0.
_KEPT_BLOCKS = 64


@lru_cache(maxsize=_KEPT_BLOCKS)
def read_entries(block: str) -> Entries | None:
    """The entries of a block with LF line ends; None when it cannot be read line by line."""
    if too_large(len(block.encode())) is not None:
        return None
    root = compose(block)
    if isinstance(root, Refusal) or root.flow:
        return None
    pieces: list[Piece] = [Piece(kind=START, core="", gap="", name="\0start")]
    values: dict[str, Value] = {}
    place = 0
    for key, node in texts(root):
        start = block.rfind("\n", 0, key.start) + 1
        end = block.find("\n", max(key.end, node.end)) + 1 or len(block)
        if start < place or block[start : key.start].strip(" "):
            return None
        _add_between(pieces, block[place:start])
        core = block[start:end]
        pieces.append(_piece(KEY, core, name=key.text))
        values[key.text] = value_of(node, block)
        place = end
    _add_between(pieces, block[place:])
    return Entries(pieces=tuple(pieces), values=MappingProxyType(values))


def _add_between(pieces: list[Piece], text: str) -> None:
    """Comments as pieces of their own; blank lines go to the piece above."""
    for line in text.splitlines(keepends=True) if "\n" in text else [text] * bool(text):
        if line.strip():
            pieces.append(_piece(COMMENT, line))
        else:
            pieces[-1] = replace(pieces[-1], gap=pieces[-1].gap + line)


def _piece(kind: str, text: str, name: str = "") -> Piece:
    core = text.removesuffix("\n")
    return Piece(kind=kind, core=core, gap=text[len(core) :], name=name)


# --- which side stands, key by key ---

# Keys whose clash a rule can decide, so that no person is asked.

STATUS_ORDER = ("candidate", "active", "archived", "expired", "superseded", "retracted")
"""From weakest to strongest: of two changes, the one that says more about the item stands."""
TRUST_ORDER = ("untrusted", "web", "import", "limited", "agent", "user")
"""From lowest to highest: the lowest stands, so that merging never raises trust."""

Said = Mapping[str, Value]


def choose(name: str, base: Said, late: Said, early: Said) -> str | None:
    """'late' or 'early': whose value of this key stands; None when only a person can know."""
    one, other = late.get(name), early.get(name)
    if not isinstance(one, str) or not isinstance(other, str):
        return None
    if name == "status":
        return _higher(one, other, STATUS_ORDER)
    if name == "trust":
        return _higher(one, other, TRUST_ORDER[::-1])
    if name in ("pinned", "hard"):
        words = [word.casefold() in TRUE_WORDS for word in (one, other)]
        return _larger(*words)
    if name == "importance":
        return _larger(_number(one), _number(other))
    if name == "corrected_at":
        return _larger(_instant(one), _instant(other))
    # Both keys go by one date: a confidence with the other side's date would fade from a wrong day.
    if name in ("confidence", "confidence_at"):
        return _by_date(late.get("confidence_at"), early.get("confidence_at"), one, other)
    # An end that one device alone has set is a plan that changed, and is asked about
    # (test_an_end_that_only_one_device_has_seen_is_asked_about in test_rules.py).
    if name == "valid_until" and _has_ended(base, late) and _has_ended(base, early):
        dates = [_instant(one), _instant(other)]
        if dates[0] is not None and dates[1] is not None:
            return _larger(-dates[0], -dates[1])
    return None


def _higher(one: str, other: str, order: tuple[str, ...]) -> str | None:
    if one not in order or other not in order:
        return None
    return _larger(order.index(one), order.index(other))


def _larger(one: float | None, other: float | None) -> str | None:
    if one is None or other is None or one == other:
        return None
    return "late" if one > other else "early"


def _by_date(one_at: Value, other_at: Value, one: str, other: str) -> str | None:
    found = _larger(_instant(one_at), _instant(other_at))
    return found or _larger(_number(one), _number(other))


def _has_ended(base: Said, side: Said) -> bool:
    """Whether a side ended the item: its status is another than it was, and not active."""
    status = side.get("status")
    return status != base.get("status") and status in STATUS_ORDER[2:]


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    # NaN and the infinities fail this comparison, too: none of them is the larger number.
    return value if abs(value) < 1e15 else None


def _instant(value: Value) -> int | None:
    found = read_instant(value) if isinstance(value, str) and len(value) <= 40 else None
    return None if found is None else found.ms


LISTS = frozenset(
    ["category", "supersedes", "superseded_by", "source", "tags", "aliases", "entities", *RELATIONS]
)
# It follows the words where it stands in them on both sides: asked for beside them, two devices
# that reworded one item were asked twice.
VALUE = "object"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedBlock:
    """Merged front matter."""

    block: str
    lost: tuple[str, ...]  # lines that lost a clash and are to be kept elsewhere
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    base: Mapping[str, Value]
    late: Mapping[str, Value]
    early: Mapping[str, Value]
    kept_by_late: frozenset[str]  # lines that the later side's box keeps
    kept_by_early: frozenset[str]
    said: tuple[str, str] | None  # what the item says, late and early; None: that is no clash


def merge_blocks(
    base: str,
    late: str,
    early: str,
    *,
    kept_by_late: frozenset[str],
    kept_by_early: frozenset[str],
    said: tuple[str, str] | None = None,
) -> MergedBlock | None:
    """The merged lines between the fences, LF line ends; None when they cannot be merged by key.

    kept_by_...  lines that lost before, from the box in the text of that side
    said         the words of the late and the early side, where these clash and both are kept: a
                 value that stands in them follows the later ones, and is not asked about again
    """
    if late == early or early == base:
        return MergedBlock(block=late, lost=(), notices=())
    if late == base:
        return MergedBlock(block=early, lost=(), notices=())
    read = [each for each in map(read_entries, (base, late, early)) if each is not None]
    if len(read) < 3:
        return None
    sides = _Sides(
        base=read[0].values,
        late=read[1].values,
        early=read[2].values,
        kept_by_late=kept_by_late,
        kept_by_early=kept_by_early,
        said=said,
    )
    notices: list[Notice] = []
    lost: list[str] = []
    merged: list[Piece] = []
    found = columns(read[0].pieces, read[1].pieces, read[2].pieces, late_first=False)
    for column in found:
        piece = _entry(column, sides, notices, lost)
        if piece is not None:
            merged.append(piece)
    block = ""
    for piece in merged:
        if block and not block.endswith("\n"):
            block += "\n"
        block += piece.core + piece.gap
    if block and not block.endswith("\n"):
        block += "\n"
    # Lines that are whole by themselves may be read otherwise together, as where a value goes on in
    # the line below it.
    if not _says(read_entries(block), merged):
        return None
    return MergedBlock(block=block, lost=tuple(lost), notices=tuple(notices))


def _says(found: Entries | None, merged: Sequence[Piece]) -> bool:
    """Whether the merged lines are read as each of them is read alone."""
    if found is None:
        return False
    expected: dict[str, Value] = {}
    for piece in merged:
        if piece.kind == KEY:
            alone = read_entries(piece.core + "\n")
            if alone is None:
                return False
            expected.update(alone.values)
    return expected == found.values


def _entry(column: Column, sides: _Sides, notices: list[Notice], lost: list[str]) -> Piece | None:
    base, late, early = column.base, column.late, column.early
    if late is None or early is None:
        kept = late or early
        if kept is None or base is None:
            return kept
        if kept.core == base.core:
            return None
        return _merge_with_deletion(base, kept, sides.late if late else sides.early, sides, notices)
    gap = late.gap if base is None or late.gap != base.gap else early.gap
    core = late.core
    if late.core == early.core or (base is not None and early.core == base.core):
        core = late.core
    elif base is not None and late.core == base.core:
        core = early.core
    elif late.kind != KEY:
        core = f"{early.core}\n{late.core}" if late.kind == COMMENT else late.core
    else:
        core = _both_changed(late.name, base, late, early, sides, notices, lost)
        if not core:
            return None
    return replace(late, core=core, gap=gap)


def _merge_with_deletion(
    base: Piece, kept: Piece, values: Mapping[str, Value], sides: _Sides, notices: list[Notice]
) -> Piece | None:
    """An entry that one side deleted and the other one changed."""
    name = kept.name
    if kept.kind != KEY:
        return kept
    now, before = values.get(name), sides.base.get(name)
    if _is_list(name, now, before):
        fresh = tuple(text for text in _texts(now) if text not in _texts(before))
        core = _with_elements(kept, name, fresh) if fresh else ""
        return replace(kept, core=core) if core else None
    if now is None:
        return None
    notices.append(
        Notice(
            code=pieces.CONFLICT_DELETED,
            message=f"'{name}' was changed on one device and deleted on another, so kept",
        )
    )
    return kept


def _both_changed(
    name: str,
    base: Piece | None,
    late: Piece,
    early: Piece,
    sides: _Sides,
    notices: list[Notice],
    lost: list[str],
) -> str:
    """The lines of an entry that both sides changed; '' when nothing is left of it."""
    before, one, other = sides.base.get(name), sides.late.get(name), sides.early.get(name)
    if one == other:
        # One value in two spellings: the larger text stands, so that both devices write the same.
        larger, other_core = max(late.core, early.core), min(late.core, early.core)
        return _with_comments(larger, other_core) if isinstance(one, tuple) else larger
    if one is None or other is None:
        return early.core if one is None else late.core
    if _is_list(name, one, other):
        core = _as_sets(name, before, late, early, (one, other))
        if core is not None:
            return core
    if name == VALUE and _follows_words(one, other, sides.said):
        return late.core
    # A line that a box keeps has lost before; the side with that box has decided it.
    if early.core in sides.kept_by_late:
        return late.core
    if late.core in sides.kept_by_early:
        return early.core
    choice = choose(name, sides.base, sides.late, sides.early)
    if choice is not None:
        chosen, other_piece = (late, early) if choice == "late" else (early, late)
        notices.append(
            Notice(
                code=pieces.BY_RULE,
                message=f"set differently on two devices: {excerpt(chosen.core)} stands, "
                f"not {excerpt(other_piece.core)}",
            )
        )
        return chosen.core
    notices.append(
        Notice(
            code=pieces.CONFLICT_FIELD,
            message=f"'{name}' was set differently on two devices: {excerpt(late.core)} stands",
        )
    )
    lost.append(early.core)
    return late.core


def _follows_words(late: Value, early: Value, said: tuple[str, str] | None) -> bool:
    """Whether each side's value stands in its words, which are asked about already."""
    # Two devices that reworded one item were asked for the words and for the value in them.
    if said is None or not isinstance(late, str) or not isinstance(early, str):
        return False
    return all(
        value.strip() and fold(value) in fold(words)
        for value, words in zip((late, early), said, strict=True)
    )


def _is_list(name: str, one: Value, other: Value) -> bool:
    if name in LISTS:
        return True
    return isinstance(one, tuple) and (other is None or isinstance(other, tuple))


def _texts(value: Value) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else (value,)


def _as_sets(
    name: str, before: Value, late: Piece, early: Piece, values: tuple[Value, Value]
) -> str | None:
    """The entry with the elements of both, without those that either side took away."""
    sets = [_texts(each) for each in (before, *values)]
    found = columns(*(_elements(each) for each in sets), late_first=False)
    merged = tuple(
        (column.late or column.early or column.base).core  # type: ignore[union-attr]
        for column in found
        if column.base is None or (column.late is not None and column.early is not None)
    )
    if merged == sets[1]:
        core: str | None = late.core
    elif merged == sets[2]:
        core = early.core
    else:
        core = _with_elements(late, name, merged)
    if core is None:
        return None
    return _with_comments(_with_comments(core, late.core), early.core)


def _with_comments(core: str, other: str) -> str:
    """The rows of a list with the comments of another one, each below the row that it followed.

    Below the last row it would be of no list, and come once more with the next merge.
    """
    rows = core.split("\n")
    for above, row in pairwise(other.split("\n")):
        if row.lstrip().startswith("#") and row not in rows:
            place = rows.index(above) + 1 if above in rows else 1
            rows.insert(place if place < len(rows) else max(1, len(rows) - 1), row)
    return "\n".join(rows)


def _elements(texts: Sequence[str]) -> list[Piece]:
    return [Piece(kind="element", core=text, gap="", name=text) for text in texts]


def _with_elements(piece: Piece, name: str, elements: tuple[str, ...]) -> str | None:
    """The lines of an entry with other elements; what stays keeps its spelling."""
    block = piece.core + "\n"
    root = compose(block)
    if isinstance(root, Refusal):
        return None
    try:
        return set_keys(block, root, {name: elements}, eol="\n").removesuffix("\n")
    except PatchRefusedError:
        return None
