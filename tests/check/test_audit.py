"""P12: what others changed is named, apart from what this device recorded."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem import check
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.model.jobs import AuditReport, Group
from vaultmem.vault import ledger

CLAIM = "\n\nVaultmem-Op: remember\nVaultmem-Recorded-At: 2026-03-11T12:00:00.000Z"


@pytest.fixture
def kept(memory: Memory) -> Memory:
    """Three texts in a vault."""
    for text in ("I prefer tea over coffee.", "My sister lives in Oslo.", "I work at a bakery."):
        memory.remember(text)
    return memory


def codes(report: AuditReport) -> list[str]:
    return [group.code for group in (*report.suspicious, *report.normal)]


def group(report: AuditReport, code: str) -> Group:
    (found,) = [each for each in (*report.suspicious, *report.normal) if each.code == code]
    return found


def note(root: Path, words: str) -> Path:
    return next((root / "items").rglob(f"*{words}*.md"))


def patch(file: Path, old: str, new: str) -> None:
    """Change the last place where the words stand: what the note says, not where it is from."""
    text = file.read_text("utf-8")
    before, found, after = text.rpartition(old)
    assert found
    file.write_text(f"{before}{new}{after}", "utf-8")


def test_a_vault_that_nobody_touched_is_clean(kept: Memory) -> None:
    report = kept.vault.audit()
    assert report.is_clean
    assert report.recorded == 4  # init, and three texts


def test_all_that_vaultmem_does_itself_is_clean(kept: Memory) -> None:
    kept.undo()
    kept.remember("I like jazz.")
    kept.history.restore("streams/identity.md")
    kept.check(fix=True)
    kept.sync()
    assert kept.vault.audit().is_clean


def test_an_edit_is_normal_before_and_after_it_is_committed(kept: Memory, root: Path) -> None:
    patch(note(root, "tea"), "tea", "green tea")
    assert codes(kept.vault.audit()) == ["not-committed"]
    kept.sync()
    report = kept.vault.audit()
    assert codes(report) == ["edited-by-hand"]
    assert [each.name for each in group(report, "edited-by-hand").findings[0].paths]


def test_deleted_and_added_notes_are_named(kept: Memory, root: Path) -> None:
    gone = note(root, "oslo")
    gone.unlink()
    (root / "items" / "new.md").write_text("Something new.\n", "utf-8")
    found = group(kept.vault.audit(), "not-committed").findings
    assert {(each.what, each.path.name) for each in found if each.path} == {
        ("deleted", gone.name),
        ("added", "new.md"),
    }


def test_an_edit_with_size_and_times_put_back_is_found(kept: Memory, root: Path) -> None:
    import os

    file = note(root, "tea")
    stat = file.stat()
    patch(file, "tea", "rum")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert codes(kept.vault.audit()) == ["not-committed"]


def test_a_commit_with_git_is_normal(kept: Memory, git: Git) -> None:
    git("commit", "-q", "--allow-empty", "-m", "my own words")
    report = kept.vault.audit()
    assert codes(report) == ["made-with-git"]
    finding = group(report, "made-with-git").findings[0]
    assert (finding.subject, finding.author) == ("my own words", "Ada")


def test_a_commit_in_the_name_of_vaultmem_is_suspicious(kept: Memory, root: Path, git: Git) -> None:
    patch(note(root, "tea"), "tea", "rum")
    git("commit", "-qam", f"remember: I prefer rum{CLAIM}")
    assert codes(kept.vault.audit()) == ["commit-claimed"]
    kept.remember("I like jazz.")
    assert codes(kept.vault.audit()) == ["commit-claimed"]


def test_an_approval_that_this_device_did_not_make_is_suspicious(kept: Memory, git: Git) -> None:
    git("commit", "--allow-empty", "-q", "-m", "tidy up\n\nVaultmem-Approved: i-aaaaaaaaaa")
    found = group(kept.vault.audit(), "commit-claimed")
    assert found.findings[0].what == "not recorded on this device, and vouches for notes"


def test_commits_that_are_gone_are_named_by_what_they_said(kept: Memory, git: Git) -> None:
    git("reset", "-q", "--hard", "HEAD~2")
    found = group(kept.vault.audit(), "history-rewound")
    assert [each.subject for each in found.findings] == [
        "remember: I work at a bakery",
        "remember: My sister lives in Oslo",
    ]


def test_a_lost_commit_that_git_forgot_is_still_named(kept: Memory, git: Git) -> None:
    lost = kept.history.log(limit=1)[0].commit
    git("reset", "-q", "--hard", "HEAD~1")
    git("reflog", "expire", "--expire=now", "--all")
    git("gc", "-q", "--prune=now")
    shutil.rmtree(kept.root / ".git" / "logs")
    found = group(kept.vault.audit(), "history-rewound").findings
    assert [each.commit for each in found] == [lost]


@pytest.mark.parametrize("forgotten", [False, True], ids=["kept by git", "forgotten by git"])
def test_all_that_is_gone_is_named_also_behind_the_last_anchor(
    kept: Memory, git: Git, forgotten: bool
) -> None:
    git("reset", "-q", "--hard", "HEAD~1")  # "I work at a bakery" is lost, and that is accepted
    kept.vault.audit(acknowledge=True)
    kept.remember("I like jazz.")
    kept.remember("I like folk.")
    kept.vault.audit(acknowledge=True)
    git("reset", "-q", "--hard", "HEAD~3")
    if forgotten:
        shutil.rmtree(kept.root / ".git" / "logs")
        git("gc", "-q", "--prune=now")
    found = group(kept.vault.audit(), "history-rewound")
    assert found.count == (4 if forgotten else 3)  # nobody can tell what was accepted any more
    if not forgotten:
        assert [each.subject for each in found.findings] == [
            "remember: I like folk",
            "remember: I like jazz",
            "remember: My sister lives in Oslo",
        ]
    assert not kept.vault.audit(acknowledge=True).is_clean
    assert kept.vault.audit().is_clean


@pytest.mark.parametrize("way", ["amend", "reorder"])
def test_rewritten_commits_are_named_as_such(kept: Memory, git: Git, way: str) -> None:
    if way == "amend":
        git("commit", "-q", "--amend", "--no-edit", "--date", "2020-01-01T00:00:00Z")
    else:
        first, second = git("rev-parse", "HEAD~1", "HEAD").split()
        git("reset", "-q", "--hard", "HEAD~2")
        for commit in (second, first):
            git("cherry-pick", "-X", "theirs", commit)
    report = kept.vault.audit()
    assert codes(report) == ["commit-rewritten"]
    assert group(report, "commit-rewritten").count == (2 if way == "amend" else 4)


def test_a_whole_older_copy_of_the_vault_is_noticed(
    kept: Memory, root: Path, tmp_path: Path, clock: FixedClock
) -> None:
    shutil.copytree(root, tmp_path / "older")
    kept.remember("I like jazz.")
    kept.close()
    shutil.rmtree(root)
    shutil.copytree(tmp_path / "older", root)
    with Memory(root, clock=clock) as memory:
        report = memory.vault.audit()
    assert codes(report) == ["history-rewound"]
    finding = group(report, "history-rewound").findings[0]
    assert finding.what == "gone from the history, and git has it no more (remember)"


def test_a_changed_source_text_is_suspicious(kept: Memory, root: Path) -> None:
    patch(next((root / "resources").rglob("*tea*.md")), "tea", "rum")
    assert codes(kept.vault.audit()) == ["resource-changed", "not-committed"]
    kept.sync()
    assert codes(kept.vault.audit()) == ["resource-changed", "edited-by-hand"]


def test_changed_provenance_is_named_by_its_keys(kept: Memory, root: Path) -> None:
    file = next((root / "resources").rglob("*tea*.md"))
    patch(file, "writer: person", "writer: web")
    report = kept.vault.audit()
    assert "provenance-edited" in codes(report)
    assert group(report, "provenance-edited").findings[0].what == "changed: writer"
    kept.sync()
    assert "provenance-edited" in codes(kept.vault.audit())


def test_a_note_copied_to_another_place_is_suspicious(kept: Memory, root: Path) -> None:
    original = note(root, "tea")
    (root / "items" / "copy.md").write_bytes(original.read_bytes())
    found = group(kept.vault.audit(), "identity").findings
    assert [each.path.name for each in found if each.path] == ["copy.md"]
    assert original.name in found[0].what


def test_acknowledging_ends_the_list_and_begins_it_anew(kept: Memory, root: Path, git: Git) -> None:
    patch(note(root, "tea"), "tea", "green tea")
    git("commit", "-q", "--allow-empty", "-m", "my own words")
    assert not kept.vault.audit(acknowledge=True).is_clean
    report = kept.vault.audit()
    assert report.is_clean
    assert (report.accepted, report.recorded) == (True, 0)
    git("commit", "-q", "--allow-empty", "-m", "another")
    assert codes(kept.vault.audit()) == ["made-with-git"]


def test_an_acknowledged_rollback_leaves_nothing_behind(kept: Memory, git: Git) -> None:
    git("reset", "-q", "--hard", "HEAD~1")
    kept.vault.audit(acknowledge=True)
    assert kept.vault.audit().is_clean
    assert kept.sync().rewound == ""


def test_since_looks_back_behind_the_anchor(kept: Memory, git: Git, clock: FixedClock) -> None:
    git("commit", "-q", "--allow-empty", "-m", "my own words")
    kept.vault.audit(acknowledge=True)
    assert codes(kept.vault.audit(since="HEAD~1")) == ["made-with-git"]
    assert codes(kept.vault.audit(since="2020-01-01")) == ["made-with-git"]
    assert kept.vault.audit(since="HEAD").is_clean
    with pytest.raises(BadInputError, match="neither a commit nor a date"):
        kept.vault.audit(since="the day before the flood")


def test_a_long_list_is_bounded_and_counted(kept: Memory, git: Git) -> None:
    for number in range(5):
        git("commit", "-q", "--allow-empty", "-m", f"mine {number}")
    found = group(kept.vault.audit(limit=2), "made-with-git")
    assert (found.count, [each.subject for each in found.findings]) == (5, ["mine 4", "mine 3"])


def test_with_too_many_commits_to_look_into_notes_are_compared_all_the_same(
    kept: Memory, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By its module: `vaultmem.check.audit` is the verb once the face has loaded it.
    monkeypatch.setattr(sys.modules[check.audit.__module__], "MOST_FILES", 1)
    patch(next((root / "resources").rglob("*tea*.md")), "tea", "rum")
    git("commit", "-qam", "mine")
    git("commit", "-q", "--allow-empty", "-m", "another")
    report = kept.vault.audit()
    assert codes(report) == ["resource-changed", "made-with-git"]
    assert group(report, "made-with-git").count == 2


def test_a_ledger_edited_by_hand_is_suspicious(kept: Memory) -> None:
    file = kept._vault.state / ledger.FILE_NAME
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    assert codes(kept.vault.audit()) == []  # announced, so known all the same
    file.write_bytes(b"".join([*lines[:2], *lines[4:]]))
    assert "ledger-damaged" in codes(kept.vault.audit())


def test_a_deleted_ledger_is_said_once_and_a_deleted_state_begins(
    kept: Memory, root: Path, clock: FixedClock
) -> None:
    state = kept._vault.state
    (state / ledger.FILE_NAME).unlink()
    report = kept.vault.audit()
    assert (report.beginning, codes(report)) == (True, ["ledger-deleted"])
    assert kept.vault.audit().is_clean
    kept.close()
    shutil.rmtree(state)
    with Memory(root, clock=clock) as memory:
        report = memory.vault.audit()
        assert (report.beginning, report.is_clean) == (True, True)
        assert not memory.vault.audit().beginning


def test_an_unfinished_line_is_no_alarm(kept: Memory) -> None:
    with (kept._vault.state / ledger.FILE_NAME).open("ab") as stream:
        stream.write(b"12 345 ou")
    report = kept.vault.audit()
    assert report.is_clean
    assert "power cut" in report.remarks[0]


def test_a_commit_whose_acknowledgement_was_cut_off_is_ours(
    kept: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "acknowledge", lambda *_, **__: None)
    kept.remember("I like jazz.")
    assert kept.vault.audit().is_clean
    monkeypatch.undo()
    kept.remember("I like swing.")
    assert kept.vault.audit().is_clean


def test_a_commit_that_never_came_is_not_missed(
    kept: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ledger.announce

    def announced(*words: object, **more: object) -> None:
        real(*words, **more)  # type: ignore[arg-type]  # handed on as it is
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "announce", announced)
    with pytest.raises(KeyboardInterrupt):
        kept.remember("I like jazz.")
    monkeypatch.undo()
    kept.sync()
    assert "history-rewound" not in codes(kept.vault.audit())


def test_commits_of_another_device_that_were_pulled_are_normal(
    kept: Memory, root: Path, git: Git
) -> None:
    before = git("rev-parse", "HEAD").strip()
    git("commit", "-q", "--allow-empty", "-m", f"remember: elsewhere{CLAIM}")
    commits = git("rev-list", "--reverse", f"{before}..HEAD").split()
    ledger.note_pulled(kept._vault, commits)
    assert codes(kept.vault.audit()) == ["pulled"]


def test_what_was_sent_is_listed_until_it_is_acknowledged(kept: Memory) -> None:
    ledger.note_sending(kept._vault, "push main", "https://example.org/notes.git", "3 commits")
    report = kept.vault.audit()
    assert report.is_clean
    assert [(each.what, each.where, each.how_much) for each in report.sendings] == [
        ("push main", "https://example.org/notes.git", "3 commits")
    ]
    kept.vault.audit(acknowledge=True)
    assert kept.vault.audit().sent == 0
    assert kept.vault.audit(since="2020-01-01").sent == 1


def test_exit_codes_tell_normal_from_suspicious(
    kept: Memory, root: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.close()
    assert main(["audit", "--vault", str(root)]) == 0
    git("commit", "-q", "--allow-empty", "-m", "mine")
    assert main(["audit", "--vault", str(root)]) == 1
    git("reset", "-q", "--hard", "HEAD~2")
    assert main(["audit", "--vault", str(root)]) == 3
    assert main(["audit", "--vault", str(root), "--acknowledge"]) == 3
    capsys.readouterr()
    assert main(["audit", "--vault", str(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["suspicious"] == []


def test_an_audit_leaves_the_vault_as_it_is(kept: Memory, root: Path) -> None:
    def state() -> str:
        done = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain"], capture_output=True, text=True
        )
        return done.stdout

    patch(note(root, "tea"), "tea", "green tea")
    before, head = state(), kept.history.log(limit=1)
    kept.vault.audit()
    assert (state(), kept.history.log(limit=1)) == (before, head)
