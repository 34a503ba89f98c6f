"""What a person does to a list in an editor: indent, outdent, split, join, move, and paste.

`list_edit` changes bytes of any kind; `EditedStreams` does it to the lists of a vault and syncs.
"""

from __future__ import annotations

import random
import re
import shutil
from contextlib import suppress
from pathlib import Path

from vaultmem.api.memory import Memory
from vaultmem.base.errors import VaultmemError

# As it comes from a browser, a mail, a chat, a terminal, a table, another outline.
PASTES: tuple[bytes, ...] = tuple(
    text.encode()
    for text in (
        "• Bees\n  ◦ Hives\n    ▪ Frames\n• Honey\n",
        "1. First\n   a) Second\n   b) Third\n2) Fourth\n",
        "* one\n\t* two\n\t\t* three\n",
        "- [ ] call Dr. Weber\n- [x] water the plants\n- [>] renew the passport\n",
        "On Mon, 3 May 2026 at 09:14, Ada <ada@a.example> wrote:\n> I live in Graz.\n>> So do I.\n",
        "Ada\t09:14\r\nI keep bees.\r\n\r\nBen\t09:15\r\nSince when?\r\n",
        "**Ada** (2026-05-03 09:14): I keep bees.\n\n**Ben** (2026-05-03 09:15): Since when?\n",
        "User: I prefer tabs.\nAssistant: Noted. Always use tabs.\n",
        "| what | when |\n| --- | --- |\n| bees | May |\n",
        "<ul><li>I keep <b>bees</b></li><li>and a cat</li></ul><script>x()</script>\n",
        "```python\n- not = a_bullet\n```\n",
        '$ git status\nOn branch main\n  (use "git add" to track)\n',
        "---\ntags: [pasted]\n---\n\n- a note of its own\n",
        (
            "# Pasted\n\nA line that an editor wrapped at some sixty columns, so\n"
            "it goes on with Dr. Bo.\n\n- and a bullet\n"
        ),
        "I work at St. Mary's Hospital ^i-7f3a2kq9xw\n",
        "\u00a0\u00a0- hard spaces\n\u2003- wide ones\n\u200b- none to see\n",
        "a line\u2028another\u0085and one more\x0bstill",
        "no line feed at the end",
        "- " + "long " * 400 + "\n",
        "- x\n" * 60,
    )
)
_BULLET = re.compile(rb"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_STREAMS = ("identity", "projects", "tasks")
_WORD = re.compile(rb"(?<![\w^-])[A-Za-z]{4,}(?![\w-])")  # not the letters of an id
_LONGEST_STREAM = 12_000
_INPUTS_A_VAULT = (
    150  # a vault that grew for an hour is slow, and finds nothing that a small one hides
)


def list_edit(random_: random.Random, data: bytes) -> bytes:
    """The bytes with one edit of a line; a paste where there is no line to edit."""
    lines = data.splitlines(keepends=True)
    places = [at for at, line in enumerate(lines) if _BULLET.match(line)] or list(range(len(lines)))
    if not places:
        return random_.choice(PASTES)
    at = random_.choice(places)
    what = random_.choice(("indent", "outdent", "split", "join", "paste", "move", "inside"))
    line = lines[at]
    if what == "indent":
        for child in range(at, min(at + random_.choice((1, 1, 3)), len(lines))):
            lines[child] = random_.choice((b"  ", b"    ", b"\t", b" ")) + lines[child]
    elif what == "outdent":
        lines[at] = re.sub(rb"^(?:\t| {1,4})", b"", line)
    elif what == "split":
        _split(random_, lines, at)
    elif what == "join" and at + 1 < len(lines):
        begins = _BULLET.match(lines[at + 1])
        rest = lines[at + 1][begins.end() :] if begins else lines[at + 1].lstrip()
        lines[at : at + 2] = [line.rstrip(b"\r\n") + random_.choice((b" ", b"")) + rest]
    elif what == "paste":
        lines.insert(at + random_.randint(0, 1), random_.choice(PASTES))
    elif what == "inside":
        place = random_.randint(0, len(line))
        lines[at] = line[:place] + random_.choice(PASTES) + line[place:]
    else:
        lines.insert(random_.randrange(len(lines)), lines.pop(at))
    return b"".join(lines)


def _split(random_: random.Random, lines: list[bytes], at: int) -> None:
    """Enter in the middle of a bullet: the second half is a bullet, as editors make it."""
    begins = _BULLET.match(lines[at])
    start = begins.end() if begins else 0
    place = random_.randint(start, max(start, len(lines[at].rstrip(b"\r\n"))))
    second = (begins.group() if begins else b"- ") + lines[at][place:].lstrip(b" ")
    lines[at : at + 1] = [lines[at][:place].rstrip(b" ") + b"\n", second]


class EditedStreams:
    """A list that was edited syncs at once: no word goes, and a second sync has no work."""

    def __init__(self, folder: Path, sample: Path) -> None:
        self._folder, self._sample = folder, sample
        self._memory: Memory | None = None
        self._tried = 0
        self._first: dict[str, bytes] = {}

    def __call__(self, data: bytes) -> None:
        """Edits of a stream by this seed, with the bytes themselves pasted now and then."""
        memory = self._opened()
        random_ = random.Random(data)
        name = random_.choice(_STREAMS)
        file = memory.root / "streams" / f"{name}.md"
        before = file.read_bytes()
        if len(before) > _LONGEST_STREAM:
            before = self._first[name]
        edited = before
        for _ in range(random_.randint(1, 4)):
            edited = list_edit(random_, edited)
        if random_.random() < 0.2:
            edited += b"\n- " + data[:400].replace(b"\0", b"") + b"\n"
        file.write_bytes(edited)
        self._require_settled(memory, edited)

    def _require_settled(self, memory: Memory, edited: bytes) -> None:
        with suppress(VaultmemError):
            memory.sync()
            again = memory.sync()
            assert not again.commits, "a second sync found work"
        kept = b"\n".join(each.read_bytes() for each in memory.root.glob("**/*.md"))
        lost = set(_WORD.findall(edited)) - set(_WORD.findall(kept))
        told = [line for line in edited.splitlines() if any(word in line for word in lost)]
        assert not lost, f"words are gone: {sorted(lost)[:5]} of {told[:3]}"

    def _opened(self) -> Memory:
        self._tried += 1
        if self._memory is None or self._tried % _INPUTS_A_VAULT == 0:
            self.close()
            root = self._folder / f"{self._tried}"
            shutil.copytree(self._sample, root)
            Memory.init(root)
            self._memory = Memory(root)
            self._first = {
                name: (root / "streams" / f"{name}.md").read_bytes() for name in _STREAMS
            }
        return self._memory

    def close(self) -> None:
        """Close the vault and take it away."""
        if self._memory is not None:
            root = self._memory.root
            self._memory.close()
            shutil.rmtree(root)
            self._memory = None
