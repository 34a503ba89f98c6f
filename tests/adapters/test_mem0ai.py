"""Code written for Mem0 runs by changing one import."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vaultmem.adapters.mem0ai import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    made = Memory(tmp_path / "users")
    yield made
    made.close()


def texts(found: dict[str, list[dict[str, str]]]) -> list[str]:
    return [each["memory"] for each in found["results"]]


ADA = {"user_id": "ada"}


class TestShapes:
    def test_what_is_added_is_found_in_the_shape_of_mem0(self, memory: Memory) -> None:
        talk = [
            {"role": "user", "content": "Hi, I'm Ada. I moved to Graz."},
            {"role": "assistant", "content": "Noted."},
        ]
        meta = {"source": "chat", "tags": [[1, 2], "a  b"], "html": "<b>![x](http://e)</b>"}
        added = memory.add(talk, user_id="ada", agent_id="cook", metadata=meta)
        assert {each["event"] for each in added["results"]} == {"ADD"}
        assert "I moved to Graz." in texts(added)

        [hit] = memory.search("where do I live?", filters=ADA)["results"]
        assert set(hit) == {
            *("id", "memory", "hash", "metadata", "score", "created_at", "updated_at"),
            *("user_id", "agent_id"),
        }
        assert hit["memory"] == "I moved to Graz."
        assert 0 < hit["score"] <= 1
        assert hit["metadata"] == meta
        assert (hit["user_id"], hit["agent_id"]) == ("ada", "cook")
        assert datetime.fromisoformat(hit["created_at"]).tzinfo is not None
        assert hit["id"] in {each["id"] for each in added["results"]}

        got = memory.get(hit["id"])
        assert got == {key: value for key, value in hit.items() if key != "score"}
        assert sorted(texts(memory.get_all(filters=ADA))) == sorted(texts(added))

    def test_messages_that_are_not_to_be_inferred_are_memories_word_for_word(
        self, memory: Memory
    ) -> None:
        odd = "# One. Two?\n\n- [ ] three\n\n```js\nx\n```"
        talk = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": odd, "name": "Ada"},
            {"role": "assistant", "content": "See ![x](http://e) <script>y</script>"},
            {"role": "user", "content": odd},
        ]
        added = memory.add(talk, user_id="ada", run_id="r1", infer=False)
        assert texts(added) == [odd, talk[2]["content"], odd]
        found = memory.get_all(filters={"user_id": "ada", "run_id": "r1"})["results"]
        assert sorted((each["memory"], each["role"]) for each in found) == sorted(
            [(odd, "user"), (odd, "user"), (talk[2]["content"], "assistant")]
        )
        assert {each.get("actor_id") for each in found} == {"Ada", None}

    def test_an_update_keeps_the_id_and_the_history(self, memory: Memory) -> None:
        [one] = memory.add("I live in Graz.", user_id="ada", metadata={"n": 1})["results"]
        assert memory.update(one["id"], text="I live in Porto.") == {
            "message": "Memory updated successfully!"
        }
        memory.update(one["id"], metadata={"m": True})
        memory.update(one["id"], data="I live in Lisbon.")
        got = memory.get(one["id"])
        assert got is not None
        assert (got["memory"], got["metadata"]) == ("I live in Lisbon.", {"n": 1, "m": True})
        memory.delete(one["id"])
        assert memory.get(one["id"]) is None
        assert [
            (each["event"], each["old_memory"], each["new_memory"])
            for each in memory.history(one["id"])
        ] == [
            ("ADD", None, "I live in Graz."),
            ("UPDATE", "I live in Graz.", "I live in Porto."),
            ("UPDATE", "I live in Porto.", "I live in Lisbon."),
            ("DELETE", "I live in Lisbon.", None),
        ]

    def test_what_mem0_raises_a_value_error_for_is_one(self, memory: Memory) -> None:
        for wrong in (
            lambda: memory.add("I live in Graz."),
            lambda: memory.add("I live in Graz.", user_id="a b"),
            lambda: memory.search("x"),
            lambda: memory.get_all(filters={"source": "x"}),
            lambda: memory.delete("nobody.i-0000000000"),
            lambda: memory.update("nobody.i-0000000000", text="x"),
            lambda: memory.update("x"),
            lambda: memory.add("I live in Graz.", user_id="ada", expiration_date="soon"),
            lambda: memory.add("I live in Graz.", user_id="ada", metadata={"x": object()}),
            lambda: Memory.from_config({"vector_store": {}}),
        ):
            with pytest.raises(ValueError):
                wrong()
        assert memory.get("../../etc/passwd") is None
        assert memory.history("x") == []


class TestScopes:
    def test_nothing_of_one_user_is_found_for_another(self, memory: Memory) -> None:
        memory.add("I live in Graz.", user_id="ada", agent_id="cook")
        memory.add("I live in Porto.", user_id="Ada")
        memory.add("I live in Lisbon.", agent_id="cook")
        assert texts(memory.search("where do I live?", filters={"user_id": "Ada"})) == [
            "I live in Porto."
        ]
        assert texts(memory.get_all(filters={"agent_id": "cook"})) == ["I live in Lisbon."]
        assert texts(memory.get_all(filters={"user_id": "ada", "agent_id": "cook"})) == [
            "I live in Graz."
        ]
        assert memory.get_all(filters={"user_id": "nobody"}) == {"results": []}
        assert not memory.vaults.has("nobody")

    def test_delete_all_takes_back_a_scope_and_can_be_undone(self, memory: Memory) -> None:
        memory.add("I live in Graz.", user_id="ada", run_id="r1")
        memory.add("I prefer tea.", user_id="ada", run_id="r2")
        memory.add("I prefer cocoa.", user_id="bob")
        memory.delete_all(user_id="ada", run_id="r1")
        assert texts(memory.get_all(filters=ADA)) == ["I prefer tea."]
        memory.delete_all(user_id="ada")
        assert texts(memory.get_all(filters=ADA)) == []
        memory.vaults.of("ada").ask(lambda vault: vault.undo())
        assert texts(memory.get_all(filters=ADA)) == ["I prefer tea."]
        assert texts(memory.get_all(filters={"user_id": "bob"})) == ["I prefer cocoa."]
        memory.reset()
        assert memory.vaults.users() == ()


class TestFilters:
    def test_metadata_is_filtered_by_with_operators(self, memory: Memory) -> None:
        memory.add("I live in Graz.", user_id="ada", metadata={"n": 1, "kind": "home"})
        memory.add("I prefer tea.", user_id="ada", metadata={"n": 5, "kind": "Taste"})
        cases: tuple[tuple[dict[str, object], list[str]], ...] = (
            ({"n": 1}, ["I live in Graz."]),
            ({"n": {"gte": 1, "lt": 9}}, ["I live in Graz.", "I prefer tea."]),
            ({"n": {"ne": 1}}, ["I prefer tea."]),
            ({"kind": {"icontains": "tas"}}, ["I prefer tea."]),
            ({"kind": {"in": ["home"]}}, ["I live in Graz."]),
            ({"kind": "*"}, ["I live in Graz.", "I prefer tea."]),
            ({"other": "*"}, []),
            ({"OR": [{"n": 1}, {"kind": "Taste"}]}, ["I live in Graz.", "I prefer tea."]),
            ({"NOT": [{"n": 1}]}, ["I prefer tea."]),
            ({"AND": [{"n": 1}, {"kind": "Taste"}]}, []),
            ({"kind": {"gt": 3}}, []),
        )
        for filters, wanted in cases:
            assert sorted(texts(memory.get_all(filters=ADA | filters))) == wanted, filters
        with pytest.raises(ValueError, match="operator"):
            memory.get_all(filters=ADA | {"n": {"near": 3}})

    def test_what_has_expired_is_shown_only_when_asked_for(self, memory: Memory) -> None:
        today = datetime.now(UTC).date()
        memory.add("I prefer tea.", user_id="ada", expiration_date=today)
        memory.add("I rent a flat in Graz.", user_id="ada", expiration_date="2020-01-01")
        assert texts(memory.get_all(filters=ADA)) == ["I prefer tea."]
        assert texts(memory.search("flat Graz", filters=ADA)) == []
        shown = memory.get_all(filters=ADA, show_expired=True)["results"]
        assert {each["expiration_date"] for each in shown} == {today.isoformat(), "2020-01-01"}
        [expired] = [each for each in shown if each["expiration_date"] == "2020-01-01"]
        assert texts(memory.search("flat Graz", filters=ADA, show_expired=True)) == [
            "I rent a flat in Graz."
        ]
        memory.update(expired["id"], expiration_date=today + timedelta(days=9))
        assert len(memory.get_all(filters=ADA)["results"]) == 2

    def test_top_k_and_threshold_bound_an_answer(self, memory: Memory) -> None:
        memory.add("I live in Graz. I prefer tea. I work at a bakery.", user_id="ada")
        assert len(memory.get_all(filters=ADA, top_k=2)["results"]) == 2
        assert memory.search("Graz", filters=ADA, threshold=1.0) == {"results": []}
        assert memory.search("Graz tea bakery", filters=ADA, top_k=0) == {"results": []}


def test_every_argument_is_one_of_mem0_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    mem0 = pytest.importorskip("mem0", reason="mem0ai is not installed (python -m tests.adapters)")
    left_out = {"prompt", "memory_type", "rerank", "explain", "kwargs", "config_dict"}
    names = "add search get_all get update delete delete_all history reset from_config close"
    for name in names.split():
        theirs = inspect.signature(getattr(mem0.Memory, name)).parameters
        ours = inspect.signature(getattr(Memory, name)).parameters
        assert set(theirs) - set(ours) <= left_out, name
        assert set(ours) <= set(theirs), name
        for word, each in ours.items():
            assert each.kind == theirs[word].kind, (name, word)
            if type(each.default) is not object:
                assert each.default == theirs[word].default, (name, word)
