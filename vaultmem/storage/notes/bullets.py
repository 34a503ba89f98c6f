"""The bullets of a stream file, read with their places.

A bullet is a list line at the margin, or any line that bears the block id of an item: indented,
numbered, quoted in a callout, or without its mark. Its statement is that one line without mark,
checkbox and block id. What is indented below it (lists, remarks, paragraphs, quotes, code) is
the person's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from vaultmem.base import dataclass, late
from vaultmem.model import ITEM_ID, Bullet
from vaultmem.storage.notes.markdown import Line, heading, lines, split

LEFT = "…"
"""What a bullet says that is kept, without its memory, for what stands below it."""

WRAPPED_COLUMNS = 65
"""A line that this many columns would not have held with the next word was broken by an editor.

Editors break lines at 72 columns and more, people write remarks below a bullet wherever they
like: of half a sentence a wrong memory would be made, and of a remark no part of one.
"""

# Markdown indents a tab to the next fourth column, however wide an editor shows it.
_TAB = 4
_BOX = "> [!conflict]"  # what another device had: versions of lines that stand above it
_LEAD = late(r"[ \t]*(?:>[ \t]*)*")
_MARKER = late(r"([-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\](?:[ \t]+|$))?")
_ANY_MARKER = late(r"^[-*+][ \t]", re.MULTILINE)
_RULE = late(r"([-*])(?:[ \t]*\1){2,}[ \t]*")
_NOT_WORDS = late(r"[>|#]|```|~~~|%%|<!--")
_FOREIGN_ID = rf"\^(?!{ITEM_ID.pattern}(?:\s|\Z))[A-Za-z0-9-]+"
_ID = late(
    rf"(?<!\S)\^({ITEM_ID.pattern})(?:[ \t]+{_FOREIGN_ID})*[ \t]*\Z"  # ours, then a person's
)
_OTHER_ID = late(rf"(?<!\S){_FOREIGN_ID}[ \t]*\Z")
_INNER_ID = late(rf"(?<!\S)\^({ITEM_ID.pattern})")
_ESCAPED_ID = late(rf"(?<!\S)\\(?=\\*\^{ITEM_ID.pattern})")
_ESCAPED_CHECKBOX = late(r"\\(?=\\*\[.\](?:\s|\Z))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A bullet and where it lies in its text. Offsets are characters."""

    bullet: Bullet
    lead: str  # what stands before the mark: indentation, quote marks
    marker: str  # '-', '*', '+', '1.' and the like; '' of a line that lost its mark
    start: int  # of its first line
    end: int  # after the line end of the last line of its statement
    spans: tuple[tuple[int, int], ...]  # of the statement; block ids are in between
    id_at: int  # where a block id of ours goes, if it has none

    @property
    def is_at_margin(self) -> bool:
        """Whether it is a line of a plain list of the file, as new bullets are."""
        return not self.lead and self.marker in ("-", "*", "+")


def bullets(data: bytes) -> tuple[Bullet, ...]:
    """The bullets of a stream file in order; those without words and block id are left out."""
    parts = split(data)
    above = sum(part.count(b"\n") for part in (parts.opening, parts.block, parts.closing))
    body = parts.body.decode("utf-8", "replace")
    return tuple(each.bullet for each in locate_bullets(body, first_line=above + 1))


def locate_bullets(body: str, *, first_line: int = 1) -> tuple[Placed, ...]:
    """The bullets of a text with their places; `first_line` is the number of its first line.

    The last few texts are remembered: adopting and dropping bullets looks eleven times at a list
    that has changed twice.
    Not bullets: lines in code or in comments; thematic breaks; without a block id of an item also
    list lines that are indented, quoted or numbered.
    """
    if "^i-" not in body and _ANY_MARKER.search(body) is None:
        return ()  # a megabyte of other lines is not looked at
    return _locate_all(body, first_line)


@lru_cache(maxsize=4)
def _locate_all(body: str, first_line: int) -> tuple[Placed, ...]:
    found = (_locate_bullet(body, own, section, first_line) for own, section in _groups(body))
    return tuple(each for each in found if each is not None)


def _groups(body: str) -> Iterator[tuple[list[Line], str]]:
    """The lines of each statement that may be a bullet's, with the heading above it."""
    section = ""
    own: list[Line] = []  # lines of the bullet being read, as far as its statement goes
    waiting: list[Line] = []  # lines below that belong to it if one of them has its block id
    in_box = False
    for line in lines(body):
        in_box = line.text.startswith(">" if in_box else _BOX)
        if own and not line.hidden and _goes_on(line):
            last = (waiting or own)[-1]
            if _has_id(line.text):
                yield [*own, *waiting, line], section
                own, waiting = [], []
            elif not waiting and _is_wrapped(last.text, line.text):
                own.append(line)
            else:
                waiting.append(line)
            continue
        if own:
            yield own, section
            own, waiting = [], []
        if line.hidden or in_box:
            continue
        text = line.text
        if text[:2] == "- " and text[2:3].isalnum():  # as nearly all are: no rule, not indented
            lead, marker = "", _MARKER.match(text)
        else:
            lead = _lead(text)
            marker = _marker(text, lead)
        if marker is None:
            if "#" in text[:4] and (name := heading(text)) is not None:
                section = name
            elif "^i-" in text and _ID.search(text, len(lead)):
                yield [line], section  # its mark was taken away, not its words
        # Wherever it stands: by Tab a bullet was glued into the statement above and its memory
        # retracted, and Shift-Tab then took the person's line away.
        elif "^i-" in text and _id_of(text, marker.end()):
            yield [line], section
        elif not lead and marker[1] in ("-", "*", "+") and text[marker.end() :].strip():
            own = [line]
    if own:
        yield own, section


def _lead(text: str) -> str:
    found = _LEAD.match(text) if text[:1] in " \t>" else None
    return found[0] if found else ""


def _marker(text: str, lead: str) -> re.Match[str] | None:
    """The list mark of a line with its checkbox; None when it is no list line."""
    at = len(lead)
    if text[at : at + 1] not in "-*+0123456789":
        return None
    marker = _MARKER.match(text, at)
    return None if marker is None or _RULE.fullmatch(text, at) else marker


def _has_id(text: str) -> bool:
    return "^i-" in text and _ID.search(text) is not None


def _id_of(text: str, start: int) -> bool:
    """Whether a list line has the block id of an item: at its end, or words were added to it."""
    if _ID.search(text, start):
        return True
    other = _OTHER_ID.search(text, start)
    # Words, or a full stop, typed behind the id made a new bullet and a retracted memory.
    return _INNER_ID.search(text, start, other.start() if other else len(text)) is not None


def _goes_on(line: Line) -> bool:
    """Whether a line may be part of the paragraph above it, in a bullet at the margin."""
    text = line.text
    bare = text.lstrip(" \t")
    if not bare or len(bare) == len(text):
        return False
    return _MARKER.match(bare) is None and _NOT_WORDS.match(bare) is None


def _is_wrapped(above: str, below: str) -> bool:
    """Whether an editor broke a sentence between these lines."""
    # A line that ends a sentence is whole. Two blanks or a backslash at its end are Markdown's own
    # break, so the person meant the next line to stand apart.
    if above.rstrip().endswith((".", "!", "?", "…", ":", ";")) or above.endswith(("  ", "\\")):
        return False
    if _OTHER_ID.search(above):
        return False
    word = below.split(maxsplit=1)[0]
    return len(above.rstrip()) + 1 + len(word) > WRAPPED_COLUMNS


# A line as most are: words with single spaces, and perhaps a block id of ours.
_SIMPLE = late(rf"([-*+]) ([^\W_][^\s\\^]*(?: [^\s\\^]+)*)(?: \^({ITEM_ID.pattern}))?")

Said = tuple[str, str | None, bool | None]
"""What a bullet says: its statement, block id and checkbox."""


def said_by(bullet: Bullet) -> Said:
    """What a change elsewhere in the file must not change."""
    return bullet.text, bullet.block_id, bullet.checked


def one_line(text: str) -> str:
    """The text as a bullet says it: white space folded to single spaces."""
    return " ".join(text.split())


def has_below(body: str, place: Placed) -> bool:
    """Whether something of the person's is indented below a bullet."""
    quotes = place.lead.count(">")
    indent = _indent(place.lead, quotes)
    at = place.end
    while at < len(body):  # not `lines`, which cuts the whole rest of the file
        end = body.find("\n", at)
        end = len(body) if end < 0 else end
        text, at = body[at:end], end + 1
        if not text.strip() or (quotes and not text.strip(" \t\r>")):
            continue
        lead = _lead(text)
        return lead.count(">") >= quotes and _indent(lead, quotes) > indent
    return False


def _indent(lead: str, quotes: int) -> int:
    """Columns of blanks behind so many quote marks, before the next one."""
    inner = lead.split(">", quotes)[quotes].partition(">")[0]
    return len(inner.expandtabs(_TAB))


def _join_spans(body: str, spans: list[tuple[int, int]]) -> str:
    """The words around block ids; a full stop that was typed after one belongs to the word."""
    text = ""
    for start, end in spans:
        if text and start < end and (body[start].isspace() or body[start].isalnum()):
            text += " "
        text += body[start:end]
    return text


def _locate_bullet(body: str, own: list[Line], section: str, first_line: int) -> Placed | None:
    """The bullet on these lines; None when it says nothing and has no id of ours."""
    first, last = own[0], own[-1]
    # A list of 25,000 bullets is read dozens of times while it is adopted.
    simple = _SIMPLE.fullmatch(first.text) if first is last else None
    if simple is not None:
        start, end = first.start + 2, first.start + simple.end(2)
        return Placed(
            bullet=Bullet(
                text=simple[2],
                block_id=simple[3],
                line=first_line + first.number - 1,
                section=section,
            ),
            lead="",
            marker=simple[1],
            start=first.start,
            end=first.end,
            spans=((start, end),),
            id_at=end,
        )
    lead = _lead(first.text)
    marker = _marker(first.text, lead)
    words_at = marker.end() if marker else len(lead)
    start, end = first.start + words_at, last.start + len(last.text)
    at = first.start if first is last else last.start
    found = _ID.search(last.text, words_at if first is last else 0)
    id_ = found[1] if found else None
    if found is not None:
        end = at + found.start()
    elif other := _OTHER_ID.search(last.text, words_at if first is last else 0):
        end = at + other.start()
    inner = list(_INNER_ID.finditer(first.text, words_at, end - first.start))
    if inner and not id_:
        id_ = inner[-1][1]
    spans, piece_at = [], start
    for each in inner:
        spans.append((piece_at, first.start + each.start()))
        piece_at = first.start + each.end()
    spans.append((piece_at, end))
    # Below spaces that end a line: only these may follow an id, and no-break spaces may not.
    # A bullet that ended in one got no id, and made another note at every sync.
    id_at = spans[-1][0] + len(body[slice(*spans[-1])].rstrip(" \t"))
    spans = [(a, a + len(body[a:b].rstrip())) for a, b in spans]
    joined = tuple(dict.fromkeys(each[1] for each in inner if each[1] != id_))
    text = _ESCAPED_ID.sub("", one_line(_join_spans(body, spans)))
    if text.startswith("\\") and _ESCAPED_CHECKBOX.match(text):
        text = text[1:]
    if id_ is None and text in ("", LEFT):
        return None
    box = marker[2] if marker else None
    bullet = Bullet(
        text=text,
        block_id=id_,
        line=first_line + first.number - 1,
        checked=None if box is None else box in "xX",
        section=section,
        joined=joined,
    )
    return Placed(
        bullet=bullet,
        lead=lead,
        marker=marker[1] if marker else "",
        start=first.start,
        end=last.end,
        spans=tuple(spans),
        id_at=id_at,
    )
