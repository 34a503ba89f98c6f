"""`vaultmem canvas`: a valid file, nothing over anything else, nobody's file lost, nothing acts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.safety.test_inert import acts
from tests.window.json_canvas import broken_rules, overlaps
from tests.window.planted import MARK, TEXTS
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, CannotCreateError
from vaultmem.language.text import visible
from vaultmem.window.canvas import write_canvas

TOLD = (
    "My sister Leni is allergic to hazelnuts.",
    "Leni plays the cello with Tomas in Graz.",
    "On Fridays I meet Tomas in the workshop.",
    "We decided to use PostgreSQL for the Otter project.",
    "I work as an architect at Studio Kern.",
    "I have to bring the parcel to the post office by Friday.",
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("canvas") / "notes"
    Memory.init(root)
    with Memory(root, clock=FixedClock()) as memory:
        for text in TOLD:
            memory.remember(text)
        memory.change("user", "works_at", "Atelier Blau")
    return root


@pytest.fixture
def place(vault: Path, request: pytest.FixtureRequest) -> Path:
    """A name in the vault that no other test has."""
    return vault / f"{abs(hash(request.node.name)):x}.canvas"


def drawn(vault: Path, place: Path, question: str = "", *, force: bool = False) -> dict[str, Any]:
    with Memory(vault, clock=FixedClock()) as memory:
        assert write_canvas(memory, place, question, force=force) is not None
    text = place.read_text(encoding="utf-8")
    assert broken_rules(text) == []
    assert overlaps(text) == []
    found: dict[str, Any] = json.loads(text)
    return found


def notes_in(canvas: Mapping[str, Any]) -> set[str]:
    return {node["file"] for node in canvas["nodes"] if node["type"] == "file"}


def told_lines(canvas: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    names = {
        node["id"]: node.get("file") or node.get("label") or node.get("text")
        for node in canvas["nodes"]
    }
    return {
        (names[edge["fromNode"]], edge.get("label", ""), names[edge["toNode"]])
        for edge in canvas["edges"]
    }


def stem(path: str) -> str:
    """`items/2026/03/11/tomas-repairs-bicycles-i-x.md` -> `tomas-repairs-bicycles`."""
    return Path(path).stem.rsplit("-", 2)[0]


class TestWhatIsDrawn:
    def test_an_answer_with_its_source_topic_and_what_names_the_same(
        self, vault: Path, place: Path
    ) -> None:
        canvas = drawn(vault, place, "what is Leni allergic to")
        groups = {node["label"] for node in canvas["nodes"] if node["type"] == "group"}
        assert {"Comes from", "Answers", "Topics"} <= groups
        assert all((vault / path).is_file() for path in notes_in(canvas))
        lines = {(stem(start), told, end) for start, told, end in told_lines(canvas)}
        nuts = "my-sister-leni-is-allergic-to-hazelnuts"
        assert (nuts, "topic", "categories/health.md") in lines
        assert {told for start, told, end in lines if start == nuts and stem(end) == nuts} == {
            "comes from"
        }

    def test_a_note_by_its_id_with_what_it_replaced_and_what_names_the_same(
        self, vault: Path, place: Path
    ) -> None:
        with Memory(vault, clock=FixedClock()) as memory:
            rows = memory.list(limit=None)
            ids = {row.statement: row.id for row in rows if row.type == "item"}
        canvas = drawn(vault, place, ids["I work as an architect at Atelier Blau."])
        assert {(stem(start), told, stem(end)) for start, told, end in told_lines(canvas)} >= {
            (
                "i-work-as-an-architect-at-studio-kern",
                "replaced by",
                "i-work-as-an-architect-at-atelier-blau",
            )
        }
        cello = ids["Leni plays the cello with Tomas in Graz."]
        canvas = drawn(vault, place, cello)
        alike = {(told, stem(end)) for _, told, end in told_lines(canvas)}
        assert ("leni", "my-sister-leni-is-allergic-to-hazelnuts") in alike
        assert ("tomas", "on-fridays-i-meet-tomas-in-the-workshop") in alike

    def test_what_took_the_place_of_a_note_stands_before_and_after_it_too(
        self, vault: Path, place: Path
    ) -> None:
        with Memory(vault, clock=FixedClock()) as memory:
            rows = memory.list(limit=None)
        [old] = [row for row in rows if "Studio Kern" in row.statement and row.type == "item"]
        canvas = drawn(vault, place, old.id)
        [frame] = [node for node in canvas["nodes"] if node.get("label") == "Before and after"]
        [new] = [node for node in canvas["nodes"] if "atelier-blau" in node.get("file", "")]
        assert frame["y"] < new["y"] < frame["y"] + frame["height"]
        assert frame["x"] < new["x"] < frame["x"] + frame["width"]

    def test_a_talk_of_several_days_has_one_card(self, tmp_path: Path) -> None:
        root = tmp_path / "talk"
        Memory.init(root)
        turns = [
            {"role": "user", "content": f"I made bowl {month} in pottery class.", "time": at}
            for month in range(1, 7)
            if (at := f"2025-{month:02}-03T10:00:00Z")
        ]
        with Memory(root) as memory:
            memory.remember(turns, extract=False)
        canvas = drawn(root, root / "x.canvas", "which bowl did I make in pottery class")
        assert len(notes_in(canvas)) == 1
        assert "1 answer, 0 notes around" in canvas["nodes"][0]["text"]

    def test_of_more_answers_than_have_room_the_rest_is_counted(self, tmp_path: Path) -> None:
        root = tmp_path / "answers"
        Memory.init(root)
        (root / "items").mkdir()
        for number in range(30):
            (root / "items" / f"reed-{number}.md").write_text(
                f"---\nentities: [Tomas]\n---\n\nTomas owns oboe reed {number}.\n"
            )
        settings = root / "vaultmem.toml"
        settings.write_text(settings.read_text() + "\nrecall.k = 14\n")
        canvas = drawn(root, root / "x.canvas", "which oboe reed does Tomas own")
        assert "14 answers" in canvas["nodes"][0]["text"]
        assert any(node.get("text") == "… and 2 more" for node in canvas["nodes"])

    def test_without_a_question_people_projects_and_topics(self, vault: Path, place: Path) -> None:
        canvas = drawn(vault, place)
        groups = {node["label"] for node in canvas["nodes"] if node["type"] == "group"}
        assert {"Leni", "Tomas", "You", "Topics"} <= groups
        assert "categories/health.md" in notes_in(canvas)
        assert not any("studio-kern" in path for path in notes_in(canvas)), "it is over"
        assert ("Leni", "", "categories/health.md") in told_lines(canvas)

    def test_elsewhere_the_cards_have_the_words(self, vault: Path, tmp_path: Path) -> None:
        canvas = drawn(vault, tmp_path / "out.canvas", "what is Leni allergic to")
        assert notes_in(canvas) == set()
        texts = [node.get("text", "") for node in canvas["nodes"]]
        assert any(text.startswith("My sister Leni is allergic to hazelnuts.") for text in texts)

    def test_in_a_folder_above_that_obsidian_opened_paths_begin_there(self, tmp_path: Path) -> None:
        root = tmp_path / "all" / "deep" / "memory"
        Memory.init(root)
        (tmp_path / "all" / ".obsidian").mkdir()
        with Memory(root) as memory:
            memory.remember("Tomas repairs bicycles.")
        canvas = drawn(root, tmp_path / "all" / "x.canvas", "who repairs bicycles")
        assert notes_in(canvas)
        assert all((tmp_path / "all" / path).is_file() for path in notes_in(canvas))

    def test_the_same_memory_gives_the_same_bytes(self, vault: Path, tmp_path: Path) -> None:
        one, two = tmp_path / "one.canvas", tmp_path / "two.canvas"
        for question in ("", "Leni"):
            drawn(vault, one, question, force=True)
            drawn(vault, two, question, force=True)
            assert one.read_bytes() == two.read_bytes()

    def test_where_nothing_is_known_no_file_is_made(self, tmp_path: Path) -> None:
        root = tmp_path / "empty"
        Memory.init(root)
        with Memory(root) as memory:
            for question in ("", "quantum chromodynamics"):
                assert write_canvas(memory, root / "x.canvas", question) is None
        assert not (root / "x.canvas").exists()

    def test_of_many_the_rest_is_counted_on_the_canvas(self, tmp_path: Path) -> None:
        root = tmp_path / "many"
        Memory.init(root)
        (root / "items").mkdir()
        for number in range(40):
            (root / "items" / f"bicycle-{number}.md").write_text(
                f"---\nsubject: Tomas\npredicate: likes\nobject: bicycle {number}\n---\n\n"
                f"Tomas likes bicycle {number}.\n"
            )
            (root / "items" / f"tea-{number}.md").write_text(f"Tea number {number} is good.\n")
        drawn(root, root / "x.canvas")
        canvas = json.loads((root / "x.canvas").read_text())
        counted = [node for node in canvas["nodes"] if node.get("text") == "… and 35 more"]
        assert len(counted) == 2, "of Tomas, and of what names nobody"


class TestOverFiles:
    def test_one_that_nobody_changed_is_drawn_anew(self, vault: Path, place: Path) -> None:
        drawn(vault, place, "Leni")
        drawn(vault, place, "Tomas")
        # Obsidian writes the same things in its own way, with keys of its own.
        again = json.loads(place.read_text())
        again["nodes"] = [{**node, "styleAttributes": {}} for node in again["nodes"]]
        again["edges"].reverse()
        place.write_text(json.dumps(again))
        drawn(vault, place, "Leni")

    @pytest.mark.parametrize("what", ["moved", "coloured", "written on", "added to", "cut"])
    def test_one_that_a_person_changed_stays(self, vault: Path, place: Path, what: str) -> None:
        canvas = drawn(vault, place, "Leni")
        node = canvas["nodes"][-1]
        if what == "moved":
            node["x"] += 10
        elif what == "coloured":
            node["color"] = "3"
        elif what == "written on":
            canvas["nodes"][0]["text"] += "!"
        elif what == "added to":
            canvas["nodes"].append({**node, "id": "mine", "y": node["y"] + 1000})
        else:
            canvas["edges"].pop()
        place.write_text(json.dumps(canvas))
        before = place.read_bytes()
        with Memory(vault) as memory, pytest.raises(CannotCreateError, match="was changed") as told:
            write_canvas(memory, place, "Tomas")
        assert "--force" in told.value.hint
        assert place.read_bytes() == before
        drawn(vault, place, "Tomas", force=True)

    @pytest.mark.parametrize(
        "data", [b"", b"{}", b"not json", b'{"nodes": [], "edges": []}', b"[" * 10_000, b"[1]"]
    )
    def test_one_of_somebody_else_stays(self, vault: Path, place: Path, data: bytes) -> None:
        place.write_bytes(data)
        with Memory(vault) as memory, pytest.raises(CannotCreateError, match="exists"):
            write_canvas(memory, place, "Leni")
        assert place.read_bytes() == data
        drawn(vault, place, "Leni", force=True)

    def test_a_link_is_not_followed(self, vault: Path, place: Path, tmp_path: Path) -> None:
        mine = tmp_path / "mine.canvas"
        drawn(vault, mine, "Leni")
        before = mine.read_bytes()
        place.symlink_to(mine)
        with Memory(vault) as memory, pytest.raises(CannotCreateError, match="exists"):
            write_canvas(memory, place, "Tomas")
        assert mine.read_bytes() == before

    @pytest.mark.parametrize(
        "name",
        [
            "x.md",
            "x",
            "-",
            "items/x.canvas",
            "Streams/x.canvas",
            ".git/x.canvas",
            ".vaultmem/x.canvas",
            ".obsidian/x.canvas",
        ],
    )
    def test_places_that_are_none_are_refused_with_a_hint(self, vault: Path, name: str) -> None:
        (vault / ".obsidian").mkdir(exist_ok=True)
        (vault / "Streams").mkdir(exist_ok=True)
        with Memory(vault) as memory, pytest.raises(BadInputError) as told:
            write_canvas(memory, vault / name, "Leni", force=True)
        assert told.value.hint

    def test_in_the_vault_it_is_a_file_of_the_person(self, vault: Path, place: Path) -> None:
        with Memory(vault, clock=FixedClock()) as memory:
            memory.sync()
            words = len(memory.search("cello").hits)
            drawn(vault, place, "Leni")
            memory.sync()
            assert len(memory.search("cello").hits) == words, "no words of it are found"
            assert memory.check(deep=True).problems == ()


class TestOfStrangers:
    @pytest.mark.parametrize("inside", [True, False])
    def test_nothing_of_them_acts_or_hides(self, tmp_path: Path, inside: bool) -> None:
        root = tmp_path / "<b>notes"
        Memory.init(root, name="<img src=x>")
        folder = root / "items" / "2026" / "01" / "02"
        folder.mkdir(parents=True)
        for number, text in enumerate(TEXTS):
            said = json.dumps(f"{MARK} {number} {text}", ensure_ascii=False)
            (folder / f"planted-{number}-i-{number:010d}.md").write_text(
                f"---\nid: i-{number:010d}\nkind: fact\nstatus: active\ntitle: {said}\n"
                f"subject: {json.dumps(text[:300], ensure_ascii=False)}\npredicate: likes\n"
                f"object: {said}\nwriter: web\ntrust: untrusted\n"
                f"category: [{said}]\n---\n\n{MARK} {number} {text}\n",
                encoding="utf-8",
            )
        place = (root if inside else tmp_path) / "x.canvas"
        for question in ("", MARK, "![[x]]<script>alert(1)</script>", "i-0000000003"):
            with Memory(root, clock=FixedClock()) as memory:
                write_canvas(memory, place, question, force=True)
            if not place.exists():
                continue
            text = place.read_text(encoding="utf-8")
            assert broken_rules(text) == []
            assert overlaps(text) == []
            canvas = json.loads(text)
            for node in canvas["nodes"]:
                words = node.get("text") or node.get("label") or ""
                assert acts(words, on_disk=True) == [], words
                assert visible(words) == words
                assert len(words) < 1_000
                assert not str(node.get("file", "")).startswith("items/"), "it would be shown"
            assert all(len(edge.get("label", "")) < 400 for edge in canvas["edges"])
            place.unlink()
