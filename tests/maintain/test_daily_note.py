"""The block in today's daily note: a person's bytes stay, and nothing of it becomes a memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import SettingsError
from vaultmem.config.values import daily_note_path
from vaultmem.model.reports import DailyNote
from vaultmem.storage.notes.today_block import Told, Written, update, without_told

NOON = FixedClock().at
TODAY = "Daily/2026-03-11.md"
BLOCK = re.compile(r"<!-- vaultmem:begin today -->\n(.*?)<!-- vaultmem:end -->\n", re.DOTALL)


def set_value(root: Path, line: str) -> None:
    """Let the settings of the vault begin with this line."""
    file = root / "vaultmem.toml"
    file.write_text(f"{line}\n{file.read_text()}")


def include_daily(root: Path) -> None:
    set_value(root, 'include = ["Daily/*.md"]')


@pytest.fixture
def day(root: Path) -> Path:
    """A vault with a daily note of the person's, which the settings name."""
    set_value(root, 'obsidian.daily_note = "Daily/%Y-%m-%d.md"')
    note = root / TODAY
    note.parent.mkdir()
    text = "---\nmood: fine\n---\n# Wednesday\n\nSlept well.  \n\n## Evening"
    note.write_bytes(text.replace("\n", "\r\n").encode())
    with Memory(root, clock=FixedClock()) as memory:
        memory.sync()
    return note


def opened(root: Path, at: int = NOON) -> Memory:
    return Memory(root, clock=FixedClock(at))


def level(root: Path, at: int = NOON) -> DailyNote:
    with opened(root, at) as memory:
        found = memory.sync().daily_note
    assert found is not None
    assert not found.problem, found
    return found


def lines(note: Path) -> list[str]:
    """What lies in the block; line ends of the file aside."""
    found = BLOCK.findall(note.read_bytes().decode().replace("\r\n", "\n"))
    assert len(found) == 1
    return [re.sub(r" \[\[.*\]\]$", "", row) for row in found[0].split("\n")[:-1]]


def remember(root: Path, *texts: str, at: int = NOON) -> None:
    with opened(root, at) as memory:
        for text in texts:
            memory.remember(text)


class TestADay:
    def test_what_was_learned_and_is_due_comes_and_goes(self, root: Path, day: Path) -> None:
        assert not level(root).changed, "nothing to tell yet"
        remember(root, "My sister Leni is allergic to hazelnuts.")
        remember(root, "Tomas brings the ladder on 11 March 2026 at 17:00.")
        report = level(root)
        assert (report.learned, report.due, report.changed) == (1, 1, True)
        assert lines(day) == [
            "**Learned today**",
            "- My sister Leni is allergic to hazelnuts.",
            "",
            "**Due**",
            "- Tomas brings the ladder on 11 March 2026 at 17:00. (due 17:00)",
        ]
        with opened(root) as memory:
            nuts = next(each for each in memory.list() if "hazelnuts" in each.statement and each.id)
            memory.facts.retract(nuts.id if nuts.id.startswith("i-") else "i-")
        level(root)
        assert lines(day) == [
            "**Due**",
            "- Tomas brings the ladder on 11 March 2026 at 17:00. (due 17:00)",
        ]
        tomorrow = root / "Daily/2026-03-12.md"
        tomorrow.write_text("Thursday.\n")
        before = day.read_bytes()
        level(root, NOON + 86_400_000)
        assert lines(tomorrow) == [
            "**Due**",
            "- Tomas brings the ladder on 11 March 2026 at 17:00. (was due 2026-03-11)",
        ]
        assert day.read_bytes() == before, "yesterday's note is a record of yesterday"

    def test_outside_the_block_not_one_byte_changes(self, root: Path, day: Path) -> None:
        before = day.read_bytes()
        remember(root, "I live in Graz.")
        level(root)
        after = day.read_bytes()
        assert after.startswith(before)
        assert after != before
        assert b"\n\n" not in after[len(before) :].replace(b"\r\n", b"|"), "its line ends"
        again = after.replace(b"Slept well.", b"Slept badly.") + b"Mine, below.\r\n"
        day.write_bytes(again)
        remember(root, "I play the cello.")
        level(root)
        now = day.read_bytes()
        begin, end = now.index(b"<!-- vaultmem:begin"), now.index(b"<!-- vaultmem:end")
        assert now[:begin] == again[: again.index(b"<!-- vaultmem:begin")]
        assert now[end:] == again[again.index(b"<!-- vaultmem:end") :]

    def test_a_second_time_nothing_is_written(self, root: Path, day: Path) -> None:
        remember(root, "I live in Graz.")
        level(root)
        before = day.stat().st_mtime_ns, day.read_bytes()
        assert not level(root).changed
        assert (day.stat().st_mtime_ns, day.read_bytes()) == before

    def test_a_missing_note_is_not_made(self, root: Path, day: Path) -> None:
        remember(root, "I live in Graz.")
        report = level(root, NOON + 86_400_000)
        assert report.is_missing
        assert [each.name for each in day.parent.iterdir()] == [day.name]

    def test_in_no_setting_nothing_happens(self, root: Path) -> None:
        (root / "Daily").mkdir()
        (root / TODAY).write_text("x\n")
        with opened(root) as memory:
            memory.remember("I live in Graz.")
            assert memory.sync().daily_note is None
            assert memory.maintain.daily_note() is None
        assert (root / TODAY).read_text() == "x\n"


class TestThePersonsEdits:
    def edit(self, day: Path, change: Callable[[str], str]) -> None:
        text = day.read_bytes().decode()
        assert change(text) != text
        day.write_bytes(change(text).encode())

    @pytest.fixture
    def told(self, root: Path, day: Path) -> Path:
        remember(root, "I live in Graz.", "I play the cello.")
        level(root)
        return day

    def test_lines_of_theirs_stay_where_they_are(self, root: Path, told: Path) -> None:
        self.edit(told, lambda t: t.replace("- I play", "  since 2019!\r\n- I play"))
        remember(root, "I swim on Tuesdays.")
        level(root)
        assert lines(told) == [
            "**Learned today**",
            "- I live in Graz.",
            "  since 2019!",
            "- I play the cello.",
            "- I swim on Tuesdays.",
        ]

    def test_a_line_that_they_reworded_stays_so(self, root: Path, told: Path) -> None:
        self.edit(told, lambda t: t.replace("- I live in Graz.", "- [x] I live in Graz, at last!"))
        with opened(root) as memory:
            home = memory.recall("where do I live").hits[0].note
            memory.facts.retract(home.id)
        for _ in range(2):
            level(root)
            assert lines(told) == [
                "**Learned today**",
                "- [x] I live in Graz, at last!",
                "- I play the cello.",
            ]

    def test_a_line_that_nobody_touched_follows_its_item(self, root: Path, told: Path) -> None:
        with opened(root) as memory:
            cello = memory.recall("cello").hits[0].note
            memory.correct(cello.id, "I play the viola.")
        level(root)
        assert "- I play the viola." in lines(told)
        assert "- I play the cello." not in lines(told)

    def test_a_line_that_they_took_out_stays_away(self, root: Path, told: Path) -> None:
        self.edit(told, lambda t: re.sub(r"- I live in Graz.*\r\n", "", t))
        remember(root, "I swim on Tuesdays.")
        for _ in range(2):
            level(root)
            assert lines(told) == [
                "**Learned today**",
                "- I play the cello.",
                "- I swim on Tuesdays.",
            ]

    def test_a_block_that_they_took_out_stays_away_today(self, root: Path, told: Path) -> None:
        self.edit(told, lambda t: t[: t.index("<!-- vaultmem:begin")])
        remember(root, "I swim on Tuesdays.")
        before = told.read_bytes()
        for _ in range(2):
            level(root)
        assert told.read_bytes() == before

    def test_a_block_that_they_moved_stays_there(self, root: Path, told: Path) -> None:
        text = told.read_bytes().decode()
        at = text.index("<!-- vaultmem:begin")
        told.write_bytes(f"{text[at:]}\r\n{text[:at]}".encode())
        remember(root, "I swim on Tuesdays.")
        level(root)
        assert told.read_bytes().startswith(b"<!-- vaultmem:begin today -->\r\n")
        assert "- I swim on Tuesdays." in lines(told)

    @pytest.mark.parametrize(
        "broken", ["<!-- vaultmem:begin today -->", "<!-- vaultmem:end -->", "\xff"]
    )
    def test_a_note_that_cannot_be_understood_stays_and_is_told(
        self, root: Path, told: Path, broken: str
    ) -> None:
        told.write_bytes(told.read_bytes() + broken.encode("latin-1") + b"\r\n")
        before = told.read_bytes()
        remember(root, "I swim on Tuesdays.")
        with opened(root) as memory:
            report = memory.sync().daily_note
        assert report is not None
        assert report.problem
        assert report.hint
        assert told.read_bytes() == before

    def test_without_what_was_written_last_differing_lines_stay(
        self, root: Path, told: Path
    ) -> None:
        """Another device, or a device state that was lost."""
        self.edit(told, lambda t: t.replace("- I live in Graz.", "- I live in Graz!"))
        with opened(root) as memory:
            (memory.settings.state / "daily-note.json").unlink()
        level(root)
        assert lines(told) == ["**Learned today**", "- I live in Graz!", "- I play the cello."]


class TestNoEcho:
    @pytest.fixture
    def told(self, root: Path, day: Path) -> Path:
        remember(root, "My sister Leni is allergic to hazelnuts.")
        level(root)
        day.write_bytes(day.read_bytes() + b"A quiet evening with a zeppelin.\r\n")
        return day

    def test_a_note_that_is_searched_says_nothing_of_the_block(
        self, root: Path, told: Path
    ) -> None:
        include_daily(root)
        with opened(root) as memory:
            memory.sync()
            assert [str(hit.note.path) for hit in memory.search("zeppelin").hits] == [TODAY]
            found = {str(hit.note.path) for hit in memory.search("hazelnuts").hits}
            assert found
            assert TODAY not in found
            assert TODAY not in str(memory.context("hazelnuts").text)
            links = memory.ranking.links(TODAY)
            assert links.outgoing == ()

    def test_a_note_that_is_remembered_gives_only_the_persons_words(
        self, root: Path, told: Path
    ) -> None:
        with opened(root) as memory:
            report = memory.remember(told.read_bytes().decode(), writer="person")
            kept = (root / str(report.path)).read_text()
            assert "zeppelin" in kept
            assert "hazelnuts" not in kept
            assert [each.statement for each in report.items if "hazelnut" in each.statement] == []

    def test_ten_days_in_a_row_nothing_grows(self, root: Path, told: Path) -> None:
        include_daily(root)
        counts = set()
        for number in range(10):
            with opened(root, NOON + number * 1000) as memory:
                memory.sync()
                counts.add(sum(row.type == "item" for row in memory.list(limit=None)))
        assert len(counts) == 1

    def test_a_conversation_into_which_it_is_pasted_keeps_the_rest(self, told: Path) -> None:
        from vaultmem.sessions.own_words import own_words

        kept = own_words(told.read_bytes().decode())
        assert "zeppelin" in kept
        assert "hazelnuts" not in kept


class TestCommits:
    def test_a_note_outside_include_is_in_no_commit(self, root: Path, day: Path, git: Git) -> None:
        remember(root, "I live in Graz.")
        head = git("rev-parse", "HEAD")
        assert level(root).changed
        assert git("rev-parse", "HEAD") == head
        assert git("ls-files", "Daily") == ""
        with opened(root) as memory:
            assert memory.sync().commits == ()
            assert memory.check(deep=True).problems == ()

    def test_an_included_note_has_a_commit_for_theirs_and_one_for_ours(
        self, root: Path, day: Path, git: Git
    ) -> None:
        include_daily(root)
        remember(root, "I live in Graz.")
        with open(day, "ab") as stream:
            stream.write(b"\r\nMine.\r\n")
        level(root)
        theirs, ours = git("log", "-2", "--reverse", "--format=%B%x00").split("\0")[:2]
        assert "Vaultmem-Actor: editor" in theirs
        assert "Vaultmem-Op: daily-note" in ours
        assert "Vaultmem-Actor: maintenance" in ours
        assert "vaultmem:begin" not in git("show", f"HEAD~1:{TODAY}")
        assert git("status", "--porcelain") == ""
        with opened(root) as memory:
            assert memory.sync().commits == ()
            assert memory.check(deep=True).problems == ()

    def test_undo_takes_back_what_was_remembered_and_not_the_block(
        self, root: Path, day: Path
    ) -> None:
        include_daily(root)
        remember(root, "I live in Graz.")
        level(root)
        with opened(root) as memory:
            assert memory.undo().subject.startswith("undo: remember")
        level(root)
        assert lines(day) == []

    def test_what_the_person_staged_is_left_to_them(self, root: Path, day: Path, git: Git) -> None:
        include_daily(root)
        with opened(root) as memory:
            memory.sync()
        with open(day, "ab") as stream:
            stream.write(b"\r\nStaged.\r\n")
        git("add", TODAY)
        before = day.read_bytes()
        remember(root, "I live in Graz.")
        with opened(root) as memory:
            report = memory.sync().daily_note
        assert report is not None
        assert not report.changed
        assert "no commit yet" in report.problem
        assert day.read_bytes() == before

    def test_a_purge_names_the_note_that_still_says_it(self, root: Path, day: Path) -> None:
        remember(root, "My sister Leni is allergic to hazelnuts.")
        level(root)
        with opened(root) as memory:
            item = next(row for row in memory.list() if row.id.startswith("i-"))
            report = memory.forgetting.purge(item.id)
        assert TODAY in str(report)


class TestWhere:
    @pytest.mark.parametrize(
        ("pattern", "path"),
        [
            ("Daily/%Y-%m-%d.md", "Daily/2026-03-11.md"),
            ("%Y/%B/%d %A.md", "2026/March/11 Wednesday.md"),
            ("J/%G-W%V.md", "J/2026-W11.md"),
            ("%y%m%d %j %a %b 100%%.MD", "260311 070 Wed Mar 100%.MD"),
            ("Today.md", "Today.md"),
        ],
    )
    def test_the_pattern_is_of_the_day(self, pattern: str, path: str) -> None:
        assert str(daily_note_path(pattern, NOON)) == path

    def test_the_day_is_that_of_the_vaults_zone(self) -> None:
        late = NOON + 11 * 3_600_000 + 1_800_000
        assert str(daily_note_path("%d.md", late, "+02:00")) == "12.md"

    @pytest.mark.parametrize(
        "pattern",
        [
            *("/etc/%d.md", "../%d.md", "Daily/../../x.md", "C:/x.md", "a\\b.md", "./x.md"),
            *(
                "Daily//x.md",
                "Daily/x.txt",
                "Daily/x",
                ".obsidian/x.md",
                "Daily/.x.md",
                ".git/x.md",
            ),
            *("%q.md", "Daily/%", "Daily/x\u202e.md", "~/x/../y.md"),
        ],
    )
    def test_paths_that_are_none_are_refused_with_the_line_and_a_hint(
        self, root: Path, pattern: str
    ) -> None:
        set_value(root, f"obsidian.daily_note = '{pattern}'")
        with pytest.raises(SettingsError) as told:
            Memory(root)
        assert "line 1" in told.value.message
        assert "obsidian.daily_note" in told.value.message
        assert told.value.hint

    @pytest.mark.parametrize("top", ["items", "Streams", "agents", "resources", "CATEGORIES"])
    def test_the_vaults_own_folders_are_refused(self, root: Path, top: str) -> None:
        set_value(root, f"obsidian.daily_note = '{top}/%d.md'")
        with Memory(root) as memory, pytest.raises(SettingsError, match="own notes") as told:
            memory.sync()
        assert told.value.hint

    @pytest.mark.parametrize("what", ["note", "folder"])
    def test_a_link_is_not_followed(self, root: Path, day: Path, tmp_path: Path, what: str) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        mine = outside / day.name
        mine.write_text("mine\n")
        day.unlink()
        if what == "note":
            day.symlink_to(mine)
        else:
            day.parent.rmdir()
            day.parent.symlink_to(outside)
        remember(root, "I live in Graz.")
        with opened(root) as memory:
            report = memory.sync().daily_note
        assert report is not None
        assert report.problem
        assert not report.changed
        assert mine.read_text() == "mine\n"


class TestTheBlockItself:
    """`update` and `without_told` on bytes."""

    HOSTILE = (
        "<!-- vaultmem:end -->",
        "--> <script>alert(1)</script>",
        "x [[other|y]] z",
        "a\nb\r\nc",
        "**Due**",
        "%% hidden",
        "```",
        "",
    )

    @pytest.mark.parametrize("statement", HOSTILE)
    def test_no_statement_ends_the_block_or_comes_twice(self, statement: str) -> None:
        told = [Told("**Learned today**", "x-i-0123456789", statement or "…")]
        once, last = update(b"# Day\n", told, Written(lines={}))
        assert once.count(b"<!-- vaultmem:end -->") == 1
        again, _ = update(once, told, last)
        assert again == once
        gone, _ = update(once, [], last)
        assert b"i-0123456789" not in gone
        assert without_told(once.decode()).strip() == "# Day"

    def test_of_many_the_rest_is_counted_and_the_count_follows(self) -> None:
        def told(count: int) -> list[Told]:
            return [Told("**Due**", f"x-i-{n:010d}", f"It is so {n}.") for n in range(count)]

        data, last = update(b"Mine.\n", told(40), Written(lines={}))
        assert b"It is so 29." in data
        assert b"It is so 30." not in data
        assert b"- \xe2\x80\xa6 and 10 more\n" in data
        assert without_told(data.decode()).split() == ["Mine."]
        data, last = update(data, told(41), last)
        assert b"and 11 more\n" in data
        assert data.count(b"more\n") == 1
        data, _ = update(data, told(30), last)
        assert b"more\n" not in data
        assert data.count(b"It is so") == 30

    def test_what_is_emptied_keeps_the_numbers_of_the_lines(self) -> None:
        told = [Told("**Due**", f"x-i-{number:010d}", "It is so.") for number in range(3)]
        data, _ = update(b"one\r\ntwo", told, Written(lines={}))
        text = data.decode() + "three\r\n"
        assert without_told(text).count("\n") == text.count("\n")
        assert without_told(text).split() == ["one", "two", "three"]

    def test_a_mark_that_is_not_closed_hides_no_words(self) -> None:
        text = "<!-- vaultmem:begin today -->\n- a [[x-i-0123456789]]\nMine.\n- mine [[page]]\n"
        assert without_told(text).split("\n") == ["", "", "Mine.", "- mine [[page]]", ""]
