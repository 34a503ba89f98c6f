"""Answers on a terminal: colours, links and width; and nothing of the kind anywhere else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cli.terminal import plain, run_on_terminal
from vaultmem.api.memory import Memory
from vaultmem.cli.note_lines import line_of, piece_of
from vaultmem.cli.output import has_colours
from vaultmem.cli.palette import COLOURS, Screen, paint
from vaultmem.language import char_columns, columns, visible, wrap_spans
from vaultmem.safety import defang_output

WIDE = "東京の郊外にある小さな家で、母は毎朝お茶を飲んで新聞を読みます。" * 4
EMOJI = "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🇦🇹🇦🇹🇦🇹 " * 12
HOSTILE = (
    "\x1b]8;;http://planted.example\x1b\\click\x1b]8;;\x1b\\",
    "\x1b[2J\x1b[31mred",
    "\x9b31mred",
    "\x07bell\x08\x08",
    "\u202egnp.exe\u202c",
    "\x1b]0;title\x07",
    "\x1bP$q\x1b\\",
)
OURS = (
    r"\x1b\[(?:0|1|1;38;5;\d+|38;5;\d+)m"
    r"|\x1b\]8;id=\d+;file://[^\x1b]*\x1b\\|\x1b\]8;;\x1b\\"
)
_ONCE = "; the extra 'embeddings' finds notes in other words (`vaultmem help embeddings`)"
WORDS = ["recall", "status", "timeline", "list", "log", "search", "diff", "history"]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("on-a-terminal") / "tête à tête; 東京"
    Memory.init(root, name="garden")
    with Memory(root) as memory:
        memory.remember("I prefer tea over coffee, since coffee keeps me awake until three.")
        memory.remember("I work at Alder Freight.", date="2026-01-14")
        memory.remember(f"Tea: {WIDE}")
        memory.remember(f"My tea pictures are {EMOJI}")
        folder = root / "items" / "2026" / "01" / "02"
        folder.mkdir(parents=True)
        for number, text in enumerate(("x" * 10_000, *HOSTILE)):
            said = "".join(f"\\x{ord(c):02x}" if ord(c) < 256 else c for c in text)
            (folder / f"planted-i-{number:010d}.md").write_text(
                f"---\nid: i-{number:010d}\ntype: item\nkind: fact\nstatus: active\n"
                f'title: "tea {said}"\nsubject: "tea {number}"\npredicate: says\n'
                f'object: "{said[:400]}"\nvalid_from: 2026-01-02\nquote: "{said}"\n'
                f'writer: "{said[:200]}"\ntrust: untrusted\n---\n\ntea {number} {text}\n'
            )
        memory.sync()
    return root


def arguments(command: str) -> list[str]:
    """A command line that has something to say."""
    more = {
        "recall": ["tea"],
        "search": ["tea"],
        "diff": ["2020-01-01", "now"],
        "history": ["i-0000000000"],
    }
    return [command, *more.get(command, [])]


class TestOnATerminal:
    """Colours, links, and no line wider than the terminal."""

    @pytest.mark.parametrize("width", [40, 80, 120])
    @pytest.mark.parametrize("command", WORDS)
    def test_no_line_is_wider_than_the_terminal_and_no_code_is_of_a_note(
        self, vault: Path, command: str, width: int
    ) -> None:
        shown = run_on_terminal(vault, arguments(command), width=width)
        text = plain(shown)
        assert len(text.splitlines()) > 2
        assert [row for row in text.split("\n") if sum(map(char_columns, row)) > width] == []
        assert "\x1b[" in shown
        assert visible(text) == text
        assert "\x1b" not in re.sub(OURS, "", shown)
        assert "planted.example" not in "".join(re.findall(r"\x1b\]8;[^\x1b]*", shown))

    @pytest.mark.parametrize("width", [40, 80])
    @pytest.mark.parametrize("command", ["recall", "status", "search", "list", "log"])
    def test_every_word_of_the_plain_answer_is_there(
        self, vault: Path, command: str, width: int
    ) -> None:
        piped = run_piped(vault, arguments(command))
        shown = lasting(plain(run_on_terminal(vault, arguments(command), width=width)))
        assert without_blanks(shown) == without_blanks(piped)

    def test_a_hit_leads_to_its_file(self, vault: Path) -> None:
        shown = run_on_terminal(vault, ["recall", "where do I work"])
        address = re.findall(r"\x1b\]8;id=\d+;(file://[^\x1b]*)\x1b\\", shown)[0]
        parts = urlsplit(address)
        assert parts.netloc in (os.uname().nodename, "")
        assert Path(unquote(parts.path)).read_text().count("Alder Freight")

    @pytest.mark.parametrize("term", ["linux", "vt220"])
    def test_a_terminal_without_links_gets_none(self, vault: Path, term: str) -> None:
        shown = run_on_terminal(vault, ["recall", "tea"], environment={"TERM": term})
        assert "\x1b]8" not in shown
        assert "38;5" not in shown
        assert "\x1b[1m" in shown

    def test_the_timeline_tells_at_40_columns_from_when_to_when(self, vault: Path) -> None:
        shown = plain(run_on_terminal(vault, ["timeline", "user"], width=40))
        assert "Alder Freight" in shown
        assert "2026-01-14" in shown


class TestElsewhere:
    """NO_COLOR, a dumb terminal, a pipe, a program: the very same bytes."""

    @pytest.mark.parametrize("command", ["recall", "status", "timeline", "help"])
    @pytest.mark.parametrize(
        "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"CLICOLOR": "0"}, {"TERM": ""}]
    )
    def test_who_wants_no_colour_gets_what_a_pipe_gets(
        self, vault: Path, command: str, environment: Mapping[str, str]
    ) -> None:
        words = ["help", "time"] if command == "help" else arguments(command)
        shown = run_on_terminal(vault, words, environment=environment)
        assert lasting(shown) == run_piped(vault, words)

    @pytest.mark.parametrize("command", ["recall", "status", "timeline"])
    def test_json_has_no_colour_on_a_terminal(self, vault: Path, command: str) -> None:
        words = [*arguments(command), "--json"]
        for environment in ({}, {"FORCE_COLOR": "1"}):
            shown = run_on_terminal(vault, words, environment=environment)
            assert lasting(shown) == run_piped(vault, words)

    @pytest.mark.parametrize("name", ["FORCE_COLOR", "CLICOLOR_FORCE"])
    def test_who_asks_for_colour_has_it_in_a_pipe_and_on_the_same_lines(
        self, vault: Path, name: str
    ) -> None:
        forced = run_piped(vault, ["recall", "tea"], environment={name: "1"})
        assert "\x1b[38;5;" in forced
        assert "\x1b]8" not in forced  # a pipe opens no links
        assert plain(forced) == run_piped(vault, ["recall", "tea"])

    @pytest.mark.parametrize(
        "environment",
        [
            {"FORCE_COLOR": "1", "NO_COLOR": "1"},
            {"FORCE_COLOR": "0"},
            {"CLICOLOR_FORCE": "0"},
            {"FORCE_COLOR": ""},
        ],
    )
    def test_zero_asks_for_none_and_no_colour_wins(
        self, vault: Path, environment: Mapping[str, str]
    ) -> None:
        assert "\x1b" not in run_piped(vault, ["recall", "tea"], environment=environment)

    def test_no_colour_of_no_value_is_not_said(
        self, monkeypatch: pytest.MonkeyPatch, vault: Path
    ) -> None:
        monkeypatch.setenv("NO_COLOR", "")
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert has_colours()
        monkeypatch.setenv("NO_COLOR", "0")  # whatever its value, no-color.org
        assert not has_colours()

    def test_a_question_in_a_pipe_loads_no_palette(self, vault: Path) -> None:
        code = (
            "import sys; from vaultmem.__main__ import main; "
            "main(['--vault', sys.argv[1], 'recall', 'tea']); print(*sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(vault)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            env=bare(),
        )
        loaded = set(done.stdout.splitlines()[-1].split())
        assert (
            sorted({"vaultmem.cli.palette", "vaultmem.language.terminal_width", "rich"} & loaded)
            == []
        )


def test_every_colour_is_readable_on_white_and_on_black() -> None:
    for look, number in COLOURS.items():
        light = luminance(number)
        assert 1.05 / (light + 0.05) >= 4.3, look
        assert (light + 0.05) / 0.05 >= 4.4, look


SCREENS = st.builds(
    Screen, width=st.integers(12, 120), has_256=st.booleans(), has_links=st.booleans()
)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from(
        [
            " ",
            "\x1b",
            "\u200d",
            "\ufe0f",
            "👩",
            "🇦",
            "🏽",
            "東",
            "、",
            "é",
            "/",
            "<",
            "[",
            "]",
            "(",
            "!",
        ]
    ),
    max_size=200,
)


@given(st.lists(TEXTS, min_size=1, max_size=5), SCREENS, st.integers(0, 60))
@example(["![](", "javascript:x)"], Screen(width=40, has_256=True, has_links=True), 4)
def test_a_painted_line_is_the_plain_one_in_rows(texts: list[str], on: Screen, hang: int) -> None:
    texts = [" ".join(text.split()) for text in texts]
    line = line_of(*(piece_of(text, "title") if n % 2 else text for n, text in enumerate(texts)))
    line.hang = hang
    clean = visible(defang_output(line))
    shown = plain(paint([line], clean=lambda t: visible(defang_output(t)), root=None, on=on))
    assert shown.endswith("\n")
    assert without_blanks(shown) == without_blanks(clean)
    assert all(sum(map(char_columns, row)) <= on.width for row in shown.split("\n"))


@given(TEXTS, st.integers(8, 60), st.integers(0, 20))
def test_no_letter_is_torn_from_its_accents(text: str, width: int, hang: int) -> None:
    text = " ".join(visible(text).split())
    spans = wrap_spans(text, width, hang=hang)
    assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")
    for start, _ in spans[1:]:
        assert char_columns(text[start]) > 0 or char_columns(text[start - 1]) == 0


def test_widths_are_those_of_terminals() -> None:
    assert columns("東京") == 4
    assert columns("ก็ได้") == 3  # Thai vowels have the combining class 0
    assert columns("नमस्ते") == 4 or columns("नमस्ते") == 5
    assert columns("👩‍👩‍👧‍👦") == 2
    assert columns("👍🏽") == 2
    assert columns("❤️") == 2
    assert columns("🇦🇹") == 2
    assert columns("각") == 2  # Hangul of single letters
    assert columns("e\u0301") == 1


def test_words_hold_together_and_no_row_begins_with_a_stop() -> None:
    def rows(text: str, width: int) -> list[str]:
        return [text[a:b] for a, b in wrap_spans(text, width)]

    assert rows("one two three", 8) == ["one two", "three"]
    assert rows("あいう、えお", 6) == ["あい", "う、え", "お"]
    assert rows("see /home/somebody/notes/tea.md", 16) == ["see", "/home/somebody/", "notes/tea.md"]
    assert rows("🇦🇹🇩🇪🇫🇷", 5) == ["🇦🇹🇩🇪", "🇫🇷"]


def without_blanks(text: str) -> str:
    return "".join(text.split())


def bare() -> dict[str, str]:
    """The environment without what speaks of terminals."""
    names = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORTERM")
    return {name: value for name, value in os.environ.items() if name not in names}


def run_piped(
    vault: Path, words: list[str], *, environment: Mapping[str, str] | None = None
) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(vault), *words],
        capture_output=True,
        check=True,
        timeout=120,
        env={**bare(), **(environment or {})},
        stdin=subprocess.DEVNULL,
    )
    return lasting(done.stdout.decode())


def lasting(shown: str) -> str:
    """Without what differs from one run to the next: the size of the index, the time of day."""
    shown = re.sub(r"[\d.]+\s[KM]B,\s+last\s+changed\s+[\d\s:-]+|\"index_bytes\": \d+", "", shown)
    shown = shown.replace(f"off{_ONCE}", "off").replace(f'"off{_ONCE}"', '"off"')
    return re.sub(r"\d\d:\d\d:\d\d(?:\.\d+)?", "", shown)


def luminance(number: int) -> float:
    """Relative luminance (WCAG 2.2) of a colour of the 256, which no theme changes from 16 on."""
    levels = (0, 95, 135, 175, 215, 255)
    place = number - 16
    if number < 232:
        rgb = [levels[place // 36], levels[place // 6 % 6], levels[place % 6]]
    else:
        rgb = [8 + 10 * (number - 232)] * 3
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
