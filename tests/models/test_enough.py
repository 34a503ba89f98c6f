"""`recall --tiered` asks a model whether what was found so far answers the question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.models.scripted_server import ScriptedServer, Step, hangs, refused, says, server
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Answer, Tiered

__all__ = ["server"]
CATEGORY = "boat"
FACTS = ("Mara's boat is called Petrel.", "The boat lies in Husum harbour, berth 14.")
KEPT = "The winter cover of Petrel is in the loft, wrapped in a blue sheet."
QUESTION = "Where does the boat lie?"


def recalled(vault: Path, query: str = QUESTION, *, more: str = "") -> Answer:
    if more:
        with open(vault / "vaultmem.toml", "a", encoding="utf-8") as file:
            file.write(more)
    with Memory(vault, clock=FixedClock()) as memory:
        memory.remember(KEPT, extract=False)
        return memory.recall(query, tiered=True)


def depth(answer: Answer) -> Tiered:
    assert answer.tiered is not None
    return answer.tiered


def test_a_yes_to_the_summaries_ends_the_reading(vault: Path, server: ScriptedServer) -> None:
    server.rule = lambda _: says("Yes, berth 14.")
    answer = recalled(vault, "At which mooring of Husum is Mara's Petrel to be found in winter?")
    assert depth(answer).answered_by == "summaries"
    assert len(server.asked) == 1
    assert "Husum harbour, berth 14" in server.last.user
    assert "Petrel to be found in winter?" in server.last.user
    assert [(each.tier, each.enough) for each in depth(answer).judged] == [("summaries", True)]
    assert "berth 14" in " ".join(p.text for hit in answer.hits for p in hit.passages)


def test_a_no_to_summaries_that_hold_every_word_reads_the_items(
    vault: Path, server: ScriptedServer
) -> None:
    server.steps = [says("No. There is no town."), says("yes")]
    answer = recalled(vault)
    assert depth(answer).answered_by == "items"
    assert [tier.name for tier in depth(answer).tiers] == ["categories", "summaries", "items"]
    assert FACTS[1] in [hit.note.statement for hit in answer.hits]


def test_two_times_no_reads_the_full_texts_and_the_items_stay(
    vault: Path, server: ScriptedServer
) -> None:
    server.rule = lambda _: says("no")
    answer = recalled(vault, "Where is the winter cover of Petrel?")
    assert depth(answer).answered_by == "resources"
    assert len(server.asked) == 2, "the last tier has nothing behind it: nobody is asked"
    kinds = [hit.note.type for hit in answer.hits]
    assert kinds[0] == "resource"
    assert "item" in kinds


@pytest.mark.parametrize(
    "step",
    [
        refused(404, "no such model"),
        refused(401, "no"),
        says("YESTERDAY it did."),
        says("Perhaps."),
        says(""),
        says("<think>hm"),
    ],
)
def test_a_model_that_fails_changes_nothing(
    vault: Path, server: ScriptedServer, step: Step
) -> None:
    server.rule = lambda _: step
    answer = recalled(vault)
    assert depth(answer).answered_by == "summaries"
    assert answer.hits
    (said,) = depth(answer).judged
    assert said.enough is None
    assert said.why


def test_a_model_that_is_silent_is_left_after_its_time(
    vault: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    file = tmp_path / "person.toml"
    file.write_text(server.settings().replace("timeout = 5.0", "timeout = 1.0"), encoding="utf-8")
    server.rule = lambda _: hangs
    answer = recalled(vault)
    assert depth(answer).answered_by == "summaries"
    assert len(server.asked) == 1


def test_a_no_to_everything_there_is_still_gives_it(vault: Path, server: ScriptedServer) -> None:
    server.rule = lambda _: says("no")
    answer = recalled(vault)
    assert answer.hits
    assert any("berth 14" in hit.note.statement for hit in answer.hits)


def test_the_setting_turns_it_off(vault: Path, server: ScriptedServer) -> None:
    answer = recalled(vault, more="\n[recall]\nby_model = false\n")
    assert depth(answer).answered_by == "summaries"
    assert not server.asked
    assert not depth(answer).judged


def test_no_model_may_be_asked_where_nothing_may_leave(
    vault: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    elsewhere = server.settings().replace(server.url, "https://models.example/v1")
    (tmp_path / "person.toml").write_text(elsewhere, encoding="utf-8")
    answer = recalled(vault, more="\n[privacy]\nlocal_only = true\n")
    assert depth(answer).answered_by == "summaries"
    assert "local_only" in depth(answer).judged[0].why


def test_secrets_are_not_sent(vault: Path, server: ScriptedServer) -> None:
    key = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    recalled(vault, f"Where does the boat lie {key}?")
    assert server.asked
    assert all(key not in asked.user for asked in server.asked)


def test_a_secret_is_not_sent_where_a_question_is_cut(vault: Path, server: ScriptedServer) -> None:
    server.rule = lambda _: says("yes")
    words = f"{QUESTION} {'boat ' * 1192}"
    recalled(vault, f"{words}ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")
    assert len(words) < 6_000
    assert "ghp_A1" not in server.last.user


def test_without_tiers_nobody_is_asked(vault: Path, server: ScriptedServer) -> None:
    with Memory(vault, clock=FixedClock()) as memory:
        assert memory.recall(QUESTION).hits
    assert not server.asked


def test_the_command_shows_what_the_model_said(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = lambda _: says("No." if len(server.asked) % 2 else "Yes.")
    ask = ["recall", "--vault", str(vault), "--tiered"]
    assert main([*ask, "--explain", QUESTION]) == 0
    said = capsys.readouterr().out
    assert "openai scripted-1 wants more" in said
    assert "openai scripted-1 says that is enough" in said
    assert main([*ask, "--json", QUESTION]) == 0
    plain = json.loads(capsys.readouterr().out)
    judged = [(each["tier"], each["enough"]) for each in plain["tiered"]["judged"]]
    assert judged == [("summaries", False), ("items", True)]
