"""Which vault is meant, where its device state lies, and vaults by name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.config.files import Environ, make_vault, person, settings_of
from vaultmem.base.errors import BadInputError, DiskError, NoVaultError, SettingsError
from vaultmem.config.settings import (
    find_vault,
    load_settings,
    make_state_folder,
    named_vaults,
    person_file,
    state_home,
)
from vaultmem.config.vaults import add_vault, remove_vault, set_default_vault


class TestWhichVault:
    """--vault, VAULTMEM_VAULT, the current folder, the default; never created."""

    def test_the_order(self, environ: Environ, tmp_path: Path) -> None:
        roots = {name: make_vault(tmp_path / name) for name in ("asked", "env", "here", "home")}
        lines = "".join(f'{name} = "{root}"\n' for name, root in roots.items())
        person(environ, f'default_vault = "home"\n[vaults]\n{lines}')
        inside = {"environ": environ | {"VAULTMEM_VAULT": "env"}, "folder": roots["here"]}
        outside = {"environ": environ, "folder": tmp_path}
        assert find_vault("asked", **inside) == roots["asked"]  # type: ignore[arg-type]  # mixed
        assert find_vault(None, **inside) == roots["env"]  # type: ignore[arg-type]  # mixed
        assert find_vault(environ=environ, folder=roots["here"]) == roots["here"]
        assert find_vault(None, **outside) == roots["home"]  # type: ignore[arg-type]  # mixed

    def test_a_path_is_taken_as_it_is(self, environ: Environ, tmp_path: Path) -> None:
        root = make_vault(tmp_path / "a b" / "notes.d")
        assert find_vault("a b/notes.d", environ=environ, folder=tmp_path) == root
        assert find_vault(root, environ=environ) == root
        assert find_vault("./notes.d", environ=environ, folder=tmp_path / "a b") == root

    def test_the_home_sign_is_understood(
        self, environ: Environ, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("USERPROFILE", str(home))
        make_vault(home / "notes")
        person(environ, '[vaults]\nwork = "~/notes"\n')
        assert find_vault("work", environ=environ) == home / "notes"
        assert find_vault("~/notes", environ=environ) == home / "notes"

    @pytest.mark.parametrize("wanted", ["missing", "deep/missing", "/nowhere/at/all"])
    def test_a_path_that_does_not_exist_is_an_error_and_never_made(
        self, environ: Environ, tmp_path: Path, wanted: str
    ) -> None:
        with pytest.raises(NoVaultError) as caught:
            find_vault(wanted, environ=environ, folder=tmp_path)
        assert wanted in caught.value.message
        assert "vaultmem init" in caught.value.hint
        assert caught.value.exit_code == 66
        assert not (tmp_path / wanted).exists()

    def test_a_folder_without_settings_is_no_vault(self, environ: Environ, tmp_path: Path) -> None:
        with pytest.raises(NoVaultError, match=r"is not a vault: it holds no vaultmem\.toml"):
            find_vault(tmp_path, environ=environ)

    def test_the_folder_above_is_never_searched(self, environ: Environ, vault: Path) -> None:
        (vault / "items").mkdir()
        with pytest.raises(NoVaultError, match="no vault in"):
            find_vault(environ=environ, folder=vault / "items")

    def test_an_unknown_name_lists_the_known_ones(
        self, environ: Environ, vault: Path, tmp_path: Path
    ) -> None:
        person(environ, f'[vaults]\nwork = "{vault}"\nhome = "{vault}"\n')
        with pytest.raises(NoVaultError) as caught:
            find_vault("wrok", environ=environ, folder=tmp_path)
        assert caught.value.hint == "known names: home, work"

    def test_a_default_that_has_no_path_is_an_error(self, environ: Environ, tmp_path: Path) -> None:
        person(environ, 'default_vault = "gone"\n')
        with pytest.raises(NoVaultError, match="no vault is named 'gone'"):
            find_vault(environ=environ, folder=tmp_path)

    @pytest.mark.parametrize(
        "text",
        ['[vaults]\nwork = "notes"\n', "[vaults]\nwork = 1\n", "vaults = 1\n", '[vaults]\nÄ = "/"'],
    )
    def test_a_name_without_a_whole_path_is_an_error(self, environ: Environ, text: str) -> None:
        person(environ, text)
        with pytest.raises(SettingsError):
            named_vaults(environ)


class TestDeviceState:
    """Outside the vault, one folder a vault, for its owner alone."""

    def test_each_vault_and_place_has_its_own(self, environ: Environ, tmp_path: Path) -> None:
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
        self, environ: Environ, vault: Path
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

    def test_removing_takes_away_its_lines_only(self, environ: Environ, vault: Path) -> None:
        text = f'default_vault = "a"\n[vaults]\na = "{vault}" # x\n# y\nb = "{vault}"'
        file = person(environ, text)
        remove_vault("a", environ)
        assert file.read_text() == f'[vaults]\n# y\nb = "{vault}"'
        assert named_vaults(environ) == ({"b": str(vault)}, "")

    def test_a_second_name_joins_the_first(
        self, environ: Environ, tmp_path: Path, vault: Path
    ) -> None:
        file = person(environ, f'[vaults]\na = "{vault}"\n\n[llm]\nmodel = "x"')
        other = make_vault(tmp_path / 'odd "name" \\ \u00e4')
        add_vault("b", other, environ)
        assert named_vaults(environ)[0] == {"a": str(vault), "b": str(other)}
        assert file.read_text().endswith('\n\n[llm]\nmodel = "x"\n')

    def test_the_first_name_makes_the_file(self, environ: Environ, vault: Path) -> None:
        file = add_vault("work", vault, environ)
        assert file.read_text() == f'[vaults]\nwork = "{vault}"\n'
        assert add_vault("work", vault, environ) == file  # again changes nothing

    def test_a_name_is_not_taken_from_another_vault(
        self, environ: Environ, vault: Path, tmp_path: Path
    ) -> None:
        add_vault("work", vault, environ)
        with pytest.raises(BadInputError, match="already"):
            add_vault("work", make_vault(tmp_path / "other"), environ)

    @pytest.mark.parametrize("name", ["", "Work", "a b", "../x", "-x", "a" * 65, "a\x1b"])
    def test_a_name_is_a_plain_word(self, environ: Environ, vault: Path, name: str) -> None:
        with pytest.raises(BadInputError):
            add_vault(name, vault, environ)

    def test_an_unknown_name_cannot_be_removed_or_chosen(self, environ: Environ) -> None:
        with pytest.raises(BadInputError):
            remove_vault("x", environ)
        with pytest.raises(BadInputError):
            set_default_vault("x", environ)

    def test_a_form_that_cannot_be_edited_by_line_is_left_alone(
        self, environ: Environ, vault: Path
    ) -> None:
        text = f'vaults = {{ a = "{vault}" }}\n'
        file = person(environ, text)
        with pytest.raises(SettingsError, match="cannot be changed line by line"):
            add_vault("b", vault, environ)
        assert file.read_text() == text

    @pytest.mark.skipif(os.name != "posix", reason="links")
    def test_a_settings_file_behind_a_link_stays_a_link(
        self, environ: Environ, vault: Path, tmp_path: Path
    ) -> None:
        real = tmp_path / "dotfiles.toml"
        real.write_text("")
        file = Path(person_file(environ))
        file.parent.mkdir(parents=True)
        file.symlink_to(real)
        add_vault("work", vault, environ)
        assert file.is_symlink()
        assert "work" in real.read_text()
