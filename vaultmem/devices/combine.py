"""Two lines of commits into one tree, path by path, and files merged from what both last had.

A path that one side changed is taken as it is; one that both changed is merged. Notes are
followed by their id, so a note moved on one device and edited on the other is one note. Pure
reading: nothing is written here, and the result does not depend on which side is 'ours'.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from vaultmem import model, recall, vault
from vaultmem.base import TYPE_CHECKING, dataclass, field
from vaultmem.devices.incoming import is_withheld
from vaultmem.model import Problem, Severity, blob_oid, id_in_name
from vaultmem.storage import files, merging, notes
from vaultmem.storage.files import ACCESS, CATEGORIES, SCORER, STREAMS, is_companion
from vaultmem.storage.merging import Decide, Sides, TwoSided

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry, Exchange, History


# --- list lines that only repeat an item ---

# A bullet is one of them where it says on each side what its item says there: the item's note then
# keeps both versions, and one question is enough. A line of a managed summary always is, as the
# program writes it: by its link. Where the item's note is not found, the line speaks for itself.
_NOTES = ("items/", "archive/")
_BODY_BYTES = 1_048_576  # a note beyond it is not read for this; its bullet speaks for itself


class DerivedLines:
    """Answers for two trees; reads the names of all notes once, and few notes."""

    def __init__(
        self, history: History, ours: Mapping[str, Entry], theirs: Mapping[str, Entry]
    ) -> None:
        self._history = history
        self._trees = (ours, theirs)
        self._found: tuple[dict[str, str], dict[str, str]] | None = None

    def lines(self, path: PurePosixPath, ours: bytes, theirs: bytes) -> frozenset[str]:
        """Their names as `merge_note` takes them, of a stream or category that both changed."""
        top = path.parts[0] if path.suffix.lower() == ".md" else ""
        if top == STREAMS:
            return self._bullets(ours, theirs)
        return self._summary_lines(ours, theirs) if top == CATEGORIES else frozenset()

    def _summary_lines(self, ours: bytes, theirs: bytes) -> frozenset[str]:
        names = {PurePosixPath(path).stem for each in self._paths() for path in each.values()}
        links = {*notes.read_links(ours), *notes.read_links(theirs)}
        return frozenset(f"[[{link}" for link in links if link in names)

    def _bullets(self, ours: bytes, theirs: bytes) -> frozenset[str]:
        said = [
            {each.block_id: each.text for each in notes.bullets(data) if each.block_id}
            for data in (ours, theirs)
        ]
        differing = {id_ for id_, _ in said[0].items() ^ said[1].items()}
        return frozenset(
            f"^{id_}"
            for id_ in differing
            if all(
                id_ not in each or self._says(side, id_, each[id_])
                for side, each in enumerate(said)
            )
        )

    def _says(self, side: int, id_: str, text: str) -> bool:
        """Whether the item's note on a side states just this."""
        path = self._paths()[side].get(id_)
        if path is None:
            return False
        oid = self._trees[side][path].oid
        data = dict(self._history.blobs([oid]))[oid]
        if data is None or len(data) > _BODY_BYTES:
            return False
        return vault.same(
            text, notes.read_statement(notes.split(data).body.decode("utf-8", "replace"))
        )

    def _paths(self) -> tuple[dict[str, str], dict[str, str]]:
        """Notes by the id in their names, on either side."""
        if self._found is None:
            ours, theirs = (_paths_by_id(tree) for tree in self._trees)
            self._found = ours, theirs
        return self._found


def _paths_by_id(tree: Mapping[str, Entry]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in tree:
        id_ = id_in_name(PurePosixPath(path).stem) if path.startswith(_NOTES) else None
        if id_ is not None:
            found[id_] = path
    return found


# --- three-way merge of a file ---


def merge_any(
    path: PurePosixPath,
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    *,
    ours_at: int,
    theirs_at: int,
    follows: Collection[str] = (),
) -> merging.Merged:
    """One file out of three versions: a note by its parts, our own by rows, others by lines.

    follows  as `merge_note` takes them
    """
    if path == SCORER and ours is not None and theirs is not None:
        return merging.Merged(content=recall.merge_event_files(ours, theirs))
    if path == ACCESS and ours is not None and theirs is not None:
        return merging.Merged(content=recall.use_counts.merge_use_files(ours, theirs))
    if ours is not None and theirs is not None and _is_derived(ours) and _is_derived(theirs):
        return merging.Merged(
            content=max(ours, theirs)
        )  # the next night tells it anew, of both sides
    if path.suffix.lower() != ".md":
        return merge_file(path, base, ours, theirs, ours_at=ours_at, theirs_at=theirs_at)
    return merging.merge_note(
        path, base, ours, theirs, ours_at=ours_at, theirs_at=theirs_at, follows=follows
    )


def _is_derived(data: bytes) -> bool:
    """Whether a note is an overview of a time (overviews.py): made of others, nobody's words."""
    head, _, _ = data.partition(b"\n---")
    return head.startswith(b"---") and b"\noverview_of: " in head


def merge_file(
    path: PurePosixPath,
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    *,
    ours_at: int,
    theirs_at: int,
) -> merging.Merged:
    """As `merge_note`, for what is no note: by lines where that is sure, else both versions.

    Settings, tables and canvases are never merged by lines: each line may fit, and the whole say
    what nobody wanted (two nodes of a canvas with one id).
    """
    # Equal sides first: what both deleted is no deletion that a change stands against.
    if ours == theirs or theirs == base:
        return merging.Merged(content=ours)
    if ours == base:
        return merging.Merged(content=theirs)
    if ours is None or theirs is None:
        what = "changed on one device and deleted on another, so it is kept"
        notice = merging.Notice(code="conflict-deleted", message=what)
        return merging.Merged(content=theirs if ours is None else ours, notices=(notice,))
    folder = "" if len(path.parts) == 1 else path.parent.as_posix()
    is_text = not any(b"\0" in each for each in (ours, theirs))
    # Settings, tables and canvases are never merged by lines: each line may fit and the whole say
    # what nobody wanted.
    if base is not None and is_text and not is_companion(folder, path.name):
        lines = merge_lines(base=base, ours=ours, theirs=theirs)
        if lines is not None and (path.suffix != ".toml" or _is_toml(lines)):
            return merging.Merged(content=lines)
    # By time, then by bytes, never by whose side is 'ours': both devices make the same file and the
    # same copy. The copy is named by its bytes, so merging the same two versions again makes no
    # second one.
    (_, early), (_, late) = sorted([(ours_at, ours), (theirs_at, theirs)])
    notice = merging.Notice(
        code="conflict-copy", message="changed on two devices; the older version is kept beside it"
    )
    suffix = f" (conflict {blob_oid(early, algorithm='sha1')[:10]})"
    return merging.Merged(
        content=late, notices=(notice,), copies=(merging.Copy(suffix=suffix, content=early),)
    )


def _is_toml(data: bytes) -> bool:
    import tomllib

    try:
        # tomllib reads nested arrays by recursion: brackets from a remote end in RecursionError,
        # which is no ValueError.
        tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return False
    return True


def merge_lines(*, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Both changes to `base` in one text; None when they touch the same lines.

    Changes that are the same on both sides count once. A line added next to one taken away is
    no conflict: our texts are lists of bullets (diff3 would call it one; Khanna, Kunal and
    Pierce 2007). Two different additions at one place are, because their order is not known.
    """
    lines = base.splitlines(keepends=True)
    left = _changes(lines, ours.splitlines(keepends=True))
    right = _changes(lines, theirs.splitlines(keepends=True))
    merged: list[bytes] = []
    at = 0
    added_at = -1
    for start, end, new in sorted({*left, *right}, key=lambda change: change[:2]):
        if start < at or (start == end == added_at):
            return None
        merged += lines[at:start]
        merged += new
        at = end
        added_at = start if start == end else -1
    merged += lines[at:]
    return b"".join(merged)


Change = tuple[int, int, tuple[bytes, ...]]


def _changes(base: Sequence[bytes], changed: Sequence[bytes]) -> list[Change]:
    """Replaced spans of `base`: start, end (exclusive), new lines."""
    # By default difflib takes a line that makes up more than a hundredth of a text of 200 lines or
    # more for junk (empty lines, '---') and never matches it: changes would grow together and touch
    # where they do not.
    matcher = SequenceMatcher(None, base, changed, autojunk=False)
    return [
        (i1, i2, tuple(changed[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


REGULAR = "100"
# Lines of a note in which its `id:` is looked for: all notes that moved are read, and front matter
# is short.
_HEAD_LINES = 60
_MOST_CROSSINGS = 8  # one below the other; each costs a merge of whole trees


@dataclass(slots=True, kw_only=True)
class Combined:
    """What the tree of our side becomes."""

    content: dict[str, Entry | bytes | None] = field(default_factory=dict)  # against our tree
    merged: list[str] = field(default_factory=list)  # both sides had changed these
    notices: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One file through the versions: where each of them has it; '' where it has not."""

    base: str
    ours: str
    theirs: str


def combine(
    history: History,
    exchange: Exchange,
    base: str,
    ours: str,
    theirs: str,
    *,
    decide: Decide | None = None,
) -> Combined:
    """What our tree becomes when theirs joins it.

    decide  what becomes of conversations that both changed, whose files belong together
    """
    sides = Sides(
        base=exchange.entries(base),
        ours=exchange.entries(ours),
        theirs=exchange.entries(theirs),
        ours_at=exchange.about(ours).at_ms,
        theirs_at=exchange.about(theirs).at_ms,
    )
    conversations = decide(sides) if decide else TwoSided()
    found = [
        thread
        for thread in threads(history, sides)
        if conversations.paths.isdisjoint((thread.base, thread.ours, thread.theirs))
    ]
    work = _Combining(history, sides, found)
    for thread in found:
        work.take(thread)
    work.place(conversations)
    return work.result()


def common_base(
    history: History,
    exchange: Exchange,
    ours: str,
    theirs: str,
    *,
    depth: int = 0,
    decide: Decide | None = None,
) -> str | None:
    """The commit to compare both sides with; None: they have nothing in common.

    Lines that crossed have several. These are merged, as each side had to merge them, into a
    commit on no branch: what a person took out after the crossing is then taken out, and does
    not come back as new (Git's recursive merge does the same). Below `_MOST_CROSSINGS` the
    oldest one serves: against it everything later counts as new, and nothing is lost.
    """
    bases = exchange.merge_bases(ours, theirs)
    if len(bases) < 2 or depth >= _MOST_CROSSINGS:
        return bases[0] if bases else None
    # By the older of two common commits, a line that was taken out after the crossing came back.
    base, *rest = bases
    for other in rest:
        below = common_base(history, exchange, base, other, depth=depth + 1, decide=decide)
        if below is None:
            continue
        base = exchange.join(
            (base, other),
            combine(history, exchange, below, base, other, decide=decide).content,
            message="common to two lines that crossed\n",
            at_ms=exchange.about(other).at_ms,
        )
    return base


def threads(history: History, sides: Sides) -> list[Thread]:
    """Every file that their side has other than both had, by path."""
    our_moves = moves(history, sides.base, sides.ours)
    their_moves = moves(history, sides.base, sides.theirs)
    found: list[Thread] = []
    for path, entry in sides.base.items():
        theirs = _now_at(path, sides.theirs, their_moves)
        if theirs == path and sides.theirs[path] == entry and path not in our_moves:
            continue
        ours = _now_at(path, sides.ours, our_moves)
        found.append(Thread(base=path, ours=ours, theirs=theirs))
    placed_ours, placed_theirs = set(our_moves.values()), set(their_moves.values())
    new_ours = {p for p in sides.ours.keys() - sides.base.keys() if p not in placed_ours}
    new_theirs = {p for p in sides.theirs.keys() - sides.base.keys() if p not in placed_theirs}
    # Two devices may take in the same thing under different slugs: the id in the name says that it
    # is one note.
    our_ids = {id_: path for path in sorted(new_ours) if (id_ := _id_of(path))}
    for path in new_theirs:
        same = path if path in new_ours else our_ids.get(_id_of(path) or "", "")
        found.append(Thread(base="", ours=same, theirs=path))
    return sorted(found, key=lambda each: (each.theirs or each.base, each.base))


def _now_at(path: str, tree: Mapping[str, Entry], moved: Mapping[str, str]) -> str:
    return path if path in tree else moved.get(path, "")


def moves(
    history: History, before: Mapping[str, Entry], after: Mapping[str, Entry]
) -> dict[str, str]:
    """Old path -> new path of files that a side moved: by id, else by the very same bytes."""
    gone = sorted(before.keys() - after.keys())
    new = sorted(after.keys() - before.keys())
    if not gone or not new:
        return {}
    found: dict[str, str] = {}
    names_before = _ids(history, {path: before[path].oid for path in gone})
    names_after = _ids(history, {path: after[path].oid for path in new})
    # Ids first: a note that was moved and edited has other bytes. Bytes are for files without an
    # id.
    for key in (names_before, {path: before[path].oid for path in gone}):
        other = names_after if key is names_before else {path: after[path].oid for path in new}
        taken = set(found.values())
        places = _unique((path, name) for path, name in other.items() if path not in taken)
        for name, path in _unique((p, n) for p, n in key.items() if p not in found).items():
            if name in places:
                found[path] = places[name]
    return found


def _unique(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """name -> path, of the names that only one path has."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for path, name in named:
        if name in found:
            twice.add(name)
        found[name] = path
    # A name that two files have does not tell which of them was moved.
    return {name: path for name, path in found.items() if name and name not in twice}


def _ids(history: History, oids: Mapping[str, str]) -> dict[str, str]:
    """path -> id of the note there, by its name or its front matter."""
    found = {path: id_ for path in oids if (id_ := _id_of(path))}
    rest = [path for path in oids if path not in found and path.endswith(".md")]
    texts = dict(history.blobs({oids[path] for path in rest}))
    for path in rest:
        for line in (texts.get(oids[path]) or b"").split(b"\n", _HEAD_LINES)[:_HEAD_LINES]:
            if line.startswith(b"id:"):
                found[path] = line[3:].strip().strip(b"\"'").decode("utf-8", "replace")
                break
    return found


def _id_of(path: str) -> str | None:
    return id_in_name(PurePosixPath(path).stem)


class _Combining:
    """The result so far."""

    def __init__(self, history: History, sides: Sides, found: Iterable[Thread]) -> None:
        self._history = history
        self._sides = sides
        self._derived = DerivedLines(history, sides.ours, sides.theirs)
        self._done = Combined()
        # What is being put elsewhere is lifted first, so that two files can change places.
        lifted = {thread.ours for thread in found}
        self._tree: dict[str, Entry | bytes] = {
            path: entry for path, entry in sides.ours.items() if path not in lifted
        }

    def result(self) -> Combined:
        """What changed against our tree."""
        ours = self._sides.ours
        for path in sorted(self._tree.keys() | ours.keys()):
            entry = self._tree.get(path)
            if entry != ours.get(path):
                self._done.content[path] = entry
        return self._done

    def place(self, conversations: TwoSided) -> None:
        """Put conversations in their places, whole."""
        for path in conversations.paths:
            self._tree.pop(path, None)
        self._tree.update(conversations.content)
        self._done.notices += conversations.notices
        changed = (notice.path.as_posix() for notice in conversations.notices)
        self._done.merged += [path for path in changed if path in conversations.content]

    def take(self, thread: Thread) -> None:
        """Bring one file's changes of both sides together."""
        sides = self._sides
        base, ours = sides.base.get(thread.base), sides.ours.get(thread.ours)
        theirs = sides.theirs.get(thread.theirs)
        place = self._place(thread)
        # Theirs changed nothing, or the same.
        if theirs in (base, ours):
            result: Entry | bytes | None = ours
        elif ours == base:
            result = theirs
        elif (place and is_withheld(place)) or not _are_files(base, ours, theirs):
            result = max(filter(None, (ours, theirs)))  # no note: the same choice everywhere
        else:
            result = self._merge(PurePosixPath(place), (base, ours, theirs))
        self._put(place, result)

    def _place(self, thread: Thread) -> str:
        """Where the file is to be: where it was moved to; of two places, the first by name."""
        moved = [path for path in (thread.ours, thread.theirs) if path and path != thread.base]
        if len(set(moved)) > 1:
            self._notice(min(moved), "moved-twice", f"also moved to '{max(moved)}' on a device")
        return min(moved) if moved else thread.base

    def _put(self, place: str, result: Entry | bytes | None) -> None:
        if result is None:
            return
        if place in self._tree:  # of another file: neither may replace the other
            beside = kept_beside(place, hash_of(result, self._history.algorithm))
            self._notice(place, "moved-onto", f"two notes have this path; one is now '{beside}'")
            place = beside
        self._tree[place] = result

    def _merge(
        self, path: PurePosixPath, entries: tuple[Entry | None, Entry | None, Entry | None]
    ) -> Entry | bytes | None:
        """Both sides changed it."""
        texts = dict(self._history.blobs({each.oid for each in entries if each is not None}))
        base, ours, theirs = (None if each is None else texts[each.oid] for each in entries)
        times = self._sides.ours_at, self._sides.theirs_at
        follows = self._derived.lines(path, ours, theirs) if ours and theirs else frozenset()
        merged = merge_any(
            path, base, ours, theirs, ours_at=times[0], theirs_at=times[1], follows=follows
        )
        self._done.merged.append(path.as_posix())
        for notice in merged.notices:
            self._notice(path.as_posix(), notice.code, notice.message, notice.is_question)
        for copy in merged.copies:
            beside = path.with_name(f"{path.stem}{copy.suffix}{path.suffix}").as_posix()
            self._tree[beside] = copy.content
        # The entry itself where a side has just these bytes: bytes alone become an ordinary file
        # and would lose its mode.
        for entry, text in zip(entries[1:], (ours, theirs), strict=True):
            if text == merged.content and entry is not None:
                return entry
        return merged.content

    def _notice(self, path: str, code: str, message: str, is_question: bool = True) -> None:
        self._done.notices.append(
            Problem(
                path=PurePosixPath(path),
                code=code,
                message=message,
                hint="look at the note; what you save there settles it" if is_question else "",
                severity=Severity.WARNING if is_question else Severity.INFO,
            )
        )


def kept_beside(path: str, oid: str) -> str:
    """Name of a version that is kept beside a file; of '' only the mark."""
    if not path:
        return f" (conflict {oid[:10]})"
    file = PurePosixPath(path)
    return file.with_name(files.kept_name(file.name, oid)).as_posix()


def hash_of(content: Entry | bytes, algorithm: str) -> str:
    """Blob id of a content."""
    return (
        model.blob_oid(content, algorithm=algorithm) if isinstance(content, bytes) else content.oid
    )


def _are_files(*entries: Entry | None) -> bool:
    return all(each is None or each.mode.startswith(REGULAR) for each in entries)


def regular(entries: Mapping[str, Entry | None]) -> Iterator[tuple[str, Entry]]:
    """The ordinary files among the entries."""
    for path, entry in entries.items():
        if entry is not None and _are_files(entry):
            yield path, entry
