"""After a part of the history is lost and `check --fix` has run, all that is left stays usable."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import HistoryDamagedError, HistoryError, UndoRefusedError

TEXTS = ("I prefer tea.", "My sister Mia lives in Oslo.", "I work at a bakery.", "I like jazz.")
QUESTION = "Where does Mia live?"


@pytest.fixture
def whole(root: Path, clock: FixedClock) -> Path:
    """A vault with an operation a minute; what each made lies loose."""
    with Memory(root, clock=clock) as memory:
        for text in TEXTS:
            memory.remember(text)
            clock.advance(seconds=60)
        memory.remember("I live in Bergen.")
        clock.advance(seconds=60)
        memory.correct("user", "lives_in", "Hamar")
    return root


def commits(git: Git) -> list[str]:
    return git("rev-list", "main").split()


def unpacked(root: Path) -> None:
    """Every object in a file of its own, without deltas, so that one can be lost alone."""
    packs = root / ".git" / "objects" / "pack"
    whole = [file.read_bytes() for file in packs.glob("*.pack")]
    for file in packs.iterdir():
        file.unlink()
    for data in whole:
        subprocess.run(["git", "unpack-objects", "-q"], cwd=root, input=data, check=True)


def lose(root: Path, *oids: str) -> None:
    unpacked(root)
    for oid in oids:
        (root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()


def says(capsys: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["--vault", str(root), *words])
    told = capsys.readouterr()
    return code, told.out + told.err


def mended(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = says(capsys, whole, "check", "--fix")
    assert "cannot be read: what looks back steps over them" in said or "1 commit" in said
    assert code == 0


LOOKING_BACK: tuple[tuple[str, ...], ...] = (
    ("log",),
    ("history", "user", "lives_in"),
    ("diff", "2026-01-01"),
    ("timeline", "user"),
    ("recall", QUESTION, "--known-at", "HEAD"),
    ("recall", QUESTION, "--as-of", "2026-03-11"),
    ("list", "--known-at", "HEAD"),
    ("compact", "--dry-run"),
    ("consolidate", "--dry-run"),
    ("profile", "--dry-run"),
    ("rules",),
    ("status",),
    ("sync",),
    ("check", "--deep"),
)


@pytest.mark.parametrize("what", ["commit", "folder", "both and another commit"])
def test_what_is_left_of_the_history_stays_usable(
    whole: Path, git: Git, capsys: pytest.CaptureFixture[str], what: str, tmp_path: Path
) -> None:
    known = commits(git)
    lost = {known[3]} if what != "folder" else set()
    if what != "commit":
        lost.add(git("rev-parse", f"{known[3]}^{{tree}}").strip())
    if what.endswith("another commit"):
        lost.add(known[4])
    lose(whole, *lost)
    mended(whole, capsys)
    gone = {known[3]} | (lost & {known[4]})
    for words in LOOKING_BACK:
        code, said = says(capsys, whole, *words)
        assert code in (0, 1), (words, code, said)
    with Memory(whole) as memory:
        assert [each.commit for each in memory.history.log()] == [c for c in known if c not in gone]
        assert f"{len(gone)} commit" in memory.history.gaps()[0]
        assert memory.history.of("user", "lives_in").versions
        memory.remember("I like chess.")
        assert memory.undo().undid
        memory.history.restore("streams/identity.md", at=known[1])
        report = memory.vault.audit()
        assert gone <= {each.commit for group in report.suspicious for each in group.findings}
        assert any("cannot be read" in remark for remark in report.remarks)
    assert "note: the history is damaged" in says(capsys, whole, "log")[1]
    assert "history-gap" in says(capsys, whole, "check")[1]
    target = tmp_path / "all.json"
    assert says(capsys, whole, "export", str(target))[0] == 0
    exported = json.loads(target.read_text("utf-8"))
    assert exported["items"]
    assert exported["state"]["history"] == "incomplete"


def test_the_commit_after_a_gap_cannot_be_undone(
    whole: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    """It seems to have made all that is there: taking that back would empty the vault."""
    known = commits(git)
    lose(whole, known[1])
    for log in (whole / ".git" / "logs").rglob("*"):
        if log.is_file():
            log.unlink()
    mended(whole, capsys)
    before = git("ls-files")
    with Memory(whole) as memory:
        assert [each.commit for each in memory.history.log()] == known[:1]
        with pytest.raises(UndoRefusedError, match="cannot be told"):
            memory.undo()
        assert "nothing is known from before" in memory.history.gaps()[1]
    assert git("ls-files") == before


def test_the_first_commit_of_a_shallow_clone_cannot_be_undone(whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", whole.as_uri(), str(target)], check=True)
    files = sorted(target.rglob("*.md"))
    with Memory(target) as memory, pytest.raises(UndoRefusedError, match="cannot be told"):
        memory.undo()
    assert sorted(target.rglob("*.md")) == files


def test_nothing_is_sent_or_erased_over_a_gap(
    whole: Path, git: Git, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(remote)], check=True)
    lose(whole, commits(git)[3])
    mended(whole, capsys)
    assert main(["--vault", str(whole), "remote", "set", str(remote)]) == 0
    with Memory(whole) as memory:
        with pytest.raises(HistoryDamagedError, match="nothing was sent"):
            memory.devices.push()
        with pytest.raises(HistoryError, match="nothing was erased"):
            memory.forgetting.purge(match="jazz")


def test_objects_that_come_back_end_the_gap(
    whole: Path, git: Git, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    known = commits(git)
    unpacked(whole)
    lost = known[random.Random(3).randrange(1, 4)]
    file = whole / ".git" / "objects" / lost[:2] / lost[2:]
    kept = file.rename(tmp_path / "kept")
    mended(whole, capsys)
    kept.rename(file)
    says(capsys, whole, "check", "--fix")
    with Memory(whole) as memory:
        assert [each.commit for each in memory.history.log()] == known
        assert memory.history.gaps() == ()
        assert not memory.check(deep=True).problems


def test_a_lost_folder_of_the_last_commit_is_no_end(
    whole: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    known = commits(git)
    lose(whole, git("rev-parse", f"{known[0]}:items").strip())
    (whole / ".git" / "index").unlink()
    assert says(capsys, whole, "check", "--fix")[0] == 0
    for words in LOOKING_BACK:
        code, said = says(capsys, whole, *words)
        assert code in (0, 1), (words, code, said)
    with Memory(whole) as memory:
        memory.remember("I like chess.")
        assert memory.undo().undid
        assert memory.sync().commits == ()
