"""Three versions of a note become one.

The side with the later commit (of two at one time, the one with the larger bytes) is 'late'
from here on, and nothing below knows which device it came from: so both devices get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, dataclass, field, replace
from vaultmem.language import ERASED_PASSAGE
from vaultmem.model import ITEM_ID, RESOURCE_ID, Problem, resource_id
from vaultmem.storage.files import CATEGORIES, STREAMS, looks_foreign
from vaultmem.storage.merging import pieces
from vaultmem.storage.merging.bodies import Terms, merge_bodies, merge_lines
from vaultmem.storage.merging.front_matter import merge_blocks
from vaultmem.storage.merging.pieces import FIELDS, Copy, Merged, Notice, cut
from vaultmem.storage.notes import Parts, Refusal, compose, read_statement, read_told, split

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry

VERIFIED_BYTES = 256 * 1024
"""Size of a merged note up to which it is merged again to see that it stays."""


def merge_note(
    path: PurePosixPath,
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    *,
    ours_at: int,
    theirs_at: int,
    follows: Collection[str] = (),
) -> Merged:
    """The note that holds the changes of both sides; never fails, never loses a line.

    path        says whether it is a stream or a category; a rename is the caller's business
    base        the last version both had; None, as for the others: there was none
    ..._at      UTC ms of the last commit on each side: what is later wins a clash
    follows     '^i-...' and '[[note' of list lines that say what their item says: the item
                keeps both versions of a clash, so the later one stays and nothing is asked
    The same from either side; merged with one of its sides again, the result stays as it is,
    provided that its own commit is not older than theirs.
    """
    if ours == theirs or theirs == base:
        return Merged(content=ours)
    if ours == base:
        return Merged(content=theirs)
    if ours is None or theirs is None:
        what = "this note was changed on one device and deleted on another, so it is kept"
        notice = Notice(code=pieces.CONFLICT_DELETED, message=what)
        return Merged(content=theirs if ours is None else ours, notices=(notice,))
    early, late = sorted([(ours_at, ours), (theirs_at, theirs)])
    terms = Terms(late=late[0], early=early[0], follows=frozenset(follows))
    # Merged as other lines both summaries stood there, or a box asked about what the lines below
    # say anyway.
    if path.parts[0] == CATEGORIES and any(map(read_told, (ours, theirs))):
        return _merged_category(path, base, (late[1], early[1]), terms)
    return _merged_sides(path, base, (late[1], early[1]), terms)


def _merged_sides(
    path: PurePosixPath, base: bytes | None, sides: tuple[bytes, bytes], terms: Terms
) -> Merged:
    merged = _merge_versions(path, base, sides, terms)
    # A merge is merged again with either side before it is believed; 9,000 realistic ones never
    # needed the copy.
    if _is_stable(path, base, sides, terms, merged):
        return merged
    return _kept_both(sides, "their changes cannot be put in one order")


def _merged_category(
    path: PurePosixPath, base: bytes | None, sides: tuple[bytes, bytes], terms: Terms
) -> Merged:
    """As other notes, but for the sentences of its summary, which only repeat its lines."""
    late, early = (pieces.without(side) or b"" for side in sides)
    before = pieces.without(base)
    if late == early or early == before:
        merged = Merged(content=late)
    elif late == before:
        merged = Merged(content=early)
    else:
        merged = _merged_sides(path, before, (late, early), terms)
    if merged.content is None or merged.copies:
        return merged
    return replace(merged, content=pieces.put_back(merged.content, base, *sides))


def _is_stable(
    path: PurePosixPath,
    base: bytes | None,
    sides: tuple[bytes, bytes],
    terms: Terms,
    merged: Merged,
) -> bool:
    """Whether merging the result with either side once more leaves it as it is.

    So it was in every random merge of realistic notes; looking costs a few ms and makes it a
    promise. Of notes beyond VERIFIED_BYTES it is not asked.
    """
    content = merged.content
    if content is None or merged.copies or len(content) > VERIFIED_BYTES:
        return True
    for side, at in zip(sides, (terms.late, terms.early), strict=True):
        if side == content:
            continue
        again = _merge_versions(path, base, (content, side), replace(terms, early=at))
        if again.content != content:
            return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Note:
    """One version, with LF line ends where all of them are alike."""

    parts: Parts
    block: str
    body: str
    id: str


def _merge_versions(
    path: PurePosixPath, base: bytes | None, sides: tuple[bytes, bytes], terms: Terms
) -> Merged:
    data = (base or b"", *sides)
    if any(not _is_text(each) for each in data):
        return _kept_both(sides, "it is not text in UTF-8")
    marks = [_line_end(each) for each in data]
    uniform = None not in marks
    # Where one of the three mixes line ends, the bytes are merged as they stand, so that no line
    # end of the person's changes.
    if uniform:  # of the three, compared without their line ends
        data = (_in_lf(data[0]), _in_lf(data[1]), _in_lf(data[2]))
    merged = _by_parts(path, data, terms, sides)
    known = [mark or marks[0] for mark in marks]
    is_crlf = uniform and _pick(known[0], known[1], known[2]) == b"\r\n"
    if is_crlf and merged.content is not None and not merged.copies:
        content = merged.content.replace(b"\n", b"\r\n")
        return Merged(content=content, notices=merged.notices)
    return merged


def _by_parts(
    path: PurePosixPath,
    data: tuple[bytes, bytes, bytes],
    terms: Terms,
    sides: tuple[bytes, bytes],
) -> Merged:
    base, late, early = data
    notes = (_read(base), _read(late), _read(early))
    before, one, other = notes
    if one.id != other.id and one.id and other.id:
        return _two_notes(sides, (one.id, other.id))
    if RESOURCE_ID.fullmatch(one.id) and one.id == other.id and one.body != other.body:
        return _resource(path, notes, terms, sides)
    block = merge_blocks(
        before.block,
        one.block,
        other.block,
        kept_by_late=_kept_fields(one.body),
        kept_by_early=_kept_fields(other.body),
        said=_clashing_words(before.body, one.body, other.body),
    )
    if block is None:
        return _by_lines(base, late, early, sides)
    lost = tuple(pieces.version(text, terms.early) for text in block.lost)
    newest_first = path.parts[0] in (STREAMS, CATEGORIES) if path.parts else False
    body = merge_bodies(
        before.body, one.body, other.body, terms=terms, late_first=newest_first, lost=lost
    )
    if body is None:
        return _by_lines(base, late, early, sides)
    content = _assemble(notes, block.block, body[0])
    if content is None:
        return _by_lines(base, late, early, sides)
    return Merged(content=content, notices=(*block.notices, *body[1]))


def _clashing_words(base: str, late: str, early: str) -> tuple[str, str] | None:
    """What the late and the early side state, where both restated it otherwise; else None."""
    before, one, other = (read_statement(body) for body in (base, late, early))
    # The value of a slot follows its words: it is not asked for beside them
    # (tests/devices/test_derived_lines.py).
    return (one, other) if len({before, one, other}) == 3 else None


def _assemble(notes: tuple[_Note, _Note, _Note], block: str, body: str) -> bytes | None:
    """The note of these parts; None when it would not be read as these parts."""
    parts = [note.parts for note in notes]
    bom = _pick(*(each.bom for each in parts)) or b""
    opening = _pick(*(each.opening for each in parts)) or b""
    closing = _pick(*(each.closing for each in parts)) or b""
    if block and not opening:
        opening, closing = b"---\n", b"---\n"
    if opening and body and not closing.endswith(b"\n"):
        closing += b"\n"
    content = b"".join([bom, opening, block.encode(), closing, body.encode()])
    found = split(content)
    # A body that begins with a fence, or a block with a line of dashes in it, would move the end of
    # the front matter.
    if (found.block, found.body) != (block.encode(), body.encode()):
        return None
    return content


def _read(data: bytes) -> _Note:
    parts = split(data)
    block = parts.block.decode()
    id_ = ""
    # The lines are looked at one by one, since the id counts in front matter that no parser reads,
    # too.
    for line in block.split("\n"):
        if line.startswith("id:"):
            id_ = line[3:].strip().strip("\"'")
    return _Note(parts=parts, block=block, body=parts.body.decode(), id=id_)


def _kept_fields(body: str) -> frozenset[str]:
    """Lines of front matter that the box of a text keeps."""
    if pieces.FIELD not in body:
        return frozenset()
    found = cut(body) or ()
    return frozenset(each.text for p in found if p.kind == FIELDS for each in p.others)


def _resource(
    path: PurePosixPath,
    notes: tuple[_Note, _Note, _Note],
    terms: Terms,
    sides: tuple[bytes, bytes],
) -> Merged:
    """A resource is immutable: the text whose hash is its id stays, the other one beside it."""
    one, other = notes[1:]
    erased = [ERASED_PASSAGE in note.body for note in (one, other)]
    if erased[0] != erased[1]:  # what was erased for good does not come back beside it
        return Merged(content=sides[0] if erased[0] else sides[1])
    fits = [resource_id(_verbatim(note.body)) == note.id for note in (one, other)]
    kept, copied = sides if fits[0] or not fits[1] else (sides[1], sides[0])
    notice = Notice(
        code=pieces.CONFLICT_COPY,
        message=f"the text of the resource {one.id} was changed, which must not be; "
        + ("the original stays" if any(fits) else "neither version is the original")
        + ", the other version is kept beside it",
    )
    return Merged(content=kept, notices=(notice,), copies=(_copy(copied),))


def _verbatim(body: str) -> str:
    # The blank line below the front matter is no part of the text that the id is the hash of.
    return body.removeprefix("\n")


def _two_notes(sides: tuple[bytes, bytes], ids: tuple[str, str]) -> Merged:
    """Two notes at one path: the later one stays, the other one gets a name of its own."""
    notice = Notice(
        code=pieces.CONFLICT_COPY,
        message=f"two notes have this path, {ids[0]} and {ids[1]}; the second is kept beside it",
    )
    copy = _copy(sides[1])
    if ITEM_ID.fullmatch(ids[1]) or RESOURCE_ID.fullmatch(ids[1]):
        # A name with '(conflict ...)' would make it a version of the other note, which is searched
        # and listed nowhere.
        copy = Copy(suffix=f"-{ids[1]}", content=sides[1])  # a note of its own, not a version
    return Merged(content=sides[0], notices=(notice,), copies=(copy,))


def _by_lines(base: bytes, late: bytes, early: bytes, sides: tuple[bytes, bytes]) -> Merged:
    """The whole file by lines, if that is safe; else both versions."""
    rows = [each.decode().split("\n") for each in (base, late, early)]
    merged = merge_lines(*rows)
    if merged is not None:
        content = "\n".join(merged).encode()
        # Lines that fit together may give one key twice: a front matter that cannot be read.
        if _health(content) >= max(_health(late), _health(early)):
            return Merged(content=content)
    return _kept_both(sides, "its parts cannot be told apart")


def _health(data: bytes) -> int:
    """0: front matter that cannot be read; 1: front matter that can, or none."""
    parts = split(data)
    if not parts.opening:
        return 1
    try:
        return int(not isinstance(compose(parts.block.decode()), Refusal))
    except UnicodeDecodeError:
        return 0


def _kept_both(sides: tuple[bytes, bytes], why: str) -> Merged:
    """The later version that can be read, and the other one beside it."""
    first = max(range(2), key=lambda place: (_health(sides[place]), -place))
    notice = Notice(
        code=pieces.CONFLICT_COPY,
        message=f"changed on two devices, and not merged because {why}; "
        "the other version is kept beside it",
    )
    copy = _copy(sides[1 - first])
    return Merged(content=sides[first], notices=(notice,), copies=(copy,))


def _copy(content: bytes) -> Copy:
    return Copy(suffix=f" (conflict {sha256(content).hexdigest()[:10]})", content=content)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return not (b"\0" in data and looks_foreign(data))


def _in_lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _line_end(data: bytes) -> bytes | None:
    """The line end of a text, b'' without any; None when there are several."""
    count = data.count(b"\n")
    if not count:
        return b"" if b"\r" not in data else None
    crlf = data.count(b"\r\n")
    if crlf == count and data.count(b"\r") == crlf:
        return b"\r\n"
    return b"\n" if not crlf else None


def _pick(base: bytes | None, late: bytes | None, early: bytes | None) -> bytes | None:
    return early if late == base else late


# Two lines of commits beside what both last had, and what becomes of their conversations.

Told = dict[str, "Entry | bytes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The three trees, and when the two later ones were committed (UTC ms)."""

    base: Mapping[str, Entry]
    ours: Mapping[str, Entry]
    theirs: Mapping[str, Entry]
    ours_at: int
    theirs_at: int


@dataclass(slots=True, kw_only=True)
class TwoSided:
    """What becomes of the conversations that both sides changed."""

    paths: set[str] = field(default_factory=set)  # that are settled here, and nowhere else
    content: Told = field(default_factory=dict)
    notices: list[Problem] = field(default_factory=list)


Decide = Callable[["Sides"], TwoSided]
