"""Plain bullets are read by a pattern of their own; it reads what the rules for all others read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.storage.notes.bullets import locate_bullets

WORDS = r"a B 1 é _ \ [x] [ - * … ^ ^x ^i-aaaaaaaaaa ^i-abcd234567 . ! # | ² ٣ [[l]] **b** x.y/?a=b"
PIECES = st.sampled_from((*WORDS.split(), "\u00a0", "\u2003", "\x1f", "\u200b"))


@given(st.lists(PIECES, min_size=1, max_size=6), st.sampled_from(["", " "]), st.booleans())
def test_a_blank_at_the_end_of_a_line_changes_nothing_of_its_bullet(
    pieces: list[str], between: str, is_adopted: bool
) -> None:
    line = "- " + between.join(pieces) + (" ^i-bbbbbbbbbb" if is_adopted else "")
    plain, blank = locate_bullets(f"{line}\n- b\n"), locate_bullets(f"{line} \n- b\n")
    assert [each.bullet for each in plain] == [each.bullet for each in blank]
    assert [(each.spans, each.id_at) for each in plain[:-1]] == [
        (each.spans, each.id_at) for each in blank[:-1]
    ]
    assert [each.marker for each in plain] == [each.marker for each in blank]
