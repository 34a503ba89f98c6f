"""What the history tells: operations, differences, versions of a note through its renames."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from tests.storage.git.repositories import AT, ITEM, Repo
from vaultmem.storage.git.read_history import parse_trailers

TRAILED = (
    "remember: tea (+1 item)\n\nSome detail.\n\nVaultmem-Op: remember\nVaultmem-Actor: agent\n"
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_an_entry_has_all_of_the_commit(repo: Repo) -> None:
    first = repo.record({"items/a.md": b"1", "items/gone.md": b"1"}, "init: x")
    second = repo.record({ITEM: b"1", "items/a.md": b"2", "items/gone.md": None}, TRAILED)
    entry = repo.history.log(limit=1)[0]
    assert (entry.commit, entry.parent, entry.at_ms) == (second, first, AT)
    assert (entry.author, entry.mail) == ("Ada", "ada@example.org")
    assert entry.subject == "remember: tea (+1 item)"
    assert entry.body.startswith("Some detail.")
    assert entry.trailers == {"Vaultmem-Op": "remember", "Vaultmem-Actor": "agent"}
    assert entry.changed == {ITEM: "A", "items/a.md": "M", "items/gone.md": "D"}
    assert PurePosixPath(ITEM) in entry.paths


def test_only_one_kind_of_operation(repo: Repo) -> None:
    wanted = repo.record({ITEM: b"1"}, TRAILED)
    repo.record({ITEM: b"2"}, "edit: x\n\nVaultmem-Op: edit\n")
    repo.record({ITEM: b"3"}, "notes on Vaultmem-Op: remember\n\nVaultmem-Op: remember is a key\n")
    repo.commit({"a.md": "x"}, "by hand, about\n\nVaultmem-Op: remember\n\nand more")
    assert [e.commit for e in repo.history.log(limit=5, op="remember")] == [wanted]
    assert len(repo.history.log(limit=5, op="")) == 3
    assert len(repo.history.log(limit=2)) == 2


def test_only_commits_of_some_paths(repo: Repo) -> None:
    repo.record({"items/a.md": b"1"})
    repo.record({"items/b.md": b"1", "streams/x.md": b"1"})
    found = repo.history.log(limit=5, paths=["streams"])
    assert [entry.changed for entry in found] == [{"items/b.md": "A", "streams/x.md": "A"}]
    assert len(repo.history.log(limit=5, paths=["items"])) == 2


def test_a_side_branch_counts_as_one(repo: Repo) -> None:
    repo.commit({"a.md": "1"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"items/s1.md": "1"})
    repo.commit({"items/s2.md": "1"})
    repo.git("checkout", "-q", "main")
    repo.commit({"items/m.md": "1"})
    repo.git("merge", "-q", "--no-edit", "side")
    entries = repo.history.log(limit=9)
    assert [sorted(entry.changed) for entry in entries] == [
        ["items/s1.md", "items/s2.md"],
        ["items/m.md"],
        ["a.md"],
    ]
    assert repo.history.versions("items/s2.md")[0].commit == entries[0].commit


def test_the_last_settled_commit(repo: Repo) -> None:
    repo.commit({"a.md": "1"})
    assert repo.history.last_settled() is None
    settled = repo.record({ITEM: b"1"}, TRAILED)
    repo.record({ITEM: b"2"}, "edit: x\n\nVaultmem-Op: edit\nVaultmem-Unsettled: true\n")
    repo.commit({"a.md": "2"})
    assert repo.history.last_settled() == settled


class TestVersions:
    def test_of_a_note_that_was_moved_and_edited_at_once(self, repo: Repo) -> None:
        old, new = "items/2026/tea-i-7f3a2kq9xw.md", "archive/green-tea-i-7f3a2kq9xw.md"
        first = repo.record({old: b"I like tea.\n"}, "one")
        second = repo.record({old: b"I like black tea.\n"}, "two")
        third = repo.record({old: None, new: b"Entirely other words here.\n"}, "three")
        fourth = repo.record({new: b"x\n"}, "four")
        found = repo.history.versions(new)
        assert [entry.commit for entry in found] == [fourth, third, second, first]
        assert found[1].changed == {new: "A", old: "D"}
        assert [entry.commit for entry in repo.history.versions(old)] == [third, second, first]
        assert len(repo.history.versions(new, limit=2)) == 2

    def test_by_the_id_in_the_front_matter(self, repo: Repo) -> None:
        repo.record({"items/a.md": b"---\nid: i-7f3a2kq9xw\n---\n\nOne thing.\n"})
        repo.record(
            {
                "items/a.md": None,
                "items/decoy.md": b"One thing.\n",
                "items/b.md": b"---\ntags: x\nid: 'i-7f3a2kq9xw'\n---\n\nNothing alike at all.\n",
            }
        )
        assert len(repo.history.versions("items/b.md")) == 2
        assert len(repo.history.versions("items/decoy.md")) == 1

    def test_by_likeness_when_there_is_no_id(self, repo: Repo) -> None:
        text = "".join(f"line {n} of a page about tea\n" for n in range(20))
        repo.record({"items/a.md": text.encode(), "items/other.md": b"x\n"})
        repo.record(
            {"items/a.md": None, "items/other.md": None, "items/b.md": (text + "end\n").encode()}
        )
        assert [entry.changed for entry in repo.history.versions("items/b.md")] == [
            {"items/b.md": "A", "items/a.md": "D"},
            {"items/a.md": "A"},
        ]

    def test_a_new_note_beside_a_deleted_one_is_new(self, repo: Repo) -> None:
        repo.record({"items/a-i-0000000001.md": b"tea\n"})
        repo.record({"items/a-i-0000000001.md": None, "items/b-i-0000000002.md": b"coffee\n"})
        assert len(repo.history.versions("items/b-i-0000000002.md")) == 1


def test_trees_hold_regular_files_only(repo: Repo) -> None:
    repo.write("items/a.md", "x")
    (repo.root / "items/link.md").symlink_to("a.md")
    repo.git("add", "items")
    repo.git("commit", "-qm", "x")
    first = repo.history.head() or ""
    assert list(repo.history.tree(first)) == ["items/a.md"]
    (repo.root / "items/a.md").unlink()
    (repo.root / "items/a.md").symlink_to("link.md")
    repo.git("add", "items")
    repo.git("commit", "-qm", "y")
    assert repo.history.changed_blobs(first, repo.history.head() or "") == {"items/a.md": ""}


def test_differences_are_between_two_commits_and_of_some_folders(repo: Repo) -> None:
    first = repo.record({"items/a.md": b"1", "items/b.md": b"1", "other.md": b"1"})
    second = repo.record({"items/a.md": b"2", "items/b.md": None, "other.md": b"2"})
    assert set(repo.history.changed_blobs(first, second)) == {"items/a.md", "items/b.md"}
    assert repo.history.changed_blobs(first, second)["items/b.md"] == ""
    assert repo.history.changed_blobs(second, second) == {}
    assert list(repo.history.changed_blobs(first, second, ["other.md"])) == ["other.md"]
    assert list(repo.history.tree(second, ["other.md"])) == ["other.md"]


def test_blobs_in_one_process(repo: Repo) -> None:
    data = {"items/a.md": b"\0binary\n\n", "items/b.md": b"", "items/c.md": b"x" * 100_000}
    oids = repo.history.tree(repo.record(dict(data)))
    missing = "0" * 39 + "1"
    found = dict(repo.history.blobs([*oids.values(), missing]))
    assert found[missing] is None
    assert {path: found[oid] for path, oid in oids.items()} == data
    assert list(repo.history.blobs([])) == []


@pytest.mark.parametrize(
    ("message", "trailers"),
    [
        ("subject\n\nKey: value\n", {"Key": "value"}),
        ("subject\n\nbody\n\nA: 1\nB: 2\n  more\n", {"A": "1", "B": "2 more"}),
        ("Vaultmem-Op: x\n", {}),
        ("subject\n\nnot a trailer\nKey: value\n", {}),
        ("subject\nKey: value\n", {}),
        ("subject\n\nbody: a\n\nlast words\n", {}),
        ("", {}),
        ("s\r\n\r\nKey: value\r\n", {"Key": "value"}),
    ],
)
def test_trailers_are_the_last_paragraph(message: str, trailers: dict[str, str]) -> None:
    assert parse_trailers(message) == trailers


def test_damage_is_found(repo: Repo) -> None:
    repo.record({ITEM: b"x"})
    assert repo.history.damage() == ()
    for pack in (repo.root / ".git/objects/pack").glob("*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(pack.read_bytes()[:40])
    assert repo.history.damage()


def test_a_lost_commit_is_found_behind_a_graph_file_that_still_knows_it(repo: Repo) -> None:
    repo.commit({"a.md": "one\n"})
    lost = repo.commit({"a.md": "two\n"})
    repo.commit({"a.md": "three\n"})
    repo.git("commit-graph", "write", "--reachable")
    assert repo.history.damage() == ()
    (repo.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    assert any(lost in line for line in repo.history.damage())


def test_damage_of_the_graph_file_is_no_damage_of_the_history(repo: Repo) -> None:
    repo.commit({"a.md": "one\n"})
    repo.git("commit-graph", "write", "--reachable")
    file = repo.root / ".git" / "objects" / "info" / "commit-graph"
    data = file.read_bytes()
    file.chmod(0o600)
    file.write_bytes(data[:-30] + b"\0" * 30)
    assert repo.history.damage() == ()  # `vaultmem check` names the file, as one to be mended


def test_a_lost_text_of_an_earlier_commit_is_found(repo: Repo) -> None:
    repo.commit({"a.md": "one\n"})
    repo.commit({"a.md": "two\n"})
    lost = repo.git("rev-parse", "HEAD~1:a.md").strip()
    (repo.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    assert any(lost in line for line in repo.history.damage())
