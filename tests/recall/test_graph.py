"""Links that are used count more than those that nobody follows (algorithms.md 7.4)."""

from __future__ import annotations

from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.model.answers import NoteRow
from vaultmem.recall.ranking.graph import ENTITY, Graph, Link

HUB, USED, UNUSED, ALSO = "hub.md", "used.md", "a-unused.md", "also.md"
NAMES = (HUB, USED, UNUSED, ALSO)
LINKS: tuple[Link, ...] = ((HUB, "related", UNUSED), (HUB, "related", USED))
DAYS = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 9))


def graph(links: tuple[Link, ...] = LINKS, uses: dict[str, int] | None = None) -> Graph:
    rows = [
        NoteRow(path=PurePosixPath(name), oid="", id=f"i-{name}", type="item", title=name)
        for name in NAMES
    ]
    return Graph(rows, links, uses=uses)


def standing(of: Graph) -> dict[str, float]:
    return of.standing(damping=0.85, tolerance=1e-9)


def test_a_used_link_carries_more_standing_than_an_unused_one() -> None:
    found = standing(graph(uses={HUB: 4, USED: 3}))
    assert found[USED] > found[UNUSED]
    same = standing(graph())
    assert same[USED] == same[UNUSED]


@given(DAYS)
def test_what_nobody_used_keeps_half_of_its_weight(uses: dict[str, int]) -> None:
    links = (*LINKS, (USED, ENTITY, "ulm"), (ALSO, ENTITY, "ulm"), (ALSO, "related", HUB))
    usual = {(one, other): weight for one, other, weight in graph(links)._walks}
    for one, other, weight in graph(links, uses)._walks:
        assert 0.5 <= weight / usual[one, other] <= 1


def test_what_was_used_is_the_first_neighbour() -> None:
    def first(uses: dict[str, int]) -> str:
        of = graph(uses=uses)
        return of.expand({HUB: 1.0}, hops=1, decay=0.5, limit=2)[1].id

    assert first({}) == UNUSED, "by path"
    assert first({USED: 1}) == USED
