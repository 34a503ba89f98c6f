"""Files of weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.base.errors import VaultmemError
from vaultmem.judgement.features import VERSION, Features, hash_of, sentence_features
from vaultmem.judgement.linear import chance, panel, read, score, weights

HEAD = f"vaultmem weights 1\nfeatures {VERSION}\ncorpus abc\ntable t 1 0.5\nmodel m 0.25 t -\n"


def _file(folder: Path, content: bytes) -> Path:
    file = folder / "some.weights"
    file.write_bytes(content)
    return file


def test_a_score_is_bias_tables_and_plain_features(tmp_path: Path) -> None:
    file = _file(tmp_path, (HEAD + "plain m shouts 2\n").encode() + b"\n" + b"\x04\xfe")
    model = read(file).models["m"]
    told = hash_of("tea")
    expected = 0.25 + (4 if told % 2 == 0 else -2) * 0.5 + 2 * 0.5
    assert score(model, Features((told,), (), (("shouts", 0.5), ("new", 9.0)))) == expected


@pytest.mark.parametrize("text", ["", "I'm allergic to penicillin!", "Tengo 41 años, y tú?"])
def test_a_panel_gives_what_each_of_its_models_gives(text: str) -> None:
    names = ("keep", "critical", "kind_fact", "critical_limit")
    features = sentence_features(text)
    each = [score(weights("sentences").models[name], features) for name in names]
    assert panel("sentences", names).scores(features) == pytest.approx(each, abs=1e-9)


@pytest.mark.parametrize(
    "content",
    [
        (HEAD + "\n").encode() + b"\x00",  # cut off
        HEAD.replace(f"features {VERSION}", "features 0").encode() + b"\n\x00\x00",
        b"something else\n\n",
    ],
)
def test_weights_of_another_version_are_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(VaultmemError) as caught:
        read(_file(tmp_path, content))
    assert caught.value.hint


def test_a_chance_stays_between_0_and_1() -> None:
    assert chance(-1e9) == pytest.approx(0)
    assert chance(0) == 0.5
    assert chance(1e9) == 1
