"""How a context is drawn: in the terminal, and as a picture."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, DiskError
from vaultmem.cli.context import (
    ASCII,
    BLOCKS,
    MissingPlotterError,
    context_lines,
    draw,
    shades_for,
)
from vaultmem.context import flow_picture
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Pack

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def pack(memory: Memory) -> Pack:
    kettles = (f"The {n}. kettle <b>&</b> the lamp stand in room {n}." for n in range(12))
    memory.remember_many(Document(text=text) for text in kettles)
    memory.remember("I prefer tea.", pinned=True, hard=True)
    return memory.context("which <kettle> & lamp stand in a room", budget=300)


@pytest.mark.parametrize("width", [30, 60, 80, 200])
def test_no_line_of_the_drawing_is_wider_than_the_terminal(pack: Pack, width: int) -> None:
    lines = list(context_lines(pack, width=width, shades=BLOCKS))
    bars = [line for line in lines if set(line) & set(BLOCKS.used + BLOCKS.over)]
    assert all(len(line) <= width for line in bars)
    assert bool(bars) == (width >= 80)
    assert f"{pack.tokens} of 300 tokens" in lines[0]


def test_the_used_part_of_a_bar_is_as_long_as_its_share(pack: Pack) -> None:
    lines = list(context_lines(pack, width=120, shades=ASCII))
    found = next(each for each in pack.portions if each.name == "flow")  # by streams, as divided
    line = next(line for line in lines if line.startswith("flow"))
    used, whole = line.count("#"), line.count("#") + line.count(".") + line.count("-")
    assert used / whole == pytest.approx(found.used / found.content, abs=0.05)


def test_ascii_where_there_are_no_blocks() -> None:
    assert shades_for("ascii") == ASCII
    assert shades_for("no-such-encoding") == ASCII
    assert shades_for("utf-8") == BLOCKS


def test_the_picture_is_whole_and_says_what_went_where(pack: Pack, tmp_path: Path) -> None:
    file = tmp_path / "flow.svg"
    draw(pack, file)
    root = ET.fromstring(file.read_text("utf-8"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "which <kettle> & lamp stand in a room" in texts
    left = sum(each.left_out for each in pack.portions)
    assert any(text and text.endswith(f" tokens, {left} memories") for text in texts)
    assert f"{pack.tokens:,} tokens, {len(pack.lines)} memories" in texts
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for bar in root.iter(f"{SVG}rect"):
        x, y = float(bar.get("x", 0)), float(bar.get("y", 0))
        assert 0 <= x + float(bar.attrib["width"]) <= width
        assert 0 <= y + float(bar.attrib["height"]) <= height


def test_what_flows_in_is_what_comes_out(pack: Pack) -> None:
    root = ET.fromstring(flow_picture(pack))
    bars = [bar for bar in root.iter(f"{SVG}rect") if bar.get("width") == "14"]
    columns: dict[str, float] = {}
    for bar in bars:
        columns[bar.attrib["x"]] = columns.get(bar.attrib["x"], 0) + float(bar.attrib["height"])
    left, right = columns.values()
    assert left == pytest.approx(right, abs=1)


def test_no_label_meets_another_one(pack: Pack, memory: Memory) -> None:
    for each in (pack, memory.context(budget=150), memory.context("kettle", budget=2_000)):
        root = ET.fromstring(flow_picture(each))
        names = [text for text in root.iter(f"{SVG}text") if text.get("font-weight") == "600"]
        for x in {text.get("x") for text in names}:
            places = sorted(float(text.attrib["y"]) for text in names if text.get("x") == x)
            assert all(b - a >= 40 for a, b in pairwise(places))


def test_in_the_dark_every_word_and_the_page_are_other_colours(pack: Pack) -> None:
    drawn = flow_picture(pack)
    style = ET.fromstring(drawn).findtext(f"{SVG}style", "")
    assert style.startswith("@media (prefers-color-scheme: dark)")
    for element in ET.fromstring(drawn).iter():
        if element.get("fill") in ("#ffffff", "#20242b", "#69707c", "#e8eaee", "#b9bec6"):
            assert f".{element.get('class')}{{fill:" in style, element.attrib


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("tea \x1b[31m and \x00 more", r"tea \x1b[31m and \x00 more"),
        ("茶" * 60, f"{'茶' * 34}…"),
        ("tea " * 40, f"{'tea ' * 17}t…"),
    ],
)
def test_no_question_breaks_the_picture_or_leaves_it(
    memory: Memory, question: str, title: str
) -> None:
    root = ET.fromstring(flow_picture(memory.context(question)))
    assert title in [text.text for text in root.iter(f"{SVG}text")]


def test_an_empty_context_can_be_drawn(memory: Memory) -> None:
    assert ET.fromstring(flow_picture(memory.context())).tag == f"{SVG}svg"


def test_other_files_are_refused(
    pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInputError):
        draw(pack, tmp_path / "flow.gif")
    with pytest.raises(DiskError):
        draw(pack, tmp_path / "none" / "flow.svg")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingPlotterError, match="PNG"):
        draw(pack, tmp_path / "flow.png")


def test_a_png_with_the_extra(pack: Pack, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    draw(pack, tmp_path / "flow.png")
    assert (tmp_path / "flow.png").read_bytes().startswith(b"\x89PNG")
