"""What is purged is nowhere any more on this device, and everything else is as it was."""

from __future__ import annotations

import os
import subprocess
import unicodedata
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from tests.privacy.test_screening import TOKEN
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, BusyError, HistoryError, UnknownNoteError
from vaultmem.cli.forget import purged_lines
from vaultmem.forget import erase
from vaultmem.storage.files.locking import Heartbeat, write_heartbeat
from vaultmem.storage.git import objects_with
from vaultmem.storage.notes.erasing import NOT_SEARCHED, SEARCHED, Erasure
from vaultmem.vault.erased import ErasedTextError

WORD = "zanzibar-7731-quokka"
SECRET = f"The blue locker opens with {WORD}."
OTHER = "Anna's birthday is on 3 March. She likes red tulips. I work at Siemens in Munich."


def everywhere(memory: Memory, *words: str) -> list[str]:
    """Places of the vault, its repository and the device state that hold a word; independent of
    the program: git unpacks every object there is, all other files are read as they are."""
    wanted = set()
    for word in words:
        for form in ("NFC", "NFD"):
            wanted.add(unicodedata.normalize(form, word).casefold().encode())
    git = ["git", "-C", str(memory.root), "cat-file", "--batch-all-objects", "--batch"]
    objects = subprocess.run(git, check=True, capture_output=True, timeout=60).stdout
    found = ["an object of git"] if _has(objects, wanted) else []
    for top in (memory.root, memory.opened.state):
        for file in sorted(top.rglob("*")):
            if not file.is_file():
                continue
            if _has(file.read_bytes(), wanted) or _has(file.name.encode(), wanted):
                found.append(str(file.relative_to(top)))
    return found


def _has(data: bytes, wanted: set[bytes]) -> bool:
    plain = data.decode("utf-8", "replace").casefold().encode()
    return any(word in plain for word in wanted)


def plant(memory: Memory, git: Git) -> str:
    """The secret wherever git, a person and the program may leave it; the id of its item."""
    root = memory.root
    memory.remember(OTHER)
    [item] = memory.remember(SECRET).items
    memory.remember("Leni plays the piano.")
    memory.recall("locker")
    prose = root / "categories" / "locker.md"
    prose.write_text(f"# Locker\n\nMind that\n{SECRET.upper()}\nand this stays.\n")
    memory.sync()
    git("commit", "-q", "--allow-empty", "-m", f"about {WORD}")
    git("tag", "-a", "v1", "-m", f"tagged with {WORD}")
    git("tag", "light")
    git("notes", "add", "-m", f"a note on {WORD}")
    git("branch", "side")
    for text in ("one", "two"):
        prose.write_text(prose.read_text() + f"{text}: {WORD}\n")
        git("stash", "push", "-q", "-m", f"stash {text} of {WORD}")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", f"to be amended: {WORD}")
    git("commit", "-q", "--amend", "--allow-empty", "-m", "harmless")
    lost = root / "lost.bin"
    lost.write_text(f"packed and lost: {WORD}")
    git("add", "lost.bin")
    git("commit", "-q", "-m", "lost")
    git("reset", "-q", "--hard", "HEAD^")
    git("repack", "-q", "-a", "-d", "-A", "--unpack-unreachable=never")
    subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=root,
        input=f"loose and lost: {WORD}",
        text=True,
        check=True,
        capture_output=True,
    )
    memory.sync()
    note = next(root.glob(f"items/**/*{item.id}.md"))
    copy = note.with_name(f"{note.stem} (conflict 0123456789).md")
    copy.write_bytes(note.read_bytes() + b"\nan edit that was kept\n")
    memory.sync()
    held = next(root.glob("items/**/leni*.md"))
    # What looks like a key keeps the note out of the history.
    held.write_bytes(held.read_bytes() + f"\n{TOKEN} {WORD}\n".encode())
    (memory.opened.state / "some.log").write_text(f"10:00 {SECRET}\n10:01 all well\n")
    (root / ".git" / "COMMIT_EDITMSG").write_text(WORD)
    return item.id


def test_a_planted_secret_is_nowhere_any_more(memory: Memory, git: Git) -> None:
    id_ = plant(memory, git)
    assert len(everywhere(memory, WORD)) > 5
    report = memory.forgetting.purge(id_)
    assert report.places == ()
    assert report.scanned > 50
    for word in (WORD, SECRET.rstrip("."), id_):
        assert (word, everywhere(memory, word)) == (word, [])
    assert git("fsck", "--full", "--strict") == ""
    # The person's own commits above are of today, those of the test's clock of long ago.
    codes = {each.code for each in memory.check(deep=True).problems if each.severity != "info"}
    assert codes <= {"secret-uncommitted", "history-rewritten"}
    audit = memory.vault.audit()
    assert audit.suspicious == ()
    assert "this stays" in (memory.root / "categories" / "locker.md").read_text()
    assert len(git("stash", "list").splitlines()) == 2
    assert git("rev-parse", "light^{commit}") == git("rev-parse", "v1^{commit}")
    assert "a note on" in git("notes", "show", "v1^{commit}")
    assert "all well" in (memory.opened.state / "some.log").read_text()
    assert memory.recall("piano").hits


def test_a_text_is_erased_wherever_it_stands(memory: Memory, git: Git) -> None:
    plant(memory, git)
    report = memory.forgetting.purge(match=WORD.upper())
    assert report.places == ()
    assert everywhere(memory, WORD) == []
    assert git("fsck", "--full", "--strict") == ""
    assert memory.recall("piano").hits


def history(git: Git) -> list[tuple[str, ...]]:
    """Of each commit: author, committer, dates and when it was recorded."""
    form = "%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%(trailers:key=Vaultmem-Recorded-At)"
    out = git("log", "--reverse", f"--format={form}%x01").split("\x01\n")
    return [tuple(each.strip().split("\0")) for each in out if each.strip()]


def trees(git: Git) -> list[dict[str, str]]:
    """Path -> blob of each commit, oldest first."""
    found = []
    for commit in git("rev-list", "--reverse", "HEAD").split():
        lines = git("ls-tree", "-r", commit).splitlines()
        found.append({line.split("\t")[1]: line.split()[2] for line in lines})
    return found


def test_everything_else_keeps_its_bytes_dates_and_answers(
    memory: Memory, git: Git, clock: FixedClock
) -> None:
    kept = memory.remember(OTHER)
    [item] = memory.remember(SECRET).items
    clock.advance(days=1)
    memory.remember("Leni plays the piano.")
    memory.undo()
    before, past = history(git), trees(git)
    memory.forgetting.purge(item.id)
    assert history(git)[:-1] == before
    now = trees(git)
    lists = ("streams/identity.md", "categories/general.md")
    for old, new in zip(past, now, strict=False):
        gone = {path for path in old if "locker" in path}
        assert old.keys() - gone == new.keys()
        assert {path for path in new if new[path] != old[path]} <= set(lists)
    ids = {row.id for row in memory.list()}
    assert {kept.resource, *(each.id for each in kept.items)} <= ids
    assert git("status", "--porcelain") == ""
    assert memory.check().problems == ()
    assert memory.vault.audit().suspicious == ()
    undone = memory.undo()
    assert "purge" not in undone.subject


def test_a_passage_leaves_its_source_which_stays(memory: Memory) -> None:
    kept = memory.remember(OTHER)
    birthday, _, work = kept.items
    memory.forgetting.purge(birthday.id)
    assert everywhere(memory, "3 March") == []
    row = next(row for row in memory.list() if row.id == kept.resource)
    body = (memory.root / row.path).read_text()
    assert "I work at Siemens in Munich." in body
    assert "(erased by vaultmem)" in body
    assert memory.recall("Siemens").hits[0].note.id == work.id
    assert memory.check().problems == ()


def test_a_word_that_only_the_source_repeats_is_looked_for_everywhere(
    memory: Memory, git: Git
) -> None:
    items = memory.remember(f"{SECRET} Leni plays the piano.").items
    [item] = [each for each in items if "locker" in each.statement]
    git("commit", "-q", "--allow-empty", "-m", f"about {WORD}")
    git("tag", "-a", "v1", "-m", f"tagged with {WORD}")
    memory.forgetting.purge(item.id)
    assert everywhere(memory, WORD) == []


@pytest.mark.parametrize("word", ["snow_fox_nadia", "nadia@fox.example", "snow-fox-nadia"])
def test_a_name_that_looks_made_up_is_looked_for_everywhere(
    memory: Memory, git: Git, word: str
) -> None:
    [item] = memory.remember(f"My name in the forum is {word}.").items
    git("commit", "-q", "--allow-empty", "-m", f"asked {word} about the roof")
    memory.forgetting.purge(item.id)
    assert everywhere(memory, word) == []


def test_an_item_that_said_it_in_an_earlier_version_goes_with_its_text(memory: Memory) -> None:
    [item] = memory.remember(SECRET).items
    file = memory.root / next(row.path for row in memory.list() if row.id == item.id)
    file.write_text(file.read_text("utf-8").replace(SECRET, "The old locker has a code."), "utf-8")
    memory.sync()
    told = memory.forgetting.purge(match=WORD, dry_run=True)
    assert item.id in {note.id for note in told.notes}
    memory.forgetting.purge(match=WORD)
    assert everywhere(memory, WORD) == []


def test_a_word_that_another_note_has_stays_in_other_texts(memory: Memory, git: Git) -> None:
    [item] = memory.remember(f"The old locker opens with {WORD}.").items
    memory.remember(f"The new bicycle lock is called {WORD}.")
    git("commit", "-q", "--allow-empty", "-m", f"about {WORD}")
    memory.forgetting.purge(item.id)
    assert f"about {WORD}" in git("log", "--format=%s")


def test_what_was_forgotten_before_can_be_purged_later(memory: Memory) -> None:
    [item] = memory.remember(SECRET).items
    memory.remember(OTHER)
    memory.forget(item.id)
    report = memory.forgetting.purge(item.id)
    assert {note.type for note in report.notes} == {"item", "resource"}
    assert everywhere(memory, WORD) == []


def test_with_a_source_goes_all_that_came_from_it(memory: Memory) -> None:
    memory.remember(SECRET)
    kept = memory.remember(OTHER)
    memory.forgetting.purge(source=kept.resource)
    assert everywhere(memory, "3 March", "red tulips", "Siemens in Munich") == []
    assert memory.recall("locker").hits


def test_a_dry_run_changes_nothing(memory: Memory, git: Git) -> None:
    [item] = memory.remember(SECRET).items
    before = (git("rev-parse", "HEAD"), everywhere(memory, WORD))
    plan = memory.forgetting.purge(item.id, dry_run=True)
    assert (len(plan.notes), plan.commits, plan.commit) == (2, 1, None)
    assert (git("rev-parse", "HEAD"), everywhere(memory, WORD)) == before


def test_bad_wishes_are_refused_and_change_nothing(memory: Memory, git: Git) -> None:
    [item] = memory.remember(SECRET).items
    head = git("rev-parse", "HEAD")
    with pytest.raises(UnknownNoteError):
        memory.forgetting.purge("i-0000000000")
    none = memory.forgetting.purge(match="nobody ever wrote this")
    assert (none.commit, none.places) == (None, ())
    with pytest.raises(BadInputError):
        memory.forgetting.purge("streams/tasks.md")
    with pytest.raises(BadInputError):
        memory.forgetting.purge()
    (memory.root / "categories" / "mine.md").write_text("# Mine\n")
    git("add", "categories/mine.md")
    with pytest.raises(HistoryError, match=r"categories/mine\.md"):
        memory.forgetting.purge(item.id)
    git("rm", "-q", "--cached", "categories/mine.md")
    for dry_run in (True, False):
        with pytest.raises(HistoryError, match=r"categories/mine\.md") as refused:
            memory.forgetting.purge(item.id, dry_run=dry_run)
        assert "vaultmem sync" in refused.value.hint
    assert git("status", "--porcelain") == "?? categories/mine.md\n"
    assert git("rev-parse", "HEAD") == head


def test_while_a_watcher_runs_nothing_is_erased(memory: Memory, git: Git) -> None:
    import time

    [item] = memory.remember(SECRET).items
    head = git("rev-parse", "HEAD")
    beat = Heartbeat(pid=os.getpid(), at=time.monotonic(), every_seconds=600, is_clean=True)
    write_heartbeat(memory.opened.state, beat)
    with pytest.raises(BusyError, match="watcher"):
        memory.forgetting.purge(item.id)
    assert git("rev-parse", "HEAD") == head


def test_what_is_not_ours_is_named_with_what_to_do_and_fails_the_proof(memory: Memory) -> None:
    [item] = memory.remember(SECRET).items
    folder = memory.root / "attachments"
    folder.mkdir()
    (folder / f"{WORD}.png").write_bytes(b"\x89PNG\0")
    (folder / "letter.bin").write_bytes(b"\0" + SECRET.encode())
    (folder / "list.txt").write_text(SECRET)
    plan = memory.forgetting.purge(item.id, dry_run=True)
    told = {held.path.name: held.why for held in plan.left}
    assert {name: why.partition(":")[0] for name, why in told.items()} == {
        f"{WORD}.png": "its name says it",
        "letter.bin": "no text",
        "list.txt": "not a note",
    }
    report = memory.forgetting.purge(item.id)
    named = [f"attachments/{name}" for name in ("letter.bin", "list.txt", f"{WORD}.png")]
    assert sorted(report.places) == named == everywhere(memory, WORD)
    for file in folder.iterdir():
        file.unlink()
    again = memory.forgetting.purge(match=WORD)
    assert (again.commit, again.places) == (None, ())


def test_the_trash_of_an_editor_is_erased_too_and_keeps_the_rest(memory: Memory) -> None:
    [item] = memory.remember(SECRET).items
    note = next(memory.root.glob(f"items/**/*{item.id}.md"))
    trash = memory.root / ".trash"
    (trash / "deep").mkdir(parents=True)
    (trash / "deep" / note.name).write_bytes(note.read_bytes())
    (trash / "renamed.md").write_bytes(note.read_bytes())
    (trash / "diary.md").write_text(f"Rain.\n\n{SECRET}\n\nSun.\n")
    (trash / "scan.jpg").write_bytes(b"\xff\xd8\0" + WORD.encode())
    (trash / "other.md").write_text("Something else.\r\n")
    plan = memory.forgetting.purge(item.id, dry_run=True)
    assert plan.left == ()
    assert {path.name for path in plan.files if path.parts[0] == ".trash"} == {
        *(note.name, "renamed.md", "diary.md", "scan.jpg")
    }
    assert memory.forgetting.purge(item.id).places == ()
    assert everywhere(memory, WORD) == []
    assert (trash / "diary.md").read_text() == "Rain.\n\n(erased by vaultmem).\n\nSun.\n"
    assert (trash / "other.md").read_bytes() == b"Something else.\r\n"
    assert {path.name for path in trash.rglob("*") if path.is_file()} == {"diary.md", "other.md"}


def test_an_unwrapped_accented_text_is_found_in_every_spelling(memory: Memory, root: Path) -> None:
    said = "Zo\u00eb's safe is behind the caf\u00e9 window"
    [item, *_] = memory.remember(f"{said}.").items
    page = root / "categories" / "spelled.md"
    page.write_text(
        unicodedata.normalize("NFD", f"# Spelled\n\n> {said.upper()}\n\n")
        + "> Zo\u00eb's safe is\n> behind the caf\u00e9\n> window, they said.\n"
    )
    memory.sync()
    assert memory.forgetting.purge(item.id).places == ()
    assert everywhere(memory, said, "safe is", "window") == []
    assert "they said" in page.read_text()


def test_what_was_erased_is_not_taken_in_again(memory: Memory, git: Git, tmp_path: Path) -> None:
    [item] = memory.remember(SECRET).items
    memory.export(tmp_path / "before.json")
    memory.forgetting.purge(item.id)
    head = git("rev-parse", "HEAD")
    with pytest.raises(ErasedTextError):
        memory.remember(f"Some words first. {SECRET}")
    note = memory.root / "categories" / "mine.md"
    note.write_text(f"# Mine\n\n{SECRET}\n")
    memory.sync(allow_secrets=True)
    assert git("rev-parse", "HEAD") == head
    assert [each.code for each in memory.check().problems] == ["erased-text"]
    note.unlink()
    done = memory.import_from(tmp_path / "before.json")
    assert "erased for good" in " ".join(each.why for each in done.skipped)
    # The index had read the note that was written by hand, as it reads every note.
    assert [place for place in everywhere(memory, WORD) if "index" not in place] == []
    assert memory.forgetting.lift()
    assert memory.remember(SECRET).commit


def test_an_erased_resource_is_carried_elsewhere(memory: Memory, tmp_path: Path) -> None:
    kept = memory.remember(OTHER)
    memory.forgetting.purge(kept.items[0].id)
    memory.export(tmp_path / "all.json")
    Memory.init(tmp_path / "other")
    with Memory(tmp_path / "other") as other:
        other.import_from(tmp_path / "all.json", writer="person")
        assert kept.resource in {row.id for row in other.list()}
        assert other.check().problems == ()


def test_answers_about_the_past_of_everything_else_stay(
    memory: Memory, clock: FixedClock, git: Git
) -> None:
    memory.remember("I work at Siemens in Munich.")
    monday = clock.at
    clock.advance(days=1)
    [item] = memory.remember(SECRET).items
    clock.advance(days=1)
    memory.remember("Leni plays the piano.")
    tuesday = clock.at
    clock.advance(days=5)

    def asked() -> list[list[str]]:
        found = []
        for at in (monday, tuesday):
            for query in ("Siemens", "piano"):
                hits = memory.recall(query, known_at=at).hits
                found.append([hit.note.id for hit in hits if hit.note.id != item.id])
        return found

    before = asked()
    assert [bool(each) for each in before] == [True, False, True, True]
    memory.forgetting.purge(item.id)
    assert asked() == before
    assert memory.recall("locker", known_at=tuesday).hits == ()
    assert everywhere(memory, WORD) == []


def test_a_note_with_a_name_of_the_persons_goes_with_its_versions(memory: Memory, git: Git) -> None:
    [item] = memory.remember(SECRET).items
    memory.remember(OTHER)
    note = next(memory.root.glob(f"items/**/*{item.id}.md"))
    note.write_text(note.read_text().replace("opens with", "was opened with"))
    memory.sync()
    note.rename(note.with_name("My locker.md"))
    memory.sync()
    memory.forgetting.purge(item.id)
    assert everywhere(memory, WORD, "was opened with", item.id) == []
    assert git("fsck", "--full", "--strict") == ""
    assert memory.undo().subject.startswith("undo: remember: Anna")


def test_it_works_on_a_detached_head_and_packed_references(memory: Memory, git: Git) -> None:
    [item] = memory.remember(SECRET).items
    memory.remember(OTHER)
    git("branch", "old", "HEAD~1")
    git("tag", "-a", "v1", "-m", "harmless")
    git("pack-refs", "--all")
    git("checkout", "-q", "--detach")
    assert memory.forgetting.purge(item.id).places == ()
    assert everywhere(memory, WORD) == []
    assert git("fsck", "--full", "--strict") == ""
    assert git("status", "--porcelain") == ""
    assert git("rev-parse", "main") == git("rev-parse", "HEAD~1")
    assert git("rev-parse", "old") == git("rev-parse", "HEAD~2")


@pytest.mark.parametrize(
    ("how", "way"),
    [
        ("shallow", "git fetch --unshallow"),
        ("borrowing", "git repack -a -d"),
        ("worktree", "git worktree remove"),
    ],
)
def test_a_repository_of_which_a_part_lies_elsewhere_is_refused_with_the_way_out(
    memory: Memory, git: Git, tmp_path: Path, how: str, way: str
) -> None:
    [item] = memory.remember(SECRET).items
    head = git("rev-parse", "HEAD")
    if how == "shallow":
        (memory.root / ".git" / "shallow").write_text(head)
    elif how == "borrowing":
        (memory.root / ".git" / "objects" / "info").mkdir(exist_ok=True)
        lent = tmp_path / "lent.git"
        git("clone", "-q", "--bare", ".", str(lent))
        alternates = memory.root / ".git" / "objects" / "info" / "alternates"
        alternates.write_text(f"{lent / 'objects'}\n")
    else:
        git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    with pytest.raises(HistoryError) as refused:
        memory.forgetting.purge(item.id)
    assert way in refused.value.hint
    assert git("rev-parse", "HEAD") == head
    assert everywhere(memory, WORD)
    if how == "shallow":  # a whole history that says it is cut: nothing could be fetched
        return
    if how == "borrowing":
        git("repack", "-q", "-a", "-d")
        (memory.root / ".git" / "objects" / "info" / "alternates").unlink()
    else:
        git("worktree", "remove", str(tmp_path / "other"))
    assert memory.forgetting.purge(item.id).places == ()


def test_a_branch_named_so_fails_the_proof(memory: Memory, git: Git) -> None:
    [item] = memory.remember(SECRET).items
    git("branch", f"about-{WORD}")
    assert memory.forgetting.purge(item.id).places == (f".git/refs/heads/about-{WORD}",)
    git("branch", "-D", f"about-{WORD}")
    assert memory.forgetting.purge(match=WORD).places == ()


def test_a_signature_that_no_longer_fits_goes_with_what_it_signed(memory: Memory, git: Git) -> None:
    """Nobody can check it any more, and it would vouch for words that are gone."""
    [item] = memory.remember(SECRET).items
    seal = "-----BEGIN PGP SIGNATURE-----\n\nc2lnbmVk\n-----END PGP SIGNATURE-----"
    git("tag", "-a", "v1", "-m", f"First year\n{seal}")
    assert memory.forgetting.purge(item.id).places == ()
    said = git("cat-file", "-p", "v1")
    assert "First year" in said
    assert "SIGNATURE" not in said


def test_the_proof_sees_a_word_that_only_the_name_of_a_file_in_history_has(
    memory: Memory, git: Git
) -> None:
    """In a folder of several, which are stored one behind the other."""
    for name in ("aaa.txt", f"mmm {WORD}.txt", "zzz.txt"):
        (memory.root / name).write_text("nothing\n")
        git("add", name)
    git("commit", "-q", "-m", "three files")
    engine = memory.opened.history._engine
    *found, (searched, _) = objects_with(engine, Erasure(texts=[WORD]))
    tree = git("rev-parse", "HEAD^{tree}").strip()
    assert found == [(0, f"git tree {tree}")]
    assert searched > len(found)


def test_remotes_are_named_without_their_credentials(memory: Memory, git: Git) -> None:
    [item] = memory.remember(SECRET).items
    git("remote", "add", "origin", "https://ada:s3cret@example.org/vault.git")
    plan = memory.forgetting.purge(item.id, dry_run=True)
    assert plan.remotes == ("https://example.org/vault.git",)


# What this device keeps of a vault. A new store has to be emptied, or made anew, by an erasing
# (forget/erase.py), and to be among the files that its proof searches.
STORES = {
    *("lock", "ledger", "ledger.key", "engine.git", "index.sqlite", "index.sqlite-seal"),
    *("index.sqlite-wal", "index.sqlite-shm", "past.sqlite", "past.sqlite-seal"),
    *("past.sqlite-wal", "past.sqlite-shm", "exchange", "notices.json", "kept"),
    *("answers.log", "answers.old"),
}


def test_no_store_of_this_device_is_unknown_to_the_erasing(
    memory: Memory, clock: FixedClock, git: Git
) -> None:
    plant(memory, git)
    (memory.opened.state / "some.log").unlink()
    memory.recall("locker", known_at=clock.at)
    memory.history.log()
    memory.check(fix=True)
    memory.vault.audit()
    assert {file.name for file in memory.opened.state.iterdir()} <= STORES


def test_what_only_git_remembers_is_erased_too(memory: Memory, git: Git) -> None:
    memory.remember(OTHER)
    git("commit", "-q", "--allow-empty", "-m", f"a slip: {WORD}")
    git("commit", "-q", "--amend", "--allow-empty", "-m", "better")
    memory.sync()
    assert everywhere(memory, WORD)
    report = memory.forgetting.purge(match=WORD)
    assert (report.places, report.commits) == ((), 0)
    assert everywhere(memory, WORD) == []
    assert git("fsck", "--full", "--strict") == ""


@pytest.mark.parametrize("match", [WORD, "the BLUE  locker opens with"])
def test_what_was_erased_by_its_words_is_known_in_the_middle_of_others(
    root: Path, match: str
) -> None:
    with Memory(root) as memory:
        memory.remember(SECRET)
        memory.forgetting.purge(match=match)
        with pytest.raises(ErasedTextError):
            memory.remember(f"Mind this: The blue\nlocker opens with {WORD}, she said.")
        memory.remember(f"The blue locker is empty. Not {WORD}s.")


def test_a_code_in_an_erased_statement_is_known_in_other_sentences(root: Path) -> None:
    with Memory(root) as memory:
        [item] = memory.remember("I prefer the locker zanzibar-7731 at the station.").items
        memory.forgetting.purge(item.id)
        with pytest.raises(ErasedTextError):
            memory.remember("Anna opened zanzibar-7731 too.")
        memory.remember("I prefer the locker at the station.")


FORMS = (
    "**zanzibar** *heliotrope*",
    "zanzibar-heliotrope",
    "zanzibar_heliotrope",
    "zanzi\u00adbar heliotrope",
    "ZANZIBAR\u00a0Heliotrope",
    "zan\u200bzibar heliotrope",
    "zanzibar&nbsp;heliotrope",
    "- zanzibar\n- heliotrope",
)


def test_words_that_only_markup_separates_are_erased_in_every_store(
    memory: Memory, git: Git
) -> None:
    root = memory.root
    memory.remember("I keep the zanzibar heliotrope in the cellar. I like red tulips.")
    for number, form in enumerate(FORMS):
        (root / "resources" / f"page {number}.md").write_text(f"before {form} behind\n", "utf-8")
        memory.sync()
        git("commit", "-q", "--allow-empty", "-m", f"number {number}: {form}")
    git("tag", "-a", "v1", "-m", "the zanzibar_heliotrope")
    git("notes", "add", "-m", "**zanzibar** heliotrope")
    (root / "resources" / "page 0.md").write_text("before zanzibar/heliotrope\n", "utf-8")
    git("stash", "push", "-q", "-m", "stash of zanzibar – heliotrope")
    git("branch", "side")
    git("pack-refs", "--all")
    git("update-server-info")
    left = ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "EDIT_DESCRIPTION")
    for name in left:
        (root / ".git" / name).write_text(f"{'0' * 40}\tzanzibar-heliotrope\n")
    refs = (root / ".git/info/refs").read_text()
    report = memory.forgetting.purge(match="zanzibar heliotrope")
    assert report.places == ()
    assert everywhere(memory, "heliotrope") == []
    assert everywhere(memory, "helio\u00adtrope") == []
    for number in range(1, len(FORMS)):
        text = (root / "resources" / f"page {number}.md").read_text("utf-8")
        assert "before" in text
        assert "behind" in text
    assert not [name for name in (*left, "info/refs") if (root / ".git" / name).exists()]
    old = {line.split()[0] for line in refs.splitlines()}
    logs = root / ".git" / "logs"
    now = "".join(file.read_text() for file in logs.rglob("*") if file.is_file())
    assert not [oid for oid in old if oid in now + (root / ".git/packed-refs").read_text()]
    assert git("fsck", "--full", "--strict") == ""
    assert memory.recall("tulips").hits


def test_the_proof_says_in_which_forms_it_searched(memory: Memory) -> None:
    memory.remember("I keep the zanzibar heliotrope in the cellar.")
    assert memory.forgetting.purge(match="zanzibar heliotrope", dry_run=True).forms == ()
    report = memory.forgetting.purge(match="zanzibar heliotrope")
    said = "\n".join(purged_lines(report))
    for form in (*SEARCHED, NOT_SEARCHED):
        assert form in said
    assert report.forms == SEARCHED
    page = (Path(__file__).parents[2] / "vaultmem/docs/forgetting.md").read_text("utf-8")
    assert [form for form in (*SEARCHED, NOT_SEARCHED) if form not in page] == []


@pytest.mark.parametrize("form", FORMS)
def test_what_was_erased_is_known_again_in_other_markup(memory: Memory, form: str) -> None:
    memory.remember("I keep the zanzibar heliotrope in the cellar.")
    memory.forgetting.purge(match="zanzibar heliotrope")
    with pytest.raises(ErasedTextError):
        memory.remember(f"Somebody wrote {form} on the door.")


def test_a_file_that_is_not_ours_is_named_for_words_in_other_markup(memory: Memory) -> None:
    memory.remember("I keep the zanzibar heliotrope in the cellar.")
    (memory.root / "drawing.svg").write_text("<b>Zanzibar</b>&nbsp;<i>heliotrope</i>\n")
    report = memory.forgetting.purge(match="zanzibar heliotrope")
    assert [held.path.as_posix() for held in report.left] == ["drawing.svg"]
    assert report.places == ("drawing.svg",)


def test_words_across_the_pieces_in_which_a_large_file_is_read_are_found(tmp_path: Path) -> None:
    film = tmp_path / "film.mkv"
    film.write_bytes(bytes(1000) + WORD.encode() + bytes(1000))
    for at_once in range(1000, 1000 + len(WORD)):
        assert erase.bytes_hold(Erasure(texts=[WORD]), film, at_once=at_once)


def test_names_in_the_device_state_are_found_and_files_that_no_cleaning_helps_go_whole(
    memory: Memory,
) -> None:
    """A copy that somebody made there, or a file of another version."""
    memory.remember(OTHER)
    state = memory.opened.state
    (state / f"{WORD}.log").write_text("nothing but its name says it\n")
    plan = memory.forgetting.purge(match=WORD, dry_run=True)
    assert plan.places == (f"device state: {WORD}.log",)
    (state / "picture.bin").write_bytes(b"\x89PNG\0" + WORD.encode())
    (state / "some.log").write_text(f"10:00 {WORD}\n10:01 all well\n")
    assert memory.forgetting.purge(match=WORD).places == ()
    assert everywhere(memory, WORD) == []
    assert not (state / "picture.bin").exists()
    assert "all well" in (state / "some.log").read_text()


def test_a_file_in_the_device_state_that_would_go_on_saying_it_goes_whole(memory: Memory) -> None:
    """Hidden characters are looked for inside long passages, but such words are not rewritten."""
    long = " ".join(f"{WORD}-{number}" for number in range(60))
    memory.remember(OTHER)
    log = memory.opened.state / "some.log"
    log.write_text(long.replace("quokka", "quo\u00adkka") + "\nall well\n")
    assert memory.forgetting.purge(match=long).places == ()
    assert not log.exists()


def page(memory: Memory, *rows: str) -> Path:
    """A page of the person's own in the vault, taken in."""
    file = memory.root / "categories" / "mine.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n\n".join(["# Mine", *rows, ""]), "utf-8")
    memory.sync()
    return file


def test_a_statement_of_a_few_letters_is_not_taken_out_of_other_texts(memory: Memory) -> None:
    [item] = memory.remember("I ski.").items
    mine = page(memory, "Ann asked whether I ski or walk.")
    before = mine.read_bytes()
    report = memory.forgetting.purge(item.id)
    assert (report.places, report.short) == ((), 1)
    assert mine.read_bytes() == before


def test_a_source_to_which_the_person_added_words_stays_with_them(memory: Memory) -> None:
    done = memory.remember(SECRET)
    source = memory.root / done.path
    source.write_text(source.read_text("utf-8") + "\nAnd mind the dog.\n", "utf-8")
    memory.sync()
    report = memory.forgetting.purge(done.items[0].id)
    assert report.places == ()
    assert [note.id for note in report.notes] == [done.items[0].id]
    [source] = memory.root.glob(f"resources/**/*{done.resource}.md")  # its name said it
    assert "And mind the dog." in source.read_text("utf-8")


def test_short_sentences_of_an_erased_source_stay_in_other_texts(memory: Memory) -> None:
    done = memory.remember(f"Dear Ann, {SECRET} See you at the lake.")
    mine = page(memory, "I wrote: See you at the lake.")
    assert memory.forgetting.purge(source=done.resource).places == ()
    assert "See you at the lake." in mine.read_text("utf-8")


def test_a_date_in_an_erased_statement_stays_in_other_texts(memory: Memory) -> None:
    [item] = memory.remember(f"The locker {WORD} is rented until 2027-03-14.").items
    mine = page(memory, "On 2027-03-14 we fly to Oslo.", f"It is about {WORD}.")
    assert memory.forgetting.purge(item.id).places == ()
    assert "On 2027-03-14 we fly to Oslo." in mine.read_text("utf-8")
    assert everywhere(memory, WORD) == []


def test_vectors_are_made_anew_for_they_tell_what_a_text_meant(memory: Memory) -> None:
    [item] = memory.remember(SECRET).items
    vectors = memory.opened.state / "vectors-of-a-model"
    vectors.write_bytes(b"\0\1\2")
    memory.forgetting.purge(item.id)
    assert not vectors.exists()


def test_a_file_with_an_id_in_its_name_alone_takes_no_other_note_along(memory: Memory) -> None:
    """Its id was '', with which every name ends: all files of the vault and its state went."""
    memory.remember("I am allergic to nuts.")
    file = memory.root / "items" / "home-i-w44a8kq2bf.md"
    file.write_text("The blue locker opens with zanzibar-7731-quokka.\n")
    memory.sync()
    report = memory.forgetting.purge(match="The blue locker opens with zanzibar-7731-quokka")
    assert report.places == ()
    assert not file.exists()
    left = [row.statement for row in memory.list({"types": ("item",)})]
    assert left == ["I am allergic to nuts."]
