"""Large vaults with a history, made by `git fast-import`: 100,000 notes in half a minute.

A vault as years of `remember` leave it: each of its commits adds a text with three statements, so
four notes. `git add` and `git commit` of the same files took 31 minutes for a million passages.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, NamedTuple

from tests.bench.speed import Words, run
from vaultmem import Memory
from vaultmem.model.ids import item_id, resource_id

STATEMENTS = 3  # of a text; the text is a note too
CATEGORIES = (
    "art",
    "food",
    "garden",
    "health",
    "home",
    "money",
    "music",
    "sport",
    "travel",
    "work",
)
IN_STREAM = 40  # statements that stand in a stream too, as what is important does
_BEGAN = datetime(2016, 1, 4, 7, 30, tzinfo=UTC)
_YEARS = 9  # that the vault is told in, of whatever size


class Commit(NamedTuple):
    """Files that one commit adds or replaces."""

    when: datetime
    message: str
    files: tuple[tuple[str, str], ...]


def make_history(root: Path, notes: int, words: Words) -> None:
    """A vault with so many notes that many `remember` have made, and clean for git."""
    Memory.init(root)
    import_commits(root, _remembered(root, notes, words))


def import_commits(root: Path, commits: Iterable[Commit]) -> None:
    """Write the files of commits on top of HEAD, and the commits."""
    git = subprocess.Popen(
        ["git", "fast-import", "--quiet", "--done"], cwd=root, stdin=subprocess.PIPE
    )
    assert git.stdin is not None  # it is a pipe
    branch = subprocess.check_output(["git", "symbolic-ref", "HEAD"], cwd=root, text=True).strip()
    parent = f"{branch}^0"
    folders: set[Path] = set()
    for number, commit in enumerate(commits, 1):
        who = f"bench <bench@example.org> {int(commit.when.timestamp())} +0000"
        git.stdin.write(f"commit {branch}\nmark :{number}\ncommitter {who}\n".encode())
        _put_data(git.stdin, commit.message.encode())
        git.stdin.write(f"from {parent}\n".encode())
        parent = f":{number}"
        for path, text in commit.files:
            data, file = text.encode(), root / path
            if file.parent not in folders:
                file.parent.mkdir(parents=True, exist_ok=True)
                folders.add(file.parent)
            file.write_bytes(data)
            git.stdin.write(f"M 100644 inline {path}\n".encode())
            _put_data(git.stdin, data)
    git.stdin.write(b"done\n")
    git.stdin.close()
    if git.wait():
        raise SystemExit("git fast-import failed")
    run("git", "read-tree", "HEAD", folder=root)
    run("git", "update-index", "-q", "--refresh", folder=root)


def _put_data(stream: IO[bytes], data: bytes) -> None:
    stream.write(b"data %d\n" % len(data))
    stream.write(data)
    stream.write(b"\n")


def _remembered(root: Path, notes: int, words: Words) -> Iterator[Commit]:
    bullets: list[str] = []
    identity = (root / "streams/identity.md").read_text("utf-8")
    count = max(1, notes // (STATEMENTS + 1))
    step = timedelta(days=365 * _YEARS) / count
    pages = tuple((f"categories/{name}.md", f"# {name.title()}\n") for name in CATEGORIES)
    for number in range(count):
        when = _BEGAN + number * step
        said = [words.sentence(12) for _ in range(STATEMENTS)]
        text = f"{' '.join(said)}\n"
        id_ = resource_id(text)
        name = f"{_slug(said[0])}-{id_}"
        head = f"---\nid: {id_}\ntitle: {said[0]}\nwriter: person\ntrust: user\n---\n\n"
        files = [(f"resources/{when:%Y/%m}/{name}.md", head + text)]
        ids = [item_id(id_, statement) for statement in said]
        for place, (item, statement) in enumerate(zip(ids, said, strict=True)):
            is_listed = not place and len(bullets) < IN_STREAM
            if is_listed:
                bullets.append(f"- {statement} ^{item}\n")
                files.append(("streams/identity.md", f"{identity}{''.join(bullets)}"))
            category = CATEGORIES[(number + place) % len(CATEGORIES)]
            stream = "stream: identity\n" if is_listed else ""
            path = f"items/{when:%Y/%m/%d}/{_slug(statement)}-{item}.md"
            note = (
                f'---\nid: {item}\nkind: fact\n{stream}category:\n  - "[[{category}]]"\n'
                f'valid_from: {when:%Y-%m-%d}\nstatus: active\nsource:\n  - "[[{name}]]"\n'
                f"quote: {statement}\nimportance: {3 + 3 * is_listed}\nconfidence: 0.7\n"
                f"confidence_at: {when:%Y-%m-%dT%H:%M:%S}.000+00:00\nwriter: person\n"
                f"trust: user\nobserved: claimed\n---\n\n{statement}\n"
            )
            files.append((path, note))
        yield Commit(
            when=when,
            message=f"remember: {said[0]} (+2 items)\n\nVaultmem-Op: remember\n"
            f"Vaultmem-Items: {', '.join(ids)}\nVaultmem-Source: {id_}\nVaultmem-Actor: person\n"
            f"Vaultmem-Recorded-At: {when:%Y-%m-%dT%H:%M:%S}.000Z\n",
            files=(*(pages if not number else ()), *files),
        )


def _slug(sentence: str) -> str:
    return "-".join(sentence.lower().rstrip(".").split()[:8])
