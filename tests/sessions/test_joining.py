"""Two ways in which a conversation went on, as one: nothing is lost, and order is kept."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.model.talks.session_files import Exchange
from vaultmem.sessions.joining import Talk, joined, renamed_text
from vaultmem.sessions.truth import Fact
from vaultmem.sessions.turn_log import Entry, told

TIMES = st.lists(st.integers(0, 9), max_size=5)


def talk(*tails: tuple[str, Sequence[int]]) -> Talk:
    """A conversation of these turns, each with an entry of the log and a fact."""
    exchanges: list[Exchange] = []
    for who, times in tails:
        for number, at in enumerate(times):
            turn = len(exchanges) + 1
            said = f"{who} {number}"
            exchanges.append(Exchange(turn=turn, user=said, assistant="", at=at))
    return Talk(
        exchanges=tuple(exchanges),
        log=tuple(Entry(turn=each.turn, user=each.user, assistant="") for each in exchanges),
        facts=tuple(Fact(text=each.user, id=f"t{each.turn}-1") for each in exchanges),
    )


def nothing(exchange: Exchange, facts: Sequence[Fact]) -> frozenset[str]:
    return frozenset()


class TestJoined:
    """Every turn of both stands in it once, in its side's order, with what it brought."""

    @settings(max_examples=60)
    @given(TIMES, TIMES, TIMES)
    def test_no_turn_log_entry_or_fact_is_lost(
        self, before: list[int], left: list[int], right: list[int]
    ) -> None:
        base = talk(("both", before))
        sides = talk(("both", before), ("left", left)), talk(("both", before), ("right", right))
        found = joined(base, *sides, overtaken=nothing)
        assert found is not None
        turns = found.talk.exchanges
        assert [each.turn for each in turns] == list(range(1, len(turns) + 1))
        for side in sides:
            mine = {each.user for each in side.exchanges}
            assert [each.user for each in turns if each.user in mine] == [
                each.user for each in side.exchanges
            ]
        said = {each.turn: each.user for each in turns}
        assert len(said) == len(before) + len(left) + len(right)
        assert {turn: entry.user for turn, entry in told(found.talk.log).items()} == said
        assert {f"t{turn}-1": text for turn, text in said.items()} == {
            fact.id: fact.text for fact in found.talk.facts
        }

    def test_turns_that_were_taken_back_are_not_joined(self) -> None:
        base = talk(("both", [1, 2]))
        assert joined(base, talk(("both", [1])), base, overtaken=nothing) is None

    def test_the_later_turn_ends_what_the_other_side_learned_before_it(self) -> None:
        base, early = talk(("both", [1])), talk(("both", [1]), ("left", [2, 8]))
        late = talk(("both", [1]), ("right", [5]))
        heard: list[tuple[str, list[str]]] = []

        def overtaken(exchange: Exchange, facts: Sequence[Fact]) -> frozenset[str]:
            heard.append((exchange.user, [fact.text for fact in facts]))
            return frozenset(["left 0"]) if exchange.user == "right 0" else frozenset()

        found = joined(base, early, late, overtaken=overtaken)
        assert found is not None
        assert heard == [("right 0", ["left 0"]), ("left 1", ["right 0"])]
        assert [fact.text for fact in found.talk.facts] == ["both 0", "right 0", "left 1"]


def test_an_edit_names_its_versions_by_their_new_numbers() -> None:
    edit = "--- t4-1\n+++ t5-1\n@@ -1 +1 @@\n---- t4-1\n++++ t5-1\n"
    stand_in = (
        f"(the document t4-1 again, kept as t5-1: 1 lines came, 1 went)\n\n```diff\n{edit}```"
    )
    numbers = {4: 7, 5: 9}
    new = edit.replace("t4-1", "t7-1", 1).replace("t5-1", "t9-1", 1)
    assert renamed_text(edit, numbers) == new
    assert renamed_text(stand_in, numbers) == stand_in.replace(edit, new).replace(
        "document t4-1 again, kept as t5-1", "document t7-1 again, kept as t9-1"
    )
    assert renamed_text("As t4-1 says.\n--- t4-1\n+++ t5-1\n", numbers).startswith("As t4-1")
