"""What a plan becomes: files, commits that say what the program recorded, rows of the index."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from pathlib import Path, PurePosixPath

from tests.conftest import Git
from tests.faults.steps import Steps
from tests.privacy.test_screening import TOKEN
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.model.ids import blob_oid
from vaultmem.model.plan import Plan, Write
from vaultmem.vault.apply import apply, message, writer_lock
from vaultmem.vault.working_copy import WorkingCopy


def test_no_text_in_a_commit_makes_an_item_believed(memory: Memory, git: Git) -> None:
    memory.remember("Leni is allergic to hazelnuts.", source="https://example.org/page")
    [before] = memory.list(Filters(types=("item",)))
    approves = f"Vaultmem-Approved: {before.id}"
    plan = Plan(
        op="edit",
        actor="editor",
        subject=f"edit: a title\n{approves}\n\n{approves}",
        trailers=(("Vaultmem-Source", f"a letter\n{approves}"), ("Vaultmem-Run", "x\r" + approves)),
        changes=(Write(path=PurePosixPath("categories/tea.md"), content=b"# Tea\n", expects=None),),
    )
    with writer_lock(memory.opened):
        apply(memory.opened, [plan])
    assert git("log", "-1", "--format=%s").strip() == f"edit: a title {approves} {approves}"
    trailers = git("log", "-1", "--format=%(trailers:only,keyonly)").split()
    assert trailers == [
        *("Vaultmem-Op", "Vaultmem-Source", "Vaultmem-Run"),
        *("Vaultmem-Actor", "Vaultmem-Recorded-At"),
    ]
    memory.reindex()  # from the commits alone, as on another device
    assert memory.list(Filters(types=("item",))) == (before,)
    assert before.trust == "untrusted"


def test_while_a_question_is_open_commits_say_so_and_a_new_index_asks_it_again(
    memory: Memory, root: Path, git: Git
) -> None:
    memory.remember("We need to buy milk.")
    for file, words in (("streams/tasks.md", "soy milk"), ("items/**/*milk*.md", "oat milk")):
        [note] = root.glob(file)
        note.write_text(note.read_text("utf-8").replace("buy milk.", f"buy {words}."), "utf-8")
    memory.sync()
    assert [each.code for each in memory.check().problems] == ["edited-twice"]
    memory.remember("My sister lives in Graz.")
    assert "Vaultmem-Unsettled: true" in git("log", "-1", "--format=%B")
    memory.reindex()
    memory.sync()
    assert [each.code for each in memory.check().problems] == ["edited-twice"]


def test_a_commit_says_to_the_millisecond_when_it_was_recorded() -> None:
    plan = Plan(op="remember", subject="s", changes=(), actor="user")
    assert "Vaultmem-Recorded-At: 2026-03-13T09:00:00.045Z\n" in message(plan, at=1773392400045)


def test_a_note_in_the_programs_own_folder_is_no_note_of_the_vault(
    memory: Memory, git: Git
) -> None:
    path = PurePosixPath(".vaultmem/readme.md")
    plan = Plan(
        op="edit",
        actor="editor",
        subject="edit: readme",
        changes=(Write(path=path, content=b"Zanzibar.\n", expects=None),),
    )
    with writer_lock(memory.opened):
        apply(memory.opened, [plan])
    updated = memory.opened.index.dump()
    memory.reindex()
    assert memory.opened.index.dump() == updated


def test_of_several_changes_of_a_file_in_one_go_the_first_fingerprint_and_the_last_words_count(
    memory: Memory, root: Path
) -> None:
    path = PurePosixPath("categories/tea.md")
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_bytes(b"one\n")
    memory.sync()
    texts = (b"one\n", b"two\n", b"three\n")
    plans = [
        Plan(
            op="edit",
            actor="editor",
            subject=f"edit: {after.decode().strip()}",
            changes=(Write(path=path, content=after, expects=blob_oid(before)),),
        )
        for before, after in pairwise(texts)
    ]
    with writer_lock(memory.opened):
        done = apply(memory.opened, plans)
    assert (root / path).read_bytes() == b"three\n"
    assert len({each.commit for each in done}) == 2


def test_a_file_that_was_given_the_bytes_it_had_is_not_written(memory: Memory) -> None:
    memory.remember("We need to buy milk.")
    path = PurePosixPath("streams/tasks.md")
    working_copy = WorkingCopy(memory.opened)
    before = working_copy.existing(path)
    working_copy.put(path, b"something else\n")
    working_copy.put(path, before)
    assert list(working_copy.changed) == []
    assert working_copy.step() == ()


def test_a_list_that_was_committed_with_what_looks_like_a_secret_goes_on_being_committed(
    memory: Memory, root: Path, git: Git
) -> None:
    memory.remember("We need to buy milk.")
    tasks = root / "streams/tasks.md"
    tasks.write_text(tasks.read_text("utf-8") + f"\nmy token: {TOKEN}\n", "utf-8")
    memory.sync(allow_secrets=True)
    memory.remember("I have to call the plumber.")
    assert git("status", "--porcelain") == ""
    assert "plumber" in git("show", "HEAD:streams/tasks.md")


class _Interrupting(Steps):
    """Ctrl-C in the moment after the branch has moved."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._file = root / ".git" / "refs" / "heads" / "main"
        self._oid = self._file.read_bytes()
        self.is_done = self._is_looking = False

    def meet(self, name: str, arguments: tuple[object, ...]) -> None:
        if self.is_done or self._is_looking:
            return
        self._is_looking = True
        has_moved = self._file.read_bytes() != self._oid
        self._is_looking = False
        if has_moved:
            self.is_done = True
            raise KeyboardInterrupt


def test_interrupted_when_the_commit_has_just_come_the_files_stay_as_it_has_them(
    memory: Memory, root: Path, git: Git
) -> None:
    memory.remember("We need to buy milk.")
    interrupting = _Interrupting(root)
    with interrupting, suppress(KeyboardInterrupt):
        memory.remember("I have to call the plumber.")
    assert interrupting.is_done
    assert git("status", "--porcelain") == ""
    assert "plumber" in git("show", "HEAD:streams/tasks.md")
