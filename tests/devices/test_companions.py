"""Settings, tables and canvases travel with the notes, and are never merged by lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.devices import Device, connected

CANVAS = '{"nodes": [\n{"id": "1"},\n{"id": "2"},\n{"id": "3"},\n{"id": "4"}\n]}\n'
BASE = "views:\n  - type: table\n    name: Tea\n    order: [a, b]\n    limit: 3\n"
FILES = (
    "plan.canvas",
    "tasks.base",
    "streams/tasks.base",
    "items/2026/tea.canvas",
    "vaultmem.toml",
)


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    return connected(tmp_path, "laptop", "phone")


@pytest.fixture
def one(pair: list[Device]) -> Device:
    return pair[0]


def codes(device: Device) -> set[tuple[str, str]]:
    with device.memory() as memory:
        return {(each.code, each.path.as_posix()) for each in memory.check().problems}


class TestOneDevice:
    @pytest.mark.parametrize("path", FILES)
    def test_an_edit_is_committed_as_the_persons(self, one: Device, path: str) -> None:
        before = one.read(path) if path == "vaultmem.toml" else ""
        one.write(path, before + "# mine\n")
        with one.memory() as memory:
            report = memory.sync()
            assert [each.as_posix() for each in report.changed] == [path]
            assert report.scanned == memory.sync().scanned
            assert memory.check(deep=True).problems == ()
        assert one.git("status", "--porcelain") == ""
        assert "Vaultmem-Actor: editor" in one.git("log", "-1", "--format=%B")
        assert one.git("show", f"HEAD:{path}") == before + "# mine\n"
        (one.root / path).write_text(before + "# mine, later\n")
        with one.memory() as memory:
            assert len(memory.sync().commits) == 1
        assert one.git("show", f"HEAD:{path}") == before + "# mine, later\n"

    @pytest.mark.parametrize("path", FILES[:-1])
    def test_one_that_was_deleted_is_taken_out(self, one: Device, path: str) -> None:
        one.write(path, CANVAS)
        with one.memory() as memory:
            memory.sync()
            (one.root / path).unlink()
            memory.sync()
            assert memory.sync().pending == ()
        assert path not in one.git("ls-tree", "-r", "--name-only", "HEAD").split()

    def test_other_files_and_folders_stay_invisible(self, one: Device) -> None:
        for path in ("photo.png", "items/photo.png", "Other/x.base", ".obsidian/x.base", "a.toml"):
            one.write(path, "x")
        with one.memory() as memory:
            assert memory.sync().commits == ()
        assert one.git("ls-files", "Other", "items/photo.png", "photo.png", "a.toml") == ""

    def test_their_words_are_not_found(self, one: Device) -> None:
        one.write("plan.canvas", '{"nodes": [{"id": "1", "text": "zeppelin"}]}')
        with one.memory() as memory:
            notes = memory.sync().scanned
            assert memory.search("zeppelin").hits == ()
            assert notes == len(memory.list())

    def test_a_secret_keeps_one_out_of_the_history(self, one: Device) -> None:
        head = one.head()
        one.write("plan.canvas", '{"text": "AKIAIOSFODNN7EXAMPLQ"}')
        with one.memory() as memory:
            memory.sync()
        assert one.head() == head
        assert ("secret-uncommitted", "plan.canvas") in codes(one)

    def test_they_are_known_after_a_reindex_and_beside_an_include(self, one: Device) -> None:
        one.write("vaultmem.toml", 'include = ["Journal/**/*.md"]\n' + one.read("vaultmem.toml"))
        one.write("Journal/2026/plan.canvas", CANVAS)
        one.write("Journal/2026/day.md", "A day.\n")
        with one.memory() as memory:
            memory.sync()
        head = one.head()
        with one.memory() as memory:
            memory.reindex()
            assert memory.sync().commits == ()
            assert memory.check(deep=True).problems == ()
        assert one.head() == head
        assert one.git("status", "--porcelain") == ""


class TestTwoDevices:
    @pytest.mark.parametrize("path", FILES)
    def test_one_that_only_one_side_changed_is_taken(
        self,
        pair: list[Device],
        path: str,
    ) -> None:
        here, there = pair
        text = (here.read(path) if path == "vaultmem.toml" else CANVAS) + "\n"
        here.write(path, text)
        here.push()
        there.pull()
        assert there.read(path) == text
        assert here.files() == there.files()

    @pytest.mark.parametrize("path", FILES)
    def test_both_versions_are_kept_where_both_changed_it(
        self,
        pair: list[Device],
        path: str,
    ) -> None:
        """At its two ends, so that a merge by lines would be sure of itself."""
        here, there = pair
        text = here.read(path) if path == "vaultmem.toml" else BASE
        here.write(path, text)
        here.push()
        there.pull()
        here.write(path, "# at the top\n" + text)
        there.write(path, text + "# at the end\n")
        there.clock.advance(seconds=60)
        here.push()
        there.push()
        here.pull()
        assert here.files() == there.files()
        file = Path(path)
        [copy] = (here.root / file.parent).glob(f"{file.stem} (conflict *){file.suffix}")
        found = {here.read(path), copy.read_text()}
        assert found == {"# at the top\n" + text, text + "# at the end\n"}
        name = copy.relative_to(here.root).as_posix()
        for device in pair:
            assert ("conflict-copy", name) in codes(device)
            assert device.git("status", "--porcelain") == ""
        copy.unlink()
        here.push()
        there.pull()
        assert not (there.root / name).exists()
        assert ("conflict-copy", name) not in codes(there)

    def test_check_fix_leaves_them_as_they_are(self, pair: list[Device]) -> None:
        here, _ = pair
        here.write("tea.base", BASE)
        here.write("tea (conflict 1a2b3c4d5e).base", BASE + "x: 1\n")
        with here.memory() as memory:
            memory.sync()
            assert memory.check(fix=True).fixed == ()
        assert here.read("tea (conflict 1a2b3c4d5e).base") == BASE + "x: 1\n"

    def test_settings_that_name_more_notes_are_told(self, pair: list[Device]) -> None:
        here, there = pair
        here.write("vaultmem.toml", 'include = ["Private/*.md"]\n' + here.read("vaultmem.toml"))
        here.push()
        got = there.pull()
        assert [(each.code, each.path.as_posix()) for each in got.problems] == [
            ("settings-arrived", "vaultmem.toml")
        ]
        assert "Private/*.md" in got.problems[0].message
        assert ("settings-arrived", "vaultmem.toml") in codes(there)
