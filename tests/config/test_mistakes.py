"""Mistakes in settings files are told with file, line and key."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.config.files import Environ, person, settings_of
from vaultmem.base.errors import SettingsError
from vaultmem.config.settings import load_settings
from vaultmem.config.values import line_of


class TestMistakes:
    """Unknown key warns with its line and the nearest known key; wrong type fails with the key."""

    def test_an_unknown_key_warns_with_line_and_nearest_key(
        self, vault: Path, environ: Environ
    ) -> None:
        text = "format = 1\n\n[recal]\nk = 3\n\n[watch]\ncommit_afer = 5\n"
        settings = settings_of(vault, environ, text)
        assert [(w.line, w.message, w.hint) for w in settings.warnings] == [
            (4, "unknown setting 'recal.k'", "did you mean 'recall.k'?"),
            (7, "unknown setting 'watch.commit_afer'", "did you mean 'watch.commit_after'?"),
        ]
        assert str(settings.warnings[0]) == (
            f"'{vault / 'vaultmem.toml'}' line 4: unknown setting 'recal.k'"
        )

    def test_a_setting_of_an_earlier_version_warns_and_changes_nothing(
        self, vault: Path, environ: Environ
    ) -> None:
        text = "[recall]\nk = 3\n[judgement]\ntold = false\n"
        settings = settings_of(vault, environ, text)
        assert [each.message for each in settings.warnings] == ["unknown setting 'judgement.told'"]
        assert settings.recall_k == 3

    def test_a_known_name_outside_its_section_is_recognised(
        self, vault: Path, environ: Environ
    ) -> None:
        settings = settings_of(vault, environ, "commit_after = 3\n")
        assert settings.warnings[0].hint == "did you mean 'watch.commit_after'?"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                '[recall]\nk = "five"\n',
                "line 2: 'recall.k' must be a whole number, found a text: 'five'",
            ),
            (
                "[recall]\nk = true\n",
                "line 2: 'recall.k' must be a whole number, found true or false: 'true'",
            ),
            (
                "recall.k = 2.5\n",
                "line 1: 'recall.k' must be a whole number, found a number: '2.5'",
            ),
            ("recall.k = 0\n", "line 1: 'recall.k' must be from 1 to 100 notes, found a whole"),
            ("[recall]\n[recall.k]\n", "line 2: 'recall.k' must be a whole number, found a table"),
            ("watch.quiet = nan\n", "line 1: 'watch.quiet' must be from 0.05 to 60 seconds"),
            ("enabled = 0\n", "line 1: 'enabled' must be true or false, found a whole number: '0'"),
            ("languages = [1]\n", "line 1: 'languages' must be a list of texts, found a list"),
            ('languages = "en"\n', "'languages' must be a list of texts, found a text: 'en'"),
            ("name = 2026-03-11\n", "'name' must be a text, found a date or time: '2026-03-11'"),
            ("preservation.flow = 1.5\n", "'preservation.flow' must be from 0 to 1, found"),
            ("recall = 5\n", "'recall' must be a table, found a whole number"),
            ("[enabled]\nx = 1\n", "line 1: 'enabled' must be true or false, found a table"),
            (
                'consolidation.interval = "yearly"\n',
                "must be one of 'manual', 'hourly', 'daily', 'weekly', found a text: 'yearly'",
            ),
            ('timezone = "Mars/Olympus"\n', "line 1: unknown time zone 'Mars/Olympus'"),
            ('slots.single = "name"\n', "line 1: 'slots.single' must be a list of texts, found"),
            ('[slots]\nsingle = ["a*b"]\n', "line 2: 'slots.single' names 'a*b', which is no"),
            ('slots.multiple = ["likes", "_"]\n', "'slots.multiple' names '_', which is no"),
            ('include = ["../*.md"]\n', "'include' names '../*.md', which leads out of the vault"),
            ('include = ["/etc/*.md"]\n', "which leads out of the vault"),
            ('include = ["C:/x/*.md"]\n', "which leads out of the vault"),
            ('id = "../x"\n', "line 1: 'id' may hold letters, digits and - only"),
            ("format = 2\n", "line 1: the vault has format 2, this program reads format 1"),
            ("format = \n", "line 1: not valid TOML: invalid value"),
            ("a = 1\na = 2\n", "line 2: not valid TOML: cannot overwrite a value"),
            ("x = " + "[" * 5000 + "\n", ": nested too deeply"),
            ("# " + "x" * 70_000 + "\n", ": larger than 64 KB"),
        ],
    )
    def test_a_value_that_cannot_be_used_fails_with_its_place(
        self, vault: Path, environ: Environ, text: str, message: str
    ) -> None:
        with pytest.raises(SettingsError) as caught:
            settings_of(vault, environ, text)
        assert message in caught.value.message
        assert caught.value.message.startswith(f"'{vault / 'vaultmem.toml'}'")
        assert caught.value.hint
        assert caught.value.exit_code == 78

    def test_a_file_that_is_not_utf8_fails_with_its_line(
        self, vault: Path, environ: Environ
    ) -> None:
        (vault / "vaultmem.toml").write_bytes(b'format = 1\nname = "caf\xe9"\n')
        with pytest.raises(SettingsError, match="line 2: not UTF-8 text"):
            load_settings(vault, environ=environ)

    def test_a_byte_order_mark_and_windows_line_ends_are_fine(
        self, vault: Path, environ: Environ
    ) -> None:
        settings = settings_of(vault, environ, "\ufeffformat = 1\r\n[recall]\r\nk = 7\r\n")
        assert settings.recall_k == 7

    def test_a_secret_of_the_wrong_type_is_not_shown(self, vault: Path, environ: Environ) -> None:
        person(environ, "llm.api_key = 12345678\n")
        with pytest.raises(SettingsError) as caught:
            load_settings(vault, environ=environ)
        assert "12345678" not in caught.value.message

    def test_a_terminal_escape_in_a_value_is_spelled_out(
        self, vault: Path, environ: Environ
    ) -> None:
        with pytest.raises(SettingsError) as caught:
            settings_of(vault, environ, 'timezone = "\\u001b[2J"\n')
        assert "\x1b" not in caught.value.message + caught.value.hint

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_in_place_of_the_file_does_not_hang(self, vault: Path, environ: Environ) -> None:
        (vault / "vaultmem.toml").unlink()
        os.mkfifo(vault / "vaultmem.toml")
        with pytest.raises(SettingsError, match="not a regular file"):
            load_settings(vault, environ=environ)

    def test_the_line_of_a_key_is_found_past_tables_and_long_texts(self) -> None:
        text = (
            'name = """\n[recall]\nk = 1\n"""\n\n[recall] # comment\n"k" = 2\nwatch . quiet = 3\n'
        )
        assert line_of(text, "recall.k") == 7
        assert line_of(text, "recall.watch.quiet") == 8
        assert line_of(text, "recall") == 6
        assert line_of(text, "nothing") is None
