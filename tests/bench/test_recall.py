"""The measurements themselves, and the recall that a change must not lose."""

from __future__ import annotations

import random
from pathlib import Path, PurePosixPath

import pytest

from tests.bench import judging, locomo, metrics, recall
from tests.storage.index.building import open_index, resource

DATA = Path(__file__).parents[3] / "shared" / "data" / "locomo"


def test_evidence_ids_are_cleaned() -> None:
    raw = ["D8:6; D9:17", "D9:1 D4:4 D4:6", "D:11:26", "D30:05", "D", ""]
    assert locomo.evidence_ids(raw) == [
        *("D8:6", "D9:17", "D9:1", "D4:4", "D4:6", "D11:26", "D30:5"),
    ]


def test_typos_are_one_edit_and_the_same_every_time() -> None:
    questions = ["When did Caroline paint the beautiful sunrise picture?"] * 50
    once = locomo.with_typos(questions)
    assert once == locomo.with_typos(questions)
    changed = sum(
        a != b for a, b in zip(" ".join(questions).split(), " ".join(once).split(), strict=True)
    )
    assert 50 < changed < 110  # about 30% of 5 words of 50 questions
    for word in ("beautiful", "paint"):
        wrong = locomo.misspelt(word, random.Random(1))
        assert abs(len(wrong) - len(word)) <= 1


def test_measures() -> None:
    values = metrics.measures(["a", "x", "b"], {"a", "b", "c"})
    assert values["R@1"] == pytest.approx(1 / 3)
    assert values["R@5"] == pytest.approx(2 / 3)
    assert (values["any@10"], values["all@10"], values["MRR"]) == (1, 0, 1)
    assert values["nDCG@10"] == pytest.approx((1 + 0.5) / (1 + 0.6309297 + 0.5))
    assert metrics.measures([], {"a"})["MRR"] == 0
    assert metrics.percentile([3, 1, 2], 0.5) == 2


def test_a_line_of_a_session_belongs_to_its_turn() -> None:
    turns = tuple(
        locomo.Turn(id=f"D1:{n}", speaker="Ann", text=text)
        for n, text in enumerate(["a", "b\nc", "d"])
    )
    session = locomo.Session(name="session_1", date="2023-05-08 13:56", turns=turns)
    lines = session.body().split("\n")
    assert [session.turn_at(n) for n, line in enumerate(lines, 1) if line] == [
        *("D1:0", "D1:1", "D1:1", "D1:2"),
    ]


def _conversation(name: str) -> locomo.Conversation:
    sessions = tuple(
        locomo.Session(
            name=f"session_{n}",
            date="2023-05-08 13:56",
            turns=(
                locomo.Turn(id=f"D{n}:1", speaker="Ann", text=f"The {name} {word} is red."),
                locomo.Turn(id=f"D{n}:2", speaker="Ben", text="Is it?"),
            ),
        )
        for n, word in enumerate(("kettle", "boat"), 1)
    )
    asked = locomo.Question(
        text="What colour is the boat?", category=4, evidence=frozenset(["D2:1"])
    )
    return locomo.Conversation(name=name, sessions=sessions, questions=(asked,))


class TestJudging:
    def test_a_session_stands_where_its_best_turn_does(self) -> None:
        one = _conversation("old")
        values = judging.of_sessions(one)(["D1:2", "D1:1", "D2:2"], one.questions[0])
        assert (values["any@1"], values["any@5"], values["MRR"]) == (0, 1, 0.5)

    def test_lines_count_until_one_does_not_fit(self) -> None:
        lines = ["x" * 39, "y" * 39, "z"]
        assert [judging.filled(lines, n) for n in (9, 10, 19, 20, 21)] == [0, 1, 1, 2, 3]
        one = _conversation("old")
        judge = judging.inside((5, 100))(one)
        assert judge(["D2:1"], one.questions[0]) == {"5": 0.0, "100": 1.0}

    def test_conversations_together_keep_their_evidence_apart(self) -> None:
        both = locomo.together([_conversation("old"), _conversation("new")])
        assert len({turn.id for turn in both.turns()}) == 8
        assert [question.evidence for question in both.questions] == [
            frozenset(["old D2:1"]),
            frozenset(["new D2:1"]),
        ]


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "rows", "columns"),
        [
            ([], 6, recall.COLUMNS),
            (["--typos"], 3, recall.COLUMNS),
            (["--session"], 3, judging.SESSION_COLUMNS),
            (["--budget", "300"], 3, ("300",)),
            (["--budget"], 3, tuple(map(str, judging.BUDGETS))),
            (["--variant", "window", "--variant", "fuzzy"], 3, recall.COLUMNS),
        ],
    )
    def test_each_gives_its_rows_and_columns(
        self, tmp_path: Path, options: list[str], rows: int, columns: tuple[str, ...]
    ) -> None:
        pytest.importorskip("rank_bm25")
        wanted = recall.wanted_of(recall.parser().parse_args(["data", *options]))
        found = recall.run([_conversation("old")], tmp_path, wanted)
        assert len(found) == rows
        assert wanted.columns == columns
        (value,) = found[next(iter(found))][0].values.items() if len(columns) == 1 else [(0, 1)]
        assert value[1] == 1
        assert len(recall.table(found, columns).splitlines()) > rows


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the LoCoMo conversations are not here")
def test_recall_of_evidence_on_locomo(tmp_path: Path) -> None:
    plain: list[float] = []
    misspelt: list[float] = []
    for conversation in locomo.load(DATA):
        sessions = {PurePosixPath(f"{s.name}.md"): s for s in conversation.sessions}
        notes = [resource(s.body(), path=str(path)) for path, s in sessions.items()]
        index = open_index(tmp_path / f"{conversation.name}.sqlite", *notes)
        first = notes[0].body_line
        asked = [question for question in conversation.questions if question.category < 5]
        texts = [question.text for question in asked]
        for values, variants in ((plain, texts), (misspelt, locomo.with_typos(texts))):
            for question, text in zip(asked, variants, strict=True):
                found = index.search(text, limit=10).found
                ranked = [sessions[f.path].turn_at(f.passage.line - first + 1) for f in found]
                values.append(metrics.recall_at(ranked, question.evidence, 10))
    assert metrics.mean(plain) > 0.77  # .783 when this was written
    assert metrics.mean(misspelt) > 0.97 * metrics.mean(plain)
