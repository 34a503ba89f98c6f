"""Counts that a model's server returned make the counter 'provider'."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

from tests.models.scripted_server import MODEL, Asked, ScriptedServer, Step, says, server
from vaultmem import Memory
from vaultmem.__main__ import main
from vaultmem.context import tokens
from vaultmem.context.pack import A_MESSAGE
from vaultmem.context.tokens import CalibratedCounter, estimate_tokens
from vaultmem.models.dialects import AnthropicMessages
from vaultmem.server.shapes import CHAT

__all__ = ["server"]


def counts(memory: Memory, factor: float, *, times: int = 3) -> None:
    """Tell what a server that counts so much of the estimate says of contexts."""
    for budget in range(600, 600 + times):
        pack = memory.context("Heron", budget=budget)
        size = sum(estimate_tokens(each.content) + A_MESSAGE for each in pack.messages)
        memory.models.keep_count(pack, round(size * factor), model="heron-1")


@pytest.fixture
def full(memory: Memory) -> Memory:
    told = "\n\n".join(f"Project Heron uses tool number {number}." for number in range(60))
    assert len(memory.remember(told, stream="projects").items) == 60
    return memory


class TestTheCounter:
    def test_no_prompt_that_was_counted_takes_more_than_it_says(self) -> None:
        rng = random.Random(4)
        words = ("tea", "Reykjavik", "über", "1234", "茶", "x_y", "\n", "and")
        for _ in range(200):
            texts = [" ".join(rng.choices(words, k=rng.randint(80, 300))) for _ in range(5)]
            pairs = [
                (estimate_tokens(t), round(estimate_tokens(t) * rng.uniform(0.5, 3.9)))
                for t in texts
            ]
            made = CalibratedCounter("m", pairs)
            for text, (_, counted) in zip(texts, pairs, strict=True):
                assert made.count([text])[0] >= counted

    @pytest.mark.parametrize(("counted", "factor"), [(1, 0.5), (10**8, 4.0), (85, 0.85)])
    def test_whatever_a_server_says_it_stays_within_reason(
        self, counted: int, factor: float
    ) -> None:
        assert CalibratedCounter("m", [(100, counted)]).factor == factor


class TestAContext:
    def test_holds_more_where_the_server_counts_less_and_names_the_counter(
        self, full: Memory
    ) -> None:
        counts(full, 0.72)
        plain = full.context("Heron", budget=500)
        pack = full.context("Heron", budget=500, counter="provider")
        assert pack.counter == "provider, heron-1: 0.75 of the estimate"
        assert len(pack.lines) > len(plain.lines)
        assert pack.tokens <= 500
        assert 0.72 * estimate_tokens(pack.text) <= 500

    def test_is_within_the_budget_of_a_server_that_counts_more(self, full: Memory) -> None:
        counts(full, 1.6)
        pack = full.context("Heron", budget=500, counter="provider")
        assert 1.6 * estimate_tokens(pack.text) <= 500

    def test_until_three_are_known_it_is_the_estimate_and_says_so(self, full: Memory) -> None:
        pack = full.context("Heron", budget=500, counter="provider")
        assert pack.counter == "estimate (no model has counted 3 prompts yet)"
        counts(full, 0.5, times=2)
        pack = full.context("Heron", budget=500, counter="provider")
        assert pack.counter == "estimate ('heron-1' has counted 2 of 3 prompts)"
        assert pack.text == full.context("Heron", budget=500).text

    def test_a_reply_more_does_not_change_what_a_provider_keeps(self, full: Memory) -> None:
        counts(full, 0.72)
        before = full.context("Heron", budget=500, counter="provider").text
        counts(full, 0.74)
        assert full.context("Heron", budget=500, counter="provider").text == before

    @pytest.mark.parametrize("text", ["", "[]", '{"heron-1": [[1]]}', '{"heron-1": 3}', "\udcff"])
    def test_a_spoilt_file_is_no_count(self, full: Memory, text: str) -> None:
        file = full.opened.state / tokens.FILE
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        pack = full.context("Heron", counter="provider")
        assert pack.counter == "estimate (no model has counted 3 prompts yet)"
        counts(full, 1.0)
        assert full.context("Heron", counter="provider").counter.startswith("provider, heron-1")


def test_a_chat_notes_what_the_server_counted_for_each_prompt(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "person.toml"
    config.write_text(server.settings(), encoding="utf-8")
    monkeypatch.setenv("VAULTMEM_CONFIG", str(config))
    root = Memory.init(tmp_path / "notes", name="notes").root
    told: list[int] = []

    def answers(asked: Asked) -> Step:
        if not asked.is_streamed:
            said = json.loads(asked.user)["turn"]["person"]
            return says(json.dumps({"user_summary": said, "assistant_summary": "ok", "diff": {}}))
        size = sum(estimate_tokens(each["content"]) + A_MESSAGE for each in asked.body["messages"])
        told.append(size)
        return says("I see.", usage=(round(0.8 * size), 3))

    server.rule = answers
    said = "The canteen of the school in Ulm echoes, and what the children shout nobody can tell. "
    lines = "".join(f"{said * 5} It is number {number}.\n" for number in range(4))
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert main(["chat", "one", "--vault", str(root)]) == 0
    with Memory(root) as memory:
        kept = json.loads((memory.opened.state / tokens.FILE).read_text("utf-8"))
        assert kept == {MODEL: [[size, round(0.8 * size)] for size in told]}
        pack = memory.context("canteen", counter="provider")
    assert pack.counter == f"provider, {MODEL}: 0.85 of the estimate"


class TestARequestOfAnother:
    def test_only_texts_are_counted(self) -> None:
        plain = [{"role": "user", "content": "tea"}, {"role": "assistant", "content": "yes"}]
        assert CHAT.texts({"messages": plain}) == ("tea", "yes")
        picture = {"role": "user", "content": [{"type": "image_url", "image_url": {}}]}
        assert CHAT.texts({"messages": [*plain, picture]}) == ()
        assert CHAT.texts({"messages": plain, "tools": [{}]}) == ()

    def test_of_anthropic_what_the_server_had_kept_is_a_part_of_the_prompt(self) -> None:
        usage = {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 9}
        content = [{"type": "text", "text": "yes"}]
        dialect = AnthropicMessages("localhost", "")
        reply, _ = dialect.reply({"content": content, "usage": usage, "stop_reason": "end_turn"})
        assert (reply.tokens_in, reply.tokens_out) == (43, 9)
        piece = dialect.piece({"message": {"usage": {**usage, "cache_creation_input_tokens": 2}}})
        assert piece.tokens_in == 45

    def test_what_a_server_counts_is_heard_and_nothing_else(self) -> None:
        heard = CHAT.new_reply()
        heard.take('{"choices": [], "usage": {"prompt_tokens": 77}}')
        heard.take('{"choices": [], "usage": {"prompt_tokens": "many"}}')
        heard.take('{"choices": [], "usage": null}')
        assert heard.tokens_in == 77
