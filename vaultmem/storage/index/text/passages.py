"""What a note is searched by: passages, and words of its front matter.

A passage is a paragraph, bullet or conversation turn, cut at sentence or line ends into pieces
of at most 80 words (retrieval.md section 7), verbatim but for marks that are not the text:
the header of a turn, the marker and block id of a bullet. One place a memory: bullets that *are*
an item of their own (they end in its block id, or in a link to it) are left to that item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from vaultmem.base import NamedTuple, late
from vaultmem.language import Instant, read_instant, sentence_spans
from vaultmem.model import (
    ITEM_ID,
    TODAY_MARK,
    Category,
    Item,
    Page,
    Passage,
    Record,
    Resource,
    Stream,
)
from vaultmem.storage.index.text.index_words import SELF

DERIVED = "derived"  # key of a resource that says nothing that other notes do not
MOST_WORDS = 80
TARGET_WORDS = 60
MOST_CHARACTERS = 1_200  # 80 long words; bounds what has no spaces at all

_TURN = late(r"\*\*([^*\n]{1,80})\*\*(?: \(([^()\n]{1,40})\))?:(?: |$)")
_ESCAPED_TURN = late(r"^\\(?=\*\*[^*\n]{1,80}\*\*(?: \([^()\n]{1,40}\))?:)", re.MULTILINE)
_HEADING = late(r"#{1,6}(?:\s|$)")
_BULLET = late(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?(?:[ \t]+|(?=\n)|$)")
_FENCE = late(r"\s{0,3}(`{3,}|~{3,})")
_COMMENT_LINE = late(r"\s*(?:<!--.*-->|%%.*%%|%%|<!--|-->)$")
_RULES = frozenset("-*_=")
_BLOCK_ID = late(r"\s\^[A-Za-z0-9-]+$", re.MULTILINE)
_LINE = late(r"[^\n]+")
# A few words, so that pieces come out even; what has no spaces at all is cut by length.
_RUN = late(r"(?:\S{1,200}\s*){1,5}")
_ITEM_BLOCK_ID = late(rf"[^\S\n]\^{ITEM_ID.pattern}$", re.MULTILINE)
# Such a line is a block of its own, for the next one begins a bullet (and is no rule, `- - -`).
_BETWEEN_BULLETS = late(rf"^- [^\n]*[^\S\n]\^{ITEM_ID.pattern}[ \t]*\n(?=- [^\s-])", re.MULTILINE)
_ITEM_LINK = late(rf"\[\[[^\[\]|#]*{ITEM_ID.pattern}(?:[|#][^\[\]]*)?\]\]$", re.MULTILINE)
# At the end of a sentence of a summary that is made of items: `... ([[a|1]] [[b|2]])`.
_ITEM_LINKS = late(rf"\[\[[^\[\]|#]*{ITEM_ID.pattern}\|\d+\]\]\)[ \t]*$")
_SUMMARY_BEGINS = "<!-- vaultmem:begin"
_SUMMARY_ENDS = "<!-- vaultmem:end"
# Compiled when it is first needed: a set of wide characters takes 4 ms.
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"


class Block(NamedTuple):
    """A paragraph or bullet: its text and the line on which it begins, from 0."""

    line: int
    text: str
    is_bullet: bool


def passages(record: Record, *, zone: str = "UTC") -> list[Passage]:
    """The passages of a record in the order of the note; `seq` counts them from 0.

    An item begins with its statement; its further paragraphs follow.
    `zone` is the time zone of turn dates written without an offset.
    """
    if isinstance(record, Item):
        return _of_item(record)
    if isinstance(record, Resource):
        if record.fields.get(DERIVED) == "true":
            return []
        lines = record.body.split("\n")
        turns = list(_turns(lines))
        if turns:
            return _of_turns(turns, record.body_line, zone)
        return _number_passages(_blocks(lines), record.body_line)
    body = body_of(record)
    if isinstance(record, Stream) and "```" not in body and "~~~" not in body:
        # Emptied below, one by one: of a list of 1,700 items that took a sixth of a `sync`.
        body = _BETWEEN_BULLETS.sub("\n", body)
    lines = body.split("\n")
    summary = _summary_lines(lines) if isinstance(record, Category) else range(0)
    for number in summary:  # one memory is answered once: the items say it
        if _ITEM_LINKS.search(lines[number]):
            lines[number] = ""
    blocks = _blocks(lines)
    if isinstance(record, Page) and not blocks:  # it says what it says in its front matter
        return [Passage(text=record.title, seq=0, line=record.body_line)]
    if isinstance(record, Stream):
        parts = (_without_items(b) for b in blocks if not _is_heading(b))
        blocks = [part for part in parts if part is not None]
    elif isinstance(record, Category):
        blocks = [b for b in blocks if b.line not in summary or not _ITEM_LINK.search(b.text)]
    return _number_passages(blocks, record.body_line)


def body_of(record: Record) -> str:
    """The body, without what we wrote into a daily note: the items say it."""
    if TODAY_MARK not in record.body or not isinstance(record, Page):
        return record.body
    from vaultmem.storage.notes import today_block  # saves 1 module

    return today_block.without_told(record.body)


def field_text(record: Record) -> str:
    """Title, aliases, tags, entities, slot and category words: searched with the first passage.

    Of a slot what the statement does not say: `uses_database` of 'It keeps its data in SQLite.'
    Of a page, whose keys are the person's own, what they say as well (`director: Ridley Scott`),
    and the folder that it was filed in: `Time Zones/Auckland.md` may not say what it is about.
    """
    values = [*record.aliases, *record.tags]
    if isinstance(record, Item):
        values += record.entities
        values += record.categories
        values += [record.said_after, record.asked]
        said = record.statement.casefold()
        slot = [record.subject, record.object, *record.predicate.split("_")]
        values += [each for each in slot if each != SELF and each.casefold() not in said]
        if not record.body.lstrip().startswith(record.title):
            values.append(record.title)
        return " ".join(values)
    if not (isinstance(record, Resource) and record.body.lstrip().startswith(_whole(record.title))):
        values.append(record.title)
    if isinstance(record, Category):
        values.append(record.slug)
    elif isinstance(record, Resource):
        values.append(record.origin)
    elif isinstance(record, Page):
        # On 372 pages of three public vaults the folder's name puts MRR from .870 to .887.
        values.append(record.path.parent.name)
        for value in record.fields.values():
            values += [value] if isinstance(value, str) else value
    return " ".join(values)


def _whole(title: str) -> str:
    """A title that was cut from the beginning of a text, without the sign that it was."""
    return title.removesuffix("…").removesuffix("...").rstrip()


def _of_item(item: Item) -> list[Passage]:
    body, statement = item.body, item.statement
    bare = body.strip()
    line = item.body_line
    if bare and not body.startswith(bare[0]):
        line += body.count("\n", 0, body.find(bare[0]))
    if bare == statement and _is_short(bare):
        return [Passage(text=bare, seq=0, line=line)]
    found = [
        Passage(text=text, seq=seq, line=at)
        for seq, (at, text) in enumerate(_pieces(statement, line))
    ]
    if bare == statement or "\n\n" not in bare.replace("\r", ""):
        return found
    below = _blocks(body.split("\n"))[1:]
    return found + _number_passages(below, item.body_line, first=len(found))


def _number_passages(blocks: Iterable[Block], body_line: int, *, first: int = 0) -> list[Passage]:
    found = [piece for block in blocks for piece in _pieces(_plain(block), body_line + block.line)]
    return [Passage(text=text, seq=seq, line=line) for seq, (line, text) in enumerate(found, first)]


# --- conversations ------------------------------------------------------------------------


class _Turn(NamedTuple):
    line: int
    speaker: str
    date: str
    text: str


def _turns(lines: list[str]) -> Iterator[_Turn]:
    """The turns of a conversation; nothing when the body does not begin with one.

    So a document in which a paragraph opens with a bold word and a colon stays a document.
    """
    starts = [
        (number, found)
        for number, line in enumerate(lines)
        if line.startswith("**")
        and (number == 0 or not lines[number - 1].strip())
        and (found := _TURN.match(line))
    ]
    if not starts or any(line.strip() and line[0] != "#" for line in lines[: starts[0][0]]):
        return
    ends = [number for number, _ in starts[1:]] + [len(lines)]
    for (number, found), end in zip(starts, ends, strict=True):
        text = "\n".join([lines[number][found.end() :], *lines[number + 1 : end]])
        text = _ESCAPED_TURN.sub("", text)
        yield _Turn(number, found.group(1).strip(), found.group(2) or "", text)


def _of_turns(turns: Iterable[_Turn], body_line: int, zone: str) -> list[Passage]:
    found: list[Passage] = []
    dates: dict[str, Instant | None] = {"": None}
    for turn in turns:
        if turn.date not in dates:  # turns of one minute have the same
            dates[turn.date] = read_instant(turn.date, zone)
        said = dates[turn.date]
        for line, text in _pieces(turn.text, body_line + turn.line):
            found.append(
                Passage(
                    text=text,
                    seq=len(found),
                    line=line,
                    speaker=turn.speaker,
                    date=said.ms if said is not None else None,
                )
            )
    return found


# --- documents -----------------------------------------------------------------------------


class _Blocks:
    """Collects lines into paragraphs and top-level bullets.

    A heading opens the paragraph below it; a code fence is one paragraph; comment lines and
    rules separate like blank lines. Line numbers inside a block stay those of the note.
    """

    def __init__(self) -> None:
        self.done: list[Block] = []
        self._lines: list[str] = []
        self._begins = 0
        self._is_bullet = self._only_headings = False
        self._fence = ""

    def add(self, number: int, line: str) -> None:
        if self._fence:
            self._lines.append(line)
            if _closes_fence(line, self._fence):
                self._fence = ""
        elif not line or _separates(line):
            # The blank line below a heading belongs to the paragraph that the heading opens; it
            # stays, so that the lines inside keep their numbers.
            if self._only_headings and self._lines:
                self._lines.append("")
            else:
                self.close()
        else:
            self._add_text(number, line)

    def _add_text(self, number: int, line: str) -> None:
        is_heading = _HEADING.match(line) is not None
        is_bullet = not is_heading and _BULLET.match(line) is not None
        if is_bullet or (is_heading and not self._only_headings):
            self.close()
        if not self._lines:
            self._begins, self._is_bullet, self._only_headings = number, is_bullet, is_heading
        self._only_headings = self._only_headings and is_heading
        self._lines.append(line)
        opened = _FENCE.match(line)
        self._fence = opened.group(1) if opened else ""

    def close(self) -> None:
        if self._lines:
            self.done.append(Block(self._begins, "\n".join(self._lines), self._is_bullet))
        self._lines, self._fence, self._only_headings = [], "", False


def _separates(line: str) -> bool:
    """A comment on a line of its own, or a rule such as `---` or `* * *`."""
    marks = set(line)
    if not marks.isdisjoint(_RULES) and len(marks - {" ", "\t"}) == 1:
        return len(line) >= len("---")
    return _COMMENT_LINE.match(line) is not None


def _closes_fence(line: str, fence: str) -> bool:
    mark = line.strip()
    return mark.startswith(fence) and not mark.strip(fence[0])


def _blocks(lines: Iterable[str]) -> list[Block]:
    blocks = _Blocks()
    for number, line in enumerate(lines):
        blocks.add(number, line.rstrip())
    blocks.close()
    return blocks.done


def _is_heading(block: Block) -> bool:
    """Whether it is headings alone: of a list of memories these say nothing."""
    return all(not line or _HEADING.match(line) for line in block.text.split("\n"))


def _without_items(block: Block) -> Block | None:
    """What a person wrote in a block of a stream, below and beside lines that are items."""
    if "^i-" not in block.text or _ITEM_BLOCK_ID.search(block.text) is None:
        return block
    lines = block.text.split("\n")
    is_item = [_ITEM_BLOCK_ID.search(line) is not None for line in lines]
    begins = is_item.index(True) + 1 if block.is_bullet else 0
    # Lines of items are emptied and not left out, so that the other lines keep their numbers.
    kept = [
        "" if item or place < begins else line
        for place, (line, item) in enumerate(zip(lines, is_item, strict=True))
    ]
    first = next((place for place, line in enumerate(kept) if line), None)
    if first is None:
        return None
    return Block(block.line + first, "\n".join(kept[first:]), False)


def _summary_lines(lines: Sequence[str]) -> range:
    """The lines between the marks of a category's managed block; empty without one."""
    begins = next((n for n, line in enumerate(lines) if line.startswith(_SUMMARY_BEGINS)), None)
    if begins is None:
        return range(0)
    ends = (n for n, line in enumerate(lines) if n > begins and line.startswith(_SUMMARY_ENDS))
    return range(begins, next(ends, len(lines)))


def _plain(block: Block) -> str:
    """The text of a block without bullet marker and block id."""
    text = _BULLET.sub("", block.text, count=1) if block.is_bullet else block.text
    return _BLOCK_ID.sub("", text) if "^" in text else text


# --- pieces ----------------------------------------------------------------------------------


def _pieces(text: str, line: int) -> list[tuple[int, str]]:
    """The text cut into (line, piece), each within the bounds; blank text gives none."""
    bare = text.strip()
    if not bare:
        return []
    line += text.count("\n", 0, text.find(bare[0]))
    if _is_short(bare):
        return [(line, bare)]
    cuts = _cuts(bare)
    found = []
    counted = 0  # the place up to which `line` is told
    for start, end in zip([0, *cuts], [*cuts, len(bare)], strict=True):
        piece = bare[start:end].strip()
        if piece:
            skipped = start + bare[start:end].find(piece[0])
            line += bare.count("\n", counted, skipped)
            counted = skipped
            found.append((line, piece))
    return found


def _is_short(text: str) -> bool:
    return len(text) <= MOST_WORDS or (len(text) <= MOST_CHARACTERS and _size(text) <= MOST_WORDS)


def _size(text: str) -> int:
    """Words in the text, by its spaces; without spaces two characters count as one."""
    size = text.count(" ") + text.count("\n") + 1
    return size if text.isascii() else size + len(re.findall(_UNSPACED, text)) // 2


def _cuts(text: str) -> list[int]:
    """Where to cut: after sentences until a piece has the target size, never above the most."""
    cuts: list[int] = []
    start = size = 0
    for begins, ends in _units(text):
        words = _size(text[begins:ends])
        if size and (size + words > MOST_WORDS or ends - start > MOST_CHARACTERS):
            cuts.append(begins)
            start, size = begins, 0
        size += words
        if size >= TARGET_WORDS:
            cuts.append(ends)
            start, size = ends, 0
    return [cut for cut in cuts if cut < len(text)]


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Sentences; of one that is too long its lines, then runs of words, then of characters."""
    for begins, ends in sentence_spans(text):
        if _is_short(text[begins:ends]):
            yield begins, ends
            continue
        for found in _LINE.finditer(text, begins, ends):
            if _is_short(found.group()):
                yield found.span()
            else:
                yield from (part.span() for part in _RUN.finditer(text, *found.span()))
