"""Values from variables, and what is kept of files that did not change."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.config.files import Environ, make_vault, messages, person, rest, settings_of
from vaultmem.base.errors import SettingsError
from vaultmem.config.settings import load_settings, state_home


class TestVariables:
    """`${VAR:-default}` in texts."""

    @pytest.mark.parametrize(
        ("text", "variables", "expected"),
        [
            ('"${NAME:-Notes}"', {}, "Notes"),
            ('"${NAME:-Notes}"', {"NAME": ""}, "Notes"),
            ('"${NAME:-Notes}"', {"NAME": "Mine"}, "Mine"),
            ('"${NAME}"', {"NAME": "Mine"}, "Mine"),
            ('"${A:-x} and ${B:-y}"', {"B": "z"}, "x and z"),
            ('"${A:-}"', {}, ""),
            ('"$A ${1} {A}"', {"A": "x"}, "$A ${1} {A}"),
        ],
    )
    def test_the_persons_file_may_read_any_variable(
        self,
        vault: Path,
        environ: Environ,
        text: str,
        variables: Environ,
        expected: str,
    ) -> None:
        person(environ, f"llm.model = {text}\n")
        settings = load_settings(vault, environ=environ | variables)
        assert settings.values["llm.model"] == expected

    @pytest.mark.parametrize(
        ("key", "text", "expected"),
        [
            ("recall.k", "${K:-7}", 7),
            ("watch.quiet", "${K:-1}", 1.0),
            ("recall.fuzzy", "${K:-no}", False),
        ],
    )
    def test_a_filled_in_text_becomes_the_type_of_its_setting(
        self, vault: Path, environ: Environ, key: str, text: str, expected: object
    ) -> None:
        person(environ, f'{key} = "{text}"\n')
        assert load_settings(vault, environ=environ).values[key] == expected

    def test_texts_in_lists_are_filled_in(self, vault: Path, environ: Environ) -> None:
        person(environ, 'languages = ["${L:-de}", "en"]\n')
        assert load_settings(vault, environ=environ).languages == ("de", "en")

    def test_a_missing_variable_without_default_is_an_error(
        self, vault: Path, environ: Environ
    ) -> None:
        person(environ, '[llm]\napi_key = "${KEY}"\n')
        with pytest.raises(SettingsError, match=r"line 2: 'llm\.api_key' needs the environment"):
            load_settings(vault, environ=environ)

    def test_a_filled_in_value_is_checked_like_any_other(
        self, vault: Path, environ: Environ
    ) -> None:
        person(environ, 'recall.k = "${K}"\n')
        with pytest.raises(SettingsError, match=r"'recall\.k' must be a whole number"):
            load_settings(vault, environ=environ | {"K": "many"})

    def test_a_vault_sees_no_variable_but_those_meant_for_it(
        self, vault: Path, environ: Environ
    ) -> None:
        """A hostile vault must not carry a person's secrets into names, notes or commits."""
        text = 'name = "${TOKEN:-plain}"\ntimezone = "${TOKEN}"\nlanguages = ["${VAULTMEM_SET_L}"]'
        secret = {"TOKEN": "s3cret", "VAULTMEM_SET_L": "fr"}
        settings = settings_of(vault, environ | secret, text)
        assert settings.name == "plain"
        assert settings.timezone == "UTC"
        assert settings.languages == ("fr",)
        assert messages(settings) == ["'timezone' is ignored: it needs the variable 'TOKEN'"]

    def test_the_vaults_own_value_wins_over_a_variable_of_the_person(
        self, vault: Path, environ: Environ
    ) -> None:
        person(environ, 'recall.k = "${K:-9}"\n')
        assert settings_of(vault, environ, "recall.k = 3\n").recall_k == 3

    def test_no_secret_is_kept_on_disk(self, vault: Path, environ: Environ, home: Path) -> None:
        rest(person(environ, 'llm.api_key = "${KEY}"\n'), vault / "vaultmem.toml")
        for _ in range(2):
            settings = load_settings(vault, environ=environ | {"KEY": "s3cret"})
            assert settings.values["llm.api_key"] == "s3cret"
        kept = list(Path(state_home(environ)).rglob("*.bin"))
        assert kept
        assert all(b"s3cret" not in file.read_bytes() for file in kept)


class TestKeeping:
    """Loading unchanged files reads no TOML, and is never stale."""

    @pytest.fixture
    def kept(self, vault: Path, environ: Environ) -> Path:
        rest(make_vault(vault, "[recall]\nk = 3\n") / "vaultmem.toml")
        load_settings(vault, environ=environ)
        (file,) = Path(state_home(environ)).rglob("*.bin")
        return file

    def test_an_unchanged_file_is_not_parsed_again(
        self, vault: Path, environ: Environ, kept: Path
    ) -> None:
        stamp = (vault / "vaultmem.toml").stat()
        (vault / "vaultmem.toml").write_bytes(b"[recall]\nk = 4\n")
        os.utime(vault / "vaultmem.toml", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert load_settings(vault, environ=environ).recall_k == 3

    def test_a_changed_file_is_read_again(self, vault: Path, environ: Environ, kept: Path) -> None:
        assert settings_of(vault, environ, "[recall]\nk = 4\n").recall_k == 4

    def test_a_file_that_appears_is_read(self, vault: Path, environ: Environ, kept: Path) -> None:
        person(environ, "[search]\nlimit = 7\n")
        assert load_settings(vault, environ=environ).search_limit == 7

    def test_a_file_edited_a_moment_ago_is_not_kept(self, vault: Path, environ: Environ) -> None:
        settings_of(vault, environ, "[recall]\nk = 3\n")
        assert list(Path(state_home(environ)).rglob("*.bin")) == []

    @pytest.mark.parametrize("damage", [b"", b"\x00" * 40, b"{", b"not marshal at all"])
    def test_damage_is_read_again(
        self, vault: Path, environ: Environ, kept: Path, damage: bytes
    ) -> None:
        kept.write_bytes(damage)
        assert load_settings(vault, environ=environ).recall_k == 3
        assert len(kept.read_bytes()) > 1000

    def test_warnings_are_shown_again_though_nothing_was_read(
        self, vault: Path, environ: Environ
    ) -> None:
        rest(make_vault(vault, "recal = 3\n") / "vaultmem.toml")
        first = load_settings(vault, environ=environ).warnings
        assert load_settings(vault, environ=environ).warnings == first != ()

    @pytest.mark.skipif(os.name != "posix", reason="file modes")
    def test_what_is_kept_is_for_the_owner_alone(self, kept: Path) -> None:
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700

    def test_a_state_folder_that_cannot_be_written_only_costs_time(
        self, vault: Path, environ: Environ, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        nowhere = environ | {"VAULTMEM_STATE": str(tmp_path / "file" / "state")}
        assert load_settings(vault, environ=nowhere).recall_k == 5
