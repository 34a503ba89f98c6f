"""Write a canvas: a part of the memory as boxes and lines, for Obsidian and other programs.

The file is JSON Canvas 1.0; the same memory gives the same bytes; no two boxes overlap. A file
that vaultmem did not draw, or that a person changed since, is not written over. What has no room
is counted on the canvas. A stranger's note is never shown so that something of it is loaded.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath

from vaultmem import safety, transfer, vault
from vaultmem.api import Memory
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    CannotCreateError,
    NamedTuple,
    UnknownNoteError,
    dataclass,
    late,
)
from vaultmem.language import format_date, visible
from vaultmem.model import LIMITED, UNTRUSTED, Filters, Item, NoteRow, is_current, pluralise
from vaultmem.window.names import group_by_name

if TYPE_CHECKING:
    from vaultmem.storage.index import Edge

ENDING = ".canvas"
_MOST_BYTES = 16_000_000  # of a file that may be a canvas of ours
_OBSIDIAN = ".obsidian"


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """What was drawn."""

    path: Path
    bytes: int
    notes: int  # that have a card of their own
    left_out: int  # neighbours, names or notes for which there was no room; the canvas says so
    opens_notes: bool  # its cards are the notes themselves; False: words, as it lies elsewhere


def write_canvas(
    memory: Memory, file: str | Path, question: str = "", *, force: bool = False
) -> Canvas | None:
    """Draw a part of the memory as JSON Canvas 1.0; None, and no file, where nothing is known.

    file      a canvas there that vaultmem made, and nobody changed, is written over, anything
              else only with `force`. In the vault, its cards are the notes
    question  what is looked for, or the id, path or name of a note: it, and what it is linked
              with; '': people, projects and topics, with what holds of each
    raises    BadInputError, CannotCreateError, DiskError
    """
    place = Path(file)
    if place.suffix.lower() != ENDING:
        raise BadInputError(
            f"'{place}' is no name of a canvas", hint=f"name it '{place.stem or 'memory'}{ENDING}'"
        )
    if place.is_dir():
        raise CannotCreateError(f"'{place}' is a folder", hint=f"name a file in it, as x{ENDING}")
    force = force or _is_ours(place)
    transfer.require_place(memory.opened, place, force=force)
    folder = _folder_seen(memory.root, place)
    drawer = Drawer(memory, folder)
    found = around(memory, question, drawer) if question.strip() else overview(memory, drawer)
    if found is None:
        return None
    data = render(found.board)
    with transfer.atomic_file(place, force=force) as out:
        out.write(data)
    return Canvas(
        path=place,
        bytes=len(data),
        notes=found.notes,
        left_out=found.left_out,
        opens_notes=folder is not None,
    )


def _folder_seen(root: Path, place: Path) -> PurePosixPath | None:
    """The vault as seen from the folder that Obsidian opens; None where the canvas is not in it.

    That is the vault itself, or a folder above it that has settings of Obsidian.
    raises BadInputError  Obsidian does not show what lies there
    """
    folder = Path(os.path.realpath(place.parent))
    real = Path(os.path.realpath(root))
    for opened in (real, *real.parents):
        is_opened = opened == real or (opened / _OBSIDIAN).is_dir()
        if is_opened and folder.is_relative_to(opened):
            within = (folder / place.name).relative_to(opened)
            if any(part.startswith(".") for part in within.parts):
                raise BadInputError(
                    f"'{place}' lies in a hidden folder, which Obsidian does not show",
                    hint="name a file beside the folders of notes, or outside the vault",
                )
            return PurePosixPath(real.relative_to(opened).as_posix())
    return None


def _is_ours(file: Path) -> bool:
    """Whether a canvas lies there that vaultmem made and nobody changed; a link is none.

    raises CannotCreateError  somebody changed it
    """
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return False
        state = is_untouched(file.read_bytes())
    except OSError:
        return False
    if state is False:
        raise CannotCreateError(
            f"'{file}' was changed since vaultmem drew it",
            hint="name another file; --force writes over it",
        )
    return state is True


# Boxes in columns and the lines between them, as JSON Canvas 1.0 (jsoncanvas.org).
#
# The same board gives the same bytes. No two boxes overlap, but for a group and what is in it.

RED, ORANGE, YELLOW, GREEN, CYAN, PURPLE = "123456"
OURS = "vaultmem-"  # how the names of all boxes and lines begin that vaultmem draws
CARD_WIDTH = 380  # pixels, as the positions below: a note of two paragraphs is read without zooming
FILE_HEIGHT = 220
PADDING = 30  # between a group's frame and its cards, and between cards
GAP = 120  # between groups: a line with its label has room
LABEL_ROOM = 20  # above the cards of a group: its label stands on the frame
_LINE_CHARACTERS = 40  # of a card, at the usual size of text
_LINE_HEIGHT = 26
_MOST_HEIGHT = 420
_TITLE_WIDTH = 800
# Obsidian adds keys of its own when it saves; these are what a person sees and moves.
_SEEN = (
    *("id", "type", "x", "y", "width", "height", "color", "text", "file", "subpath", "url"),
    *("label", "background", "fromNode", "toNode", "fromSide", "toSide"),
)


class Card(NamedTuple):
    """A note, or words."""

    key: str  # of this board
    text: str = ""  # Markdown; of a card without a file
    file: str = ""  # path, relative to the folder that Obsidian opened; '': words
    color: str = ""


class Group(NamedTuple):
    """Cards in a frame, one below the other."""

    key: str
    label: str
    cards: Sequence[Card]
    color: str = ""


class Line(NamedTuple):
    """What leads from one card or group to another."""

    start: str
    end: str
    label: str = ""
    color: str = ""


class Board(NamedTuple):
    """All that is drawn: columns of groups, from left to right, below a title."""

    title: str  # Markdown
    columns: Sequence[Sequence[Group]]
    lines: Sequence[Line]


class Box(NamedTuple):
    """Where something lies: the left upper corner, and its size."""

    x: int
    y: int
    width: int
    height: int


def spread(groups: Sequence[Group], columns: int) -> list[list[Group]]:
    """The groups in columns of about one height: each to the shortest, ties to the left."""
    found: list[list[Group]] = [[] for _ in range(columns)]
    heights = [0] * columns
    for group in groups:
        shortest = heights.index(min(heights))
        found[shortest].append(group)
        heights[shortest] += _group_height(group) + GAP
    return [column for column in found if column]


def render(board: Board) -> bytes:
    """The file, a box or line of it on a line of its own, as Obsidian writes it."""
    boxes = _places(board)
    groups = [group for column in board.columns for group in column]
    nodes: list[dict[str, Any]] = []
    for group in groups:  # what comes first lies below
        node = {"type": "group", **boxes[group.key]._asdict(), "label": group.label}
        nodes.append(_node(group.key, node, group.color))
    for group in groups:
        for card in group.cards:
            what = (
                {"type": "file", "file": card.file}
                if card.file
                else {"type": "text", "text": card.text}
            )
            nodes.append(_node(card.key, {**what, **boxes[card.key]._asdict()}, card.color))
    edges = [_edge(line, boxes) for line in board.lines]
    height = _height(board.title)
    title = Box(0, -height - GAP, _TITLE_WIDTH, height)._asdict()
    first = {"id": OURS, "type": "text", "text": board.title, **title}
    first["id"] = OURS + _digest([first, *nodes], edges)
    return _file([first, *nodes], edges)


def is_untouched(data: bytes) -> bool | None:
    """Whether a canvas is as vaultmem made it; None: vaultmem did not make it.

    What a person moved, coloured, wrote or added counts; keys that Obsidian adds do not.
    """
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    nodes, edges = _objects(read.get("nodes")), _objects(read.get("edges"))
    if not nodes or edges is None:
        return None
    ids = [str(each.get("id", "")) for each in (*nodes, *edges)]
    if not any(id_.startswith(OURS) for id_ in ids):
        return None
    blank = [{**nodes[0], "id": OURS}, *nodes[1:]]
    return ids[0] == OURS + _digest(blank, edges)


def _objects(listed: object) -> list[dict[str, Any]] | None:
    found: list[Any] = listed if isinstance(listed, list) else [listed]
    return found if all(isinstance(each, dict) for each in found) else None


def _places(board: Board) -> dict[str, Box]:
    """Where each group and each card lies, by key."""
    found: dict[str, Box] = {}
    x = 0
    for column in board.columns:
        y = 0
        for group in column:
            height = _group_height(group)
            found[group.key] = Box(x, y, CARD_WIDTH + 2 * PADDING, height)
            at = y + PADDING + LABEL_ROOM
            for card in group.cards:
                found[card.key] = Box(x + PADDING, at, CARD_WIDTH, _card_height(card))
                at += _card_height(card) + PADDING
            y += height + GAP
        x += CARD_WIDTH + 2 * PADDING + GAP
    return found


def _group_height(group: Group) -> int:
    return LABEL_ROOM + PADDING + sum(_card_height(card) + PADDING for card in group.cards)


def _card_height(card: Card) -> int:
    return FILE_HEIGHT if card.file else _height(card.text)


def _height(text: str) -> int:
    """Of a card with so much text; what has more is scrolled."""
    lines = sum(1 + len(row) // _LINE_CHARACTERS for row in text.split("\n"))
    return min(_MOST_HEIGHT, 40 + lines * _LINE_HEIGHT)


def _node(key: str, what: Mapping[str, Any], color: str) -> dict[str, Any]:
    node = {"id": _id(key), **what}
    return {**node, "color": color} if color else node


def _edge(line: Line, boxes: Mapping[str, Box]) -> dict[str, Any]:
    start, end = boxes[line.start], boxes[line.end]
    if start.x == end.x:
        is_down = start.y <= end.y
        sides = ("bottom", "top") if is_down else ("top", "bottom")
    else:
        sides = ("right", "left") if start.x < end.x else ("left", "right")
    edge = {
        "id": _id(f"{line.start}\n{line.end}\n{line.label}"),
        "fromNode": _id(line.start),
        "fromSide": sides[0],
        "toNode": _id(line.end),
        "toSide": sides[1],
    }
    more = {"color": line.color, "label": line.label}
    return edge | {name: value for name, value in more.items() if value}


def _id(key: str) -> str:
    return OURS + sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _digest(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> str:
    """Of what is seen of boxes and lines, in any order: a program may sort them anew."""
    told = sorted(
        json.dumps({name: each[name] for name in _SEEN if name in each}, sort_keys=True)
        for each in (*nodes, *edges)
    )
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def _file(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> bytes:
    def rows(listed: Sequence[Mapping[str, Any]]) -> str:
        told = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in listed)
        return ",".join(f"\n\t\t{each}" for each in told) + "\n\t" * bool(listed)

    text = f'{{\n\t"nodes":[{rows(nodes)}],\n\t"edges":[{rows(edges)}]\n}}\n'
    return text.encode("utf-8", "replace")


_MOST_LINKED, _MOST_ALIKE = 12, 8  # notes in a group
_MOST_NAMES, _MOST_OF_ONE = 12, 5  # of people, projects, categories; notes of each
_COLUMNS = 4  # of the overview, for people and projects
_LONGEST, _LONGEST_LABEL = 400, 60  # characters
_IN_COLUMNS = (
    ("Comes from",),
    ("Answers",),
    ("Before and after", "Linked with"),
    ("Topics", "Names the same"),
)
_PLAIN = late(r"[a-z0-9-]+")  # a file name that can mean nothing else in a link
_LABELS = {
    "source": "comes from",
    "link": "links to",
    "category": "topic",
    "superseded_by": "replaced by",
    "follows_from": "follows from",
    "context_of": "context of",
    "may_replace": "may replace",
}


class Choice(NamedTuple):
    """What is on a canvas."""

    board: Board
    notes: int  # that have a card
    left_out: int  # neighbours, names or notes for which there was no room


class Drawer:
    """Makes cards of notes.

    folder  of the vault, as seen from the folder that Obsidian opened; None: the canvas lies
            elsewhere, so a card has the words of its note

    A stranger's note is words as well: a card that is the note shows it as it is, so a picture in
    it would be loaded by whoever opens the canvas.
    """

    def __init__(self, memory: Memory, folder: PurePosixPath | None) -> None:
        self._memory = memory
        self._folder = folder
        self._now = memory.opened.clock.now()

    def card(self, row: NoteRow, *, within: str = "") -> Card:
        """The card of a note; `within` keeps cards of one note in several groups apart."""
        key = f"{within}\n{row.path.as_posix()}"
        color = self._color(row)
        if self._folder is not None and row.trust != UNTRUSTED:
            return Card(key, file=(self._folder / row.path).as_posix(), color=color)
        facts = " · ".join(filter(None, self._facts(row)))
        says = row.title if row.type in ("category", "page", "stream") else row.statement
        text = f"{card_text(says or row.title)}\n\n*{facts}*"
        if self._folder is not None and _PLAIN.fullmatch(row.path.stem):
            text += f"\n\n[[{row.path.stem}]]"
        return Card(key, text=text, color=color)

    def _facts(self, row: NoteRow) -> Iterable[str]:
        yield row.kind or row.type
        at = row.valid_from if row.valid_from is not None else row.date
        yield self._day("since" if row.type == "item" else "of", at)
        yield self._day("until", row.valid_until)
        yield self._day("due", row.due)
        yield row.status if row.status != "active" else ""
        yield "not your own words" if row.trust in (LIMITED, UNTRUSTED) else ""

    def _day(self, word: str, ms: int | None) -> str:
        try:
            zone = self._memory.settings.timezone
            return f"{word} {format_date(ms, zone)}" if ms is not None else ""
        except ValueError:  # a year that no calendar has
            return ""

    def _color(self, row: NoteRow) -> str:
        if row.type != "item":
            return {"resource": CYAN, "category": PURPLE}.get(row.type, "")
        if row.status == "candidate":
            return YELLOW
        if not is_current(row, self._now):
            return RED
        return ORANGE if row.hard or row.critical else GREEN


def card_text(text: str, longest: int = _LONGEST) -> str:
    """Words of a note for a card: shortened, spelled out where they hide, inert where they act."""
    flat = " ".join(text[: longest * 20].split())
    cut = flat if len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"
    return safety.mark_inert(visible(cut))


def label(text: str) -> str:
    """The same for a name on a frame or a line."""
    return card_text(text, _LONGEST_LABEL)


def around(memory: Memory, question: str, drawer: Drawer) -> Choice | None:
    """What answers a question, or the note that it names, and what these are linked with.

    None: nothing answers it
    """
    rows = _answers(memory, question)
    return vault.level.reading(memory.opened, lambda: _around(memory, question, rows, drawer))


def _answers(memory: Memory, question: str) -> list[NoteRow]:
    """The note that a question names, else what answers it."""
    try:
        return [
            vault.level.reading(memory.opened, lambda: vault.find_note(memory.opened, question))
        ]
    except UnknownNoteError:
        # Each day of a long talk is a hit: its file was drawn as often, one card over the other.
        return list({hit.note.path: hit.note for hit in memory.recall(question).hits}.values())


def _around(
    memory: Memory, question: str, rows: Sequence[NoteRow], drawer: Drawer
) -> Choice | None:
    if not rows:
        return None
    index = memory.opened.index
    # What a whole text or topic is linked with is most of a small vault, and answers nothing.
    rows = [row for row in rows if row.type == "item"] or rows
    answers = {row.path.as_posix(): row for row in rows}
    edges = index.edges()
    links = _links(memory, answers, edges)
    others = [path for pair in links for path in pair if path not in answers]
    known = {
        path: row
        for path in dict.fromkeys(others)
        if (row := index.note(PurePosixPath(path))) is not None
    }
    alike = _alike(memory, answers, known, edges)
    sorts: dict[str, list[NoteRow]] = defaultdict(list)
    by_time = {pair for pair, told in links.items() if told == _LABELS["superseded_by"]}
    before_and_after = {path for pair in by_time for path in pair}
    for path, row in known.items():
        sort = {"resource": "Comes from", "category": "Topics"}.get(row.type, "Linked with")
        sorts["Before and after" if path in before_and_after else sort].append(row)
    sorts["Names the same"] = [row for row, _ in alike]
    sorts["Answers"] = list(rows)
    left, columns, drawn = 0, [], set()
    for column in _IN_COLUMNS:
        groups = []
        for name in column:
            found = sorts[name][:_MOST_LINKED]
            more = len(sorts[name]) - len(found)
            left += more
            if found:
                cards = [drawer.card(row) for row in found]
                groups.append(Group(name, name, [*cards, *_more(name, more)]))
                drawn |= {row.path.as_posix() for row in found}
        if groups:
            columns.append(groups)
    lines = [
        Line(f"\n{start}", f"\n{end}", told)
        for (start, end), told in sorted(links.items())
        if {start, end} <= drawn
    ]
    for row, shared in alike:
        for path, named in shared.items():
            if path in drawn:  # of many answers only the first are
                lines.append(Line(f"\n{path}", f"\n{row.path.as_posix()}", label(", ".join(named))))
    told = (pluralise(len(rows), "answer"), pluralise(len(drawn - answers.keys()), "note"))
    title = f"**{card_text(question)}**\n\n{told[0]}, {told[1]} around"
    return Choice(Board(title, columns, lines), len(drawn), left)


def _more(group: str, count: int) -> list[Card]:
    return [Card(f"more\n{group}", f"… and {count:,} more")] if count > 0 else []


def _links(
    memory: Memory, answers: Mapping[str, NoteRow], edges: Sequence[Edge]
) -> dict[tuple[str, str], str]:
    """(from, to) -> what the links of these notes say, one line for each two notes."""
    index = memory.opened.index
    found: dict[tuple[str, str], str] = {}

    def add(start: str, end: str, relation: str) -> None:
        told = _LABELS.get(relation, relation)
        other = found.get((end, start))
        if start == end or (other is not None and told == _LABELS["link"]):
            return
        if {told, other} == {"causes", _LABELS["follows_from"]}:
            return  # both notes say the same
        if other == _LABELS["link"]:
            del found[end, start]
        if found.get((start, end), _LABELS["link"]) == _LABELS["link"]:
            found[start, end] = told

    for path in answers:
        record = vault.read_record(memory.opened, PurePosixPath(path))
        if not isinstance(record, Item):
            continue
        for target in record.superseded_by:
            if (row := index.resolve_link(target)) is not None:
                add(path, row.path.as_posix(), "superseded_by")
        for target in record.supersedes:
            if (row := index.resolve_link(target)) is not None:
                add(row.path.as_posix(), path, "superseded_by")
        for slug in record.categories:
            row = index.note(PurePosixPath("categories", f"{slug}.md"))
            if row is not None:
                add(path, row.path.as_posix(), "category")
    for edge in edges:
        if edge.relation != "entity" and (edge.path in answers or edge.target in answers):
            add(edge.path, edge.target, edge.relation)
    return found


def _alike(
    memory: Memory,
    answers: Mapping[str, NoteRow],
    known: Mapping[str, NoteRow],
    edges: Sequence[Edge],
) -> list[tuple[NoteRow, dict[str, list[str]]]]:
    """Other current items that name what an answer names, and what that is, by answer.

    Those that share more names come first, then the newer ones.
    """
    named: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        if edge.relation == "entity" and edge.path in answers:
            named[edge.target].append(edge.path)
    shared: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for edge in edges:
        if edge.relation == "entity" and edge.path not in answers and edge.path not in known:
            for path in named.get(edge.target, ()):
                shared[edge.path][path].append(edge.target)
    now = memory.opened.clock.now()
    rows = [
        row
        for path in shared
        if (row := memory.opened.index.note(PurePosixPath(path))) is not None
        and row.type == "item"
        and is_current(row, now)
    ]
    rows.sort(
        key=lambda row: (-len(shared[row.path.as_posix()]), -(row.date or 0), row.path.as_posix())
    )
    return [(row, shared[row.path.as_posix()]) for row in rows[:_MOST_ALIKE]]


def overview(memory: Memory, drawer: Drawer) -> Choice | None:
    """People, projects and categories, with what holds of each now; None: nothing is known."""
    rows = memory.list(Filters(types=("item",), statuses=("active",)), limit=None)
    return vault.level.reading(memory.opened, lambda: _overview(memory, rows, drawer))


def _group(
    key: str, name: str, rows: Sequence[NoteRow], drawer: Drawer, *, color: str = ""
) -> tuple[Group, Sequence[NoteRow]]:
    """The most important, then newest, of these notes in a frame, and which they are."""
    best = sorted(rows, key=lambda row: (-row.importance, -(row.date or 0), row.path.as_posix()))
    chosen = best[:_MOST_OF_ONE]
    cards = [drawer.card(row, within=key) for row in chosen]
    return Group(key, label(name), [*cards, *_more(key, len(rows) - len(chosen))], color), chosen


def _overview(memory: Memory, rows: Sequence[NoteRow], drawer: Drawer) -> Choice | None:
    now = memory.opened.clock.now()
    current = [row for row in rows if is_current(row, now)]
    if not current:
        return None
    mentions: dict[str, list[str]] = defaultdict(list)
    for edge in memory.opened.index.edges():
        if edge.relation == "entity":
            mentions[edge.path].append(edge.target)
    people, _, projects, _ = group_by_name(current, mentions)
    left = 0
    drawn: set[str] = set()
    groups: list[Group] = []
    topics: dict[str, Counter[str]] = {}
    named_rows: set[PurePosixPath] = set()
    sorts = (("Person", people, GREEN), ("Project", projects, ORANGE))
    for sort, named, color in sorts:
        ranked = sorted(named.items(), key=lambda pair: (-len(pair[1]), pair[0].casefold()))
        left += len(ranked[_MOST_NAMES:])
        for name, found in ranked[:_MOST_NAMES]:
            group, shown_rows = _group(f"{sort}\n{name}", name, found, drawer, color=color)
            groups.append(group)
            topics[group.key] = Counter(slug for row in found for slug in row.categories)
            drawn |= {row.path.as_posix() for row in shown_rows}
            named_rows |= {row.path for row in found}
    others = [row for row in current if row.path not in named_rows]
    if others:
        group, shown_rows = _group("Others", "Others", others, drawer)
        groups.append(group)
        drawn |= {row.path.as_posix() for row in shown_rows}
    counts = Counter(slug for row in current for slug in row.categories)
    slugs = sorted(counts, key=lambda slug: (-counts[slug], slug))
    left += len(slugs[_MOST_NAMES:])
    pages: dict[str, str] = {}  # slug -> key of its card
    cards = []
    for slug in slugs[:_MOST_NAMES]:
        row = memory.opened.index.note(PurePosixPath("categories", f"{slug}.md"))
        held = pluralise(counts[slug], "memory", "memories")
        card = Card(f"topic\n{slug}", text=f"**{card_text(slug)}**\n\n{held}")
        if row is not None:
            page = drawer.card(row, within="topics")
            card = page if page.file else Card(card.key, text=card.text, color=page.color)
            drawn.add(row.path.as_posix())
        pages[slug] = card.key
        cards.append(card)
    columns = spread(groups, min(_COLUMNS, len(groups))) if groups else []
    if cards:
        columns = [*columns, [Group("topics", "Topics", cards, PURPLE)]]
    lines = [
        Line(key, pages[slug], f"{count:,} memories" if count > 1 else "")
        for key, of in sorted(topics.items())
        for slug, count in sorted(of.items())
        if slug in pages
    ]
    told = (
        pluralise(len(current), "memory", "memories"),
        pluralise(len(people), "person", "people"),
        pluralise(len(projects), "project"),
        pluralise(len(counts), "topic"),
    )
    title = f"**{card_text(memory.root.name)}**\n\n{', '.join(told)}"
    return Choice(Board(title, columns, lines), len(drawn), left)
