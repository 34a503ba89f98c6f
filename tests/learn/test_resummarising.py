"""Long lists of a category are told shorter above it: old lines only, in their own words."""

from __future__ import annotations

import random

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.learn.overviews import FEWEST, Listed, digest, is_ours
from vaultmem.storage.notes.summary_block import read_links, read_told, replace_told

FOODS = (
    *("rye bread", "green tea", "cast iron pans", "fresh thyme", "oat milk", "plain rice"),
    *("sour apples", "dark chocolate", "red lentils", "lemon cake"),
)
FOOD = "categories/food.md"


@pytest.fixture
def cook(memory: Memory, clock: FixedClock) -> Memory:
    for food in FOODS:
        memory.remember(f"Elise likes {food}.", category="food")
    return memory


def told(memory: Memory) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return read_told((memory.root / FOOD).read_bytes())


def test_a_list_is_told_shorter_when_it_is_older_than_thirty_days(
    cook: Memory, clock: FixedClock, git: Git
) -> None:
    clock.advance(days=29.9)
    assert cook.maintain.run("weekly").summaries == ()
    clock.advance(days=1)
    cook.remember("Elise likes fig jam.", category="food")
    before, tree = (cook.root / FOOD).read_bytes(), git("rev-parse", "HEAD^{tree}")
    planned = cook.maintain.run("weekly", dry_run=True)
    assert (cook.root / FOOD).read_bytes() == before
    [made] = cook.maintain.run("weekly").summaries
    assert planned.summaries == (made,)
    [(text, targets)] = told(cook)
    assert len(targets) == 2
    assert all(f"Elise likes {food}" in text for food in text.split("Elise likes ")[1:])
    assert "fig jam" not in text
    lines = read_links((cook.root / FOOD).read_bytes())
    assert set(targets) <= set(lines)
    assert len(lines) == len(FOODS) + 1, "the list keeps all, the new one too"
    assert cook.maintain.run("weekly").commits == ()
    cook.undo()
    assert git("rev-parse", "HEAD^{tree}") == tree


def test_what_no_age_touches_is_in_no_digest(memory: Memory, clock: FixedClock) -> None:
    """Vector MW-002: 'weekly: summarise age > 30 d; pinned never'."""
    pinned = set(FOODS[:2])
    for food in FOODS:
        clock.advance(days=-1)  # the first ones are the newest, which a digest tells first
        memory.remember(f"Elise likes {food}.", category="food", pinned=food in pinned)
    clock.advance(days=31 + len(FOODS))
    memory.maintain.run("weekly")
    assert told(memory)
    assert not any(food in str(told(memory)) for food in pinned)


def test_pinned_lines_do_not_make_a_list_long(memory: Memory, clock: FixedClock) -> None:
    for place, food in enumerate(FOODS[:FEWEST]):
        memory.remember(f"Elise likes {food}.", category="food", pinned=place == 0)
    clock.advance(days=31)
    assert memory.maintain.run("weekly").summaries == ()


def test_a_sentence_goes_with_a_statement_of_it_and_the_next_week_tells_anew(
    cook: Memory, clock: FixedClock
) -> None:
    clock.advance(days=31)
    cook.maintain.run("weekly")
    [(_, targets)] = told(cook)
    cook.forget(targets[0])
    assert told(cook) == ()
    cook.maintain.run("weekly")
    assert targets[0] not in str(told(cook))
    assert told(cook)


def test_what_a_model_wrote_is_never_replaced(cook: Memory, clock: FixedClock) -> None:
    file = cook.root / FOOD
    [first, second, *_] = read_links(file.read_bytes())
    file.write_bytes(replace_told(file.read_bytes(), [("Elise eats well.", (first, second))]))
    cook.sync()
    clock.advance(days=31)
    assert cook.maintain.run("weekly").summaries == ()
    assert [text for text, _ in told(cook)] == ["Elise eats well."]


def test_a_sentence_of_lines_for_which_the_list_has_no_room_any_more_is_told_anew(
    cook: Memory, clock: FixedClock
) -> None:
    clock.advance(days=31)
    cook.maintain.run("weekly")
    before = told(cook)
    assert before
    file = cook.root / "vaultmem.toml"
    file.write_text(file.read_text("utf-8") + "\n[limits]\nsummary_items = 10\n", "utf-8")
    with Memory(cook.root, clock=clock) as short:
        for number in range(10):
            short.remember(f"Tom likes the jam number {'abcdefghij'[number]}.", category="food")
        assert not set(read_links((cook.root / FOOD).read_bytes())) & set(before[0][1])
        clock.advance(days=31)
        assert short.maintain.run("weekly").summaries
    assert told(cook) != before


def lines_of(count: int, chance: random.Random) -> list[Listed]:
    return [
        Listed(
            target=f"note-{number}",
            statement=f"Statement {number} " + "word " * chance.randrange(60) + "ends.",
            subject=chance.choice(("", "ada", "tom")),
            importance=chance.randrange(1, 11),
            since=chance.randrange(9),
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_sentences_are_statements_of_the_list_and_few_whatever_its_order(seed: int) -> None:
    chance = random.Random(seed)
    old = lines_of(chance.randrange(120), chance)
    made = digest(old)
    statements = {line.target: line.statement for line in old}
    assert is_ours(made, statements)
    assert bool(made) == (len(old) >= FEWEST)
    targets = [target for _, of in made for target in of]
    assert len(targets) == len(set(targets)) <= len(old) // 4
    assert digest(chance.sample(old, len(old))) == made
    data = replace_told(b"# Food\n", made)
    assert read_told(data) == tuple((" ".join(text.split()), of) for text, of in made)
