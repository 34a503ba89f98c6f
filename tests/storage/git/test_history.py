"""Commits: exactly our paths, on top of HEAD, durable, and nothing of the person's disturbed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.storage.git.repositories import AT, ITEM, Repo, children, draft
from vaultmem.base.errors import BadInputError, HeadMovedError, HistoryError
from vaultmem.storage.git.door import History, create

ODD_NAMES = (
    "items/a\nnewline.md",
    'items/"quoted".md',
    'items/a"b\n\\c.md',
    "items/tab\there.md",
    "items/é ünïcode 日本.md",
    "items/-rf.md",
    "items/--help",
    "items/:(top).md",
    "items/*.md",
    "items/[[x]].md",
    "items/back\\slash.md",
    "items/ leading and trailing .md",
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


class TestUnborn:
    def test_a_new_repository_has_no_head(self, repo: Repo) -> None:
        assert repo.history.head() is None
        assert repo.history.branch() == "main"
        assert repo.history.log(limit=5) == ()
        assert repo.history.staged_paths() == frozenset()
        assert repo.history.versions(ITEM) == ()
        assert repo.history.last_settled() is None

    def test_the_first_commit_has_no_parent(self, repo: Repo) -> None:
        oid = repo.record({ITEM: b"I like tea.\n"})
        assert repo.history.head() == oid
        assert repo.git("rev-list", "--parents", "HEAD").split() == [oid]
        assert repo.git("status", "--porcelain") == ""

    def test_what_was_staged_before_it_stays_staged(self, repo: Repo) -> None:
        repo.write("mine.txt", "mine")
        repo.git("add", "mine.txt")
        repo.record({ITEM: b"I like tea.\n"})
        assert repo.git("status", "--porcelain") == "A  mine.txt\n"

    def test_create_refuses_a_folder_with_a_repository(self, repo: Repo) -> None:
        with pytest.raises(HistoryError, match="already"):
            create(repo.root)

    def test_create_takes_nothing_from_a_template(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hook = tmp_path / "template" / "hooks" / "post-commit"
        hook.parent.mkdir(parents=True)
        hook.write_text("#!/bin/sh\n")
        monkeypatch.setenv("GIT_TEMPLATE_DIR", str(tmp_path / "template"))
        assert not (Repo(tmp_path / "new").root / ".git" / "hooks").exists()


class TestRecord:
    def test_only_the_given_paths_change(self, repo: Repo) -> None:
        repo.commit({"other.md": "x", "items/old.md": "old"})
        repo.write("other.md", "edited, not ours")
        oid = repo.record({ITEM: b"tea\n", "items/old.md": None})
        shown = repo.git("show", "--name-status", "--format=", oid)
        assert sorted(shown.splitlines()) == [f"A\t{ITEM}", "D\titems/old.md"]
        assert repo.git("status", "--porcelain") == " M other.md\n"

    def test_staged_work_is_byte_for_byte_as_before(self, repo: Repo) -> None:
        repo.commit({"a.md": "one\n", "b.md": "one\n", "gone.md": "x\n"})
        repo.write("a.md", "two\n")
        repo.git("add", "a.md")
        repo.write("a.md", "three\n")
        repo.git("rm", "-q", "--cached", "gone.md")
        repo.write("new.md", "new\n")
        repo.git("add", "-N", "new.md")
        before = repo.git("diff", "--cached"), repo.git("diff")
        repo.record({ITEM: b"tea\n"})
        assert (repo.git("diff", "--cached"), repo.git("diff")) == before

    def test_the_blob_is_the_bytes_on_disk(self, repo: Repo) -> None:
        repo.write(".gitattributes", "* text eol=crlf filter=x\n")
        data = b"a\r\nb\n\xff\x00no newline"
        oid = repo.record({ITEM: data})
        assert repo.history.text_at(oid, ITEM) == data

    def test_many_commits_of_one_call_follow_each_other(self, repo: Repo) -> None:
        history = repo.history
        drafts = [draft({"items/n.md": b"%d" % n}, f"m{n}", at_ms=AT + n) for n in range(5)]
        oids = history.record(drafts, expects=None)
        assert [entry.commit for entry in history.log(limit=9)] == oids[::-1]
        assert history.text_at(oids[2], "items/n.md") == b"2"
        assert [entry.subject for entry in history.log(limit=2)] == ["m4", "m3"]

    def test_nothing_to_commit_is_nothing(self, repo: Repo) -> None:
        assert repo.history.record([], expects=None) == []
        assert repo.history.head() is None

    def test_what_changes_nothing_makes_no_commit(self, repo: Repo) -> None:
        head = repo.record({ITEM: b"tea\n", "items/b.md": b"b\n"})
        repo.write("mine.txt", "mine")
        repo.git("add", "mine.txt")
        same = draft({ITEM: b"tea\n", "items/never.md": None}, "again")
        assert repo.history.record([same], expects=head) == [""]
        assert repo.history.head() == head
        assert repo.git("status", "--porcelain") == "A  mine.txt\n"
        assert repo.git("count-objects", "-v").splitlines()[0] == "count: 1"
        assert repo.git("for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]

    def test_of_several_drafts_those_that_change_nothing_are_left_out(self, repo: Repo) -> None:
        head = repo.record({ITEM: b"tea\n"})
        drafts = [
            draft({ITEM: b"tea\n"}, "none", at_ms=AT),
            draft({ITEM: b"mate\n"}, "first", at_ms=AT + 1000),
            draft({ITEM: b"mate\n"}, "none", at_ms=AT + 2000),
            draft({ITEM: b"tea\n"}, "second", at_ms=AT + 3000),
        ]
        told: list[list[str]] = []
        oids = repo.history.record(drafts, expects=head, announce=lambda each: told.append([*each]))
        assert [bool(oid) for oid in oids] == [False, True, False, True]
        assert told == [oids]
        entries = repo.history.log(limit=9)
        assert [entry.commit for entry in entries] == [oids[3], oids[1], head]
        assert [entry.subject for entry in entries[:2]] == ["second", "first"]
        assert repo.git("status", "--porcelain") == ""

    @pytest.mark.parametrize("name", ODD_NAMES)
    def test_a_name_of_any_kind_is_recorded(self, repo: Repo, name: str) -> None:
        oid = repo.record({name: b"x\n"})
        assert list(repo.history.tree(oid, ["items"])) == [name]
        assert repo.history.text_at(oid, name) == b"x\n"
        many = repo.history.texts_at(oid, [name, "items/none at all.md", "items"])
        assert many == {name: b"x\n", "items/none at all.md": None, "items": None}
        assert repo.git("status", "--porcelain") == ""
        entry = repo.history.log(limit=1, paths=[name])[0]
        assert [path.as_posix() for path in entry.paths] == [name]
        repo.record({name: None})
        assert repo.history.tree(repo.history.head() or "", ["items"]) == {}

    @pytest.mark.parametrize("name", ["../x.md", ".git/config", "items/.GIT/x", "a/git~1/x", "/x"])
    def test_a_path_out_of_the_notes_is_refused(self, repo: Repo, name: str) -> None:
        with pytest.raises(Exception, match="vault"):
            repo.history.record([draft({name: b"x"})], expects=None)
        assert repo.history.head() is None

    def test_an_executable_file_stays_one(self, repo: Repo) -> None:
        repo.write("items/run.md", "x")
        (repo.root / "items/run.md").chmod(0o755)
        repo.git("add", "items/run.md")
        repo.git("commit", "-qm", "x")
        oid = repo.history.record([draft({"items/run.md": b"y"})], expects=repo.history.head())[0]
        assert repo.git("ls-tree", oid, "items/run.md").startswith("100755")

    def test_the_committer_date_never_goes_back(self, repo: Repo) -> None:
        repo.git(
            *("commit", "-q", "--allow-empty", "-m", "of the future"),
            GIT_COMMITTER_DATE="2040-01-01T00:00:00Z",
        )
        repo.record({ITEM: b"x"})
        dates = repo.git("log", "--format=%cI %aI").split()
        assert dates[0] >= "2040-01-01"
        assert dates[1].startswith("2026-03-11")

    def test_the_person_is_the_author(self, repo: Repo) -> None:
        repo.record({ITEM: b"x"})
        assert repo.git("log", "--format=%an <%ae> %cn") == "Ada <ada@example.org> Ada\n"

    def test_a_new_name_of_the_person_is_noticed(self, repo: Repo) -> None:
        repo.record({ITEM: b"x"})
        Path(os.environ["HOME"], ".gitconfig").write_text("[user]\n\tname = Grace Hopper\n")
        repo.record({ITEM: b"y"})
        assert repo.history.log(limit=1)[0].author == "Grace Hopper"

    def test_without_a_name_the_program_signs(
        self, repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        repo.record({ITEM: b"x"})
        assert repo.git("log", "--format=%an") == "vaultmem\n"

    def test_the_reflog_tells_what_happened(self, repo: Repo) -> None:
        repo.record({ITEM: b"x"}, "remember: tea\n\nmore")
        repo.record({ITEM: b"y"}, "change: coffee")
        assert repo.git("reflog", "--format=%gs").splitlines() == [
            "commit: change: coffee",
            "commit (initial): remember: tea",
        ]

    def test_nothing_is_left_beside_the_repository(self, repo: Repo) -> None:
        repo.record({ITEM: b"x"})
        assert os.listdir(repo.root / ".git" / "vaultmem") == []
        assert not any(name.endswith(".lock") for name in os.listdir(repo.root / ".git"))
        refs = repo.state / "engine.git" / "refs"
        assert [path for path in refs.rglob("*") if path.is_file()] == []


class TestRepositoryKinds:
    def test_sha256(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path, init=("--object-format=sha256",))
        assert repo.history.algorithm == "sha256"
        first = repo.record({ITEM: b"x\n"})
        second = repo.record({ITEM: b"y\n"})
        assert len(second) == 64
        assert repo.history.changed_blobs(first, second) == repo.history.tree(second)
        assert repo.git("status", "--porcelain") == ""
        assert repo.fsck() == ""

    def test_shallow(self, repo: Repo, tmp_path: Path) -> None:
        for n in range(4):
            repo.record({ITEM: b"%d" % n})
        other = tmp_path / "other"
        other.mkdir()
        clone = Repo(other)
        clone.git("fetch", "-q", "--depth=2", repo.root.as_uri(), "main")
        clone.git("reset", "-q", "--hard", "FETCH_HEAD")
        assert clone.history.is_shallow()
        assert len(clone.history.log(limit=9)) == 2
        clone.record({ITEM: b"new"})
        assert len(clone.history.log(limit=9)) == 3

    def test_variables_of_git_do_not_reach_it(
        self, repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE"):
            monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
        monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
        history = History.open(repo.root, repo.state)
        oid = history.record([draft({ITEM: b"x"})], expects=None)[0]
        assert history.tree(oid)
        assert not (tmp_path / "elsewhere").exists()
        assert not (tmp_path / "trace").exists()

    def test_without_git_the_error_says_so(self, repo: Repo, tmp_path: Path) -> None:
        history = History.open(repo.root, repo.state, {"PATH": str(tmp_path), "HOME": "/"})
        assert history.head() is None
        with pytest.raises(HistoryError, match="git is not installed"):
            history.record([draft({ITEM: b"x"})], expects=None)

    def test_a_git_of_the_current_folder_is_not_run(
        self, repo: Repo, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repo.write("git", "#!/bin/sh\ntouch ran\n")
        (repo.root / "git").chmod(0o755)
        monkeypatch.chdir(repo.root)
        path = f".:{os.pathsep}{os.environ['PATH']}"
        history = History.open(repo.root, repo.state, {"PATH": path, "HOME": "/"})
        history.record([draft({ITEM: b"x"})], expects=None)
        assert not (repo.root / "ran").exists()


def test_names_of_commits_are_those_of_the_vault(repo: Repo) -> None:
    first = repo.record({ITEM: b"x"})
    second = repo.record({ITEM: b"y"})
    repo.git("tag", "v1", first)
    repo.git("tag", "-a", "-m", "x", "v2", second)
    history = repo.history
    for rev in ("HEAD~1", "main^", "v1", first[:10], first, "@~", "refs/heads/main~1", "v2^"):
        assert history.resolve(rev) == first
    assert history.resolve("v2") == second
    for rev in ("nope", "--all", "HEAD~9", "", "-h", "../x", "HEAD:items", "deadbeef"):
        with pytest.raises(BadInputError):
            history.resolve(rev)
    assert history.exists(first)
    assert not history.exists("0" * 40)


def test_no_process_and_no_descriptor_is_left(repo: Repo) -> None:
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("children are counted where /proc names them")
    before, others = len(os.listdir("/proc/self/fd")), children()
    for n in range(3):
        repo.record({ITEM: b"%d" % n})
    with pytest.raises(HeadMovedError):
        repo.history.record([draft({ITEM: b"z"})], expects=None)
    recording = repo.history.start_record([draft({ITEM: b"z"})], expects=repo.history.head())
    recording.abandon()
    assert len(os.listdir("/proc/self/fd")) == before
    assert children() <= others  # a server of another test may have ended meanwhile


def test_two_thousand_commits_in_one_call(repo: Repo) -> None:
    drafts = [
        draft({f"items/2026/03/{n % 28 + 1:02}/n{n}.md": b"%d" % n}, f"m{n}", at_ms=AT + n * 1000)
        for n in range(2000)
    ]
    start = time.perf_counter()
    oids = repo.history.record(drafts, expects=None)
    seconds = time.perf_counter() - start
    print(f"\n2,000 commits: {2000 / seconds:,.0f} a second")
    assert len(set(oids)) == 2000
    assert repo.git("rev-list", "--count", "HEAD").strip() == "2000"
    assert repo.git("diff", "--cached", "--name-only") == ""
