"""What a merge makes of each kind of change, by example."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from vaultmem.language.text import ERASED_PASSAGE
from vaultmem.model.ids import resource_id
from vaultmem.storage.files.layout import conflict_of
from vaultmem.storage.merging import Merged, merge_note
from vaultmem.storage.notes.frontmatter import read

EARLY = 1_773_135_000_000  # 2026-03-10 09:30 UTC
LATE = 1_773_230_400_000  # 2026-03-11 12:00 UTC
ITEM = PurePosixPath("items/2026/03/08/tea.md")
STREAM = PurePosixPath("streams/tasks.md")
BOX = "> [!conflict] Another device had this instead. Keep what is right, then delete this box.\n"


def merge(base: str | None, early: str, late: str, path: PurePosixPath = ITEM) -> str:
    """The merged text; the notices are looked at by `merged`."""
    content = merged(base, early, late, path).content
    assert content is not None
    return content.decode()


def merged(base: str | None, early: str, late: str, path: PurePosixPath = ITEM) -> Merged:
    data = None if base is None else base.encode()
    return merge_note(path, data, early.encode(), late.encode(), ours_at=EARLY, theirs_at=LATE)


def front(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "", "I like tea.", ""])


@pytest.mark.parametrize(
    ("before", "early", "late", "after"),
    [
        ("status: active", "status: retracted", "status: superseded", "status: retracted"),
        ("status: expired", "status: active", "status: expired", "status: active"),
        ("trust: user", "trust: untrusted", "trust: limited", "trust: untrusted"),
        ("importance: 3", "importance: 8", "importance: 5", "importance: 8"),
        ("hard: no", "hard: true", "hard: off", "hard: true"),
        ("a: 1", "a: 1 # why", "a: 1", "a: 1 # why"),
    ],
)
def test_keys_with_a_rule_ask_nobody(before: str, early: str, late: str, after: str) -> None:
    done = merged(front(before), front(early), front(late))
    assert done.content == front(after).encode()
    assert not any(notice.is_question for notice in done.notices)


def test_confidence_follows_its_date() -> None:
    base = front("confidence: 0.5", "confidence_at: 2026-03-01")
    newer = front("confidence: 0.2", "confidence_at: 2026-03-09")
    older = front("confidence: 0.9", "confidence_at: 2026-03-08")
    assert merge(base, newer, older) == newer


def test_an_end_seen_on_both_devices_is_the_earlier_one() -> None:
    base = front("status: active")
    first = front("valid_until: 2026-03-10", "status: expired")
    second = front("valid_until: 2026-03-11", "status: expired")
    assert merge(base, first, second) == first


def test_lists_merge_as_sets_and_deletions_count() -> None:
    base = front("tags: [a, b, c]")
    assert merge(base, front("tags: [b, c]"), front("tags: [a, b, c, d]")) == front(
        "tags: [b, c, d]"
    )
    base = front("entities:", "  - Leni", "  # hers", "  - Idris")
    early = front("entities:", "  - Leni", "  # hers", "  - Idris", "  - Graz")
    late = front("entities:", "  # hers", "  - Idris")
    assert merge(base, early, late) == front("entities:", "  # hers", "  - Idris", "  - Graz")


def test_a_clash_of_a_key_keeps_the_later_value_and_shows_the_other() -> None:
    base, early, late = front("object: tea"), front("object: mate"), front("object: coffee")
    done = merged(base, early, late)
    assert done.content is not None
    assert done.content.decode() == late + (
        "\n> [!conflict] Front matter: another device had this instead. "
        "Keep what is right, then delete this box.\n"
        "> > [!quote] 2026-03-10 09:30 UTC\n> > object: mate\n"
    )
    assert [notice.code for notice in done.notices] == ["conflict-field"]


def test_comments_order_and_unknown_keys_stay() -> None:
    base = front("# mine", "zebra: { a: 1 }", "status: active", "", "mood: 'good'")
    early = base.replace("'good'", "'bad' # rain")
    late = base.replace("active", "archived")
    assert merge(base, early, late) == base.replace("'good'", "'bad' # rain").replace(
        "active", "archived"
    )


def test_a_bullet_ticked_here_and_reworded_there_is_both() -> None:
    base = "## Open\n\n- [ ] Call Oma. ^i-b1173wnazc\n- [ ] Buy tea. ^i-dcscwm3ngx\n"
    early = base.replace("[ ] Call", "[x] Call")
    late = base.replace("Call Oma", "Call Oma Traudl")
    assert merge(base, early, late, STREAM) == base.replace("[ ] Call Oma", "[x] Call Oma Traudl")


def test_a_bullet_moved_here_and_edited_there_is_both() -> None:
    one, two = "- [ ] A. ^i-b1173wnazc\n", "- [ ] B. ^i-dcscwm3ngx\n"
    done = "- [x] C. ^i-jxpa5s9ma5\n"
    base = f"## Open\n\n{one}{two}\n## Done\n\n{done}"
    early = f"## Open\n\n{two}\n## Done\n\n{one}{done}"
    late = base.replace("A.", "A and a.")
    assert merge(base, early, late, STREAM) == early.replace("A.", "A and a.")


def test_new_bullets_of_both_stand_newest_first() -> None:
    base = "## Me\n\n- One. ^i-b1173wnazc\n"
    early = base.replace("- One", "- Early. ^i-dcscwm3ngx\n- One")
    late = base.replace("- One", "- Late. ^i-jxpa5s9ma5\n- One")
    assert merge(base, early, late, STREAM) == base.replace(
        "- One", "- Late. ^i-jxpa5s9ma5\n- Early. ^i-dcscwm3ngx\n- One"
    )


def test_a_bullet_reworded_twice_keeps_both() -> None:
    base = "## Me\n\n- I swim. ^i-b1173wnazc\n- Two. ^i-dcscwm3ngx\n"
    done = merge(base, base.replace("swim", "run"), base.replace("swim", "row"), STREAM)
    assert done == (
        "## Me\n\n- I row. ^i-b1173wnazc\n"
        f"{BOX}> > [!quote] 2026-03-10 09:30 UTC\n> > - I run. ^i-b1173wnazc\n"
        "- Two. ^i-dcscwm3ngx\n"
    )


def test_a_bullet_deleted_here_and_edited_there_stays() -> None:
    base = "## Me\n\n- I swim. ^i-b1173wnazc\n- Two. ^i-dcscwm3ngx\n"
    gone = base.replace("- I swim. ^i-b1173wnazc\n", "")
    done = merged(base, gone, base.replace("swim", "row"), STREAM)
    assert done.content == base.replace("swim", "row").encode()
    assert [notice.code for notice in done.notices] == ["conflict-deleted"]


def test_managed_lines_go_by_their_link() -> None:
    path = PurePosixPath("categories/tea.md")
    base = (
        "# Tea\n\nMine.\n\n<!-- vaultmem:begin summary -->\n"
        "- A. [[a-i-b1173wnazc]]\n- B. [[b-i-dcscwm3ngx]]\n<!-- vaultmem:end -->\n\nBelow.\n"
    )
    early = base.replace("- A.", "- E. [[e-i-jxpa5s9ma5]]\n- A.").replace("Mine", "Ours")
    late = base.replace("- B. [[b-i-dcscwm3ngx]]\n", "").replace(
        "- A.", "- L. [[l-i-9fqfp01b3k]]\n- A."
    )
    assert merge(base, early, late, path) == base.replace("Mine", "Ours").replace(
        "- B. [[b-i-dcscwm3ngx]]\n", ""
    ).replace("- A.", "- L. [[l-i-9fqfp01b3k]]\n- E. [[e-i-jxpa5s9ma5]]\n- A.")


def test_list_lines_that_follow_an_item_ask_nothing() -> None:
    block = "<!-- vaultmem:begin summary -->\n- I {} [[run]]\n<!-- vaultmem:end -->\n"
    for text, follows in (("- I {} ^i-m3c0g6pmf9\n", "^i-m3c0g6pmf9"), (block, "[[run")):
        base, early, late = (text.format(word).encode() for word in ("run", "swim", "row"))
        for sides in ((early, late, EARLY, LATE), (late, early, LATE, EARLY)):
            done = merge_note(
                STREAM, base, *sides[:2], ours_at=sides[2], theirs_at=sides[3], follows=[follows]
            )
            assert done == Merged(content=late)
        assert len(merged(base.decode(), early.decode(), late.decode(), STREAM).notices) == 1


def test_code_that_clashes_stays_whole() -> None:
    base = "I like tea.\n\n```py\na = 1\n\nb = 1\n```\n\nEnd.\n"
    done = merge(base, base.replace("a = 1", "a = 2"), base.replace("a = 1", "a = 3"))
    assert done == (
        "I like tea.\n\n```py\na = 3\n\nb = 1\n```\n\n"
        f"{BOX}> > [!quote] 2026-03-10 09:30 UTC\n"
        "> > ```py\n> > a = 2\n> >\n> > b = 1\n> > ```\n\nEnd.\n"
    )


def test_a_box_that_was_resolved_on_one_device_goes() -> None:
    clash = merge("I swim.\n", "I run.\n", "I row.\n")
    assert BOX in clash
    assert merge(clash, clash, "I run.\n") == "I run.\n"
    assert merge(clash, "I run.\n", clash.replace("row", "rowed")).count("[!conflict]") <= 1


def test_line_ends_and_byte_order_mark_of_the_note_stay() -> None:
    base = "\ufeff---\r\na: 1\r\n---\r\n\r\nOne.\r\n\r\nTwo.\r\n"
    early = base.replace("One", "Uno")
    late = base.replace("Two", "Due").replace("a: 1", "a: 2")
    assert merge(base, early, late) == late.replace("One", "Uno")
    in_lf = base.replace("\r\n", "\n")  # one device changed the line ends, the other a word
    assert merge(base, early, in_lf) == in_lf.replace("One", "Uno")


def test_a_changed_note_outlives_its_deletion() -> None:
    done = merge_note(ITEM, b"a\n", b"b\n", None, ours_at=EARLY, theirs_at=LATE)
    assert done.content == b"b\n"
    assert [notice.code for notice in done.notices] == ["conflict-deleted"]
    assert merge_note(ITEM, b"a\n", b"a\n", None, ours_at=1, theirs_at=2).content is None
    assert merge_note(ITEM, b"a\n", None, None, ours_at=1, theirs_at=2).content is None


def test_two_notes_at_one_path_are_both_kept() -> None:
    one, other = front("id: i-b1173wnazc"), front("id: i-dcscwm3ngx")
    done = merged(None, one, other)
    assert done.content == other.encode()
    assert [copy.content for copy in done.copies] == [one.encode()]
    assert conflict_of(f"tea{done.copies[0].suffix}.md") is None  # an item, not a version


def test_the_original_of_a_resource_stays() -> None:
    id_ = resource_id("As it was said.\n")
    base = f"---\nid: {id_}\n---\n\nAs it was said.\n"
    late = base.replace("said", "meant")
    path = PurePosixPath("resources/2026/03/r.md")
    early = base.replace("---\n\n", "title: Said\n---\n\n")
    done = merged(base, early, late, path)
    assert done.content == early.encode()
    assert [copy.content for copy in done.copies] == [late.encode()]


def test_bytes_that_are_no_text_are_both_kept() -> None:
    done = merge_note(ITEM, b"\x00\x01", b"\x00\x02\xff", b"\x00\x03\xff", ours_at=1, theirs_at=2)
    assert done.content == b"\x00\x03\xff"
    assert [copy.content for copy in done.copies] == [b"\x00\x02\xff"]


def test_front_matter_that_cannot_be_read_gives_way_to_one_that_can() -> None:
    base, bad = front("a: 1"), front("a: 1: 2", "b: [")
    done = merged(base, front("a: 2"), bad)
    assert done.content == front("a: 2").encode()
    assert [copy.content for copy in done.copies] == [bad.encode()]


def test_the_page_shows_a_box_as_it_is_written() -> None:
    page = (Path(__file__).parents[3] / "vaultmem/docs/merging.md").read_text()
    base = "## Me\n\n- I swim on Tuesdays.\n"
    done = merge(base, base.replace("swim", "run"), base.replace("swim", "row"), STREAM)
    assert done.removeprefix("## Me\n\n") in page


def test_a_box_is_reported_until_it_is_gone() -> None:
    clash = merge("I swim.\n", "I run.\n", "I row.\n")
    assert [(p.code, p.line) for p in read(clash.encode(), ITEM).problems] == [("conflict-box", 3)]
    with_keys = merge(front("a: 1"), front("a: 2"), front("a: 3"))
    assert [p.code for p in read(with_keys.encode(), ITEM).problems] == ["conflict-box"]
    assert read(b"I row.\n", ITEM).problems == ()


def test_a_key_deleted_on_one_device_is_gone_where_the_other_left_it_alone() -> None:
    base = front("status: active", "mood: good", "tags: [a]")
    early = front("status: active", "tags: [a]")
    late = front("status: archived", "mood: good", "tags: [a]")
    done = merged(base, early, late)
    assert done.content == front("status: archived", "tags: [a]").encode()
    assert done.notices == ()


def test_a_list_deleted_on_one_device_keeps_what_the_other_added_to_it() -> None:
    base = front("status: active", "tags: [a, b]")
    gone = front("status: active")
    done = merged(base, gone, front("status: active", "tags: [a, b, c]"))
    assert done.content == front("status: active", "tags: [c]").encode()
    assert merge(base, gone, front("status: active", "tags: [b]")) == gone


def test_a_key_deleted_on_one_device_and_emptied_on_the_other_is_gone() -> None:
    base, gone = front("status: active", "mood: good"), front("status: active")
    done = merged(base, gone, front("status: active", "mood:"))
    assert (done.content, done.notices) == (gone.encode(), ())


def test_a_key_deleted_on_one_device_and_changed_on_the_other_stays_and_asks() -> None:
    base, gone = front("status: active", "mood: good"), front("status: active")
    done = merged(base, gone, front("status: active", "mood: bad"))
    assert done.content == front("status: active", "mood: bad").encode()
    assert [notice.code for notice in done.notices] == ["conflict-deleted"]


def test_an_end_that_only_one_device_has_seen_is_asked_about() -> None:
    planned = front("valid_until: 2026-03-10", "status: active")
    ended = front("valid_until: 2026-03-11", "status: expired")
    done = merged(front("status: active"), planned, ended)
    assert [notice.code for notice in done.notices] == ["conflict-field"]
    assert "valid_until: 2026-03-10" in (done.content or b"").decode()


def test_of_two_changes_of_one_moment_both_devices_make_the_same() -> None:
    base, one, other = (front(f"object: {word}").encode() for word in ("tea", "mate", "coffee"))
    here = merge_note(ITEM, base, one, other, ours_at=LATE, theirs_at=LATE)
    assert here == merge_note(ITEM, base, other, one, ours_at=LATE, theirs_at=LATE)


def test_what_was_erased_in_a_resource_does_not_come_back_beside_it() -> None:
    text = "The door code is 4711.\n"
    path = PurePosixPath(f"resources/code-{resource_id(text)}.md")
    original = f"---\nid: {resource_id(text)}\n---\n\n{text}"
    erased = original.replace(text, f"{ERASED_PASSAGE}.\n")
    done = merged(original, erased, original.replace("4711", "4712"), path)
    assert done == Merged(content=erased.encode())


def test_lines_that_fit_together_and_make_no_front_matter_are_not_put_together() -> None:
    base = "---\n{a: 1,\n b: 2,\n c: 3}\n---\n\nI like tea.\n"
    early = base.replace(" b: 2", " d: 4,\n b: 2")
    late = base.replace(" c: 3", " d: 5,\n c: 3")
    done = merged(base, early, late)
    assert done.content == late.encode()
    assert [copy.content for copy in done.copies] == [early.encode()]


def test_a_clash_that_is_shown_already_is_not_asked_about_again() -> None:
    base = "---\nmood: calm\n---\n\nI swim.\n"
    early = "---\nmood: good\n---\n\nI run.\n"
    shown = merge(base, early, "---\nmood: bad\n---\n\nI row.\n")
    for again in (merged(base, early, shown), merged(base, shown, early)):
        assert [notice.code for notice in again.notices] == []
        assert again.content == shown.encode()


def test_a_box_that_nobody_resolved_stays() -> None:
    base = merge("I swim.\n\nI ski.\n", "I run.\n\nI ski.\n", "I row.\n\nI ski.\n")
    assert "[!conflict]" in base
    early, late = base.replace("I ski", "I sled"), base + "\nI hike.\n"
    assert merge(base, early, late) == early + "\nI hike.\n"


def test_a_line_that_was_copied_with_its_block_id_is_kept_in_every_copy() -> None:
    one, two = "- Buy tea. ^i-b1173wnazc\n", "- Call Oma. ^i-dcscwm3ngx\n"
    base = f"## Open\n\n{one}{two}"
    early = f"## Open\n\n- Buy mate. ^i-b1173wnazc\n{one}{two}"
    late = base.replace("Call Oma", "Call Opa")
    done = merged(base, early, late, STREAM)
    assert (done.content, done.notices) == (early.replace("Oma", "Opa").encode(), ())
    reworded = merged(base, early, base.replace("Buy tea", "Buy green tea"), STREAM)
    assert reworded.content == early.replace("Buy tea", "Buy green tea").encode()
    assert reworded.notices == ()


def test_changes_that_would_come_out_otherwise_when_merged_again_are_kept_side_by_side() -> None:
    base, doubled, emptied = "- Tea.\n", "- Tea.\n- Tea.\n", "\n"
    done = merged(base, doubled, emptied)
    assert done.content == emptied.encode()
    assert [copy.content for copy in done.copies] == [doubled.encode()]
    assert [notice.code for notice in done.notices] == ["conflict-copy"]


def test_an_end_that_the_earlier_side_has_seen_alone_is_asked_about_too() -> None:
    ended = front("valid_until: 2026-03-11", "status: expired")
    planned = front("valid_until: 2026-03-10", "status: active")
    done = merged(front("status: active"), ended, planned)
    assert [notice.code for notice in done.notices] == ["conflict-field"]
    assert "valid_until: 2026-03-11" in (done.content or b"").decode()


@pytest.mark.parametrize("dates", [(), ("confidence_at: 2026-03-09",)])
def test_of_two_confidences_of_one_day_the_larger_stands(dates: tuple[str, ...]) -> None:
    base = front("confidence: 0.5", "confidence_at: 2026-03-01") if dates else front()
    more, less = (front(f"confidence: {number}", *dates) for number in ("0.9", "0.2"))
    for early, late in ((more, less), (less, more)):
        done = merged(base, early, late)
        assert done.content == more.encode()
        assert [notice.code for notice in done.notices] == ["merged-by-rule"]


def test_a_box_that_came_on_one_device_keeps_what_the_other_deleted() -> None:
    base = "I swim.\n\nI like tea.\n"
    boxed = f"I swim.\n\n{BOX}> > [!quote] 2026-03-09 08:00 UTC\n> > I row.\n\nI like tea.\n"
    done = merge(base, "I like tea.\n", boxed)
    assert "I swim." in done
    assert "I row." in done


def test_a_line_that_follows_an_item_and_is_deleted_here_and_changed_there_asks_nothing() -> None:
    mark = "^i-m3c0g6pmf9"
    base, late, early = (
        text.encode()
        for text in (f"- I run {mark}\n- Tea.\n", f"- I row {mark}\n- Tea.\n", "- Tea.\n")
    )
    asked = merge_note(STREAM, base, early, late, ours_at=EARLY, theirs_at=LATE)
    assert [notice.code for notice in asked.notices] == ["conflict-deleted"]
    quiet = merge_note(STREAM, base, early, late, ours_at=EARLY, theirs_at=LATE, follows=[mark])
    assert quiet == Merged(content=late)


HEAD = "| who | what |\n| --- | --- |\n"
ADA, BO, CY = "| Ada | tea |\n", "| Bo | mate |\n", "| Cy | cocoa |\n"


@pytest.mark.parametrize(
    ("early", "late", "after"),
    [
        (BO, CY, BO + CY),  # each added a row at one place: both stay
        (BO, BO + CY, BO + CY),  # one of them added the other's row, too: once
        (BO + CY, CY, BO + CY),
    ],
)
def test_rows_that_both_add_to_a_table_stay_once_each(early: str, late: str, after: str) -> None:
    def table(added: str) -> str:
        return HEAD + ADA + added

    done = merged(table(""), table(early), table(late))
    assert (done.content, done.notices) == (table(after).encode(), ())


def test_a_row_that_both_changed_alike_is_no_clash() -> None:
    rest = "| Di | water |\n"
    base = HEAD + ADA + rest + BO + rest + CY
    early = base.replace("mate", "juice").replace("tea", "milk")
    late = base.replace("mate", "juice").replace("cocoa", "soup")
    done = merged(base, early, late)
    assert (done.content, done.notices) == (early.replace("cocoa", "soup").encode(), ())


def test_of_blank_lines_that_both_changed_the_more_stay() -> None:
    base, early, late = ("A.\n" + "\n" * lines + "B.\n" for lines in (1, 2, 3))
    assert merge(base, early, late) == late
    assert merge(base, late, early) == late


def test_a_name_that_one_device_gave_a_line_stays_when_the_other_reworded_it() -> None:
    base, named = "- Buy tea.\n- Swim.\n", "- Buy tea. ^i-b1173wnazc\n- Swim.\n"
    reworded = base.replace("tea", "green tea")
    wanted = named.replace("tea", "green tea")
    assert merge(base, named, reworded, STREAM) == wanted
    assert merge(base, reworded, named, STREAM) == wanted


def test_words_below_front_matter_that_lost_its_line_end_begin_on_a_line_of_their_own() -> None:
    done = merged("---\na: 1\n---\n", "---\na: 1\n---", "---\na: 1\n---\nI like tea.\n")
    assert done.content == b"---\na: 1\n---\nI like tea.\n"
    assert done.copies == ()


def test_line_ends_that_one_device_changed_are_those_of_the_merge() -> None:
    base = front("a: 1")
    windows = base.replace("\n", "\r\n")
    words = base.replace("tea", "coffee")
    assert merge(base, windows, words) == words.replace("\n", "\r\n")
    assert merge(base, words, windows) == words.replace("\n", "\r\n")


def test_another_end_of_what_had_ended_before_is_asked_about() -> None:
    base = front("valid_until: 2026-03-12", "status: expired")
    first = front("valid_until: 2026-03-10", "status: expired")
    second = front("valid_until: 2026-03-11", "status: expired")
    done = merged(base, first, second)
    assert any(notice.is_question for notice in done.notices)
    assert done.content is not None
    assert read(done.content, ITEM).values["valid_until"] == "2026-03-11"


@pytest.mark.parametrize("early", ["a: x", "a: 'x'"])
def test_one_value_in_two_spellings_is_written_in_the_same_one_by_both_devices(early: str) -> None:
    late = {"a: x": "a: 'x'", "a: 'x'": "a: x"}[early]
    assert merge(front("a: y"), front(early), front(late)) == front("a: x")


@pytest.mark.parametrize(("early", "late"), [("a: 2", "a:"), ("a:", "a: 2")])
def test_a_value_outlives_that_the_other_device_emptied_its_key(early: str, late: str) -> None:
    done = merged(front("a: 1"), front(early), front(late))
    assert done.content == front("a: 2").encode()
    assert not any(notice.is_question for notice in done.notices)


@pytest.mark.parametrize("is_late", [False, True])
def test_a_comment_within_a_list_stays_where_the_other_device_added_to_it(is_late: bool) -> None:
    base = front("entities:", "  - Leni", "  - Graz")
    noted = front("entities:", "  - Leni", "  # hers", "  - Graz")
    longer = front("entities:", "  - Leni", "  - Graz", "  - Idris")
    done = merged(base, *((longer, noted) if is_late else (noted, longer)))
    assert done.content is not None
    assert done.content.decode() == front(
        "entities:", "  - Leni", "  # hers", "  - Graz", "  - Idris"
    )
    assert done.copies == ()


def test_a_comment_that_both_devices_reworded_is_kept_in_both_wordings() -> None:
    done = merge(front("# one", "a: 1"), front("# two", "a: 1"), front("# three", "a: 1"))
    assert "# two\n" in done
    assert "# three\n" in done


def test_a_row_below_a_head_that_the_other_device_changed_is_asked_about() -> None:
    table = "| day | cups |\n| --- | --- |\n| Mon | 2 |\n"
    early, late = f"{table}| Tue | 3 |\n", table.replace("cups", "pots")
    done = merged(f"{table}", early, late, PurePosixPath("resources/cups.md"))
    assert any(notice.is_question for notice in done.notices)


@pytest.mark.parametrize(("early", "late"), [(5, 3), (3, 5)])
def test_of_two_counts_of_what_a_full_list_leaves_out_the_larger_stands(
    early: int, late: int
) -> None:
    def listed(*rows: str) -> str:
        marks = "<!-- vaultmem:begin summary -->", "<!-- vaultmem:end -->"
        return "\n".join(["# Tea", "", marks[0], *rows, marks[1], ""])

    line = "- I like tea. [[tea]]"
    one, other = (listed(line, f"- … and {count} more") for count in (early, late))
    path = PurePosixPath("categories/tea.md")
    assert merge(listed(line), one, other, path) == listed(line, "- … and 5 more")


@pytest.mark.parametrize("words", ["I like tea.", "```\ntea\n```"])
def test_a_box_stands_apart_from_a_text_that_ends_without_a_line_end(words: str) -> None:
    base, early, late = (f"---\na: {value}\n---\n\n{words}" for value in (1, 2, 3))
    assert f"{words}\n\n> [!conflict]" in merge(base, early, late)


def test_a_tick_outlives_that_the_other_device_took_the_box_away() -> None:
    base, ticked, bare = "- [ ] Buy tea.\n", "- [x] Buy tea.\n", "- Buy tea.\n"
    assert merge(base, ticked, bare, STREAM) == ticked
    assert merge(base, bare, ticked, STREAM) == ticked
