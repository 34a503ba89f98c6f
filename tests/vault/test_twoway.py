"""Two-way editing: each case is three states and what must follow from them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from vaultmem.api.memory import Memory
from vaultmem.model.ids import Oid
from vaultmem.model.notes import Bullet, Item, Stream
from vaultmem.vault.two_way import (
    AddBullet,
    Adopt,
    Join,
    Patch,
    RemoveBullet,
    Retract,
    Reword,
    SetDone,
    SetStream,
    Untick,
    compare,
    in_question,
)

TASKS = PurePosixPath("streams/tasks.md")
A, B = "i-aaaaaaaaaa", "i-bbbbbbbbbb"


def bullet(text: str, id_: str | None = None, *, checked: bool | None = None) -> Bullet:
    return Bullet(text=text, block_id=id_, line=1, checked=checked)


def stream(*bullets: Bullet, name: str = "tasks") -> Stream:
    path = PurePosixPath(f"streams/{name}.md")
    return Stream(path=path, oid=Oid(""), title=name, body="", name=name, bullets=bullets)


def item(id_: str, statement: str, *, stream: str | None = "tasks", status: str = "active") -> Item:
    return Item(
        path=PurePosixPath(f"items/{id_}.md"),
        oid=Oid(""),
        title="",
        body=statement,
        id=id_,
        statement=statement,
        stream=stream,
        status=status,
    )


def test_a_bullet_without_an_id_is_adopted() -> None:
    new = bullet("buy milk")
    found = compare([stream()], [stream(new)], {}, touched=())
    assert found.effects == (Adopt(path=TASKS, stream="tasks", bullet=new),)


def test_an_edited_bullet_rewords_its_item() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("buy oat milk", A))],
        {A: item(A, "buy milk")},
        touched=(),
    )
    assert found.effects == (Reword(id=A, text="buy oat milk"),)


def test_an_edited_item_patches_its_bullet() -> None:
    lists = [stream(bullet("buy milk", A))]
    found = compare(lists, lists, {A: item(A, "buy oat milk")}, touched=(A,))
    assert found.effects == (Patch(path=TASKS, id=A, text="buy oat milk"),)


def test_both_edited_differently_is_a_problem_that_shows_both_and_changes_nothing() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("buy soy milk", A))],
        {A: item(A, "buy oat milk")},
        touched=(A,),
    )
    assert found.effects == ()
    [problem] = found.problems
    assert problem.code == "edited-twice"
    assert "buy soy milk" in problem.message
    assert "buy oat milk" in problem.message


def test_both_edited_alike_needs_nothing() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("buy oat milk", A))],
        {A: item(A, "buy oat milk")},
        touched=(A,),
    )
    assert found.effects == ()
    assert found.problems == ()


def test_a_deleted_bullet_retracts_its_item() -> None:
    found = compare([stream(bullet("x", A))], [stream()], {A: item(A, "x")}, touched=())
    assert found.effects == (Retract(id=A),)


def test_deleting_the_bullet_of_a_done_task_changes_nothing() -> None:
    found = compare(
        [stream(bullet("x", A, checked=True))],
        [stream()],
        {A: item(A, "x", status="expired")},
        touched=(),
    )
    assert found.effects == ()


def test_most_bullets_gone_at_once_retracts_nothing_until_confirmed() -> None:
    ids = [f"i-{n:010}" for n in range(10)]
    items = {id_: item(id_, id_) for id_ in ids}
    before = [stream(*(bullet(id_, id_) for id_ in ids))]
    found = compare(before, [stream()], items, touched=())
    assert found.effects == ()
    assert [problem.code for problem in found.problems] == ["mass-deletion"]
    confirmed = compare(before, [stream()], items, touched=(), confirm_deletions=True)
    assert confirmed.effects == tuple(Retract(id=id_) for id_ in ids)


def test_five_of_six_bullets_gone_is_not_yet_a_mass_deletion() -> None:
    ids = [f"i-{n:010}" for n in range(6)]
    items = {id_: item(id_, id_) for id_ in ids}
    before = [stream(*(bullet(id_, id_) for id_ in ids))]
    found = compare(before, [stream(bullet(ids[0], ids[0]))], items, touched=())
    assert len(found.effects) == 5


def test_a_ticked_box_ends_the_task_and_unticking_opens_it_again() -> None:
    open_, done = bullet("x", A, checked=False), bullet("x", A, checked=True)
    ended = compare([stream(open_)], [stream(done)], {A: item(A, "x")}, touched=())
    assert ended.effects == (SetDone(id=A, done=True),)
    again = compare(
        [stream(done)], [stream(open_)], {A: item(A, "x", status="expired")}, touched=()
    )
    assert again.effects == (SetDone(id=A, done=False),)


def test_unticking_the_box_of_a_task_that_another_one_replaced_opens_it_not_again() -> None:
    open_, done = bullet("x", A, checked=False), bullet("x", A, checked=True)
    replaced = item(A, "x", status="superseded")
    found = compare([stream(done)], [stream(open_)], {A: replaced}, touched=())
    assert not [effect for effect in found.effects if isinstance(effect, SetDone)]


def test_a_new_item_of_a_stream_gains_a_bullet() -> None:
    found = compare([stream()], [stream()], {A: item(A, "x")}, touched=(A,))
    assert found.effects == (AddBullet(id=A, stream="tasks"),)


def test_an_item_retracted_by_hand_loses_its_bullet() -> None:
    lists = [stream(bullet("x", A))]
    found = compare(lists, lists, {A: item(A, "x", status="retracted")}, touched=(A,))
    assert found.effects == (RemoveBullet(path=TASKS, id=A),)


def test_a_deleted_item_note_loses_its_bullet() -> None:
    lists = [stream(bullet("x", A))]
    assert compare(lists, lists, {}, touched=(A,)).effects == (RemoveBullet(path=TASKS, id=A),)


def test_words_written_into_the_bullet_of_a_deleted_note_become_its_item_anew() -> None:
    new = bullet("buy oat milk", A)
    found = compare([stream(bullet("buy milk", A))], [stream(new)], {}, touched=(A,))
    assert found.effects == (Adopt(path=TASKS, stream="tasks", bullet=new),)
    assert found.problems == ()


def test_words_written_into_the_bullet_of_an_item_ended_by_hand_go_into_its_note() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("buy oat milk", A))],
        {A: item(A, "buy milk", status="retracted")},
        touched=(A,),
    )
    assert found.effects == (Reword(id=A, text="buy oat milk"), RemoveBullet(path=TASKS, id=A))


def test_an_item_ended_and_reworded_by_hand_does_not_drop_other_words_of_its_bullet() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("buy soy milk", A))],
        {A: item(A, "buy oat milk", status="retracted")},
        touched=(A,),
    )
    assert found.effects == ()
    assert [problem.code for problem in found.problems] == ["edited-twice"]


def test_words_below_which_the_bullet_of_an_ended_item_was_pasted_stay() -> None:
    """Cut, sync, paste as a child of a new bullet: the new words are nowhere else."""
    found = compare(
        [stream()],
        [stream(bullet("pack the bag - [ ] buy milk", A))],
        {A: item(A, "buy milk", status="retracted")},
        touched=(),
    )
    assert found.effects == ()
    assert [problem.code for problem in found.problems] == ["edited-twice"]


def test_a_bullet_moved_to_another_stream_moves_its_item() -> None:
    found = compare(
        [stream(bullet("x", A)), stream(name="projects")],
        [stream(), stream(bullet("x", A), name="projects")],
        {A: item(A, "x")},
        touched=(),
    )
    assert found.effects == (SetStream(id=A, stream="projects"),)


def test_an_item_moved_by_its_note_moves_its_bullet() -> None:
    lists = [stream(bullet("x", A)), stream(name="projects")]
    found = compare(lists, lists, {A: item(A, "x", stream="projects")}, touched=(A,))
    assert found.effects == (RemoveBullet(path=TASKS, id=A), AddBullet(id=A, stream="projects"))


@pytest.mark.parametrize("stream", ["projects", ""])
def test_an_item_moved_by_its_note_is_not_retracted_by_cutting_its_old_bullet(
    memory: Memory, root: Path, stream: str
) -> None:
    memory.remember("We need to buy a bicycle. I have to call the plumber.")
    note = next(root.glob("items/**/*bicycle*.md"))
    moved = f"stream: {stream}\n" if stream else ""
    note.write_text(note.read_text("utf-8").replace("stream: tasks\n", moved), "utf-8")
    tasks = root / TASKS
    rows = tasks.read_text("utf-8").splitlines(keepends=True)
    tasks.write_text("".join(row for row in rows if "bicycle" not in row), "utf-8")
    memory.sync()
    assert "status: active" in note.read_text("utf-8")
    listed = [
        file.stem for file in root.glob("streams/*.md") if "bicycle" in file.read_text("utf-8")
    ]
    assert listed == ([stream] if stream else [])
    assert memory.check().problems == ()


def test_a_pasted_id_that_no_item_has_is_a_problem() -> None:
    found = compare([stream()], [stream(bullet("x", A))], {}, touched=())
    assert found.effects == ()
    assert [problem.code for problem in found.problems] == ["unknown-block-id"]


def test_one_id_on_two_bullets_is_a_problem_and_the_first_counts() -> None:
    base = [stream(bullet("x", A))]
    found = compare(base, [stream(bullet("x", A), bullet("y", A))], {A: item(A, "x")}, touched=())
    assert found.effects == ()
    assert [problem.code for problem in found.problems] == ["repeated-block-id"]


def test_only_what_changed_has_to_be_looked_at() -> None:
    base = [stream(bullet("x", A), bullet("y", B))]
    assert in_question(base, [stream(bullet("x", A), bullet("z", B))], touched=()) == {B}
    assert in_question(base, base, touched=[A]) == {A}


def test_spacing_alone_is_no_edit() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("buy  milk", A))],
        {A: item(A, "buy\nmilk")},
        touched=(A,),
    )
    assert found.effects == ()


def test_a_bullet_without_words_is_a_problem_and_not_an_empty_memory() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("", A))],
        {A: item(A, "buy milk")},
        touched=(),
    )
    assert found.effects == ()
    assert [problem.code for problem in found.problems] == ["empty-bullet"]


def test_the_bullet_of_an_item_that_cannot_be_read_stays() -> None:
    same = [stream(bullet("buy milk", A))]
    assert compare(same, same, {}, touched=(A,), unreadable=(A,)).effects == ()
    edited = compare(same, [stream(bullet("buy oats", A))], {}, touched=(), unreadable=(A,))
    assert edited.effects == ()
    assert [problem.code for problem in edited.problems] == ["item-unreadable"]


def flow(*bullets: Bullet) -> Stream:
    """A list that keeps the newest three bullets."""
    return stream(*bullets, name="flow")


IDS = [f"i-{number:010}" for number in range(1, 41)]


def test_many_deleted_bullets_of_a_long_list_are_believed() -> None:
    """Six of 24 are no more than a quarter; six of 23 are."""
    for length, gone in ((24, 6), (23, 0)):
        items = {id_: item(id_, id_) for id_ in IDS[:length]}
        before = [stream(*(bullet(id_, id_) for id_ in items))]
        now = [stream(*(bullet(id_, id_) for id_ in IDS[6:length]))]
        found = compare(before, now, items, touched=())
        assert found.effects == tuple(Retract(id=id_) for id_ in IDS[:gone])


def test_what_fell_off_the_end_of_a_full_flow_is_kept_and_what_was_cut_above_is_not() -> None:
    cut, stays, last, new, newer = IDS[:5]
    items = {id_: item(id_, id_, stream="flow") for id_ in IDS[:5]}
    before = [flow(*(bullet(id_, id_) for id_ in (cut, stays, last)))]
    now = [flow(*(bullet(id_, id_) for id_ in (newer, new, stays)))]
    found = compare(before, now, items, touched=(), flow_limit=3)
    assert found.effects == (Retract(id=cut),)


def test_of_a_flow_that_has_room_nothing_falls_off() -> None:
    items = {id_: item(id_, id_, stream="flow") for id_ in IDS[:3]}
    before = [flow(*(bullet(id_, id_) for id_ in IDS[:3]))]
    now = [flow(*(bullet(id_, id_) for id_ in IDS[:2]))]
    found = compare(before, now, items, touched=(), flow_limit=3)
    assert found.effects == (Retract(id=IDS[2]),)


def test_a_new_item_of_the_flow_gains_a_bullet_unless_the_list_is_full() -> None:
    listed = [bullet(id_, id_) for id_ in IDS[:3]]
    for there, effects in ((listed[:2], (AddBullet(id=A, stream="flow"),)), (listed, ())):
        found = compare(
            [flow(*there)],
            [flow(*there)],
            {A: item(A, "x", stream="flow")},
            touched=(A,),
            flow_limit=3,
        )
        assert found.effects == effects


@pytest.mark.parametrize("is_there", [True, False])
def test_a_bullet_joined_to_another_one_goes_into_it_if_that_has_an_item(is_there: bool) -> None:
    both = Bullet(text="x and y", block_id=B, line=1, joined=(A,))
    items = {A: item(A, "x"), **({B: item(B, "y")} if is_there else {})}
    found = compare([stream(bullet("x", A), bullet("y", B))], [stream(both)], items, touched=())
    assert found.effects[-1] == (Join(id=A, into=B) if is_there else Retract(id=A))


def test_of_two_edits_that_differ_in_case_alone_the_note_stands() -> None:
    found = compare(
        [stream(bullet("buy milk", A))],
        [stream(bullet("Buy Oat Milk", A))],
        {A: item(A, "buy oat milk")},
        touched=(A,),
    )
    assert found.problems == ()
    assert found.effects == (Patch(path=TASKS, id=A, text="buy oat milk"),)


def test_a_task_opened_again_in_its_note_loses_the_tick_of_its_bullet() -> None:
    lists = [stream(bullet("x", A, checked=True))]
    found = compare(lists, lists, {A: item(A, "x")}, touched=(A,))
    assert found.effects == (Untick(path=TASKS, id=A),)
