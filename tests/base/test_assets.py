"""Templates, sample vault and pages of help are found in a checkout and in a wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from vaultmem.base.assets import page, sample_vault, templates, topics
from vaultmem.base.errors import BadInputError

CHECKOUT = Path(__file__).parents[2]


def test_a_checkout_uses_its_own_folders() -> None:
    assert templates() == CHECKOUT / "templates"
    assert sample_vault() == CHECKOUT / "sample-vault"
    assert (templates() / "vault" / "vaultmem.toml").is_file()
    assert (sample_vault() / "vaultmem.toml").is_file()


def test_every_page_of_help_has_a_title() -> None:
    assert {"settings", "commands", "exit-codes", "python"} <= {name for name, _ in topics()}
    for name, title in topics():
        assert title
        assert page(name).startswith(f"# {title}\n")


def test_an_unknown_page_names_the_known_ones() -> None:
    with pytest.raises(BadInputError) as caught:
        page("../README")
    assert "settings" in caught.value.hint


def test_a_page_that_is_nearly_named_is_offered() -> None:
    with pytest.raises(BadInputError) as raised:
        page("sesions")
    assert raised.value.hint == "did you mean 'sessions'?"


@pytest.mark.slow
def test_a_wheel_carries_templates_sample_vault_and_pages(tmp_path: Path) -> None:
    builder = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    (wheel,) = builder.WheelBuilder(str(CHECKOUT)).build(directory=str(tmp_path))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    code = (
        "from vaultmem.base.assets import *; "
        "print(templates(), sample_vault(), *topics()[0], sep='|')"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r}); {code}",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found = done.stdout.strip().split("|")
    package = tmp_path / "installed" / "vaultmem"
    assert found[:2] == [str(package / "_templates"), str(package / "_sample")]
    for ours, theirs in (("templates", "_templates"), ("sample-vault", "_sample")):
        expected = {f.relative_to(CHECKOUT / ours) for f in (CHECKOUT / ours).rglob("*")}
        assert {f.relative_to(package / theirs) for f in (package / theirs).rglob("*")} == expected
