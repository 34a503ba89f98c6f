"""What is fuzzed: each target takes bytes and raises AssertionError when a promise breaks.

Named errors (`VaultmemError`) are answers; any other exception is a find.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from tests.fuzz.mutation import mutated
from vaultmem.api.memory import Memory
from vaultmem.base.errors import VaultmemError
from vaultmem.extract.prepare import turns_of
from vaultmem.extract.rule_extractor import HeuristicExtractor
from vaultmem.language.dates.phrases import find_dates
from vaultmem.language.text import visible
from vaultmem.model.drafts import Source
from vaultmem.model.ids import Oid
from vaultmem.privacy.personal import find_personal
from vaultmem.privacy.secrets import find_secrets, redact
from vaultmem.safety.inert import defang, defang_output, refang
from vaultmem.safety.instructions import suspicion
from vaultmem.storage.index.text.passages import passages
from vaultmem.storage.merging import merge_note
from vaultmem.storage.notes.bullets import add_bullet, bullets, remove_bullet
from vaultmem.storage.notes.frontmatter import patch, read, split
from vaultmem.storage.notes.markdown import read_statement, replace_statement
from vaultmem.storage.notes.schema import decode
from vaultmem.storage.notes.summary_block import add_lines, remove_line

Target = Callable[[bytes], None]

_PLACES = (
    "items/2026/03/11/a-i-7f3a2kq9xw.md",
    "resources/2026/03/a-r-mr1mhmd4cfp0.md",
    "categories/a.md",
    "streams/identity.md",
    "streams/flow.laptop.md",
    "archive/a.md",
)
_NOW = 1_773_230_400_000
_ID = "i-zzzzzzzzzz"
_EXTRACTOR = HeuristicExtractor()


def parser(data: bytes) -> None:
    """Any bytes at any place decode to a record with passages, or to problems."""
    for place in _PLACES:
        found = decode(PurePosixPath(place), data, Oid("0" * 40))
        if found.record is not None:
            for passage in passages(found.record):
                visible(passage.text)


def span_editor(data: bytes) -> None:
    """A patch changes the keys it names; the body stays, byte for byte; and it can be read."""
    random_ = random.Random(len(data))
    key, value = random_.choice(
        (("status", "retracted"), ("tags", ("x", "y")), ("importance", 7), ("new", "a: b # c"))
    )
    before = read(data, PurePosixPath("a.md"))
    with suppress(VaultmemError):
        after = patch(data, {key: value})
        assert split(after).body.endswith(split(data).body) or not split(data).opening
        again = read(after, PurePosixPath("a.md"))
        others = {name: said for name, said in before.values.items() if name != key}
        assert {name: said for name, said in again.values.items() if name != key} == others
        assert patch(after, {key: value}) == after
    if b"\0" in data:
        return  # with fewer letters beside them, the same NULs can make it a binary file
    with suppress(VaultmemError):
        assert read_statement(read(replace_statement(data, "A b c"), PurePosixPath("a.md")).body)


def lists(data: bytes) -> None:
    """A bullet or line that was added can be taken away, and nothing else has changed."""
    with suppress(VaultmemError):
        if all(each.block_id != _ID for each in bullets(data)):
            added = add_bullet(data, "Likes tea", _ID)
            assert {each.text for each in bullets(data)} <= {each.text for each in bullets(added)}
            left = remove_bullet(added, _ID)
            assert [each.text for each in bullets(left)] == [each.text for each in bullets(data)]
    with suppress(VaultmemError):
        remove_line(add_lines(data, [("Likes tea", _ID)]), _ID)


def extraction(data: bytes) -> None:
    """Drafts are grounded: each quote stands in the text, word for word."""
    text = data.decode("utf-8", "replace")
    turns = turns_of(text, "UTC")
    found = _EXTRACTOR.extract(Source(id="r-000000000000", turns=turns, date=_NOW), now=_NOW)
    for draft in found.drafts:
        assert draft.statement.strip()
        assert 1 <= draft.importance <= 10
        assert any(draft.quote in turn.text for turn in turns), draft


def dates(data: bytes) -> None:
    """Dates in any text lie in order."""
    for found in find_dates(data.decode("utf-8", "replace"), _NOW, "Europe/Vienna"):
        assert found.start < found.end


def merge(data: bytes) -> None:
    """Two damaged versions of anything merge to the same bytes from either side, and only once."""
    random_ = random.Random(len(data) + sum(data[:64]))
    path = PurePosixPath(random_.choice(_PLACES))
    base: bytes | None = data
    ours, theirs = (mutated(random_, (data,)) if random_.random() < 0.9 else None for _ in "ab")
    if random_.random() < 0.1:
        base = None
    if ours is None and theirs is None:
        return
    one = merge_note(path, base, ours, theirs, ours_at=_NOW, theirs_at=_NOW + 1000)
    two = merge_note(path, base, theirs, ours, ours_at=_NOW + 1000, theirs_at=_NOW)
    assert one.content == two.content
    assert {copy.content for copy in one.copies} == {copy.content for copy in two.copies}
    if one.content is not None:
        again = merge_note(path, base, one.content, one.content, ours_at=_NOW, theirs_at=_NOW)
        assert again.content == one.content
        kept = merge_note(path, ours, one.content, ours, ours_at=_NOW, theirs_at=_NOW)
        assert kept.content == one.content


def scans(data: bytes) -> None:
    """What was taken out of a text is not found in it again; marks on active text come off."""
    text = data.decode("utf-8", "replace")
    found = find_secrets(text)
    clean = redact(text, found)
    kinds = {each.kind for each in find_secrets(clean)}
    assert not found or len(find_secrets(clean)) < len(found) or not kinds, kinds
    list(find_personal(text))
    suspicion(text)
    assert refang(defang(text)) == text or "\0" in text
    visible(defang_output(text))


class Question:
    """Any text is a question to a vault with notes in it."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def __call__(self, data: bytes) -> None:
        with suppress(VaultmemError):
            text = data[:2000].decode("utf-8", "replace")
            self._memory.recall(text)
            self._memory.search(text, by="passage")


PURE: Mapping[str, Target] = {
    "parser": parser,
    "span editor": span_editor,
    "lists": lists,
    "extraction": extraction,
    "dates": dates,
    "merge": merge,
    "scans": scans,
}


def all_targets(memory: Memory) -> dict[str, Target]:
    """Every target; questions are put to this vault."""
    return {**PURE, "query": Question(memory)}


def open_sample(folder: Path, sample: Path) -> Memory:
    """A copy of the sample vault, opened."""
    import shutil

    shutil.copytree(sample, folder, dirs_exist_ok=True)
    Memory.init(folder)
    return Memory(folder)
