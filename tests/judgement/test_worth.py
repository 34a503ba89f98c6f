"""What a sentence is worth, by the packaged weights."""

from __future__ import annotations

import subprocess
import sys

import pytest

from vaultmem.judgement.worth import CRITICAL_KINDS, KINDS, judge_worth


def test_the_same_sentence_is_judged_the_same() -> None:
    text = "My sister Anna can't have nuts."
    assert judge_worth(text) == judge_worth(text)


def test_judging_needs_no_numpy() -> None:
    code = (
        "import sys; from vaultmem.judgement.worth import judge_worth; "
        "from vaultmem.judgement.change import judge_change; "
        "judge_worth('I like tea.'); judge_change('I like tea.', 'I like coffee.'); "
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("text", ["", "?", " \n", "🙂", "a" * 100_000, "\ud800"])
def test_any_text_is_judged(text: str) -> None:
    worth = judge_worth(text)
    assert 0 <= worth.keep <= 1
    assert 0 <= worth.critical <= 1
    assert worth.critical_kind in CRITICAL_KINDS
    assert {kind for kind, _ in worth.kinds} == set(KINDS)
    assert sum(chance for _, chance in worth.kinds) == pytest.approx(1)
