"""Managed blocks: the one part of a category, and of a daily note, that the program writes.

A block lies between two comment lines of its own; outside it not one byte changes. Marker lines in
code or in longer comments are not markers.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import PatchRefusedError, dataclass, late
from vaultmem.storage.notes.fields import link_target
from vaultmem.storage.notes.markdown import lines, split

BEGIN = "<!-- vaultmem:begin summary -->"
END = "<!-- vaultmem:end -->"
SUMMARY_LIMIT = 100
"""Lines a summary shows; the rest is counted in a last line."""

SUMMARY = "summary"
"""Name of the block of a category; the one of a daily note is `today` (today_block.py)."""

_BEGIN = late(r"[ \t]*<!--[ \t]*vaultmem:begin(?:[ \t]+(summary|today))?[ \t]*-->[ \t]*")
_END = late(r"[ \t]*<!--[ \t]*vaultmem:end(?:[ \t]+(?:summary|today))?[ \t]*-->[ \t]*")
_LINE = late(r"[-*+][ \t]+(?:(\S.*?)[ \t]+)?\[\[([^\[\]\n]+)\]\][ \t]*")
# A sentence of a summary, and the items that bear it out: 'I live in Munich. ([[a|1]] [[b|2]])'.
_TOLD = late(r"(?![-*+][ \t])(\S.*?)[ \t]+\(((?:\[\[[^\[\]\n]+\]\][ \t]*)+)\)[ \t]*")
_LINK = late(r"\[\[[^\[\]\n]+\]\]")
_MORE = late(r"[-*+][ \t]+(?:…|\.\.\.) and (\d{1,9}) more[ \t]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A managed block. Offsets are characters of the text it was found in."""

    start: int  # of the line that begins it
    inner_start: int  # after that line
    inner_end: int  # where the line that ends it begins
    end: int  # after that line
    text: str  # what lies between the two lines; lines end in LF, the last one without
    line: int  # 1-based line of the text on which it begins


def find(text: str, name: str = SUMMARY) -> Block | None:
    """The managed block of this name in a text, None when it has none.

    Raises PatchRefusedError with the line when markers are missing, doubled or out of order.
    """
    if "vaultmem:" not in text:
        return None
    opened: tuple[int, int, int, str] | None = None
    found: Block | None = None
    for line in lines(text):
        if line.hidden or "vaultmem:" not in line.text:
            continue
        if begins := _BEGIN.fullmatch(line.text):
            kind = begins[1] or SUMMARY
            if opened is not None or (found is not None and kind == name):
                raise _bad("a second managed block begins", line.number)
            opened = (line.start, line.end, line.number, kind)
        elif _END.fullmatch(line.text):
            if opened is None:
                raise _bad("a managed block ends that did not begin", line.number)
            if opened[3] == name:
                inner = text[opened[1] : line.start].replace("\r\n", "\n").removesuffix("\n")
                found = Block(
                    start=opened[0],
                    inner_start=opened[1],
                    inner_end=line.start,
                    end=line.end,
                    text=inner,
                    line=opened[2],
                )
            opened = None
    if opened is not None:
        raise _bad("the managed block does not end", opened[2])
    return found


def read_summary(data: bytes) -> str:
    """What lies in the managed block of a note; '' when there is none."""
    block = find(_body(data))
    return "" if block is None else block.text


def find_in(data: bytes, name: str) -> str | None:
    """What lies in the managed block of this name; None when the note has none."""
    block = find(_body(data), name)
    return None if block is None else block.text


def replace_summary(data: bytes, text: str) -> bytes:
    """The category with this text in its managed block, as in `replace_block`."""
    return replace_block(data, text, SUMMARY)


def replace_block(data: bytes, text: str, name: str) -> bytes:
    """The note with this text in its managed block, which is appended when it is missing.

    Lines are written with the file's line ends. Raises PatchRefusedError for markers that do
    not pair, and for a text that would end the block or hide its end.
    """
    body = _body(data)
    block = find(body, name)
    if block is not None and block.text == text:
        return data
    eol = split(data).eol.decode()
    inner = "".join(line + eol for line in text.split("\n")) if text else ""
    if block is not None:
        after = body[: block.inner_start] + inner + body[block.inner_end :]
    else:
        gap = "" if not body or body.endswith("\n") else eol
        gap += eol if body.strip() and not (body + gap).endswith(("\n\n", "\n\r\n")) else ""
        after = f"{body}{gap}{BEGIN.replace(SUMMARY, name)}{eol}{inner}{END}{eol}"
    written = find(after, name)
    if written is None or written.text != text:
        raise PatchRefusedError(
            f"the {name} cannot be written here: code or a comment above it does not end",
            hint="close the ``` or %% above the managed block",
        )
    return data[: len(data) - len(body.encode())] + after.encode()


def read_lines(text: str) -> tuple[tuple[str, str], ...]:
    """The (statement, link target) pairs of a block's lines; other lines are left out."""
    found = (_LINE.fullmatch(line) for line in text.split("\n"))
    return tuple((match[1] or "", link_target(f"[[{match[2]}]]")) for match in found if match)


def read_links(data: bytes) -> tuple[str, ...]:
    """The link targets of a note's managed lines; none of markers that do not pair."""
    try:
        return tuple(target for _, target in read_lines(read_summary(data)))
    except PatchRefusedError:
        return ()


def read_numbered(data: bytes) -> tuple[tuple[int, str, str], ...]:
    """(line of the note, statement, link target) of its managed lines; none as in `read_links`."""
    try:
        body = _body(data)
        block = find(body)
    except PatchRefusedError:
        return ()
    if block is None:
        return ()
    above = data[: len(data) - len(body.encode())].count(b"\n")
    return tuple(
        (above + block.line + number, statement, target)
        for number, line in enumerate(block.text.split("\n"), start=1)
        for statement, target in read_lines(line)
    )


def read_told(data: bytes) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(sentence, link targets) of the sentences above a block's lines; none of bad markers."""
    try:
        rows = read_summary(data).split("\n")
    except PatchRefusedError:
        return ()
    found = ((row, _TOLD.fullmatch(row)) for row in rows)
    return tuple((match[1], _cited_targets(row)) for row, match in found if match)


def replace_told(data: bytes, told: Sequence[tuple[str, Sequence[str]]]) -> bytes:
    """The note with these sentences on top of its managed block, in place of those there."""
    rows = [row for row in read_summary(data).split("\n") if not _TOLD.fullmatch(row)]
    while rows and not rows[0].strip():
        rows.pop(0)
    if told:
        rows = [
            *(_render_sentence(text, targets) for text, targets in told),
            *([""] if rows else []),
            *rows,
        ]
    return replace_summary(data, "\n".join(rows))


def add_lines(
    data: bytes, pairs: Sequence[tuple[str, str]], *, limit: int = SUMMARY_LIMIT
) -> bytes:
    """The note with lines on top of the managed block, which is made when it is missing.

    pairs  (statement, link target), in the order in which they shall stand
    A line with one of these targets is reworded where it is. Lines beyond `limit` give way to the
    line that counts them; what a person wrote between them stays.
    """
    text = read_summary(data)
    there = {target for _, target in read_lines(text)}
    wanted = {target: render_line(statement, target) for statement, target in pairs}
    rows = [wanted.get(target_of(row) or "", row) for row in text.split("\n")] if text else []
    first = next((i for i, row in enumerate(rows) if _is_listed(row)), len(rows))
    rows[first:first] = [line for target, line in wanted.items() if target not in there]
    return replace_summary(data, "\n".join(_cap_rows(rows, limit)))


def reword_line(data: bytes, target: str, statement: str) -> bytes:
    """The note with another statement in the block's line for this target, if it has one.

    Sentences that are made of the former statement go.
    """
    rows = read_summary(data).split("\n")
    fresh = [render_line(statement, target) if target_of(row) == target else row for row in rows]
    return data if rows == fresh else replace_summary(data, _without_told(fresh, target))


def remove_line(data: bytes, target: str) -> bytes:
    """The note without the block's line for this target, and without sentences made of it."""
    text = read_summary(data)
    fresh = _without_told([row for row in text.split("\n") if target_of(row) != target], target)
    return data if text == fresh else replace_summary(data, fresh)


def without_repeats(data: bytes) -> bytes:
    """The note with one line of the block for each target, the lower one of several."""
    rows = read_summary(data).split("\n")
    last = {target: place for place, row in enumerate(rows) if (target := target_of(row))}
    kept = [row for place, row in enumerate(rows) if last.get(target_of(row) or "", place) == place]
    return data if kept == rows else replace_summary(data, "\n".join(kept))


def without_lines(data: bytes) -> bytes:
    """The note without the block's lines of ours; what a person wrote among them stays.

    Markers that do not pair hold no lines: such a note is left as it is.
    """
    try:
        rows = [row for row in read_summary(data).split("\n") if row]
    except PatchRefusedError:
        return data
    kept = [row for row in rows if not _is_ours(row)]
    return data if kept == rows else replace_summary(data, "\n".join(kept))


def is_bare(data: bytes) -> bool:
    """Whether a note says nothing but a heading around an empty block: nobody wrote in it."""
    try:
        body = _body(data)
        block = find(body)
    except PatchRefusedError:
        return False
    if block is None or block.text or len(body.encode()) != len(data):
        return False
    rest = [row for row in (body[: block.start] + body[block.end :]).split("\n") if row.strip()]
    return not rest or (len(rest) == 1 and rest[0].startswith("# "))


def _cap_rows(rows: list[str], limit: int) -> list[str]:
    """At most `limit` lines of ours; the last ones are counted instead of shown."""
    ours = [place for place, row in enumerate(rows) if target_of(row) is not None]
    dropped = set(ours[limit:])
    if not dropped:
        return rows
    kept = [row for place, row in enumerate(rows) if place not in dropped]
    for place, row in enumerate(kept):
        counted = _MORE.fullmatch(row)
        if counted is not None:
            kept[place] = render_more(int(counted[1]) + len(dropped))
            return kept
    last = max((place for place, row in enumerate(kept) if target_of(row) is not None), default=-1)
    return [*kept[: last + 1], render_more(len(dropped)), *kept[last + 1 :]]


def render_line(statement: str, target: str) -> str:
    """One line; a statement cannot end the block, open a comment or add a link at its end."""
    text = " ".join(statement.split()).replace("<!--", "<\\!--").replace("-->", "--\\>")
    return f"- {text} [[{target}]]"


def is_more(row: str) -> bool:
    """Whether a line counts what is not shown."""
    return _MORE.fullmatch(row) is not None


def render_more(count: int) -> str:
    """The line that counts what is not shown."""
    return f"- … and {count} more"


def target_of(row: str) -> str | None:
    """The name of the note that a line of a block is of; None for another line."""
    found = _LINE.fullmatch(row)
    return None if found is None else link_target(f"[[{found[2]}]]")


def _is_listed(row: str) -> bool:
    return target_of(row) is not None or _MORE.fullmatch(row) is not None


def _is_ours(row: str) -> bool:
    return _is_listed(row) or _TOLD.fullmatch(row) is not None


def _without_told(rows: list[str], target: str) -> str:
    """The rows without sentences made of this item, and without a gap that these leave on top."""
    kept = [row for row in rows if not (_TOLD.fullmatch(row) and target in _cited_targets(row))]
    if len(kept) < len(rows) and not any(_TOLD.fullmatch(row) for row in kept):
        while kept and not kept[0].strip():
            kept.pop(0)
    return "\n".join(kept)


def _render_sentence(text: str, targets: Sequence[str]) -> str:
    line = " ".join(text.split()).replace("<!--", "<\\!--").replace("-->", "--\\>")
    links = " ".join(f"[[{target}|{number}]]" for number, target in enumerate(targets, start=1))
    # What begins like a bullet would be read as a line of the list.
    return f"{line.lstrip('-*+ ')} ({links})"


def _cited_targets(row: str) -> tuple[str, ...]:
    match = _TOLD.fullmatch(row)
    return tuple(map(link_target, _LINK.findall(match[2]))) if match else ()


def _body(data: bytes) -> str:
    try:
        return split(data).body.decode()
    except UnicodeDecodeError as error:
        raise PatchRefusedError(
            "the note is not UTF-8", hint="save it as UTF-8 in your editor"
        ) from error


def _bad(message: str, line: int) -> PatchRefusedError:
    return PatchRefusedError(
        message,
        line=line,
        hint=f"keep one pair of the lines {BEGIN} and {END}",
    )
