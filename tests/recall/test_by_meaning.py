"""What vectors change in answers, what they cost when they fail, and what stays on the device."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import FixedClock
from tests.models.embedding_server import ModelServer, answering, served, vector_of
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, LocalOnlyError, RemoteUnreachableError
from vaultmem.config.settings import load_settings
from vaultmem.models.embedder_choice import is_installed
from vaultmem.storage.index.search.bm25 import Scoring
from vaultmem.storage.index.search.meaning import Vectors, key_of, quantise

NOTES = ("Rex the poodle sleeps by the stove.", "The espresso at Luigi's is strong.")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with served() as running:
        yield running


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's settings file."""
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    return file


@pytest.fixture
def vault(tmp_path: Path, environ: Path, server: ModelServer) -> Path:
    """Two notes, and a model in the person's settings that nobody has asked yet."""
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        for text in NOTES:
            memory.remember(text)
    switch_on(environ, server.url)
    return root


def switch_on(file: Path, url: str, more: str = "") -> None:
    settings = f'provider = "endpoint"\nbase_url = "{url}"\nmodel = "tiny"\napi_key = "k-12"\n'
    file.write_text(f"[embeddings]\n{settings}timeout = 20.0\n{more}", encoding="utf-8")


def leave_off(file: Path) -> None:
    """Nothing said, which is no model; where the extra is installed, none is chosen."""
    file.unlink(missing_ok=True)
    if is_installed():
        file.write_text('[embeddings]\nprovider = "none"\n', encoding="utf-8")


def first(memory: Memory, question: str) -> str:
    hits = memory.recall(question).hits
    return hits[0].note.statement if hits else ""


def vector_files(memory: Memory) -> list[Path]:
    return sorted(memory.opened.state.glob("vectors-*"))


def test_a_note_is_found_by_what_it_means(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.remember("Munich is loud in October.")
        assert first(memory, "Which city?") == ""  # tables of words know pets and beverages
        memory.reindex(embeddings=True)
        assert first(memory, "Which pet is there?") == NOTES[0]
        assert first(memory, "A beverage?") == NOTES[1]
        assert first(memory, "Which city?") == "Munich is loud in October."


def test_what_is_of_another_kind_is_no_answer_however_like_it_is(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.remember("My sister Ilse works at a bank. Her boat is called Minna.")
        memory.reindex(embeddings=True)
        assert first(memory, "What is my sister's phone number?") == ""
        assert first(memory, "What is Ilse's blood group?") == ""
        memory.remember("My sister's phone number is 0351 998 12 40.")
        memory.reindex(embeddings=True)
        hits = memory.recall("What is my sister's phone number?").hits
        assert any("0351" in hit.note.statement for hit in hits)


def test_monthly_makes_vectors_with_the_model_of_today(
    vault: Path, environ: Path, server: ModelServer
) -> None:
    with Memory(vault) as memory:
        first_time = memory.maintain.run("monthly").embedded
        assert first_time is not None
        assert first_time.made == first_time.vectors > 0
        again = memory.maintain.run("monthly").embedded
        assert again is not None
        assert (again.made, again.vectors) == (0, first_time.vectors)
    text = environ.read_text().replace('model = "tiny"', 'model = "other"')
    environ.write_text(text)
    with Memory(vault) as memory:
        renewed = memory.maintain.run("monthly").embedded
        assert renewed is not None
        assert (renewed.model, renewed.made) == ("endpoint other", first_time.vectors)
        assert first(memory, "Which pet is there?") == NOTES[0]
    environ.write_text(text.replace(server.url, "http://127.0.0.1:9/v1"))
    with Memory(vault) as memory:
        memory.remember("The sedan is in the garage.")
        report = memory.maintain.run("monthly")
        assert report.reindexed
        assert report.embedded is not None
        assert report.embedded.failure


def test_explain_names_the_part_and_the_parts_add_up(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
        answer = memory.recall("Does the hound sleep?")
        assert answer.plan is not None
        assert answer.plan.meaning == "endpoint tiny"
        (part,) = [part for part in answer.hits[0].parts if part.name == "meaning"]
        assert part.value > 0
        assert part.note == "100% like the question"
        for hit in answer.hits:
            assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)


def test_what_is_of_the_time_and_like_the_question_counts_for_both(vault: Path) -> None:
    with Memory(vault, clock=FixedClock()) as memory:
        memory.reindex(embeddings=True)
        [hit] = memory.recall("Did the hound sleep in March 2026?").hits[:1]
        assert {"time", "meaning"} <= {part.name for part in hit.parts}
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)


def test_meaning_can_be_switched_off_and_matters(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
        index, (file,) = memory.opened.index, vector_files(memory)
        like = index.likeness(file, [vector_of("hound")], answers_from=0.5)
        with_it = index.search("hound stove", like=like).found
        off = index.search("hound stove", like=like, scoring=Scoring(meaning=0)).found
        plain = index.search("hound stove").found
        assert [one.score for one in off] == [one.score for one in plain]
        assert with_it[0].score > off[0].score


TALK = """**Ana** (2026-03-01 10:00): I was at the clinic today.

**Bo** (2026-03-01 10:01): Did you drive there in your sedan?

**Ana** (2026-03-01 10:02): No, I took the tram."""


def test_a_question_about_a_speaker_is_put_as_each_side_of_the_talk_says_it(
    vault: Path, server: ModelServer
) -> None:
    with Memory(vault, clock=FixedClock()) as memory:
        memory.remember(TALK, title="Ana and Bo", extract=False)
        memory.reindex(embeddings=True)
        server.asked.clear()
        answer = memory.search("What illness has Ana?", by="passage")
        assert answer.hits[0].passages[0].text == "I was at the clinic today."
        assert server.asked[0] == [
            "What illness has Ana?",
            "What illness has I?",
            "What illness has you?",
        ]
        server.asked.clear()
        memory.search("What illness has my dog?", by="passage")
        assert server.asked[0] == ["What illness has my dog?"]


def test_sync_asks_only_for_what_changed(vault: Path, server: ModelServer) -> None:
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
        server.asked.clear()
        memory.remember("The sedan is in the garage.")
        assert server.asked == []  # a write waits for no model
        report = memory.sync()
        assert report.embedded is not None
        assert report.embedded.made == len(server.texts) > 0
        assert all("sedan" in text for text in server.texts)
        assert memory.sync().embedded == report.embedded.__class__(
            model="endpoint tiny", vectors=report.embedded.vectors
        )
        memory.reindex()
        assert first(memory, "Which vehicle?") == "The sedan is in the garage."


def test_what_is_gone_has_no_vector(vault: Path) -> None:
    with Memory(vault) as memory:
        path = memory.remember("The sedan needs a wash.", extract=False).path
        memory.reindex(embeddings=True)
        (file,) = vector_files(memory)
        assert key_of("The sedan needs a wash.") in Vectors.read(file).by_key
        (vault / path).unlink()
        memory.sync()
        assert key_of("The sedan needs a wash.") not in Vectors.read(file).by_key


def test_a_purge_leaves_no_vectors(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
        assert vector_files(memory)
        assert memory.forgetting.purge(memory.recall("poodle").hits[0].note.id).places == ()
        assert vector_files(memory) == []


def test_a_question_that_no_word_answers_and_nothing_is_like_stays_open(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
        assert memory.recall("Which clinic?").hits == ()


def test_what_was_written_since_loses_nothing(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
        memory.remember("Luigi's closes on Mondays.")
        answer = memory.recall("Luigi's Mondays")
        assert answer.hits[0].note.statement == "Luigi's closes on Mondays."


class TestFailures:
    """A missing or failing model never stops recall: it answers by words, and says so."""

    def test_recall_answers_by_words(
        self, vault: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with Memory(vault) as memory:
            memory.reindex(embeddings=True)
        server.fault = lambda handler: handler.reply(500, b"out of memory")
        assert main(["--vault", str(vault), "recall", "poodle"]) == 0
        said = capsys.readouterr()
        assert NOTES[0] in said.out
        assert "by words alone: the model server 127.0.0.1:" in said.err
        assert "answered 500: out of memory" in said.err

    def test_without_vectors_nobody_is_asked(self, vault: Path, server: ModelServer) -> None:
        with Memory(vault) as memory:
            answer = memory.recall("poodle")
        assert answer.hits
        assert answer.plan is not None
        assert "no vectors of 'endpoint tiny' yet" in answer.plan.without
        assert server.headers == []

    def test_sync_goes_on_and_tells(self, vault: Path, server: ModelServer) -> None:
        server.fault = answering({})
        with Memory(vault) as memory:
            path = memory.remember("The sedan needs a wash.", extract=False).path
            with (vault / path).open("a", encoding="utf-8") as stream:
                stream.write("So does the garage.\n")
            report = memory.sync()
            assert len(report.commits) == 1
            assert report.embedded is not None
            assert "cannot be used" in report.embedded.failure

    def test_reindex_fails_and_keeps_what_it_had(self, vault: Path, server: ModelServer) -> None:
        with Memory(vault) as memory:
            memory.reindex(embeddings=True)
            (file,) = vector_files(memory)
            before = file.read_bytes()
            server.fault = lambda handler: None
            memory.remember("The sedan is in the garage.")
            with pytest.raises(RemoteUnreachableError):
                memory.reindex(embeddings=True)
            assert file.read_bytes() == before
            assert first(memory, "poodle") == NOTES[0]

    def test_a_model_with_other_vectors_is_noticed(self, vault: Path, server: ModelServer) -> None:
        with Memory(vault) as memory:
            memory.reindex(embeddings=True)
            server.fault = answering({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
            answer = memory.recall("poodle")
            assert answer.hits
            assert answer.plan is not None
            assert "have another length now" in answer.plan.without

    @pytest.mark.parametrize("damage", [b"", b"\x93NUMPY", b"x" * 400])
    def test_a_damaged_file_is_made_anew(self, vault: Path, damage: bytes) -> None:
        with Memory(vault) as memory:
            memory.reindex(embeddings=True)
            (file,) = vector_files(memory)
            file.write_bytes(damage)
            assert first(memory, "poodle") == NOTES[0]
            memory.sync()
            assert first(memory, "Which pet is there?") == NOTES[0]


class TestWhoDecides:
    """Where notes are sent is the person's to say."""

    def test_a_vault_cannot_name_a_model(
        self, vault: Path, environ: Path, server: ModelServer
    ) -> None:
        environ.unlink()
        file = vault / "vaultmem.toml"
        lines = f'\n[embeddings]\nprovider = "endpoint"\nbase_url = "{server.url}"\nmodel = "m"\n'
        file.write_text(file.read_text("utf-8") + lines, encoding="utf-8")
        settings = load_settings(vault)
        assert settings.embeddings_provider == "auto"
        assert settings.warnings
        leave_off(environ)
        with Memory(vault) as memory:
            memory.sync()
            memory.recall("poodle")
            with pytest.raises(BadInputError, match=r"embeddings are off|no model"):
                memory.reindex(embeddings=True)
        assert server.headers == []

    def test_local_only_allows_this_machine(self, vault: Path, environ: Path) -> None:
        with environ.open("a", encoding="utf-8") as stream:
            stream.write("[privacy]\nlocal_only = true\n")
        with Memory(vault) as memory:
            memory.reindex(embeddings=True)
            assert first(memory, "Which pet is there?") == NOTES[0]

    def test_local_only_of_a_vault_keeps_notes_from_elsewhere(
        self, vault: Path, environ: Path
    ) -> None:
        switch_on(environ, "https://model.example.com/v1")
        file = vault / "vaultmem.toml"
        file.write_text(
            file.read_text("utf-8") + "\n[privacy]\nlocal_only = true\n", encoding="utf-8"
        )
        with Memory(vault) as memory:
            with pytest.raises(LocalOnlyError):
                memory.reindex(embeddings=True)
            answer = memory.recall("poodle")
            assert answer.hits
            assert answer.plan is not None
            assert "making vectors of texts" in answer.plan.without


def test_status_says_how_it_stands(
    vault: Path, environ: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def line() -> str:
        assert main(["--vault", str(vault), "status"]) == 0
        out = capsys.readouterr().out
        (found,) = [line for line in out.splitlines() if line.startswith("embeddings")]
        return found

    assert "0 of" in line()
    with Memory(vault) as memory:
        memory.reindex(embeddings=True)
    assert "vectors" not in line()
    assert "of 6 numbers" in line()
    leave_off(environ)
    assert line().startswith("embeddings   off")
    assert line() == "embeddings   off"


def test_without_embeddings_recall_imports_no_numpy(vault: Path, environ: Path) -> None:
    import subprocess
    import sys

    leave_off(environ)
    code = (
        "import sys; from vaultmem.api.memory import Memory\n"
        "with Memory(sys.argv[1]) as memory:\n"
        "    assert memory.recall('poodle').hits\n"
        "print('numpy' in sys.modules, 'http.client' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(vault)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_json_has_the_same(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--vault", str(vault), "reindex", "--embeddings", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["embedded"]
    assert made["model"] == "endpoint tiny"
    assert made["made"] == made["vectors"] > 0
    assert main(["--vault", str(vault), "recall", "--json", "Which pet is there?"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"]["meaning"] == "endpoint tiny"


def test_eight_bits_keep_cosines() -> None:
    vectors = np.random.default_rng(7).normal(size=(200, 384)).astype(np.float32)
    codes, scales = quantise(vectors)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = codes.astype(np.float32) * scales[:, None]
    assert np.abs(kept @ kept.T - unit @ unit.T).max() < 0.01
    assert not quantise(np.zeros((1, 4), np.float32))[0].any()
