"""Three versions of the text of a note in one.

What only one side changed is taken from it; what both changed is merged inside the piece, or
else the later version stays and the other one is kept in a box below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.base import dataclass, replace
from vaultmem.storage.merging.columns import Column, columns, match
from vaultmem.storage.merging.pieces import (
    BULLET,
    CODE,
    CONFLICT_DELETED,
    CONFLICT_TEXT,
    FIELDS,
    MANAGED,
    PROSE,
    Notice,
    Piece,
    Version,
    combine_versions,
    cut,
    cut_block,
    join_pieces,
    version,
)

# Three versions of a few lines in one, where they do not touch each other (diff3).
#
# Khanna, Kunal and Pierce 2007, section 2: what is unchanged on both sides cuts the text into
# chunks; a chunk that both sides changed, differently, is a clash.


def merge_lines(
    base: Sequence[str], late: Sequence[str], early: Sequence[str], *, keeps_both: bool = False
) -> list[str] | None:
    """The lines with the changes of both sides; None when they clash.

    keeps_both  whether lines that both sides add at one place may follow each other
    """
    if late == base:
        return list(early)
    if early in (base, late):
        return list(late)
    to_late, to_early = dict(match(base, late)), dict(match(base, early))
    merged: list[str] = []
    b = i = j = 0
    stable = [place for place in sorted(to_late) if place in to_early]
    for place in [*stable, len(base)]:
        i1 = to_late.get(place, len(late)) if place < len(base) else len(late)
        j1 = to_early.get(place, len(early)) if place < len(base) else len(early)
        chunk = _chunk(base[b:place], late[i:i1], early[j:j1], keeps_both=keeps_both)
        if chunk is None:
            return None
        merged += chunk
        if place < len(base):
            merged.append(base[place])
        b, i, j = place + 1, i1 + 1, j1 + 1
    return merged


def _chunk(
    base: Sequence[str], late: Sequence[str], early: Sequence[str], *, keeps_both: bool
) -> Sequence[str] | None:
    if early in (base, late):
        return late
    if late == base:
        return early
    # Both sides added something here. What one of them has among its own lines is the same
    # addition, so that a merge that is made again adds nothing.
    if not base and keeps_both:
        if set(early) <= set(late):
            return late
        return early if set(late) <= set(early) else [*early, *late]
    return None


_BULLET = re.compile(
    r"(?P<lead>[ \t]*(?:>[ \t]*)*)(?P<marker>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)"
    r"(?P<box>\[.\][ \t]+)?(?P<text>.*?)"
    r"(?P<id>(?:[ \t]+\^[A-Za-z0-9-]+)*[ \t]*)"
)
_MORE = re.compile(r"[-*+][ \t]+(?:…|\.\.\.) and (\d{1,9}) more[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
MOST_LINES, MOST_PIECES = 40_000, 20_000
"""Beyond these a text is merged by lines only, so that 1 MB takes no more than 2 s."""
_SHOWN = 60  # characters of a text in a notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """By what a clash is settled: when either side was last committed, UTC ms, and by whose words.

    follows  names of list lines that say what another note says: of these a clash asks nothing
    """

    late: int
    early: int
    follows: frozenset[str] = frozenset()


def merge_bodies(
    base: str,
    late: str,
    early: str,
    *,
    terms: Terms,
    late_first: bool,
    lost: Sequence[Version] = (),
) -> tuple[str, list[Notice]] | None:
    """The merged text and notices; None when a code block or comment never
    ends, or the text is too large for this.

    lost  lines of front matter that lost a clash: kept in a box at the end
    """
    if late == early and not lost:
        return late, []
    notices: list[Notice] = []
    if late == base or early == base:
        chosen = early if late == base else late
        if not lost:
            return chosen, []
        # Nothing of the text clashes: it is cut into pieces only so that the box of front matter
        # finds its place in it.
        base = late = early = chosen
    texts = (base, late, early)
    if any(text.count("\n") > MOST_LINES for text in texts):
        return None
    pieces = [found for found in map(cut, texts) if found is not None]
    if len(pieces) < 3 or any(len(each) > MOST_PIECES for each in pieces):
        return None
    merged = _merge_pieces(pieces[0], pieces[1], pieces[2], terms, late_first, notices)
    if lost:
        merged = _with_lost(merged, lost)
    return join_pieces(merged), notices


def _merge_pieces(
    base: Sequence[Piece],
    late: Sequence[Piece],
    early: Sequence[Piece],
    terms: Terms,
    late_first: bool,
    notices: list[Notice],
) -> list[Piece]:
    found = columns(base, late, early, late_first=late_first)
    pieces = [_piece(column, terms, notices) for column in found]
    return [piece for piece in pieces if piece is not None]


def _piece(column: Column, terms: Terms, notices: list[Notice]) -> Piece | None:
    """The merged piece of a column; None: it is deleted."""
    base, late, early = column.base, column.late, column.early
    if late is None or early is None:
        kept = late or early
        if kept is None or base is None:
            return kept
        # A box below it that was resolved, or that came, is a change like one of the words.
        if kept.core == base.core and kept.others == base.others:
            return None
        if kept.core and kept.name not in terms.follows:
            notices.append(
                Notice(
                    code=CONFLICT_DELETED,
                    message="changed on one device and deleted on another, so kept: "
                    + excerpt(kept.core),
                )
            )
        return kept
    others = combine_versions(base.others if base else (), late.others, early.others)
    core, loser = _core(base, late, early, terms, notices)
    if loser is not None:
        others = combine_versions((), others, (loser,))
    gap = _gap(base.gap if base else None, late.gap, early.gap)
    tail = _gap(base.tail if base else None, late.tail, early.tail)
    # Below a list line the box stands directly, and belongs to it in Markdown; below prose it has
    # to be a paragraph of its own.
    if others and late.kind != FIELDS and "\n" not in tail:
        tail = "\n" if late.kind == BULLET else "\n\n"
    if not others:
        gap = gap if gap or not tail else tail
        tail = ""
    named = late.name or early.name
    return replace(late, core=core, gap=gap, tail=tail, others=others, name=named)


def _gap(base: str | None, late: str, early: str) -> str:
    """Blank lines: those of the side that changed them, else the longer ones."""
    if late == base:
        return early
    if early == base:
        return late
    # The text itself decides last, so that both devices choose the same gap.
    return max(late, early, key=lambda gap: (gap.count("\n"), len(gap), gap))


def _core(
    base: Piece | None, late: Piece, early: Piece, terms: Terms, notices: list[Notice]
) -> tuple[str, Version | None]:
    """The merged text of a piece, and the version that lost."""
    if late.core == early.core or (base is not None and early.core == base.core):
        return late.core, None
    if base is not None and late.core == base.core:
        return early.core, None
    # The words of this side lost to these before and stand in their box: that is not asked about
    # again (test_a_clash_that_is_shown_already_is_not_asked_about_again in test_rules.py).
    if any(early.core == each.text for each in late.others):
        return late.core, None
    if any(late.core == each.text for each in early.others):
        return early.core, None
    merged = _inside(base, late, early, terms, notices)
    if merged is not None:
        return merged, None
    if late.kind == BULLET and late.name in terms.follows:
        return late.core, None  # the note that it follows keeps both
    notices.append(
        Notice(
            code=CONFLICT_TEXT,
            message=f"changed differently on two devices: {excerpt(late.core)}",
        )
    )
    return late.core, version(early.core, terms.early)


def _inside(
    base: Piece | None, late: Piece, early: Piece, terms: Terms, notices: list[Notice]
) -> str | None:
    """Both changes to one piece in one text; None when they clash."""
    if late.kind == MANAGED and early.kind == MANAGED:
        return _merge_managed_block(base, late, early, terms, notices)
    if late.kind == BULLET:
        found = _bullet(base.core if base else None, late.core, early.core)
        if found is not None or base is None:
            return found
    if base is None or late.kind not in (BULLET, PROSE, CODE) or "\n" not in base.core:
        return None
    rows = [piece.core.split("\n") for piece in (base, late, early)]
    is_table = all(len(each) > 1 and _TABLE_RULE.fullmatch(each[1]) for each in rows)
    # A row says something by its columns: under another head it would say something else.
    if is_table and not all(each[:2] == rows[0][:2] for each in rows):
        return None
    merged = merge_lines(rows[0], rows[1], rows[2], keeps_both=is_table)
    return None if merged is None else "\n".join(merged)


def _bullet(base: str | None, late: str, early: str) -> str | None:
    """Words, tick and block id of a list line merge each for itself."""
    if base is None:
        # The line that counts what a full list leaves out is derived, so the larger number stands.
        more = [_MORE.fullmatch(each) for each in (late, early)]
        if more[0] and more[1]:
            return max(late, early, key=lambda text: (int(_MORE.fullmatch(text)[1]), text))  # type: ignore[index]
    versions = [late, early] if base is None else [base, late, early]
    found = [_BULLET.fullmatch(each.partition("\n")[0]) for each in versions]
    rests = [each.partition("\n")[1] + each.partition("\n")[2] for each in versions]
    texts: list[dict[str, str]] = []
    for match_, rest in zip(found, rests, strict=True):
        if match_ is None:
            return None
        parts = {name: text or "" for name, text in match_.groupdict().items()}
        texts.append({**parts, "rest": rest})
    merged = ""
    for name in ("lead", "marker", "box", "text", "id", "rest"):
        values = [each[name] for each in texts]
        chosen = _pick_changed(values, free=name not in ("text", "rest"))
        if chosen is None:
            return None
        merged += chosen
    return merged


def _pick_changed(values: list[str], *, free: bool) -> str | None:
    """The changed one of values (base first if there are three); of two, the longer if free."""
    *base, late, early = values
    if late == early or [early] == base:
        return late
    if [late] == base:
        return early
    if free:
        return max(late, early, key=lambda text: (len(text), text))
    return None


def _merge_managed_block(
    base: Piece | None, late: Piece, early: Piece, terms: Terms, notices: list[Notice]
) -> str | None:
    """The managed block: its lines go by their links, as a set; its marks stay."""
    inner: list[tuple[str, tuple[Piece, ...], str]] = []
    for piece in (base, late, early):
        if piece is None:
            inner.append(("", (), ""))
            continue
        first, _, rest = piece.core.partition("\n")
        body, _, last = rest.rpartition("\n")
        cut_ = cut_block(body + "\n" if body else "")
        if cut_ is None:
            return None
        inner.append((first, cut_, last))
    merged = _merge_pieces(inner[0][1], inner[1][1], inner[2][1], terms, True, notices)
    return f"{inner[1][0]}\n{join_pieces(merged)}{inner[1][2]}"


def _with_lost(pieces: list[Piece], lost: Sequence[Version]) -> list[Piece]:
    """The pieces with a box for lines of front matter, added to the one that is there."""
    for place, piece in enumerate(pieces):
        if piece.kind == FIELDS:
            others = combine_versions((), piece.others, lost)
            pieces[place] = replace(piece, others=others)
            return pieces
    if pieces and text_ends_open(pieces[-1]):
        pieces[-1] = replace(pieces[-1], gap=pieces[-1].gap.rstrip(" \t") + "\n")
    if pieces and pieces[-1].core and pieces[-1].gap.count("\n") < 2:
        pieces[-1] = replace(pieces[-1], gap=pieces[-1].gap + "\n")
    box = combine_versions((), lost, ())
    return [*pieces, Piece(kind=FIELDS, core="", gap="\n", name=FIELDS, others=box)]


def text_ends_open(piece: Piece) -> bool:
    """Whether a text ends without a line end."""
    return bool(piece.core) and "\n" not in piece.gap


def excerpt(text: str) -> str:
    """The beginning of a text for a message, on one line."""
    words = " ".join(text.split())
    return f"'{words}'" if len(words) <= _SHOWN else f"'{words[: _SHOWN - 1]}…'"
