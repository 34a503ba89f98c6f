"""Settings: two files, one table of knobs, errors with their line, vaults by name."""

from __future__ import annotations

import dataclasses
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from vaultmem.config import (
    Settings,
    find_vault,
    load_settings,
    make_state_folder,
    named_vaults,
    open_settings,
    person_file,
    state_home,
)
from vaultmem.config_check import check
from vaultmem.config_knobs import BOTH, IN_USE, PERSON, VAULT, Knob, knob_by_key, knobs
from vaultmem.config_read import line_of
from vaultmem.config_vaults import add_vault, remove_vault, set_default_vault
from vaultmem.errors import (
    BadInputError,
    DiskError,
    NoVaultError,
    SettingsError,
    UnsafePathError,
)

VECTORS = Path(__file__).parents[2] / "shared" / "data" / "vectors.json"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def environ(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "VAULTMEM_DEVICE": "laptop"}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "notes")


def make_vault(root: Path, text: str = 'format = 1\nid = "v-0000000001"\n') -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "vaultmem.toml").write_text(text, encoding="utf-8", newline="")
    return root


def person(environ: dict[str, str], text: str) -> Path:
    file = Path(person_file(environ))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    return file


def settings_of(root: Path, environ: dict[str, str], text: str) -> Settings:
    return load_settings(make_vault(root, text), environ=environ)


def messages(settings: Settings) -> list[str]:
    return [warning.message for warning in settings.warnings]


class TestTheTable:
    """Every knob with unit, default and reason."""

    def test_every_default_of_the_joined_systems_is_a_knob(self) -> None:
        if not VECTORS.exists():
            pytest.skip(f"'{VECTORS}' is not here")
        cases = json.loads(VECTORS.read_text())["suites"]["config_defaults"]["cases"]
        by_name = {name: knob for knob in knobs() for name in (knob.key, *knob.origin)}
        expected = {case["input"]["key"]: case["expected"] for case in cases}

        found = {key: by_name[key].default for key in expected if key in by_name}

        as_json: dict[str, Any] = {
            key: list(value) if isinstance(value, tuple) else value for key, value in found.items()
        }
        assert as_json == expected

    @pytest.mark.parametrize("knob", knobs(), ids=lambda knob: str(knob.key))
    def test_every_knob_has_a_reason_and_accepts_its_own_default(self, knob: Knob) -> None:
        assert knob.why
        assert not knob.why.endswith(".")
        assert knob.where in (VAULT, PERSON, BOTH)
        raw = list(knob.default) if isinstance(knob.default, tuple) else knob.default
        assert check(knob, raw, file="", line=None) == knob.default

    def test_no_two_knobs_share_a_name(self) -> None:
        names = [name for knob in knobs() for name in (knob.key, *knob.origin)]
        assert len(names) == len(set(names))

    def test_every_knob_in_use_is_an_attribute_of_its_type(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        settings = load_settings(vault, environ=environ)
        own = {"root", "state", "disabled_by", "values", "sources", "warnings"}
        attributes = {field.name for field in dataclasses.fields(settings)} - own
        in_use = {k.attribute: k for k in IN_USE if k.key not in ("format", "default_vault")}
        assert attributes == in_use.keys()
        for name, knob in in_use.items():
            assert type(getattr(settings, name)) is type(knob.default)

    def test_the_values_hold_every_knob(self, vault: Path, environ: dict[str, str]) -> None:
        assert load_settings(vault, environ=environ).values.keys() == knob_by_key().keys()


class TestTwoPlaces:
    """The vault's file is display and policy; the rest is the person's."""

    def test_defaults_hold_where_nothing_is_said(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        settings = load_settings(vault, environ=environ)
        assert settings.recall_k == 5
        assert settings.watch_commit_after_seconds == 60
        assert settings.sync_lock_wait_seconds == 5
        assert settings.name == "notes"
        assert settings.enabled
        assert settings.warnings == ()

    def test_the_vault_wins_over_the_person(self, vault: Path, environ: dict[str, str]) -> None:
        person(environ, "[recall]\nk = 9\n[search]\nlimit = 50\n")
        settings = settings_of(vault, environ, "[recall]\nk = 3\n")
        assert (settings.recall_k, settings.search_limit) == (3, 50)
        assert settings.sources["recall.k"] == f"'{vault / 'vaultmem.toml'}' line 2"

    @pytest.mark.parametrize("where", ["vault", "person"])
    def test_switched_off_in_either_place_is_switched_off(
        self, vault: Path, environ: dict[str, str], where: str
    ) -> None:
        texts = {"vault": "enabled = true\n", "person": "enabled = true\n"}
        texts[where] = "enabled = false\n"
        person(environ, texts["person"])
        settings = settings_of(vault, environ, texts["vault"])
        assert not settings.enabled
        expected = person_file(environ) if where == "person" else str(vault / "vaultmem.toml")
        assert settings.disabled_by == f"'{expected}' line 1"

    def test_privacy_asked_for_in_either_place_holds(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        person(environ, "[privacy]\nlocal_only = true\n")
        settings = settings_of(vault, environ, "[privacy]\nlocal_only = false\n")
        assert settings.values["privacy.local_only"] is True

    @pytest.mark.parametrize(
        "line",
        [
            'llm.base_url = "http://127.0.0.1:9"',
            'llm.api_key = "x"',
            'llm.anything = "x"',
            'remotes.origin = "ext::sh"',
            'commands.editor = "rm"',
            'secrets = "x"',
            'vaults.work = "/"',
            'device = "theirs"',
            'default_vault = "work"',
        ],
    )
    def test_a_vault_cannot_set_endpoints_keys_remotes_or_commands(
        self, vault: Path, environ: dict[str, str], line: str
    ) -> None:
        settings = settings_of(vault, environ, f"format = 1\n{line}\n")
        key = line.split(" = ")[0]
        (warning,) = settings.warnings
        assert warning.message.startswith(f"'{key.split('.')[0]}")
        assert warning.message.endswith("is ignored: only your own settings may say so")
        assert warning.line == 2
        defaults = {knob.key: knob.default for knob in knobs()}
        assert {k: v for k, v in settings.values.items() if v != defaults[k]} == {}
        assert settings.device == "laptop"
        assert named_vaults(environ) == ({}, "")

    def test_what_belongs_to_a_vault_is_ignored_in_the_persons_file(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        person(environ, 'id = "v-1"\n')
        settings = load_settings(vault, environ=environ)
        assert settings.id == "v-0000000001"
        assert messages(settings) == ["'id' is ignored: it belongs to a vault"]

    def test_a_settings_file_that_is_a_link_is_refused(
        self, vault: Path, environ: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "elsewhere.toml").write_text("format = 1\n")
        (vault / "vaultmem.toml").unlink()
        (vault / "vaultmem.toml").symlink_to(tmp_path / "elsewhere.toml")
        with pytest.raises(UnsafePathError):
            open_settings(vault, environ=environ)

    @pytest.mark.parametrize(
        ("text", "commits"),
        [("", False), ("watch.autocommit = true\n", True), ("watch.autocommit = false\n", False)],
    )
    def test_a_git_plugin_of_obsidian_leaves_committing_to_it_unless_told_otherwise(
        self, vault: Path, environ: dict[str, str], text: str, commits: bool
    ) -> None:
        (vault / ".obsidian" / "plugins" / "obsidian-git").mkdir(parents=True)
        settings = settings_of(vault, environ, text)
        assert settings.watch_autocommit is commits
        assert "watch.autocommit" in settings.sources


class TestMistakes:
    """Unknown key warns with its line and the nearest known key; wrong type fails with the key."""

    def test_an_unknown_key_warns_with_line_and_nearest_key(
        self, vault: Path, environ: dict[str, str]
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

    def test_a_known_name_outside_its_section_is_recognised(
        self, vault: Path, environ: dict[str, str]
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
        self, vault: Path, environ: dict[str, str], text: str, message: str
    ) -> None:
        with pytest.raises(SettingsError) as caught:
            settings_of(vault, environ, text)
        assert message in caught.value.message
        assert caught.value.message.startswith(f"'{vault / 'vaultmem.toml'}'")
        assert caught.value.hint
        assert caught.value.exit_code == 78

    def test_a_file_that_is_not_utf8_fails_with_its_line(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        (vault / "vaultmem.toml").write_bytes(b'format = 1\nname = "caf\xe9"\n')
        with pytest.raises(SettingsError, match="line 2: not UTF-8 text"):
            load_settings(vault, environ=environ)

    def test_a_byte_order_mark_and_windows_line_ends_are_fine(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        settings = settings_of(vault, environ, "\ufeffformat = 1\r\n[recall]\r\nk = 7\r\n")
        assert settings.recall_k == 7

    def test_a_secret_of_the_wrong_type_is_not_shown(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        person(environ, "llm.api_key = 12345678\n")
        with pytest.raises(SettingsError) as caught:
            load_settings(vault, environ=environ)
        assert "12345678" not in caught.value.message

    def test_a_terminal_escape_in_a_value_is_spelled_out(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        with pytest.raises(SettingsError) as caught:
            settings_of(vault, environ, 'timezone = "\\u001b[2J"\n')
        assert "\x1b" not in caught.value.message + caught.value.hint

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_in_place_of_the_file_does_not_hang(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
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
        environ: dict[str, str],
        text: str,
        variables: dict[str, str],
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
        self, vault: Path, environ: dict[str, str], key: str, text: str, expected: object
    ) -> None:
        person(environ, f'{key} = "{text}"\n')
        assert load_settings(vault, environ=environ).values[key] == expected

    def test_texts_in_lists_are_filled_in(self, vault: Path, environ: dict[str, str]) -> None:
        person(environ, 'languages = ["${L:-de}", "en"]\n')
        assert load_settings(vault, environ=environ).languages == ("de", "en")

    def test_a_missing_variable_without_default_is_an_error(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        person(environ, '[llm]\napi_key = "${KEY}"\n')
        with pytest.raises(SettingsError, match=r"line 2: 'llm\.api_key' needs the environment"):
            load_settings(vault, environ=environ)

    def test_a_filled_in_value_is_checked_like_any_other(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        person(environ, 'recall.k = "${K}"\n')
        with pytest.raises(SettingsError, match=r"'recall\.k' must be a whole number"):
            load_settings(vault, environ=environ | {"K": "many"})

    def test_a_vault_sees_no_variable_but_those_meant_for_it(
        self, vault: Path, environ: dict[str, str]
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
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        person(environ, 'recall.k = "${K:-9}"\n')
        assert settings_of(vault, environ, "recall.k = 3\n").recall_k == 3

    def test_no_secret_is_kept_on_disk(
        self, vault: Path, environ: dict[str, str], home: Path
    ) -> None:
        rest(person(environ, 'llm.api_key = "${KEY}"\n'), vault / "vaultmem.toml")
        for _ in range(2):
            settings = load_settings(vault, environ=environ | {"KEY": "s3cret"})
            assert settings.values["llm.api_key"] == "s3cret"
        kept = list(Path(state_home(environ)).rglob("*.bin"))
        assert kept
        assert all(b"s3cret" not in file.read_bytes() for file in kept)


def rest(*files: Path) -> None:
    """Let the files look as if they had not been touched for an hour."""
    for file in files:
        before = file.stat().st_mtime - 3600
        os.utime(file, (before, before))


class TestKeeping:
    """Loading unchanged files reads no TOML, and is never stale."""

    @pytest.fixture
    def kept(self, vault: Path, environ: dict[str, str]) -> Path:
        rest(make_vault(vault, "[recall]\nk = 3\n") / "vaultmem.toml")
        load_settings(vault, environ=environ)
        (file,) = Path(state_home(environ)).rglob("*.bin")
        return file

    def test_an_unchanged_file_is_not_parsed_again(
        self, vault: Path, environ: dict[str, str], kept: Path
    ) -> None:
        stamp = (vault / "vaultmem.toml").stat()
        (vault / "vaultmem.toml").write_bytes(b"[recall]\nk = 4\n")
        os.utime(vault / "vaultmem.toml", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert load_settings(vault, environ=environ).recall_k == 3

    def test_a_changed_file_is_read_again(
        self, vault: Path, environ: dict[str, str], kept: Path
    ) -> None:
        assert settings_of(vault, environ, "[recall]\nk = 4\n").recall_k == 4

    def test_a_file_that_appears_is_read(
        self, vault: Path, environ: dict[str, str], kept: Path
    ) -> None:
        person(environ, "[search]\nlimit = 7\n")
        assert load_settings(vault, environ=environ).search_limit == 7

    def test_a_file_edited_a_moment_ago_is_not_kept(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        settings_of(vault, environ, "[recall]\nk = 3\n")
        assert list(Path(state_home(environ)).rglob("*.bin")) == []

    @pytest.mark.parametrize("damage", [b"", b"\x00" * 40, b"{", b"not marshal at all"])
    def test_damage_is_read_again(
        self, vault: Path, environ: dict[str, str], kept: Path, damage: bytes
    ) -> None:
        kept.write_bytes(damage)
        assert load_settings(vault, environ=environ).recall_k == 3
        assert len(kept.read_bytes()) > 1000

    def test_warnings_are_shown_again_though_nothing_was_read(
        self, vault: Path, environ: dict[str, str]
    ) -> None:
        rest(make_vault(vault, "recal = 3\n") / "vaultmem.toml")
        first = load_settings(vault, environ=environ).warnings
        assert load_settings(vault, environ=environ).warnings == first != ()

    @pytest.mark.skipif(os.name != "posix", reason="file modes")
    def test_what_is_kept_is_for_the_owner_alone(self, kept: Path) -> None:
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700

    def test_a_state_folder_that_cannot_be_written_only_costs_time(
        self, vault: Path, environ: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        nowhere = environ | {"VAULTMEM_STATE": str(tmp_path / "file" / "state")}
        assert load_settings(vault, environ=nowhere).recall_k == 5


class TestWhichVault:
    """--vault, VAULTMEM_VAULT, the current folder, the default; never created."""

    def test_the_order(self, environ: dict[str, str], tmp_path: Path) -> None:
        roots = {name: make_vault(tmp_path / name) for name in ("asked", "env", "here", "home")}
        lines = "".join(f'{name} = "{root}"\n' for name, root in roots.items())
        person(environ, f'default_vault = "home"\n[vaults]\n{lines}')
        inside = {"environ": environ | {"VAULTMEM_VAULT": "env"}, "folder": roots["here"]}
        outside = {"environ": environ, "folder": tmp_path}
        assert find_vault("asked", **inside) == roots["asked"]  # type: ignore[arg-type]  # mixed
        assert find_vault(None, **inside) == roots["env"]  # type: ignore[arg-type]  # mixed
        assert find_vault(environ=environ, folder=roots["here"]) == roots["here"]
        assert find_vault(None, **outside) == roots["home"]  # type: ignore[arg-type]  # mixed

    def test_a_path_is_taken_as_it_is(self, environ: dict[str, str], tmp_path: Path) -> None:
        root = make_vault(tmp_path / "a b" / "notes.d")
        assert find_vault("a b/notes.d", environ=environ, folder=tmp_path) == root
        assert find_vault(root, environ=environ) == root
        assert find_vault("./notes.d", environ=environ, folder=tmp_path / "a b") == root

    def test_the_home_sign_is_understood(
        self, environ: dict[str, str], home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("USERPROFILE", str(home))
        make_vault(home / "notes")
        person(environ, '[vaults]\nwork = "~/notes"\n')
        assert find_vault("work", environ=environ) == home / "notes"
        assert find_vault("~/notes", environ=environ) == home / "notes"

    @pytest.mark.parametrize("wanted", ["missing", "deep/missing", "/nowhere/at/all"])
    def test_a_path_that_does_not_exist_is_an_error_and_never_made(
        self, environ: dict[str, str], tmp_path: Path, wanted: str
    ) -> None:
        with pytest.raises(NoVaultError) as caught:
            find_vault(wanted, environ=environ, folder=tmp_path)
        assert wanted in caught.value.message
        assert "vaultmem init" in caught.value.hint
        assert caught.value.exit_code == 66
        assert not (tmp_path / wanted).exists()

    def test_a_folder_without_settings_is_no_vault(
        self, environ: dict[str, str], tmp_path: Path
    ) -> None:
        with pytest.raises(NoVaultError, match=r"is not a vault: it holds no vaultmem\.toml"):
            find_vault(tmp_path, environ=environ)

    def test_the_folder_above_is_never_searched(self, environ: dict[str, str], vault: Path) -> None:
        (vault / "items").mkdir()
        with pytest.raises(NoVaultError, match="no vault in"):
            find_vault(environ=environ, folder=vault / "items")

    def test_an_unknown_name_lists_the_known_ones(
        self, environ: dict[str, str], vault: Path, tmp_path: Path
    ) -> None:
        person(environ, f'[vaults]\nwork = "{vault}"\nhome = "{vault}"\n')
        with pytest.raises(NoVaultError) as caught:
            find_vault("wrok", environ=environ, folder=tmp_path)
        assert caught.value.hint == "known names: home, work"

    def test_a_default_that_has_no_path_is_an_error(
        self, environ: dict[str, str], tmp_path: Path
    ) -> None:
        person(environ, 'default_vault = "gone"\n')
        with pytest.raises(NoVaultError, match="no vault is named 'gone'"):
            find_vault(environ=environ, folder=tmp_path)

    @pytest.mark.parametrize(
        "text",
        ['[vaults]\nwork = "notes"\n', "[vaults]\nwork = 1\n", "vaults = 1\n", '[vaults]\nÄ = "/"'],
    )
    def test_a_name_without_a_whole_path_is_an_error(
        self, environ: dict[str, str], text: str
    ) -> None:
        person(environ, text)
        with pytest.raises(SettingsError):
            named_vaults(environ)


class TestDeviceState:
    """Outside the vault, one folder a vault, for its owner alone."""

    def test_each_vault_and_place_has_its_own(
        self, environ: dict[str, str], tmp_path: Path
    ) -> None:
        first = load_settings(make_vault(tmp_path / "a"), environ=environ)
        copied = load_settings(make_vault(tmp_path / "b"), environ=environ)
        other = settings_of(tmp_path / "a", environ, 'id = "v-2"\n')
        assert len({first.state, copied.state, other.state}) == 3
        assert len(first.state.name) == 16
        assert first.state.parent == tmp_path / "home" / ".local" / "state" / "vaultmem"

    def test_the_environment_says_where(self, vault: Path, tmp_path: Path) -> None:
        chosen = {"HOME": "/h", "VAULTMEM_STATE": str(tmp_path / "s"), "VAULTMEM_DEVICE": "d"}
        assert load_settings(vault, environ=chosen).state.parent == tmp_path / "s"
        assert person_file({"VAULTMEM_CONFIG": str(tmp_path / "c.toml")}) == str(
            tmp_path / "c.toml"
        )
        assert state_home({"XDG_STATE_HOME": str(tmp_path)}) == str(tmp_path / "vaultmem")

    @pytest.mark.skipif(os.name != "posix", reason="the XDG folders of this system")
    def test_a_base_folder_that_is_no_whole_path_is_ignored(self, home: Path) -> None:
        """The XDG base directory specification says so."""
        environ = {"HOME": str(home), "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "x"}
        assert state_home(environ).startswith(str(home))
        assert person_file(environ).startswith(str(home))

    @pytest.mark.skipif(os.name != "posix", reason="file modes")
    def test_it_is_closed_to_others(self, tmp_path: Path) -> None:
        state = tmp_path / "deep" / "state"
        state.mkdir(parents=True, mode=0o755)
        assert make_state_folder(state) == state
        assert stat.S_IMODE(state.stat().st_mode) == 0o700

    def test_a_folder_that_cannot_be_made_is_an_error_with_a_hint(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(DiskError) as caught:
            make_state_folder(tmp_path / "file" / "state")
        assert "VAULTMEM_STATE" in caught.value.hint

    def test_the_device_is_named_once(self, vault: Path, home: Path) -> None:
        environ = {"HOME": str(home)}
        name = load_settings(vault, environ=environ).device
        assert name
        (Path(state_home(environ)) / "device").write_text("old-laptop\n")
        assert load_settings(vault, environ=environ).device == "old-laptop"

    @pytest.mark.parametrize(("said", "name"), [("MacBook Pro", "macbook-pro"), ("../x", "x")])
    def test_a_device_name_is_safe_in_a_file_name(
        self, vault: Path, home: Path, said: str, name: str
    ) -> None:
        environ = {"HOME": str(home)}
        assert load_settings(vault, environ=environ | {"VAULTMEM_DEVICE": said}).device == name
        person(environ, f'device = "{said}"\n')
        assert load_settings(vault, environ=environ).device == name


class TestNames:
    """Names are kept in the person's file, which stays theirs."""

    OWN = (
        "# mine\r\nlanguages = [ 'de' ]   # both\r\n\r\n"
        "# where the model is\r\n[llm]\r\nmodel = 'x'\r\n"
    )

    def test_adding_and_choosing_leave_every_other_line_alone(
        self, environ: dict[str, str], vault: Path
    ) -> None:
        file = person(environ, self.OWN)
        add_vault("work", vault, environ)
        set_default_vault("work", environ)
        assert file.read_bytes().decode() == (
            "# mine\r\nlanguages = [ 'de' ]   # both\r\n\r\n"
            'default_vault = "work"\r\n\r\n'
            "# where the model is\r\n[llm]\r\nmodel = 'x'\r\n\r\n"
            f'[vaults]\r\nwork = "{vault}"\r\n'
        )
        assert named_vaults(environ) == ({"work": str(vault)}, "work")

    def test_removing_takes_away_its_lines_only(self, environ: dict[str, str], vault: Path) -> None:
        text = f'default_vault = "a"\n[vaults]\na = "{vault}" # x\n# y\nb = "{vault}"'
        file = person(environ, text)
        remove_vault("a", environ)
        assert file.read_text() == f'[vaults]\n# y\nb = "{vault}"'
        assert named_vaults(environ) == ({"b": str(vault)}, "")

    def test_a_second_name_joins_the_first(
        self, environ: dict[str, str], tmp_path: Path, vault: Path
    ) -> None:
        file = person(environ, f'[vaults]\na = "{vault}"\n\n[llm]\nmodel = "x"')
        other = make_vault(tmp_path / 'odd "name" \\ \u00e4')
        add_vault("b", other, environ)
        assert named_vaults(environ)[0] == {"a": str(vault), "b": str(other)}
        assert file.read_text().endswith('\n\n[llm]\nmodel = "x"\n')

    def test_the_first_name_makes_the_file(self, environ: dict[str, str], vault: Path) -> None:
        file = add_vault("work", vault, environ)
        assert file.read_text() == f'[vaults]\nwork = "{vault}"\n'
        assert add_vault("work", vault, environ) == file  # again changes nothing

    def test_a_name_is_not_taken_from_another_vault(
        self, environ: dict[str, str], vault: Path, tmp_path: Path
    ) -> None:
        add_vault("work", vault, environ)
        with pytest.raises(BadInputError, match="already"):
            add_vault("work", make_vault(tmp_path / "other"), environ)

    @pytest.mark.parametrize("name", ["", "Work", "a b", "../x", "-x", "a" * 65, "a\x1b"])
    def test_a_name_is_a_plain_word(self, environ: dict[str, str], vault: Path, name: str) -> None:
        with pytest.raises(BadInputError):
            add_vault(name, vault, environ)

    def test_an_unknown_name_cannot_be_removed_or_chosen(self, environ: dict[str, str]) -> None:
        with pytest.raises(BadInputError):
            remove_vault("x", environ)
        with pytest.raises(BadInputError):
            set_default_vault("x", environ)

    def test_a_form_that_cannot_be_edited_by_line_is_left_alone(
        self, environ: dict[str, str], vault: Path
    ) -> None:
        text = f'vaults = {{ a = "{vault}" }}\n'
        file = person(environ, text)
        with pytest.raises(SettingsError, match="cannot be changed line by line"):
            add_vault("b", vault, environ)
        assert file.read_text() == text

    @pytest.mark.skipif(os.name != "posix", reason="links")
    def test_a_settings_file_behind_a_link_stays_a_link(
        self, environ: dict[str, str], vault: Path, tmp_path: Path
    ) -> None:
        real = tmp_path / "dotfiles.toml"
        real.write_text("")
        file = Path(person_file(environ))
        file.parent.mkdir(parents=True)
        file.symlink_to(real)
        add_vault("work", vault, environ)
        assert file.is_symlink()
        assert "work" in real.read_text()
