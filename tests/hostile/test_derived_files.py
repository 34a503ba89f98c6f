"""What git keeps beside the objects to be quicker is never believed: planted and forged for real.

Each file is of the right form and says something else than the objects do. The history is that
of the objects all the same, in every command, and `check` names the files that can be told.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.hostile import forging
from tests.hostile.forging import Claim
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.model.jobs import AuditReport

TEXTS = ("I prefer tea over coffee.", "My sister lives in Oslo.", "I work at a bakery.")


@pytest.fixture
def kept(memory: Memory) -> Memory:
    """Three texts in a vault."""
    for text in TEXTS:
        memory.remember(text)
    return memory


def codes(report: AuditReport) -> list[str]:
    return [group.code for group in (*report.suspicious, *report.normal)]


def claims(git: Git, *revisions: str) -> dict[str, Claim]:
    """What the commits truly say."""
    out = git("log", "--format=%H %T %ct %P", *revisions)
    found = {}
    for line in out.splitlines():
        commit, tree, seconds, *parents = line.split()
        found[commit] = Claim(tree, parents, int(seconds))
    return found


def plant_graph(root: Path, data: bytes, *, is_chain: bool) -> Path:
    info = root / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    if not is_chain:
        (info / "commit-graph").write_bytes(data)
        return info / "commit-graph"
    folder = info / "commit-graphs"
    folder.mkdir()
    name = data[-20:].hex()
    (folder / f"graph-{name}.graph").write_bytes(data)
    (folder / "commit-graph-chain").write_text(f"{name}\n", "ascii")
    return folder / f"graph-{name}.graph"


@pytest.mark.parametrize("is_chain", [False, True])
def test_a_rollback_shows_whatever_a_forged_commit_graph_says(
    kept: Memory, root: Path, git: Git, is_chain: bool
) -> None:
    true = claims(git, "main")
    newest, older = list(true)[:2]
    forged = true | {older: true[older]._replace(parents=[newest])}
    forged[newest] = true[newest]._replace(parents=true[older].parents)
    git("reset", "-q", "--hard", older)
    plant_graph(root, forging.commit_graph(forged), is_chain=is_chain)
    report = kept.vault.audit()
    assert codes(report)[0] == "history-rewound"
    assert [each.commit for each in report.suspicious[0].findings] == [newest]
    assert kept.vault.status().problems
    assert "history-rewound" in {problem.code for problem in kept.check().problems}


@pytest.mark.parametrize("is_chain", [False, True])
def test_a_commit_that_is_its_own_parent_in_the_graph_stops_nothing(
    kept: Memory, root: Path, git: Git, is_chain: bool
) -> None:
    true = claims(git, "main")
    newest = next(iter(true))
    forged = true | {newest: true[newest]._replace(parents=[newest])}
    file = plant_graph(root, forging.commit_graph(forged), is_chain=is_chain)
    assert kept.vault.audit().is_clean
    assert [each.commit for each in kept.history.log()] == list(true)
    assert not [p for p in kept.check().problems if p.code == "history-lost"]
    assert file.exists()
    kept.forgetting.purge(match="sister")
    assert not file.exists()
    assert kept.vault.audit().is_clean


def test_check_names_a_forged_graph_and_fix_moves_it_aside(
    kept: Memory, root: Path, git: Git
) -> None:
    true = claims(git, "main")
    newest = next(iter(true))
    forged = true | {newest: true[newest]._replace(parents=[])}
    file = plant_graph(root, forging.commit_graph(forged), is_chain=False)
    found = [problem for problem in kept.check().problems if problem.code == "git-damaged"]
    assert [problem.path.name for problem in found] == ["commit-graph"]
    kept.check(fix=True)
    assert not file.exists()
    assert not kept.check().problems


def test_a_graph_that_git_itself_made_is_no_problem(kept: Memory, git: Git) -> None:
    git("commit-graph", "write", "--reachable")
    git("repack", "-adbq")
    git("multi-pack-index", "write", "--bitmap")
    assert not kept.check(deep=True).problems
    assert kept.vault.audit().is_clean


def packed(git: Git, root: Path) -> Path:
    """The index of the one pack of the vault."""
    git("repack", "-adq")
    git("prune-packed", "-q")
    (index,) = (root / ".git" / "objects" / "pack").glob("pack-*.idx")
    return index


def swap_in_multi_index(root: Path, git: Git, one: str, other: str) -> None:
    packed(git, root)
    git("multi-pack-index", "write")
    file = root / ".git" / "objects" / "pack" / "multi-pack-index"
    forging.swapped_multi_index(file, one, other)


def test_a_forged_index_of_many_packs_is_not_read(kept: Memory, root: Path, git: Git) -> None:
    newest, older = list(claims(git, "main"))[:2]
    swap_in_multi_index(root, git, newest, older)
    assert (
        git("log", "-1", "--format=%s", older) != kept.history.log()[1].subject
    )  # git believes it
    assert [each.commit for each in kept.history.log()][:2] == [newest, older]
    assert kept.vault.audit().is_clean
    assert kept.show(kept.history.log()[0].paths[0].as_posix())
    found = [problem for problem in kept.check().problems if problem.code == "git-damaged"]
    assert [problem.path.name for problem in found] == ["multi-pack-index"]
    kept.check(fix=True)
    assert not kept.check(deep=True).problems


def test_a_forged_index_of_a_pack_is_named_and_made_anew(
    kept: Memory, root: Path, git: Git
) -> None:
    index = packed(git, root)
    true = index.read_bytes()
    newest, older = list(claims(git, "main"))[:2]
    forging.swapped_index(index, newest, older)
    report = kept.vault.audit()
    assert codes(report)[0] == "object-altered"
    assert newest in {each.commit for each in report.suspicious[0].findings}
    found = [problem for problem in kept.check(deep=True).problems if problem.fixable]
    assert [problem.path.name for problem in found] == [index.name]
    kept.check(fix=True)
    assert index.read_bytes() == true
    assert not kept.check(deep=True).problems
    assert kept.vault.audit().is_clean


def test_an_object_under_the_name_of_another_is_named(kept: Memory, root: Path, git: Git) -> None:
    """A folder of the last commit, so that the files would seem to be as they were committed."""
    index = packed(git, root)
    pack = index.with_suffix(".pack").read_bytes()
    for file in index.parent.glob("pack-*"):
        file.unlink()
    git_unpack(root, pack)
    objects = root / ".git" / "objects"
    one = git("rev-parse", "HEAD:items").strip()
    other = git("rev-parse", "HEAD~1:items").strip()
    file = objects / one[:2] / one[2:]
    file.unlink()
    shutil.copy(objects / other[:2] / other[2:], file)
    report = kept.vault.audit()
    assert codes(report)[0] == "object-altered"
    assert one[:10] in report.suspicious[0].findings[0].what
    assert "git-damaged" in {problem.code for problem in kept.check().problems}


def git_unpack(root: Path, pack: bytes) -> None:
    subprocess.run(["git", "unpack-objects", "-q"], cwd=root, input=pack, check=True)


def test_a_forged_reverse_index_is_named_and_moved_aside(
    kept: Memory, root: Path, git: Git
) -> None:
    git("-c", "pack.writeReverseIndex=true", "repack", "-adq")
    (reverse,) = (root / ".git" / "objects" / "pack").glob("*.rev")
    assert not kept.check(deep=True).problems
    forging.turned_reverse_index(reverse)
    found = [problem for problem in kept.check().problems if problem.code == "git-damaged"]
    assert [problem.path.name for problem in found] == [reverse.name]
    kept.check(fix=True)
    assert not reverse.exists()
    assert not kept.check(deep=True).problems


def graft(root: Path, git: Git) -> None:
    newest = git("rev-parse", "HEAD").strip()
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "grafts").write_text(f"{newest}\n", "ascii")


def replacement(root: Path, git: Git) -> None:
    git("replace", "HEAD", "HEAD~2")


def lists_of_old_servers(root: Path, git: Git) -> None:
    older = git("rev-parse", "HEAD~2").strip()
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "refs").write_text(f"{older}\trefs/heads/main\n", "ascii")
    info = root / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "packs").write_text(f"P pack-{'0' * 40}.pack\n", "ascii")
    (info / "http-alternates").write_text("http://localhost:9/objects\n", "ascii")


def borrowed(root: Path, git: Git) -> None:
    """Objects that are borrowed from a repository that borrows, with a forged graph in the last."""
    true = claims(git, "main")
    newest = next(iter(true))
    far, near = root.parent / "far", root.parent / "near"
    for folder, below in ((far, None), (near, far)):
        (folder / "info").mkdir(parents=True)
        (folder / "pack").mkdir()
        if below is not None:
            (folder / "info" / "alternates").write_text(f"{below}\n", "utf-8")
    forged = true | {newest: true[newest]._replace(parents=[])}
    (far / "info" / "commit-graph").write_bytes(forging.commit_graph(forged))
    own = root / ".git" / "objects" / "info"
    own.mkdir(exist_ok=True)
    (own / "alternates").write_text(f"{near}\n", "utf-8")


def index_extensions(root: Path, git: Git) -> None:
    """What git was told to believe of the files on disk, and of folders it knows."""
    git("update-index", "--untracked-cache")
    git("config", "core.fsmonitor", "true")
    git("update-index", "--fsmonitor")
    git("config", "--unset", "core.fsmonitor")
    names = git("ls-files").split("\n")[:-1]
    git("update-index", "--assume-unchanged", *names)
    git("update-index", "--skip-worktree", *names)


def bitmaps(root: Path, git: Git) -> None:
    """Bitmaps of a pack under the name of another: they say that nothing reaches anything."""
    git("repack", "-adbq")
    (file,) = (root / ".git" / "objects" / "pack").glob("pack-*.bitmap")
    data = file.read_bytes()[:-20]
    file.chmod(0o644)
    file.write_bytes(forging.signed(data[:32] + bytes(len(data) - 32)))


PLANTED: dict[str, Callable[[Path, Git], None]] = {
    "graft": graft,
    "replacement": replacement,
    "lists of old servers": lists_of_old_servers,
    "borrowed": borrowed,
    "extensions of the index": index_extensions,
    "bitmaps": bitmaps,
}


@pytest.mark.parametrize("name", PLANTED)
def test_nothing_else_that_is_planted_gives_another_history(
    kept: Memory, root: Path, git: Git, name: str, tmp_path: Path
) -> None:
    before = [each.commit for each in kept.history.log()]
    note = next((root / "items").rglob("*oslo*.md"))
    PLANTED[name](root, git)
    assert kept.vault.audit().is_clean
    assert [each.commit for each in kept.history.log()] == before
    assert not [p for p in kept.check(deep=True).problems if p.code == "history-lost"]
    assert kept.history.of(note.stem).versions
    before_it, _, after = note.read_text("utf-8").rpartition("Oslo")  # above: what it quotes
    note.write_text(f"{before_it}Bergen{after}", "utf-8")
    assert codes(kept.vault.audit()) == ["not-committed"]
    kept.sync()
    kept.remember("I like jazz.")
    assert kept.vault.audit().is_clean or codes(kept.vault.audit()) == ["edited-by-hand"]
    assert [each.commit for each in kept.history.log()][3:] == before
    target = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", target], check=True)
    assert main(["--vault", str(root), "remote", "set", str(target)]) == 0
    kept.devices.push()
    own = (kept.history.log()[0].commit, git_in(target, "rev-parse", "main").strip())
    assert own[0] == own[1]
    git_in(target, "fsck", "--full", "--strict")


def git_in(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def test_a_planted_cut_of_the_history_is_said(kept: Memory, root: Path, git: Git) -> None:
    """`shallow` is no derived file: git has no other note of where a clone was cut off."""
    cut = git("rev-parse", "HEAD~1").strip()
    (root / ".git" / "shallow").write_text(f"{cut}\n", "ascii")
    with Memory(root) as opened:
        assert codes(opened.vault.audit()) == ["history-rewound"]
        assert [p.code for p in opened.check().problems] == ["history-cut"]


def test_a_shallow_clone_is_no_problem(kept: Memory, root: Path, tmp_path: Path) -> None:
    target = tmp_path / "clone"
    git_in(root, "clone", "-q", "--depth", "2", root.as_uri(), str(target))
    with Memory(target) as opened:
        assert not opened.check().problems
