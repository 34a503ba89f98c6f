"""`timeline`: when items hold, as bars of characters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.history.notes import DAY, MONDAY, SetClock, item, save
from tests.history.test_history import NEW, OLD, changed_by_hand
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UnknownNoteError
from vaultmem.cli.history import ASCII, BOX, Pen, pen_for, timeline_lines
from vaultmem.language import columns, pad_columns
from vaultmem.model.past_versions import Timeline, TimelineRow


def row(name: str, begins: int | None, ends: int | None, **keys: object) -> TimelineRow:
    values: dict[str, object] = {
        "id": f"i-{name}",
        "path": PurePosixPath(f"items/{name}.md"),
        "statement": name,
        "status": "active",
        "valid_from": begins,
        "valid_until": ends,
        **keys,
    }
    return TimelineRow(**values)  # type: ignore[arg-type]  # keys of TimelineRow, from the test


def drawn(*rows: TimelineRow, width: int = 60, now: int = 10 * DAY) -> list[str]:
    times = [ms for r in rows for ms in (r.valid_from, r.valid_until) if ms is not None]
    found = Timeline(
        about="", now=now, begins=min([*times, now]), ends=max([*times, now]), rows=rows
    )
    return list(timeline_lines(found, "UTC", width=width, pen=ASCII))


class TestTheDrawing:
    """One axis, a bar an item."""

    def test_bars_lie_where_their_days_do(self) -> None:
        _, axis, *bars = drawn(
            row("a", 0, 5 * DAY),
            row("b", 5 * DAY, None),
            row("c", None, 5 * DAY),
            row("d", 0, None, status="retracted", held=False),
        )
        wide = len(axis.strip())
        half = wide // 2
        a, b, c, d = (bar[len("  a ") :] for bar in bars)
        assert a.startswith("[" + "=" * (half - 1) + "]")
        assert b.startswith(" " * half + "[")
        assert b[wide - 1] == ">"
        assert c.startswith("<" + "=" * (half - 1) + "]")
        assert d.startswith("." * wide + " retracted")
        assert a.endswith("1970-01-01 to 1970-01-06")
        assert b.endswith("> 1970-01-06")
        assert c.endswith("until 1970-01-06")

    def test_slots_have_headings(self) -> None:
        slot = {"subject": "x", "predicate": "uses"}
        lines = drawn(
            row("a", 0, 1, object="postgres", **slot),
            row("b", 1, None, object="lite", **slot),
            row("c", 0, None),
        )
        assert lines[2] == "x uses"
        assert lines[3].startswith("  postgres ")
        assert lines[5] == "in no slot"

    @given(
        st.lists(
            st.tuples(
                st.text(max_size=60),
                st.none() | st.integers(-(10**13), 10**14),
                st.none() | st.integers(-(10**13), 10**14),
                st.booleans(),
            ),
            min_size=1,
            max_size=6,
        ),
        st.integers(0, 200),
        st.sampled_from([BOX, ASCII]),
    )
    def test_no_line_of_bars_is_wider_than_the_terminal(
        self,
        given: list[tuple[str, int | None, int | None, bool]],
        width: int,
        pen: Pen,
    ) -> None:
        rows = [row(text or "x", begins, ends, held=held) for text, begins, ends, held in given]
        times = [ms for r in rows for ms in (r.valid_from, r.valid_until) if ms is not None]
        found = Timeline(
            about="", now=0, begins=min([*times, 0]), ends=max([*times, 0]), rows=tuple(rows)
        )
        for line in list(timeline_lines(found, "UTC", width=width, pen=pen))[2:]:
            assert columns(line) <= max(width, 50) + 13  # a status or a far year may stand beyond
            assert "\n" not in line

    def test_wide_and_long_labels_keep_the_columns(self) -> None:
        assert columns("日本") == 4
        assert pad_columns("日本語", 4) == "日… "
        assert pad_columns("abcdef", 4, cut="..") == "ab.."
        assert pad_columns("e\u0301", 2) == "e\u0301 "

    def test_the_pen_follows_the_encoding(self) -> None:
        assert pen_for("utf-8") is BOX
        for encoding in ("ascii", "latin-1", "ANSI_X3.4-1968", "no such encoding"):
            assert pen_for(encoding) is ASCII


class TestTheRows:
    """Items of a slot, a subject, a stream, or all."""

    def test_a_slot(self, vault: Memory, still: SetClock) -> None:
        changed_by_hand(vault, still)
        still.at += DAY
        found = vault.history.timeline("Project X", "uses-database")
        assert [(r.id, r.valid_from, r.valid_until, r.held) for r in found.rows] == [
            (OLD, MONDAY, MONDAY + 2 * DAY, True),
            (NEW, MONDAY + 2 * DAY, None, True),
        ]
        assert (found.begins, found.ends) == (MONDAY, still.at)

    def test_what_never_counted_and_what_has_no_start(self, vault: Memory) -> None:
        save(vault, OLD, item(OLD, "I sing.", keys="status: retracted\n"))
        save(vault, NEW, item(NEW, "I row.", keys="status: superseded\n"))
        save(vault, "c", item("i-cccccccccc", "I ski."))
        assert [(r.held, r.recorded_at) for r in vault.history.timeline("project-x").rows] == [
            *((False, MONDAY), (False, MONDAY)),
            (True, MONDAY),
        ]

    def test_what_was_retired_is_drawn_as_before(self, vault: Memory, still: SetClock) -> None:
        changed_by_hand(vault, still)
        still.at += DAY
        before = vault.history.timeline("project-x")
        file = vault.root / "items" / "old.md"
        file.rename(file.with_name(f"{OLD}.md"))
        assert len(vault.maintain.compact(retention_days=0).items) == 1
        after = vault.history.timeline("project-x")
        assert after == replace(
            before,
            rows=tuple(
                replace(r, path=PurePosixPath(f"items/{r.id}.md")) if r.id == OLD else r
                for r in before.rows
            ),
        )

    def test_a_stream(self, vault: Memory) -> None:
        vault.remember("I drink coffee with milk.", stream="identity")
        vault.remember("Call the plumber.", kind="task", stream="tasks")
        assert [r.statement for r in vault.history.timeline(streams=["tasks"]).rows] == [
            "Call the plumber."
        ]
        assert len(vault.history.timeline().rows) == 2

    def test_what_is_not_there_is_refused(self, vault: Memory) -> None:
        for subject in ("", "project-x"):
            with pytest.raises(UnknownNoteError, match="there is no item"):
                vault.history.timeline(subject)
        with pytest.raises(BadInputError, match="needs its subject"):
            vault.history.timeline("", "uses_database")
        with pytest.raises(BadInputError, match="no stream is called"):
            vault.history.timeline(streams=["task"])
