"""Three-way merge of a file: a note by its parts, any other text by lines, else both versions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.model.ids import blob_oid
from vaultmem.storage.files.layout import ACCESS, SCORER, is_companion

if TYPE_CHECKING:
    from vaultmem.storage.merging import Merged


def merge_any(
    path: PurePosixPath,
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    *,
    ours_at: int,
    theirs_at: int,
    follows: Collection[str] = (),
) -> Merged:
    """One file out of three versions: a note by its parts, our own by rows, others by lines.

    follows  as `merge_note` takes them
    """
    from vaultmem.storage.merging import merge_note

    if path == SCORER and ours is not None and theirs is not None:
        from vaultmem.recall.ranking.feedback import merged
        from vaultmem.storage.merging import Merged

        return Merged(content=merged(ours, theirs))
    if path == ACCESS and ours is not None and theirs is not None:
        from vaultmem.recall import uses
        from vaultmem.storage.merging import Merged

        return Merged(content=uses.merged(ours, theirs))
    if ours is not None and theirs is not None and _is_derived(ours) and _is_derived(theirs):
        from vaultmem.storage.merging import Merged

        return Merged(content=max(ours, theirs))  # the next night tells it anew, of both sides
    if path.suffix.lower() != ".md":
        return merge_file(path, base, ours, theirs, ours_at=ours_at, theirs_at=theirs_at)
    return merge_note(
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
) -> Merged:
    """As `merge_note`, for what is no note: by lines where that is sure, else both versions.

    Settings, tables and canvases are never merged by lines: each line may fit, and the whole say
    what nobody wanted (two nodes of a canvas with one id).
    """
    from vaultmem.storage.merging import Copy, Merged, Notice

    if ours == theirs or theirs == base:
        return Merged(content=ours)
    if ours == base:
        return Merged(content=theirs)
    if ours is None or theirs is None:
        what = "changed on one device and deleted on another, so it is kept"
        notice = Notice(code="conflict-deleted", message=what)
        return Merged(content=theirs if ours is None else ours, notices=(notice,))
    folder = "" if len(path.parts) == 1 else path.parent.as_posix()
    is_text = not any(b"\0" in each for each in (ours, theirs))
    if base is not None and is_text and not is_companion(folder, path.name):
        lines = merge_lines(base=base, ours=ours, theirs=theirs)
        if lines is not None and (path.suffix != ".toml" or _is_toml(lines)):
            return Merged(content=lines)
    (_, early), (_, late) = sorted([(ours_at, ours), (theirs_at, theirs)])
    notice = Notice(
        code="conflict-copy", message="changed on two devices; the older version is kept beside it"
    )
    suffix = f" (conflict {blob_oid(early, algorithm='sha1')[:10]})"
    return Merged(content=late, notices=(notice,), copies=(Copy(suffix=suffix, content=early),))


def _is_toml(data: bytes) -> bool:
    import tomllib

    try:
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
    matcher = SequenceMatcher(None, base, changed, autojunk=False)
    return [
        (i1, i2, tuple(changed[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
