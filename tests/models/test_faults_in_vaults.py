"""What a fault of the server leaves behind: in the vault nothing; of a turn all that was said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import files_of, item, offers
from tests.models.scripted_server import (
    KEY,
    Asked,
    ScriptedServer,
    Step,
    hangs,
    refused,
    says,
    says_json,
    server,
)
from tests.models.test_faults import FAULTS
from vaultmem.api.memory import Memory
from vaultmem.base.errors_llm import LLMError
from vaultmem.base.records import replace
from vaultmem.extract.prepare import Document
from vaultmem.sessions.summarise import DIFF_KEYS

__all__ = ["server"]

FACTS = (
    "My sister Lena is a vegetarian.",
    "My sister Lena lives in Porto.",
    "My brother Jonas plays the cello.",
)
# Nothing here depends on whether the request was sent in it, which a busy machine may delay.
SHORT_SECONDS = 0.25
SURELY_SECONDS = 60.0  # for a good reply on a busy machine


def allow(file: Path, server: ScriptedServer, seconds: float) -> None:
    """Write the person's settings: the server, and how long it may take."""
    model = server.settings().replace("timeout = 5.0", f"timeout = {seconds}")
    file.write_text(f"{model}\n[sessions]\nsummary_timeout = {seconds}\n", encoding="utf-8")


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> Path:
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    allow(file, server, SHORT_SECONDS)
    return file


@pytest.fixture
def vault(tmp_path: Path, person: Path) -> Path:
    """Three facts in one category; the deadline of the model is short."""
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        for fact in FACTS:
            memory.remember(fact, category="family")
    return root


def test_no_fault_changes_a_byte_of_the_vault_or_its_history(
    vault: Path, server: ScriptedServer
) -> None:
    before = files_of(vault)
    assert ".git/HEAD" in before
    for name, fault in FAULTS.items():
        server.rule = lambda _, step=fault.step: step
        with Memory(vault, clock=FixedClock()) as memory:
            with pytest.raises(LLMError):
                memory.learn.reflect(now=True)
            assert files_of(vault) == before, f"reflect, {name}"
            done = memory.models.summarise("family")
            assert done.commit is None, name
            assert [(each.outcome, bool(each.why)) for each in done.categories] == [("kept", True)]
            assert files_of(vault) == before, f"summarise, {name}"
            (checked,) = memory.models.check().models
            assert [each.works for each in checked.tried] == [False], name
        assert files_of(vault) == before, f"llm check, {name}"


def test_a_turn_of_each_kind_of_fault_waits_whole_and_is_made_up_for(
    vault: Path, person: Path, server: ScriptedServer
) -> None:
    kinds: dict[str, Step] = {fault.kind: fault.step for fault in FAULTS.values()}
    kinds["bad_output"] = says("Let me think.")
    with Memory(vault, clock=FixedClock()) as memory, memory.session("heron") as session:
        for number, (kind, step) in enumerate(kinds.items(), start=1):
            server.rule = lambda _, step=step: step
            report = session.turn(f"We met {kind} at the door.", f"It was {kind}.")
            assert (report.turn, report.is_summarised) == (number, False), kind
            assert report.unsummarised, kind
        shown = session.show()
        folder = vault / shown.folder
    numbers = tuple(range(1, len(kinds) + 1))
    assert shown.waiting == numbers
    assert [each.turn for each in shown.window] == list(numbers)
    for entry, exchange, kind in zip(shown.log, shown.window, kinds, strict=True):
        assert entry.unsummarised, kind
        said = f"We met {kind} at the door.", f"It was {kind}."
        assert (exchange.user, exchange.assistant) == said
        assert (entry.user, entry.assistant) == said  # they stand in for the summary
    assert all(KEY.encode() not in data for data in files_of(folder).values())

    allow(person, server, SURELY_SECONDS)
    diff = dict.fromkeys(DIFF_KEYS, ())
    told = {"user_summary": "They met it.", "assistant_summary": "It was that.", "diff": diff}
    server.rule = lambda _: says_json(told)
    with Memory(vault, clock=FixedClock()) as memory:
        session = memory.session("heron", start=False)
        assert session.summarise().summarised == len(kinds)
        assert session.show().waiting == ()


HEADS = ("<<<PAIRS", "<<<NEW", "<<<TOPIC")
KEY_AT = {place: f"My spare key hangs in the {place}." for place in ("shed", "cellar")}


def test_a_fault_of_any_later_question_keeps_the_text_and_says_what_is_missing(
    tmp_path: Path, person: Path, server: ScriptedServer
) -> None:
    settings = person.read_text(encoding="utf-8")
    person.write_text(f'extractor = "llm"\n\n{settings}', encoding="utf-8")
    root = tmp_path / "keys"
    Memory.init(root, name="keys")
    faults = {fault.kind: fault.step for fault in FAULTS.values()}
    answer: dict[str, Step] = {}
    server.rule = lambda asked: next(
        (step for head, step in answer.items() if asked.user.startswith(head)),
        offers(*_said(asked)) if asked.user.startswith("<<<TEXT") else says("Hm."),
    )
    before, last = (*FACTS, KEY_AT["shed"]), KEY_AT["cellar"]
    with Memory(root, clock=FixedClock()) as memory:
        for fact in before:
            memory.remember(fact, category="family")
        was = files_of(root / "items")
        for number, (kind, fault) in enumerate(faults.items()):
            answer = {HEADS[number % len(HEADS)]: fault}
            done = memory.remember(last, category="family")
            assert done.commit, kind
            assert [each.decision for each in done.opinions] == ["undecided"], kind
            assert done.opinions[0].why, kind
            assert done.untied, kind
            assert [(each.outcome, bool(each.why)) for each in done.summaries] == [("kept", True)]
            text = (root / "categories" / "family.md").read_text(encoding="utf-8")
            assert all(f"- {statement}" in text for statement in KEY_AT.values()), kind
            assert {each.code for each in memory.check().problems} == {"contradiction"}
            memory.undo()
            assert files_of(root / "items") == was, kind


def _said(asked: Asked) -> list[dict[str, Any]]:
    """What a model finds in one of the texts of these tests."""
    keys = [
        item(text.rstrip("."), text, subject="spare key", predicate="hangs_in", object=place)
        for place, text in KEY_AT.items()
        if text in asked.user
    ]
    return keys or [item(text.rstrip("."), text) for text in FACTS if text in asked.user]


def test_a_model_that_does_not_answer_is_asked_once_about_many_texts(
    tmp_path: Path, person: Path, server: ScriptedServer
) -> None:
    allow(person, server, SURELY_SECONDS)
    settings = person.read_text(encoding="utf-8")
    person.write_text(f'extractor = "llm"\n\n{settings}', encoding="utf-8")
    Memory.init(tmp_path / "many", name="many")
    texts = [Document(text=f"The lamp {n} stands in the hall.", category=f"c{n}") for n in range(3)]
    server.rule = lambda _: refused(401, "no")
    with Memory(tmp_path / "many", clock=FixedClock()) as memory:
        done = memory.remember_many(texts)
        assert len(server.asked) == 1
        assert all("401" in each.without and each.items for each in done)
        assert [each.summaries for each in done] == [(), (), ()]
        server.rule = lambda _: says("Hm.")  # that may be the text's fault
        more = [replace(each, text=f"{each.text} Yes.") for each in texts]
        server.asked.clear()
        memory.remember_many(more)
        assert len(server.asked) == 6


def test_a_model_that_hangs_is_asked_twice_about_many_categories(
    vault: Path, server: ScriptedServer
) -> None:
    with Memory(vault, clock=FixedClock()) as memory:
        for slug in ("work", "home"):
            for n in range(3):
                memory.remember(f"My {slug} has the number {n}.", category=slug)
        server.rule = lambda _: hangs
        done = memory.models.summarise("family", "work", "home")
        assert [each.outcome for each in done.categories] == ["kept"] * 3
        assert all("did not answer" in each.why for each in done.categories)
    assert len(server.asked) <= 2  # on a busy machine a question may not even get there
