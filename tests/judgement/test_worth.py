"""What a sentence is worth, by the packaged weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.judgement.corpus import checksum
from vaultmem.judgement import linear
from vaultmem.judgement.linear import weights
from vaultmem.judgement.sentence import CRITICAL_KINDS, KINDS, judge_worth, threshold


def test_the_same_sentence_is_judged_the_same() -> None:
    text = "My sister Anna can't have nuts."
    assert judge_worth(text) == judge_worth(text)


def test_judging_needs_no_numpy() -> None:
    code = (
        "import sys; from vaultmem.judgement.sentence import judge_worth; "
        "from vaultmem.judgement.pairs.is_over import judge_change; "
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


def test_the_weights_are_small_and_were_made_of_the_corpus_that_is_here() -> None:
    """Whoever changes the corpus runs `python -m tests.bench.judgement.train`."""
    files = sorted(Path(linear.__file__).parent.glob("*.weights"))
    assert sum(file.stat().st_size for file in files) < 2_000_000
    assert {weights(name).corpus for name in ("sentences", "pairs")} == {checksum()}


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to penicillin.",
        "Meine Tochter ist allergisch gegen Erdnüsse.",
        "Mi padre toma anticoagulantes.",
        "Ma sœur est diabétique.",
    ],
)
def test_what_a_life_may_hang_on_is_critical(text: str) -> None:
    worth = judge_worth(text)
    assert worth.keep >= threshold("keep")
    assert worth.is_critical
    assert worth.critical_kind == "health"


@pytest.mark.parametrize(
    "text",
    ["What time is it?", "Thanks a lot!", "ok", "Danke dir!", "¿Qué hora es?", "Merci beaucoup !"],
)
def test_trifles_are_not_worth_keeping(text: str) -> None:
    worth = judge_worth(text)
    assert worth.keep < threshold("keep")
    assert not worth.is_critical


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I prefer window seats.", "preference"),
        ("We decided to drop the old website.", "decision"),
        ("I have to pay the electrician by Friday.", "task"),
        ("My brother lives in Leeds.", "fact"),
    ],
)
def test_a_plain_sentence_gets_its_kind(text: str, kind: str) -> None:
    assert judge_worth(text).kind == kind
