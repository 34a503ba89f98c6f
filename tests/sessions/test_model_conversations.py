"""Conversations where a model reads: their turns, and what their end makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import item, offers
from tests.learn.test_model_summaries import number_of
from tests.models.scripted_server import Asked, ScriptedServer, Step, refused, says_json, server
from tests.remember.test_ties import known, tie, ties
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.sessions.summarise import DIFF_KEYS

__all__ = ["server"]

CATEGORY = "home"
FACTS = (
    "The spare key of the flat hangs in the shed.",
    "The shed is at the end of the garden.",
    "My sister Lena has a key to the flat.",
)
NEW = "The spare key of the flat hangs in the cellar."
SUMMARY = "The spare key hangs in the cellar, and my sister Lena has a key to the flat."
SLOT = {"subject": "spare key", "predicate": "hangs_in"}


@pytest.fixture
def reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> Path:
    """A vault of which a model reads what is said; it knows where the spare key hangs."""
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        before = FixedClock().now() - 90 * 86_400_000
        where = ("spare key", "hangs_in", "shed")
        memory.remember(FACTS[0], category=CATEGORY, fact=where, date=before, valid_from=before)
        for fact in FACTS[1:]:
            memory.remember(fact, category=CATEGORY)
    file.write_text(f'extractor = "llm"\n\n{server.settings()}', encoding="utf-8")
    return root


def rule(asked: Asked) -> Step:
    """A model of average wit, about the spare key."""
    match asked.user.partition(" ")[0]:
        case "<<<TEXT":
            return offers(item(NEW.rstrip("."), NEW, turn=0, **SLOT, object="cellar"))
        case "<<<PAIRS":
            return says_json({"pairs": [{"pair": 1, "decision": "supersede"}]})
        case "<<<NEW":
            return ties(tie(1, [(known(asked, "Lena has a key"), "related")], "key"))
        case "<<<TOPIC":
            numbers = [number_of(asked, "cellar"), number_of(asked, "Lena")]
            return says_json({"sentences": [{"text": SUMMARY, "statements": numbers}]})
    told = {"user_summary": "The key.", "assistant_summary": "Noted."}
    return says_json({**told, "diff": dict.fromkeys(DIFF_KEYS, ())})


def test_the_end_decides_links_and_summarises_in_its_own_commit(
    reading: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = rule
    at = ["--vault", str(reading), "session"]
    assert main([*at, "turn", "heron", "--user", NEW, "--assistant", "Noted."]) == 0
    with Memory(reading) as memory:
        before = len(memory.history.log())
    capsys.readouterr()
    assert main([*at, "end", "heron"]) == 0
    out = capsys.readouterr().out
    assert f"+ {NEW}\n" in out
    assert f"~ the model decided: '{NEW}' takes the place of '{FACTS[0]}'\n" in out
    assert "~ summary of categories/home.md: 1 sentence\n" in out
    with Memory(reading) as memory:
        assert len(memory.history.log()) == before + 1
        rows = {row.statement: row for row in memory.list(Filters(types=("item",)))}
        assert (rows[FACTS[0]].status, rows[NEW].status) == ("superseded", "active")
        outgoing = {
            one.relation: one.note.statement for one in memory.ranking.links(rows[NEW].id).outgoing
        }
        assert outgoing["related"] == FACTS[2]
        assert rows[NEW].tags == ("key",)
        assert memory.check().problems == ()
    assert SUMMARY in (reading / "categories" / "home.md").read_text(encoding="utf-8")


def test_a_model_that_fails_leaves_the_end_to_rules_and_says_so(
    reading: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = lambda _: refused(401, "no")
    at = ["--vault", str(reading), "session"]
    assert main([*at, "turn", "heron", "--user", "I like tea.", "--assistant", "Noted."]) == 0
    assert main([*at, "end", "heron"]) == 0
    out = capsys.readouterr().out
    assert "! read by rules, without the model: " in out
    assert "+ I like tea.\n" in out
    assert "no summary of turn 1: " in out


def test_without_a_model_the_setting_alone_keeps_no_turn(
    reading: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    (tmp_path / "person.toml").write_text('extractor = "llm"\n', encoding="utf-8")
    with Memory(reading, clock=FixedClock()) as memory:
        session = memory.session("heron")
        assert session.turn("I like tea.", "Noted.").is_summarised
        done = session.end()
        assert "I like tea." in [each.statement for each in done.items]
        assert "no model is set" in done.without
    assert server.asked == []


def test_who_starts_a_session_waits_for_a_silent_model_once(
    reading: Path, server: ScriptedServer
) -> None:
    clock = FixedClock()
    server.rule = rule
    with Memory(reading, clock=clock) as memory:
        for name in ("heron", "crane"):
            memory.session(name).turn(f"The {name} is by the lake.", "I see.")
        clock.advance(days=30)
        server.rule = lambda _: refused(401, "no")
        server.asked.clear()
        memory.session("finch").turn("Good morning.", "Good morning.")
        assert sum(asked.user.startswith("<<<TEXT") for asked in server.asked) == 1
        open_ = {row.session for row in memory.sessions.list()}
        assert len(open_ & {"heron", "crane"}) == 1
        memory.session("robin").turn("Good morning.", "Good morning.")  # the other one
        assert {row.session for row in memory.sessions.list()} == {"finch", "robin"}
