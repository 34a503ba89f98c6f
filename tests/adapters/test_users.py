"""A vault for each user under one folder."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vaultmem import config
from vaultmem.adapters import Vaults
from vaultmem.api import Memory
from vaultmem.base import BadInputError

ODD_IDS = (
    "ada",
    "Ada",
    "ADA",
    "ada ",
    "../ada",
    "..",
    "/etc/passwd",
    "C:\\ada",
    "con",
    "a/b",
    "a\\b",
    "\u00e9",
    "e\u0301",
    "用户",
    "👩‍🚀",
    "\x00",
    "\n",
    "\ud800",
    "x" * 1000,
    "x" * 1001,
    ".users",
)


@pytest.fixture
def vaults(tmp_path: Path) -> Iterator[Vaults]:
    with Vaults(tmp_path / "users") as opened:
        yield opened


def statements(memory: Memory) -> list[str]:
    return sorted(note.statement for note in memory.list({"type": "item"}))


class TestNames:
    def test_no_two_ids_share_a_folder_however_a_file_system_folds_names(
        self, vaults: Vaults
    ) -> None:
        names = [vaults.place_of(each).name for each in ODD_IDS]
        assert len({name.casefold() for name in names}) == len(ODD_IDS)
        assert all(len(name) <= 67 and name.isascii() for name in names)

    def test_no_id_leads_out_of_the_folder(self, vaults: Vaults) -> None:
        for each in ODD_IDS:
            assert vaults.place_of(each).parent == vaults.folder
            assert set(vaults.place_of(each).name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")

    def test_an_id_that_is_no_text_or_empty_is_refused(self, vaults: Vaults) -> None:
        for wrong in ("", None, 7):
            with pytest.raises(BadInputError, match="id of a user"):
                vaults.of(wrong)  # type: ignore[arg-type]  # on purpose

    def test_asking_whether_somebody_has_a_vault_makes_none(self, vaults: Vaults) -> None:
        assert not vaults.has("ada")
        assert vaults.users() == ()
        assert not vaults.folder.exists()

    def test_users_are_listed_by_the_ids_that_they_were_given(self, vaults: Vaults) -> None:
        odd = ("Ada", "\ud800\n../x", "用户")
        for each in odd:
            vaults.of(each).ask(lambda memory: None)
        assert vaults.users() == tuple(sorted(odd))
        assert vaults.user_at(vaults.place_of("用户").name) == "用户"
        assert vaults.user_at("../../etc") is None


class TestApart:
    def test_no_word_of_one_user_is_in_an_answer_to_another(self, vaults: Vaults) -> None:
        vaults.of("ada").ask(lambda memory: memory.remember("I live in Graz. I prefer tea."))
        vaults.of("Ada").ask(lambda memory: memory.remember("I live in Porto."))
        told = vaults.of("Ada").ask(
            lambda memory: repr((memory.recall("where do I live?"), memory.search("Graz tea"))),
        )
        assert "Porto" in told
        assert "live in Graz" not in told
        assert "prefer tea" not in told
        assert vaults.of("bob").ask(lambda memory: memory.recall("where do I live?")).hits == ()


class TestOpening:
    def test_fifty_users_keep_few_vaults_and_descriptors_open(self, tmp_path: Path) -> None:
        folder = "/proc/self/fd"
        if not os.path.isdir(folder):
            pytest.skip("no list of open descriptors here")
        with Vaults(tmp_path / "users", most_open=4, threads=2) as vaults:
            vaults.of("warm").ask(lambda memory: memory.list())
            before = len(os.listdir(folder))
            # A vault that is made costs .2 s of waiting for the disk; one that is opened, .003.
            with ThreadPoolExecutor(4) as pool:
                done = list(
                    pool.map(
                        lambda at: vaults.of(f"user-{at}").ask(lambda m: len(m.list())), range(50)
                    )
                )
            assert len(set(done)) == 1
            assert vaults.open_count() <= 4
            assert len(os.listdir(folder)) <= before + 4 * 8
        assert vaults.open_count() == 0

    def test_a_vault_that_nobody_asks_is_closed(self, tmp_path: Path) -> None:
        with Vaults(tmp_path / "users", idle_seconds=0.05) as vaults:
            vaults.of("ada").ask(lambda memory: memory.list())
            deadline = threading.Event()
            for _ in range(3_000):  # a minute, for a machine that is very busy
                if vaults.open_count() == 0:
                    break
                deadline.wait(0.02)
            assert vaults.open_count() == 0
            assert vaults.of("ada").ask(statements) == []

    def test_any_thread_may_ask_and_nothing_is_lost(self, vaults: Vaults) -> None:
        def tell(number: int) -> str:
            vault = vaults.of(f"user-{number % 2}")
            vault.ask(lambda memory: memory.remember(f"My locker has the number {number}."))
            return vault.ask(
                lambda memory: memory.search(f"locker {number}").hits[0].note.statement
            )

        with ThreadPoolExecutor(4) as pool:
            told = list(pool.map(tell, range(8)))
        assert told == [f"My locker has the number {number}." for number in range(8)]
        assert len(vaults.of("user-0").ask(statements)) == 4

    def test_work_may_ask_again_from_within(self, vaults: Vaults) -> None:
        vault = vaults.of("ada")
        assert vault.ask(lambda memory: vault.ask(statements)) == []

    def test_an_error_of_the_work_is_the_askers(self, vaults: Vaults) -> None:
        with pytest.raises(BadInputError):
            vaults.of("ada").ask(lambda memory: memory.remember(""))
        assert vaults.of("ada").ask(statements) == []

    def test_a_fork_has_threads_of_its_own(self, vaults: Vaults) -> None:
        if not hasattr(os, "fork"):
            pytest.skip("no fork here")
        vaults.of("ada").ask(lambda memory: memory.remember("I prefer tea."))
        child = os.fork()
        if child == 0:
            is_fine = vaults.of("ada").ask(statements) == ["I prefer tea."]
            os._exit(0 if is_fine else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    def test_a_program_that_ends_without_close_leaves_whole_vaults(self, tmp_path: Path) -> None:
        code = (
            "import sys; from vaultmem.adapters import Vaults; v = Vaults(sys.argv[1]); "
            "v.of('ada').ask(lambda memory: memory.remember('I prefer tea.'))"
        )
        told = [sys.executable, "-c", code, str(tmp_path / "users")]
        subprocess.run(told, check=True, timeout=60)
        with Vaults(tmp_path / "users") as vaults:
            assert vaults.of("ada").ask(lambda memory: memory.opened.index_damage) == ""
            assert vaults.of("ada").ask(statements) == ["I prefer tea."]


class TestErasing:
    def test_nothing_of_an_erased_user_is_left_on_this_device(
        self, vaults: Vaults, tmp_path: Path
    ) -> None:
        secret = "My locker has the number 4711."
        vaults.of("lovelace").ask(lambda memory: memory.remember(secret))
        vaults.of("bob").ask(lambda memory: memory.remember("I prefer tea."))
        state = config.load_settings(vaults.place_of("lovelace")).state
        assert state.exists()
        assert vaults.erase("lovelace")
        assert not vaults.erase("lovelace")
        assert not state.exists()
        assert vaults.users() == ("bob",)
        # Not `ada`: names of temporary files are hexadecimal, and one of them had these letters.
        named = [file for file in vaults.folder.rglob("*") if "lovelace" in file.name]
        assert named == []
        kept = [vaults.folder, state.parent]
        files = [file for folder in kept for file in folder.rglob("*") if file.is_file()]
        assert [file for file in files if b"4711" in file.read_bytes()] == []
        assert vaults.of("ada").ask(statements) == []
        assert vaults.of("bob").ask(statements) == ["I prefer tea."]

    def test_another_process_sees_that_a_user_was_erased(self, tmp_path: Path) -> None:
        with Vaults(tmp_path / "users") as here, Vaults(tmp_path / "users") as there:
            here.of("ada").ask(lambda memory: memory.remember("I prefer tea."))
            assert there.of("ada").ask(statements) == ["I prefer tea."]
            assert here.erase("ada")
            assert there.of("ada").ask(statements) == []
            there.of("ada").ask(lambda memory: memory.remember("I prefer cocoa."))
            assert here.of("ada").ask(statements) == ["I prefer cocoa."]

    def test_an_erasure_that_was_cut_short_is_finished(self, vaults: Vaults) -> None:
        vaults.of("ada").ask(lambda memory: memory.remember("I prefer tea."))
        place = vaults.place_of("ada")
        vaults.close()
        os.replace(place, vaults.folder / ".users" / f"{place.name}.gone")
        assert vaults.of("ada").ask(statements) == []
        assert list((vaults.folder / ".users").glob("*.gone")) == []
